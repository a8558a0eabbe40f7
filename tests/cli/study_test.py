"""heddle study: tables, JSON, diagrams and mistakes."""
import json
import unittest
import xml.etree.ElementTree as ElementTree

from heddle_command import CommandTest, small_scene

EULER = "semi_implicit_euler"


class Study(CommandTest):
    def test_problems_have_names_and_summaries(self):
        entries = json.loads(self.succeed("study", "problems", "--json"))
        self.assertIn("truss", [entry["name"] for entry in entries])
        for entry in entries:
            self.assertIn(entry["summary"], self.succeed("study", "problems"))

    def test_every_study_has_help_with_an_example(self):
        for name in ("stability", "convergence", "work-precision", "detail", "energy", "sparsity", "problems"):
            self.assertIn(f"Example: heddle study {name}", self.succeed("study", name, "--help"))

    def test_stability(self):
        result = json.loads(self.succeed("study", "stability", EULER, "--json", "--plot", "regions.svg"))
        self.assertEqual(result["methods"][0]["method"], EULER)
        self.assertTrue(result["methods"][0]["is_ever_stable"])
        self.assertIsNone(result["methods"][0]["critical_step"])
        self.assertTrue(ElementTree.parse(self.folder / "regions.svg").getroot().tag.endswith("svg"))
        self.assertIn("none seen", self.succeed("study", "stability", EULER))

    def test_stability_on_a_scene(self):
        self.write("scene.json", small_scene())
        result = json.loads(self.succeed("study", "stability", EULER, "verlet", "--scene", "scene.json", "--steps", 200,
                                         "--json"))
        self.assertEqual(result["scene"], "scene")
        self.assertIsNone(result["methods"][0]["critical_step"])
        self.assertGreater(result["methods"][1]["critical_step"], 1e-6)
        self.assertLess(result["methods"][1]["critical_step"], 0.05)
        self.assertEqual(self.heddle("study", "stability", "--scene", "missing.json").returncode, 2)

    def test_convergence(self):
        result = json.loads(self.succeed("study", "convergence", EULER, "--problem", "overdamped", "--count", 6, "--json"))
        errors = [at["error"] for at in result["methods"][0]["errors"]]
        self.assertEqual(len(errors), 6)
        self.assertEqual(errors, sorted(errors, reverse=True))
        self.assertAlmostEqual(result["methods"][0]["order"], 1, delta=0.15)
        self.assertIn("order 1.", self.succeed("study", "convergence", EULER, "--problem", "overdamped"))

    def test_work_of_a_scene(self):
        self.write("scene.json", small_scene())
        result = json.loads(self.succeed("study", "work-precision", EULER, "--scene", "scene.json", "--count", 2, "--json",
                                         "--plot", "work.png", "--against", "time"))
        self.assertEqual(result["subject"], "scene")
        self.assertGreater(result["methods"][0]["errors"][1]["row_products"], 0)
        self.assertEqual((self.folder / "work.png").read_bytes()[1:4], b"PNG")

    def test_detail_of_a_run(self):
        self.write("scene.json", small_scene())
        self.succeed("run", "scene.json", "-o", "run")
        log = json.loads(self.succeed("study", "detail", "run", "--json", "--plot", "detail.svg"))
        for name, values in log["detail"].items():
            self.assertEqual(len(values), len(log["time"]))
            self.assertAlmostEqual(values[0], 0, delta=1e-4, msg="flat at the start")
            self.assertGreater(max(values), 1e-3, "it folds")
            self.assertAlmostEqual(log["mean"][name], sum(values) / len(values), delta=1e-9)
        self.assertTrue(ElementTree.parse(self.folder / "detail.svg").getroot().tag.endswith("svg"))

    def test_energy_of_a_run(self):
        scene = json.loads(small_scene())
        scene["forces"] = [{"type": "wind", "velocity": [1, 0, 0]}]
        self.write("scene.json", json.dumps(scene))
        self.succeed("run", "scene.json", "-o", "run")
        log = json.loads(self.succeed("study", "energy", "run", "--json", "--plot", "energy.svg"))
        self.assertEqual(log["without_energy"], ["wind"])
        energies = log["energy"]
        self.assertLessEqual({"kinetic", "membrane", "gravity", "total"}, set(energies))
        for frame in range(len(log["time"])):
            total = sum(values[frame] for name, values in energies.items() if name != "total")
            self.assertAlmostEqual(total, energies["total"][frame], delta=1e-12 + 1e-9 * abs(total))
        self.assertIn("wind has none", (self.folder / "energy.svg").read_text(encoding="utf-8"))
        self.assertIn("not part of the total: wind", self.succeed("study", "energy", "run"))
        self.assertIn("--overwrite", self.heddle("study", "energy", "run", "--plot", "energy.svg").stderr)
        self.assertEqual(self.heddle("study", "energy", "missing").returncode, 2)

    def test_sparsity_of_a_scene(self):
        self.write("scene.json", small_scene())
        views = json.loads(self.succeed("study", "sparsity", "scene.json", "--frame", 2, "-o", "pictures", "--json"))
        self.assertEqual([view["matrix"] for view in views], ["full", "adaptive", "decomposed"])
        full, adaptive, decomposed = views
        self.assertLessEqual(adaptive["nonzeros"], full["nonzeros"])
        self.assertEqual(adaptive["nonzeros"], decomposed["nonzeros"])
        self.assertGreater(decomposed["components"], 0)
        for name in ("full", "adaptive", "decomposed"):
            self.assertTrue(ElementTree.parse(self.folder / "pictures" / f"{name}.svg").getroot().tag.endswith("svg"))
            self.assertEqual((self.folder / "pictures" / f"{name}.png").read_bytes()[1:4], b"PNG")
        self.assertIn("bandwidth", self.succeed("study", "sparsity", "scene.json"))
        self.assertIn("--overwrite", self.heddle("study", "sparsity", "scene.json", "-o", "pictures").stderr)
        self.assertIn("there is no frame 999", self.heddle("study", "sparsity", "scene.json", "--frame", 999).stderr)

    def test_mistakes_are_told_before_anything_is_computed(self):
        for arguments, words in [(["convergence", "--problem", "wav"], 'did you mean "wave"?'),
                                 (["stability", "semi_implicit_eule"], f'did you mean "{EULER}"?'),
                                 (["stability", "--plot", "x.pdf"], "neither SVG nor PNG"),
                                 (["stability", "--plo", "x"], 'did you mean "--plot"?'),
                                 (["convergence", "--scene", "missing.json"], "missing.json")]:
            done = self.heddle("study", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
        self.write("kept.svg", "mine")
        self.assertIn("--overwrite", self.heddle("study", "stability", EULER, "--plot", "kept.svg").stderr)
        self.assertEqual((self.folder / "kept.svg").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
