"""Scenes and mesh files that cannot be simulated: each is refused at its place, with a remedy, and nothing is written."""
import re
import struct
import unittest

from heddle_command import GRID, CommandTest

MARK = "@"  # stands before the place that the message must name


def scene(cloth="", top="", mesh=GRID):
    """A scene that is good as long as the parts added are good."""
    return f'{{\n  "duration": 0.04,\n  {top}\n  "cloths": [\n    {{"mesh": {mesh},\n     {cloth}\n    }}\n  ]\n}}\n'


FACES_OFF = '"contact": {"type": "impulses", "obstacles": false},'


def file_scene(name, cloth=""):
    return scene(cloth, mesh=f'{MARK}{{"type": "file", "path": "{name}"}}')


def pins(selection):
    return scene(f'"pins": [{{"vertices": {MARK}{selection}}}]')


def ply(vertices, faces, counts=None):
    """A binary PLY file; `counts` overrides the numbers that its header tells."""
    vertex_count, face_count = counts or (len(vertices), len(faces))
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {vertex_count}\n"
              "property float x\nproperty float y\nproperty float z\n"
              f"element face {face_count}\nproperty list uchar int vertex_indices\nend_header\n")
    body = b"".join(struct.pack("<3f", *v) for v in vertices)
    return header.encode() + body + b"".join(struct.pack("<B3i", 3, *f) for f in faces)


SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
NAN = float("nan")

