#include <heddle/solve/preconditioner.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

void BlockJacobi::apply(std::span<const Vec3> r, std::span<Vec3> z) {
  parallel_for(matrix_->row_count(), [&](int row) {
    const auto i = static_cast<size_t>(row);
    z[i] = matrix_->diagonal_inverse(row) * r[i];
  });
}

}  // namespace heddle
