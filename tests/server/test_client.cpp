#include "test_client.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <fmt/format.h>

#include <poll.h>

#include <array>

namespace heddle::test {

using boost::asio::ip::tcp;

RawClient::RawClient(int port) {
  socket_.connect({boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)});
}

bool RawClient::send(std::string_view bytes) {
  boost::system::error_code error;
  boost::asio::write(socket_, boost::asio::buffer(bytes.data(), bytes.size()), error);
  return !error;
}

bool RawClient::wait_readable(double seconds) {
  pollfd item{socket_.native_handle(), POLLIN, 0};
  return ::poll(&item, 1, static_cast<int>(1000 * seconds)) > 0;
}

std::string RawClient::receive_all(double seconds) {
  std::string received;
  std::array<char, 65536> part;
  while (wait_readable(seconds)) {
    boost::system::error_code error;
    const size_t count = socket_.read_some(boost::asio::buffer(part), error);
    if (error) break;
    received.append(part.data(), count);
  }
  return received;
}

std::string RawClient::receive_response() {
  std::string received;
  std::array<char, 65536> part;
  size_t expected = std::string::npos;
  while (received.size() < expected && wait_readable(5)) {
    boost::system::error_code error;
    const size_t count = socket_.read_some(boost::asio::buffer(part), error);
    if (error) break;
    received.append(part.data(), count);
    const size_t end = received.find("\r\n\r\n"), length = received.find("Content-Length: ");
    if (end != std::string::npos && length < end)
      expected = end + 4 + std::stoul(received.substr(length + 16));
  }
  return received;
}

std::string get(int port, std::string_view target, std::string_view headers) {
  RawClient client(port);
  client.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\n{}\r\n", target, port, headers));
  return client.receive_response();
}

std::string status_of(const std::string& response) {
  return response.substr(0, 9) == "HTTP/1.1 " ? response.substr(9, 3) : "";
}

std::string body_of(const std::string& response) {
  const size_t end = response.find("\r\n\r\n");
  return end == std::string::npos ? "" : response.substr(end + 4);
}

}  // namespace heddle::test
