#include <heddle/render/field_lines.h>

#include <heddle/core/random.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr double kStep = 0.004;   // of the region's diagonal
constexpr int kMostSteps = 1500;  // of a line
constexpr int kCandidates = 16;   // for each start, of which the one farthest from the others counts
constexpr size_t kFewest = 8;     // points of a line worth to be drawn

/// A part of a surface through which flux flows.
struct Patch {
  std::array<Vec3, 3> corners;
  double flux = 0;    // Wb, outwards
  bool both = false;  // lines go on from both of its sides

  double area() const { return 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm(); }
};

struct Start {
  Vec3 place;
  double sense = 1;  // 1: along the field, -1: against it
  bool both = false;
  double density = 0;  // T, of the flux through the surface there
};

class LineTracer {
 public:
  LineTracer(const SnapshotModel& model, const Snapshot& snapshot, const MagneticField& field,
             const Bounds& region)
      : field_(field),
        region_(region.min().cast<double>(), region.max().cast<double>()),
        step_(kStep * region_.diagonal().norm()) {
    for (const SnapshotMagnet& magnet : snapshot.magnets)
      if (magnet.permanent)
        insides_.emplace_back(model.objects[static_cast<size_t>(magnet.object)],
                              snapshot.objects[static_cast<size_t>(magnet.object)]);
  }

  double step() const { return step_; }

  /// Follows the field; true if the line left the region.
  bool follow(const Vec3& from, double sense, FieldLine& line) const {
    Vec3 place = from;
    for (int k = 0; k < kMostSteps; ++k) {
      if (!region_.contains(place)) return true;
      if (k > 2 && is_inside(place)) return false;
      line.points.push_back(place);
      line.flux.push_back(field_.at(place).norm());
      if (k > 20 && (place - from).norm() < 0.7 * step_) return false;  // around a wire
      const Vec3 middle = place + 0.5 * step_ * direction(place, sense);
      place += step_ * direction(middle, sense);
    }
    return false;
  }

 private:
  Vec3 direction(const Vec3& place, double sense) const {
    const Vec3 field = field_.at(place);
    const double strength = field.norm();
    return strength > 0 ? Vec3(field * (sense / strength)) : Vec3::Zero();
  }
  bool is_inside(const Vec3& place) const {
    return std::any_of(insides_.begin(), insides_.end(), [&](const InsideTest& test) { return test(place); });
  }

  const MagneticField& field_;
  Eigen::AlignedBox3d region_;
  double step_;  // m
  std::vector<InsideTest> insides_;
};

void add_magnet(const SnapshotObject& object, const SnapshotObjectFrame& frame, double gap,
                std::vector<Patch>& out) {
  for (const Triangle& triangle : object.triangles) {
    Patch& patch = out.emplace_back();
    for (size_t k = 0; k < 3; ++k)
      patch.corners[k] = world_position(object, frame, static_cast<size_t>(triangle[k]));
    // Near the surface the field is that of single cells.
    const Vec3 out_of = (patch.corners[1] - patch.corners[0]).cross(patch.corners[2] - patch.corners[0]);
    if (out_of.norm() > 0)
      for (Vec3& corner : patch.corners) corner += gap * out_of.normalized();
  }
}

void add_coil(const SnapshotCoil& coil, std::vector<Patch>& out) {
  constexpr int kRings = 4;
  Vec3 centre = Vec3::Zero();
  for (const Vec3f& point : coil.points)
    centre += point.cast<double>() / static_cast<double>(coil.points.size());
  for (size_t i = 0; i < coil.points.size(); ++i) {
    const Vec3 a = coil.points[i].cast<double>() - centre,
               b = coil.points[(i + 1) % coil.points.size()].cast<double>() - centre;
    for (int ring = 0; ring < kRings; ++ring) {
      const double low = static_cast<double>(ring) / kRings, high = static_cast<double>(ring + 1) / kRings;
      out.push_back({{centre + low * a, centre + high * a, centre + high * b}, 0, true});
      out.push_back({{centre + low * a, centre + high * b, centre + low * b}, 0, true});
    }
  }
}

