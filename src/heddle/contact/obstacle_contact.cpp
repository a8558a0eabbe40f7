#include <heddle/contact/obstacle_contact.h>
#include <heddle/contact/obstacle_rules.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Where it is not known whether a contact sticks, friction grows up to this speed, m/s. Cloth that is held
/// at once instead would stretch by all that its neighbours move.
constexpr double kCrawl = 0.01;

/// Friction turns at once with velocities below this, m/s.
constexpr double kSlowestTurn = 0.1 * kCrawl;

/// Contacts that nobody foresaw join the solve if the particle would come nearer than it may by this share of
/// its clearance. With 0.2 a sheet at rest on a ball trembled with twice the energy, with 0.02 with ten
/// times.
constexpr double kMissed = 1;
/// A particle that was let go is remembered as such while its gap is larger than this share of its clearance.
/// With 0 a coarse sheet on a ball loses friction (its drape coefficient changes by 3 %), with 0.5 five
/// layers on a ball take twice as many iterations at rest.
constexpr double kHovering = 0.3;

}  // namespace

ObstacleContact::ObstacleContact(std::vector<Obstacle> obstacles, std::vector<ContactSurface> surfaces,
                                 std::vector<double> mass, std::vector<MeshObstacle> meshes,
                                 FrictionTable frictions, std::vector<BodyLink> links)
    : obstacles_(std::move(obstacles)),
      surfaces_(std::move(surfaces)),
      mass_(std::move(mass)),
      meshes_(std::move(meshes)),
      frictions_(std::move(frictions)),
      bodies_(std::move(links)),
      yield_(surfaces_.size(), 0.0) {
  HEDDLE_CHECK_EQ(surfaces_.size(), mass_.size());
  // Nearer than this a particle counts as before a face; what comes from farther away, impulses stop.
  constexpr double kReach = 4;
  double clearance = 0;
  for (const ContactSurface& surface : surfaces_) clearance = std::max(clearance, surface.clearance);
  for (const MeshObstacle& mesh : meshes_)
    mesh_proximity_.emplace_back(mesh.surface, kReach * (clearance + mesh.thickness));
}

Friction ObstacleContact::pair_friction(int particle, int obstacle) const {
  const auto shapes = static_cast<int>(obstacles_.size());
  return frictions_.between(
      surfaces_[at(particle)].roughness,
      obstacle < shapes ? obstacles_[at(obstacle)].roughness : meshes_[at(obstacle - shapes)].roughness);
}

void ObstacleContact::leave(std::span<const int> particles) {
  for (std::vector<Touch>* touches : {&active_, &near_})
    std::erase_if(*touches, [&](const Touch& touch) { return is_among(particles, touch.particle); });
}

void ObstacleContact::leave_to_pass_meshes(std::span<const int> particles) {
  for (std::vector<Touch>* touches : {&active_, &near_})
    std::erase_if(*touches, [&](const Touch& touch) {
      return touch.obstacle >= static_cast<int>(obstacles_.size()) && is_among(particles, touch.particle);
    });
}

void ObstacleContact::smooth(std::span<const int> particles) {
  for (std::vector<Touch>* touches : {&active_, &near_})
    for (Touch& touch : *touches) {
      if (!is_among(particles, touch.particle)) continue;
      touch.friction = {0, 0};
      touch.sticking = false;
    }
}

void ObstacleContact::respond(const State& state, double dt, VelocityFilter& filter, std::span<Vec3> load) {
  pinned_ = filter.fixed_particles();
  std::erase_if(active_, [&](const Touch& touch) { return is_among(pinned_, touch.particle); });
  brakes_.clear();
  held_by_body_.assign(obstacles_.size(), 0);
  for (const Touch& touch : active_)
    if (const int body = body_of(touch.obstacle); body >= 0) ++held_by_body_[at(body)];
  bodies_.begin_solve(held_by_body_, state, dt, brakes_);
  for (const Touch& touch : active_) {
    if (const int body = body_of(touch.obstacle); body >= 0) {
      hold_by_body(touch, body, load);
      continue;
    }
    const double speed = touch.normal.dot(touch.surface_velocity) - touch.closing_speed;
    if (touch.sticking) {
      filter.fix(touch.particle, tangential(touch.surface_velocity, touch.normal) + speed * touch.normal);
    } else {
      filter.prescribe(touch.particle, touch.normal, speed);
      load[at(touch.particle)] -= touch.friction.sliding * touch.normal_force * touch.slip;
      add_brakes(touch);
    }
  }
}

