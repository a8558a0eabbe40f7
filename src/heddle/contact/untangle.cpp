#include <heddle/contact/untangle.h>

#include <heddle/geometry/triangles_intersect.h>
#include <heddle/mesh/nearest_face.h>
#include <heddle/parallel/parallel.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace heddle {

namespace {

/// Sheets whose normals agree less than this cross steeply: they are no layers of each other.
constexpr double kLayered = 0.5;
/// Neighbours of loose vertices that are loose too: more than a step can bring to the other side.
constexpr int kLooseRings = 2;
/// A body that meets itself in more contours than this is left alone: which of its parts is on the wrong side
/// of which cannot be told any more.
constexpr size_t kMostContours = 3;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Gives every triangle the number of a seed from which it can be reached, the nearest one; -1 if none.
std::vector<int> spread(const CollisionSurface& surface, std::vector<int> number) {
  std::vector<int> front;
  for (int t = 0; t < surface.triangle_count(); ++t)
    if (number[at(t)] >= 0) front.push_back(t);
  for (size_t k = 0; k < front.size(); ++k)
    for (const int e : surface.triangle_edges[at(front[k])])
      for (const int next : surface.edge_triangles[at(e)]) {
        if (next == kNoFace || number[at(next)] >= 0) continue;
        number[at(next)] = number[at(front[k])];
        front.push_back(next);
      }
  return number;
}

int root(std::vector<int>& parent, int i) {
  while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
  return i;
}

void join(std::vector<int>& parent, int a, int b) {
  a = root(parent, a);
  b = root(parent, b);
  parent[at(std::max(a, b))] = std::min(a, b);
}

std::vector<int> singles(size_t count) {
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  return parent;
}

/// What hangs together, by triangle.
std::vector<int> bodies(const CollisionSurface& surface) {
  std::vector<int> parent = singles(surface.triangles.size());
  for (const auto& [a, b] : surface.edge_triangles)
    if (b != kNoFace) join(parent, a, b);
  std::vector<int> body(parent.size());
  for (size_t t = 0; t < body.size(); ++t) body[t] = root(parent, static_cast<int>(t));
  return body;
}

/// Pairs of intersecting triangles line up along contours. Numbers the triangles on either side of each
/// contour; -1 for the others. `pairs` ascending, smaller triangle first.
std::vector<int> contour_sides(const CollisionSurface& surface, std::span<const std::array<int, 2>> pairs) {
  std::vector<int> parent = singles(2 * pairs.size());  // two triangles of each pair
  for (size_t p = 0; p < pairs.size(); ++p)
    for (const size_t own : {size_t{0}, size_t{1}}) {
      const int triangle = pairs[p][own], other = pairs[p][1 - own];
      for (const int e : surface.triangle_edges[at(triangle)])
        for (const int next : surface.edge_triangles[at(e)]) {
          const std::array<int, 2> along{std::min(next, other), std::max(next, other)};
          const auto found = std::lower_bound(pairs.begin(), pairs.end(), along);
          if (next == triangle || found == pairs.end() || *found != along) continue;
          const auto q = static_cast<size_t>(found - pairs.begin()),
                     side = size_t{along[0] == next ? 0U : 1U};
          join(parent, static_cast<int>(2 * p + own), static_cast<int>(2 * q + side));
          join(parent, static_cast<int>(2 * p + 1 - own), static_cast<int>(2 * q + 1 - side));
        }
    }
  std::vector<int> number(surface.triangles.size(), -1);
  for (size_t p = 0; p < pairs.size(); ++p)
    for (const size_t own : {size_t{0}, size_t{1}})
      if (int& own_number = number[at(pairs[p][own])]; own_number < 0)
        own_number = root(parent, static_cast<int>(2 * p + own));
  return number;
}

using Arc = std::array<int, 2>;

/// Whether a way leads from one node to another along the arcs.
bool leads(const std::set<Arc>& arcs, int from, int to) {
  std::vector<int> open{from};
  std::set<int> seen{from};
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    if (node == to) return true;
    for (auto arc = arcs.lower_bound({node, 0}); arc != arcs.end() && (*arc)[0] == node; ++arc)
      if (seen.insert((*arc)[1]).second) open.push_back((*arc)[1]);
  }
  return false;
}

}  // namespace

Untangler::Untangler(const CollisionSurface& surface) : surface_(surface), body_(bodies(surface)) {}

