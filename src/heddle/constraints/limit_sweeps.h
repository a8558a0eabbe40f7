#pragma once

#include <heddle/constraints/strain_limiter.h>
#include <heddle/core/random.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <array>
#include <vector>

namespace heddle {

/// How single elements are corrected one by one, or all at once, until all are within their bounds.
struct SweepSettings {
  int most = 200;        // iterations
  bool at_once = false;  // Jacobi: all from the same positions; else Gauss-Seidel in random order
  bool active_set =
      true;               // after the first iteration only elements that were corrected, and their neighbours
  bool average = true;    // Jacobi: every element gets a share of the mass of its corners, not all of it
  double relaxation = 1;  // Jacobi: of each correction
  std::uint64_t seed = 1;  // of the random order
};

/// The order and bookkeeping of sweeps; what an element is and wants, the caller says:
///   Elements::kNodes, size(), nodes(e), incidence(),
///   bool violates(e, values): whether the element is beyond its bounds,
///   bool correct(e, values, mass, displacement): whether the element violates its bounds, and how its
///   corners should move then, if they have these masses (infinite: fixed).
/// Linear momentum is kept if every single correction keeps it (Jacobi by mass splitting: Tonge, Benevolenski
/// and Voroshilov 2012).
class LimitSweeps {
 public:
  template <class Elements>
  LimitReport run(const Elements& elements, const SweepSettings& settings, const LimitedParticles& particles,
                  std::span<Vec3> values);

 private:
  template <class Elements>
  void begin(const Elements& elements, const LimitedParticles& particles);
  template <class Elements>
  void enlarge_active_set(const Elements& elements);
  template <class Elements>
  long one_by_one(const Elements& elements, std::span<Vec3> values);
  template <class Elements>
  long all_at_once(const Elements& elements, const SweepSettings& settings, std::span<Vec3> values);
  void shuffle(Random& random);

  static size_t at(int i) { return static_cast<size_t>(i); }

  std::vector<double> mass_;         // kg, infinite for particles that are fixed
  std::vector<int> order_;           // elements to look at
  std::vector<char> is_active_;      // by element
  std::vector<char> was_corrected_;  // by element, in this iteration; Jacobi
  std::vector<int> fresh_;           // corrected in this iteration
  std::vector<Vec3> displacement_;   // by corner; Jacobi
  std::vector<int> share_;           // by particle: how many elements correct it
  std::vector<double> shared_mass_;  // by particle: kg for each of them
};

inline void LimitSweeps::shuffle(Random& random) {
  for (size_t k = order_.size(); k > 1; --k)
    std::swap(order_[k - 1], order_[static_cast<size_t>(random.below(static_cast<std::int64_t>(k)))]);
}

template <class Elements>
void LimitSweeps::begin(const Elements& elements, const LimitedParticles& particles) {
  mass_.assign(particles.mass.begin(), particles.mass.end());
  for (size_t k = 0; k < particles.projection.particles().size(); ++k)
    if (particles.projection.free(k).isZero()) mass_[at(particles.projection.particles()[k])] = kFixed;
  order_.resize(at(elements.size()));
  for (int e = 0; e < elements.size(); ++e) order_[at(e)] = e;
  is_active_.assign(order_.size(), 0);
}

template <class Elements>
void LimitSweeps::enlarge_active_set(const Elements& elements) {
  for (const int e : fresh_)
    for (const int particle : elements.nodes(e))
      for (const int other : elements.incidence().of(particle)) {
        if (is_active_[at(other)]) continue;
        is_active_[at(other)] = 1;
        order_.push_back(other);
      }
}

template <class Elements>
long LimitSweeps::one_by_one(const Elements& elements, std::span<Vec3> values) {
  constexpr size_t N = Elements::kNodes;
  std::array<Vec3, N> moved;
  std::array<double, N> mass;
  fresh_.clear();
  for (const int e : order_) {
    const auto& nodes = elements.nodes(e);
    for (size_t i = 0; i < N; ++i) mass[i] = mass_[at(nodes[i])];
    if (!elements.correct(e, values, mass, moved)) continue;
    for (size_t i = 0; i < N; ++i) values[at(nodes[i])] += moved[i];
    fresh_.push_back(e);
  }
  return static_cast<long>(fresh_.size());
}

template <class Elements>
long LimitSweeps::all_at_once(const Elements& elements, const SweepSettings& settings,
                              std::span<Vec3> values) {
  constexpr size_t N = Elements::kNodes;
  constexpr int kChunk = 64;
  const int count = static_cast<int>(order_.size());
  was_corrected_.assign(at(elements.size()), 0);
  displacement_.resize(at(elements.size()) * N);
  parallel_for(
      count, [&](int k) { was_corrected_[at(order_[at(k)])] = elements.violates(order_[at(k)], values); },
      kChunk);
  fresh_.clear();
  for (int e = 0; e < elements.size(); ++e)
    if (was_corrected_[at(e)]) fresh_.push_back(e);
  if (fresh_.empty()) return 0;
  share_.assign(mass_.size(), 0);
  for (const int e : fresh_)
    for (const int particle : elements.nodes(e)) ++share_[at(particle)];
  shared_mass_ = mass_;
  if (settings.average)
    for (size_t i = 0; i < mass_.size(); ++i) shared_mass_[i] /= std::max(1, share_[i]);
  parallel_for(
      static_cast<int>(fresh_.size()),
      [&](int k) {
        const int e = fresh_[at(k)];
        const auto& nodes = elements.nodes(e);
        std::array<Vec3, N> moved;
        std::array<double, N> mass;
        for (size_t i = 0; i < N; ++i) mass[i] = shared_mass_[at(nodes[i])];
        was_corrected_[at(e)] = elements.correct(e, values, mass, moved);
        for (size_t i = 0; i < N; ++i) displacement_[at(e) * N + i] = moved[i];
      },
      kChunk);
  // Every particle collects what its elements want, in their order: the sum depends on nothing else.
  parallel_for(static_cast<int>(mass_.size()), [&](int particle) {
    if (share_[at(particle)] == 0) return;
    Vec3 sum = Vec3::Zero();
    for (const int place : elements.incidence().places_of(particle))
      if (was_corrected_[at(place) / N]) sum += displacement_[at(place)];
    values[at(particle)] += settings.relaxation / (settings.average ? share_[at(particle)] : 1) * sum;
  });
  return std::count_if(fresh_.begin(), fresh_.end(), [&](int e) { return was_corrected_[at(e)] != 0; });
}

template <class Elements>
LimitReport LimitSweeps::run(const Elements& elements, const SweepSettings& settings,
                             const LimitedParticles& particles, std::span<Vec3> values) {
  begin(elements, particles);
  Random random(settings.seed + particles.salt);
  LimitReport report{.converged = false};
  while (report.iterations < settings.most && !report.converged) {
    if (!settings.at_once) shuffle(random);
    const long corrected =
        settings.at_once ? all_at_once(elements, settings, values) : one_by_one(elements, values);
    ++report.iterations;
    report.corrections += corrected;
    report.converged = corrected == 0;
    if (report.iterations == 1 && settings.active_set) order_.clear();
    if (settings.active_set) enlarge_active_set(elements);
  }
  return report;
}

}  // namespace heddle
