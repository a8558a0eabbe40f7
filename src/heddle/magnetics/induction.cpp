#include <heddle/magnetics/induction.h>

#include <heddle/solve/minimal_residual.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// H inside a ball of a material that saturates, M = chi H / (1 + chi |H| / M_s), in an outer field h = B /
/// mu0: h = H + M / 3 is quadratic in H. A/m
double inner_field(double chi, double saturation, double h) {
  const double a = 3 * chi / saturation, b = 3 + chi - a * h;
  const double root = std::sqrt(b * b + 12 * a * h);
  return b > 0 ? 6 * h / (b + root) : (root - b) / (2 * a);
}

/// The unknown moments of a scene with induced magnets.
class InducedCells {
 public:
  InducedCells(std::span<PlacedMagnet> magnets, const Interactions& interactions)
      : magnets_(magnets), interactions_(interactions) {
    for (int i = 0; i < static_cast<int>(magnets.size()); ++i) {
      if (magnets[at(i)].magnet->is_permanent()) continue;
      for (int leaf = 0; leaf < magnets[at(i)].leaf_count(); ++leaf) cells_.push_back({i, leaf});
    }
  }

  size_t size() const { return cells_.size(); }
  double volume(size_t k) const {
    const PlacedMagnet& magnet = magnets_[at(cells_[k].magnet)];
    return magnet.cells()[magnet.leaf_cell(cells_[k].leaf)].volume;
  }
  const MagnetMaterial& material(size_t k) const { return magnets_[at(cells_[k].magnet)].magnet->material; }

  /// The fields at induced cells out of those at all.
  std::vector<Vec3> choose(std::span<const Vec3> fields) const {
    std::vector<Vec3> chosen;
    chosen.reserve(cells_.size());
    for (const Place& cell : cells_)
      chosen.push_back(fields[at(interactions_.leaf_offset(cell.magnet) + cell.leaf)]);
    return chosen;
  }

  void set(std::span<const Vec3> moments) {
    for (size_t k = 0; k < cells_.size();) {
      PlacedMagnet& magnet = magnets_[at(cells_[k].magnet)];
      const auto count = at(magnet.leaf_count());
      magnet.magnetise(moments.subspan(k, count));
      k += count;
    }
  }

  std::vector<Vec3> field_of_permanent() const {
    return choose(interactions_.fields([&](int i) { return is_permanent(i); },
                                       [&](int i) { return !is_permanent(i); }, false));
  }
  /// Of the moments that were set.
  std::vector<Vec3> own_field() const {
    const auto is_induced = [&](int i) { return !is_permanent(i); };
    return choose(interactions_.fields(is_induced, is_induced, true));
  }

 private:
  struct Place {
    int magnet, leaf;
  };
  bool is_permanent(int i) const { return magnets_[at(i)].magnet->is_permanent(); }

  std::span<PlacedMagnet> magnets_;
  const Interactions& interactions_;
  std::vector<Place> cells_;
};

/// A/T for each cell in its field: m = alpha B.
std::vector<double> polarisabilities(const InducedCells& cells, std::span<const Vec3> field,
                                     InductionLaw law) {
  std::vector<double> alpha(cells.size());
  for (size_t k = 0; k < alpha.size(); ++k)
    alpha[k] = cells.volume(k) * cell_response(cells.material(k), law, field[k].norm());
  return alpha;
}

// m_i = alpha_i (B_i + sum_j G_ij m_j) with m = sqrt|alpha| y is the symmetric system
// (sign(alpha) - sqrt|alpha| G sqrt|alpha|) y = sqrt|alpha| B. Cells with alpha = 0 stay out of it by y = 0.
MinimalResidualReport solve_coupled(InducedCells& cells, std::span<const double> alpha,
                                    std::span<const Vec3> field, const InductionOptions& options,
                                    std::vector<Vec3>& moments) {
  const size_t n = cells.size();
  std::vector<double> root(n);
  std::vector<Vec3> right(n), y(n);
  for (size_t k = 0; k < n; ++k) {
    root[k] = std::sqrt(std::abs(alpha[k]));
    right[k] = root[k] * field[k];
    y[k] = root[k] > 0 ? Vec3(moments[k] / root[k]) : Vec3::Zero();
  }
  const auto apply = [&](std::span<const Vec3> x, std::span<Vec3> out) {
    for (size_t k = 0; k < n; ++k) moments[k] = root[k] * x[k];
    cells.set(moments);
    const std::vector<Vec3> own = cells.own_field();
    for (size_t k = 0; k < n; ++k) out[k] = (alpha[k] < 0 ? -1.0 : 1.0) * x[k] - root[k] * own[k];
  };
  const MinimalResidualReport report =
      minimal_residual(apply, right, options.tolerance, options.most_iterations, y);
  for (size_t k = 0; k < n; ++k) moments[k] = root[k] * y[k];
  cells.set(moments);
  return report;
}

bool saturates(const InducedCells& cells) {
  for (size_t k = 0; k < cells.size(); ++k)
    if (cells.material(k).saturation > 0) return true;
  return false;
}

}  // namespace

double cell_response(const MagnetMaterial& material, InductionLaw law, double field) {
  const double chi = effective_susceptibility(material);
  if (law == InductionLaw::printed) {
    if (material.kind == MagnetKind::superconductor) return -1 / kVacuumPermeability;
    return 3 * chi / (1 + chi) / kVacuumPermeability;
  }
  if (!(material.saturation > 0) || !(chi > 0) || field == 0)
    return 3 * chi / (3 + chi) / kVacuumPermeability;
  const double h = field / kVacuumPermeability;
  return 3 * (h - inner_field(chi, material.saturation / kVacuumPermeability, h)) / field;
}

InductionReport induce(std::span<PlacedMagnet> magnets, const Interactions& interactions,
                       std::span<const Vec3> outer, const InductionOptions& options) {
  constexpr int kMostRounds = 50;
  InducedCells cells(magnets, interactions);
  InductionReport report;
  if (cells.size() == 0) return report;
  std::vector<Vec3> field = cells.field_of_permanent();
  const std::vector<Vec3> from_outside = cells.choose(outer);
  for (size_t k = 0; k < field.size(); ++k) field[k] += from_outside[k];
  const InductionLaw law = options.coupled ? InductionLaw::sphere : options.law;
  std::vector<double> alpha = polarisabilities(cells, field, law);
  std::vector<Vec3> moments(cells.size());
  for (size_t k = 0; k < moments.size(); ++k) moments[k] = alpha[k] * field[k];
  cells.set(moments);
  if (!options.coupled) return report;
  // With saturation the response depends on the field: that of the last round until it stays.
  const bool repeats = saturates(cells);
  double change = 1;
  do {
    const MinimalResidualReport solved = solve_coupled(cells, alpha, field, options, moments);
    report.iterations += solved.iterations;
    report.residual = solved.residual;
    report.converged = solved.converged;
    ++report.rounds;
    if (!repeats) return report;
    std::vector<Vec3> local(cells.size());
    for (size_t k = 0; k < local.size(); ++k)
      local[k] = alpha[k] != 0 ? Vec3(moments[k] / alpha[k]) : field[k];
    const std::vector<double> next = polarisabilities(cells, local, law);
    change = 0;
    for (size_t k = 0; k < alpha.size(); ++k)
      change = std::max(change, std::abs(next[k] - alpha[k]) / std::max(std::abs(alpha[k]), 1e-300));
    alpha = next;
  } while (change > 1e-4 && report.rounds < kMostRounds);
  report.converged &= change <= 1e-4;
  return report;
}

}  // namespace heddle
