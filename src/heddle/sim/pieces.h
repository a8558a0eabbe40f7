#pragma once

#include <heddle/sim/step.h>

#include <algorithm>
#include <bit>

namespace heddle {

/// Cuts a step into pieces: halves where a piece failed, and joins them again behind it.
class Pieces {
 public:
  /// Where the last step had to be cut, this one probably must too; a piece twice as long is tried first.
  explicit Pieces(int halvings) : size_(kWhole >> std::max(0, halvings - 1)) {}

  bool done() const { return done_ == kWhole; }
  double share() const { return static_cast<double>(size_) / kWhole; }  // of the step
  bool can_halve() const { return size_ > 1; }
  void halve() { size_ /= 2; }
  /// Doubtful pieces down to a certain size are cut further.
  bool may_be_doubted() const { return size_ > kWhole / 64; }
  void advance(bool may_grow) {
    done_ += size_;
    last_ = size_;
    may_grow_ = may_grow;
    if (may_grow && done_ % (2 * size_) == 0 && 2 * size_ <= kWhole - done_) size_ *= 2;
  }
  /// Of the last piece; one more if the next one must not be longer.
  int halvings() const {
    const int halvings = std::countr_zero(static_cast<unsigned>(kWhole / last_));
    return may_grow_ || halvings == 0 ? halvings : std::min(halvings + 1, kMostHalvings);
  }

 private:
  static constexpr int kWhole = 1 << kMostHalvings;
  int size_, done_ = 0, last_ = kWhole;
  bool may_grow_ = true;
};

}  // namespace heddle
