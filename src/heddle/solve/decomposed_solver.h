#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/residual_measure.h>

#include <functional>
#include <memory>

namespace heddle {

/// Sets of rows that nothing connects: neither a block other than zero nor a coupling, except through rows
/// without any free direction, which belong to no set (Boxerman 2003, 6.2).
struct RowComponents {
  std::vector<int> start{0};  // into rows
  std::vector<int> rows;      // of each component, ascending
  std::vector<int> owner;     // per row: its component, or -1
  std::vector<int> place;     // per row: its place within the component

  bool operator==(const RowComponents&) const = default;
  int count() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> of(int component) const {
    const auto i = static_cast<size_t>(component);
    return {rows.data() + start[i], rows.data() + start[i + 1]};
  }
};

/// In the order of their first rows.
RowComponents find_components(const BlockMatrix& matrix, const BlockProjection& projection,
                              std::span<const PairCoupling> couplings);

/// Solves the components of a system one by one, in parallel, each by a solver of its own. Each keeps the
/// tolerance for itself, a little tighter where that is needed for all of them to keep that of the whole.
class DecomposedSolver final : public LinearSolver {
 public:
  using MakeSolver = std::function<std::unique_ptr<LinearSolver>()>;
  /// What the tolerance of the solvers is relative to, besides the driving forces.
  struct Scale {
    bool reference = true;    // see LinearSolver::solve()
    bool prescribed = false;  // what prescribed motion does
  };
  explicit DecomposedSolver(MakeSolver make) : DecomposedSolver(std::move(make), Scale{}) {}
  DecomposedSolver(MakeSolver make, const Scale& scale)
      : make_(std::move(make)), whole_(make_()), scale_(scale) {}

  std::string_view name() const override { return whole_->name(); }
  /// The report has the most iterations of a component, and the row products of all.
  SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> reference,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings = {}) override;
  size_t bytes() const override;
  std::span<const int> components() const override { return components_.owner; }

 private:
  /// The system of one component.
  struct Part {
    std::unique_ptr<LinearSolver> solver;
    BlockMatrix matrix;
    BlockProjection projection;
    std::vector<PairCoupling> couplings;
    std::vector<NetLimit> net_limits;
    std::vector<Vec3> b, reference, driving, x;
    double own = 0, other = 0;  // squared norms of driving forces and reference
    SolverReport report;
  };
  void take_matrix(int component, const BlockMatrix& matrix, Part& part) const;
  void take_vectors(int component, std::span<const Vec3> b, std::span<const Vec3> reference,
                    const SolverSettings& settings, std::span<const Vec3> x, Part& part) const;
  /// A x of the other rows, with x of fixed rows alone.
  void find_fixed_part(const BlockMatrix& matrix, std::span<const Vec3> x);
  void take_projection(const BlockProjection& projection);
  /// What fixed rows have of them goes to the right side.
  void take_couplings(std::span<const PairCoupling> couplings, std::span<const Vec3> x);
  void take_limits(std::span<const NetLimit> limits);
  /// By how much the tolerance of the components must be tighter.
  double find_share(const BlockMatrix& matrix, const BlockProjection& projection, bool has_driving);
  SolverReport sum_reports(double tolerance, double share) const;

  MakeSolver make_;
  std::unique_ptr<LinearSolver> whole_;  // for systems that are one component
  Scale scale_;
  RowComponents components_;
  ResidualMeasure measure_;
  PairCouplings all_couplings_;
  std::vector<Part> parts_;
  std::vector<Vec3> fixed_part_;
};

}  // namespace heddle
