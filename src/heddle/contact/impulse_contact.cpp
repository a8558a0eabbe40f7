#include <heddle/contact/impulse_contact.h>

#include <heddle/core/check.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Share of a lack of distance that one step makes good.
constexpr double kRecovery = 0.2;
/// Share of the thickness to which new contacts may come, so that the barrier takes them over; and of the
/// margin of rods.
constexpr double kArrival = 0.9, kRodArrival = 0.5;
/// Rods farther apart than this many margins are only looked at along their way: the normal turns on it.
constexpr double kFar = 2;
/// Pairs nearer than their thickness may lack this share of it after the impulses.
constexpr double kSlack = 0.02;
/// Pairs nearer than this share of the thickness must not come nearer at all: detection alone lets them lose
/// a part of their distance in every step, until frames, in single precision, show them through each other.
constexpr double kNearest = 0.01;
/// Where less than this share of a pair can move, as beside pins, it would have to move far to make good what
/// the pair lacks; such pairs only must not meet.
constexpr double kLever = 0.1;
/// Rounds of continuous detection with rigid zones.
constexpr int kZoneRounds = 30;

}  // namespace

void ImpulseContact::describe(Describer<ImpulseContact>& d) {
  d.type(
      "impulses", "contact",
      "Repulsion with friction, then continuous detection with impulses, then rigid zones: no step ends with "
      "an intersection.");
  d.parameter("self", &ImpulseContact::self,
              {.unit = "", .doc = "Keep cloth away from itself and from other cloth."});
  d.parameter(
      "obstacles", &ImpulseContact::obstacles,
      {.unit = "",
       .doc = "Keep cloth away from the faces and edges of obstacles, not only its vertices out of them."});
  d.parameter(
      "sweeps", &ImpulseContact::sweeps,
      {.unit = "1", .doc = "Sweeps of impulses in each round, at most.", .minimum = 1, .maximum = 1000});
  d.parameter("rounds", &ImpulseContact::rounds,
              {.unit = "1",
               .doc = "Rounds of continuous detection with impulses before colliding parts move rigidly.",
               .minimum = 1,
               .maximum = 1000});
  d.parameter("separation", &ImpulseContact::separation,
              {.unit = "1",
               .doc = "Share of the thickness to which cloth may be pressed together.",
               .minimum = 1e-3,
               .maximum = 0.9});
}

ContactByImpulses::ContactByImpulses(const ImpulseContact& parameters, std::unique_ptr<SurfacePairs> pairs)
    : parameters_(parameters),
      pairs_(std::move(pairs)),
      untangler_(pairs_->surface()),
      crossing_(*pairs_),
      barrier_(*pairs_),
      encounters_(*pairs_, [this](const PrimitivePair& pair) { return is_exempt(pair); }) {}

bool ContactByImpulses::is_exempt(const PrimitivePair& pair) const {
  const auto any = [&](const auto& is) {
    return std::any_of(pair.vertices.begin(), pair.vertices.end(), is);
  };
  const auto first_of_second = pair.vertices.begin() + (pair.vertex_triangle ? 1 : 2);
  const auto is_left_alone = [&](int i) { return left_alone_[at(i)] != 0; };
  if (std::any_of(pair.vertices.begin(), first_of_second, is_left_alone) &&
      std::any_of(first_of_second, pair.vertices.end(), is_left_alone))
    return true;
  if (is_tangled_ && any([&](int i) { return untangler_.is_loose(i); }) && is_tangled(pair)) return true;
  return crossing_.may_cross(pair);
}

bool ContactByImpulses::is_told(const std::array<int, 4>& vertices) const {
  return std::any_of(vertices.begin(), vertices.end(), [&](int i) { return pairs_->is_told(i); });
}

bool ContactByImpulses::is_tangled(const PrimitivePair& pair) const {
  const size_t second = pair.vertex_triangle ? 1 : 2;
  for (size_t i = 0; i < second; ++i)
    for (size_t j = second; j < 4; ++j)
      if (untangler_.are_tangled(pair.vertices[i], pair.vertices[j])) return true;
  return false;
}

