#pragma once

#include <heddle/contact/surface_contact.h>
#include <heddle/core/describe.h>

#include <memory>
#include <vector>

namespace heddle {

/// Scene parameters of contact by velocity constraints.
struct ConstraintContact {
  bool stiction = false;  // cloth that touches cloth sticks to it

  static void describe(Describer<ConstraintContact>& d);
};

/// Vertices of cloth that come near other cloth get their velocity along the normal prescribed in the solver,
/// the most urgent first, and are let go when the constraint would have to pull (Hauth, Etzmuss, Eberhardt
/// et al., Eurographics 2002 tutorial, 3.6, formula 78). There the two sides do not know of each other; here
/// both share the motion they have in common. Nothing is tested along the way: fast cloth passes through.
class ContactByConstraints : public SurfaceContact {
 public:
  ContactByConstraints(const ConstraintContact& parameters, std::unique_ptr<SurfacePairs> pairs);

  const CollisionSurface& surface() const override { return pairs_->surface(); }
  SurfaceContactScope scope() const override { return {.self = true, .obstacles = false}; }
  void begin_step(std::span<const Vec3> begin, bool may_intersect, const HeldParticles& held) override;
  bool predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) override;
  void constrain(VelocityFilter& filter) override;
  std::span<const int> constrained() const override { return constrained_; }
  Revision revise(std::span<const Vec3> reaction) override;
  SurfaceContactReport resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                               std::span<PlaneContact> planes) override;
  const SurfaceContactReport& report() const override { return report_; }
  SearchWork take_search_work() override { return pairs_->take_work(); }

 private:
  /// A pair that comes too near.
  struct Approach {
    std::array<int, 4> vertices{};
    std::array<double, 4> weights{};
    Vec3 normal = Vec3::UnitZ();
    double expected = 0;          // m, distance at the end of the step without contact
    double speed = 0;             // m/s, at which the sides should part
    std::array<bool, 4> holds{};  // the vertices that no more urgent pair has taken
  };
  std::vector<Approach> find_approaches(std::span<const Vec3> begin, double dt);
  /// Each vertex is held by the most urgent pair it belongs to.
  void choose(std::vector<Approach> approaches);
  void list_constrained();
  /// How much faster (m/s) each side must move along the normal so that they part with the wanted speed.
  std::array<double, 2> changes(const Approach& approach) const;

  ConstraintContact parameters_;
  std::unique_ptr<SurfacePairs> pairs_;
  SurfaceContactReport report_;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> velocity_;
  std::vector<Approach> chosen_;
  std::vector<int> constrained_;
  std::vector<std::vector<Approach>> found_;  // by chunk of candidates
};

}  // namespace heddle