/// A body that meets itself is cut between the two sides of each contour.
void Untangler::cut_sheets(std::span<const std::array<int, 2>> intersecting) {
  std::vector<std::array<int, 2>> pairs;
  for (const auto& pair : intersecting)
    if (body_[at(pair[0])] == body_[at(pair[1])]) pairs.push_back(pair);
  std::vector<int> seeds = contour_sides(surface_, pairs);
  std::map<int, std::set<int>> sides;  // by body
  for (size_t t = 0; t < body_.size(); ++t)
    if (seeds[t] >= 0) sides[body_[t]].insert(seeds[t]);
  for (size_t t = 0; t < body_.size(); ++t)
    if (seeds[t] >= 0 && sides[body_[t]].size() > 2 * kMostContours) seeds[t] = -1;
  face_sheet_ = spread(surface_, std::move(seeds));
  for (size_t t = 0; t < body_.size(); ++t)
    if (face_sheet_[t] < 0) face_sheet_[t] = static_cast<int>(2 * pairs.size()) + body_[t];
}

void Untangler::number_sheets() {
  std::map<int, int> numbers;
  for (int& sheet : face_sheet_)
    sheet = numbers.try_emplace(sheet, static_cast<int>(numbers.size())).first->second;
  const int count = static_cast<int>(numbers.size());
  faces_.assign(at(count), {});
  vertices_.assign(at(count), {});
  sheet_.assign(at(surface_.vertex_count), -1);
  for (int t = 0; t < surface_.triangle_count(); ++t) {
    const int sheet = face_sheet_[at(t)];
    faces_[at(sheet)].push_back(t);
    for (const int i : surface_.triangles[at(t)]) {
      if (sheet_[at(i)] >= 0) continue;
      sheet_[at(i)] = sheet;
      vertices_[at(sheet)].push_back(i);
    }
  }
  at_border_.assign(at(surface_.vertex_count), 0);
  for (size_t e = 0; e < surface_.edges.size(); ++e)
    if (is_border(static_cast<int>(e)))
      for (const int vertex : surface_.edges[e]) at_border_[at(vertex)] = 1;
}

bool Untangler::is_border(int edge) const {
  const auto& [a, b] = surface_.edge_triangles[at(edge)];
  return b == kNoFace || face_sheet_[at(a)] != face_sheet_[at(b)];
}

void Untangler::look(std::span<const Vec3> positions, std::span<const std::array<int, 2>> intersecting) {
  x_.assign(positions.begin(), positions.end());
  tangled_.clear();
  aspects_.clear();
  passing_.clear();
  leaving_.clear();
  loose_.assign(x_.size(), 0);
  if (intersecting.empty()) return;
  cut_sheets(intersecting);
  number_sheets();
  std::set<std::array<int, 2>> tangled;
  for (const auto& [a, b] : intersecting) {
    const auto [low, high] = std::minmax({face_sheet_[at(a)], face_sheet_[at(b)]});
    if (low != high) tangled.insert({low, high});
  }
  tangled_.assign(tangled.begin(), tangled.end());
  measure();
  find_crossings(intersecting);
  choose_sides();
  find_loose(intersecting);
}