std::vector<std::array<int, 2>> ContactByImpulses::intersecting(std::span<const Vec3> x) {
  IntersectionOptions options{.between_cloths = parameters_.self,
                              .max_pairs = std::numeric_limits<int>::max()};
  for (const CollisionBodyRange& body : surface().bodies)
    if (body.kinematic)
      options.first_obstacle_triangle = std::min(options.first_obstacle_triangle, body.first_triangle);
  Intersections found = count_intersections(x, surface().triangles, options);
  has_crossings_ = std::erase_if(found.pairs, [&](const std::array<int, 2>& pair) {
                     return surface().kinematic(pair[1]) && crossing_.admit(pair);
                   }) > 0;
  return std::move(found.pairs);
}

void ContactByImpulses::find_tangles(std::span<const Vec3> begin) {
  const auto pairs = intersecting(begin);
  is_tangled_ = !pairs.empty();
  untangler_.look(begin, pairs);
  for (const auto& pair : pairs) {
    if (untangler_.helps(pair)) continue;
    for (const int triangle : pair)
      for (const int vertex : surface().triangles[at(triangle)]) left_alone_[at(vertex)] = 1;
  }
}

void ContactByImpulses::begin_step(std::span<const Vec3> begin, bool may_intersect,
                                   const HeldParticles& held) {
  const auto n = at(surface().vertex_count);
  inverse_mass_.resize(n);
  for (size_t i = 0; i < n; ++i) inverse_mass_[i] = pairs_->skin(static_cast<int>(i)).inverse_mass;
  for (const int i : held.moved) inverse_mass_[at(i)] = 0;
  crossing_.begin_step(held);
  left_alone_.assign(n, 0);
  springs_.clear();
  touched_ = false;
  is_tangled_ = has_crossings_ = false;
  if (may_intersect) find_tangles(begin);
}

void ContactByImpulses::move(std::span<const Vec3> begin, std::span<Vec3> end, double dt) {
  parallel_for(surface().vertex_count, [&](int i) { end[at(i)] = begin[at(i)] + dt * velocity_[at(i)]; });
}

template <class Find>
int ContactByImpulses::collect(const Find& find) {
  const size_t before = contacts_.size();
  pairs_->collect(find, found_, contacts_);
  return static_cast<int>(contacts_.size() - before);
}

void ContactByImpulses::add_near_pairs(std::span<const Vec3> begin, double dt) {
  collect([&](const PrimitivePair& pair, std::vector<PairContact>& out) {
    const PairPoints x = pair.points(begin);
    const Proximity near = proximity(pair, x);
    const double wanted = pairs_->thickness(pair), core = pairs_->core(pair), margin = wanted - core;
    double approach = 0, lever = 0;
    for (size_t i = 0; i < 4; ++i) {
      approach -= near.weights[i] * near.normal.dot(velocity_[at(pair.vertices[i])]);
      if (inverse_mass_[at(pair.vertices[i])] > 0) lever += std::abs(near.weights[i]);
    }
    if (near.distance - dt * approach >= wanted || lever < kLever || is_exempt(pair)) return;
    const double lack = std::max(0.0, wanted - near.distance);
    const double least = core + parameters_.separation * margin;
    const bool has_spring = lack > 0 && touched_ && !is_told(pair.vertices);
    if (has_spring && near.distance >= least) return;
    // On the border of a face the normal leans towards the motion and would stop cloth that slides past.
    if (lack == 0 && (core > 0 ? near.distance > wanted + kFar * margin : !is_inside(near))) return;
    const double arrival = core + kArrival * margin;
    const double reach = has_spring ? least : lack > 0 ? near.distance + kRecovery * lack : arrival;
    out.push_back({pair.vertices, near.weights, near.normal, reach, kSlack * margin, pairs_->friction(pair)});
  });
}

std::optional<PairContact> ContactByImpulses::nearing(const PrimitivePair& pair, const PairPoints& x0,
                                                      const PairPoints& x1) const {
  constexpr double kRounding = 1e-6;
  const double core = pairs_->core(pair), nearest = kNearest * pairs_->margin(pair);
  if (are_boxes_apart(pair, x0, core + nearest)) return std::nullopt;
  const Proximity near = proximity(pair, x0);
  const double gap = near.distance - core;
  if (near.distance <= 0 || gap >= nearest) return std::nullopt;
  if (proximity(pair, x1).distance - core >= gap - kRounding * std::abs(gap)) return std::nullopt;
  const double reach = near.distance + (gap > 0 ? std::min(gap, nearest - gap) : nearest);
  return PairContact{pair.vertices,         near.weights, near.normal, reach, 0.5 * (reach - near.distance),
                     pairs_->friction(pair)};
}

