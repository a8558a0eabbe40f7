#!/usr/bin/env python3
"""Writes the walking figures of scenes/walk.json and scenes/course.json and the dress of the former.

    tools/make_walker.py [--out FOLDER]      default: scenes/assets

walker.glb is a skinned glTF file (metres, y up): torso, head and two legs as closed tubes, moved by a skeleton of nodes
with linear blend skinning. It stands, then walks along +z, always with one foot on the ground. course.glb is the same figure
that climbs two stairs, comes down on the other side and steps over two hurdles. dress.obj (metres, z up)
is a tube around its torso that widens towards the hem; its upper rim is the group "top".
"""
import argparse
import json
import math
import pathlib
import struct

RATE = 30                # keys a second
STAND, EASE, WALK = 0.4, 0.8, 3.2  # s: standing, getting into the stride, all of the walk
CYCLE = 1.15             # s, two paces
HIP_HEIGHT, HIP_OFFSET = 0.9, 0.095
THIGH, SHIN = 0.43, 0.41
BONES = ["root", "hip_l", "knee_l", "hip_r", "knee_r"]
PARENTS = [None, 0, 1, 0, 3]
JOINTS = [(0, HIP_HEIGHT, 0), (HIP_OFFSET, HIP_HEIGHT, 0), (HIP_OFFSET, HIP_HEIGHT - THIGH, 0),
          (-HIP_OFFSET, HIP_HEIGHT, 0), (-HIP_OFFSET, HIP_HEIGHT - THIGH, 0)]

# Height, half width and half depth of the torso, from the crotch to the top of the head.
TORSO = [(0.80, 0.06, 0.06), (0.83, 0.125, 0.085), (0.88, 0.165, 0.105), (0.95, 0.172, 0.112), (1.02, 0.155, 0.10),
         (1.10, 0.132, 0.088), (1.18, 0.138, 0.092), (1.26, 0.152, 0.102), (1.34, 0.158, 0.10), (1.40, 0.145, 0.082),
         (1.45, 0.095, 0.062), (1.48, 0.055, 0.052), (1.53, 0.052, 0.054), (1.57, 0.07, 0.078), (1.63, 0.082, 0.092),
         (1.70, 0.074, 0.084), (1.75, 0.042, 0.048)]
# Height below the hip and radius of a leg.
LEG = [(-0.05, 0.045), (0.0, 0.072), (0.10, 0.076), (0.20, 0.070), (0.30, 0.062), (0.37, 0.056), (0.43, 0.053),
       (0.49, 0.053), (0.56, 0.054), (0.65, 0.046), (0.73, 0.037), (0.77, 0.035)]


def torso_half_axes(height):
    """Half width and half depth of the torso at a height."""
    for (h0, w0, d0), (h1, w1, d1) in zip(TORSO, TORSO[1:]):
        if h0 <= height <= h1:
            s = (height - h0) / (h1 - h0)
            return w0 + s * (w1 - w0), d0 + s * (d1 - d0)
    raise ValueError(height)


def refined(profile, spacing):
    """The profile with rows no farther apart than the spacing."""
    rows = [profile[0]]
    for row in profile[1:]:
        before = rows[-1]
        steps = max(1, math.ceil(abs(row[0] - before[0]) / spacing - 1e-9))
        rows += [tuple(a + (b - a) * k / steps for a, b in zip(before, row)) for k in range(1, steps + 1)]
    return rows


class Figure:
    def __init__(self):
        self.points, self.triangles, self.weights = [], [], []  # weights: {bone: weight} of each point

    def add_tube(self, rings, weights_of):
        """A closed tube through rings of points, of equal number, from the first to the last."""
        first, n = len(self.points), len(rings[0])
        centre = lambda ring: tuple(sum(c) / n for c in zip(*ring))
        for ring in rings:
            self.points += ring
        self.points += [centre(rings[0]), centre(rings[-1])]
        for r in range(len(rings) - 1):
            for i in range(n):
                a, b = first + r * n + i, first + r * n + (i + 1) % n
                self.triangles += [(a, b, b + n), (a, b + n, a + n)]
        bottom, last = first + len(rings) * n, first + (len(rings) - 1) * n
        for i in range(n):
            j = (i + 1) % n
            self.triangles += [(bottom, first + j, first + i), (bottom + 1, last + i, last + j)]
        self.weights += [weights_of(p) for p in self.points[first:]]


