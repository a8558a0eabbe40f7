#include <heddle/dynamics/treatment.h>

#include <algorithm>

namespace heddle {

namespace {

bool is_explicit(const ForceTerm& term, const Splitting& splitting) {
  const auto& names = splitting.explicit_terms;
  return splitting.all_explicit || !term.is_implicit() ||
         std::find(names.begin(), names.end(), term.name()) != names.end();
}

}  // namespace

std::vector<Treatment> find_treatments(const System& system, const ForceTerm& term,
                                       const Splitting& splitting, const Configuration& q, double dt) {
  const auto count = static_cast<size_t>(term.shapes().count());
  const bool none_implicit = is_explicit(term, splitting);
  std::vector<char> active(count), stable(count, none_implicit ? 1 : 0);
  term.find_active(q, active);
  if (splitting.stable && !none_implicit) {
    StableElements rule = *splitting.stable;
    rule.dt = dt;
    rule.mass = system.element_mass();
    rule.implicit = nullptr;
    term.find_stable(q, rule, stable);
  }
  std::vector<Treatment> treatments(count);
  for (size_t e = 0; e < count; ++e)
    treatments[e] = !active[e]  ? Treatment::inactive
                    : stable[e] ? Treatment::explicitly
                                : Treatment::implicitly;
  return treatments;
}

bool may_differ(const System& system, const Splitting& splitting) {
  bool some_explicit = false, some_implicit = false;
  for (const auto& term : system.terms()) {
    if (term->is_external()) continue;
    if (term->has_slack()) return true;
    (is_explicit(*term, splitting) ? some_explicit : some_implicit) = true;
  }
  return some_implicit && (some_explicit || splitting.stable);
}

}  // namespace heddle
