#include "server/wire.h"

#include "synthetic_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace heddle {
namespace {

template <class T>
T read(const std::string& bytes, size_t at) {
  T value;
  EXPECT_LE(at + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

nlohmann::json model_header(const std::string& message) {
  return nlohmann::json::parse(message.substr(16, read<std::uint32_t>(message, 8)));
}

TEST(Wire, ModelCarriesEveryArrayAtItsOffset) {
  const test::SyntheticRun run(4);
  const std::string message = model_message(run.model());
  EXPECT_EQ(read<std::uint32_t>(message, 0), kModelMagic);
  EXPECT_EQ(read<std::uint32_t>(message, 4), kWireVersion);
  const size_t body = 16 + read<std::uint32_t>(message, 8);
  EXPECT_EQ(body % 4, 0u);
  const nlohmann::json header = model_header(message);
  ASSERT_EQ(header["objects"].size(), 3u);
  const auto& cloth = header["objects"][0];
  const SnapshotObject& object = run.model().objects[0];
  EXPECT_EQ(cloth["kind"], "cloth");
  EXPECT_EQ(cloth["vertices"], 25);
  EXPECT_EQ(cloth["faces"], 32);
  EXPECT_EQ(read<std::int32_t>(message, body + cloth["triangles"].get<size_t>() + 4 * 7),
            object.triangles[2][1]);
  EXPECT_EQ(read<float>(message, body + cloth["rest"].get<size_t>() + 4 * 3), object.rest_positions[1].x());
  EXPECT_EQ(read<float>(message, body + cloth["uv"].get<size_t>() + 4 * 3), object.uv[1].y());
  EXPECT_EQ(read<std::int32_t>(message, body + cloth["face_material"].get<size_t>() + 4 * 31),
            object.face_material[31]);
  EXPECT_EQ(header["objects"][1]["uv"], -1);
  EXPECT_EQ(cloth["radius"], 0.0);
  EXPECT_EQ(header["materials"][1]["pattern"], "checker");
}

TEST(Wire, ModelSurvivesNamesThatAreNotUtf8) {
  SnapshotModel model;
  model.objects.push_back({.name = "\xff\xfe</script>"});
  EXPECT_EQ(model_header(model_message(model))["objects"].size(), 1u);
}

TEST(Wire, FrameEndsWithMagneticLoads) {
  const test::SyntheticRun run(4);
  Snapshot frame = run.frame(7, 0.28);
  const size_t before = frame_message(run.model(), frame).value().size();
  frame.magnets = {{.object = 1, .load = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}};
  frame.coils = {{.load = {{}, {0, 0, -1}, {}}}};
  const Result<std::string> message = frame_message(run.model(), frame);
  ASSERT_TRUE(message.ok());
  ASSERT_EQ(message->size(), before + 2 * 36);
  EXPECT_EQ(read<std::uint32_t>(*message, 28), 2u);
  for (int k = 0; k < 9; ++k)
    EXPECT_EQ(read<float>(*message, before + 4 * static_cast<size_t>(k)), static_cast<float>(k + 1));
  EXPECT_EQ(read<float>(*message, before + 36 + 5 * 4), -1);
}

TEST(Wire, RodsTellTheirRadius) {
  SnapshotModel model;
  model.objects.push_back({.name = "rope"});
  model.objects[0].curves.radius = 0.5f;
  EXPECT_EQ(model_header(model_message(model))["objects"][0]["radius"], 0.5);
}

TEST(Wire, FrameCarriesEveryArrayAndPoses) {
  const test::SyntheticRun run(4);
  const Snapshot frame = run.frame(7, 0.28);
  const Result<std::string> message = frame_message(run.model(), frame);
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(read<std::uint32_t>(*message, 0), kFrameMagic);
  EXPECT_EQ(read<double>(*message, 8), 0.28);
  EXPECT_EQ(read<std::int64_t>(*message, 16), 7);
  EXPECT_EQ(read<std::uint32_t>(*message, 24), 3u);
  const size_t positions = 32 + 32, speeds = positions + 25 * 12, pressures = speeds + 25 * 4,
               strains = pressures + 25 * 4;
  EXPECT_EQ(read<std::uint32_t>(*message, 32 + 12), 25u);
  const float step = read<float>(*message, 32 + 16);
  const SnapshotObjectFrame& cloth = frame.objects[0];
  EXPECT_EQ(read<float>(*message, positions + 12 * 24 + 8), cloth.positions[24].z());
  EXPECT_FLOAT_EQ(read<float>(*message, speeds + 4 * 3), cloth.velocities[3].norm());
  EXPECT_GT(cloth.pressures[12], 0);
  EXPECT_EQ(read<float>(*message, pressures + 4 * 12), cloth.pressures[12]);
  EXPECT_NEAR(static_cast<float>(read<std::int16_t>(*message, strains + 6 * 31 + 2)) * step,
              cloth.strains[31].y(), step);
  const size_t ball = strains + 32 * 6;
  EXPECT_EQ(read<std::uint32_t>(*message, ball), 1u);
  EXPECT_EQ(read<float>(*message, ball + 32 + 12), 1.0f);
  EXPECT_EQ(read<float>(*message, ball + 32 + 24), 0.75f);
  EXPECT_EQ(message->size(), ball + 2 * 64);
}

TEST(Wire, OddNumberOfStrainsKeepsTheNextObjectAligned) {
  SnapshotModel model;
  model.objects = {{.triangles = {{0, 1, 2}}, .rest_positions = std::vector<Vec3f>(3, Vec3f::Zero())},
                   {.kind = SnapshotObject::Kind::obstacle}};
  Snapshot frame{.objects = std::vector<SnapshotObjectFrame>(2)};
  frame.objects[0].positions.assign(3, Vec3f::Zero());
  frame.objects[0].strains.assign(1, Vec3f(0.1f, -0.2f, 0));
  const Result<std::string> message = frame_message(model, frame);
  ASSERT_TRUE(message.ok());
  const size_t strains = 32 + 32 + 3 * 16;
  EXPECT_EQ(read<std::int16_t>(*message, strains + 2), -32767);
  EXPECT_EQ(read<std::uint32_t>(*message, strains + 8), 1u);
}

TEST(Wire, ElementsAndComponents) {
  SnapshotModel model;
  model.objects = {{.triangles = {{0, 1, 2}}, .rest_positions = std::vector<Vec3f>(3, Vec3f::Zero())},
                   {.kind = SnapshotObject::Kind::obstacle}};
  model.objects[0].elements = {{"springs", SnapshotElements::Shape::line, {2, 0, 1, 2}}};
  const std::string described = model_message(model);
  const nlohmann::json group = model_header(described)["objects"][0]["elements"][0];
  EXPECT_EQ(group["term"], "springs");
  EXPECT_EQ(group["shape"], "line");
  EXPECT_EQ(group["count"], 2);
  const size_t corners = 16 + read<std::uint32_t>(described, 8) + group["corners"].get<size_t>();
  EXPECT_EQ(read<std::int32_t>(described, corners + 12), 2);

  Snapshot frame{.objects = std::vector<SnapshotObjectFrame>(2)};
  frame.objects[0].positions.assign(3, Vec3f::Zero());
  frame.objects[0].treatments = {SnapshotTreatment::implicitly, SnapshotTreatment::explicitly};
  frame.objects[0].components = {4, -1, 7};
  frame.objects[0].paces = {0.5f, 0.25f, 0.125f};
  const Result<std::string> message = frame_message(model, frame);
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(read<std::uint32_t>(*message, 32 + 20), 2u);
  EXPECT_EQ(read<std::uint32_t>(*message, 32 + 24), 3u);
  EXPECT_EQ(read<std::uint32_t>(*message, 32 + 28), 3u);
  const size_t components = 32 + 32 + 3 * 16, treatments = components + 24;
  EXPECT_EQ(read<float>(*message, components + 20), 0.125f);
  EXPECT_EQ(read<std::int32_t>(*message, components + 8), 7);
  EXPECT_EQ(read<std::uint8_t>(*message, treatments), 2);
  EXPECT_EQ(read<std::uint8_t>(*message, treatments + 1), 1);
  EXPECT_EQ(read<std::uint32_t>(*message, treatments + 4), 1u);  // the obstacle
}

TEST(Wire, AnObstacleThatDeformsSendsItsPositions) {
  SnapshotModel model;
  model.objects.resize(2);
  model.objects[0] = {.kind = SnapshotObject::Kind::obstacle,
                      .name = "body",
                      .triangles = {{0, 1, 2}},
                      .rest_positions = std::vector<Vec3f>(3, Vec3f::Zero())};
  model.objects[1].kind = SnapshotObject::Kind::obstacle;
  Snapshot frame{.objects = std::vector<SnapshotObjectFrame>(2)};
  frame.objects[0].positions = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const Result<std::string> message = frame_message(model, frame);
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(read<std::uint32_t>(*message, 32), 1u);
  EXPECT_EQ(read<std::uint32_t>(*message, 32 + 4), 3u);
  EXPECT_EQ(read<float>(*message, 32 + 32 + 12 + 4), 5.0f);
  EXPECT_EQ(message->size(), 32u + 32 + 36 + 64);
  frame.objects[0].positions.pop_back();
  EXPECT_FALSE(frame_message(model, frame).ok());
}

TEST(Wire, FrameToleratesNumbersThatAreNotFinite) {
  const test::SyntheticRun run(2);
  Snapshot frame = run.frame(0, 0);
  frame.objects[0].strains[0] = Vec3f(std::nanf(""), std::numeric_limits<float>::infinity(), -1);
  EXPECT_TRUE(frame_message(run.model(), frame).ok());
}

TEST(Wire, FrameOfAnotherModelIsRefusedWithARemedy) {
  const test::SyntheticRun small(2), large(3);
  const auto error_of = [&](const Snapshot& frame) {
    const Result<std::string> message = frame_message(small.model(), frame);
    return message.ok() ? std::string() : message.errors().text();
  };
  EXPECT_NE(error_of(large.frame(0, 0)).find("16 positions of \"cloth\" where the model has 9"),
            std::string::npos);
  Snapshot fewer = small.frame(3, 0);
  fewer.objects.pop_back();
  EXPECT_NE(error_of(fewer).find("frame 3"), std::string::npos);
  EXPECT_NE(error_of(fewer).find("run the scene again"), std::string::npos);
  Snapshot strains = small.frame(0, 0);
  strains.objects[0].strains.pop_back();
  EXPECT_NE(error_of(strains).find("7 strains"), std::string::npos);
  Snapshot pressures = small.frame(0, 0);
  pressures.objects[0].pressures.pop_back();
  EXPECT_NE(error_of(pressures).find("8 pressures"), std::string::npos);
  Snapshot treatments = small.frame(0, 0);
  treatments.objects[0].treatments.resize(2);
  EXPECT_NE(error_of(treatments).find("2 treatments"), std::string::npos);
}

}  // namespace
}  // namespace heddle
