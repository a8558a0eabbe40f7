#!/usr/bin/env python3
"""Drapes a cloth over a sphere in Heddle, Bullet and Blender in one run and prints one table.

Example: python3 benchmarks/bench.py --build build --quick
Only ratios between rows of one run mean anything: the machine is never quiet. At the end it says which of the
promises about speed were measured and hold; --judge makes that the exit code.
"""
import argparse
import csv
import functools
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FRAMES = 50

SCENE = {
    "title": "benchmark: drape on a sphere",
    "duration": FRAMES / 25,
    "frame_rate": 25,
    "fabrics": {
        "bench": {
            "density": 0.2, "weft_stiffness": 2000, "warp_stiffness": 2000, "shear_stiffness": 100,
            "poisson": 0.2, "weft_bending": 1e-5, "warp_bending": 1e-5, "stretch_damping": 0.002,
            "bending_damping": 0.01, "thickness": 5e-4, "friction": 0.3,
        }
    },
    "obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2}, "friction": 0.3}],
}


# What is promised of speed: a name, the bound, and whether the figure must be at least or at most that.
PROMISES = {
    "self-collision": ("with self-collision at 10201 vertices, times as fast as Blender", 3.0, "at least"),
    "two threads": ("two threads with self-collision at 10201 vertices, times as fast as one", 1.6, "at least"),
    "solver growth": ("time of linear solves grows from 2601 to 160801 vertices like n to the", 1.25, "at most"),
    "equal error": ("the default on three scenes of 10201 vertices, at equal error, times as fast as the baseline", 2.5, "at least"),
    "memory": ("bytes a vertex of matrix and solver at 10201 vertices", 700, "at most"),
    "strain kernel": ("microseconds per face and iteration of strain limits on one core, slowest kernel", 0.1, "at most"),
    "active set": ("percent of the time of strain limits that the active set saves", 40, "at least"),
    "events": ("million events a second of asynchronous elements on one core, slowest case", 2, "at least"),
    "own steps": ("asynchronous, areas 160:1, most of them large, with bending: times as fast as symplectic Euler", 2, "at least"),
    "magnet times": ("magnetic forces of the published examples on one core, times less than published, least", 15, "at least"),
    "magnet fronts": ("adaptive fronts of magnets, times as fast as all cells, least of the examples", 1, "at least"),
    "magnet fronts grow": ("their gain with about twice the cells, by that with fewer", 1, "at least"),
    "magnet growth": ("time of magnetic forces grows up to 20000 magnets like n to the", 1.2, "at most"),
    "magnet threads": ("two threads with 10000 magnets, times as fast as one", 1.7, "at least"),
    "growth": ("cost of contact a step grows with vertices like n to the", 1.15, "at most"),
}

OFF = {"type": "impulses", "self": False, "obstacles": False}  # vertices are kept out of the sphere all the same
ON = {"type": "impulses"}


def heddle_scene(grid, bending, contact, duration):
    cloth = {"name": "cloth", "fabric": "bench", "translation": [0, 0, 0.22], "bending": {"type": bending},
             "mesh": {"type": "grid", "size": [1, 1], "resolution": [grid, grid]}}
    return dict(SCENE, cloths=[cloth], contact=contact, duration=duration)


def stretch(green):
    return math.sqrt(max(0.0, 1 + 2 * green)) - 1


def lowest_point(folder, heddle, scratch):
    out = scratch / "lowest"
    subprocess.run([heddle, "export", folder, "--to", "obj", "-o", out, "--object", "cloth", "--first", str(FRAMES),
                    "--overwrite"], check=True, stdout=subprocess.DEVNULL)
    files = sorted(out.rglob("*.obj"))
    with open(files[-1], encoding="utf-8") as lines:
        return min(float(line.split()[3]) for line in lines if line.startswith("v "))


STAGES = ("animate", "detect", "respond", "integrate", "correct", "separate", "refine", "judge", "commit", "capture")


def seconds_of(rows, stages):
    return sum(float(row[f"seconds_{stage}"]) for row in rows for stage in stages)


