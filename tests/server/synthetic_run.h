#pragma once

#include <heddle/io/snapshot.h>

#include <filesystem>

namespace heddle::test {

/// A made-up run: a square cloth of two fabrics that wraps around a ball while a box turns beside it.
class SyntheticRun {
 public:
  /// `cells` squares along each side of the cloth, 1.2 m wide.
  explicit SyntheticRun(int cells);

  const SnapshotModel& model() const { return model_; }
  /// The cloth has settled after about 2 s and then waves a little.
  Snapshot frame(std::int64_t index, double time) const;
  /// Also writes run.json and metrics.csv.
  void write(const std::filesystem::path& folder, int frames) const;

  static constexpr int kCloth = 0;

 private:
  std::vector<Vec3f> positions(double time) const;
  std::vector<Vec3f> strains(const std::vector<Vec3f>& x) const;
  std::vector<float> pressures(const std::vector<Vec3f>& x) const;

  SnapshotModel model_;
};

}  // namespace heddle::test
