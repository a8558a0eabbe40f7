#include <heddle/solve/direct_solver.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Solves at most: the first, and refinements of it.
constexpr int kSolves = 4;

using SparseMatrix = Eigen::SparseMatrix<double>;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Neighbours of each row, and itself, ascending.
std::vector<std::vector<int>> graph_of(const MatrixPattern& pattern, const PairCouplings& couplings) {
  std::vector<std::vector<int>> graph(at(pattern.row_count()));
  for (int row = 0; row < pattern.row_count(); ++row)
    for (const BlockPattern* blocks : {&pattern.general, &pattern.isotropic})
      for (int k = blocks->row_start[at(row)]; k < blocks->row_start[at(row) + 1]; ++k) {
        graph[at(row)].push_back(blocks->columns[at(k)]);
        graph[at(blocks->columns[at(k)])].push_back(row);
      }
  for (int c = 0; c < couplings.count(); ++c)
    for (const auto& one : couplings.entries(c))
      for (const auto& other : couplings.entries(c)) graph[at(one.row)].push_back(other.row);
  for (auto& row : graph) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return graph;
}

/// Approximate minimum degree on rows of blocks: a ninth of the numbers to look at.
std::vector<int> order(const std::vector<std::vector<int>>& graph) {
  const auto n = static_cast<int>(graph.size());
  SparseMatrix matrix(n, n);
  std::vector<int> counts;
  for (const auto& row : graph) counts.push_back(static_cast<int>(row.size()));
  matrix.reserve(counts);
  for (int row = 0; row < n; ++row)
    for (const int other : graph[at(row)]) matrix.insert(other, row) = 1;
  matrix.makeCompressed();
  Eigen::AMDOrdering<int>::PermutationType inverse;
  Eigen::AMDOrdering<int>()(matrix, inverse);
  std::vector<int> place(at(n));
  for (int k = 0; k < n; ++k) place[at(inverse.indices()[k])] = k;
  return place;
}

}  // namespace

bool ConstrainedSparse::covers(const PairCouplings& couplings) const {
  for (int c = 0; c < couplings.count(); ++c)
    for (const auto& one : couplings.entries(c))
      for (const auto& other : couplings.entries(c)) {
        const int a = place_[at(one.row)], b = place_[at(other.row)];
        if (a <= b && columns_.find(a, b) < 0) return false;
      }
  return true;
}

void ConstrainedSparse::set_pattern(const PairCouplings& couplings) {
  const auto graph = graph_of(*pattern_, couplings);
  const int n = pattern_->row_count();
  place_ = order(graph);
  std::vector<std::vector<int>> below(at(n));
  for (int row = 0; row < n; ++row)
    for (const int other : graph[at(row)])
      if (place_[at(other)] >= place_[at(row)]) below[at(place_[at(row)])].push_back(place_[at(other)]);
  columns_ = {};
  lower_.resize(3 * n, 3 * n);
  std::vector<int> counts;
  for (auto& places : below) {
    std::sort(places.begin(), places.end());
    columns_.columns.insert(columns_.columns.end(), places.begin(), places.end());
    columns_.row_start.push_back(columns_.block_count());
    for (int k = 0; k < 3; ++k) counts.push_back(3 * static_cast<int>(places.size()) - k);
  }
  lower_.reserve(counts);
  for (int column = 0; column < n; ++column)
    for (int k = 0; k < 3; ++k)
      for (const int row : below[at(column)])
        for (int i = row == column ? k : 0; i < 3; ++i) lower_.insert(3 * row + i, 3 * column + k) = 0;
  lower_.makeCompressed();
}

void ConstrainedSparse::add(int row, int column, const Mat3& block) {
  const int a = place_[at(row)], b = place_[at(column)];
  if (b < a) return;
  // Block (b, a), the transpose of the given one, stands in three columns, of which the first holds 3 numbers
  // of each block, the next one less.
  const int below = columns_.slot(a, b) - columns_.row_start[at(a)];
  for (int k = 0; k < 3; ++k) {
    double* values = lower_.valuePtr() + lower_.outerIndexPtr()[3 * a + k];
    for (int i = a == b ? k : 0; i < 3; ++i) values[3 * below + i - k] += block(k, i);
  }
}

void ConstrainedSparse::add_block(int row, int column, const Mat3& block) {
  add(row, column, block);
  if (row != column) add(column, row, block.transpose());
}

