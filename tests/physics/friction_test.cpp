// A patch of stiff cloth on an inclined plane against Coulomb's law.

#include "stage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace heddle::test {

namespace {

constexpr double kThickness = 1e-3, kGravity = 9.81;
/// Where the patch touches: half its thickness and 3 % of its mean edge length.
const double kClearance = kThickness / 2 + 0.03 * (24 + 9 * std::numbers::sqrt2) / 33 * (0.1 / 3);

/// Both friction coefficients are `mu`, and so is their geometric mean.
Json patch_on_plane(double mu) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.1, 0.1}}, {"resolution", {4, 4}}});
  fabric_of(scene).update({{"friction", mu},
                           {"thickness", kThickness},
                           {"weft_stiffness", 2000},
                           {"warp_stiffness", 2000},
                           {"shear_stiffness", 1000}});
  scene["obstacles"] = {{{"name", "plane"}, {"shape", {{"type", "plane"}}}, {"friction", mu}}};
  cloth_of(scene)["translation"] = {0, 0, kClearance};
  return scene;
}

/// The slope is made by tilting gravity.
Json tilted_gravity(double mu, double slope) {
  Json scene = patch_on_plane(mu);
  scene["gravity"] = {kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
  return scene;
}

/// The slope is made by turning the plane about y, downhill towards +x.
Json tilted_plane(double mu, double slope) {
  Json scene = patch_on_plane(mu);
  const double degrees = slope * 180 / std::numbers::pi;
  scene["obstacles"][0]["motion"] = {{"rotation", {0, degrees, 0}}};
  cloth_of(scene)["rotation"] = {0, degrees, 0};
  cloth_of(scene)["translation"] = {kClearance * std::sin(slope), 0, kClearance * std::cos(slope)};
  return scene;
}

/// The slope is a mesh of triangles.
Json tilted_mesh(double mu, double slope) {
  constexpr double kDistance = 2e-3;
  Json scene = tilted_plane(mu, slope);
  Json& obstacle = scene["obstacles"][0];
  obstacle.erase("shape");
  obstacle["mesh"] = {{"type", "grid"}, {"size", {4, 4}}, {"resolution", {24, 24}}};
  obstacle["thickness"] = kDistance;
  const double away = kClearance + kDistance;
  cloth_of(scene)["translation"] = {away * std::sin(slope), 0, away * std::cos(slope)};
  return scene;
}

Vec3 centre_of(const Simulation& sim) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (size_t i = 0; i < sim.state.x.size(); ++i) {
    sum += sim.model.system->mass()[i] * sim.state.x[i];
    mass += sim.model.system->mass()[i];
  }
  return sum / mass;
}

double distance_slid(const Json& scene, double time) {
  Simulation sim = build_scene(scene);
  const Vec3 start = centre_of(sim);
  advance_to(sim, time);
  return (centre_of(sim) - start).norm();
}

using MakeSlope = Json (*)(double mu, double slope);
struct Way {
  const char* name;
  MakeSlope make;
};

}  // namespace

class Incline : public testing::TestWithParam<Way> {};

TEST_P(Incline, SticksBelowTheFrictionAngle) {
  for (double mu : {0.2, 0.5})
    EXPECT_LT(distance_slid(GetParam().make(mu, std::atan(0.95 * mu)), 2), 1e-6) << "mu " << mu;
}

TEST_P(Incline, SlidesWithTheAccelerationOfCoulomb) {
  for (double mu : {0.2, 0.5}) {
    const double slope = std::atan(1.4 * mu), time = 1;
    const double acceleration = kGravity * (std::sin(slope) - mu * std::cos(slope));
    const double slid = distance_slid(GetParam().make(mu, slope), time);
    std::printf("mu %.1f: acceleration %.4f m/s2, expected %.4f\n", mu, 2 * slid / (time * time),
                acceleration);
    EXPECT_NEAR(2 * slid / (time * time), acceleration, 0.02 * acceleration);
  }
}

TEST_P(Incline, StartsToSlideAtTheFrictionAngle) {
  const double mu = 0.35;
  double sticks = 0.5 * mu, slides = 1.5 * mu;
  for (int i = 0; i < 8; ++i) {
    const double middle = 0.5 * (sticks + slides);
    (distance_slid(GetParam().make(mu, std::atan(middle)), 1) < 1e-6 ? sticks : slides) = middle;
  }
  std::printf("tan of the friction angle %.4f, expected %.4f\n", 0.5 * (sticks + slides), mu);
  EXPECT_NEAR(0.5 * (sticks + slides), mu, 0.02 * mu);
}

/// At rest it holds up to the higher coefficient, and once it slides it slides with the lower one.
TEST_P(Incline, HoldsLongerAtRestThanItSlides) {
  constexpr double kMu = 0.3, kStiction = 1.3;
  const auto sticky = [&](double tangent) {
    Json scene = GetParam().make(kMu, std::atan(tangent));
    fabric_of(scene)["stiction"] = kStiction;
    scene["obstacles"][0]["stiction"] = kStiction;
    return scene;
  };
  EXPECT_LT(distance_slid(sticky(0.98 * kStiction * kMu), 1), 1e-6);
  const double slope = std::atan(1.02 * kStiction * kMu);
  const double expected = 0.5 * kGravity * (std::sin(slope) - kMu * std::cos(slope));
  EXPECT_NEAR(distance_slid(sticky(std::tan(slope)), 1), expected, 0.05 * expected);
}

