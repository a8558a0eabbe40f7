#include <heddle/reproduce/spillmann_rig.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

StrandMaterial printed(double radius, double density, const Vec3& megapascals, double penalty,
                       const Vec2& friction) {
  StrandMaterial material;
  material.section = {.radius = radius,
                      .density = density,
                      .young = 1e6 * megapascals[0],
                      .shear = 1e6 * megapascals[1],
                      .stretch = 1e6 * megapascals[2],
                      .stretch_friction = 1e-6 * friction[0],
                      .bending_friction = 1e-6 * friction[1],
                      .printed_law = true};
  material.penalty = penalty;
  return material;
}

}  // namespace

StrandMaterial comparison_strand() {
  return printed(0.01, 1300, {1, 4, 1000}, 1e6, {10, 1});
}

/// kappa in N, not in 10^3 N: with that the published steps would be far from stable.
StrandMaterial wire_strand() {
  return printed(0.001, 7860, {200, 100, 100}, 300, {0.05, 0.01});
}

StrandMaterial thread_strand() {
  return printed(0.001, 1300, {1e-5, 1e-5, 0.02}, 0.1, {1, 0.1});
}

StrandMaterial rope_strand() {
  StrandMaterial material;
  material.section = ropes();
  material.penalty = 1e5;
  return material;
}

StrandMaterial cord_strand(double friction) {
  StrandMaterial material;
  material.section = {.radius = 0.005,
                      .density = 1300,
                      .young = 1e5,
                      .shear = 4e4,
                      .stretch = 2e6,
                      .stretch_friction = 0.004,
                      .bending_friction = 2e-8};
  material.penalty = 50;
  material.friction = friction;
  return material;
}

RodShape straight_strand(double length, int segments, double twist, const Vec3& from, const Vec3& direction) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.push_back(from + length * i / segments * direction);
  return rod_through(std::move(points), false, twist);
}

RodShape limp_shape(std::vector<Vec3> points) {
  RodShape shape = rod_through(std::move(points), false);
  shape.curvature = Vec3(Vec3::Zero());
  return shape;
}

void hold(Strands& strands, int segment) {
  StrandSegment& own = strands.segments[at(segment)];
  own.held = true;
  for (const int end : own.ends) strands.nodes[at(end)].held = true;
}

void slow_down(Strands& strands, double factor) {
  for (StrandNode& node : strands.nodes)
    if (!node.held) node.v *= factor;
  for (StrandSegment& segment : strands.segments)
    if (!segment.held) segment.spin *= factor;
}

void StrandTally::add(const Strands& strands, const StrandStepReport& report) {
  ++steps;
  changed += report.split + report.merged > 0 ? 1 : 0;
  refinements += report.split + report.merged;
  cg_iterations += report.cg_iterations;
  most_contacts = std::max(most_contacts, report.contact.contacts);
  most_iterations = std::max(most_iterations, report.contact.iterations);
  deepest = std::max(deepest, report.contact.deepest);
  nodes_ += strands.node_count();
  contacts_ += report.contact.contacts;
  iterations_ += report.contact.iterations;
  first_ += report.contact.first;
  force_ += report.force_seconds;
  detection_ += report.contact.detection_seconds;
  response_ += report.contact.response_seconds;
  refinement_ += report.refine_seconds;
}

std::string StrandTally::parts() const {
  return fmt::format("{:.3f} ms: forces {:.3f}, detection {:.3f}, response {:.3f}, refinement {:.4f}", all(),
                     force(), detection(), response(), refinement());
}

}  // namespace heddle
