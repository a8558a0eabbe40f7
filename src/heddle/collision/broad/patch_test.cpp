#include <heddle/collision/broad/patch_test.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr size_t kBlock = 8;  // edges

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Unit vectors in steps of 22.5 degrees.
constexpr std::array<double, 8> kCos{1.0, 0.9238795325112867,  0.7071067811865476,  0.3826834323650898,
                                     0.0, -0.3826834323650898, -0.7071067811865476, -0.9238795325112867};
constexpr std::array<double, 8> kSin{0.0, 0.3826834323650898, 0.7071067811865476, 0.9238795325112867,
                                     1.0, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898};

Swath swath_of(const Vec2& begin, const Vec2& end, double radius) {
  Swath swath;
  for (size_t i = 0; i < 8; ++i) {
    const double a = kCos[i] * begin.x() + kSin[i] * begin.y(), b = kCos[i] * end.x() + kSin[i] * end.y();
    swath[i] = static_cast<float>(radius - (a < b ? a : b));
    swath[i + 8] = static_cast<float>(radius + (a < b ? b : a));
  }
  return swath;
}

/// The contour in the plane across the axis, about its centre: what the whole patch moves by does not matter.
void project(std::span<const int> loop, const Vec3& axis, std::span<const Vec3> x, std::vector<Vec2>& out) {
  Vec3 centre = Vec3::Zero();
  for (const int v : loop) centre += x[at(v)];
  centre /= static_cast<double>(loop.size());
  const Vec3 u = axis.unitOrthogonal(), w = axis.cross(u);
  const double centre_u = centre.dot(u), centre_w = centre.dot(w);
  out.resize(loop.size());
  for (size_t i = 0; i < loop.size(); ++i)
    out[i] = Vec2(x[at(loop[i])].dot(u) - centre_u, x[at(loop[i])].dot(w) - centre_w);
}

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Values between which a product of two vectors stays while both change linearly: its Bernstein
/// coefficients.
struct Between {
  double low, high;
};
template <class Product>
Between between(const Product& product, const Vec2& a0, const Vec2& a1, const Vec2& b0, const Vec2& b1) {
  const double first = product(a0, b0), last = product(a1, b1);
  const double middle = 0.5 * (product(a0, b1) + product(a1, b0));
  return {std::min({first, middle, last}), std::max({first, middle, last})};
}

/// Does the contour go once around its centre, turning by so much with each edge that a vertex keeps
/// `distance` from the rays to its neighbours, and so from all edges but its own? Most compact patches pass
/// this, and it takes one look at each edge instead of one at each pair.
bool is_star(const PatchScratch& s, double distance) {
  const size_t n = s.begin.size();
  int rounds = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t j = i + 1 < n ? i + 1 : 0;
    const double turn = between(cross, s.begin[i], s.end[i], s.begin[j], s.end[j]).low;
    const double farthest = std::max(
        {s.begin[i].squaredNorm(), s.end[i].squaredNorm(), s.begin[j].squaredNorm(), s.end[j].squaredNorm()});
    if (turn <= 0.0 || turn * turn < distance * distance * farthest) return false;
    rounds += s.begin[i].y() < 0.0 && s.begin[j].y() >= 0.0;
  }
  return rounds == 1;
}

/// Do any edges of two blocks meet that are not neighbours in the loop?
bool blocks_meet(const std::vector<Swath>& edges, size_t first, size_t second) {
  const size_t n = edges.size();
  for (size_t i = first * kBlock; i < std::min(n, (first + 1) * kBlock); ++i)
    for (size_t j = std::max(i + 2, second * kBlock); j < std::min(n, (second + 1) * kBlock); ++j)
      if (overlap(edges[i], edges[j]) && !(i == 0 && j == n - 1)) return true;
  return false;
}

bool edges_meet(PatchScratch& s) {
  const size_t n = s.edges.size(), blocks = (n + kBlock - 1) / kBlock;
  s.blocks.resize(blocks);
  for (size_t block = 0; block < blocks; ++block) {
    s.blocks[block] = s.edges[block * kBlock];
    for (size_t i = block * kBlock + 1; i < std::min(n, (block + 1) * kBlock); ++i)
      s.blocks[block] = merged(s.blocks[block], s.edges[i]);
  }
  for (size_t first = 0; first < blocks; ++first)
    for (size_t second = first; second < blocks; ++second)
      if (overlap(s.blocks[first], s.blocks[second]) && blocks_meet(s.edges, first, second)) return true;
  return false;
}

}  // namespace

bool keeps_apart(std::span<const int> loop, const NormalCone& cone, double distance,
                 std::span<const Vec3> begin, std::span<const Vec3> end, PatchScratch& scratch) {
  // Cones are merged in single precision; this covers their rounding.
  const double height = (cone.cosine - 1e-4) * cone.height * (1.0 - 1e-5);
  if (loop.empty() || cone.open() || height <= 0.0 || height < distance) return false;
  const Vec3 axis = cone.axis.cast<double>().normalized();
  project(loop, axis, begin, scratch.begin);
  if (begin.data() == end.data())
    scratch.end.assign(scratch.begin.begin(), scratch.begin.end());
  else
    project(loop, axis, end, scratch.end);
  double size = 0.0;
  for (size_t i = 0; i < loop.size(); ++i)
    size = std::max({size, scratch.begin[i].lpNorm<1>(), scratch.end[i].lpNorm<1>()});
  const double apart = distance * (1.0 + 1e-6) + 1e-6 * size;
  if (height < apart) return false;
  if (is_star(scratch, apart)) return true;
  const size_t n = loop.size();
  scratch.edges.resize(n);
  Swath last = swath_of(scratch.begin[0], scratch.end[0], 0.5 * apart);
  const Swath first = last;
  for (size_t i = 0; i < n; ++i) {
    const Swath next = i + 1 < n ? swath_of(scratch.begin[i + 1], scratch.end[i + 1], 0.5 * apart) : first;
    scratch.edges[i] = merged(last, next);
    last = next;
  }
  return !edges_meet(scratch);
}

}  // namespace heddle
