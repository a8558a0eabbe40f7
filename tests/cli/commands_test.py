"""Every command does what its help says, on a small scene."""
import csv
import json
import pathlib
import re
import shutil
import struct
import subprocess
import unittest
import zlib

from heddle_command import SOURCE, TOOLS_REQUIRED, CommandTest, small_scene, tree

COMMANDS = ["run", "check", "describe", "schema", "info", "view", "export", "picture", "movie", "step",
            "reproduce", "study", "fabric"]
METRICS = ["frame", "time", "iterations", "row_products", "iterations_per_step", "row_products_per_step", "pieces", "retries",
           "contacts", "kinetic_energy", "total_energy", "membrane_energy",
           "patch_bending_energy", "gravity_energy", "weft_strain_max", "weft_strain_min", "warp_strain_max",
           "warp_strain_min", "shear_strain_max", "shear_strain_min", "seconds_integrate", "seconds_write"]


def png_size(file):
    head = pathlib.Path(file).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG file"
    return struct.unpack(">2I", head[16:])


def png_chunks(data):
    """Type and content of each chunk, with their checksums tested."""
    place = 8
    while place < len(data):
        (length,) = struct.unpack(">I", data[place:place + 4])
        body = data[place + 4:place + 8 + length]
        assert struct.unpack(">I", data[place + 8 + length:place + 12 + length]) == (zlib.crc32(body),), body[:4]
        yield body[:4], body[4:]
        place += 12 + length


class Help(CommandTest):
    def test_the_program_lists_every_command(self):
        text = self.succeed("--help")
        listed = re.findall(r"^  ([a-z]+) {3,}\S", text, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(COMMANDS))
        self.assertIn("Example: heddle ", text)
        self.assertRegex(self.succeed("--version"), r"^heddle \d+\.\d+\.\d+\n$")

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn(f"Example: heddle {command}", self.succeed(command, "--help"))


class Description(CommandTest):
    def types(self):
        """Category and name of every type that the list names."""
        category = None
        for line in self.succeed("describe", "--list").split("\nfabrics")[0].splitlines():
            if line and not line.startswith(" "):
                category = line
            elif line:
                yield category, line.split()[0]

    def test_every_type_describes_itself(self):
        names = list(self.types())
        self.assertGreater(len(names), 20)
        for category, name in names:
            with self.subTest(name):
                self.assertTrue(self.succeed("describe", f"{category}.{name}").startswith(f"{category}.{name}: "))
                json.loads(self.succeed("describe", f"{category}.{name}", "--json"))

    def test_without_a_name_everything_is_described(self):
        everything = self.succeed("describe")
        for category, name in self.types():
            self.assertIn(self.succeed("describe", f"{category}.{name}"), everything)
        for words in ["fabric silk: ", "default [81, 81]", "weft_stiffness"]:
            self.assertIn(words, everything)
        self.assertIn("  silk ", self.succeed("describe", "--list"))

    def test_categories_and_formats(self):
        self.assertIn("grid", self.succeed("describe", "mesh"))
        self.assertIn("#", self.succeed("describe", "--markdown"))
        cotton = self.succeed("describe", "cotton")
        for words in ["fabric cotton: Plain-woven cotton", "density           0.15 kg/m2", "Source: Density, thickness"]:
            self.assertIn(words, cotton)
        values = json.loads(self.succeed("describe", "cotton", "--json"))["values"]
        self.assertEqual(values["weft_stiffness"], 10000)
        self.assertEqual(values["pattern"], "weave")
        self.assertIn("| `density` | `0.15` | kg/m2 |", self.succeed("describe", "cotton", "--markdown"))
        self.refuse("describe", "coton", says='did you mean "cotton"?')
        everything = json.dumps(json.loads(self.succeed("describe", "--json")))
        for category, name in self.types():
            self.assertIn(f'"{name}"', everything)

    def test_the_schema_is_a_json_schema(self):
        schema = json.loads(self.succeed("schema"))
        self.assertIn("json-schema.org", schema["$schema"])
        self.assertIn("cloths", json.dumps(schema))


