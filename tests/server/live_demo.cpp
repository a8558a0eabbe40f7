// Test program of the live viewer: a cloth that moves and can be grabbed. Prints "port N" and every command
// of the page, one a line; ends with its standard input.
#include "synthetic_run.h"

#include "server/server.h"

#include <atomic>
#include <cmath>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

namespace heddle::test {
namespace {

constexpr double kFrameTime = 1.0 / 25;  // s

class DemoControl : public LiveControl {
 public:
  struct Grab {
    int vertex;
    Vec3f target;
  };

  void pause(bool on) override {
    const std::lock_guard lock(mutex_);
    paused_ = on;
    std::cout << "pause " << on << std::endl;
  }
  bool paused() const override {
    const std::lock_guard lock(mutex_);
    return paused_;
  }
  void step() override {
    const std::lock_guard lock(mutex_);
    ++steps_;
    std::cout << "step" << std::endl;
  }
  void grab(int object, int vertex, const Vec3& target) override {
    const std::lock_guard lock(mutex_);
    grab_ = Grab{vertex, target.cast<float>()};
    std::cout << "grab " << object << ' ' << vertex << ' ' << target.transpose() << std::endl;
  }
  void release() override {
    const std::lock_guard lock(mutex_);
    grab_.reset();
    std::cout << "release" << std::endl;
  }

  std::optional<Grab> held() const {
    const std::lock_guard lock(mutex_);
    return grab_;
  }
  /// Whether the simulation may advance now; uses up a single step.
  bool may_advance() {
    const std::lock_guard lock(mutex_);
    if (!paused_) return true;
    return steps_ > 0 && steps_-- > 0;
  }

 private:
  mutable std::mutex mutex_;
  bool paused_ = false;
  int steps_ = 0;
  std::optional<Grab> grab_;
};

/// Keeps every frame that the demo has reached.
class DemoSource : public RunSource {
 public:
  const SnapshotModel& model() const override { return run_.model(); }
  std::vector<std::int64_t> frames() const override {
    std::vector<std::int64_t> indices(static_cast<size_t>(reached));
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i);
    return indices;
  }
  Result<Snapshot> frame(std::int64_t index) const override {
    return run_.frame(index, static_cast<double>(index) * kFrameTime);
  }
  std::string metrics_csv() const override { return {}; }
  std::string run_json() const override { return R"({"title": "Live demo"})"; }

  std::atomic<int> reached = 0;

 private:
  SyntheticRun run_{40};
};

/// Pulls the surroundings of the grabbed vertex after it.
void apply(const DemoControl::Grab& grab, std::vector<Vec3f>& x) {
  const Vec3f from = x[static_cast<size_t>(grab.vertex)], move = grab.target - from;
  for (Vec3f& point : x) point += move * std::exp(-(point - from).squaredNorm() / 0.03f);
}

void simulate(Server& server, DemoSource& source, DemoControl& control, const std::atomic<bool>& ended) {
  for (int index = 0; !ended;) {
    if (control.may_advance()) ++index;
    source.reached = index;
    Snapshot frame = *source.frame(index);
    if (const auto grab = control.held()) apply(*grab, frame.objects[SyntheticRun::kCloth].positions);
    server.publish(frame);
    std::this_thread::sleep_for(std::chrono::duration<double>(kFrameTime));
  }
}

}  // namespace
}  // namespace heddle::test

int main() {
  using namespace heddle;
  test::DemoSource source;
  test::DemoControl control;
  auto server = Server::start({.port = 0}, source, &control);
  if (!server) {
    std::cerr << server.errors().text();
    return 1;
  }
  std::cout << "port " << (*server)->port() << std::endl;
  std::atomic<bool> ended = false;
  std::thread simulation([&] { test::simulate(**server, source, control, ended); });
  for (std::string line; std::getline(std::cin, line);)
    if (line == "finish") (*server)->publish_state(false, true);
  ended = true;
  simulation.join();
  return 0;
}
