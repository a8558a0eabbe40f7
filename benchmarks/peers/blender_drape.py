"""The benchmark scene "drape on a sphere", simulated by Blender's cloth modifier.

blender --background --factory-startup --python blender_drape.py -- --grid 51 --frames 50 --json out.json
"""

import argparse
import array
import json
import math
import sys
import time
import traceback

import bpy

CLOTH_SIZE = 1.0
CLOTH_MASS = 0.2
CLOTH_HEIGHT = 0.22
SPHERE_RADIUS = 0.2
SPHERE_SUBDIVISIONS = 4
FRICTION = 0.3
GRAVITY = 9.81
FRAMES_PER_SECOND = 25
# Together with the cloth's own default distance of 15 mm this stays below the initial gap of 20 mm; with a
# smaller distance for the cloth, the finer grids fall through the sphere.
SPHERE_THICKNESS = 0.005
# The cloth modifier ignores the frame rate: it moves one unit of time per frame and takes a thousandth of
# the scene's gravity, so its unit is sqrt(0.001) s. The speed multiplier turns that into real seconds.
TIME_SCALE = 1 / (FRAMES_PER_SECOND * math.sqrt(0.001))
DEFAULT_VERTEX_MASS = 0.3
STIFFNESS_SETTINGS = ("tension", "compression", "shear", "bending")
# The collision response multiplies the friction settings by 0.01.
FRICTION_SETTING = 100 * FRICTION


def whole_number(least):
    def parse(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"wants a whole number of at least {least}, not '{text}'")
        return int(text)

    return parse


def parse_options():
    own = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="blender_drape.py", allow_abbrev=False)
    parser.add_argument("--grid", type=whole_number(3), default=51, help="vertices along one side")
    parser.add_argument("--frames", type=whole_number(1), default=50)
    parser.add_argument(
        "--stiffness",
        choices=("scaled", "default"),
        default="scaled",
        help="Blender's default settings times the vertex mass over the default vertex mass, or as they are",
    )
    parser.add_argument(
        "--self-collision",
        type=float,
        metavar="SHARE",
        help="self-collision at this share of the grid's spacing; without it there is none",
    )
    parser.add_argument("--json", metavar="FILE", help="write the result there instead of printing it")
    parser.add_argument("--free-fall", action="store_true", help="leave out the sphere, to check the clock")
    return parser.parse_args(own)


def prepare_scene(frames):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.gravity = (0, 0, -GRAVITY)
    scene.render.fps = FRAMES_PER_SECOND
    scene.render.fps_base = 1.0
    scene.frame_start = 1
    scene.frame_end = frames + 1
    scene.frame_set(1)
    return scene


def add_sphere():
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=SPHERE_SUBDIVISIONS, radius=SPHERE_RADIUS)
    sphere = bpy.context.object
    sphere.modifiers.new("Collision", "COLLISION")
    sphere.collision.cloth_friction = FRICTION_SETTING
    sphere.collision.damping = 0.0
    sphere.collision.thickness_outer = SPHERE_THICKNESS


def grid_mesh(grid):
    spacing = CLOTH_SIZE / (grid - 1)
    ticks = [i * spacing - CLOTH_SIZE / 2 for i in range(grid)]
    vertices = [(x, y, CLOTH_HEIGHT) for y in ticks for x in ticks]
    corners = (j * grid + i for j in range(grid - 1) for i in range(grid - 1))
    faces = [(a, a + 1, a + grid + 1, a + grid) for a in corners]
    mesh = bpy.data.meshes.new("cloth")
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    return mesh


def scale_stiffness(settings):
    """Keeps the default ratio of stiffness to mass, on which alone the motion under gravity depends."""
    factor = settings.mass / DEFAULT_VERTEX_MASS
    for name in STIFFNESS_SETTINGS:
        for kind in ("stiffness", "damping"):
            setting = f"{name}_{kind}"
            setattr(settings, setting, factor * getattr(settings, setting))


