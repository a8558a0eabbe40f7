"""One run at a time writes into a folder; the others are told which process it is."""
import signal
import subprocess
import time
import unittest

from heddle_command import HEDDLE, CommandTest, small_scene, tree


class FolderInUse(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene(duration=100))
        self.process = None

    def start(self, *options):
        """A run that has written its third frame and goes on."""
        self.process = subprocess.Popen([HEDDLE, "run", "scene.json", "-o", "run", *options], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, signal.SIGKILL)
        while not (self.folder / "run/frames/000002.snap").exists():
            self.assertIsNone(self.process.poll(), "the run ended early")
            time.sleep(0.005)

    def end(self, with_signal):
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        self.process.communicate(timeout=30)

    def test_a_second_run_is_refused(self):
        self.start()
        self.process.send_signal(signal.SIGSTOP)  # so that the folder can be compared
        for option in [("--resume",), ("--overwrite",), ()]:
            with self.subTest(option):
                self.refuse("run", "scene.json", "-o", "run", *option,
                            says=[f"process {self.process.pid} is writing a run into this folder", "choose another folder"])
        self.process.send_signal(signal.SIGCONT)

    def test_a_killed_run_can_be_resumed_at_once(self):
        self.start()
        self.end(signal.SIGKILL)
        self.succeed("run", "scene.json", "-o", "run", "--resume", "--until", 1)
        self.succeed("run", "scene.json", "-o", "run", "--overwrite", "--until", 0.08)
        self.assertEqual(self.info("run")["frames"], 3)

    def test_the_lock_goes_with_the_run(self):
        self.succeed("run", "scene.json", "-o", "run", "--until", 0.08)
        self.assertNotIn("run.lock", tree(self.folder / "run"))

    def test_readers_are_welcome(self):
        self.start()
        self.assertEqual(self.info("run")["status"], "running")
        self.succeed("export", "run", "--to", "obj", "-o", "obj", "--last", 2)
        self.assertIsNone(self.process.poll())


if __name__ == "__main__":
    unittest.main()
