#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kThousandth = 1e-3;  // of the radius, overlap

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<Vec3> helix_points(double radius, double pitch, double turns, int segments) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) {
    const double turn = turns * i / segments;
    points.emplace_back(radius * std::cos(2 * kPi * turn), radius * std::sin(2 * kPi * turn), pitch * turn);
  }
  return points;
}

StrandTally run(StrandEngine& engine, double dt, double seconds) {
  StrandTally tally;
  const double until = engine.time() + seconds - 0.5 * dt;
  while (engine.time() < until) tally.add(engine.strands, engine.step(dt));
  return tally;
}

Claim no_overlap(double deepest) {
  return {"rods overlap by no more than a thousandth of the radius after any step", "6.1.3",
          fmt::format("deepest {:.1e}", deepest), deepest <= kThousandth};
}

}  // namespace

namespace {

constexpr int kWireSegments = 50;

/// Three layers of two wires above a floor.
StrandEngine wire_pile(const StrandMaterial& wire) {
  StrandEngine pile({}, {{Vec3::Zero(), Vec3::UnitZ(), 0.4}});
  pile.gravity = Vec3(0, 0, -9.81);
  constexpr int kWires = 6;
  for (int k = 0; k < kWires; ++k) {
    const double side = k % 2 == 0 ? -0.025 : 0.025, height = 0.0012 + 0.0022 * (k / 2);
    const bool along = (k / 2) % 2 == 0;
    const Vec3 from = along ? Vec3(-0.05, side, height) : Vec3(side, -0.05, height);
    pile.strands.add(straight_strand(0.1, kWireSegments, 0, from, along ? Vec3::UnitX() : Vec3::UnitY()),
                     wire);
  }
  return pile;
}

}  // namespace

Result<Findings> spillmann_wires(const Effort& effort) {
  Findings findings;
  StrandMaterial wire = wire_strand();
  wire.friction = 0.4;
  StrandEngine pile = wire_pile(wire);
  const double dt = 0.7 * longest_stable_step(pile.strands);
  effort.progress("a pile");
  const StrandTally tally = run(pile, dt, effort.quick ? 0.05 : 0.2);
  const double bottom = pile.strands.nodes[25].x[2],
               top = pile.strands.nodes[at(4 * (kWireSegments + 1) + 25)].x[2];
  const StrandEnergies rest = find_energies(pile.strands);

  effort.progress("a spring");
  StrandEngine spring;
  const auto coil = helix_points(0.01, 0.006, 4, kWireSegments);
  wire.section.bending_friction *= 30;  // so that it comes to rest
  spring.strands.add(rod_through(coil, false), wire);
  hold(spring.strands, 0);
  StrandNode& end = spring.strands.nodes.back();
  end.held = true;
  end.v = Vec3(0, 0, 0.2);
  const double quick = std::min(dt, 0.7 * longest_stable_step(spring.strands));
  run(spring, quick, 0.05);
  const double drawn = end.x[2], energy = find_energies(spring.strands).elastic();
  end.held = false;
  end.v.setZero();
  const int pieces = effort.quick ? 20 : 60;
  for (int k = 0; k < pieces; ++k) {
    run(spring, quick, 0.01);
    slow_down(spring.strands, 0.7);
  }
  const double back = end.x[2], wanted = coil.back()[2];
  findings.figures = {{"step, with alpha = 1", "5e-5 s, beyond the limits of its own figures",
                       fmt::format("{:.2e} s; pile {}", dt, tally.parts())},
                      {"spring: length at rest, drawn, let go", "",
                       fmt::format("{:.4f}, {:.4f}, {:.4f} m", wanted, drawn, back)}};
  findings.claims = {
      {"stiff wires stay piled", "3.6.3, figure 3.16",
       fmt::format("bottom at {:.4f}, top at {:.4f} m, {:.1e} J in motion", bottom, top, rest.kinetic),
       std::abs(bottom - 0.001) < 5e-4 && top > 0.0045 && top < 0.0065},
      no_overlap(tally.deepest),
      {"a spring returns to its shape", "3.6.3",
       fmt::format("{:.1e} J of {:.1e} J are left", find_energies(spring.strands).elastic(), energy),
       find_energies(spring.strands).elastic() < 0.01 * energy && std::abs(back - wanted) < 0.002}};
  return findings;
}

