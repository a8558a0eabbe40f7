#include <heddle/contact/constraint_contact.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Vertices that hardly take part in a contact are not held by it.
constexpr double kLeastWeight = 0.05;

}  // namespace

void ConstraintContact::describe(Describer<ConstraintContact>& d) {
  d.type("constraints", "contact",
         "Velocity constraints in the solver where cloth comes near cloth; lets fast cloth pass through.");
  d.parameter("stiction", &ConstraintContact::stiction,
              {.unit = "", .doc = "Cloth that touches cloth sticks to it instead of sliding."});
}

ContactByConstraints::ContactByConstraints(const ConstraintContact& parameters,
                                           std::unique_ptr<SurfacePairs> pairs)
    : parameters_(parameters), pairs_(std::move(pairs)) {}

void ContactByConstraints::begin_step(std::span<const Vec3> begin, bool may_intersect,
                                      const HeldParticles& held) {
  inverse_mass_.resize(begin.size());
  for (int i = 0; i < pairs_->vertex_count(); ++i) inverse_mass_[at(i)] = pairs_->skin(i).inverse_mass;
  for (const auto& particles : {held.moved, held.resting})
    for (const int i : particles) inverse_mass_[at(i)] = 0;
  chosen_.clear();
}

std::vector<ContactByConstraints::Approach> ContactByConstraints::find_approaches(std::span<const Vec3> begin,
                                                                                  double dt) {
  std::vector<Approach> all;
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<Approach>& out) {
        const Proximity near = proximity(pair, pair.points(begin));
        if (!is_inside(near)) return;
        double closing = 0;  // m/s
        for (size_t i = 0; i < 4; ++i)
          closing -= near.weights[i] * near.normal.dot(velocity_[at(pair.vertices[i])]);
        const double thickness = pairs_->thickness(pair), expected = near.distance - dt * closing;
        if (closing <= 0 || expected >= thickness) return;
        // Formula (78) with its gamma; from farther away not beyond the thickness.
        const double speed = std::max(closing * (thickness - near.distance) / thickness,
                                      std::min(0.0, thickness - near.distance) / dt);
        out.push_back({pair.vertices, near.weights, near.normal, expected, speed});
      },
      found_, all);
  return all;
}

void ContactByConstraints::choose(std::vector<Approach> approaches) {
  std::stable_sort(approaches.begin(), approaches.end(),
                   [](const Approach& a, const Approach& b) { return a.expected < b.expected; });
  std::vector<char> taken(velocity_.size(), 0);
  chosen_.clear();
  for (Approach& approach : approaches) {
    bool any = false;
    for (size_t i = 0; i < 4; ++i) {
      const size_t vertex = at(approach.vertices[i]);
      if (taken[vertex] || inverse_mass_[vertex] == 0 || std::abs(approach.weights[i]) < kLeastWeight)
        continue;
      taken[vertex] = approach.holds[i] = any = true;
    }
    if (any) chosen_.push_back(approach);
  }
  list_constrained();
}

void ContactByConstraints::list_constrained() {
  constrained_.clear();
  for (const Approach& approach : chosen_)
    for (size_t i = 0; i < 4; ++i)
      if (approach.holds[i]) constrained_.push_back(approach.vertices[i]);
  std::sort(constrained_.begin(), constrained_.end());
}

bool ContactByConstraints::predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) {
  velocity_.resize(begin.size());
  parallel_for(pairs_->vertex_count(), [&](int i) { velocity_[at(i)] = (end[at(i)] - begin[at(i)]) / dt; });
  pairs_->search(begin, end);
  choose(find_approaches(begin, dt));
  return !chosen_.empty();
}

std::array<double, 2> ContactByConstraints::changes(const Approach& approach) const {
  std::array<double, 2> compliance{}, weight{};
  double parting = 0;
  for (size_t i = 0; i < 4; ++i) {
    const double w = approach.weights[i];
    const size_t side = w > 0 ? 0 : 1;
    compliance[side] += w * w * inverse_mass_[at(approach.vertices[i])];
    weight[side] += w;
    parting += w * approach.normal.dot(velocity_[at(approach.vertices[i])]);
  }
  const double whole = compliance[0] + compliance[1];
  if (whole == 0) return {};
  const double lack = approach.speed - parting;
  return {lack * compliance[0] / whole / weight[0], lack * compliance[1] / whole / weight[1]};
}

void ContactByConstraints::constrain(VelocityFilter& filter) {
  for (const Approach& approach : chosen_) {
    const std::array<double, 2> change = changes(approach);
    Vec3 common = Vec3::Zero();  // m/s, of all four
    for (size_t i = 0; i < 4; ++i)
      common += 0.5 * std::abs(approach.weights[i]) * velocity_[at(approach.vertices[i])];
    for (size_t i = 0; i < 4; ++i) {
      const int vertex = approach.vertices[i];
      if (!approach.holds[i]) continue;
      const Vec3& v = velocity_[at(vertex)];
      const double speed = approach.normal.dot(v) + change[approach.weights[i] > 0 ? 0 : 1];
      if (parameters_.stiction)
        filter.fix(vertex, tangential(common, approach.normal) + speed * approach.normal);
      else
        filter.prescribe(vertex, approach.normal, speed);
    }
  }
}

Revision ContactByConstraints::revise(std::span<const Vec3> reaction) {
  const auto pulls = [&](const Approach& approach) {
    double pressing = 0;  // N
    for (size_t i = 0; i < 4; ++i) {
      if (!approach.holds[i]) continue;
      const double sign = approach.weights[i] > 0 ? 1 : -1;
      pressing += sign * approach.normal.dot(reaction[at(approach.vertices[i])]);
    }
    return pressing < 0;
  };
  const bool any = std::erase_if(chosen_, pulls) > 0;
  list_constrained();
  return any ? Revision::minor : Revision::none;
}

SurfaceContactReport ContactByConstraints::resolve(std::span<const Vec3> begin, std::span<Vec3> end,
                                                   double dt, std::span<PlaneContact> planes) {
  report_ = {.contacts = static_cast<int>(chosen_.size())};
  return report_;
}

}  // namespace heddle
