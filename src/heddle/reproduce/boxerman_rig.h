#pragma once

#include <heddle/core/random.h>
#include <heddle/forces/spring/particle_model.h>
#include <heddle/geometry/shapes.h>
#include <heddle/integrate/semi_implicit_euler.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Where the thesis lays its sheets. Sizes and heights are not given there, see boxerman_rig.cpp.
enum class BoxermanScene { corners, table, sphere, sphere_beside, ground, centre };

/// Parameters of one run of the thesis.
struct BoxermanCase {
  BoxermanScene scene = BoxermanScene::corners;
  int side = 20;                                  // particles along an edge
  double spacing = 0.05;                          // h, m
  double density = 0.1;                           // rho, kg/m2
  double stretch = 1000, shear = 1000;            // k_s1, k_s2, N/m
  double bend = 0.001;                            // k_s3, N
  double stretch_damping = 0, shear_damping = 0;  // k_d1, k_d2, N s/m
  double air = 0;                                 // N s/m3: per square metre
  double step = 0.01;                             // k, s

  double mass() const { return density * spacing * spacing; }  // kg, of a particle
  double kappa(double stiffness, double damping) const {       // (4.8)
    return step / mass() * (stiffness * step + 2 * damping);
  }
  double stretch_kappa() const { return kappa(stretch, stretch_damping); }
  double shear_kappa() const { return kappa(shear, shear_damping); }
  double largest_kappa() const { return std::max(stretch_kappa(), shear_kappa()); }
};

/// One of a list, all equally likely.
template <class T>
T drawn(Random& random, std::initializer_list<T> list) {
  return list.begin()[random.below(static_cast<int64_t>(list.size()))];
}
/// A draw from the lists of 5.3.1 (experiments 8 to 11), a square of that length, m.
BoxermanCase preconditioner_case(Random& random, BoxermanScene scene, double length, int largest_side);

/// Which springs are implicit.
struct Treatment {
  bool stretch = true, shear = true, bend = true;
};
/// Springs above the threshold are implicit, bend springs never are (4.4.1): with equal springs that is a
/// decision about each kind.
inline constexpr double kBoxermanThreshold = 0.2;
Treatment adaptive_treatment(const BoxermanCase& of, double threshold = kBoxermanThreshold);

/// tol^2 = 0.01 k (5.3.1).
double boxerman_tolerance(double step);
/// The semi-implicit step (4.11) with corrected MPCG and block-diagonal preconditioner, started with the last
/// solution; change what an experiment is about.
SolverParameters boxerman_solver(double step);
std::unique_ptr<SemiImplicitEulerIntegrator> make_boxerman_integrator(const SolverParameters& linear);

/// What one step did.
struct RigStep {
  StepReport report;
  State end;
  std::vector<Vec3> reaction;     // N
  double seconds = 0;             // of all processors
  std::int64_t row_products = 0;  // of the iterations alone

  bool went() const { return report.outcome == StepOutcome::accepted; }
};

/// Sums over steps.
struct RigSum {
  bool is_sound = true;
  std::int64_t iterations = 0, row_products = 0, steps = 0;
  double seconds = 0;

  void add(const RigStep& step);
};

/// How the rig treats contact (3.4.2). Coefficients and threshold are not given there.
struct RigRules {
  double push_out = 0.9;  // of the depth, within a step
  double static_friction = 0.5, sliding_friction = 0.4;
  double creep = 0.02;         // m/s, below which particles stick
  bool surfaces_meet = false;  // particles closer than 0.6 h are pressed apart
};

/// The simulator of the thesis without what experiments do not ask for: a sheet of springs among solids whose
/// particles get constraints of the solver. Here because the contact of heddle differs: it never lets
/// particles in, and is not made for comparisons of solvers on systems with given constraints.
class BoxermanRig {
 public:
  explicit BoxermanRig(const BoxermanCase& of, const Treatment& treatment = {}, const RigRules& rules = {},
                       const Vec3& gravity = {0, 0, -9.81});

  /// Takes a step from the present state, which stays; several methods may try the same one.
  RigStep attempt(SemiImplicitEulerIntegrator& integrator, double dt) const;
  /// Makes the end of a step the present state.
  void accept(const RigStep& step);
  /// Both, `duration` long (s) in steps of the case; ends if one fails.
  RigSum run(SemiImplicitEulerIntegrator& integrator, double duration);

  const ParticleModel& model() const { return model_; }
  const State& state() const { return model_.state; }
  State& state() { return model_.state; }
  double energy() const;  // J
  /// Constraints of the next step.
  VelocityFilter filter(double dt) const;
  /// M + k^2 K + k D of the next step.
  BlockMatrix matrix(double dt) const;
  /// Triangles of the sheet, for the count of intersections.
  std::vector<Triangle> triangles() const;

 private:
  struct Solid {
    ShapeVariant shape;
    Vec3 centre;
  };
  struct Touch {
    bool released = false, slides = false;
    double normal_force = 0;  // N
    double speed = 0;         // m/s, along the surface
  };
  struct Hit {
    int particle;
    double depth;  // m
    Vec3 normal;
  };
  std::vector<Hit> hits() const;
  std::vector<PairSpring> near_pairs() const;
  bool sticks(const Hit& hit) const;

  BoxermanCase case_;
  RigRules rules_;
  ParticleModel model_;
  std::vector<Solid> solids_;
  std::vector<Touch> touches_;  // per particle
};

/// The same steps by the whole and by the decomposing solver.
struct Decomposition {
  RigSum whole, parts;
  double difference = 0;  // m/s, largest of velocities after the same step, against the largest velocity
  double best = 1;        // least row products of a step against those of the whole

  double row_ratio() const {
    return static_cast<double>(parts.row_products) /
           static_cast<double>(std::max<std::int64_t>(1, whole.row_products));
  }
  bool is_sound() const { return whole.is_sound && parts.is_sound; }
};

/// AIMEX with the block-diagonal preconditioner over a time, s, as both solvers; the sheet goes on with what
/// the decomposing one found. A tolerance of 0 is that of the thesis.
Decomposition decompose(const BoxermanCase& of, double duration, const RigRules& rules = {},
                        double tolerance = 0);

/// As a change, "+2.3 %".
std::string percent(double ratio);

/// Seconds that all processors spent on some work: unlike elapsed time, it hardly depends on other programs.
template <class Work>
double processor_seconds_of(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace heddle