def ring(centre, half_x, half_z, n):
    """Clockwise seen from above, so that tubes built upwards look outwards."""
    x, y, z = centre
    return [(x + half_x * math.cos(a), y, z + half_z * math.sin(a)) for a in (-2 * math.pi * i / n for i in range(n))]


def make_figure():
    figure = Figure()
    torso = [ring((0, h, 0), w, d, 32) for h, w, d in refined(TORSO, 0.03)]
    figure.add_tube(torso, lambda p: {0: 1.0})
    for side, hip, knee in ((1, 1, 2), (-1, 3, 4)):
        def weights_of(p, hip=hip, knee=knee):
            s = min(max((HIP_HEIGHT - THIGH + 0.05 - p[1]) / 0.10, 0), 1)
            s = s * s * (3 - 2 * s)
            return {hip: 1 - s, knee: s}
        rows = [ring((side * HIP_OFFSET, HIP_HEIGHT - below, 0), r, r, 20) for below, r in refined(LEG, 0.03)]
        # The shoe: rings that reach forward.
        bottom = HIP_HEIGHT - THIGH - SHIN
        rows += [ring((side * HIP_OFFSET, bottom + h, 0.045), 0.038 * s, 0.10 * s, 20)
                 for h, s in ((0.055, 0.8), (0.035, 1), (0.015, 1), (0.0, 0.85))]
        figure.add_tube(rows[::-1], weights_of)
    return figure


def rotation_x(angle):
    return (math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2))


def stride(time):
    """Angles (rad) of left hip, left knee, right hip, right knee; positive hips swing the leg forward."""
    effort = min(max((time - STAND) / EASE, 0), 1)
    effort = effort * effort * (3 - 2 * effort)
    phase = 2 * math.pi * max(time - STAND, 0) / CYCLE
    angles = []
    for p in (phase, phase + math.pi):
        swing = 0.38 * math.sin(p)
        bend = 0.12 + 0.75 * max(0.0, math.sin(p + 1.9)) ** 2
        angles += [effort * (swing + 0.06), effort * bend]
    return angles


def foot(hip, knee):
    """Where the sole is under the hip: (forward, up)."""
    forward = THIGH * math.sin(hip) + SHIN * math.sin(hip - knee)
    up = -THIGH * math.cos(hip) - SHIN * math.cos(hip - knee)
    return forward, up


def make_keys():
    """Times, places of the root, and the rotations of the other bones. The lower foot stands still."""
    count = round((STAND + EASE + WALK) * RATE) + 1
    times, places, rotations = [], [], [[], [], [], []]
    forward, before = 0.0, None
    for k in range(count):
        time = k / RATE
        angles = stride(time)
        feet = [foot(angles[0], angles[1]), foot(angles[2], angles[3])]
        stance = 0 if feet[0][1] < feet[1][1] else 1
        if before is not None:
            forward += before[stance][0] - feet[stance][0]
        before = feet
        times.append(time)
        places.append((0.0, -feet[stance][1], forward))
        for b, angle in enumerate((-angles[0], angles[1], -angles[2], angles[3])):
            rotations[b].append(rotation_x(angle))
    return times, places, rotations


