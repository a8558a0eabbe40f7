#include <heddle/parallel/chunk_colouring.h>

#include <algorithm>
#include <bit>

namespace heddle {

namespace {

/// Colours already used around a node, as bits; 64 colours suffice for meshes whose runs are compact.
using ColourSet = std::uint64_t;

}  // namespace

ChunkColouring::ChunkColouring(std::span<const int> nodes, int nodes_per_element, int node_count)
    : element_count_(static_cast<int>(nodes.size()) / nodes_per_element) {
  const int chunks = chunk_count(element_count_, kElementChunk);
  const int stride = kElementChunk * nodes_per_element;
  std::vector<ColourSet> used(static_cast<size_t>(node_count), 0);
  std::vector<std::vector<int>> by_colour;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const size_t begin = static_cast<size_t>(chunk) * static_cast<size_t>(stride);
    const auto own = nodes.subspan(begin, std::min(static_cast<size_t>(stride), nodes.size() - begin));
    ColourSet taken = 0;
    for (int node : own) taken |= used[static_cast<size_t>(node)];
    const int colour = std::countr_one(taken);
    HEDDLE_CHECK_LT(colour, 64);
    for (int node : own) used[static_cast<size_t>(node)] |= ColourSet{1} << colour;
    if (colour >= static_cast<int>(by_colour.size())) by_colour.resize(static_cast<size_t>(colour) + 1);
    by_colour[static_cast<size_t>(colour)].push_back(chunk);
  }
  for (const auto& colour : by_colour) {
    chunks_.insert(chunks_.end(), colour.begin(), colour.end());
    colour_start_.push_back(static_cast<int>(chunks_.size()));
  }
}

}  // namespace heddle
