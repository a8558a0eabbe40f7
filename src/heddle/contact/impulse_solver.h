#pragma once

#include <heddle/contact/pair_contact.h>

#include <span>

namespace heddle {

/// What impulses act on. Particles of no inverse mass move as told.
struct Bodies {
  std::span<const Vec3> begin;           // m, at the beginning of the step
  std::span<const double> inverse_mass;  // 1/kg
  std::span<Vec3> velocity;              // m/s, during the step
  double dt = 0;                         // s
};

/// One sweep of sequential impulses (Gauss-Seidel): each contact in turn gets the impulse that it lacks, or
/// gives back what it has too much of, never pulling, and the friction that its pressure allows
/// (Bridson, Fedkiw, Anderson 2002, with Coulomb's law on the sums). Equal and opposite: momentum is kept.
/// Returns by how many times its slack the worst contact was violated; it is enough if that is below 1.
double apply_impulses(std::span<PairContact> pairs, std::span<PlaneContact> planes, const Bodies& bodies);

}  // namespace heddle
