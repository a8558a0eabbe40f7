#pragma once

#include <heddle/sim/registry.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace heddle::test {

/// An integrator as a scene names it.
struct IntegratorCase {
  std::string name;  // of the test
  std::string json;
};
void PrintTo(const IntegratorCase& integrator, std::ostream* out);

/// Every type of the registry with tight tolerances, and types of it with parameters that are not the default
/// ones.
std::vector<IntegratorCase> all_integrators();

Entity integrator_entity(const std::string& json);
std::unique_ptr<Integrator> make_integrator(const IntegratorCase& integrator);
IntegratorTraits traits_of(const IntegratorCase& integrator);

/// Particles on springs to the origin, k (N/m) and d (N s/m), with a constant force from outside (N).
struct Anchors {
  double stiffness = 0, damping = 0;
  Vec3 force = Vec3::Zero();
};
System anchored(const std::vector<double>& mass, const Anchors& anchors);

/// A chain of particles of 0.1 kg along x, 0.1 m apart, with springs of k (N/m) and projected dampers of
/// d (N s/m), and gravity.
System chain(int count, double stiffness, double damping, const Vec3& gravity);
State chain_state(int count);

/// Steps of length time / count; stops when one is not accepted.
StepReport advance(const System& system, const VelocityFilter& filter, Integrator& integrator, double time,
                   int count, State& state);

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);
double total_energy(const System& system, const State& state);

}  // namespace heddle::test
