#include <heddle/io/bytes.h>
#include <heddle/io/snapshot_codec.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr std::string_view kMagic = "HEDDLESN";
// 1 has no pressures, 2 neither elements nor components, 3 no paces, 4 neither curves nor magnets.
constexpr std::uint32_t kVersion = 5;
constexpr size_t kHeaderSize = 8 + 4 + 4 + 8;
constexpr size_t kChecksumSize = 8;
constexpr auto kLastTreatment = static_cast<std::uint8_t>(SnapshotTreatment::implicitly);
enum class Kind : std::uint32_t { model = 1, snapshot = 2 };

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

std::string seal(Kind kind, const ByteWriter& payload) {
  ByteWriter out;
  out.put_bytes(kMagic);
  out.put(kVersion);
  out.put(static_cast<std::uint32_t>(kind));
  out.put<std::uint64_t>(payload.size());
  out.put_bytes(payload.bytes());
  out.put(checksum(out.bytes()));
  return out.take();
}

struct Payload {
  std::uint32_t version = 0;
  std::string_view bytes;
};

/// The payload, once everything around it was found in order.
Result<Payload> unseal(std::string_view bytes, Kind kind, const std::string& name) {
  const std::string_view magic = bytes.substr(0, kMagic.size());
  if (magic.empty() || magic != kMagic.substr(0, magic.size()))
    return failure({name}, "is not a Heddle .snap file", "give a file that Heddle wrote into a run folder");
  const char* remedy = "write it again by resuming or repeating the run";
  if (bytes.size() < kHeaderSize + kChecksumSize)
    return failure({name}, fmt::format("is truncated: only {} bytes long", bytes.size()), remedy);
  ByteReader header(bytes.substr(kMagic.size()));
  const auto version = header.get<std::uint32_t>();
  const auto found_kind = header.get<std::uint32_t>();
  const auto size = header.get<std::uint64_t>();
  if (version > kVersion)
    return failure({name}, fmt::format("has version {}, this Heddle reads up to {}", version, kVersion),
                   "use a newer Heddle");
  const size_t room = bytes.size() - kHeaderSize - kChecksumSize;
  if (size > room)
    return failure({name}, fmt::format("is truncated: {} of {} bytes of content", room, size), remedy);
  const std::string_view sealed = bytes.substr(0, bytes.size() - kChecksumSize);
  const auto expected = ByteReader(bytes.substr(sealed.size())).get<std::uint64_t>();
  if (version == 0 || size < room || checksum(sealed) != expected)
    return failure({name}, "is damaged: its checksum does not match", remedy);
  if (found_kind != static_cast<std::uint32_t>(kind))
    return failure({name}, kind == Kind::model ? "is not a model" : "is not a frame",
                   "run folders hold one model.snap and frames in frames/");
  return Payload{version, sealed.substr(kHeaderSize)};
}

void put_curves(ByteWriter& out, const SnapshotCurves& curves) {
  out.put(curves.radius);
  out.put(curves.ring_size);
  out.put_array(curves.rings);
  out.put_array(curves.lines);
  out.put_array(curves.faces);
}

void put_object(ByteWriter& out, const SnapshotObject& object) {
  out.put(static_cast<std::uint8_t>(object.kind));
  out.put_text(object.name);
  out.put_array(object.triangles);
  out.put_array(object.rest_positions);
  out.put_array(object.uv);
  out.put_array(object.face_material);
  out.put(object.thickness);
  out.put<std::uint64_t>(object.elements.size());
  for (const SnapshotElements& elements : object.elements) {
    out.put_text(elements.term);
    out.put(static_cast<std::uint8_t>(elements.shape));
    out.put_array(elements.corners);
  }
  put_curves(out, object.curves);
}

SnapshotCurves get_curves(ByteReader& in) {
  SnapshotCurves curves;
  curves.radius = in.get<float>();
  curves.ring_size = in.get<std::int32_t>();
  curves.rings = in.get_array<std::int32_t>();
  curves.lines = in.get_array<std::array<std::int32_t, 2>>();
  curves.faces = in.get_array<std::int32_t>();
  return curves;
}

std::vector<SnapshotElements> get_elements(ByteReader& in) {
  std::vector<SnapshotElements> all(in.get_count(2 * 8 + 1));
  for (SnapshotElements& elements : all) {
    elements.term = in.get_text();
    elements.shape = static_cast<SnapshotElements::Shape>(in.get<std::uint8_t>());
    elements.corners = in.get_array<std::int32_t>();
  }
  return all;
}

SnapshotObject get_object(ByteReader& in, std::uint32_t version) {
  SnapshotObject object;
  object.kind = static_cast<SnapshotObject::Kind>(in.get<std::uint8_t>());
  object.name = in.get_text();
  object.triangles = in.get_array<Triangle>();
  object.rest_positions = in.get_array<Vec3f>();
  object.uv = in.get_array<Eigen::Vector2f>();
  object.face_material = in.get_array<std::int32_t>();
  object.thickness = in.get<float>();
  if (version >= 3) object.elements = get_elements(in);
  if (version >= 5) object.curves = get_curves(in);
  return object;
}

