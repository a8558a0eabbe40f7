#pragma once

#include <heddle/dynamics/force_term.h>
#include <heddle/parallel/chunk_colouring.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// Positions and velocities of the nodes of one element, and the time.
template <int N>
struct ElementState {
  std::array<Vec3, N> x;
  std::array<Vec3, N> v;
  double time = 0;                    // s
  std::span<const Quat> frames = {};  // of all segments, for kernels that know theirs
};

/// What one element contributes: a[i][j] = stiffness_scale K_ij + damping_scale D_ij.
template <int N>
struct ElementSystem {
  std::array<Vec3, N> force;
  std::array<Vec3, N> stiffness_velocity;
  std::array<std::array<Mat3, N>, N> a;
};

struct ElementScales {
  double stiffness = 0;
  double damping = 0;
  JacobianForm form = JacobianForm::positive;
  double straight_motion = 0;  // s2, see Linearisation

  /// Without blocks only force and stiffness_velocity of the system are used.
  bool wants_blocks() const { return stiffness != 0 || damping != 0; }
};

/// A force model: pure functions of one element. The author of a model writes only this.
/// `static constexpr bool kConstantJacobian = true` may say that the positive form is the same in every
/// state, `kIsotropicBlocks = true` that its blocks are multiples of the identity, which makes products
/// cheap. A member `name` may give each term of the kernel a name of its own. Kernels whose elements may have
/// neither force nor Jacobian say so by `is_active(element, q)`. Elements of two and three nodes are drawn as
/// lines and triangles; others are if the kernel names an edge of theirs, `kEdge`, or an inner triangle,
/// `kOutline`. Kernels whose elements have sides of known length at rest may hold them as `lengths`.
template <class K>
concept StencilKernel = requires(const K& kernel, int element, const ElementState<K::kNodes>& q,
                                 std::array<Vec3, K::kNodes>& force, const ElementScales& scales,
                                 ElementSystem<K::kNodes>& system) {
  { K::kName } -> std::convertible_to<std::string_view>;
  { K::kConservative } -> std::convertible_to<bool>;
  { K::kExternal } -> std::convertible_to<bool>;
  { kernel.nodes } -> std::convertible_to<const std::vector<std::array<int, K::kNodes>>&>;
  { kernel.energy(element, q) } -> std::convertible_to<double>;
  kernel.force(element, q, force);               // overwrites force
  kernel.linearise(element, q, scales, system);  // overwrites system
};

/// Runs a kernel over all its elements: the loop, the scatter and the sums exist only here.
template <StencilKernel Kernel>
class StencilTerm final : public ForceTerm {
 public:
  static constexpr int N = Kernel::kNodes;
  static constexpr bool kIsotropic = requires { requires Kernel::kIsotropicBlocks; };
  static constexpr bool kSlack = requires(const Kernel& kernel, const ElementState<N>& q) {
    kernel.is_active(0, q);
  };

  StencilTerm(Kernel kernel, int particle_count, bool implicit = true)
      : kernel_(std::move(kernel)),
        colouring_({kernel_.nodes.empty() ? nullptr : kernel_.nodes[0].data(), kernel_.nodes.size() * N}, N,
                   particle_count),
        implicit_(implicit) {}

  const Kernel& kernel() const { return kernel_; }
  std::string_view name() const override {
    if constexpr (requires { kernel_.name.size(); }) return kernel_.name;
    return Kernel::kName;
  }
  bool is_conservative() const override { return Kernel::kConservative; }
  bool is_external() const override { return Kernel::kExternal; }
  bool is_implicit() const override { return implicit_; }
  bool has_constant_jacobian() const override {
    if constexpr (requires { Kernel::kConstantJacobian; }) return Kernel::kConstantJacobian;
    return false;
  }

  double energy(const Configuration& q) const override {
    std::vector<double> partial;
    return ordered_sum(size(), 0.0, partial, [&](int begin, int end) {
      double sum = 0;
      for (int e = begin; e < end; ++e) sum += kernel_.energy(e, gather(q, e));
      return sum;
    });
  }

  void add_force(const Configuration& q, std::span<Vec3> force) const override {
    colouring_.for_elements([&](int begin, int end) {
      std::array<Vec3, N> local;
      for (int e = begin; e < end; ++e) {
        kernel_.force(e, gather(q, e), local);
        scatter_force(e, local, force);
      }
    });
  }

