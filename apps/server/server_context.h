#pragma once

#include "server/http_api.h"
#include "server/live_control.h"
#include "server/live_hub.h"

#include <atomic>
#include <chrono>
#include <utility>

namespace heddle {

/// What every connection of a server shares.
struct ServerContext {
  const RunSource& source;
  LiveControl* live;
  HttpApi api;
  LiveHub hub;
  std::chrono::milliseconds idle_timeout;
  int most_connections;
  std::atomic<int> connections = 0;
  std::atomic<bool> finished = false;
};

/// Counts a connection for as long as it lives.
class ConnectionCount {
 public:
  explicit ConnectionCount(ServerContext& context) : context_(&context) { ++context.connections; }
  ConnectionCount(ConnectionCount&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
  ConnectionCount& operator=(ConnectionCount&&) = delete;
  ~ConnectionCount() {
    if (context_) --context_->connections;
  }

 private:
  ServerContext* context_;
};

}  // namespace heddle
