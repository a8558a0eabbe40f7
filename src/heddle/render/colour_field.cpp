#include <heddle/render/colour_field.h>

#include <array>
#include <cmath>

namespace heddle {
namespace {

Vec3f oklab_to_linear(const Vec3f& lab) {
  const float l = lab.x() + 0.3963377774f * lab.y() + 0.2158037573f * lab.z();
  const float m = lab.x() - 0.1055613458f * lab.y() - 0.0638541728f * lab.z();
  const float s = lab.x() - 0.0894841775f * lab.y() - 1.2914855480f * lab.z();
  const Vec3f cubed(l * l * l, m * m * m, s * s * s);
  Eigen::Matrix3f matrix;
  matrix << 4.0767416621f, -3.3077115913f, 0.2309699292f, -1.2684380046f, 2.6097574011f, -0.3413193965f,
      -0.0041960863f, -0.7034186147f, 1.7076147010f;
  return (matrix * cubed).cwiseMax(0.0f).cwiseMin(1.0f);
}

/// Piecewise linear through five Oklab colours, x in [0, 1].
Vec3f ramp(const std::array<Vec3f, 5>& stops, float x) {
  const float scaled = std::clamp(x, 0.0f, 1.0f) * 4;
  const auto cell = static_cast<size_t>(std::min(scaled, 3.0f));
  const float t = scaled - static_cast<float>(cell);
  return oklab_to_linear((1 - t) * stops[cell] + t * stops[cell + 1]);
}

float component(ColourField field, const Vec3f& strain) {
  if (field == ColourField::strain_weft || field == ColourField::tension) return strain.x();
  if (field == ColourField::strain_warp || field == ColourField::curvature) return strain.y();
  return strain.z();
}

std::vector<float> speeds(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<float> values(object.rest_positions.size(), 0.0f);
  const size_t known = std::min(values.size(), frame.velocities.size());
  for (size_t i = 0; i < known; ++i) values[i] = frame.velocities[i].norm();
  return values;
}

std::vector<float> pressures(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<float> values = frame.pressures;
  values.resize(object.rest_positions.size(), 0.0f);
  return values;
}

/// From event to event in ms, or events a second.
std::vector<float> paces(ColourField field, const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<float> values = frame.paces;
  values.resize(object.rest_positions.size(), 0.0f);
  for (float& value : values) value = field == ColourField::step ? 1000 * value : value > 0 ? 1 / value : 0;
  return values;
}

/// The range of frames without values.
double least_range(ColourField field) {
  if (field == ColourField::contact) return 1e-6;
  return field == ColourField::speed ? 0.01 : 0.001;
}

std::vector<float> averaged_strains(ColourField field, const SnapshotObject& object,
                                    const SnapshotObjectFrame& frame) {
  std::vector<float> sums(object.rest_positions.size(), 0.0f), counts(sums.size(), 0.0f);
  const size_t known = std::min(object.triangles.size(), frame.strains.size());
  for (size_t face = 0; face < known; ++face) {
    for (int vertex : object.triangles[face]) {
      sums[static_cast<size_t>(vertex)] += component(field, frame.strains[face]);
      counts[static_cast<size_t>(vertex)] += 1;
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(1.0f, counts[i]);
  return sums;
}

}  // namespace

double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (double step : {1.0, 2.0, 5.0})
    if (value <= step * power * (1 + 1e-9)) return step * power;
  return 10 * power;
}

const std::vector<std::string>& colour_field_names() {
  static const std::vector<std::string> names{
      "fabric",     "strain_weft", "strain_warp", "strain_shear", "speed",     "contact", "treatment",
      "components", "step",        "events",      "tension",      "curvature", "twist"};
  return names;
}

std::optional<ColourField> colour_field_from_name(const std::string& name) {
  const std::vector<std::string>& names = colour_field_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<ColourField>(found - names.begin());
}

bool is_of_kinds(ColourField field) {
  return field == ColourField::treatment || field == ColourField::components;
}

bool is_of_events(ColourField field) {
  return field == ColourField::step || field == ColourField::events;
}

bool is_one_sided(ColourField field) {
  return field == ColourField::speed || field == ColourField::contact || is_of_events(field);
}

std::string legend_title(ColourField field) {
  switch (field) {
    case ColourField::strain_weft:
      return "WEFT STRAIN %";
    case ColourField::strain_warp:
      return "WARP STRAIN %";
    case ColourField::strain_shear:
      return "SHEAR STRAIN %";
    case ColourField::tension:
      return "STRETCH OF RODS %";
    case ColourField::curvature:
      return "CURVATURE TIMES RADIUS %";
    case ColourField::twist:
      return "TWIST TIMES RADIUS %";
    case ColourField::speed:
      return "SPEED m/s";
    case ColourField::contact:
      return "CONTACT N";
    case ColourField::treatment:
      return "TREATMENT OF ELEMENTS";
    case ColourField::components:
      return "COMPONENTS OF THE SYSTEM";
    case ColourField::step:
      return "STEP OF ELEMENTS ms";
    case ColourField::events:
      return "EVENTS 1/s";
    case ColourField::fabric:
      break;
  }
  return {};
}

std::vector<float> vertex_values(ColourField field, const SnapshotObject& object,
                                 const SnapshotObjectFrame& frame) {
  if (field == ColourField::fabric || is_of_kinds(field)) return {};
  if (field == ColourField::speed) return speeds(object, frame);
  if (field == ColourField::contact) return pressures(object, frame);
  if (is_of_events(field)) return paces(field, object, frame);
  return averaged_strains(field, object, frame);
}

double typical_range(ColourField field, const SnapshotModel& model, const Snapshot& snapshot) {
  if (field == ColourField::fabric || is_of_kinds(field)) return 0;
  std::vector<float> all;
  for (size_t i = 0; i < model.objects.size(); ++i) {
    if (model.objects[i].kind != SnapshotObject::Kind::cloth) continue;
    for (float value : vertex_values(field, model.objects[i], snapshot.objects[i]))
      if (value != 0) all.push_back(std::abs(value));
  }
  const double smallest = least_range(field);
  if (all.empty()) return smallest;
  const auto place = all.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), place, all.end());
  return round_up(std::max(smallest, static_cast<double>(*place)));
}

