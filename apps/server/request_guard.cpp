#include "server/request_guard.h"

#include <algorithm>
#include <cctype>
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

}  // namespace

bool is_loopback_host(std::string_view host) {
  const std::string name = lower(host);
  for (const std::string_view loopback : {"localhost", "127.0.0.1", "[::1]"})
    if (name.starts_with(loopback) && is_port_or_empty(std::string_view(name).substr(loopback.size())))
      return true;
  return false;
}

bool is_own_request(const RequestOrigin& request) {
  if (!is_loopback_host(request.host)) return false;
  if (!request.origin.empty()) return lower(request.origin) == "http://" + lower(request.host);
  const bool foreign = request.fetch_site == "cross-site" || request.fetch_site == "same-site";
  return !foreign || request.fetch_mode == "navigate";
}

}  // namespace heddle
