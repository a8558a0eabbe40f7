#include <heddle/integrate/asynchronous.h>

#include <heddle/core/text.h>
#include <heddle/parallel/parallel.h>

#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

EventRules rules_of(const Asynchronous& parameters) {
  return {.halved = parameters.steps == "halved",
          .longest_step = parameters.longest_step,
          .shortest_step = parameters.shortest_step,
          .strain_change = parameters.strain_change,
          .predicted_strain = parameters.predicted_strain,
          .current_strain = parameters.current_strain};
}

}  // namespace

void Asynchronous::describe(Describer<Asynchronous>& d) {
  d.type("asynchronous", "integrator",
         "Asynchronous variational integration: explicit, with a step of its own for every element, so that "
         "small or stiff ones do not slow down the others; keeps energy within bounds over long times.");
  d.parameter("time_step", &Asynchronous::time_step,
              {.unit = "s",
               .doc = "After this time all particles are at the same time again and contact is dealt with; "
                      "elements take shorter steps as they need them. Rounded so that frames hold a whole "
                      "number of them.",
               .minimum = 1e-8,
               .maximum = 0.1});
  d.parameter("safety", &Asynchronous::safety,
              {.unit = "1",
               .doc = "Share of the longest stable step of each element that is used.",
               .minimum = 0.01,
               .maximum = 1});
  d.parameter(
      "steps", &Asynchronous::steps,
      {.unit = "",
       .doc =
           "Lengths that steps of elements may have. halved: the longest ones halved a number of times, at "
           "neighbours not by more than a factor of two, which avoids resonances. any: time_step "
           "divided by any whole number, as published; energy may grow slowly.",
       .choices = {"halved", "any"}});
  d.parameter("longest_step", &Asynchronous::longest_step,
              {.unit = "s",
               .doc = "Longest step of an element. 0: no longer than time_step.",
               .minimum = 0,
               .maximum = 0.1});
  d.parameter("shortest_step", &Asynchronous::shortest_step,
              {.unit = "s",
               .doc = "The run ends if an element needs a shorter step.",
               .minimum = 1e-12,
               .maximum = 0.1});
  d.parameter("strain_change", &Asynchronous::strain_change,
              {.unit = "1",
               .doc = "Sides of triangles whose strain would change by more in a step of theirs have it cut, "
                      "0.1 in the source; this costs energy where it happens often. 0: never.",
               .minimum = 0,
               .maximum = 10});
  d.parameter("predicted_strain", &Asynchronous::predicted_strain,
              {.unit = "1",
               .doc = "Sides of triangles that would be strained more at their next event are stopped by "
                      "impulses. 0: never.",
               .minimum = 0,
               .maximum = 10});
  d.parameter("current_strain", &Asynchronous::current_strain,
              {.unit = "1",
               .doc = "Sides of triangles that are strained more at an event are shortened. 0: never.",
               .minimum = 0,
               .maximum = 10});
  d.validate([](const Asynchronous& method, const SourceLocation& where, Diagnostics& diagnostics) {
    if (method.longest_step > 0 && method.shortest_step > method.longest_step)
      diagnostics.error(where,
                        "shortest_step " + number_text(method.shortest_step) +
                            " s is longer than longest_step " + number_text(method.longest_step) + " s",
                        "no element has such a step: lower shortest_step");
  });
}

std::unique_ptr<Integrator> Asynchronous::build() const {
  return std::make_unique<AsynchronousIntegrator>(*this);
}

AsynchronousIntegrator::AsynchronousIntegrator(const Asynchronous& parameters)
    : safety_(parameters.safety), shortest_(parameters.shortest_step), loop_(rules_of(parameters)) {}

std::string AsynchronousIntegrator::advice() const {
  return "the integrator is asynchronous: lower integrator.safety if the cloth shakes";
}

void AsynchronousIntegrator::find_fields(const System& system, std::span<const Vec3> load,
                                         const State& state) {
  const Configuration q = configuration_of(state);
  external_.assign(state.x.size(), Vec3::Zero());
  field_.assign(state.x.size(), Vec3::Zero());
  for (const auto& term : system.terms())
    if (term->is_external()) term->add_force(q, external_);
  for (const ForceTerm* term : elements_.whole())
    if (term->is_external()) term->add_force(q, field_);
  parallel_for(state.particle_count(), [&](int i) {
    if (!load.empty()) field_[at(i)] += load[at(i)];
    field_[at(i)] /= system.mass()[at(i)];
  });
}

void AsynchronousIntegrator::predict(const System& system, const VelocityFilter& filter,
                                     std::span<const Vec3> load, double dt, const State& state) {
  elements_.update(system);
  steps_.find(elements_, system, configuration_of(state), safety_);
  steps_.keep(state.paces, safety_);
  find_fields(system, load, state);
  refusal_ = {};
  if (const auto collapse =
          loop_.run(elements_, steps_.steps(), system.mass(), {state, dt, field_, filter, encounters_})) {
    // Shorter intervals do not lengthen the steps of elements, but may tame what strains them.
    refusal_.outcome = collapse->at_start ? StepOutcome::failed : StepOutcome::retry_smaller;
    refusal_.reason = collapse_text(*collapse, state);
    mean_ = end_ = state.v;
    return;
  }
  parallel_for(state.particle_count(), [&](int i) {
    const MovingParticle& particle = loop_.particles()[at(i)];
    mean_[at(i)] = (particle.x - state.x[at(i)]) / dt;
    // What is prescribed is enforced once more, with the reaction that it took.
    end_[at(i)] = particle.v - loop_.reaction(i) / particle.mass;
  });
}

std::string AsynchronousIntegrator::collapse_text(const EventLoop::Collapse& collapse,
                                                  const State& state) const {
  const ElementList::Term& term = elements_.term_of(collapse.element);
  const Vec3& place = state.x[at(elements_.particles(collapse.element)[0])];
  return "element " + std::to_string(collapse.element - term.first) + " of " +
         in_quotes(std::string(term.force->name())) + " near (" + short_number_text(place[0]) + ", " +
         short_number_text(place[1]) + ", " + short_number_text(place[2]) + ") m needs steps of " +
         short_number_text(collapse.step) +
         " s, shorter than integrator.shortest_step = " + short_number_text(shortest_) +
         " s; look for a mesh with tiny triangles or a cloth that is crushed there, lower its stiffness or "
         "damping, or use an implicit integrator";
}

void AsynchronousIntegrator::judge(StepReport& report) const {
  report.events = std::accumulate(loop_.events().begin(), loop_.events().end(), 0L);
  if (refusal_.outcome == StepOutcome::accepted) return;
  report.outcome = refusal_.outcome;
  report.reason = refusal_.reason;
}

void AsynchronousIntegrator::remember(double, State& state) {
  state.paces.assign(steps_.steps().begin(), steps_.steps().end());
}

std::vector<TermActivity> AsynchronousIntegrator::activity() const {
  std::vector<TermActivity> out;
  for (const ElementList::Term& term : elements_.terms())
    out.push_back({term.force, loop_.events().subspan(at(term.first), at(term.force->element_count()))});
  return out;
}

}  // namespace heddle
