"""What the tests of the command share. The command under test is the environment variable HEDDLE."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HEDDLE = os.environ.get("HEDDLE") or "build/bin/heddle"
SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS_REQUIRED = os.environ.get("HEDDLE_REQUIRE_TOOLS") == "1"  # tests fail without them instead of being skipped
FULL = os.environ.get("HEDDLE_FULL") == "1"

GRID = '{"type": "grid", "size": [0.5, 0.5], "resolution": [15, 15]}'


def small_scene(duration=0.2, checkpoint_every=1, formats=()):
    """A cloth of 15 x 15 vertices that falls on a ball."""
    return json.dumps({
        "title": "A small cloth",
        "duration": duration,
        "cloths": [{"name": "cloth", "mesh": json.loads(GRID), "translation": [0, 0, 0.22]}],
        "obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2}}],
        "output": {"checkpoint_every": checkpoint_every, "formats": list(formats)},
    })


def is_unfinished(path):
    """Killed commands leave files of this name, which readers skip and later runs remove."""
    return ".heddle-tmp-" in path.name


def tree(folder):
    """Every file and folder below, with a digest of the content: equal trees are equal byte by byte."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
            for path in sorted(pathlib.Path(folder).rglob("*")) if not is_unfinished(path)}


class CommandTest(unittest.TestCase):
    """Each test has a folder of its own, in which the command runs."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def heddle(self, *arguments, **options):
        options.setdefault("timeout", 120)
        options.setdefault("cwd", self.folder)
        return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True,
                              **options)

    def succeed(self, *arguments, **options):
        """Runs the command, which must end well, and returns what it printed."""
        done = self.heddle(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def refuse(self, *arguments, code=2, says=(), untouched=True, **options):
        """Runs the command, which must end with the code, say all of the words, and write nothing."""
        before = tree(self.folder)
        done = self.heddle(*arguments, **options)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        self.assertIn("error: ", done.stderr)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, done.stderr)
        if untouched:
            self.assertEqual(tree(self.folder), before, "the command wrote something")
        return done.stderr

    def info(self, run):
        return json.loads(self.succeed("info", run, "--json"))
