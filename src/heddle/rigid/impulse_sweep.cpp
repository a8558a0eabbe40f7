#include <heddle/rigid/impulse_sweep.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace heddle {

namespace {

/// Sweeps of one step; fewer if there are many rows.
constexpr size_t kMostSweeps = 1000, kLeastSweeps = 100, kMostVisits = 200000;
constexpr int kMostPushSweeps = 50;
/// Sweeps end when no row changes its speed by more, m/s.
constexpr double kSettled = 1e-10, kPushesSettled = 1e-6;

size_t at(int i) {
  return static_cast<size_t>(i);
}

using Velocities = std::span<BodyVelocity>;

void give(const ImpulseSweep& sweep, const BodyPair& pair, const Vec3& impulse, Velocities velocities) {
  sweep.bodies[at(pair.first)].push(impulse, pair.arm_first, velocities[at(pair.first)]);
  if (pair.second >= 0)
    sweep.bodies[at(pair.second)].push(-impulse, pair.arm_second, velocities[at(pair.second)]);
}

Vec3 relative_velocity(const BodyPair& pair, Velocities velocities, bool with_told) {
  Vec3 relative = velocities[at(pair.first)].at(pair.arm_first);
  if (pair.second >= 0) relative -= velocities[at(pair.second)].at(pair.arm_second);
  if (with_told) relative -= pair.told_velocity;
  return relative;
}

void give(const ImpulseSweep& sweep, const JointRow& row, double amount, Velocities velocities) {
  give(sweep, static_cast<const BodyPair&>(row), amount * row.linear, velocities);
  const Vec3 turning = amount * row.angular;
  velocities[at(row.first)].angular += sweep.bodies[at(row.first)].inverse * turning;
  if (row.second >= 0) velocities[at(row.second)].angular -= sweep.bodies[at(row.second)].inverse * turning;
}

double speed_of(const JointRow& row, Velocities velocities) {
  Vec3 turning = velocities[at(row.first)].angular;
  if (row.second >= 0) turning -= velocities[at(row.second)].angular;
  return row.linear.dot(relative_velocity(row, velocities, false)) + row.angular.dot(turning);
}

/// The change of the speed of the row, m/s.
double improve(const ImpulseSweep& sweep, ContactRow& row, Velocities velocities) {
  const Vec3 before = row.impulse;
  const double normal_speed = row.axes.col(0).dot(relative_velocity(row, velocities, true));
  row.impulse[0] = std::max(0.0, before[0] - row.normal_mass * (normal_speed - row.least));
  const double change = row.impulse[0] - before[0];
  if (change != 0) give(sweep, row, change * row.axes.col(0), velocities);
  if (row.resting == 0) return std::abs(change) / row.normal_mass;

  const Vec3 slip = row.axes.transpose() * relative_velocity(row, velocities, true);
  // The same mass in both directions, so that friction that slides ends up opposite to the slip.
  Vec2 rubbing = before.tail<2>() - row.tangent_mass * slip.tail<2>();
  const double size = rubbing.norm();
  if (size > row.resting * row.impulse[0]) rubbing *= row.sliding * row.impulse[0] / size;
  row.impulse.tail<2>() = rubbing;
  const Vec3 across = row.axes.rightCols<2>() * (rubbing - before.tail<2>());
  give(sweep, row, across, velocities);
  return (std::abs(change) + across.norm()) / row.normal_mass;
}

double improve(const ImpulseSweep& sweep, JointRow& row, Velocities velocities) {
  const double before = row.impulse;
  row.impulse = std::clamp(before + row.mass * (row.speed - speed_of(row, velocities)), -row.most, row.most);
  give(sweep, row, row.impulse - before, velocities);
  return std::abs(row.impulse - before) / row.mass;
}

double improve_push(const ImpulseSweep& sweep, ContactRow& row, Velocities velocities) {
  const double before = row.push_impulse;
  const double speed = row.axes.col(0).dot(relative_velocity(row, velocities, false));
  row.push_impulse = std::max(0.0, before + row.normal_mass * (row.push - speed));
  if (row.push_impulse == before) return 0;
  give(sweep, row, (row.push_impulse - before) * row.axes.col(0), velocities);
  return std::abs(row.push_impulse - before) / row.normal_mass;
}

double improve_push(const ImpulseSweep& sweep, JointRow& row, Velocities velocities) {
  if (!std::isinf(row.most)) return 0;  // a motor
  const double lack = row.push - speed_of(row, velocities);
  row.push_impulse += row.mass * lack;
  give(sweep, row, row.mass * lack, velocities);
  return std::abs(lack);
}

/// Visits all rows from the first to the last, or back.
template <class Visit>
double sweep_all(const ImpulseSweep& sweep, bool back, const Visit& visit) {
  double change = 0;
  const auto visit_all = [&](auto rows) {
    const size_t count = rows.size();
    for (size_t k = 0; k < count; ++k) change = std::max(change, visit(rows[back ? count - 1 - k : k]));
  };
  visit_all(sweep.joints);
  visit_all(sweep.contacts);
  return change;
}

/// Goes on in the direction in which sweeps lead, as conjugate gradients do: a pile of ten boxes needs
/// far fewer sweeps (M. Silcowitz, S. Niebe and K. Erleben, A nonsmooth nonlinear conjugate gradient method
/// for interactive contact force problems, 2010).
class Momentum {
 public:
  explicit Momentum(const ImpulseSweep& sweep)
      : sweep_(sweep),
        contacts_(sweep.contacts.size()),
        contact_ways_(sweep.contacts.size(), Vec3::Zero()),
        joints_(sweep.joints.size()),
        joint_ways_(sweep.joints.size(), 0.0) {}