Result<Findings> spillmann_thread(const Effort& effort) {
  Findings findings;
  StrandMaterial thread = thread_strand();
  thread.friction = 0.3;
  StrandEngine engine({}, {{Vec3(0, 0, -0.5), Vec3::UnitZ(), 0.3}});
  engine.gravity = Vec3(0, 0, -9.81);
  std::vector<Vec3> points;
  for (int i = 0; i <= 100; ++i) points.emplace_back(0.01 * i, 0.02 * std::sin(0.1 * i), 0);
  engine.strands.add(limp_shape(points), thread);
  hold(engine.strands, 0);
  const double limit = longest_stable_step(engine.strands), dt = 0.25 * limit;
  effort.progress("a thread falls on the floor");
  const auto start = std::chrono::steady_clock::now();
  const double seconds = effort.quick ? 2 : 10;
  const StrandTally tally = run(engine, dt, seconds);
  const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  findings.figures = {{"step", "2 ms", fmt::format("{:.2f} ms, limit {:.2f} ms", 1e3 * dt, 1e3 * limit)},
                      {"cost of a step", "1.9 ms with everything", tally.parts()},
                      {"contacts", "", fmt::format("at most {}", tally.most_contacts)}};
  findings.claims = {
      {"100 elements run in real time", "1.04 times real time",
       fmt::format("{:.0f} times real time", seconds / taken), seconds > taken},
      {"and stay whole", "3.6.3", fmt::format("{:.1e} J in motion", find_energies(engine.strands).kinetic),
       find_energies(engine.strands).kinetic < 0.1},
      no_overlap(tally.deepest)};
  return findings;
}

Result<Findings> spillmann_spiral(const Effort& effort) {
  Findings findings;
  StrandMaterial cord = cord_strand(0.2);
  cord.section.radius = 0.002;
  cord.section.young = 4e6;
  cord.section.shear = 1.5e6;
  cord.section.stretch = 4e6;
  cord.section.stretch_friction = 1e-3;
  cord.section.bending_friction = 1e-9;
  cord.penalty = 40;
  StrandEngine engine;
  constexpr int kSegments = 160;
  const RodShape shape = rod_through(helix_points(0.02, 0.03, 5, kSegments), false);
  engine.strands.add(shape, cord);
  hold(engine.strands, 0);
  hold(engine.strands, kSegments - 1);
  // The last segment turns about the axis of the helix.
  static constexpr double kRate = 2 * kPi;  // rad/s
  engine.prescribe = [](double, Strands& strands) {
    StrandSegment& last = strands.segments[kSegments - 1];
    const Vec3 spin(0, 0, kRate);
    last.spin = last.frame.conjugate() * spin;
    for (const int end : last.ends) strands.nodes[at(end)].v = spin.cross(strands.nodes[at(end)].x);
  };
  const double dt = std::min(1e-4, 0.6 * longest_stable_step(engine.strands));
  std::vector<int> contacts;
  double deepest = -1;
  for (const int turns : {2, 4, 6}) {
    effort.progress(fmt::format("{} turns", turns));
    const StrandTally tally = run(engine, dt, 2);
    slow_down(engine.strands, 0.5);
    contacts.push_back(static_cast<int>(std::lround(tally.contacts())));
    deepest = std::max(deepest, tally.deepest);
    findings.figures.push_back({fmt::format("contacts until {} turns", turns), "",
                                fmt::format("{:.1f}, at most {}", tally.contacts(), tally.most_contacts)});
  }
  findings.claims = {{"a spiral that is turned on winds about itself", "figure 3.5",
                      fmt::format("{}, {}, {} contacts", contacts[0], contacts[1], contacts[2]),
                      contacts[2] > contacts[1] && contacts[2] > 5},
                     no_overlap(deepest)};
  return findings;
}

