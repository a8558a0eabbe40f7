"""Plants one violation after the other in a small tree and expects check_layers to name it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402

ARCHITECTURE = """# Architecture
| folder | purpose | may include (core always) |
|---|---|---|
| core | checks | std only |
| parallel | loops | core |
| `math` | vectors | parallel |
| mesh | topology | math |
| forces | models | mesh |
| constraints | pins | mesh |
| io | bytes | mesh, math |
| sim | everything | all above |

## One frame
### 1 animate
Pins move.
#### Details
### 2 `detect`
## Later
### other
"""

CLEAN = {
    "ARCHITECTURE.md": ARCHITECTURE,
    "src/heddle/core/check.h": "#pragma once\n#include <string>\n",
    "src/heddle/core/CMakeLists.txt": "heddle_module(core)\n",
    "src/heddle/parallel/loop.h": "#include <tbb/parallel_for.h>\n",
    "src/heddle/parallel/CMakeLists.txt": "heddle_module(parallel LINKS core LIBRARIES TBB::tbb)\n",
    "src/heddle/math/types.h": "#include <Eigen/Core>\n#include <heddle/parallel/loop.h>\n",
    "src/heddle/math/CMakeLists.txt": "heddle_module(math LINKS core parallel)\n",
    "src/heddle/forces/spring/spring.h": "#include <heddle/math/types.h>\n",
    "src/heddle/forces/CMakeLists.txt": "heddle_module(forces\n  SOURCES spring/spring.cpp\n  LINKS core math)\n",
    "src/heddle/constraints/pin.h": "#include <heddle/math/types.h>\n",
    "src/heddle/constraints/CMakeLists.txt": "heddle_module(constraints LINKS math)\n",
    "src/heddle/sim/step.h": '#include <heddle/forces/spring/spring.h>\n'
                             'inline constexpr std::array<const char*, 2> kStageNames{\n    "animate", "detect"};\n',
    "src/heddle/sim/CMakeLists.txt": "heddle_module(sim LINKS forces)\n",
    "apps/cli/main.cpp": '#include "terminal.h"\n#include <CLI/CLI.hpp>\n#include <cstdio>\n'
                         'int main() { std::printf("hello"); }\n',
}


def findings_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return [str(finding) for finding in check_layers.check(root)]


class CheckLayers(unittest.TestCase):
    def assert_finding(self, changes, *parts):
        """One finding and no other, that holds all parts."""
        found = findings_of({**CLEAN, **changes})
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_clean_tree(self):
        self.assertEqual(findings_of(CLEAN), [])

    def test_higher_layer(self):
        found = findings_of({**CLEAN, "src/heddle/math/types.h": "#include <heddle/parallel/loop.h>\n"
                                                                 "#include <heddle/sim/step.h>\n"})
        self.assertIn("src/heddle/math/types.h:2: math may not include sim (<heddle/sim/step.h>)", found)

    def test_siblings(self):
        found = findings_of({**CLEAN, "src/heddle/constraints/seam.h": "#include <heddle/forces/spring/spring.h>\n"})
        self.assertIn("src/heddle/constraints/seam.h:1: constraints may not include forces "
                      "(<heddle/forces/spring/spring.h>)", found)

    def test_third_party_in_the_wrong_folder(self):
        for header, owner in (("Eigen/LU", "math"), ("tbb/task_arena.h", "parallel"), ("nlohmann/json.hpp", "io"),
                              ("png.h", "io"), ("boost/asio.hpp", "apps/server")):
            self.assert_finding({"src/heddle/forces/f.cpp": f"#include <{header}>\n"},
                                "src/heddle/forces/f.cpp:1", header, owner)

    def test_unknown_third_party(self):
        self.assert_finding({"src/heddle/math/m.cpp": "#include <armadillo.h>\n"}, "armadillo.h", "no library")

    def test_system_headers(self):
        self.assert_finding({"src/heddle/math/m.cpp": "#include <unistd.h>\n"}, "unistd.h")

    def test_quoted_include(self):
        self.assert_finding({"src/heddle/math/m.cpp": '#include "types.h"\n'}, "m.cpp:1", "types.h")

    def test_cycle(self):
        self.assert_finding({"src/heddle/core/a.h": "#include <heddle/core/b.h>\n",
                             "src/heddle/core/b.h": "#include <heddle/core/a.h>\n"},
                            "include cycle: heddle/core/a.h -> heddle/core/b.h -> heddle/core/a.h")

    def test_printing_and_exit(self):
        for statement in ("std::exit(1);", "std::cout << 1;", "std::cerr << 1;", 'printf("x");',
                          'std::fprintf(stderr, "x");', 'fmt::print("x");'):
            self.assert_finding({"src/heddle/math/m.cpp": f"\nvoid f() {{ {statement} }}\n"}, "m.cpp:2")

    def test_what_only_looks_like_printing(self):
        text = '// std::cout, exit(1)\n/* printf( */\nconst char* s = "exit(1)";\nstd::snprintf(t, 1, s);\nat_exit(f);\n'
        self.assertEqual(findings_of({**CLEAN, "src/heddle/math/m.cpp": text}), [])

    def test_long_file(self):
        self.assertEqual(findings_of({**CLEAN, "src/heddle/math/m.cpp": "\n" * 800}), [])
        self.assert_finding({"src/heddle/math/m.cpp": "\n" * 801}, "801 lines")
        self.assert_finding({"apps/cli/long.cpp": "\n" * 801}, "801 lines")

    def test_folder_without_row(self):
        found = findings_of({**CLEAN, "src/heddle/magic/m.h": "", "src/heddle/magic/CMakeLists.txt":
                             "heddle_module(magic)\n"})
        self.assertEqual(found, ["src/heddle/magic: the folder has no row in the layer table of ARCHITECTURE.md"])

    def test_links(self):
        cmake = "src/heddle/forces/CMakeLists.txt"
        self.assert_finding({cmake: "heddle_module(forces LINKS core)\n"}, "LINKS lacks math")
        self.assert_finding({cmake: "heddle_module(forces LINKS math mesh)\n"}, "LINKS names mesh")
        self.assert_finding({cmake: "heddle_module(forces LINKS math sim)\n"}, "forces may not link sim")
        self.assert_finding({cmake: "add_library(forces)\n"}, "no heddle_module")

    def test_types_of_one_name(self):
        header, source = "src/heddle/mesh/a.h", "src/heddle/io/b.cpp"
        cmake = {"src/heddle/mesh/CMakeLists.txt": "heddle_module(mesh)\n", "src/heddle/io/CMakeLists.txt": "heddle_module(io)\n"}
        body = "namespace heddle {\nstruct Entry {\n  int a;\n};\n}  // namespace heddle\n"
        self.assert_finding({**cmake, header: body, source: body}, "a.h:2: heddle::Entry", "b.cpp:2")
        hidden = "namespace heddle {\nnamespace {\nstruct Entry {\n};\n}  // namespace\n}  // namespace heddle\n"
        for other in (hidden, "namespace heddle {\nstruct Entry;\n}  // namespace heddle\n",
                      "namespace other {\nstruct Entry {\n};\n}  // namespace other\n"):
            self.assertEqual(findings_of({**CLEAN, **cmake, header: body, source: other}), [])

    def test_stages(self):
        self.assert_finding({"ARCHITECTURE.md": ARCHITECTURE.replace("### 1 animate", "### 1 move")},
                            "['move', 'detect']", "['animate', 'detect']")

    def test_table_that_points_up(self):
        text = ARCHITECTURE.replace("| mesh | topology | math |", "| mesh | topology | sim |")
        with self.assertRaisesRegex(ValueError, "mesh names sim"):
            findings_of({**CLEAN, "ARCHITECTURE.md": text})

    def test_table_missing(self):
        with self.assertRaisesRegex(ValueError, "no table"):
            findings_of({**CLEAN, "ARCHITECTURE.md": "# Nothing\n"})


if __name__ == "__main__":
    unittest.main()
