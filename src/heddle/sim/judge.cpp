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

/// Largest change of a component of Green strain.
double strain_change(const StrainGauge& gauge, const State& before, const State& after) {
  std::vector<double> largest(at(chunk_count(gauge.face_count())));
  for_chunks(gauge.face_count(), [&](int begin, int end, int chunk) {
    double& part = largest[at(chunk)];
    for (int face = begin; face < end; ++face) {
      const FaceStrain a = gauge.strain(face, before.x), b = gauge.strain(face, after.x);
      part =
          std::max({part, std::abs(b.weft - a.weft), std::abs(b.warp - a.warp), std::abs(b.shear - a.shear)});
    }
  });
  return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
}

/// Segments of rods that turn farther in a step (rad), or whose frames do, leave out twist.
constexpr double kLargestTurn = 1;

/// Of the segments of a rod within a step.
struct RodChange {
  double strain = 0;  // 1
  double turn = 0;    // rad
};

RodChange rod_change(const RodPart& rod, const State& before, const State& after) {
  RodChange largest;
  for (size_t s = 0; s < rod.place.segments.size(); ++s) {
    const RodSegment& segment = rod.place.segments[s];
    const Vec3 a = before.x[at(segment.ends[1])] - before.x[at(segment.ends[0])],
               b = after.x[at(segment.ends[1])] - after.x[at(segment.ends[0])];
    largest.strain = std::max(largest.strain, std::abs(b.norm() - a.norm()) / rod.rest_lengths[s]);
    const Vec3& x = after.x[at(segment.turning)];
    const double turned = rod.place.unscale ? rod.place.unscale->cwiseProduct(x).norm() : std::abs(x[0]);
    largest.turn = std::max({largest.turn, turned, std::atan2(a.cross(b).norm(), a.dot(b))});
  }
  return largest;
}

/// A step of one linear solve turns edges along their tangents and so stretches them; of a very stiff cloth
/// that makes more energy than the motion had. Measured on cloth over a sphere: sound steps make up to 0.4 of
/// the kinetic energy on impact, unsound ones several times of it.
constexpr double kLargestGain = 0.5;  // of the kinetic energy
/// Energies of motions slower than this do not matter, m/s.
constexpr double kSlow = 0.1;

}  // namespace

bool makes_energy(const System& system, const State& before, const State& after, double outer_work) {
  const double kinetic = system.kinetic_energy(configuration_of(after));
  const double mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  const double limit = kLargestGain * kinetic + 0.5 * mass * kSlow * kSlow;
  const double gain = kinetic - system.kinetic_energy(configuration_of(before)) - outer_work +
                      system.inner_energy(configuration_of(after)) -
                      system.inner_energy(configuration_of(before));
  return gain > limit;
}

void judge(const Model& model, const State& before, const State& after, StepReport& report) {
  if (report.outcome != StepOutcome::accepted) return;
  if (!is_finite(after)) {
    report.outcome = StepOutcome::retry_smaller;
    report.reason =
        "positions or velocities are not finite; look for materials or forces far from everyday values";
    return;
  }
  for (const RodPart& rod : model.rods) {
    const RodChange change = rod_change(rod, before, after);
    if (change.strain <= kLargestStrainChange && change.turn <= kLargestTurn) continue;
    report.outcome = StepOutcome::retry_smaller;
    report.reason = "a segment of rod " + in_quotes(rod.name) + " changed its length by " +
                    short_number_text(100 * change.strain) + " % and its direction by " +
                    short_number_text(change.turn) +
                    " rad in one step; shorten integrator.time_step, or look for ends that move too fast";
    return;
  }
  double change = 0;
  for (const ClothPart& cloth : model.cloths)
    change = std::max(change, strain_change(cloth.gauge, before, after));
  if (change <= kLargestStrainChange) return;
  report.outcome = StepOutcome::retry_smaller;
  report.reason =
      "a triangle changed its strain by " + short_number_text(change) +
      " in one step; look for pins and obstacles that move too fast, or cloth that is torn between them";
}

StrainExtremes strain_extremes(const Model& model, const State& state) {
  if (model.cloths.empty()) return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  StrainExtremes result{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  for (const ClothPart& cloth : model.cloths)
    for (int face = 0; face < cloth.gauge.face_count(); ++face) {
      const FaceStrain s = cloth.gauge.strain(face, state.x);
      result.largest = {std::max(result.largest.weft, s.weft), std::max(result.largest.warp, s.warp),
                        std::max(result.largest.shear, s.shear)};
      result.smallest = {std::min(result.smallest.weft, s.weft), std::min(result.smallest.warp, s.warp),
                         std::min(result.smallest.shear, s.shear)};
    }
  return result;
}

}  // namespace heddle
