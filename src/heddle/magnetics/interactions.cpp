#include <heddle/magnetics/interactions.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<ClusterItem> items_of(std::span<const PlacedMagnet> magnets) {
  std::vector<ClusterItem> items;
  items.reserve(magnets.size());
  for (const PlacedMagnet& magnet : magnets)
    items.push_back({magnet.box.centre, magnet.radius, magnet.leaf_count()});
  return items;
}

/// A number that has no divisor in common with `count`, near its golden section: walking in such steps
/// spreads dear and cheap items over all threads.
int spreading_step(int count) {
  int step = std::max(1, static_cast<int>(0.618 * count));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

/// Calls body(i) for all items, in parallel, in an order that mixes them.
template <class Body>
void spread_for(int count, int chunk, const Body& body) {
  const int step = count > 0 ? spreading_step(count) : 1;
  parallel_for(
      count, [&](int k) { body(static_cast<int>(std::int64_t{k} * step % count)); }, chunk);
}

/// Largest sum of the radii of two groups by their distance, for expansions.
constexpr double kSeparation = 0.58;
/// Fewer magnets act by pairs alone, so that torques balance exactly.
constexpr size_t kManyMagnets = 200;
/// Cells in the smallest groups: as many as make pairs and expansions about as dear.
constexpr int kLeafWeight = 24;

/// Of all magnets of one cell, if it is the same, else 0; m.
double common_diameter(std::span<const PlacedMagnet> magnets) {
  double diameter = 0;
  for (const PlacedMagnet& magnet : magnets) {
    if (magnet.leaf_count() != 1) continue;
    const double own = magnet.magnet->cells.leaf_diameter();
    if (diameter > 0 && std::abs(own - diameter) > 1e-9 * diameter) return 0;
    diameter = own;
  }
  return diameter;
}

bool is_anyone(int) {
  return true;
}

}  // namespace

// Largest errors that were measured, relative to the root mean square of the forces, are below these, see
// docs/models/magnets.md.
int expansion_order(double accuracy) {
  int order = 4;
  for (double reached = 3e-2; reached > accuracy && order < 12; reached /= 3.2) ++order;
  return order;
}

Interactions::Interactions(std::span<const PlacedMagnet> magnets, const InteractionOptions& options)
    : magnets_(magnets), options_(options), leaf_offsets_{0} {
  for (const PlacedMagnet& magnet : magnets)
    leaf_offsets_.push_back(leaf_offsets_.back() + magnet.leaf_count());
  const int order = expansion_order(options.accuracy);
  const std::vector<ClusterItem> items = items_of(magnets);
  tree_.emplace(items, kLeafWeight);
  const FarRule rule{.separation = kSeparation, .least_work = MultipoleTable::term_count(order) / 6};
  const bool has_groups = options.far_field && magnets.size() >= kManyMagnets;
  pairs_ = has_groups ? tree_->pairs(rule) : tree_->all_near();
  if (!pairs_.far.empty()) table_.emplace(order);
  const size_t count = tree_->clusters().size();
  near_of_.resize(count);
  far_of_.resize(count);
  const auto connect = [](const std::vector<std::array<int, 2>>& pairs,
                          std::vector<std::vector<int>>& lists) {
    for (const auto& pair : pairs) {
      lists[at(pair[0])].push_back(pair[1]);
      if (pair[0] != pair[1]) lists[at(pair[1])].push_back(pair[0]);
    }
  };
  connect(pairs_.near, near_of_);
  connect(pairs_.far, far_of_);
  single_diameter_ = common_diameter(magnets);
  leaf_cluster_.resize(magnets.size());
  for (int c = 0; c < static_cast<int>(count); ++c)
    if (tree_->clusters()[at(c)].is_leaf())
      for (const int i : tree_->items_of(c)) leaf_cluster_[at(i)] = c;
}

std::span<double> Interactions::of(Expansions& all, int cluster) const {
  return std::span(all).subspan(at(cluster * table_->size()), at(table_->size()));
}

std::span<const double> Interactions::of(const Expansions& all, int cluster) const {
  return std::span(all).subspan(at(cluster * table_->size()), at(table_->size()));
}

