#include <heddle/sim/checkpoint.h>
#include <heddle/sim/step.h>

#include <heddle/core/hash.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/bytes.h>

#include <algorithm>
#include <cstdio>

namespace heddle {

namespace {

constexpr std::string_view kMagic = "HEDDLECK";
constexpr std::uint32_t kVersion = 7;

std::uint64_t checksum(std::string_view bytes) {
  Hash hash;
  hash.add_bytes(std::as_bytes(std::span(bytes.data(), bytes.size())));
  return hash.value();
}

std::filesystem::path checkpoint_file(const RunFolder& folder, std::int64_t frame) {
  char name[32];
  std::snprintf(name, sizeof name, "%06lld.state", static_cast<long long>(frame));
  return folder.checkpoints() / name;
}

std::int64_t frame_of(const std::filesystem::path& file) {
  return std::strtoll(file.stem().c_str(), nullptr, 10);
}

/// Checkpoint files by ascending frame.
std::vector<std::filesystem::path> checkpoint_files(const RunFolder& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.checkpoints(), error)) {
    const std::string stem = entry.path().stem().string();
    const bool numbered = !stem.empty() && std::all_of(stem.begin(), stem.end(), ::isdigit);
    if (numbered && entry.path().extension() == ".state") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return frame_of(a) < frame_of(b); });
  return files;
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return decode_checkpoint(*bytes, file.string());
}

/// What the integrator remembers.
void put_memory(const State& state, ByteWriter& out) {
  out.put_array(state.acceleration);
  out.put_array(state.paces);
  out.put<std::uint64_t>(state.past.size());
  for (const PastState& past : state.past) {
    out.put(past.age);
    for (const auto* vectors : {&past.x, &past.v}) out.put_array(*vectors);
  }
}

void get_memory(ByteReader& in, State& state) {
  state.acceleration = in.get_array<Vec3>();
  state.paces = in.get_array<double>();
  constexpr size_t kLeastBytes = 8 + 2 * 8;
  state.past.resize(in.get_count(kLeastBytes));
  for (PastState& past : state.past) {
    past.age = in.get<double>();
    for (auto* vectors : {&past.x, &past.v}) *vectors = in.get_array<Vec3>();
  }
}

void put_bodies(const State& state, ByteWriter& out) {
  out.put<std::uint64_t>(state.bodies.size());
  for (const BodyState& body : state.bodies) {
    out.put(body.rotation);
    for (const Vec3& vector : {body.x, body.v, body.angular_momentum}) out.put(vector);
  }
  out.put<std::uint64_t>(state.body_contacts.size());
  for (const BodyContact& contact : state.body_contacts) {
    out.put<std::int32_t>(contact.first);
    out.put<std::int32_t>(contact.second);
    for (const Vec3& vector : {contact.place, contact.force}) out.put(vector);
  }
  out.put<std::uint64_t>(state.joint_loads.size());
  for (const JointLoad& load : state.joint_loads)
    for (const Vec3& vector : {load.force, load.torque}) out.put(vector);
}

void get_bodies(ByteReader& in, State& state) {
  constexpr size_t kVector = 24, kBody = 32 + 3 * kVector, kContact = 8 + 2 * kVector, kLoad = 2 * kVector;
  state.bodies.resize(in.get_count(kBody));
  for (BodyState& body : state.bodies) {
    body.rotation = in.get<Quat>();
    for (Vec3* vector : {&body.x, &body.v, &body.angular_momentum}) *vector = in.get<Vec3>();
  }
  state.body_contacts.resize(in.get_count(kContact));
  for (BodyContact& contact : state.body_contacts) {
    contact.first = in.get<std::int32_t>();
    contact.second = in.get<std::int32_t>();
    for (Vec3* vector : {&contact.place, &contact.force}) *vector = in.get<Vec3>();
  }
  state.joint_loads.resize(in.get_count(kLoad));
  for (JointLoad& load : state.joint_loads)
    for (Vec3* vector : {&load.force, &load.torque}) *vector = in.get<Vec3>();
}

