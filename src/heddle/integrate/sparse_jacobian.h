#pragma once

#include <heddle/math/block_matrix.h>

#include <span>

namespace heddle {

/// The blocks of a pattern, all beside the diagonal as multiples of the identity.
MatrixPattern sparse_pattern(const MatrixPattern& pattern);

/// A sparse stand-in for M + stiffness and damping: a weighted graph Laplacian, whose blocks are numbers, so
/// that a product costs a third or less (Hauth et al. 2002, (62) to (64), corrected). Each block A_ij becomes
/// -|A_ij|, as a spring between i and j that is as stiff in all directions, so that the stand-in is the
/// larger one and simplified Newton converges. `sparse` has the sparse_pattern of `matrix`.
void sparsify(const BlockMatrix& matrix, std::span<const double> mass, BlockMatrix& sparse);

}  // namespace heddle
