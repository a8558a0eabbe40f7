#pragma once

#include <heddle/magnetics/cluster_tree.h>
#include <heddle/magnetics/multipole.h>
#include <heddle/magnetics/pair_load.h>

#include <functional>
#include <optional>

namespace heddle {

/// How many magnets act on each other.
struct InteractionOptions {
  PairOptions pair;
  bool far_field = true;   // expansions between far groups of 200 and more magnets, not pairs alone
  double accuracy = 1e-3;  // of forces by expansions, relative to their root mean square; 1e-6 to 0.1
};

/// The order of expansions for an accuracy.
int expansion_order(double accuracy);

/// All pairs of magnets, near ones by their cells, groups of far ones by expansions. The results are the same
/// bits for any number of threads.
class Interactions {
 public:
  /// For magnets at these places, which must outlive this; moments may change afterwards.
  Interactions(std::span<const PlacedMagnet> magnets, const InteractionOptions& options);

  /// Force and torque on each magnet from all others.
  std::vector<Wrench> loads() const;

  /// Who acts, by the number of the magnet.
  using Chosen = std::function<bool(int magnet)>;
  /// Flux density at all leaves of the `targets` from all `sources` (T), others zero; leaves of magnet i
  /// begin at leaf_offset(i). With `own`, cells of a magnet feel each other too, and all cells act as they
  /// are, not through fronts: the field is then a symmetric function of the moments.
  std::vector<Vec3> fields(const Chosen& sources, const Chosen& targets, bool own) const;

  int leaf_offset(int magnet) const { return leaf_offsets_[static_cast<size_t>(magnet)]; }
  int leaf_count() const { return leaf_offsets_.back(); }
  /// Pairs of clusters that expansions cover.
  int far_pair_count() const { return static_cast<int>(pairs_.far.size()); }

 private:
  using Expansions = std::vector<double>;  // of all clusters
  std::span<double> of(Expansions& all, int cluster) const;
  std::span<const double> of(const Expansions& all, int cluster) const;
  Expansions local_expansions(const Chosen& sources) const;
  void gather_multipoles(const Chosen& sources, Expansions& multipoles) const;
  void add_near_loads(std::vector<Wrench>& loads) const;
  std::vector<Wrench> cluster_loads(int a, int b) const;
  void add_single_loads(std::span<const int> on, std::span<const int> from, std::span<Wrench> sums) const;
  bool is_single(int magnet) const { return magnets_[static_cast<size_t>(magnet)].leaf_count() == 1; }
  void add_far_loads(std::vector<Wrench>& loads) const;
  void add_far_fields(const Chosen& sources, const Chosen& targets, std::vector<Vec3>& fields) const;
  void add_near_fields(int target, const Chosen& sources, bool own, std::span<Vec3> fields) const;
  void add_pair_fields(const PlacedMagnet& target, const PlacedMagnet& source, bool own, PairScratch& scratch,
                       std::span<Vec3> fields) const;

  std::span<const PlacedMagnet> magnets_;
  InteractionOptions options_;
  std::vector<int> leaf_offsets_;
  std::optional<MultipoleTable> table_;  // if there are far pairs
  std::optional<ClusterTree> tree_;
  ClusterPairs pairs_;
  std::vector<std::vector<int>> near_of_, far_of_;  // clusters -> clusters
  std::vector<int> leaf_cluster_;                   // magnet -> the smallest cluster with it
  double single_diameter_ = 0;  // m, of all magnets of one cell if they have the same, else 0
};

}  // namespace heddle
