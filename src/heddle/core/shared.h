#pragma once

#include <memory>
#include <utility>

namespace heddle {

/// A value that never changes, of which copies share the memory.
template <class T>
class Shared {
 public:
  Shared() : Shared(T()) {}
  explicit Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  /// Cheap for copies of each other.
  bool operator==(const Shared& other) const { return value_ == other.value_ || *value_ == *other.value_; }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace heddle
