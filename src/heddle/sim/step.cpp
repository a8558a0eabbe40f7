#include <heddle/sim/step.h>

#include <heddle/sim/capture.h>
#include <heddle/sim/judge.h>
#include <heddle/sim/place_text.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

namespace heddle {

namespace {

/// How often a piece is solved at most while its contacts let go or begin to slide, and while much of what
/// they do is wrong.
constexpr int kContactPasses = 3, kMostPasses = 8;
/// Separation that moves a vertex farther than this share of the thickness is followed by another solve.
constexpr double kRoughShift = 0.1;
/// Limiting strains and keeping surfaces apart alternate so often before the piece is cut.
constexpr int kLimitRounds = 6;
/// What surfaces moved gets heavier by this factor in each of these rounds, so that limits move the cloth
/// around it.
constexpr double kHeavier = 10;
/// Pieces longer than this share of a step are cut if the forces at their end could not be balanced.
constexpr double kLongPiece = 0.4;

constexpr const char* kNotFinite =
    "bodies are not finite; look for forces, masses or joints far from everyday values";

/// Cuts a step into pieces: halves where a piece failed, and joins them again behind it.
class Pieces {
 public:
  /// Where the last step had to be cut, this one probably must too; a piece twice as long is tried first.
  explicit Pieces(int halvings) : size_(kWhole >> std::max(0, halvings - 1)) {}

  bool done() const { return done_ == kWhole; }
  double share() const { return static_cast<double>(size_) / kWhole; }  // of the step
  bool can_halve() const { return size_ > 1; }
  void halve() { size_ /= 2; }
  /// Doubtful pieces down to a certain size are cut further.
  bool may_be_doubted() const { return size_ > kWhole / 64; }
  void advance(bool may_grow) {
    done_ += size_;
    last_ = size_;
    may_grow_ = may_grow;
    if (may_grow && done_ % (2 * size_) == 0 && 2 * size_ <= kWhole - done_) size_ *= 2;
  }
  /// Of the last piece; one more if the next one must not be longer.
  int halvings() const {
    const int halvings = std::countr_zero(static_cast<unsigned>(kWhole / last_));
    return may_grow_ || halvings == 0 ? halvings : std::min(halvings + 1, kMostHalvings);
  }

