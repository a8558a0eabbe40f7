#pragma once

#include <heddle/collision/broad/candidate_pairs.h>
#include <heddle/collision/surface.h>
#include <heddle/math/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

/// How the tests of a tree are shared among threads. The result is the same for all of them.
enum class TaskStrategy {
  fixed,  // parts of the tree against each other, dealt to the threads beforehand (Thomaszewski 2010, 5.3.1)
  dynamic,   // a long stack gives its bottom to a new task (Thomaszewski 2010, 5.3.3)
  estimate,  // parts of equal work, as counted in the last search (Garments 2007 tutorial, 5.8.3)
};

struct BroadPhaseOptions {
  bool cones = true;  // skip patches that normals and contour prove to be free of self-contact
  TaskStrategy strategy = TaskStrategy::dynamic;
  // A task splits when its stack is longer than task_slope * (waiting tasks) + task_base.
  int task_slope = 12;
  int task_base = 5;
  // The tree is built anew when the surfaces of its volumes have grown by this factor since it was built; 0
  // means never. A new tree finds its pairs in another order, so a run that must resume to the same bits
  // keeps its tree.
  double rebuild_growth = 0.0;
};

/// What the last update and find did.
struct BroadPhaseReport {
  std::int64_t volume_tests = 0;    // pairs of bounding volumes compared
  std::int64_t triangle_pairs = 0;  // pairs of triangles whose volumes overlap
  std::int64_t flat_patches = 0;    // patches skipped by normals and contour
  int tasks = 0;
  int rebuilds = 0;          // since the beginning
  std::vector<double> busy;  // s of work in find, by worker
};

/// What searches for pairs took.
struct SearchWork {
  double seconds = 0;        // by the clock
  std::vector<double> busy;  // s, by worker

  void add(const SearchWork& other);
};

/// Finds pairs of primitives that may come near each other during a step.
///
/// Every pair whose distance, at any moment of the straight motion from begin to end, is at most the sum of
/// the radii of its primitives is reported, except pairs that share a vertex and pairs that the surface
/// leaves out: of kinematic bodies and, unless CollisionSurface::between_free, of others. More pairs may be
/// reported, each once. Order and content do not depend on the number of threads.
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  /// Positions of all vertices of the surface at both ends of the step (equal for proximity alone), finite,
  /// in m; and a radius for each vertex, m, not negative: half the thickness of the cloth there.
  virtual void update(std::span<const Vec3> begin, std::span<const Vec3> end,
                      std::span<const double> radii) = 0;
  /// The same radius everywhere, so that pairs nearer than `margin` are found.
  void update(std::span<const Vec3> begin, std::span<const Vec3> end, double margin);

  /// Replaces the content of `out`. Needs an update before.
  virtual void find(CandidatePairs& out) = 0;

  virtual const BroadPhaseReport& report() const = 0;

 private:
  std::vector<double> radii_;
};

/// Makes one of the broad phases below. `reference` are the positions that a tree is built for: the flat rest
/// shape, if there is one, gives compact patches that stay good for the whole run. The surface must outlive
/// it.
std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name, const CollisionSurface& surface,
                                             std::span<const Vec3> reference,
                                             const BroadPhaseOptions& options = {});

/// Names of all broad phases: "bvh" (18-DOPs, the one to use), "bvh6", "bvh8", "bvh14", "hash",
/// "brute_force".
std::span<const std::string_view> broad_phase_names();

}  // namespace heddle
