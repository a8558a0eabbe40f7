#include <heddle/sim/step.h>

#include <heddle/sim/capture.h>
#include <heddle/sim/judge.h>
#include <heddle/sim/pieces.h>
#include <heddle/sim/stages.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace heddle {

using namespace stages;

namespace {

/// How often a piece is solved at most while its contacts let go or begin to slide, and while much of what
/// they do is wrong.
constexpr int kContactPasses = 3, kMostPasses = 8;
/// Limiting strains and keeping surfaces apart alternate so often before the piece is cut.
constexpr int kLimitRounds = 6;
/// What surfaces moved gets heavier by this factor in each of these rounds, so that limits move the cloth
/// around it.
constexpr double kHeavier = 10;

constexpr const char* kNotFinite =
    "bodies are not finite; look for forces, masses or joints far from everyday values";

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
    if (!piece.is_apart) give_way(sim, piece);
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
