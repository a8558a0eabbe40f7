// Rods in scenes: what is built, what is refused, and that runs go on from a checkpoint.

#include <heddle/io/curve_file.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/capture.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::string scene(const std::string& rods, const std::string& more = "") {
  return R"({"duration": 1, "frame_rate": 50, "integrator": {"type": "implicit_euler", "time_step": 0.01,
            "solver": "direct"}, )" +
         more + R"("rods": [)" + rods + "]}";
}

const std::string kSoft = R"("material": {"type": "elastic", "radius": 0.01, "young": 1e6})";

std::string errors_of(const std::string& rods) {
  const Result<Simulation> sim = build_text(scene(rods), "rods.json");
  return sim ? "" : sim.errors().text();
}

void expect_error(const std::string& rods, const std::string& part) {
  const std::string text = errors_of(rods);
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

TEST(RodScene, NamesWhatIsWrongWithCurves) {
  expect_error(R"({"curve": {"type": "points", "points": [[0,0,0],[0.1,0,0],[0.1,0,0],[0.2,0,0]]}})",
               "points 1 and 2 of rod \"rod\" coincide at (0.1, 0, 0) m");
  expect_error(
      R"({"curve": {"type": "straight", "segments": 100}, "material": {"type": "elastic", "radius": 0.02}})",
      "is more than half of its shortest segment of 0.01 m; use fewer segments, or a radius of at most 0.005 "
      "m");
  expect_error(R"({"curve": {"type": "points", "segments": 40, "points":
                  [[0,0,0],[1,0,0],[1,1,0],[0.5,1,0],[0.5,-1,0.004]]}, )" +
                   kSoft + "}",
               "starts in itself");
  expect_error(
      R"({"curve": {"type": "ring", "radius": 0.3, "segments": 30}, "clamps": [{}, {"end": "end"}]})",
      "is closed and has no ends to clamp; hold nodes of it by \"pins\"");
  expect_error(R"({"curve": {"type": "net", "meshes": [2, 2]}, "twist": 90, "clamps": [{}]})", "is a net");
  expect_error(R"({"curve": {"type": "straight"}, "clamps": [{}, {}]})", "is clamped twice");
  expect_error(R"({"curve": {"type": "straight"}, "clamps": [{}], "pins": [{"vertices": {"indices": [1]}}]})",
               "node 1 of rod \"rod\" is held twice");
  expect_error(R"({"curve": {"type": "knoot"}})", "did you mean \"knot\"?");
}

TEST(RodScene, NamesRodsThatStartInEachOther) {
  const std::string one = R"({"name": "one", "curve": {"type": "straight"}, )" + kSoft + "}";
  const std::string other = R"({"name": "other", "curve": {"type": "straight", "from": [0.5, -0.5, 0.015],
                             "to": [0.5, 0.5, 0.015]}, )" +
                            kSoft + "}";
  expect_error(one + ", " + other, "rod \"one\" and rod \"other\" start in each other by 0.005 m");
  EXPECT_EQ(errors_of(one), "");
}

TEST(RodScene, WarnsOfOtherUnits) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"curve": {"type": "straight", "to": [5000, 0, 0], "segments": 10}})", "lengths are in metres"},
      {R"({"curve": {"type": "straight", "to": [50, 0, 0], "segments": 10}, "material": {"type": "elastic", "radius": 1}})",
       "the radius is in metres"},
      {R"({"curve": {"type": "straight"}, "material": {"type": "elastic", "young": 5}})",
       "moduli are in Pa"}};
  for (const auto& [rod, part] : cases) {
    const Catalogue catalogue = make_catalogue();
    const auto loaded = load_scene_text(scene(rod), "rods.json", catalogue);
    ASSERT_TRUE(loaded) << loaded.errors().text();
    Diagnostics warnings;
    ASSERT_TRUE(build(loaded->description, catalogue, warnings));
    EXPECT_NE(warnings.text().find(part), std::string::npos) << warnings.text();
  }
}

