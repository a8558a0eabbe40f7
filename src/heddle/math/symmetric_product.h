#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/lanes.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace heddle {

/// Entries of a vector, for multiply_symmetric().
inline auto values_of(std::span<const Vec3> x) {
  return [x = x.data()](int row) { return x[row].data(); };
}

/// Three values of a column, and the one behind them, which means nothing.
inline Lanes load_column(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline Lanes load_column(const float* from) {
  return __builtin_convertvector(load_floats(from), Lanes);
}

/// B x for a block that is stored column by column with a value behind it.
template <class Real>
inline Lanes times_block(const Real* b, const double* x) {
  return (load_column(b) * x[0] + load_column(b + 3) * x[1]) + load_column(b + 6) * x[2];
}

/// y += B^T x
template <class Real>
inline void add_transposed(const Real* b, const double* x, double* y) {
  for (int i = 0; i < 3; ++i, b += 3)
    y[i] += (static_cast<double>(b[0]) * x[0] + static_cast<double>(b[1]) * x[1]) +
            static_cast<double>(b[2]) * x[2];
}

/// What the rows of one part, their blocks and the transposes within the part give to y.
template <class Matrix, class X>
void multiply_part(const MatrixPattern& pattern, const Matrix& a, RowRange rows, const X& x, Vec3* y) {
  const BlockPattern &general = pattern.general, &isotropic = pattern.isotropic;
  Vec3 beyond = Vec3::Zero();  // takes what goes to later parts, which add it themselves
  std::fill(y + rows.begin, y + rows.end, Vec3::Zero());
  for (int row = rows.begin; row < rows.end; ++row) {
    const auto i = static_cast<size_t>(row);
    const double* const from = x(row);
    const double x0 = from[0], x1 = from[1], x2 = from[2];
    const double* d = a.diagonal_values(row);
    double s0 = d[0] * x0 + d[3] * x1 + d[6] * x2;
    double s1 = d[1] * x0 + d[4] * x1 + d[7] * x2;
    double s2 = d[2] * x0 + d[5] * x1 + d[8] * x2;
    for (int k = general.row_start[i] + 1; k < general.row_start[i + 1]; ++k) {
      const int column = general.columns[static_cast<size_t>(k)];
      const auto* m = a.general_values(row, k);
      const double* v = x(column);
      double* other = column < rows.end ? y[column].data() : beyond.data();
      const double v0 = v[0], v1 = v[1], v2 = v[2];
      const double m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7],
                   m8 = m[8];
      s0 += m0 * v0 + m3 * v1 + m6 * v2;
      s1 += m1 * v0 + m4 * v1 + m7 * v2;
      s2 += m2 * v0 + m5 * v1 + m8 * v2;
      other[0] += m0 * x0 + m1 * x1 + m2 * x2;
      other[1] += m3 * x0 + m4 * x1 + m5 * x2;
      other[2] += m6 * x0 + m7 * x1 + m8 * x2;
    }
    for (int k = isotropic.row_start[i]; k < isotropic.row_start[i + 1]; ++k) {
      const int column = isotropic.columns[static_cast<size_t>(k)];
      const double block = a.isotropic_block(k);
      const double* v = x(column);
      double* other = column < rows.end ? y[column].data() : beyond.data();
      s0 += block * v[0];
      s1 += block * v[1];
      s2 += block * v[2];
      other[0] += block * x0;
      other[1] += block * x1;
      other[2] += block * x2;
    }
    y[row] += Vec3(s0, s1, s2);
  }
}

/// y = A x for a symmetric matrix of which the upper triangle is stored; x(row) points to three numbers. The
/// same bits for any number of threads.
template <class Matrix, class X>
void multiply_symmetric(const MatrixPattern& pattern, const Matrix& a, const X& x, std::span<Vec3> y) {
  const UpperRows& parts = a.upper_rows();
  for_chunks(
      pattern.row_count(),
      [&](int begin, int end, int part) {
        multiply_part(pattern, a, {begin, end}, x, y.data());
        // Transposes of blocks of earlier parts.
        for (const auto& [row, place] : parts.reaching(part)) {
          const double* from = x(row);
          if (place >= 0) {
            const int column = pattern.general.columns[static_cast<size_t>(place)];
            add_transposed(a.general_values(row, place), from, y[static_cast<size_t>(column)].data());
          } else {
            Vec3& to = y[static_cast<size_t>(pattern.isotropic.columns[static_cast<size_t>(~place)])];
            store(load(to) + a.isotropic_block(~place) * Lanes{from[0], from[1], from[2], 0}, to);
          }
        }
      },
      parts.part_size());
}

}  // namespace heddle
