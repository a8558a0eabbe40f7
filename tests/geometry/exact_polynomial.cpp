#include "exact_polynomial.h"

namespace heddle::test {

namespace {

void trim(Polynomial& p) {
  while (!p.empty() && p.back().is_zero()) p.pop_back();
}

int sign(const Integer& x) {
  return x.sign();
}

int degree(const Polynomial& p) {
  return static_cast<int>(p.size()) - 1;
}

/// Divides by the greatest common divisor of the coefficients.
void make_primitive(Polynomial& p) {
  Integer divisor = 0;
  for (const Integer& c : p) divisor = gcd(divisor, c);
  if (divisor > 1)
    for (Integer& c : p) c /= divisor;
}

/// a times a power of b's leading coefficient, modulo b.
Polynomial pseudo_remainder(Polynomial a, const Polynomial& b) {
  while (a.size() >= b.size()) {
    const Integer factor = a.back();
    const size_t shift = a.size() - b.size();
    for (Integer& c : a) c *= b.back();
    for (size_t i = 0; i < b.size(); ++i) a[i + shift] -= factor * b[i];
    trim(a);
  }
  return a;
}

Polynomial common_divisor(Polynomial a, Polynomial b) {
  while (!b.empty()) {
    make_primitive(b);
    Polynomial rest = pseudo_remainder(a, b);
    a = std::move(b);
    b = std::move(rest);
  }
  make_primitive(a);
  return a;
}

/// a / b up to a constant factor; b divides a.
Polynomial quotient(Polynomial a, const Polynomial& b) {
  Polynomial result(a.size() - b.size() + 1);
  while (a.size() >= b.size()) {
    const Integer factor = a.back();
    const size_t shift = a.size() - b.size();
    for (Integer& c : a) c *= b.back();
    for (Integer& c : result) c *= b.back();
    result[shift] += factor;
    for (size_t i = 0; i < b.size(); ++i) a[i + shift] -= factor * b[i];
    trim(a);
  }
  make_primitive(result);
  return result;
}

Polynomial without_multiple_roots(const Polynomial& p) {
  Polynomial derivative;
  for (size_t i = 1; i < p.size(); ++i) derivative.push_back(p[i] * i);
  return quotient(p, common_divisor(p, derivative));
}

/// p(s / 2) 2^n
Polynomial left_half(Polynomial p) {
  for (size_t i = 0; i < p.size(); ++i) p[i] <<= p.size() - 1 - i;
  return p;
}

/// p(s + 1)
Polynomial shifted(Polynomial p) {
  for (size_t i = 0; i < p.size(); ++i)
    for (size_t j = p.size() - 1; j > i; --j) p[j - 1] += p[j];
  return p;
}

/// Coefficients of (1 + s)^n p(1 / (1 + s)): those of Bernstein on (0, 1), up to positive factors, in
/// reverse.
Polynomial bernstein(const Polynomial& p) {
  return shifted(Polynomial(p.rbegin(), p.rend()));
}

int variations(const Polynomial& coefficients) {
  int count = 0, last = 0;
  for (const Integer& c : coefficients) {
    if (sign(c) == 0) continue;
    count += last * sign(c) < 0;
    last = sign(c);
  }
  return count;
}

/// +1 or -1 if all coefficients have that sign, else 0.
int common_sign(const Polynomial& coefficients) {
  for (const Integer& c : coefficients)
    if (sign(c) != sign(coefficients[0])) return 0;
  return sign(coefficients[0]);
}

Integer value_at_one(const Polynomial& p) {
  Integer sum = 0;
  for (const Integer& c : p) sum += c;
  return sum;
}

void add_inner_roots(const Polynomial& of, const Polynomial& local, const Integer& step, int level,
                     std::vector<Root>& found) {
  const int count = variations(bernstein(local));
  if (count == 0) return;
  if (count == 1) {
    found.push_back({of, local, step, level});
    return;
  }
  const Polynomial left = left_half(local), right = shifted(left);
  add_inner_roots(of, left, 2 * step, level + 1, found);
  if (right[0].is_zero()) found.push_back({of, {}, 2 * step + 1, level + 1});
  add_inner_roots(of, right, 2 * step + 1, level + 1, found);
}

/// 2^(level n) p((step + s) / 2^level)
Polynomial localised(const Polynomial& p, const Root& root) {
  Polynomial result;
  for (size_t i = p.size(); i-- > 0;) {
    Polynomial next(result.size() + 1);
    for (size_t k = 0; k < result.size(); ++k) {
      next[k] += result[k] * root.step;
      next[k + 1] += result[k];
    }
    next[0] += p[i] << (static_cast<size_t>(root.level) * (p.size() - 1 - i));
    result = std::move(next);
  }
  return result;
}

/// Halves the interval of the root, which has one simple root inside; `other` follows.
void narrow(Root& root, Polynomial& other) {
  Polynomial left = left_half(root.local), right = shifted(left);
  const Polynomial other_left = left_half(other);
  ++root.level;
  root.step *= 2;
  const bool in_left = sign(right[0]) != 0 && variations(bernstein(left)) % 2 == 1;
  if (!in_left) ++root.step;
  if (sign(right[0]) == 0) right.clear();
  other = in_left ? other_left : shifted(other_left);
  root.local = in_left ? std::move(left) : std::move(right);
}

bool shares(const Polynomial& polynomial, const Root& root) {
  const Polynomial common = common_divisor(root.of, polynomial);
  if (degree(common) < 1) return false;
  return variations(bernstein(localised(common, root))) % 2 == 1;
}

}  // namespace

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a.size() > b.size() ? a : b;
  const Polynomial& other = a.size() > b.size() ? b : a;
  for (size_t i = 0; i < other.size(); ++i) result[i] += other[i];
  trim(result);
  return result;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial negative = b;
  for (Integer& c : negative) c = -c;
  return a + negative;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial result(a.size() + b.size() - 1);
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  return result;
}

Root root_at_zero() {
  return {};
}

std::vector<Root> roots_in_unit_interval(const Polynomial& polynomial) {
  std::vector<Root> found;
  if (polynomial[0].is_zero()) found.push_back({polynomial, {}, 0, 0});
  if (polynomial.size() > 1 && value_at_one(polynomial).is_zero()) found.push_back({polynomial, {}, 1, 0});
  const int count = variations(bernstein(polynomial));
  if (count == 1) found.push_back({polynomial, polynomial, 0, 0});
  if (count > 1) {
    const Polynomial simple = without_multiple_roots(polynomial);
    add_inner_roots(simple, simple, 0, 0, found);
  }
  return found;
}

int sign_at(const Polynomial& polynomial, Root& root) {
  if (polynomial.empty()) return 0;
  Polynomial local = localised(polynomial, root);
  bool known_not_zero = false;
  for (int i = 0;; ++i) {
    if (root.local.empty()) return sign(local[0]);
    if (const int all = common_sign(bernstein(local))) return all;
    if (i == 60 && !known_not_zero) {
      if (shares(polynomial, root)) return 0;
      known_not_zero = true;
    }
    narrow(root, local);
  }
}

}  // namespace heddle::test
