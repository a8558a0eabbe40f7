#include <heddle/materials/tensile_fit.h>

#include <heddle/core/text.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace heddle {

Result<TensileFit> fit_tensile_curve(const std::vector<TensilePoint>& curve, double load) {
  for (size_t k = 1; k < curve.size(); ++k)
    if (curve[k].strain <= curve[k - 1].strain)
      return failure({}, "strain does not grow from point " + std::to_string(k) + " to the next",
                     "give one branch of the curve, sorted by strain");
  size_t beyond = 0;
  while (beyond < curve.size() && curve[beyond].load < load) ++beyond;
  if (beyond == curve.size())
    return failure({}, "the curve ends before a load of " + short_number_text(load) + " N/m",
                   "measure farther, or choose a smaller load");
  const TensilePoint before = beyond == 0 ? TensilePoint{} : curve[beyond - 1], after = curve[beyond];
  TensileFit fit;
  fit.limit =
      before.strain + (load - before.load) / (after.load - before.load) * (after.strain - before.strain);
  double product = fit.limit * load, square = fit.limit * fit.limit;
  for (size_t k = 0; k < beyond; ++k) {
    product += curve[k].strain * curve[k].load;
    square += curve[k].strain * curve[k].strain;
  }
  if (!(square > 0) || !(product > 0))
    return failure({}, "the curve has no positive strain below the load",
                   "give strains and loads above zero");
  fit.stiffness = product / square;
  double sum = 0;
  for (size_t k = 0; k < beyond; ++k) sum += std::pow(fit.stiffness * curve[k].strain - curve[k].load, 2);
  fit.points = static_cast<int>(beyond);
  fit.error = beyond == 0 ? 0 : std::sqrt(sum / static_cast<double>(beyond));
  return fit;
}

Result<std::vector<TensilePoint>> read_tensile_curve(std::string_view text, double unit,
                                                     const std::string& name) {
  std::vector<TensilePoint> curve;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (char& c : line)
      if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#' ||
        std::isalpha(static_cast<unsigned char>(line[first])))
      continue;
    const char* begin = line.c_str() + first;
    char* middle = nullptr;
    char* end = nullptr;
    const double strain = std::strtod(begin, &middle), load = std::strtod(middle, &end);
    if (middle == begin || end == middle || !std::isfinite(strain) || !std::isfinite(load))
      return failure({name, number, 1}, "expected two numbers, strain and load", "found \"" + line + "\"");
    curve.push_back({strain, unit * load});
  }
  if (curve.empty()) return failure({name, 0, 0}, "no points", "give lines of strain and load");
  return curve;
}

}  // namespace heddle
