#include "sample_run.h"
#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/bytes.h>
#include <heddle/io/snapshot_codec.h>

#include <fstream>
#include <random>

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, ModelRoundTrip) {
  const SnapshotModel model = sample_model();
  const Result<SnapshotModel> read = decode_model(encode_model(model), "m");
  ASSERT_TRUE(read) << read.errors().text();
  ASSERT_EQ(read->objects.size(), 4u);
  EXPECT_EQ(read->frame_rate, 25);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read->objects[i].kind, model.objects[i].kind);
    EXPECT_EQ(read->objects[i].name, model.objects[i].name);
    EXPECT_EQ(read->objects[i].triangles, model.objects[i].triangles);
    EXPECT_EQ(read->objects[i].rest_positions, model.objects[i].rest_positions);
    EXPECT_EQ(read->objects[i].uv, model.objects[i].uv);
    EXPECT_EQ(read->objects[i].face_material, model.objects[i].face_material);
    EXPECT_EQ(read->objects[i].thickness, model.objects[i].thickness);
  }
  ASSERT_EQ(read->materials.size(), 2u);
  EXPECT_EQ(read->materials[1].name, model.materials[1].name);
  EXPECT_EQ(read->materials[1].front_colour, model.materials[1].front_colour);
  EXPECT_EQ(read->materials[1].pattern, "weave");
}

TEST(RunFolder, FramesRoundTrip) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sample_run(folder.path));
  std::ofstream(folder.path / "frames" / ".000009.snap.heddle-tmp-1-0") << "part";
  std::ofstream(folder.path / "frames" / "12.snap") << "foreign";
  std::ofstream(folder.path / "frames" / "000010.png") << "foreign";
  const Result<RunReader> run = RunReader::open(folder.path);
  ASSERT_TRUE(run) << run.errors().text();
  EXPECT_EQ(run->frame_indices(), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  const Result<Snapshot> read = run->read(3);
  ASSERT_TRUE(read) << read.errors().text();
  const Snapshot expected = sample_snapshot(3);
  EXPECT_EQ(read->frame, 3);
  EXPECT_EQ(read->time, expected.time);
  EXPECT_EQ(read->objects[0].positions, expected.objects[0].positions);
  EXPECT_EQ(read->objects[0].velocities, expected.objects[0].velocities);
  EXPECT_EQ(read->objects[2].strains, expected.objects[2].strains);
  EXPECT_EQ(read->objects[0].pressures, expected.objects[0].pressures);
  EXPECT_TRUE(read->objects[0].treatments.empty());
  EXPECT_EQ(read->objects[2].treatments, expected.objects[2].treatments);
  EXPECT_EQ(read->objects[2].components, expected.objects[2].components);
  EXPECT_EQ(read->objects[2].paces, expected.objects[2].paces);
  EXPECT_EQ(read->objects[1].pose.rotation.coeffs(), expected.objects[1].pose.rotation.coeffs());
  EXPECT_EQ(read->objects[1].pose.translation, expected.objects[1].pose.translation);
}

Snapshot magnetic_snapshot() {
  Snapshot snapshot = sample_snapshot(2);
  snapshot.magnets = {{.object = 1,
                       .permanent = true,
                       .nearest = 0.01f,
                       .places = {{1, 2, 3}, {4, 5, 6}},
                       .moments = {{0, 0, 1}, {0, 0, 2}},
                       .load = {{1, 1, 1}, {0, -2, 0}, {0.5, 0, 0}}}};
  snapshot.coils = {{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .current = 7, .load = {{}, {0, 2, 0}, {}}}};
  return snapshot;
}

TEST(RunFolder, MagnetsRoundTrip) {
  const Snapshot expected = magnetic_snapshot();
  const Result<Snapshot> read = decode_snapshot(encode_snapshot(expected), "s");
  ASSERT_TRUE(read) << read.errors().text();
  ASSERT_EQ(read->magnets.size(), 1u);
  const SnapshotMagnet &magnet = read->magnets[0], &wanted = expected.magnets[0];
  EXPECT_EQ(magnet.object, 1);
  EXPECT_TRUE(magnet.permanent);
  EXPECT_EQ(magnet.nearest, 0.01f);
  EXPECT_EQ(magnet.places, wanted.places);
  EXPECT_EQ(magnet.moments, wanted.moments);
  EXPECT_EQ(magnet.load.centre, wanted.load.centre);
  EXPECT_EQ(magnet.load.force, wanted.load.force);
  EXPECT_EQ(magnet.load.torque, wanted.load.torque);
  ASSERT_EQ(read->coils.size(), 1u);
  EXPECT_EQ(read->coils[0].points, expected.coils[0].points);
  EXPECT_EQ(read->coils[0].current, 7);
  EXPECT_EQ(read->coils[0].load.force, expected.coils[0].load.force);
}

TEST(RunFolder, InconsistentMagnetsAreErrors) {
  Snapshot bad_object = magnetic_snapshot(), bad_moments = magnetic_snapshot();
  bad_object.magnets[0].object = 100;
  bad_moments.magnets[0].moments.pop_back();
  for (const Snapshot& snapshot : {bad_object, bad_moments})
    EXPECT_FALSE(decode_snapshot(encode_snapshot(snapshot), "s"));
}

