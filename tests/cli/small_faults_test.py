"""Output that cannot be written, and names and numbers that make no sense."""
import json
import os
import re
import shlex
import signal
import subprocess
import time
import unittest

from heddle_command import HEDDLE, CommandTest, small_scene


class SmallFaults(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene(duration=0.08))
        self.succeed("run", "scene.json", "-o", "run")

    def test_output_to_a_full_device(self):
        for arguments in [("schema",), ("describe",), ("check", "scene.json", "--json"), ("info", "run", "--json"),
                          ("run", "scene.json", "-o", "new", "--json"), ("--help",)]:
            with self.subTest(arguments[0]), open("/dev/full", "w") as full:
                done = subprocess.run([HEDDLE, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("error: cannot write the output: No space left on device", done.stderr)

    def test_negative_frames(self):
        self.refuse("picture", "run", "-o", "p.png", "--frame", -5, says="-5")
        self.refuse("export", "run", "--to", "obj", "-o", "x", "--last", -1, says="-1")

    def test_empty_names(self):
        for arguments in [("run", "scene.json"), ("export", "run", "--to", "gltf"), ("picture", "run"), ("movie", "run")]:
            self.refuse(*arguments, "-o", "", says="expected the name of a file or folder")

    def test_a_pipe_is_no_scene(self):
        os.mkfifo(self.folder / "pipe.json")
        done = self.heddle("check", "pipe.json", timeout=10)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a pipe or a device", done.stderr)

    def test_overwrite_keeps_what_is_not_of_a_run(self):
        for name in ["frames/mine/notes.txt", "frames/mine.txt", "checkpoints/mine.txt", "export/obj/notes.txt"]:
            file = self.write(f"run/{name}", "precious")
            self.refuse("run", "scene.json", "-o", "run", "--overwrite", says=["error: no run wrote this", "move it out"])
            file.unlink()
            if "mine/" in name:
                file.parent.rmdir()
        self.succeed("run", "scene.json", "-o", "run", "--overwrite")

    def test_an_empty_record(self):
        self.write("run/run.json", "")
        self.assertNotIn("json.exception", self.refuse("info", "run", says="run.json: error: not a run of Heddle: the file is empty"))

    def commands_in(self, text):
        """The commands that the text tells to type, as a shell reads them."""
        return [shlex.split(line.split(": ", 1)[1])[1:] for line in text.splitlines() if re.search("with: heddle ", line)]

    def test_printed_commands_work_for_any_name(self):
        for name in ["my run", "it's $HOME;x", "-o"]:
            with self.subTest(name):
                self.write("my scene.json", small_scene(duration=30))
                run = subprocess.Popen([HEDDLE, "run", "my scene.json", "--output=" + name], cwd=self.folder,
                                       stdout=subprocess.PIPE, text=True)
                while not (self.folder / name / "frames/000001.snap").exists():
                    time.sleep(0.01)
                run.send_signal(signal.SIGINT)
                view, resume = self.commands_in(run.communicate(timeout=60)[0])
                self.assertEqual(resume[0], "run")
                self.succeed(*resume, "--until", 0.04)
                self.succeed("info", *view[1:])
                record = self.folder / name / "run.json"
                record.write_text(re.sub(r'"status": "\w+"', '"status": "running"', record.read_text()))  # as after a kill
                told = re.search("continue with: heddle (.*)", self.succeed("info", *view[1:]))
                self.succeed(*shlex.split(told[1]), "--until", 0.04)

    def test_a_run_that_was_held_by_hand(self):
        self.assertEqual(self.info("run")["grabbed_steps"], 0)
        self.assertNotIn("by hand", self.succeed("info", "run"))
        record = self.folder / "run/run.json"
        record.write_text(record.read_text().replace('"grabbed_steps": 0', '"grabbed_steps": 12'))
        self.assertEqual(self.info("run")["grabbed_steps"], 12)
        self.assertIn("cloth was held by hand in 12 steps: the scene alone does not give this result", self.succeed("info", "run"))

    def test_one_thread_and_short_times(self):
        said = self.succeed("run", "scene.json", "-o", "one", "--threads", 1)
        told = re.search(r"after ([\d.]+) s \(225 vertices, 1 thread\)", said)
        self.assertTrue(told, said)
        wall = self.info("one")["wall_seconds"]
        self.assertAlmostEqual(float(told[1]), wall, delta=0.1 * wall + 0.01)
        self.assertIn(" on 1 thread, ", self.succeed("info", "one"))

    def test_one_cloth(self):
        self.assertIn("good; 1 cloth with 225 vertices, 1 obstacle, 2 frames", self.succeed("check", "scene.json"))


class SmallCloth(CommandTest):
    def test_steps_too_long_for_short_edges(self):
        """1 cm of cloth with edges of 0.25 mm; the step that is named does, and free cloth needs none."""
        scene = {"cloths": [{"name": "c", "translation": [0, 0, 0.003],
                             "mesh": {"type": "grid", "size": [0.01, 0.01], "resolution": [41, 41]}}],
                 "obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.002}}]}
        self.write("scene.json", json.dumps(scene))
        said = self.heddle("check", "scene.json").stderr
        step = re.search(r'warning: cloth "c" falls by .* set the "time_step" of the integrator to (\S+) s', said)
        self.assertTrue(step, said)
        self.assertAlmostEqual(float(step[1]), 1.2e-3, delta=2e-4)
        scene["integrator"] = {"type": "semi_implicit_euler", "time_step": float(step[1])}
        self.write("scene.json", json.dumps(scene))
        self.assertNotIn("falls by", self.heddle("check", "scene.json").stderr)
        del scene["obstacles"], scene["integrator"]
        self.write("scene.json", json.dumps(scene))
        self.assertNotIn("falls by", self.heddle("check", "scene.json").stderr)


if __name__ == "__main__":
    unittest.main()
