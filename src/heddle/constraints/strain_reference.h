#pragma once

#include <heddle/constraints/strain_kernel.h>

namespace heddle {

/// The linear problem of one face as Thomaszewski 2010 states it, for comparison with move_by_strain: six
/// unknowns (three corners in the plane of the face), three strains, two linear momenta, one angular one.
using FaceMatrix = Eigen::Matrix<double, 6, 6>;
using FaceVector = Eigen::Matrix<double, 6, 1>;

/// (3.11); `mass` must be finite.
FaceMatrix strain_system(const RestFace& rest, const FaceStretch& now, const FaceMasses& mass);

/// By a direct solve of the 6x6 system.
FacePoints move_by_dense_solve(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                               const FaceMasses& mass);

/// By the Schur complement of the angular row (3.13 with ERR-11); the inverse of the 5x5 block is that of the
/// rest state. Which unknown is left to the end is chosen per face: for the last one, as printed, the block
/// is singular for every triangle that is symmetric to the warp.
class SchurFace {
 public:
  SchurFace(const RestFace& rest, const FaceMasses& mass);
  FacePoints move(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change) const;
  int last_unknown() const { return last_; }

 private:
  Eigen::Matrix<double, 5, 5> inverse_;
  Eigen::Matrix<double, 5, 1> eliminated_;  // inverse times the column of the last unknown
  FaceMasses mass_;
  int last_ = 5;
};

/// Fixed corners as printed: their columns are left out and the rest is solved in the sense of least squares.
FacePoints move_by_least_squares(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                                 const FaceMasses& mass);

}  // namespace heddle
