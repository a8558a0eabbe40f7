#include <heddle/solve/multigrid.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

constexpr double kDamping = 0.5;
constexpr int kRowChunk = 256;
/// A level this small is solved directly.
constexpr int kCoarsestRows = 50;
/// Coarsening that keeps more than this share of the rows is not worth a level.
constexpr double kLeastReduction = 0.7;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Neighbours by general blocks: those of the membrane, which is the stiffest part. Rows that have none take
/// the isotropic ones.
BlockPattern graph_of(const FilteredMatrix& matrix) {
  BlockPattern graph;
  for (int row = 0; row < matrix.row_count(); ++row) {
    const bool general = matrix.pattern().row_start[at(row)] < matrix.pattern().row_start[at(row) + 1];
    const BlockPattern& pattern = general ? matrix.pattern() : matrix.isotropic_pattern();
    graph.columns.insert(graph.columns.end(), pattern.columns.begin() + pattern.row_start[at(row)],
                         pattern.columns.begin() + pattern.row_start[at(row) + 1]);
    graph.row_start.push_back(graph.block_count());
  }
  return graph;
}

/// x = w D^-1 b, the first step from zero.
void smooth_from_zero(const FilteredMatrix& a, std::span<const Vec3> b, std::vector<Vec3>& x) {
  parallel_for(a.row_count(), [&](int i) { x[at(i)] = kDamping * (a.diagonal_inverse(i) * b[at(i)]); });
}

/// r = b - A x
void subtract_product(const FilteredMatrix& a, std::span<const Vec3> b, const std::vector<Vec3>& x,
                      std::vector<Vec3>& r) {
  parallel_for(
      a.row_count(), [&](int i) { r[at(i)] = b[at(i)] - a.row_times(i, x.data()); }, kRowChunk);
}

/// out = x + w D^-1 (b - A x); out may be b.
void smooth(const FilteredMatrix& a, std::span<const Vec3> b, const std::vector<Vec3>& x,
            std::span<Vec3> out) {
  parallel_for(
      a.row_count(),
      [&](int i) {
        const Vec3 residual = b[at(i)] - a.row_times(i, x.data());
        out[at(i)] = x[at(i)] + kDamping * (a.diagonal_inverse(i) * residual);
      },
      kRowChunk);
}

/// Coarse b = P^T r
void restrict_to(const Interpolation& p, const std::vector<Vec3>& r, std::vector<Vec3>& b) {
  parallel_for(
      p.coarse_count(),
      [&](int row) {
        Vec3 sum = Vec3::Zero();
        for (int k = p.coarse_start[at(row)]; k < p.coarse_start[at(row) + 1]; ++k)
          sum += static_cast<double>(p.fine_weight[at(k)]) * r[at(p.fine[at(k)])];
        b[at(row)] = sum;
      },
      kRowChunk);
}

/// x += P coarse
void prolong(const Interpolation& p, const std::vector<Vec3>& coarse, std::vector<Vec3>& x) {
  parallel_for(p.fine_count(), [&](int row) {
    for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
      x[at(row)] += static_cast<double>(p.weight[at(k)]) * coarse[at(p.coarse[at(k)])];
  });
}

}  // namespace

void Multigrid::build() {
  levels_.clear();
  while (matrix(levels_.size()).row_count() > kCoarsestRows) {
    const FilteredMatrix& fine = matrix(levels_.size());
    Level level;
    level.interpolation = aggregate(graph_of(fine));
    const int coarse = level.interpolation.coarse_count();
    if (coarse > kLeastReduction * fine.row_count()) break;
    level.product = std::make_unique<GalerkinProduct>(fine, level.interpolation);
    level.product->shape(level.matrix);
    level.b.assign(at(coarse), Vec3::Zero());
    level.x.assign(at(coarse) + 1, Vec3::Zero());
    levels_.push_back(std::move(level));
  }
  direct_ = matrix(levels_.size()).row_count() <= kCoarsestRows;
  x_.assign(at(finest_->row_count()) + 1, Vec3::Zero());
  residual_ = x_;
}

void Multigrid::factor(const FilteredMatrix& matrix) {
  finest_ = &matrix;
  if (matrix.pattern() != pattern_ || matrix.isotropic_pattern() != isotropic_pattern_) {
    pattern_ = matrix.pattern();
    isotropic_pattern_ = matrix.isotropic_pattern();
    build();
  }
  for (size_t k = 0; k < levels_.size(); ++k)
    levels_[k].product->compute(this->matrix(k), levels_[k].interpolation, levels_[k].matrix);
  if (direct_) factor_coarsest();
}

void Multigrid::factor_coarsest() {
  const FilteredMatrix& a = matrix(levels_.size());
  const int n = a.row_count();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  const auto set = [&](int row, int column, const Mat3& block) {
    dense.block<3, 3>(3 * row, 3 * column) = a.filtered(row, column, block);
  };
  const BlockPattern &general = a.pattern(), &isotropic = a.isotropic_pattern();
  for (int row = 0; row < n; ++row) {
    set(row, row, a.diagonal(row));
    for (int k = general.row_start[at(row)]; k < general.row_start[at(row) + 1]; ++k)
      set(row, general.columns[at(k)], Eigen::Map<const Eigen::Matrix3f>(a.block(k)).cast<double>());
    for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
      set(row, isotropic.columns[at(k)], a.isotropic_block(k) * Mat3::Identity());
  }
  // Directions that are constrained in all members have no stiffness; above rounding any number will do for
  // them.
  constexpr double kRounding = 1e-6;
  const double shift = n > 0 ? kRounding * dense.diagonal().maxCoeff() : 0;
  dense.diagonal().array() += shift > 0 ? shift : 1.0;
  coarsest_.compute(dense);
}

void Multigrid::solve_coarsest(std::span<const Vec3> b, std::vector<Vec3>& x, std::span<Vec3> out) {
  const FilteredMatrix& a = matrix(levels_.size());
  const int n = a.row_count();
  if (!direct_) {
    smooth_from_zero(a, b, x);
    return smooth(a, b, x, out);
  }
  if (n == 0) return;
  for (int i = 0; i < n; ++i) out[at(i)] = b[at(i)];
  a.filter(out);  // rounding in constrained directions would come back multiplied by 1 / shift
  Eigen::Map<Eigen::VectorXd> values(out.data()->data(), 3 * n);
  coarsest_.solveInPlace(values);
}

void Multigrid::cycle(size_t level, std::span<const Vec3> b, std::vector<Vec3>& x, std::span<Vec3> out) {
  if (level == levels_.size()) return solve_coarsest(b, x, out);
  const FilteredMatrix& a = matrix(level);
  Level& next = levels_[level];
  smooth_from_zero(a, b, x);
  subtract_product(a, b, x, residual_);
  a.filter(residual_);
  restrict_to(next.interpolation, residual_, next.b);
  cycle(level + 1, next.b, next.x, next.b);
  prolong(next.interpolation, next.b, x);
  a.filter(x);
  smooth(a, b, x, out);
}

void Multigrid::apply(std::span<const Vec3> r, std::span<Vec3> z) {
  cycle(0, r, x_, z);
  finest_->filter(z);
}

std::vector<int> Multigrid::level_sizes() const {
  std::vector<int> sizes{pattern_.row_count()};
  for (const Level& level : levels_) sizes.push_back(level.interpolation.coarse_count());
  return sizes;
}

}  // namespace heddle
