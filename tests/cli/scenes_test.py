"""The scenes of scenes_expected.json, run to their end: their size, no intersections, and where the cloth ends.

Scenes that start with intersections say how many there must be (pairs_at_start), and from when there must be none
(apart_from, s)."""
import json
import pathlib
import unittest

from heddle_command import SOURCE, CommandTest

SCENES = SOURCE / "scenes"
EXPECTED = json.loads(pathlib.Path(__file__).with_name("scenes_expected.json").read_text(encoding="utf-8"))


class Scenes(CommandTest):
    def lowest_and_highest(self, info):
        """Of all cloths in the last frame, m."""
        frame = info["frames"] - 1
        self.succeed("export", "run", "--to", "obj", "-o", "obj", "--first", frame)
        obstacles = {obstacle["name"] for obstacle in info["obstacles"]}
        heights, name = [], ""
        for line in (self.folder / "obj" / f"frame_{frame:06}.obj").read_text(encoding="utf-8").splitlines():
            if line.startswith("o "):
                name = line[2:]
            elif line.startswith("v ") and name not in obstacles:
                heights.append(float(line.split()[3]))
        return min(heights), max(heights)

    def check_intersections(self, info, expected):
        counts = {frame["frame"]: frame["count"] for frame in info["intersections"]["frames"]}
        self.assertEqual(len(counts), info["frames"])
        self.assertGreaterEqual(counts[0], expected.get("pairs_at_start", 0))
        first = round(expected.get("apart_from", 0) * info["frame_rate"])
        self.assertLess(first, info["frames"])
        self.assertEqual(sum(count for frame, count in counts.items() if frame >= first), 0, counts)

    def check(self, name, expected):
        self.succeed("run", SCENES / f"{name}.json", "-o", "run", timeout=3000)
        info = json.loads(self.succeed("info", "run", "--intersections", "--json", timeout=600))
        self.assertEqual(info["status"], "complete")
        self.assertEqual(info["faces"], expected["faces"])
        self.assertEqual(info["frames"], expected["frames"])
        self.check_intersections(info, expected)
        self.assertLess(max(info["strain"][mode]["max"] for mode in ("weft", "warp")), expected["strain_below"])
        for found, key in zip(self.lowest_and_highest(info), ("lowest", "highest")):
            value, tolerance = expected[key]
            self.assertAlmostEqual(found, value, delta=tolerance, msg=key)


for scene, numbers in EXPECTED.items():
    setattr(Scenes, f"test_{scene}", lambda self, n=scene, e=numbers: self.check(n, e))

if __name__ == "__main__":
    unittest.main()