# name: (scene with the mark, words that the message contains)
SCENES = {
    "closed by the wrong bracket": ('{"cloths": [@}', ['expected "]"', "of line 1"]),
    "cut off": ('{"cloths": [@{"mesh": ', ["never closed", 'add "}"']),
    "empty file": ("@", ["expected"]),
    "text after the end": (scene() + "@x", ["expected"]),
    "a list": ("@[1, 2]", ["an object in { }"]),
    "bad number": (scene(top='"frame_rate": @1.2.3,'), ["1.2.3"]),
    "bad string": (scene(top='"title": "a@\nb",'), []),
    "not a number": (scene(top='"frame_rate": @NaN,'), []),
    "no cloth": ('{"duration": 1, "cloths": @[]}', ["no cloth", 'add one to the list "cloths"']),
    "unknown key": ('{@"clots": []}', ['"clots"', 'did you mean "cloths"?']),
    "unknown key of a cloth": (scene('@"fabrik": "silk"'), ['"fabrik"', 'did you mean "fabric"?']),
    "doubled key": (scene(top='@"duration": 2,'), ["duplicate key", "line 2, column 3", "remove one"]),
    "wrong kind": (scene(top='"frame_rate": @"fast",'), ["expected a number", "a string"]),
    "wrong length": (scene('"translation": @[0, 1]'), ["expected a list of 3 numbers"]),
    "wrong kind in a list": (scene('"translation": [0, @"up", 1]'), ["expected a number"]),
    "unknown solver": (scene(top='"integrator": {"type": "semi_implicit_euler", "solver": @"mpgc"},'),
                       ['did you mean "mpcg"?']),
    "energies of forces without": (
        scene(top='"forces": [{"type": "wind"}], "integrator": @{"type": "bdf", "line_search": "energy"},'),
        ['"wind"', "has no energy", 'set "line_search" to "force"']),
    "unknown preconditioner": (scene(top='"integrator": {"type": "semi_implicit_euler", "preconditioner": @"sor"},'),
                               ['did you mean "ssor"?']),
    "out of range": (scene('"scale": @-1'), ["-1 is out of range", "above 0"]),
    "half a vertex": (scene(mesh='{"type": "grid", "resolution": [15, @5.5]}'), ["expected a whole number, found 5.5"]),
    "no keys": (scene(top='"forces": [{"type": "wind", "velocity": @{"times": [], "values": []}}],'),
                ["at least one time and its value"]),
    "nameless mesh": (scene(mesh='@{"type": "file", "path": ""}'), ["names no file"]),
    "misspelt paint": (scene('"paint": [@{"parameter": "densty", "texture": "a.png"}]'), ['did you mean "density"?']),
    "beyond the whole numbers": (scene(mesh='{"type": "grid", "resolution": [15, @4294967297]}'),
                                 ["4294967297 is out of range", "at least 2 and at most 10000"]),
    "wind of a pulsar": (scene(top='"forces": [{"type": "wind", "velocity": [0, @1e30, 0]}],'),
                         ["1e+30 m/s is out of range", "from -1000 to 1000 m/s"]),
    "gravity of a black hole": (scene(top='"gravity": [0, 0, @-1e200],'),
                                ["-1e+200 m/s2 is out of range", "from -10000 to 10000 m/s2"]),
    "grid of light years": (scene(mesh='{"type": "grid", "size": [@1e30, 1]}'),
                            ["1e+30 m is out of range", "above 0 and at most 10000 m"]),
    "put beyond the universe": (scene('"translation": [0, 0, @1e300]'),
                                ["1e+300 m is out of range", "from -10000 to 10000 m"]),
    "moved beyond the universe": (scene(top='"obstacles": [{"shape": {"type": "plane"}, "motion": {"translation": '
                                            '{"times": [0, 1], "values": [[0, 0, 0], [0, 0, @1e300]]}}}],'),
                                  ["1e+300 m is out of range", "from -10000 to 10000 m"]),
    "fast as light": (scene('"velocity": [@3e8, 0, 0]'), ["3e+08 m/s is out of range"]),
    "one frame in an age": (scene(top='"frame_rate": @1e-300,'), ["out of range", "at least 0.001"]),
    "mesh file of light years": (file_scene("vast.ply"), ["reaches 1.41e+30 m", "at most 1e+04 m", "scale the mesh"]),
    "mesh file far away": (file_scene("far.ply"), ["reaches 1e+09 m", "at most 1e+04 m"]),
    "fraction as a count": (scene(mesh='{"type": "grid", "resolution": [15, @2.5]}'), ["whole number"]),
    "too coarse a grid": (scene(mesh='{"type": "grid", "resolution": [15, @1]}'), ["out of range", "at least 2"]),
    "unknown word": (scene('"rest": @"flet"'), ['did you mean "flat"?']),
    "unknown fabric": (scene('"fabric": @"coton"'), ['unknown fabric "coton"', 'did you mean "cotton"?']),
    "unknown fabric of a region": (scene('"regions": [{"faces": {"all": true}, "fabric": "silk"}, '
                                         '{"faces": {"all": true},\n "fabric": @"slik"}]'),
                                   ['unknown fabric "slik"', 'did you mean "silk"?']),
    "unknown preset": (scene(top='"fabrics": {"mine": @{"base": "coton"}},'), ['"coton"', 'did you mean "cotton"?']),
    "preset without a near name": (scene(top='"fabrics": {"mine": @{"base": "b"}},'),
                                   ['unknown fabric preset "b"', '"base" takes presets only, not fabrics of the scene: "canvas"']),
    "unknown fabric parameter": (scene(top='"fabrics": {"mine": {@"densty": 1}},'), ['did you mean "density"?']),
    "unknown mesh": (scene(mesh='{"type": @"gird"}'), ['unknown mesh "gird"', 'did you mean "grid"?']),
    "unknown shape": (scene(top='"obstacles": [{"shape": {"type": @"shpere"}}],'), ['did you mean "sphere"?']),
    "unknown membrane": (scene('"membrane": {"type": @"stvc"}'), ['did you mean "stvk"?']),
    "unknown bending": (scene('"bending": {"type": @"hing"}'), ['did you mean "hinge"?']),
    "unknown force": (scene(top='"forces": [{"type": @"storm"}],'), ['unknown force "storm"', '"wind"']),
    "unknown integrator": (scene(top='"integrator": {"type": @"rk5"},'),
                           ['unknown integrator "rk5"', '"rk4"']),
    "type missing": (scene(mesh="@{}"), ['"type"']),
    "mesh missing": ('{"cloths": [@{"fabric": "silk"}]}', ['"mesh"']),
    "unknown format": (scene(top='"output": {"formats": [@"fbx"]},'), ['"fbx"', '"gltf"']),
    "included file missing": (scene(top='"include": [@"nowhere.json"],'), ['no file "nowhere.json"', "check the name"]),
    "included by itself": (scene(top='"include": [@"scene.json"],'), ["includes itself", "remove this include"]),
    "two things of one name": (scene(top='"obstacles": [{"name": "a", "shape": {"type": "plane"}}, '
                                         '{"name": @"a", "shape": {"type": "plane"}}],'),
                               ['duplicate name "a"', "rename one of them"]),
    "name that is no file name": (scene('"name": @"a/b"'), ["names become file names", "use letters"]),
    "attached to nothing": (scene('"attachments": [{"vertices": {"all": true}, "obstacle": @"bal"}]',
                                  '"obstacles": [{"name": "ball", "shape": {"type": "sphere"}}],'),
                            ['no obstacle or body "bal"', 'did you mean "ball"?']),
    "empty selection": (pins("{}"), ["chooses nothing", '"indices"']),
    "selection beside the cloth": (pins('{"box": [[5, 5, 5], [6, 6, 6]]}'), ["no vertex", "world coordinates"]),
    "index out of range": (pins('{"indices": [0, 225]}'), ["no vertex 225", "from 0 to 224"]),
    "missing group": (pins('{"group": "collar"}'), ['no group "collar"', "no groups"]),
    "half a box": (pins('{"box": [[0, 0, 0]]}'), ["two corners", "found 1"]),
    "held at two places": (scene('"pins": [{"vertices": {"indices": [3, 4, 5]}},\n @{"vertices": {"indices": [5, 4]}, '
                                 '"motion": {"translation": {"times": [0, 1], "values": [[0, 0, 0], [0, 0, 1]]}}}]'),
                           ['vertex 4 of cloth "cloth" is held at another place by scene.json:6:15',
                            "the first of 2", "same motion"]),
    "pinned and sewn": (scene('"pins": [{"vertices": {"indices": [7]}, "release": 0.5}],\n'
                              '"attachments": [@{"vertices": {"indices": [7]}, "obstacle": "plate"}]',
                              '"obstacles": [{"name": "plate", "shape": {"type": "plane"}, "motion": {"translation": '
                              '{"times": [0.3, 0.4], "values": [[0, 0, -1], [0, 0, -2]]}}}],'),
                        ["vertex 7", "is held at another place"]),
    "mesh of a device": (file_scene("/dev/zero"), ["/dev/zero: is a pipe or a device", "name a file"]),
    "mesh of a folder": (file_scene("."), ["is a folder", "name a file"]),
    "empty region": (scene('"regions": [{"faces": @{"box": [[5, 5, 5], [6, 6, 6]]}, "fabric": "silk"}]'), ["no face"]),
    "unstable poisson": (scene('"fabric": "mine"', '"fabrics": {"mine": @{"poisson": 0.9, "weft_stiffness": 100, '
                                                   '"warp_stiffness": 100000}},'),
                         ["unstable", "must stay below weft_stiffness / warp_stiffness"]),
    "time step of seconds": (scene(top='"integrator": {"type": "semi_implicit_euler", "time_step": @5},'),
                             ["5 s is out of range", "at most 0.1"]),
    "time step of nothing": (scene(top='"integrator": {"type": "semi_implicit_euler", "time_step": @0},'),
                             ["out of range"]),
    "lasts for ages": ('{"duration": @1e9, "cloths": [{"mesh": {"type": "grid"}}]}', ["more than 1e+06 frames", "lower"]),
    "key times fall": (scene(top='"obstacles": [{"shape": {"type": "plane"}, "motion": {"translation": @{"times": '
                                 '[0, 0], "values": [[0, 0, 0], [0, 0, 1]]}}}],'), ["must ascend", "sort the keys"]),
    "newer language": (scene(top='"heddle": @99,'), ["version 99", "use a newer Heddle"]),
    "paint without source": (scene('"paint": [@{"parameter": "density"}]'), ['"attribute" or "texture"']),
    "paint of an attribute": (scene('"paint": [@{"parameter": "density", "attribute": "wear"}]'),
                              ['no vertex attribute "wear"']),
    "paint of no parameter": (scene('"paint": [@{"parameter": "densty", "attribute": "wear"}]'),
                              ['"densty"', '"density"']),
    "paint of a missing picture": (scene('"paint": [@{"parameter": "density", "texture": "no.png"}]'),
                                   ["no.png: cannot open the file", "check the name"]),
    "paint of no picture": (scene('"paint": [@{"parameter": "density", "texture": "text.png"}]'), ["text.png: is no readable PNG", "save it as PNG"]),
    "mesh file missing": (file_scene("no.obj"), ["no.obj: cannot open the file", "check the name"]),
    "mesh file empty": (file_scene("empty.obj"), ["empty.obj: holds no faces", "export the surface"]),
    "mesh of points": (file_scene("points.obj"), ["points.obj: holds no faces"]),
    "OBJ that is text": (file_scene("text.obj"), ["text.obj: holds no faces"]),
    "OBJ face beyond the vertices": (file_scene("beyond.obj"), ["beyond.obj:4: a face names vertex 9"]),
    "PLY cut off": (file_scene("short.ply"), ["short.ply: ends too early", "export it again"]),
    "PLY with a lie": (file_scene("lie.ply"), ["lie.ply: ends too early", "export it again"]),
    "PLY with NaN": (file_scene("nan.ply"), ["nan.ply: holds a number that is not finite", "export it again"]),
    "PLY index out of range": (file_scene("beyond.ply"), ["names vertex 7", "from 0 to 3", "export it again"]),
    "triangle without area": (file_scene("flat.ply"), ["triangle 1 has no area", "degenerate"]),
    "three faces at an edge": (file_scene("fan.ply"), ["more than two triangles", "split the surface"]),
    "flipped face": (file_scene("flipped.ply"), ["opposite orientation", "normals"]),
    "doubled face": (file_scene("doubled.ply"), ["same corners", "remove doubled faces"]),
    "unknown mesh format": (file_scene("text.xyz1"), ['unknown kind ".xyz1"', "convert it to .obj"]),
    "rest from uv without uv": (file_scene("square.ply", '"rest": "uv"').replace(MARK, "").replace(
        '{"mesh', MARK + '{"mesh'), ["needs texture coordinates", 'rest "shape"']),
    "isometric bending of a bent sheet": (scene('"rest": "shape", "bending": @{"type": "isometric"}',
                                                mesh='{"type": "file", "path": "bent.ply"}'),
                                          ["flat at rest", '"hinge"']),
}

