#include <heddle/contact/obstacle_contact.h>
#include <heddle/contact/obstacle_rules.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of the clearance; how much may lack of it after impulses.
constexpr double kSlack = 0.05;

}  // namespace

ObstacleContact::PushedOut ObstacleContact::push_out(int particle, int obstacle, double dt,
                                                     State& state) const {
  const Poses& poses = poses_[at(obstacle)];
  Vec3& x = state.x[at(particle)];
  Vec3& v = state.v[at(particle)];
  const Vec3 local = poses.end.point_to_local(x);
  const double least = clearance(particle);
  if (!surfaces_[at(particle)].is_in_space) return {};
  if (local.norm() > poses.reach + least) return {};
  const int body = body_of(obstacle);
  if (body >= 0 && bodies_.is_linked(particle, body)) return {};
  const SurfacePoint surface = surface_point(obstacle, local);
  double gap = surface.distance - least;
  if (gap >= 0) return {};
  Vec3 normal = poses.end.direction(surface.normal);
  if (is_among(leaving_, particle)) {
    normal = exits_[at(obstacle)];
    gap = -way_out(x, obstacle, poses.end) - least;
  }
  const Vec3 surface_velocity = (x - poses.begin.point(local)) / dt;
  x += std::min(-gap, is_among(inside_, particle) ? dt * kFastestExit : -gap) * normal;
  const Vec3 relative = v - surface_velocity;
  const double approach = std::max(0.0, -normal.dot(relative));
  const Vec3 slip_velocity = tangential(relative, normal);
  const double speed = slip_velocity.norm();
  const double loss = speed_lost(speed, pair_friction(particle, obstacle), approach);
  const Vec3 before = v;
  v += approach * normal;
  if (speed > 0) v -= slip_velocity * (loss / speed);
  if (body >= 0) v = before + share_of_particle(particle, obstacle, x, normal) * (v - before);
  ParticleContact contact{.particle = particle, .obstacle = obstacle, .sticking = speed - loss < kStandstill};
  contact.normal_force = mass_[at(particle)] * approach / dt;
  if (!contact.sticking) contact.slip = slip_velocity / speed;
  return {approach > 0, contact, mass_[at(particle)] * (v - before)};
}

void ObstacleContact::project(double dt, State& state) {
  const int n = state.particle_count();
  std::vector<std::vector<PushedOut>> found(at(chunk_count(n)));
  for_chunks(n, [&](int begin, int end, int chunk) {
    for (int i = begin; i < end; ++i) {
      if (is_among(pinned_, i) || is_among(pinched_, i)) continue;
      for (int k = 0; k < static_cast<int>(obstacles_.size()); ++k)
        if (const PushedOut pushed = push_out(i, k, dt, state); pushed.presses)
          found[at(chunk)].push_back(pushed);
    }
  });
  const auto known_end = static_cast<std::ptrdiff_t>(state.contacts.size());
  for (const auto& part : found)
    for (const PushedOut& pushed : part) {
      const ParticleContact& contact = pushed.contact;
      if (const int body = body_of(contact.obstacle); body >= 0)
        bodies_.note_impulse(body, state.x[at(contact.particle)], pushed.impulse);
      const auto end = state.contacts.begin() + known_end;
      const auto known = std::lower_bound(state.contacts.begin(), end, contact, by_pair);
      if (known == end || by_pair(contact, *known))
        state.contacts.push_back(contact);
      else if (known->normal_force == 0)
        *known = contact;
    }
  std::sort(state.contacts.begin(), state.contacts.end(), by_pair);
}

std::optional<PlaneContact> ObstacleContact::plane_between(const State& state, int particle, int obstacle,
                                                           double dt) const {
  constexpr double kPushed = 0.01;  // m, farther than impulses push within a step
  if (!surfaces_[at(particle)].is_in_space) return std::nullopt;
  const Poses& poses = poses_[at(obstacle)];
  const Vec3& x = state.x[at(particle)];
  const double least = clearance(particle);
  const double reach = kPushed + least + dt * state.v[at(particle)].norm();
  const Vec3 local = poses.end.point_to_local(x);
  if (local.norm() > poses.reach + reach) return std::nullopt;
  if (const int body = body_of(obstacle); body >= 0 && bodies_.is_linked(particle, body)) return std::nullopt;
  const SurfacePoint surface = surface_point(obstacle, local);
  if (surface.distance > reach || is_among(pinned_, particle) || is_among(pinched_, particle))
    return std::nullopt;
  const Vec3 normal = poses.end.direction(surface.normal);
  // What is deep inside comes out at its own speed and must only not go back.
  const double lack = is_among(inside_, particle) ? 0 : least - surface.distance;
  return PlaneContact{.particle = particle,
                      .obstacle = obstacle,
                      .normal = normal,
                      .reach = normal.dot(x) + lack,
                      .slack = kSlack * least,
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

void ObstacleContact::take_body_impulses(std::span<const PlaneContact> planes, const State& state) {
  for (const PlaneContact& plane : planes)
    if (const int body = body_of(plane.obstacle); body >= 0)
      bodies_.note_impulse(body, state.x[at(plane.particle)], plane.pressure * plane.normal + plane.rubbing);
}

int ObstacleContact::entering(std::span<const Vec3> begin, std::span<const Vec3> end) const {
  constexpr double kEntered = 0.01;  // of the clearance
  for (const int i : pinned_)
    for (size_t k = 0; k < obstacles_.size(); ++k) {
      const auto height = [&](const RigidTransform& pose, const Vec3& x) {
        return surface_point(static_cast<int>(k), pose.point_to_local(x)).distance + kEntered * clearance(i);
      };
      if (!surfaces_[at(i)].is_in_space) continue;
      if (height(poses_[k].begin, begin[at(i)]) >= 0 && height(poses_[k].end, end[at(i)]) < 0) return i;
    }
  return -1;
}

int particle_beyond(std::span<const PlaneContact> planes, std::span<const Vec3> x) {
  constexpr double kHalfClearance = 0.5 / kSlack;
  for (const PlaneContact& plane : planes)
    if (plane.reach - plane.normal.dot(x[at(plane.particle)]) > kHalfClearance * plane.slack)
      return plane.particle;
  return -1;
}

}  // namespace heddle
