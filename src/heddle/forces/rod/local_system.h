#pragma once

#include <heddle/dynamics/stencil_term.h>
#include <heddle/math/dual.h>
#include <heddle/math/positive_part.h>

namespace heddle::rod {

/// The derivatives of an element of a rod in V variables of its own, such as edges and angles.
template <int V>
struct LocalSystem {
  using Vector = Eigen::Matrix<double, V, 1>;
  using Matrix = Eigen::Matrix<double, V, V>;
  Vector force;
  Matrix stiffness;  // -df/dy
  Matrix damping;    // -df/dy'
};

/// From forces that dual numbers made: their values and -df/dy.
template <int V>
void take_forces(const std::array<Dual<V>, V>& force, LocalSystem<V>& out) {
  for (int i = 0; i < V; ++i) {
    const Dual<V>& f = force[static_cast<size_t>(i)];
    out.force[i] = f.value;
    for (int j = 0; j < V; ++j) out.stiffness(i, j) = -f.slope[static_cast<size_t>(j)];
  }
}

/// What the element is to its N nodes, if its variables are y = by_nodes x.
template <int V, int N>
void set_system(const Eigen::Matrix<double, V, 3 * N>& by_nodes, LocalSystem<V>& local,
                const ElementState<N>& q, const ElementScales& scales, ElementSystem<N>& out) {
  if (scales.form == JacobianForm::positive) make_positive<V>(local.stiffness);
  Eigen::Matrix<double, 3 * N, 1> velocity;
  for (int i = 0; i < N; ++i) velocity.template segment<3>(3 * i) = q.v[static_cast<size_t>(i)];
  const typename LocalSystem<V>::Vector rate = by_nodes * velocity;
  const Eigen::Matrix<double, 3 * N, 1> force = by_nodes.transpose() * local.force,
                                        Kv = by_nodes.transpose() * (local.stiffness * rate);
  for (int i = 0; i < N; ++i) {
    out.force[static_cast<size_t>(i)] = force.template segment<3>(3 * i);
    out.stiffness_velocity[static_cast<size_t>(i)] = Kv.template segment<3>(3 * i);
  }
  if (!scales.wants_blocks()) return;
  const typename LocalSystem<V>::Matrix sum =
      scales.stiffness * local.stiffness + scales.damping * local.damping;
  const Eigen::Matrix<double, 3 * N, 3 * N> all = by_nodes.transpose() * (sum * by_nodes);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      out.a[static_cast<size_t>(i)][static_cast<size_t>(j)] = all.template block<3, 3>(3 * i, 3 * j);
}

}  // namespace heddle::rod
