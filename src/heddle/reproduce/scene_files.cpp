#include <heddle/reproduce/scene_files.h>

#include <heddle/core/check.h>

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>

// The assembler copies the files: as string literals compilers take seconds and hundreds of megabytes for
// them.
#define HEDDLE_EMBED(NAME, FILE)                                                                         \
  __asm__(".section .rodata\n.global heddle_file_" #NAME "\n.global heddle_file_" #NAME                  \
          "_end\nheddle_file_" #NAME ":\n.incbin \"" HEDDLE_SCENES_DIR "/" FILE "\"\nheddle_file_" #NAME \
          "_end:\n.byte 0\n.previous\n");                                                                \
  extern "C" const char heddle_file_##NAME[], heddle_file_##NAME##_end[];

HEDDLE_EMBED(dress_bar, "dress_bar.json")
HEDDLE_EMBED(course, "course.json")
HEDDLE_EMBED(panel_dress, "assets/panel_dress.obj")
HEDDLE_EMBED(bar, "assets/bar.obj")
HEDDLE_EMBED(course_figure, "assets/course.glb")

namespace heddle {

namespace {

struct File {
  std::string_view name, bytes;
};

std::array<File, 5> all_files() {
  const auto file = [](std::string_view name, const char* begin, const char* end) {
    return File{name, {begin, static_cast<size_t>(end - begin)}};
  };
  return {file("dress_bar.json", heddle_file_dress_bar, heddle_file_dress_bar_end),
          file("course.json", heddle_file_course, heddle_file_course_end),
          file("assets/panel_dress.obj", heddle_file_panel_dress, heddle_file_panel_dress_end),
          file("assets/bar.obj", heddle_file_bar, heddle_file_bar_end),
          file("assets/course.glb", heddle_file_course_figure, heddle_file_course_figure_end)};
}

/// The text with other settings in the place of its duration.
std::string with_settings(std::string text, const std::string& settings) {
  const size_t begin = text.find("\"duration\""), end = text.find(',', begin);
  HEDDLE_CHECK(begin != std::string::npos && end != std::string::npos);
  return text.replace(begin, end - begin, settings);
}

}  // namespace

Result<Simulation> build_scene_file(std::string_view name, const std::string& settings) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      fmt::format("heddle-reproduce-{}", std::chrono::steady_clock::now().time_since_epoch().count());
  std::filesystem::create_directories(folder / "assets");
  std::string text;
  for (const File& file : all_files()) {
    std::ofstream(folder / file.name, std::ios::binary) << file.bytes;
    if (file.name == fmt::format("{}.json", name)) text = with_settings(std::string(file.bytes), settings);
  }
  Result<Simulation> sim = build_text(text, folder / "scene.json");
  std::filesystem::remove_all(folder);
  return sim;
}

}  // namespace heddle
