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


class Promises(unittest.TestCase):
    def test_all_hold(self):
        all_hold, text = said({"self-collision": 3.0, "two threads": 1.6, "growth": 1.15})
        self.assertTrue(all_hold)
        self.assertEqual(text.count(", holds"), 3)

    def test_each_can_fail(self):
        good = {"self-collision": 4.0, "two threads": 1.7, "growth": 1.0}
        for name, bad in (("self-collision", 2.99), ("two threads", 1.59), ("growth", 1.16)):
            with self.subTest(name):
                all_hold, text = said({**good, name: bad})
                self.assertFalse(all_hold)
                self.assertEqual(text.count("DOES NOT HOLD"), 1)
                self.assertIn(f"{bad:.2f}, DOES NOT HOLD", text)

    def test_what_was_not_measured_does_not_hold(self):
        all_hold, text = said({"two threads": 1.7, "self-collision": None})
        self.assertFalse(all_hold)
        self.assertEqual(text.count("not measured"), 2)


if __name__ == "__main__":
    unittest.main()
