#include <heddle/io/mesh_sequence.h>

#include <fmt/format.h>

#include <cmath>

namespace heddle {
namespace {

namespace fs = std::filesystem;

template <class Sequence>
void describe_shared(Describer<Sequence>& d, const std::string& path, const std::string& rate) {
  d.parameter("path", &Sequence::path, {.unit = "", .doc = path, .required = true, .path = true});
  d.parameter("frame_rate", &Sequence::frame_rate,
              {.unit = "1/s", .doc = rate, .minimum = 1e-3, .maximum = 1e4});
  d.parameter("start", &Sequence::start,
              {.unit = "s", .doc = "Time of the first frame; before it the surface stands still."});
  d.parameter("up", &Sequence::up,
              {.unit = "",
               .doc = "Which axis of the file points up; auto means y for glTF and z for all others.",
               .choices = {"auto", "y", "z"}});
  d.parameter("scale", &Sequence::scale,
              {.unit = "m", .doc = "Length of one unit of the file.", .minimum = 0, .above_minimum = true});
}

constexpr const char* kFramesASecond = "Frames a second; between two frames vertices move on straight lines.";

/// Turns and scales the samples; names the first that no scene can hold.
Diagnostics bring_to_scene(const SequenceParameters& parameters, const fs::path& file,
                           const fs::path& axes_of, RawSequence& raw) {
  const bool turn = is_y_up(axes_of, up_axis(parameters.up));
  const double limit = usual_limit("m");
  const size_t vertices = raw.mesh.positions.size();
  for (size_t i = 0; i < raw.positions.size(); ++i) {
    Vec3 x = raw.positions[i].cast<double>();
    x = parameters.scale * (turn ? turned_up(x) : x);
    raw.positions[i] = x.cast<float>();
    const auto place = [&] {
      return fmt::format("frame {} of the sequence: vertex {}", i / vertices, i % vertices);
    };
    if (!x.allFinite())
      return failure({file.string()}, place() + " has a coordinate that is not a finite number",
                     "export the sequence again");
    if (x.cwiseAbs().maxCoeff() > limit)
      return failure({file.string()}, place() + fmt::format(" is {:.3g} m from the origin", x.norm()),
                     fmt::format("expected at most {:.3g} m; lengths are in metres, lower \"scale\"", limit));
  }
  for (size_t i = 0; i < vertices; ++i) raw.mesh.positions[i] = raw.positions[i].cast<double>();
  return {};
}

Result<MeshSequence> finished(Result<RawSequence> raw, const SequenceParameters& parameters,
                              const fs::path& file, const fs::path& axes_of) {
  if (!raw) return raw.errors();
  if (const Diagnostics found = bring_to_scene(parameters, file, axes_of, *raw); found.has_errors())
    return found;
  return MeshSequence{std::move(raw->mesh),
                      {.positions = std::move(raw->positions),
                       .start = parameters.start,
                       .interval = raw->frames_per_sample / parameters.frame_rate}};
}

}  // namespace

void FileSequence::describe(Describer<FileSequence>& d) {
  d.type("files", "sequence",
         "A deforming surface from numbered mesh files, one for each frame, all with the same faces.");
  d.example(R"({"type": "files", "path": "walk/walk_####.obj", "frame_rate": 30, "start": 0.5})");
  describe_shared(d,
                  "The files, relative to the scene: a name with # for the digits of the number, or a folder "
                  "that holds nothing else.",
                  kFramesASecond);
}

void Pc2Sequence::describe(Describer<Pc2Sequence>& d) {
  d.type("pc2", "sequence", "A deforming surface from a PC2 point cache and the mesh that it moves.");
  d.example(R"({"type": "pc2", "path": "walk.pc2", "mesh": "walk.obj", "frame_rate": 30})");
  describe_shared(d, "The PC2 file, relative to the scene.", kFramesASecond);
  d.parameter("mesh", &Pc2Sequence::mesh,
              {.unit = "",
               .doc = "The mesh, relative to the scene, with vertices in the order of the PC2 file.",
               .required = true,
               .path = true});
}

void AnimationSequence::describe(Describer<AnimationSequence>& d) {
  d.type("animation", "sequence",
         "A deforming surface from an animated glTF file or what else assimp reads: skeletons (linear blend "
         "skinning), moving nodes, morph targets.");
  d.example(R"({"type": "animation", "path": "walk.glb", "animation": "walk"})");
  describe_shared(
      d, "The file, relative to the scene.",
      "How often a second the animation is sampled; between two samples vertices move on straight "
      "lines.");
  d.parameter("animation", &AnimationSequence::animation,
              {.unit = "", .doc = "Name of the animation; without it the first one of the file."});
}

void add_sequences(Catalogue& catalogue) {
  catalogue.add(description_of<FileSequence>());
  catalogue.add(description_of<Pc2Sequence>());
  catalogue.add(description_of<AnimationSequence>());
}

Result<MeshSequence> load_sequence(const Entity& sequence, const fs::path& base_folder,
                                   Diagnostics* warnings) {
  if (sequence.is<FileSequence>()) {
    const auto& files = sequence.as<FileSequence>();
    const fs::path pattern = base_folder / files.path;
    return finished(read_file_sequence(pattern, warnings), files, pattern, pattern);
  }
  if (sequence.is<Pc2Sequence>()) {
    const auto& cache = sequence.as<Pc2Sequence>();
    return finished(read_pc2(base_folder / cache.path, base_folder / cache.mesh, warnings), cache,
                    base_folder / cache.path, base_folder / cache.mesh);
  }
  const auto& animated = sequence.as<AnimationSequence>();
  const fs::path file = base_folder / animated.path;
  return finished(read_animation(file, animated.animation, animated.frame_rate, warnings), animated, file,
                  file);
}

std::vector<fs::path> sequence_files(const Entity& sequence, const fs::path& base_folder) {
  if (sequence.is<FileSequence>()) {
    const auto files = numbered_files(base_folder / sequence.as<FileSequence>().path);
    return files ? *files : std::vector<fs::path>{};
  }
  if (sequence.is<AnimationSequence>())
    return mesh_files(base_folder / sequence.as<AnimationSequence>().path);
  const auto& cache = sequence.as<Pc2Sequence>();
  std::vector<fs::path> files = mesh_files(base_folder / cache.mesh);
  files.push_back(base_folder / cache.path);
  return files;
}

}  // namespace heddle
