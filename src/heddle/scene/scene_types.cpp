#include <heddle/scene/scene_description.h>
#include <heddle/scene/scene_types.h>

namespace heddle {

void add_scene_types(Catalogue& catalogue) {
  for (const TypeDescription* type :
       {&description_of<SceneDescription>(), &description_of<ClothDescription>(),
        &description_of<RodDescription>(), &description_of<ClampDescription>(),
        &description_of<ObstacleDescription>(), &description_of<BodyDescription>(),
        &description_of<JointDescription>(), &description_of<MotorDescription>(),
        &description_of<MagnetDescription>(), &description_of<CoilDescription>(),
        &description_of<PinDescription>(), &description_of<AttachmentDescription>(),
        &description_of<RegionDescription>(), &description_of<PaintDescription>(),
        &description_of<Selection>(), &description_of<FrictionDescription>(),
        &description_of<OutputDescription>(), &description_of<Motion>(),
        &description_of<KeyFrames<double>>()})
    if (!catalogue.find(type->category, type->name)) catalogue.add(*type);
}

}  // namespace heddle
