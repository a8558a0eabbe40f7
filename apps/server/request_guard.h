#pragma once

#include <string_view>

namespace heddle {

/// The headers by which a browser betrays a page of another site that reaches for this server.
struct RequestOrigin {
  std::string_view host;        // Host
  std::string_view origin;      // Origin; empty if the client sent none
  std::string_view fetch_site;  // Sec-Fetch-Site
  std::string_view fetch_mode;  // Sec-Fetch-Mode
};

/// True if Host names this machine by a loopback name: a page that re-bound its own name to 127.0.0.1 (DNS
/// rebinding) still sends that name. Any port is right, so that the server can be reached through a tunnel.
bool is_loopback_host(std::string_view host);

/// True if the request comes from the served page itself under any loopback name, from the address bar, or
/// from no browser at all.
bool is_own_request(const RequestOrigin& request);

}  // namespace heddle
