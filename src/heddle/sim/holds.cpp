#include <heddle/sim/holds.h>

#include <heddle/constraints/frame_attachment.h>
#include <heddle/core/text.h>
#include <heddle/sim/select.h>

#include <algorithm>
#include <limits>
#include <map>

namespace heddle {

namespace {

/// Vertices of a cloth that keep their places in a moving frame.
struct Hold {
  std::vector<int> vertices;
  std::vector<Vec3> local;  // m
  Motion motion;
  Vec3 centre = Vec3::Zero();     // of the motion's rotation, m
  std::optional<double> release;  // s
  SourceLocation where;

  RigidTransform pose(double time) const {
    RigidTransform frame = motion.at(time);
    frame.translation += centre;
    return frame;
  }
};

/// `frame` is where the vertices start from.
Hold make_hold(const Selection& selection, const PreparedCloth& cloth, const RigidTransform& frame,
               Diagnostics& diagnostics) {
  Hold hold;
  hold.vertices = select_vertices(selection, cloth.mesh, diagnostics);
  for (int vertex : hold.vertices)
    hold.local.push_back(frame.point_to_local(cloth.mesh.positions[static_cast<size_t>(vertex)]));
  return hold;
}

void add_pins(const ClothDescription& description, const PreparedCloth& cloth, std::vector<Hold>& holds,
              Diagnostics& diagnostics) {
  for (const PinDescription& pin : description.pins) {
    // Relative to where they start: at rest the frame only has its centre.
    holds.push_back(make_hold(pin.vertices, cloth, {Quat::Identity(), pin.centre}, diagnostics));
    holds.back().motion = pin.motion;
    holds.back().centre = pin.centre;
    holds.back().release = pin.release;
    holds.back().where = pin.where;
  }
}

void add_attachments(const ClothDescription& description, const PreparedCloth& cloth,
                     std::span<const Obstacle> obstacles, std::vector<Hold>& holds,
                     Diagnostics& diagnostics) {
  for (const AttachmentDescription& attachment : description.attachments) {
    const auto obstacle = std::find_if(obstacles.begin(), obstacles.end(),
                                       [&](const Obstacle& o) { return o.name == attachment.obstacle; });
    if (obstacle == obstacles.end()) continue;  // the scene loader has reported the name
    holds.push_back(make_hold(attachment.vertices, cloth, obstacle->motion.at(0), diagnostics));
    holds.back().motion = obstacle->motion;
    holds.back().release = attachment.release;
    holds.back().where = attachment.where;
  }
}

/// The keys of both motions and the times half-way between them.
std::vector<double> times_of(const Motion& a, const Motion& b) {
  std::vector<double> times{0};
  for (const Motion* motion : {&a, &b})
    for (const auto* keys : {&motion->translation.times, &motion->rotation.times})
      times.insert(times.end(), keys->begin(), keys->end());
  std::sort(times.begin(), times.end());
  const size_t count = times.size();
  for (size_t i = 1; i < count; ++i) times.push_back(0.5 * (times[i - 1] + times[i]));
  return times;
}

/// One vertex of a hold.
struct Held {
  const Hold* hold;
  size_t index;
  Vec3 place(double time) const { return hold->pose(time).point(hold->local[index]); }
};

/// Are the two at different places while both hold?
bool disagree(const Held& a, const Held& b) {
  constexpr double kRounding = 1e-6;  // m
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double end = std::min(a.hold->release.value_or(kNever), b.hold->release.value_or(kNever));
  const std::vector<double> times = times_of(a.hold->motion, b.hold->motion);
  return std::any_of(times.begin(), times.end(), [&](double time) {
    return time >= 0 && time < end && (a.place(time) - b.place(time)).norm() > kRounding;
  });
}

/// Compares with what held the same vertices first.
void check_hold(const Hold& hold, const std::string& cloth, std::map<int, Held>& first,
                Diagnostics& diagnostics) {
  int count = 0, vertex = 0;
  const Hold* rival = nullptr;
  for (size_t i = 0; i < hold.vertices.size(); ++i) {
    const auto [earlier, is_new] = first.emplace(hold.vertices[i], Held{&hold, i});
    if (is_new || !disagree(earlier->second, {&hold, i}) || count++ > 0) continue;
    vertex = hold.vertices[i];
    rival = earlier->second.hold;
  }
  if (count == 0) return;
  diagnostics.error(hold.where,
                    "vertex " + std::to_string(vertex) + " of cloth " + in_quotes(cloth) +
                        " is held at another place by " + to_string(rival->where) +
                        (count > 1 ? " (the first of " + std::to_string(count) + " vertices)" : ""),
                    "leave it out of one of them, or give both the same motion");
}

}  // namespace

std::vector<std::unique_ptr<Constraint>> make_holds(const ClothDescription& description,
                                                    const PreparedCloth& cloth,
                                                    std::span<const Obstacle> obstacles,
                                                    Diagnostics& diagnostics) {
  std::vector<Hold> holds;
  add_pins(description, cloth, holds, diagnostics);
  add_attachments(description, cloth, obstacles, holds, diagnostics);
  std::map<int, Held> first;
  for (const Hold& hold : holds) check_hold(hold, description.name, first, diagnostics);
  std::vector<std::unique_ptr<Constraint>> constraints;
  for (Hold& hold : holds) {
    for (int& vertex : hold.vertices) vertex += cloth.first_particle;
    auto pose = [frame = Hold{.motion = hold.motion, .centre = hold.centre}](double time) {
      return frame.pose(time);
    };
    constraints.push_back(std::make_unique<FrameAttachment>(std::move(hold.vertices), std::move(hold.local),
                                                            std::move(pose), hold.release));
  }
  return constraints;
}

}  // namespace heddle
