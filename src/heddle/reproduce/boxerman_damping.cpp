#include <heddle/forces/spring/particle_model.h>
#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>
#include <heddle/reproduce/dense.h>
#include <heddle/reproduce/eurographics.h>
#include <heddle/study/course.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr double kStep = 0.01;  // s

/// The sheet of 4.2.4, or a coarser one of the same size.
SpringSheet swinging_sheet(int side, double damping, bool projected) {
  SpringSheet sheet{.columns = side,
                    .rows = side,
                    .spacing = 1.0 / side,
                    .density = 0.5,
                    .stretch_stiffness = 1000,
                    .shear_stiffness = 1000,
                    .stretch_damping = damping,
                    .shear_damping = damping,
                    .bend_stiffness = 0.01,
                    .holds_corner = {false, false, true, true},
                    .bend_linear_stiffness = 0};
  sheet.rules.projected_damper = projected;
  return sheet;
}

struct Swing {
  bool is_sound = false;
  double lost = 0;       // J, of the energy at the start
  double trembling = 0;  // J, mean change of the change of inner energy from step to step
  double fall = 0;       // m, of the lower edge after 0.3 s
};

Swing swing(const SpringSheet& sheet, double duration) {
  ParticleModel model = make_spring_sheet(sheet);
  const System& system = *model.system;
  const auto total = [&](const State& state) {
    const Configuration q = configuration_of(state);
    return system.kinetic_energy(q) + system.potential_energy(q);
  };
  const double before = total(model.state);
  const int steps = static_cast<int>(std::lround(duration / kStep));
  std::vector<double> inner;
  Swing out;
  const Course course = advance(
      std::move(model),
      known_method(R"({"type": "semi_implicit_euler", "tolerance": 1e-4, "preconditioner": "block_jacobi"})"),
      kStep, steps, [&](const State& state) {
        inner.push_back(system.inner_energy(configuration_of(state)));
        if (inner.size() == 30) out.fall = -state.x.front()[2];
        out.lost = before - total(state);
        return true;
      });
  out.is_sound = course.is_sound;
  for (size_t k = 2; k < inner.size(); ++k)
    out.trembling +=
        std::abs(inner[k] - 2 * inner[k - 1] + inner[k - 2]) / static_cast<double>(inner.size() - 2);
  return out;
}

/// Forces of a small sheet at rest or at random, with given velocities.
struct Forces {
  double largest = 0;  // N
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
};

template <class Velocity>
Forces forces_of(SpringSheet sheet, double jitter, const Velocity& velocity) {
  sheet.gravity = Vec3::Zero();
  sheet.rules.damps_slack = true;
  ParticleModel model = make_spring_sheet(sheet);
  Random random(5);
  for (size_t i = 0; i < model.state.x.size(); ++i) {
    for (int c = 0; c < 3; ++c) model.state.x[i][c] += jitter * random.uniform(-1, 1);
    model.state.v[i] = velocity(model.state.x[i], random);
  }
  std::vector<Vec3> force(model.state.x.size());
  model.system->force(configuration_of(model.state), force);
  Forces out;
  for (size_t i = 0; i < force.size(); ++i) {
    out.largest = std::max(out.largest, force[i].norm());
    out.sum += force[i];
    out.torque += model.state.x[i].cross(force[i]);
  }
  return out;
}

Vec3 turning(const Vec3& x, Random&) {
  return Vec3(0.2, -0.1, 0.3) + Vec3(1, 2, -3).cross(x);
}

