#include <heddle/io/run_record.h>

#include <heddle/io/atomic_file.h>

#include <nlohmann/json.hpp>

#include <cstdio>

namespace heddle {

using nlohmann::json;

std::string hash_text(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

Status write_record(const RunFolder& folder, const RunRecord& r) {
  const json content{{"heddle", r.version},
                     {"scene",
                      {{"title", r.title},
                       {"file", r.scene_file},
                       {"hash", r.scene_hash},
                       {"texts", r.scene_texts},
                       {"inputs", r.input_hashes}}},
                     {"settings",
                      {{"frame_rate", r.frame_rate},
                       {"until", r.until},
                       {"time_step", r.time_step},
                       {"integrator", r.integrator},
                       {"threads", r.threads}}},
                     {"size", {{"vertices", r.vertices}, {"faces", r.faces}}},
                     {"without_energy", r.without_energy},
                     {"status", r.status},
                     {"reason", r.reason},
                     {"frame", r.frame},
                     {"wall_seconds", r.wall_seconds},
                     {"state_hash", r.state_hash},
                     {"grabbed_steps", r.grabbed_steps},
                     {"warnings", r.warnings}};
  const std::string text = content.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  return write_file_atomically(folder.run_json(), text);
}

bool is_record_cut(const RunFolder& folder) {
  const Result<std::string> text = read_file(folder.run_json());
  return text && !json::accept(*text);
}

Result<RunRecord> read_record(const RunFolder& folder) {
  const Result<std::string> text = read_file(folder.run_json());
  if (!text) return text.errors();
  try {
    const json content = json::parse(*text);
    RunRecord r;
    r.version = content.at("heddle");
    r.scene_file = content.at("scene").at("file");
    r.title = content.at("scene").value("title", std::filesystem::path(r.scene_file).stem().string());
    r.scene_hash = content.at("scene").at("hash");
    r.scene_texts = content.at("scene").at("texts").get<std::map<std::string, std::string>>();
    r.input_hashes = content.at("scene").value("inputs", r.input_hashes);
    r.frame_rate = content.at("settings").at("frame_rate");
    r.until = content.at("settings").at("until");
    r.time_step = content.at("settings").at("time_step");
    r.integrator = content.at("settings").value("integrator", r.integrator);
    r.threads = content.at("settings").at("threads");
    r.vertices = content.at("size").at("vertices");
    r.faces = content.at("size").at("faces");
    r.without_energy = content.value("without_energy", r.without_energy);
    r.status = content.at("status");
    r.reason = content.at("reason");
    r.frame = content.at("frame");
    r.wall_seconds = content.at("wall_seconds");
    r.state_hash = content.at("state_hash");
    r.grabbed_steps = content.value("grabbed_steps", r.grabbed_steps);
    r.warnings = content.at("warnings").get<std::vector<std::string>>();
    return r;
  } catch (const json::parse_error&) {
    return failure(
        {folder.run_json().string()},
        text->empty() ? "not a run of Heddle: the file is empty" : "not a run of Heddle: it is no JSON",
        "choose another folder");
  } catch (const json::exception&) {
    return failure({folder.run_json().string()},
                   "not a run of Heddle: entries of its record are missing or of another kind",
                   "choose another folder");
  }
}

}  // namespace heddle
