#include "server/html_export.h"

#include "server/frame_codec.h"
#include "server/intersections.h"
#include "server/run_source.h"
#include "server/web_page.h"
#include "server/wire.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/frame_survey.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

constexpr int kFramesPerChunk = 8;
/// The place in the built page where the data go.
constexpr std::string_view kMarker = "<!--heddle-data-->";

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 6);
  HEDDLE_CHECK_EQ(code, Z_OK);
  out.resize(size);
  return out;
}

std::string base64(const std::string& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out.push_back(k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

void put_packed(std::string& page, const std::string& id, const std::string& bytes) {
  page += fmt::format("<script type=\"application/octet-stream\" id=\"{}\">", id);
  page += base64(deflated(bytes));
  page += "</script>\n";
}

Result<Snapshot> read_checked(const RunReader& run, int position) {
  Result<Snapshot> frame = run.read(position);
  if (!frame) return frame;
  if (Status fits = check_frame(run.model(), *frame); !fits) return fits.errors();
  return frame;
}

struct Survey {
  std::vector<ObjectQuantisation> quantisation;
  std::vector<double> times;  // s
};

/// The first pass over the run: what range do the numbers have?
Result<Survey> survey(const RunReader& run) {
  QuantisationRange range(run.model());
  Survey result;
  for (int i = 0; i < run.frame_count(); ++i) {
    const Result<Snapshot> frame = read_checked(run, i);
    if (!frame) return frame.errors();
    range.include(*frame);
    result.times.push_back(frame->time);
  }
  result.quantisation = range.quantisation();
  return result;
}

nlohmann::json header_json(const RunReader& run, const Survey& survey) {
  nlohmann::json objects = nlohmann::json::array();
  for (const ObjectQuantisation& q : survey.quantisation)
    objects.push_back({{"vertices", q.vertices},
                       {"origin", {q.origin.x(), q.origin.y(), q.origin.z()}},
                       {"step", q.step},
                       {"speed_step", q.speed_step},
                       {"strain_step", q.strain_step},
                       {"strained_faces", q.strained_faces},
                       {"pressure_step", q.pressure_step},
                       {"pressed_vertices", q.pressed_vertices},
                       {"treated_elements", q.treated_elements},
                       {"component_vertices", q.component_vertices},
                       {"pace_step", q.pace_step},
                       {"paced_vertices", q.paced_vertices}});
  return {{"version", kWireVersion},
          {"frames", run.frame_indices()},
          {"times", survey.times},
          {"frames_per_chunk", kFramesPerChunk},
          {"chunks", (run.frame_count() + kFramesPerChunk - 1) / kFramesPerChunk},
          {"objects", objects}};
}

/// The second pass: the frames themselves, and what intersects in them.
Status put_frames(const RunReader& run, const Survey& survey, std::string& page) {
  ChunkEncoder encoder(run.model(), survey.quantisation);
  std::string lists;
  for (int i = 0; i < run.frame_count(); ++i) {
    const Result<Snapshot> frame = read_checked(run, i);
    if (!frame) return frame.errors();
    encoder.add(*frame);
    const auto found = snapshot_intersections(run.model(), *frame, "");
    lists += (i == 0 ? "" : ",") + (found ? intersections_json(*found) : "null");
    const bool full = (i + 1) % kFramesPerChunk == 0 || i + 1 == run.frame_count();
    if (full) put_packed(page, fmt::format("heddle-chunk-{}", i / kFramesPerChunk), encoder.take());
  }
  put_packed(page, "heddle-intersections", "[" + lists + "]");
  return Done{};
}

}  // namespace

Status export_html(const RunReader& run, const std::filesystem::path& out) {
  const std::string_view viewer = web_page();
  const size_t marker = viewer.find(kMarker);
  if (!has_web_viewer() || marker == std::string_view::npos)
    return failure({out.string()}, "this build of Heddle does not contain the viewer",
                   "build Heddle with -DHEDDLE_WEB=ON (needs npm)");
  if (run.frame_count() == 0)
    return failure({run.folder().frames().string()}, "the run has no frames yet",
                   "wait for its first frame, or run the scene again");
  if (const FrameSurvey gaps = survey_gaps(run, 0, run.last_frame()); !gaps.good()) return gaps.problems;
  const Result<Survey> range = survey(run);
  if (!range) return range.errors();

  const RunFolderSource source(run);
  std::string page(viewer.substr(0, marker));
  page += fmt::format("<!-- {} -->\n", kHeddleMark);
  page += "<script type=\"application/json\" id=\"heddle-export\">" + header_json(run, *range).dump() +
          "</script>\n";
  put_packed(page, "heddle-model", model_message(run.model()));
  put_packed(page, "heddle-run", source.run_json());
  put_packed(page, "heddle-metrics", source.metrics_csv());
  if (Status written = put_frames(run, *range, page); !written) return written;
  page += viewer.substr(marker + kMarker.size());
  return write_file_atomically(out, page);
}

}  // namespace heddle
