#include <heddle/contact/event_encounters.h>

#include <heddle/contact/pair_contact.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void EventEncounters::set_step(std::span<const Vec3> begin, std::span<const Vec3> ahead) {
  begin_.assign(begin.begin(), begin.end());
  end_.assign(ahead.begin(), ahead.end());
}

void EventEncounters::assign_vertices(std::span<const Triangle> triangles) {
  if (std::equal(triangles.begin(), triangles.end(), triangles_.begin(), triangles_.end()) &&
      triangle_of_.size() == begin_.size())
    return;
  triangles_.assign(triangles.begin(), triangles.end());
  triangle_of_.assign(begin_.size(), -1);
  for (size_t t = 0; t < triangles_.size(); ++t)
    for (const int i : triangles_[t])
      if (triangle_of_[at(i)] < 0) triangle_of_[at(i)] = static_cast<int>(t);
}

void EventEncounters::begin(std::span<const Triangle> triangles, std::span<const MovingParticle> particles,
                            double dt) {
  dt_ = dt;
  assign_vertices(triangles);
  for (size_t i = 0; i < particles.size(); ++i) end_[i] = particles[i].position_at(dt);
  register_pairs();
  sort_pairs();
}

void EventEncounters::register_pairs() {
  pairs_->search(begin_, end_);
  kept_.clear();
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<PrimitivePair>& out) {
        const PairPoints x0 = pair.points(begin_), x1 = pair.points(end_);
        const double thickness = pairs_->thickness(pair);
        const Proximity near = proximity(pair, x0);
        const bool is_near = near.distance < thickness;
        if (is_near ? proximity(pair, x1).distance < near.distance
                    : first_meeting(pair, x0, x1, thickness).has_value())
          if (!is_exempt_(pair)) out.push_back(pair);
      },
      parts_, kept_);
  totals_.registered += pairs_->candidate_count();
  totals_.kept += static_cast<long>(kept_.size());
}

void EventEncounters::sort_pairs() {
  start_.assign(triangles_.size() + 1, 0);
  const auto sides = [&](const PrimitivePair& pair) {
    return std::array{triangle_of_[at(pair.vertices[0])],
                      triangle_of_[at(pair.vertices[pair.vertex_triangle ? 1 : 2])]};
  };
  for (const PrimitivePair& pair : kept_)
    for (const int t : sides(pair))
      if (t >= 0) ++start_[at(t) + 1];
  for (size_t t = 0; t < triangles_.size(); ++t) start_[t + 1] += start_[t];
  order_.resize(at(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (size_t k = 0; k < kept_.size(); ++k)
    for (const int t : sides(kept_[k]))
      if (t >= 0) order_[at(next[at(t)]++)] = static_cast<int>(k);
}

Vec3 EventEncounters::position(int vertex, double time, std::span<const MovingParticle> particles) const {
  if (at(vertex) < particles.size()) return particles[at(vertex)].position_at(time);
  return begin_[at(vertex)] + (time / dt_) * (end_[at(vertex)] - begin_[at(vertex)]);
}

Vec3 EventEncounters::velocity(int vertex, std::span<const MovingParticle> particles) const {
  if (at(vertex) < particles.size()) return particles[at(vertex)].velocity();
  return (end_[at(vertex)] - begin_[at(vertex)]) / dt_;
}

double EventEncounters::inverse_mass(int vertex, std::span<const MovingParticle> particles) const {
  // Particles whose velocity is prescribed, if only in one direction, count as heavy.
  const bool is_free = at(vertex) < particles.size() && particles[at(vertex)].rule < 0;
  return is_free ? 1 / particles[at(vertex)].mass : 0;
}

bool EventEncounters::meet(int triangle, double time, std::span<const MovingParticle> particles, int& next,
                           Push& push) {
  const int first = start_[at(triangle)], count = start_[at(triangle) + 1] - first;
  while (next < count) {
    const PrimitivePair& pair = kept_[at(order_[at(first + next++)])];
    ++totals_.tested;
    if (!stop(pair, time, particles, push)) continue;
    ++totals_.pushes;
    return true;
  }
  return false;
}

bool EventEncounters::stop(const PrimitivePair& pair, double time, std::span<const MovingParticle> particles,
                           Push& push) const {
  const auto& i = pair.vertices;
  const PairPoints x{position(i[0], time, particles), position(i[1], time, particles),
                     position(i[2], time, particles), position(i[3], time, particles)};
  const double thickness = pairs_->thickness(pair);
  if (are_boxes_apart(pair, x, thickness)) return false;
  const Proximity near = proximity(pair, x);
  if (near.distance >= thickness) return false;
  double compliance = 0;
  Vec3 relative = Vec3::Zero();
  for (size_t c = 0; c < 4; ++c) {
    compliance += near.weights[c] * near.weights[c] * inverse_mass(i[c], particles);
    relative += near.weights[c] * velocity(i[c], particles);
  }
  const double approach = -near.normal.dot(relative);
  if (approach <= 0 || compliance <= 0) return false;
  const double pressure = approach / compliance;
  const Vec3 slip = tangential(relative, near.normal);
  const Friction friction = pairs_->friction(pair);
  const double stopping = slip.norm() / compliance;  // N s, of friction that lets nothing slide
  Vec3 impulse = pressure * near.normal;
  if (stopping > 0)
    impulse -= slip / compliance *
               (stopping <= friction.resting * pressure ? 1 : friction.sliding * pressure / stopping);
  push.particles = i;
  for (size_t c = 0; c < 4; ++c) push.impulses[c] = near.weights[c] * impulse;
  return true;
}

}  // namespace heddle
