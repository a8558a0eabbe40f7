#include <heddle/sim/stages.h>

#include <heddle/sim/judge.h>
#include <heddle/sim/place_text.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle::stages {

namespace {

/// Separation that moves a vertex farther than this share of the thickness is followed by another solve.
constexpr double kRoughShift = 0.1;
/// Pieces longer than this share of a step are cut if the forces at their end could not be balanced.
constexpr double kLongPiece = 0.4;

/// Behind the positions of the particles those of the obstacles' vertices at a time, if they take part.
void append_obstacles(const Simulation& sim, double time, std::vector<Vec3>& positions) {
  if (!sim.surface_contact->scope().obstacles) return;
  for (const ObstaclePart& obstacle : sim.model.obstacles)
    if (obstacle.has_contact_surface()) obstacle.surface->append_positions(time, positions);
}

void gather_surfaces(const Simulation& sim, const State& state, std::vector<Vec3>& positions) {
  positions.assign(state.x.begin(), state.x.end());
  append_obstacles(sim, state.time, positions);
}

LimitedParticles limited_particles(const Piece& piece, const BlockProjection& projection) {
  return {piece.limit_mass, projection, piece.dt, static_cast<std::uint64_t>(piece.state.step)};
}

/// What stands still meets nothing but what moves as told.
void stand_still(const Simulation& sim, Piece& piece) {
  const std::vector<int> held = piece.filter.fixed_particles();
  for (int i = 0; i < sim.state.particle_count(); ++i) {
    if (std::binary_search(held.begin(), held.end(), i)) continue;
    piece.state.x[static_cast<size_t>(i)] = sim.state.x[static_cast<size_t>(i)];
    piece.state.v[static_cast<size_t>(i)] = sim.state.v[static_cast<size_t>(i)];
  }
}

/// Of a piece in which a particle ends where it must not be.
void refuse(Piece& piece, int particle) {
  piece.is_apart = false;
  piece.meeting = particle;
  piece.report.outcome = StepOutcome::retry_smaller;
  piece.report.reason =
      "surfaces could not be kept apart; look for cloth that starts with intersections or is crushed between "
      "obstacles";
}

}  // namespace

bool should_cut(StepOutcome outcome) {
  return outcome == StepOutcome::doubtful || outcome == StepOutcome::retry_smaller;
}

void move_bodies(Simulation& sim, Piece& piece) {
  if (sim.magnets) sim.magnets->update(sim.model, sim.state);
  if (!sim.rigid) return;
  sim.rigid->begin(sim.state, piece.dt,
                   sim.magnets ? sim.magnets->body_loads() : std::span<const BodyImpulse>());
  sim.contact->set_bodies(sim.rigid->system().motions());
}

bool bodies_are_too_fast(const Simulation& sim) {
  return sim.rigid && sim.rigid->system().longest_way() > 1;
}

void finish_bodies(Simulation& sim, Piece& piece) {
  if (sim.rigid) sim.rigid->system().finish(sim.contact->body_impulses(), piece.state);
}

void animate(Simulation& sim, Piece& piece) {
  piece.state = sim.state;
  piece.filter = VelocityFilter(sim.state.particle_count());
  sim.model.system->constrain(piece.state, piece.dt, piece.filter);
  if (sim.grab)
    piece.filter.fix(sim.grab->particle, sim.contact->deflect(piece.state, piece.dt, sim.grab->particle,
                                                              sim.grab->velocity(piece.state, piece.dt)));
}

void detect(Simulation& sim, Piece& piece) {
  sim.contact->detect(piece.state, piece.dt, sim.model.gravity);
  piece.squeezed = sim.contact->pinched().empty() ? -1 : sim.contact->pinched().front();
}

void respond(Simulation& sim, Piece& piece) {
  piece.load.assign(piece.state.x.size(), Vec3::Zero());
  if (piece.surfaces_meet) {
    sim.contact->leave(sim.surface_contact->constrained());
    sim.contact->leave_to_pass_meshes(sim.surface_contact->passing_obstacles());
    sim.contact->smooth(sim.surface_contact->leaving_obstacles());
  }
  sim.contact->respond(piece.state, piece.dt, piece.filter, piece.load);
  if (piece.surfaces_meet) sim.surface_contact->constrain(piece.filter);
}

void integrate(Simulation& sim, Piece& piece, bool again) {
  piece.reaction.resize(piece.state.x.size());
  piece.report = sim.integrator->step(
      *sim.model.system, piece.filter,
      {piece.load, sim.surface_contact ? sim.surface_contact->springs() : std::span<PairSpring>(),
       sim.contact->brakes(), sim.contact->glides(), again,
       sim.surface_contact ? sim.surface_contact->encounters() : nullptr},
      piece.dt, piece.state, piece.reaction);
  piece.report.outer_work +=
      sim.contact->take_body_forces(sim.state.x, piece.state.x, piece.dt, piece.reaction);
}

void touch(Simulation& sim, Piece& piece) {
  if (!sim.surface_contact) return;
  gather_surfaces(sim, sim.state, piece.begin);
  piece.end.resize(sim.state.x.size());
  parallel_for(sim.state.particle_count(), [&](int k) {
    const auto i = static_cast<size_t>(k);
    piece.end[i] = sim.state.x[i] + piece.dt * sim.state.v[i];
  });
  append_obstacles(sim, sim.state.time + piece.dt, piece.end);
  sim.surface_contact->begin_step(piece.begin, sim.state.tangled,
                                  {sim.contact->held(), sim.contact->inside(), sim.contact->resting()});
  sim.surface_contact->touch(piece.begin, piece.end, piece.dt, sim.model.step_length());
}

