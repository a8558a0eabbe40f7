"""Frames and checkpoints that are missing or damaged: told by every command, and written again by --resume."""
import resource
import signal
import subprocess
import unittest

from heddle_command import HEDDLE, CommandTest, small_scene, tree


class DamagedFrames(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", small_scene(duration=0.4))
        self.succeed("run", "scene.json", "-o", "whole")
        self.succeed("run", "scene.json", "-o", "run")

    def frame(self, index):
        return self.folder / f"run/frames/{index:06}.snap"

    def cut(self, index):
        self.frame(index).write_bytes(self.frame(index).read_bytes()[:100])

    def repair(self, says):
        done = self.heddle("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(self.info("run")["status"], "complete")
        self.assertEqual(self.info("run")["state_hash"], self.info("whole")["state_hash"])
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))

    def test_info_names_them(self):
        self.frame(3).unlink()
        self.frame(4).unlink()
        self.cut(6)
        info = self.info("run")
        self.assertEqual((info["status"], info["missing_frames"], info["damaged_frames"]), ("damaged", [[3, 4]], [6]))
        text = self.succeed("info", "run")
        for words in ["run (damaged)", "frames 3 to 4 missing, frame 6 damaged", "heddle run scene.json -o run --resume"]:
            self.assertIn(words, text)

    def test_exports_and_movies_fail(self):
        for damage, index in [(lambda: self.cut(9), 9), (lambda: self.frame(10).unlink(), 10),
                              (lambda: self.frame(3).unlink(), 3)]:
            damage()
            for arguments in [("export", "run", "--to", "obj", "-o", "obj"), ("export", "run", "--to", "html", "-o", "p.html"),
                              ("movie", "run", "-o", "m.mp4", "--size", "16x16", "--samples", 1)]:
                with self.subTest(arguments[0], index=index):
                    self.refuse(*arguments, says=[f"{index:06}.snap: error: ", "resum"])
        self.succeed("export", "run", "--to", "obj", "-o", "obj", "--first", 4, "--last", 8)

    def test_pictures(self):
        self.frame(3).unlink()
        self.refuse("picture", "run", "-o", "p.png", "--frame", 3, says=["000003.snap: error: the frame is missing", "--resume"])
        done = self.heddle("picture", "run", "-o", "p.png", "--frame", 4, "--size", "16x16", "--samples", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: frame 3 missing", done.stderr)
        self.cut(6)
        self.succeed("picture", "run", "-o", "p.png", "--frame", 5, "--size", "16x16", "--samples", 1)
        self.refuse("picture", "run", "-o", "q.png", "--frame", 6, says="000006.snap: error: ")
        self.frame(10).unlink()
        self.refuse("picture", "run", "-o", "q.png", says="000010.snap: error: the frame is missing")

    def view(self, bad):
        """What heddle view says on standard error until it is interrupted; waits for a line of it if `bad`."""
        with subprocess.Popen([HEDDLE, "view", "run", "--port", "0"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            self.assertIn("run at http://", process.stdout.readline())
            said = process.stderr.readline() if bad else ""
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 0, said)
        return said

    def test_view_warns(self):
        self.assertEqual(self.view(bad=False), "")
        self.frame(3).unlink()
        self.cut(6)
        self.assertIn("run: warning: frame 3 missing, frame 6 damaged; continue the run with --resume",
                      self.view(bad=True))

    def test_resume_writes_the_last_again_from_a_checkpoint(self):
        self.cut(10)
        self.repair("frame 10 damaged; the run goes on from frame 9")

    def test_resume_writes_a_missing_frame_again_from_the_start(self):
        self.frame(4).unlink()
        self.repair("frame 4 missing; the run goes on from frame 0")

    def test_resume_to_an_earlier_time_repairs_the_whole_run(self):
        self.cut(5)
        self.succeed("run", "scene.json", "-o", "run", "--resume", "--until", 0.08)
        self.assertEqual(tree(self.folder / "run/frames"), tree(self.folder / "whole/frames"))

    def test_resume_writes_a_damaged_model_again(self):
        self.write("run/model.snap", b"HEDDLE")
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual((self.folder / "run/model.snap").read_bytes(), (self.folder / "whole/model.snap").read_bytes())

    def test_unusable_checkpoints_are_told(self):
        self.write("run/checkpoints/000010.state", b"")
        self.assertIn("000010.state: warning: not a usable checkpoint", self.succeed("info", "run"))
        self.repair("000010.state: warning: not a usable checkpoint")


class Records(CommandTest):
    """What the terminal said and what the folder says is the same."""

    def limited(self, limit, *arguments):
        return self.heddle(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))

    def test_no_room_for_the_other_formats(self):
        self.write("scene.json", small_scene(formats=["obj", "usd"]))
        self.succeed("run", "scene.json", "-o", "whole")
        largest = max(p.stat().st_size for p in (self.folder / "whole/export").rglob("*.usda"))
        done = self.limited(largest - 1, "run", "scene.json", "-o", "run")
        self.assertEqual(done.returncode, 1, done.stderr)
        info = self.info("run")
        self.assertEqual(info["status"], "failed")
        self.assertIn("not in the other formats", info["reason"])
        self.succeed("run", "scene.json", "-o", "run", "--resume")
        self.assertEqual(self.info("run")["status"], "complete")
        self.assertEqual(tree(self.folder / "run/export"), tree(self.folder / "whole/export"))

    def test_the_first_checkpoint_cannot_be_written(self):
        self.write("scene.json", small_scene())
        self.succeed("run", "scene.json", "-o", "run")
        for file in (self.folder / "run/checkpoints").iterdir():
            file.unlink()
        (self.folder / "run/checkpoints/000000.state").mkdir()  # a file cannot be written here
        self.assertNotEqual(self.heddle("run", "scene.json", "-o", "run", "--resume").returncode, 0)
        self.assertEqual(self.info("run")["status"], "failed")

    def test_a_killed_run_is_not_running(self):
        self.write("scene.json", small_scene())
        self.succeed("run", "scene.json", "-o", "run")
        record = self.folder / "run/run.json"
        record.write_text(record.read_text().replace('"complete"', '"running"'))
        self.assertEqual(self.info("run")["status"], "aborted")
        self.assertIn("ended without a word", self.succeed("info", "run"))

    def test_a_failed_export_leaves_nothing(self):
        self.write("scene.json", small_scene())
        self.succeed("run", "scene.json", "-o", "run")
        self.succeed("export", "run", "--to", "pc2", "-o", "good")
        before = tree(self.folder)
        limit = min(p.stat().st_size for p in (self.folder / "good").glob("*.pc2")) - 1
        for place in ["new", "new/below"]:
            self.assertNotEqual(self.limited(limit, "export", "run", "--to", "pc2", "-o", place).returncode, 0)
            self.assertEqual(tree(self.folder), before)


if __name__ == "__main__":
    unittest.main()
