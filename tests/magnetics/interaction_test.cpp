#include "test_magnets.h"

#include <heddle/magnetics/cuboid_force.h>
#include <heddle/parallel/scheduler.h>

namespace heddle {

namespace {

Vec3 force_between(const Magnet& a, const Magnet& b, const RigidTransform& pose, const PairOptions& options) {
  PairScratch scratch;
  const PlacedMagnet here(a, {}), there(b, pose);
  return pair_load(there, here, options, scratch).force;
}

/// Small magnets of all kinds, apart from each other in a cube.
struct Heap {
  std::vector<Magnet> magnets;
  std::vector<RigidTransform> poses;
};

Heap heap_of(int side, int cells, uint64_t seed) {
  Random random(seed);
  Heap heap;
  for (int k = 0; k < side * side * side; ++k) {
    heap.magnets.push_back(cube_magnet(cells, random_vector(random)));
    RigidTransform pose = random_pose(random, 0.001);
    pose.translation += 0.02 * Vec3(k % side, k / side % side, k / (side * side));
    heap.poses.push_back(pose);
  }
  return heap;
}

std::vector<Wrench> loads_of(const Heap& heap, const InteractionOptions& options) {
  std::vector<PlacedMagnet> placed;
  for (size_t i = 0; i < heap.magnets.size(); ++i) placed.emplace_back(heap.magnets[i], heap.poses[i]);
  return Interactions(placed, options).loads();
}

/// Root mean square of force differences by that of forces.
double difference(std::span<const Wrench> a, std::span<const Wrench> b) {
  double sum = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += (a[i].force - b[i].force).squaredNorm();
    size += b[i].force.squaredNorm();
  }
  return std::sqrt(sum / size);
}

}  // namespace

// The parts of cells that touch make up for what equal lattices are too strong.
TEST(PairLoad, OfCubesInContactIsRight) {
  const double exact = cuboid_force({}, {}, {0, 0, 0.01}).z();
  for (const int n : {2, 4, 8}) {
    const Magnet cube = cube_magnet(n);
    const double plain =
        force_between(cube, cube, {.translation = {0, 0, 0.01}}, {.contact_parts = false}).z();
    const double ours = force_between(cube, cube, {.translation = {0, 0, 0.01}}, {}).z();
    EXPECT_GT(plain / exact, 1.25) << n;
    EXPECT_NEAR(ours / exact, 1, n == 2 ? 0.06 : 0.03) << n;
  }
}

TEST(PairLoad, OfCubesNearContactIsRightAlsoAside) {
  const Magnet cube = cube_magnet(4);
  for (const double gap : {0.0, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3})
    for (const double aside : {0.0, 0.0013, 0.004}) {
      const Vec3 offset(aside, 0, 0.01 + gap);
      const Vec3 exact = cuboid_force({}, {}, offset);
      const Vec3 ours = force_between(cube, cube, {.translation = offset}, {});
      EXPECT_LT((ours - exact).norm(), 0.03 * exact.norm()) << gap << " " << aside;
    }
}

// Balls of one cell are dipoles also where they touch.
TEST(PairLoad, OfBallsInContactIsThatOfDipoles) {
  const Magnet ball = ball_magnet(0.005, 1, permanent({0, 0, 1}));
  ASSERT_EQ(ball.cells.leaf_count(), 1);
  const Vec3 offset(0.006, 0, 0.008),
      moment = ball.solid->properties().volume / kVacuumPermeability * Vec3::UnitZ();
  const Vec3 exact = dipole_effect(offset, moment, moment).force;
  EXPECT_LT((force_between(ball, ball, {.translation = offset}, {}) - exact).norm(), 1e-9 * exact.norm());
}

TEST(PairLoad, FrontsChangeLittle) {
  Random random(6);
  const Magnet cube = cube_magnet(8), ball = ball_magnet(0.008, 8, permanent({0, 1, 0}));
  for (int k = 0; k < 20; ++k) {
    RigidTransform pose = random_pose(random, 0);
    pose.translation = random.uniform(0.018, 0.06) * random_vector(random).normalized();
    const Vec3 fronts = force_between(cube, ball, pose, {});
    const Vec3 all = force_between(cube, ball, pose, {.front = {.adaptive = false}});
    EXPECT_LT((fronts - all).norm(), 0.03 * all.norm()) << pose.translation.norm();
  }
}

TEST(PairLoad, ReactionIsWhatTheOtherSideComputes) {
  Random random(7);
  const Magnet cube = cube_magnet(4), ball = ball_magnet(0.006, 4, permanent({0, 1, 0}));
  for (int k = 0; k < 20; ++k) {
    const RigidTransform at_cube = random_pose(random, 0.02), at_ball = random_pose(random, 0.02);
    const PlacedMagnet a(cube, at_cube), b(ball, at_ball);
    PairScratch scratch;
    const PairOptions options{.contact_parts =
                                  false};  // parts are of another number seen from the other side
    const Wrench on_a = pair_load(a, b, options, scratch), on_b = pair_load(b, a, options, scratch);
    const Wrench expected = reaction(on_a, a, b);
    EXPECT_LT((on_b.force - expected.force).norm(), 1e-12 * on_b.force.norm());
    EXPECT_LT((on_b.torque - expected.torque).norm(),
              1e-11 * (on_b.torque.norm() + 0.02 * on_b.force.norm()));
  }
}