bool predict(Simulation& sim, Piece& piece) {
  if (!sim.surface_contact) return false;
  gather_surfaces(sim, piece.state, piece.end);
  return sim.surface_contact->predict(piece.begin, piece.end, piece.dt);
}

void limit(Simulation& sim, Piece& piece, StepSummary& summary) {
  const BlockProjection projection = piece.filter.projection();
  std::vector<Vec3> x = piece.state.x;
  const LimitReport report = sim.limiter->limit(limited_particles(piece, projection), x);
  displace(x, piece.dt, piece.state);
  ++summary.limit_calls;
  summary.limit_iterations += report.iterations;
  summary.solver_iterations += report.solver_iterations;
}

void limit_rates(Simulation& sim, Piece& piece) {
  const BlockProjection projection = piece.filter.projection();
  sim.limiter->limit_rates(limited_particles(piece, projection), piece.state.x, piece.state.v);
}

void measure_limits(const Simulation& sim, Piece& piece) {
  const LimitedFaces* faces = sim.limiter->faces();
  if (!faces) return;
  const LimitedFaces::Worst worst = faces->worst(piece.state.x);
  piece.strain_excess = worst.excess;
  if (worst.excess <= sim.limiter->tolerance() || piece.report.outcome != StepOutcome::accepted) return;
  const Vec3& place = piece.state.x[static_cast<size_t>(faces->nodes(worst.face)[0])];
  piece.report.outcome = StepOutcome::retry_smaller;
  piece.report.reason =
      "the cloth near " + place_text(place) + " is " + short_number_text(worst.excess) +
      " beyond its strain limits and cannot be brought within them; look for pins or obstacles "
      "that pull it apart, raise the limits, or allow more \"iterations\" in \"limits\"";
}

void correct(Simulation& sim, Piece& piece) {
  if (sim.rigid) {
    sim.rigid->system().foresee(sim.contact->body_impulses());
    sim.contact->set_body_ends(sim.rigid->system().motions());
  }
  piece.report.outer_work += sim.contact->correct(piece.reaction, sim.state.x, piece.dt, piece.state);
}

void weigh(const Simulation& sim, Piece& piece, bool may_be_doubted) {
  if (may_be_doubted && makes_energy(*sim.model.system, sim.state, piece.state, piece.report.outer_work))
    piece.report.outcome = StepOutcome::doubtful;
}

void separate(Simulation& sim, Piece& piece) {
  piece.is_apart = piece.is_resolved = true;
  piece.is_rough = false;
  piece.planes.clear();
  if (!sim.surface_contact) return;
  sim.contact->find_planes(piece.state, piece.dt, piece.planes);
  gather_surfaces(sim, piece.state, piece.end);
  const SurfaceContactReport report =
      sim.surface_contact->resolve(piece.begin, piece.end, piece.dt, piece.planes);
  displace(piece.end, piece.dt, piece.state);
  sim.contact->take_body_impulses(piece.planes, piece.state);
  piece.state.tangled = report.tangled;
  piece.is_rough = report.shift > kRoughShift;
  if (piece.squeezed < 0) piece.squeezed = report.entering;
  if (piece.squeezed < 0) piece.squeezed = sim.contact->entering(sim.state.x, piece.state.x);
  piece.is_resolved = report.resolved;
  if (!report.resolved) refuse(piece, report.meeting);
}

void keep_out(Piece& piece) {
  if (const int particle = particle_beyond(piece.planes, piece.state.x); particle >= 0)
    refuse(piece, particle);
}

void give_way(const Simulation& sim, Piece& piece) {
  if (!is_finite(piece.state)) return;
  if (!piece.is_resolved) stand_still(sim, piece);
  piece.squeezed = piece.meeting;
  piece.state.tangled = true;
  piece.report.outcome = StepOutcome::accepted;
}

void refine(Simulation& sim, Piece& piece, StepSummary& summary) {
  Barrier* barrier = sim.surface_contact ? sim.surface_contact->barrier(piece.end, piece.planes) : nullptr;
  if (!barrier) return;
  const auto is_sound = [&](const State& end) {
    StepReport report;
    judge(sim.model, sim.state, end, report);
    return !should_cut(report.outcome);
  };
  const StepReport report =
      sim.integrator->improve(*sim.model.system, piece.filter, {piece.load, {}, sim.contact->brakes()},
                              piece.dt, {sim.state, *barrier, is_sound, sim.rigid != nullptr}, piece.state);
  summary.add_work(report);
  sim.contact->take_body_forces(sim.state.x, piece.state.x, piece.dt, {});
  if (sim.rigid) sim.contact->take_body_impulses(piece.planes, piece.state);
  piece.is_rough = report.outcome != StepOutcome::accepted;
  piece.report.outcome = StepOutcome::accepted;
  if (piece.is_rough && piece.dt > kLongPiece * sim.model.step_length())
    piece.report.outcome = StepOutcome::doubtful;
}

void commit(Simulation& sim, Piece& piece) {
  std::swap(sim.state, piece.state);
  sim.model.system->take_up_turns(sim.state);
}

int touching_particles(const State& state) {
  int count = 0, last = -1;
  for (const ParticleContact& contact : state.contacts) {
    if (contact.normal_force == 0 || contact.particle == last) continue;
    last = contact.particle;
    ++count;
  }
  return count;
}

std::vector<double> surface_pressures(const Simulation& sim, const Piece& piece) {
  std::vector<double> pressures(sim.state.x.size(), 0);
  if (!sim.surface_contact) return pressures;
  sim.surface_contact->add_pressures(piece.dt, pressures);
  for (const PlaneContact& plane : piece.planes)
    pressures[static_cast<size_t>(plane.particle)] += plane.pressure / piece.dt;
  return pressures;
}

}  // namespace heddle::stages
