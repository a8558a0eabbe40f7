#include <heddle/contact/contact_barrier.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Stiffness of the barrier relative to m / h^2, with m the mass that a pair moves and h a step that is not
/// cut: forces must not change when a step is.
constexpr double kStiffness = 1000;
/// Of rods: they are so stiff themselves that Newton's method would see contacts come and go.
constexpr double kRodStiffness = 50;
/// Below this speed friction is a part of its limit, m/s; between rods, whose knots should hold.
constexpr double kRestingSpeed = 1e-4, kRodRestingSpeed = 1e-5;
/// Of the planes of obstacles, relative to m / h^2.
constexpr double kPlaneStiffness = 100;
/// Below this share of the thickness the barrier grows no stiffer: the linear solver could not bear it, and
/// corrections are clipped anyway.
constexpr double kNearest = 0.05;
/// Pairs on the border of a face are held from this share of the thickness on.
constexpr double kLeaning = 0.5;
/// Springs are solved for again if this share of their pressure was not foreseen, and more than a few times
/// if it is this share.
constexpr double kMuch = 0.05, kTooMuch = 0.5;
/// How much friction that slides depends on speed, relative to what a brake would.
constexpr double kSlope = 0.05;
/// Of no interest, m/s.
constexpr double kSlow = 0.005;
/// What is left of a spring that was let go: it keeps its place.
constexpr double kGone = 1e-9;

/// First and second derivative of -(1 - y)^2 ln y, for 0 < y < 1.
struct Slopes {
  double first, second;
};

Slopes barrier_slopes(double y) {
  const double log = std::log(y), lack = 1 - y, relative = lack / y;
  return {2 * lack * log - lack * relative, -2 * log + 4 * relative + relative * relative};
}

/// Friction over pressure at a speed of sliding, divided by that speed: s/m.
double rubbing_rate(const Friction& friction, double speed, double resting_speed) {
  const double y = speed / resting_speed;
  if (y <= 1) return friction.resting * (2 - y) / resting_speed;
  return (friction.sliding + (friction.resting - friction.sliding) / y) / speed;
}

}  // namespace

std::optional<ContactBarrier::Touching> ContactBarrier::touching(const PrimitivePair& pair,
                                                                 const Proximity& near,
                                                                 std::span<const Vec3> to) const {
  const double core = pairs_->core(pair), margin = pairs_->thickness(pair) - core, gap = near.distance - core;
  if (gap >= margin || near.distance <= 0) return std::nullopt;
  double compliance = 0;
  Vec3 motion = Vec3::Zero();
  for (size_t i = 0; i < 4; ++i) {
    const size_t vertex = at(pair.vertices[i]);
    compliance += near.weights[i] * near.weights[i] * pairs_->skin(pair.vertices[i]).inverse_mass;
    motion += near.weights[i] * (to[vertex] - step_.begin[vertex]);
  }
  if (compliance == 0 || step_.is_exempt(pair)) return std::nullopt;
  const double share = step_.dt / step_.whole;
  const double scale = std::max((core > 0 ? kRodStiffness : kStiffness) * share * share / compliance,
                                pairs_->stiffness(pair) * step_.dt * step_.dt);  // kg
  const Slopes slopes = barrier_slopes(std::max(kNearest, gap / margin));
  Touching result{.press = {.particles = pair.vertices,
                            .weights = near.weights,
                            .normal = near.normal,
                            .gap = near.distance,
                            .target = near.distance - margin * slopes.first / slopes.second,
                            .strength = scale * slopes.second},
                  .friction = pairs_->friction(pair),
                  .resting_speed = core > 0 ? kRodRestingSpeed : kRestingSpeed,
                  .pressure = -scale * margin * slopes.first / step_.dt,
                  .slip = tangential(motion, near.normal) / step_.dt};
  result.gone = result.slip;
  for (size_t i = 0; i < 4; ++i) {
    if (!pairs_->is_told(pair.vertices[i])) continue;
    result.press.particles[i] = 0;
    result.press.weights[i] = 0;
  }
  return result;
}

bool ContactBarrier::leans(const PrimitivePair& pair, const Proximity& near) const {
  return !is_inside(near) && near.distance > kLeaning * pairs_->thickness(pair) && pairs_->core(pair) == 0;
}

