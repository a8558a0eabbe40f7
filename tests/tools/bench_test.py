"""What benchmarks/bench.py says of the promises about speed."""
import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import bench  # noqa: E402


def said(figures):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        all_hold = bench.print_promises(figures)
    return all_hold, out.getvalue()


AT_THE_LIMIT = {name: limit for name, (_, limit, _) in bench.PROMISES.items()}


class Promises(unittest.TestCase):
    def test_all_hold(self):
        all_hold, text = said(AT_THE_LIMIT)
        self.assertTrue(all_hold)
        self.assertEqual(text.count(", holds"), len(bench.PROMISES))

    def test_each_can_fail(self):
        for name, (_, limit, direction) in bench.PROMISES.items():
            bad = limit + (-0.01 if direction == "at least" else 0.01)
            with self.subTest(name):
                all_hold, text = said({**AT_THE_LIMIT, name: bad})
                self.assertFalse(all_hold)
                self.assertEqual(text.count("DOES NOT HOLD"), 1)
                self.assertIn(f"{bad:.2f}, DOES NOT HOLD", text)

    def test_what_was_not_measured_does_not_hold(self):
        figures = {name: limit for name, limit in AT_THE_LIMIT.items() if name != "growth"}
        all_hold, text = said({**figures, "self-collision": None})
        self.assertFalse(all_hold)
        self.assertEqual(text.count("not measured"), 2)


class Memory(unittest.TestCase):
    def test_the_sum_is_found_in_the_table(self):
        table = "10201 vertices\n| what | bytes a vertex |\n|---|---|\n| numbers | 600 |\n| sum | 1234 |\n| other | 5 |\n"
        self.assertEqual(bench.sum_of_memory(table), 1234)


class Magnets(unittest.TestCase):
    def test_figures_of_magnets_are_found(self):
        text = (
            "example     cells   published       ours  times less   gain published   ours\n"
            "6.1            64     0.29 ms  0.0123 ms        23.6             1.30   1.41   with coupling and parts 0.050 ms\n"
            "6.3 (1)      2012    53.10 ms  2.6000 ms        20.4             6.72   5.50   with coupling and parts 9.000 ms\n"
            "6.3 (2)      4022    57.60 ms  3.0000 ms        19.2            11.10   8.25   with coupling and parts 9.100 ms\n"
            "grows like n to the 1.08\n"
            "two threads are 1.85 times as fast as one\n")
        figures = bench.figures_of_magnets(text)
        self.assertEqual(figures.pop("magnet fronts grow"), 1.5)
        self.assertEqual(figures, {"magnet times": 19.2, "magnet fronts": 1.41, "magnet growth": 1.08, "magnet threads": 1.85})
        self.assertLessEqual(figures.keys(), bench.PROMISES.keys())


class EqualError(unittest.TestCase):
    def test_the_third_best_scene_counts(self):
        text = "".join(f"{scene}: default is {ratio} times as fast as the baseline at equal error (…)\n{scene}: auto is 9 times as fast\n"
                       for scene, ratio in [("bar", 1.79), ("drape", 2.67), ("flag", 3.98), ("swing", 7.22)])
        self.assertEqual(bench.third_best_ratio(text), 2.67)

    def test_scenes_that_cannot_tell_do_not_count(self):
        text = "bar: default is not told apart from the reference\nflag: default is 3 times as fast\nswing: default is 4 times as fast\n"
        self.assertIsNone(bench.third_best_ratio(text))


if __name__ == "__main__":
    unittest.main()
