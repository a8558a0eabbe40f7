#include "server/http_api.h"

#include "server/intersections.h"
#include "server/web_page.h"
#include "server/wire.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace heddle {
namespace {

constexpr const char* kBinary = "application/octet-stream";
constexpr const char* kJson = "application/json";
constexpr const char* kText = "text/plain; charset=utf-8";

ApiResponse not_found() {
  return {404, kText, "Not found. The viewer is at /\n"};
}

/// A number of digits alone, small enough to be a frame or an offset.
std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

HttpApi::HttpApi(const RunSource& source, bool live)
    : source_(source), live_(live), model_message_(model_message(source.model())) {}

ApiResponse HttpApi::get(std::string_view target) const {
  const size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  constexpr std::string_view kFramePath = "/api/frame/", kIntersectionsPath = "/api/intersections/";
  if (path == "/" || path == "/index.html") return {200, "text/html; charset=utf-8", std::string(web_page())};
  if (path == "/api/model") return {200, kBinary, model_message_};
  if (path == "/api/frames") return frame_list();
  if (path == "/api/metrics") return metrics(query);
  if (path == "/api/run") return {200, kJson, source_.run_json()};
  if (path.starts_with(kFramePath)) return frame(path.substr(kFramePath.size()));
  if (path.starts_with(kIntersectionsPath)) return intersections(path.substr(kIntersectionsPath.size()));
  return not_found();
}

ApiResponse HttpApi::frame_list() const {
  const std::vector<std::int64_t> frames = source_.frames();
  std::vector<double> times(frames.size());
  const double rate = source_.model().frame_rate;
  std::transform(frames.begin(), frames.end(), times.begin(),
                 [rate](std::int64_t frame) { return rate > 0 ? static_cast<double>(frame) / rate : 0; });
  const nlohmann::json list = {{"live", live_}, {"frames", frames}, {"times", times}};
  return {200, kJson, list.dump()};
}

std::optional<std::int64_t> HttpApi::present_frame(std::string_view number) const {
  const std::optional<std::int64_t> index = parse_count(number);
  if (!index) return std::nullopt;
  const std::vector<std::int64_t> present = source_.frames();
  return std::binary_search(present.begin(), present.end(), *index) ? index : std::nullopt;
}

ApiResponse HttpApi::frame(std::string_view number) const {
  const std::optional<std::int64_t> index = present_frame(number);
  if (!index) return not_found();
  const Result<Snapshot> snapshot = source_.frame(*index);
  if (!snapshot) return {500, kText, snapshot.errors().text()};
  Result<std::string> message = frame_message(source_.model(), *snapshot);
  if (!message) return {500, kText, message.errors().text()};
  return {200, kBinary, std::move(*message)};
}

ApiResponse HttpApi::intersections(std::string_view number) const {
  const std::optional<std::int64_t> index = present_frame(number);
  if (!index) return not_found();
  const Result<Snapshot> snapshot = source_.frame(*index);
  if (!snapshot) return {500, kText, snapshot.errors().text()};
  if (const Status fits = check_frame(source_.model(), *snapshot); !fits)
    return {500, kText, fits.errors().text()};
  const auto found = snapshot_intersections(source_.model(), *snapshot, fmt::format("frame {}", *index));
  if (!found) return {500, kText, found.errors().text()};
  return {200, kJson, intersections_json(*found)};
}

ApiResponse HttpApi::metrics(std::string_view query) const {
  constexpr std::string_view kFrom = "from=";
  std::string text = source_.metrics_csv();
  if (query.starts_with(kFrom)) {
    const std::optional<std::int64_t> from = parse_count(query.substr(kFrom.size()));
    if (!from) return {400, kText, "\"from\" must be a number of bytes, e.g. /api/metrics?from=1024\n"};
    text.erase(0, std::min(text.size(), static_cast<size_t>(*from)));
  }
  return {200, "text/csv; charset=utf-8", std::move(text)};
}

}  // namespace heddle
