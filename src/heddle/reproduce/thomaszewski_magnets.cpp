#include <heddle/reproduce/magnet_scenes.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/core/random.h>
#include <heddle/magnetics/cuboid_force.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Equal dipoles in a box of 1 T along z about a centre, m.
DipoleList lattice(const Vec3& size, const std::array<int, 3>& count, const Vec3& centre = Vec3::Zero()) {
  const Vec3 n(count[0], count[1], count[2]), h = size.cwiseQuotient(n);
  DipoleList dipoles;
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i)
        dipoles.add(centre + h.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5) - 0.5 * n),
                    {0, 0, h.prod() / kVacuumPermeability});
  dipoles.finish();
  return dipoles;
}

double lattice_force(int n, double gap) {
  const DipoleList first = lattice(Vec3::Constant(0.01), {n, n, n});
  const DipoleList second = lattice(Vec3::Constant(0.01), {n, n, n}, {0, 0, 0.01 + gap});
  double sum = 0;
  for (int i = 0; i < second.size(); ++i) sum += load_of(first, second[i], 1e-9).force.z();
  return sum;
}

/// Force of two cubes as the scenes of heddle compute it, N.
double cube_force(int n, double gap) {
  const Magnet cube = unit_cube(n);
  PairScratch scratch;
  return pair_load({cube, {.translation = {0, 0, 0.01 + gap}}}, {cube, {}}, {}, scratch).force.z();
}

/// Changes of the field from one lattice to the next on a plane through a box of 20 x 10 x 10 mm.
struct FieldChange {
  double near = 0;  // relative root mean square within 1 mm of the box
  double far = 0;   // beyond
};

FieldChange field_change(const std::vector<Vec3>& places, const std::vector<Vec3>& coarse,
                         const std::vector<Vec3>& fine) {
  std::array<double, 2> change{}, size{};
  for (size_t i = 0; i < places.size(); ++i) {
    const Vec3 beyond = (places[i].cwiseAbs() - Vec3(0.01, 0.005, 0.005)).cwiseMax(0.0);
    const size_t zone = beyond.norm() < 1e-3 ? 0 : 1;
    change[zone] += (fine[i] - coarse[i]).squaredNorm();
    size[zone] += fine[i].squaredNorm();
  }
  return {std::sqrt(change[0] / size[0]), std::sqrt(change[1] / size[1])};
}

std::vector<Vec3> places_around_box() {
  std::vector<Vec3> places;
  for (int k = -40; k <= 40; ++k)
    for (int i = -60; i <= 60; ++i) {
      const Vec3 place(5e-4 * i + 1e-4, 0, 5e-4 * k + 1e-4);
      if (std::abs(place.x()) > 0.01 || std::abs(place.z()) > 0.005) places.push_back(place);
    }
  return places;
}

/// Three cubes that pull and turn each other without contact, by explicit steps of 0.001 s; their moments of
/// inertia are the same about all axes.
struct Flight {
  double momentum = 0, spin = 0;  // largest change by the largest of one body
  double moved = 0;               // m, of the cube that moved farthest
};

Flight fly(int steps) {
  constexpr double kMass = 0.0075, kInertia = kMass * 1e-4 / 6, kStep = 0.001;  // kg, kg m2, s
  MagnetSystem system({unit_cube(2, {0, 0, 0.2}), unit_cube(2, {0.2, 0, 0}), unit_cube(2, {0, 0.1, 0.1})});
  std::vector<RigidTransform> poses{
      {}, {.translation = {0.04, 0.01, 0}}, {.translation = {0.01, 0.02, 0.045}}};
  const std::vector<RigidTransform> start = poses;
  std::vector<Vec3> v(3, Vec3::Zero()), w(3, Vec3::Zero());
  Flight flight;
  double largest_momentum = 0, largest_spin = 0;
  for (int k = 0; k < steps; ++k) {
    system.update(poses);
    Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
    for (size_t i = 0; i < 3; ++i) {
      v[i] += kStep / kMass * system.loads()[i].force;
      w[i] += kStep / kInertia * system.loads()[i].torque;
      poses[i].translation += kStep * v[i];
      const double angle = kStep * w[i].norm();
      if (angle > 0)
        poses[i].rotation = Quat(Eigen::AngleAxisd(angle, w[i].normalized())) * poses[i].rotation;
      const Vec3 own = kMass * poses[i].translation.cross(v[i]) + kInertia * w[i];
      momentum += kMass * v[i];
      spin += own;
      largest_momentum = std::max(largest_momentum, kMass * v[i].norm());
      largest_spin = std::max(largest_spin, own.norm());
      flight.moved = std::max(flight.moved, (poses[i].translation - start[i].translation).norm());
    }
    flight.momentum = std::max(flight.momentum, momentum.norm() / largest_momentum);
    flight.spin = std::max(flight.spin, spin.norm() / largest_spin);
  }
  return flight;
}

