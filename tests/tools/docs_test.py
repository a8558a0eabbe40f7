"""Every page of docs/ can be reached from the README by links, and no link between pages is broken."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def targets(page):
    """Files and folders that a page links to; fenced code has no links."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [(page.parent / name).resolve() for name in LINK.findall(text) if "://" not in name]


def reachable_from(start):
    seen, waiting = set(), [start]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.is_file():
            seen.add(page)
            waiting += [target for target in targets(page) if target.suffix == ".md"]
    return seen


class Docs(unittest.TestCase):
    def test_all_pages_are_reachable(self):
        pages = set((ROOT / "docs").rglob("*.md"))
        self.assertGreater(len(pages), 20)
        lost = sorted(str(page.relative_to(ROOT)) for page in pages - reachable_from(ROOT / "README.md"))
        self.assertEqual(lost, [], "link them from README.md or a page that it links to")

    def test_no_link_is_broken(self):
        for page in reachable_from(ROOT / "README.md"):
            for target in targets(page):
                self.assertTrue(target.exists(), f"{page.relative_to(ROOT)} links to {target}")


if __name__ == "__main__":
    unittest.main()
