#include <heddle/forces/rod/rod_frames.h>

#include <cmath>

namespace heddle {

namespace {

Quat about_d3(double angle) {
  return Quat(std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle));
}

double length_of(std::span<const Vec3> edges) {
  double sum = 0;
  for (const Vec3& edge : edges) sum += edge.norm();
  return sum;
}

/// Angle about d3 from the first frame to the second, which have the same d3.
double twist_between(const Quat& first, const Quat& second) {
  const Quat relative = first.conjugate() * second;
  return 2 * std::atan2(relative.z() * (relative.w() < 0 ? -1 : 1), std::abs(relative.w()));
}

}  // namespace

Quat turned_to(const Quat& frame, const Vec3& direction) {
  return Quat::FromTwoVectors(frame * Vec3::UnitZ(), direction) * frame;
}

void add_twist(std::span<const Vec3> edges, bool closed, double angle, std::vector<Quat>& frames) {
  // From the middle of the first segment to that of the last one, or around.
  double whole = length_of(edges);
  if (!closed) whole -= 0.5 * (edges.front().norm() + edges.back().norm());
  double way = 0;
  for (size_t k = 0; k < edges.size(); ++k) {
    if (k > 0) way += 0.5 * (edges[k - 1].norm() + edges[k].norm());
    if (whole > 0) frames[k] = frames[k] * about_d3(angle * way / whole);
  }
}

std::vector<Quat> transported_frames(std::span<const Vec3> edges, bool closed, double twist) {
  std::vector<Quat> frames;
  for (const Vec3& edge : edges)
    frames.push_back(turned_to(frames.empty() ? Quat::Identity() : frames.back(), edge));
  if (closed && !frames.empty())
    twist += twist_between(turned_to(frames.back(), edges.front()), frames.front());
  if (twist != 0) add_twist(edges, closed, twist, frames);
  return frames;
}

}  // namespace heddle