Vec3 shaking(const Vec3&, Random& random) {
  return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

/// One step (4.11) with the whole matrix, of either form.
void dense_step(const ParticleModel& model, JacobianForm form, double dt, State& state) {
  const System& system = *model.system;
  const size_t n = state.x.size();
  BlockMatrix matrix(system.pattern()), constant(system.pattern());
  std::vector<Vec3> force(n), product(n), external(n);
  system.constant_matrix(dt * dt, dt, constant);
  system.linearise(configuration_of(state), constant,
                   {.stiffness_scale = dt * dt,
                    .damping_scale = dt,
                    .form = form,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = product},
                   external);
  DenseMatrix a = dense_matrix(matrix);
  std::vector<double> b(3 * n);
  for (size_t i = 0; i < 3 * n; ++i)
    b[i] = dt * (force[i / 3][static_cast<int>(i % 3)] - dt * product[i / 3][static_cast<int>(i % 3)]);
  for (const int held : model.held)
    for (size_t i = 3 * static_cast<size_t>(held); i < 3 * static_cast<size_t>(held) + 3; ++i) {
      std::fill(a[i].begin(), a[i].end(), 0);
      a[i][i] = 1;
      b[i] = 0;
    }
  const std::vector<double> dv = solve_dense(std::move(a), std::move(b));
  for (size_t i = 0; i < n; ++i) {
    state.v[i] += Vec3(dv[3 * i], dv[3 * i + 1], dv[3 * i + 2]);
    state.x[i] += dt * state.v[i];
  }
}

/// The longest step with which a small sheet swings down without gaining energy, s, up to 0.3.
double longest_stable_step(JacobianForm form, double damping, int steps) {
  SpringSheet sheet = swinging_sheet(5, damping, true);
  sheet.spacing = 0.05;
  sheet.bend_stiffness = 0;
  sheet.rules.damps_shortening = false;
  ParticleModel model = make_spring_sheet(sheet);
  model.system->keep_both_triangles();  // the exact one is not symmetric
  const double scale = 25 * model.system->mass()[0] * 9.81 * 0.2;
  const auto is_stable = [&](double dt) {
    State state = model.state;
    for (int k = 0; k < steps; ++k) {
      dense_step(model, form, dt, state);
      const Configuration q = configuration_of(state);
      if (!(model.system->kinetic_energy(q) + model.system->potential_energy(q) < 0.5 * scale)) return false;
    }
    return true;
  };
  double low = 1e-4, high = 0.3;
  if (is_stable(high)) return high;
  while (high > 1.02 * low) {
    const double middle = std::sqrt(low * high);
    (is_stable(middle) ? low : high) = middle;
  }
  return low;
}

/// C6: forces of dampers on rigid and on random motion.
void judge_rigid_motion(Findings& findings) {
  const SpringSheet small{.columns = 5,
                          .rows = 5,
                          .stretch_damping = 0.1,
                          .shear_damping = 0.1,
                          .rules = {.resists_compression = true}};
  SpringSheet free_small = small, air_small = small;
  free_small.rules.projected_damper = false;
  air_small.stretch_damping = air_small.shear_damping = 0;
  air_small.air_damping = 0.1 / (small.spacing * small.spacing);
  const Forces turned = forces_of(small, 0, turning), free_turned = forces_of(free_small, 0, turning),
               air_turned = forces_of(air_small, 0, turning), shaken = forces_of(small, 0.01, shaking);
  findings.figures.push_back(
      {"force on a turning sheet: projected, free, absolute dampers", "0, more, more",
       fmt::format("{:.0e}, {:.2f}, {:.2f} N", turned.largest, free_turned.largest, air_turned.largest)});
  const double scale = shaken.largest;
  findings.claims.push_back(
      {"C6: projected dampers leave rigid motion alone, the others do not", "no force",
       fmt::format("{:.0e} of the force of free dampers", turned.largest / free_turned.largest),
       turned.largest < 1e-9 * free_turned.largest && air_turned.largest > 0});
  findings.claims.push_back(
      {"C6: they keep momentum and angular momentum", "conserved",
       fmt::format("sums {:.0e} N, {:.0e} N m of {:.2f} N", shaken.sum.norm(), shaken.torque.norm(), scale),
       shaken.sum.norm() + shaken.torque.norm() < 1e-12 * scale * 25});
}

/// C9: the derivative of dampers by position.
void judge_derivative(const Effort& effort, Findings& findings) {
  double worst = 0;
  for (const double damping : {0.1, 1.0, 10.0}) {
    effort.progress(fmt::format("steps with k_d = {:g}", damping));
    const double dropped = longest_stable_step(JacobianForm::positive, damping, effort.quick ? 60 : 200);
    const double kept = longest_stable_step(JacobianForm::exact, damping, effort.quick ? 60 : 200);
    worst = std::max(worst, kept / dropped);
    findings.figures.push_back(
        {fmt::format("longest stable step, k_d = {:g} N s/m: without (3.16), with it", damping), "",
         fmt::format("{:.3g}, {:.3g} s", dropped, kept)});
  }
  findings.claims.push_back({"C9: (3.16) makes the longest stable step shorter", "hurts stability",
                             fmt::format("at most {:.2f} of the step without it", worst), worst < 1});
}

}  // namespace

Result<Findings> boxerman_damping(const Effort& effort) {
  const int side = effort.quick ? 20 : 40;
  const double duration = effort.quick ? 1 : 2;
  effort.progress("three swings");
  const Swing none = swing(swinging_sheet(side, 0, true), duration),
              free = swing(swinging_sheet(side, 0.1, false), duration),
              projected = swing(swinging_sheet(side, 10, true), duration);
  Findings findings;
  for (const auto& [name, of] : {std::pair{"(a) no dampers", &none},
                                 {"(b) free dampers, 0.1 N s/m", &free},
                                 {"(c) projected dampers, 10 N s/m", &projected}})
    findings.figures.push_back(
        {fmt::format("{}: energy lost, trembling of inner energy, fall in 0.3 s", name), "curves",
         fmt::format("{:.3f} J, {:.1e} J, {:.3f} m", of->lost, of->trembling, of->fall)});
  judge_rigid_motion(findings);
  findings.claims.insert(
      findings.claims.end(),
      {{"C7: free dampers take far more energy than none", "(b) >> (a)",
        fmt::format("{:.2f} times", free.lost / none.lost), free.is_sound && free.lost > 1.5 * none.lost},
       {"C7: projected ones a hundred times as strong take about as much as none", "(c) about (a)",
        fmt::format("{:.2f} times", projected.lost / none.lost),
        projected.is_sound && std::abs(projected.lost / none.lost - 1) < 0.25},
       {"C7: oscillations are gone", "(c) << (a)",
        fmt::format("{:.2f} of the trembling", projected.trembling / none.trembling),
        projected.trembling < 0.5 * none.trembling}});
  judge_derivative(effort, findings);
  return findings;
}

}  // namespace heddle