/// A frame of one cloth as version 1 wrote it.
std::string version_one_frame(const Snapshot& snapshot) {
  ByteWriter payload, file;
  payload.put(snapshot.frame);
  payload.put(snapshot.time);
  payload.put<std::uint64_t>(1);
  payload.put_array(snapshot.objects[0].positions);
  payload.put_array(snapshot.objects[0].velocities);
  payload.put_array(snapshot.objects[0].strains);
  for (const double number : {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}) payload.put(number);
  file.put_bytes("HEDDLESN");
  file.put<std::uint32_t>(1);
  file.put<std::uint32_t>(2);
  file.put<std::uint64_t>(payload.size());
  file.put_bytes(payload.bytes());
  std::uint64_t sum = 14695981039346656037ull;
  for (const char byte : file.bytes()) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  file.put(sum);
  return file.take();
}

TEST(RunFolder, FramesOfVersionOneHaveNoPressures) {
  const Snapshot expected = sample_snapshot(3);
  const Result<Snapshot> read = decode_snapshot(version_one_frame(expected), "s");
  ASSERT_TRUE(read) << read.errors().text();
  ASSERT_EQ(read->objects.size(), 1u);
  EXPECT_EQ(read->time, expected.time);
  EXPECT_EQ(read->objects[0].positions, expected.objects[0].positions);
  EXPECT_EQ(read->objects[0].strains, expected.objects[0].strains);
  EXPECT_TRUE(read->objects[0].pressures.empty());
}

TEST(RunFolder, TruncatedAndExtendedFilesAreErrors) {
  for (const std::string& bytes : {encode_model(sample_model()), encode_snapshot(sample_snapshot(1))}) {
    for (size_t size = 0; size < bytes.size(); ++size) {
      const std::string_view part = std::string_view(bytes).substr(0, size);
      ASSERT_FALSE(decode_model(part, "m")) << size;
      ASSERT_FALSE(decode_snapshot(part, "s")) << size;
    }
    EXPECT_FALSE(decode_model(bytes + "x", "m"));
    EXPECT_FALSE(decode_snapshot(bytes + "x", "s"));
  }
}

TEST(RunFolder, EveryChangedByteIsNoticed) {
  const std::string bytes = encode_snapshot(sample_snapshot(1));
  std::mt19937 random(7);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ static_cast<char>(1 + random() % 255));
    ASSERT_FALSE(decode_snapshot(changed, "s")) << i;
  }
}

TEST(RunFolder, RandomBytesAreErrors) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = i % 2 ? "HEDDLESN" : "";
    for (size_t size = random() % 200; bytes.size() < size;) bytes += static_cast<char>(random());
    ASSERT_FALSE(decode_model(bytes, "m"));
    ASSERT_FALSE(decode_snapshot(bytes, "s"));
  }
}

TEST(RunFolder, MessagesSayWhatIsWrong) {
  const auto message = [](std::string_view bytes) {
    return decode_snapshot(bytes, "f.snap").errors().text();
  };
  const std::string good = encode_snapshot(sample_snapshot(0));
  std::string newer = good;
  newer[8] = 9;
  EXPECT_NE(message("PNG").find("f.snap: error: is not a Heddle .snap file"), std::string::npos);
  EXPECT_NE(message(good.substr(0, 100)).find("truncated"), std::string::npos);
  EXPECT_NE(message(newer).find("version 9"), std::string::npos);
  EXPECT_NE(message(encode_model(sample_model())).find("not a frame"), std::string::npos);
}

TEST(RunFolder, InconsistentModelsAreErrors) {
  SnapshotModel bad_index = sample_model();
  bad_index.objects[0].triangles[3][1] = 1000;
  SnapshotModel bad_material = sample_model();
  bad_material.objects[0].face_material[3] = -1;
  SnapshotModel bad_uv = sample_model();
  bad_uv.objects[0].uv.pop_back();
  SnapshotModel bad_rate = sample_model();
  bad_rate.frame_rate = std::nan("");
  for (const SnapshotModel& model : {bad_index, bad_material, bad_uv, bad_rate})
    EXPECT_FALSE(decode_model(encode_model(model), "m"));
}

TEST(RunFolder, FramesOfAnotherModelAreErrors) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_sample_run(folder.path));
  Snapshot other = sample_snapshot(2);
  other.objects[2].positions.pop_back();
  ASSERT_TRUE(write_snapshot(RunFolder(folder.path).frame(2), other));
  other.objects.pop_back();
  ASSERT_TRUE(write_snapshot(RunFolder(folder.path).frame(3), other));
  const Result<RunReader> run = RunReader::open(folder.path);
  EXPECT_TRUE(run->read(1));
  EXPECT_NE(run->read(2).errors().text().find("object \"scarf\" has 8 positions instead of 9"),
            std::string::npos);
  EXPECT_FALSE(run->read(3));
}

TEST(RunFolder, OtherFoldersAreErrors) {
  const TemporaryFolder folder;
  EXPECT_NE(RunReader::open(folder.path / "missing").errors().text().find("is not a folder"),
            std::string::npos);
  EXPECT_NE(RunReader::open(folder.path).errors().text().find("no model.snap"), std::string::npos);
}

}  // namespace
}  // namespace heddle
