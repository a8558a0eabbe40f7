#include "exact_contact.h"
#include "pair_motions.h"

#include <heddle/geometry/continuous.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>

namespace heddle {
namespace {

using test::PairMotion;

bool full() {
  const char* value = std::getenv("HEDDLE_FULL");
  return value && *value && std::string(value) != "0";
}

struct PairKind {
  const char* name;
  ContinuousMethod::Time ContinuousMethod::*time;
  bool (*touches)(const PairPoints& x0, const PairPoints& x1);
  Proximity (*proximity)(const PairPoints& x);
};

const PairKind kVertexTriangle{"vertex-triangle", &ContinuousMethod::vertex_triangle,
                               test::exact_vertex_triangle_contact, vertex_triangle_proximity};
const PairKind kEdgeEdge{"edge-edge", &ContinuousMethod::edge_edge, test::exact_edge_edge_contact,
                         edge_edge_proximity};

double distance_at(const PairKind& kind, const PairMotion& motion, double t) {
  PairPoints x;
  for (size_t i = 0; i < 4; ++i)
    x[i] = (1 - t) * (motion.from[i] - motion.from[0]) + t * (motion.to[i] - motion.to[0]);
  return kind.proximity(x).distance;
}

double size_of(const PairMotion& motion) {
  double size = 0;
  for (size_t i = 1; i < 4; ++i)
    size = std::max({size, (motion.from[i] - motion.from[0]).norm(), (motion.to[i] - motion.to[0]).norm()});
  return size;
}

struct Tally {
  int queries = 0, touching = 0, hits = 0, misses = 0, false_alarms = 0;

