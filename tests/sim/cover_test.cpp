// When obstacles show through a cloth of which only the vertices are kept out.

#include <heddle/sim/cover.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle::test {

namespace {

constexpr Bend kBody{Bend::Kind::body, 0.1, 0};

/// A point on the path of vertices over a rim: along one side, round the arc of radius R about the origin,
/// down the other side; `s` is the arc length from the middle of the turn, m.
Vec2 on_path(double s, double R) {
  const double arc = 0.25 * std::numbers::pi * R;
  const double beyond = std::max(std::abs(s) - arc, 0.0), angle = std::min(std::abs(s), arc) / R;
  const Vec2 up(std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2), side(-up[1], up[0]);
  const Vec2 radial = std::cos(angle) * up + std::sin(angle) * side;
  const Vec2 along = -std::sin(angle) * up + std::cos(angle) * side;
  const Vec2 point = R * radial + beyond * along;
  return s < 0 ? Vec2(point[1], point[0]) : point;
}

/// How far the path leaves a chord of it, at the worst of all places of the chord, by trying them.
double sag_by_trying(double edge, double R) {
  double largest = 0;
  const double step = edge / 200;
  for (double s = -2 * edge; s < 2 * edge; s += step) {
    const Vec2 a = on_path(s, R);
    double t = s;
    while ((on_path(t, R) - a).norm() < edge) t += step;
    const Vec2 d = (on_path(t, R) - a).normalized();
    for (double u = s; u < t; u += step) {
      const Vec2 to = on_path(u, R) - a;
      largest = std::max(largest, std::abs(d[0] * to[1] - d[1] * to[0]));
    }
  }
  return largest;
}

}  // namespace

TEST(Cover, SagAtARimIsTheWorstOfAllPlaces) {
  for (double radius : {0.0, 0.005, 0.01, 0.02, 0.06}) {
    const Bend rim{Bend::Kind::rim, radius, 0};
    EXPECT_NEAR(sag(rim, 0.02, 0.001), sag_by_trying(0.02, radius + 0.001), 1e-4) << radius;
  }
}

TEST(Cover, SagOfShortEdgesIsThatOfAParabola) {
  EXPECT_NEAR(sag(kBody, 0.01, 0.001), 0.01 * 0.01 / (8 * 0.101), 1e-6);
}

TEST(Cover, TheBoxOfTheGreyLinesShows) {
  const Cover cotton{0.0189, 0.00032};
  EXPECT_TRUE(shows({Bend::Kind::rim, 0.01, 0.3}, cotton));
  EXPECT_TRUE(shows({Bend::Kind::rim, 0.045, 0.3}, cotton));  // spots near the corners
  EXPECT_FALSE(shows({Bend::Kind::rim, 0.06, 0.3}, cotton));
}

TEST(Cover, EachRemedyAloneCovers) {
  const Cover cloth{0.03, 0.0005};
  for (Bend::Kind kind : {Bend::Kind::body, Bend::Kind::rim})
    for (double radius : {0.004, 0.03}) {
      const Bend bend{kind, radius, 0};
      ASSERT_TRUE(shows(bend, cloth));
      const double wider = radius_that_covers(bend, cloth), finer = edge_that_covers(bend, cloth),
                   thicker = thickness_that_covers(bend, cloth);
      for (const auto& [left, expected] : {std::pair{0.98, true}, {1.02, false}}) {
        const auto too_little = [&](double s) { return s > 0; };
        EXPECT_EQ(too_little(sag({kind, left * wider, 0}, cloth.edge, cloth.clearance()) - cloth.clearance()),
                  expected);
        const Cover fine{finer / left, cloth.thickness}, thick{cloth.edge, left * thicker};
        EXPECT_EQ(too_little(sag(bend, fine.edge, fine.clearance()) - fine.clearance()), expected);
        EXPECT_EQ(too_little(sag(bend, thick.edge, thick.clearance()) - thick.clearance()), expected);
      }
    }
}

}  // namespace heddle::test
