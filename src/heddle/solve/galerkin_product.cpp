#include <heddle/parallel/parallel.h>
#include <heddle/solve/hierarchy.h>

#include <algorithm>
#include <array>

namespace heddle {

namespace {

constexpr int kBlock = BlockMatrix::kBlock;

size_t at(int i) {
  return static_cast<size_t>(i);
}

void make_set(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Coarse rows that a fine row and those right of it in its row see.
std::vector<int> seen_by(const MatrixPattern& fine, const Interpolation& p, int row) {
  std::vector<int> seen;
  for (const BlockPattern* pattern : {&fine.general, &fine.isotropic})
    for (int k = pattern->row_start[at(row)]; k < pattern->row_start[at(row) + 1]; ++k) {
      const int column = pattern->columns[at(k)];
      seen.insert(seen.end(), p.coarse.begin() + p.fine_start[at(column)],
                  p.coarse.begin() + p.fine_start[at(column) + 1]);
    }
  make_set(seen);
  return seen;
}

MatrixPattern pattern_of(std::vector<std::vector<int>> rows) {
  MatrixPattern out;
  for (size_t row = 0; row < rows.size(); ++row) {
    rows[row].push_back(static_cast<int>(row));
    make_set(rows[row]);
    out.general.columns.insert(out.general.columns.end(), rows[row].begin(), rows[row].end());
    out.general.row_start.push_back(out.general.block_count());
  }
  out.isotropic.row_start.resize(rows.size() + 1);
  shrink(out.general.row_start, out.general.columns, out.isotropic.row_start);
  return out;
}

}  // namespace

GalerkinProduct::GalerkinProduct(const MatrixPattern& fine, const Interpolation& p) {
  std::vector<std::vector<int>> rows(at(p.coarse_count())), seen;
  size_t most = 1;
  for (int row = 0; row < fine.row_count(); ++row) {
    seen.push_back(seen_by(fine, p, row));
    most = std::max(most, seen.back().size());
    for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
      for (const int other : seen.back())
        if (const int own = p.coarse[at(k)]; own != other)
          rows[at(std::min(own, other))].push_back(std::max(own, other));
    // Lists of what many rows see grow long.
    constexpr size_t kLong = 256;
    for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
      if (rows[at(p.coarse[at(k)])].size() > kLong) make_set(rows[at(p.coarse[at(k)])]);
  }
  coarse_ = Shared(pattern_of(std::move(rows)));
  std::vector<int> nodes;
  nodes.reserve(most * seen.size());
  for (std::vector<int>& row : seen) {
    row.resize(most, row.front());
    nodes.insert(nodes.end(), row.begin(), row.end());
  }
  colouring_ = ChunkColouring(nodes, static_cast<int>(most), p.coarse_count());
}

struct GalerkinProduct::HalfRow {
  using Block = std::array<float, kBlock>;
  std::vector<int> columns;
  std::vector<Block> blocks;

  void clear() {
    columns.clear();
    blocks.clear();
  }
  Block& block(int column) {
    const auto found = std::find(columns.begin(), columns.end(), column);
    if (found != columns.end()) return blocks[static_cast<size_t>(found - columns.begin())];
    columns.push_back(column);
    return blocks.emplace_back(Block{});
  }
  /// scale * block * row `column` of P
  template <class Real>
  void add(const Real* values, float scale, int column, const Interpolation& p) {
    Block rounded;
    for (size_t i = 0; i < kBlock; ++i) rounded[i] = scale * static_cast<float>(values[i]);
    for (int k = p.fine_start[at(column)]; k < p.fine_start[at(column) + 1]; ++k) {
      Block& to = block(p.coarse[at(k)]);
      const float weight = p.weight[at(k)];
      for (size_t i = 0; i < kBlock; ++i) to[i] += weight * rounded[i];
    }
  }
  void add_isotropic(float value, int column, const Interpolation& p) {
    for (int k = p.fine_start[at(column)]; k < p.fine_start[at(column) + 1]; ++k) {
      Block& to = block(p.coarse[at(k)]);
      for (size_t i = 0; i < kBlock; i += 4) to[i] += p.weight[at(k)] * value;
    }
  }

  void take(const CoarseMatrix& fine, const Interpolation& p, int row) {
    clear();
    const BlockPattern& general = fine.pattern().general;
    add(fine.blocks().diagonal_values(row), 0.5F, row, p);
    for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k)
      add(fine.blocks().general_values(row, k), 1, general.columns[at(k)], p);
  }

