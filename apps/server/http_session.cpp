#include "server/http_session.h"

#include "server/live_session.h"
#include "server/request_guard.h"

#include <boost/asio/dispatch.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <exception>
#include <memory>
#include <optional>

namespace heddle {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr size_t kLongestHeader = 8 * 1024;

std::string_view view(boost::string_view text) {
  return {text.data(), text.size()};
}

ApiResponse text_response(int status, std::string message) {
  return {status, "text/plain; charset=utf-8", std::move(message)};
}

void set_security_headers(Response& response) {
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
      "img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(boost::asio::ip::tcp::socket socket, ServerContext& context)
      : stream_(std::move(socket)), buffer_(2 * kLongestHeader), context_(context), count_(context) {}

  void start() {
    boost::asio::dispatch(stream_.get_executor(), [self = shared_from_this()] { self->read(); });
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kLongestHeader);
    parser_->body_limit(0);
    stream_.expires_after(context_.idle_timeout);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, size_t) { self->on_read(error); });
  }

  void on_read(beast::error_code error) {
    if (error == http::error::end_of_stream) return close();
    if (error && error.category() == http::make_error_code(http::error::bad_method).category())
      return write(text_response(400, "Bad request: this is not HTTP/1.1, or it has a body.\n"),
                   /*keep=*/false);
    if (error) return;
    const Request& request = parser_->get();
    if (beast::websocket::is_upgrade(request)) return upgrade(request);
    write(answer(request), request.keep_alive(), request.method() == http::verb::head);
  }

  static bool is_own(const Request& request) {
    return request.count(http::field::host) == 1 && request.count(http::field::origin) <= 1 &&
           is_own_request({view(request[http::field::host]), view(request[http::field::origin]),
                           view(request["Sec-Fetch-Site"]), view(request["Sec-Fetch-Mode"])});
  }

  ApiResponse answer(const Request& request) const {
    if (!is_own(request))
      return text_response(403,
                           "Refused: open the viewer by its own address, http://localhost or 127.0.0.1.\n");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return text_response(405, "Only GET and HEAD are served.\n");
    try {
      return context_.api.get(view(request.target()));
    } catch (const std::exception& problem) {
      return text_response(500, std::string("Internal error: ") + problem.what() + "\n");
    }
  }

  void upgrade(const Request& request) {
    if (!is_own(request)) return write(text_response(403, "Refused: foreign origin.\n"), false);
    if (request.target() != "/live" || !context_.live)
      return write(text_response(404, "No simulation is running here.\n"), false);
    stream_.expires_never();
    start_live_session(std::move(stream_), parser_->release(), context_);
  }

  void write(ApiResponse answer, bool keep_alive, bool head_only = false) {
    auto response = std::make_shared<Response>(static_cast<http::status>(answer.status), 11);
    response->set(http::field::content_type, answer.content_type);
    if (answer.status == 405) response->set(http::field::allow, "GET, HEAD");
    set_security_headers(*response);
    response->keep_alive(keep_alive);
    response->body() = std::move(answer.body);
    response->prepare_payload();
    if (head_only) response->body().clear();
    stream_.expires_after(context_.idle_timeout);
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response, keep_alive](beast::error_code error, size_t) {
                        if (error) return;
                        keep_alive ? self->read() : self->close();
                      });
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  ServerContext& context_;
  ConnectionCount count_;
};

}  // namespace

void start_http_session(boost::asio::ip::tcp::socket socket, ServerContext& context) {
  std::make_shared<HttpSession>(std::move(socket), context)->start();
}

}  // namespace heddle
