#pragma once

#include <heddle/core/result.h>
#include <heddle/io/run_folder.h>

#include <filesystem>

namespace heddle {

/// Writes the viewer and the whole run as one page that opens from disk without network. Positions are kept
/// to 1/65535 of the run's extent, strains, speeds, pressures and paces to 1/2047 of their largest value.
///
/// The page carries its data in script elements, base64 of zlib streams unless noted:
///   heddle-export   plain JSON {"version", "frames", "times", "frames_per_chunk", "chunks",
///                   "objects": [{"vertices", "origin": [x, y, z], "step", "speed_step", "strain_step",
///                   "strained_faces", "pressure_step", "pressed_vertices", "treated_elements",
///                   "component_vertices", "pace_step", "paced_vertices"}]}
///   heddle-model    the model message of wire.h
///   heddle-run, heddle-metrics      run.json and metrics.csv
///   heddle-intersections            JSON: what /api/intersections/N says, for every frame in order; null
///                   where it cannot be known
///   heddle-chunk-K  frames_per_chunk frames; per frame, for every object
///     obstacle, rigid ("vertices" is 0): f32 rotation[4] (x, y, z, w), f32 translation[3], f32 0
///     obstacle that deforms: N values x[n] y[n] z[n], coded as those of a cloth
///     cloth:    N values of 16 bits: x[n] y[n] z[n] speed[n] pressure[p] weft[m] warp[m] shear[m], each in
///               its steps, treatment[e] as in wire.h, component[c] from 1 on with 0 for none, pace[k];
///               p being "pressed_vertices" (n or 0), e "treated_elements", c "component_vertices" (n or 0),
///               k "paced_vertices" (n or 0);
///               coded as difference to the same value of the frame before in the chunk (in the first frame:
///               to the value before), zigzag; all N low bytes, then all N high bytes
Status export_html(const RunReader& run, const std::filesystem::path& out);

}  // namespace heddle
