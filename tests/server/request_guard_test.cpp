#include "server/request_guard.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(RequestGuard, LoopbackNamesWithAnyPortAreThisMachine) {
  for (const char* host :
       {"localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:65535", "[::1]:8080", "[::1]"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
}

TEST(RequestGuard, OtherNamesAreNot) {
  for (const char* host :
       {"", "evil.example", "localhost.evil.example", "localhost:80@evil.example", "127.0.0.1.nip.io",
        "127.0.0.1:", "localhost:123456", "localhost:8o", "0.0.0.0:8080", "192.168.1.2:8080"})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

TEST(RequestGuard, OwnPageAddressBarAndToolsPass) {
  EXPECT_TRUE(is_own_request({.host = "localhost:8080"}));
  EXPECT_TRUE(is_own_request({.host = "localhost:8080", .origin = "http://localhost:8080"}));
  for (const char* origin : {"http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"})
    for (const char* host : {"localhost:8080", "127.0.0.1:8080", "[::1]:8080"})
      EXPECT_TRUE(is_own_request({.host = host, .origin = origin})) << origin << " to " << host;
  EXPECT_TRUE(is_own_request({.host = "127.0.0.1:8080", .fetch_site = "same-origin", .fetch_mode = "cors"}));
  EXPECT_TRUE(
      is_own_request({.host = "127.0.0.1:8080", .fetch_site = "cross-site", .fetch_mode = "navigate"}));
}

TEST(RequestGuard, PagesOfOtherSitesAreRefused) {
  EXPECT_FALSE(is_own_request({.host = "evil.example:8080"}));
  EXPECT_FALSE(is_own_request({.host = "localhost:8080", .origin = "http://evil.example"}));
  EXPECT_FALSE(is_own_request({.host = "localhost:8080", .origin = "null"}));
  for (const char* origin :
       {"http://localhost.evil.com:8080", "http://127.0.0.1.evil.com:8080", "http://[::1].evil.com:8080",
        "http://evil.com:8080", "http://localhost:8080@evil.com", "http://localhost:8080/", "http://",
        "file://localhost:8080", "http://127.0.0.1:8081", "http://localhost"})
    EXPECT_FALSE(is_own_request({.host = "127.0.0.1:8080", .origin = origin})) << origin;
  EXPECT_FALSE(is_own_request({.host = "localhost:8080", .origin = "https://localhost:8080"}));
  EXPECT_FALSE(is_own_request({.host = "localhost:8080", .origin = "http://localhost:3000"}));
  EXPECT_FALSE(
      is_own_request({.host = "localhost:8080", .fetch_site = "cross-site", .fetch_mode = "no-cors"}));
}

}  // namespace
}  // namespace heddle