class Scenes(CommandTest):
    def test_every_scene_that_comes_with_heddle_is_good(self):
        scenes = sorted((SOURCE / "scenes").rglob("*.json"))
        self.assertTrue(scenes)
        for scene in scenes:
            with self.subTest(scene.name):
                done = self.heddle("check", scene)
                self.assertEqual(done.returncode, 0)
                self.assertIn(": good; ", done.stdout)
                found = [item["message"] for item in json.loads(self.succeed("check", scene, "--json"))]
                if scene.name == "tangled.json":  # is about them
                    found = [text for text in found if "intersect at the start, the first near" not in text]
                self.assertEqual(found, [])

    def test_which_integrator_and_solver_suit_is_told(self):
        self.write("scene.json", json.dumps({"integrator": "auto", "cloths": [{"mesh": "grid"}]}))
        told = self.succeed("check", "scene.json")
        self.assertIn("integrator auto: bdf of order 2 with one linear solve, because ", told)
        self.assertIn("; linear solver conjugate_gradient with multigrid, because 6561 vertices ", told)

    def test_cloths_that_start_through_each_other_are_told(self):
        sheet = {"fabric": "canvas", "mesh": {"type": "grid", "size": [0.2, 0.2], "resolution": [5, 5]}}
        crossing = [dict(sheet, name="lying"), dict(sheet, name="standing", rotation=[90, 0, 0])]
        for cloths, expected in [(crossing, 1), (crossing[:1], 0)]:
            self.write("scene.json", json.dumps({"cloths": cloths}))
            warned = self.heddle("check", "scene.json")
            said = 'pairs of triangles of cloth "lying" and cloth "standing" intersect at the start, the first near (-0.1, '
            self.assertEqual(warned.stderr.count(said), expected, warned.stderr)
            self.assertEqual(warned.returncode, 0)

    def test_cloths_that_start_within_their_thickness_are_told(self):
        sheet = {"fabric": "thick", "mesh": {"type": "grid", "size": [0.2, 0.2], "resolution": [5, 5]}}
        for height, expected in [(0.009, 1), (0.011, 0)]:
            self.write("scene.json", json.dumps({
                "fabrics": {"thick": {"base": "felt", "thickness": 0.02}},
                "cloths": [dict(sheet, name="under"), dict(sheet, name="over", translation=[0, 0, height])]}))
            warned = self.heddle("check", "scene.json")
            said = f'cloth "under" and cloth "over" start {height} m apart near '
            self.assertEqual(warned.stderr.count(said), expected, warned.stderr)
            self.assertEqual(warned.returncode, 0)