  void count_elements(std::span<int> count) const override {
    for (const auto& nodes : kernel_.nodes)
      for (const int i : nodes) ++count[at(i)];
  }

  void add_pattern(BlockPatternBuilder& builder) const override {
    for (const auto& nodes : kernel_.nodes) builder.couple(nodes, kIsotropic);
  }

  void bind(const MatrixPattern& pattern) override {
    places_.resize(at(size()));
    parallel_for(size(), [&](int e) {
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) places_[at(e)][at(i * N + j)] = pattern.place(node(e, i), node(e, j));
    });
  }

  void add_linearisation(const Configuration& q, const Linearisation& out) const override {
    HEDDLE_CHECK_EQ(places_.size(), kernel_.nodes.size());
    const double used = out.matrix ? 1 : 0;
    const ElementScales scales{used * out.stiffness_scale, used * out.damping_scale, out.form,
                               out.straight_motion};
    colouring_.for_elements([&](int begin, int end) {
      ElementSystem<N> local;
      for (int e = begin; e < end; ++e) {
        const ElementState<N> state = gather(q, e);
        kernel_.linearise(e, state, scales, local);
        if (out.stable && is_stable(e, state, scales, local, *out.stable)) {
          scatter_force(e, local.force, out.force);
          continue;
        }
        scatter_vectors(e, local, out);
        if (scales.wants_blocks()) scatter_blocks(e, local, *out.matrix);
      }
    });
  }

  ElementShapes shapes() const override {
    if constexpr (requires { Kernel::kEdge; })
      return shapes_of(ElementShape::line, Kernel::kEdge);
    else if constexpr (requires { Kernel::kOutline; })
      return shapes_of(ElementShape::outline, Kernel::kOutline);
    else if constexpr (N == 2)
      return shapes_of(ElementShape::line, std::array{0, 1});
    else if constexpr (N == 3)
      return shapes_of(ElementShape::face, std::array{0, 1, 2});
    else
      return {};
  }

  int element_count() const override { return size(); }
  std::span<const int> particles_of(int element) const override { return kernel_.nodes[at(element)]; }
  void element_force(int element, const Configuration& q, std::span<Vec3> force) const override {
    ElementState<N> local;
    local.time = q.time;
    local.frames = q.frames;
    std::copy_n(q.x.begin(), N, local.x.begin());
    std::copy_n(q.v.begin(), N, local.v.begin());
    std::array<Vec3, N> out;
    kernel_.force(element, local, out);
    std::copy_n(out.begin(), N, force.begin());
  }
  void add_forces_of(std::span<const int> elements, const Configuration& q,
                     std::span<Vec3> force) const override {
    std::array<Vec3, N> local;
    for (const int e : elements) {
      kernel_.force(e, gather(q, e), local);
      scatter_force(e, local, force);
    }
  }
  void bound_elements(const Configuration& q, std::span<const double> mass,
                      std::span<ElementBound> bounds) const override {
    parallel_for(size(), [&](int e) {
      const ElementState<N> state = gather(q, e);
      ElementSystem<N> local;
      kernel_.linearise(e, state, {1, 0, JacobianForm::positive}, local);
      bounds[at(e)].stiffness = eigenvalue_bound(e, local, mass);
      kernel_.linearise(e, state, {0, 1, JacobianForm::positive}, local);
      bounds[at(e)].damping = eigenvalue_bound(e, local, mass);
    });
  }
  std::span<const double> rest_lengths(int element) const override {
    if constexpr (requires { kernel_.lengths; }) return kernel_.lengths[at(element)];
    return {};
  }

  bool has_slack() const override { return kSlack; }
  void find_active(const Configuration& q, std::span<char> active) const override {
    if constexpr (kSlack)
      parallel_for(size(), [&](int e) { active[at(e)] = kernel_.is_active(e, gather(q, e)); });
    else
      ForceTerm::find_active(q, active);
  }

  void find_stable(const Configuration& q, const StableElements& rule,
                   std::span<char> stable) const override {
    parallel_for(size(), [&](int e) { stable[at(e)] = is_soft(e, gather(q, e), rule); });
  }

 private:
  static size_t at(int i) { return static_cast<size_t>(i); }
  int size() const { return static_cast<int>(kernel_.nodes.size()); }
  int node(int element, int i) const { return kernel_.nodes[at(element)][at(i)]; }

  void scatter_force(int element, const std::array<Vec3, N>& local, std::span<Vec3> force) const {
    for (int i = 0; i < N; ++i) force[at(node(element, i))] += local[at(i)];
  }

  template <size_t Corners>
  ElementShapes shapes_of(ElementShape shape, const std::array<int, Corners>& corners) const {
    ElementShapes out{shape, {}};
    out.corners.reserve(kernel_.nodes.size() * Corners);
    for (const auto& nodes : kernel_.nodes)
      for (const int corner : corners) out.corners.push_back(nodes[at(corner)]);
    return out;
  }

  ElementState<N> gather(const Configuration& q, int element) const {
    ElementState<N> local;
    local.time = q.time;
    local.frames = q.frames;
    for (int i = 0; i < N; ++i) {
      local.x[at(i)] = q.x[at(node(element, i))];
      local.v[at(i)] = q.v[at(node(element, i))];
    }
    return local;
  }

  /// Whether the element may stay explicit, see StableElements; `local` is its system for `scales`.
  bool is_stable(int element, const ElementState<N>& q, const ElementScales& scales,
                 const ElementSystem<N>& local, const StableElements& stable) const {
    const double stiffness = stable.stiffness_weight * stable.dt * stable.dt,
                 damping = stable.damping_weight * stable.dt;
    // What the system that is known already says may be enough.
    const double least = std::min(stiffness / scales.stiffness, damping / scales.damping);
    const bool may_be = !(least * scaled_norm(element, local, stable.mass) > stable.limit);
    if (may_be && is_soft(element, q, stable)) return true;
    if (stable.implicit) stable.implicit->fetch_add(1, std::memory_order_relaxed);
    return false;
  }

  bool is_soft(int element, const ElementState<N>& q, const StableElements& stable) const {
    ElementSystem<N> weighted;
    kernel_.linearise(element, q,
                      {stable.stiffness_weight * stable.dt * stable.dt, stable.damping_weight * stable.dt,
                       JacobianForm::positive},
                      weighted);
    return scaled_norm(element, weighted, stable.mass) <= stable.limit;
  }

  /// |M^-1/2 a M^-1/2|, which no eigenvalue exceeds.
  double scaled_norm(int element, const ElementSystem<N>& local, std::span<const double> mass) const {
    double sum = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        sum +=
            local.a[at(i)][at(j)].squaredNorm() / (mass[at(node(element, i))] * mass[at(node(element, j))]);
    return std::sqrt(sum);
  }

  /// Of M^-1/2 a M^-1/2: its norm, or nearer to the truth |b^4|^1/4.
  double eigenvalue_bound(int element, const ElementSystem<N>& local, std::span<const double> mass) const {
    constexpr int kBlock = kIsotropic ? 1 : 3;
    using Square = Eigen::Matrix<double, kBlock * N, kBlock * N>;
    Square b;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        b.template block<kBlock, kBlock>(kBlock * i, kBlock * j) =
            local.a[at(i)][at(j)].template topLeftCorner<kBlock, kBlock>() /
            std::sqrt(mass[at(node(element, i))] * mass[at(node(element, j))]);
    const double size = b.norm();
    if (!(size > 0)) return 0;
    b /= size;  // powers neither overflow nor vanish
    const Square squared = b * b;
    const Square fourth = squared * squared;
    return size * std::sqrt(std::sqrt(fourth.norm()));
  }

  void scatter_vectors(int element, const ElementSystem<N>& local, const Linearisation& out) const {
    scatter_force(element, local.force, out.force);
    scatter_force(element, local.stiffness_velocity, out.stiffness_velocity);
  }

  void scatter_blocks(int element, const ElementSystem<N>& local, BlockMatrix& matrix) const {
    const std::array<int, N* N>& places = places_[at(element)];
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        const int place = places[at(i * N + j)];
        if (place == MatrixPattern::kMirrored) continue;
        const Mat3& block = local.a[at(i)][at(j)];
        if (kIsotropic && place < 0)
          matrix.isotropic_block(~place) += block(0, 0);
        else
          matrix.block(place) += block;
      }
  }

  Kernel kernel_;
  ChunkColouring colouring_;
  bool implicit_;
  std::vector<std::array<int, N * N>> places_;  // see MatrixPattern
};

/// The term of a kernel, ready for System::add.
template <StencilKernel Kernel>
std::unique_ptr<ForceTerm> make_term(Kernel kernel, int particle_count, bool implicit = true) {
  return std::make_unique<StencilTerm<Kernel>>(std::move(kernel), particle_count, implicit);
}

}  // namespace heddle
