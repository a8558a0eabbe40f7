#pragma once

#include <heddle/constraints/limit_elements.h>
#include <heddle/constraints/limit_sweeps.h>
#include <heddle/core/describe.h>

#include <memory>
#include <optional>
#include <string>

namespace heddle {

/// Scene parameters that all ways of limiting have.
struct LimitParameters {
  double tolerance = 1e-3;           // 1, of strain
  std::optional<double> rate_limit;  // 1/s

  static void describe(Describer<LimitParameters>& d);
};

/// Scene parameters of limits kept by one face after the other.
struct GaussSeidelLimits {
  LimitParameters common;
  std::string correction = "least";
  int iterations = 200;
  bool active_set = true;
  int seed = 1;

  static void describe(Describer<GaussSeidelLimits>& d);
  std::unique_ptr<StrainLimiter> build(LimitedFaces faces) const;
};

/// Scene parameters of limits kept by all faces at once.
struct JacobiLimits {
  LimitParameters common;
  std::string correction = "least";
  int iterations = 500;
  bool active_set = true;
  bool average = true;
  double relaxation = 1;

  static void describe(Describer<JacobiLimits>& d);
  std::unique_ptr<StrainLimiter> build(LimitedFaces faces) const;
};

/// Scene parameters of one limit for all edges.
struct EdgeLimits {
  LimitParameters common;
  double limit = 0.1;
  int iterations = 200;
  bool active_set = true;
  bool at_once = false;
  int seed = 1;

  static void describe(Describer<EdgeLimits>& d);
  std::unique_ptr<StrainLimiter> build(LimitedFaces faces) const;
};

/// Limits of faces by sweeps.
class SweepLimiter : public StrainLimiter {
 public:
  SweepLimiter(LimitedFaces faces, const LimitParameters& common, FaceCorrection correction,
               const SweepSettings& settings)
      : faces_(std::move(faces)), common_(common), correction_(correction), settings_(settings) {}

  LimitReport limit(const LimitedParticles& particles, std::span<Vec3> x) override;
  LimitReport limit_rates(const LimitedParticles& particles, std::span<const Vec3> x,
                          std::span<Vec3> v) override;
  double tolerance() const override { return common_.tolerance; }
  const LimitedFaces* faces() const override { return &faces_; }
  const LimitedFaces& known_faces() const override { return faces_; }

 protected:
  LimitedFaces faces_;
  LimitParameters common_;
  FaceCorrection correction_;
  SweepSettings settings_;
  LimitSweeps sweeps_;
};

/// Limits of edges by sweeps; rates are those of faces.
class EdgeLimiter final : public SweepLimiter {
 public:
  EdgeLimiter(LimitedFaces faces, const LimitParameters& common, double limit, const SweepSettings& settings);
  LimitReport limit(const LimitedParticles& particles, std::span<Vec3> x) override;
  const LimitedFaces* faces() const override { return nullptr; }

 private:
  LimitedEdges edges_;
};

}  // namespace heddle
