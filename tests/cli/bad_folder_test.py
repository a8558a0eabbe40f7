"""Run folders, disks, ports and command lines that are wrong: told with a remedy, and nothing is lost."""
import json
import os
import resource
import shutil
import socket
import struct
import subprocess
import unittest
import zlib

from heddle_command import HEDDLE, CommandTest, small_scene, tree


def picture(grey):
    """A PNG file of one pixel."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes([0, grey]))) + chunk(b"IEND", b""))


def mesh_text(height=0.0):
    """An OBJ file of two triangles with texture coordinates."""
    corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    lines = [f"v {x} {y} {height}" for x, y in corners] + [f"vt {x} {y}" for x, y in corners]
    return "\n".join(lines + ["f 1/1 2/2 3/3", "f 1/1 3/3 4/4"]) + "\n"


def scene_of_files():
    return json.dumps({"duration": 0.2, "cloths": [{
        "mesh": {"type": "file", "path": "parts/square.obj"},
        "paint": [{"parameter": "density", "texture": "parts/paint.png", "range": [0.1, 0.2]}]}]})


def gltf_text():
    """A triangle whose numbers are in another file."""
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 0, 1]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "points.bin"}]})


def gltf_points(width):
    return struct.pack("<9f", 0, 0, 0, 0, 0, 1, width, 0, 0)


class FolderTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene())

    def make_run(self, folder="run"):
        self.succeed("run", "scene.json", "-o", folder)
        return self.info(folder)["state_hash"]


class ClaimedFolders(FolderTest):
    def test_a_folder_that_holds_other_things(self):
        self.write("thesis/chapter1.txt", "precious")
        for option in [(), ("--overwrite",), ("--resume",)]:
            self.refuse("run", "scene.json", "-o", "thesis", *option, says=["holds no run of Heddle", "choose a new folder"])

    def test_a_folder_with_frames_of_another_program(self):
        self.write("shot/frames/000001.png", "precious")
        self.refuse("run", "scene.json", "-o", "shot", "--overwrite", says="holds no run of Heddle")

    def test_a_foreign_record(self):
        self.write("other/run.json", '{"program": "another"}')
        self.refuse("run", "scene.json", "-o", "other", "--overwrite", says="holds no run of Heddle")

    def cut_record(self, length):
        record = self.folder / "run/run.json"
        record.write_bytes(record.read_bytes()[:length])

    def test_a_run_whose_record_was_cut(self):
        """As after a power cut: nothing can be resumed, but the run can be replaced."""
        expected = self.make_run()
        for length in [0, 1, 200]:
            self.cut_record(length)
            for option in [(), ("--resume",)]:
                self.refuse("run", "scene.json", "-o", "run", *option,
                            says=["run/run.json: error: the record of the run is empty or damaged", "--overwrite"])
            self.succeed("run", "scene.json", "-o", "run", "--overwrite")
            self.assertEqual(self.info("run")["state_hash"], expected)

    def test_a_cut_record_beside_other_things(self):
        """Without a good record, one thing that no run writes is enough to leave the folder alone."""
        self.make_run()
        self.cut_record(100)
        for name in ["notes.txt", "frames/notes.txt", "checkpoints/mine/a", "export/thesis.odt", "photos/a.jpg"]:
            file = self.write(f"run/{name}", "precious")
            self.refuse("run", "scene.json", "-o", "run", "--overwrite", says="holds no run of Heddle")
            file.unlink()
            if file.parent.name in ["mine", "photos", "export"]:
                file.parent.rmdir()
        model = self.folder / "run/model.snap"
        good = model.read_bytes()
        for content in [b"", b"a model of a ship", good[:-20]]:
            model.write_bytes(content)
            self.refuse("run", "scene.json", "-o", "run", "--overwrite", says="holds no run of Heddle")
        model.unlink()
        self.refuse("run", "scene.json", "-o", "run", "--overwrite", says="holds no run of Heddle")
        self.write("other/run.json", "not of Heddle")
        self.refuse("run", "scene.json", "-o", "other", "--overwrite", says="holds no run of Heddle")
        model.write_bytes(good)
        self.succeed("run", "scene.json", "-o", "run", "--overwrite")

    def test_unfinished_files_of_killed_runs_are_removed(self):
        for option in ["--resume", "--overwrite"]:
            self.succeed("run", "scene.json", "-o", "run", "--until", 0.08, *(["--overwrite"] if option == "--overwrite" else []))
            left = [self.write(f"run/{name}.heddle-tmp-{process}-0", "part") for process in [os.getpid(), 999999999]
                    for name in [".run.json", ".metrics.csv", ".model.snap", "frames/.000003.snap", "checkpoints/.000003.state"]]
            left.append(self.write("run/export/obj/.a.obj.heddle-tmp-999999999-0", "part"))
            kept = [self.write(f"run/{name}", "mine") for name in ["run.json.heddle-tmp-1-0", ".picture.png.heddle-tmp-1-0"]]
            self.succeed("run", "scene.json", "-o", "run", option)
            self.assertEqual([file for file in left if file.exists()], [])
            self.assertEqual([file for file in kept if not file.exists()], [])

    def test_a_file_instead_of_a_folder(self):
        self.refuse("run", "scene.json", "-o", "scene.json", says=["is a file, not a folder", "choose another -o"])
        self.refuse("run", "scene.json", "-o", "scene.json/run", says=["scene.json/run: error: ", "choose another"])

    def test_a_run_is_replaced_only_on_demand(self):
        self.make_run()
        self.refuse("run", "scene.json", "-o", "run", says=["holds a run already", "--resume", "--overwrite"])
        self.write("scene.json", small_scene(duration=0.08))
        self.succeed("run", "scene.json", "-o", "run", "--overwrite")
        self.assertEqual(self.info("run")["frames"], 3)

    def test_a_bad_scene_leaves_the_old_run_alone(self):
        self.make_run()
        self.write("scene.json", small_scene().replace("sphere", "shpere"))
        self.refuse("run", "scene.json", "-o", "run", "--overwrite", says="shpere")

    def test_resume_without_a_run(self):
        self.refuse("run", "scene.json", "-o", "run", "--resume", says=["no run to resume", "leave --resume away"])

    def test_resume_with_an_edited_scene(self):
        self.make_run()
        self.write("scene.json", small_scene(duration=0.4))
        self.refuse("run", "scene.json", "-o", "run", "--resume", says=["another scene or an edited one", "start anew"])

    def test_resume_with_an_edited_buffer_of_a_mesh(self):
        self.write("parts/triangle.gltf", gltf_text())
        self.write("parts/points.bin", gltf_points(1))
        self.write("scene.json", scene_of_files().replace("square.obj", "triangle.gltf").replace('"paint"', '"regions"')
                   .replace('{"parameter": "density", "texture": "parts/paint.png", "range": [0.1, 0.2]}', ""))
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.08)
        self.write("parts/points.bin", gltf_points(0.9))
        self.refuse("run", "scene.json", "-o", "run", "--resume",
                    says=["parts/points.bin: error: the file was changed since", "restore it"])

    def test_resume_with_an_edited_mesh_or_texture(self):
        for name, content in {"parts/square.obj": mesh_text(), "parts/paint.png": picture(0)}.items():
            self.write(name, content)
        self.write("scene.json", scene_of_files())
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.08)
        for name, content in {"parts/square.obj": mesh_text(0.1), "parts/paint.png": picture(255)}.items():
            with self.subTest(name):
                good = (self.folder / name).read_bytes()
                self.write(name, content)
                self.refuse("run", "scene.json", "-o", "run", "--resume",
                            says=[f"{name}: error: the file was changed since", "restore it", "--overwrite"])
                self.write(name, good)
        self.succeed("run", self.folder / "scene.json", "-o", self.folder / "run", "--resume", "--until", 0.12,
                     cwd="/")  # the same files from elsewhere
        self.write("parts/square.obj", mesh_text(0.1))
        self.succeed("run", "scene.json", "-o", "run", "--overwrite")

    def test_records_without_hashes_of_the_inputs_can_be_resumed(self):
        self.write("parts/square.obj", mesh_text())
        self.write("parts/paint.png", picture(0))
        self.write("scene.json", scene_of_files())
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.08)
        record = json.loads((self.folder / "run/run.json").read_text())
        self.assertEqual(sorted(record["scene"].pop("inputs")), ["parts/paint.png", "parts/square.obj"])
        self.write("run/run.json", json.dumps(record))
        self.write("parts/paint.png", picture(255))
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(self.info("run")["frames"], 6)

    def test_resume_and_overwrite_contradict_each_other(self):
        self.refuse("run", "scene.json", "-o", "run", "--resume", "--overwrite", says=["--resume", "--overwrite"])

    def test_a_run_killed_before_its_record_can_be_resumed(self):
        (self.folder / "run").mkdir()
        self.write("run/.run.json.heddle-tmp-99999999-0", "half a rec")
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(self.info("run")["frames"], 6)


class DamagedRuns(FolderTest):
    def checkpoints(self):
        return sorted((self.folder / "run/checkpoints").glob("*.state"))

    def interrupted_run(self):
        """A run of which half is left, and the hash it has to end with."""
        expected = self.make_run("whole")
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.12)
        return expected

    def resume_to(self, expected):
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(self.info("run")["state_hash"], expected)
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))

    def test_a_damaged_checkpoint_is_not_used(self):
        for name, damage in {"cut off": lambda b: b[:-20], "empty": lambda b: b"", "noise": lambda b: b"x" * len(b),
                             "one bit": lambda b: b[:900] + bytes([b[900] ^ 1]) + b[901:]}.items():
            with self.subTest(name):
                expected = self.interrupted_run()
                newest = self.checkpoints()[-1]
                newest.write_bytes(damage(newest.read_bytes()))
                self.resume_to(expected)
                shutil.rmtree(self.folder / "run")
                shutil.rmtree(self.folder / "whole")

    def test_without_a_good_checkpoint_the_run_starts_anew(self):
        expected = self.interrupted_run()
        for file in self.checkpoints():
            file.write_bytes(b"")
        self.resume_to(expected)

    def test_a_damaged_frame_is_named(self):
        self.make_run()
        frame = self.folder / "run/frames/000005.snap"
        frame.write_bytes(frame.read_bytes()[:100])
        self.refuse("picture", "run", "-o", "p.png", "--size", "16x16", "--samples", 1, says="000005.snap: error: ")
        self.refuse("export", "run", "--to", "obj", "-o", "obj", says="000005.snap: error: ")

    def test_a_damaged_model_is_named(self):
        self.make_run()
        self.write("run/model.snap", b"HEDDLE")
        for command in ["info", "view", "step"]:
            self.refuse(command, "run", says="model.snap: error: ")


class FullDisks(FolderTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene(duration=1))

    def test_no_room_at_the_start(self):
        """The record may be written, the larger model may not."""
        self.make_run("whole")
        limit = (self.folder / "whole/model.snap").stat().st_size - 1
        done = self.heddle("run", "scene.json", "-o", "run",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("run/model.snap: error: cannot write the file", done.stderr)
        self.check_full(done)

    def test_a_full_disk(self):
        """A disk of 300 kB, seen by this command only."""
        done = self.on_a_small_disk("300k", '"$0" run scene.json -o disk/run; code=$?; cp -r disk/run run; exit $code')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.make_run("whole")
        self.check_full(done)

    def on_a_small_disk(self, size, script):
        """Runs the shell script where the folder disk is a disk of that size; the command is $0."""
        (self.folder / "disk").mkdir(exist_ok=True)
        script = f"mount -t tmpfs -o size={size} tmpfs disk || exit 77; {script}"
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, HEDDLE], cwd=self.folder, capture_output=True,
                              text=True, timeout=120) if shutil.which("unshare") else None
        if done is None or done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("this user cannot mount a small disk")
        return done

    def test_other_commands(self):
        """Each says which file there was no room for, and ends like a run."""
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.2)
        for arguments, file in {"export run --to gltf -o disk/a.glb": "disk/a.glb", "export run --to ply -o disk/ply": "disk/ply/",
                                "picture run -o disk/p.png --size 200x200 --samples 1": "disk/p.png"}.items():
            done = self.on_a_small_disk("8k", f'"$0" {arguments}; code=$?; ls -A disk >&2; exit $code')
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, f"{file}.*: error: cannot write the file: No space left on device; make room")
            self.assertNotIn("heddle-tmp", done.stderr)

    def test_a_movie_on_a_full_disk_keeps_the_old_one(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed")
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.2)
        movie = '"$0" movie run -o disk/m.mp4 --size 96x96 --samples 1'
        failed = 0
        for spare in [0, 4, 8, 12, 16, 20, 24]:  # kB that are left for the second movie: at its begin, amid, at its end
            fill = f"dd if=/dev/zero of=disk/fill bs=1k count=$(($(df -k --output=avail disk | tail -1) - {spare})) 2>/dev/null"
            done = self.on_a_small_disk("128k", f"{movie} || exit 78; cp disk/m.mp4 first.mp4; {fill}; {movie}; code=$?; "
                                                "cp disk/m.mp4 second.mp4; ls -A disk >&2; exit $code")
            self.assertNotIn("heddle-tmp", done.stderr)
            self.assertEqual((self.folder / "second.mp4").read_bytes(), (self.folder / "first.mp4").read_bytes())
            if done.returncode == 0:
                continue
            failed += 1
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("disk/m.mp4: error: ", done.stderr)
            self.assertIn("make room on the disk", done.stderr)
        self.assertGreater(failed, 1)

    def check_full(self, done):
        """The run says what to do, and goes on from there to the same end."""
        self.assertIn("error: ", done.stderr)
        self.assertIn("make room on the disk", done.stderr)
        self.assertNotIn("heddle step", done.stderr)
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(self.info("run")["state_hash"], self.info("whole")["state_hash"])
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))

    def test_a_folder_that_cannot_be_made(self):
        self.refuse("run", "scene.json", "-o", "/proc/heddle/run", says=["error: cannot", "; "])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.refuse("run", "scene.json", "-o", "locked/run", says=["Permission denied", "check the permissions"])


class NoRuns(FolderTest):
    COMMANDS = {
        "info": ("info", "{}"),
        "view": ("view", "{}", "--port", 0),
        "step": ("step", "{}"),
        "export": ("export", "{}", "--to", "obj", "-o", "exported"),
        "html": ("export", "{}", "--to", "html", "-o", "page.html"),
        "picture": ("picture", "{}", "-o", "p.png"),
        "movie": ("movie", "{}", "-o", "m.mp4"),
    }

    def test_every_command_that_reads_a_run(self):
        (self.folder / "empty").mkdir()
        for name, arguments in self.COMMANDS.items():
            for folder in ["nowhere", "empty", "scene.json"]:
                with self.subTest(name, folder=folder):
                    self.refuse(*[folder if a == "{}" else a for a in arguments],
                                says=[f"{folder}: error: is not a ", "give the folder that `heddle run` wrote"])


class BadCommandLines(FolderTest):
    def setUp(self):
        super().setUp()
        self.make_run()

    def picture(self, *options, says):
        self.refuse("picture", "run", "-o", "p.png", *options, says=says)

    def test_pictures(self):
        self.picture("--frame", 77, says=["no frame 77", "frames 0 to 5"])
        for size in ["big", "12", "12x", "12x12x12", "0x10", "10x0"]:
            self.picture("--size", size, says=["--size: error: "])
        self.picture("--size", "100000x10", says=["width is 100000", "choose 1 to"])
        self.picture("--size=-5x10", says=["width is -5"])
        self.picture("--samples", 0, says=["samples is 0", "choose 1 to"])
        self.picture("--samples", "many", says=["many", "heddle picture --help"])
        self.picture("--colour", "mauve", says=["mauve", "strain_weft"])
        self.refuse("picture", "run", "-o", "scene.json/p.png", "--size", "8x8", "--samples", 1, says="scene.json")
        for name in ["p.jpg", "p", "png", "p.png.tif"]:
            self.refuse("picture", "run", "-o", name, "--size", "8x8", "--samples", 1,
                        says=[f"{name}: error: a picture is a .png file", "end the name in .png"])
        self.refuse("picture", "run", says=["--output", "heddle picture --help"])

    def test_movies(self):
        movie = ("movie", "run", "-o", "m.mp4", "--size", "32x32", "--samples", 1)
        self.refuse(*movie, says=["ffmpeg", "apt install ffmpeg", "PATH"], env={"PATH": ""})
        self.refuse(*movie, "--every", 0, says=["every is less than 1", "use 1"])
        self.refuse(*movie, "--quality", 99, says=["quality is 99", "choose 0"])
        self.refuse(*movie, "--last", 9, says=["frames 0 to 9 were asked for, the run has 0 to 5"])
        self.refuse(*movie, "--first", 4, "--last", 2, says=["frames 4 to 2 were asked for"])
        self.refuse(*movie, "--first", -1, says=["--first", "-1"])
        for rate in [0, -5, 2000, "nan", "fast"]:
            self.refuse(*movie, "--frame-rate", rate, says=["rate", str(rate)])

    def test_exports(self):
        self.refuse("export", "run", "--to", "fbx", "-o", "x", says=["fbx", "gltf"])
        self.refuse("export", "run", "--to", "obj", "-o", "x", "--object", "clth", says=['"clth"', '"cloth"'])
        self.refuse("export", "run", "--to", "obj", "-o", "x", "--first", 9, says=["error: "])
        self.refuse("export", "run", "--to", "obj", "-o", "x", "--first", 3, "--last", 1, says=["error: "])
        self.write("thesis/chapter1.txt", "precious")
        self.refuse("export", "run", "--to", "obj", "-o", "thesis", says=["thesis"])
        for form, name in {"html": "mine.html", "gltf": "mine.glb", "usd": "mine.usda"}.items():
            self.write(name, "precious")
            self.refuse("export", "run", "--to", form, "-o", name, says=[f"{name}: error: exists", "--overwrite"])
            self.refuse("export", "run", "--to", form, "-o", "mine", says=[f"{name}: error: exists", "--overwrite"])
        self.refuse("export", "run", "--to", "gltf", "-o", "h.gltf", says=["h.gltf: error: ", "end the name in .glb"])
        self.refuse("export", "run", "--to", "html", "-o", "page.html", "--first", 2, says=["whole run", "--first"])

    def test_ports(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            told = [f"port {port} is in use", "--port 0"]
            self.refuse("view", "run", "--port", port, says=told)
            self.refuse("run", "scene.json", "-o", "live", "--live", "--port", port, says=told)
            self.refuse("run", "scene.json", "-o", "run", "--overwrite", "--live", "--port", port, says=told)
        self.refuse("view", "run", "--port", 70000, says=["70000", "65535"])
        self.refuse("view", "run", "--port", "web", says=["web", "--port"])

    def test_words_that_are_not_known(self):
        self.refuse("rnu", "scene.json", says=['unknown command "rnu"', 'did you mean "run"?'])
        self.refuse("knit", says=['unknown command "knit"', "expected", '"run"'])
        self.refuse(says=["error: ", "--help"])
        self.refuse("run", "scene.json", "--thread", 2, says=['unknown option "--thread"', 'did you mean "--threads"?'])
        self.refuse("run", "scene.json", "--thread=2", says=['unknown option "--thread"', 'did you mean "--threads"?'])
        self.refuse("run", "--foo", says='unknown option "--foo"')
        self.refuse("run", says=["scene", "heddle run --help"])
        self.refuse("describe", "gird", says=['"gird"', 'did you mean "grid"?'])
        self.refuse("describe", "grid", "--json", "--markdown", says=["--json", "--markdown"])

    def test_numbers_that_make_no_sense(self):
        for threads in [0, -1, 5000, "two"]:
            self.refuse("run", "scene.json", "-o", "new", "--threads", threads, says=["--threads", str(threads)])
        for until in [-1, "later", "nan"]:
            self.refuse("run", "scene.json", "-o", "new", "--until", until, says=["--until", str(until)])


if __name__ == "__main__":
    unittest.main()
