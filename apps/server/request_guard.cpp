#include "server/request_guard.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

namespace heddle {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool is_port_or_empty(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':' || text.size() < 2 || text.size() > 6) return false;
  return std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// ":8080" of a loopback name, "" if it has no port; empty for other names.
std::optional<std::string> loopback_port(std::string_view host) {
  const std::string name = lower(host);
  for (const std::string_view loopback : {"localhost", "127.0.0.1", "[::1]"})
    if (name.starts_with(loopback) && is_port_or_empty(std::string_view(name).substr(loopback.size())))
      return name.substr(loopback.size());
  return std::nullopt;
}

/// The names of this machine are one site, its ports are not: another program may serve there.
bool is_same_site(std::string_view origin, std::string_view host) {
  constexpr std::string_view kScheme = "http://";
  if (!lower(origin).starts_with(kScheme)) return false;
  const std::optional<std::string> port = loopback_port(origin.substr(kScheme.size()));
  return port && port == loopback_port(host);
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  return loopback_port(host).has_value();
}

bool is_own_request(const RequestOrigin& request) {
  if (!is_loopback_host(request.host)) return false;
  if (!request.origin.empty()) return is_same_site(request.origin, request.host);
  const bool foreign = request.fetch_site == "cross-site" || request.fetch_site == "same-site";
  return !foreign || request.fetch_mode == "navigate";
}

}  // namespace heddle
