#include <heddle/forces/rod/rod.h>

#include <heddle/core/check.h>
#include <heddle/forces/field/gravity.h>
#include <heddle/forces/rod/corde.h>
#include <heddle/forces/rod/turning_math.h>
#include <heddle/forces/spring/spring.h>

#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Rest rotations larger than this are taken as an offset of the second frame, because strains end at pi.
constexpr double kSharp = 1.0;  // rad

/// A node where two segments meet.
struct Meeting {
  int node = 0;
  std::array<int, 2> segments{};
};

std::vector<Meeting> meetings_of(const RodShape& shape) {
  std::vector<std::vector<int>> incident(shape.nodes.size());
  for (size_t s = 0; s < shape.segments.size(); ++s)
    for (const int node : shape.segments[s]) incident[at(node)].push_back(static_cast<int>(s));
  std::vector<Meeting> meetings;
  for (size_t n = 0; n < incident.size(); ++n)
    for (size_t i = 0; i < incident[n].size(); ++i)
      for (size_t j = i + 1; j < incident[n].size(); ++j) {
        Meeting meeting{static_cast<int>(n), {incident[n][i], incident[n][j]}};
        // The closing node of a ring has the last segment before the first.
        const bool runs_back = shape.segments[at(incident[n][i])][0] == meeting.node &&
                               shape.segments[at(incident[n][j])][1] == meeting.node;
        if (runs_back) std::swap(meeting.segments[0], meeting.segments[1]);
        meetings.push_back(meeting);
      }
  return meetings;
}

/// From the first frame to the second.
Quat rest_rotation(const RodShape& shape, const Meeting& meeting, double length) {
  if (!shape.curvature)
    return shape.rest_frames[at(meeting.segments[0])].conjugate() *
           shape.rest_frames[at(meeting.segments[1])];
  const double angle = length * shape.curvature->norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, shape.curvature->normalized())) : Quat::Identity();
}

RodJoint joint_of(const RodShape& shape, const Meeting& meeting, const RodSection& section, int first_frame,
                  bool corde) {
  const auto [a, b] = meeting.segments;
  RodJoint joint;
  joint.segments = {first_frame + a, first_frame + b};
  joint.length = 0.5 * (shape.rest_lengths[at(a)] + shape.rest_lengths[at(b)]);
  joint.stiffness = {section.bending_stiffness(), section.bending_stiffness(), section.twist_stiffness()};
  joint.damping = section.bending_friction;
  const Quat rest = rest_rotation(shape, meeting, joint.length);
  const auto rotation = rod::rotation_vector(rod::turn_of(rest)).vector;
  joint.rest = {rotation[0], rotation[1], rotation[2]};
  const double angle = joint.rest.norm();
  if (angle > kSharp) {
    joint.offset = rest;
    joint.rest.setZero();
  } else if (corde && angle > 0) {
    joint.rest *= 2 * std::sin(0.5 * angle) / angle;
  }
  return joint;
}

int far_end(const SegmentEnds& ends, int node) {
  return ends[0] == node ? ends[1] : ends[0];
}

/// Adds the elements of one rod.
class RodBuilder {
 public:
  RodBuilder(const RodShape& shape, const RodSection& section, const RodForm& form, RodSystem& out)
      : shape_(shape), section_(section), form_(form), out_(out) {
    place_.first_particle = out.state.particle_count();
    place_.node_count = static_cast<int>(shape.nodes.size());
    place_.first_frame = static_cast<int>(out.state.frames.size());
    const double scale = form.corde ? form.inertia_scale : 1;
    unscale_ = Vec3(std::sqrt(2 / scale), std::sqrt(2 / scale), 1);  // J33 = 2 J11
    if (form.corde) place_.unscale = unscale_;
  }

  RodPlace build() {
    add_particles();
    add_stretch();
    if (form_.corde)
      add_corde();
    else
      add_exact();
    return place_;
  }

 private:
  int particle(int node) const { return place_.first_particle + node; }
  const RodSegment& segment(int number) const { return place_.segments[at(number)]; }