FILES = {
    "text.png": b"no picture",
    "empty.obj": b"",
    "points.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "text.obj": b"once upon a time\n",
    "text.xyz1": b"once upon a time\n",
    "beyond.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
    "short.ply": ply(SQUARE, [(0, 1, 2), (0, 2, 3)])[:-6],
    "lie.ply": ply(SQUARE, [(0, 1, 2)], counts=(2000000000, 1)),
    "nan.ply": ply([(0, 0, 0), (1, 0, NAN), (1, 1, 0)], [(0, 1, 2)]),
    "beyond.ply": ply(SQUARE, [(0, 1, 7)]),
    "flat.ply": ply(SQUARE + [(2, 2, 0)], [(0, 1, 2), (0, 2, 4), (0, 2, 3)]),
    "fan.ply": ply(SQUARE + [(0, 0, 1), (1, 1, 1)], [(0, 1, 2), (1, 0, 4), (0, 1, 5)]),
    "flipped.ply": ply(SQUARE, [(0, 1, 2), (0, 3, 2)]),
    "doubled.ply": ply(SQUARE, [(0, 1, 2), (1, 2, 0)]),
    "square.ply": ply(SQUARE, [(0, 1, 2), (0, 2, 3)]),
    "bent.ply": ply([(0, 0, 0), (1, 0, 0.4), (1, 1, 0), (0, 1, 0.4)], [(0, 1, 2), (0, 2, 3)]),
    "tie.ply": ply(SQUARE + [(2, 1, 0), (2, 2, 0)], [(0, 1, 2), (0, 2, 3), (2, 4, 5)]),
    "vast.ply": ply([tuple(1e30 * c for c in v) for v in SQUARE], [(0, 1, 2), (0, 2, 3)]),
    "far.ply": ply([(1e9 + 512 * x, 512 * y, z) for x, y, z in SQUARE], [(0, 1, 2), (0, 2, 3)]),
    "millimetres.ply": ply([tuple(1000 * c for c in v) for v in SQUARE], [(0, 1, 2), (0, 2, 3)]),
}


