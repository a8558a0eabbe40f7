#include <heddle/contact/contact_barrier.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Motions that meet are shortened so often before they are left out.
constexpr int kShortenings = 6;
/// They end so far before they would meet.
constexpr double kSafety = 0.9;

/// Searches while a step is refined hold for motions of this share of the thickness, and this many times the
/// present motion.
constexpr double kRoom = 1;
constexpr double kAhead = 2;
/// But not for more than this share of the distance between vertices, or the cloth around each would be
/// found. What moves farther is searched for along its way.
constexpr double kWide = 0.3;

/// True for a pair that is very near already and goes on: detection would let it lose a share of its distance
/// in every correction.
bool comes_too_near(const Proximity& near, const PairPoints& end, double separation, double core) {
  if (near.distance - core > 0.5 * separation) return false;
  double distance = 0;
  for (size_t i = 0; i < 4; ++i) distance += near.weights[i] * near.normal.dot(end[i]);
  return distance < near.distance;
}

/// By how much a pair can come nearer on its way, m.
double longest_approach(const PairPoints& begin, const PairPoints& end) {
  double longest = 0;
  for (size_t i = 0; i < 4; ++i) longest = std::max(longest, (end[i] - begin[i]).squaredNorm());
  return 2 * std::sqrt(longest);
}

}  // namespace

bool ContactBarrier::cover_motion() {
  const auto is_within_reach = [&](size_t i) {
    const double reach = reach_[i] * reach_[i];
    return (next_[i] - searched_[i]).squaredNorm() <= reach &&
           (now_[i] - searched_[i]).squaredNorm() <= reach;
  };
  bool covered = !searched_.empty();
  for (size_t i = 0; covered && i < now_.size(); ++i) covered = is_within_reach(i);
  if (covered) return true;
  searched_.clear();
  reach_.resize(now_.size());
  for (size_t i = 0; i < now_.size(); ++i) {
    const double thickness = 2 * pairs_->skin(static_cast<int>(i)).margin(),
                 way = (next_[i] - now_[i]).norm();
    reach_[i] = kRoom * thickness + std::min(kAhead * way, kWide * pairs_->spacing(static_cast<int>(i)));
    if (way > reach_[i]) return false;
  }
  searched_ = now_;
  pairs_->search_around(searched_, reach_);
  return true;
}

void ContactBarrier::find_meetings() {
  meetings_.clear();
  const auto has_changed = [&](int i) { return changed_[at(i)] != 0; };
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<Meeting>& out) {
        if (std::none_of(pair.vertices.begin(), pair.vertices.end(), has_changed)) return;
        const PairPoints x0 = pair.points(now_), x1 = pair.points(next_);
        const double separation = step_.separation * pairs_->margin(pair);
        const double reach = pairs_->core(pair) + separation + longest_approach(x0, x1);
        if (are_boxes_apart(pair, x0, reach)) return;
        const Proximity near = proximity(pair, x0);
        if (near.distance > reach) return;
        const double core = pairs_->core(pair, x0);
        if (comes_too_near(near, x1, separation, core)) {
          if (!step_.is_exempt(pair)) out.push_back({pair.vertices, 0});
          return;
        }
        const auto met = first_meeting(pair, x0, x1, separation, core);
        if (met && !step_.is_exempt(pair)) out.push_back({pair.vertices, met->t});
      },
      found_meetings_, meetings_);
}