# Where the feet stand on the course, by turns, the right one first: forward and up, and how high the foot rises on the way.
COURSE = [(0.35, 0, 0.10), (0.75, 0, 0.10), (1.17, 0.14, 0.12), (1.51, 0.28, 0.14), (1.85, 0.28, 0.12), (2.19, 0.14, 0.10),
          (2.55, 0, 0.10), (2.95, 0, 0.10), (3.37, 0, 0.30), (3.77, 0, 0.30), (4.19, 0, 0.32), (4.45, 0, 0.32), (4.45, 0, 0.08)]
PACE = 0.5   # s, of a step
CROUCH = 0.78  # m, of the hip above the ground between the feet


def leg_angles(forward, up):
    """Angles of hip and knee with which the sole is there under the hip, or as near as the leg is long."""
    distance = min(math.hypot(forward, up), 0.999 * (THIGH + SHIN))
    bend = math.acos((distance ** 2 - THIGH ** 2 - SHIN ** 2) / (2 * THIGH * SHIN))
    return math.atan2(forward, -up) + math.asin(SHIN * math.sin(bend) / distance), bend


def course_keys():
    """As make_keys: the feet go from place to place, the hip stays between them."""
    smooth = lambda s: s * s * (3 - 2 * s)
    count = round((STAND + PACE * len(COURSE) + 0.4) * RATE) + 1
    times, places, rotations = [], [], [[], [], [], []]
    for k in range(count):
        time = k / RATE
        feet = [[0.0, 0.0], [0.0, 0.0]]  # left, right
        for n, (forward, up, lift) in enumerate(COURSE):
            s = min(max((time - STAND) / PACE - n, 0), 1)
            own = feet[(n + 1) % 2]
            if s > 0:
                # Up first and forward then, as over an edge.
                own[0] += smooth(s) * (forward - own[0])
                own[1] += smooth(min(1.5 * s, 1)) * (up - own[1]) if up > own[1] else smooth(max(1.5 * s - 0.5, 0)) * (up - own[1])
                own[1] += lift * math.sin(math.pi * s) ** 2
        # The hip follows the course of the feet without the lifts.
        paces = min(max((time - STAND) / PACE, 0), len(COURSE))
        stand = lambda n: COURSE[n][:2] if n >= 0 else (0.0, 0.0)
        between = lambda n: [0.5 * (a + b) for a, b in zip(stand(n), stand(n - 1))]
        n = min(int(paces), len(COURSE) - 1)
        hip = [a + smooth(paces - n) * (b - a) * 1.0 for a, b in zip(between(n - 1), between(n))]
        hip[1] += CROUCH + 0.06 * (1 - smooth(min(time / STAND, 1)))
        times.append(time)
        places.append((0.0, hip[1], hip[0]))
        angles = [a for foot_ in feet for a in leg_angles(foot_[0] - hip[0], foot_[1] - hip[1])]
        for b, angle in enumerate((-angles[0], angles[1], -angles[2], angles[3])):
            rotations[b].append(rotation_x(angle))
    return times, places, rotations


