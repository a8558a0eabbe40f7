#include <heddle/sim/spring_terms.h>

#include <heddle/core/text.h>
#include <heddle/forces/spring/buckling.h>
#include <heddle/forces/spring/grid_springs.h>
#include <heddle/forces/spring/spring_membrane.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

GridSize grid_of(const PreparedCloth& cloth) {
  return {cloth.mesh.lattice[0], cloth.mesh.lattice[1]};
}

/// Do weft and warp follow the rows and columns?
bool is_along_weft(const PreparedCloth& cloth) {
  constexpr double kSlant = 1e-6;  // rad
  for (size_t face = 0; face < cloth.mesh.triangles.size(); ++face) {
    const Triangle& t = cloth.mesh.triangles[face];
    for (size_t k = 0; k < 3; ++k) {
      const Vec2 drawn = cloth.mesh.uv[at(t[(k + 1) % 3])] - cloth.mesh.uv[at(t[k])];
      const Vec2 rest = cloth.rest.triangles[face][(k + 1) % 3] - cloth.rest.triangles[face][k];
      if ((drawn - rest).norm() > kSlant * rest.norm()) return false;
    }
  }
  return true;
}

/// Reports what springs cannot be put on.
bool is_for_springs(const Entity& entity, const TermContext& context) {
  const PreparedCloth& cloth = *context.cloth;
  const std::string name = in_quotes(cloth.name);
  if (cloth.mesh.lattice[0] == 0) {
    context.diagnostics->error(
        entity.where,
        in_quotes(entity.type()) + " needs a regular grid, which the mesh of cloth " + name + " is not",
        R"(use mesh {"type": "grid"} with "diagonals" "single" or "alternating", or {"type": "ribbon"}; or membrane )"
        R"({"type": "stvk"} with bending {"type": "hinge"}, which suit every mesh)");
    return false;
  }
  if (is_along_weft(cloth)) return true;
  context.diagnostics->error(entity.where,
                             "the springs of " + in_quotes(entity.type()) + " follow the grid of cloth " +
                                 name + ", but its weft does not",
                             R"(remove "weft_angle", or use membrane {"type": "stvk"})");
  return false;
}

/// A property of the fabric between vertices, from the faces around them.
class SpringFabric {
 public:
  SpringFabric(const PreparedCloth& cloth, double Fabric::*property) {
    for (int i = 0; i < cloth.mesh.vertex_count(); ++i) {
      double sum = 0;
      for (const int face : cloth.topology.vertex_faces[i]) sum += cloth.fabric(face).*property;
      mean_.push_back(sum / static_cast<double>(cloth.topology.vertex_faces[i].size()));
    }
  }
  double between(const ParticlePair& pair) const { return 0.5 * (mean_[at(pair[0])] + mean_[at(pair[1])]); }

 private:
  std::vector<double> mean_;
};

/// A pair of properties along weft and warp; diagonals have the mean of both.
class WovenFabric {
 public:
  WovenFabric(const PreparedCloth& cloth, double Fabric::*weft, double Fabric::*warp)
      : cloth_(cloth), weft_(cloth, weft), warp_(cloth, warp) {}
  double between(const ParticlePair& pair) const {
    const Vec2 along = (cloth_.mesh.uv[at(pair[1])] - cloth_.mesh.uv[at(pair[0])]).cwiseAbs();
    const double slope = std::atan2(along.y(), along.x());
    if (slope < 1e-6) return weft_.between(pair);
    if (slope > std::numbers::pi / 2 - 1e-6) return warp_.between(pair);
    return 0.5 * (weft_.between(pair) + warp_.between(pair));
  }

 private:
  const PreparedCloth& cloth_;
  SpringFabric weft_, warp_;
};

WovenFabric stretch_of(const PreparedCloth& cloth) {
  return {cloth, &Fabric::weft_stiffness, &Fabric::warp_stiffness};
}

double rest_length(const PreparedCloth& cloth, const ParticlePair& pair) {
  return (cloth.mesh.uv[at(pair[1])] - cloth.mesh.uv[at(pair[0])]).norm();
}

/// Of a cell of the grid, m2.
double cell_area(const PreparedCloth& cloth) {
  return rest_length(cloth, {0, 1}) * rest_length(cloth, {0, cloth.mesh.lattice[0]});
}

template <class Kernel>
std::unique_ptr<ForceTerm> term_of(Kernel kernel, const TermContext& context, const std::string& treatment) {
  return make_term(std::move(kernel), context.particle_count, treatment == "implicit");
}

