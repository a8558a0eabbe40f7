#pragma once

#include <heddle/render/surface.h>

namespace heddle {

/// Lines and outlines of a cloth's elements as thin prisms in the colours of their treatment.
Surface element_tubes(const SnapshotObject& object, const SnapshotObjectFrame& frame);

}  // namespace heddle
