#pragma once

#include <heddle/contact/body_coupling.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>

#include <span>
#include <vector>

namespace heddle {

/// Points of a cloth or a rod as they start, by particles from `first` on.
struct StartPoints {
  std::span<const Vec3> positions;  // m
  const TriangleMesh* mesh = nullptr;
  int first = 0;
};

/// Adds the attachments to bodies; those to obstacles are left to others. What is wrong with a selection is
/// reported by them.
void add_body_links(std::span<const AttachmentDescription> attachments, const StartPoints& points,
                    const Model& model, std::span<const BodyState> bodies, std::vector<BodyLink>& links);

}  // namespace heddle
