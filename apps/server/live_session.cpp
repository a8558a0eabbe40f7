#include "server/live_session.h"

#include "server/live_command.h"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace heddle {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Message = std::shared_ptr<const std::string>;

constexpr size_t kLongestCommand = 4 * 1024;

class LiveSession : public LiveViewer, public std::enable_shared_from_this<LiveSession> {
 public:
  LiveSession(beast::tcp_stream stream, beast::http::request<beast::http::empty_body> request,
              ServerContext& context)
      : socket_(std::move(stream)), request_(std::move(request)), context_(context), count_(context) {}

  void start() {
    // Pings find out about pages that vanished without a word.
    socket_.set_option(websocket::stream_base::timeout{context_.idle_timeout, context_.idle_timeout, true});
    socket_.read_message_max(kLongestCommand);
    socket_.write_buffer_bytes(64 * 1024);
    socket_.async_accept(request_, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->on_accept();
    });
  }

  void deliver_frame(Message message) override { deliver(&LiveSession::frame_, std::move(message)); }
  void deliver_state(Message json) override { deliver(&LiveSession::state_, std::move(json)); }

 private:
  /// One place per kind of message: a page that reads slowly misses frames instead of making them queue.
  void deliver(Message LiveSession::*place, Message message) {
    boost::asio::post(socket_.get_executor(),
                      [self = shared_from_this(), place, message = std::move(message)] {
                        (*self).*place = message;
                        self->write();
                      });
  }

  void on_accept() {
    if (!context_.hub.join(shared_from_this()))
      return socket_.async_close(websocket::close_code::try_again_later,
                                 [self = shared_from_this()](beast::error_code) {});
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (error) return self->leave();
      self->obey();
      self->read();
    });
  }

  void obey() {
    const auto bytes = buffer_.cdata();
    const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
    const Result<LiveCommand> command = parse_live_command(text, context_.source.model());
    buffer_.consume(buffer_.size());
    if (!command) return complain(command.errors());
    std::visit([this](const auto& chosen) { apply(chosen); }, *command);
  }

  void apply(const PauseCommand& command) {
    context_.live->pause(command.on);
    context_.hub.publish_state(context_.live->paused(), context_.finished);
  }
  void apply(const StepCommand&) { context_.live->step(); }
  /// The system queues seconds of small frames for a slow page; one that tells what it shows gets no more
  /// than that.
  void apply(const SeenCommand&) {
    paced_ = true;
    unseen_ = std::max(0, unseen_ - 1);
    write();
  }
  void apply(const GrabCommand& command) {
    grabbing_ = true;
    context_.live->grab(command.object, command.vertex, command.target);
  }
  void apply(const ReleaseCommand&) {
    grabbing_ = false;
    context_.live->release();
  }

  void complain(const Diagnostics& errors) {
    const nlohmann::json json = {{"type", "error"}, {"message", errors.text()}};
    error_ = std::make_shared<const std::string>(
        json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    write();
  }

  void leave() {
    context_.hub.leave(this);
    if (grabbing_) context_.live->release();
    grabbing_ = false;
  }

  void write() {
    if (writing_) return;
    Message& next = state_ ? state_ : error_ ? error_ : frame_;
    const bool is_frame = &next == &frame_;
    if (!next || (is_frame && paced_ && unseen_ > 0)) return;
    if (is_frame) ++unseen_;
    writing_ = std::exchange(next, nullptr);
    socket_.binary(is_frame);
    socket_.async_write(boost::asio::buffer(*writing_),
                        [self = shared_from_this()](beast::error_code error, size_t) {
                          self->writing_.reset();
                          if (error) return self->leave();
                          self->write();
                        });
  }

  websocket::stream<beast::tcp_stream> socket_;
  beast::http::request<beast::http::empty_body> request_;
  beast::flat_buffer buffer_;
  ServerContext& context_;
  ConnectionCount count_;
  Message frame_, state_, error_, writing_;
  bool grabbing_ = false;
  bool paced_ = false;  // the page tells which frames it has shown
  int unseen_ = 0;      // frames sent but not shown yet
};

}  // namespace

void start_live_session(beast::tcp_stream stream, beast::http::request<beast::http::empty_body> request,
                        ServerContext& context) {
  std::make_shared<LiveSession>(std::move(stream), std::move(request), context)->start();
}

}  // namespace heddle