int ContactByImpulses::add_meeting_pairs(std::span<const Vec3> begin, std::span<const Vec3> end) {
  const bool first = detected_end_.empty();
  changed_.resize(end.size());
  parallel_for(surface().vertex_count,
               [&](int i) { changed_[at(i)] |= first || end[at(i)] != detected_end_[at(i)]; });
  detected_end_.assign(end.begin(), end.end());
  const int found = collect([&](const PrimitivePair& pair, std::vector<PairContact>& out) {
    const auto has_changed = [&](int i) { return changed_[at(i)] != 0; };
    if (std::none_of(pair.vertices.begin(), pair.vertices.end(), has_changed) || is_exempt(pair)) return;
    const PairPoints x0 = pair.points(begin), x1 = pair.points(end);
    const double margin = pairs_->margin(pair), separation = parameters_.separation * margin;
    if (const auto nearest = nearing(pair, x0, x1)) {
      out.push_back(*nearest);
      return;
    }
    const double core = pairs_->core(pair, x0);
    const auto met = first_meeting(pair, x0, x1, separation, core);
    if (!met) return;
    // Farther than where detection stops, so that rounding and slack do not bring the pair back.
    const double start = proximity(pair, x0).distance - core;
    const double stop = std::min(separation, kKeptFraction * start);
    const double gap = std::min(0.5 * (start + stop), core > 0 ? kRodArrival * margin : 1.5 * separation);
    out.push_back(
        {pair.vertices, met->weights, met->normal, core + gap, 0.5 * (gap - stop), pairs_->friction(pair)});
  });
  std::fill(changed_.begin(), changed_.end(), 0);
  for (size_t k = contacts_.size() - at(found); k < contacts_.size(); ++k)
    for (const int i : contacts_[k].vertices) changed_[at(i)] = 1;
  return found;
}

void ContactByImpulses::find_velocities(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) {
  velocity_.resize(begin.size());
  parallel_for(surface().vertex_count, [&](int i) { velocity_[at(i)] = (end[at(i)] - begin[at(i)]) / dt; });
}

bool ContactByImpulses::resolve_by_impulses(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                                            std::span<PlaneContact> planes, SurfaceContactReport& report) {
  const Bodies bodies{begin, inverse_mass_, velocity_, dt};
  const auto push = [&] {
    for (int sweep = 0; sweep < parameters_.sweeps; ++sweep)
      if (apply_impulses(contacts_, planes, bodies) < 1) break;
    move(begin, end, dt);
  };
  contacts_.clear();
  pairs_->search(begin, end);
  crossing_.look(begin, end);
  add_near_pairs(begin, dt);
  bool has_moved = !contacts_.empty();
  if (has_moved) push();
  for (report.rounds = 0; report.rounds < parameters_.rounds; ++report.rounds) {
    if (has_moved) pairs_->search(begin, end);
    report.contacts = static_cast<int>(contacts_.size());
    if (add_meeting_pairs(begin, end) == 0) return true;
    push();
    totals_.most_rounds = std::max(totals_.most_rounds, report.rounds + 1);
    has_moved = true;
  }
  return false;
}

bool ContactByImpulses::resolve_by_zones(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                                         SurfaceContactReport& report) {
  zones_.clear(surface().vertex_count);
  for (int round = 0; round < kZoneRounds; ++round) {
    contacts_.clear();
    pairs_->search(begin, end);
    if (add_meeting_pairs(begin, end) == 0) return true;
    for (const PairContact& contact : contacts_) zones_.join(contact.vertices);
    report.zones = zones_.zone_count();
    zones_.stiffen({begin, inverse_mass_, velocity_, dt});
    move(begin, end, dt);
  }
  return false;
}

void ContactByImpulses::touch(std::span<const Vec3> begin, std::span<const Vec3> ahead, double dt,
                              double whole) {
  if (is_tangled_) return;
  touched_ = true;
  encounters_.set_step(begin, ahead);
  barrier_.begin_step({begin, dt, whole, parameters_.separation, inverse_mass_,
                       [this](const PrimitivePair& pair) { return is_exempt(pair); }},
                      ahead, springs_);
}