void ContactBarrier::find_brakes() {
  braking_.assign(step_.begin.size(), 0);
  for (const Touching& touching : touching_)
    for (size_t i = 0; i < 4; ++i) {
      const int vertex = touching.press.particles[i];
      braking_[at(vertex)] += std::abs(touching.press.weights[i]) * touching.friction.sliding *
                              touching.pressure * pairs_->skin(vertex).inverse_mass;
    }
}

std::array<PairSpring, 2> ContactBarrier::rubbing_springs(const Touching& touching) const {
  const double speed = touching.slip.norm();
  const Vec3& normal = touching.press.normal;
  const Vec3 along = speed > 0 ? Vec3(touching.slip / speed) : normal.unitOrthogonal();
  std::array<PairSpring, 2> springs{touching.press, touching.press};
  const std::array<Vec3, 2> directions{along, normal.cross(along)};
  for (size_t k = 0; k < 2; ++k) {
    springs[k].normal = directions[k];
    springs[k].strength = touching.pressure * rubbing_rate(touching.friction, speed, touching.resting_speed);
    springs[k].gap = step_.dt * touching.gone.dot(directions[k]);
    springs[k].target = 0;
  }
  if (touching.slides) {
    springs[0].strength *= kSlope;
    springs[0].target = step_.dt * speed * (1 - 1 / kSlope);
  }
  return springs;
}

void ContactBarrier::add_springs(std::vector<PairSpring>& springs) {
  find_brakes();
  for (Touching& touching : touching_) {
    springs.push_back(touching.press);
    if (touching.let_go) springs.back().strength *= kGone;
    if (touching.friction.resting == 0) continue;
    double braking = 0;
    for (size_t i = 0; i < 4; ++i)
      braking += std::abs(touching.press.weights[i]) * braking_[at(touching.press.particles[i])];
    touching.slides = !touching.turned && touching.slip.norm() > std::max(braking, touching.resting_speed);
    for (const PairSpring& spring : rubbing_springs(touching)) springs.push_back(spring);
  }
}

void ContactBarrier::begin_step(const BarrierStep& step, std::span<const Vec3> ahead,
                                std::vector<PairSpring>& springs) {
  step_ = step;
  touching_.clear();
  pairs_->search(step.begin, step.begin);
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<Touching>& out) {
        // Obstacles hold vertices by constraints already; springs beside those made much energy.
        if (std::any_of(pair.vertices.begin(), pair.vertices.end(),
                        [&](int i) { return pairs_->is_told(i); }))
          return;
        const PairPoints x = pair.points(step_.begin);
        if (are_boxes_apart(pair, x, pairs_->thickness(pair))) return;
        const Proximity near = proximity(pair, x);
        if (leans(pair, near)) return;
        if (auto found = touching(pair, near, ahead)) out.push_back(*found);
      },
      found_, touching_);
  for (Touching& touching : touching_)
    touching.gone.setZero();  // the solve begins without the motion to come
  add_springs(springs);
}

void ContactBarrier::read_solve(std::span<const PairSpring> springs) {
  const PairSpring* spring = springs.data();
  for (Touching& touching : touching_) {
    touching.pressure = (spring++)->impulse / (touching.let_go ? kGone : 1);
    touching.rubbing.setZero();
    touching.slip.setZero();
    if (touching.friction.resting == 0) continue;
    for (int k = 0; k < 2; ++k, ++spring) {
      touching.rubbing += spring->impulse * spring->normal;
      touching.slip +=
          ((spring->target - spring->gap) / step_.dt - spring->impulse / spring->strength) * spring->normal;
    }
  }
}

bool ContactBarrier::exceeds(const Touching& touching) {
  return touching.rubbing.norm() > touching.friction.resting * std::max(0.0, touching.pressure);
}

ContactBarrier::Faults ContactBarrier::find_faults() {
  Faults faults;
  excess_.assign(step_.begin.size(), Vec3::Zero());
  for (const Touching& touching : touching_) {
    const double pressure = std::max(0.0, touching.pressure), speed = touching.slip.norm();
    if (touching.let_go) {
      faults.pressing += pressure;
      continue;
    }
    faults.all += std::abs(touching.pressure);
    faults.pressing += pressure - touching.pressure;
    const Vec3 due =
        -pressure * rubbing_rate(touching.friction, speed, touching.resting_speed) * touching.slip;
    const Vec3 wrong = touching.rubbing - due;
    const bool sticks = !exceeds(touching) && !touching.slides;
    if (!sticks || speed >= kSlow) faults.rubbing += wrong.norm();
    if (!exceeds(touching)) continue;
    for (size_t i = 0; i < 4; ++i) {
      const int vertex = touching.press.particles[i];
      excess_[at(vertex)] += touching.press.weights[i] * pairs_->skin(vertex).inverse_mass * wrong;
    }
  }
  return faults;
}

