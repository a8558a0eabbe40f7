#!/usr/bin/env python3
"""Checks the sources against the layer table and the stage list of ARCHITECTURE.md, and for types of one name.

    tools/check_layers.py [--root FOLDER]

Prints one finding a line, with file and line, and exits with 1 if there are any; with 2 if the table is missing.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

MAX_LINES = 800

# Which folders may include which third-party headers; a header that is not here may be included nowhere.
# Eigen's types enter through math; solve alone may also use its decompositions, which are a solver's raw material.
THIRD_PARTY = {
    "Eigen/": {"math", "solve"},
    "tbb/": {"parallel"},
    "embree3/": {"geometry", "render"},
    "nlohmann/": {"scene", "io", "apps/cli", "apps/server"},
    "fmt/": {"scene", "io", "render", "reproduce", "apps/cli", "apps/server"},
    "png.h": {"io"},
    "cairo.h": {"plot"},
    "ode/": {"rigid"},
    "assimp/": {"io"},
    "zlib.h": {"io", "apps/server"},
    "boost/": {"apps/server"},
    "CLI/": {"apps/cli"},
}
# Headers of the operating system: files, processes, terminals.
POSIX = re.compile(r"(fcntl|unistd|signal|spawn|poll|sys/\w+)\.h")
POSIX_FOLDERS = {"io", "render", "apps/cli", "apps/server"}

# Of which a build has one or the other.
ALTERNATIVES = {"scheduler_tbb.h", "scheduler_threads.h"}

FORBIDDEN_IN_LIBRARY = [
    (re.compile(r"\b(?:_?exit|quick_exit)\s*\("), "ends the program; return a Result or use HEDDLE_CHECK"),
    (re.compile(r"\bstd::(?:cout|cerr|clog)\b"), "prints; the library never does"),
    (re.compile(r"\b(?:v?f?printf|puts|putchar)\s*\("), "prints; the library never does"),
    (re.compile(r"\bfmt::print(?:ln)?\s*\("), "prints; the library never does"),
]


@dataclass
class Finding:
    place: str
    text: str

    def __str__(self):
        return f"{self.place}: {self.text}"


@dataclass
class Source:
    path: Path      # from the root
    folder: str     # "mesh", "apps/cli"
    text: str

    def lines(self):
        return enumerate(self.text.splitlines(), 1)


# --- the tables of ARCHITECTURE.md ---

def parse_layers(markdown):
    """Folder -> every folder it may include, from the table `| folder | purpose | may include … |`.

    A row allows what its own entries allow in turn, so that rows stay short.
    """
    rows = {}
    for line in table_lines(markdown):
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        folder, entries = cells[0].rstrip("/"), cells[-1]
        if entries == "all above":
            rows[folder] = list(rows)
        else:
            rows[folder] = [] if entries == "std only" else re.findall(r"[a-z_]+", entries)
    allowed = {}
    for folder, direct in rows.items():
        allowed[folder] = {"core"} - {folder}
        for entry in direct:
            if entry not in allowed:
                raise ValueError(f"the row of {folder} names {entry}, which has no row above it")
            allowed[folder] |= {entry} | allowed[entry]
    return allowed


def table_lines(markdown):
    inside = False
    for line in markdown.splitlines():
        if re.match(r"\|\s*folder\s*\|", line):
            inside = True
        elif inside and not line.startswith("|"):
            return
        elif inside and not re.match(r"\|[\s:-]+\|", line):
            yield line


def parse_stage_headings(markdown):
    """Names of the sections below "One frame" (or "One step")."""
    names, level = [], None
    for mark, title in re.findall(r"^(#+)\s+(.*)$", markdown, re.MULTILINE):
        if level is not None and len(mark) <= level:
            break
        if level is not None and len(mark) == level + 1:
            names.append(re.sub(r"^[\d.\s]+", "", title.replace("`", "")).split(" ")[0].strip(":,").lower())
        elif level is None and re.search(r"\bone (frame|step)\b", title, re.IGNORECASE):
            level = len(mark)
    return names


def parse_stage_names(header):
    found = re.search(r"kStageNames\s*\{([^}]*)\}", header)
    return re.findall(r'"(\w+)"', found.group(1)) if found else []


# --- the sources ---

def read_sources(root):
    sources = []
    for base, depth in (("src/heddle", 2), ("apps", 1)):
        for path in sorted((root / base).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            parts = path.relative_to(root).parts
            folder = parts[depth] if depth == 2 else "/".join(parts[:2])
            sources.append(Source(path.relative_to(root), folder, path.read_text(encoding="utf-8")))
    return sources


def without_comments_and_strings(text):
    """Blanks them out, so that line numbers stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda m: "\n" * m.group().count("\n") + " ", text, flags=re.DOTALL)


def includes_of(source):
    for number, line in source.lines():
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1) == '"', found.group(2)


def is_library(source):
    return not source.folder.startswith("apps/")


def check_include(source, number, quoted, name, layers):
    place = f"{source.path}:{number}"
    if name.startswith("heddle/"):
        target = name.split("/")[1]
        if is_library(source) and target != source.folder and target not in layers.get(source.folder, set()):
            return Finding(place, f"{source.folder} may not include {target} (<{name}>)")
    elif quoted:
        if is_library(source):
            return Finding(place, f'include "{name}" as <heddle/{source.folder}/…>')
    elif POSIX.fullmatch(name):
        if source.folder not in POSIX_FOLDERS:
            return Finding(place, f"{source.folder} may not include the system's <{name}>")
    else:
        return check_third_party(source, place, name)
    return None


