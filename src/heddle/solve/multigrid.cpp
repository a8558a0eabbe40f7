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
BlockPattern graph_of(const MatrixPattern& matrix) {
  const BlockPattern general = mirrored(matrix.general), isotropic = mirrored(matrix.isotropic);
  BlockPattern graph;
  for (int row = 0; row < matrix.row_count(); ++row) {
    const bool has_general = general.row_start[at(row)] < general.row_start[at(row) + 1];
    const BlockPattern& pattern = has_general ? general : isotropic;
    graph.columns.insert(graph.columns.end(), pattern.columns.begin() + pattern.row_start[at(row)],
                         pattern.columns.begin() + pattern.row_start[at(row) + 1]);
    graph.row_start.push_back(graph.block_count());
  }
  return graph;
}

/// Coarse b = P^T (b - w A z) and z = D^-1 b
void restrict_to(const Interpolation& p, const CoarseMatrix& coarse, const std::vector<Vec3>& fine_b,
                 const std::vector<Vec3>& product, std::vector<Vec3>& b, std::vector<Vec3>& z) {
  parallel_for(
      p.coarse_count(),
      [&](int row) {
        Lanes sum{};
        for (int k = p.coarse_start[at(row)]; k < p.coarse_start[at(row) + 1]; ++k) {
          const size_t i = at(p.fine[at(k)]);
          sum += static_cast<double>(p.fine_weight[at(k)]) *
                 (load_beyond(fine_b[i]) - kDamping * load_beyond(product[i]));
        }
        store(sum, b[at(row)]);
        store(coarse.inverse_times(row, sum), z[at(row)]);
      },
      kRowChunk);
}

/// z = w z + S P c
template <class Matrix>
void correct(const Matrix& a, const Interpolation& p, const std::vector<Vec3>& c, std::vector<Vec3>& z) {
  parallel_for(
      a.row_count(),
      [&](int row) {
        Lanes sum{};
        for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
          sum += static_cast<double>(p.weight[at(k)]) * load_beyond(c[at(p.coarse[at(k)])]);
        if constexpr (requires { a.free(row); })
          if (a.is_filtered(row)) sum = times(a.free(row), sum);
        store(sum + kDamping * load(z[at(row)]), z[at(row)]);
      },
      kRowChunk);
}

}  // namespace

bool Multigrid::add_level(const MatrixPattern& fine) {
  Level level;
  level.interpolation = aggregate(graph_of(fine));
  const int coarse = level.interpolation.coarse_count();
  if (coarse > kLeastReduction * fine.row_count()) return false;
  level.product = std::make_unique<GalerkinProduct>(fine, level.interpolation);
  level.matrix.set_pattern(level.product->pattern());
  level.vectors.resize(coarse);
  levels_.push_back(std::move(level));
  return true;
}

void Multigrid::build() {
  levels_.clear();
  const auto last = [&]() -> const MatrixPattern& {
    return levels_.empty() ? *pattern_ : levels_.back().matrix.pattern();
  };
  while (last().row_count() > kCoarsestRows && add_level(last())) {
  }
  direct_ = last().row_count() <= kCoarsestRows;
  vectors_ = {};
  vectors_.product.assign(at(pattern_->row_count()) + 1, Vec3::Zero());
  is_built_ = true;
}

void Multigrid::factor(const FilteredMatrix& matrix, PairCouplings& couplings) {
  finest_ = &matrix;
  const Shared<MatrixPattern>& pattern = matrix.matrix().shared_pattern();
  if (!is_built_ || pattern != pattern_) {
    pattern_ = pattern;
    build();
  }
  for (size_t k = 0; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    if (k == 0)
      level.product->compute(matrix, level.interpolation, vectors_.product, level.vectors.z, level.matrix);
    else
      level.product->compute(levels_[k - 1].matrix, level.interpolation, levels_[k - 1].vectors.product,
                             level.vectors.z, level.matrix);
  }
  couple(couplings);
}

