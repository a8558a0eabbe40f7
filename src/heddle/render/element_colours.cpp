#include <heddle/render/element_colours.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heddle {
namespace {

/// Of an outline's distance to the middle of its triangle.
constexpr float kInset = 0.25f;
/// Between the lines of two terms, in edges of the mesh.
constexpr float kLane = 0.07f;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// From 0xRRGGBB in sRGB.
Vec3f linear(unsigned code) {
  Vec3f colour;
  for (int k = 0; k < 3; ++k) {
    const float s = static_cast<float>((code >> (16 - 8 * k)) & 255u) / 255;
    colour[k] = s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  }
  return colour;
}

Vec3f plain_colour() {
  return linear(0xc4c7ca);
}

/// The colours that tell materials apart in the viewer.
Vec3f component_colour(int component) {
  static constexpr std::array kCodes{0x4e8fd0u, 0xe0803cu, 0x55a868u, 0xc9566bu,
                                     0x9579c9u, 0xb8954au, 0x3fb0acu, 0xd673b0u};
  return linear(kCodes[at(component) % kCodes.size()]);
}

std::vector<Vec3f> colours_by_treatment(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::map<Triangle, SnapshotTreatment> treatments;
  size_t element = 0;
  for (const SnapshotElements& group : object.elements)
    for (size_t e = 0; e < group.count(); ++e, ++element) {
      if (group.shape != SnapshotElements::Shape::face || element >= frame.treatments.size()) continue;
      Triangle face{group.corners[3 * e], group.corners[3 * e + 1], group.corners[3 * e + 2]};
      std::sort(face.begin(), face.end());
      treatments[face] = frame.treatments[element];
    }
  std::vector<Vec3f> colours;
  for (Triangle face : object.triangles) {
    std::sort(face.begin(), face.end());
    const auto found = treatments.find(face);
    colours.push_back(found == treatments.end() ? plain_colour() : treatment_colour(found->second));
  }
  return colours;
}

std::vector<Vec3f> colours_by_component(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<Vec3f> colours;
  for (const Triangle& face : object.triangles) {
    int component = -1;
    bool is_one = !frame.components.empty();
    for (size_t k = 0; is_one && k < 3; ++k) {
      const int own = frame.components[at(face[k])];
      is_one = own < 0 || component < 0 || own == component;
      component = std::max(component, own);
    }
    colours.push_back(is_one && component >= 0 ? component_colour(component) : plain_colour());
  }
  return colours;
}

/// Sum of the normals around each vertex.
std::vector<Vec3f> normals_of(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  std::vector<Vec3f> normals(frame.positions.size(), Vec3f::Zero());
  for (const Triangle& t : object.triangles) {
    const Vec3f& a = frame.positions[at(t[0])];
    const Vec3f normal = (frame.positions[at(t[1])] - a).cross(frame.positions[at(t[2])] - a);
    for (const int vertex : t) normals[at(vertex)] += normal;
  }
  return normals;
}

std::vector<ColourKey> treatment_entries(const SnapshotModel& model, const Snapshot& snapshot) {
  std::array<size_t, 3> counts{};
  for (const SnapshotObjectFrame& frame : snapshot.objects)
    for (const SnapshotTreatment treatment : frame.treatments) ++counts[static_cast<size_t>(treatment)];
  const bool is_known = std::any_of(model.objects.begin(), model.objects.end(),
                                    [](const SnapshotObject& object) { return !object.elements.empty(); });
  if (!is_known) return {{"ALL ARE TREATED ALIKE", {}}};
  static constexpr std::array kNames{"INACTIVE", "EXPLICIT", "IMPLICIT"};
  std::vector<ColourKey> entries;
  for (size_t k = 3; k-- > 0;)
    entries.push_back({std::string(kNames[k]) + " " + std::to_string(counts[k]),
                       treatment_colour(static_cast<SnapshotTreatment>(k))});
  return entries;
}

std::vector<ColourKey> component_entries(const Snapshot& snapshot) {
  std::map<int, size_t> sizes;
  for (const SnapshotObjectFrame& frame : snapshot.objects)
    for (const int component : frame.components)
      if (component >= 0) ++sizes[component];
  if (sizes.empty()) return {{"NOT DECOMPOSED", {}}};
  size_t largest = 0;
  for (const auto& [component, size] : sizes) largest = std::max(largest, size);
  return {{std::to_string(sizes.size()) + (sizes.size() == 1 ? " COMPONENT" : " COMPONENTS"), {}},
          {"LARGEST " + std::to_string(largest) + " VERTICES", {}},
          {"BETWEEN THEM OR FIXED", plain_colour()}};
}

}  // namespace

Vec3f treatment_colour(SnapshotTreatment treatment) {
  if (treatment == SnapshotTreatment::implicitly) return linear(0xd2452f);
  return treatment == SnapshotTreatment::explicitly ? linear(0x2f7fd0) : linear(0x565d66);
}

std::vector<Vec3f> face_colours(ColourField field, const SnapshotObject& object,
                                const SnapshotObjectFrame& frame) {
  if (field == ColourField::treatment) return colours_by_treatment(object, frame);
  if (field == ColourField::components) return colours_by_component(object, frame);
  return {};
}

float mean_edge(const SnapshotObject& object) {
  double sum = 0;
  for (const Triangle& t : object.triangles)
    for (size_t k = 0; k < 3; ++k)
      sum += (object.rest_positions[at(t[k])] - object.rest_positions[at(t[(k + 1) % 3])]).norm();
  return object.triangles.empty()
             ? 0
             : static_cast<float>(sum / (3.0 * static_cast<double>(object.triangles.size())));
}

std::vector<ElementLine> element_lines(const SnapshotObject& object, const SnapshotObjectFrame& frame,
                                       float spacing) {
  std::vector<ElementLine> lines;
  if (frame.treatments.size() != element_count(object)) return lines;
  const std::vector<Vec3f> normals = normals_of(object, frame);
  size_t element = 0;
  int lane = 0;
  for (const SnapshotElements& group : object.elements) {
    const size_t corners = group.corner_count();
    if (group.shape == SnapshotElements::Shape::face) {
      element += group.count();
      continue;
    }
    // 0, 1, -1, 2, -2, ...
    const float aside = group.shape == SnapshotElements::Shape::line
                            ? kLane * spacing * static_cast<float>(lane % 2 ? (lane + 1) / 2 : -lane / 2)
                            : 0;
    lane += group.shape == SnapshotElements::Shape::line ? 1 : 0;
    for (size_t e = 0; e < group.count(); ++e, ++element) {
      const int* vertex = &group.corners[corners * e];
      const auto position = [&](size_t k) -> const Vec3f& {
        return frame.positions[at(vertex[k % corners])];
      };
      if (corners == 2) {
        const Vec3f along = (position(1) - position(0)).normalized();
        const Vec3f shift =
            aside * (normals[at(vertex[0])] + normals[at(vertex[1])]).normalized().cross(along);
        lines.push_back({position(0) + shift, position(1) + shift, frame.treatments[element]});
        continue;
      }
      const Vec3f middle = (position(0) + position(1) + position(2)) / 3;
      for (size_t k = 0; k < 3; ++k)
        lines.push_back({position(k) + kInset * (middle - position(k)),
                         position(k + 1) + kInset * (middle - position(k + 1)), frame.treatments[element]});
    }
  }
  return lines;
}

std::vector<ColourKey> legend_entries(ColourField field, const SnapshotModel& model,
                                      const Snapshot& snapshot) {
  return field == ColourField::treatment ? treatment_entries(model, snapshot) : component_entries(snapshot);
}

}  // namespace heddle
