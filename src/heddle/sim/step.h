#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/simulation.h>

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace heddle {

/// A step may be cut in half this often.
inline constexpr int kMostHalvings = 10;

/// The stages of a step, in their order; ARCHITECTURE.md has one section for each.
enum class Stage {
  animate,
  detect,
  respond,
  integrate,
  limit,
  correct,
  separate,
  refine,
  judge,
  commit,
  capture,
  write
};
inline constexpr int kStageCount = 12;
inline constexpr std::array<const char*, kStageCount> kStageNames{
    "animate",  "detect", "respond", "integrate", "limit",   "correct",
    "separate", "refine", "judge",   "commit",    "capture", "write"};

/// Where cloth found no room and may pass into something until there is some.
struct Squeeze {
  int particle = 0;
  Vec3 place = Vec3::Zero();  // m
  double time = 0;            // s
};

/// What one step cost and how it went.
struct StepSummary {
  StepOutcome outcome = StepOutcome::accepted;
  std::string reason;  // why it failed, and which parameter to change
  int solver_iterations = 0;
  long row_products = 0;  // in the linear solver: rows of the matrix times a vector
  long events = 0;        // of elements that step at their own pace
  int pieces = 0;         // of the step that were tried, one if all went well
  int retries = 0;        // pieces that were tried again with half the length
  int contacts = 0;
  int limit_calls = 0;       // times that strains were limited
  int limit_iterations = 0;  // of all of them
  double strain_excess = 0;  // 1, by which a face is beyond its limits at the end
  std::array<double, kStageCount> seconds{};
  SearchWork search;               // for surfaces that come near
  std::optional<Squeeze> squeeze;  // the first

  void add(const StepSummary& other);
  /// What a solve cost.
  void add_work(const StepReport& report);
};

/// Receives the snapshot at the end of a step that completes a frame.
using FrameWriter = std::function<Status(const Snapshot&)>;

/// Advances by one step of the model's length, in smaller pieces where it must. If the step ends a frame,
/// `write` gets its snapshot. If the step fails the state is that before it; if only `write` does, that
/// after.
StepSummary step(Simulation& simulation, const FrameWriter& write = {});

/// Steps until the simulated time is `time` (s), or until a step fails; the sum of all steps.
StepSummary advance_to(Simulation& simulation, double time, const FrameWriter& write = {});

}  // namespace heddle