class Run(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene())
        self.said = json.loads(self.succeed("run", "scene.json", "-o", "run", "--json"))
        self.run_folder = self.folder / "run"

    def test_the_folder_is_complete(self):
        self.assertEqual(sorted(p.name for p in self.run_folder.iterdir()),
                         ["checkpoints", "frames", "metrics.csv", "model.snap", "run.json", "workers.csv"])
        self.assertEqual(sorted(p.name for p in (self.run_folder / "frames").iterdir()),
                         [f"{i:06}.snap" for i in range(6)])
        self.assertEqual(sorted(p.name for p in (self.run_folder / "checkpoints").iterdir()),
                         ["000004.state", "000005.state"])

    def test_the_workers(self):
        rows = [line.split(",") for line in (self.run_folder / "workers.csv").read_text().splitlines()]
        self.assertEqual(rows[0], ["frame", "worker", "seconds_busy", "seconds_search"])
        self.assertEqual({row[0] for row in rows[1:]}, {str(frame) for frame in range(1, 6)})
        for row in rows[1:]:
            busy, search = float(row[2]), float(row[3])
            self.assertTrue(0 <= busy <= 1.1 * search + 1e-4, row)

    def test_the_record(self):
        record = json.loads((self.run_folder / "run.json").read_text())
        self.assertEqual((record["status"], record["frame"]), ("complete", 5))
        self.assertEqual(record["scene"]["title"], "A small cloth")
        self.assertEqual(record["scene"]["texts"], {"scene.json": small_scene()})
        self.assertEqual(record["state_hash"], self.said["state_hash"])
        self.assertEqual(record["settings"]["until"], 0.2)

    def test_the_metrics(self):
        rows = list(csv.DictReader((self.run_folder / "metrics.csv").read_text().splitlines()))
        self.assertLessEqual(set(METRICS), set(rows[0]))
        self.assertEqual([int(row["frame"]) for row in rows], list(range(6)))
        for i, row in enumerate(rows):
            self.assertAlmostEqual(float(row["time"]), i / 25, places=12)
        self.assertLess(float(rows[-1]["gravity_energy"]), float(rows[0]["gravity_energy"]), "the cloth falls")
        self.assertGreater(int(rows[-1]["contacts"]), 0, "on the ball")

    def test_info(self):
        info = self.info("run")
        expected = {"status": "complete", "scene": "scene.json", "frames": 6, "time": 0.2, "frame_rate": 25,
                    "vertices": 225, "faces": 392, "state_frame": 5, "state_hash": self.said["state_hash"]}
        self.assertEqual({key: info[key] for key in expected}, expected)
        self.assertEqual(info["bytes"], sum(p.stat().st_size for p in self.run_folder.rglob("*") if p.is_file()))
        self.assertGreater(info["seconds_per_frame"], 0)
        for mode in ["weft", "warp", "shear"]:
            self.assertLessEqual(info["strain"][mode]["min"], info["strain"][mode]["max"])
        text = self.succeed("info", "run")
        for word in ["complete", "6 frames", "225 vertices", "MB on disk", "s per frame", "weft", self.said["state_hash"]]:
            self.assertIn(word, text)

    def test_until_stops_early_and_resume_goes_on(self):
        self.succeed("run", "scene.json", "-o", "part", "--until", 0.08)
        self.assertEqual((self.info("part")["frames"], self.info("part")["time"]), (3, 0.08))
        self.succeed("run", "scene.json", "-o", "part", "--resume")
        self.assertEqual(self.info("part")["state_hash"], self.said["state_hash"])
        self.assertEqual(tree(self.folder / "part/frames"), tree(self.run_folder / "frames"))

    def test_resume_to_an_earlier_time_changes_nothing(self):
        before = tree(self.run_folder)
        told = self.succeed("run", "scene.json", "-o", "run", "--resume", "--until", 0.08)
        self.assertIn("the run already reaches 0.2 s, beyond 0.08 s; nothing was changed", told)
        self.assertEqual(tree(self.run_folder), before)
        answer = json.loads(self.succeed("run", "scene.json", "-o", "run", "--resume", "--until", 0, "--json"))
        self.assertEqual(answer["status"], "unchanged")
        self.assertEqual(tree(self.run_folder), before)

    def test_resume_to_before_the_duration_of_a_prolonged_run(self):
        """Without --until the time asked for is the duration of the scene."""
        self.succeed("run", "scene.json", "-o", "run", "--resume", "--until", 0.28)
        before = tree(self.run_folder)
        self.assertIn("reaches 0.28 s, beyond 0.2 s", self.succeed("run", "scene.json", "-o", "run", "--resume"))
        self.assertEqual(tree(self.run_folder), before)

    def test_step_tells_all_and_writes_nothing(self):
        before = tree(self.run_folder)
        text = self.succeed("step", "run")
        for word in ["before: step 20", "after: step 21", "kinetic energy", "solver iterations", "integrate"]:
            self.assertIn(word, text)
        self.assertEqual(tree(self.run_folder), before)

    def test_step_takes_the_scene_from_the_run(self):
        told = re.search("after: .*?solver", self.succeed("step", "run"), re.DOTALL).group()
        (self.folder / "scene.json").unlink()
        self.assertIn(told, self.succeed("step", "run"))
        self.assertIn(told, self.succeed("step", self.run_folder, cwd="/"))
        self.write("scene.json", "edited beyond recognition")
        self.assertIn(told, self.succeed("step", "run"))

    def test_step_takes_included_files_from_the_run(self):
        """Also if two of them have the same name."""
        self.write("scenes/all.json", '{"include": ["../a/part.json", "b/part.json"], "duration": 0.04}')
        self.write("a/part.json", json.dumps({"cloths": json.loads(small_scene())["cloths"]}))
        self.write("scenes/b/part.json", json.dumps({"obstacles": json.loads(small_scene())["obstacles"]}))
        self.succeed("run", "scenes/all.json", "-o", "parts")
        record = json.loads((self.folder / "parts/run.json").read_text())
        self.assertEqual(sorted(record["scene"]["texts"]), ["../a/part.json", "all.json", "b/part.json"])
        shutil.rmtree(self.folder / "scenes")
        shutil.rmtree(self.folder / "a")
        self.assertIn("before: step 4 ", self.succeed("step", "parts"))

    def test_step_says_which_files_it_misses(self):
        self.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
        self.write("mesh.json", '{"duration": 0.04, "cloths": [{"mesh": {"type": "file", "path": "square.obj"}}]}')
        self.succeed("run", "mesh.json", "-o", "mesh")
        self.refuse("step", self.folder / "mesh", cwd="/",
                    says=["mesh.json:1:40: error: square.obj: cannot open the file", "cannot be built from here",
                          "where the run was started"])
        self.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 4\nf 2 3 4\n")
        self.refuse("step", "mesh", says="square.obj: error: the file was changed since the run was started")

    def test_a_painted_cloth_keeps_the_fabrics_of_its_regions(self):
        scene = json.loads(small_scene(duration=0.04))
        scene["cloths"][0] |= {"fabric": "silk",
                               "regions": [{"faces": {"box": [[-1, -1, -1], [0, 1, 1]]}, "fabric": "denim"}],
                               "paint": [{"parameter": "density", "texture": "grey.png", "range": [0.1, 0.2]}]}
        shutil.copy(SOURCE / "scenes/assets/brim.png", self.folder / "grey.png")
        self.write("painted.json", json.dumps(scene))
        self.succeed("run", "painted.json", "-o", "painted")
        model = (self.folder / "painted/model.snap").read_bytes()
        for name in [b"silk", b"denim"]:
            self.assertIn(name, model)

    def test_the_default_folder(self):
        self.succeed("run", "scene.json", "--until", 0.04)
        self.assertTrue((self.folder / "out/scene/run.json").is_file())


