#pragma once

#include <heddle/contact/pair_contact.h>
#include <heddle/contact/surface_contact.h>
#include <heddle/contact/surface_pairs.h>
#include <heddle/dynamics/barrier.h>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

/// The step that a barrier acts in.
struct BarrierStep {
  std::span<const Vec3> begin;                          // m, of all vertices of the surfaces
  double dt = 0;                                        // s
  double whole = 0;                                     // s, the length of a step that is not cut
  double separation = 0;                                // 1, share of the thickness at which a motion ends
  std::span<const double> inverse_mass;                 // 1/kg, zero for what moves as told
  std::function<bool(const PrimitivePair&)> is_exempt;  // pairs that nothing can keep apart
};

/// Surfaces nearer than their thickness repel each other with a force that grows steeply as they come
/// together (the logarithmic barrier of Li et al. 2020, Incremental potential contact), and rub: Coulomb's
/// law with a linear part below a small speed.
class ContactBarrier final : public Barrier {
 public:
  explicit ContactBarrier(SurfacePairs& pairs) : pairs_(&pairs) {}

  /// Appends what cloth that touches cloth at the beginning of the step does, if it moves on to `ahead`.
  void begin_step(const BarrierStep& step, std::span<const Vec3> ahead, std::vector<PairSpring>& springs);
  /// Lets springs go that pulled in the last solve, and others rub as they pressed, if that changes much.
  Revision revise(std::vector<PairSpring>& springs);
  /// Adds how hard surfaces pressed on the vertices, N s.
  void add_pressures(std::span<double> pressures) const;
  /// From now on vertices that are no particles stay where `end` has them; planes are obstacles as particles
  /// see them. What surfaces rub is limited by how hard they pressed on the vertices in the step so far, N s.
  void begin_search(std::span<const Vec3> end, std::span<PlaneContact> planes,
                    std::span<const double> pressures);

  std::span<const PairSpring> springs(std::span<const Vec3> x) override;
  void finish(double dt) override;
  void clip(std::span<const Vec3> from, std::span<Vec3> to) override;
  std::vector<std::vector<int>> groups_alone(std::span<const RowRange> parts) const override;
  /// The same for the whole step, of all vertices; false if what moves as told meets something all the same.
  bool clip_step(std::span<Vec3> end);

 private:
  struct Meeting {
    std::array<int, 4> vertices;
    double t;  // of the motion
  };
  /// A pair that is nearer than its thickness.
  struct Touching {
    PairSpring press;  // along the normal
    Friction friction;
    double resting_speed = 0;     // m/s, below which friction is a part of its limit
    double pressure = 0;          // N s
    bool let_go = false;          // it pulled
    Vec3 slip = Vec3::Zero();     // m/s, across the normal, as far as it is known
    Vec3 gone = Vec3::Zero();     // m/s, the part of it that belongs to where the solve begins
    bool turned = false;          // friction turned it round in the last solve
    bool slides = false;          // faster than friction can stop it within the step
    Vec3 rubbing = Vec3::Zero();  // N s, that the last solve gave
  };
  /// Of a pair that moved from the beginning of the step to `to`, if it touches.
  std::optional<Touching> touching(const PrimitivePair& pair, const Proximity& near,
                                   std::span<const Vec3> to) const;
  /// On the border of a face the normal leans towards the motion and would stop cloth that slides past.
  bool leans(const PrimitivePair& pair, const Proximity& near) const;
  /// Looks which pairs slide, and appends the springs of all.
  void add_springs(std::vector<PairSpring>& springs);
  std::array<PairSpring, 2> rubbing_springs(const Touching& touching) const;
  /// By how much friction can slow down each vertex within the step, m/s.
  void find_brakes();
  /// Where separation left surfaces too near, they press as they never did; that friction would stop cloth
  /// dead.
  void limit_pressures();
  /// Whether friction of the last solve was more than Coulomb's law allows.
  static bool exceeds(const Touching& touching);
  /// How fast the next solve will find the pair to slip.
  void foresee_slip(Touching& touching) const;
  void read_solve(std::span<const PairSpring> springs);
  /// Of the impulses of the last solve, N s.
  struct Faults {
    double all = 0;       // with which pairs pressed, or pulled
    double pressing = 0;  // that pulled, or should have pressed
    double rubbing = 0;   // that was not as Coulomb's law has it
  };
  /// And what was rubbed beyond that law, as velocities.
  Faults find_faults();
  void add_planes();
  double plane_strength(const PlaneContact& plane) const;  // kg
  /// Makes sure that the candidates hold for all positions between now_ and next_, searching only if one is
  /// farther than foreseen from where the last search was; false if they are so far from each other that this
  /// would make too many candidates.
  bool cover_motion();
  /// Of some vertices and wherever they are likely to be during the step.
  Eigen::AlignedBox3d bounds(RowRange vertices) const;
  void find_meetings();
  /// Of the motion from now_ to next_, until `find()`, called before each round, brings up no meetings.
  template <class Find>
  bool shorten(const Find& find);
  /// Searching along the way, again and again.
  bool shorten_anew();

  SurfacePairs* pairs_;
  BarrierStep step_;
  std::span<PlaneContact> planes_;
  std::span<const double> pressures_;  // N s, by vertex
  std::vector<Vec3> now_, next_;       // m, of all vertices
  std::vector<Vec3> searched_;         // m, where the last search was
  std::vector<double> reach_;          // m, how far from there its candidates hold, by vertex
  std::vector<PairSpring> springs_;
  std::vector<Touching> touching_;
  std::vector<std::vector<Touching>> found_;
  std::vector<Vec3> excess_;      // m/s, by vertex
  std::vector<double> braking_;   // m/s, by vertex
  std::vector<double> pressing_;  // N s, by vertex, while a step is refined
  std::vector<Meeting> meetings_;
  std::vector<std::vector<Meeting>> found_meetings_;
  std::vector<double> share_;  // of the motion that is free, by vertex
  std::vector<char> changed_;  // by vertex, since meetings were looked for last
};

}  // namespace heddle