  void add(const PairKind& kind, const PairMotion& motion, double separation, bool touches,
           const std::optional<Contact>& contact) {
    ++queries;
    touching += touches;
    hits += contact.has_value();
    misses += touches && !contact;
    if (contact && !touches)
      false_alarms += distance_at(kind, motion, contact->t) > std::max(separation, 1e-12 * size_of(motion));
  }
};

void print(const PairKind& kind, const char* method, const std::map<std::string, Tally>& tallies) {
  for (const auto& [name, tally] : tallies)
    std::cout << std::left << std::setw(16) << kind.name << std::setw(12) << method << std::setw(10) << name
              << std::right << std::setw(9) << tally.queries << " queries " << std::setw(8) << tally.touching
              << " touch " << std::setw(8) << tally.hits << " hits " << std::setw(6) << tally.misses
              << " misses " << std::setw(6) << tally.false_alarms << " false alarms\n";
}

void run_against_oracle(const PairKind& kind, PairMotion (*make)(Random&), int queries) {
  Random random(7);
  std::map<const ContinuousMethod*, std::map<std::string, Tally>> tallies;
  for (int i = 0; i < queries; ++i) {
    const PairMotion motion = make(random);
    const double separation = std::array{0.0, 1e-9, 1e-3}[static_cast<size_t>(random.below(3))];
    const bool touches = kind.touches(motion.from, motion.to);
    for (const ContinuousMethod& method : continuous_methods()) {
      const auto contact = (method.*kind.time)(motion.from, motion.to, separation);
      tallies[&method][motion.kind].add(kind, motion, separation, touches, contact);
    }
  }
  for (const ContinuousMethod& method : continuous_methods()) {
    print(kind, method.name, tallies[&method]);
    int misses = 0, touching = 0, false_alarms = 0;
    for (const auto& [name, tally] : tallies[&method]) {
      misses += tally.misses;
      touching += tally.touching;
      false_alarms += tally.false_alarms;
    }
    EXPECT_GT(touching, queries / 100) << "the queries must be able to find misses";
    if (!method.misses_nothing) continue;
    EXPECT_EQ(misses, 0) << method.name;
    EXPECT_LE(false_alarms, queries / 100) << method.name;
  }
}

// What the header promises of a contact, and of none.
void check_promises(const PairKind& kind, PairMotion (*make)(Random&), int queries) {
  Random random(11);
  int hits = 0;
  for (int i = 0; i < queries; ++i) {
    const PairMotion motion = make(random);
    const double separation = std::array{1e-3, 1e-2, 0.1}[static_cast<size_t>(random.below(3))];
    const ContinuousMethod& method = continuous_methods()[0];
    const auto contact = (method.*kind.time)(motion.from, motion.to, separation);
    const double near = std::min(separation, kKeptFraction * distance_at(kind, motion, 0));
    const double end = contact ? contact->t : 1.0, tiny = 1e-13 * size_of(motion);
    ASSERT_TRUE(end >= 0 && end <= 1);
    for (int k = 0; k <= 20; ++k)
      ASSERT_GE(distance_at(kind, motion, end * k / 20.0), kKeptFraction * near - tiny) << motion.kind;
    if (!contact) continue;
    ++hits;
    Vec3 difference = Vec3::Zero();
    for (size_t k = 0; k < 4; ++k)
      difference += contact->weights[k] *
                    ((1 - end) * (motion.from[k] - motion.from[0]) + end * (motion.to[k] - motion.to[0]));
    ASSERT_NEAR((difference - contact->distance * contact->normal).norm(), 0, 100 * tiny) << motion.kind;
    ASSERT_NEAR(contact->normal.norm(), 1, 1e-14);
  }
  EXPECT_GT(hits, queries / 100);
}

TEST(Continuous, KeepsItsPromises) {
  for (const PairKind& kind : {kVertexTriangle, kEdgeEdge}) {
    check_promises(kind, test::random_motion, 20000);
    check_promises(kind, test::degenerate_motion, 20000);
  }
}

const PairPoints kFlat{Vec3(0.2, 0.2, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};

PairPoints with_vertex(const Vec3& vertex) {
  PairPoints x = kFlat;
  x[0] = vertex;
  return x;
}

TEST(Continuous, FindsTheTimeOfAFallingVertex) {
  for (const ContinuousMethod& method : continuous_methods()) {
    const auto contact = method.vertex_triangle(kFlat, with_vertex({0.2, 0.2, -1}), 0.01);
    ASSERT_TRUE(contact) << method.name;
    EXPECT_NEAR(contact->t, 0.5, 0.006) << method.name;
    EXPECT_NEAR(contact->weights[1], -0.6, 1e-12) << method.name;
    EXPECT_NEAR(std::abs(contact->normal.z()), 1, 1e-12) << method.name;
    EXPECT_FALSE(method.vertex_triangle(kFlat, with_vertex({3, 0.2, -1}), 0.01)) << method.name;
  }
}

TEST(Continuous, LetsNearPairsRestAndPart) {
  const PairPoints low = with_vertex({0.2, 0.2, 0.001});
  EXPECT_FALSE(vertex_triangle_time(low, low, 0.01));
  EXPECT_FALSE(vertex_triangle_time(low, with_vertex({0.5, 0.3, 0.001}), 0.01));
  EXPECT_FALSE(vertex_triangle_time(low, kFlat, 0.01));
  const auto contact = vertex_triangle_time(low, with_vertex({0.2, 0.2, 0.0}), 0.01);
  ASSERT_TRUE(contact);
  EXPECT_GT(contact->distance, 0.0006);
}

TEST(Continuous, CallsWhatIsNotFiniteAContact) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = HUGE_VAL;
  for (const double bad : {nan, infinite, 1e200})
    for (const auto& time : {vertex_triangle_time, edge_edge_time}) {
      const auto start = time(with_vertex({bad, 0, 0}), kFlat, 0.01, 0),
                 end = time(kFlat, with_vertex({0, bad, 0}), 0.01, 0);
      ASSERT_TRUE(start && end);
      EXPECT_EQ(start->t, 0);
      EXPECT_EQ(end->t, 0);
    }
}

TEST(Continuous, RandomVertexTriangle) {
  run_against_oracle(kVertexTriangle, test::random_motion, full() ? 1000000 : 100000);
}
TEST(Continuous, RandomEdgeEdge) {
  run_against_oracle(kEdgeEdge, test::random_motion, full() ? 1000000 : 100000);
}
TEST(Continuous, DegenerateVertexTriangle) {
  run_against_oracle(kVertexTriangle, test::degenerate_motion, full() ? 100000 : 10000);
}
TEST(Continuous, DegenerateEdgeEdge) {
  run_against_oracle(kEdgeEdge, test::degenerate_motion, full() ? 100000 : 10000);
}

/// With a core, the distance outside of it is never lost, and what comes as near is found.
TEST(Continuous, CoresAreNeverReached) {
  constexpr double kCore = 0.1, kSeparation = 0.01;
  std::srand(7);
  const auto random = [] { return Vec3(Vec3::Random()); };
  int met = 0, passed = 0;
  for (int k = 0; k < 3000; ++k) {
    PairMotion motion;
    const Vec3 way = random();
    for (size_t i = 0; i < 4; ++i) {
      motion.from[i] = 0.3 * random();
      motion.to[i] = motion.from[i] + (i < 2 ? way : Vec3(Vec3::Zero())) + 0.1 * random();
    }
    if (distance_at(kEdgeEdge, motion, 0) < kCore) continue;
    const auto contact = edge_edge_time(motion.from, motion.to, kSeparation, kCore);
    const double until = contact ? contact->t : 1;
    for (int step = 0; step <= 50; ++step)
      EXPECT_GT(distance_at(kEdgeEdge, motion, until * step / 50), kCore);
    if (contact) EXPECT_LE(contact->distance, kCore + kSeparation * (1 + 1e-9));
    ++(contact ? met : passed);
  }
  EXPECT_GT(met, 300);
  EXPECT_GT(passed, 300);
}

}  // namespace
}  // namespace heddle
