#pragma once

#include <heddle/dynamics/state.h>
#include <heddle/math/block_matrix.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

/// Which derivative a term adds: the exact one, or a symmetric positive-semidefinite one that keeps
/// conjugate gradients safe. They agree wherever the exact one is already positive.
enum class JacobianForm { exact, positive };

/// Lets elements that are soft enough for a step stay explicit: they give their force but no Jacobian. An
/// element with K_e, D_e and the masses M_e that it may count on does so if
///   | M_e^-1/2 (stiffness_weight h^2 K_e + damping_weight h D_e) M_e^-1/2 |  <=  limit.
/// If the masses of all elements at a particle add up to its own, no mode of all explicit elements together
/// exceeds that either (Fried 1972). With the weights 1/4 and 1/2 of forward-backward Euler, springs on a
/// grid and limit 1 this is Boxerman 2003, (4.8).
struct StableElements {
  double dt = 0;  // s
  double stiffness_weight = 0.25, damping_weight = 0.5;
  double limit = 1;
  std::span<const double> mass;          // kg per particle, that each element may count on
  std::atomic<int>* implicit = nullptr;  // counts the others, if it is given
};

/// Where a term adds its linearisation. K = -df/dx and D = -df/dv.
struct Linearisation {
  double stiffness_scale = 0;  // matrix += stiffness_scale K + damping_scale D
  double damping_scale = 0;
  JacobianForm form = JacobianForm::positive;
  BlockMatrix* matrix = nullptr;       // null: only the vectors are wanted
  std::span<Vec3> force;               // += f, N
  std::span<Vec3> stiffness_velocity;  // += K v, N/s
  /// s2; the positive form may leave out the stress of the stretch straight_motion F'^T F', where F' is the
  /// rate of the deformation gradient: straight motion makes it where cloth should have turned. Zero: it
  /// takes stresses as they are.
  double straight_motion = 0;
  const StableElements* stable = nullptr;  // null: all elements give their Jacobians
};

/// What the elements of a term look like: lines, triangles, or outlines within triangles.
enum class ElementShape : std::uint8_t { line, face, outline };

inline constexpr int corner_count(ElementShape shape) {
  return shape == ElementShape::line ? 2 : 3;
}

struct ElementShapes {
  ElementShape shape = ElementShape::line;
  std::vector<int> corners;  // particles, two or three for each element

  int count() const { return static_cast<int>(corners.size()) / corner_count(shape); }
};

/// No mode of an element is stiffer or more damped, with the masses that it may count on.
struct ElementBound {
  double stiffness = 0;  // 1/s2, of M_e^-1 K_e
  double damping = 0;    // 1/s, of M_e^-1 D_e
};

/// One kind of force on all its elements at once. Terms know no time step.
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;

  virtual std::string_view name() const = 0;

  /// True if the force is minus the gradient of energy().
  virtual bool is_conservative() const = 0;
  /// J; only for conservative terms.
  virtual double energy(const Configuration&) const { return 0; }

  /// True for forces that act from outside (weight, wind); the solver's tolerance is relative to them.
  virtual bool is_external() const { return false; }

  virtual void add_force(const Configuration& q, std::span<Vec3> force) const = 0;

  /// Explicit terms take part with their force only.
  virtual bool is_implicit() const { return false; }
  /// Names the blocks the term will write; called once, followed by bind() with the finished pattern.
  virtual void add_pattern(BlockPatternBuilder&) const {}
  virtual void bind(const MatrixPattern&) {}
  /// Adds force, Jacobians and K v. In steps only called if is_implicit(); an explicit term that has it too
  /// is checked for the longest step at which it is stable.
  virtual void add_linearisation(const Configuration&, const Linearisation&) const {}
  /// The elements, if they can be drawn; else nothing.
  virtual ElementShapes shapes() const { return {}; }
  /// Whether find_active() may find others than active ones.
  virtual bool has_slack() const { return false; }
  /// active[e] = 0 for elements with neither force nor Jacobian in this state (slack springs), else 1.
  virtual void find_active(const Configuration&, std::span<char> active) const {
    std::fill(active.begin(), active.end(), 1);
  }
  /// stable[e] = 1 for elements that may stay explicit, else 0.
  virtual void find_stable(const Configuration&, const StableElements&, std::span<char> stable) const {
    std::fill(stable.begin(), stable.end(), 0);
  }
  /// Adds for each particle how many elements act on it.
  virtual void count_elements(std::span<int>) const {}

  // Elements one by one, for methods that give each its own time.
  /// 0 if the term does not consist of elements.
  virtual int element_count() const { return 0; }
  virtual std::span<const int> particles_of(int) const { return {}; }
  /// force = that of one element on its particles, N; `q` holds these alone, in their order.
  virtual void element_force(int, const Configuration& /*q*/, std::span<Vec3> /*force*/) const {}
  /// force += those of some elements, in their order, on this thread; `q` and `force` of all particles.
  virtual void add_forces_of(std::span<const int> /*elements*/, const Configuration& /*q*/,
                             std::span<Vec3> /*force*/) const {}
  /// bounds[e] of all elements in a state (of all particles); `mass` in kg per particle, that each element
  /// may count on.
  virtual void bound_elements(const Configuration&, std::span<const double> /*mass*/,
                              std::span<ElementBound>) const {}
  /// m, at rest, from each particle of an element to its next one; none if it has no such lengths.
  virtual std::span<const double> rest_lengths(int) const { return {}; }

  /// True if the positive form is the same in every state: it is then added up once, not in every step.
  virtual bool has_constant_jacobian() const { return false; }
};

}  // namespace heddle