class Export(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene(formats=["obj", "gltf"]))
        self.succeed("run", "scene.json", "-o", "run")

    def files(self, path):
        return {str(p.relative_to(self.folder / path)): p.stat().st_size
                for p in (self.folder / path).rglob("*") if p.is_file()}

    def test_folders(self):
        for form, ending in {"obj": ".obj", "ply": ".ply", "pc2": ".pc2", "vtk": ".vtp"}.items():
            with self.subTest(form):
                self.succeed("export", "run", "--to", form, "-o", form)
                files = {name: size for name, size in self.files(form).items() if name.endswith(ending)}
                self.assertTrue(files, self.files(form))
                self.assertTrue(all(files.values()), files)

    def test_files(self):
        for form, name, head in [("gltf", "run.glb", b"glTF"), ("usd", "run.usda", b"#usda 1.0"),
                                 ("html", "run.html", b"<!doctype html>")]:
            with self.subTest(form):
                self.assertEqual(self.succeed("export", "run", "--to", form, "-o", name), f"wrote {name}\n")
                self.assertTrue((self.folder / name).read_bytes()[:15].lower().startswith(head.lower()))
                self.succeed("export", "run", "--to", form, "-o", name)  # an earlier export may be replaced
                self.assertEqual(self.succeed("export", "run", "--to", form, "-o", "run2"),
                                 f"wrote run2{pathlib.Path(name).suffix}\n")

    def test_a_part_of_the_run(self):
        self.succeed("export", "run", "--to", "obj", "-o", "part", "--object", "cloth", "--first", 2, "--last", 3)
        frames = [name for name in self.files("part") if name.endswith(".obj")]
        self.assertEqual(len(frames), 2, frames)

    def test_a_scene_may_ask_for_a_page(self):
        self.write("scene.json", small_scene(duration=0.08, formats=["html", "ply"]))
        self.succeed("run", "scene.json", "-o", "page")
        page = (self.folder / "page/export/html.html").read_bytes()
        self.assertTrue(page[:15].lower().startswith(b"<!doctype html>"))
        self.assertTrue((self.folder / "page/export/ply").is_dir())
        self.succeed("export", "page", "--to", "html", "-o", "again.html")
        self.assertEqual((self.folder / "again.html").read_bytes(), page)
        self.succeed("run", "scene.json", "-o", "page", "--overwrite")

    def test_formats_of_the_scene(self):
        written = self.files("run/export")
        self.assertTrue(any(name.startswith("obj/") for name in written), written)
        self.assertTrue(any(name.startswith("gltf") for name in written), written)