namespace {

/// Meridians of a sphere that meet in nodes 0 and 1, rings of nodes between.
RodShape meridians(int count, int pieces, double radius) {
  std::vector<Vec3> points{{0, 0, radius}, {0, 0, -radius}};
  std::vector<SegmentEnds> segments;
  for (int k = 0; k < count; ++k) {
    int last = 0;
    for (int i = 1; i <= pieces; ++i) {
      const double down = kPi * i / pieces, around = 2 * kPi * k / count;
      const int next = i == pieces ? 1 : static_cast<int>(points.size());
      if (next != 1)
        points.push_back(radius * Vec3(std::sin(down) * std::cos(around), std::sin(down) * std::sin(around),
                                       std::cos(down)));
      segments.push_back({last, next});
      last = next;
    }
  }
  return rods_along(std::move(points), segments);
}

/// Largest distance from the z axis of nodes at a height.
double width_at(const Strands& strands, double low, double high) {
  double most = 0;
  for (const StrandNode& node : strands.nodes)
    if (node.x[2] >= low && node.x[2] <= high) most = std::max(most, node.x.head<2>().norm());
  return most;
}

}  // namespace

Result<Findings> spillmann_spheroid(const Effort& effort) {
  Findings findings;
  static constexpr double kRadius = 0.1, kRate = kPi;  // m, rad/s
  constexpr int kMeridians = 4, kPieces = 24;
  StrandMaterial cord = cord_strand(0.2);
  cord.section.radius = 0.003;
  cord.section.young = 2e6;
  cord.section.shear = 8e5;
  cord.section.stretch_friction = 1e-3;
  cord.section.bending_friction = 1e-8;
  StrandEngine engine;
  engine.strands.add(meridians(kMeridians, kPieces, kRadius), cord);
  for (int s = 0; s < engine.strands.segment_count(); ++s) {
    const auto& ends = engine.strands.segments[at(s)].ends;
    if (ends[0] < 2 || ends[1] < 2) hold(engine.strands, s);
  }
  static constexpr double kUntil = 2;  // s
  engine.prescribe = [](double time, Strands& strands) {
    const Vec3 spin(0, 0, time < kUntil ? kRate : 0);
    for (StrandNode& node : strands.nodes)
      if (node.held && node.x[2] > 0) node.v = spin.cross(node.x);
    for (StrandSegment& s : strands.segments)
      if (s.held && strands.nodes[at(s.ends[0])].x[2] > 0) s.spin = s.frame.conjugate() * spin;
  };
  const double dt = std::min(1e-4, 0.6 * longest_stable_step(engine.strands));
  double deepest = -1;
  std::vector<double> waist;
  for (const int quarter : {1, 2, 3, 4}) {
    effort.progress(fmt::format("{} degrees", 90 * quarter));
    for (int k = 0; k < 5; ++k) {
      const StrandTally tally = run(engine, dt, 0.1);
      deepest = std::max(deepest, tally.deepest);
      slow_down(engine.strands, 0.5);
    }
    waist.push_back(width_at(engine.strands, -0.1 * kRadius, 0.1 * kRadius));
    findings.figures.push_back({fmt::format("greatest width at half height, {} degrees", 90 * quarter), "",
                                fmt::format("{:.4f} m of {} m", waist.back(), kRadius)});
  }
  const double above = width_at(engine.strands, 0.3 * kRadius, 0.7 * kRadius),
               below = width_at(engine.strands, -0.7 * kRadius, -0.3 * kRadius);
  findings.claims = {
      {"turned at one pole it narrows to an eight", "3.6.3, figure 3.18",
       fmt::format("{:.4f} m at the waist, {:.4f} above, {:.4f} below", waist.back(), above, below),
       waist.back() < 0.5 * kRadius && waist.back() < 0.7 * std::min(above, below)},
      {"the more it is turned the narrower", "3.6.3",
       fmt::format("{:.3f}, {:.3f}, {:.3f}, {:.3f} m", waist[0], waist[1], waist[2], waist[3]),
       std::is_sorted(waist.rbegin(), waist.rend())},
      no_overlap(deepest)};
  return findings;
}

