#include <heddle/contact/obstacle_contact.h>

#include <heddle/core/check.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Tangential speeds below this count as standing still, m/s.
constexpr double kStandstill = 1e-6;

/// Where it is not known whether a contact sticks, friction grows up to this speed, m/s. Cloth that is held
/// at once instead would stretch by all that its neighbours move.
constexpr double kCrawl = 0.01;

/// Friction turns at once with velocities below this, m/s.
constexpr double kSlowestTurn = 0.1 * kCrawl;

/// Contacts that nobody foresaw join the solve if the particle would come nearer than it may by this share of
/// its clearance. With 0.2 a sheet at rest on a ball trembled with twice the energy, with 0.02 with ten
/// times.
constexpr double kMissed = 1;
/// A particle at rest whose gap is below this share of its clearance was laid on the obstacle.
constexpr double kLaid = 0.2;
/// A particle that was let go is remembered as such while its gap is larger than this share of its clearance.
/// With 0 a coarse sheet on a ball loses friction (its drape coefficient changes by 3 %), with 0.5 five
/// layers on a ball take twice as many iterations at rest.
constexpr double kHovering = 0.3;
/// Particles nearer than this, in clearances, may come to touch without being foreseen.
constexpr double kNear = 10;

bool is_among(std::span<const int> sorted, int particle) {
  return std::binary_search(sorted.begin(), sorted.end(), particle);
}

constexpr auto by_pair = [](const auto& a, const auto& b) {
  return std::pair(a.particle, a.obstacle) < std::pair(b.particle, b.obstacle);
};

/// What is deep in an obstacle comes out at this speed, m/s, and not at once: no step could bear that.
constexpr double kFastestExit = 3;

/// What would be squeezed out from between two obstacles faster than this is let go, m/s.
constexpr double kFastestSqueeze = 2 * kFastestExit;

double closing_speed(double gap, double clearance, double dt) {
  return gap < -clearance ? std::max(gap / dt, -kFastestExit) : gap / dt;
}

/// Of a particle that slides with `speed` (m/s) while it is pressed against a surface with `approach` (m/s).
double speed_lost(double speed, const Friction& friction, double approach) {
  return speed <= friction.resting * approach ? speed : friction.sliding * approach;
}

}  // namespace