TEST_P(Incline, PairsOfMaterialsHaveTheirOwnFriction) {
  constexpr double kMu = 0.3;
  Json scene = GetParam().make(2 * kMu, std::atan(1.02 * kMu));
  EXPECT_LT(distance_slid(scene, 0.5), 1e-6);
  scene["frictions"] = {{{"between", {"plane", cloth_of(scene)["fabric"]}}, {"friction", kMu}}};
  EXPECT_GT(distance_slid(scene, 0.5), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Slope, Incline,
                         testing::Values(Way{"gravity", tilted_gravity}, Way{"plane", tilted_plane},
                                         Way{"mesh", tilted_mesh}),
                         [](const auto& instance) { return instance.param.name; });

TEST(Friction, ASlidingPatchComesToRest) {
  Json scene = patch_on_plane(0.3);
  cloth_of(scene)["velocity"] = {1, 0, 0};
  const double expected = 1 / (2 * 0.3 * kGravity);
  EXPECT_NEAR(distance_slid(scene, 1), expected, 0.05 * expected);
}

/// With the parameters that a user gets who sets none, cloth that fell on a slope must rest below the angle
/// of repose and slide above it, whatever its fabric.
TEST(Friction, FallenClothRestsOnASlopeWithDefaultParameters) {
  constexpr double kFriction = 0.3, kFall = 3e-3;
  for (const char* fabric : {"wool", "silk", "denim"})
    for (const double share : {0.7, 0.99, 1.02}) {
      const double slope = std::atan(share * kFriction), degrees = slope * 180 / std::numbers::pi;
      Json scene = one_cloth({{"type", "grid"}, {"size", {0.2, 0.2}}, {"resolution", {11, 11}}});
      scene.erase("integrator");
      cloth_of(scene)["fabric"] = fabric;
      cloth_of(scene)["rotation"] = {0, degrees, 0};
      cloth_of(scene)["translation"] = {kFall * std::sin(slope), 0, kFall * std::cos(slope)};
      scene["obstacles"] = {
          {{"name", "plane"}, {"shape", {{"type", "plane"}}}, {"motion", {{"rotation", {0, degrees, 0}}}}}};
      scene["frictions"] = {{{"between", {fabric, "plane"}}, {"friction", kFriction}}};
      Simulation sim = build_scene(scene);
      advance_to(sim, 1.3);
      const State before = sim.state;
      advance_to(sim, 1.5);
      const double way = (sim.state.x[60] - before.x[60]).norm();
      EXPECT_EQ(way < 1e-5, share < 1) << fabric << " at " << share << " moved by " << way;
    }
}

/// A fine, stiff sheet slides as one: a few vertices that stick must not hold the others.
TEST(Friction, AFineSheetSlidesAsOne) {
  constexpr double mu = 0.27, slope = 25 * std::numbers::pi / 180, time = 0.6;
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.36, 0.45}}, {"resolution", {37, 46}}});
  fabric_of(scene).update({{"friction", mu}, {"weft_stiffness", 3000}, {"warp_stiffness", 3000}});
  scene["obstacles"] = {{{"name", "plane"}, {"shape", {{"type", "plane"}}}, {"friction", mu}}};
  scene["gravity"] = {kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
  scene["integrator"]["tolerance"] = 1e-4;
  cloth_of(scene)["translation"] = {0, 0, 1e-3};
  const double expected = 0.5 * kGravity * (std::sin(slope) - mu * std::cos(slope)) * time * time;
  EXPECT_NEAR(distance_slid(scene, time), expected, 0.1 * expected);
}

