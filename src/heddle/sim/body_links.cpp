#include <heddle/sim/body_links.h>

#include <heddle/sim/select.h>

#include <algorithm>

namespace heddle {

void add_body_links(std::span<const AttachmentDescription> attachments, const StartPoints& points,
                    const Model& model, std::span<const BodyState> bodies, std::vector<BodyLink>& links) {
  for (const AttachmentDescription& attachment : attachments) {
    const auto part = std::find_if(model.bodies.begin(), model.bodies.end(),
                                   [&](const BodyPart& b) { return b.name == attachment.obstacle; });
    if (part == model.bodies.end()) continue;
    TriangleMesh nodes;
    if (!points.mesh) nodes.positions.assign(points.positions.begin(), points.positions.end());
    Diagnostics reported_elsewhere;
    const auto body = static_cast<int>(part - model.bodies.begin());
    const RigidTransform pose = part->pose(bodies[static_cast<size_t>(body)]);
    for (const int vertex :
         select_vertices(attachment.vertices, points.mesh ? *points.mesh : nodes, reported_elsewhere))
      links.push_back({.particle = points.first + vertex,
                       .body = body,
                       .place = pose.point_to_local(points.positions[static_cast<size_t>(vertex)]),
                       .release = attachment.release});
  }
}

}  // namespace heddle
