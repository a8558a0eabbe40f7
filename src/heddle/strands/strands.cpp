#include <heddle/strands/strands.h>

#include <heddle/core/check.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// What the loops need of a material.
struct Stiffness {
  explicit Stiffness(const StrandMaterial& m)
      : stretch(m.section.stretch_stiffness()),
        stretch_friction(m.section.stretch_friction),
        penalty(m.penalty),
        bending_friction(m.section.bending_friction),
        bending(m.section.bending_stiffness(), m.section.bending_stiffness(), m.section.twist_stiffness()) {}
  double stretch, stretch_friction, penalty, bending_friction;
  Vec3 bending;
};

std::vector<Stiffness> stiffnesses_of(const Strands& strands) {
  return {strands.materials.begin(), strands.materials.end()};
}

/// Relative rotation of a joint on the near side, vector and scalar part.
struct Relative {
  Vec3 v;
  double w;
};

Relative relative_of(const Quat& a, const Quat& b) {
  const Vec3 va = a.vec(), vb = b.vec();
  Relative p{a.w() * vb - b.w() * va - va.cross(vb), a.w() * b.w() + va.dot(vb)};
  if (p.w < 0) {
    p.v = -p.v;
    p.w = -p.w;
  }
  return p;
}

/// a turned by the rotation p.
Vec3 turned(const Relative& p, const Vec3& a) {
  const Vec3 first = 2 * p.v.cross(a);
  return a + p.w * first + p.v.cross(first);
}

void add_joint_moments(const Strands& strands, const std::vector<Stiffness>& stiffness, StrandForces& out) {
  for (const StrandJoint& joint : strands.joints) {
    const StrandSegment &a = strands.segments[at(joint.segments[0])],
                        &b = strands.segments[at(joint.segments[1])];
    const Stiffness& k = stiffness[at(a.material)];
    const Relative p = relative_of(a.frame, b.frame);
    const Vec3 m = k.bending.cwiseProduct(2 / joint.length * p.v - joint.rest);
    const Vec3 straight = p.w * m, sideways = p.v.cross(m);
    Vec3 on_a = straight + sideways, on_b = sideways - straight;
    if (k.bending_friction > 0) {
      const Vec3 rate = k.bending_friction / joint.length * (turned(p, b.spin) - a.spin);
      on_a += rate;
      on_b -= turned({-p.v, p.w}, rate);
    }
    out.moment[at(joint.segments[0])] += on_a;
    out.moment[at(joint.segments[1])] += on_b;
  }
}

/// Third director and the direction of the segment in the axes of its frame.
struct Direction {
  Vec3 d3, local;
};

Direction direction_of(const Quat& q, const Vec3& t) {
  const Vec3 v = q.vec();
  const Vec3 first = 2 * v.cross(t);
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  return {{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
          t - w * first + v.cross(first)};
}

Vec3 penalty_moment(double strength, const Vec3& local) {
  return {-strength * local[1], strength * local[0], 0};
}

/// Pairs of segments that meet at nodes, the earlier end first: the closing node of a ring has its last
/// segment before the first.
std::vector<std::array<int, 2>> meetings_of(const RodShape& shape) {
  std::vector<std::vector<int>> incident(shape.nodes.size());
  for (size_t s = 0; s < shape.segments.size(); ++s)
    for (const int node : shape.segments[s]) incident[at(node)].push_back(static_cast<int>(s));
  std::vector<std::array<int, 2>> pairs;
  for (size_t n = 0; n < incident.size(); ++n)
    for (size_t i = 0; i < incident[n].size(); ++i)
      for (size_t j = i + 1; j < incident[n].size(); ++j) {
        const int a = incident[n][i], b = incident[n][j], node = static_cast<int>(n);
        const bool runs_back = shape.segments[at(a)][0] == node && shape.segments[at(b)][1] == node;
        pairs.push_back(runs_back ? std::array{b, a} : std::array{a, b});
      }
  return pairs;
}

StrandJoint joint_of(const RodShape& shape, const std::array<int, 2>& pair, int first_segment) {
  const auto [a, b] = pair;
  StrandJoint joint{{first_segment + a, first_segment + b},
                    0.5 * (shape.rest_lengths[at(a)] + shape.rest_lengths[at(b)])};
  if (!shape.curvature) {
    joint.rest = 2 / joint.length * relative_of(shape.rest_frames[at(a)], shape.rest_frames[at(b)]).v;
  } else if (shape.curvature->norm() > 0) {
    const double angle = shape.curvature->norm() * joint.length;
    joint.rest = 2 / joint.length * std::sin(0.5 * angle) * shape.curvature->normalized();
  }
  return joint;
}

}  // namespace

Vec3 strand_inertia(const StrandMaterial& material, double length) {
  return material.section.inertia(length).cwiseProduct(
      Vec3(material.inertia_scale, material.inertia_scale, 1));
}

Strands::Place Strands::add(const RodShape& shape, const StrandMaterial& material, int stride) {
  const Place place{node_count(), segment_count()};
  const int number = static_cast<int>(materials.size());
  materials.push_back(material);
  for (const Vec3& x : shape.nodes) {
    const int own = node_count() - place.first_node;
    nodes.push_back({.x = x, .radius = material.section.radius, .initial = own % stride == 0});
  }
  nodes.back().initial = true;
  for (size_t s = 0; s < shape.segments.size(); ++s) {
    const auto& [a, b] = shape.segments[s];
    const double length = shape.rest_lengths[s];
    segments.push_back({.ends = {place.first_node + a, place.first_node + b},
                        .frame = shape.frames[s],
                        .inertia = strand_inertia(material, length),
                        .length = length,
                        .material = number});
    for (const int node : {a, b})
      nodes[at(place.first_node + node)].mass += 0.5 * material.section.line_density() * length;
  }
  for (const auto& pair : meetings_of(shape)) joints.push_back(joint_of(shape, pair, place.first_segment));
  return place;
}

