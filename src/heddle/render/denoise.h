#pragma once

#include <heddle/render/path_tracer.h>

namespace heddle {

/// Smooths the light of a film, never its colours: radiance over albedo is averaged with neighbours of like
/// normal, albedo and brightness, where likeness of brightness is judged by each pixel's own noise
/// (edge-avoiding a-trous wavelets, Dammertz et al. 2010).
void denoise(Film& film);

}  // namespace heddle
