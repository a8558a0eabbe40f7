#!/usr/bin/env python3
"""Writes the scenes of many magnets and the closed meshes that they need.

    tools/make_magnet_scenes.py [--out FOLDER]      default: scenes

compass_field.json    compass needles around a bar magnet
magnet_figures.json   a magnet lifts four iron figures (assets/figure.obj) out of a pool of balls
magnet_clasp.json     two magnets close a cloth bag (assets/bag.obj)
"""
import argparse
import json
import math
import pathlib
import random


def write_obj(path, points, triangles):
    lines = ["# Written by tools/make_magnet_scenes.py; metres, z up"]
    lines += ["v {:.6f} {:.6f} {:.6f}".format(*point) for point in points]
    lines += ["f {} {} {}".format(*(i + 1 for i in triangle)) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_scene(path, scene):
    """One line for each entry of a list."""
    lines = []
    for key, value in scene.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n".join("    " + json.dumps(entry) for entry in value)
            lines.append(f"  {json.dumps(key)}: [\n{entries}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def scene(title, duration, **parts):
    return {"$schema": "../docs/schema/scene.schema.json", "heddle": 1, "title": title, "duration": duration, **parts}


def rounded(*numbers):
    return [round(number, 5) for number in numbers]


def compass_field(folder):
    source = random.Random(1)
    bodies, joints = [], []
    for row in range(-4, 5):
        for column in range(-6, 7):
            x, y = 0.032 * column, 0.032 * row
            if abs(x) < 0.06 and abs(y) < 0.03:
                continue
            name = f"needle{len(bodies) + 1}"
            bodies.append({"name": name, "shape": {"type": "box", "size": [0.02, 0.004, 0.0015]}, "density": 7800,
                           "translation": rounded(x, y, 0.01), "rotation": rounded(0, 0, source.uniform(-180, 180)),
                           "angular_damping": 6, "magnet": {"remanence": [0.05, 0, 0], "cells": 8}})
            joints.append({"kind": "hinge", "body": name, "place": rounded(x, y, 0.01), "axis": [0, 0, 1]})
    obstacles = [{"name": "bar", "shape": {"type": "box", "size": [0.08, 0.016, 0.016]},
                  "motion": {"translation": [0, 0, 0.01]}, "magnet": {"remanence": [1.2, 0, 0], "cells": 128}},
                 {"name": "table", "shape": {"type": "plane", "size": 0.6}}]
    write_scene(folder / "compass_field.json", scene(
        "Compass needles turn into the field of a bar magnet", 4, bodies=bodies, joints=joints, obstacles=obstacles,
        integrator={"type": "implicit_euler", "time_step": 0.002}))


def figure(folder):
    """A pawn: a surface of revolution."""
    around = 20
    profile = [(0.0075, 0), (0.0075, 0.003), (0.0045, 0.0055), (0.0032, 0.011), (0.003, 0.015), (0.005, 0.0165),
               (0.003, 0.018)]
    profile += [(0.0052 * math.sin(a), 0.0225 - 0.0052 * math.cos(a))
                for a in (math.radians(60 + 20 * k) for k in range(6))]
    points, triangles = [[0, 0, 0], [0, 0, 0.0277]], []
    for r, z in profile:
        points += [[r * math.cos(2 * math.pi * k / around), r * math.sin(2 * math.pi * k / around), z]
                   for k in range(around)]
    rings = len(profile)
    for k in range(around):
        n = (k + 1) % around
        triangles += [[0, 2 + n, 2 + k], [1, 2 + (rings - 1) * around + k, 2 + (rings - 1) * around + n]]
        for ring in range(rings - 1):
            a, b = 2 + ring * around + k, 2 + ring * around + n
            triangles += [[a, b, a + around], [b, b + around, a + around]]
    write_obj(folder / "assets" / "figure.obj", points, triangles)


def magnet_figures(folder):
    figure(folder)
    bodies, places = [], [(-0.018, -0.013), (0.018, -0.013), (-0.018, 0.013), (0.018, 0.013)]
    for k, (x, y) in enumerate(places):
        bodies.append({"name": f"figure{k + 1}", "mesh": {"type": "file", "path": "assets/figure.obj"}, "density": 7800,
                       "translation": rounded(x, y, 0.0003), "friction": 0.4, "damping": 1, "angular_damping": 5,
                       "magnet": {"kind": "induced", "saturation": 2, "cells": 8}})
    radius, step = 0.005, 0.0105
    for layer in range(2):
        for row in range(-3, 4):
            for column in range(-4, 5):
                x, y = step * column, step * row
                if any(math.hypot(x - a, y - b) < radius + 0.0082 for a, b in places):
                    continue
                bodies.append({"name": f"ball{len(bodies) - 3}", "shape": {"type": "sphere", "radius": radius},
                               "density": 900, "friction": 0.3, "angular_damping": 5,
                               "translation": rounded(x, y, radius + 0.0003 + layer * 2.05 * radius)})
    wall = {"type": "box", "size": [0.004, 0.086, 0.026]}
    side = {"type": "box", "size": [0.108, 0.004, 0.026]}
    path = {"times": [0, 0.7, 0.9, 1.7], "values": [[0, 0, 0.11], [0, 0, 0.045], [0, 0, 0.045], [0, 0, 0.11]],
            "interpolation": "smooth"}
    obstacles = [{"name": "magnet", "shape": {"type": "box", "size": [0.06, 0.045, 0.024]}, "friction": 0.5,
                  "motion": {"translation": path}, "magnet": {"remanence": [0, 0, 1.2], "cells": 64}},
                 {"name": "floor", "shape": {"type": "plane", "size": 0.4}, "friction": 0.4}]
    for name, shape, place in (("east", wall, [0.052, 0, 0.013]), ("west", wall, [-0.052, 0, 0.013]),
                               ("north", side, [0, 0.041, 0.013]), ("south", side, [0, -0.041, 0.013])):
        obstacles.append({"name": name, "shape": shape, "motion": {"translation": place}})
    write_scene(folder / "magnet_figures.json", scene(
        "A magnet lifts four iron figures out of a pool of balls that are not magnetic", 2, frame_rate=50, bodies=bodies,
        obstacles=obstacles, integrator={"type": "implicit_euler", "time_step": 0.001}))


def bag(folder):
    """Two sheets that share their sides and the bottom, open at the top."""
    width, height, columns, rows, opening = 0.2, 0.16, 28, 22, 0.026
    points, triangles, number = [], [], {}

    def vertex(side, i, j):
        if i in (0, columns) or j == 0:
            side = 0
        if (side, i, j) not in number:
            s, t = i / columns, j / rows
            number[side, i, j] = len(points)
            points.append([width * (s - 0.5), side * opening * math.sin(math.pi * s) * t ** 0.7, height * t])
        return number[side, i, j]

    for side in (-1, 1):
        for j in range(rows):
            for i in range(columns):
                a, b = vertex(side, i, j), vertex(side, i + 1, j)
                c, d = vertex(side, i, j + 1), vertex(side, i + 1, j + 1)
                faces = [[a, b, d], [a, d, c]] if (i + j) % 2 == 0 else [[a, b, c], [b, d, c]]
                # A corner at the bottom would be the same face in both sheets.
                triangles += [f if side < 0 else f[::-1] for f in faces]
    write_obj(folder / "assets" / "bag.obj", points, triangles)


def magnet_clasp(folder):
    bag(folder)
    bodies = []
    for name, side in (("front", -1), ("back", 1)):
        bodies.append({"name": name, "shape": {"type": "cylinder", "radius": 0.008, "height": 0.004}, "density": 7500,
                       "rotation": [90, 0, 0], "translation": rounded(0, side * 0.0225, 0.15), "damping": 1,
                       "angular_damping": 5, "magnet": {"remanence": [0, 0, 1.2], "cells": 64}})
    cloths = [{"name": "bag", "mesh": {"type": "file", "path": "assets/bag.obj"}, "rest": "shape", "fabric": "denim",
               "pins": [{"vertices": {"nearest": [[-0.1, 0, 0.16], [0.1, 0, 0.16]]}}],
               "attachments": [{"vertices": {"box": [[-0.008, -0.03, 0.143], [0.008, -0.01, 0.157]]}, "obstacle": "front"},
                               {"vertices": {"box": [[-0.008, 0.01, 0.143], [0.008, 0.03, 0.157]]}, "obstacle": "back"}]}]
    write_scene(folder / "magnet_clasp.json", scene(
        "Two magnets close a cloth bag that hangs at its corners", 1, frame_rate=50, cloths=cloths, bodies=bodies,
        integrator={"type": "semi_implicit_euler", "time_step": 0.002}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "scenes")
    folder = parser.parse_args().out
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    for make in (compass_field, magnet_figures, magnet_clasp):
        make(folder)


if __name__ == "__main__":
    main()
