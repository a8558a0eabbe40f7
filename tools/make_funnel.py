#!/usr/bin/env python3
"""Writes the funnel of scenes/funnel.json: a thin open surface of revolution, metres, z up.

    tools/make_funnel.py [--out FOLDER]      default: scenes/assets
"""
import argparse
import math
import pathlib

AROUND = 64


def arc(centre, radius, first, last, count):
    """Points of a circle, angles in degrees from the outward direction."""
    angles = (math.radians(first + (last - first) * k / count) for k in range(count + 1))
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def line(start, end, count):
    """Points between, without the ends."""
    return [tuple(a + (b - a) * k / count for a, b in zip(start, end)) for k in range(1, count)]


def profile():
    """Radius and height: the cone with a rounded throat and the pipe, both ends rolled in so far that nothing catches on
    their borders."""
    rim = arc((0.67, 1.30), 0.04, -190, 140, 19)
    throat = arc((0.316, 0.80), 0.16, 140, 180, 6)
    flare = arc((0.196, 0.66), 0.04, 180, 470, 19)
    return rim + line(rim[-1], throat[0], 14) + throat + line(throat[-1], flare[0], 6) + flare


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1] / "scenes/assets")
    lines = ["# A funnel, open at both ends, written by tools/make_funnel.py. Metres, z up."]
    rows = profile()
    for radius, height in rows:
        lines += [f"v {radius * math.cos(a):.5f} {radius * math.sin(a):.5f} {height:.5f}"
                  for a in (2 * math.pi * i / AROUND for i in range(AROUND))]
    for r in range(len(rows) - 1):
        for i in range(AROUND):
            a, b = r * AROUND + i + 1, r * AROUND + (i + 1) % AROUND + 1
            lines.append(f"f {a} {b} {b + AROUND} {a + AROUND}")
    (parser.parse_args().out / "funnel.obj").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