void Interactions::gather_multipoles(const Chosen& sources, Expansions& multipoles) const {
  const std::span<const Cluster> clusters = tree_->clusters();
  const auto count = static_cast<int>(clusters.size());
  spread_for(count, 1, [&](int c) {
    if (!clusters[at(c)].is_leaf()) return;
    for (const int i : tree_->items_of(c)) {
      if (!sources(i)) continue;
      const PlacedMagnet& magnet = magnets_[at(i)];
      for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf)
        table_->add_dipole(magnet.leaf_place(leaf) - clusters[at(c)].centre, magnet.leaf_moment(leaf),
                           of(multipoles, c));
    }
  });
  for (int c = count - 1; c > 0; --c) {
    const int parent = clusters[at(c)].parent;
    table_->add_multipole(of(multipoles, c), clusters[at(c)].centre - clusters[at(parent)].centre,
                          of(multipoles, parent));
  }
}

Interactions::Expansions Interactions::local_expansions(const Chosen& sources) const {
  const std::span<const Cluster> clusters = tree_->clusters();
  const auto count = static_cast<int>(clusters.size());
  Expansions multipoles(at(count * table_->size()), 0.0), locals(multipoles.size(), 0.0);
  gather_multipoles(sources, multipoles);
  spread_for(count, 1, [&](int c) {
    for (const int other : far_of_[at(c)])
      table_->add_local(of(std::as_const(multipoles), other),
                        clusters[at(c)].centre - clusters[at(other)].centre, of(locals, c));
  });
  for (int c = 1; c < count; ++c) {
    const int parent = clusters[at(c)].parent;
    table_->shift_local(of(std::as_const(locals), parent),
                        clusters[at(c)].centre - clusters[at(parent)].centre, of(locals, c));
  }
  return locals;
}

void Interactions::add_far_loads(std::vector<Wrench>& loads) const {
  if (pairs_.far.empty()) return;
  const Expansions locals = local_expansions(is_anyone);
  spread_for(static_cast<int>(magnets_.size()), 8, [&](int i) {
    const PlacedMagnet& magnet = magnets_[at(i)];
    const int cluster = leaf_cluster_[at(i)];
    for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
      const Vec3 &place = magnet.leaf_place(leaf), &moment = magnet.leaf_moment(leaf);
      const auto potential =
          table_->derivatives(of(locals, cluster), place - tree_->clusters()[at(cluster)].centre);
      const Vec3 force = -kDipoleFactor * (potential.second * moment);
      const Vec3 torque = -kDipoleFactor * moment.cross(potential.first);
      loads[at(i)] += {force, torque + (place - magnet.pose.translation).cross(force)};
    }
  });
}

// Magnets that are one dipole each need no fronts: all of a cluster at once.
void Interactions::add_single_loads(std::span<const int> on, std::span<const int> from,
                                    std::span<Wrench> sums) const {
  DipoleList list;
  for (const int i : from)
    if (is_single(i)) list.add(magnets_[at(i)].places[0], magnets_[at(i)].moments[0]);
  list.finish();
  for (size_t k = 0; k < on.size(); ++k) {
    if (!is_single(on[k])) continue;
    const PlacedMagnet& magnet = magnets_[at(on[k])];
    const DipoleLoad load = load_of(list, {magnet.places[0], magnet.moments[0]}, single_diameter_);
    sums[k] += {load.force, load.torque + (magnet.places[0] - magnet.pose.translation).cross(load.force)};
  }
}

/// On the magnets of both clusters, one after the other.
std::vector<Wrench> Interactions::cluster_loads(int a, int b) const {
  const std::span<const int> first = tree_->items_of(a), second = tree_->items_of(b);
  std::vector<Wrench> sums(first.size() + second.size());
  const std::span<Wrench> on_first = std::span(sums).first(first.size());
  const std::span<Wrench> on_second = std::span(sums).subspan(first.size());
  const bool singles_done = single_diameter_ > 0;
  if (singles_done) add_single_loads(first, second, on_first);
  if (singles_done && a != b) add_single_loads(second, first, on_second);
  PairScratch scratch;
  for (size_t i = 0; i < first.size(); ++i)
    for (size_t j = a == b ? i + 1 : 0; j < second.size(); ++j) {
      if (singles_done && is_single(first[i]) && is_single(second[j])) continue;
      const PlacedMagnet &one = magnets_[at(first[i])], &other = magnets_[at(second[j])];
      const Wrench load = pair_load(one, other, options_.pair, scratch);
      on_first[i] += load;
      on_second[j] += reaction(load, one, other);
    }
  return sums;
}