template <class Find>
bool ContactBarrier::shorten(const Find& find) {
  const auto moves = [&](int i) { return next_[at(i)] != now_[at(i)]; };
  const auto can_stop = [&](int i) { return step_.inverse_mass[at(i)] > 0 && moves(i); };
  changed_.assign(now_.size(), 1);
  for (int round = 0; find(), find_meetings(), !meetings_.empty(); ++round) {
    std::fill(changed_.begin(), changed_.end(), 0);
    share_.assign(now_.size(), 1);
    for (const auto& [vertices, t] : meetings_) {
      if (std::none_of(vertices.begin(), vertices.end(), can_stop)) {
        if (std::any_of(vertices.begin(), vertices.end(), moves)) return false;
        continue;  // so near that detection cannot tell that it rests
      }
      for (const int i : vertices) {
        if (!can_stop(i)) continue;
        share_[at(i)] = std::min(share_[at(i)], round < kShortenings ? kSafety * t : 0);
        changed_[at(i)] = 1;
      }
    }
    for (size_t i = 0; i < now_.size(); ++i)
      if (changed_[i]) next_[i] = now_[i] + share_[i] * (next_[i] - now_[i]);
  }
  return true;
}

bool ContactBarrier::shorten_anew() {
  // Every shortening asks for another search: what the motion before it could not meet, the new one may.
  return shorten([&] { pairs_->search(now_, next_); });
}

void ContactBarrier::clip(std::span<const Vec3> from, std::span<Vec3> to) {
  std::copy(from.begin(), from.end(), now_.begin());
  std::copy(to.begin(), to.end(), next_.begin());
  for (const PlaneContact& plane : planes_) {
    const size_t i = at(plane.particle);
    const double least = std::min(plane.reach, plane.normal.dot(now_[i]));
    next_[i] += std::max(0.0, least - plane.normal.dot(next_[i])) * plane.normal;
  }
  if (cover_motion())
    shorten([] {});
  else
    shorten_anew();
  std::copy_n(next_.begin(), to.size(), to.begin());
}

Eigen::AlignedBox3d ContactBarrier::bounds(RowRange vertices) const {
  Eigen::AlignedBox3d box;
  for (int i = vertices.begin; i < vertices.end; ++i) {
    if (pairs_->skin(i).radius == 0) continue;  // turns a segment of a rod and is not in space
    const double way = (now_[at(i)] - step_.begin[at(i)]).norm();
    const Vec3 room = Vec3::Constant(2 * pairs_->skin(i).radius + way);
    for (const Vec3& x : {step_.begin[at(i)], now_[at(i)]}) box.extend(x - room).extend(x + room);
  }
  return box;
}

std::vector<std::vector<int>> ContactBarrier::groups_alone(std::span<const RowRange> parts) const {
  std::vector<Eigen::AlignedBox3d> boxes, told;
  for (const RowRange& part : parts) boxes.push_back(bounds(part));
  for (const CollisionBodyRange& body : pairs_->surface().bodies)
    if (body.kinematic) told.push_back(bounds({body.first_vertex, body.first_vertex + body.vertex_count}));
  const auto meets_told = [&](int part) {
    const RowRange& rows = parts[at(part)];
    return std::any_of(told.begin(), told.end(),
                       [&](const auto& box) { return box.intersects(boxes[at(part)]); }) ||
           std::any_of(planes_.begin(), planes_.end(), [&](const PlaneContact& plane) {
             return plane.particle >= rows.begin && plane.particle < rows.end;
           });
  };
  std::vector<std::vector<int>> groups;
  std::vector<char> seen(parts.size(), 0);
  for (int first = 0; first < static_cast<int>(parts.size()); ++first) {
    if (seen[at(first)]) continue;
    std::vector<int> group{first};
    seen[at(first)] = 1;
    for (size_t k = 0; k < group.size(); ++k)
      for (int other = 0; other < static_cast<int>(parts.size()); ++other)
        if (!seen[at(other)] && boxes[at(group[k])].intersects(boxes[at(other)])) {
          seen[at(other)] = 1;
          group.push_back(other);
        }
    if (std::none_of(group.begin(), group.end(), meets_told)) groups.push_back(std::move(group));
  }
  return groups;
}

bool ContactBarrier::clip_step(std::span<Vec3> end) {
  now_.assign(step_.begin.begin(), step_.begin.end());
  next_.assign(end.begin(), end.end());
  const bool all = shorten_anew();
  std::copy(next_.begin(), next_.end(), end.begin());
  return all;
}

}  // namespace heddle
