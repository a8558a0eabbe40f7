#pragma once

#include <heddle/sim/simulation.h>
#include <heddle/sim/step.h>

#include <vector>

/// The stages of a step. Each changes the piece that it is given; only commit() changes the simulation's
/// state.
namespace heddle::stages {

/// What the stages of one piece pass on to each other.
struct Piece {
  double dt = 0;
  State state;  // becomes the simulation's state if the piece is accepted
  VelocityFilter filter;
  std::vector<Vec3> load;      // N per particle, friction
  std::vector<Vec3> reaction;  // N per particle
  bool surfaces_meet = false;  // without contact between them
  bool is_apart = true;        // surfaces are, and particles out of obstacles
  bool is_resolved = true;     // surfaces are kept apart from each other
  bool is_rough = false;       // forces do not balance well at its end
  int squeezed = -1;           // a particle without room, if there is one
  int meeting = -1;            // a particle that was not kept apart, if there is one
  std::vector<PlaneContact> planes;
  std::vector<double> limit_mass;  // kg, of the particles as limits see them
  double strain_excess = 0;        // 1, beyond the limits
  std::vector<Vec3> begin, end;    // m, of all surfaces, as surface contact sees and allows them
  StepReport report;
};

bool should_cut(StepOutcome outcome);
/// Finds how bodies would move by themselves.
void move_bodies(Simulation& sim, Piece& piece);
/// Bodies that go farther than they are thick might miss what they should hit.
bool bodies_are_too_fast(const Simulation& sim);
/// Gives bodies what particles did to them.
void finish_bodies(Simulation& sim, Piece& piece);
void animate(Simulation& sim, Piece& piece);
void detect(Simulation& sim, Piece& piece);
void respond(Simulation& sim, Piece& piece);
void integrate(Simulation& sim, Piece& piece, bool again);
/// Finds the surfaces that touch each other at the beginning.
void touch(Simulation& sim, Piece& piece);
/// Looks for surfaces that the step so far would bring too near; true if it must be solved again.
bool predict(Simulation& sim, Piece& piece);
/// Brings strains within the limits of fabrics.
void limit(Simulation& sim, Piece& piece, StepSummary& summary);
/// Limits rates of strain, after all that changes positions.
void limit_rates(Simulation& sim, Piece& piece);
/// By how much strains are beyond their limits; more than the tolerance refuses the piece.
void measure_limits(const Simulation& sim, Piece& piece);
void correct(Simulation& sim, Piece& piece);
/// What the solver and obstacles made of the energy; separation, which only takes, comes later.
void weigh(const Simulation& sim, Piece& piece, bool may_be_doubted);
/// Keeps surfaces apart on the way from the accepted state to the new one.
void separate(Simulation& sim, Piece& piece);
/// Sees that separation, whose rigid zones know no shapes, left particles out of the obstacles.
void keep_out(Piece& piece);
/// Lets obstacles pass through what nothing can keep out of their way, such as cloth between obstacles that
/// close on it: it is drawn apart in the steps that follow.
void give_way(const Simulation& sim, Piece& piece);
/// Balances the forces at the end of the piece where one linear solve or separation left them unbalanced.
void refine(Simulation& sim, Piece& piece, StepSummary& summary);
void commit(Simulation& sim, Piece& piece);
/// Particles that some obstacle presses on.
int touching_particles(const State& state);
/// How hard surfaces, and obstacles while those were kept apart, pressed on the particles in a piece, N.
std::vector<double> surface_pressures(const Simulation& sim, const Piece& piece);

}  // namespace heddle::stages
