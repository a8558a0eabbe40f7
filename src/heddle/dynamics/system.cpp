#include <heddle/dynamics/system.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

System::System(std::vector<double> mass, std::vector<std::unique_ptr<ForceTerm>> terms,
               std::vector<std::unique_ptr<Constraint>> constraints)
    : mass_(std::move(mass)), terms_(std::move(terms)), constraints_(std::move(constraints)) {
  bind_terms();
}

void System::add(std::unique_ptr<ForceTerm> term) {
  terms_.push_back(std::move(term));
  bind_terms();
}

void System::add(std::unique_ptr<Constraint> constraint) { constraints_.push_back(std::move(constraint)); }

void System::bind_terms() {
  BlockPatternBuilder builder(particle_count());
  for (const auto& term : terms_)
    if (term->is_implicit()) term->add_pattern(builder);
  pattern_ = builder.build();
  for (const auto& term : terms_)
    if (term->is_implicit()) term->bind(pattern_);
}

double System::kinetic_energy(const Configuration& q) const {
  std::vector<double> partial;
  return ordered_sum(particle_count(), 0.0, partial, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i)
      sum += 0.5 * mass_[static_cast<size_t>(i)] * q.v[static_cast<size_t>(i)].squaredNorm();
    return sum;
  });
}

double System::potential_energy(const Configuration& q) const {
  double sum = 0;
  for (const auto& term : terms_)
    if (term->is_conservative()) sum += term->energy(q);
  return sum;
}

void System::force(const Configuration& q, std::span<Vec3> force) const {
  std::fill(force.begin(), force.end(), Vec3::Zero());
  for (const auto& term : terms_) term->add_force(q, force);
}

void System::linearise(const Configuration& q, Linearisation& out, std::span<Vec3> external) const {
  HEDDLE_CHECK_EQ(out.matrix.pattern().block_count(), pattern_.block_count());
  out.matrix.set_zero();
  parallel_for(particle_count(), [&](int i) {
    const auto k = static_cast<size_t>(i);
    out.matrix.diagonal(i).diagonal().setConstant(mass_[k]);
    out.force[k].setZero();
    out.stiffness_velocity[k].setZero();
  });
  // External terms come first, so that their sum can be set aside.
  for (const bool is_external : {true, false}) {
    for (const auto& term : terms_) {
      if (term->is_external() != is_external) continue;
      if (term->is_implicit()) term->add_linearisation(q, out);
      else term->add_force(q, out.force);
    }
    if (is_external) std::copy(out.force.begin(), out.force.end(), external.begin());
  }
}

void System::constrain(const State& state, double dt, VelocityFilter& filter) const {
  for (const auto& constraint : constraints_) constraint->constrain(state, dt, filter);
}

}  // namespace heddle
