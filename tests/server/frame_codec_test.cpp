#include "server/frame_codec.h"

#include "synthetic_run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

/// Undoes what html_export.h describes, for one cloth.
class LevelReader {
 public:
  LevelReader(const std::string& bytes, size_t count) : bytes_(bytes), count_(count) {}

  std::vector<std::uint16_t> next(size_t& at) {
    std::vector<std::uint16_t> levels(count_);
    for (size_t i = 0; i < count_; ++i) {
      const auto byte = [&](size_t k) { return static_cast<unsigned char>(bytes_.at(k)); };
      const unsigned code = byte(at + i) | byte(at + count_ + i) << 8;
      const int difference = static_cast<int>(code >> 1) ^ -static_cast<int>(code & 1);
      const int before = !previous_.empty() ? previous_[i] : i > 0 ? levels[i - 1] : 0;
      levels[i] = static_cast<std::uint16_t>(before + difference);
    }
    at += 2 * count_;
    previous_ = levels;
    return levels;
  }

 private:
  const std::string& bytes_;
  size_t count_;
  std::vector<std::uint16_t> previous_;
};

TEST(FrameCodec, ChunkReadsBackWithinHalfAStep) {
  const test::SyntheticRun run(6);
  QuantisationRange range(run.model());
  std::vector<Snapshot> frames;
  for (int i = 0; i < 5; ++i) frames.push_back(run.frame(i, 0.2 * i));
  for (const Snapshot& frame : frames) range.include(frame);
  const ObjectQuantisation q = range.quantisation()[0];
  ChunkEncoder encoder(run.model(), range.quantisation());
  for (const Snapshot& frame : frames) encoder.add(frame);
  const std::string bytes = encoder.take();

  const size_t n = 49, m = 72;
  EXPECT_EQ(q.strained_faces, m);
  EXPECT_EQ(bytes.size(), 5 * (2 * (5 * n + 3 * m) + 2 * 32));
  LevelReader reader(bytes, 5 * n + 3 * m);
  size_t at = 0;
  for (const Snapshot& frame : frames) {
    const std::vector<std::uint16_t> levels = reader.next(at);
    at += 2 * 32;
    const SnapshotObjectFrame& cloth = frame.objects[0];
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(q.origin.z() + q.step * static_cast<float>(levels[2 * n + i]), cloth.positions[i].z(),
                  0.51f * q.step);
      EXPECT_NEAR(q.speed_step * static_cast<float>(levels[3 * n + i]), cloth.velocities[i].norm(),
                  0.51f * q.speed_step);
      EXPECT_NEAR(q.pressure_step * static_cast<float>(levels[4 * n + i]), cloth.pressures[i],
                  0.51f * q.pressure_step);
    }
    for (size_t f = 0; f < m; ++f)
      EXPECT_NEAR(q.strain_step * static_cast<float>(static_cast<std::int16_t>(levels[5 * n + 2 * m + f])),
                  cloth.strains[f].z(), 0.51f * q.strain_step);
  }
}

TEST(FrameCodec, ObstaclesThatDeformAreCodedAsCloths) {
  SnapshotModel model;
  model.objects.resize(1);
  model.objects[0] = {.kind = SnapshotObject::Kind::obstacle,
                      .triangles = {{0, 1, 2}},
                      .rest_positions = std::vector<Vec3f>(3, Vec3f::Zero())};
  QuantisationRange range(model);
  std::vector<Snapshot> frames(2, Snapshot{.objects = std::vector<SnapshotObjectFrame>(1)});
  frames[0].objects[0].positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  frames[1].objects[0].positions = {{0, 0, 2}, {1, 0, 2}, {0, 1, 2.5f}};
  for (const Snapshot& frame : frames) range.include(frame);
  const ObjectQuantisation q = range.quantisation()[0];
  EXPECT_EQ(q.vertices, 3u);
  ChunkEncoder encoder(model, {q});
  for (const Snapshot& frame : frames) encoder.add(frame);
  const std::string bytes = encoder.take();
  ASSERT_EQ(bytes.size(), 2u * 2 * 9);
  LevelReader reader(bytes, 9);
  size_t at = 0;
  for (const Snapshot& frame : frames) {
    const std::vector<std::uint16_t> levels = reader.next(at);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(q.origin.z() + q.step * static_cast<float>(levels[6 + i]),
                  frame.objects[0].positions[i].z(), 0.51f * q.step);
  }
}

TEST(FrameCodec, EveryChunkStandsAlone) {
  const test::SyntheticRun run(3);
  QuantisationRange range(run.model());
  range.include(run.frame(0, 0));
  range.include(run.frame(1, 1));
  ChunkEncoder encoder(run.model(), range.quantisation());
  encoder.add(run.frame(0, 0));
  encoder.take();
  encoder.add(run.frame(1, 1));
  const std::string second = encoder.take();
  ChunkEncoder fresh(run.model(), range.quantisation());
  fresh.add(run.frame(1, 1));
  EXPECT_EQ(second, fresh.take());
}

TEST(FrameCodec, ToleratesMissingArraysAndNumbersThatAreNotFinite) {
  const test::SyntheticRun run(3);
  Snapshot bare = run.frame(0, 0);
  bare.objects[0].velocities.clear();
  bare.objects[0].strains.clear();
  bare.objects[0].pressures.clear();
  bare.objects[0].positions[0] = Vec3f(std::nanf(""), INFINITY, -INFINITY);
  QuantisationRange range(run.model());
  range.include(run.frame(1, 1));
  range.include(bare);
  const auto q = range.quantisation();
  EXPECT_EQ(q[0].strained_faces, 0u);
  EXPECT_EQ(q[0].pressed_vertices, 0u);
  EXPECT_TRUE(std::isfinite(q[0].step));
  ChunkEncoder encoder(run.model(), q);
  encoder.add(bare);
  EXPECT_EQ(encoder.take().size(), 2 * 4 * 16 + 2 * 32u);
}

}  // namespace
}  // namespace heddle
