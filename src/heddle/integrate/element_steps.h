#pragma once

#include <heddle/dynamics/system.h>

#include <cstdint>
#include <vector>

namespace heddle {

/// The elements of all terms of a system in one list: those of terms from outside first, as forces are added
/// up, each term's in their order.
class ElementList {
 public:
  struct Term {
    const ForceTerm* force = nullptr;
    int first = 0;                 // of its elements
    std::vector<double> elements;  // that act on each particle
  };

  /// Does nothing if it was made from this system already.
  void update(const System& system);

  /// Grows whenever the list is made anew.
  int version() const { return version_; }
  int size() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const Term> terms() const { return terms_; }
  /// Terms that do not consist of elements.
  std::span<const ForceTerm* const> whole() const { return whole_; }
  const Term& term_of(int element) const {
    return terms_[static_cast<size_t>(term_[static_cast<size_t>(element)])];
  }
  std::span<const int> particles(int element) const {
    const auto e = static_cast<size_t>(element);
    return {particles_.data() + start_[e], static_cast<size_t>(start_[e + 1] - start_[e])};
  }
  /// See ForceTerm.
  std::span<const double> rest_lengths(int element) const { return lengths_[static_cast<size_t>(element)]; }

 private:
  const System* system_ = nullptr;
  int revision_ = -1, version_ = 0;
  std::vector<Term> terms_;
  std::vector<const ForceTerm*> whole_;
  std::vector<std::uint8_t> term_;
  std::vector<int> start_{0}, particles_;
  std::vector<std::span<const double>> lengths_;
};

/// The longest step at which each element is stable by itself, s.
///
/// If a particle's mass is shared out among the elements that act on it, and each is stable with what it got,
/// all together are if they step alike (Fried 1972). An element whose modes have at most
/// k = |M_e^-1 K_e| and d = |M_e^-1 D_e| needs h^2 k / 4 + h d / 2 <= 1. Bending and damping are bounded in
/// this way as the membrane is, for which Thomaszewski 2010, (4.26) is about the same.
/// Elements of one term get equal shares of a particle; the terms share it so that the stiffest elements of
/// all terms there may take equal steps. Then the steps of neighbours differ little: soft elements with much
/// longer ones would meet resonances of the stiff ones, and the energy would grow.
class ElementSteps {
 public:
  /// `safety` is the share of the longest step that is used, above 0 and below 1.
  void find(const ElementList& elements, const System& system, const Configuration& q, double safety);
  std::span<const double> steps() const { return steps_; }
  /// Elements keep the steps `before` them, of an earlier state, while those are stable and not much too
  /// short. A method whose steps never change is symplectic; one whose steps follow the state is not, and its
  /// energy wanders. Nothing if there are none for these elements.
  void keep(std::span<const double> before, double safety);

 private:
  void bound(const ElementList& elements, const System& system, const Configuration& q);
  void share_masses(const ElementList& elements);

  int version_ = -1;  // of the list that the bounds belong to
  std::vector<ElementBound> bounds_;
  std::vector<double> steps_, mass_;
  std::vector<double> need_;                // 1/s2, per particle, of all terms
  std::vector<std::vector<double>> needs_;  // per term and particle
};

}  // namespace heddle