def simulate(heddle, grid, threads, scratch, bending, contact, frames):
    """Runs the drape; the rows of its metrics and its folder."""
    scene = scratch / f"drape_{grid}.json"
    scene.write_text(json.dumps(heddle_scene(grid, bending, contact, frames / 25)))
    folder = scratch / f"heddle_{grid}_{threads}_{bending}"
    subprocess.run([heddle, "run", scene, "-o", folder, "--threads", str(threads), "--overwrite"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(folder / "metrics.csv", encoding="utf-8") as text:
        return list(csv.DictReader(text))[1:], folder


def run_heddle(heddle, grid, threads, scratch, bending, contact=OFF):
    rows, folder = simulate(heddle, grid, threads, scratch, bending, contact, FRAMES)
    seconds = seconds_of(rows, STAGES)
    strains = [stretch(max(float(row["weft_strain_max"]), float(row["warp_strain_max"]))) for row in rows]
    return {
        "name": f"Heddle, {threads} thread{'s' if threads > 1 else ''}, {bending}",
        "vertices": grid * grid,
        "seconds_per_frame": seconds / len(rows),
        "largest_strain": max(strains),
        "largest_strain_second_half": max(strains[len(strains) // 2:]),
        "lowest_point": lowest_point(folder, heddle, scratch),
        "iterations": sum(float(row["iterations"]) for row in rows) / len(rows),
    }


def peak_memory(heddle, grid, scratch):
    """Peak resident size of a short run, MB."""
    scene = scratch / f"drape_{grid}.json"
    scene.write_text(json.dumps(heddle_scene(grid, "patch", OFF, 0.2)))
    command = [heddle, "run", scene, "-o", scratch / f"memory_{grid}"]
    pid = os.posix_spawn(command[0], [str(part) for part in command], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise RuntimeError(f"heddle failed with status {status}")
    return usage.ru_maxrss / 1024


def run_bullet(bullet, grid, iterations):
    done = subprocess.run([bullet, "--grid", str(grid), "--iterations", str(iterations), "--substeps", "4",
                           "--frames", str(FRAMES), "--json"], check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)
    return dict(result, name=f"Bullet, {iterations} iterations")


def run_blender(blender, grid, scratch, options=()):
    out = scratch / f"blender_{grid}.json"
    subprocess.run([blender, "--background", "--factory-startup", "--python", HERE / "peers" / "blender_drape.py",
                    "--", "--grid", str(grid), "--frames", str(FRAMES), "--json", out, *options], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return dict(json.loads(out.read_text()), name="Blender, quality 5")


def intersections(heddle, folder):
    """Pairs of triangles that intersect, over all frames."""
    done = subprocess.run([heddle, "info", folder, "--intersections", "--json"], check=True, capture_output=True, text=True)
    return sum(frame["count"] for frame in json.loads(done.stdout)["intersections"]["frames"])


def compare_self_collision(heddle, blender, threads, scratch, rounds):
    """The drape at 10201 vertices with self-collision; Blender's at 0.3 of a cell. Times as fast as Blender, if there."""
    print("with self-collision")
    contenders = [functools.partial(run_heddle, heddle, 101, threads, scratch, "patch", ON)]
    if blender:
        contenders.append(functools.partial(run_blender, blender, 101, scratch, ("--self-collision", "0.3")))
    rows = best_of_rounds(contenders, rounds)
    print_rows(rows)
    folder = scratch / f"heddle_101_{threads}_patch"
    print(f"pairs of triangles of Heddle that intersect, all frames: {intersections(heddle, folder)}")
    return rows[1]["seconds_per_frame"] / rows[0]["seconds_per_frame"] if blender else None


def compare_threads(heddle, scratch, rounds):
    """Seconds of all stages with one thread by those with two."""
    def run(threads):
        return seconds_of(simulate(heddle, 101, threads, scratch, "patch", ON, FRAMES)[0], STAGES)
    one, two = zip(*[(run(1), run(2)) for _ in range(rounds)])
    print(f"two threads at 10201 vertices with self-collision: {min(one) / min(two):.2f} times as fast as one")
    return min(one) / min(two)


def measure_growth(heddle, threads, scratch):
    """How the cost of contact grows with the number of vertices: by whole steps, and by the pieces they are cut into.
    The largest exponent, by whole steps."""
    frames, smallest, largest = 20, None, 0
    print(f"contact (detect, separate and refine, solves of the latter included) in the first {frames} frames")
    for grid in (101, 201, 401):
        rows, _ = simulate(heddle, grid, threads, scratch, "patch", ON, frames)
        pieces, seconds = sum(int(row["pieces"]) for row in rows), seconds_of(rows, ("detect", "separate", "refine"))
        costs = [1000 * seconds / (4 * len(rows)), 1000 * seconds / pieces]
        smallest = smallest or costs
        exponents = [math.log(cost / first) / (2 * math.log((grid - 1) / 100)) if grid > 101 else 0
                     for cost, first in zip(costs, smallest)]
        largest = max(largest, exponents[0])
        growth = "" if grid == 101 else ", grows like n^{:.2f} and n^{:.2f}".format(*exponents)
        print(f"{grid * grid:>9} vertices: {costs[0]:>8.1f} ms a step, {costs[1]:.1f} ms for each of {pieces} pieces{growth}",
              flush=True)
    return largest


def measure_solver(programs):
    """Prints the table of growth of solver_bench; the exponent of time."""
    done = subprocess.run([programs / "solver_bench", "promise"], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    return float(done.stdout.split()[-1])


def measure_memory(programs):
    """Prints the table of memory of solver_bench; the sum of matrix and default solver."""
    done = subprocess.run([programs / "solver_bench", "memory"], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    return sum_of_memory(done.stdout)


def sum_of_memory(table):
    """Bytes a vertex, from the row `| sum | ... |`."""
    return float(next(line for line in table.splitlines() if line.startswith("| sum |")).split("|")[2])


def measure_limits(programs):
    """Prints the table of limit_bench; the largest time per face and iteration, microseconds, and what the active set
    saves, percent."""
    done = subprocess.run([programs / "limit_bench"], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    *rows, last = done.stdout.splitlines()[1:]
    return max(float(row.split()[-1]) for row in rows), float(last.split()[-5])


def measure_events(programs):
    """Prints the table of async_bench; the fewest events a second, and the speed-up where few faces are small."""
    done = subprocess.run([programs / "async_bench"], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    rows = [line.rsplit(maxsplit=5) for line in done.stdout.splitlines()[1:]]
    speed_up = next(float(row[-1]) for row in rows if row[0].startswith("few small ones, patches"))
    return min(float(row[-5]) for row in rows), speed_up


def measure_magnets(programs):
    """Prints the tables of magnet_bench; its figures by the names of promises."""
    done = subprocess.run([programs / "magnet_bench"], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    return figures_of_magnets(done.stdout)


def figures_of_magnets(text):
    """From the rows `6.3 (2) 3628 57.60 ms 1.2 ms 48.0 11.10 9.8 with ...` and the lines below them."""
    rows = re.findall(r"^(6\.\d(?: \(\d\))?) .* ms +([\d.]+) +[\d.]+ +([\d.]+)  +with", text, re.MULTILINE)
    less, gains = [float(row[1]) for row in rows], {row[0]: float(row[2]) for row in rows}
    return {"magnet times": min(less), "magnet fronts": min(gains.values()),
            "magnet fronts grow": gains["6.3 (2)"] / gains["6.3 (1)"],
            "magnet growth": float(re.search(r"grows like n to the ([\d.]+)", text)[1]),
            "magnet threads": float(re.search(r"two threads are ([\d.]+) times", text)[1])}


def measure_equal_error(programs):
    """Prints the tables of integrator_bench; how many times as fast as the baseline the default is on three scenes."""
    done = subprocess.run([programs / "integrator_bench"], capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    return third_best_ratio(done.stdout)


def third_best_ratio(text):
    """From the lines `SCENE: default is 2.67 times as fast ...`; None if there are less than three."""
    ratios = sorted((float(ratio) for ratio in re.findall(r"^\w+: default is ([\d.]+) times as fast", text, re.MULTILINE)),
                    reverse=True)
    return ratios[2] if len(ratios) > 2 else None


def best_of_rounds(contenders, rounds):
    """Each contender's quickest run. They take turns, so that a noisy minute does not hit one of them alone."""
    results = [[run() for run in contenders] for _ in range(rounds)]
    return [min(runs, key=lambda row: row["seconds_per_frame"]) for runs in zip(*results)]


def print_rows(rows):
    ours = next(row["seconds_per_frame"] for row in rows if row["name"].startswith("Heddle"))
    for row in rows:
        strain = row["largest_strain"]
        print(f"{row['vertices']:>9} {row['name']:<31} {row['seconds_per_frame']:>10.4f} "
              f"{100 * strain:>9.1f} % {100 * row['largest_strain_second_half']:>11.1f} % "
              f"{row['lowest_point']:>9.3f} {row['seconds_per_frame'] / ours:>9.2f}", flush=True)


def holds(name, figure):
    _, bound, sense = PROMISES[name]
    return figure >= bound if sense == "at least" else figure <= bound


def print_promises(figures):
    """One line for each promise; whether all that were measured hold, and all were measured."""
    print("promises")
    for name, (text, bound, sense) in PROMISES.items():
        figure = figures.get(name)
        verdict = "not measured" if figure is None else f"{figure:.2f}, {'holds' if holds(name, figure) else 'DOES NOT HOLD'}"
        print(f"  {text} ({sense} {bound:g}): {verdict}")
    return all(figures.get(name) is not None and holds(name, figures[name]) for name in PROMISES)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="build folder")
    parser.add_argument("--quick", action="store_true", help="small grids only, no micro-benchmarks")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program up to 10201 vertices; the "
                        "quickest counts")
    parser.add_argument("--judge", action="store_true", help="exit with 1 if a promise about speed does not hold or was "
                        "not measured")
    arguments = parser.parse_args()
    figures = {}
    programs = pathlib.Path(arguments.build).resolve() / "bin"
    heddle, bullet, blender = programs / "heddle", programs / "bullet_drape", shutil.which("blender")
    if not heddle.exists():
        sys.exit(f"{heddle} is missing; run ./dev build first")
    threads = len(os.sched_getaffinity(0))
    print(f"drape on a sphere, 1 m x 1 m, 0.2 kg/m2, {FRAMES} frames at 25 frames/s; {threads} processors, "
          f"quickest of {arguments.rounds} rounds (one at 40401)")
    if not blender:
        print("Blender is not installed (Debian package blender): its rows are left out")
    print(f"{'vertices':>9} {'program':<31} {'s/frame':>10} {'strain max':>11} {'2nd half':>13} {'lowest':>9} "
          f"{'ratio':>9}")
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as name:
        scratch = pathlib.Path(name)
        for grid in (51,) if arguments.quick else (51, 101, 201):
            contenders = [functools.partial(run_heddle, heddle, grid, threads, scratch, bending)
                          for bending in ("patch", "isometric")]
            if bullet.exists():
                contenders += [functools.partial(run_bullet, bullet, grid, iterations) for iterations in (10, 40)]
            if blender:
                contenders.append(functools.partial(run_blender, blender, grid, scratch))
            print_rows(best_of_rounds(contenders, 1 if grid > 101 else arguments.rounds))
        if not arguments.quick:
            figures["self-collision"] = compare_self_collision(heddle, blender, threads, scratch, arguments.rounds)
            figures["two threads"] = compare_threads(heddle, scratch, arguments.rounds)
            print(f"peak memory of Heddle at 40401 vertices: {peak_memory(heddle, 201, scratch):.0f} MB")
    if not arguments.quick:
        sys.stdout.flush()
        subprocess.run([programs / "micro_bench"], check=True)
        figures["solver growth"] = measure_solver(programs)
        figures["memory"] = measure_memory(programs)
        figures["strain kernel"], figures["active set"] = measure_limits(programs)
        figures["events"], figures["own steps"] = measure_events(programs)
        figures["equal error"] = measure_equal_error(programs)
        figures.update(measure_magnets(programs))
        with tempfile.TemporaryDirectory(prefix="heddle-bench-") as name:
            figures["growth"] = measure_growth(heddle, threads, pathlib.Path(name))  # last: its largest cloth takes longest
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"all of it took {children.ru_utime + children.ru_stime:.0f} s of processor time")
    all_hold = print_promises(figures)
    sys.exit(1 if arguments.judge and not all_hold else 0)


if __name__ == "__main__":
    main()
