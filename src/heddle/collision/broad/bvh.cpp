#include <heddle/collision/broad/bvh.h>
#include <heddle/collision/broad/primitive_pairs.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

template <int K>
Bvh<K>::Bvh(const CollisionSurface& surface, std::span<const Vec3> reference,
            const BroadPhaseOptions& options)
    : surface_(surface), options_(options) {
  build(reference);
}

template <int K>
void Bvh<K>::build(std::span<const Vec3> reference) {
  tree_ = build_bvh_tree(surface_, reference);
  if (options_.cones) contours_ = Contours(surface_, tree_);
  bounds_.resize(at(tree_.node_count()));
  cones_.resize(options_.cones ? at(tree_.node_count()) : 0);
  traversal_.forget();
  built_size_ = 0.0;
}

template <int K>
void Bvh<K>::update(std::span<const Vec3> begin, std::span<const Vec3> end, std::span<const double> radii) {
  HEDDLE_CHECK_EQ(begin.size(), at(surface_.vertex_count));
  vertex_bounds_.update(begin, end, radii);
  begin_.assign(begin.begin(), begin.end());
  end_.clear();
  if (!std::ranges::equal(begin, end)) end_.assign(end.begin(), end.end());
  body_distances_.clear();
  for (const CollisionBodyRange& body : surface_.bodies) {
    const auto own = radii.subspan(at(body.first_vertex), at(body.vertex_count));
    body_distances_.push_back(own.empty() ? 0.0 : 2.0 * *std::ranges::max_element(own));
  }
  refit();
  if (options_.rebuild_growth <= 0.0) return;
  if (built_size_ > 0.0 && surface_measure() > options_.rebuild_growth * built_size_) {
    build(begin);
    refit();
    ++report_.rebuilds;
  }
  if (built_size_ == 0.0) built_size_ = surface_measure();
}

template <int K>
double Bvh<K>::surface_measure() const {
  double sum = 0.0;
  for (const KDop<K>& bounds : bounds_) sum += double{extent(bounds)} * double{extent(bounds)};
  return sum;
}

template <int K>
void Bvh<K>::refit() {
  parallel_for(
      static_cast<int>(tree_.parts.size()),
      [&](int i) {
        const BvhTree::Part part = tree_.parts[at(i)];
        for (int node = part.end - 1; node >= part.begin; --node) refit_node(node);
      },
      1);
  for (auto node = tree_.top.rbegin(); node != tree_.top.rend(); ++node) refit_node(*node);
}

template <int K>
void Bvh<K>::refit_node(int node) {
  if (tree_.is_leaf(node)) {
    const int triangle = tree_.triangle(node);
    bounds_[at(node)] = vertex_bounds_.of_triangle(surface_.corners(triangle));
    if (options_.cones) cones_[at(node)] = triangle_cone(triangle);
    return;
  }
  const size_t left = at(tree_.left(node)), right = at(tree_.right(node));
  bounds_[at(node)] = merged(bounds_[left], bounds_[right]);
  if (options_.cones) cones_[at(node)] = merged(cones_[left], cones_[right]);
}

template <int K>
NormalCone Bvh<K>::triangle_cone(int triangle) const {
  if (surface_.kinematic(triangle) || surface_.is_segment(triangle)) return {};
  const auto& [a, b, c] = surface_.triangles[at(triangle)];
  const std::array<Vec3, 3> begin{begin_[at(a)], begin_[at(b)], begin_[at(c)]};
  if (end_.empty()) return cone_of_triangle(begin);
  return cone_of_moving_triangle(begin, {end_[at(a)], end_[at(b)], end_[at(c)]});
}

template <int K>
double Bvh<K>::patch_distance(int node) const {
  const int triangle = tree_.leaf_triangles[at(tree_.first_leaf[at(node)])];
  return body_distances_[at(surface_.triangle_body[at(triangle)])];
}

template <int K>
bool Bvh<K>::is_flat(int node, TestTask& task) const {
  if (cones_[at(node)].open()) return false;
  return keeps_apart(contours_[node], cones_[at(node)], patch_distance(node), begin_, end(),
                     task.scratch->patch);
}

/// The same for two patches that share edges. Notes in the test if they share none.
template <int K>
bool Bvh<K>::is_flat_together(VolumeTest& test, TestTask& task) const {
  const auto loop_a = contours_[test.a], loop_b = contours_[test.b];
  if (loop_a.empty() || loop_b.empty()) return false;
  const NormalCone cone = merged(cones_[at(test.a)], cones_[at(test.b)]);
  if (cone.open() || cone.cosine * cone.height < patch_distance(test.a)) return false;
  LoopJoiner& joiner = task.scratch->joiner;
  const auto loop = joiner.join(loop_a, loop_b, surface_.vertex_count);
  test.touching = joiner.shared_edges();
  return keeps_apart(loop, cone, patch_distance(test.a), begin_, end(), task.scratch->patch);
}

// The node with the larger reference extent is split (Thomaszewski 2010, 5.2, splits the larger volume): the
// current extent would give about the same tests, but their order would depend on the motion.
template <int K>
int Bvh<K>::children(VolumeTest test, std::array<VolumeTest, 3>& out) const {
  const auto [a, b, touching] = test;
  const bool leaf_a = tree_.is_leaf(a), leaf_b = tree_.is_leaf(b);
  if (leaf_a && leaf_b) return 0;
  if (a == b) {
    const int left = tree_.left(a), right = tree_.right(a);
    out = {VolumeTest{left, left}, VolumeTest{right, right}, VolumeTest{left, right}};
    return 3;
  }
  if (leaf_b || (!leaf_a && tree_.sizes[at(a)] >= tree_.sizes[at(b)])) {
    out = {VolumeTest{tree_.left(a), b, touching}, VolumeTest{tree_.right(a), b, touching}};
  } else {
    out = {VolumeTest{a, tree_.left(b), touching}, VolumeTest{a, tree_.right(b), touching}};
  }
  return 2;
}

template <int K>
void Bvh<K>::visit(VolumeTest test, TestTask& task) const {
  const int a = test.a, b = test.b;
  if (tree_.kinematic[at(a)] & tree_.kinematic[at(b)]) return;
  if (!surface_.between_free && (tree_.free[at(a)] & tree_.free[at(b)])) return;
  if (a == b) {
    if (options_.cones && is_flat(a, task)) {
      ++task.flat_patches;
      return;
    }
  } else {
    ++task.volume_tests;
    if (!overlap(bounds_[at(a)], bounds_[at(b)])) return;
    if (options_.cones && test.touching && is_flat_together(test, task)) {
      ++task.flat_patches;
      return;
    }
  }
  std::array<VolumeTest, 3> next;
  const int count = children(test, next);
  for (int i = count; i-- > 0;) task.stack.push_back(next[at(i)]);
  if (count > 0 || a == b) return;
  ++task.triangle_pairs;
  add_primitive_pairs(surface_, vertex_bounds_, tree_.triangle(a), tree_.triangle(b), bounds_[at(a)],
                      bounds_[at(b)], task.found);
}

template <int K>
void Bvh<K>::find(CandidatePairs& out) {
  out.clear();
  if (tree_.node_count() == 0) return;
  traversal_.run(options_, out, report_);
}

template class Bvh<6>;
template class Bvh<8>;
template class Bvh<14>;
template class Bvh<18>;

}  // namespace heddle