namespace {

/// An oval ring with its long way along x; every second one is turned by a quarter about that.
RodShape chain_ring(int number, int segments, double radius, double length, double pitch) {
  std::vector<Vec3> points;
  const double straight = length - 2 * radius, around = 2 * straight + 2 * kPi * radius;
  for (int i = 0; i < segments; ++i) {
    double way = around * i / segments;
    Vec3 p;
    if (way < straight) {
      p = Vec3(way - 0.5 * straight, -radius, 0);
    } else if ((way -= straight) < kPi * radius) {
      p = Vec3(0.5 * straight + radius * std::sin(way / radius), -radius * std::cos(way / radius), 0);
    } else if ((way -= kPi * radius) < straight) {
      p = Vec3(0.5 * straight - way, radius, 0);
    } else {
      way -= straight;
      p = Vec3(-0.5 * straight - radius * std::sin(way / radius), radius * std::cos(way / radius), 0);
    }
    if (number % 2 == 1) p = Vec3(p[0], 0, p[1]);
    points.push_back(p + Vec3(pitch * number, 0, 0));
  }
  return rod_through(std::move(points), true);
}

}  // namespace

Result<Findings> spillmann_chain(const Effort& effort) {
  Findings findings;
  const int links = effort.quick ? 10 : 50;
  constexpr double kPitch = 0.034;  // m, nearly as far apart as they can be
  StrandMaterial ring = cord_strand(0.2);
  ring.section.radius = 0.002;
  ring.section.density = 3000;
  ring.section.young = 2e8;
  ring.section.shear = 8e7;
  ring.section.stretch = 2e7;
  ring.section.stretch_friction = 5e-3;
  ring.section.bending_friction = 1e-7;
  ring.penalty = 200;
  StrandEngine engine;
  engine.gravity = Vec3(-9.81, 0, 0);
  for (int k = 0; k < links; ++k) engine.strands.add(chain_ring(k, 20, 0.012, 0.04, kPitch), ring);
  // The top ring is held by its far end.
  for (int s = 0; s < engine.strands.segment_count(); ++s) {
    const auto& ends = engine.strands.segments[at(s)].ends;
    const double far = kPitch * (links - 1) + 0.018;
    if (engine.strands.nodes[at(ends[0])].x[0] > far && engine.strands.nodes[at(ends[1])].x[0] > far)
      hold(engine.strands, s);
  }
  const double dt = std::min(1e-4, 0.6 * longest_stable_step(engine.strands));
  StrandTally all;
  double deepest = -1;
  const double before = engine.strands.nodes[0].x[0];
  for (int k = 0; k < 10; ++k) {
    effort.progress(fmt::format("{} of 10", k + 1));
    all = run(engine, dt, effort.quick ? 0.02 : 0.04);
    deepest = std::max(deepest, all.deepest);
  }
  const double fell = before - engine.strands.nodes[0].x[0];
  findings.figures = {{"rings, step", "", fmt::format("{}, {:.2e} s; {}", links, dt, all.parts())},
                      {"contacts", "", fmt::format("{:.1f}, at most {}", all.contacts(), all.most_contacts)},
                      {"the last ring sank by", "", fmt::format("{:.4f} m", fell)}};
  findings.claims = {{"linked rings stay linked", "figure 3.2",
                      fmt::format("the last sank by {:.4f} m, free fall {:.4f} m", fell,
                                  0.5 * 9.81 * engine.time() * engine.time()),
                      fell < 0.004 * links && all.contacts() > 0.5 * (links - 1)},
                     no_overlap(deepest)};
  return findings;
}

}  // namespace heddle
