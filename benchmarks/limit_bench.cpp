// Times the kernels of strain limits: microseconds per face and iteration, on one thread.
#include "timing.h"

#include <heddle/constraints/global_limits.h>

#include <fmt/core.h>

#include <cmath>

namespace {

using namespace heddle;

struct Sheet {
  LimitedFaces faces;
  std::vector<Vec3> x;       // m, pulled so that most faces are beyond their limits
  std::vector<double> mass;  // kg
};

Sheet pulled_sheet(int n) {
  Sheet sheet;
  std::vector<Vec2> rest;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) rest.emplace_back(double(i) / n, double(j) / n);
  sheet.mass.assign(rest.size(), 0.2 / (n * n));
  const StrainBounds bounds{{-0.1, -0.1, -0.2}, {0.1, 0.1, 0.2}};
  const auto add = [&](const Triangle& t) {
    sheet.faces.add(
        t,
        {rest[static_cast<size_t>(t[0])], rest[static_cast<size_t>(t[1])], rest[static_cast<size_t>(t[2])]},
        bounds);
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      add({a, b, d});
      add({a, d, c});
    }
  sheet.faces.finish(static_cast<int>(rest.size()));
  for (const Vec2& p : rest)
    sheet.x.emplace_back(1.12 * p[0], 1.11 * p[1] + 0.01 * std::sin(9 * p[0]), 0.05 * std::cos(6 * p[1]));
  return sheet;
}

/// What the active set saves where a few of the faces are beyond their limits at first.
void measure_active_set() {
  Sheet sheet = pulled_sheet(85);
  for (Vec3& p : sheet.x) {
    const Vec3 rest(p[0] / 1.12, p[1] / 1.12, 0), arm = rest - Vec3(0.5, 0.5, 0);
    p = rest + 0.115 * std::exp(-100 * arm.squaredNorm()) * arm;
  }
  const BlockProjection free;
  std::array<double, 2> seconds{};
  std::array<LimitReport, 2> reports;
  for (size_t k = 0; k < 2; ++k) {
    const auto limiter = GaussSeidelLimits{.iterations = 1000, .active_set = k == 1}.build(sheet.faces);
    seconds[k] = best_seconds(5, [&] {
      std::vector<Vec3> x = sheet.x;
      reports[k] = limiter->limit({sheet.mass, free, 0.01}, x);
    });
  }
  fmt::print("active set: {} and {} iterations, saves {:.0f} % of the time\n", reports[0].iterations,
             reports[1].iterations, 100 * (1 - seconds[1] / seconds[0]));
}

void measure(const char* name, const Sheet& sheet, StrainLimiter& limiter) {
  LimitReport report;
  const BlockProjection free;
  const double seconds = best_seconds(5, [&] {
    std::vector<Vec3> x = sheet.x;
    report = limiter.limit({sheet.mass, free, 0.01}, x);
  });
  const double visits = static_cast<double>(report.iterations) * sheet.faces.size();
  fmt::print("{:<28} {:>8} {:>12} {:>12.0f} % {:>12.4f}\n", name, sheet.faces.size(), report.iterations,
             100 * static_cast<double>(report.corrections) / visits, 1e6 * seconds / visits);
}

}  // namespace

int main() {
  ThreadPool pool(1);
  pool.run([] {
    fmt::print("{:<28} {:>8} {:>12} {:>14} {:>12}\n", "method", "faces", "iterations", "corrected",
               "us per face");
    for (const int n : {42, 85}) {
      const Sheet sheet = pulled_sheet(n);
      for (const char* correction : {"hold", "least"}) {
        GaussSeidelLimits one{.correction = correction, .iterations = 20, .active_set = false};
        JacobiLimits all{.correction = correction, .iterations = 20, .active_set = false};
        measure(fmt::format("gauss_seidel {}", correction).c_str(), sheet, *one.build(sheet.faces));
        measure(fmt::format("jacobi {}", correction).c_str(), sheet, *all.build(sheet.faces));
      }
    }
    measure_active_set();
    return 0;
  });
}