def marked_place(text):
    """The text without the mark, and the line and column where the mark stood."""
    before, after = text.split(MARK)
    return before + after, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


class BadScenes(CommandTest):
    def setUp(self):
        super().setUp()
        for name, content in FILES.items():
            self.write(name, content)

    def test_the_frame_of_the_table_is_good(self):
        self.write("scene.json", scene())
        self.succeed("check", "scene.json")

    def test_every_bad_scene_is_refused_at_its_place(self):
        for name, (text, words) in SCENES.items():
            with self.subTest(name):
                content, line, column = marked_place(text)
                self.write("scene.json", content)
                for arguments in [("check", "scene.json"), ("run", "scene.json", "-o", "out")]:
                    said = self.refuse(*arguments, says=[f"scene.json:{line}:{column}: error: ", *words])
                    self.assertNotIn("internal error", said)
                    self.assertNotIn('did you mean ""', said)

    def test_includes_in_a_ring(self):
        self.write("a.json", '{"include": ["b.json"]}')
        self.write("b.json", '{"include": ["a.json"]}')
        self.refuse("run", "a.json", "-o", "out", says=["b.json:1:14: error: ", "includes itself"])

    def test_an_error_in_an_included_file_names_that_file(self):
        self.write("part.json", '{"gravty": [0, 0, 0]}')
        self.write("scene.json", scene(top='"include": ["part.json"],'))
        self.refuse("run", "scene.json", "-o", "out", says=['part.json:1:2: error: unknown key "gravty"', '"gravity"'])

    def test_an_unknown_fabric_in_an_included_file_names_that_file(self):
        self.write("part.json", '{"cloths": [\n{"mesh": %s, "fabric": "coton"}]}' % GRID)
        self.write("scene.json", scene('"fabric": "slik"', top='"include": ["part.json"],'))
        column = len('{"mesh": %s, "fabric": "' % GRID)
        self.refuse("check", "scene.json", says=[f'part.json:2:{column}: error: unknown fabric "coton"',
                                                 'scene.json:6:16: error: unknown fabric "slik"'])

    def test_all_errors_are_told_at_once(self):
        self.write("scene.json", scene('"fabrik": 1, "scale": -1, "rest": "flet"', '"title": 3,'))
        said = self.refuse("run", "scene.json", "-o", "out")
        self.assertEqual(len(re.findall("error: ", said)), 4, said)

    def test_json_messages_have_place_and_remedy(self):
        self.write("scene.json", scene(top='"frame_rat": 3,'))
        done = self.heddle("check", "scene.json", "--json")
        self.assertEqual(done.returncode, 2)
        message = __import__("json").loads(done.stdout)[0]
        self.assertEqual([message[k] for k in ("severity", "file", "line", "column")], ["error", "scene.json", 3, 3])
        self.assertIn("frame_rate", message["remedy"])

    def test_missing_scene(self):
        self.refuse("run", "nowhere.json", says=['no file "nowhere.json"', "check the name"])
        self.refuse("run", self.folder, says="is a folder")

    def test_millimetres_are_noticed_until_scaled(self):
        self.write("scene.json", file_scene("millimetres.ply").replace(MARK, "").replace(",\n     \n", "\n"))
        done = self.heddle("check", "scene.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: ", done.stderr)
        self.assertIn("did you export millimetres? then scale it by 0.001", done.stderr)
        self.assertEqual(self.warnings_of(file_scene("millimetres.ply", '"scale": 0.001').replace(MARK, "")), "")

    def warnings_of(self, text):
        """What check says about a scene that can run."""
        self.write("scene.json", text)
        done = self.heddle("check", "scene.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return "".join(line for line in done.stderr.splitlines(True) if "too coarse for its fabric" not in line)

    def test_meshes_too_coarse_for_the_fabric_are_noticed(self):
        for fabric, edge, told in [("cotton", 0.01, False), ("satin", 0.011, False), ("satin", 0.0203, True)]:
            with self.subTest(fabric=fabric, edge=edge):
                mesh = '{"type": "irregular", "size": [0.3, 0.3], "edge_length": %s}' % edge
                self.write("scene.json", scene(f'"fabric": "{fabric}"', mesh=mesh))
                said = self.heddle("check", "scene.json").stderr
                self.assertEqual("is too coarse for its fabric" in said, told, said)
                self.assertEqual("use edges of 0.013" in said, told, said)

    def test_independent_mistakes_are_told_at_once(self):
        self.write("scene.json", """{
  "include": ["nowhere.json"], "duration": -1, "titel": "x",
  "cloths": [
    {"name": "a", "mesh": {"type": "grid"}, "fabric": "coton", "pins": [{"vertices": {"indices": [99999999]}}]},
    {"name": "b", "mesh": {"type": "file", "path": "missing.obj"}}
  ]
}""")
        said = self.heddle("check", "scene.json").stderr
        for words in ["nowhere.json", "-1 s is out of range", '"titel"', '"coton"', "missing.obj", "no vertex 99999999"]:
            self.assertIn(words, said)
        self.assertEqual(said.count("error: "), 6, said)

    def test_unstable_explicit_bending_is_noticed(self):
        bending = '"fabric": "canvas", "bending": {"type": "hinge", "treatment": "%s"}'
        self.assertIn("what is explicit in cloth", self.warnings_of(scene(bending % "explicit")))
        self.assertEqual(self.warnings_of(scene(bending % "implicit")), "")

    def test_unstable_explicit_integrators_are_noticed(self):
        """By check and by run; the step that is named holds."""
        with_step = '"integrator": {"type": "%s", "time_step": %s},'
        for integrator in ["verlet", "symplectic_euler", "rk4"]:
            with self.subTest(integrator=integrator):
                said = self.warnings_of(scene(top=with_step % (integrator, 0.01)))
                limit = re.search(f'"{integrator}" is unstable at steps of 0.01 s: .*; set "time_step" to (\\S+) s', said)
                self.assertTrue(limit, said)
                self.assertIn(limit[0], self.heddle("run", "scene.json", "-o", integrator, "--until", 0).stderr)
                self.assertEqual(self.warnings_of(scene(top=with_step % (integrator, limit[1]))), "")

    def test_agreeing_holds_pass(self):
        """One vertex may be held twice, as long as it is at one place."""
        holds = '"pins": [{"vertices": {"indices": [3, 4]}}, {"vertices": {"indices": [4, 5]}, "release": 1}]'
        self.assertEqual(self.warnings_of(scene(holds)), "")

    def test_parts_that_meet_in_a_vertex_are_noticed(self):
        said = self.warnings_of(file_scene("tie.ply").replace(MARK, "").replace(",\n     \n", "\n"))
        self.assertIn('scene.json:5:14: warning: cloth "cloth": vertex 2 joins parts', said)

    def test_cloth_inside_an_obstacle_is_told_what_happens(self):
        """It comes out, from the middle of a ball too."""
        ball = '"obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.6}}],'
        for height, told in [(0.59, "which stretches edges to 1."), (0.02, "which stretches edges to 17 times")]:
            with self.subTest(height):
                said = self.warnings_of(scene(f'"translation": [0, 0, {height}]', ball))
                self.assertIn("scene.json:5:5: warning: ", said)
                self.assertIn('start inside obstacle "ball", the deepest by 0.', said)
                self.assertIn(told, said)
                done = self.heddle("run", "scene.json", "-o", "out", "--overwrite")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_cloth_that_touches_an_obstacle_at_the_start_is_told(self):
        ground = '"obstacles": [{"name": "ground", "shape": {"type": "plane"}}],'
        said = self.warnings_of(scene('"translation": [0, 0, 0]', ground))
        self.assertIn('start on the surface of obstacle "ground"; they are pushed out', said)
        self.assertNotIn("start", self.warnings_of(scene('"translation": [0, 0, 0.01]', ground)))

    def test_held_vertices_may_be_inside(self):
        ball = '"obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.6}}],'
        self.assertEqual(self.warnings_of(scene('"pins": [{"vertices": {"all": true}}]', ball)), "")

    def test_bodies_too_round_for_the_mesh_are_noticed(self):
        """Edges of 0.0404 m on average and a clearance of 1.4 mm: below a radius of 0.11 m spots show."""
        for shape in ['"sphere", "radius": %s', '"capsule", "radius": %s', '"cylinder", "rounding": %s, "radius": %s']:
            for radius, told in [(0.105, True), (0.12, False)]:
                text = shape % ((radius,) * shape.count("%s"))
                with self.subTest(text):
                    said = self.warnings_of(scene('"translation": [0, 0, 5]', '"obstacles": [{"name": "thing", '
                                                  '"shape": {"type": %s}}],' % text + FACES_OFF))
                    warning = f'scene.json:3:44: warning: obstacle "thing" with its radius of {radius} m will show'
                    self.assertEqual(warning in said, told, said)
                    self.assertEqual("the edges of the cloth are 0.0404 m" in said, told, said)
                    self.assertEqual("refine the cloth to edges of 0.029" in said, told, said)
                    self.assertEqual("or give its fabric a thickness of 0.00" in said, told, said)

    def test_the_remedies_for_round_bodies_help(self):
        ball = '"obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.06}}],' + FACES_OFF
        up = '"translation": [0, 0, 5]'
        said = self.warnings_of(scene(up, ball))
        edge, thickness = re.search("edges of ([0-9.]+) m, or give its fabric a thickness of ([0-9.]+) m", said).groups()
        fine = '{"type": "irregular", "size": [0.5, 0.5], "edge_length": %s}' % edge
        self.assertEqual(self.warnings_of(scene(up, ball, mesh=fine)), "")
        thick = '"fabrics": {"thick": {"base": "cotton", "thickness": %s}},' % thickness
        self.assertEqual(self.warnings_of(scene(up + ', "fabric": "thick"', ball + thick)), "")

    def test_what_a_cloth_is_sewn_to_is_not_judged(self):
        pole = '"obstacles": [{"name": "pole", "shape": {"type": "capsule", "radius": 0.02}}],'
        sewn = '"attachments": [{"vertices": {"indices": [0]}, "obstacle": "pole"}], "translation": [0.3, 0.3, 2]'
        self.assertEqual(self.warnings_of(scene(sewn, pole)), "")

    def test_obstacles_too_sharp_for_the_mesh_are_noticed(self):
        """The edges of the grid are 0.0357 m long, its diagonals 0.0505 m: 0.0404 m on average."""
        for shape in ['"box", "rounding": %s', '"cylinder", "rounding": %s']:
            for radius, told in [(0, True), (0.02, True), (0.105, True), (0.12, False)]:
                with self.subTest(shape % radius):
                    said = self.warnings_of(scene('"translation": [0, 0, 5]', '"obstacles": [{"name": "thing", '
                                                  '"shape": {"type": %s}}],' % (shape % radius) + FACES_OFF))
                    warning = (f'scene.json:3:44: warning: the rim of obstacle "thing" with its "rounding" of {radius} m '
                               'will show through cloth "cloth"')
                    self.assertEqual(warning in said, told, said)
                    self.assertEqual("raise it to 0.148 m" in said, told, said)

    def test_a_rounding_that_does_not_fit_is_not_advised(self):
        said = self.warnings_of(scene('"translation": [0, 0, 5]', '"obstacles": [{"name": "board", "shape": '
                                      '{"type": "box", "size": [1, 1, 0.1], "rounding": 0.04}}],' + FACES_OFF))
        self.assertIn("will show through", said)
        self.assertNotIn("raise it", said)
        self.assertIn("refine the cloth to edges of 0.0", said)

    def test_faces_that_are_kept_out_are_not_judged(self):
        board = '"obstacles": [{"name": "board", "shape": {"type": "box", "size": [1, 1, 0.1]}}],'
        self.assertEqual(self.warnings_of(scene('"translation": [0, 0, 5]', board)), "")

    def test_planes_are_not_judged(self):
        self.assertEqual(self.warnings_of(scene(top='"obstacles": [{"shape": {"type": "plane"}, '
                                                    '"motion": {"translation": [0, 0, -1]}}],')), "")


if __name__ == "__main__":
    unittest.main()
