#include <heddle/geometry/exact.h>

// This file is compiled without fused multiply-add of the compiler's own making: see CMakeLists.txt.
namespace heddle::detail {

namespace {

/// A sum of doubles that do not overlap, ascending, so that the last one tells the sign.
class ExactSum {
 public:
  ExactSum() = default;
  /// a - b
  ExactSum(double a, double b) {
    add(a);
    add(-b);
  }

  size_t size() const { return size_; }
  double operator[](size_t i) const { return parts_[i]; }
  int sign() const { return size_ == 0 ? 0 : parts_[size_ - 1] > 0 ? 1 : -1; }

  void add(double x) {
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i) {
      const double sum = x + parts_[i], back = sum - x;
      const double rest = (x - (sum - back)) + (parts_[i] - back);
      if (rest != 0) parts_[kept++] = rest;
      x = sum;
    }
    if (x != 0) parts_[kept++] = x;
    size_ = kept;
  }

  /// Adds sign * a * b.
  void add_product(const ExactSum& a, const ExactSum& b, double sign) {
    for (size_t i = 0; i < a.size(); ++i)
      for (size_t j = 0; j < b.size(); ++j) {
        const double factor = sign * a[i], product = factor * b[j];
        add(std::fma(factor, b[j], -product));
        add(product);
      }
  }

 private:
  static constexpr size_t kCapacity = 192;  // what orient3d needs at most: 3 * 2 * 16 * 2
  double parts_[kCapacity];
  size_t size_ = 0;
};

ExactSum minor(const ExactSum& a, const ExactSum& b, const ExactSum& c, const ExactSum& d) {
  ExactSum result;
  result.add_product(a, d, 1);
  result.add_product(b, c, -1);
  return result;
}

}  // namespace

int exact_orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  return minor({b.x(), a.x()}, {b.y(), a.y()}, {c.x(), a.x()}, {c.y(), a.y()}).sign();
}

int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  ExactSum det;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const ExactSum area = minor({b[j], a[j]}, {b[k], a[k]}, {c[j], a[j]}, {c[k], a[k]});
    det.add_product(area, {d[i], a[i]}, 1);
  }
  return det.sign();
}

}  // namespace heddle::detail
