#include <heddle/sim/judge.h>

#include <heddle/core/text.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Change of Green strain within one step above which the linearised forces are not trusted
/// (the limit of Thomaszewski 2010, 4.2). Without it the impact on a sphere strains the cloth by 0.3.
constexpr double kLargestStrainChange = 0.1;

/// What one step did to a membrane.
struct MembraneChange {
  double strain = 0;  // largest change of a component
  double energy = 0;  // J
};

MembraneChange change_of(const StvkMembraneKernel& membrane, const State& before, const State& after) {
  const int faces = static_cast<int>(membrane.nodes.size());
  std::vector<MembraneChange> parts(at(chunk_count(faces)));
  for_chunks(faces, [&](int begin, int end, int chunk) {
    MembraneChange& part = parts[at(chunk)];
    for (int e = begin; e < end; ++e) {
      const MembraneStrain a = membrane.strain(e, corners(membrane.nodes[at(e)], before));
      const MembraneStrain b = membrane.strain(e, corners(membrane.nodes[at(e)], after));
      part.strain = std::max(
          {part.strain, std::abs(b.weft - a.weft), std::abs(b.warp - a.warp), std::abs(b.shear - a.shear)});
      part.energy += membrane.energy(e, b) - membrane.energy(e, a);
    }
  });
  MembraneChange total;
  for (const MembraneChange& part : parts) {
    total.strain = std::max(total.strain, part.strain);
    total.energy += part.energy;
  }
  return total;
}

MembraneChange change_of(const Model& model, const State& before, const State& after) {
  MembraneChange total;
  for (const ClothPart& cloth : model.cloths) {
    const MembraneChange own = change_of(*cloth.membrane, before, after);
    total.strain = std::max(total.strain, own.strain);
    total.energy += own.energy;
  }
  return total;
}

/// A step of one linear solve turns edges along their tangents and so stretches them; of a very stiff cloth
/// that makes more energy than the motion had. Measured on cloth over a sphere: sound steps make up to 0.4 of
/// the kinetic energy on impact, unsound ones several times of it.
constexpr double kLargestGain = 0.5;  // of the kinetic energy
/// Energies of motions slower than this do not matter, m/s.
constexpr double kSlow = 0.1;

/// Energy of the conservative forces between particles, without that of membranes, J.
double other_inner_energy(const System& system, const State& state) {
  double sum = 0;
  for (const auto& term : system.terms())
    if (term->is_conservative() && !term->is_external() && term->name() != StvkMembraneKernel::kName)
      sum += term->energy(configuration_of(state));
  return sum;
}

/// True if the step made energy from nothing; `membrane_change` (J) is what the membranes got beyond the work
/// from outside.
bool gains_energy(const System& system, const State& before, const State& after, double membrane_change) {
  const double kinetic = system.kinetic_energy(configuration_of(after));
  const double mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  const double limit = kLargestGain * kinetic + 0.5 * mass * kSlow * kSlow;
  const double gain = kinetic - system.kinetic_energy(configuration_of(before)) + membrane_change;
  if (gain <= limit) return false;
  return gain + other_inner_energy(system, after) - other_inner_energy(system, before) > limit;
}

}  // namespace

double strain_change(const Model& model, const State& before, const State& after) {
  return change_of(model, before, after).strain;
}

void judge_energy(const Model& model, const State& before, const State& after, StepReport& report) {
  if (report.outcome != StepOutcome::accepted) return;
  const MembraneChange change = change_of(model, before, after);
  report.strain_change = change.strain;
  if (gains_energy(*model.system, before, after, change.energy - report.outer_work))
    report.outcome = StepOutcome::doubtful;
}

void judge(const State& after, StepReport& report) {
  if (report.outcome != StepOutcome::accepted) return;
  if (!is_finite(after)) {
    report.outcome = StepOutcome::retry_smaller;
    report.reason = "positions or velocities are not finite; lower integrator.time_step";
    return;
  }
  if (report.strain_change <= kLargestStrainChange) return;
  report.outcome = StepOutcome::retry_smaller;
  report.reason =
      "a triangle changed its strain by " + short_number_text(report.strain_change) +
      " in one step; lower integrator.time_step, or look for pins and obstacles that move too fast";
}

StrainExtremes strain_extremes(const Model& model, const State& state) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  StrainExtremes result{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  for (const ClothPart& cloth : model.cloths)
    for (size_t e = 0; e < cloth.membrane->nodes.size(); ++e) {
      const MembraneStrain s =
          cloth.membrane->strain(static_cast<int>(e), corners(cloth.membrane->nodes[e], state));
      result.largest = {std::max(result.largest.weft, s.weft), std::max(result.largest.warp, s.warp),
                        std::max(result.largest.shear, s.shear)};
      result.smallest = {std::min(result.smallest.weft, s.weft), std::min(result.smallest.warp, s.warp),
                         std::min(result.smallest.shear, s.shear)};
    }
  return result;
}

}  // namespace heddle
