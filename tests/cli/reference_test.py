"""The generated pages of the documentation say what this build of the command says."""
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = {
    "docs/reference/scene.md": ["describe", "--markdown"],
    "docs/schema/scene.schema.json": ["schema"],
}


class ReferenceIsCurrent(unittest.TestCase):
    def test_generated_pages(self):
        for page, arguments in COMMANDS.items():
            with self.subTest(page):
                done = subprocess.run([os.environ["HEDDLE"], *arguments], check=True, capture_output=True, text=True)
                self.assertEqual((ROOT / page).read_text(encoding="utf-8"), done.stdout,
                                 f"regenerate with: heddle {' '.join(arguments)} > {page}")


if __name__ == "__main__":
    unittest.main()
