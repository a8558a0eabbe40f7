#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/solve/solver_registry.h>

#include <Eigen/Dense>

#include <algorithm>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace heddle::test {

/// Mass plus springs on a grid: M + sum of k n n^T over edges, with random directions n and strengths k.
struct RandomSystem {
  BlockMatrix matrix;
  BlockProjection projection;
  std::vector<Vec3> b, x;

  int size() const { return matrix.row_count(); }
};

inline Vec3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}

inline std::vector<Vec3> random_vectors(int n, std::mt19937& random) {
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i) out.push_back(random_vector(random));
  return out;
}

/// Projector that leaves `freedom` directions; 3 is the identity.
inline Mat3 random_projector(int freedom, std::mt19937& random) {
  const Vec3 n = random_vector(random).normalized();
  if (freedom == 0) return Mat3::Zero();
  if (freedom == 1) return n * n.transpose();
  return freedom == 2 ? Mat3(Mat3::Identity() - n * n.transpose()) : Mat3::Identity();
}

inline void add_spring(int i, int j, const Mat3& k, BlockMatrix& matrix) {
  matrix.diagonal(i) += k;
  matrix.diagonal(j) += k;
  const int place = matrix.pattern().place(std::min(i, j), std::max(i, j));
  if (place >= 0)
    matrix.block(place) -= k;
  else
    matrix.isotropic_block(~place) -= k(0, 0);
}

/// `width` x `height` particles; `constrained` is the share of particles that get a random constraint.
inline RandomSystem random_system(int width, int height, double stiffness, double constrained,
                                  unsigned seed) {
  std::mt19937 random(seed);
  const int n = width * height;
  std::vector<std::array<int, 2>> edges, isotropic_edges;
  for (int i = 0; i < n; ++i) {
    if (i % width + 1 < width) edges.push_back({i, i + 1});
    if (i + width < n) edges.push_back({i, i + width});
    if (i % width + 1 < width && i + width < n) edges.push_back({i, i + width + 1});
    if (i + 2 * width < n) isotropic_edges.push_back({i, i + 2 * width});
  }
  BlockPatternBuilder builder(n);
  for (const auto& edge : edges) builder.couple(edge);
  for (const auto& edge : isotropic_edges) builder.couple(edge, true);
  RandomSystem out{BlockMatrix(builder.build()), {}, {}, {}};
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < n; ++i) out.matrix.diagonal(i).diagonal().setConstant(0.5 + uniform(random));
  for (const auto& [i, j] : edges)
    for (int k = 0; k < 2; ++k) {
      const Vec3 axis = random_vector(random).normalized();
      add_spring(i, j, stiffness * uniform(random) * axis * axis.transpose(), out.matrix);
    }
  for (const auto& [i, j] : isotropic_edges)
    add_spring(i, j, 0.1 * stiffness * uniform(random) * Mat3::Identity(), out.matrix);
  out.b = random_vectors(n, random);
  out.x.assign(static_cast<size_t>(n), Vec3::Zero());
  for (int i = 0; i < n; ++i) {
    if (uniform(random) >= constrained) continue;
    const Mat3 free = random_projector(static_cast<int>(random() % 4), random);
    out.projection.add(i, free);
    out.x[static_cast<size_t>(i)] = (Mat3::Identity() - free) * random_vector(random);
  }
  return out;
}

inline Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3 * matrix.row_count(), 3 * matrix.row_count());
  const auto for_blocks = [&](const BlockPattern& pattern, const auto& block) {
    for (int row = 0; row < matrix.row_count(); ++row)
      for (int k = pattern.row_start[static_cast<size_t>(row)];
           k < pattern.row_start[static_cast<size_t>(row) + 1]; ++k) {
        const int column = pattern.columns[static_cast<size_t>(k)];
        out.block<3, 3>(3 * row, 3 * column) = block(k);
        out.block<3, 3>(3 * column, 3 * row) = block(k).transpose();
      }
  };
  for_blocks(matrix.pattern().general, [&](int k) { return Mat3(matrix.block(k)); });
  for_blocks(matrix.pattern().isotropic,
             [&](int k) { return Mat3(matrix.isotropic_block(k) * Mat3::Identity()); });
  return out;
}

