#include <heddle/forces/field/drag.h>

namespace heddle {

void Drag::describe(Describer<Drag>& d) {
  d.type("drag", "force",
         "Resistance in proportion to the velocity relative to the air, without any notion of shape.");
  d.parameter("damping", &Drag::damping,
              {.unit = "N s/m",
               .doc = "Of every vertex, however many there are; damps all motion.",
               .minimum = 0,
               .maximum = 1e6});
  d.parameter("area_damping", &Drag::area_damping,
              {.unit = "N s/m3",
               .doc = "Of every square metre of cloth at rest; does not depend on the mesh.",
               .minimum = 0,
               .maximum = 1e9});
  d.parameter("velocity", &Drag::velocity,
              {.unit = "m/s", .doc = "Velocity of the air, constant or key-framed."});
  d.example(R"({"type": "drag", "area_damping": 0.3})");
}

DragKernel::DragKernel(Drag parameters, std::span<const double> area) : parameters_(std::move(parameters)) {
  for (size_t i = 0; i < area.size(); ++i) {
    nodes.push_back({static_cast<int>(i)});
    damping_.push_back(parameters_.damping + parameters_.area_damping * area[i]);
  }
}

void DragKernel::force(int element, const ElementState<1>& q, std::array<Vec3, 1>& force) const {
  force[0] = -damping_[static_cast<size_t>(element)] * (q.v[0] - parameters_.velocity.at(q.time));
}

void DragKernel::linearise(int element, const ElementState<1>& q, const ElementScales& scales,
                           ElementSystem<1>& out) const {
  force(element, q, out.force);
  out.stiffness_velocity[0].setZero();
  out.a[0][0] = scales.damping * damping_[static_cast<size_t>(element)] * Mat3::Identity();
}

}  // namespace heddle
