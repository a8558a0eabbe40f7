// Cloth whose texture coordinates have seams is as whole as any other.

#include "term_probe.h"

#include <heddle/sim/build.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {

namespace {

/// Membrane and bending energy of the sleeve where it starts, J.
double energy_of_sleeve(const std::string& rest) {
  const std::string scene = R"({"gravity": [0, 0, 0],
    "fabrics": {"limp": {"weft_bending": 0, "warp_bending": 0}},
    "cloths": [{"mesh": {"type": "file", "path": "sleeve.obj"}, "fabric": "limp", "rest": ")" +
                            rest + R"("}]})";
  const Result<Simulation> built =
      build_text(scene, std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests/sim/scene.json");
  if (!built) {
    ADD_FAILURE() << built.errors().text();
    return 0;
  }
  return built->model.system->potential_energy(configuration_of(built->state));
}

/// The same cloth with the texture coordinates of its right half moved away and turned by half a turn, which
/// no fabric notices.
PreparedCloth cut_in_two(PreparedCloth cloth) {
  TriangleMesh& mesh = cloth.mesh;
  std::vector<std::array<Vec2, 3>> corners;
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    std::array<Vec2, 3>& uv = corners.emplace_back(mesh.face_uv(face));
    if (uv[0].x() + uv[1].x() + uv[2].x() > 0)
      for (Vec2& corner : uv) corner = Vec2(7, -3) - corner;
  }
  mesh.corner_uv = std::move(corners);
  const std::vector<double> weft_angle(mesh.triangles.size(), 0.4);
  cloth.rest = make_rest_state(mesh, RestSource::uv, weft_angle).value();
  cloth.rest_angles = rest_hinge_angles(mesh, cloth.rest.source, cloth.topology.hinges);
  return cloth;
}

}  // namespace

TEST(Seams, TubeWithSeamIsAtRest) {
  EXPECT_LT(energy_of_sleeve("uv"), 1e-12);
  EXPECT_LT(energy_of_sleeve("shape"), 1e-12);
}

class SeamOfTerm : public testing::TestWithParam<std::string> {};

TEST_P(SeamOfTerm, HasNoForceAtRest) {
  const PreparedCloth cloth = cut_in_two(sample_cloth(Sample::flat));
  const auto term = make_term(GetParam(), cloth);
  ASSERT_TRUE(term);
  const Vectors still(cloth.mesh.positions.size(), Vec3::Zero());
  const Vectors strained = deformed(cloth, 1.02, 0.05, 3);
  EXPECT_LT(largest(force_of(*term, cloth.mesh.positions, still)),
            1e-9 * largest(force_of(*term, strained, still)));
}

TEST_P(SeamOfTerm, ActsAsIfUncut) {
  const PreparedCloth whole = sample_cloth(Sample::flat), cut = cut_in_two(whole);
  const auto expected = make_term(GetParam(), whole), found = make_term(GetParam(), cut);
  ASSERT_TRUE(expected && found);
  const Vectors still(whole.mesh.positions.size(), Vec3::Zero());
  const Vectors x = deformed(whole, 1.02, 0.05, 3);
  const Vectors wanted = force_of(*expected, x, still);
  EXPECT_GT(largest(wanted), 0);
  EXPECT_LT(largest_difference(wanted, force_of(*found, x, still)), 1e-9 * largest(wanted));
}

// Equal strain everywhere pulls at the border only.
TEST(Seams, PatchTestOfTheMembrane) {
  const PreparedCloth cloth = cut_in_two(sample_cloth(Sample::flat));
  const auto term = make_term("stvk", cloth);
  Vectors x = cloth.mesh.positions;
  for (Vec3& p : x) p = Vec3(1.05 * p.x() + 0.02 * p.y(), 0.97 * p.y(), 0.1 * p.x());
  const Vectors force = force_of(*term, x, Vectors(x.size(), Vec3::Zero()));
  std::vector<char> is_border(x.size(), 0);
  for (int face = 0; face < cloth.mesh.triangle_count(); ++face)
    for (int corner = 0; corner < 3; ++corner)
      if (cloth.topology.face_across(face, corner) == kNoFace)
        for (int k : {1, 2})
          is_border[static_cast<size_t>(
              cloth.mesh.triangles[static_cast<size_t>(face)][static_cast<size_t>((corner + k) % 3)])] = 1;
  EXPECT_GT(largest(force), 0.1);
  double within = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (!is_border[i]) within = std::max(within, force[i].norm());
  EXPECT_LT(within, 1e-10 * largest(force));
}

INSTANTIATE_TEST_SUITE_P(All, SeamOfTerm, testing::Values("stvk", "hinge", "patch", "isometric"),
                         [](const auto& instance) { return instance.param; });

}  // namespace heddle::test