/// Those on the wrong side, what hangs on them beside a border, and the surroundings of contours.
void Untangler::find_loose(std::span<const std::array<int, 2>> intersecting) {
  for (const Aspect& aspect : aspects_) {
    std::vector<char> beside(x_.size(), 0);
    for (const View& view : aspect.views) {
      if (view.side == 0) beside[at(view.vertex)] = 1;
      if (view.side == -aspect.side) loose_[at(view.vertex)] = 1;
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [a, b] : surface_.edges)
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
          if (loose_[at(from)] && beside[at(to)] && !loose_[at(to)]) loose_[at(to)] = 1, grows = true;
    }
  }
  for (const auto& pair : intersecting)
    for (const int t : pair)
      if (!surface_.kinematic(t))
        for (const int i : surface_.triangles[at(t)]) loose_[at(i)] = 1;
  for (int ring = 0; ring < kLooseRings; ++ring) {
    const std::vector<char> inner = loose_;
    for (const auto& [a, b] : surface_.edges) {
      if (inner[at(a)]) loose_[at(b)] = 1;
      if (inner[at(b)]) loose_[at(a)] = 1;
    }
  }
  for (const Aspect& aspect : aspects_) {
    if (!is_obstacle(aspect.viewer)) continue;
    for (const View& view : aspect.views) {
      if (view.side == -aspect.side) passing_.push_back(view.vertex);
      if (is_loose(view.vertex)) leaving_.push_back(view.vertex);
    }
  }
  for (std::vector<int>* list : {&passing_, &leaving_}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

void Untangler::measure() {
  face_normal_.resize(surface_.triangles.size());
  vertex_normal_.assign(x_.size(), Vec3::Zero());
  area_.assign(x_.size(), 0);
  for (size_t t = 0; t < surface_.triangles.size(); ++t) {
    const Triangle& face = surface_.triangles[t];
    const Vec3 twice = (x_[at(face[1])] - x_[at(face[0])]).cross(x_[at(face[2])] - x_[at(face[0])]);
    face_normal_[t] = twice.normalized();
    for (size_t i = 0; i < 3; ++i) {
      const Vec3& own = x_[at(face[i])];
      const Vec3 next = x_[at(face[(i + 1) % 3])] - own, last = x_[at(face[(i + 2) % 3])] - own;
      vertex_normal_[at(face[i])] += std::atan2(next.cross(last).norm(), next.dot(last)) * face_normal_[t];
      area_[at(face[i])] += twice.norm() / 6;
    }
  }
  for (Vec3& normal : vertex_normal_) normal.normalize();
}

void Untangler::find_crossings(std::span<const std::array<int, 2>> intersecting) {
  crossings_.clear();
  for (const auto& pair : intersecting) {
    for (const size_t own : {size_t{0}, size_t{1}}) {
      const Triangle& t = surface_.triangles[at(pair[1 - own])];
      for (const int e : surface_.triangle_edges[at(pair[own])]) {
        const Edge& edge = surface_.edges[at(e)];
        const auto is_end = [&](int vertex) { return vertex == edge[0] || vertex == edge[1]; };
        if (std::none_of(t.begin(), t.end(), is_end) &&
            segment_intersects_triangle(x_[at(edge[0])], x_[at(edge[1])],
                                        {x_[at(t[0])], x_[at(t[1])], x_[at(t[2])]}))
          crossings_.push_back({e, pair[1 - own]});
      }
    }
  }
  std::sort(crossings_.begin(), crossings_.end());
  crossings_.erase(std::unique(crossings_.begin(), crossings_.end()), crossings_.end());
}

/// Returns the normal at the nearest point of the surface. On edges and corners it is the sum of those
/// around, whose sign tells front from behind (Baerentzen and Aanaes 2005).
Vec3 Untangler::set_side(View& view) const {
  constexpr double kZero = 1e-9;
  const Triangle& face = surface_.triangles[at(view.triangle)];
  std::vector<size_t> held;  // corners that the nearest point depends on
  for (size_t i = 0; i < 3; ++i)
    if (view.proximity.weights[i + 1] < -kZero) held.push_back(i);
  Vec3 normal = face_normal_[at(view.triangle)];
  bool beside = false;
  if (held.size() == 1) {
    normal = vertex_normal_[at(face[held[0]])];
    beside = at_border_[at(face[held[0]])] != 0;
  } else if (held.size() == 2) {
    const size_t first = held[1] - held[0] == 1 ? held[0] : held[1];  // of the edge's two corners
    const int edge = surface_.triangle_edges[at(view.triangle)][first];
    const auto& sides = surface_.edge_triangles[at(edge)];
    beside = is_border(edge);
    if (!beside) normal = (face_normal_[at(sides[0])] + face_normal_[at(sides[1])]).normalized();
  }
  view.side = beside ? 0 : normal.dot(view.proximity.normal) < 0 ? -1 : 1;
  return normal;
}

Untangler::Aspect Untangler::aspect_of(int viewer, int seen) const {
  Aspect aspect{.viewer = viewer, .seen = seen};
  const NearestFace nearest(x_, surface_.triangles, faces_[at(viewer)]);
  const std::vector<int>& vertices = vertices_[at(seen)];
  aspect.views.resize(vertices.size());
  std::vector<double> agreement(vertices.size());
  parallel_for(static_cast<int>(vertices.size()), [&](int k) {
    const NearestFace::Found found = nearest.find(x_[at(vertices[at(k)])]);
    View& view = aspect.views[at(k)];
    view = {vertices[at(k)], found.triangle, found.proximity};
    agreement[at(k)] = set_side(view).dot(vertex_normal_[at(view.vertex)]);
  });
  for (size_t k = 0; k < vertices.size(); ++k) {
    const View& view = aspect.views[k];
    const double weight = std::abs(view.side) * area_[at(view.vertex)] * view.proximity.distance;
    (view.side > 0 ? aspect.front : aspect.behind) += weight;
    aspect.aligned += weight * agreement[k];
  }
  return aspect;
}

void Untangler::choose_sides() {
  std::vector<Layers> layers;
  for (const auto& [a, b] : tangled_) {
    if (is_obstacle(a) || is_obstacle(b)) {
      Aspect aspect = is_obstacle(a) ? aspect_of(a, b) : aspect_of(b, a);
      aspect.side = aspect.balance() < 0 ? -1 : 1;
      aspects_.push_back(std::move(aspect));
      continue;
    }
    Layers pair{.second = aspect_of(a, b), .first = aspect_of(b, a)};
    const double total = pair.second.total() + pair.first.total();
    const double alignment = total > 0 ? (pair.second.aligned + pair.first.aligned) / total : 0;
    if (std::abs(alignment) < kLayered) {
      // The sheet of which less is on the wrong side moves.
      const bool is_second =
          pair.first.total() == 0 || (pair.second.total() > 0 && pair.second.wrong() <= pair.first.wrong());
      Aspect& moving = is_second ? pair.second : pair.first;
      moving.side = moving.balance() < 0 ? -1 : 1;
      aspects_.push_back(std::move(moving));
      continue;
    }
    pair.same = alignment < 0 ? -1 : 1;
    pair.balance = pair.second.balance() - pair.same * pair.first.balance();
    pair.clearness = std::abs(pair.balance) / total;
    layers.push_back(std::move(pair));
  }
  order(std::move(layers));
}

/// Which side of each sheet is up, from neighbour to neighbour; the first of each stack looks up.
std::map<int, int> Untangler::find_up(std::span<const Layers> layers) {
  std::map<int, int> up;
  for (const Layers& seed : layers) {
    up.try_emplace(seed.second.viewer, 1);
    for (bool grows = true; grows;) {
      grows = false;
      for (const Layers& pair : layers) {
        const int a = pair.second.viewer, b = pair.second.seen;
        if (up.contains(a)) grows |= up.try_emplace(b, pair.same * up[a]).second;
        if (up.contains(b)) grows |= up.try_emplace(a, pair.same * up[b]).second;
      }
    }
  }
  return up;
}

/// The clearest pairs decide first; one that would close a circle of layers takes the other side.
void Untangler::order(std::vector<Layers> layers) {
  std::stable_sort(layers.begin(), layers.end(),
                   [](const Layers& a, const Layers& b) { return a.clearness > b.clearness; });
  std::map<int, int> up = find_up(layers);
  std::set<Arc> above;  // lower, higher
  for (Layers& pair : layers) {
    const int a = pair.second.viewer, b = pair.second.seen;
    int side = pair.balance < 0 ? -1 : 1;
    const auto arc = [&] { return side * up[a] > 0 ? Arc{a, b} : Arc{b, a}; };
    if (leads(above, arc()[1], arc()[0])) side = -side;
    above.insert(arc());
    pair.second.side = side;
    pair.first.side = -pair.same * side;
    aspects_.push_back(std::move(pair.second));
    aspects_.push_back(std::move(pair.first));
  }
}

bool Untangler::helps(const std::array<int, 2>& pair) const {
  if (tangled_.empty()) return false;
  const auto [first, second] = std::minmax({face_sheet_[at(pair[0])], face_sheet_[at(pair[1])]});
  return std::binary_search(tangled_.begin(), tangled_.end(), std::array{first, second});
}

bool Untangler::are_tangled(int a, int b) const {
  if (tangled_.empty()) return false;
  const auto [first, second] = std::minmax({sheet_[at(a)], sheet_[at(b)]});
  return std::binary_search(tangled_.begin(), tangled_.end(), std::array{first, second});
}

int Untangler::wanted_side(int viewer, int seen) const {
  for (const Aspect& aspect : aspects_)
    if (aspect.viewer == viewer && aspect.seen == seen) return aspect.side;
  return 0;
}

}  // namespace heddle