class Pictures(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene())
        self.succeed("run", "scene.json", "-o", "run")

    def test_pictures(self):
        for colour in ["fabric", "strain_weft", "strain_warp", "strain_shear", "speed"]:
            self.succeed("picture", "run", "-o", f"{colour}.png", "--size", "48x32", "--samples", 2, "--colour", colour)
            self.assertEqual(png_size(self.folder / f"{colour}.png"), (48, 32))
        self.succeed("picture", "run", "-o", "first.png", "--frame", 0, "--size", "48x32", "--samples", 2)
        self.assertNotEqual((self.folder / "first.png").read_bytes(), (self.folder / "fabric.png").read_bytes())

    def test_the_camera_can_be_placed(self):
        small = ("--size", "48x32", "--samples", 2)
        for name, place in {"side": "0,-3,0.2", "top": "0,-0.01,3"}.items():
            self.succeed("picture", "run", "-o", f"{name}.png", *small, "--camera", place, "--target", "0,0,0")
        self.assertNotEqual((self.folder / "side.png").read_bytes(), (self.folder / "top.png").read_bytes())
        self.refuse("picture", "run", "-o", "no.png", "--camera", "0,-3,0", says=["--camera requires --target"])
        self.refuse("picture", "run", "-o", "no.png", "--camera", "0,-3", "--target", "0,0,0", says=["--camera", "3"])
        self.refuse("picture", "run", "-o", "no.png", "--camera", "1,1,1", "--target", "1,1,1", says=["coincide"])

    def test_answers_as_json(self):
        small = ("--size", "48x32", "--samples", 1, "--json")
        self.assertEqual(json.loads(self.succeed("picture", "run", "-o", "p.png", *small)),
                         {"written": "p.png", "frame": 5, "width": 48, "height": 32})
        self.assertEqual(json.loads(self.succeed("movie", "run", "-o", "m.mp4", *small)), {"written": "m.mp4"})
        self.assertEqual(json.loads(self.succeed("export", "run", "--to", "gltf", "-o", "e", "--json")), {"written": "e.glb"})
        step = json.loads(self.succeed("step", "run", "--json"))
        self.assertEqual(step["after"]["step"], step["before"]["step"] + 1)
        self.assertGreater(step["after"]["energy"]["kinetic"], 0)

    def test_the_camera_fits_the_frame_or_the_run(self):
        """Far from the ball the cloth is small in a view of the whole fall."""
        self.write("fall.json", small_scene(duration=0.4).replace('"radius": 0.2', '"radius": 0.05'))
        self.succeed("run", "fall.json", "-o", "fall")
        for name, options in {"default": (), "frame": ("--fit", "frame"), "run": ("--fit", "run")}.items():
            self.succeed("picture", "fall", "-o", f"{name}.png", "--size", "48x32", "--samples", 2, *options)
        pictures = {name: (self.folder / f"{name}.png").read_bytes() for name in ["default", "frame", "run"]}
        self.assertEqual(pictures["default"], pictures["frame"])
        self.assertNotEqual(pictures["frame"], pictures["run"])
        self.refuse("picture", "fall", "-o", "no.png", "--fit", "cloth", says=["cloth", "frame", "run"])

    def frames_and_seconds(self, movie):
        probe = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames:format=duration", "-of", "json"]
        found = json.loads(subprocess.run([*probe, movie], cwd=self.folder, capture_output=True, text=True, check=True).stdout)
        return int(found["streams"][0]["nb_read_frames"]), float(found["format"]["duration"])

    @unittest.skipUnless(shutil.which("ffmpeg") or TOOLS_REQUIRED, "needs ffmpeg")
    def test_a_part_of_a_movie(self):
        small = ("--size", "64x48", "--samples", 1)
        self.succeed("movie", "run", "-o", "new/folder/part.mp4", *small, "--first", 1, "--last", 4, "--frame-rate", 10)
        self.succeed("picture", "run", "-o", "new/too/p.png", *small)
        if not shutil.which("ffprobe"):
            self.skipTest("ffprobe is not installed")
        frames, seconds = self.frames_and_seconds("new/folder/part.mp4")
        self.assertEqual(frames, 4)
        self.assertAlmostEqual(seconds, 0.4, delta=0.01)

    @unittest.skipUnless(shutil.which("ffmpeg") or TOOLS_REQUIRED, "needs ffmpeg")
    def test_movie(self):
        self.succeed("movie", "run", "-o", "run.mp4", "--size", "64x48", "--samples", 1, "--every", 2)
        self.assertEqual((self.folder / "run.mp4").read_bytes()[4:8], b"ftyp")
        self.only_with_permission("movie", "mine.mp4", "--size", "64x48", "--samples", 1, "--every", 4)

    def only_with_permission(self, command, name, *options):
        """Files of others are replaced on demand only, those of Heddle without asking."""
        self.write(name, "precious")
        self.refuse(command, "run", "-o", name, *options,
                    says=[f"{name}: error: exists and was not written by Heddle", "--overwrite"])
        self.succeed(command, "run", "-o", name, *options, "--overwrite")
        self.succeed(command, "run", "-o", name, *options)
        self.assertIn("--overwrite", self.succeed(command, "--help"))

    def test_pictures_of_others_are_kept(self):
        self.only_with_permission("picture", "mine.png", "--size", "16x16", "--samples", 1)
        chunks = dict(png_chunks((self.folder / "mine.png").read_bytes()))
        self.assertEqual(chunks[b"tEXt"], b"Software\0Heddle")

    def test_exports_of_others_are_kept(self):
        self.only_with_permission("export", "mine.html", "--to", "html")
        self.only_with_permission("export", "mine.glb", "--to", "gltf")


if __name__ == "__main__":
    unittest.main()