  void add_particles() {
    std::vector<double> mass(shape_.nodes.size(), 0);
    for (size_t s = 0; s < shape_.segments.size(); ++s)
      for (const int node : shape_.segments[s])
        mass[at(node)] += 0.5 * section_.line_density() * shape_.rest_lengths[s];
    State& state = out_.state;
    state.x.insert(state.x.end(), shape_.nodes.begin(), shape_.nodes.end());
    out_.mass.insert(out_.mass.end(), mass.begin(), mass.end());
    out_.weight.insert(out_.weight.end(), mass.begin(), mass.end());
    for (size_t s = 0; s < shape_.segments.size(); ++s) {
      const auto& [a, b] = shape_.segments[s];
      place_.segments.push_back(
          {{particle(a), particle(b)}, state.particle_count(), static_cast<int>(state.frames.size())});
      state.x.emplace_back(Vec3::Zero());
      state.frames.push_back(shape_.frames[s]);
      out_.mass.push_back(section_.inertia(shape_.rest_lengths[s])[2]);
      out_.weight.push_back(0);
    }
    state.v.resize(state.x.size(), Vec3::Zero());
  }

  template <class Kernel>
  void add_term(Kernel kernel) {
    if (!kernel.nodes.empty())
      out_.terms.push_back(make_term(std::move(kernel), out_.state.particle_count(), form_.implicit));
  }

  void add_stretch() {
    SpringKernel kernel("rod_stretch", {});
    for (size_t s = 0; s < shape_.segments.size(); ++s) {
      const double length = shape_.rest_lengths[s];
      kernel.add(place_.segments[s].ends, length, section_.stretch_stiffness() / length,
                 section_.stretch_friction / length);
    }
    add_term(std::move(kernel));
  }

  void add_exact() {
    RodJointKernel kernel;
    for (const Meeting& meeting : meetings_of(shape_)) {
      const auto [a, b] = meeting.segments;
      const SegmentEnds &first = shape_.segments[at(a)], &second = shape_.segments[at(b)];
      kernel.add({particle(far_end(first, meeting.node)), particle(meeting.node),
                  particle(far_end(second, meeting.node)), segment(a).turning, segment(b).turning},
                 {first[1] == meeting.node, second[0] == meeting.node},
                 joint_of(shape_, meeting, section_, place_.first_frame, false));
    }
    add_term(std::move(kernel));
    out_.turnings.push_back(std::make_unique<ExactTurning>(place_.segments));
  }

  void add_corde() {
    CordeJointKernel joints;
    for (const Meeting& meeting : meetings_of(shape_))
      joints.add({segment(meeting.segments[0]).turning, segment(meeting.segments[1]).turning},
                 joint_of(shape_, meeting, section_, place_.first_frame, true), unscale_);
    CordePenaltyKernel penalties;
    CordeGyroscopicKernel gyroscopes;
    const double penalty = form_.penalty.value_or(section_.stretch_stiffness());
    for (size_t s = 0; s < shape_.segments.size(); ++s) {
      const RodSegment& own = place_.segments[s];
      const double length = shape_.rest_lengths[s];
      penalties.add({own.ends[0], own.ends[1], own.turning}, own.frame, length * penalty, unscale_);
      const Vec3 scale(form_.inertia_scale, form_.inertia_scale, 1);
      if (form_.gyroscopic)
        gyroscopes.add(own.turning, scale.cwiseProduct(section_.inertia(length)), unscale_);
    }
    add_term(std::move(joints));
    add_term(std::move(penalties));
    add_term(std::move(gyroscopes));
    out_.turnings.push_back(std::make_unique<CordeTurning>(place_.segments, unscale_));
  }

  const RodShape& shape_;
  const RodSection& section_;
  const RodForm& form_;
  RodSystem& out_;
  RodPlace place_;
  Vec3 unscale_;
};

}  // namespace

RodPlace RodSystem::add(const RodShape& shape, const RodSection& section, const RodForm& form) {
  return RodBuilder(shape, section, form, *this).build();
}

std::unique_ptr<System> RodSystem::system(const Vec3& gravity) {
  terms.push_back(std::make_unique<Gravity>(weight, gravity));
  auto system = std::make_unique<System>(mass, std::move(terms), std::vector<std::unique_ptr<Constraint>>());
  for (auto& turning : turnings) system->add(std::move(turning));
  return system;
}

}  // namespace heddle
