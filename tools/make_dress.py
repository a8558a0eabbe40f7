#!/usr/bin/env python3
"""Writes the dress of scenes/dress_bar.json and scenes/course.json, and the bar it hangs on.

    tools/make_dress.py [--out FOLDER]      default: scenes/assets

panel_dress.obj (metres, z up, front towards -y) is sewn from 13 flat panels: five of the bodice, six gores of the skirt and
two straps. Texture coordinates are the panels as they are cut, each turned to its own grain. Every panel is developable, so
the dress as written is bent but nowhere strained. It has 8891 triangles. bar.obj is a round bar along x.
"""
import argparse
import math
import pathlib

TRIANGLES = 8891
HALF_WIDTH, RADIUS = 0.1, 0.11  # m: the section is two straight lines of twice the one, joined by half circles of the other
TOP, WAIST, HEM = 1.38, 1.06, 0.33  # m, heights
NECK, ARMHOLE = 0.03, 0.09        # m, how far the upper edge dips
SLOPE = 0.36                      # the skirt's radius by its height
STRAP, LIFT = 0.03, 0.02          # m: width of a strap, and how far it goes straight up before it arches
EDGE = 0.0215                     # m, of triangles
FLAT = [0, 0.0175, 0.035, 0.0525, 0.07, 0.085, 0.1]  # m, columns of the front from the middle; a strap begins at the last three

# Name and grain of the panels: the angle of the weft on the panel, degrees.
PANELS = {"front": 0, "back_left": 0, "back_right": 0, "side_left": 45, "side_right": -45, "skirt_front": 0,
          "skirt_back": 0, "gore_front_left": 30, "gore_back_left": -30, "gore_front_right": -30, "gore_back_right": 30,
          "strap_left": 90, "strap_right": 90}


class Mesh:
    def __init__(self):
        self.points, self.numbers, self.faces = [], {}, {name: [] for name in PANELS}

    def vertex(self, point):
        """The number of a point; the same for the same place, which sews panels together."""
        key = tuple(round(c * 1e6) for c in point)
        if key not in self.numbers:
            self.numbers[key] = len(self.points)
            self.points.append(point)
        return self.numbers[key]

    def add_strip(self, panel, one, other):
        """Triangles between two rows of (point, uv) that run alike; `other` lies to their right."""
        i = j = 0
        while i < len(one) - 1 or j < len(other) - 1:
            # The shorter diagonal; equal ones by turns, so that the cloth has no direction of its own.
            if j == len(other) - 1 or (i < len(one) - 1 and self.is_shorter(one[i + 1], other[j], one[i], other[j + 1], i)):
                self.add(panel, one[i], other[j], one[i + 1])
                i += 1
            else:
                self.add(panel, one[i], other[j], other[j + 1])
                j += 1

    def is_shorter(self, a, b, c, d, column):
        more = math.dist(a[1], b[1]) - math.dist(c[1], d[1])
        return more < 0 if abs(more) > 1e-6 else (column + self.turn) % 2 == 0

    def add(self, panel, *corners):
        self.faces[panel].append([(self.vertex(point), uv) for point, uv in corners])

    def add_rows(self, panel, rows):
        for k, (one, other) in enumerate(zip(rows, rows[1:])):
            self.turn = k
            self.add_strip(panel, one, other)

    def count(self):
        return sum(len(faces) for faces in self.faces.values())


def section(side, angle, radius, height):
    """On the half circle of a side, -1 or 1; the angle runs from the front (-90 degrees) to the back."""
    return (side * (HALF_WIDTH + radius * math.cos(angle)), radius * math.sin(angle), height)


def even(first, last, count):
    return [first + (last - first) * k / count for k in range(count + 1)]


def upper_edge(x, angle=None):
    """Height of the bodice: straight where straps begin, lower between them and under the arms."""
    if angle is not None:
        return TOP - ARMHOLE * math.cos(angle) ** 2
    inner = HALF_WIDTH - STRAP
    return TOP if abs(x) >= inner else TOP - NECK * math.cos(0.5 * math.pi * x / inner) ** 2


def bodice(mesh, rows=16):
    around = round(math.pi * RADIUS / EDGE)
    angles = even(-math.pi / 2, math.pi / 2, around)
    columns = sorted({-x for x in FLAT} | set(FLAT))
    flat = lambda x, y, k: ((x, y, upper_edge(x) + (WAIST - upper_edge(x)) * k / rows), x)
    straight = {"front": [[flat(x, -RADIUS, k) for x in columns] for k in range(rows + 1)],
                "back_right": [[flat(x, RADIUS, k) for x in columns[::-1] if x >= 0] for k in range(rows + 1)],
                "back_left": [[flat(x, RADIUS, k) for x in columns[::-1] if x <= 0] for k in range(rows + 1)]}
    for name, lines in straight.items():
        turned = 1 if name == "front" else -1
        mesh.add_rows(name, [[(p, (turned * u, p[2])) for p, u in line] for line in lines])
    for side, name in ((1, "side_right"), (-1, "side_left")):
        lines = []
        for k in range(rows + 1):
            line = []
            for angle in angles:
                top = upper_edge(0, angle)
                height = top + (WAIST - top) * k / rows
                line.append((section(side, angle, RADIUS, height), (side * RADIUS * angle, height)))
            lines.append(line[::side])
        mesh.add_rows(name, lines)
    return around