  void take(const FilteredMatrix& fine, const Interpolation& p, int row) {
    clear();
    const BlockPattern &general = fine.pattern().general, &isotropic = fine.pattern().isotropic;
    const bool filtered = fine.is_filtered(row);
    for (int k = general.row_start[at(row)]; k < general.row_start[at(row) + 1]; ++k) {
      const int column = general.columns[at(k)];
      const float scale = column == row ? 0.5F : 1.0F;
      if (filtered || fine.is_filtered(column))
        add(fine.filtered(row, column, fine.matrix().block(k)).data(), scale, column, p);
      else
        add(fine.matrix().general_values(row, k), scale, column, p);
    }
    for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k) {
      const int column = isotropic.columns[at(k)];
      const double value = fine.matrix().isotropic_block(k);
      if (filtered || fine.is_filtered(column))
        add(fine.filtered(row, column, value * Mat3::Identity()).data(), 1, column, p);
      else
        add_isotropic(static_cast<float>(value), column, p);
    }
  }
};

void GalerkinProduct::add_row(int row, const HalfRow& half, const Interpolation& p,
                              RoundedMatrix& coarse) const {
  const BlockPattern& pattern = coarse_->general;
  for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k) {
    const int own = p.coarse[at(k)];
    const float weight = p.weight[at(k)];
    for (size_t h = 0; h < half.columns.size(); ++h) {
      const int other = half.columns[h];
      if (own == other) continue;  // the diagonal follows from sums of rows
      const int first = std::min(own, other), second = std::max(own, other);
      int slot = pattern.row_start[at(first)] + 1;
      while (pattern.columns[at(slot)] != second) ++slot;  // rows are short
      float* to = coarse.general_values(first, slot);
      const HalfRow::Block& from = half.blocks[h];
      if (own < other)
        for (size_t i = 0; i < kBlock; ++i) to[i] += weight * from[i];
      else
        for (size_t i = 0; i < kBlock; ++i) to[i] += weight * from[3 * (i % 3) + i / 3];
    }
  }
}

template <class Fine>
void GalerkinProduct::compute_from(const Fine& fine, const Interpolation& p, std::span<Vec3> fine_scratch,
                                   std::span<Vec3> coarse_scratch, CoarseMatrix& coarse) const {
  RoundedMatrix& blocks = coarse.blocks();
  blocks.set_zero();
  colouring_.for_elements([&](int begin, int end) {
    HalfRow half;
    for (int row = begin; row < end; ++row) {
      half.take(fine, p, row);
      add_row(row, half, p, blocks);
    }
  });
  // Sums of rows pass exactly because the weights sum to 1: P^T S A S P e_k = P^T S A S e_k.
  for (int k = 0; k < 3; ++k) {
    fine.sum_columns(k, fine_scratch);
    blocks.sum_columns(k, coarse_scratch);  // its diagonal is still zero here
    parallel_for(p.coarse_count(), [&](int row) {
      Lanes sum = -load(coarse_scratch[at(row)]);
      for (int m = p.coarse_start[at(row)]; m < p.coarse_start[at(row) + 1]; ++m)
        sum += static_cast<double>(p.fine_weight[at(m)]) * load(fine_scratch[at(p.fine[at(m)])]);
      blocks.diagonal(row).col(k) = Vec3(sum[0], sum[1], sum[2]);
    });
  }
  coarse.invert_diagonal();
}

void GalerkinProduct::compute(const FilteredMatrix& fine, const Interpolation& p,
                              std::span<Vec3> fine_scratch, std::span<Vec3> coarse_scratch,
                              CoarseMatrix& coarse) const {
  compute_from(fine, p, fine_scratch, coarse_scratch, coarse);
}

void GalerkinProduct::compute(const CoarseMatrix& fine, const Interpolation& p, std::span<Vec3> fine_scratch,
                              std::span<Vec3> coarse_scratch, CoarseMatrix& coarse) const {
  compute_from(fine, p, fine_scratch, coarse_scratch, coarse);
}

void CoarseMatrix::set_pattern(const Shared<MatrixPattern>& pattern) {
  blocks_.set_pattern(pattern);
  inverse_.assign(at(pattern->row_count()), {});
  coupled_.clear();
}

void CoarseMatrix::invert(int row, const Mat3& extra) {
  const Mat3 block = blocks_.diagonal(row);
  inverse_[at(row)] = SymmetricBlock(safe_inverse(0.5 * (block + block.transpose()), extra));
}

void CoarseMatrix::invert_diagonal() {
  coupled_.clear();
  parallel_for(row_count(), [&](int row) { invert(row); });
}

void CoarseMatrix::couple(const PairCouplings& couplings) {
  for (const int row : coupled_) invert(row);
  coupled_.assign(couplings.rows().begin(), couplings.rows().end());
  parallel_for(static_cast<int>(coupled_.size()),
               [&](int k) { invert(coupled_[at(k)], couplings.diagonal(k)); });
}

size_t CoarseMatrix::bytes() const {
  return blocks_.bytes() + bytes_of(inverse_, coupled_);
}

}  // namespace heddle
