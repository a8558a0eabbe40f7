#pragma once

#include <heddle/parallel/parallel.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// Elements in runs of kElementChunk, and the runs in colours such that two runs of one colour share no node.
/// Runs of one colour can scatter into shared arrays at the same time without locks, and the order of
/// additions into every entry is fixed, whatever the number of threads.
class ChunkColouring {
 public:
  static constexpr int kElementChunk = 64;

  ChunkColouring() = default;
  /// `nodes` holds nodes_per_element indices for each element.
  ChunkColouring(std::span<const int> nodes, int nodes_per_element, int node_count);

  int colour_count() const { return static_cast<int>(colour_start_.size()) - 1; }

  /// Calls body(begin, end) on runs of elements; runs that share a node never run at the same time.
  template <class Body>
  void for_elements(const Body& body) const {
    for (int colour = 0; colour < colour_count(); ++colour) {
      const int first = colour_start_[static_cast<size_t>(colour)];
      const int count = colour_start_[static_cast<size_t>(colour) + 1] - first;
      parallel_for(
          count,
          [&](int i) {
            const int begin = chunks_[static_cast<size_t>(first + i)] * kElementChunk;
            body(begin, begin + kElementChunk < element_count_ ? begin + kElementChunk : element_count_);
          },
          1);
    }
  }

 private:
  int element_count_ = 0;
  std::vector<int> chunks_;  // sorted by colour
  std::vector<int> colour_start_{0};
};

}  // namespace heddle
