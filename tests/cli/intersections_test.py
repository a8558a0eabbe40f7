"""heddle info --intersections: known counts, names, help and bad frames."""
import json
import unittest

from heddle_command import CommandTest


def square(corners):
    lines = ["v {} {} {}".format(*corner) for corner in corners]
    return "\n".join(lines + ["f 1 2 3", "f 1 3 4"]) + "\n"


def crossing_scene(obstacles=()):
    """A level square, and an upright one that cuts its first triangle with both of its own; both fall together."""
    return json.dumps({
        "duration": 0.08,
        "cloths": [{"name": name, "mesh": {"type": "file", "path": f"{name}.obj"}, "rest": "shape"}
                   for name in ["level", "upright"]],
        "obstacles": list(obstacles),
    })


class Intersections(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("level.obj", square([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]))
        self.write("upright.obj", square([(0.3, 0.1, 0.5), (0.3, 0.2, 0.5), (0.3, 0.2, 1.5), (0.3, 0.1, 1.5)]))

    def run_scene(self, text):
        self.write("scene.json", text)
        self.succeed("run", "scene.json", "-o", "run")

    def counted(self):
        return json.loads(self.succeed("info", "run", "--intersections", "--json"))["intersections"]

    def test_crossing_squares(self):
        self.run_scene(crossing_scene())
        found = self.counted()
        self.assertEqual(found["frames"], [{"frame": i, "count": 2} for i in range(3)])
        self.assertEqual(found["total"], 6)
        self.assertEqual(found["worst"], {"frame": 0, "time": 0, "count": 2, "objects": [
            {"first": "level", "second": "upright", "count": 2}]})
        text = self.succeed("info", "run", "--intersections")
        for line in ["6 intersections in 3 of 3 frames", "worst frame 0 at 0 s: 2 intersections", "2 of level with upright"]:
            self.assertIn(line, text)

    def test_cloth_through_an_obstacle(self):
        pole = {"name": "pole", "shape": {"type": "capsule", "radius": 0.05, "length": 1},
                "motion": {"translation": [0.8, 0.5, 1]}}
        floor = {"name": "floor", "shape": {"type": "plane"}, "motion": {"translation": [0, 0, 0.6]}}
        self.run_scene(crossing_scene([pole, floor]))
        worst = {(p["first"], p["second"]): p["count"] for p in self.counted()["worst"]["objects"]}
        self.assertGreater(worst["level", "pole"], 10)
        self.assertNotIn(("pole", "floor"), worst, "obstacles may intersect each other")

    def test_no_intersections(self):
        self.write("upright.obj", square([(3, 0.1, 0.5), (3, 0.2, 0.5), (3, 0.2, 1.5), (3, 0.1, 1.5)]))
        self.run_scene(crossing_scene())
        found = self.counted()
        self.assertEqual((found["total"], len(found["frames"])), (0, 3))
        self.assertNotIn("worst", found)
        self.assertIn("no intersections in 3 frames", self.succeed("info", "run", "--intersections"))
        self.assertNotIn("intersections", self.info("run"), "only on demand")

    def test_frames_far_from_the_origin_are_warned_of(self):
        """Single precision cannot hold a thin layer 5 km away; half a step of it there is 0.244 mm."""
        def said(height):
            mesh = {"type": "grid", "size": [0.1, 0.1], "resolution": [3, 3]}
            cloth = {"name": "layer", "mesh": mesh, "fabric": "silk", "translation": [0, 0, height]}
            self.write("scene.json", json.dumps({"duration": 0.04, "cloths": [cloth]}))
            return self.heddle("check", "scene.json").stderr
        self.assertIn("frames round positions by up to 0.000244 m, 163 % of its thickness", said(5000))
        self.assertIn("move the scene to the origin", said(-5000))
        self.assertIn("frames round positions", said(100))
        self.assertNotIn("frames round positions", said(10))
        self.succeed("run", "scene.json", "-o", "near")
        said(5000)
        self.assertIn("frames round positions", self.heddle("run", "scene.json", "-o", "far").stderr)

    def test_help(self):
        text = self.succeed("info", "--help")
        self.assertIn("--intersections", text)
        self.assertIn("Example: heddle info", text)

    def test_a_damaged_frame(self):
        self.run_scene(crossing_scene())
        frame = self.folder / "run/frames/000001.snap"
        frame.write_bytes(frame.read_bytes()[:-20])
        self.refuse("info", "run", "--intersections", says="000001.snap")


if __name__ == "__main__":
    unittest.main()
