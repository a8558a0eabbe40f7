#include "term_probe.h"

#include <heddle/core/random.h>
#include <heddle/forces/field/gravity.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/measures.h>
#include <heddle/scene/json_text.h>

#include <cmath>
#include <numbers>

namespace heddle::test {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

TriangleMesh two_triangles(bool both) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {0.1, 0.01, 0}, {0.02, 0.08, 0}, {0.11, 0.09, 0}};
  mesh.triangles = {{0, 1, 2}};
  if (both)
    mesh.triangles.push_back({1, 3, 2});
  else
    mesh.positions.pop_back();
  return mesh;
}

TriangleMesh sample_mesh(Sample sample) {
  switch (sample) {
    case Sample::one_triangle:
      return two_triangles(false);
    case Sample::one_hinge:
      return two_triangles(true);
    case Sample::grid:
      return make_mesh(Grid{.size = {0.5, 0.4}, .resolution = {6, 5}});
    case Sample::many_cells:
      return make_mesh(Grid{.size = {1, 0.7}, .resolution = {41, 29}});
    case Sample::many_chunks:
      return make_mesh(Irregular{.size = {1, 0.7}, .edge_length = 0.02});
    default:
      return make_mesh(Irregular{.size = {0.5, 0.4}, .edge_length = 0.09});
  }
}

void curve(TriangleMesh& mesh) {
  constexpr double kRadius = 0.2;
  for (Vec3& x : mesh.positions) {
    const double angle = x[0] / kRadius;
    x = {kRadius * std::sin(angle), x[1], kRadius * std::cos(angle) + 0.05 * std::sin(9 * x[1])};
  }
}

/// Registered types with other parameters than the default ones.
struct Variant {
  const char* name;
  const char* category;
  const char* text;
  size_t part = 0;  // of models with several terms
};
constexpr Variant kVariants[] = {
    {"hinge_explicit", "bending", R"({"type": "hinge", "treatment": "explicit"})"},
    {"stvk_viscous", "membrane", R"({"type": "stvk", "viscosity": [0.3, 0.7]})"},
    {"choi_ko_shear", "membrane", R"({"type": "choi_ko"})", 1},
    {"choi_ko_slack_damping", "membrane", R"({"type": "choi_ko", "slack_damping": true})"},
    {"choi_ko_elongating", "membrane",
     R"({"type": "choi_ko", "damper_acts": "elongating", "stretch_damping": 1})"},
    {"choi_ko_free_damper", "membrane", R"({"type": "choi_ko", "damper": "free", "shear_damping": 2})", 1},
    {"provot_shear", "membrane", R"({"type": "provot"})", 1},
    {"buckling_stiff", "bending", R"({"type": "buckling", "stiffness": 0.5, "linear_stiffness": 300})"},
    {"buckling_explicit", "bending", R"({"type": "buckling", "treatment": "explicit"})"},
    {"drag_both", "force", R"({"type": "drag", "damping": 0.01, "area_damping": 0.3})"},
    {"wind_with_lift", "force", R"({"type": "wind", "drag": 0.4, "lift": 1.5})"},
};

Entity entity_of(const Variant& variant) {
  const Catalogue catalogue = make_catalogue();
  Diagnostics diagnostics;
  ReadContext context{catalogue, diagnostics};
  Entity entity = read_entity(parse_json_text(variant.text, "variant").value(), variant.category, context);
  HEDDLE_CHECK(!diagnostics.has_errors());
  return entity;
}

}  // namespace

PreparedCloth sample_cloth(Sample sample) {
  PreparedCloth cloth;
  cloth.name = "sample";
  cloth.mesh = sample_mesh(sample);
  if (sample == Sample::curved) {
    curve(cloth.mesh);
    cloth.mesh.flat = false;
  }
  const RestSource source = sample == Sample::curved ? RestSource::shape : RestSource::flat;
  const double angle = cloth.mesh.lattice[0] > 0 ? 0 : 0.4;
  const std::vector<double> weft_angle(cloth.mesh.triangles.size(), angle);
  cloth.rest = make_rest_state(cloth.mesh, source, weft_angle).value();
  cloth.topology = make_topology(cloth.mesh.vertex_count(), cloth.mesh.triangles);
  cloth.rest_angles = rest_hinge_angles(cloth.mesh, cloth.rest.source, cloth.topology.hinges);
  Fabric fabric;
  fabric.weft_stiffness = 900;
  fabric.warp_stiffness = 500;
  fabric.weft_bending = 2e-5;
  cloth.fabrics = {fabric};
  cloth.fabric_names = {"sample"};
  cloth.face_fabric.assign(cloth.mesh.triangles.size(), 0);
  return cloth;
}