void ObstacleContact::hold_by_body(const Touch& touch, int body, std::span<Vec3> load) {
  const Vec3 target = touch.surface_velocity - touch.closing_speed * touch.normal;
  if (touch.sticking) {
    bodies_.hold(touch.particle, body, touch.place, target, brakes_);
    return;
  }
  bodies_.hold_along(touch.particle, body, touch.place, touch.normal, target, brakes_);
  const Vec3 rub = -touch.friction.sliding * touch.normal_force * touch.slip;
  load[at(touch.particle)] += rub;
  bodies_.note_load(body, touch.place, rub);
  const size_t first = brakes_.size();
  add_brakes(touch);
  bodies_.note_friction(body, touch.place, first, brakes_);
}

void ObstacleContact::add_brakes(const Touch& touch) {
  const auto brake = [&](const Vec3& direction, double strength) {
    brakes_.push_back({touch.particle, direction, touch.surface_velocity, strength});
  };
  if (touch.is_braked()) {
    const Vec3 first = touch.normal.unitOrthogonal();
    for (const Vec3& direction : {first, Vec3(touch.normal.cross(first))})
      brake(direction, brake_strength(touch));
  } else if (!touch.slip.isZero()) {
    // Friction turns with the velocity. Taken from the last step it would overshoot when that is slow.
    brake(touch.normal.cross(touch.slip).normalized(),
          touch.friction.sliding * touch.normal_force / std::max(touch.slip_speed, kSlowestTurn));
  }
}

bool ObstacleContact::glides() const {
  for (int k = 0; k < obstacle_count(); ++k) {
    const Touch* first = nullptr;
    const auto slides_along = [&](const Touch& touch) {
      if (touch.obstacle != k) return true;
      if (!first) first = &touch;
      return !touch.sticking && !touch.slip.isZero() && touch.slip == first->slip;
    };
    if (std::all_of(active_.begin(), active_.end(), slides_along) && first) return true;
  }
  return false;
}

double ObstacleContact::brake_strength(const Touch& touch) {
  return touch.friction.resting * touch.normal_force / kCrawl;
}

double ObstacleContact::pressing_force(const Touch& touch, const Vec3& reaction, double dt) const {
  // A body comes out as much as the particle does, and no faster than it is pressed.
  const double pushed = body_of(touch.obstacle) < 0 ? std::max(0.0, -touch.closing_speed) : 0;
  const double push_out = mass_[at(touch.particle)] * pushed / dt;
  return touch.normal.dot(reaction) - push_out;
}

bool ObstacleContact::release(std::span<const Vec3> reaction, double dt) {
  double pulling = 0, pressing = 0;
  for (const Touch& touch : active_) {
    const double force = pressing_force(touch, reaction[at(touch.particle)], dt);
    (force > 0 ? pressing : pulling) += std::abs(force);
  }
  // Solving again costs half a step; a few that pull a little are let go in the next one.
  constexpr double kMuch = 0.3;
  if (pulling <= kMuch * pressing) return false;
  std::erase_if(active_, [&](const Touch& touch) {
    const bool pulls = touch.normal.dot(reaction[at(touch.particle)]) <= 0;
    if (pulls) released_.push_back({.particle = touch.particle, .obstacle = touch.obstacle});
    return pulls;
  });
  return true;
}

