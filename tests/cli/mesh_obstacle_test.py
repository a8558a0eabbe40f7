"""Obstacles that are meshes or sequences of meshes, from the scene file to exports; bad ones are refused at their place."""
import json
import math
import re
import unittest

from heddle_command import CommandTest, tree

SHEET = {"type": "grid", "size": [0.4, 0.4], "resolution": [13, 13]}


def wall(height=0.0, half=0.3, faces="f 1 2 3\nf 1 3 4\n"):
    """A level square."""
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    return "".join(f"v {x} {y} {height}\n" for x, y in corners) + faces


def table(height, cells=6, half=0.3, bulge=0.0):
    """A level square of many faces, with a bulge in the middle."""
    at = lambda i: half * (2 * i / cells - 1)
    lines = [f"v {at(i):.5f} {at(j):.5f} {height + bulge * math.exp(-30 * (at(i) ** 2 + at(j) ** 2)):.5f}"
             for j in range(cells + 1) for i in range(cells + 1)]
    for j in range(cells):
        for i in range(cells):
            a, c = j * (cells + 1) + i + 1, (j + 1) * (cells + 1) + i + 1
            lines.append(f"f {a} {a + 1} {c + 1} {c}")
    return "\n".join(lines) + "\n"


def box(half):
    """A closed cube of 12 triangles around the origin."""
    corners = [(x, y, z) for z in (-half, half) for y in (-half, half) for x in (-half, half)]
    faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"]
    return "".join("v {} {} {}\n".format(*c) for c in corners) + "".join(f"f {f}\n" for f in faces)


def scene(obstacle, duration=0.2, height=0.03, **more):
    return json.dumps({"duration": duration,
                       "cloths": [{"name": "sheet", "mesh": SHEET, "translation": [0, 0, height]}],
                       "obstacles": [{"name": "thing", **obstacle}], **more})