bool ContactByImpulses::predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) {
  if (!is_tangled_) return false;
  springs_.clear();
  find_velocities(begin, end, dt);
  contacts_.clear();
  pairs_->search(begin, end);
  crossing_.look(begin, end);
  add_near_pairs(begin, dt);
  for (const PairContact& contact : contacts_) {
    if (is_told(contact.vertices)) continue;
    double gap = 0;
    for (size_t i = 0; i < 4; ++i)
      gap += contact.weights[i] * contact.normal.dot(begin[at(contact.vertices[i])]);
    springs_.push_back({contact.vertices, contact.weights, contact.normal, gap, contact.reach});
  }
  untangler_.add_springs(velocity_, pairs_->radii(), dt, springs_);
  return !springs_.empty();
}

Revision ContactByImpulses::revise(std::span<const Vec3> reaction) {
  return touched_ ? barrier_.revise(springs_) : Revision::none;
}

Barrier* ContactByImpulses::barrier(std::span<const Vec3> end, std::span<PlaneContact> planes) {
  if (is_tangled_) return nullptr;
  barrier_.begin_search(end, planes, pressures_);
  return &barrier_;
}

void ContactByImpulses::find_pressures() {
  pressures_.assign(at(surface().vertex_count), 0);
  const auto add = [&](const std::array<int, 4>& vertices, const std::array<double, 4>& weights,
                       double impulse) {
    for (size_t i = 0; i < 4; ++i)
      pressures_[at(vertices[i])] += std::abs(weights[i]) * std::max(0.0, impulse);
  };
  if (touched_)
    barrier_.add_pressures(pressures_);
  else
    for (const PairSpring& spring : springs_) add(spring.particles, spring.weights, spring.impulse);
  for (const PairContact& contact : contacts_) add(contact.vertices, contact.weights, contact.pressure);
}

void ContactByImpulses::add_pressures(double dt, std::span<double> pressures) const {
  for (size_t i = 0; i < pressures.size(); ++i) pressures[i] += pressures_[i] / dt;
}

int ContactByImpulses::first_free_vertex() const {
  for (const PairContact& contact : contacts_)
    for (const int i : contact.vertices)
      if (!pairs_->is_told(i)) return i;
  return -1;
}

double ContactByImpulses::farthest_shift(std::span<const Vec3> end) const {
  double farthest = 0;
  for (int i = 0; i < surface().vertex_count; ++i)
    if (end[at(i)] != wanted_[at(i)])
      farthest = std::max(farthest, (end[at(i)] - wanted_[at(i)]).norm() / (2 * pairs_->skin(i).margin()));
  return farthest;
}

SurfaceContactReport ContactByImpulses::resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                                                std::span<PlaneContact> planes) {
  SurfaceContactReport report;
  detected_end_.clear();
  wanted_.assign(end.begin(), end.end());
  find_velocities(begin, end, dt);
  report.resolved = resolve_by_impulses(begin, end, dt, planes, report);
  const bool may_be_tangled = !report.resolved && !is_tangled_;
  if (may_be_tangled) find_tangles(begin);
  if (may_be_tangled && is_tangled_) {
    std::copy(wanted_.begin(), wanted_.end(), end.begin());
    find_velocities(begin, end, dt);
    for (PlaneContact& plane : planes) plane.pressure = 0, plane.rubbing.setZero();
    report.resolved = resolve_by_impulses(begin, end, dt, planes, report);
  }
  find_pressures();
  if (!report.resolved && touched_ && !is_tangled_) {
    std::copy(wanted_.begin(), wanted_.end(), end.begin());
    report.resolved = barrier_.clip_step(end);
    ++totals_.clips;
  }
  if (!report.resolved) report.resolved = resolve_by_zones(begin, end, dt, report);
  if (!report.resolved) report.meeting = first_free_vertex();
  report.entering = crossing_.entering();
  report.tangled = is_tangled_ || has_crossings_ || report.entering >= 0;
  report.shift = farthest_shift(end);
  totals_.zones += report.zones;
  report_ = report;
  return report;
}

}  // namespace heddle
