#pragma once

#include <utility>
#include <vector>

namespace heddle {

/// Events by time, then by who acts. A heap of four children per node that can replace its first event in one
/// pass, which std::priority_queue cannot: nearly every event is replaced by the next one of its actor.
class EventQueue {
 public:
  struct Event {
    double time = 0;  // s
    int actor = 0;
    bool operator<(const Event& other) const {
      return time < other.time || (time == other.time && actor < other.actor);
    }
  };

  bool empty() const { return events_.empty(); }
  const Event& first() const { return events_.front(); }

  void clear() { events_.clear(); }
  void add(const Event& event) {
    size_t hole = events_.size();
    events_.push_back(event);
    for (; hole > 0 && event < events_[(hole - 1) / kChildren]; hole = (hole - 1) / kChildren)
      events_[hole] = events_[(hole - 1) / kChildren];
    events_[hole] = event;
  }
  void replace_first(const Event& event) { sink(0, event); }
  void remove_first() {
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(0, last);
  }

 private:
  static constexpr size_t kChildren = 4;

  void sink(size_t hole, const Event event) {
    const size_t count = events_.size();
    for (size_t child = kChildren * hole + 1; child < count; child = kChildren * hole + 1) {
      const size_t end = child + kChildren < count ? child + kChildren : count;
      size_t least = child;
      for (size_t k = child + 1; k < end; ++k)
        if (events_[k] < events_[least]) least = k;
      if (!(events_[least] < event)) break;
      events_[hole] = events_[least];
      hole = least;
    }
    events_[hole] = event;
  }

  std::vector<Event> events_;
};

}  // namespace heddle
