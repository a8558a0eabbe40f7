#include <heddle/constraints/global_limits.h>

#include <heddle/parallel/parallel.h>
#include <heddle/solve/solver_registry.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace heddle {

namespace {

/// Weight of the gradients of faces against the way from the wanted positions: this share of the mass of the
/// cloth, for each m2 of a face.
constexpr double kWeight = 0.3;
/// Over-relaxation of the alternating directions.
constexpr double kRelaxation = 1.6;
/// Faces aim at this share of the tolerance beyond their bounds, so that few iterations suffice.
constexpr double kAim = 0.3;
/// Part of its residual that each linear solve may leave.
constexpr double kForcing = 1e-2;
constexpr int kSolverIterations = 500;

/// Residuals that the acceleration remembers; a step of it that makes the residual grow by more is taken
/// back.
constexpr int kMemory = 6;
constexpr double kMostGrowth = 1.5;

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::span<double> numbers(std::vector<Mat32>& matrices) {
  return {matrices.empty() ? nullptr : matrices[0].data(), 6 * matrices.size()};
}

/// R U' with the nearest U' within the bounds.
Mat32 nearest_gradient(const StrainBounds& bounds, const Mat32& F) {
  constexpr double kCollapsed = 1e-9;
  const Mat2 U = right_stretch(F);
  const double det = U.determinant(), trace = U.trace();
  if (!(det > kCollapsed * trace * trace)) return F;
  const PlaneStrain s = bounds.nearest({U(0, 0) - 1, U(1, 1) - 1, U(0, 1)});
  const Mat2 adjugate{{U(1, 1), -U(0, 1)}, {-U(0, 1), U(0, 0)}};
  return F * (adjugate * Mat2{{1 + s.weft, s.shear}, {s.shear, 1 + s.warp}} / det);
}

}  // namespace

void GlobalLimits::describe(Describer<GlobalLimits>& d) {
  d.type("global", "limits",
         "Strain limits kept by a few sweeps over the faces and, where these do not suffice, by all faces "
         "together. "
         "The number of iterations hardly depends on the mesh.");
  d.include(&GlobalLimits::common);
  d.parameter("sweeps", &GlobalLimits::sweeps,
              {.unit = "",
               .doc = "Passes over the faces before all are solved together.",
               .minimum = 0,
               .maximum = 1e6});
  d.parameter("iterations", &GlobalLimits::iterations,
              {.unit = "",
               .doc = "Linear systems solved for the limits of a step, at most.",
               .minimum = 1,
               .maximum = 1e5});
}

std::unique_ptr<StrainLimiter> GlobalLimits::build(LimitedFaces faces) const {
  return std::make_unique<GlobalLimiter>(std::move(faces), *this);
}

GlobalLimiter::GlobalLimiter(LimitedFaces faces, const GlobalLimits& parameters)
    : SweepLimiter(std::move(faces), parameters.common, FaceCorrection::least, {.most = 1000}),
      most_sweeps_(parameters.sweeps),
      most_iterations_(parameters.iterations),
      solver_(make_linear_solver({})),
      anderson_(kMemory, 6),
      gradient_(at(faces_.size())),
      allowed_(gradient_),
      residual_(gradient_),
      image_(gradient_) {
  for (int face = 0; face < faces_.size(); ++face) areas_.push_back(faces_.rest(face).area());
}

bool GlobalLimiter::is_within(std::span<const Vec3> x) const {
  return faces_.worst(x).excess <= common_.tolerance;
}

void GlobalLimiter::make_matrix(const LimitedParticles& particles) {
  const double mass = std::accumulate(particles.mass.begin(), particles.mass.end(), 0.0);
  if (mass == mass_) return;
  mass_ = mass;
  is_known_ = false;
  const int n = faces_.incidence().particle_count();
  BlockPatternBuilder builder(n);
  for (int face = 0; face < faces_.size(); ++face) builder.couple(faces_.nodes(face), true);
  matrix_ = BlockMatrix(builder.build());
  matrix_.set_zero();
  for (int i = 0; i < n; ++i) matrix_.diagonal(i).diagonal().array() += particles.mass[at(i)];
  for (int face = 0; face < faces_.size(); ++face) {
    const Triangle& t = faces_.nodes(face);
    const std::array<Vec2, 3> g = faces_.rest(face).gradients();
    const double weight = kWeight * mass_ * faces_.rest(face).area();
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) {
        const double value = weight * g[i].dot(g[j]);
        const int place = matrix_.pattern().place(t[i], t[j]);
        if (place == MatrixPattern::kMirrored) continue;
        if (place < 0)
          matrix_.isotropic_block(~place) += value;
        else
          matrix_.block(place).diagonal().array() += value;
      }
  }
}

