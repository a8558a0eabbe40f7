#include <heddle/constraints/sweep_limits.h>

namespace heddle {

namespace {

FaceCorrection correction_from(const std::string& word) {
  return word == "hold" ? FaceCorrection::hold : FaceCorrection::least;
}

const std::string kCorrectionDoc =
    "How a face gets back within its limits: \"least\" by the shortest way; \"hold\" so that the modes "
    "within "
    "their limits keep their strain (as published), which may build up where many faces are beyond them.";

const std::string kActiveDoc =
    "After the first iteration look only at what was corrected and its neighbours.";

}  // namespace

void LimitParameters::describe(Describer<LimitParameters>& d) {
  d.type("limit_parameters", "part", "What all ways of limiting strain have.");
  d.parameter("tolerance", &LimitParameters::tolerance,
              {.doc = "By how much strains may be beyond their limits at the end of a step.",
               .minimum = 1e-8,
               .maximum = 0.1});
  d.parameter(
      "rate_limit", &LimitParameters::rate_limit,
      {.unit = "1/s",
       .doc = "Largest rate of strain at the end of a step, after collisions; without it rates are not "
              "limited.",
       .minimum = 1e-3,
       .maximum = 1e6});
}

void GaussSeidelLimits::describe(Describer<GaussSeidelLimits>& d) {
  d.type("gauss_seidel", "limits",
         "Strain limits kept by correcting one face after the other, in random order, again and again.");
  d.include(&GaussSeidelLimits::common);
  d.parameter("correction", &GaussSeidelLimits::correction,
              {.unit = "", .doc = kCorrectionDoc, .choices = {"least", "hold"}});
  d.parameter("iterations", &GaussSeidelLimits::iterations,
              {.unit = "", .doc = "Passes over the faces in a step, at most.", .minimum = 1, .maximum = 1e6});
  d.parameter("active_set", &GaussSeidelLimits::active_set, {.unit = "", .doc = kActiveDoc});
  d.parameter("seed", &GaussSeidelLimits::seed,
              {.unit = "", .doc = "Of the random order; the same seed gives the same result.", .minimum = 0});
}

void JacobiLimits::describe(Describer<JacobiLimits>& d) {
  d.type("jacobi", "limits",
         "Strain limits kept by correcting all faces at once, again and again; depends on no order.");
  d.include(&JacobiLimits::common);
  d.parameter("correction", &JacobiLimits::correction,
              {.unit = "", .doc = kCorrectionDoc, .choices = {"least", "hold"}});
  d.parameter("iterations", &JacobiLimits::iterations,
              {.unit = "", .doc = "Passes over the faces in a step, at most.", .minimum = 1, .maximum = 1e6});
  d.parameter("active_set", &JacobiLimits::active_set, {.unit = "", .doc = kActiveDoc});
  d.parameter(
      "average", &JacobiLimits::average,
      {.unit = "",
       .doc = "Faces share the mass of their corners, which makes iterations converge; false adds "
              "corrections up (as published), which diverges where many faces are beyond their limits."});
  d.parameter("relaxation", &JacobiLimits::relaxation,
              {.doc = "Part of each correction that is applied.", .minimum = 0.01, .maximum = 1.9});
}

void EdgeLimits::describe(Describer<EdgeLimits>& d) {
  d.type(
      "edges", "limits",
      "One strain limit for the length of every edge, whatever its direction: the usual method before limits "
      "of faces, for comparison. The limits of fabrics are not used.");
  d.include(&EdgeLimits::common);
  d.parameter(
      "limit", &EdgeLimits::limit,
      {.doc = "Largest change of the length of an edge, as a share of it.", .minimum = 1e-4, .maximum = 1});
  d.parameter("iterations", &EdgeLimits::iterations,
              {.unit = "", .doc = "Passes over the edges in a step, at most.", .minimum = 1, .maximum = 1e6});
  d.parameter("active_set", &EdgeLimits::active_set, {.unit = "", .doc = kActiveDoc});
  d.parameter("at_once", &EdgeLimits::at_once,
              {.unit = "", .doc = "Correct all edges at once instead of one after the other."});
  d.parameter("seed", &EdgeLimits::seed,
              {.unit = "", .doc = "Of the random order; the same seed gives the same result.", .minimum = 0});
}

std::unique_ptr<StrainLimiter> GaussSeidelLimits::build(LimitedFaces faces) const {
  return std::make_unique<SweepLimiter>(
      std::move(faces), common, correction_from(correction),
      SweepSettings{.most = iterations, .active_set = active_set, .seed = static_cast<std::uint64_t>(seed)});
}

std::unique_ptr<StrainLimiter> JacobiLimits::build(LimitedFaces faces) const {
  return std::make_unique<SweepLimiter>(std::move(faces), common, correction_from(correction),
                                        SweepSettings{.most = iterations,
                                                      .at_once = true,
                                                      .active_set = active_set,
                                                      .average = average,
                                                      .relaxation = relaxation});
}

std::unique_ptr<StrainLimiter> EdgeLimits::build(LimitedFaces faces) const {
  return std::make_unique<EdgeLimiter>(std::move(faces), common, limit,
                                       SweepSettings{.most = iterations,
                                                     .at_once = at_once,
                                                     .active_set = active_set,
                                                     .seed = static_cast<std::uint64_t>(seed)});
}

LimitReport SweepLimiter::limit(const LimitedParticles& particles, std::span<Vec3> x) {
  return sweeps_.run(StrainElements{faces_, common_.tolerance, correction_}, settings_, particles, x);
}

LimitReport SweepLimiter::limit_rates(const LimitedParticles& particles, std::span<const Vec3> x,
                                      std::span<Vec3> v) {
  if (!common_.rate_limit) return {};
  const RateElements elements{faces_, x, *common_.rate_limit, common_.tolerance, correction_};
  return sweeps_.run(elements, settings_, particles, v);
}

EdgeLimiter::EdgeLimiter(LimitedFaces faces, const LimitParameters& common, double limit,
                         const SweepSettings& settings)
    : SweepLimiter(std::move(faces), common, FaceCorrection::least, settings),
      edges_(faces_, faces_.incidence().particle_count(), limit, common.tolerance) {}

LimitReport EdgeLimiter::limit(const LimitedParticles& particles, std::span<Vec3> x) {
  return sweeps_.run(edges_, settings_, particles, x);
}

}  // namespace heddle
