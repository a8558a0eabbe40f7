#include <heddle/io/atomic_file.h>
#include <heddle/io/bytes.h>
#include <heddle/io/mesh_sequence.h>

#include <fmt/format.h>

#include <cmath>

namespace heddle {
namespace {

constexpr std::string_view kMagic{"POINTCACHE2\0", 12};

struct Header {
  std::int32_t version = 0, points = 0;
  float start = 0, frames_per_sample = 0;
  std::int32_t samples = 0;
};

Header read_header(ByteReader& in) {
  Header header;
  header.version = in.get<std::int32_t>();
  header.points = in.get<std::int32_t>();
  header.start = in.get<float>();
  header.frames_per_sample = in.get<float>();
  header.samples = in.get<std::int32_t>();
  return header;
}

}  // namespace

Result<RawSequence> read_pc2(const std::filesystem::path& file, const std::filesystem::path& mesh_file,
                             Diagnostics* warnings) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  Result<TriangleMesh> mesh = import_mesh(mesh_file, {.up = UpAxis::z, .warnings = warnings});
  if (!mesh) return mesh.errors();
  if (!bytes->starts_with(kMagic))
    return failure({file.string()}, "is not a PC2 file", "it must begin with POINTCACHE2: export it again");
  ByteReader in(std::string_view(*bytes).substr(kMagic.size()));
  const Header header = read_header(in);
  if (!in.ok() || header.version != 1 || header.points < 0 || header.samples < 0 ||
      !(header.frames_per_sample > 0) || !std::isfinite(header.frames_per_sample))
    return failure({file.string()}, "the header of the PC2 file makes no sense", "export it again");
  if (header.samples == 0) return failure({file.string()}, "holds no samples", "export at least one frame");
  if (header.points != mesh->vertex_count())
    return failure({file.string()},
                   fmt::format("moves {} vertices, but {} has {}", header.points, mesh_file.string(),
                               mesh->vertex_count()),
                   "give the mesh from which the PC2 file was made");
  const size_t count = static_cast<size_t>(header.points) * static_cast<size_t>(header.samples);
  if (in.left() / sizeof(Vec3f) < count)
    return failure(
        {file.string()},
        fmt::format("is cut off: it holds {} of {} samples",
                    in.left() / (sizeof(Vec3f) * static_cast<size_t>(header.points)), header.samples),
        "export it again");
  RawSequence sequence{std::move(*mesh), {}, header.frames_per_sample};
  sequence.positions.reserve(count);
  for (size_t i = 0; i < count; ++i) sequence.positions.push_back(in.get<Vec3f>());
  return sequence;
}

}  // namespace heddle
