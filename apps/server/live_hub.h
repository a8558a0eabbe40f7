#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heddle {

/// One page that watches a running simulation. Calls return at once; what a slow page has not yet received
/// is replaced by what is newer.
class LiveViewer {
 public:
  virtual ~LiveViewer() = default;
  virtual void deliver_frame(std::shared_ptr<const std::string> message) = 0;
  virtual void deliver_state(std::shared_ptr<const std::string> json) = 0;
};

/// Everybody who watches, and what a newcomer is told first. Safe to use from any thread.
class LiveHub {
 public:
  /// False if there are too many viewers already.
  bool join(const std::shared_ptr<LiveViewer>& viewer);
  void leave(const LiveViewer* viewer);
  void publish_frame(std::shared_ptr<const std::string> message);
  void publish_state(bool paused, bool finished, const std::string& problem = {});

 private:
  static constexpr size_t kMostViewers = 16;
  struct Seat {
    const LiveViewer* identity;
    std::weak_ptr<LiveViewer> viewer;
  };
  std::vector<std::shared_ptr<LiveViewer>> present() const;

  mutable std::mutex mutex_;
  std::vector<Seat> seats_;
  std::shared_ptr<const std::string> latest_frame_;
  std::shared_ptr<const std::string> latest_state_;
};

}  // namespace heddle