TEST(RodScene, DrawsTubesWithAStripe) {
  const Result<Simulation> sim = build_text(
      scene(R"({"name": "a", "curve": {"type": "straight", "segments": 10}, )" + kSoft + "}"), "rods.json");
  ASSERT_TRUE(sim) << sim.errors().text();
  const SnapshotModel model = capture_model(*sim);
  ASSERT_EQ(model.objects.size(), 1u);
  EXPECT_EQ(model.materials.size(), 2u);
  const SnapshotObject& tube = model.objects[0];
  EXPECT_EQ(tube.triangles.size(), tube.face_material.size());
  const Snapshot snapshot = capture(*sim, 0, 0.01);
  for (size_t i = 0; i + 2 < snapshot.objects[0].positions.size(); ++i) {
    const Vec3f& p = snapshot.objects[0].positions[i];
    EXPECT_NEAR(std::hypot(p[1], p[2]), 0.01, 1e-6);
  }
  // Faces look outwards.
  for (const Triangle& t : tube.triangles) {
    const auto corner = [&](int k) {
      return tube.rest_positions[static_cast<size_t>(t[static_cast<size_t>(k)])];
    };
    const Vec3f normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const Vec3f middle = (corner(0) + corner(1) + corner(2)) / 3;
    EXPECT_GT(normal.dot(middle - Vec3f(0.5f, 0, 0)), 0);
  }
}

/// The end turns as told, and the rod's frames show it.
TEST(RodScene, ClampsTurnTheirEnd) {
  for (const char* model : {"", R"("model": {"type": "corde", "penalty": 1000}, )"}) {
    Result<Simulation> sim = build_text(
        scene(std::string("{") + model + R"("curve": {"type": "straight", "segments": 10}, )" + kSoft +
                  R"(, "clamps": [{"turn": {"times": [0, 1], "values": [0, 360]}}, {"end": "end"}]})",
              R"("gravity": [0, 0, 0], )"),
        "rods.json");
    ASSERT_TRUE(sim) << sim.errors().text();
    ASSERT_EQ(advance_to(*sim, 0.25).outcome, StepOutcome::accepted);
    const auto& segments = sim->model.rods[0].place.segments;
    const auto d1 = [&](size_t k) {
      return sim->state.frames[static_cast<size_t>(segments[k].frame)] * Vec3::UnitX();
    };
    EXPECT_NEAR(d1(0).dot(d1(9)), 0, 1e-6);
    EXPECT_NEAR(d1(4).dot(d1(5)), std::cos(0.5 * M_PI / 9), 0.02);
  }
}

TEST(RodScene, TakesCurvesFromLinesOfFiles) {
  const Result<CurveNet> net =
      read_obj_lines("v 9 9 9\nv 0 0 0\nv 1 0 0\n# two lines\nv 1 2 0\nl 2 3 -1\n", "a.obj");
  ASSERT_TRUE(net) << net.errors().text();
  EXPECT_EQ(net->points.size(), 3u) << "the first vertex is not used";
  ASSERT_EQ(net->segments.size(), 2u);
  EXPECT_EQ(net->points[static_cast<size_t>(net->segments[1][1])], Vec3(1, 2, 0));
  const auto says = [](const char* text, const char* part) {
    const Result<CurveNet> read = read_obj_lines(text, "a.obj");
    EXPECT_FALSE(read);
    if (!read) {
      EXPECT_NE(read.errors().text().find(part), std::string::npos) << read.errors().text();
    }
  };
  says("v 0 0 0\nv 1 0 0\nf 1 2 1\n", "holds no lines");
  says("v 0 0 0\nl 1 2\n", "a.obj:2: error: a line names vertex 2, but there are 1 so far");
  says("v 0 0 x\nl 1 1\n", "found \"x\"");
  says("v 0 0 0\nl 1\n", "at least two vertices");
  expect_error(R"({"curve": {"type": "file", "path": "missing.obj"}})", "missing.obj");
}

/// Rings of mail are linked and start apart.
TEST(RodScene, MailIsOfLinkedRings) {
  const std::string mail = R"({"curve": {"type": "mail", "rings": [3, 7], "radius": 0.01},
      "material": {"type": "elastic", "radius": 0.0019}})";
  EXPECT_EQ(errors_of(mail), "");
  const Result<Simulation> sim = build_text(scene(mail), "rods.json");
  ASSERT_TRUE(sim);
  const RodPart& rod = sim->model.rods[0];
  ASSERT_EQ(rod.rows.size(), 21u);
  const auto edge = [&](int ring, int i) {
    const auto& ends = rod.place.segments[static_cast<size_t>(16 * ring + i)].ends;
    return std::pair<Vec3, Vec3>(sim->state.x[static_cast<size_t>(ends[0])],
                                 sim->state.x[static_cast<size_t>(ends[1])]);
  };
  const auto linked = [&](int a, int b) {  // by Gauss
    double sum = 0;
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        const auto [p, q] = edge(a, i);
        const auto [r, s] = edge(b, j);
        const Vec3 between = 0.5 * (p + q - r - s);
        sum += (q - p).cross(s - r).dot(between) / std::pow(between.norm(), 3);
      }
    return std::lround(std::abs(sum) / (4 * M_PI));
  };
  for (int other = 0; other < 21; ++other)
    if (other != 4) {
      EXPECT_EQ(linked(4, other), other == 1 || other == 2 || other == 7 || other == 8 ? 1 : 0) << other;
    }
}