class MeshObstacles(CommandTest):
    def run_scene(self, text, *options):
        self.write("scene.json", text)
        return self.succeed("run", "scene.json", "-o", "run", *options)

    def intersections(self, run="run"):
        return json.loads(self.succeed("info", run, "--intersections", "--json"))["intersections"]

    def heights(self, run="run"):
        """Of all vertices of the sheet in the last frame."""
        self.succeed("export", run, "--to", "obj", "-o", "last", "--object", "sheet", "--overwrite")
        last = sorted((self.folder / "last").glob("*.obj"))[-1]
        return [float(line.split()[3]) for line in last.read_text().splitlines() if line.startswith("v ")]

    def test_a_thin_wall_holds_on_both_sides(self):
        self.write("wall.obj", table(0))
        mesh = {"type": "file", "path": "wall.obj"}
        self.run_scene(scene({"mesh": mesh, "thickness": 0.002}, duration=0.6))
        self.assertEqual(self.intersections()["total"], 0)
        self.assertGreater(min(self.heights()), 0)
        upwards = scene({"mesh": mesh, "thickness": 0.002}, duration=0.6, height=-0.03, gravity=[0, 0, 9.81])
        self.run_scene(upwards, "--overwrite")
        self.assertEqual(self.intersections()["total"], 0)
        self.assertLess(max(self.heights()), 0)

    def test_a_fast_wall_is_caught(self):
        """0.6 m in a step of 0.01 s: eighteen edges of the sheet."""
        self.write("wall.obj", table(0))
        motion = {"translation": {"times": [0, 0.02, 0.03], "values": [[0, 0, -0.3], [0, 0, -0.3], [0, 0, 0.3]]}}
        self.run_scene(scene({"mesh": {"type": "file", "path": "wall.obj"}, "motion": motion}, duration=0.08))
        self.assertEqual(self.intersections()["total"], 0)
        self.assertGreater(min(self.heights()), 0.3)

    def sequence_scene(self, **more):
        for k in range(8):
            self.write(f"bump_{k:02}.obj", table(0, bulge=0.012 * k))
        return scene({"sequence": {"type": "files", "path": "bump_##.obj", "frame_rate": 50, "start": 0.08},
                      "motion": {"translation": [0, 0, -0.005]}}, **more)

    def test_a_sequence_deforms_in_every_output(self):
        text = self.sequence_scene(duration=0.24, output={"formats": ["obj", "ply", "pc2", "vtk", "gltf", "usd"]})
        self.run_scene(text)
        self.assertEqual(self.intersections()["total"], 0)
        obj = (self.folder / "run/export/obj/frame_000003.obj").read_text()  # 0.12 s: frame 2 of the sequence
        thing = [line.split() for line in obj.split("o thing\n")[1].splitlines() if line.startswith("v ")]
        self.assertAlmostEqual(max(float(words[3]) for words in thing), 0.024 - 0.005, places=6)
        data = (self.folder / "run/export/pc2/thing.pc2").read_bytes()
        self.assertEqual(len(data), 32 + 12 * 49 * 7)
        usd = (self.folder / "run/export/usd.usda").read_text()
        self.assertIn("points.timeSamples", usd.split('def Mesh "thing"')[1])
        self.succeed("export", "run", "--to", "html", "-o", "run.html")
        self.succeed("picture", "run", "-o", "last.png", "--size", "80x60", "--samples", "2")
        told = self.succeed("info", "run")
        self.assertIn('obstacle "thing": 49 vertices, 72 faces, deforms', told)

    def test_threads_and_resume_give_the_same_bits(self):
        self.write("scene.json", self.sequence_scene(duration=0.24, output={"checkpoint_every": 1}))
        for threads in [1, 2, 3]:
            self.succeed("run", "scene.json", "-o", f"run{threads}", "--threads", threads)
            self.assertEqual(tree(self.folder / f"run{threads}/frames"), tree(self.folder / "run1/frames"))
        self.succeed("run", "scene.json", "-o", "part", "--until", "0.12")
        self.succeed("run", "scene.json", "-o", "part", "--resume")
        self.assertEqual(self.info("part")["state_hash"], self.info("run1")["state_hash"])
        self.write("bump_03.obj", table(0, bulge=0.05))
        self.refuse("run", "scene.json", "-o", "part", "--resume", "--until", "0.4",
                    says=["bump_03.obj", "was changed since the run was started"])

    def test_pc2_written_by_heddle_comes_back(self):
        self.run_scene(self.sequence_scene(duration=0.24, output={"formats": ["pc2"]}))
        again = scene({"sequence": {"type": "pc2", "path": "run/export/pc2/thing.pc2",
                                    "mesh": "run/export/pc2/thing.obj"}}, duration=0.24)
        self.write("again.json", again)
        self.succeed("run", "again.json", "-o", "again")
        self.assertEqual(self.intersections("again")["total"], 0)

    def test_attached_cloth_follows_the_deforming_surface(self):
        for k in range(8):
            self.write(f"lift_{k}.obj", table(0.02 * k))
        self.write("scene.json", json.dumps({
            "duration": 0.28, "gravity": [0, 0, 0],
            "cloths": [{"name": "sheet", "mesh": SHEET, "translation": [0, 0, 0.01],
                        "attachments": [{"vertices": {"all": True}, "obstacle": "thing"}]}],
            "obstacles": [{"name": "thing", "sequence": {"type": "files", "path": "lift_#.obj"}}]}))
        self.succeed("run", "scene.json", "-o", "run")
        for height in self.heights():
            self.assertAlmostEqual(height, 0.15, places=5)

    def test_cloth_that_starts_wrong_is_told(self):
        self.write("box.obj", box(0.5))
        mesh = {"type": "file", "path": "box.obj"}
        self.write("inside.json", scene({"mesh": mesh}, height=0))
        warned = self.heddle("check", "inside.json")
        self.assertEqual(warned.returncode, 0)
        self.assertIn('169 of 169 vertices of cloth "sheet" start inside obstacle "thing"', warned.stderr + warned.stdout)
        self.assertIn("so they stay inside", warned.stderr + warned.stdout)
        self.write("through.json", scene({"mesh": mesh}, height=0.5))
        warned = self.heddle("check", "through.json")
        self.assertIn('pairs of triangles of cloth "sheet" and obstacle "thing" intersect at the start',
                      warned.stderr + warned.stdout)
        self.run_scene(scene({"mesh": mesh}, height=0, duration=0.6))
        self.assertEqual(self.intersections()["total"], 0)
        self.assertGreater(min(self.heights()), -0.5)

    def test_faces_listed_twice_enclose_nothing(self):
        once = table(0)
        faces = "".join(line + "\n" for line in once.splitlines() if line.startswith("f "))
        self.write("twice.obj", once + faces)
        self.write("scene.json", scene({"mesh": {"type": "file", "path": "twice.obj"}}, height=0.01))
        warned = self.heddle("check", "scene.json")
        self.assertNotIn("inside", warned.stderr + warned.stdout)

    def test_without_contact_of_surfaces(self):
        self.write("scene.json", scene({"mesh": {"type": "grid"}}, contact={"type": "impulses", "self": False, "obstacles": False}))
        warned = self.heddle("check", "scene.json")
        self.assertIn('cloth may pass through obstacle "thing"', warned.stderr + warned.stdout)

    def test_odd_meshes_run(self):
        """Holes, turned faces, faces without area, an edge of three faces."""
        odd = table(0) + "v 0 0 0.0\nv 0.1 0 0\nv 0.2 0 0\nf 50 51 52\nf 1 2 50\nf 2 1 51\n"
        odd = odd.replace("f 1 2 9 8\n", "f 2 1 8 9\n").replace("f 17 18 25 24\n", "")
        self.write("odd.obj", odd)
        text = scene({"mesh": {"type": "file", "path": "odd.obj"}}, duration=0.4)
        told = self.write("scene.json", text) and self.heddle("check", "scene.json")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("opposite orientation", told.stderr + told.stdout)
        self.assertIn("has no area", told.stderr + told.stdout)
        self.run_scene(text)
        self.assertEqual(self.intersections()["total"], 0)