 private:
  static constexpr int kWhole = 1 << kMostHalvings;
  int size_, done_ = 0, last_ = kWhole;
  bool may_grow_ = true;
};

/// What the stages of one piece pass on to each other.
struct Piece {
  double dt = 0;
  State state;  // becomes the simulation's state if the piece is accepted
  VelocityFilter filter;
  std::vector<Vec3> load;      // N per particle, friction
  std::vector<Vec3> reaction;  // N per particle
  bool surfaces_meet = false;  // without contact between them
  bool is_apart = true;        // surfaces are
  bool is_rough = false;       // forces do not balance well at its end
  int squeezed = -1;           // a particle without room, if there is one
  int meeting = -1;            // a particle that was not kept apart, if there is one
  std::vector<PlaneContact> planes;
  std::vector<double> limit_mass;  // kg, of the particles as limits see them
  double strain_excess = 0;        // 1, beyond the limits
  std::vector<Vec3> begin, end;    // m, of all surfaces, as surface contact sees and allows them
  StepReport report;
};

bool should_cut(StepOutcome outcome) {
  return outcome == StepOutcome::doubtful || outcome == StepOutcome::retry_smaller;
}

/// Finds how bodies would move by themselves.
void move_bodies(Simulation& sim, Piece& piece) {
  if (!sim.rigid) return;
  sim.rigid->begin(sim.state, piece.dt);
  sim.contact->set_bodies(sim.rigid->system().motions());
}

/// Bodies that go farther than they are thick might miss what they should hit.
bool bodies_are_too_fast(const Simulation& sim) {
  return sim.rigid && sim.rigid->system().longest_way() > 1;
}

/// Gives bodies what particles did to them.
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

/// Finds the surfaces that touch each other at the beginning.
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

/// Looks for surfaces that the step so far would bring too near; true if it must be solved again.
bool predict(Simulation& sim, Piece& piece) {
  if (!sim.surface_contact) return false;
  gather_surfaces(sim, piece.state, piece.end);
  return sim.surface_contact->predict(piece.begin, piece.end, piece.dt);
}

LimitedParticles limited_particles(const Piece& piece, const BlockProjection& projection) {
  return {piece.limit_mass, projection, piece.dt, static_cast<std::uint64_t>(piece.state.step)};
}

/// Brings strains within the limits of fabrics.
void limit(Simulation& sim, Piece& piece, StepSummary& summary) {
  const BlockProjection projection = piece.filter.projection();
  std::vector<Vec3> x = piece.state.x;
  const LimitReport report = sim.limiter->limit(limited_particles(piece, projection), x);
  displace(x, piece.dt, piece.state);
  ++summary.limit_calls;
  summary.limit_iterations += report.iterations;
  summary.solver_iterations += report.solver_iterations;
}

/// Limits rates of strain, after all that changes positions.
void limit_rates(Simulation& sim, Piece& piece) {
  const BlockProjection projection = piece.filter.projection();
  sim.limiter->limit_rates(limited_particles(piece, projection), piece.state.x, piece.state.v);
}

/// By how much strains are beyond their limits; more than the tolerance refuses the piece.
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

/// What the solver and obstacles made of the energy; separation, which only takes, comes later.
void weigh(const Simulation& sim, Piece& piece, bool may_be_doubted) {
  if (may_be_doubted && makes_energy(*sim.model.system, sim.state, piece.state, piece.report.outer_work))
    piece.report.outcome = StepOutcome::doubtful;
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

/// Keeps surfaces apart on the way from the accepted state to the new one.
void separate(Simulation& sim, Piece& piece) {
  piece.is_apart = true;
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
  if (!report.resolved) refuse(piece, report.meeting);
}

/// Sees that separation, whose rigid zones know no shapes, left particles out of the obstacles.
void keep_out(Piece& piece) {
  if (const int particle = particle_beyond(piece.planes, piece.state.x); particle >= 0)
    refuse(piece, particle);
}

/// Lets surfaces intersect that nothing can keep apart, such as cloth between obstacles that close on it:
/// they are drawn apart in the steps that follow.
void give_way(Piece& piece) {
  if (!is_finite(piece.state)) return;
  piece.squeezed = piece.meeting;
  piece.state.tangled = true;
  piece.report.outcome = StepOutcome::accepted;
}

/// Balances the forces at the end of the piece where one linear solve or separation left them unbalanced.
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
                              piece.dt, {sim.state, *barrier, is_sound}, piece.state);
  summary.add_work(report);
  sim.contact->take_body_forces(sim.state.x, piece.state.x, piece.dt, {});
  piece.is_rough = report.outcome != StepOutcome::accepted;
  piece.report.outcome = StepOutcome::accepted;
  if (piece.is_rough && piece.dt > kLongPiece * sim.model.step_length())
    piece.report.outcome = StepOutcome::doubtful;
}

void commit(Simulation& sim, Piece& piece) {
  std::swap(sim.state, piece.state);
  sim.model.system->take_up_turns(sim.state);
}

/// Particles that some obstacle presses on.
int touching_particles(const State& state) {
  int count = 0, last = -1;
  for (const ParticleContact& contact : state.contacts) {
    if (contact.normal_force == 0 || contact.particle == last) continue;
    last = contact.particle;
    ++count;
  }
  return count;
}

/// Runs a stage and adds its time to the summary.
template <class Work>
void timed(StepSummary& summary, Stage stage, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  summary.seconds[static_cast<size_t>(stage)] += elapsed.count();
}

/// Lets contacts with obstacles and between surfaces go or slide; true if the piece must be solved again.
bool revise(Simulation& sim, Piece& piece, int passes) {
  const Revision surfaces =
      sim.surface_contact ? sim.surface_contact->revise(piece.reaction) : Revision::none;
  if (passes >= (surfaces == Revision::major ? kMostPasses : kContactPasses)) return false;
  const bool obstacles = sim.contact->revise(piece.reaction, sim.state.x, piece.state.x, piece.dt);
  return obstacles || surfaces != Revision::none;
}

/// `again`: once more from the same state, with other contacts.
void solve(Simulation& sim, Piece& piece, StepSummary& summary, bool again) {
  if (again) timed(summary, Stage::animate, [&] { animate(sim, piece); });
  timed(summary, Stage::respond, [&] { respond(sim, piece); });
  if (!again) timed(summary, Stage::detect, [&] { touch(sim, piece); });
  timed(summary, Stage::integrate, [&] { integrate(sim, piece, again); });
  summary.add_work(piece.report);
}

/// Solves until contacts no longer let go or begin to slide.
void settle(Simulation& sim, Piece& piece, StepSummary& summary, bool again = false) {
  solve(sim, piece, summary, again);
  for (int passes = 1; !should_cut(piece.report.outcome) && revise(sim, piece, passes); ++passes)
    solve(sim, piece, summary, true);
}

/// Strains and surfaces by turns: what keeps surfaces apart strains the cloth, and the other way round.
void reconcile(Simulation& sim, Piece& piece, StepSummary& summary) {
  const auto is_within = [&] {
    const LimitedFaces* faces = sim.limiter->faces();
    return !faces || faces->worst(piece.state.x).excess <= sim.limiter->tolerance();
  };
  for (int round = 0; round < kLimitRounds && piece.is_apart && !is_within(); ++round) {
    const std::vector<Vec3> before = piece.state.x;
    timed(summary, Stage::limit, [&] { limit(sim, piece, summary); });
    const std::vector<Vec3> limited = piece.state.x;
    timed(summary, Stage::separate, [&] { separate(sim, piece); });
    for (size_t i = 0; i < before.size(); ++i)
      if (piece.state.x[i] != limited[i]) piece.limit_mass[i] *= kHeavier;
  }
}

/// Of a scene without particles.
void move_bodies_alone(Simulation& sim, Piece& piece) {
  piece.state = sim.state;
  piece.state.time += piece.dt;
  piece.is_apart = true;
  piece.report = {};
}

/// All stages of one piece, in their order; the outcome says whether its state may stand.
void try_piece(Simulation& sim, Piece& piece, bool may_be_doubted, StepSummary& summary) {
  timed(summary, Stage::animate, [&] { move_bodies(sim, piece); });
  if (may_be_doubted && bodies_are_too_fast(sim)) {
    piece.report = {.outcome = StepOutcome::doubtful};
    return;
  }
  if (sim.state.x.empty()) return move_bodies_alone(sim, piece);
  timed(summary, Stage::animate, [&] { animate(sim, piece); });
  timed(summary, Stage::detect, [&] { detect(sim, piece); });
  settle(sim, piece, summary);
  if (should_cut(piece.report.outcome)) return;
  timed(summary, Stage::detect, [&] { piece.surfaces_meet = predict(sim, piece); });
  if (piece.surfaces_meet) settle(sim, piece, summary, true);
  if (should_cut(piece.report.outcome)) return;
  if (sim.limiter) {
    piece.limit_mass.assign(sim.model.system->mass().begin(), sim.model.system->mass().end());
    timed(summary, Stage::limit, [&] { limit(sim, piece, summary); });
  }
  timed(summary, Stage::correct, [&] { correct(sim, piece); });
  timed(summary, Stage::judge, [&] { weigh(sim, piece, may_be_doubted); });
  timed(summary, Stage::separate, [&] { separate(sim, piece); });
  if (sim.limiter) reconcile(sim, piece, summary);
  if (!piece.is_apart) return;
  timed(summary, Stage::judge, [&] { judge(sim.model, sim.state, piece.state, piece.report); });
  if (piece.is_rough || should_cut(piece.report.outcome)) {
    timed(summary, Stage::refine, [&] { refine(sim, piece, summary); });
    timed(summary, Stage::judge, [&] { judge(sim.model, sim.state, piece.state, piece.report); });
  }
  if (!should_cut(piece.report.outcome)) timed(summary, Stage::judge, [&] { keep_out(piece); });
  if (!sim.limiter) return;
  timed(summary, Stage::judge, [&] { measure_limits(sim, piece); });
  timed(summary, Stage::limit, [&] { limit_rates(sim, piece); });
}

/// How hard surfaces, and obstacles while those were kept apart, pressed on the particles in a piece, N.
std::vector<double> surface_pressures(const Simulation& sim, const Piece& piece) {
  std::vector<double> pressures(sim.state.x.size(), 0);
  if (!sim.surface_contact) return pressures;
  sim.surface_contact->add_pressures(piece.dt, pressures);
  for (const PlaneContact& plane : piece.planes)
    pressures[static_cast<size_t>(plane.particle)] += plane.pressure / piece.dt;
  return pressures;
}

/// Hands a finished frame on.
void finish_frame(Simulation& sim, const Piece& piece, const FrameWriter& write, StepSummary& summary) {
  const std::int64_t frame = sim.state.step / sim.model.steps_per_frame;
  sim.state.time = sim.model.frame_time(frame);  // no drift from adding steps up
  if (!write) return;
  Snapshot snapshot;
  timed(summary, Stage::capture,
        [&] { snapshot = capture(sim, frame, piece.dt, surface_pressures(sim, piece)); });
  timed(summary, Stage::write, [&] {
    if (const Status written = write(snapshot); !written) {
      summary.outcome = StepOutcome::failed;
      summary.reason = written.errors().text();
    }
  });
}

}  // namespace