/// A moment M twists a rod of length L between a held and a driven end by M L / K33.
TEST(RodScene, TorqueTwistsAClampedEnd) {
  for (const char* model : {"", R"("model": {"type": "corde", "penalty": 1000}, )"}) {
    Result<Simulation> sim = build_text(
        scene(
            std::string("{") + model +
                R"("curve": {"type": "straight", "segments": 10}, "material": {"type": "elastic", "radius": 0.01,
                  "young": 1e6, "damping": 0.1}, "clamps": [{"torque": 0.004}, {"end": "end"}]})",
            R"("gravity": [0, 0, 0], )"),
        "rods.json");
    ASSERT_TRUE(sim) << sim.errors().text();
    ASSERT_EQ(advance_to(*sim, 1).outcome, StepOutcome::accepted);
    const auto& segments = sim->model.rods[0].place.segments;
    const auto d1 = [&](size_t k) {
      return sim->state.frames[static_cast<size_t>(segments[k].frame)] * Vec3::UnitX();
    };
    const double stiffness = 1e6 / 2.6 * M_PI / 2 * 1e-8, length = 0.9;
    EXPECT_NEAR(std::acos(d1(0).dot(d1(9))), 0.004 * length / stiffness, 0.01) << model;
  }
  expect_error(R"({"curve": {"type": "straight"}, "clamps": [{"torque": 1, "turn": 90}]})",
               "the start of rod \"rod\" has both \"turn\" and \"torque\"");
}

TEST(RodScene, RestsOnObstacles) {
  Result<Simulation> sim = build_text(
      scene(
          R"({"curve": {"type": "straight", "from": [-0.5, 0, 0.05], "to": [0.5, 0, 0.05], "segments": 20}, )" +
              kSoft + "}",
          R"("obstacles": [{"shape": {"type": "plane"}}], )"),
      "rods.json");
  ASSERT_TRUE(sim) << sim.errors().text();
  ASSERT_EQ(advance_to(*sim, 0.8).outcome, StepOutcome::accepted);
  for (int i = 0; i <= 20; ++i) EXPECT_NEAR(sim->state.x[static_cast<size_t>(i)][2], 0.01, 1e-4);
}

/// Beside a cloth; both do what they would do alone.
TEST(RodScene, GoesWithCloth) {
  Result<Simulation> sim = build_text(
      scene(
          R"({"name": "b", "curve": {"type": "straight", "from": [2, 0, 0.5], "to": [3, 0, 0.5], "segments": 20}, )" +
              kSoft + "}",
          R"("cloths": [{"name": "a", "mesh": {"type": "grid", "size": [0.3, 0.3], "resolution": [6, 6]},
               "translation": [0, 0, 0.3]}], "obstacles": [{"shape": {"type": "plane"}}], )"),
      "rods.json");
  ASSERT_TRUE(sim) << sim.errors().text();
  ASSERT_EQ(advance_to(*sim, 0.8).outcome, StepOutcome::accepted);
  for (size_t i = 0; i < 36; ++i) EXPECT_LT(sim->state.x[i][2], 0.02);
  for (size_t i = 36; i < 57; ++i) EXPECT_NEAR(sim->state.x[i][2], 0.01, 2e-3);
}

TEST(RodScene, GoesOnFromACheckpoint) {
  const std::string text = scene(
      R"({"curve": {"type": "helix", "radius": 0.1, "pitch": 0.05, "turns": 2, "segments": 30}, "twist": 200, "clamps": [{}], )" +
      kSoft + "}");
  Result<Simulation> whole = build_text(text, "rods.json"), second = build_text(text, "rods.json");
  ASSERT_TRUE(whole) << whole.errors().text();
  ASSERT_EQ(advance_to(*whole, 0.1).outcome, StepOutcome::accepted);
  const Result<Checkpoint> read = decode_checkpoint(encode_checkpoint({5, whole->state}), "c");
  ASSERT_TRUE(read);
  EXPECT_EQ(state_hash(read->state), state_hash(whole->state));
  second->state = read->state;
  ASSERT_EQ(advance_to(*whole, 0.2).outcome, StepOutcome::accepted);
  ASSERT_EQ(advance_to(*second, 0.2).outcome, StepOutcome::accepted);
  EXPECT_EQ(state_hash(second->state), state_hash(whole->state));
}

}  // namespace
}  // namespace heddle