ObstacleContact::ObstacleContact(std::vector<Obstacle> obstacles, std::vector<ContactSurface> surfaces,
                                 std::vector<double> mass, std::vector<MeshObstacle> meshes,
                                 FrictionTable frictions)
    : obstacles_(std::move(obstacles)),
      surfaces_(std::move(surfaces)),
      mass_(std::move(mass)),
      meshes_(std::move(meshes)),
      frictions_(std::move(frictions)) {
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

void ObstacleContact::find_poses(const State& state, double dt) {
  poses_.resize(obstacles_.size());
  for (size_t k = 0; k < obstacles_.size(); ++k) {
    const Motion& motion = obstacles_[k].motion;
    poses_[k] = {motion.at(state.time), motion.at(state.time + dt), bounding_radius(obstacles_[k].shape)};
  }
}

bool ObstacleContact::probe(const State& state, int particle, int obstacle, double dt, Touch& touch) const {
  const Poses& poses = poses_[at(obstacle)];
  const Vec3& x = state.x[at(particle)];
  const Vec3 local = poses.begin.point_to_local(x);
  const double clearance = surfaces_[at(particle)].clearance;
  touch.surface_velocity = (poses.end.point(local) - x) / dt;
  const double travel = (state.v[at(particle)] - touch.surface_velocity).norm() * dt;
  if (local.norm() > poses.reach + 2 * travel + 10 * clearance) return false;
  const SurfacePoint surface = signed_distance(obstacles_[at(obstacle)].shape, local);
  touch.particle = particle;
  touch.obstacle = obstacle;
  touch.gap = surface.distance - clearance;
  touch.closing_speed = closing_speed(touch.gap, clearance, dt);
  touch.normal = poses.end.direction(surface.normal);
  touch.friction = pair_friction(particle, obstacle);
  return true;
}

bool ObstacleContact::probe_mesh(const State& state, int particle, int obstacle, double dt,
                                 Touch& touch) const {
  const auto k = at(obstacle) - obstacles_.size();
  const auto near = mesh_proximity_[k].nearest(state.x[at(particle)]);
  if (!near) return false;
  touch.particle = particle;
  touch.obstacle = obstacle;
  touch.gap = near->distance - surfaces_[at(particle)].clearance - meshes_[k].thickness;
  touch.closing_speed = closing_speed(touch.gap, surfaces_[at(particle)].clearance, dt);
  touch.normal = near->normal;
  touch.surface_velocity = near->velocity;
  touch.friction = pair_friction(particle, obstacle);
  return true;
}

Vec3 ObstacleContact::deflect(const State& state, double dt, int particle, Vec3 velocity) {
  find_poses(state, dt);
  for (MeshProximity& mesh : mesh_proximity_) mesh.update(state.time, state.time + dt);
  for (int k = 0; k < obstacle_count(); ++k) {
    Touch touch;
    const bool is_shape = k < static_cast<int>(obstacles_.size());
    if (!(is_shape ? probe(state, particle, k, dt, touch) : probe_mesh(state, particle, k, dt, touch)))
      continue;
    const double least = touch.normal.dot(touch.surface_velocity) - touch.closing_speed;
    velocity += std::max(0.0, least - touch.normal.dot(velocity)) * touch.normal;
  }
  return velocity;
}

void ObstacleContact::detect(const State& state, double dt, const Vec3& acceleration) {
  find_poses(state, dt);
  for (MeshProximity& mesh : mesh_proximity_) mesh.update(state.time, state.time + dt);
  const int n = state.particle_count();
  const int chunks = chunk_count(n);
  std::vector<std::vector<Touch>> found(at(chunks));
  for_chunks(n, [&](int begin, int end, int chunk) {
    auto record =
        std::lower_bound(state.contacts.begin(), state.contacts.end(), begin,
                         [](const ParticleContact& c, int particle) { return c.particle < particle; });
    for (int i = begin; i < end; ++i) {
      while (record != state.contacts.end() && record->particle < i) ++record;
      for (int k = 0; k < obstacle_count(); ++k) {
        Touch touch;
        const bool is_shape = k < static_cast<int>(obstacles_.size());
        if (!(is_shape ? probe(state, i, k, dt, touch) : probe_mesh(state, i, k, dt, touch))) continue;
        for (auto known = record; known != state.contacts.end() && known->particle == i; ++known)
          if (known->obstacle == k) {
            touch.is_new = false;
            touch.sticking = known->sticking;
            touch.normal_force = known->normal_force;
            touch.slip = known->slip;
            touch.slip_speed = tangential(state.v[at(i)] - touch.surface_velocity, touch.normal).norm();
          }
        // What was let go is held by something else, not falling.
        const bool let_go = touch.is_let_go();
        Vec3 approach = state.v[at(i)] - touch.surface_velocity;
        if (touch.is_new && approach.norm() < kStandstill &&
            std::abs(touch.gap) < kLaid * surfaces_[at(i)].clearance)
          touch.sticking = touch.friction.resting > 0;  // it was laid there
        if (!let_go) approach += dt * acceleration;
        const bool will_touch = touch.gap + dt * touch.normal.dot(approach) < 0;
        const bool still_touches = !touch.is_new && !let_go && touch.gap < 0.5 * surfaces_[at(i)].clearance;
        touch.is_active = will_touch || still_touches;
        if (touch.is_active || touch.gap < kNear * surfaces_[at(i)].clearance + dt * approach.norm())
          found[at(chunk)].push_back(touch);
      }
    }
  });
  active_.clear();
  near_.clear();
  released_.clear();
  for (const auto& part : found)
    for (const Touch& touch : part) (touch.is_active ? active_ : near_).push_back(touch);
  find_exits(state, dt, acceleration.isZero() ? Vec3::UnitZ() : Vec3(-acceleration.normalized()));
  inside_.clear();
  resting_.clear();
  leaving_.clear();
  for (const Touch& touch : active_) {
    if (is_deep(touch)) inside_.push_back(touch.particle);
    if (touch.leaves_together) leaving_.push_back(touch.particle);
  }
  let_pinched_go();
  for (const Touch& touch : active_)
    if (!touch.is_new && touch.normal_force > 0) resting_.push_back(touch.particle);
}

bool ObstacleContact::is_deep(const Touch& touch) const {
  return touch.obstacle < static_cast<int>(obstacles_.size()) &&
         touch.gap < -surfaces_[at(touch.particle)].clearance;
}

bool ObstacleContact::leave_no_room(const Touch& a, const Touch& b) {
  const Vec3 middle = 0.5 * (a.surface_velocity + b.surface_velocity);
  const auto needed = [&](const Touch& touch) {
    return touch.normal.dot(touch.surface_velocity - middle) - touch.closing_speed;
  };
  const double speed_a = needed(a), speed_b = needed(b), cosine = a.normal.dot(b.normal);
  const double pressing_a = speed_a - cosine * speed_b, pressing_b = speed_b - cosine * speed_a;
  if (pressing_a <= 0 || pressing_b <= 0) return false;  // who keeps away from one keeps away from the other
  const double determinant = 1 - cosine * cosine;
  return speed_a * pressing_a + speed_b * pressing_b > kFastestSqueeze * kFastestSqueeze * determinant;
}

void ObstacleContact::let_pinched_go() {
  pinched_.clear();
  // Not between meshes: cloth that passes through one would be held on its other side.
  const auto is_shape = [&](const Touch& touch) {
    return touch.obstacle < static_cast<int>(obstacles_.size());
  };
  for (auto a = active_.begin(); a != active_.end(); ++a)
    for (auto b = a + 1; b != active_.end() && b->particle == a->particle; ++b)
      if (is_shape(*b) && leave_no_room(*a, *b)) pinched_.push_back(a->particle);
  leave(pinched_);
}

void ObstacleContact::find_exits(const State& state, double dt, const Vec3& up) {
  exits_.assign(obstacles_.size(), Vec3::Zero());
  std::vector<double> depth(obstacles_.size(), 0);
  for (const Touch& touch : active_)
    if (is_deep(touch)) {
      exits_[at(touch.obstacle)] -= touch.gap * touch.normal;
      depth[at(touch.obstacle)] -= touch.gap;
    }
  constexpr double kAgreed = 0.1, kOpposed = -0.2;
  for (size_t k = 0; k < exits_.size(); ++k)
    exits_[k] = exits_[k].norm() > kAgreed * depth[k] ? Vec3(exits_[k].normalized()) : up;
  for (Touch& touch : active_) {
    if (!is_deep(touch)) continue;
    const Vec3& exit = exits_[at(touch.obstacle)];
    touch.leaves_together = touch.normal.dot(exit) > kOpposed;
    if (!touch.leaves_together) continue;
    const double clearance = surfaces_[at(touch.particle)].clearance;
    touch.normal = exit;
    touch.gap =
        -way_out(state.x[at(touch.particle)], touch.obstacle, poses_[at(touch.obstacle)].begin) - clearance;
    touch.closing_speed = closing_speed(touch.gap, clearance, dt);
  }
}

double ObstacleContact::way_out(const Vec3& x, int obstacle, const RigidTransform& pose) const {
  constexpr int kMostSteps = 100;
  constexpr double kLeastStep = 1e-4;  // m
  double way = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const Vec3 local = pose.point_to_local(x + way * exits_[at(obstacle)]);
    const double distance = signed_distance(obstacles_[at(obstacle)].shape, local).distance;
    if (distance >= 0) break;
    way += std::max(-distance, kLeastStep);
  }
  return way;
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

void ObstacleContact::respond(VelocityFilter& filter, std::span<Vec3> load) {
  pinned_ = filter.fixed_particles();
  std::erase_if(active_, [&](const Touch& touch) { return is_among(pinned_, touch.particle); });
  brakes_.clear();
  for (const Touch& touch : active_) {
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
  std::vector<const Touch*> first(at(obstacle_count()), nullptr);
  std::vector<char> together(at(obstacle_count()), 0);
  for (const Touch& touch : active_) {
    const size_t k = at(touch.obstacle);
    if (!first[k]) together[k] = !touch.slip.isZero();
    if (!first[k]) first[k] = &touch;
    together[k] = together[k] && !touch.sticking && touch.slip == first[k]->slip;
  }
  return std::any_of(together.begin(), together.end(), [](char all) { return all != 0; });
}

double ObstacleContact::brake_strength(const Touch& touch) {
  return touch.friction.resting * touch.normal_force / kCrawl;
}

double ObstacleContact::pressing_force(const Touch& touch, const Vec3& reaction, double dt) const {
  const double push_out = mass_[at(touch.particle)] * std::max(0.0, -touch.closing_speed) / dt;
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
    const bool missed = gap < -kMissed * surfaces_[i].clearance;
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

bool ObstacleContact::push_out(int particle, int obstacle, double dt, State& state,
                               ParticleContact& contact) const {
  const Poses& poses = poses_[at(obstacle)];
  Vec3& x = state.x[at(particle)];
  Vec3& v = state.v[at(particle)];
  const Vec3 local = poses.end.point_to_local(x);
  const double clearance = surfaces_[at(particle)].clearance;
  if (local.norm() > poses.reach + clearance) return false;
  const SurfacePoint surface = signed_distance(obstacles_[at(obstacle)].shape, local);
  double gap = surface.distance - clearance;
  if (gap >= 0) return false;
  Vec3 normal = poses.end.direction(surface.normal);
  if (is_among(leaving_, particle)) {
    normal = exits_[at(obstacle)];
    gap = -way_out(x, obstacle, poses.end) - clearance;
  }
  const Vec3 surface_velocity = (x - poses.begin.point(local)) / dt;
  x += std::min(-gap, is_among(inside_, particle) ? dt * kFastestExit : -gap) * normal;
  const Vec3 relative = v - surface_velocity;
  const double approach = std::max(0.0, -normal.dot(relative));
  const Vec3 slip_velocity = tangential(relative, normal);
  const double speed = slip_velocity.norm();
  const double loss = speed_lost(speed, pair_friction(particle, obstacle), approach);
  v += approach * normal;
  if (speed > 0) v -= slip_velocity * (loss / speed);
  contact = {.particle = particle, .obstacle = obstacle, .sticking = speed - loss < kStandstill};
  contact.normal_force = mass_[at(particle)] * approach / dt;
  if (!contact.sticking) contact.slip = slip_velocity / speed;
  return approach > 0;
}

void ObstacleContact::project(double dt, State& state) const {
  const int n = state.particle_count();
  std::vector<std::vector<ParticleContact>> found(at(chunk_count(n)));
  for_chunks(n, [&](int begin, int end, int chunk) {
    for (int i = begin; i < end; ++i) {
      if (is_among(pinned_, i) || is_among(pinched_, i)) continue;
      for (int k = 0; k < static_cast<int>(obstacles_.size()); ++k) {
        ParticleContact contact;
        if (push_out(i, k, dt, state, contact)) found[at(chunk)].push_back(contact);
      }
    }
  });
  const auto known_end = static_cast<std::ptrdiff_t>(state.contacts.size());
  for (const auto& part : found)
    for (const ParticleContact& contact : part) {
      const auto end = state.contacts.begin() + known_end;
      const auto known = std::lower_bound(state.contacts.begin(), end, contact, by_pair);
      if (known == end || by_pair(contact, *known))
        state.contacts.push_back(contact);
      else if (known->normal_force == 0)
        *known = contact;
    }
  std::sort(state.contacts.begin(), state.contacts.end(), by_pair);
}

double ObstacleContact::correct(std::span<const Vec3> reaction, std::span<const Vec3> begin, double dt,
                                State& state) {
  const double before = kinetic_energy(state);
  find_supports(reaction, begin, state.x, dt);
  state.contacts.clear();
  for (const Touch& touch : active_) {
    // Coming out of the obstacle is a correction of the position, not a motion that goes on.
    if (touch.gap < 0) state.v[at(touch.particle)] += touch.closing_speed * touch.normal;
    const Vec3& force = reaction[at(touch.particle)];
    if (touch.normal.dot(force) > 0)
      state.contacts.push_back(resolve(touch, force, dt, state));
    else
      released_.push_back({.particle = touch.particle, .obstacle = touch.obstacle});
  }
  for (const Touch& touch : near_) {
    const Vec3 velocity = state.v[at(touch.particle)] - touch.surface_velocity;
    const double gap = touch.gap + dt * touch.normal.dot(velocity);
    if (touch.is_let_go() && gap > kHovering * surfaces_[at(touch.particle)].clearance)
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

std::optional<PlaneContact> ObstacleContact::plane_between(const State& state, int particle, int obstacle,
                                                           double dt) const {
  constexpr double kPushed = 0.01;  // m, farther than impulses push within a step
  const Poses& poses = poses_[at(obstacle)];
  const Vec3& x = state.x[at(particle)];
  const double clearance = surfaces_[at(particle)].clearance;
  const double reach = kPushed + clearance + dt * state.v[at(particle)].norm();
  const Vec3 local = poses.end.point_to_local(x);
  if (local.norm() > poses.reach + reach) return std::nullopt;
  const SurfacePoint surface = signed_distance(obstacles_[at(obstacle)].shape, local);
  if (surface.distance > reach || is_among(pinned_, particle) || is_among(pinched_, particle))
    return std::nullopt;
  const Vec3 normal = poses.end.direction(surface.normal);
  // What is deep inside comes out at its own speed and must only not go back.
  const double lack = is_among(inside_, particle) ? 0 : clearance - surface.distance;
  return PlaneContact{.particle = particle,
                      .normal = normal,
                      .reach = normal.dot(x) + lack,
                      .slack = 0.05 * clearance,
                      .friction = pair_friction(particle, obstacle),
                      .surface_velocity = (x - poses.begin.point(local)) / dt};
}

void ObstacleContact::find_planes(const State& state, double dt, std::vector<PlaneContact>& planes) {
  const int n = state.particle_count(), chunks = chunk_count(n);
  planes_.resize(obstacles_.size() * at(chunks));
  for_chunks(n, [&](int begin, int end, int chunk) {
    for (int k = 0; k < static_cast<int>(obstacles_.size()); ++k) {
      std::vector<PlaneContact>& found = planes_[at(k) * at(chunks) + at(chunk)];
      found.clear();
      for (int i = begin; i < end; ++i)
        if (const auto plane = plane_between(state, i, k, dt)) found.push_back(*plane);
    }
  });
  planes.clear();
  for (const auto& part : planes_) planes.insert(planes.end(), part.begin(), part.end());
}

}  // namespace heddle
