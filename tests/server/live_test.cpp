#include "memory_source.h"
#include "test_client.h"

#include "server/server.h"
#include "server/wire.h"

#include <boost/asio/connect.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

namespace heddle {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

class RecordingControl : public LiveControl {
 public:
  void pause(bool on) override {
    paused_ = on;
    note(on ? "pause" : "resume");
  }
  bool paused() const override { return paused_; }
  void step() override { note("step"); }
  void grab(int object, int vertex, const Vec3& target) override {
    note(fmt::format("grab {} {} {}", object, vertex, target.x()));
  }
  void release() override { note("release"); }

  /// True as soon as the command was given; waits at most 5 s.
  bool wait_for(const std::string& command) const {
    for (int i = 0; i < 500; ++i) {
      {
        const std::lock_guard lock(mutex_);
        if (std::find(log_.begin(), log_.end(), command) != log_.end()) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  void note(std::string command) {
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(command));
  }
  std::atomic<bool> paused_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
};

class Viewer {
 public:
  explicit Viewer(int port, const std::string& origin = "") : socket_(io_) {
    socket_.next_layer().connect(boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                                                                static_cast<unsigned short>(port)));
    timeval limit{5, 0};
    ::setsockopt(socket_.next_layer().native_handle(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (!origin.empty())
      socket_.set_option(websocket::stream_base::decorator(
          [origin](websocket::request_type& request) { request.set(beast::http::field::origin, origin); }));
    socket_.handshake(fmt::format("localhost:{}", port), "/live", error);
    socket_.read_message_max(64 << 20);
  }
  void send(std::string_view text, bool binary = false) {
    socket_.binary(binary);
    socket_.write(boost::asio::buffer(text.data(), text.size()), error);
  }
  std::string receive() {
    beast::flat_buffer buffer;
    socket_.read(buffer, error);
    return error ? "" : beast::buffers_to_string(buffer.data());
  }
  nlohmann::json receive_json() { return nlohmann::json::parse(receive(), nullptr, false); }

  beast::error_code error;

 private:
  boost::asio::io_context io_;
  websocket::stream<boost::asio::ip::tcp::socket> socket_;
};

class LiveTest : public ::testing::Test {
 protected:
  LiveTest() {
    auto started = Server::start({.port = 0, .idle_timeout = std::chrono::seconds(10)}, source_, &control_);
    EXPECT_TRUE(started.ok());
    server_ = std::move(*started);
  }
  int port() const { return server_->port(); }
  void publish(std::int64_t index) { server_->publish(source_.run().frame(index, 0)); }
  void expect_alive() {
    Viewer viewer(port());
    EXPECT_EQ(viewer.receive_json()["type"], "state");
  }

  test::MemorySource source_{100};
  RecordingControl control_;
  std::unique_ptr<Server> server_;
};

std::int64_t frame_of(const std::string& message) {
  std::int64_t frame = -1;
  if (message.size() > 24) std::memcpy(&frame, message.data() + 16, sizeof frame);
  return frame;
}

TEST_F(LiveTest, TellsTheStateAndTheLatestFrameToNewcomers) {
  publish(4);
  Viewer viewer(port(), fmt::format("http://localhost:{}", port()));
  EXPECT_EQ(viewer.receive_json(),
            nlohmann::json::parse(R"({"type":"state","paused":false,"finished":false})"));
  EXPECT_EQ(frame_of(viewer.receive()), 4);
  publish(5);
  EXPECT_EQ(frame_of(viewer.receive()), 5);
  EXPECT_EQ(nlohmann::json::parse(test::body_of(test::get(port(), "/api/frames")))["live"], true);
}

TEST_F(LiveTest, PassesCommandsOnAndTellsEverybody) {
  Viewer first(port()), second(port());
  first.receive();
  second.receive();
  first.send(R"({"type":"pause","on":true})");
  EXPECT_EQ(second.receive_json()["paused"], true);
  first.send(R"({"type":"step"})");
  first.send(R"({"type":"grab","object":0,"vertex":3,"target":[0.5,0,1]})");
  first.send(R"({"type":"release"})");
  EXPECT_TRUE(control_.wait_for("pause"));
  EXPECT_TRUE(control_.wait_for("grab 0 3 0.5"));
  EXPECT_TRUE(control_.wait_for("release"));
  server_->publish_state(false, true);
  EXPECT_EQ(second.receive_json()["finished"], true);
}

TEST_F(LiveTest, ReleasesTheClothOfAPageThatVanishes) {
  {
    Viewer viewer(port());
    viewer.send(R"({"type":"grab","object":0,"vertex":3,"target":[0.5,0,1]})");
    EXPECT_TRUE(control_.wait_for("grab 0 3 0.5"));
  }
  EXPECT_TRUE(control_.wait_for("release"));
}

TEST_F(LiveTest, RefusesForeignOrigins) {
  EXPECT_TRUE(Viewer(port(), "http://evil.example").error);
  EXPECT_TRUE(Viewer(port(), "null").error);
  EXPECT_FALSE(Viewer(port()).error);
}

TEST_F(LiveTest, AnswersMalformedCommandsAndGoesOn) {
  Viewer viewer(port());
  viewer.receive();
  for (const std::string text :
       {"", "{", "[[[[", R"({"type":"grab","object":0,"vertex":1e9,"target":[0,0,0]})"}) {
    viewer.send(text);
    EXPECT_EQ(viewer.receive_json()["type"], "error") << text;
  }
  viewer.send(std::string("\xff\x00\xfe", 3), /*binary=*/true);
  EXPECT_EQ(viewer.receive_json()["type"], "error");
  viewer.send(R"({"type":"step"})");
  EXPECT_TRUE(control_.wait_for("step"));
}

TEST_F(LiveTest, CutsOffOversizeMessages) {
  Viewer viewer(port());
  viewer.receive();
  viewer.send(std::string(100'000, ' '));
  viewer.receive();
  EXPECT_TRUE(viewer.error);
  expect_alive();
}

TEST_F(LiveTest, SurvivesGarbageInsteadOfFrames) {
  for (int i = 0; i < 10; ++i) {
    test::RawClient client(port());
    client.send(
        "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    client.send(std::string(500, static_cast<char>(0x80 + 11 * i)));
  }
  expect_alive();
}

TEST_F(LiveTest, NeverWaitsForAPageThatDoesNotRead) {
  Viewer slow(port());
  Viewer quick(port());
  quick.receive();
  Snapshot frame = source_.run().frame(0, 0);
  const auto start = std::chrono::steady_clock::now();
  for (; frame.frame < 300; ++frame.frame) server_->publish(frame);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  // Of 300 frames the slow page gets what was under way, then the newest.
  int received = 0;
  slow.receive();
  for (std::int64_t seen = 0; seen != 299 && !slow.error; ++received) seen = frame_of(slow.receive());
  EXPECT_FALSE(slow.error);
  EXPECT_LT(received, 200);
}

TEST_F(LiveTest, SendsTheNewestFrameOnceTheOneBeforeWasSeen) {
  Viewer viewer(port());
  viewer.receive();
  publish(1);
  EXPECT_EQ(frame_of(viewer.receive()), 1);
  viewer.send(R"({"type":"seen"})");
  // The answer to a bad command tells that the one before it was obeyed.
  viewer.send("{}");
  EXPECT_EQ(viewer.receive_json()["type"], "error");
  for (int i = 2; i < 60; ++i) publish(i);
  // The first of them that the server got round to, and no other until it was seen.
  const std::int64_t next = frame_of(viewer.receive());
  EXPECT_GE(next, 2);
  server_->publish_state(true, false);
  EXPECT_EQ(viewer.receive_json()["paused"], true);
  if (next == 59) return;
  viewer.send(R"({"type":"seen"})");
  EXPECT_EQ(frame_of(viewer.receive()), 59);
}

TEST_F(LiveTest, HasRoomForSixteenPages) {
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (int i = 0; i < 17; ++i) {
    viewers.push_back(std::make_unique<Viewer>(port()));
    viewers.back()->receive();
  }
  EXPECT_FALSE(viewers[15]->error);
  EXPECT_TRUE(viewers[16]->error);
}

}  // namespace
}  // namespace heddle
