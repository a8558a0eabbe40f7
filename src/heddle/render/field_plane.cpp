#include <heddle/render/field_plane.h>

#include <heddle/core/random.h>
#include <heddle/parallel/parallel.h>
#include <heddle/render/strokes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace heddle {
namespace {

constexpr int kAcross = 480;         // cells of a slice along its longer side
constexpr int kSamplesAcross = 40;   // for the range
constexpr double kShareBelow = 0.9;  // of the places of a plane that are weaker than its range
constexpr int kChains = 5200;        // of filings
constexpr float kNeedle = 0.009f;    // length of a filing by the longer side of the sheet
const Vec3f kPaper(0.78f, 0.77f, 0.74f), kIron(0.035f, 0.035f, 0.04f);

/// The rectangle in which a plane cuts the region.
struct Sheet {
  Vec3f corner, first, second, normal;  // m; sides are first and second
  int columns, rows;

  Sheet(const Bounds& region, const FieldPlane& plane, int along) {
    const int u = (plane.axis + 1) % 3, v = (plane.axis + 2) % 3;
    corner = region.min();
    corner[plane.axis] = plane.place;
    const Vec3f size = region.sizes();
    first = size[u] * Vec3f::Unit(u);
    second = size[v] * Vec3f::Unit(v);
    normal = Vec3f::Unit(plane.axis);
    const float step = longer() / static_cast<float>(along);
    columns = std::max(1, static_cast<int>(size[u] / step));
    rows = std::max(1, static_cast<int>(size[v] / step));
  }
  float longer() const { return std::max(first.norm(), second.norm()); }
  Vec3f at(float s, float t) const { return corner + s * first + t * second; }
  Vec3f cell(int i, int j, float inside = 0) const {
    return at((static_cast<float>(i) + inside) / static_cast<float>(columns),
              (static_cast<float>(j) + inside) / static_cast<float>(rows));
  }
  Vec3f flat(const Vec3& vector) const {
    const Vec3f v = vector.cast<float>();
    return v - v.dot(normal) * normal;
  }
};

std::vector<double> fluxes(const MagneticField& field, const Sheet& sheet) {
  std::vector<double> values(static_cast<size_t>(sheet.columns) * static_cast<size_t>(sheet.rows));
  parallel_for(
      static_cast<int>(values.size()),
      [&](int k) {
        const Vec3f place = sheet.cell(k % sheet.columns, k / sheet.columns, 0.5f);
        values[static_cast<size_t>(k)] = field.at(place.cast<double>()).norm();
      },
      256);
  return values;
}

void add_sheet(const Sheet& sheet, const Vec3f& shift, Surface& surface) {
  for (const auto& [s, t] : {std::pair{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}})
    surface.positions.push_back(sheet.at(s, t) + shift);
  surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  surface.face_colours.assign(2, kPaper);
  set_smooth_normals(surface);
}

/// Filings lie along the field one behind the other, more of them where it is strong.
class Sprinkler {
 public:
  Sprinkler(const MagneticField& field, const Sheet& sheet, const Vec3f& up, double range)
      : field_(field), sheet_(sheet), up_(up), range_(range), length_(kNeedle * sheet.longer()) {}

  void chain(Random& random, Surface& surface) const {
    Vec3f place = sheet_.at(single(random), single(random));
    const double wanted = strength(place);
    if (random.uniform() > 0.12 + 0.88 * wanted) return;
    const int count = 1 + static_cast<int>(8 * wanted * random.uniform());
    for (int k = 0; k < count; ++k) {
      const Vec3f along = sheet_.flat(field_.at(place.cast<double>()));
      if (!(along.squaredNorm() > 0) || !is_on_sheet(place)) return;
      const Vec3f direction = along.normalized();
      add_needle(place, turned(direction, random), random, surface);
      place += 1.15f * length_ * direction;
    }
  }

 private:
  static float single(Random& random) { return static_cast<float>(random.uniform()); }
  /// From 0, where the field is a thousandth of the range, to 1.
  double strength(const Vec3f& place) const {
    const double flux = sheet_.flat(field_.at(place.cast<double>())).norm();
    return flux > 0 ? std::clamp(1 + std::log10(flux / range_) / 2.5, 0.0, 1.0) : 0;
  }
  bool is_on_sheet(const Vec3f& place) const {
    const Vec3f offset = place - sheet_.corner;
    const float s = offset.dot(sheet_.first) / sheet_.first.squaredNorm(),
                t = offset.dot(sheet_.second) / sheet_.second.squaredNorm();
    return s > 0 && s < 1 && t > 0 && t < 1;
  }
  /// Not quite along the field, as filings rub on paper.
  Vec3f turned(const Vec3f& direction, Random& random) const {
    const float angle = 0.22f * (single(random) - 0.5f);
    return std::cos(angle) * direction + std::sin(angle) * sheet_.normal.cross(direction);
  }
  void add_needle(const Vec3f& place, const Vec3f& direction, Random& random, Surface& surface) const {
    const float radius = 0.07f * length_, half = 0.5f * length_ * (0.7f + 0.5f * single(random));
    const Vec3f middle = place + radius * up_;
    const Vec3f ends[] = {middle - half * direction, middle + half * direction};
    const Vec3f colours[] = {kIron, kIron};
    add_tube(ends, radius, colours, surface);
  }

