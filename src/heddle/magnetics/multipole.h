#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Expansions of magnetic potentials in powers of coordinates, up to a total order. A multipole holds
/// M_a = sum_j m_j . grad (d_j^a / a!) over dipoles m_j at offsets d_j from its centre, so that the potential
/// at x is sum_a (-1)^|a| M_a D^a(1/|x|); a local expansion holds derivatives L_b of the potential at its
/// centre. Everything without the factor 1/(4 pi). Because orders are counted together (|a| + |b| at most the
/// order), two groups act on each other with opposite forces exactly, and fields are a symmetric function of
/// moments.
class MultipoleTable {
 public:
  explicit MultipoleTable(int order);

  int order() const { return order_; }
  int size() const { return static_cast<int>(powers_.size()); }  // coefficients of an expansion
  /// Of one translation from a multipole to a local expansion: its cost.
  static int term_count(int order);

  void add_dipole(const Vec3& offset, const Vec3& moment, std::span<double> multipole) const;
  /// Adds a multipole whose centre lies at `offset` from that of the other.
  void add_multipole(std::span<const double> from, const Vec3& offset, std::span<double> to) const;
  /// Adds to the local expansion at `offset` from the centre of the multipole.
  void add_local(std::span<const double> multipole, const Vec3& offset, std::span<double> local) const;
  /// Adds a local expansion to one whose centre lies at `offset` from its own.
  void shift_local(std::span<const double> from, const Vec3& offset, std::span<double> to) const;

  struct Derivatives {
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
  };
  /// Of the potential, at an offset from the centre.
  Derivatives derivatives(std::span<const double> local, const Vec3& offset) const;

 private:
  struct Shift {
    int to, from, by;
  };
  using Raised = std::array<std::vector<int>, 3>;
  int index(const std::array<int, 3>& power) const;
  int count_up_to(int order) const { return begin_[static_cast<size_t>(order) + 1]; }
  void scaled_powers(const Vec3& x, std::span<double> out) const;        // x^a / a!
  void inverse_derivatives(const Vec3& x, std::span<double> out) const;  // D^a(1/|x|)

  int order_;
  std::vector<std::array<int, 3>> powers_;  // ascending by total order
  std::vector<int> begin_;                  // of each order
  std::vector<int> index_;
  Raised raised_, lowered_;        // index of a + e, a - e; -1 if there is none
  std::vector<double> factorial_;  // a!
  std::vector<Shift> shifts_;
  std::vector<int> joint_offsets_, joint_;  // for each b: index of a + b for all a that fit
};

}  // namespace heddle
