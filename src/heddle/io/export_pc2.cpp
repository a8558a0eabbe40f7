#include <heddle/io/bytes.h>
#include <heddle/io/export_formats.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

namespace heddle {
namespace {

std::string header(size_t points, size_t samples) {
  ByteWriter out;
  out.put_bytes(std::string_view("POINTCACHE2\0", 12));
  out.put<std::int32_t>(1);  // version
  out.put(static_cast<std::int32_t>(points));
  out.put(0.0f);  // first frame
  out.put(1.0f);  // frames a sample
  out.put(static_cast<std::int32_t>(samples));
  return out.take();
}

Status write_rest_meshes(const ExportSource& source, ExportTarget& target,
                         const std::vector<std::string>& names) {
  const auto frames = source.read(0);
  if (!frames) return frames.errors();
  for (size_t i = 0; i < names.size(); ++i) {
    const SnapshotObject& object = source.object(i);
    const std::string text =
        fmt::format("# {}: vertices in the order of {}.pc2, z up, metres\n", kHeddleMark, names[i]) +
        obj_text(object, names[i], world_positions(object, (*frames)[i]), {}, 0, 0);
    if (Status written = target.write(names[i] + ".obj", text); !written) return written;
  }
  return Done{};
}

}  // namespace

Status export_pc2(const ExportSource& source, ExportTarget& target) {
  const std::vector<std::string> names = object_identifiers(source);
  if (Status written = write_rest_meshes(source, target, names); !written) return written;
  std::vector<AtomicFile> files;
  for (size_t i = 0; i < names.size(); ++i) {
    Result<AtomicFile> file = target.create(names[i] + ".pc2");
    if (!file) return file.errors();
    files.push_back(std::move(*file));
    const Status written =
        files.back().write(header(source.object(i).rest_positions.size(), source.frame_count()));
    if (!written) return written;
  }
  for (size_t k = 0; k < source.frame_count(); ++k) {
    const auto frames = source.read(k);
    if (!frames) return frames.errors();
    for (size_t i = 0; i < names.size(); ++i) {
      ByteWriter out;
      out.put_all(world_positions(source.object(i), (*frames)[i]));
      if (Status written = files[i].write(out.bytes()); !written) return written;
    }
  }
  for (AtomicFile& file : files)
    if (Status done = file.commit(); !done) return done;
  return Done{};
}

}  // namespace heddle