Revision ContactBarrier::revise(std::vector<PairSpring>& springs) {
  read_solve(springs);
  const Faults faults = find_faults();
  if (faults.pressing + faults.rubbing <= kMuch * faults.all) return Revision::none;
  springs.clear();
  for (Touching& touching : touching_) {
    foresee_slip(touching);
    const bool presses = touching.pressure > 0;
    if (!presses || touching.let_go) touching.pressure = kGone * touching.press.strength;
    touching.let_go = !presses;
  }
  add_springs(springs);
  return faults.rubbing > kTooMuch * faults.all ? Revision::major : Revision::minor;
}

void ContactBarrier::foresee_slip(Touching& touching) const {
  touching.turned = touching.rubbing.dot(touching.slip) > 0;
  if (touching.turned) return;
  const double solved = touching.slip.norm();
  for (size_t i = 0; i < 4; ++i)
    touching.slip -= touching.press.weights[i] * excess_[at(touching.press.particles[i])];
  touching.slip = tangential(touching.slip, touching.press.normal);
  // A slower slip than the next solve finds would make friction exceed its limit.
  const double foreseen = touching.slip.norm();
  if (exceeds(touching) && foreseen < solved && foreseen > 0) touching.slip *= solved / foreseen;
}

void ContactBarrier::begin_search(std::span<const Vec3> end, std::span<PlaneContact> planes,
                                  std::span<const double> pressures) {
  planes_ = planes;
  pressures_ = pressures;
  now_.assign(end.begin(), end.end());
  next_ = now_;
  searched_.clear();
  cover_motion();
}

void ContactBarrier::add_planes() {
  for (const PlaneContact& plane : planes_) {
    const double gap = plane.normal.dot(now_[at(plane.particle)]);
    if (gap >= plane.reach) continue;
    PairSpring& spring = springs_.emplace_back();
    spring.particles.fill(plane.particle);
    spring.weights = {1, 0, 0, 0};
    spring.normal = plane.normal;
    spring.gap = gap;
    spring.target = plane.reach;
    spring.strength = plane_strength(plane);
  }
}

double ContactBarrier::plane_strength(const PlaneContact& plane) const {
  return kPlaneStiffness / pairs_->skin(plane.particle).inverse_mass;
}

void ContactBarrier::finish(double dt) {
  for (PlaneContact& plane : planes_) {
    const double lack = plane.reach - plane.normal.dot(now_[at(plane.particle)]);
    plane.pressure = plane_strength(plane) * std::max(0.0, lack) / dt;
    plane.rubbing.setZero();
  }
}

void ContactBarrier::limit_pressures() {
  pressing_.assign(step_.begin.size(), 0);
  add_pressures(pressing_);
  for (Touching& touching : touching_) {
    double now = 0, before = 0;
    for (size_t i = 0; i < 4; ++i) {
      const double weight = std::abs(touching.press.weights[i]);
      const size_t vertex = at(touching.press.particles[i]);
      now += weight * pressing_[vertex];
      before += weight * pressures_[vertex];
    }
    if (before < now) touching.pressure *= before / now;
  }
}

std::span<const PairSpring> ContactBarrier::springs(std::span<const Vec3> x) {
  std::copy(x.begin(), x.end(), now_.begin());
  springs_.clear();
  touching_.clear();
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<Touching>& out) {
        const PairPoints points = pair.points(now_);
        if (are_boxes_apart(pair, points, pairs_->thickness(pair))) return;
        const Proximity near = proximity(pair, points);
        if (leans(pair, near)) return;
        if (auto found = touching(pair, near, now_)) out.push_back(*found);
      },
      found_, touching_);
  limit_pressures();
  add_springs(springs_);
  add_planes();
  return springs_;
}

void ContactBarrier::add_pressures(std::span<double> pressures) const {
  for (const Touching& touching : touching_)
    for (size_t i = 0; i < 4; ++i)
      pressures[at(touching.press.particles[i])] +=
          std::abs(touching.press.weights[i]) * std::max(0.0, touching.pressure);
}

}  // namespace heddle
