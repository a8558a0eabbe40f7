#include <heddle/dynamics/system.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

bool is_held(const ForceTerm& term, std::span<const std::string> held) {
  return std::find(held.begin(), held.end(), term.name()) != held.end();
}

}  // namespace

System::System(std::vector<double> mass, std::vector<std::unique_ptr<ForceTerm>> terms,
               std::vector<std::unique_ptr<Constraint>> constraints)
    : mass_(std::move(mass)), terms_(std::move(terms)), constraints_(std::move(constraints)) {
  bind_terms();
}

void System::add(std::unique_ptr<ForceTerm> term) {
  terms_.push_back(std::move(term));
  bind_terms();
}

void System::add(std::unique_ptr<Constraint> constraint) {
  constraints_.push_back(std::move(constraint));
}

void System::add(std::unique_ptr<Turning> turning) {
  const auto particles = turning->particles();
  turning_particles_.insert(turning_particles_.end(), particles.begin(), particles.end());
  std::sort(turning_particles_.begin(), turning_particles_.end());
  turnings_.push_back(std::move(turning));
}

void System::take_up_turns(State& state) const {
  for (const auto& turning : turnings_) turning->take_up(state);
}

void System::keep_both_triangles() {
  keeps_both_triangles_ = true;
  bind_terms();
}

void System::bind_terms() {
  ++revision_;
  BlockPatternBuilder builder(particle_count(), !keeps_both_triangles_);
  for (const auto& term : terms_)
    if (term->is_implicit()) term->add_pattern(builder);
  pattern_ = builder.build();
  for (const auto& term : terms_)
    if (term->is_implicit()) term->bind(pattern_);
  std::vector<int> elements(mass_.size(), 0);
  for (const auto& term : terms_) term->count_elements(elements);
  element_mass_ = mass_;
  for (size_t i = 0; i < mass_.size(); ++i) element_mass_[i] /= std::max(1, elements[i]);
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

double System::inner_energy(const Configuration& q) const {
  double sum = 0;
  for (const auto& term : terms_)
    if (term->is_conservative() && !term->is_external()) sum += term->energy(q);
  return sum;
}

void System::force(const Configuration& q, std::span<Vec3> force) const {
  std::fill(force.begin(), force.end(), Vec3::Zero());
  for (const auto& term : terms_) term->add_force(q, force);
}

void System::force(const Configuration& q, std::span<Vec3> force, std::span<Vec3> external) const {
  std::fill(force.begin(), force.end(), Vec3::Zero());
  for (const bool is_external : {true, false}) {
    for (const auto& term : terms_)
      if (term->is_external() == is_external) term->add_force(q, force);
    if (is_external) std::copy(force.begin(), force.end(), external.begin());
  }
}

void System::constant_matrix(double stiffness_scale, double damping_scale, BlockMatrix& matrix,
                             std::span<const std::string> held) const {
  HEDDLE_CHECK_EQ(matrix.pattern().block_count(), pattern_.block_count());
  matrix.set_zero();
  parallel_for(particle_count(),
               [&](int i) { matrix.diagonal(i).diagonal().setConstant(mass_[static_cast<size_t>(i)]); });
  const std::vector<Vec3> any(mass_.size(), Vec3::Zero());  // the Jacobian is the same everywhere
  std::vector<Vec3> ignored(mass_.size());
  const Linearisation out{.stiffness_scale = stiffness_scale,
                          .damping_scale = damping_scale,
                          .matrix = &matrix,
                          .force = ignored,
                          .stiffness_velocity = ignored};
  for (const auto& term : terms_)
    if (term->is_implicit() && term->has_constant_jacobian() && !is_held(*term, held))
      term->add_linearisation({any, any, 0}, out);
}

void System::linearise(const Configuration& q, const BlockMatrix& constant, const Linearisation& out,
                       std::span<Vec3> external, std::span<const std::string> held) const {
  HEDDLE_CHECK_EQ(constant.pattern().block_count(), pattern_.block_count());
  out.matrix->copy_values(constant);
  Linearisation vectors_only = out;
  vectors_only.matrix = nullptr;
  parallel_for(particle_count(), [&](int i) {
    out.force[static_cast<size_t>(i)].setZero();
    out.stiffness_velocity[static_cast<size_t>(i)].setZero();
  });
  // External terms come first, so that their sum can be set aside.
  for (const bool is_external : {true, false}) {
    for (const auto& term : terms_) {
      if (term->is_external() != is_external) continue;
      if (!term->is_implicit() || is_held(*term, held))
        term->add_force(q, out.force);
      else
        term->add_linearisation(q, term->has_constant_jacobian() && !out.stable ? vectors_only : out);
    }
    if (is_external) std::copy(out.force.begin(), out.force.end(), external.begin());
  }
}

void System::constrain(const State& state, double dt, VelocityFilter& filter) const {
  for (const auto& constraint : constraints_) constraint->constrain(state, dt, filter);
}

}  // namespace heddle
