"""Plays the sample's point caches in Blender and compares the vertices with reference.json.

usage: blender --background --factory-startup --python-exit-code 1 --python blender_pc2.py -- SAMPLE_FOLDER
"""
import json
import sys
from pathlib import Path

import bpy

TOLERANCE = 1e-5  # m
NAMES = {"flag": "flag", "rock & stone": "rock___stone", "scarf": "scarf", "hammock": "hammock"}


def import_obj(file):
    """Both importers of Blender, told that the file's z is up."""
    if hasattr(bpy.ops.wm, "obj_import"):
        bpy.ops.wm.obj_import(filepath=str(file), forward_axis="Y", up_axis="Z")
    else:
        bpy.ops.import_scene.obj(filepath=str(file), axis_forward="Y", axis_up="Z", split_mode="OFF")
    return bpy.context.selected_objects[0]


def check(folder, name, index, reference):
    thing = import_obj(folder / f"{name}.obj")
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = str(folder / f"{name}.pc2")
    cache.frame_start = 0
    for k, frame in enumerate(reference["frames"]):
        bpy.context.scene.frame_set(k)
        shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found = [x for vertex in shown.data.vertices for x in shown.matrix_world @ vertex.co]
        expected = frame["objects"][index]["positions"]
        assert len(found) == len(expected), f"{name}: {len(found)} numbers instead of {len(expected)}"
        worst = max(abs(a - b) for a, b in zip(found, expected))
        assert worst <= TOLERANCE, f"{name}, frame {k}: differs by {worst}"


sample = Path(sys.argv[sys.argv.index("--") + 1])
reference = json.loads((sample / "reference.json").read_text())
for i, thing in enumerate(reference["objects"]):
    check(sample / "pc2", NAMES[thing["name"]], i, reference)
print(f"blender: {len(reference['frames'])} frames agree")