std::unique_ptr<ForceTerm> make_term(const Entity& entity, const PreparedCloth& cloth, size_t part) {
  Diagnostics diagnostics;
  const auto areas = vertex_areas(cloth.mesh.vertex_count(), cloth.mesh.triangles, cloth.rest.area);
  const TermContext context{&cloth, cloth.mesh.vertex_count(), cloth.mesh.triangles, areas, &diagnostics};
  ForceTerms terms = build_terms(entity, context);
  if (diagnostics.has_errors() || terms.empty()) return nullptr;
  return std::move(terms.at(part));
}

std::unique_ptr<ForceTerm> make_term(const std::string& type, const PreparedCloth& cloth) {
  if (type == "gravity") {
    const auto mass = vertex_areas(cloth.mesh.vertex_count(), cloth.mesh.triangles, cloth.rest.area);
    return std::make_unique<Gravity>(mass, Vec3(0.3, -0.2, -9.81));
  }
  for (const TermEntry& entry : term_registry())
    if (entry.type->name == type) return make_term(default_entity(*entry.type), cloth);
  for (const Variant& variant : kVariants)
    if (variant.name == type) return make_term(entity_of(variant), cloth, variant.part);
  return nullptr;
}

bool is_smooth(const std::string& type) {
  return !type.starts_with("choi_ko") && !type.starts_with("buckling");
}

bool damps_rotation(const std::string& type) {
  return type.ends_with("free_damper");
}

std::vector<std::string> all_term_types() {
  std::vector<std::string> types{"gravity"};
  for (const TermEntry& entry : term_registry()) types.push_back(entry.type->name);
  for (const Variant& variant : kVariants) types.emplace_back(variant.name);
  return types;
}

double mean_edge(const PreparedCloth& cloth) {
  double sum = 0;
  for (const Edge& edge : cloth.topology.edges)
    sum += (cloth.mesh.positions[at(edge[0])] - cloth.mesh.positions[at(edge[1])]).norm();
  return sum / static_cast<double>(cloth.topology.edges.size());
}

RigidTransform random_motion(std::uint64_t seed) {
  Random random(seed);
  const auto sample = [&] { return random.uniform(-1, 1); };
  const Vec3 axis = Vec3(sample(), sample(), sample()).normalized();
  return {Quat(Eigen::AngleAxisd(std::numbers::pi * sample(), axis)), Vec3(sample(), sample(), sample())};
}

Vectors deformed(const PreparedCloth& cloth, double stretch, double noise, std::uint64_t seed) {
  Random random(seed);
  const RigidTransform motion = random_motion(seed + 1000);
  const double step = noise * mean_edge(cloth);
  Vectors x = cloth.mesh.positions;
  for (Vec3& p : x) {
    p = {stretch * p[0], stretch * p[1], p[2] + 0.5 * p[0] * p[0] + 0.3 * p[0] * p[1]};
    p += step * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    p = motion.point(p);
  }
  return x;
}

Vectors random_velocities(size_t count, std::uint64_t seed) {
  Random random(seed);
  Vectors v;
  for (size_t i = 0; i < count; ++i)
    v.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  return v;
}

Vectors force_of(const ForceTerm& term, const Vectors& x, const Vectors& v) {
  Vectors force(x.size(), Vec3::Zero());
  term.add_force({x, v, 0}, force);
  return force;
}

Response linearise(ForceTerm& term, const Vectors& x, const Vectors& v, double stiffness, double damping,
                   JacobianForm form) {
  const int n = static_cast<int>(x.size());
  Response response{Vectors(x.size(), Vec3::Zero()), Vectors(x.size(), Vec3::Zero()), {}};
  BlockPatternBuilder builder(n, false);
  term.add_pattern(builder);
  const MatrixPattern all = builder.build();
  const BlockPattern& pattern = all.general;
  term.bind(all);
  BlockMatrix matrix(all);
  matrix.set_zero();
  Linearisation out{stiffness, damping, form, &matrix, response.force, response.stiffness_velocity};
  term.add_linearisation({x, v, 0}, out);
  response.matrix.setZero(3 * n, 3 * n);
  for (int row = 0; row < n; ++row)
    for (int k = pattern.row_start[at(row)]; k < pattern.row_start[at(row) + 1]; ++k)
      response.matrix.block<3, 3>(3 * row, 3 * pattern.columns[at(k)]) = matrix.block(k);
  return response;
}

Eigen::VectorXd flatten(const Vectors& values) {
  Eigen::VectorXd flat(3 * static_cast<Eigen::Index>(values.size()));
  for (size_t i = 0; i < values.size(); ++i) flat.segment<3>(3 * static_cast<Eigen::Index>(i)) = values[i];
  return flat;
}

double largest(const Vectors& values) {
  double result = 0;
  for (const Vec3& value : values) result = std::max(result, value.norm());
  return result;
}

double largest_difference(const Vectors& a, const Vectors& b) {
  double result = 0;
  for (size_t i = 0; i < a.size(); ++i) result = std::max(result, (a[i] - b[i]).norm());
  return result;
}

}  // namespace heddle::test
