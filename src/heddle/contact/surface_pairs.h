#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/contact/friction.h>
#include <heddle/geometry/continuous.h>
#include <heddle/geometry/proximity.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

/// Rods begin to press on each other this share of the radius before they touch.
inline constexpr double kRodMargin = 0.05;

/// What a vertex brings into a contact of surfaces.
struct Skin {
  double radius = 0;  // m, half the thickness
  Roughness roughness;
  double inverse_mass = 0;  // 1/kg, zero if it moves as told
  double core = 0;          // m, hard part of the radius, of a rod; cloth is soft throughout
  double stiffness = 0;     // N/m, of contact with its like at least, whatever the masses

  double margin() const { return radius - core; }
};

/// Two parts of surfaces that may meet: a vertex and a triangle, or two edges.
struct PrimitivePair {
  std::array<int, 4> vertices;
  bool vertex_triangle;

  PairPoints points(std::span<const Vec3> positions) const;
};

/// The first moment of a straight motion at which the parts are as near as `separation` (m) to each other or
/// to their hard cores, which touch at the distance `core` (m), if there is one.
std::optional<Contact> first_meeting(const PrimitivePair& pair, const PairPoints& begin,
                                     const PairPoints& end, double separation, double core = 0);
/// A quick look: true if boxes around the two parts are farther apart than `distance`, m.
bool are_boxes_apart(const PrimitivePair& pair, const PairPoints& x, double distance);
/// The nearest points of a pair.
Proximity proximity(const PrimitivePair& pair, const PairPoints& x);
/// True if they are inside of face and edges, not on a border or an end.
bool is_inside(const Proximity& near);

/// All surfaces of a scene that can meet, what they are like, and which of their parts come near each other.
class SurfacePairs {
 public:
  /// `reference` are positions for which the search tree is built, best the rest shape.
  SurfacePairs(CollisionSurface surface, std::vector<Skin> skins, std::span<const Vec3> reference,
               FrictionTable frictions);
  SurfacePairs(const SurfacePairs&) = delete;  // its parts know each other
  SurfacePairs& operator=(const SurfacePairs&) = delete;

  const CollisionSurface& surface() const { return surface_; }
  int vertex_count() const { return surface_.vertex_count; }
  const Skin& skin(int vertex) const { return skins_[static_cast<size_t>(vertex)]; }
  std::span<const double> radii() const { return radii_; }
  /// How near the next vertices along edges are in the reference, m.
  double spacing(int vertex) const { return spacing_[static_cast<size_t>(vertex)]; }
  /// Whether a vertex moves as told, not by forces.
  bool is_told(int vertex) const { return skin(vertex).inverse_mass == 0; }

  /// Finds the candidates of the straight motion from `begin` to `end`, m.
  void search(std::span<const Vec3> begin, std::span<const Vec3> end);
  /// The same for all motions of vertices that stay within `reach` (m, by vertex) of x.
  void search_around(std::span<const Vec3> x, std::span<const double> reach);
  int candidate_count() const;
  PrimitivePair candidate(int k) const;
  /// Appends to `out` what `find(pair, list)` puts on the list for each candidate, in the order of the
  /// candidates; in parallel. `parts` is scratch.
  template <class Found, class Find>
  void collect(const Find& find, std::vector<std::vector<Found>>& parts, std::vector<Found>& out) const;

  /// Distance that a pair keeps, m.
  double thickness(const PrimitivePair& pair) const;
  /// Distance at which hard cores touch, m: zero between cloth, the radius of a rod on cloth, both radii of
  /// two rods. Nodes of rods are kept at their radius from obstacles by other means; for the segments
  /// between them core and thickness are a little smaller there, so that both do not push.
  double core(const PrimitivePair& pair) const;
  /// The same for a pair that starts here; one that starts nearer than its core need only not come nearer.
  double core(const PrimitivePair& pair, const PairPoints& begin) const;
  /// By how much the distance may vary in contact, m: thickness without core.
  double margin(const PrimitivePair& pair) const { return thickness(pair) - core(pair); }
  /// Of contact at least, N/m.
  double stiffness(const PrimitivePair& pair) const;
  Friction friction(const PrimitivePair& pair) const;
  /// Of all searches since it was asked for last.
  SearchWork take_work() { return std::exchange(work_, {}); }

 private:
  void find();
  /// Sum over both sides of the largest of a property of their vertices.
  template <class Property>
  double sum_of_sides(const PrimitivePair& pair, const Property& property) const;
  /// By which core and thickness are smaller, m.
  double reduction(const PrimitivePair& pair) const;

  CollisionSurface surface_;
  std::vector<Skin> skins_;
  FrictionTable frictions_;
  std::vector<double> radii_, reaching_, spacing_;
  std::unique_ptr<BroadPhase> broad_;
  CandidatePairs candidates_;
  SearchWork work_;
  bool has_cores_ = false;
  std::vector<Vec3> relative_end_, partial_;
};

template <class Found, class Find>
void SurfacePairs::collect(const Find& find, std::vector<std::vector<Found>>& parts,
                           std::vector<Found>& out) const {
  constexpr int kChunk = 256;
  const int count = candidate_count();
  parts.resize(std::max(parts.size(), static_cast<size_t>(chunk_count(count, kChunk))));
  for (auto& part : parts) part.clear();
  for_chunks(
      count,
      [&](int first, int last, int chunk) {
        for (int k = first; k < last; ++k) find(candidate(k), parts[static_cast<size_t>(chunk)]);
      },
      kChunk);
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
}

}  // namespace heddle
