#include "sample_drape.h"

#include <heddle/io/atomic_file.h>
#include <heddle/render/movie.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Movie : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "heddle_movie_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    test::Drape drape = test::sample_drape(8);
    const RunFolder run(folder_ / "run");
    fs::create_directories(run.frames());
    ASSERT_TRUE(write_file_atomically(run.run_json(), "{}"));
    ASSERT_TRUE(write_model(run.model(), drape.model));
    for (int frame = 0; frame < 3; ++frame) {
      drape.snapshot.frame = frame;
      for (Vec3f& position : drape.snapshot.objects[0].positions) position.z() -= 0.05f;
      ASSERT_TRUE(write_snapshot(run.frame(frame), drape.snapshot));
    }
    options_.picture.width = 47;
    options_.picture.height = 32;
    options_.picture.samples = 2;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Status write(const fs::path& file) {
    const Result<RunReader> run = RunReader::open(folder_ / "run");
    if (!run) return run.errors();
    return write_movie(*run, file, options_, [this](int done, int total) { progress_ = {done, total}; });
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  /// An encoder that reads all pictures, does as the shell commands say, and ends with code 0; the file that
  /// it should write is $out.
  void encode_with(const std::string& commands) {
    const fs::path script = folder_ / "run" / "encoder";
    std::ofstream(script) << "#!/bin/sh\nfor last; do :; done; out=${last#file:}\ncat > /dev/null\n"
                          << commands << "\n";
    fs::permissions(script, fs::perms::owner_all);
    options_.encoder = script.string();
  }

  fs::path folder_;
  MovieOptions options_;
  std::pair<int, int> progress_;
};

TEST_F(Movie, FramesAreSeenFromNearerThanTheWholeRun) {
  Snapshot away = *read_snapshot(RunFolder(folder_ / "run").frame(2));
  away.frame = 3;
  for (Vec3f& position : away.objects[0].positions) position.x() += 2;
  ASSERT_TRUE(write_snapshot(RunFolder(folder_ / "run").frame(3), away));
  const Result<RunReader> run = RunReader::open(folder_ / "run");
  ASSERT_TRUE(run);
  const auto distance = [](const Result<PictureOptions>& fitted) {
    return (fitted->camera->position - fitted->camera->target).norm();
  };
  const Result<Snapshot> last = run->read(2);
  const Result<PictureOptions> frame = fit_to_frame(run->model(), *last, options_.picture);
  ASSERT_TRUE(frame) << frame.errors().text();
  EXPECT_LT(distance(frame), 0.7 * distance(fit_to_run(*run, options_.picture)));
  EXPECT_EQ(distance(fit_to_run(*run, *frame)), distance(frame));
  options_.picture.height = 0;
  EXPECT_FALSE(fit_to_frame(run->model(), *last, options_.picture));
}

