#pragma once

#include <heddle/core/result.h>

#include <string_view>
#include <vector>

namespace heddle {

/// A point of a measured tensile curve.
struct TensilePoint {
  double strain = 0;  // 1
  double load = 0;    // N/m, force per width
};

/// 1 gf/cm, the unit of Kawabata's tester, in N/m.
inline constexpr double kGramForcePerCentimetre = 0.980665;
/// Load up to which clothes are used, in N/m: the middle of the 100 to 200 gf/cm of Thomaszewski 2010, 3.3.3.
inline constexpr double kUsualLoad = 150 * kGramForcePerCentimetre;

/// A fabric that is linear up to a limit.
struct TensileFit {
  double stiffness = 0;  // N/m
  double limit = 0;      // 1, strain
  double error = 0;      // N/m, root mean square of the curve below the limit
  int points = 0;        // of the curve below the limit
};

/// The limit is the strain at `load` (N/m), and the stiffness the line through zero that fits the curve below
/// it best. The curve must reach the load, and strains must grow.
Result<TensileFit> fit_tensile_curve(const std::vector<TensilePoint>& curve, double load);

/// Two numbers a line, strain and load (times `unit`, N/m), with commas, semicolons or blanks between them;
/// lines that begin with # or with letters are headings. `name` is for messages.
Result<std::vector<TensilePoint>> read_tensile_curve(std::string_view text, double unit,
                                                     const std::string& name);

}  // namespace heddle
