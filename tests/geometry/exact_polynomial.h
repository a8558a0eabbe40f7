#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <vector>

namespace heddle::test {

using Integer = boost::multiprecision::cpp_int;

/// Integer coefficients, constant first, without zeros at the end; empty for the polynomial 0.
using Polynomial = std::vector<Integer>;

Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Polynomial& b);

/// A root in [0, 1] of a polynomial: (step + s) / 2^level, where s is the only root of `local` in (0, 1), or
/// 0 if `local` is empty.
struct Root {
  Polynomial of;
  Polynomial local;
  Integer step = 0;
  int level = 0;
};

/// The root 0.
Root root_at_zero();
/// All different roots in [0, 1] of a polynomial that is not 0.
std::vector<Root> roots_in_unit_interval(const Polynomial& polynomial);
/// Sign of the polynomial at the root, exactly. Narrows the root.
int sign_at(const Polynomial& polynomial, Root& root);

}  // namespace heddle::test
