#include "memory_source.h"
#include "test_client.h"

#include "server/http_api.h"
#include "server/server.h"
#include "server/wire.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <random>

namespace heddle {
namespace {

using test::body_of;
using test::get;
using test::RawClient;
using test::status_of;

class HttpTest : public ::testing::Test {
 protected:
  HttpTest() {
    auto started = Server::start({.port = 0, .idle_timeout = std::chrono::milliseconds(400)}, source_);
    EXPECT_TRUE(started.ok());
    server_ = std::move(*started);
  }
  int port() const { return server_->port(); }
  void expect_alive() { EXPECT_EQ(status_of(get(port(), "/api/run")), "200"); }

  test::MemorySource source_;
  std::unique_ptr<Server> server_;
};

TEST_F(HttpTest, ServesThePageAndTheRun) {
  const std::string page = get(port(), "/");
  EXPECT_EQ(status_of(page), "200");
  EXPECT_NE(page.find("Content-Type: text/html"), std::string::npos);
  EXPECT_NE(page.find("X-Frame-Options: DENY"), std::string::npos);
  EXPECT_EQ(body_of(get(port(), "/api/model")), model_message(source_.model()));
  EXPECT_EQ(body_of(get(port(), "/api/frame/3")), *frame_message(source_.model(), *source_.frame(3)));
  EXPECT_EQ(body_of(get(port(), "/api/run")), source_.run_json());
  const auto list = nlohmann::json::parse(body_of(get(port(), "/api/frames")));
  EXPECT_EQ(list["frames"].size(), 10u);
  EXPECT_DOUBLE_EQ(list["times"][5], 0.2);
  EXPECT_EQ(list["live"], false);
}

TEST_F(HttpTest, TellsWhichTrianglesIntersect) {
  const auto apart = nlohmann::json::parse(body_of(get(port(), "/api/intersections/0")));
  EXPECT_EQ(apart, nlohmann::json({{"frame", 0}, {"pairs", 0}, {"faces", nlohmann::json::array()}}));
  EXPECT_EQ(status_of(get(port(), "/api/intersections/10")), "404");
  EXPECT_EQ(status_of(get(port(), "/api/intersections/")), "404");
  EXPECT_EQ(status_of(get(port(), "/api/intersections/-1")), "404");
  EXPECT_EQ(status_of(get(port(), "/api/intersections/9")), "500");
}

/// An upright triangle of an obstacle cuts the first of two triangles of a cloth.
class CutSource : public test::MemorySource {
 public:
  CutSource() {
    model_.objects = {
        {.triangles = {{0, 1, 2}, {3, 4, 5}}, .rest_positions = std::vector<Vec3f>(6, Vec3f::Zero())},
        {.kind = SnapshotObject::Kind::obstacle,
         .triangles = {{0, 1, 2}},
         .rest_positions = {{0.2f, 0.2f, -1}, {0.3f, 0.2f, -1}, {0.2f, 0.2f, 1}}}};
  }
  const SnapshotModel& model() const override { return model_; }
  Result<Snapshot> frame(std::int64_t index) const override {
    Snapshot frame{.frame = index, .objects = std::vector<SnapshotObjectFrame>(2)};
    frame.objects[0].positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
    if (index == 1) frame.objects[0].positions[0].x() = std::nanf("");
    if (index == 2) frame.objects[0].positions.pop_back();
    return frame;
  }

