"""A run ends in the same state with any number of threads, and however often it was killed on the way."""
import json
import random
import shutil
import signal
import subprocess
import time
import unittest

from heddle_command import FULL, HEDDLE, SOURCE, CommandTest, small_scene, tree

KILLS = 20


class DeterminismTest(CommandTest):
    def same_with_any_threads(self, scene, seconds):
        hashes = {}
        for threads in [1, 2, 3]:
            self.succeed("run", scene, "-o", f"threads{threads}", "--threads", threads, timeout=seconds)
            hashes[threads] = self.info(f"threads{threads}")["state_hash"]
            self.assertEqual(tree(self.folder / f"threads{threads}/frames"), tree(self.folder / "threads1/frames"))
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def start(self, scene, stdout=subprocess.DEVNULL):
        resume = ["--resume"] if (self.folder / "run").exists() else []
        return subprocess.Popen([HEDDLE, "run", str(scene), "-o", "run", *resume], cwd=self.folder,
                                stdout=stdout, stderr=subprocess.PIPE, text=True)

    def same_after_kills(self, scene, seconds):
        begin = time.monotonic()
        self.succeed("run", scene, "-o", "whole", timeout=seconds)
        whole = time.monotonic() - begin
        chance = random.Random(20)
        killed = 0
        while killed < KILLS:
            process = self.start(scene)
            # Mostly early, so that the start is hit as well and enough of the run is left for the next kill.
            time.sleep(chance.choice([0.1, 1, 1]) * chance.uniform(0, 2 * whole / KILLS))
            process.kill()
            _, said = process.communicate()
            self.assertIn(process.returncode, [0, -signal.SIGKILL], said)
            killed += process.returncode != 0
            if process.returncode == 0:  # the kill came too late: from the beginning
                shutil.rmtree(self.folder / "run")
        self.succeed("run", scene, "-o", "run", "--resume", timeout=seconds)
        self.assertEqual(self.info("run")["state_hash"], self.info("whole")["state_hash"])
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))
        self.assertEqual((self.folder / "run/model.snap").read_bytes(), (self.folder / "whole/model.snap").read_bytes())
        self.assertEqual(self.energies("run"), self.energies("whole"))

    def energies(self, run):
        """The metrics without the times that the steps took."""
        rows = [line.split(",") for line in (self.folder / run / "metrics.csv").read_text().splitlines()]
        timed = {i for i, name in enumerate(rows[0]) if name.startswith("seconds_")}
        return [[cell for i, cell in enumerate(row) if i not in timed] for row in rows]


class SmallScene(DeterminismTest):
    def test_steps_of_asynchronous_elements_are_in_checkpoints(self):
        """A crumpled cloth whose elements changed their steps and keep them."""
        scene = self.write("scene.json", json.dumps({
            "duration": 0.4, "gravity": [0, 0, -30],
            "fabrics": {"soft": {"density": 0.3, "weft_stiffness": 40, "warp_stiffness": 40, "shear_stiffness": 15}},
            "cloths": [{"fabric": "soft", "mesh": {"type": "irregular", "size": [0.5, 0.5], "edge_length": 0.05},
                        "pins": [{"vertices": {"nearest": [[-0.25, 0.25, 0], [0.25, 0.25, 0]]}}]}],
            "integrator": {"type": "asynchronous"}, "contact": {"type": "impulses", "self": False},
            "output": {"checkpoint_every": 1}}))
        self.succeed("run", scene, "-o", "whole", timeout=120)
        self.succeed("run", scene, "-o", "run", "--until", 0.24, timeout=120)
        self.succeed("run", scene, "-o", "run", "--resume", timeout=120)
        self.assertEqual(self.info("run")["state_hash"], self.info("whole")["state_hash"])
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))

    def test_threads(self):
        scene = self.write("scene.json", small_scene())
        self.same_with_any_threads(scene, 120)

    def test_kills(self):
        scene = self.write("scene.json", small_scene(duration=1.2, checkpoint_every=2))
        self.same_after_kills(scene, 120)

    def test_interrupt_ends_at_a_whole_frame(self):
        steps = 4  # of 0.01 s, in a frame of 0.04 s
        scene = self.write("scene.json", small_scene(duration=20, checkpoint_every=1000))
        for signal_sent, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            with self.subTest(signal_sent):
                before = self.info("run")["frames"] if (self.folder / "run").exists() else 0
                process = self.start(scene, stdout=subprocess.PIPE)
                while not (self.folder / f"run/frames/{before + 3:06}.snap").exists() and process.poll() is None:
                    time.sleep(0.003)
                process.send_signal(signal_sent)
                told, said = process.communicate(timeout=20)
                self.assertEqual(process.returncode, code, said)
                self.assertIn(f"continue with: heddle run {scene} -o run --resume\n", told)
                info = self.info("run")
                self.assertEqual((info["status"], info["state_frame"]), ("stopped", info["frames"] - 1))
                self.assertIn(f"before: step {steps * info['state_frame']} ", self.succeed("step", "run"))
        until = info["time"] + 0.2
        self.succeed("run", scene, "-o", "run", "--resume", "--until", until)
        self.succeed("run", scene, "-o", "whole", "--until", until)
        self.assertEqual(self.info("run")["state_hash"], self.info("whole")["state_hash"])
        self.assertEqual(self.energies("run"), self.energies("whole"))


@unittest.skipUnless(FULL, "only with HEDDLE_FULL=1")
class FullScene(DeterminismTest):
    def test_threads(self):
        self.same_with_any_threads(SOURCE / "scenes/drape_sphere.json", 1800)

    def test_kills(self):
        self.same_after_kills(SOURCE / "scenes/drape_sphere.json", 1800)


if __name__ == "__main__":
    unittest.main()
