#include <heddle/integrate/element_steps.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Share of a particle that every term gets at least: those that only damp need less than their square tells.
constexpr double kLeast = 0.05;

/// Elements keep a step up to this share of the longest stable one, and give up one that could be longer by
/// this factor.
constexpr double kStillStable = 0.95, kTooShort = 2;

/// h^2 k / 4 + h d / 2 = 1, or infinity.
double longest_step(double k, double d) {
  if (!(k > 0) && !(d > 0)) return std::numeric_limits<double>::infinity();
  return 4 / (d + std::sqrt(d * d + 4 * k));
}

}  // namespace

void ElementList::update(const System& system) {
  if (system_ == &system && revision_ == system.revision()) return;
  const int version = version_ + 1;
  *this = {};
  version_ = version;
  system_ = &system;
  revision_ = system.revision();
  for (const bool is_external : {true, false})
    for (const auto& term : system.terms()) {
      if (term->is_external() != is_external) continue;
      const int count = term->element_count();
      if (count == 0) {
        whole_.push_back(term.get());
        continue;
      }
      HEDDLE_CHECK_LT(terms_.size(), size_t{255});
      Term added{term.get(), size(), std::vector<double>(system.mass().size(), 0)};
      for (int e = 0; e < count; ++e) {
        for (const int i : term->particles_of(e)) {
          particles_.push_back(i);
          ++added.elements[at(i)];
        }
        start_.push_back(static_cast<int>(particles_.size()));
        lengths_.push_back(term->rest_lengths(e));
        term_.push_back(static_cast<std::uint8_t>(terms_.size()));
      }
      terms_.push_back(std::move(added));
    }
}

void ElementSteps::share_masses(const ElementList& elements) {
  need_.assign(mass_.size(), 0);
  needs_.resize(elements.terms().size());
  for (size_t t = 0; t < needs_.size(); ++t) {
    const ElementList::Term& term = elements.terms()[t];
    std::vector<double>& needs = needs_[t];
    needs.assign(mass_.size(), 0);
    for (int e = term.first; e < term.first + term.force->element_count(); ++e) {
      const double step = longest_step(bounds_[at(e)].stiffness, bounds_[at(e)].damping);
      for (const int i : elements.particles(e)) needs[at(i)] = std::max(needs[at(i)], 1 / (step * step));
    }
    for (size_t i = 0; i < need_.size(); ++i) need_[i] += needs[i];
  }
}

void ElementSteps::bound(const ElementList& elements, const System& system, const Configuration& q) {
  const bool is_new = std::exchange(version_, elements.version()) != elements.version();
  bounds_.resize(at(elements.size()));
  mass_.resize(system.mass().size());
  for (const ElementList::Term& term : elements.terms()) {
    if (!is_new && term.force->has_constant_jacobian()) continue;
    for (size_t i = 0; i < mass_.size(); ++i) mass_[i] = system.mass()[i] / std::max(1.0, term.elements[i]);
    term.force->bound_elements(q, mass_,
                               std::span(bounds_).subspan(at(term.first), at(term.force->element_count())));
  }
}

void ElementSteps::find(const ElementList& elements, const System& system, const Configuration& q,
                        double safety) {
  bound(elements, system, q);
  share_masses(elements);
  steps_.resize(at(elements.size()));
  for (size_t t = 0; t < needs_.size(); ++t) {
    const ElementList::Term& term = elements.terms()[t];
    parallel_for(term.force->element_count(), [&](int k) {
      const int e = term.first + k;
      double share = 1;
      for (const int i : elements.particles(e))
        if (need_[at(i)] > 0) share = std::min(share, needs_[t][at(i)] / need_[at(i)]);
      share = (share + kLeast) / (1 + kLeast * static_cast<double>(needs_.size()));
      const ElementBound& bound = bounds_[at(e)];
      steps_[at(e)] = safety * longest_step(bound.stiffness / share, bound.damping / share);
    });
  }
}

void ElementSteps::keep(std::span<const double> before, double safety) {
  if (before.size() != steps_.size()) return;
  const double longest = std::max(1.0, kStillStable / safety);
  for (size_t e = 0; e < steps_.size(); ++e)
    if (before[e] <= longest * steps_[e] && kTooShort * before[e] >= steps_[e]) steps_[e] = before[e];
}

}  // namespace heddle
