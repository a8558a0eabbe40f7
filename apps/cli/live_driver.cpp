#include "live_driver.h"

#include "interrupt.h"

#include <fmt/core.h>

#include <thread>

namespace heddle::cli {

LiveDriver::LiveDriver(int port, RunOptions& options) : port_(port) {
  options.on_start = [this, folder = options.folder](const SnapshotModel& model, const Snapshot&) {
    frame_seconds_ = 1 / model.frame_rate;
    start_server(folder);
  };
  options.on_frame = [this](const Snapshot& frame) {
    if (server_) server_->publish(frame);
    keep_pace();
  };
  options.before_step = [this](Simulation& simulation) { return before_step(simulation); };
}

LiveDriver::~LiveDriver() = default;

void LiveDriver::start_server(const std::filesystem::path& folder) {
  Result<RunReader> reader = RunReader::open(folder);
  if (!reader) {
    problem_ = reader.errors();
    return;
  }
  source_ = std::make_unique<RunFolderSource>(std::move(*reader));
  Result<std::unique_ptr<Server>> server = Server::start({.port = port_}, *source_, this);
  if (!server) {
    problem_ = server.errors();
    return;
  }
  server_ = std::move(*server);
  fmt::print("live at http://127.0.0.1:{}/ (end with Ctrl-C)\n", server_->port());
  std::fflush(stdout);
}

/// Shows simulations that are faster than life at the speed of life.
void LiveDriver::keep_pace() {
  const auto due = frame_begin_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                      std::chrono::duration<double>(frame_seconds_));
  std::this_thread::sleep_until(due);
  frame_begin_ = std::chrono::steady_clock::now();
}

bool LiveDriver::before_step(Simulation& simulation) {
  std::unique_lock lock(mutex_);
  // Pages see frames, so they pause between frames and step by whole ones.
  if (simulation.state.step % simulation.model.steps_per_frame == 0) {
    while (paused_ && frames_allowed_ == 0 && !is_interrupted())
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    if (frames_allowed_ > 0) --frames_allowed_;
  }
  simulation.grab.reset();
  if (hold_ && hold_->object < static_cast<int>(simulation.model.cloths.size())) {
    const ClothPart& cloth = simulation.model.cloths[static_cast<size_t>(hold_->object)];
    simulation.grab = Grab{cloth.first_particle + hold_->vertex, hold_->target};
  } else if (hold_) {
    const auto rod = static_cast<size_t>(hold_->object) - simulation.model.cloths.size();
    if (rod < simulation.model.rods.size())
      simulation.grab = Grab{simulation.model.rods[rod].skin.node_of_vertex(hold_->vertex), hold_->target};
  }
  return !is_interrupted() && problem_.empty();
}

void LiveDriver::pause(bool on) {
  const std::lock_guard lock(mutex_);
  paused_ = on;
  frames_allowed_ = 0;
  changed_.notify_all();
}

bool LiveDriver::paused() const {
  const std::lock_guard lock(mutex_);
  return paused_;
}

void LiveDriver::step() {
  const std::lock_guard lock(mutex_);
  ++frames_allowed_;
  changed_.notify_all();
}

void LiveDriver::grab(int object, int vertex, const Vec3& target) {
  const std::lock_guard lock(mutex_);
  hold_ = Hold{object, vertex, target};
}

void LiveDriver::release() {
  const std::lock_guard lock(mutex_);
  hold_.reset();
}

void LiveDriver::finish(const std::string& problem) {
  if (server_) server_->publish_state(false, true, problem);
}

}  // namespace heddle::cli