def skirt(mesh, around, rows, more):
    """`more` of its cells are added along the hem."""
    slant = math.hypot(1, SLOPE)
    sine = SLOPE / slant
    heights = even(WAIST, HEM, rows)
    columns = sorted({-x for x in FLAT} | set(FLAT))
    for name, y, order in (("skirt_front", -1, 1), ("skirt_back", 1, -1)):
        lines = []
        for height in heights:
            radius = RADIUS + SLOPE * (WAIST - height)
            lines.append([((x, y * radius, height), (order * x, slant * (height - WAIST))) for x in columns[::order]])
        mesh.add_rows(name, lines)
    gores = [(1, -90, 0, "gore_front_right"), (1, 0, 90, "gore_back_right"),
             (-1, -90, 0, "gore_front_left"), (-1, 0, 90, "gore_back_left")]
    for g, (side, first, last, name) in enumerate(gores):
        lines = []
        for k, height in enumerate(heights):
            radius = RADIUS + SLOPE * (WAIST - height)
            cells = around // 2 + (g % 2) * (around % 2) if k == 0 else round(0.5 * math.pi * radius / EDGE)
            if k > 0:
                cells += cells_of(more, g, k, rows, len(gores))
            angles = even(math.radians(first), math.radians(last), cells)
            if k == 0:  # the columns of the bodice
                whole = even(-math.pi / 2, math.pi / 2, around)
                angles = whole[:cells + 1] if first < 0 else whole[-cells - 1:]
            rho = radius / sine
            # The bisector of the gore points down.
            line = [(section(side, a, radius, height), (rho * math.sin(side * (a - middle(first, last)) * sine),
                                                        -rho * math.cos((a - middle(first, last)) * sine)))
                    for a in angles]
            lines.append(line[::side])
        mesh.add_rows(name, lines)


def cells_of(more, gore, row, rows, gores):
    """Of the cells that are still wanted, those of one gore in one row: two triangles each, one along the hem."""
    pairs, single = divmod(more, 2)
    if row == rows:
        return single if gore == 0 else 0
    places = (rows - 1) * gores
    place = (row - 1) * gores + gore
    return pairs * (place + 1) // places - pairs * place // places


def middle(first, last):
    return math.radians(0.5 * (first + last))


def straps(mesh):
    """From the front over the shoulder to the back."""
    arch = math.pi * RADIUS
    along = even(0, arch + 2 * LIFT, round((arch + 2 * LIFT) / (0.75 * EDGE)))
    for side, name in ((1, "strap_right"), (-1, "strap_left")):
        lines = []
        for t in along:
            angle = min(max((t - LIFT) / RADIUS, 0), math.pi)
            straight = min(t, LIFT) if t < LIFT + arch else LIFT - (t - LIFT - arch)
            y, z = -RADIUS * math.cos(angle), TOP + straight + RADIUS * math.sin(angle)
            columns = [side * x for x in FLAT[-3:]]
            if t == 0 or t == along[-1]:
                z = TOP
            lines.append([((x, y, z), (x, t)) for x in sorted(columns)])
        mesh.add_rows(name, lines[::-1])


def dress():
    """As many triangles as wanted."""
    more, rows = 0, round((WAIST - HEM) * math.hypot(1, SLOPE) / (EDGE * math.sqrt(3) / 2) * 0.985)
    for _ in range(3):
        mesh = Mesh()
        skirt(mesh, bodice(mesh), rows, more)
        straps(mesh)
        more += TRIANGLES - mesh.count()
    return mesh


def obj_text(mesh):
    lines = ["# A dress of 13 flat panels, written by tools/make_dress.py. Metres, z up; texture coordinates are the panels."]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in mesh.points]
    texture, faces = [], []
    for k, (name, grain) in enumerate(PANELS.items()):
        # Panels lie beside each other.
        c, s, numbers = math.cos(math.radians(grain)), math.sin(math.radians(grain)), {}
        faces.append(f"g {name}")
        for corners in mesh.faces[name]:
            words = []
            for vertex, (u, v) in corners:
                if vertex not in numbers:
                    texture.append(f"vt {c * u - s * v + 2 * k:.6f} {s * u + c * v:.6f}")
                    numbers[vertex] = len(texture)
                words.append(f"{vertex + 1}/{numbers[vertex]}")
            faces.append("f " + " ".join(words))
    return "\n".join(lines + texture + faces) + "\n"


def bar_text(length=0.6, radius=0.012, around=20, along=30):
    """A closed tube along x with rounded ends."""
    rows = [(-0.5 * length + radius * (1 - math.cos(a)), radius * math.sin(a)) for a in even(0, math.pi / 2, 4)[1:]]
    inner = length - 2 * radius
    rows += [(-0.5 * inner + inner * k / along, radius) for k in range(1, along)]
    rows += [(-x, r) for x, r in rows[3::-1]]
    lines = ["# A bar along x, written by tools/make_dress.py. Metres."]
    lines += [f"v {x:.6f} {r * math.cos(a):.6f} {r * math.sin(a):.6f}"
              for x, r in rows for a in (2 * math.pi * i / around for i in range(around))]
    lines += [f"v {x:.6f} 0 0" for x in (-0.5 * length, 0.5 * length)]
    left, right = len(rows) * around + 1, len(rows) * around + 2
    for k in range(len(rows) - 1):
        for i in range(around):
            a, b = k * around + i + 1, k * around + (i + 1) % around + 1
            lines += [f"f {a} {b} {b + around}", f"f {a} {b + around} {a + around}"]
    last = (len(rows) - 1) * around
    for i in range(around):
        j = (i + 1) % around
        lines += [f"f {left} {j + 1} {i + 1}", f"f {right} {last + i + 1} {last + j + 1}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1] / "scenes/assets")
    folder = parser.parse_args().out
    (folder / "panel_dress.obj").write_text(obj_text(dress()))
    (folder / "bar.obj").write_text(bar_text())


if __name__ == "__main__":
    main()