namespace {

/// A patch on a sheet whose vertices are pinned, on a slope: friction of cloth on cloth.
Json patch_on_sheet(double mu, double tangent) {
  Json scene = patch_on_plane(mu);
  const double slope = std::atan(tangent);
  scene["gravity"] = {kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
  scene["obstacles"] = Json::array();
  cloth_of(scene)["translation"] = {-0.3, 0, kThickness};
  Json sheet = cloth_of(scene);
  sheet["name"] = "sheet";
  sheet["mesh"] = {{"type", "grid"}, {"size", {1.2, 0.3}}, {"resolution", {42, 11}}};
  sheet["translation"] = {0, 0, 0};
  sheet["pins"] = {{{"vertices", {{"all", true}}}}};
  scene["cloths"].push_back(sheet);
  return scene;
}

double slid_on_sheet(const Json& scene, double time) {
  Simulation sim = build_scene(scene);
  const Vec3 start = sim.state.x.front();
  advance_to(sim, time);
  return (sim.state.x.front() - start).norm();
}

}  // namespace

TEST(Friction, ClothOnClothSlidesAboveItsAngle) {
  constexpr double kMu = 0.3;
  EXPECT_LT(slid_on_sheet(patch_on_sheet(kMu, 0.98 * kMu), 1), 2e-3);
  const double slope = std::atan(1.4 * kMu);
  const double expected = 0.5 * kGravity * (std::sin(slope) - kMu * std::cos(slope)) * 0.25;
  const double slid = slid_on_sheet(patch_on_sheet(kMu, 1.4 * kMu), 0.5);
  std::printf("cloth on cloth slid %.4f m, expected %.4f\n", slid, expected);
  EXPECT_NEAR(slid, expected, 0.1 * expected);
}

/// A finer sheet of a real fabric meets many edges on its way; they must not brake it.
TEST(Friction, AFineSheetSlidesOnCloth) {
  constexpr double kMu = 0.3, kTime = 0.6;
  for (const double tangent : {0.42, 0.9}) {
    Json scene = patch_on_sheet(kMu, tangent);
    scene.erase("integrator");
    scene["frictions"] = {{{"between", {"cotton", "cotton"}}, {"friction", kMu}}};
    for (Json& cloth : scene["cloths"]) cloth["fabric"] = "cotton";
    cloth_of(scene)["mesh"] = {{"type", "grid"}, {"size", {0.15, 0.15}}, {"resolution", {11, 11}}};
    cloth_of(scene)["translation"] = {-0.3, 0, 0.002};
    const double slope = std::atan(tangent);
    const double free = 0.5 * kGravity * (std::sin(slope) - kMu * std::cos(slope)) * kTime * kTime;
    const double slid = slid_on_sheet(scene, kTime);
    std::printf("slid %.4f m, by Coulomb's law %.4f\n", slid, free);
    EXPECT_NEAR(slid, free, 0.05 * free) << tangent;
  }
}

namespace {

/// How far a napkin of cotton, with that many vertices a side, moves while the tablecloth under it is pulled
/// away by `distance` within `time`, after both came to rest.
double napkin_moved(int vertices, double distance, double time) {
  constexpr double kMu = 0.3, kRest = 0.3;
  const auto cotton = [](const char* name, const Json& mesh, double height) {
    return Json{{"name", name}, {"fabric", "cotton"}, {"mesh", mesh}, {"translation", {0, 0, height}}};
  };
  Json tablecloth =
      cotton("tablecloth", {{"type", "grid"}, {"size", {0.6, 0.4}}, {"resolution", {31, 21}}}, 0.0012);
  const Json pull{{"times", {0, kRest, kRest + time}}, {"values", {{0, 0, 0}, {0, 0, 0}, {distance, 0, 0}}}};
  tablecloth["pins"] = {
      {{"vertices", {{"box", {{0.299, -1, -1}, {0.301, 1, 1}}}}}, {"motion", {{"translation", pull}}}}};
  const Json scene{
      {"duration", kRest + time},
      {"frame_rate", 40},
      {"cloths",
       {cotton("napkin", {{"type", "grid"}, {"size", {0.1, 0.1}}, {"resolution", {vertices, vertices}}},
               0.003),
        tablecloth}},
      {"obstacles", {{{"name", "table"}, {"shape", {{"type", "plane"}}}}}},
      {"frictions",
       {{{"between", {"cotton", "cotton"}}, {"friction", kMu}},
        {{"between", {"cotton", "table"}}, {"friction", kMu}}}}};
  Simulation sim = build_scene(scene);
  const auto middle = [&] {
    double sum = 0;
    for (int i = 0; i < vertices * vertices; ++i) sum += sim.state.x[static_cast<size_t>(i)].x();
    return sum / (vertices * vertices);
  };
  advance_to(sim, kRest);
  const double start = middle();
  advance_to(sim, kRest + time);
  return middle() - start;
}

}  // namespace

/// Pulled at 4 m/s the tablecloth is gone after 0.08 s: friction of 0.3 g moves the napkin by 9 mm until
/// then, and by as much again until it rests on the table. Pulled at 0.2 m/s it slides by v^2 / (2 mu g) =
/// 7 mm until the napkin has its speed.
TEST(Friction, ATableclothPulledFastLeavesWhatLiesOnIt) {
  for (const int vertices : {7, 11}) {
    const double fast = napkin_moved(vertices, 1, 0.25), slow = napkin_moved(vertices, 0.3, 1.5);
    std::printf(
        "a napkin moves %.3f m with a tablecloth pulled by 1 m, %.3f m with one pulled slowly by 0.3 m\n",
        fast, slow);
    EXPECT_GT(fast, 0.005);
    EXPECT_LT(fast, 0.04);
    EXPECT_NEAR(slow, 0.3 - 0.2 * 0.2 / (2 * 0.3 * 9.81), 0.005);
  }
}

TEST(Friction, WithoutItNothingSticks) {
  Json scene = patch_on_plane(0);
  cloth_of(scene)["velocity"] = {0.1, 0, 0};
  EXPECT_NEAR(distance_slid(scene, 1), 0.1, 1e-8);
}

}  // namespace heddle::test
