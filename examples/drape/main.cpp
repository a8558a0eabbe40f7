// Drapes a cloth over a ball and prints where its lowest point comes to hang.
#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <algorithm>
#include <iostream>

constexpr const char* kScene = R"({
  "heddle": 1,
  "cloths": [{"name": "cloth", "mesh": {"type": "grid", "size": [1, 1], "resolution": [31, 31]},
              "translation": [0, 0, 0.25], "fabric": "cotton"}],
  "obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2}}]
})";

int main() {
  heddle::Result<heddle::Simulation> simulation = heddle::build_text(kScene);
  if (!simulation) {
    std::cerr << simulation.errors().text();
    return 2;
  }
  const heddle::StepSummary summary = heddle::advance_to(*simulation, 1.0);
  if (summary.outcome != heddle::StepOutcome::accepted) {
    std::cerr << summary.reason << '\n';
    return 1;
  }
  const auto lower = [](const heddle::Vec3& a, const heddle::Vec3& b) { return a.z() < b.z(); };
  const auto& x = simulation->state.x;
  std::cout << "lowest point: " << std::min_element(x.begin(), x.end(), lower)->z() << " m\n";
}