void ConstrainedSparse::add_row(int row, const BlockMatrix& matrix, const std::vector<const Mat3*>& free) {
  const Mat3* own = free[at(row)];
  const auto add_filtered = [&](int column, Mat3 block) {
    if (own) block = *own * block;
    if (free[at(column)]) block = block * *free[at(column)];
    add_block(row, column, block);
  };
  const BlockPattern &general = pattern_->general, &isotropic = pattern_->isotropic;
  for (int k = general.row_start[at(row)]; k < general.row_start[at(row) + 1]; ++k)
    add_filtered(general.columns[at(k)], matrix.block(k));
  for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
    add_filtered(isotropic.columns[at(k)], matrix.isotropic_block(k) * Mat3::Identity());
  if (!own) return;
  const double size = matrix.diagonal(row).trace() / 3;
  add(row, row, (size > 0 ? size : 1.0) * (Mat3::Identity() - *own));
}

bool ConstrainedSparse::assign(const BlockMatrix& matrix, const BlockProjection& projection,
                               const PairCouplings& couplings) {
  const bool is_new = matrix.shared_pattern() != pattern_ || !covers(couplings);
  if (is_new) {
    pattern_ = matrix.shared_pattern();
    set_pattern(couplings);
  }
  std::fill(lower_.valuePtr(), lower_.valuePtr() + lower_.nonZeros(), 0.0);
  std::vector<const Mat3*> free(at(matrix.row_count()));
  for (size_t k = 0; k < projection.particles().size(); ++k)
    free[at(projection.particles()[k])] = &projection.free(k);
  // Each block has a place of its own.
  parallel_for(matrix.row_count(), [&](int row) { add_row(row, matrix, free); });
  const auto direction = [&](const PairCouplings::Entry& entry) {
    return free[at(entry.row)] ? Vec3(*free[at(entry.row)] * entry.direction) : entry.direction;
  };
  for (int c = 0; c < couplings.count(); ++c)
    for (const auto& one : couplings.entries(c))
      for (const auto& other : couplings.entries(c))
        add(one.row, other.row, couplings.strength(c) * direction(one) * direction(other).transpose());
  return is_new;
}

size_t ConstrainedSparse::bytes() const {
  const auto numbers = static_cast<size_t>(lower_.nonZeros()), rows = static_cast<size_t>(lower_.cols());
  return columns_.bytes() + bytes_of(place_) + numbers * (sizeof(double) + sizeof(int)) + rows * sizeof(int);
}

bool DirectSolver::factor(const BlockMatrix& matrix, const BlockProjection& projection) {
  if (sparse_.assign(matrix, projection, couplings_) || symbolic_count_ == 0) {
    factor_.analyzePattern(sparse_.lower());
    ++symbolic_count_;
  }
  factor_.factorize(sparse_.lower());
  ++numeric_count_;
  return factor_.info() == Eigen::Success;
}

void DirectSolver::correct(const BlockProjection& projection, std::span<Vec3> x) {
  const std::vector<int>& place = sparse_.places();
  ordered_.resize(3 * static_cast<Eigen::Index>(place.size()));
  for (size_t i = 0; i < place.size(); ++i) ordered_.segment<3>(3 * place[i]) = r_[i];
  ordered_ = factor_.solve(ordered_).eval();
  for (size_t i = 0; i < place.size(); ++i) r_[i] = ordered_.segment<3>(3 * place[i]);
  projection.apply(r_);
  for (size_t i = 0; i < place.size(); ++i) x[i] += r_[i];
}

SolverReport DirectSolver::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                 std::span<const Vec3> reference, const BlockProjection& projection,
                                 const SolverSettings& settings, std::span<Vec3> x,
                                 std::span<const PairCoupling> couplings) {
  HEDDLE_CHECK_EQ(b.size(), at(matrix.row_count()));
  HEDDLE_CHECK_EQ(x.size(), at(matrix.row_count()));
  couplings_.assign(couplings, matrix.row_count());
  measure_.assign(matrix, projection, couplings_);
  SolverReport report{.relative_residual = INFINITY};
  const double target = measure_.target(settings, b, reference);
  if (!std::isfinite(target)) return report;
  report.target = target;
  r_.resize(b.size());
  const auto judge = [&] {
    find_residual(matrix, couplings_, projection, b, x, r_);
    report.row_products += matrix.row_count();
    const double norm = measure_.norm(r_);
    report.relative_residual = relative_residual(settings.tolerance, norm, target);
    report.converged = norm <= target && keeps(settings.net_limits, 1, r_);
  };
  judge();
  if (report.converged || !factor(matrix, projection)) return report;
  while (!report.converged && report.iterations < std::min(kSolves, settings.max_iterations)) {
    correct(projection, x);
    ++report.iterations;
    judge();
  }
  return report;
}

size_t DirectSolver::bytes() const {
  const auto factored =
      numeric_count_ > 0 ? static_cast<size_t>(factor_.matrixL().nestedExpression().nonZeros()) : 0;
  return sparse_.bytes() + factored * (sizeof(double) + sizeof(int)) + measure_.bytes() + couplings_.bytes() +
         bytes_of(r_) + sizeof(double) * static_cast<size_t>(ordered_.size());
}

}  // namespace heddle
