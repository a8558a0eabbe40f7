#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/simulation.h>

namespace heddle {

/// The elements of a cloth that may be treated differently; none if all always are treated alike.
std::vector<SnapshotElements> drawable_elements(const Simulation& sim, const ClothPart& cloth);

/// The components that the integrator found, per particle, numbered so that those of one particle come last:
/// colours are few and shall tell the others apart.
std::vector<int> drawable_components(std::span<const int> components);

/// s, from event to event of the quickest element of each particle in the last step, which took dt (s); empty
/// if all elements step alike.
std::vector<float> paces_of(const Simulation& sim, double dt);

/// How a step of length dt (s) from the state of the simulation treats elements.
class TreatmentFinder {
 public:
  TreatmentFinder(const Simulation& sim, double dt);
  /// Of the drawable elements of a cloth.
  std::vector<SnapshotTreatment> of(const ClothPart& cloth) const;

 private:
  struct Term {
    ElementShapes shapes;
    std::vector<Treatment> treatments;
  };
  std::vector<Term> terms_;
};

}  // namespace heddle