Vec3 Strands::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const StrandNode& node : nodes) sum += node.mass * node.v;
  return sum;
}

Vec3 Strands::angular_momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const StrandNode& node : nodes) sum += node.mass * node.x.cross(node.v);
  for (const StrandSegment& s : segments) sum += s.frame * s.inertia.cwiseProduct(s.spin);
  return sum;
}

void find_forces(const Strands& strands, StrandForces& out) {
  out.force.assign(strands.nodes.size(), Vec3::Zero());
  out.moment.assign(strands.segments.size(), Vec3::Zero());
  const std::vector<Stiffness> stiffness = stiffnesses_of(strands);
  for (size_t i = 0; i < strands.segments.size(); ++i) {
    const StrandSegment& s = strands.segments[i];
    const Stiffness& k = stiffness[at(s.material)];
    const StrandNode &a = strands.nodes[at(s.ends[0])], &b = strands.nodes[at(s.ends[1])];
    const Vec3 edge = b.x - a.x;
    const double length = edge.norm(), inverse = 1 / length;
    const Vec3 t = inverse * edge;
    const Direction d = direction_of(s.frame, t);
    const double strength = s.length * k.penalty;
    const double pull =
        k.stretch * (length / s.length - 1) + k.stretch_friction / s.length * t.dot(b.v - a.v);
    const Vec3 on_b = strength * inverse * (d.d3 - d.local[2] * t) - pull * t;
    out.force[at(s.ends[0])] -= on_b;
    out.force[at(s.ends[1])] += on_b;
    out.moment[i] += penalty_moment(strength, d.local);
  }
  add_joint_moments(strands, stiffness, out);
}

void find_moments(const Strands& strands, StrandForces& out) {
  out.moment.assign(strands.segments.size(), Vec3::Zero());
  const std::vector<Stiffness> stiffness = stiffnesses_of(strands);
  for (size_t i = 0; i < strands.segments.size(); ++i) {
    const StrandSegment& s = strands.segments[i];
    const Vec3 t = (strands.nodes[at(s.ends[1])].x - strands.nodes[at(s.ends[0])].x).normalized();
    out.moment[i] =
        penalty_moment(s.length * stiffness[at(s.material)].penalty, direction_of(s.frame, t).local);
  }
  add_joint_moments(strands, stiffness, out);
}

Vec3 bend_of(const Strands& strands, const StrandJoint& joint) {
  return 2 * relative_of(strands.segments[at(joint.segments[0])].frame,
                         strands.segments[at(joint.segments[1])].frame)
                 .v;
}

StrandEnergies find_energies(const Strands& strands) {
  StrandEnergies sum;
  for (const StrandNode& node : strands.nodes) sum.kinetic += 0.5 * node.mass * node.v.squaredNorm();
  for (const StrandSegment& s : strands.segments) {
    const StrandMaterial& material = strands.materials[at(s.material)];
    const Vec3 edge = strands.nodes[at(s.ends[1])].x - strands.nodes[at(s.ends[0])].x;
    const double strain = edge.norm() / s.length - 1;
    sum.stretch += 0.5 * s.length * material.section.stretch_stiffness() * strain * strain;
    sum.penalty +=
        0.5 * s.length * material.penalty * (edge.normalized() - s.frame * Vec3::UnitZ()).squaredNorm();
    sum.kinetic += 0.5 * s.inertia.dot(s.spin.cwiseAbs2());
  }
  for (const StrandJoint& joint : strands.joints) {
    const RodSection& section = strands.section(strands.segments[at(joint.segments[0])]);
    const Vec3 u = bend_of(strands, joint) / joint.length - joint.rest;
    sum.bending += 0.5 * joint.length * section.bending_stiffness() * u.head<2>().squaredNorm();
    sum.twist += 0.5 * joint.length * section.twist_stiffness() * u[2] * u[2];
  }
  return sum;
}

double longest_stable_step(const Strands& strands, int turning_substeps) {
  double least = HUGE_VAL;
  for (const StrandSegment& s : strands.segments) {
    const StrandMaterial& material = strands.materials[at(s.material)];
    const RodSection& section = material.section;
    const double l2 = s.length * s.length, line = section.line_density();
    const double finer = turning_substeps;
    const double across = s.inertia[0] / s.length, along = s.inertia[2] / s.length;  // kg m
    const double nodes = (section.stretch_stiffness() + material.penalty) / (line * l2);
    const double frames = material.penalty / (4 * across) + section.bending_stiffness() / (across * l2) +
                          section.twist_stiffness() / (along * l2);
    const double sum = nodes + frames / (finer * finer);
    // Friction is explicit, too: 4 sum h^2 + 2 rate h < 4.
    const double rate = 4 * std::max(section.stretch_friction / (line * l2),
                                     section.bending_friction / (std::min(across, along) * l2 * finer));
    least = std::min(least, (std::sqrt(rate * rate + 16 * sum) - rate) / (4 * sum));
  }
  return least;
}

}  // namespace heddle