void Multigrid::couple(PairCouplings& couplings) {
  finest_couplings_ = &couplings;
  for (size_t k = 0; k < levels_.size(); ++k) {
    restrict_couplings(this->couplings(k), k == 0 ? finest_ : nullptr, levels_[k].interpolation,
                       levels_[k].couplings);
    levels_[k].matrix.couple(levels_[k].couplings);
  }
  is_coarsest_factored_ = false;
}

void Multigrid::factor_coarsest() {
  const int n = levels_.empty() ? finest_->row_count() : levels_.back().matrix.row_count();
  const auto filtered = [&](int row, int column, const Mat3& block) {
    return levels_.empty() ? finest_->filtered(row, column, block) : block;
  };
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  std::vector<Vec3> unit(at(n) + 1, Vec3::Zero()), column(at(n) + 1);
  for (int j = 0; j < 3 * n; ++j) {
    unit[at(j / 3)] = Vec3::Unit(j % 3);
    if (levels_.empty()) {
      finest_->filter(unit);
      finest_->multiply(unit, column);
    } else {
      levels_.back().matrix.multiply(unit, column);
    }
    unit[at(j / 3)].setZero();
    dense.col(j) = Eigen::Map<const Eigen::VectorXd>(column.data()->data(), 3 * n);
  }
  const PairCouplings& c = couplings(levels_.size());
  for (int k = 0; k < c.count(); ++k)
    for (const auto& one : c.entries(k))
      for (const auto& other : c.entries(k))
        dense.block<3, 3>(3 * one.row, 3 * other.row) +=
            filtered(one.row, other.row, c.strength(k) * one.direction * other.direction.transpose());
  // Directions that are constrained in all members have no stiffness; above rounding any number will do for
  // them.
  constexpr double kRounding = 1e-6;
  const double shift = n > 0 ? kRounding * dense.diagonal().maxCoeff() : 0;
  dense.diagonal().array() += shift > 0 ? shift : 1.0;
  coarsest_.compute(dense);
  is_coarsest_factored_ = true;
}

void Multigrid::solve_directly(Vectors& v) {
  if (!is_coarsest_factored_) factor_coarsest();
  v.z = v.b;
  const int n = static_cast<int>(v.b.size()) - 1;
  if (levels_.empty())
    finest_->filter(v.z);  // rounding in constrained directions would come back multiplied by 1 / shift
  Eigen::Map<Eigen::VectorXd> values(v.z.data()->data(), 3 * n);
  coarsest_.solveInPlace(values);
}

template <class Matrix>
void Multigrid::multiply(const Matrix& a, size_t level, Vectors& v) {
  a.multiply(v.z, v.product);
  PairCouplings& c = couplings(level);
  if (c.empty()) return;
  c.add_product(v.z, 1, v.product);
  a.filter(v.product);
}

/// z = z + w D^-1 (b - A z)
template <class Matrix>
void Multigrid::smooth(const Matrix& a, size_t level, Vectors& v) {
  multiply(a, level, v);
  parallel_for(
      a.row_count(),
      [&](int row) {
        const Lanes residual = load(v.b[at(row)]) - load(v.product[at(row)]);
        store(load(v.z[at(row)]) + kDamping * a.inverse_times(row, residual), v.z[at(row)]);
      },
      kRowChunk);
}

template <class Matrix>
void Multigrid::cycle(const Matrix& a, size_t level, Vectors& v) {
  if (level == levels_.size()) {
    if (direct_) return solve_directly(v);
    parallel_for(a.row_count(), [&](int row) { v.z[at(row)] *= kDamping; });
    return smooth(a, level, v);
  }
  Level& next = levels_[level];
  multiply(a, level, v);
  restrict_to(next.interpolation, next.matrix, v.b, v.product, next.vectors.b, next.vectors.z);
  cycle(level + 1, next.vectors);
  correct(a, next.interpolation, next.vectors.z, v.z);
  smooth(a, level, v);
}

void Multigrid::cycle(size_t level, Vectors& v) {
  if (level == 0)
    cycle(*finest_, level, v);
  else
    cycle(levels_[level - 1].matrix, level, v);
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
  std::vector<int> sizes{pattern_->row_count()};
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