void StepSummary::add(const StepSummary& other) {
  outcome = other.outcome;
  reason = other.reason;
  solver_iterations += other.solver_iterations;
  row_products += other.row_products;
  events += other.events;
  pieces += other.pieces;
  retries += other.retries;
  contacts = other.contacts;
  limit_calls += other.limit_calls;
  limit_iterations += other.limit_iterations;
  strain_excess = std::max(strain_excess, other.strain_excess);
  for (size_t i = 0; i < seconds.size(); ++i) seconds[i] += other.seconds[i];
  search.add(other.search);
  if (!squeeze) squeeze = other.squeeze;
}

void StepSummary::add_work(const StepReport& report) {
  solver_iterations += report.solver_iterations;
  row_products += report.row_products;
  events += report.events;
}

StepSummary step(Simulation& sim, const FrameWriter& write) {
  StepSummary summary;
  const State begin = sim.state;
  Piece piece;
  Pieces pieces(begin.halvings);
  while (!pieces.done()) {
    piece.dt = sim.model.step_length() * pieces.share();
    piece.surfaces_meet = false;
    ++summary.pieces;
    try_piece(sim, piece, pieces.may_be_doubted(), summary);
    if (should_cut(piece.report.outcome) && pieces.can_halve()) {
      pieces.halve();
      ++summary.retries;
      continue;
    }
    if (!piece.is_apart) give_way(piece);
    timed(summary, Stage::correct, [&] { finish_bodies(sim, piece); });
    if (!is_finite(piece.state) && piece.report.outcome == StepOutcome::accepted)
      piece.report = {.outcome = StepOutcome::failed, .reason = kNotFinite};
    if (piece.report.outcome != StepOutcome::accepted) {
      summary.outcome = StepOutcome::failed;
      summary.reason = piece.report.reason;
      if (const std::string advice = sim.integrator->advice(); !advice.empty())
        summary.reason += "; " + advice;
      sim.state = begin;
      return summary;
    }
    if (piece.squeezed >= 0 && !summary.squeeze)
      summary.squeeze = {piece.squeezed, sim.state.x[static_cast<size_t>(piece.squeezed)], sim.state.time};
    summary.strain_excess = std::max(summary.strain_excess, piece.strain_excess);
    timed(summary, Stage::commit, [&] { commit(sim, piece); });
    pieces.advance(piece.report.may_grow);
  }
  sim.state.step = begin.step + 1;
  sim.state.halvings = pieces.halvings();
  sim.state.time = begin.time + sim.model.step_length();
  summary.contacts = touching_particles(sim.state);
  if (sim.surface_contact) summary.search = sim.surface_contact->take_search_work();
  if (sim.state.step % sim.model.steps_per_frame == 0) finish_frame(sim, piece, write, summary);
  return summary;
}

StepSummary advance_to(Simulation& sim, double time, const FrameWriter& write) {
  StepSummary sum;
  const double half_step = 0.5 * sim.model.step_length();  // times are sums of steps and end a rounding apart
  while (sim.state.time < time - half_step && sum.outcome == StepOutcome::accepted) sum.add(step(sim, write));
  return sum;
}

}  // namespace heddle
