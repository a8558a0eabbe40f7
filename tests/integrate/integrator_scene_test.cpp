// Every integrator of the registry on scenes with pins, obstacles and cloth on cloth.

#include "integrator_probe.h"

#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/step.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {
namespace {

const std::string kFabric =
    R"("fabrics": {"soft": {"density": 0.3, "weft_stiffness": 15, "warp_stiffness": 15, "shear_stiffness": 6,
         "stretch_damping": 0.01, "weft_bending": 2e-5, "warp_bending": 2e-5, "bending_damping": 0.05,
         "thickness": 0.002, "friction": 0.4}},)";
const std::string kAir = R"("forces": [{"type": "wind", "air_density": 4}],)";
const std::string kPlane = R"("obstacles": [{"name": "floor", "shape": {"type": "plane"}}],)";

std::string cloth(const std::string& name, const std::string& position, const std::string& more = "",
                  const std::string& resolution = "[5, 5]") {
  return R"({"name": ")" + name + R"(", "fabric": "soft", "mesh": {"type": "grid", "size": [0.3, 0.3],
             "resolution": )" +
         resolution + R"(}, "translation": )" + position + more + "}";
}

const std::string kPinned =
    kFabric + R"("cloths": [)" +
    cloth("a", "[0, 0, 0.5]", R"(, "rotation": [90, 0, 0], "pins": [{"vertices": {"indices": [20, 24]}}])") +
    "]";
const std::string kOnFloor = kFabric + kPlane + R"("cloths": [)" + cloth("a", "[0, 0, 0.05]") + "]";
const std::string kOnBall = kFabric +
                            R"("contact": {"type": "impulses", "obstacles": false},)"
                            R"("obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2}}],)"
                            R"("cloths": [)" +
                            cloth("a", "[0, 0, 0.22]", "", "[9, 9]") + "]";
const std::string kOnCloth = kFabric + kPlane + R"("cloths": [)" + cloth("a", "[0, 0, 0.01]") + ", " +
                             cloth("b", "[0.03, 0.02, 0.04]") + "]";

class IntegratorScenes : public testing::TestWithParam<IntegratorCase> {
 protected:
  /// The tolerance of the battery is that of order, not of scenes.
  std::string integrator() const {
    std::string json = GetParam().json;
    const size_t tight = json.find("1e-11");
    if (tight != std::string::npos) json.replace(tight, 5, "1e-4");
    const bool is_explicit = traits_of(GetParam()).is_explicit;
    json.insert(json.size() - 1, is_explicit ? ", \"time_step\": 0.0005" : ", \"time_step\": 0.01");
    return json;
  }
  Simulation scene(const std::string& content) const {
    const bool in_air = !make_integrator(GetParam())->needs_energy();  // air has none
    Result<Simulation> built = build_text(
        "{\"integrator\": " + integrator() + ", " + (in_air ? kAir : "") + content + "}", "scene.json");
    EXPECT_TRUE(built) << built.errors().text();
    return std::move(*built);
  }
  void expect_rest(const std::string& content, double time) const {
    Simulation sim = scene(content);
    const StepSummary summary = advance_to(sim, time);
    EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    double speed = 0;
    for (const Vec3& v : sim.state.v) speed = std::max(speed, v.norm());
    std::printf("%s: speed %.2e m/s, %d pieces, %d retries\n", GetParam().name.c_str(), speed, summary.pieces,
                summary.retries);
    EXPECT_LT(speed, 0.1);
    for (const Vec3& x : sim.state.x) EXPECT_GT(x.z(), -0.5);
  }
};

TEST_P(IntegratorScenes, HangingClothComesToRest) {
  expect_rest(kPinned, 2.5);
}
TEST_P(IntegratorScenes, ClothOnTheFloorComesToRest) {
  expect_rest(kOnFloor, 1);
}
TEST_P(IntegratorScenes, ClothOnABallComesToRest) {
  expect_rest(kOnBall, 1);
}
TEST_P(IntegratorScenes, ClothOnClothComesToRest) {
  expect_rest(kOnCloth, 1.5);
}

TEST_P(IntegratorScenes, GoesOnWithTheSameBitsFromACheckpoint) {
  for (const std::string& content : {kPinned, kOnCloth}) {
    Simulation sim = scene(content), resumed = scene(content);
    for (int k = 0; k < 15; ++k) step(sim);
    const Result<Checkpoint> checkpoint =
        decode_checkpoint(encode_checkpoint({.frame = 0, .state = sim.state}), "test");
    ASSERT_TRUE(checkpoint);
    resumed.state = checkpoint->state;
    EXPECT_EQ(state_hash(resumed.state), state_hash(sim.state));
    for (int k = 0; k < 10; ++k) {
      step(sim);
      step(resumed);
    }
    EXPECT_EQ(state_hash(resumed.state), state_hash(sim.state));
  }
}

TEST_P(IntegratorScenes, DoesNotDependOnThreads) {
  const auto hash_with = [&](int threads) {
    Simulation sim = scene(kOnCloth);
    ThreadPool pool(threads);
    pool.run([&] { advance_to(sim, 0.15); });
    return state_hash(sim.state);
  };
  EXPECT_EQ(hash_with(1), hash_with(2));
}

INSTANTIATE_TEST_SUITE_P(Registry, IntegratorScenes, testing::ValuesIn(all_integrators()),
                         [](const auto& instance) { return instance.param.name; });