  void before_sweep() {
    for (size_t k = 0; k < contacts_.size(); ++k) contacts_[k] = sweep_.contacts[k].impulse;
    for (size_t k = 0; k < joints_.size(); ++k) joints_[k] = sweep_.joints[k].impulse;
  }

  void after_sweep(Velocities velocities) {
    double size = 0;
    for (size_t k = 0; k < contacts_.size(); ++k)
      size += (sweep_.contacts[k].impulse - contacts_[k]).squaredNorm();
    for (size_t k = 0; k < joints_.size(); ++k) size += square(sweep_.joints[k].impulse - joints_[k]);
    const double share = size < last_size_ ? size / last_size_ : 0;
    last_size_ = size;
    for (size_t k = 0; k < contacts_.size(); ++k) {
      ContactRow& row = sweep_.contacts[k];
      const Vec3 further = share * contact_ways_[k];
      contact_ways_[k] = further + row.impulse - contacts_[k];
      row.impulse += further;
      give(sweep_, row, row.axes * further, velocities);
    }
    for (size_t k = 0; k < joints_.size(); ++k) {
      JointRow& row = sweep_.joints[k];
      const double further = share * joint_ways_[k];
      joint_ways_[k] = further + row.impulse - joints_[k];
      row.impulse += further;
      give(sweep_, row, further, velocities);
    }
  }

 private:
  static double square(double x) { return x * x; }
  const ImpulseSweep& sweep_;
  std::vector<Vec3> contacts_, contact_ways_;
  std::vector<double> joints_, joint_ways_;
  double last_size_ = 0;
};

}  // namespace

void ImpulseSweep::solve(Velocities velocities) const {
  for (const JointRow& row : joints) give(*this, row, row.impulse, velocities);
  for (const ContactRow& row : contacts) give(*this, row, row.axes * row.impulse, velocities);
  const size_t rows = joints.size() + contacts.size();
  const size_t most = std::clamp(kMostVisits / std::max<size_t>(1, rows), kLeastSweeps, kMostSweeps);
  const auto visit = [&](auto& row) { return improve(*this, row, velocities); };
  Momentum momentum(*this);
  for (size_t k = 0;; ++k) {
    momentum.before_sweep();
    const double change = std::max(sweep_all(*this, false, visit), sweep_all(*this, true, visit));
    if (change < kSettled || k == most) return;
    momentum.after_sweep(velocities);
  }
}

void ImpulseSweep::solve_pushes(Velocities velocities) const {
  const auto visit = [&](auto& row) { return improve_push(*this, row, velocities); };
  for (int k = 0; k < kMostPushSweeps; ++k)
    if (sweep_all(*this, k % 2 != 0, visit) < kPushesSettled) return;
}

}  // namespace heddle