bool ObstacleContact::add_missed(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) {
  const size_t known = active_.size();
  std::erase_if(near_, [&](const Touch& touch) {
    if (is_among(pinned_, touch.particle)) return true;
    const auto i = at(touch.particle);
    const double gap = touch.gap + touch.normal.dot(end[i] - begin[i] - dt * touch.surface_velocity);
    const bool missed = gap < -kMissed * clearance(touch.particle);
    if (missed) active_.push_back(touch);
    return missed;
  });
  std::inplace_merge(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(known), active_.end(),
                     by_pair);
  return active_.size() > known;
}

void ObstacleContact::find_supports(std::span<const Vec3> reaction, std::span<const Vec3> begin,
                                    std::span<const Vec3> end, double dt) {
  supports_.assign(at(obstacle_count()), {});
  for (const Touch& touch : active_) {
    const size_t i = at(touch.particle);
    Support& support = supports_[at(touch.obstacle)];
    support.normals += touch.normal;
    ++support.count;
    support.limit += touch.friction.resting * std::max(0.0, pressing_force(touch, reaction[i], dt));
    if (touch.sticking) {
      support.holding += tangential(reaction[i], touch.normal);
      ++support.sticking;
      continue;
    }
    const Vec3 velocity = (end[i] - begin[i]) / dt;
    const Vec3 slip_velocity = tangential(velocity - touch.surface_velocity, touch.normal);
    support.holding -= rubbing(touch, velocity);
    support.stopping -= mass_[i] / dt * slip_velocity;
    support.momentum += mass_[i] * slip_velocity;
    support.energy += 0.5 * mass_[i] * slip_velocity.squaredNorm();
    support.mass += mass_[i];
  }
}

bool ObstacleContact::Support::glides() const {
  if (!is_flat() || sticking > 0) return false;
  return energy - 0.5 * momentum.squaredNorm() / mass < 0.5 * mass * kCrawl * kCrawl;
}

Vec3 ObstacleContact::rubbing(const Touch& touch, const Vec3& velocity) {
  if (!touch.is_braked()) return touch.friction.sliding * touch.normal_force * touch.slip;
  return brake_strength(touch) * tangential(velocity - touch.surface_velocity, touch.normal);
}

bool ObstacleContact::revise(std::span<const Vec3> reaction, std::span<const Vec3> begin,
                             std::span<const Vec3> end, double dt) {
  const bool missed = add_missed(begin, end, dt);
  if (release(reaction, dt) || missed) return true;
  find_supports(reaction, begin, end, dt);
  bool changed = false;
  for (Touch& touch : active_) {
    if (!touch.sticking || !supports_[at(touch.obstacle)].slides()) continue;
    const Vec3& force = reaction[at(touch.particle)];
    const Vec3 needed = tangential(force, touch.normal);
    const double pressing = std::max(0.0, pressing_force(touch, force, dt));
    if (needed.norm() <= touch.friction.resting * pressing) continue;
    touch.sticking = touch.is_new = false;
    touch.normal_force = pressing;
    touch.slip = -needed.normalized();
    changed = true;
  }
  return changed;
}

ParticleContact ObstacleContact::resolve(const Touch& touch, const Vec3& reaction, double dt,
                                         State& state) const {
  const auto i = at(touch.particle);
  const Support& support = supports_[at(touch.obstacle)];
  ParticleContact contact{.particle = touch.particle, .obstacle = touch.obstacle};
  contact.normal_force = std::max(0.0, pressing_force(touch, reaction, dt));
  if (touch.sticking) {
    const Vec3 holding = tangential(reaction, touch.normal);
    contact.sticking = support.holds() || holding.norm() <= touch.friction.resting * contact.normal_force;
    if (!contact.sticking) contact.slip = -holding.normalized();
    return contact;
  }
  if (touch.friction.resting == 0) return contact;
  const Vec3 slip_velocity = tangential(state.v[i] - touch.surface_velocity, touch.normal);
  const double speed = slip_velocity.norm();
  if (touch.is_new) {
    // It has felt no friction in the solve: it gets its share of the impulse now. Moving it would strain the
    // cloth.
    const double loss = speed_lost(speed, touch.friction, contact.normal_force * dt / mass_[i]);
    if (speed > 0) state.v[i] -= loss / speed * slip_velocity;
    if (speed - loss > kCrawl) contact.slip = slip_velocity / speed;
    return contact;
  }
  if (support.glides()) {
    contact.sticking = !touch.slip.isZero() && support.momentum.dot(touch.slip) <= 0;
    if (contact.sticking)
      state.v[i] -= slip_velocity;
    else
      contact.slip = support.momentum.normalized();
    return contact;
  }
  const bool may_stop = touch.is_braked() || support.holds();
  contact.sticking = speed < (may_stop ? kCrawl : kStandstill);
  if (contact.sticking)
    state.v[i] -= slip_velocity;
  else if (touch.is_braked() || slip_velocity.dot(touch.slip) > 0)
    contact.slip = slip_velocity / speed;
  return contact;
}

