#include "server/server.h"

#include "server/http_session.h"
#include "server/server_context.h"
#include "server/wire.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <fmt/format.h>

#include <thread>
#include <vector>

namespace heddle {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr int kThreads = 2;

Diagnostics cannot_listen(int port, const boost::system::error_code& error) {
  if (error == asio::error::address_in_use)
    return failure({}, fmt::format("port {} is in use by another program", port),
                   "stop that program, or choose another port: --port 0 takes any free one");
  if (error == asio::error::access_denied)
    return failure({}, fmt::format("port {} is reserved for the system", port),
                   "choose a port from 1024 to 65535");
  return failure({}, fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.message()),
                 "choose another port: --port 0 takes any free one");
}

boost::system::error_code listen(tcp::acceptor& acceptor, int port) {
  boost::system::error_code error;
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  if (acceptor.open(endpoint.protocol(), error)) return error;
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (acceptor.bind(endpoint, error)) return error;
  acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

/// An exception out of a handler (no memory left) ends the connection it came from, not the server.
void run_until_stopped(asio::io_context& io) {
  while (!io.stopped()) {
    try {
      io.run();
    } catch (const std::exception&) {
    }
  }
}

}  // namespace

struct Server::Impl {
  Impl(const ServerOptions& options, const RunSource& source, LiveControl* live)
      : context{source,
                live,
                HttpApi(source, live != nullptr),
                {},
                options.idle_timeout,
                options.most_connections},
        acceptor(io),
        retry(io) {}

  void accept() {
    acceptor.async_accept(asio::make_strand(io), [this](boost::system::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      // Without a pause, having no file descriptors left would turn into a busy loop.
      if (error) return accept_later();
      if (context.connections < context.most_connections) {
        boost::system::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        start_http_session(std::move(socket), context);
      }
      accept();
    });
  }

  void accept_later() {
    retry.expires_after(std::chrono::milliseconds(100));
    retry.async_wait([this](boost::system::error_code error) {
      if (!error) accept();
    });
  }

  void stop() {
    io.stop();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  ServerContext context;
  asio::io_context io;  // after the context: sessions that wait in it still use the context
  tcp::acceptor acceptor;
  asio::steady_timer retry;
  int bound_port = 0;
  std::vector<std::thread> threads;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  stop();
}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, const RunSource& source,
                                              LiveControl* live) {
  if (options.port < 0 || options.port > 65535)
    return failure({}, fmt::format("there is no port {}", options.port),
                   "choose a port from 1024 to 65535, or 0");
  auto impl = std::make_unique<Impl>(options, source, live);
  if (const auto error = listen(impl->acceptor, options.port)) return cannot_listen(options.port, error);
  impl->bound_port = impl->acceptor.local_endpoint().port();
  if (live) impl->context.hub.publish_state(live->paused(), false);
  impl->accept();
  for (int i = 0; i < kThreads; ++i) impl->threads.emplace_back([io = &impl->io] { run_until_stopped(*io); });
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Status Server::check_port(int port) {
  asio::io_context io;
  tcp::acceptor acceptor(io);
  if (const auto error = listen(acceptor, port)) return cannot_listen(port, error);
  return Done{};
}

int Server::port() const {
  return impl_->bound_port;
}

void Server::publish(const Snapshot& frame) {
  Result<std::string> message = frame_message(impl_->context.source.model(), frame);
  HEDDLE_CHECK(message.ok());
  impl_->context.hub.publish_frame(std::make_shared<const std::string>(std::move(*message)));
}

void Server::publish_state(bool paused, bool finished, const std::string& problem) {
  impl_->context.finished = finished;
  impl_->context.hub.publish_state(paused, finished, problem);
}

void Server::stop() {
  impl_->stop();
}

}  // namespace heddle
