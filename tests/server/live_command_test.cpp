#include "server/live_command.h"

#include "synthetic_run.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle {
namespace {

class LiveCommandTest : public ::testing::Test {
 protected:
  std::string error_of(std::string_view text) const {
    const Result<LiveCommand> command = parse_live_command(text, run_.model());
    return command ? std::string() : command.errors().text();
  }
  test::SyntheticRun run_{2};  // 9 vertices
};

TEST_F(LiveCommandTest, ReadsEveryCommand) {
  const auto pause = parse_live_command(R"({"type": "pause", "on": true})", run_.model());
  ASSERT_TRUE(pause.ok());
  EXPECT_TRUE(std::get<PauseCommand>(*pause).on);
  const auto grab =
      parse_live_command(R"({"type":"grab","object":0,"vertex":8,"target":[1,-2.5,3e-1]})", run_.model());
  ASSERT_TRUE(grab.ok());
  EXPECT_EQ(std::get<GrabCommand>(*grab).vertex, 8);
  EXPECT_EQ(std::get<GrabCommand>(*grab).target, Vec3(1, -2.5, 0.3));
  EXPECT_EQ(error_of(R"({"type":"step"})"), "");
  EXPECT_EQ(error_of(R"({"type":"release"})"), "");
}

TEST_F(LiveCommandTest, RefusesGrabsOfWhatIsNotThere) {
  const auto grab = [](const char* object, const char* vertex, const char* target) {
    return std::string(R"({"type":"grab","object":)") + object + R"(,"vertex":)" + vertex + R"(,"target":)" +
           target + "}";
  };
  EXPECT_NE(error_of(grab("3", "0", "[0,0,0]")).find("no object 3"), std::string::npos);
  EXPECT_NE(error_of(grab("-1", "0", "[0,0,0]")).find("no object -1"), std::string::npos);
  EXPECT_NE(error_of(grab("1", "0", "[0,0,0]")).find("obstacle"), std::string::npos);
  EXPECT_NE(error_of(grab("0", "9", "[0,0,0]")).find("no vertex 9"), std::string::npos);
  for (const char* vertex : {"18446744073709551615", "1.5", "\"1\"", "null", "1e300"})
    EXPECT_NE(error_of(grab("0", vertex, "[0,0,0]")), "") << vertex;
  for (const char* target : {"[0,0]", "[0,0,0,0]", "[0,0,\"1\"]", "[0,0,1e999]", "[0,0,1e7]", "{}", "null"})
    EXPECT_NE(error_of(grab("0", "0", target)), "") << target;
}

TEST_F(LiveCommandTest, RefusesWhatIsNoCommand) {
  for (const char* text :
       {"", "{", "[]", "null", "7", "\"step\"", "{}", R"({"type":1})", R"({"type":"format"})",
        R"({"type":"pause"})", R"({"type":"pause","on":1})", "\xff\xfe\x00"})
    EXPECT_NE(error_of(text), "") << text;
  EXPECT_NE(error_of(std::string(4000, '[')), "");
}

TEST_F(LiveCommandTest, SurvivesDamagedCommands) {
  const std::string good = R"({"type":"grab","object":0,"vertex":8,"target":[1,-2.5,3e-1]})";
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    const Result<LiveCommand> command = parse_live_command(text, run_.model());
    if (!command || !std::holds_alternative<GrabCommand>(*command)) continue;
    EXPECT_EQ(std::get<GrabCommand>(*command).object, 0);
    EXPECT_LT(std::get<GrabCommand>(*command).vertex, 9);
    EXPECT_TRUE(std::get<GrabCommand>(*command).target.allFinite());
  }
}

}  // namespace
}  // namespace heddle