TEST(Interactions, SumsOfForcesAndTorquesVanish) {
  for (const int cells : {1, 2, 4})
    for (const bool adaptive : {false, true}) {
      const Heap heap = heap_of(3, cells, 8);
      InteractionOptions options{.far_field = false};
      options.pair.front.adaptive = adaptive;
      const Balance balance = balance_of(loads_of(heap, options), heap.poses);
      EXPECT_LT(balance.force, 1e-12) << cells;
      EXPECT_LT(balance.torque, 1e-12) << cells;
    }
}

TEST(Interactions, StayFiniteIfPressedTogether) {
  Heap heap = heap_of(2, 2, 9);
  for (RigidTransform& pose : heap.poses) pose.translation *= 1e-3;
  const std::vector<Wrench> loads = loads_of(heap, {});
  for (const Wrench& load : loads) {
    EXPECT_TRUE(load.force.allFinite() && load.torque.allFinite());
    EXPECT_LT(load.force.norm(), 1000);  // N
  }
  EXPECT_LT(balance_of(loads, heap.poses).torque, 1e-12);
}

TEST(Interactions, FarFieldIsAsAccurateAsAsked) {
  const Heap heap = heap_of(12, 1, 10);
  const std::vector<Wrench> exact = loads_of(heap, {.far_field = false});
  double last = 1;
  for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const std::vector<Wrench> ours = loads_of(heap, {.far_field = true, .accuracy = accuracy});
    const double error = difference(ours, exact);
    EXPECT_LT(error, accuracy);
    EXPECT_LT(error, last);
    EXPECT_GT(error, 0) << "no expansions at all";
    last = error;
    EXPECT_LT(balance_of(ours, heap.poses).force, 1e-12) << "opposite forces between groups";
  }
}

TEST(Interactions, FarFieldTakesMagnetsWithManyCells) {
  const Heap heap = heap_of(6, 4, 11);
  InteractionOptions options{.far_field = false};
  options.pair.front.adaptive = false;
  const std::vector<Wrench> exact = loads_of(heap, options);
  options.far_field = true;
  options.accuracy = 1e-3;
  EXPECT_LT(difference(loads_of(heap, options), exact), 1e-3);
}

TEST(Interactions, AreTheSameBitsOnAnyNumberOfThreads) {
  const Heap heap = heap_of(7, 2, 12);
  const auto run = [&](int threads) { return ThreadPool(threads).run([&] { return loads_of(heap, {}); }); };
  const std::vector<Wrench> one = run(1);
  for (const int threads : {2, 3}) {
    const std::vector<Wrench> several = run(threads);
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].force, several[i].force);
      EXPECT_EQ(one[i].torque, several[i].torque);
    }
  }
}

TEST(ClusterTree, CoversEachPairOnce) {
  Random random(13);
  std::vector<ClusterItem> items;
  for (int i = 0; i < 300; ++i) items.push_back({random_vector(random), 0.01, 1 + i % 3});
  const ClusterTree tree(items, 8);
  for (const ClusterPairs& pairs : {tree.pairs({.separation = 0.6, .least_work = 100}), tree.all_near()}) {
    std::vector<int> seen(items.size() * items.size(), 0);
    for (const auto* list : {&pairs.near, &pairs.far})
      for (const auto& pair : *list)
        for (const int i : tree.items_of(pair[0]))
          for (const int j : tree.items_of(pair[1])) {
            if (i == j || (pair[0] == pair[1] && i > j)) continue;
            ++seen[static_cast<size_t>(std::min(i, j)) * items.size() + static_cast<size_t>(std::max(i, j))];
          }
    for (size_t i = 0; i < items.size(); ++i)
      for (size_t j = i + 1; j < items.size(); ++j) EXPECT_EQ(seen[i * items.size() + j], 1);
  }
  EXPECT_FALSE(tree.pairs({.separation = 0.6, .least_work = 100}).far.empty());
}

TEST(MultipoleTable, ConvergesToTheFieldOfDipoles) {
  Random random(14);
  std::vector<Dipole> dipoles;
  for (int i = 0; i < 10; ++i) dipoles.push_back({0.3 * random_vector(random), random_vector(random)});
  const Vec3 centre(3, 1, -0.5), place = centre + Vec3(0.2, -0.1, 0.25), aside(0.1, 0.05, -0.1);
  Vec3 exact = Vec3::Zero();
  for (const Dipole& d : dipoles) exact += dipole_field(place - d.position, d.moment);
  double last = 1;
  for (const int order : {4, 6, 8, 10, 12}) {
    const MultipoleTable table(order);
    const auto size = static_cast<size_t>(table.size());
    std::vector<double> part(size), multipole(size), local(size), shifted(size);
    // By way of another centre on each side.
    for (const Dipole& d : dipoles) table.add_dipole(d.position - aside, d.moment, part);
    table.add_multipole(part, aside, multipole);
    table.add_local(multipole, centre, local);
    table.shift_local(local, aside, shifted);
    const Vec3 ours = -kDipoleFactor * table.derivatives(shifted, place - centre - aside).first;
    const double error = (ours - exact).norm() / exact.norm();
    EXPECT_LT(error, 0.5 * last) << order;
    last = error;
  }
  EXPECT_LT(last, 1e-6);
}

}  // namespace heddle
