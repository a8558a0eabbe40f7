#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// A square net, upright, with `meshes` to a side and sides of a mesh in `pieces`.
RodShape upright_net(double size, int meshes, int pieces) {
  std::vector<Vec3> points;
  std::vector<SegmentEnds> segments;
  const auto place = [&](int i, int j) {
    const double x = size * (static_cast<double>(i) / meshes - 0.5),
                 z = size * static_cast<double>(j) / meshes;
    // A little askew, so that it folds to one side.
    return Vec3(x, 0.02 * z + 0.002 * std::sin(9 * x), z);
  };
  const auto add_side = [&](int from, int to) {
    int last = from;
    for (int k = 1; k <= pieces; ++k) {
      int next = to;
      if (k < pieces) {
        next = static_cast<int>(points.size());
        const Vec3 a = points[static_cast<size_t>(from)], b = points[static_cast<size_t>(to)];
        points.push_back(a + (b - a) * k / pieces);
      }
      segments.push_back({last, next});
      last = next;
    }
  };
  for (int j = 0; j <= meshes; ++j)
    for (int i = 0; i <= meshes; ++i) points.push_back(place(i, j));
  for (int j = 0; j <= meshes; ++j)
    for (int i = 0; i <= meshes; ++i) {
      const int here = j * (meshes + 1) + i;
      if (i < meshes) add_side(here, here + 1);
      if (j < meshes) add_side(here, here + meshes + 1);
    }
  return rods_along(std::move(points), segments);
}

struct NetFigures {
  std::string_view size, force, detection, response;
};

Result<Findings> falling_net(const Effort& effort, int meshes, int pieces, double side,
                             const NetFigures& published, double published_detection) {
  Findings findings;
  StrandMaterial material = cord_strand(0.4);
  material.section.radius = 0.002;
  material.section.young = 5e6;
  material.section.shear = 2e6;
  material.section.stretch_friction = 5e-4;
  material.section.bending_friction = 1e-9;
  material.penalty = 20;
  StrandEngine engine({}, {{Vec3::Zero(), Vec3::UnitZ(), 0.4}});
  engine.gravity = Vec3(0, 0, -9.81);
  engine.strands.add(upright_net(side, meshes, pieces), material);
  for (StrandNode& node : engine.strands.nodes) node.x[2] += 0.003;
  const double dt = std::min(1e-4, 0.6 * longest_stable_step(engine.strands));
  StrandTally tally;
  const double until = effort.quick ? 0.25 : 0.5;
  double next = 0.05;
  while (engine.time() < until) {
    tally.add(engine.strands, engine.step(dt));
    if (engine.time() < next) continue;
    effort.progress(fmt::format("{:.2f} s", next));
    next += 0.05;
  }
  const StrandEnergies energies = find_energies(engine.strands);
  findings.figures = {
      {"points, segments, joints", std::string(published.size),
       fmt::format("{}, {}, {}", engine.strands.node_count(), engine.strands.segment_count(),
                   engine.strands.joints.size())},
      {"forces and integration", std::string(published.force), fmt::format("{:.3f} ms", tally.force())},
      {"detection", std::string(published.detection), fmt::format("{:.3f} ms", tally.detection())},
      {"response", std::string(published.response), fmt::format("{:.3f} ms", tally.response())},
      {"step, contacts", "",
       fmt::format("{:.2e} s, {:.1f}, at most {}", dt, tally.contacts(), tally.most_contacts)}};
  findings.claims = {
      {"rods overlap by no more than a thousandth of the radius after any step", "6.1.3",
       fmt::format("deepest {:.1e}", tally.deepest), tally.deepest <= 1e-3 && tally.most_contacts > 20},
      {"it folds like cloth and stays whole", "3.6.3, figure 3.19",
       fmt::format("stretch {:.1e} J, bending {:.1e} J", energies.stretch, energies.bending),
       std::isfinite(energies.stretch) && energies.bending > energies.stretch},
      {"a hierarchy spares the search that grows with the square", "quadratic",
       fmt::format("{:.3f} ms, {:.0f} times as quick", tally.detection(),
                   published_detection / tally.detection()),
       tally.detection() < 0.1 * published_detection}};
  return findings;
}

}  // namespace

Result<Findings> spillmann_coarse_net(const Effort& effort) {
  return falling_net(effort, 7, 8, 0.42, {"800, 900, 1100", "6.6 ms", "62.3 ms", "0.3 ms"}, 62.3);
}

Result<Findings> spillmann_dense_net(const Effort& effort) {
  return falling_net(effort, 20, 2, 0.5, {"1200, 1500, 3000", "14.5 ms", "224 ms", "10.6 ms"}, 224);
}

}  // namespace heddle