/// All lengths are that of the positions; what an integrator does not remember may be empty.
bool fits(const State& state) {
  const auto is_right = [&](const std::vector<Vec3>& vectors) {
    return vectors.empty() || vectors.size() == state.x.size();
  };
  return state.v.size() == state.x.size() && is_right(state.acceleration) &&
         std::all_of(state.past.begin(), state.past.end(),
                     [&](const PastState& past) { return is_right(past.x) && is_right(past.v); });
}

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  ByteWriter out;
  out.put_bytes(kMagic);
  out.put(kVersion);
  out.put(checkpoint.frame);
  out.put(checkpoint.state.time);
  out.put(checkpoint.state.step);
  out.put<std::int32_t>(checkpoint.state.halvings);
  out.put<std::uint8_t>(checkpoint.state.tangled ? 1 : 0);
  out.put_array(checkpoint.state.x);
  out.put_array(checkpoint.state.v);
  out.put_array(checkpoint.state.frames);
  out.put<std::uint64_t>(checkpoint.state.contacts.size());
  for (const ParticleContact& contact : checkpoint.state.contacts) {
    out.put<std::int32_t>(contact.particle);
    out.put<std::int32_t>(contact.obstacle);
    out.put<std::uint8_t>(contact.sticking ? 1 : 0);
    out.put(contact.normal_force);
    out.put(contact.slip);
  }
  put_memory(checkpoint.state, out);
  put_bodies(checkpoint.state, out);
  out.put(checksum(out.bytes()));
  return out.take();
}

Result<Checkpoint> decode_checkpoint(std::string_view bytes, const std::string& name) {
  const auto damaged = [&](const char* what) {
    return failure({name}, std::string("not a usable checkpoint: ") + what,
                   "resume uses an older one if there is one");
  };
  if (bytes.size() < kMagic.size() + sizeof kVersion + sizeof(std::uint64_t))
    return damaged("it is too short");
  if (bytes.substr(0, kMagic.size()) != kMagic) return damaged("it was not written by Heddle");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  if (ByteReader(bytes.substr(content.size())).get<std::uint64_t>() != checksum(content))
    return damaged("its checksum is wrong");
  ByteReader in(content.substr(kMagic.size()));
  if (in.get<std::uint32_t>() != kVersion) return damaged("it was written by another version");
  Checkpoint checkpoint;
  checkpoint.frame = in.get<std::int64_t>();
  checkpoint.state.time = in.get<double>();
  checkpoint.state.step = in.get<std::int64_t>();
  checkpoint.state.halvings = std::clamp(in.get<std::int32_t>(), 0, kMostHalvings);
  checkpoint.state.tangled = in.get<std::uint8_t>() != 0;
  checkpoint.state.x = in.get_array<Vec3>();
  checkpoint.state.v = in.get_array<Vec3>();
  checkpoint.state.frames = in.get_array<Quat>();
  constexpr size_t kContactBytes = 4 + 4 + 1 + 8 + 24;
  checkpoint.state.contacts.resize(in.get_count(kContactBytes));
  for (ParticleContact& contact : checkpoint.state.contacts) {
    contact.particle = in.get<std::int32_t>();
    contact.obstacle = in.get<std::int32_t>();
    contact.sticking = in.get<std::uint8_t>() != 0;
    contact.normal_force = in.get<double>();
    contact.slip = in.get<Vec3>();
  }
  get_memory(in, checkpoint.state);
  get_bodies(in, checkpoint.state);
  if (!in.ok() || in.left() != 0 || !fits(checkpoint.state))
    return damaged("its lengths contradict each other");
  return checkpoint;
}

Status write_checkpoint(const RunFolder& folder, const Checkpoint& checkpoint) {
  const Status written =
      write_file_atomically(checkpoint_file(folder, checkpoint.frame), encode_checkpoint(checkpoint));
  if (!written) return written;
  std::vector<std::filesystem::path> files = checkpoint_files(folder);
  std::error_code ignored;  // an old checkpoint that stays does no harm
  for (size_t i = 0; i + 2 < files.size(); ++i) std::filesystem::remove(files[i], ignored);
  return Done{};
}

std::optional<Checkpoint> newest_checkpoint(const RunFolder& folder, Diagnostics& unusable,
                                            std::int64_t last_frame) {
  std::vector<std::filesystem::path> files = checkpoint_files(folder);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (frame_of(*file) > last_frame) continue;
    Result<Checkpoint> checkpoint = read_checkpoint(*file);
    if (checkpoint) return std::move(*checkpoint);
    for (const Diagnostic& item : checkpoint.errors().items())
      unusable.warning(item.where, item.message, item.remedy);
  }
  return std::nullopt;
}

void remove_checkpoints_after(const RunFolder& folder, std::int64_t frame) {
  std::error_code ignored;  // the run writes it again
  for (const std::filesystem::path& file : checkpoint_files(folder))
    if (frame_of(file) > frame) std::filesystem::remove(file, ignored);
}

std::filesystem::path failed_state_file(const RunFolder& folder) {
  return folder.checkpoints() / "failed.state";
}

}  // namespace heddle
