#include <heddle/rigid/rigid_system.h>

#include <heddle/core/check.h>
#include <heddle/rigid/ode_collider.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of a depth, mended in one step, and how fast at most, m/s.
constexpr double kMended = 0.2, kFastestPush = 1;
/// Bodies that approach more slowly do not bounce, m/s, and in falls during two steps.
constexpr double kSlowestBounce = 0.02;

Mat3 in_space(const RigidBody& body, const Quat& rotation, const Vec3& diagonal) {
  const Mat3 axes = (rotation * body.inertia.axes).toRotationMatrix();
  return axes * diagonal.asDiagonal() * axes.transpose();
}

Quat turned(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (angle == 0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(angle, rotation_vector / angle));
}

Vec3 told_velocity(const ToldPose& pose, const Vec3& place, double dt) {
  return (pose.end.point(pose.begin.point_to_local(place)) - place) / dt;
}

std::vector<std::pair<int, int>> joined_pairs(std::span<const RigidJoint> joints) {
  std::vector<std::pair<int, int>> pairs;
  for (const RigidJoint& joint : joints)
    if (joint.second >= 0)
      pairs.emplace_back(std::min(joint.first, joint.second), std::max(joint.first, joint.second));
  return pairs;
}

}  // namespace

double RigidBody::inner_size() const {
  const Vec3& moments = inertia.moments;
  const double shortest = 2.5 / mass * (moments[0] + moments[1] - moments[2]);
  return std::sqrt(std::max(shortest, 1e-3 * moments[2] / mass));
}

RigidSystem::RigidSystem(std::vector<RigidBody> bodies, std::vector<RigidObstacle> obstacles,
                         std::vector<RigidJoint> joints, const Vec3& gravity)
    : bodies_(std::move(bodies)),
      joints_(std::move(joints)),
      gravity_(gravity),
      collider_(make_ode_collider(bodies_, obstacles, joined_pairs(joints_))) {
  for (const RigidObstacle& obstacle : obstacles) obstacle_touches_.push_back(obstacle.touch);
}

BodyInertia RigidSystem::inertia_of(const BodyState& body, int number) const {
  const RigidBody& model = bodies_[at(number)];
  return {body.x, 1 / model.mass, in_space(model, body.rotation, model.inertia.moments.cwiseInverse())};
}

Vec3 RigidSystem::angular_velocity(const BodyState& body, int number) const {
  return inertia_of(body, number).inverse * body.angular_momentum;
}

Vec3 RigidSystem::angular_momentum(const Vec3& angular_velocity, const Quat& rotation, int number) const {
  const RigidBody& model = bodies_[at(number)];
  return in_space(model, rotation, model.inertia.moments) * angular_velocity;
}

void RigidSystem::find_free_velocities(std::span<const BodyImpulse> loads) {
  start_.resize(bodies_.size());
  free_.resize(bodies_.size());
  for (int k = 0; k < body_count(); ++k) {
    const BodyState& body = begin_.bodies[at(k)];
    const RigidBody& model = bodies_[at(k)];
    const BodyInertia& inertia = inertias_[at(k)];
    start_[at(k)] = {body.v, inertia.inverse * body.angular_momentum};
    Vec3 impulse = dt_ * model.mass * gravity_, turning = Vec3::Zero();
    if (!loads.empty()) {
      impulse += dt_ * loads[at(k)].linear;
      turning += dt_ * loads[at(k)].angular;
    }
    const double kept = std::exp(-model.damping * dt_), kept_turning = std::exp(-model.angular_damping * dt_);
    free_[at(k)].v = kept * (body.v + inertia.inverse_mass * impulse);
    free_[at(k)].angular = kept_turning * (inertia.inverse * (body.angular_momentum + turning));
  }
}

