#include <heddle/sim/rod_holds.h>

#include <heddle/constraints/attachment.h>
#include <heddle/constraints/frame_hold.h>
#include <heddle/core/text.h>
#include <heddle/forces/rod/rod_torque.h>
#include <heddle/sim/select.h>

#include <numbers>
#include <set>

namespace heddle {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A rigid motion of a clamped end: first the turn about the rod, then the motion about a centre.
struct ClampMotion {
  Animated<double> turn;  // deg
  Motion motion;
  Vec3 end, axis, centre;

  RigidTransform at_time(double time) const {
    const Quat spin(Eigen::AngleAxisd(turn.at(time) * kDegree, axis));
    const RigidTransform moved = motion.at(time);
    const RigidTransform about_end{spin, end - spin * end};
    return RigidTransform{moved.rotation, moved.translation + centre - moved.rotation * centre} * about_end;
  }
};

class RodHolds {
 public:
  RodHolds(const RodDescription& description, const PreparedRod& rod, const RodPlace& place,
           std::span<const ObstaclePart> obstacles, Diagnostics& out)
      : description_(description), rod_(rod), place_(place), obstacles_(obstacles), out_(out) {}

  std::vector<std::unique_ptr<Constraint>> make() {
    for (const ClampDescription& clamp : description_.clamps) add_clamp(clamp);
    for (const PinDescription& pin : description_.pins) add_pin(pin);
    for (const AttachmentDescription& attachment : description_.attachments) add_attachment(attachment);
    return std::move(constraints_);
  }

 private:
  void hold(std::vector<int> nodes, std::function<RigidTransform(double)> motion,
            std::optional<double> release, const SourceLocation& where) {
    for (const int node : nodes)
      if (!held_.insert(node).second)
        out_.error(where,
                   "node " + std::to_string(node) + " of rod " + in_quotes(rod_.name) + " is held twice",
                   "leave it out of one clamp or pin; a clamp holds the first two or the last two nodes");
    std::vector<Vec3> start;
    for (int& node : nodes) {
      start.push_back(rod_.shape.nodes[at(node)]);
      node += place_.first_particle;
    }
    auto places = [start, motion = std::move(motion)](double time, std::vector<Vec3>& places_then) {
      const RigidTransform moved = motion(time);
      for (const Vec3& x : start) places_then.push_back(moved.point(x));
    };
    constraints_.push_back(std::make_unique<Attachment>(std::move(nodes), std::move(places), release));
  }

  void add_pin(const PinDescription& pin) {
    TriangleMesh points;
    points.positions = rod_.shape.nodes;
    const auto motion = [pin](double time) {
      const RigidTransform moved = pin.motion.at(time);
      return RigidTransform{moved.rotation, moved.translation + pin.centre - moved.rotation * pin.centre};
    };
    hold(select_vertices(pin.vertices, points, out_), motion, pin.release, pin.where);
  }

  void add_attachment(const AttachmentDescription& attachment) {
    TriangleMesh points;
    points.positions = rod_.shape.nodes;
    std::vector<int> nodes = select_vertices(attachment.vertices, points, out_);
    for (const ObstaclePart& obstacle : obstacles_) {
      if (obstacle.name != attachment.obstacle) continue;
      if (obstacle.surface->deforms()) {
        out_.error(attachment.where, "a rod cannot be attached to a surface that deforms",
                   "attach it to a shape or a mesh");
        return;
      }
      const Motion motion = obstacle.surface->motion;
      const RigidTransform start = motion.at(0);
      const RigidTransform back{start.rotation.conjugate(),
                                -(start.rotation.conjugate() * start.translation)};
      hold(
          std::move(nodes), [motion, back](double time) { return motion.at(time) * back; },
          attachment.release, attachment.where);
      return;
    }
  }

  void add_clamp(const ClampDescription& clamp) {
    if (!rod_.has_ends()) return;  // has been reported
    const bool first = clamp.end == "start";
    const size_t segment = first ? 0 : rod_.shape.segments.size() - 1;
    const auto [a, b] = rod_.shape.segments[segment];
    const Vec3 end = rod_.shape.nodes[at(first ? a : b)];
    const Vec3 axis = (rod_.shape.nodes[at(b)] - rod_.shape.nodes[at(a)]).normalized();
    const ClampMotion motion{clamp.turn, clamp.motion, end, axis, clamp.centre.value_or(end)};
    hold(
        {a, b}, [motion](double time) { return motion.at_time(time); }, clamp.release, clamp.where);
    if (clamp.torque) return;  // see make_rod_torques()
    const RodSegment& own = place_.segments[segment];
    const Quat start = rod_.shape.frames[segment];
    constraints_.push_back(std::make_unique<FrameHold>(
        FrameHold::Held{own.frame, own.turning, place_.unscale},
        [motion, start](double time) { return motion.at_time(time).rotation * start; }, clamp.release));
  }

  const RodDescription& description_;
  const PreparedRod& rod_;
  const RodPlace& place_;
  std::span<const ObstaclePart> obstacles_;
  Diagnostics& out_;
  std::set<int> held_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
};

}  // namespace

std::vector<std::unique_ptr<Constraint>> make_rod_holds(const RodDescription& description,
                                                        const PreparedRod& rod, const RodPlace& place,
                                                        std::span<const ObstaclePart> obstacles,
                                                        Diagnostics& diagnostics) {
  return RodHolds(description, rod, place, obstacles, diagnostics).make();
}

std::vector<std::unique_ptr<ForceTerm>> make_rod_torques(const RodDescription& description,
                                                         const PreparedRod& rod, const RodPlace& place,
                                                         Diagnostics& diagnostics) {
  std::vector<std::unique_ptr<ForceTerm>> terms;
  for (const ClampDescription& clamp : description.clamps) {
    if (!clamp.torque || !rod.has_ends()) continue;
    if (!clamp.turn.is_constant() || clamp.turn.at(0) != 0)
      diagnostics.error(
          clamp.where,
          "the " + clamp.end + " of rod " + in_quotes(rod.name) + " has both \"turn\" and \"torque\"",
          "turn it as told or drive it by a moment, not both");
    const RodSegment& own = clamp.end == "start" ? place.segments.front() : place.segments.back();
    const auto moment = [torque = *clamp.torque, release = clamp.release](double time) {
      return release && time >= *release ? 0.0 : torque.at(time);
    };
    terms.push_back(std::make_unique<RodTorque>(own.turning, place.unscale ? 2 : 0,
                                                place.unscale ? (*place.unscale)[2] : 1.0, moment));
  }
  return terms;
}

}  // namespace heddle