class Buffer:
    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, rows, kind, component, code, extremes=False):
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in rows]
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        data = b"".join(struct.pack(f"<{len(row)}{code}", *row) for row in rows)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(rows), "type": kind}
        if extremes:
            single = lambda v: struct.unpack("<f", struct.pack("<f", v))[0]
            accessor["min"] = [single(min(c)) for c in zip(*rows)]
            accessor["max"] = [single(max(c)) for c in zip(*rows)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


FLOAT, U16, U8 = 5126, 5123, 5121


def gltf_bytes(figure, keys):
    buffer = Buffer()
    bones = [(list(w) + [0] * 4)[:4] for w in figure.weights]
    weights = [(list(w.values()) + [0.0] * 4)[:4] for w in figure.weights]
    attributes = {"POSITION": buffer.add(figure.points, "VEC3", FLOAT, "f", True),
                  "JOINTS_0": buffer.add(bones, "VEC4", U8, "B"), "WEIGHTS_0": buffer.add(weights, "VEC4", FLOAT, "f")}
    indices = buffer.add([i for t in figure.triangles for i in t], "SCALAR", U16, "H")
    inverse = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1) for x, y, z in JOINTS]
    inverse = buffer.add(inverse, "MAT4", FLOAT, "f")
    nodes = [{"name": "figure", "mesh": 0, "skin": 0}]
    for bone, (name, parent) in enumerate(zip(BONES, PARENTS)):
        origin = JOINTS[parent] if parent is not None else (0, 0, 0)
        nodes.append({"name": name, "translation": [a - b for a, b in zip(JOINTS[bone], origin)]})
        if parent is not None:
            nodes[1 + parent].setdefault("children", []).append(1 + bone)
    times, places, rotations = keys
    input_ = buffer.add(times, "SCALAR", FLOAT, "f", True)
    tracks = [(1, "translation", buffer.add(places, "VEC3", FLOAT, "f"))]
    tracks += [(2 + b, "rotation", buffer.add(keys, "VEC4", FLOAT, "f")) for b, keys in enumerate(rotations)]
    document = {
        "asset": {"version": "2.0", "generator": "Heddle, tools/make_walker.py"},
        "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": nodes,
        "meshes": [{"name": "figure", "primitives": [{"attributes": attributes, "indices": indices}]}],
        "skins": [{"joints": [1, 2, 3, 4, 5], "inverseBindMatrices": inverse}],
        "animations": [{"name": "walk",
                        "samplers": [{"input": input_, "output": output} for _, _, output in tracks],
                        "channels": [{"sampler": k, "target": {"node": node, "path": path}}
                                     for k, (node, path, _) in enumerate(tracks)]}],
        "buffers": [{"byteLength": len(buffer.bytes)}], "bufferViews": buffer.views, "accessors": buffer.accessors}
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = buffer.bytes + b"\0" * (-len(buffer.bytes) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(body)) + struct.pack("<I4s", len(text), b"JSON")
            + text + struct.pack("<I4s", len(body), b"BIN\0") + body)


def dress_text(around=80, edge=0.019, gap=0.012):
    """From under the arms to the knee; the figure looks along -y where z is up."""
    top, waist, hem, hem_radius = 1.36, 1.10, 0.48, 0.36
    rows, height = [], top
    while height > hem - 1e-9:
        s = max(0.0, (waist - height) / (waist - hem))
        wide, deep = torso_half_axes(max(height, waist))
        wide, deep = wide + gap, deep + gap
        if s > 0:
            # Over the hips, then straight to the hem.
            wide, deep = wide + s * (hem_radius - wide), deep + s * (hem_radius - deep)
            body = torso_half_axes(height) if height > 0.88 else (0, 0)
            wide, deep = max(wide, body[0] + gap), max(deep, body[1] + gap)
        rows.append((height, wide, deep))
        height -= edge
    lines = ["# A dress for walker.glb, written by tools/make_walker.py. Metres, z up."]
    for height, wide, deep in rows:
        lines += [f"v {wide * math.cos(a):.5f} {deep * math.sin(a):.5f} {height:.5f}"
                  for a in (2 * math.pi * i / around for i in range(around))]
    for r in range(len(rows) - 1):
        if r < 2:
            lines.append("g top" if r == 0 else "g dress")
        for i in range(around):
            j = (i + 1) % around
            a, b, c, d = r * around + i + 1, r * around + j + 1, (r + 1) * around + i + 1, (r + 1) * around + j + 1
            # Diagonals alternate, so that the cloth has no direction of its own.
            lines += [f"f {a} {c} {b}", f"f {b} {c} {d}"] if (r + i) % 2 else [f"f {a} {c} {d}", f"f {a} {d} {b}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1] / "scenes/assets")
    folder = parser.parse_args().out
    (folder / "walker.glb").write_bytes(gltf_bytes(make_figure(), make_keys()))
    (folder / "course.glb").write_bytes(gltf_bytes(make_figure(), course_keys()))
    (folder / "dress.obj").write_text(dress_text())


if __name__ == "__main__":
    main()