ContactRow RigidSystem::contact_row(const SolidContact& contact, std::span<const ToldPose> obstacles) const {
  ContactRow row;
  const bool is_body = contact.second < body_count();
  const SolidTouch& mine = bodies_[at(contact.first)].touch;
  const SolidTouch& other =
      is_body ? bodies_[at(contact.second)].touch : obstacle_touches_[at(contact.second - body_count())];
  row.first = contact.first;
  row.second = is_body ? contact.second : -1;
  row.arm_first = contact.place - inertias_[at(contact.first)].centre;
  if (is_body)
    row.arm_second = contact.place - inertias_[at(contact.second)].centre;
  else
    row.told_velocity = told_velocity(obstacles[at(contact.second - body_count())], contact.place, dt_);
  const auto relative = [&](std::span<const BodyVelocity> velocities) {
    Vec3 v = velocities[at(row.first)].at(row.arm_first) - row.told_velocity;
    if (is_body) v -= velocities[at(row.second)].at(row.arm_second);
    return v;
  };
  row.axes.col(0) = contact.normal;
  row.axes.col(1) = contact.normal.unitOrthogonal();
  row.axes.col(2) = contact.normal.cross(row.axes.col(1));
  row.resting = std::sqrt(mine.resting * other.resting);
  row.sliding = std::sqrt(mine.sliding * other.sliding);
  row.least = -std::max(0.0, contact.gap) / dt_;
  row.push = std::min(kFastestPush, kMended * std::max(0.0, -contact.gap) / dt_);
  const double approach = -contact.normal.dot(relative(start_));
  const double restitution = is_body ? std::sqrt(mine.restitution * other.restitution) : mine.restitution;
  const double slowest = std::max(kSlowestBounce, 2 * gravity_.norm() * dt_);
  if (approach > slowest && contact.gap < dt_ * approach)
    row.least = std::max(row.least, restitution * approach);
  prepare(row, inertias_);
  return row;
}

void RigidSystem::make_contact_rows(std::span<const ToldPose> obstacles) {
  poses_.clear();
  for (int k = 0; k < body_count(); ++k) poses_.push_back(pose(begin_.bodies[at(k)], k));
  std::vector<RigidTransform> told;
  for (const ToldPose& obstacle : obstacles) told.push_back(obstacle.begin);
  collider_->collide(poses_, told, contacts_);
  contact_rows_.clear();
  for (const SolidContact& contact : contacts_) contact_rows_.push_back(contact_row(contact, obstacles));
  warm_contacts();
}

void RigidSystem::warm_contacts() {
  constexpr double kReach = 0.3;  // of the size of the body, within which a contact is taken for the same
  std::vector<char> used(begin_.body_contacts.size(), 0);
  for (size_t c = 0; c < contacts_.size(); ++c) {
    const SolidContact& contact = contacts_[c];
    ContactRow& row = contact_rows_[c];
    const Vec3 place = begin_.bodies[at(contact.first)].rotation.conjugate() * row.arm_first;
    double nearest = kReach * bodies_[at(contact.first)].inner_size();
    size_t found = used.size();
    for (size_t k = 0; k < used.size(); ++k) {
      const BodyContact& known = begin_.body_contacts[k];
      if (used[k] || known.first != contact.first || known.second != contact.second) continue;
      const double distance = (known.place - place).norm();
      if (distance >= nearest) continue;
      nearest = distance;
      found = k;
    }
    if (found == used.size()) continue;
    used[found] = 1;
    row.impulse = dt_ * (row.axes.transpose() * begin_.body_contacts[found].force);
    row.impulse[0] = std::max(0.0, row.impulse[0]);
    const double size = row.impulse.tail<2>().norm();
    if (size > row.sliding * row.impulse[0]) row.impulse.tail<2>() *= row.sliding * row.impulse[0] / size;
  }
}