TEST_F(Movie, IsWrittenWholeUnderAnyName) {
  const bool required = std::getenv("HEDDLE_REQUIRE_TOOLS") != nullptr;
  if (!required && std::system("ffmpeg -version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "ffmpeg is not installed";
  const fs::path file = folder_ / "-a b;$(touch x)':%d.mp4";
  const Status status = write(file);
  ASSERT_TRUE(status) << status.errors().text();
  EXPECT_EQ(progress_, std::make_pair(3, 3));
  EXPECT_EQ(files(), 2u);
  const std::string bytes = read_file(file).value();
  EXPECT_EQ(bytes.substr(4, 4), "ftyp");
  // Players can start at once: the index comes before the pictures.
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST_F(Movie, SaysThatTheEncoderIsMissing) {
  options_.encoder = "heddle-no-such-program";
  const Status status = write(folder_ / "a.mp4");
  ASSERT_FALSE(status);
  EXPECT_NE(status.errors().text().find("apt install ffmpeg"), std::string::npos);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Movie, LeavesNothingBehindIfTheEncoderFails) {
  options_.encoder = "false";
  const Status status = write(folder_ / "a.mp4");
  ASSERT_FALSE(status);
  EXPECT_NE(status.errors().text().find("false"), std::string::npos);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Movie, AnOldMovieOutlivesAnEncoderThatMeetsAFullDisk) {
  const fs::path file = folder_ / "a.mp4";
  ASSERT_TRUE(write_file_atomically(file, "old"));
  encode_with("printf half > \"$out\"; echo '[mp4 @ 0x1] [error] x: No space left on device' >&2");
  const Status status = write(file);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.errors().has_disk_failure());
  EXPECT_EQ(status.errors().text(),
            file.string() +
                ": error: cannot write the file: No space left on device; make room on the disk, "
                "or choose another one\n");
  EXPECT_EQ(*read_file(file), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Movie, AFileThatEndsTooEarlyIsNoMovie) {
  const fs::path file = folder_ / "a.mp4";
  ASSERT_TRUE(write_file_atomically(file, "old"));
  const std::string boxes = "\\0\\0\\0\\010ftyp\\0\\0\\0\\010moov\\0\\0\\0\\014mdat";
  for (const std::string& content : {std::string(), std::string("half"), boxes, boxes + "abc"}) {
    encode_with("printf '" + content + "' > \"$out\"");
    const Status status = write(file);
    ASSERT_FALSE(status) << content;
    EXPECT_NE(status.errors().text().find("a.mp4: error: is no whole movie"), std::string::npos)
        << status.errors().text();
    EXPECT_EQ(*read_file(file), "old");
  }
  encode_with("echo 'a note that is no error' >&2; printf '" + boxes + "abcd' > \"$out\"");
  const Status whole = write(file);
  EXPECT_TRUE(whole) << whole.errors().text();
  EXPECT_EQ(read_file(file)->size(), 28u);
}

TEST_F(Movie, AnEncoderThatStopsReadingHasFailed) {
  options_.encoder = "true";
  const Status status = write(folder_ / "a.mp4");
  ASSERT_FALSE(status);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Movie, LeavesFilesWithNamesLikeItsOwnAlone) {
  ASSERT_TRUE(write_file_atomically(folder_ / "a.mp4.part", "precious"));
  options_.encoder = "false";
  ASSERT_FALSE(write(folder_ / "a.mp4"));
  EXPECT_EQ(*read_file(folder_ / "a.mp4.part"), "precious");
}

TEST_F(Movie, MakesTheFolder) {
  encode_with("printf '\\0\\0\\0\\010ftyp\\0\\0\\0\\010moov\\0\\0\\0\\010mdat' > \"$out\"");
  const Status status = write(folder_ / "new" / "folder" / "a.mp4");
  ASSERT_TRUE(status) << status.errors().text();
  EXPECT_TRUE(fs::exists(folder_ / "new" / "folder" / "a.mp4"));
}

TEST_F(Movie, ReportsAllBadOptions) {
  options_.first = 2;
  options_.last = 9;
  options_.every = 0;
  options_.quality = 99;
  options_.frame_rate = -1;
  const Status status = write(folder_ / "missing" / "a.avi");
  ASSERT_FALSE(status);
  EXPECT_FALSE(fs::exists(folder_ / "missing"));
  const std::string text = status.errors().text();
  for (const char* word : {"2 to 9", "every", "quality", "frame_rate", ".mp4"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
}

TEST_F(Movie, OneViewSuitsAllFrames) {
  const Result<RunReader> run = RunReader::open(folder_ / "run");
  ASSERT_TRUE(run) << run.errors().text();
  PictureOptions picture = options_.picture;
  picture.colour = "speed";
  const PictureOptions fitted = fit_to_run(*run, picture).value();
  ASSERT_TRUE(fitted.camera && fitted.ground_height && fitted.colour_range);
  for (int frame = 0; frame < 3; ++frame) {
    const Snapshot snapshot = run->read(frame).value();
    for (const Vec3f& position : snapshot.objects[0].positions) {
      const auto place = project(*fitted.camera, 47.0 / 32, position.cast<double>());
      ASSERT_TRUE(place);
      EXPECT_TRUE(place->minCoeff() > 0 && place->maxCoeff() < 1);
      EXPECT_GT(position.z(), *fitted.ground_height);
    }
  }
}

}  // namespace
}  // namespace heddle
