#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace heddle::test {

/// A client that sends any bytes it likes; waits for an answer at most a few seconds.
class RawClient {
 public:
  explicit RawClient(int port);
  /// False if the server has closed the connection.
  bool send(std::string_view bytes);
  /// All bytes until the server closes the connection or is silent for `seconds`.
  std::string receive_all(double seconds = 5);
  /// The status and headers of one answer, and its body.
  std::string receive_response();

 private:
  bool wait_readable(double seconds);
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
};

/// GET with a correct Host header and these extra header lines, each ending in \r\n; the whole answer.
std::string get(int port, std::string_view target, std::string_view headers = "");

/// "200" of "HTTP/1.1 200 OK".
std::string status_of(const std::string& response);
std::string body_of(const std::string& response);

}  // namespace heddle::test