std::vector<Patch> patches_of(const SnapshotModel& model, const Snapshot& snapshot,
                              const MagneticField& field) {
  std::vector<Patch> patches;
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    if (!magnet.permanent) continue;
    const auto object = static_cast<size_t>(magnet.object);
    add_magnet(model.objects[object], snapshot.objects[object], 0.5 * magnet.nearest, patches);
  }
  for (const SnapshotCoil& coil : snapshot.coils) add_coil(coil, patches);
  parallel_for(
      static_cast<int>(patches.size()),
      [&](int i) {
        Patch& patch = patches[static_cast<size_t>(i)];
        const auto& [a, b, c] = patch.corners;
        patch.flux = 0.5 * (b - a).cross(c - a).dot(field.at((a + b + c) / 3));
      },
      64);
  return patches;
}

/// Draws patches in proportion to their flux, and of some candidates the one farthest from all before, by the
/// distance at which lines of the same flux lie there.
std::vector<Start> starts_on(const std::vector<Patch>& patches, int count) {
  std::vector<double> sums;
  double sum = 0;
  for (const Patch& patch : patches) sums.push_back(sum += std::abs(patch.flux));
  std::vector<Start> starts;
  if (!(sum > 0)) return starts;
  Random random(1);
  const auto draw = [&] {
    const auto place = std::upper_bound(sums.begin(), sums.end(), sum * random.uniform());
    const Patch& patch = patches[std::min(static_cast<size_t>(place - sums.begin()), patches.size() - 1)];
    const double root = std::sqrt(random.uniform()), share = random.uniform();
    const auto& [a, b, c] = patch.corners;
    return Start{(1 - root) * a + root * ((1 - share) * b + share * c), patch.flux > 0 ? 1.0 : -1.0,
                 patch.both, std::abs(patch.flux) / patch.area()};
  };
  while (static_cast<int>(starts.size()) < count) {
    Start best;
    double farthest = -1;
    for (int k = 0; k < kCandidates; ++k) {
      const Start candidate = draw();
      double nearest = HUGE_VAL;
      for (const Start& other : starts) nearest = std::min(nearest, (other.place - candidate.place).norm());
      nearest *= std::sqrt(candidate.density);
      if (nearest > farthest) farthest = nearest, best = candidate;
    }
    starts.push_back(best);
  }
  return starts;
}

void reverse(FieldLine& line) {
  std::reverse(line.points.begin(), line.points.end());
  std::reverse(line.flux.begin(), line.flux.end());
}

FieldLine line_from(const Start& start, const LineTracer& tracer) {
  FieldLine line;
  const bool left = tracer.follow(start.place, start.sense, line);
  if (start.sense < 0) {
    // What comes from another magnet, and not from far away, has been drawn from there.
    if (!left && !start.both) return {};
    reverse(line);
  }
  if (!start.both) return line;
  const bool closed = !left && line.points.size() > kFewest;
  if (closed) return line;
  FieldLine other;
  tracer.follow(start.place, -start.sense, other);
  if (start.sense > 0) std::swap(line, other), reverse(line);
  if (other.points.empty()) return line;
  line.points.insert(line.points.end(), other.points.begin() + 1, other.points.end());
  line.flux.insert(line.flux.end(), other.flux.begin() + 1, other.flux.end());
  return line;
}

}  // namespace

std::vector<FieldLine> field_lines(const SnapshotModel& model, const Snapshot& snapshot,
                                   const MagneticField& field, const Bounds& region, int count) {
  const LineTracer tracer(model, snapshot, field, region);
  // About half of the starts lie where lines come back.
  const std::vector<Start> starts = starts_on(patches_of(model, snapshot, field), 2 * count);
  std::vector<FieldLine> lines(starts.size());
  parallel_for(
      static_cast<int>(starts.size()),
      [&](int i) { lines[static_cast<size_t>(i)] = line_from(starts[static_cast<size_t>(i)], tracer); }, 1);
  std::erase_if(lines, [](const FieldLine& line) { return line.points.size() < kFewest; });
  return lines;
}

}  // namespace heddle
