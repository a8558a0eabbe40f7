#!/usr/bin/env python3
"""Runs plot_samples and reads what it wrote with independent readers: XML and the PNG header."""

import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


class Samples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        subprocess.run([PROGRAM, cls.folder], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_svg_is_xml_with_texts(self):
        files = sorted(self.folder.glob("*.svg"))
        self.assertEqual(len(files), 7)
        for file in files:
            root = ElementTree.parse(file).getroot()
            self.assertEqual(root.tag, SVG + "svg")
            texts = [element.text for element in root.iter(SVG + "text")]
            self.assertGreater(len(texts), 1, file)

    def test_everything_written_is_within_the_picture(self):
        for file in self.folder.glob("*.svg"):
            root = ElementTree.parse(file).getroot()
            width, height = float(root.get("width")), float(root.get("height"))
            for text in root.iter(SVG + "text"):
                self.assertTrue(0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height, text.text)

    def test_log_axes_have_decades(self):
        root = ElementTree.parse(self.folder / "errors.svg").getroot()
        texts = [element.text for element in root.iter(SVG + "text")]
        for label in ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "time step (s)", "Runge-Kutta 4", "rounding"]:
            self.assertIn(label, texts)

    def test_png_has_twice_the_size(self):
        for file in self.folder.glob("*.png"):
            data = file.read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            root = ElementTree.parse(file.with_suffix(".svg")).getroot()
            expected = (2 * int(root.get("width")), 2 * int(root.get("height")))
            self.assertEqual(struct.unpack(">II", data[16:24]), expected)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
