#pragma once

#include "server/live_control.h"
#include "server/run_source.h"

#include <heddle/core/result.h>
#include <heddle/io/snapshot.h>

#include <chrono>
#include <memory>

namespace heddle {

struct ServerOptions {
  int port = 8080;                                 // 0 takes any free port
  std::chrono::milliseconds idle_timeout{30'000};  // a client silent for longer is cut off
  int most_connections = 128;
};

/// Serves the viewer page and a run on the loopback interface of this machine, from its own threads.
/// Requests that other sites' pages make through the user's browser are refused.
class Server {
 public:
  /// `source` and `live` outlive the server. With `live` the page can follow and steer a running simulation.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options, const RunSource& source,
                                               LiveControl* live = nullptr);
  /// Could a server listen on the port now?
  static Status check_port(int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Shows this frame to everybody who watches. Never waits for a client.
  /// Costs a few milliseconds for 40 000 vertices.
  void publish(const Snapshot& frame);
  /// Tells the pages that the state of the simulation changed without them: it paused itself or ended, and
  /// why if that was too early.
  void publish_state(bool paused, bool finished, const std::string& problem = {});
  /// Cuts off everybody and ends the threads; also done on destruction.
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle
