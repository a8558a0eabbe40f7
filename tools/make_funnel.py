#!/usr/bin/env python3
"""Writes the funnel of scenes/funnel.json: a thin open surface of revolution, metres, z up.

    tools/make_funnel.py [--out FOLDER]      default: scenes/assets
"""
import argparse
import math
import pathlib

AROUND = 64
# Radius and height of the rim, the cone, the rounded throat and the pipe.
PROFILE = [(0.66, 1.30), (0.64, 1.302), (0.60, 1.27), (0.54, 1.22), (0.48, 1.17), (0.42, 1.12), (0.36, 1.07),
           (0.30, 1.02), (0.25, 0.978), (0.215, 0.947), (0.19, 0.92), (0.173, 0.892), (0.163, 0.862), (0.158, 0.83),
           (0.156, 0.79), (0.156, 0.75), (0.156, 0.71), (0.156, 0.67), (0.158, 0.655), (0.165, 0.645)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1] / "scenes/assets")
    lines = ["# A funnel, open at both ends, written by tools/make_funnel.py. Metres, z up."]
    for radius, height in PROFILE:
        lines += [f"v {radius * math.cos(a):.5f} {radius * math.sin(a):.5f} {height:.5f}"
                  for a in (2 * math.pi * i / AROUND for i in range(AROUND))]
    for r in range(len(PROFILE) - 1):
        for i in range(AROUND):
            a, b = r * AROUND + i + 1, r * AROUND + (i + 1) % AROUND + 1
            lines.append(f"f {a} {b} {b + AROUND} {a + AROUND}")
    (parser.parse_args().out / "funnel.obj").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