void put_material(ByteWriter& out, const SnapshotMaterial& material) {
  out.put_text(material.name);
  out.put(material.front_colour);
  out.put(material.back_colour);
  out.put_text(material.pattern);
  out.put(material.pattern_size);
}

SnapshotMaterial get_material(ByteReader& in) {
  SnapshotMaterial material;
  material.name = in.get_text();
  material.front_colour = in.get<Vec3f>();
  material.back_colour = in.get<Vec3f>();
  material.pattern = in.get_text();
  material.pattern_size = in.get<float>();
  return material;
}

bool in_range(int index, size_t size) {
  return index >= 0 && static_cast<size_t>(index) < size;
}

bool is_consistent(const SnapshotElements& elements, size_t vertices) {
  if (elements.shape > SnapshotElements::Shape::outline) return false;
  if (elements.corners.size() % elements.corner_count() != 0) return false;
  return std::all_of(elements.corners.begin(), elements.corners.end(),
                     [&](int corner) { return in_range(corner, vertices); });
}

bool is_consistent(const SnapshotCurves& curves, size_t vertices, size_t faces) {
  if (curves.empty()) return curves.rings.empty() && curves.faces.empty();
  const auto has_ring = [&](int first) {
    return first >= 0 && static_cast<size_t>(first) + static_cast<size_t>(curves.ring_size) <= vertices;
  };
  const auto has_points = [&](const std::array<std::int32_t, 2>& line) {
    return in_range(line[0], curves.rings.size()) && in_range(line[1], curves.rings.size());
  };
  return curves.ring_size > 0 && curves.faces.size() == curves.lines.size() &&
         std::ranges::all_of(curves.rings, has_ring) && std::ranges::all_of(curves.lines, has_points) &&
         std::ranges::all_of(curves.faces, [&](int face) { return in_range(face, faces); });
}

bool is_consistent(const SnapshotObject& object, size_t material_count) {
  const size_t vertices = object.rest_positions.size();
  if (object.kind != SnapshotObject::Kind::cloth && object.kind != SnapshotObject::Kind::obstacle)
    return false;
  if (!object.uv.empty() && object.uv.size() != vertices) return false;
  if (!object.face_material.empty() && object.face_material.size() != object.triangles.size()) return false;
  for (const Triangle& triangle : object.triangles)
    for (const int vertex : triangle)
      if (!in_range(vertex, vertices)) return false;
  for (const int material : object.face_material)
    if (!in_range(material, material_count)) return false;
  for (const SnapshotElements& elements : object.elements)
    if (!is_consistent(elements, vertices)) return false;
  return is_consistent(object.curves, vertices, object.triangles.size());
}

bool is_consistent(const SnapshotModel& model) {
  for (const SnapshotObject& object : model.objects)
    if (!is_consistent(object, model.materials.size())) return false;
  return model.frame_rate > 0 && std::isfinite(model.frame_rate);
}

void put_treatments(ByteWriter& out, const std::vector<SnapshotTreatment>& treatments) {
  std::vector<std::uint8_t> codes;
  for (const SnapshotTreatment treatment : treatments) codes.push_back(static_cast<std::uint8_t>(treatment));
  out.put_array(codes);
}

std::vector<SnapshotTreatment> get_treatments(ByteReader& in) {
  std::vector<SnapshotTreatment> treatments;
  for (const std::uint8_t code : in.get_array<std::uint8_t>())
    treatments.push_back(static_cast<SnapshotTreatment>(std::min<std::uint8_t>(code, kLastTreatment)));
  return treatments;
}

void put_object_frame(ByteWriter& out, const SnapshotObjectFrame& object) {
  out.put_array(object.positions);
  out.put_array(object.velocities);
  out.put_array(object.strains);
  out.put_array(object.pressures);
  put_treatments(out, object.treatments);
  out.put_array(object.components);
  out.put_array(object.paces);
  for (const double number : object.pose.rotation.coeffs()) out.put(number);
  out.put(object.pose.translation);
}

SnapshotObjectFrame get_object_frame(ByteReader& in, std::uint32_t version) {
  SnapshotObjectFrame object;
  object.positions = in.get_array<Vec3f>();
  object.velocities = in.get_array<Vec3f>();
  object.strains = in.get_array<Vec3f>();
  if (version >= 2) object.pressures = in.get_array<float>();
  if (version >= 3) object.treatments = get_treatments(in);
  if (version >= 3) object.components = in.get_array<std::int32_t>();
  if (version >= 4) object.paces = in.get_array<float>();
  for (double& number : object.pose.rotation.coeffs()) number = in.get<double>();
  object.pose.translation = in.get<Vec3>();
  return object;
}

void put_load(ByteWriter& out, const SnapshotLoad& load) {
  for (const Vec3& vector : {load.centre, load.force, load.torque}) out.put(vector);
}

