#include <heddle/constraints/limited_faces.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

Incidence::Incidence(std::span<const int> nodes, int per_element, int particle_count)
    : start_(static_cast<size_t>(particle_count) + 1, 0), places_(nodes.size()) {
  for (const int i : nodes) ++start_[static_cast<size_t>(i) + 1];
  for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (size_t k = 0; k < nodes.size(); ++k)
    places_[static_cast<size_t>(next[static_cast<size_t>(nodes[k])]++)] = static_cast<int>(k);
  const auto of_element = [&](int place) {
    return nodes.subspan(static_cast<size_t>(place / per_element * per_element),
                         static_cast<size_t>(per_element));
  };
  for (size_t i = 0; i + 1 < start_.size(); ++i)
    std::sort(places_.begin() + start_[i], places_.begin() + start_[i + 1], [&](int a, int b) {
      return std::ranges::lexicographical_compare(of_element(a), of_element(b));
    });
  elements_.reserve(places_.size());
  for (const int place : places_) elements_.push_back(place / per_element);
}

void LimitedFaces::add(const Triangle& particles, const std::array<Vec2, 3>& rest,
                       const StrainBounds& bounds) {
  nodes_.push_back(particles);
  rest_.push_back(RestFace::of(rest));
  bounds_.push_back(bounds);
}

void LimitedFaces::finish(int particle_count) {
  incidence_ = Incidence({nodes_.empty() ? nullptr : nodes_[0].data(), nodes_.size() * kNodes}, kNodes,
                         particle_count);
}

LimitedFaces::Worst LimitedFaces::worst(std::span<const Vec3> x) const {
  std::vector<Worst> parts(static_cast<size_t>(chunk_count(size())));
  for_chunks(size(), [&](int begin, int end, int chunk) {
    Worst& part = parts[static_cast<size_t>(chunk)];
    for (int face = begin; face < end; ++face) {
      const double beyond = excess(face, x);
      if (!(beyond <= part.excess)) part = {face, beyond};  // also if it is not a number
    }
  });
  Worst worst;
  for (const Worst& part : parts)
    if (!(part.excess <= worst.excess)) worst = part;
  return worst;
}

}  // namespace heddle