inline Eigen::MatrixXd dense(const BlockProjection& projection, int n) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(3 * n, 3 * n);
  for (size_t k = 0; k < projection.particles().size(); ++k)
    out.block<3, 3>(3 * projection.particles()[k], 3 * projection.particles()[k]) = projection.free(k);
  return out;
}

inline Eigen::VectorXd flat(const std::vector<Vec3>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data()->data(),
                                           3 * static_cast<Eigen::Index>(values.size()));
}

inline std::vector<Vec3> apply(Preconditioner& preconditioner, const FilteredMatrix& matrix,
                               std::vector<Vec3> r) {
  matrix.filter(r);
  std::vector<Vec3> z;
  for (const Vec3& value : r) z.emplace_back(matrix.diagonal_inverse(static_cast<int>(z.size())) * value);
  r.emplace_back(Vec3::Zero());  // the spare entries
  z.emplace_back(Vec3::Zero());
  preconditioner.apply(r, z);
  z.pop_back();
  return z;
}

inline std::vector<PairCoupling> random_couplings(int rows, int count) {
  std::mt19937 random(4);
  std::vector<PairCoupling> couplings(static_cast<size_t>(count));
  for (PairCoupling& coupling : couplings) {
    coupling.strength = 5;
    for (size_t i = 0; i < 4; ++i) {
      coupling.rows[i] = static_cast<int>(random() % static_cast<unsigned>(rows));
      coupling.direction[i] = random_vector(random);
    }
  }
  return couplings;
}

/// x_0 + S y with S (b - A x) = 0, by a dense factorisation of S A S + (I - S).
inline Eigen::VectorXd constrained_solution(const RandomSystem& system,
                                            const std::vector<PairCoupling>& couplings = {}) {
  const int n = system.size();
  Eigen::MatrixXd a = dense(system.matrix);
  for (const PairCoupling& coupling : couplings) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(3 * n);
    for (size_t i = 0; i < 4; ++i) direction.segment<3>(3 * coupling.rows[i]) += coupling.direction[i];
    a += coupling.strength * direction * direction.transpose();
  }
  const Eigen::MatrixXd s = dense(system.projection, n);
  const Eigen::MatrixXd filled = s * a * s + Eigen::MatrixXd::Identity(3 * n, 3 * n) - s;
  const Eigen::VectorXd start = flat(system.x);
  return start + filled.ldlt().solve(s * (flat(system.b) - a * start));
}

inline SolverReport solve(LinearSolver& solver, RandomSystem& system, const SolverSettings& settings,
                          std::span<const PairCoupling> couplings = {}) {
  return solver.solve(system.matrix, system.b, system.b, system.projection, settings, system.x, couplings);
}

/// All solvers with all preconditioners, constrained or not; with `decompose` also the decomposed ones.
inline std::vector<SolverParameters> all_solvers(bool decompose) {
  std::vector<SolverParameters> out;
  for (const SolverEntry& solver : solver_registry()) {
    for (const PreconditionerEntry& preconditioner : preconditioner_registry()) {
      SolverParameters parameters{.solver = solver.name, .preconditioner = preconditioner.name};
      out.push_back(parameters);
      parameters.decompose = true;
      if (decompose) out.push_back(parameters);
      if (!solver.preconditioned) break;
      parameters.decompose = false;
      parameters.constrained_preconditioner = false;
      out.push_back(parameters);
    }
  }
  return out;
}

}  // namespace heddle::test

namespace heddle {

/// For names of tests.
inline std::string text(const SolverParameters& parameters) {
  return parameters.solver + "_" + parameters.preconditioner + (parameters.decompose ? "_decomposed" : "") +
         (parameters.constrained_preconditioner ? "" : "_unconstrained");
}

inline void PrintTo(const SolverParameters& parameters, std::ostream* out) {
  *out << text(parameters);
}

}  // namespace heddle
