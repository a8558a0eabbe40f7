#include <heddle/contact/obstacle_contact.h>
#include <heddle/contact/obstacle_rules.h>

#include <heddle/geometry/signed_distance.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A particle at rest whose gap is below this share of its clearance was laid on the obstacle.
constexpr double kLaid = 0.2;
/// Particles nearer than this, in clearances, may come to touch without being foreseen.
constexpr double kNear = 10;

/// What would be squeezed out from between two obstacles faster than this is let go, m/s.
constexpr double kFastestSqueeze = 2 * kFastestExit;

double closing_speed(double gap, double clearance, double dt) {
  return gap < -clearance ? std::max(gap / dt, -kFastestExit) : gap / dt;
}

}  // namespace

void ObstacleContact::find_poses(const State& state, double dt) {
  poses_.resize(obstacles_.size());
  for (size_t k = 0; k < obstacles_.size(); ++k) {
    const Obstacle& obstacle = obstacles_[k];
    if (obstacle.body >= 0) {
      const BodyMotion& motion = bodies_.motion(obstacle.body);
      poses_[k] = {motion.begin, motion.end, 0};
    } else {
      poses_[k] = {obstacle.motion.at(state.time), obstacle.motion.at(state.time + dt), 0};
    }
    if (obstacle.solid)
      poses_[k].reach = obstacle.solid->bounds()
                            .min()
                            .cwiseAbs()
                            .cwiseMax(obstacle.solid->bounds().max().cwiseAbs())
                            .norm();
    else
      poses_[k].reach = bounding_radius(obstacle.shape);
  }
}

void ObstacleContact::set_body_ends(std::span<const BodyMotion> motions) {
  for (size_t k = 0; k < obstacles_.size(); ++k)
    if (const int body = obstacles_[k].body; body >= 0) poses_[k].end = motions[at(body)].end;
}

SurfacePoint ObstacleContact::surface_point(int obstacle, const Vec3& local) const {
  const Obstacle& solid = obstacles_[at(obstacle)];
  return solid.solid ? solid.solid->nearest(local) : signed_distance(solid.shape, local);
}

bool ObstacleContact::probe(const State& state, int particle, int obstacle, double dt, Touch& touch) const {
  const Poses& poses = poses_[at(obstacle)];
  const Vec3& x = state.x[at(particle)];
  const Vec3 local = poses.begin.point_to_local(x);
  const double least = clearance(particle);
  touch.surface_velocity = (poses.end.point(local) - x) / dt;
  const double travel = (state.v[at(particle)] - touch.surface_velocity).norm() * dt;
  if (local.norm() > poses.reach + 2 * travel + 10 * least) return false;
  const SurfacePoint surface = surface_point(obstacle, local);
  touch.particle = particle;
  touch.place = x;
  touch.obstacle = obstacle;
  touch.gap = surface.distance - least;
  touch.closing_speed = closing_speed(touch.gap, least, dt);
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
  touch.gap = near->distance - clearance(particle) - meshes_[k].thickness;
  touch.closing_speed = closing_speed(touch.gap, clearance(particle), dt);
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
    if (!probe_any(state, particle, k, dt, touch)) continue;
    const double least = touch.normal.dot(touch.surface_velocity) - touch.closing_speed;
    velocity += std::max(0.0, least - touch.normal.dot(velocity)) * touch.normal;
  }
  return velocity;
}

bool ObstacleContact::probe_any(const State& state, int particle, int obstacle, double dt,
                                Touch& touch) const {
  if (!surfaces_[at(particle)].is_in_space) return false;
  if (const int body = body_of(obstacle); body >= 0 && bodies_.is_linked(particle, body)) return false;
  return obstacle < static_cast<int>(obstacles_.size()) ? probe(state, particle, obstacle, dt, touch)
                                                        : probe_mesh(state, particle, obstacle, dt, touch);
}

void ObstacleContact::recall(const ParticleContact& known, const State& state, Touch& touch) {
  touch.is_new = false;
  touch.sticking = known.sticking;
  touch.normal_force = known.normal_force;
  touch.slip = known.slip;
  touch.slip_speed = tangential(state.v[at(touch.particle)] - touch.surface_velocity, touch.normal).norm();
}

