#include <heddle/contact/body_coupling.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

constexpr double kFastestReturn = 3;  // m/s, of what was pulled away from its place on a body

}  // namespace

BodyCoupling::BodyCoupling(std::vector<BodyLink> links) : links_(std::move(links)) {
  std::sort(links_.begin(), links_.end(), [](const BodyLink& a, const BodyLink& b) {
    return std::pair(a.particle, a.body) < std::pair(b.particle, b.body);
  });
}

bool BodyCoupling::is_linked(int particle, int body) const {
  const auto first = std::lower_bound(links_.begin(), links_.end(), std::pair(particle, body),
                                      [](const BodyLink& link, const std::pair<int, int>& wanted) {
                                        return std::pair(link.particle, link.body) < wanted;
                                      });
  return first != links_.end() && first->particle == particle && first->body == body;
}

Mat3 BodyCoupling::compliance(int body, const Vec3& place) const {
  const BodyMotion& motion = motions_[at(body)];
  const Vec3 r = place - motion.centre;
  Mat3 cross;
  cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return motion.inverse_mass * Mat3::Identity() + cross * motion.inverse_inertia * cross.transpose();
}

double BodyCoupling::share_along(int body, const Vec3& place, const Vec3& normal) const {
  return 1 / (normal.dot(compliance(body, place) * normal) * std::max(1, counts_[at(body)]));
}

void BodyCoupling::begin_solve(std::span<const int> held_by_body, const State& state, double dt,
                               std::vector<Brake>& brakes) {
  dt_ = dt;
  given_.clear();
  loads_.clear();
  counts_.assign(held_by_body.begin(), held_by_body.end());
  impulses_.assign(motions_.size(), {});
  const auto is_tied = [&](const BodyLink& link) { return !link.release || state.time < *link.release; };
  for (const BodyLink& link : links_)
    if (is_tied(link)) ++counts_[at(link.body)];
  for (const BodyLink& link : links_) {
    if (!is_tied(link)) continue;
    const BodyMotion& motion = motions_[at(link.body)];
    const Vec3 place = motion.begin.point(link.place);
    const Vec3 off = (place - state.x[at(link.particle)]) / dt;
    const double speed = off.norm();
    const Vec3 back = speed > kFastestReturn ? Vec3(kFastestReturn / speed * off) : off;
    // Where it is carried in the step, which is not quite where its velocity at the beginning leads.
    const Vec3 carried = (motion.end.point(link.place) - place) / dt;
    hold(link.particle, link.body, place, carried + back, brakes);
  }
}

void BodyCoupling::hold_along(int particle, int body, const Vec3& place, const Vec3& normal,
                              const Vec3& target, std::vector<Brake>& brakes) {
  given_.push_back({brakes.size(), body, place, true});
  brakes.push_back({particle, normal, target, share_along(body, place, normal) / dt_});
}

void BodyCoupling::hold(int particle, int body, const Vec3& place, const Vec3& target,
                        std::vector<Brake>& brakes) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(compliance(body, place));
  for (int k = 0; k < 3; ++k) {
    given_.push_back({brakes.size(), body, place, true});
    const double share = 1 / (solver.eigenvalues()[k] * std::max(1, counts_[at(body)]));
    brakes.push_back({particle, solver.eigenvectors().col(k), target, share / dt_});
  }
}

void BodyCoupling::note_friction(int body, const Vec3& place, size_t first,
                                 const std::vector<Brake>& brakes) {
  for (size_t k = first; k < brakes.size(); ++k) given_.push_back({k, body, place, false});
}

void BodyCoupling::note_load(int body, const Vec3& place, const Vec3& force) {
  loads_.push_back({body, place, force});
}

void BodyCoupling::note_impulse(int body, const Vec3& place, const Vec3& on_particle) {
  BodyImpulse& sum = impulses_[at(body)];
  sum.linear -= on_particle;
  sum.angular -= (place - motions_[at(body)].centre).cross(on_particle);
}

Vec3 BodyCoupling::velocity(int body, const Vec3& place) const {
  const BodyMotion& motion = motions_[at(body)];
  const BodyImpulse& got = impulses_[at(body)];
  return motion.velocity_at(place) + motion.inverse_mass * got.linear +
         (motion.inverse_inertia * got.angular).cross(place - motion.centre);
}

double BodyCoupling::take_forces(std::span<const Brake> brakes, std::span<const Vec3> begin,
                                 std::span<const Vec3> end, double dt, std::span<Vec3> reaction) {
  impulses_.assign(motions_.size(), {});
  double work = 0;
  for (const Given& given : given_) {
    const Brake& brake = brakes[given.brake];
    const size_t i = at(brake.particle);
    const Vec3 way = end[i] - begin[i];
    const Vec3 impulse = brake.impulse * brake.direction;
    note_impulse(given.body, given.place, impulse);
    work += impulse.dot(way) / dt;
    if (given.holds && !reaction.empty()) reaction[i] += impulse / dt;
  }
  for (const Load& load : loads_) note_impulse(load.body, load.place, dt * load.force);
  return work;
}

}  // namespace heddle