  const MagneticField& field_;
  const Sheet& sheet_;
  Vec3f up_;
  double range_;
  float length_;  // m
};

}  // namespace

std::optional<FieldPlane> FieldPlane::from_text(const std::string& text) {
  char axis = 0, rest = 0;
  FieldPlane plane;
  if (std::sscanf(text.c_str(), "%c=%f%c", &axis, &plane.place, &rest) != 2) return std::nullopt;
  if (axis < 'x' || axis > 'z' || !std::isfinite(plane.place)) return std::nullopt;
  plane.axis = axis - 'x';
  return plane;
}

FieldPlane usual_plane(const Snapshot& snapshot, const Vec3& view) {
  Vec3 along = Vec3::Zero(), middle = Vec3::Zero();
  double weight = 0;
  const auto add = [&](const Vec3& place, const Vec3& moment) {
    along += moment.cwiseAbs();
    middle += moment.norm() * place;
    weight += moment.norm();
  };
  const bool any_permanent = std::any_of(snapshot.magnets.begin(), snapshot.magnets.end(),
                                         [](const SnapshotMagnet& magnet) { return magnet.permanent; });
  for (const SnapshotMagnet& magnet : snapshot.magnets)
    for (size_t i = 0; i < magnet.places.size(); ++i)
      if (magnet.permanent || !any_permanent)
        add(magnet.places[i].cast<double>(), magnet.moments[i].cast<double>());
  for (const SnapshotCoil& coil : snapshot.coils)
    for (size_t i = 0; i < coil.points.size(); ++i) {
      const Vec3 a = coil.points[i].cast<double>(),
                 b = coil.points[(i + 1) % coil.points.size()].cast<double>();
      add(0.5 * (a + b), 0.5 * std::abs(coil.current) * (a - coil.load.centre).cross(b - coil.load.centre));
    }
  if (weight > 0) middle /= weight;
  const double most = along.maxCoeff();
  // A tenth of the whole is not enough to prefer a plane that is seen edge-on.
  const Vec3 cost =
      (along / (most > 0 ? most : 1) * 10).array().round().matrix() - view.cwiseAbs() / view.norm();
  FieldPlane plane;
  cost.minCoeff(&plane.axis);
  plane.place = static_cast<float>(middle[plane.axis]);
  return plane;
}

Vec3f flux_colour(double flux, double range) {
  constexpr double kDecades = 3;
  const double t = flux > 0 ? 1 + std::log10(flux / range) / kDecades : 0;
  return field_colour(ColourField::speed, static_cast<float>(std::clamp(t, 0.0, 1.0)), 1);
}

Surface field_slice(const MagneticField& field, const Bounds& region, const FieldPlane& plane, double range) {
  const Sheet sheet(region, plane, kAcross);
  Surface surface;
  for (int j = 0; j <= sheet.rows; ++j)
    for (int i = 0; i <= sheet.columns; ++i) surface.positions.push_back(sheet.cell(i, j));
  const std::vector<double> values = fluxes(field, sheet);
  for (int j = 0; j < sheet.rows; ++j)
    for (int i = 0; i < sheet.columns; ++i) {
      const int a = j * (sheet.columns + 1) + i, c = a + sheet.columns + 1;
      surface.triangles.push_back({a, a + 1, c + 1});
      surface.triangles.push_back({a, c + 1, c});
      const double value = values[static_cast<size_t>(j * sheet.columns + i)];
      surface.face_colours.insert(surface.face_colours.end(), 2, flux_colour(value, range));
    }
  set_smooth_normals(surface);
  return surface;
}

std::vector<Surface> iron_filings(const MagneticField& field, const Bounds& region, const FieldPlane& plane,
                                  const Vec3& eye) {
  const Sheet sheet(region, plane, 1);
  const float side = static_cast<float>(eye[plane.axis]) < plane.place ? -1.0f : 1.0f;
  const Sprinkler sprinkler(field, sheet, side * sheet.normal, typical_flux(field, region, plane));
  std::vector<Surface> surfaces(2);
  add_sheet(sheet, Vec3f::Zero(), surfaces[0]);
  Random random(1);
  for (int k = 0; k < kChains; ++k) sprinkler.chain(random, surfaces[1]);
  set_smooth_normals(surfaces[1]);
  return surfaces;
}

double typical_flux(const MagneticField& field, const Bounds& region, const FieldPlane& plane) {
  std::vector<double> values = fluxes(field, Sheet(region, plane, kSamplesAcross));
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(kShareBelow * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return round_up(std::max(1e-9, *place));
}

}  // namespace heddle