/// Sums over random magnets, relative; torques about the origin.
struct Rest {
  double force = 0, torque = 0, printed = 0;
};

/// (6.13) as printed: forces on cells projected on their arm to the centre.
Vec3 projected_force(const PlacedMagnet& on, const PlacedMagnet& from) {
  DipoleList cells;
  for (int leaf = 0; leaf < from.leaf_count(); ++leaf)
    cells.add(from.leaf_place(leaf), from.leaf_moment(leaf));
  cells.finish();
  Vec3 sum = Vec3::Zero();
  for (int leaf = 0; leaf < on.leaf_count(); ++leaf) {
    const Vec3 arm = (on.leaf_place(leaf) - on.pose.translation).normalized();
    sum += load_of(cells, {on.leaf_place(leaf), on.leaf_moment(leaf)}, 1e-9).force.dot(arm) * arm;
  }
  return sum;
}

Rest rest_of_sums(int n, bool adaptive) {
  Random random(static_cast<std::uint64_t>(n));
  std::vector<Magnet> magnets;
  std::vector<PlacedMagnet> placed;
  for (int k = 0; k < 6; ++k) magnets.push_back(unit_cube(k % 2 == 0 ? n : 2, random_vector(random)));
  for (int k = 0; k < 6; ++k)
    placed.emplace_back(
        magnets[static_cast<size_t>(k)],
        RigidTransform{rotation_from_degrees(180 * random_vector(random)),
                       Vec3(0.02 * (k % 3), 0.02 * (k / 3), 0) + 0.001 * random_vector(random)});
  InteractionOptions options{.far_field = false};
  options.pair.front.adaptive = adaptive;
  const std::vector<Wrench> loads = Interactions(placed, options).loads();
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double size = 0, torque_size = 0;
  for (size_t i = 0; i < loads.size(); ++i) {
    const Vec3 arm = placed[i].pose.translation.cross(loads[i].force);
    force += loads[i].force;
    torque += loads[i].torque + arm;
    size += loads[i].force.norm();
    torque_size += loads[i].torque.norm() + arm.norm();
  }
  const Vec3 one = projected_force(placed[0], placed[1]), other = projected_force(placed[1], placed[0]);
  return {force.norm() / size, torque.norm() / torque_size, (one + other).norm() / one.norm()};
}

}  // namespace

Result<Findings> thomaszewski_field(const Effort& effort) {
  Findings findings;
  const std::vector<Vec3> places = places_around_box();
  std::vector<int> counts{5, 10, 20, 40};
  if (!effort.quick) counts.push_back(80);
  std::vector<std::vector<Vec3>> fields;
  std::vector<FieldChange> changes;
  for (const int n : counts) {
    effort.progress(fmt::format("{} x {} cells", n, n / 2));
    const DipoleList box = lattice({0.02, 0.01, 0.01}, {n, std::max(1, n / 2), std::max(1, n / 2)});
    std::vector<Vec3>& field = fields.emplace_back();
    for (const Vec3& place : places) field.push_back(field_of(box, place, 1e-9));
    if (fields.size() < 2) continue;
    changes.push_back(field_change(places, fields[fields.size() - 2], field));
    findings.figures.push_back(
        {fmt::format("change to {} x {} cells, beyond 1 mm and within", n, n / 2), "",
         fmt::format("{:.4f} %, {:.2f} %", 100 * changes.back().far, 100 * changes.back().near)});
  }
  findings.claims = {{"C26: the field converges with the number of cells", "figure 6.4",
                      fmt::format("changes {:.4f}, {:.4f}, {:.4f} %", 100 * changes[0].far,
                                  100 * changes[1].far, 100 * changes[2].far),
                      changes[1].far < changes[0].far && changes[2].far < changes[1].far},
                     {"from 10 x 5 to 20 x 10 cells it changes little", "already small",
                      fmt::format("{:.3f} %", 100 * changes[1].far), changes[1].far < 0.02}};
  if (!effort.quick)
    findings.claims.push_back(
        {"beyond 40 x 20 cells it changes next to the surface only", "minimal differences",
         fmt::format("{:.5f} % beyond 1 mm, {:.2f} % within", 100 * changes[3].far, 100 * changes[3].near),
         changes[3].far < 1e-3 && changes[3].near > 10 * changes[3].far});
  return findings;
}

