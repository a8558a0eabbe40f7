#include <heddle/collision/broad/contours.h>

#include <algorithm>

namespace heddle {

namespace {

constexpr int kSmallestPatch = 4;  // triangles

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Walks around patches; keeps for each vertex where the contour goes next.
class Walker {
 public:
  Walker(const CollisionSurface& surface, const BvhTree& tree)
      : surface_(surface), tree_(tree), position_(at(surface.leaf_count())) {
    for (size_t i = 0; i < tree.leaf_triangles.size(); ++i)
      position_[at(tree.leaf_triangles[i])] = static_cast<int>(i);
    next_.resize(at(surface.vertex_count));
    stamp_.assign(at(surface.vertex_count), -1);
  }

  /// Appends the contour of the node if it is a single loop without repeated vertices.
  void append(int node, int leaves, std::vector<int>& out) {
    const int first = tree_.first_leaf[at(node)], last = first + leaves;
    size_t sides = 0;
    int start = -1;
    for (int i = first; i < last; ++i) {
      const int triangle = tree_.leaf_triangles[at(i)];
      if (surface_.is_segment(triangle)) return;
      for (size_t corner = 0; corner < 3; ++corner) {
        const int neighbour = surface_.neighbours[at(triangle)][corner];
        if (neighbour != kNoFace && position_[at(neighbour)] >= first && position_[at(neighbour)] < last)
          continue;
        start = surface_.triangles[at(triangle)][corner];
        if (stamp_[at(start)] == node) return;
        stamp_[at(start)] = node;
        next_[at(start)] = surface_.triangles[at(triangle)][(corner + 1) % 3];
        ++sides;
      }
    }
    const size_t old_size = out.size();
    for (int vertex = start; sides > 0 && (vertex != start || out.size() == old_size);
         vertex = next_[at(vertex)]) {
      if (stamp_[at(vertex)] != node) return out.resize(old_size);
      out.push_back(vertex);
    }
    if (out.size() - old_size != sides) out.resize(old_size);
  }

 private:
  const CollisionSurface& surface_;
  const BvhTree& tree_;
  std::vector<int> position_, next_, stamp_;
};

}  // namespace

Contours::Contours(const CollisionSurface& surface, const BvhTree& tree) {
  Walker walker(surface, tree);
  offsets_.reserve(at(tree.node_count()) + 1);
  offsets_.push_back(0);
  for (int node = 0; node < tree.node_count(); ++node) {
    const int leaves = tree.leaf_count(node);
    if (leaves >= kSmallestPatch && !tree.kinematic[at(node)]) walker.append(node, leaves, vertices_);
    offsets_.push_back(vertices_.size());
  }
}

void LoopJoiner::mark(std::span<const int> loop) {
  ++stamp_;
  for (size_t i = 0; i < loop.size(); ++i)
    marks_[at(loop[i])] = {stamp_, loop[i + 1 < loop.size() ? i + 1 : 0]};
}

std::span<const int> LoopJoiner::join(std::span<const int> a, std::span<const int> b, int vertex_count) {
  if (marks_.size() < at(vertex_count)) marks_.resize(at(vertex_count));
  mark(a);
  own_.assign(b.size(), true);
  shared_ = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    Mark& back = marks_[at(b[i + 1 < b.size() ? i + 1 : 0])];
    if (back.stamp != stamp_ || back.next != b[i]) continue;
    own_[i] = false;
    back.next = kNone;
    ++shared_;
  }
  joined_.clear();
  if (shared_ == 0) return {};
  // Now the marks lead along what is left of a; what is left of b fills the gaps.
  for (size_t i = 0; i < b.size(); ++i) {
    if (!own_[i]) continue;
    Mark& here = marks_[at(b[i])];
    const bool free = here.stamp != stamp_ || here.next == kNone;
    if (!free) return {};
    here = {stamp_, b[i + 1 < b.size() ? i + 1 : 0]};
  }
  return walk(a.size() + b.size() - 2 * shared_, a, b);
}

std::span<const int> LoopJoiner::walk(size_t length, std::span<const int> a, std::span<const int> b) {
  int start = kNone;
  for (const std::span<const int> loop : {a, b})
    for (const int v : loop)
      if (start == kNone && marks_[at(v)].next != kNone) start = v;
  for (int v = start; v != kNone && joined_.size() <= length;) {
    joined_.push_back(v);
    v = marks_[at(v)].next;
    if (v == start) break;
  }
  if (start == kNone || joined_.size() != length) joined_.clear();
  return joined_;
}

}  // namespace heddle