 private:
  SnapshotModel model_;
};

TEST(Intersections, OfClothsWithObstacles) {
  const CutSource source;
  const HttpApi api(source, false);
  EXPECT_EQ(nlohmann::json::parse(api.get("/api/intersections/0").body),
            nlohmann::json::parse(R"({"frame": 0, "pairs": 1, "faces": [[0, 0], [1, 0]]})"));
  const ApiResponse not_finite = api.get("/api/intersections/1");
  EXPECT_EQ(not_finite.status, 500);
  EXPECT_NE(not_finite.body.find("frame 1"), std::string::npos) << not_finite.body;
  EXPECT_EQ(api.get("/api/intersections/2").status, 500);
}

TEST_F(HttpTest, MetricsCanBeReadOn) {
  EXPECT_EQ(body_of(get(port(), "/api/metrics")), source_.metrics_csv());
  EXPECT_EQ(body_of(get(port(), "/api/metrics?from=16")), "0.04,2\n");
  EXPECT_EQ(body_of(get(port(), "/api/metrics?from=999")), "");
  EXPECT_EQ(status_of(get(port(), "/api/metrics?from=-1")), "400");
}

TEST_F(HttpTest, UnknownTargetsAreNotFound) {
  for (const char* target :
       {"/favicon.ico", "/../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/api/frame/",
        "/api/frame/../../run.json", "/api/frame/-1", "/api/frame/1.5", "/api/frame/99",
        "/api/frame/99999999999999999999", "/api/frame/1%00", "/model.snap", "*"})
    EXPECT_EQ(status_of(get(port(), target)), "404") << target;
}

TEST_F(HttpTest, DamagedFrameSaysWhatIsWrong) {
  const std::string response = get(port(), "/api/frame/9");
  EXPECT_EQ(status_of(response), "500");
  EXPECT_NE(body_of(response).find("frames/000009.snap"), std::string::npos);
}

TEST_F(HttpTest, RefusesForeignHostsAndOrigins) {
  RawClient rebound(port());
  rebound.send("GET /api/run HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(status_of(rebound.receive_response()), "403");
  RawClient nameless(port());
  nameless.send("GET /api/run HTTP/1.1\r\n\r\n");
  EXPECT_EQ(status_of(nameless.receive_response()), "403");
  RawClient twofold(port());
  twofold.send("GET /api/run HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(status_of(twofold.receive_response()), "403");
  EXPECT_EQ(status_of(get(port(), "/api/run", "Origin: http://evil.example\r\n")), "403");
  EXPECT_EQ(status_of(get(port(), "/api/run", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n")),
            "403");
  EXPECT_EQ(status_of(get(port(), "/api/run", fmt::format("Origin: http://localhost:{}\r\n", port()))),
            "200");
}

TEST_F(HttpTest, OnlyReads) {
  RawClient client(port());
  client.send("DELETE /api/run HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(status_of(client.receive_response()), "405");
  RawClient poster(port());
  poster.send("POST /api/run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(status_of(poster.receive_response()), "400");
  RawClient head(port());
  head.send("HEAD /api/run HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answer = head.receive_all();
  EXPECT_EQ(status_of(answer), "200");
  EXPECT_EQ(body_of(answer), "");
}

TEST_F(HttpTest, LiveIsNotThereForARecordedRun) {
  const std::string upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  EXPECT_EQ(status_of(get(port(), "/live", upgrade)), "404");
}

TEST_F(HttpTest, SurvivesMalformedRequests) {
  const std::string long_header =
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n";
  for (const std::string& bytes :
       {std::string("\r\n\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01", 6), long_header,
        std::string("GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")}) {
    RawClient client(port());
    client.send(bytes);
    EXPECT_NE(status_of(client.receive_all(1)), "200");
  }
  expect_alive();
}

TEST_F(HttpTest, SurvivesGarbage) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    std::string bytes(1 + random() % 3000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    RawClient(port()).send(bytes);
  }
  expect_alive();
}

TEST_F(HttpTest, ServesFiftyConnectionsAtOnce) {
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(std::make_unique<RawClient>(port()));
  for (int round = 0; round < 2; ++round) {
    for (const auto& client : clients) client->send("GET /api/frame/2 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (const auto& client : clients) EXPECT_EQ(status_of(client->receive_response()), "200");
  }
}

TEST_F(HttpTest, CutsOffSilentClients) {
  RawClient client(port());
  client.send("GET / HTTP/1.1\r\nHost: loc");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(client.receive_all(5), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST_F(HttpTest, PortInUseNamesTheRemedy) {
  const auto second = Server::start({.port = port()}, source_);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.errors().text().find(fmt::format("port {} is in use", port())), std::string::npos);
  EXPECT_NE(second.errors().text().find("--port 0"), std::string::npos);
  EXPECT_FALSE(Server::start({.port = 70000}, source_).ok());
}

TEST_F(HttpTest, StopsWithClientsConnectedAndTwice) {
  RawClient client(port());
  client.send("GET /api/run HTTP/1.1\r\nHost: localhost\r\n\r\n");
  client.receive_response();
  server_->stop();
  server_->stop();
}

TEST(HttpLimits, ConnectionsBeyondTheLimitAreClosed) {
  const test::MemorySource source;
  auto server = Server::start({.port = 0, .most_connections = 4}, source);
  ASSERT_TRUE(server.ok());
  std::vector<std::unique_ptr<RawClient>> clients;
  int served = 0;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<RawClient>((*server)->port()));
    clients.back()->send("GET /api/run HTTP/1.1\r\nHost: localhost\r\n\r\n");
    served += status_of(clients.back()->receive_response()) == "200";
  }
  EXPECT_EQ(served, 4);
  clients.clear();
}

}  // namespace
}  // namespace heddle
