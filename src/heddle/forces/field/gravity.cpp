#include <heddle/forces/field/gravity.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

double Gravity::energy(const Configuration& q) const {
  std::vector<double> partial;
  return ordered_sum(static_cast<int>(mass_.size()), 0.0, partial, [&](int begin, int end) {
    double sum = 0;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      sum -= mass_[i] * g_.dot(q.x[i]);
    return sum;
  });
}

void Gravity::add_force(const Configuration&, std::span<Vec3> force) const {
  parallel_for(static_cast<int>(mass_.size()), [&](int i) {
    const auto k = static_cast<size_t>(i);
    force[k] += mass_[k] * g_;
  });
}

}  // namespace heddle