JointSide RigidSystem::side_of(int number, const RigidTransform& in_own,
                               std::span<const ToldPose> obstacles) const {
  JointSide side;
  if (number < 0) {
    side.joint = in_own;
  } else if (number < body_count()) {
    side.body = number;
    side.joint = pose(begin_.bodies[at(number)], number) * in_own;
    side.centre = inertias_[at(number)].centre;
  } else {
    const ToldPose& told = obstacles[at(number - body_count())];
    side.joint = told.begin * in_own;
    side.told.v = told_velocity(told, side.joint.translation, dt_);
    const Eigen::AngleAxisd turn(told.end.rotation * told.begin.rotation.conjugate());
    side.told.angular = turn.angle() / dt_ * turn.axis();
  }
  return side;
}

void RigidSystem::make_joint_rows(std::span<const ToldPose> obstacles) {
  joint_rows_.clear();
  for (size_t j = 0; j < joints_.size(); ++j) {
    const RigidJoint& joint = joints_[j];
    const size_t first_row = joint_rows_.size();
    add_joint_rows(joint, static_cast<int>(j), side_of(joint.first, joint.in_first, obstacles),
                   side_of(joint.second, joint.in_second, obstacles), begin_.time, dt_, joint_rows_);
    for (size_t r = first_row; r < joint_rows_.size(); ++r) {
      JointRow& row = joint_rows_[r];
      prepare(row, inertias_);
      if (j >= begin_.joint_loads.size()) continue;
      const JointLoad& load = begin_.joint_loads[j];
      row.impulse =
          std::clamp(dt_ * (row.linear.dot(load.force) + row.angular.dot(load.torque)), -row.most, row.most);
    }
  }
}

void RigidSystem::begin(const State& begin, double dt, std::span<const BodyImpulse> loads,
                        std::span<const ToldPose> obstacles) {
  HEDDLE_CHECK_EQ(begin.bodies.size(), bodies_.size());
  begin_.time = begin.time;
  begin_.bodies = begin.bodies;
  begin_.body_contacts = begin.body_contacts;
  begin_.joint_loads = begin.joint_loads;
  dt_ = dt;
  inertias_.clear();
  for (int k = 0; k < body_count(); ++k) inertias_.push_back(inertia_of(begin_.bodies[at(k)], k));
  find_free_velocities(loads);
  make_contact_rows(obstacles);
  make_joint_rows(obstacles);
  pushes_.assign(bodies_.size(), {});
  ImpulseSweep{inertias_, contact_rows_, joint_rows_}.solve_pushes(pushes_);
  solve({});
  motions_.resize(bodies_.size());
  for (int k = 0; k < body_count(); ++k) {
    const BodyInertia& inertia = inertias_[at(k)];
    motions_[at(k)] = {.begin = poses_[at(k)],
                       .end = pose(moved(k), k),
                       .centre = inertia.centre,
                       .v = end_[at(k)].v + pushes_[at(k)].v,
                       .angular_v = end_[at(k)].angular + pushes_[at(k)].angular,
                       .inverse_mass = inertia.inverse_mass,
                       .inverse_inertia = inertia.inverse};
  }
}

void RigidSystem::foresee(std::span<const BodyImpulse> impulses) {
  const std::vector<BodyVelocity> kept = end_;
  for (int k = 0; k < body_count(); ++k) {
    if (impulses[at(k)].is_zero()) continue;
    end_[at(k)].v += inertias_[at(k)].inverse_mass * impulses[at(k)].linear;
    end_[at(k)].angular += inertias_[at(k)].inverse * impulses[at(k)].angular;
    is_free_flight_[at(k)] = 0;
    motions_[at(k)].end = pose(moved(k), k);
  }
  end_ = kept;
}