Vec3f field_colour(ColourField field, float value, float range) {
  // Oklab: lightness, green to red, blue to yellow.
  static const std::array<Vec3f, 5> diverging{Vec3f(0.42f, -0.02f, -0.15f), Vec3f(0.68f, -0.045f, -0.095f),
                                              Vec3f(0.93f, 0, 0.005f), Vec3f(0.68f, 0.105f, 0.075f),
                                              Vec3f(0.43f, 0.15f, 0.07f)};
  static const std::array<Vec3f, 5> sequential{Vec3f(0.27f, -0.005f, -0.08f), Vec3f(0.44f, -0.05f, -0.07f),
                                               Vec3f(0.62f, -0.085f, -0.015f), Vec3f(0.78f, -0.07f, 0.06f),
                                               Vec3f(0.95f, -0.015f, 0.09f)};
  static const std::array<Vec3f, 5> pressing{Vec3f(0.828f, -0.002f, -0.005f), Vec3f(0.868f, 0.004f, 0.141f),
                                             Vec3f(0.733f, 0.083f, 0.132f), Vec3f(0.569f, 0.161f, 0.089f),
                                             Vec3f(0.357f, 0.128f, 0.010f)};
  if (field == ColourField::speed || is_of_events(field)) return ramp(sequential, value / range);
  if (field == ColourField::contact) return ramp(pressing, value / range);
  return ramp(diverging, 0.5f + 0.5f * value / range);
}

}  // namespace heddle