MARK = "@"
NAN = float("nan")


def bad(obstacle):
    return f'{{"cloths": [{{"mesh": {json.dumps(SHEET)}}}],\n "obstacles": [\n  {obstacle}]}}\n'


def mesh(name, more=""):
    return bad(f'{{"mesh": {MARK}{{"type": "file", "path": "{name}"{more}}}}}')


def files(pattern, more=""):
    return bad(f'{{"sequence": {MARK}{{"type": "files", "path": "{pattern}"{more}}}}}')


# name: (scene with the mark before the place that the message must name, words that it contains)
BAD = {
    "nothing": (bad('@{"name": "a"}'), ['either "shape" or "mesh" or "sequence"', "give one of them"]),
    "two": (bad('@{"shape": {"type": "plane"}, "mesh": {"type": "grid"}}'), ["remove all but one"]),
    "thick shape": (bad('@{"shape": {"type": "plane"}, "thickness": 0.01}'), ['"thickness" belongs to a "mesh"']),
    "thick as a wall": (bad('{"mesh": {"type": "grid"}, "thickness": @1}'), ["out of range", "at most 0.1"]),
    "missing mesh": (mesh("nowhere.obj"), ["nowhere.obj"]),
    "empty mesh": (mesh("empty.obj"), ["empty.obj", "holds no faces", "export the surface as triangles"]),
    "not finite": (mesh("nan.obj"), ["nan.obj", "finite"]),
    "absurd scale": (mesh("far.obj", ', "scale": 9000'), ["from the origin", "scale the mesh"]),
    "no scale": (bad('{"mesh": {"type": "file", "path": "wall.obj", "scale": @0}}'), ["out of range", "above 0"]),
    "no sequence": (files("none_##.obj"), ["none_##.obj", "no file has such a name"]),
    "gap": (files("gap_#.obj"), ["gap_2.obj", "is missing", "without a gap"]),
    "topology": (files("grow_#.obj"), ["grow_2.obj", "has 5 vertices, but grow_1.obj has 4", "same faces"]),
    "turned topology": (files("turn_#.obj"), ["turn_2.obj", "triangle 1 has other corners than in turn_1.obj"]),
    "frame not finite": (files("burst_#.obj"), ["burst_2.obj", "finite"]),
    "absurd scale of a sequence": (files("gone_#.obj", ', "scale": 9000'), ["m from the origin", 'lower "scale"']),
    "still glTF": (bad('{"sequence": @{"type": "animation", "path": "still.gltf"}}'),
                   ["still.gltf", "holds no animation", 'give it as "mesh"']),
    "PC2 of another mesh": (bad('{"sequence": @{"type": "pc2", "path": "wall.obj", "mesh": "wall.obj"}}'),
                            ["is not a PC2 file"]),
    "PC2 without a mesh": (bad('{"sequence": @{"type": "pc2", "path": "a.pc2"}}'), ["mesh"]),
}

STILL = json.dumps({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,"
                 "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})


class BadMeshObstacles(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("wall.obj", wall())
        self.write("far.obj", wall(100))
        self.write("empty.obj", "v 0 0 0\n")
        self.write("nan.obj", wall(NAN))
        self.write("still.gltf", STILL)
        for k in (1, 3):
            self.write(f"gap_{k}.obj", wall())
        for name, second in [("grow", wall() + "v 1 1 1\n"), ("turn", wall(faces="f 1 2 3\nf 1 4 3\n")),
                             ("burst", wall(NAN)), ("gone", wall(2))]:
            self.write(f"{name}_1.obj", wall())
            self.write(f"{name}_2.obj", second)

    def test_each_is_refused_at_its_place(self):
        for name, (marked, words) in BAD.items():
            with self.subTest(name):
                before, text = marked.split(MARK)[0], marked.replace(MARK, "")
                line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
                self.write("scene.json", text)
                said = self.refuse("check", "scene.json", says=words)
                self.assertRegex(said, re.escape(f"scene.json:{line}:{column}: error: "), name)
                self.refuse("run", "scene.json", "-o", "run", says=words)


if __name__ == "__main__":
    unittest.main()