void RigidSystem::solve(std::span<const BodyImpulse> impulses) {
  end_ = free_;
  is_free_flight_.assign(bodies_.size(), 1);
  for (int k = 0; k < body_count() && !impulses.empty(); ++k) {
    if (impulses[at(k)].is_zero()) continue;
    end_[at(k)].v += inertias_[at(k)].inverse_mass * impulses[at(k)].linear;
    end_[at(k)].angular += inertias_[at(k)].inverse * impulses[at(k)].angular;
    is_free_flight_[at(k)] = 0;
  }
  ImpulseSweep{inertias_, contact_rows_, joint_rows_}.solve(end_);
  const auto note = [&](const BodyPair& pair) {
    is_free_flight_[at(pair.first)] = 0;
    if (pair.second >= 0) is_free_flight_[at(pair.second)] = 0;
  };
  for (const ContactRow& row : contact_rows_)
    if (row.impulse[0] > 0 || row.push_impulse > 0) note(row);
  for (const JointRow& row : joint_rows_) note(row);
}

BodyState RigidSystem::moved(int number) const {
  const RigidBody& model = bodies_[at(number)];
  BodyState body = begin_.bodies[at(number)];
  const BodyVelocity &start = start_[at(number)], &end = end_[at(number)], &push = pushes_[at(number)];
  // The parabola of a fall is exact; what touches must be where its velocity at the end leads. Other forces
  // depend on places, for which only the latter is stable.
  const Vec3 mean = is_free_flight_[at(number)] ? Vec3(end.v - 0.5 * dt_ * gravity_) : Vec3(end.v + push.v);
  const Vec3 change = end.angular - start.angular;
  if (!change.isZero(0)) body.angular_momentum += angular_momentum(change, body.rotation, number);
  body.x += dt_ * mean;
  body.v = end.v;
  body.rotation = turn_freely(model.inertia, body.rotation, body.angular_momentum, dt_);
  if (!push.angular.isZero(0)) body.rotation = (turned(dt_ * push.angular) * body.rotation).normalized();
  return body;
}

void RigidSystem::remember(State& state) const {
  state.body_contacts.clear();
  for (size_t c = 0; c < contact_rows_.size(); ++c) {
    const ContactRow& row = contact_rows_[c];
    if (row.impulse[0] == 0) continue;
    state.body_contacts.push_back({.first = contacts_[c].first,
                                   .second = contacts_[c].second,
                                   .place = begin_.bodies[at(row.first)].rotation.conjugate() * row.arm_first,
                                   .force = row.axes * row.impulse / dt_});
  }
  state.joint_loads.assign(joints_.size(), {});
  for (const JointRow& row : joint_rows_) {
    JointLoad& load = state.joint_loads[at(row.joint)];
    load.force += row.impulse / dt_ * row.linear;
    load.torque += row.impulse / dt_ * row.angular;
  }
}

void RigidSystem::finish(std::span<const BodyImpulse> impulses, State& state) {
  const bool is_pushed =
      std::any_of(impulses.begin(), impulses.end(), [](const BodyImpulse& i) { return !i.is_zero(); });
  if (is_pushed) solve(impulses);
  state.bodies.resize(bodies_.size());
  for (int k = 0; k < body_count(); ++k) state.bodies[at(k)] = moved(k);
  remember(state);
}

double RigidSystem::longest_way() const {
  if (body_count() + static_cast<int>(obstacle_touches_.size()) < 2) return 0;
  double longest = 0;
  for (int k = 0; k < body_count(); ++k)
    longest = std::max(longest, dt_ * end_[at(k)].v.norm() / bodies_[at(k)].inner_size());
  return longest;
}

double RigidSystem::kinetic_energy(const State& state) const {
  double energy = 0;
  for (int k = 0; k < body_count(); ++k) {
    const BodyState& body = state.bodies[at(k)];
    energy += 0.5 * bodies_[at(k)].mass * body.v.squaredNorm() +
              0.5 * body.angular_momentum.dot(angular_velocity(body, k));
  }
  return energy;
}

double RigidSystem::potential_energy(const State& state) const {
  double energy = 0;
  for (int k = 0; k < body_count(); ++k) energy -= bodies_[at(k)].mass * gravity_.dot(state.bodies[at(k)].x);
  return energy;
}

}  // namespace heddle