Result<Findings> thomaszewski_cubes(const Effort& effort) {
  constexpr std::array kGaps{0.5e-3, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3};  // m
  constexpr std::array kExact{-24.7032, -20.3597, -14.6725,
                              -6.56829, -2.25101, -0.46351};  // N, of the formula
  const std::vector<int> counts =
      effort.quick ? std::vector{1, 2, 3, 4, 6, 8} : std::vector{1, 2, 3, 4, 6, 8, 12};
  Findings findings;
  double exact_error = 0;
  bool by_gap = true, by_count = true;
  std::vector<double> last(counts.size(), 1.0);
  for (size_t g = 0; g < kGaps.size(); ++g) {
    const double exact = cuboid_force({}, {}, {0, 0, 0.01 + kGaps[g]}).z();
    exact_error = std::max(exact_error, std::abs(exact / kExact[g] - 1));
    std::string errors;
    double before = 1;
    for (size_t k = 0; k < counts.size(); ++k) {
      const double error = lattice_force(counts[k], kGaps[g]) / exact - 1;
      errors += fmt::format(" {:+.2f}", 100 * error);
      constexpr double kRounding = 1e-6;
      if (counts[k] >= 2) by_gap &= error < last[k] + kRounding;
      if (counts[k] >= 2) by_count &= error < before + kRounding;
      before = counts[k] >= 2 ? error : 1;
      last[k] = error;
    }
    findings.figures.push_back({fmt::format("force at {} mm; N x N x N cells too strong by", 1e3 * kGaps[g]),
                                "figure 6.7", fmt::format("{:.5f} N;{} %", exact, errors)});
  }
  const double contact = cuboid_force({}, {}, {0, 0, 0.01}).z();
  const double lattices = lattice_force(8, 0) / contact - 1, ours = cube_force(8, 0) / contact - 1;
  const double at2 = lattice_force(2, 5e-3) / cuboid_force({}, {}, {0, 0, 0.015}).z() - 1;
  const double at3 = lattice_force(3, 5e-3) / cuboid_force({}, {}, {0, 0, 0.015}).z() - 1;
  findings.figures.push_back({"force at contact", "", fmt::format("{:.4f} N", contact)});
  findings.claims = {
      {"the formula of Akoun and Yonnet gives the forces known for it", "6 digits",
       fmt::format("within {:.1e}", exact_error), exact_error < 1e-5},
      {"C27: 8 and 27 cells suffice at 5 mm", "correct with very few cells",
       fmt::format("{:+.2f}, {:+.2f} %", 100 * at2, 100 * at3), at2 < 0.015 && at3 < 0.003},
      {"C27: for 8 and more cells the error falls with the gap", "figure 6.7",
       by_gap ? "always" : "not always", by_gap},
      {"C27: and with their number", "figure 6.7", by_count ? "always" : "not always", by_count},
      {"lattices converge at contact too (as printed)", "in the limit of many cells",
       fmt::format("{:+.1f} % with 8 x 8 x 8 cells", 100 * lattices), std::abs(lattices) < 0.03},
      {"with cells split at contact the force there is right", "", fmt::format("{:+.2f} %", 100 * ours),
       std::abs(ours) < 0.03}};
  return findings;
}

Result<Findings> thomaszewski_momentum(const Effort& effort) {
  Findings findings;
  Rest worst;
  for (const int n : {2, 4, 8})
    for (const bool adaptive : {false, true}) {
      effort.progress(fmt::format("{} cells", n * n * n));
      const Rest rest = rest_of_sums(n, adaptive);
      worst = {std::max(worst.force, rest.force), std::max(worst.torque, rest.torque),
               std::max(worst.printed, rest.printed)};
    }
  const Flight flight = ThreadPool(effort.threads).run([&] { return fly(effort.quick ? 100 : 400); });
  findings.figures = {{"cubes moved by", "", fmt::format("{:.1f} mm", 1e3 * flight.moved)}};
  findings.claims = {
      {"C28: forces on all bodies sum to zero for any cells and fronts", "exactly",
       fmt::format("{:.1e}", worst.force), worst.force < 1e-12},
      {"C28: torques do", "exactly", fmt::format("{:.1e}", worst.torque), worst.torque < 1e-12},
      {"C28: forces by (6.13) do (as printed)", "yes",
       fmt::format("{:.2f} of the force is left", worst.printed), worst.printed < 1e-12},
      {"momentum is kept without contact", "very well", fmt::format("{:.1e} of the largest", flight.momentum),
       flight.momentum < 1e-11},
      {"angular momentum too", "very well", fmt::format("{:.1e} of the largest", flight.spin),
       flight.spin < 1e-11}};
  return findings;
}

}  // namespace heddle