void GlobalLimiter::project(int face) {
  allowed_[at(face)] =
      nearest_gradient(faces_.bounds(face).widened(kAim * common_.tolerance), gradient_[at(face)]);
}

void GlobalLimiter::move(int face, std::span<const Vec3> x) {
  const Mat32 F = deformation(faces_.rest(face), faces_.points(face, x));
  residual_[at(face)] = kRelaxation * (F - allowed_[at(face)]);
  image_[at(face)] = gradient_[at(face)] + residual_[at(face)];
}

void GlobalLimiter::find_residual(const LimitedParticles& particles, std::span<const Vec3> x) {
  rhs_.resize(x.size());
  parallel_for(static_cast<int>(x.size()), [&](int i) {
    Vec3 sum = particles.mass[at(i)] * (wanted_[at(i)] - x[at(i)]);
    for (const int face : faces_.incidence().of(i)) {
      const Triangle& t = faces_.nodes(face);
      const RestFace& rest = faces_.rest(face);
      const std::array<Vec2, 3> g = rest.gradients();
      const Mat32 off =
          2 * allowed_[at(face)] - gradient_[at(face)] - deformation(rest, faces_.points(face, x));
      for (size_t k = 0; k < 3; ++k)
        if (t[k] == i) sum += kWeight * mass_ * rest.area() * off * g[k];
    }
    rhs_[at(i)] = sum;
  });
  particles.projection.apply(rhs_);
}

int GlobalLimiter::solve(const LimitedParticles& particles, std::span<Vec3> x) {
  find_residual(particles, x);
  step_.assign(x.size(), Vec3::Zero());
  const SolverReport report = solver_->solve(
      matrix_, rhs_, rhs_, particles.projection,
      {.tolerance = kForcing, .max_iterations = kSolverIterations, .same_matrix = is_known_}, step_);
  is_known_ = true;
  parallel_for(static_cast<int>(x.size()), [&](int i) { x[at(i)] += step_[at(i)]; });
  return report.iterations;
}

LimitReport GlobalLimiter::alternate(const LimitedParticles& particles, std::span<Vec3> x) {
  LimitReport report{.converged = false};
  make_matrix(particles);
  wanted_.assign(x.begin(), x.end());
  parallel_for(faces_.size(), [&](int face) {
    gradient_[at(face)] = deformation(faces_.rest(face), faces_.points(face, x));
  });
  anderson_.begin(areas_);
  double size = std::numeric_limits<double>::infinity();
  while (!report.converged && report.iterations < most_iterations_) {
    parallel_for(faces_.size(), [&](int face) { project(face); });
    report.solver_iterations += solve(particles, x);
    ++report.iterations;
    report.corrections += faces_.size();
    report.converged = is_within(x);
    if (report.converged) break;
    parallel_for(faces_.size(), [&](int face) { move(face, x); });
    size = advance(size);
  }
  return report;
}

double GlobalLimiter::advance(double last) {
  const bool was_ahead = anderson_.is_ahead();
  const double size = anderson_.next(numbers(residual_), numbers(image_));
  if (was_ahead && size > kMostGrowth * last) {
    anderson_.retreat(numbers(image_));
    std::swap(gradient_, image_);
    return last;
  }
  std::swap(gradient_, image_);
  return size;
}

LimitReport GlobalLimiter::limit(const LimitedParticles& particles, std::span<Vec3> x) {
  wanted_.assign(x.begin(), x.end());
  LimitReport report = sweeps_.run(StrainElements{faces_, common_.tolerance, correction_},
                                   {.most = most_sweeps_}, particles, x);
  if (report.converged) return report;
  std::copy(wanted_.begin(), wanted_.end(), x.begin());
  const LimitReport all = alternate(particles, x);
  report.iterations += all.iterations;
  report.solver_iterations += all.solver_iterations;
  report.corrections += all.corrections;
  report.converged = all.converged;
  return report;
}

}  // namespace heddle