def configure_cloth(modifier, vertices, options):
    settings = modifier.settings
    settings.mass = CLOTH_MASS / vertices
    if options.stiffness == "scaled":
        scale_stiffness(settings)
    settings.air_damping = 0.0
    settings.time_scale = TIME_SCALE
    modifier.collision_settings.use_collision = True
    modifier.collision_settings.use_self_collision = options.self_collision is not None
    if options.self_collision is not None:
        modifier.collision_settings.self_distance_min = options.self_collision * CLOTH_SIZE / (options.grid - 1)
        modifier.collision_settings.self_friction = FRICTION_SETTING
    modifier.collision_settings.friction = FRICTION_SETTING
    modifier.point_cache.frame_start = 1
    modifier.point_cache.frame_end = options.frames + 1


def add_cloth(options):
    cloth = bpy.data.objects.new("cloth", grid_mesh(options.grid))
    bpy.context.scene.collection.objects.link(cloth)
    modifier = cloth.modifiers.new("Cloth", "CLOTH")
    configure_cloth(modifier, options.grid * options.grid, options)
    return cloth


def evaluated(cloth):
    return cloth.evaluated_get(bpy.context.evaluated_depsgraph_get())


def read_positions(cloth):
    vertices = evaluated(cloth).data.vertices
    flat = array.array("f", bytes(12 * len(vertices)))
    vertices.foreach_get("co", flat)
    return list(zip(flat[0::3], flat[1::3], flat[2::3]))


def largest_stretch(positions, grid):
    longest = 0.0
    for start in range(0, grid * grid, grid):
        row = positions[start : start + grid]
        longest = max(longest, max(map(math.dist, row, row[1:])))
    longest = max(longest, max(map(math.dist, positions, positions[grid:])))
    return max(0.0, longest * (grid - 1) / CLOTH_SIZE - 1)


class Record:
    """What the frames so far took and showed."""

    def __init__(self):
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.strains = []
        self.unconverged_frames = 0


def timed_frame(scene, frame, record):
    begin = time.perf_counter()
    cpu_begin = time.process_time()
    scene.frame_set(frame)
    record.seconds += time.perf_counter() - begin
    record.cpu_seconds += time.process_time() - cpu_begin


def simulate(scene, cloth, options):
    """Steps the frames in order, so that each is simulated rather than read from the cache."""
    record = Record()
    for frame in range(2, options.frames + 2):
        if cloth.modifiers["Cloth"].point_cache.is_baked:
            raise RuntimeError("the point cache is baked: nothing would be simulated")
        timed_frame(scene, frame, record)
        record.strains.append(largest_stretch(read_positions(cloth), options.grid))
        solver = evaluated(cloth).modifiers["Cloth"].solver_result
        if solver is None:
            raise RuntimeError(f"frame {frame} was not simulated")
        record.unconverged_frames += "NO_CONVERGENCE" in solver.status
    return record


def summary(options, cloth, record):
    heights = [position[2] for position in read_positions(cloth)]
    modifier = cloth.modifiers["Cloth"]
    return {
        "peer": "blender",
        "version": bpy.app.version_string,
        "vertices": options.grid * options.grid,
        "quality_steps": modifier.settings.quality,
        "collision_quality": modifier.collision_settings.collision_quality,
        "stiffness": options.stiffness,
        "self_collision": options.self_collision,
        "frames": options.frames,
        "seconds_per_frame": record.seconds / options.frames,
        "cpu_seconds_per_frame": record.cpu_seconds / options.frames,
        "unconverged_frames": record.unconverged_frames,
        "largest_strain": max(record.strains),
        "largest_strain_second_half": max(record.strains[options.frames // 2 :]),
        "largest_strain_last": record.strains[-1],
        "lowest_point": min(heights),
        "highest_point": max(heights),
        "on_sphere": max(heights) > 0,
    }


def run(options):
    scene = prepare_scene(options.frames)
    if not options.free_fall:
        add_sphere()
    cloth = add_cloth(options)
    # The first frame builds the springs and the collision trees: set-up, not simulation.
    scene.frame_set(1)
    record = simulate(scene, cloth, options)
    result = summary(options, cloth, record)
    if not all(map(math.isfinite, (result["lowest_point"], result["highest_point"]))):
        raise RuntimeError("the simulation diverged")
    return result


def write_result(result, path):
    text = json.dumps(result)
    if path is None:
        print(text)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def main():
    options = parse_options()
    write_result(run(options), options.json)


try:
    main()
except Exception:
    # Blender itself would report the error and still leave with 0.
    traceback.print_exc()
    sys.exit(1)