// Pairs of clusters are computed independently, each into places of its own, and then added in a fixed order.
void Interactions::add_near_loads(std::vector<Wrench>& loads) const {
  const auto count = static_cast<int>(pairs_.near.size());
  std::vector<std::vector<Wrench>> results(at(count));
  spread_for(count, 1,
             [&](int k) { results[at(k)] = cluster_loads(pairs_.near[at(k)][0], pairs_.near[at(k)][1]); });
  for (int k = 0; k < count; ++k) {
    size_t next = 0;
    for (const int cluster : pairs_.near[at(k)])
      for (const int i : tree_->items_of(cluster)) loads[at(i)] += results[at(k)][next++];
  }
}

std::vector<Wrench> Interactions::loads() const {
  std::vector<Wrench> loads(magnets_.size());
  add_near_loads(loads);
  add_far_loads(loads);
  return loads;
}

void Interactions::add_pair_fields(const PlacedMagnet& target, const PlacedMagnet& source, bool own,
                                   PairScratch& scratch, std::span<Vec3> fields) const {
  FrontOptions front = options_.pair.front;
  front.adaptive &= !own;
  choose_front(source, target, front, scratch.second_front);
  scratch.second.clear();
  for (const int cell : scratch.second_front)
    scratch.second.add(source.places[at(cell)], source.moments[at(cell)]);
  scratch.second.finish();
  const double closest = closest_distance(target, source);
  const double size = 0.5 * (target.magnet->cells.leaf_size() + source.magnet->cells.leaf_size());
  for (int leaf = 0; leaf < target.leaf_count(); ++leaf) {
    const Vec3& place = target.leaf_place(leaf);
    fields[at(leaf)] +=
        own ? field_of_cubes(scratch.second, place, size) : field_of(scratch.second, place, closest);
  }
}

void Interactions::add_near_fields(int target, const Chosen& sources, bool own,
                                   std::span<Vec3> fields) const {
  PairScratch scratch;
  for (int c = leaf_cluster_[at(target)]; c >= 0; c = tree_->clusters()[at(c)].parent)
    for (const int near : near_of_[at(c)])
      for (const int source : tree_->items_of(near))
        if (sources(source) && (own || source != target))
          add_pair_fields(magnets_[at(target)], magnets_[at(source)], own, scratch, fields);
}

void Interactions::add_far_fields(const Chosen& sources, const Chosen& targets,
                                  std::vector<Vec3>& fields) const {
  if (pairs_.far.empty()) return;
  const Expansions locals = local_expansions(sources);
  spread_for(static_cast<int>(magnets_.size()), 8, [&](int i) {
    if (!targets(i)) return;
    const PlacedMagnet& magnet = magnets_[at(i)];
    const int cluster = leaf_cluster_[at(i)];
    for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
      const Vec3 offset = magnet.leaf_place(leaf) - tree_->clusters()[at(cluster)].centre;
      fields[at(leaf_offset(i) + leaf)] -=
          kDipoleFactor * table_->derivatives(of(locals, cluster), offset).first;
    }
  });
}

std::vector<Vec3> Interactions::fields(const Chosen& sources, const Chosen& targets, bool own) const {
  std::vector<Vec3> fields(at(leaf_count()), Vec3::Zero());
  spread_for(static_cast<int>(magnets_.size()), 1, [&](int i) {
    if (targets(i))
      add_near_fields(i, sources, own,
                      std::span(fields).subspan(at(leaf_offset(i)), at(magnets_[at(i)].leaf_count())));
  });
  add_far_fields(sources, targets, fields);
  return fields;
}

}  // namespace heddle
