#include <heddle/io/atomic_file.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/run.h>

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScene = R"({ MORE
  "duration": 0.08,
  "cloths": [{"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]}}],
  "output": {"checkpoint_every": 1, "formats": [FORMATS]}
})";

class Run : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "heddle_run_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    options_.folder = folder_ / "run";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// `more` are members of the scene, each with its comma.
  Result<RunRecord> run(const std::string& formats = "", const std::string& more = "") {
    std::string text = kScene;
    text.replace(text.find("MORE"), 4, more);
    text.replace(text.find("FORMATS"), 7, formats);
    const fs::path file = folder_ / "scene.json";
    if (const Status written = write_file_atomically(file, text); !written) return written.errors();
    const Result<LoadedScene> scene = load_scene(file, catalogue_, check_parts(catalogue_));
    return scene ? heddle::run(*scene, catalogue_, options_) : Result<RunRecord>(scene.errors());
  }
  RunRecord record() const { return read_record(RunFolder(options_.folder)).value(); }

  const Catalogue catalogue_ = make_catalogue();
  fs::path folder_;
  RunOptions options_;
};

TEST_F(Run, TheStepsWithAGrabAreRecorded) {
  std::int64_t noted_at_second_step = -1;
  options_.until = 0.04;
  options_.before_step = [&](Simulation& simulation) {
    const std::int64_t step = simulation.state.step;
    if (step == 1) noted_at_second_step = record().grabbed_steps;
    simulation.grab.reset();
    if (step < 2) simulation.grab = Grab{12, simulation.state.x[12]};
    return true;
  };
  const Result<RunRecord> first = run();
  ASSERT_TRUE(first) << first.errors().text();
  EXPECT_EQ(first->grabbed_steps, 2);
  EXPECT_EQ(noted_at_second_step, 1) << "a run that is killed would not tell of it";
  options_.until.reset();
  options_.resume = true;
  EXPECT_EQ(run().value().grabbed_steps, 2);
  options_.resume = false;
  options_.overwrite = true;
  options_.before_step = {};
  EXPECT_EQ(run().value().grabbed_steps, 0);
  EXPECT_EQ(record().grabbed_steps, 0);
}

TEST_F(Run, WarnsBeforeTheFirstStep) {
  std::vector<std::string> told;
  size_t told_at_first_step = 0;
  options_.on_warning = [&](const std::string& warning) { told.push_back(warning); };
  options_.before_step = [&](Simulation& simulation) {
    if (simulation.state.step == 0) told_at_first_step = told.size();
    return true;
  };
  const Result<RunRecord> record = run();  // its mesh is too coarse
  ASSERT_TRUE(record) << record.errors().text();
  EXPECT_EQ(told_at_first_step, 1u);
  EXPECT_EQ(told, record->warnings);
}

TEST_F(Run, ProgramsAddFormats) {
  const Result<RunRecord> refused = run(R"("html")");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.errors().text().find("cannot write the format \"html\""), std::string::npos);
  EXPECT_FALSE(fs::exists(options_.folder));
  std::string seen;
  options_.more_formats["html"] = [&](const RunReader& reader, const fs::path& out) -> Status {
    seen = record().status + " " + std::to_string(reader.frame_count());
    return write_file_atomically(out, "page");
  };
  const Result<RunRecord> done = run(R"("obj", "html")");
  ASSERT_TRUE(done) << done.errors().text();
  EXPECT_EQ(done->status, "complete");
  EXPECT_EQ(seen, "complete 3");
  EXPECT_EQ(*read_file(options_.folder / "export" / "html.html"), "page");
  options_.overwrite = true;
  options_.more_formats["html"] = [](const RunReader&, const fs::path&) -> Status {
    return failure({}, "no ink");
  };
  EXPECT_EQ(run(R"("html")").value().status, "failed");
  EXPECT_NE(record().reason.find("no ink"), std::string::npos);
}

/// "auto" by its name alone; what it picks and why is in the record, as is what other scenes use.
TEST_F(Run, SaysWhichIntegratorAndWhy) {
  const auto integrator_of = [&](const std::string& members) {
    options_.overwrite = true;
    const Result<RunRecord> done = run("", members);
    EXPECT_TRUE(done) << done.errors().text();
    EXPECT_EQ(done->integrator, record().integrator);
    return record().integrator;
  };
  EXPECT_EQ(integrator_of(""), "semi_implicit_euler, lively, the usual one for one cloth");
  EXPECT_EQ(integrator_of(R"("gravity": [0, 0, -500],)"),
            "semi_implicit_euler, the usual one for cloth with edges as short as these");
  EXPECT_EQ(integrator_of(R"("integrator": {"type": "rk4", "time_step": 0.001},)"), "rk4, as the scene asks");
  const std::string alone = integrator_of(R"("integrator": "auto",)");
  EXPECT_EQ(alone.find("auto: bdf of order 2 with one linear solve"), 0u) << alone;
  EXPECT_NE(alone.find("; linear solver conjugate_gradient with block_jacobi, because 25 vertices"),
            std::string::npos)
      << alone;
  EXPECT_EQ(
      integrator_of(R"("integrator": {"type": "implicit_euler", "solver": "auto", "tolerance": 1e-10},)")
          .find("implicit_euler, as the scene asks; linear solver direct, because"),
      0u);
  const std::string with_floor =
      R"("integrator": {"type": "auto", "time_step": 0.02},
         "obstacles": [{"name": "floor", "shape": {"type": "plane"}, "motion": {"translation": [0, 0, -1]}}],)";
  const std::string touched = integrator_of(with_floor);
  EXPECT_EQ(touched.find("auto: semi_implicit_euler, because"), 0u) << touched;
  EXPECT_NE(touched.find("because"), std::string::npos) << touched;
  EXPECT_EQ(record().time_step, 0.02);
}

}  // namespace
}  // namespace heddle
