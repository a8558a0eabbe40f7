#include <heddle/sim/holds.h>

#include <heddle/constraints/attachment.h>
#include <heddle/core/text.h>
#include <heddle/mesh/carried_point.h>
#include <heddle/sim/limits.h>
#include <heddle/sim/select.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace heddle {

namespace {

/// Vertices of a cloth that are held at moving places.
struct Hold {
  std::vector<int> vertices;
  std::function<Vec3(size_t index, double time)> place;  // of a vertex of the list, m
  std::vector<double> times;                             // at which the motion may turn, s
  std::optional<double> release;                         // s
  SourceLocation where;
};

std::vector<double> key_times(const Motion& motion) {
  std::vector<double> times = motion.translation.times;
  times.insert(times.end(), motion.rotation.times.begin(), motion.rotation.times.end());
  return times;
}

/// Goes with a rigid motion about a centre; `start` is the frame in which the vertices are at the start.
void follow_motion(Hold& hold, const PreparedCloth& cloth, const Motion& motion, const Vec3& centre,
                   const RigidTransform& start) {
  std::vector<Vec3> local;
  for (int vertex : hold.vertices)
    local.push_back(start.point_to_local(cloth.mesh.positions[static_cast<size_t>(vertex)]));
  hold.place = [local = std::move(local), motion, centre](size_t index, double time) {
    RigidTransform frame = motion.at(time);
    frame.translation += centre;
    return frame.point(local[index]);
  };
  hold.times = key_times(motion);
}

/// Goes with the nearest triangles of a surface that deforms.
void follow_surface(Hold& hold, const PreparedCloth& cloth,
                    const std::shared_ptr<const MovingSurface>& surface) {
  std::vector<Vec3> start;
  for (int vertex : hold.vertices) start.push_back(cloth.mesh.positions[static_cast<size_t>(vertex)]);
  hold.place = [points = carried_points(*surface, start, 0), surface](size_t index, double time) {
    return points[index].at(*surface, time);
  };
  hold.times = key_times(surface->motion);
  for (int k = 0; k < surface->sample_count(); ++k)
    hold.times.push_back(surface->samples.start + k * surface->samples.interval);
}

void add_pins(const ClothDescription& description, const PreparedCloth& cloth, std::vector<Hold>& holds,
              Diagnostics& diagnostics) {
  for (const PinDescription& pin : description.pins) {
    Hold& hold = holds.emplace_back();
    hold.vertices = select_vertices(pin.vertices, cloth.mesh, diagnostics);
    // Relative to where they start: at rest the frame only has its centre.
    follow_motion(hold, cloth, pin.motion, pin.centre, {Quat::Identity(), pin.centre});
    hold.release = pin.release;
    hold.where = pin.where;
  }
}

void add_attachments(const ClothDescription& description, const PreparedCloth& cloth,
                     std::span<const ObstaclePart> obstacles, std::vector<Hold>& holds,
                     Diagnostics& diagnostics) {
  for (const AttachmentDescription& attachment : description.attachments) {
    const auto obstacle = std::find_if(obstacles.begin(), obstacles.end(),
                                       [&](const ObstaclePart& o) { return o.name == attachment.obstacle; });
    std::vector<int> vertices = select_vertices(attachment.vertices, cloth.mesh, diagnostics);
    if (obstacle == obstacles.end()) continue;  // what is wrong with it has been reported
    Hold& hold = holds.emplace_back();
    hold.vertices = std::move(vertices);
    if (obstacle->surface->deforms()) {
      follow_surface(hold, cloth, obstacle->surface);
    } else {
      const Motion& motion = obstacle->surface->motion;
      follow_motion(hold, cloth, motion, Vec3::Zero(), motion.at(0));
    }
    hold.release = attachment.release;
    hold.where = attachment.where;
  }
}

/// The times at which either motion may turn and those half-way between them.
std::vector<double> times_of(const Hold& a, const Hold& b) {
  std::vector<double> times{0};
  for (const Hold* hold : {&a, &b}) times.insert(times.end(), hold->times.begin(), hold->times.end());
  std::sort(times.begin(), times.end());
  const size_t count = times.size();
  for (size_t i = 1; i < count; ++i) times.push_back(0.5 * (times[i - 1] + times[i]));
  return times;
}

/// One vertex of a hold.
struct Held {
  const Hold* hold;
  size_t index;
  Vec3 place(double time) const { return hold->place(index, time); }
};

/// Are the two at different places while both hold?
bool disagree(const Held& a, const Held& b) {
  constexpr double kRounding = 1e-6;  // m
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double end = std::min(a.hold->release.value_or(kNever), b.hold->release.value_or(kNever));
  const std::vector<double> times = times_of(*a.hold, *b.hold);
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

/// Do two vertices get farther apart than the cloth between them can be within its limits?
void check_distance(const Held& a, const Held& b, double longest, const std::string& cloth,
                    Diagnostics& diagnostics) {
  constexpr double kRounding = 1e-6;
  const double end = std::min(a.hold->release.value_or(HUGE_VAL), b.hold->release.value_or(HUGE_VAL));
  for (const double time : times_of(*a.hold, *b.hold)) {
    const double distance = time >= 0 && time < end ? (a.place(time) - b.place(time)).norm() : 0;
    if (distance <= (1 + kRounding) * longest) continue;
    const auto vertex = [](const Held& held) { return std::to_string(held.hold->vertices[held.index]); };
    diagnostics.error(
        b.hold->where,
        "vertices " + vertex(a) + " and " + vertex(b) + " of cloth " + in_quotes(cloth) + " are held " +
            short_number_text(distance) + " m apart at " + short_number_text(time) +
            " s, but within the strain limits of its fabric the cloth between them is at most " +
            short_number_text(longest) + " m long",
        "move the pins nearer to each other, release one of them before, or raise the limits");
    return;
  }
}

/// Looks from the first vertex of every hold at the last ones of all.
void check_reach(const std::vector<Hold>& holds, const PreparedCloth& cloth, Diagnostics& diagnostics) {
  if (std::none_of(cloth.fabrics.begin(), cloth.fabrics.end(),
                   [](const Fabric& f) { return f.has_limits(); }))
    return;
  for (const Hold& hold : holds) {
    if (hold.vertices.empty()) continue;
    const std::vector<double> longest = reach(cloth, hold.vertices.front());
    for (const Hold& other : holds) {
      if (other.vertices.empty() || &other < &hold) continue;
      const size_t last = other.vertices.size() - 1;
      check_distance({&hold, 0}, {&other, last}, longest[static_cast<size_t>(other.vertices[last])],
                     cloth.name, diagnostics);
    }
  }
}

}  // namespace

std::vector<std::unique_ptr<Constraint>> make_holds(const ClothDescription& description,
                                                    const PreparedCloth& cloth,
                                                    std::span<const ObstaclePart> obstacles,
                                                    Diagnostics& diagnostics) {
  std::vector<Hold> holds;
  add_pins(description, cloth, holds, diagnostics);
  add_attachments(description, cloth, obstacles, holds, diagnostics);
  std::map<int, Held> first;
  for (const Hold& hold : holds) check_hold(hold, description.name, first, diagnostics);
  check_reach(holds, cloth, diagnostics);
  std::vector<std::unique_ptr<Constraint>> constraints;
  for (Hold& hold : holds) {
    for (int& vertex : hold.vertices) vertex += cloth.first_particle;
    auto places = [place = std::move(hold.place), count = hold.vertices.size()](double time,
                                                                                std::vector<Vec3>& out) {
      for (size_t k = 0; k < count; ++k) out.push_back(place(k, time));
    };
    constraints.push_back(
        std::make_unique<Attachment>(std::move(hold.vertices), std::move(places), hold.release));
  }
  return constraints;
}

}  // namespace heddle
