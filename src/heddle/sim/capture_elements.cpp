#include <heddle/sim/capture_elements.h>

#include <algorithm>

namespace heddle {

namespace {

/// Calls visit(e, corners) for the elements whose corners are all of a cloth.
template <class Visit>
void for_elements(const ElementShapes& shapes, const ClothPart& cloth, const Visit& visit) {
  const auto corners = static_cast<size_t>(corner_count(shapes.shape));
  for (size_t e = 0; e < static_cast<size_t>(shapes.count()); ++e) {
    const std::span<const int> own(shapes.corners.data() + e * corners, corners);
    const bool is_inside = std::all_of(own.begin(), own.end(), [&](int particle) {
      return particle >= cloth.first_particle && particle < cloth.first_particle + cloth.particle_count;
    });
    if (is_inside) visit(e, own);
  }
}

}  // namespace

std::vector<SnapshotElements> drawable_elements(const Simulation& sim, const ClothPart& cloth) {
  const System& system = *sim.model.system;
  std::vector<SnapshotElements> groups;
  if (!may_differ(system, sim.integrator->splitting())) return groups;
  for (const auto& term : system.terms()) {
    if (term->is_external()) continue;
    const ElementShapes shapes = term->shapes();
    SnapshotElements group{.term = std::string(term->name()),
                           .shape = static_cast<SnapshotElements::Shape>(shapes.shape),
                           .corners = {}};
    for_elements(shapes, cloth, [&](size_t, std::span<const int> corners) {
      for (const int particle : corners) group.corners.push_back(particle - cloth.first_particle);
    });
    if (!group.corners.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<int> drawable_components(std::span<const int> components) {
  std::vector<int> sizes, numbers;
  for (const int component : components) {
    if (component >= static_cast<int>(sizes.size())) sizes.resize(static_cast<size_t>(component) + 1, 0);
    if (component >= 0) ++sizes[static_cast<size_t>(component)];
  }
  numbers.resize(sizes.size());
  int next = 0;
  for (const bool is_single : {false, true})
    for (size_t k = 0; k < sizes.size(); ++k)
      if ((sizes[k] == 1) == is_single) numbers[k] = next++;
  std::vector<int> out(components.begin(), components.end());
  for (int& component : out)
    if (component >= 0) component = numbers[static_cast<size_t>(component)];
  return out;
}

std::vector<float> paces_of(const Simulation& sim, double dt) {
  std::vector<int> events(sim.state.x.size(), 0);
  bool differ = false;
  for (const TermActivity& activity : sim.integrator->activity()) {
    if (activity.term->is_external()) continue;
    for (size_t e = 0; e < activity.events.size(); ++e)
      for (const int particle : activity.term->particles_of(static_cast<int>(e))) {
        int& most = events[static_cast<size_t>(particle)];
        most = std::max(most, activity.events[e]);
        differ = true;
      }
  }
  if (!differ) return {};
  // An event at either end of the step belongs to the next one as well.
  std::vector<float> paces;
  for (const int count : events) paces.push_back(static_cast<float>(dt / std::max(1, count - 1)));
  return paces;
}

TreatmentFinder::TreatmentFinder(const Simulation& sim, double dt) {
  const System& system = *sim.model.system;
  const Splitting splitting = sim.integrator->splitting();
  if (!may_differ(system, splitting)) return;
  for (const auto& term : system.terms())
    if (!term->is_external())
      terms_.push_back(
          {term->shapes(), find_treatments(system, *term, splitting, configuration_of(sim.state), dt)});
}

std::vector<SnapshotTreatment> TreatmentFinder::of(const ClothPart& cloth) const {
  std::vector<SnapshotTreatment> out;
  for (const Term& term : terms_)
    for_elements(term.shapes, cloth, [&](size_t e, std::span<const int>) {
      out.push_back(static_cast<SnapshotTreatment>(term.treatments[e]));
    });
  return out;
}

}  // namespace heddle
