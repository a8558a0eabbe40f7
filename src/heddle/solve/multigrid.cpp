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

/// r = b - w A z
void subtract_product(const FilteredMatrix& a, const std::vector<Vec3>& b, const std::vector<Vec3>& z,
                      std::vector<Vec3>& r) {
  parallel_for(
      a.row_count(), [&](int i) { store(load(b[at(i)]) - kDamping * a.row_times(i, z.data()), r[at(i)]); },
      kRowChunk);
}

/// Coarse b = P^T r and z = D^-1 b
void restrict_to(const Interpolation& p, const FilteredMatrix& coarse, const std::vector<Vec3>& r,
                 std::vector<Vec3>& b, std::vector<Vec3>& z) {
  parallel_for(
      p.coarse_count(),
      [&](int row) {
        Lanes sum{};
        for (int k = p.coarse_start[at(row)]; k < p.coarse_start[at(row) + 1]; ++k)
          sum += static_cast<double>(p.fine_weight[at(k)]) * load(r[at(p.fine[at(k)])]);
        store(sum, b[at(row)]);
        store(times(coarse.diagonal_inverse(row), sum), z[at(row)]);
      },
      kRowChunk);
}

/// (P c)_row
Lanes interpolated(const Interpolation& p, const std::vector<Vec3>& c, int row) {
  Lanes sum{};
  for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
    sum += static_cast<double>(p.weight[at(k)]) * load_beyond(c[at(p.coarse[at(k)])]);
  return sum;
}

/// z = w z + P c + w D^-1 (r - A P c)
void correct(const FilteredMatrix& a, const GalerkinProduct& product, const Interpolation& p,
             const std::vector<Vec3>& c, const std::vector<Vec3>& r, std::vector<Vec3>& z) {
  parallel_for(
      a.row_count(),
      [&](int row) {
        Lanes coarse = interpolated(p, c, row);
        if (a.is_filtered(row)) coarse = times(a.free(row), coarse);
        const Lanes residual = load(r[at(row)]) - product.half_times(row, c.data());
        store(coarse + kDamping * (load(z[at(row)]) + times(a.diagonal_inverse(row), residual)), z[at(row)]);
      },
      kRowChunk);
}

/// z = w z + w D^-1 r
void smooth(const FilteredMatrix& a, const std::vector<Vec3>& r, std::vector<Vec3>& z) {
  parallel_for(a.row_count(), [&](int row) {
    store(kDamping * (load(z[at(row)]) + times(a.diagonal_inverse(row), load(r[at(row)]))), z[at(row)]);
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
    level.vectors.resize(coarse);
    levels_.push_back(std::move(level));
  }
  direct_ = matrix(levels_.size()).row_count() <= kCoarsestRows;
  vectors_ = {};
  vectors_.residual.assign(at(finest_->row_count()) + 1, Vec3::Zero());
}

void Multigrid::factor(const FilteredMatrix& matrix, PairCouplings& couplings) {
  finest_ = &matrix;
  if (matrix.patterns() != patterns_) {
    patterns_ = matrix.patterns();
    build();
  }
  for (size_t k = 0; k < levels_.size(); ++k)
    levels_[k].product->compute(this->matrix(k), levels_[k].interpolation, levels_[k].matrix);
  couple(couplings);
}

void Multigrid::couple(PairCouplings& couplings) {
  finest_couplings_ = &couplings;
  for (size_t k = 0; k < levels_.size(); ++k) {
    restrict_couplings(this->couplings(k), matrix(k), levels_[k].interpolation, levels_[k].couplings);
    levels_[k].matrix.couple(levels_[k].couplings);
  }
  is_coarsest_factored_ = false;
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
  const PairCouplings& c = couplings(levels_.size());
  for (int k = 0; k < c.count(); ++k)
    for (const auto& [row, along] : c.entries(k))
      for (const auto& [column, other] : c.entries(k))
        dense.block<3, 3>(3 * row, 3 * column) +=
            a.filtered(row, column, c.strength(k) * along * other.transpose());
  // Directions that are constrained in all members have no stiffness; above rounding any number will do for
  // them.
  constexpr double kRounding = 1e-6;
  const double shift = n > 0 ? kRounding * dense.diagonal().maxCoeff() : 0;
  dense.diagonal().array() += shift > 0 ? shift : 1.0;
  coarsest_.compute(dense);
  is_coarsest_factored_ = true;
}

void Multigrid::solve_coarsest(Vectors& v) {
  const FilteredMatrix& a = matrix(levels_.size());
  if (!direct_) {
    subtract_product(a, v.b, v.z, v.residual);
    couplings(levels_.size()).add_product(v.z, -kDamping, v.residual);
    return smooth(a, v.residual, v.z);
  }
  if (!is_coarsest_factored_) factor_coarsest();
  v.z = v.b;
  a.filter(v.z);  // rounding in constrained directions would come back multiplied by 1 / shift
  Eigen::Map<Eigen::VectorXd> values(v.z.data()->data(), 3 * a.row_count());
  coarsest_.solveInPlace(values);
}

void Multigrid::subtract_coupled(size_t level, const std::vector<Vec3>& correction, Vectors& v) {
  PairCouplings& c = couplings(level);
  if (c.empty()) return;
  v.corrected.resize(v.residual.size());
  const FilteredMatrix& a = matrix(level);
  parallel_for(
      static_cast<int>(c.rows().size()),
      [&](int i) {
        const int row = c.rows()[at(i)];
        Vec3& value = v.corrected[at(row)];
        store(interpolated(levels_[level].interpolation, correction, row), value);
        if (a.is_filtered(row)) value = a.free(row) * value;
      },
      kRowChunk);
  c.add_product(v.corrected, -1, v.residual);
}

void Multigrid::cycle(size_t level, Vectors& v) {
  if (level == levels_.size()) return solve_coarsest(v);
  const FilteredMatrix& a = matrix(level);
  Level& next = levels_[level];
  subtract_product(a, v.b, v.z, v.residual);
  couplings(level).add_product(v.z, -kDamping, v.residual);
  a.filter(v.residual);
  restrict_to(next.interpolation, next.matrix, v.residual, next.vectors.b, next.vectors.z);
  cycle(level + 1, next.vectors);
  subtract_coupled(level, next.vectors.z, v);
  correct(a, *next.product, next.interpolation, next.vectors.z, v.residual, v.z);
}

void Multigrid::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  vectors_.b.swap(r);
  vectors_.z.swap(z);
  cycle(0, vectors_);
  vectors_.b.swap(r);
  vectors_.z.swap(z);
  finest_->filter(z);
}

std::vector<int> Multigrid::level_sizes() const {
  std::vector<int> sizes{patterns_.general->row_count()};
  for (const Level& level : levels_) sizes.push_back(level.interpolation.coarse_count());
  return sizes;
}

size_t Multigrid::bytes() const {
  size_t sum = vectors_.bytes();
  for (const Level& level : levels_)
    sum += level.interpolation.bytes() + level.product->bytes() + level.matrix.bytes() +
           level.couplings.bytes() + level.vectors.bytes();
  return sum + sizeof(double) * static_cast<size_t>(is_coarsest_factored_ ? coarsest_.matrixLLT().size() : 0);
}

}  // namespace heddle