/// `fabric_stiffness(pair)` is used where the scene gives no stiffness, N/m.
template <class Stiffness>
SpringKernel springs_of(const PreparedCloth& cloth, SpringKernel kernel,
                        const std::vector<ParticlePair>& pairs, const Stiffness& fabric_stiffness,
                        std::optional<double> stiffness, std::optional<double> damping) {
  const SpringFabric damping_time(cloth, &Fabric::stretch_damping);
  for (const ParticlePair& pair : pairs) {
    const double k = stiffness ? *stiffness : fabric_stiffness(pair);
    kernel.add(cloth.global(pair), rest_length(cloth, pair), k,
               damping ? *damping : k * damping_time.between(pair));
  }
  return kernel;
}

/// Springs of the fabric have its stiffness E and shear modulus G per width. In cells of a x b a spring along
/// a carries the width b, k = E b/a; two diagonals of length L have k = G L^2 / (2 a b).
ForceTerms build_membrane(const SpringMembrane& membrane, const SpringRules& rules,
                          const TermContext& context) {
  const PreparedCloth& cloth = *context.cloth;
  const GridSize grid = grid_of(cloth);
  const WovenFabric stretch = stretch_of(cloth);
  const SpringFabric shear(cloth, &Fabric::shear_stiffness);
  const double cell = cell_area(cloth);
  const auto along = [&](const ParticlePair& pair) {
    return stretch.between(pair) * cell / std::pow(rest_length(cloth, pair), 2);
  };
  const auto diagonal = [&](const ParticlePair& pair) {
    return shear.between(pair) * std::pow(rest_length(cloth, pair), 2) / (2 * cell);
  };
  ForceTerms terms;
  terms.push_back(term_of(springs_of(cloth, SpringKernel("stretch_springs", rules), stretch_pairs(grid),
                                     along, membrane.stretch_stiffness, membrane.stretch_damping),
                          context, membrane.stretch_treatment));
  terms.push_back(term_of(springs_of(cloth, SpringKernel("shear_springs", rules), shear_pairs(grid), diagonal,
                                     membrane.shear_stiffness, membrane.shear_damping),
                          context, membrane.shear_treatment));
  return terms;
}

ForceTerms one_term(std::unique_ptr<ForceTerm> term) {
  ForceTerms terms;
  terms.push_back(std::move(term));
  return terms;
}

/// The stiffness k_b of Choi and Ko, N m2, with which springs along rows, columns and diagonals together have
/// the energy B kappa^2 / 2 per area: each vertex has one of length 2h along the curvature and two of length
/// 2 sqrt(2) h that see half of it.
double buckling_rigidity(double bending, double spacing) {
  return bending * spacing / (2 + std::numbers::sqrt2);
}

}  // namespace

ForceTerms build_choi_ko(const Entity& entity, const TermContext& context) {
  if (!is_for_springs(entity, context)) return {};
  const auto& membrane = entity.as<ChoiKo>();
  return build_membrane(membrane, membrane.rules(), context);
}

ForceTerms build_provot(const Entity& entity, const TermContext& context) {
  if (!is_for_springs(entity, context)) return {};
  const auto& membrane = entity.as<Provot>();
  return build_membrane(membrane, membrane.rules(), context);
}

ForceTerms build_buckling(const Entity& entity, const TermContext& context) {
  if (!is_for_springs(entity, context)) return {};
  const PreparedCloth& cloth = *context.cloth;
  const auto& parameters = entity.as<BucklingSprings>();
  const WovenFabric stretch = stretch_of(cloth), bending(cloth, &Fabric::weft_bending, &Fabric::warp_bending);
  const GridSize grid = grid_of(cloth);
  const double spacing = std::sqrt(cell_area(cloth));
  BucklingKernel kernel;
  for (const ParticlePair& pair : bend_pairs(grid)) {
    const double rest = rest_length(cloth, pair);
    const double rigidity = buckling_rigidity(bending.between(pair), spacing);
    kernel.add(cloth.global(pair), rest, parameters.stiffness.value_or(4 * rigidity / (rest * rest)),
               parameters.linear_stiffness.value_or(stretch.between(pair)));
  }
  return one_term(term_of(std::move(kernel), context, parameters.treatment));
}

ForceTerms build_flexion(const Entity& entity, const TermContext& context) {
  if (!is_for_springs(entity, context)) return {};
  constexpr double kShareOfStretch = 0.01;
  const PreparedCloth& cloth = *context.cloth;
  const auto& parameters = entity.as<FlexionSprings>();
  const WovenFabric stretch = stretch_of(cloth);
  SpringKernel kernel("bend_springs", {});
  for (const ParticlePair& pair : flexion_pairs(grid_of(cloth)))
    kernel.add(cloth.global(pair), rest_length(cloth, pair),
               parameters.stiffness.value_or(kShareOfStretch * stretch.between(pair)), parameters.damping);
  return one_term(term_of(std::move(kernel), context, parameters.treatment));
}

}  // namespace heddle