def check_third_party(source, place, name):
    owners = next((folders for prefix, folders in THIRD_PARTY.items() if name.startswith(prefix)), None)
    if owners is None:
        is_standard = re.fullmatch(r"[a-z_0-9]+", name) or name.startswith("server/")
        return None if is_standard else Finding(place, f"<{name}> is of no library in the table of this tool")
    if source.folder in owners:
        return None
    return Finding(place, f"{source.folder} may not include <{name}>; only {', '.join(sorted(owners))} may")


def check_includes(sources, layers):
    for source in sources:
        for number, quoted, name in includes_of(source):
            finding = check_include(source, number, quoted, name, layers)
            if finding:
                yield finding


def check_rows(sources, layers):
    for folder in sorted({s.folder for s in sources if is_library(s)} - set(layers)):
        yield Finding(f"src/heddle/{folder}", "the folder has no row in the layer table of ARCHITECTURE.md")


def check_text(sources):
    for source in sources:
        count = source.text.count("\n")
        if count > MAX_LINES:
            yield Finding(str(source.path), f"{count} lines; split the file, {MAX_LINES} are the limit")
        if not is_library(source):
            continue
        for number, line in enumerate(without_comments_and_strings(source.text).splitlines(), 1):
            for pattern, reason in FORBIDDEN_IN_LIBRARY:
                found = pattern.search(line)
                if found:
                    yield Finding(f"{source.path}:{number}", f"{found.group().rstrip('( ')} {reason}")


def check_cycles(sources):
    """Headers that include each other, directly or around a corner."""
    graph = {}
    for source in sources:
        if is_library(source):
            graph[str(source.path)[len("src/"):]] = [name for _, _, name in includes_of(source)]
    done, trail = set(), []

    def visit(name):
        if name in trail:
            yield Finding("src/" + name, "include cycle: " + " -> ".join(trail[trail.index(name):] + [name]))
        if name in done or name in trail or name not in graph:
            return
        trail.append(name)
        for other in graph[name]:
            yield from visit(other)
        trail.pop()
        done.add(name)

    for name in graph:
        yield from visit(name)


def links_of(cmake):
    """The LINKS of heddle_module(…)."""
    call = re.search(r"heddle_module\(([^)]*)\)", re.sub(r"#[^\n]*", "", cmake))
    if not call:
        return None
    links, keyword = set(), None
    for word in call.group(1).split():
        if word in ("SOURCES", "LINKS", "LIBRARIES"):
            keyword = word
        elif keyword == "LINKS":
            links.add(word)
    return links


def check_links(root, sources, layers):
    """Each target links what its includes need, and no more."""
    for folder in sorted({s.folder for s in sources if is_library(s)}):
        place = f"src/heddle/{folder}/CMakeLists.txt"
        file = root / place
        links = links_of(file.read_text(encoding="utf-8")) if file.exists() else None
        if links is None:
            yield Finding(place, "there is no heddle_module(…)")
            continue
        needed = {name.split("/")[1] for s in sources if s.folder == folder for _, _, name in includes_of(s)
                  if name.startswith("heddle/")} - {folder}
        for extra in sorted(links - layers.get(folder, set())):
            yield Finding(place, f"{folder} may not link {extra}")
        for missing in sorted(needed - links - {"core"}):
            yield Finding(place, f"LINKS lacks {missing}, which the sources include")
        for unused in sorted((links & layers.get(folder, set())) - needed - {"core"}):
            yield Finding(place, f"LINKS names {unused}, which no source includes")


def types_of(source):
    """Line and full name of each type that other files could see; those of unnamed namespaces they cannot."""
    spaces = []
    for number, line in source.lines():
        opened = re.match(r"namespace\s*([\w:]*)\s*\{\s*$", line)
        defined = re.match(r"(?:struct|class|enum class|enum)\s+(\w+)\b(?!\s*(?:<|::))(?![^{]*;)", line)
        if opened:
            spaces.append(opened.group(1))
        elif re.match(r"\}\s*// namespace", line):
            spaces.pop()
        elif defined and "" not in spaces:
            yield number, "::".join([*spaces, defined.group(1)])


def check_names(sources):
    """Two types of one name in one program are undefined behaviour that no compiler tells of."""
    seen = {}
    for source in sources:
        if source.path.name in ALTERNATIVES:
            continue
        for number, name in types_of(source):
            place = f"{source.path}:{number}"
            if name in seen:
                yield Finding(place, f"{name} is defined at {seen[name]} too; give one of them another name")
            seen.setdefault(name, place)


def check_stages(root, markdown):
    header = root / "src/heddle/sim/step.h"
    if not header.exists():
        return
    stages = parse_stage_names(header.read_text(encoding="utf-8"))
    headings = parse_stage_headings(markdown)
    if stages != headings:
        yield Finding("ARCHITECTURE.md", f"the sections of one frame are {headings}, but kStageNames of "
                                         f"src/heddle/sim/step.h are {stages}")


def check(root):
    markdown = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    layers = parse_layers(markdown)
    if not layers:
        raise ValueError("there is no table with the columns folder, purpose, may include")
    sources = read_sources(root)
    return [*check_rows(sources, layers), *check_includes(sources, layers), *check_cycles(sources),
            *check_links(root, sources, layers), *check_text(sources), *check_names(sources),
            *check_stages(root, markdown)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    try:
        findings = check(root)
    except (OSError, ValueError) as error:
        print(f"ARCHITECTURE.md: {error}", file=sys.stderr)
        return 2
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
