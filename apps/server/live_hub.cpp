#include "server/live_hub.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle {

bool LiveHub::join(const std::shared_ptr<LiveViewer>& viewer) {
  std::shared_ptr<const std::string> frame, state;
  {
    const std::lock_guard lock(mutex_);
    if (seats_.size() >= kMostViewers) return false;
    seats_.push_back({viewer.get(), viewer});
    frame = latest_frame_;
    state = latest_state_;
  }
  if (state) viewer->deliver_state(state);
  if (frame) viewer->deliver_frame(frame);
  return true;
}

void LiveHub::leave(const LiveViewer* viewer) {
  const std::lock_guard lock(mutex_);
  std::erase_if(seats_, [viewer](const Seat& seat) { return seat.identity == viewer; });
}

std::vector<std::shared_ptr<LiveViewer>> LiveHub::present() const {
  std::vector<std::shared_ptr<LiveViewer>> viewers;
  for (const Seat& seat : seats_)
    if (auto viewer = seat.viewer.lock()) viewers.push_back(std::move(viewer));
  return viewers;
}

void LiveHub::publish_frame(std::shared_ptr<const std::string> message) {
  std::vector<std::shared_ptr<LiveViewer>> viewers;
  {
    const std::lock_guard lock(mutex_);
    latest_frame_ = message;
    viewers = present();
  }
  for (const auto& viewer : viewers) viewer->deliver_frame(message);
}

void LiveHub::publish_state(bool paused, bool finished, const std::string& problem) {
  nlohmann::json json = {{"type", "state"}, {"paused", paused}, {"finished", finished}};
  if (!problem.empty()) json["problem"] = problem;
  auto state = std::make_shared<const std::string>(
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::vector<std::shared_ptr<LiveViewer>> viewers;
  {
    const std::lock_guard lock(mutex_);
    latest_state_ = state;
    viewers = present();
  }
  for (const auto& viewer : viewers) viewer->deliver_state(state);
}

}  // namespace heddle
