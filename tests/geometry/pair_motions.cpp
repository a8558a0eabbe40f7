#include "pair_motions.h"

#include <array>

namespace heddle::test {

namespace {

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Whole numbers from -2 to 2, so that planes, lines and points coincide exactly.
Vec3 grid_point(Random& random) {
  const auto coordinate = [&] { return static_cast<double>(random.below(5) - 2); };
  return {coordinate(), coordinate(), coordinate()};
}

template <class Point>
PairMotion motion_of(Random& random, const Point& point, std::string kind) {
  PairMotion motion;
  for (size_t i = 0; i < 4; ++i) motion.from[i] = point(random), motion.to[i] = point(random);
  motion.kind = std::move(kind);
  return motion;
}

PairMotion on_grid(Random& random) {
  return motion_of(random, grid_point, "grid");
}

PairMotion in_a_plane(Random& random) {
  PairMotion motion = random.below(2) ? motion_of(random, random_point, "plane") : on_grid(random);
  const int axis = static_cast<int>(random.below(3));
  for (size_t i = 0; i < 4; ++i) motion.from[i][axis] = motion.to[i][axis] = 0.3;
  motion.kind = "plane";
  return motion;
}

PairMotion on_a_line(Random& random) {
  PairMotion motion = in_a_plane(random);
  const int axis = static_cast<int>(random.below(3));
  for (size_t i = 0; i < 4; ++i) motion.from[i][axis] = motion.to[i][axis] = -0.7;
  motion.kind = "line";
  return motion;
}

/// Both edges (two sides of the triangle) keep one direction and its length.
PairMotion parallel(Random& random) {
  PairMotion motion = random.below(2) ? motion_of(random, random_point, "") : on_grid(random);
  const Vec3 edge = grid_point(random);
  motion.from[1] = motion.from[0] + edge;
  motion.to[1] = motion.to[0] + edge;
  motion.from[3] = motion.from[2] + edge;
  motion.to[3] = motion.to[2] + edge;
  motion.kind = "parallel";
  return motion;
}

PairMotion still(Random& random) {
  PairMotion motion = random.below(2) ? motion_of(random, random_point, "") : on_grid(random);
  motion.to = motion.from;
  motion.kind = "still";
  return motion;
}

PairMotion moving_together(Random& random) {
  PairMotion motion = on_grid(random);
  const Vec3 shift = grid_point(random);
  for (size_t i = 0; i < 4; ++i) motion.to[i] = motion.from[i] + shift;
  motion.kind = "together";
  return motion;
}

/// Two or three of the points are one for the whole step.
PairMotion collapsed(Random& random) {
  PairMotion motion = random.below(2) ? motion_of(random, random_point, "") : on_grid(random);
  const size_t from = static_cast<size_t>(random.below(4)), to = static_cast<size_t>(random.below(4));
  motion.from[to] = motion.from[from];
  motion.to[to] = motion.to[from];
  if (random.below(2)) motion.from[3] = motion.from[2], motion.to[3] = motion.to[2];
  motion.kind = "collapsed";
  return motion;
}

/// At one end of the step the first vertex lies exactly on the last one, on the middle of the last two, or on
/// the middle of that and the second.
PairMotion touching_at_an_end(Random& random) {
  PairMotion motion = motion_of(random, random_point, "touch");
  PairPoints& x = random.below(2) ? motion.from : motion.to;
  for (Vec3& point : x) point = point.cast<float>().cast<double>();
  const std::array<Vec3, 3> places{x[3], (x[2] + x[3]) / 2, (x[2] + x[3]) / 4 + x[1] / 2};
  x[0] = places[static_cast<size_t>(random.below(3))];
  return motion;
}

/// A vertex that slides along the others' plane at a height of a few roundings, or just above nothing.
PairMotion sliding(Random& random) {
  PairMotion motion = motion_of(random, random_point, "sliding");
  for (size_t i = 0; i < 4; ++i) motion.from[i].z() = motion.to[i].z() = 0.7;
  const double height = std::ldexp(1.0, -static_cast<int>(random.below(56)));
  motion.from[0].z() += height;
  motion.to[0].z() += random.below(2) ? height : -height;
  return motion;
}

/// Passing by the end of an edge or the corner of a triangle within a hair.
PairMotion grazing(Random& random) {
  PairMotion motion = motion_of(random, random_point, "grazing");
  const double hair = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(50)));
  const double t = random.uniform();
  const Vec3 corner = (1 - t) * motion.from[3] + t * motion.to[3] + Vec3(hair, -hair, hair);
  motion.to[0] = motion.from[0] + (corner - motion.from[0]) / std::max(t, 0.1);
  return motion;
}

PairMotion far_away(Random& random) {
  PairMotion motion = random.below(2)   ? in_a_plane(random)
                      : random.below(2) ? grazing(random)
                                        : parallel(random);
  const Vec3 origin = 1e6 * grid_point(random) + random_point(random);
  const double scale = std::ldexp(1.0, -static_cast<int>(random.below(20)));
  for (size_t i = 0; i < 4; ++i) {
    motion.from[i] = origin + scale * motion.from[i];
    motion.to[i] = origin + scale * motion.to[i];
  }
  motion.kind = "far";
  return motion;
}

/// Long and very narrow, as long as 1 and as wide as 1e-3 to 1e-13; the first vertex passes within that
/// width.
PairMotion needle(Random& random) {
  PairMotion motion = motion_of(random, random_point, "needle");
  const double width = std::pow(10.0, random.uniform(-13, -3));
  const double place = random.below(2) ? 1.0 : random.uniform();
  for (PairPoints* x : {&motion.from, &motion.to})
    (*x)[3] = (1 - place) * (*x)[1] + place * (*x)[2] + width * random_point(random);
  const double t = random.uniform(0.1, 1), s = random.below(2) ? random.uniform() : 1.0;
  const auto along = [&](const PairPoints& x) -> Vec3 { return (1 - s) * x[1] + s * x[2]; };
  const Vec3 goal = (1 - t) * along(motion.from) + t * along(motion.to) + 0.5 * width * random_point(random);
  motion.to[0] = motion.from[0] + (goal - motion.from[0]) / t;
  return motion;
}

using Make = PairMotion (*)(Random&);
constexpr std::array<Make, 12> kDegenerate{on_grid, in_a_plane,      on_a_line, parallel,
                                           still,   moving_together, collapsed, touching_at_an_end,
                                           sliding, grazing,         far_away,  needle};

}  // namespace

PairMotion random_motion(Random& random) {
  return motion_of(random, random_point, "random");
}

PairMotion degenerate_motion(Random& random) {
  return kDegenerate[static_cast<size_t>(random.below(kDegenerate.size()))](random);
}

int degenerate_kind_count() {
  return static_cast<int>(kDegenerate.size());
}

}  // namespace heddle::test
