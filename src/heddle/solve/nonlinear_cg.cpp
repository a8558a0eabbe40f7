#include <heddle/solve/nonlinear_cg.h>

#include <heddle/core/check.h>

#include <cmath>
#include <vector>

namespace heddle {

namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The function, and how often it was asked.
class Counted {
 public:
  Counted(const SmoothFunction& f, int& evaluations) : f_(f), evaluations_(evaluations) {}
  double at(const Numbers& x, Numbers& gradient) {
    ++evaluations_;
    return f_(x, gradient);
  }

 private:
  const SmoothFunction& f_;
  int& evaluations_;
};

/// A place on the line, with value and gradient.
struct Place {
  Numbers x, gradient;
  double value = 0;
};

class LineSearch {
 public:
  LineSearch(const NonlinearCg& method, Counted& f, const Place& start, const Numbers& direction)
      : method_(method),
        f_(f),
        start_(start),
        direction_(direction),
        slope_(dot(start.gradient, direction)) {}

  /// False if no step was found that makes the function smaller.
  bool find(Place& best) {
    double step = 1;
    Place tried = start_;
    bool found = false;
    for (int k = 0; k <= method_.halvings && !found; ++k, step *= 0.5) {
      look(step, tried);
      found = tried.value <= start_.value + method_.sufficient * step * slope_ && is_flat_enough(tried);
      if (!found && tried.value < start_.value && (best.x.empty() || tried.value < best.value)) {
        best = tried;
        length_ = step;
      }
    }
    if (found) {
      length_ = 2 * step;  // the loop has halved it once more
      best = tried;
    }
    if (best.x.empty()) return false;
    lengthen(best);
    return true;
  }

 private:
  void look(double step, Place& out) {
    for (size_t i = 0; i < start_.x.size(); ++i) out.x[i] = start_.x[i] + step * direction_[i];
    out.value = f_.at(out.x, out.gradient);
    if (!std::isfinite(out.value)) out.value = HUGE_VAL;
  }

  bool is_flat_enough(const Place& place) const {
    return dot(place.gradient, direction_) >= method_.curvature * slope_;
  }

  /// Goes on as long as that helps, in steps that double where they do and halve where they do not.
  void lengthen(Place& best) {
    double more = length_;
    Place tried = best;
    for (int k = 0; k < method_.refinements; ++k) {
      look(length_ + more, tried);
      if (tried.value < best.value) {
        length_ += more;
        best = tried;
        more *= 2;
      } else {
        more *= 0.5;
      }
    }
  }

  const NonlinearCg& method_;
  Counted& f_;
  const Place& start_;
  const Numbers& direction_;
  double slope_;
  double length_ = 0;
};

/// -scale g, and its square in the measure that belongs to it.
double steepest(const Numbers& gradient, std::span<const double> scale, Numbers& out) {
  double square = 0;
  for (size_t i = 0; i < gradient.size(); ++i) {
    out[i] = -scale[i] * gradient[i];
    square -= out[i] * gradient[i];
  }
  return square;
}

}  // namespace

NonlinearCgReport minimise(const NonlinearCg& method, const SmoothFunction& f, std::span<const double> scale,
                           std::span<double> x) {
  HEDDLE_CHECK_EQ(scale.size(), x.size());
  NonlinearCgReport report;
  Counted counted(f, report.evaluations);
  Place now{Numbers(x.begin(), x.end()), Numbers(x.size()), 0};
  now.value = report.first = counted.at(now.x, now.gradient);
  Numbers down(x.size()), direction(x.size());
  const double start = steepest(now.gradient, scale, down);
  double square = start;
  direction = down;
  while (report.iterations < method.iterations && square > method.tolerance * method.tolerance * start &&
         square > 0) {
    if (dot(now.gradient, direction) >= 0) direction = down;
    Place next;
    if (!LineSearch(method, counted, now, direction).find(next)) {
      if (direction == down) break;
      direction = down;
      continue;
    }
    now = std::move(next);
    ++report.iterations;
    const double last = square;
    square = steepest(now.gradient, scale, down);
    const double beta = square / last;
    for (size_t i = 0; i < direction.size(); ++i) direction[i] = down[i] + beta * direction[i];
  }
  std::copy(now.x.begin(), now.x.end(), x.begin());
  report.last = now.value;
  report.gradient = start > 0 ? std::sqrt(square / start) : 0;
  return report;
}

}  // namespace heddle