Diagnostics warnings_of(const std::string& scene_text, Diagnostics* errors = nullptr) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene = load_scene_text(scene_text, "scene.json", catalogue);
  Diagnostics warnings;
  const Result<Simulation> built = build(scene->description, catalogue, warnings);
  if (!built && errors) *errors = built.errors();
  return warnings;
}

std::string with_integrator(const std::string& integrator) {
  return "{\"integrator\": " + integrator + ", " + kPinned + "}";
}

TEST(ExplicitIntegrators, AreWarnedAboutStepsThatAreTooLong) {
  const auto text = [](const std::string& step) {
    return warnings_of(with_integrator(R"({"type": "verlet", "time_step": )" + step + "}")).text();
  };
  EXPECT_NE(text("0.02").find("unstable at steps of 0.02 s"), std::string::npos) << text("0.02");
  EXPECT_NE(text("0.02").find("set \"time_step\" to 0.00"), std::string::npos);
  EXPECT_EQ(text("0.0005").find("unstable"), std::string::npos) << text("0.0005");
}

TEST(ExplicitTerms, MustExist) {
  Diagnostics errors;
  warnings_of(with_integrator(R"({"type": "imex", "explicit": ["patch_bendin", "glue"]})"), &errors);
  EXPECT_NE(errors.text().find("did you mean \"patch_bending\"?"), std::string::npos) << errors.text();
  EXPECT_NE(errors.text().find("expected \"membrane\", \"patch_bending\""), std::string::npos)
      << errors.text();
}

TEST(ExplicitTerms, AreWarnedAboutStepsThatAreTooLong) {
  EXPECT_NE(warnings_of(with_integrator(R"({"type": "imex", "explicit": ["membrane"], "time_step": 0.02})"))
                .text()
                .find("unstable"),
            std::string::npos);
  EXPECT_EQ(
      warnings_of(with_integrator(R"({"type": "imex", "explicit": ["patch_bending"], "time_step": 0.002})"))
          .text()
          .find("unstable"),
      std::string::npos);
}

/// The warned limit is that of the method, not of forward-backward Euler.
TEST(ExplicitTerms, OfSecondOrderNeedShorterSteps) {
  const auto warns = [](const char* type, double step) {
    const std::string scene =
        with_integrator(std::string(R"({"type": ")") + type +
                        R"(", "explicit": ["membrane"], "time_step": )" + std::to_string(step) + "}");
    return warnings_of(scene).text().find("unstable") != std::string::npos;
  };
  const auto limit = [&](const char* type) {
    double stable = 1e-5, unstable = 0.02;
    while (unstable > 1.02 * stable) {
      const double middle = std::sqrt(stable * unstable);
      (warns(type, middle) ? unstable : stable) = middle;
    }
    return stable;
  };
  EXPECT_FALSE(warns("imex", 1e-5));
  EXPECT_NEAR(limit("sbdf2") / limit("imex"), std::sqrt(0.25 * 48 / 29), 0.05);
}

/// Though it solves linear systems, Newmark's method has a limit if beta is small.
TEST(Newmark, IsWarnedAboutWhereItIsNotStable) {
  const auto text = [](const std::string& more) {
    return warnings_of(with_integrator(R"({"type": "newmark", "time_step": 0.02)" + more + "}")).text();
  };
  EXPECT_EQ(text("").find("unstable"), std::string::npos) << text("");
  EXPECT_NE(text(R"(, "beta": 0.1)").find("unstable at steps of 0.02 s"), std::string::npos);
}

/// The step follows the error: the cloth falls freely, is jerked by its pins, and hangs.
TEST(ErrorControl, CutsStepsUntilTheirErrorIsSmall) {
  const auto pieces = [](const std::string& more) {
    Result<Simulation> sim =
        build_text(with_integrator(R"({"type": "bdf", "time_step": 0.02)" + more + "}"), "scene.json");
    return advance_to(*sim, 0.4).pieces;
  };
  const int plain = pieces(""), loose = pieces(R"(, "error_tolerance": 1e-3)"),
            tight = pieces(R"(, "error_tolerance": 1e-5)");
  std::printf("pieces: %d, %d, %d\n", plain, loose, tight);
  EXPECT_LE(plain, loose);
  EXPECT_LT(2 * loose, tight);
}

/// Bogacki and Shampine's pair of orders 3 and 2.
TEST(ErrorControl, UsesEmbeddedWeights) {
  const std::string pair = R"({"type": "runge_kutta", "time_step": 0.002, "a": [[0.5], [0, 0.75]],
      "b": [0.2222222222222222, 0.3333333333333333, 0.4444444444444444], "c": [0, 0.5, 0.75],
      "embedded": [0, 1, 0], "error_tolerance": )";
  const auto pieces = [&](const std::string& tolerance) {
    Result<Simulation> sim = build_text(with_integrator(pair + tolerance + "}"), "scene.json");
    return advance_to(*sim, 0.2).pieces;
  };
  EXPECT_LT(pieces("1e-4"), pieces("1e-8"));
}

TEST(ExplicitIntegrators, SayWhyTheyFailed) {
  Result<Simulation> sim =
      build_text(with_integrator(R"({"type": "explicit_euler", "time_step": 0.04})"), "scene.json");
  for (size_t i = 0; i < sim->state.x.size(); ++i) sim->state.v[i] = Vec3(0, 0, i % 2 ? 1e5 : -1e5);
  const StepSummary summary = advance_to(*sim, 1);
  EXPECT_EQ(summary.outcome, StepOutcome::failed);
  EXPECT_NE(summary.reason.find("the integrator is explicit"), std::string::npos) << summary.reason;
}

}  // namespace
}  // namespace heddle::test
