#pragma once

#include "server/live_control.h"
#include "server/server.h"

#include <heddle/sim/run.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace heddle::cli {

/// Connects a running simulation with the pages that watch it: hands frames out, takes pause, step and grab
/// in.
class LiveDriver final : public LiveControl {
 public:
  /// Fills the hooks of `options`; the driver must outlive the run.
  LiveDriver(int port, RunOptions& options);
  ~LiveDriver() override;

  void pause(bool on) override;
  bool paused() const override;
  void step() override;
  void grab(int object, int vertex, const Vec3& target) override;
  void release() override;

  /// Tells the pages that the run is over; the server goes on until the driver is destroyed.
  void finish(const std::string& problem);
  /// Why the server could not start; empty if it did.
  const Diagnostics& problem() const { return problem_; }

 private:
  struct Hold {
    int object, vertex;
    Vec3 target;
  };
  void start_server(const std::filesystem::path& folder);
  bool before_step(Simulation& simulation);
  void keep_pace();

  int port_;
  std::unique_ptr<RunFolderSource> source_;
  std::unique_ptr<Server> server_;
  Diagnostics problem_;
  std::chrono::steady_clock::time_point frame_begin_ = std::chrono::steady_clock::now();
  double frame_seconds_ = 0.04;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool paused_ = false;
  int frames_allowed_ = 0;
  std::optional<Hold> hold_;
};

}  // namespace heddle::cli
