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
    EXPECT_LE(false_alarms, queries / 50) << method.name;
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

}  // namespace
}  // namespace heddle
