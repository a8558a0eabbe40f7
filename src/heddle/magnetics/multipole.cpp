#include <heddle/magnetics/multipole.h>

#include <heddle/core/check.h>

#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

constexpr int kMostCoefficients = 512;  // of any expansion: order 12 has 455

}  // namespace

MultipoleTable::MultipoleTable(int order) : order_(order) {
  HEDDLE_CHECK(order >= 3 && order <= 12);
  const int side = order + 1;
  index_.assign(at(side * side * side), -1);
  for (int total = 0; total <= order; ++total) {
    begin_.push_back(size());
    for (int i = total; i >= 0; --i)
      for (int j = total - i; j >= 0; --j) {
        const int k = total - i - j;
        index_[at((i * side + j) * side + k)] = size();
        powers_.push_back({i, j, k});
        factorial_.push_back(1);
      }
  }
  begin_.push_back(size());
  for (int a = 0; a < size(); ++a)
    for (size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 3> up = powers_[at(a)], down = up;
      ++up[axis], --down[axis];
      raised_[axis].push_back(index(up));
      lowered_[axis].push_back(index(down));
      for (int k = 2; k <= powers_[at(a)][axis]; ++k) factorial_[at(a)] *= k;
    }
  for (int to = 0; to < size(); ++to)
    for (int from = 0; from <= to; ++from) {
      const auto &p = powers_[at(to)], &q = powers_[at(from)];
      const int by = index({p[0] - q[0], p[1] - q[1], p[2] - q[2]});
      if (by >= 0) shifts_.push_back({to, from, by});
    }
  joint_offsets_.push_back(0);
  for (int b = 0; b < size(); ++b) {
    const auto& p = powers_[at(b)];
    const int left = order - (p[0] + p[1] + p[2]);
    // Dipoles have no term of order 0, and a constant potential does nothing.
    for (int a = 1; b > 0 && a < count_up_to(left); ++a) {
      const auto& q = powers_[at(a)];
      joint_.push_back(index({p[0] + q[0], p[1] + q[1], p[2] + q[2]}));
    }
    joint_offsets_.push_back(static_cast<int>(joint_.size()));
  }
}

// Pairs (a, b) with |a| + |b| <= order, without those where one is 0.
int MultipoleTable::term_count(int order) {
  const auto choose = [&](int k) {
    double count = 1;
    for (int i = 1; i <= k; ++i) count = count * (order + i) / i;
    return static_cast<int>(count + 0.5);
  };
  return choose(6) - 2 * choose(3) + 1;
}

int MultipoleTable::index(const std::array<int, 3>& power) const {
  const int total = power[0] + power[1] + power[2], side = order_ + 1;
  if (power[0] < 0 || power[1] < 0 || power[2] < 0 || total > order_) return -1;
  return index_[at((power[0] * side + power[1]) * side + power[2])];
}

void MultipoleTable::scaled_powers(const Vec3& x, std::span<double> out) const {
  out[0] = 1;
  for (int a = 1; a < size(); ++a) {
    const auto& power = powers_[at(a)];
    const int axis = power[0] > 0 ? 0 : power[1] > 0 ? 1 : 2;
    out[at(a)] = out[at(lowered_[at(axis)][at(a)])] * x[axis] / power[at(axis)];
  }
}

// Taylor coefficients t of 1/|x| obey n r^2 t_a + (2n - 1) sum_i x_i t_(a - e_i) + (n - 1) sum_i t_(a - 2
// e_i) = 0 with n = |a| (K. Lindsay and R. Krasny, A particle method and adaptive treecode for vortex sheet
// motion, 2001).
void MultipoleTable::inverse_derivatives(const Vec3& x, std::span<double> out) const {
  const double inverse2 = 1 / x.squaredNorm();
  std::array<double, kMostCoefficients> t;
  t[0] = std::sqrt(inverse2);
  out[0] = t[0];
  for (int n = 1; n <= order_; ++n)
    for (int a = begin_[at(n)]; a < begin_[at(n) + 1]; ++a) {
      double first = 0, second = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const int below = lowered_[at(axis)][at(a)];
        if (below < 0) continue;
        first += x[axis] * t[at(below)];
        const int twice = lowered_[at(axis)][at(below)];
        if (twice >= 0) second += t[at(twice)];
      }
      t[at(a)] = -inverse2 / n * ((2 * n - 1) * first + (n - 1) * second);
      out[at(a)] = t[at(a)] * factorial_[at(a)];
    }
}

void MultipoleTable::add_dipole(const Vec3& offset, const Vec3& moment, std::span<double> multipole) const {
  std::array<double, kMostCoefficients> power;
  scaled_powers(offset, power);
  for (int a = 0; a < begin_[at(order_)]; ++a)
    for (int axis = 0; axis < 3; ++axis)
      multipole[at(raised_[at(axis)][at(a)])] += moment[axis] * power[at(a)];
}

void MultipoleTable::add_multipole(std::span<const double> from, const Vec3& offset,
                                   std::span<double> to) const {
  std::array<double, kMostCoefficients> power;
  scaled_powers(offset, power);
  for (const Shift& shift : shifts_) to[at(shift.to)] += power[at(shift.by)] * from[at(shift.from)];
}

void MultipoleTable::add_local(std::span<const double> multipole, const Vec3& offset,
                               std::span<double> local) const {
  std::array<double, kMostCoefficients> derivative, source;
  inverse_derivatives(offset, derivative);
  for (int n = 0; n <= order_; ++n)
    for (int a = begin_[at(n)]; a < begin_[at(n) + 1]; ++a)
      source[at(a)] = n % 2 == 0 ? multipole[at(a)] : -multipole[at(a)];
  for (int b = 1; b < size(); ++b) {
    double sum = 0;
    const int first = joint_offsets_[at(b)], count = joint_offsets_[at(b) + 1] - first;
    for (int k = 0; k < count; ++k) sum += source[at(k) + 1] * derivative[at(joint_[at(first + k)])];
    local[at(b)] += sum;
  }
}

void MultipoleTable::shift_local(std::span<const double> from, const Vec3& offset,
                                 std::span<double> to) const {
  std::array<double, kMostCoefficients> power;
  scaled_powers(offset, power);
  for (const Shift& shift : shifts_) to[at(shift.from)] += power[at(shift.by)] * from[at(shift.to)];
}

MultipoleTable::Derivatives MultipoleTable::derivatives(std::span<const double> local,
                                                        const Vec3& offset) const {
  std::array<double, kMostCoefficients> power;
  scaled_powers(offset, power);
  Derivatives result;
  for (int a = 0; a < begin_[at(order_)]; ++a)
    for (int axis = 0; axis < 3; ++axis) {
      const int up = raised_[at(axis)][at(a)];
      result.first[axis] += local[at(up)] * power[at(a)];
      if (a >= begin_[at(order_ - 1)]) continue;
      for (int other = axis; other < 3; ++other)
        result.second(axis, other) += local[at(raised_[at(other)][at(up)])] * power[at(a)];
    }
  result.second(1, 0) = result.second(0, 1);
  result.second(2, 0) = result.second(0, 2);
  result.second(2, 1) = result.second(1, 2);
  return result;
}

}  // namespace heddle