SnapshotLoad get_load(ByteReader& in) {
  SnapshotLoad load;
  for (Vec3* vector : {&load.centre, &load.force, &load.torque}) *vector = in.get<Vec3>();
  return load;
}

void put_magnets(ByteWriter& out, const Snapshot& snapshot) {
  out.put<std::uint64_t>(snapshot.magnets.size());
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    out.put(magnet.object);
    out.put<std::uint8_t>(magnet.permanent ? 1 : 0);
    out.put(magnet.nearest);
    out.put_array(magnet.places);
    out.put_array(magnet.moments);
    put_load(out, magnet.load);
  }
  out.put<std::uint64_t>(snapshot.coils.size());
  for (const SnapshotCoil& coil : snapshot.coils) {
    out.put_array(coil.points);
    out.put(coil.current);
    put_load(out, coil.load);
  }
}

void get_magnets(ByteReader& in, Snapshot& snapshot) {
  constexpr size_t kLoad = 9 * 8;
  snapshot.magnets.resize(in.get_count(4 + 1 + 4 + 2 * 8 + kLoad));
  for (SnapshotMagnet& magnet : snapshot.magnets) {
    magnet.object = in.get<std::int32_t>();
    magnet.permanent = in.get<std::uint8_t>() != 0;
    magnet.nearest = in.get<float>();
    magnet.places = in.get_array<Vec3f>();
    magnet.moments = in.get_array<Vec3f>();
    magnet.load = get_load(in);
  }
  snapshot.coils.resize(in.get_count(8 + 8 + kLoad));
  for (SnapshotCoil& coil : snapshot.coils) {
    coil.points = in.get_array<Vec3f>();
    coil.current = in.get<double>();
    coil.load = get_load(in);
  }
}

bool is_consistent(const Snapshot& snapshot) {
  return std::all_of(snapshot.magnets.begin(), snapshot.magnets.end(), [&](const SnapshotMagnet& magnet) {
    return in_range(magnet.object, snapshot.objects.size()) && magnet.places.size() == magnet.moments.size();
  });
}

/// Only a writer with a defect gets here: the checksum was right.
Diagnostics inconsistent(const std::string& name) {
  return failure({name}, "contradicts itself: lengths or indices are out of range",
                 "write it again with this version of Heddle");
}

}  // namespace

std::string encode_model(const SnapshotModel& model) {
  ByteWriter out;
  out.put(model.frame_rate);
  out.put<std::uint64_t>(model.objects.size());
  for (const SnapshotObject& object : model.objects) put_object(out, object);
  out.put<std::uint64_t>(model.materials.size());
  for (const SnapshotMaterial& material : model.materials) put_material(out, material);
  return seal(Kind::model, out);
}

std::string encode_snapshot(const Snapshot& snapshot) {
  ByteWriter out;
  out.put(snapshot.frame);
  out.put(snapshot.time);
  out.put<std::uint64_t>(snapshot.objects.size());
  for (const SnapshotObjectFrame& object : snapshot.objects) put_object_frame(out, object);
  put_magnets(out, snapshot);
  return seal(Kind::snapshot, out);
}

Result<SnapshotModel> decode_model(std::string_view bytes, const std::string& name) {
  const Result<Payload> payload = unseal(bytes, Kind::model, name);
  if (!payload) return payload.errors();
  ByteReader in(payload->bytes);
  SnapshotModel model;
  model.frame_rate = in.get<double>();
  // The smallest object and material: their counts and plain numbers with nothing in the arrays.
  constexpr std::array<size_t, kVersion + 1> kBytes{0, 45, 45, 53, 53, 85};
  model.objects.resize(in.get_count(kBytes[payload->version]));
  for (SnapshotObject& object : model.objects) object = get_object(in, payload->version);
  model.materials.resize(in.get_count(2 * 8 + 7 * 4));
  for (SnapshotMaterial& material : model.materials) material = get_material(in);
  if (!in.ok() || in.left() > 0 || !is_consistent(model)) return inconsistent(name);
  return model;
}

Result<Snapshot> decode_snapshot(std::string_view bytes, const std::string& name) {
  const Result<Payload> payload = unseal(bytes, Kind::snapshot, name);
  if (!payload) return payload.errors();
  ByteReader in(payload->bytes);
  Snapshot snapshot;
  snapshot.frame = in.get<std::int64_t>();
  snapshot.time = in.get<double>();
  constexpr std::array<size_t, kVersion + 1> kArrays{0, 3, 4, 6, 7, 7};
  const size_t arrays = kArrays[payload->version];
  snapshot.objects.resize(in.get_count(arrays * 8 + 7 * 8));
  for (SnapshotObjectFrame& object : snapshot.objects) object = get_object_frame(in, payload->version);
  if (payload->version >= 5) get_magnets(in, snapshot);
  if (!in.ok() || in.left() > 0 || !is_consistent(snapshot)) return inconsistent(name);
  return snapshot;
}

}  // namespace heddle
