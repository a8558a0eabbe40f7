#pragma once

#include <heddle/scene/body_description.h>
#include <heddle/scene/scene_parts.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// An end of a rod that is held with its direction and twist.
struct ClampDescription {
  std::string end = "start";               // start, end
  Animated<double> turn{0.0};              // deg, about the rod's own direction there
  std::optional<Animated<double>> torque;  // N m, instead of turn: the end twists as it likes
  Motion motion;                           // besides, relative to where it starts
  std::optional<Vec3> centre;              // of the rotation of the motion, m; without it the end of the rod
  std::optional<double> release;           // s
  SourceLocation where;
  static void describe(Describer<ClampDescription>& d);
};

struct RodDescription {
  std::string name;
  Entity curve;
  Entity material;
  Entity model;
  Vec3 translation{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  double scale = 1;
  Vec3 velocity{0, 0, 0};
  double twist = 0;               // deg, from end to end at the start
  std::string rest = "shape";     // shape, straight
  std::optional<Vec3> curvature;  // 1/m
  std::vector<ClampDescription> clamps;
  std::vector<PinDescription> pins;
  std::vector<AttachmentDescription> attachments;
  std::optional<MagnetDescription> magnet;
  SourceLocation where;
  static void describe(Describer<RodDescription>& d);
};

}  // namespace heddle
