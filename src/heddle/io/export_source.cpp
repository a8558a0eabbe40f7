#include <heddle/core/text.h>
#include <heddle/io/centre_lines.h>
#include <heddle/io/export.h>
#include <heddle/io/export_source.h>
#include <heddle/io/frame_survey.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle {
namespace {

bool all_finite(const std::vector<Vec3f>& values) {
  return std::ranges::all_of(values, [](const Vec3f& value) { return value.allFinite(); });
}

bool is_finite(const SnapshotObjectFrame& frame) {
  return all_finite(frame.positions) && all_finite(frame.velocities) && all_finite(frame.strains) &&
         frame.pose.rotation.coeffs().allFinite() && frame.pose.rotation.norm() > 0.5 &&
         frame.pose.translation.allFinite();
}

}  // namespace

Result<ExportSource> ExportSource::open(const RunReader& run, const ExportOptions& options) {
  ExportSource source(run);
  if (Status chosen = source.choose_object(options.object, options.rods); !chosen) return chosen.errors();
  if (Status chosen = source.choose_frames(options.first, options.last); !chosen) return chosen.errors();
  if (Status checked = source.check_frames(); !checked) return checked.errors();
  return source;
}

void ExportSource::choose(size_t source, RodExport rods) {
  const SnapshotObject& object = model().objects[source];
  const bool is_rod = !object.curves.empty();
  if (!is_rod || rods != RodExport::curves) objects_.push_back({source, false, object});
  if (!is_rod || rods == RodExport::tubes) return;
  objects_.push_back({source, true, centre_lines(object)});
  if (rods == RodExport::both) objects_.back().object.name += " curve";
}

Status ExportSource::choose_object(const std::string& name, RodExport rods) {
  std::vector<std::string> names;
  for (size_t i = 0; i < model().objects.size(); ++i) {
    names.push_back(model().objects[i].name);
    if (name.empty() || name == names.back()) choose(i, rods);
  }
  if (!objects_.empty()) return Done{};
  const std::string run = run_->folder().root().string();
  if (names.empty()) return failure({run}, "the run holds no objects to export");
  return failure({run}, fmt::format("the run has no object \"{}\"", name),
                 fmt::format("it has {}", quoted_list(names)));
}

Status ExportSource::choose_frames(int first, int last) {
  const std::vector<std::int64_t>& numbers = run_->frame_indices();
  const FrameSurvey gaps = survey_gaps(*run_, first, last < 0 ? run_->last_frame() : last);
  if (!gaps.good()) return gaps.problems;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= first && (last < 0 || numbers[i] <= last)) positions_.push_back(static_cast<int>(i));
  if (!positions_.empty()) return Done{};
  const std::string run = run_->folder().root().string();
  if (numbers.empty()) return failure({run}, "the run holds no frames yet", "wait for the run or resume it");
  return failure({run},
                 fmt::format("the run has no frames from {} to {}", first,
                             last < 0 ? "the end" : fmt::format("{}", last)),
                 fmt::format("it has frames {} to {}", numbers.front(), numbers.back()));
}

Status ExportSource::check_frames() {
  for (size_t k = 0; k < frame_count(); ++k) {
    const Result<Snapshot> snapshot = run_->read(positions_[k]);
    if (!snapshot) return snapshot.errors();
    times_.push_back(snapshot->time);
    for (const Chosen& chosen : objects_)
      if (!is_finite(snapshot->objects[chosen.source]))
        return failure({run_->folder().frame(frame_number(k)).string()},
                       fmt::format("object \"{}\" holds numbers that are not finite", chosen.object.name),
                       "the run failed here: export only the frames before");
  }
  const bool ascends = std::ranges::adjacent_find(times_, std::greater_equal<>()) == times_.end();
  const bool finite = std::ranges::all_of(times_, [](double time) { return std::isfinite(time); });
  for (size_t k = 0; k < frame_count() && !(ascends && finite); ++k)
    times_[k] = static_cast<double>(frame_number(k)) / model().frame_rate;
  return Done{};
}

std::int64_t ExportSource::frame_number(size_t k) const {
  return run_->frame_indices()[static_cast<size_t>(positions_[k])];
}

Result<std::vector<SnapshotObjectFrame>> ExportSource::read(size_t k) const {
  const Result<Snapshot> snapshot = run_->read(positions_[k]);
  if (!snapshot) return snapshot.errors();
  std::vector<SnapshotObjectFrame> chosen;
  for (const Chosen& object : objects_) {
    const SnapshotObjectFrame& frame = snapshot->objects[object.source];
    chosen.push_back(object.as_curves ? centre_lines(model().objects[object.source], frame) : frame);
    chosen.back().pose.rotation.normalize();
  }
  return chosen;
}

std::vector<Vec3f> world_positions(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<Vec3f> positions;
  for (size_t i = 0; i < object.rest_positions.size(); ++i)
    positions.push_back(world_position(object, frame, i).cast<float>());
  return positions;
}

std::vector<Vec3f> vertex_normals(const std::vector<Triangle>& triangles,
                                  const std::vector<Vec3f>& positions) {
  std::vector<Vec3> sums(positions.size(), Vec3::Zero());
  for (const Triangle& triangle : triangles) {
    const auto corner = [&](size_t i) -> Vec3 {
      return positions[static_cast<size_t>(triangle[i])].cast<double>();
    };
    const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    for (const int vertex : triangle) sums[static_cast<size_t>(vertex)] += normal;
  }
  std::vector<Vec3f> normals;
  for (const Vec3& sum : sums)
    normals.push_back(sum.norm() > 0 ? Vec3f(sum.normalized().cast<float>()) : Vec3f(0, 0, 1));
  return normals;
}

int face_material(const SnapshotObject& object, size_t face) {
  return object.face_material.empty() ? 0 : object.face_material[face];
}

std::vector<std::string> unique_identifiers(const std::vector<std::string>& names) {
  std::vector<std::string> identifiers;
  std::set<std::string> taken;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const std::string& name : names) {
    std::string base = name;
    std::ranges::replace_if(
        base, [&](char c) { return !is_plain(c); }, '_');
    if (base.empty() || (base[0] >= '0' && base[0] <= '9')) base.insert(0, "_");
    std::string identifier = base;
    for (int i = 2; !taken.insert(identifier).second; ++i) identifier = fmt::format("{}_{}", base, i);
    identifiers.push_back(identifier);
  }
  return identifiers;
}

std::vector<std::string> object_identifiers(const ExportSource& source) {
  std::vector<std::string> names;
  for (size_t i = 0; i < source.object_count(); ++i) names.push_back(source.object(i).name);
  return unique_identifiers(names);
}

}  // namespace heddle