bool ObstacleContact::foresee(const State& state, double dt, const Vec3& acceleration, Touch& touch) const {
  const auto i = at(touch.particle);
  const double least = clearance(touch.particle);
  // What was let go is held by something else, not falling.
  const bool let_go = touch.is_let_go();
  Vec3 approach = state.v[i] - touch.surface_velocity;
  const bool was_laid = touch.is_new && approach.norm() < kStandstill && std::abs(touch.gap) < kLaid * least;
  if (was_laid) touch.sticking = touch.friction.resting > 0;
  if (!let_go) approach += dt * acceleration;
  const bool will_touch = touch.gap + dt * touch.normal.dot(approach) < 0;
  const bool still_touches = !touch.is_new && !let_go && touch.gap < 0.5 * least;
  touch.is_active = will_touch || still_touches;
  return touch.is_active || touch.gap < kNear * least + dt * approach.norm();
}

void ObstacleContact::find_touches(const State& state, double dt, const Vec3& acceleration) {
  const int n = state.particle_count();
  std::vector<std::vector<Touch>> found(at(chunk_count(n)));
  for_chunks(n, [&](int begin, int end, int chunk) {
    auto record =
        std::lower_bound(state.contacts.begin(), state.contacts.end(), begin,
                         [](const ParticleContact& c, int particle) { return c.particle < particle; });
    std::vector<Touch> probed;
    for (int i = begin; i < end; ++i) {
      while (record != state.contacts.end() && record->particle < i) ++record;
      yield_[at(i)] = 0;
      probed.clear();
      for (int k = 0; k < obstacle_count(); ++k)
        if (Touch touch; probe_any(state, i, k, dt, touch)) probed.push_back(touch);
      yield_between(probed, dt);
      for (Touch& touch : probed) {
        for (auto known = record; known != state.contacts.end() && known->particle == i; ++known)
          if (known->obstacle == touch.obstacle) recall(*known, state, touch);
        if (foresee(state, dt, acceleration, touch)) found[at(chunk)].push_back(touch);
      }
    }
  });
  active_.clear();
  near_.clear();
  for (const auto& part : found)
    for (const Touch& touch : part) (touch.is_active ? active_ : near_).push_back(touch);
}

void ObstacleContact::detect(const State& state, double dt, const Vec3& acceleration) {
  find_poses(state, dt);
  for (MeshProximity& mesh : mesh_proximity_) mesh.update(state.time, state.time + dt);
  find_touches(state, dt, acceleration);
  released_.clear();
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

void ObstacleContact::yield_between(std::span<Touch> of_one_particle, double dt) {
  constexpr double kOpposed = -0.9;  // what faces each other less than that can be left sideways
  if (of_one_particle.size() < 2) return;
  const int particle = of_one_particle[0].particle;
  const auto gap_after = [&](const Touch& touch) {
    return touch.gap - dt * touch.normal.dot(touch.surface_velocity);
  };
  double lack = 0;
  for (size_t a = 1; a < of_one_particle.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Touch &one = of_one_particle[a], &other = of_one_particle[b];
      if (one.normal.dot(other.normal) < kOpposed) lack = std::max(lack, -gap_after(one) - gap_after(other));
    }
  if (lack == 0) return;
  yield_[at(particle)] = std::min(0.5 * lack, surfaces_[at(particle)].margin);
  for (Touch& touch : of_one_particle) {
    touch.gap += yield_[at(particle)];
    touch.closing_speed = closing_speed(touch.gap, clearance(particle), dt);
  }
}

bool ObstacleContact::is_deep(const Touch& touch) const {
  return touch.obstacle < static_cast<int>(obstacles_.size()) && touch.gap < -clearance(touch.particle);
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
  for (auto a = active_.begin(); a != active_.end(); ++a)
    for (auto b = a + 1; b != active_.end() && b->particle == a->particle; ++b)
      if (leave_no_room(*a, *b)) pinched_.push_back(a->particle);
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
    const double least = clearance(touch.particle);
    touch.normal = exit;
    touch.gap =
        -way_out(state.x[at(touch.particle)], touch.obstacle, poses_[at(touch.obstacle)].begin) - least;
    touch.closing_speed = closing_speed(touch.gap, least, dt);
  }
}

double ObstacleContact::way_out(const Vec3& x, int obstacle, const RigidTransform& pose) const {
  constexpr int kMostSteps = 100;
  constexpr double kLeastStep = 1e-4;  // m
  double way = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const Vec3 local = pose.point_to_local(x + way * exits_[at(obstacle)]);
    const double distance = surface_point(obstacle, local).distance;
    if (distance >= 0) break;
    way += std::max(-distance, kLeastStep);
  }
  return way;
}

}  // namespace heddle
