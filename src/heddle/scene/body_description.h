#pragma once

#include <heddle/math/animated.h>
#include <heddle/math/value_traits.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What makes a body or an obstacle magnetic.
struct MagnetDescription {
  std::string kind = "permanent";  // permanent, induced, superconductor
  Vec3 remanence{0, 0, 1};         // T, in the axes of the body
  double susceptibility = 700;     // 1
  double saturation = 0;           // T; 0: none
  std::optional<int> cells;
  SourceLocation where;
  static void describe(Describer<MagnetDescription>& d);
};

/// A rigid body.
struct BodyDescription {
  std::string name;
  Entity shape;  // one of both is given
  Entity mesh;
  double density = 1000;       // kg/m3
  std::optional<double> mass;  // kg, instead
  Vec3 translation{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};  // deg/s
  double friction = 0.3;
  double stiction = 1;
  double restitution = 0;
  double damping = 0;
  double angular_damping = 0;
  std::optional<MagnetDescription> magnet;
  SourceLocation where;
  static void describe(Describer<BodyDescription>& d);
};

/// What drives a hinge or a slider.
struct MotorDescription {
  Animated<double> place{0.0};  // deg or m
  double strength = 100;        // N m or N
  SourceLocation where;
  static void describe(Describer<MotorDescription>& d);
};

struct JointDescription {
  std::string name;
  std::string kind = "ball";  // fixed, ball, hinge, slider
  std::string body;
  std::string to;  // body or obstacle; empty: space
  Vec3 place{0, 0, 0};
  Vec3 axis{0, 0, 1};
  std::optional<MotorDescription> motor;
  SourceLocation where;
  static void describe(Describer<JointDescription>& d);
};

/// A closed wire that carries a current.
struct CoilDescription {
  std::string name;
  std::optional<double> radius;   // m, of a circle about the z axis
  std::vector<Vec3> points;       // m, otherwise
  Animated<double> current{1.0};  // A, times turns
  Motion motion;
  SourceLocation where;
  static void describe(Describer<CoilDescription>& d);
};

}  // namespace heddle
