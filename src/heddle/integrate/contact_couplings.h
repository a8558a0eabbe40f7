#pragma once

#include <heddle/dynamics/brake.h>
#include <heddle/dynamics/pair_spring.h>
#include <heddle/solve/pair_coupling.h>

namespace heddle {

/// The matrix of a spring between surfaces.
PairCoupling coupling_of(const PairSpring& spring, double strength);
/// That of a brake.
PairCoupling coupling_of(const Brake& brake, double strength);
/// Impulse per speed of a spring, kg: its own, or so much that it leaves a small part of an intrusion.
double strength_of(const PairSpring& spring, std::span<const double> mass);

}  // namespace heddle