ParticleContact ObstacleContact::resolve_with_body(const Touch& touch, const Vec3& reaction, double dt,
                                                   State& state) {
  const size_t i = at(touch.particle);
  const Vec3 before = state.v[i];
  const ParticleContact contact = resolve(touch, reaction, dt, state);
  const Vec3 change =
      share_of_particle(touch.particle, touch.obstacle, touch.place, touch.normal) * (state.v[i] - before);
  state.v[i] = before + change;
  bodies_.note_impulse(body_of(touch.obstacle), touch.place, mass_[i] * change);
  return contact;
}

void ObstacleContact::end_exit(const Touch& touch, State& state) {
  const size_t i = at(touch.particle);
  const int body = body_of(touch.obstacle);
  const double speed = touch.normal.dot(state.v[i] - bodies_.velocity(body, touch.place));
  const double too_fast = std::min(speed, -touch.closing_speed);
  if (too_fast <= 0) return;
  const double share = share_of_particle(touch.particle, touch.obstacle, touch.place, touch.normal);
  const Vec3 change = -share * too_fast * touch.normal;
  state.v[i] += change;
  bodies_.note_impulse(body, touch.place, mass_[i] * change);
}

double ObstacleContact::share_of_particle(int particle, int obstacle, const Vec3& place,
                                          const Vec3& normal) const {
  const int body = body_of(obstacle);
  if (body < 0) return 1;
  const double share = bodies_.share_along(body, place, normal);
  return share / (mass_[at(particle)] + share);
}

double ObstacleContact::correct(std::span<const Vec3> reaction, std::span<const Vec3> begin, double dt,
                                State& state) {
  const double before = kinetic_energy(state);
  find_supports(reaction, begin, state.x, dt);
  state.contacts.clear();
  for (const Touch& touch : active_) {
    // Coming out of the obstacle is a correction of the position, not a motion that goes on.
    const bool is_body = body_of(touch.obstacle) >= 0;
    if (touch.gap < 0 && !is_body) state.v[at(touch.particle)] += touch.closing_speed * touch.normal;
    const Vec3& force = reaction[at(touch.particle)];
    if (touch.normal.dot(force) > 0)
      state.contacts.push_back(is_body ? resolve_with_body(touch, force, dt, state)
                                       : resolve(touch, force, dt, state));
    else
      released_.push_back({.particle = touch.particle, .obstacle = touch.obstacle});
    if (is_body && touch.gap < 0) end_exit(touch, state);
  }
  for (const Touch& touch : near_) {
    const Vec3 velocity = state.v[at(touch.particle)] - touch.surface_velocity;
    const double gap = touch.gap + dt * touch.normal.dot(velocity);
    if (touch.is_let_go() && gap > kHovering * clearance(touch.particle))
      released_.push_back({.particle = touch.particle, .obstacle = touch.obstacle});
  }
  state.contacts.insert(state.contacts.end(), released_.begin(), released_.end());
  std::sort(state.contacts.begin(), state.contacts.end(), by_pair);
  project(dt, state);
  return kinetic_energy(state) - before;
}

double ObstacleContact::kinetic_energy(const State& state) {
  return ordered_sum(state.particle_count(), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += 0.5 * mass_[at(i)] * state.v[at(i)].squaredNorm();
    return sum;
  });
}

}  // namespace heddle
