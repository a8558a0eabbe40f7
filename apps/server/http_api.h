#pragma once

#include "server/run_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// An answer before it becomes HTTP.
struct ApiResponse {
  int status = 200;
  std::string content_type;
  std::string body;
};

/// What the page asks for, as a function of the target alone:
///   /               the viewer            /api/model      model message of wire.h
///   /api/frames     {"live", "frames": [index …], "times": [s …]}
///   /api/frame/N    frame message         /api/run        run.json
///   /api/intersections/N    {"frame", "pairs", "faces": [[object, face] …]}, the triangles that intersect
///   /api/metrics    metrics.csv, with ?from=BYTES only the part after that many bytes
/// Anything else is 404; no target ever becomes a file name.
class HttpApi {
 public:
  HttpApi(const RunSource& source, bool live);

  ApiResponse get(std::string_view target) const;

 private:
  ApiResponse frame_list() const;
  /// Empty if there is no such frame.
  std::optional<std::int64_t> present_frame(std::string_view number) const;
  ApiResponse frame(std::string_view number) const;
  ApiResponse intersections(std::string_view number) const;
  ApiResponse metrics(std::string_view query) const;

  const RunSource& source_;
  bool live_;
  std::string model_message_;
};

}  // namespace heddle
