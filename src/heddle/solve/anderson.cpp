#include <heddle/solve/anderson.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Of the mean diagonal, added to it: combinations of residuals that hardly differ stay small.
constexpr double kRegularisation = 1e-10;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void Anderson::begin(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  residuals_.resize(at(memory_));
  images_.resize(at(memory_));
  products_.setZero(memory_, memory_);
  count_ = slot_ = 0;
  has_last_ = is_ahead_ = false;
}

double Anderson::product(std::span<const double> a, std::span<const double> b) {
  return ordered_sum(static_cast<int>(weights_.size()), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      double own = 0;
      for (int k = i * block_; k < (i + 1) * block_; ++k) own += a[at(k)] * b[at(k)];
      sum += weights_[at(i)] * own;
    }
    return sum;
  });
}

void Anderson::remember(std::span<const double> residual, std::span<const double> image) {
  std::vector<double>&dr = residuals_[at(slot_)], &di = images_[at(slot_)];
  dr.resize(residual.size());
  di.resize(image.size());
  parallel_for(static_cast<int>(residual.size()), [&](int i) {
    dr[at(i)] = residual[at(i)] - residual_[at(i)];
    di[at(i)] = image[at(i)] - image_[at(i)];
  });
  count_ = std::min(count_ + 1, memory_);
  for (int j = 0; j < count_; ++j) products_(slot_, j) = products_(j, slot_) = product(dr, residuals_[at(j)]);
  slot_ = (slot_ + 1) % memory_;
}

double Anderson::next(std::span<const double> residual, std::span<double> image) {
  HEDDLE_CHECK_EQ(residual.size(), weights_.size() * at(block_));
  if (has_last_) remember(residual, image);
  residual_.assign(residual.begin(), residual.end());
  image_.assign(image.begin(), image.end());
  has_last_ = true;
  is_ahead_ = count_ > 0;
  if (is_ahead_) {
    Eigen::VectorXd right(count_);
    for (int j = 0; j < count_; ++j) right[j] = product(residuals_[at(j)], residual);
    Eigen::MatrixXd matrix = products_.topLeftCorner(count_, count_);
    matrix.diagonal().array() += kRegularisation * matrix.trace() / count_;
    const Eigen::VectorXd shares = matrix.ldlt().solve(right);
    if (shares.allFinite())
      parallel_for(static_cast<int>(image.size()), [&](int i) {
        for (int j = 0; j < count_; ++j) image[at(i)] -= shares[j] * images_[at(j)][at(i)];
      });
  }
  return std::sqrt(product(residual, residual));
}

void Anderson::retreat(std::span<double> image) {
  std::copy(image_.begin(), image_.end(), image.begin());
  products_.setZero();
  count_ = slot_ = 0;
  has_last_ = is_ahead_ = false;
}

}  // namespace heddle
