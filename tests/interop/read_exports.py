"""Opens an export of the sample run with programs that are not Heddle and compares it with reference.json.

usage: read_exports.py obj|ply|pc2|vtk SAMPLE_FOLDER      (exit code 77: the reader is not installed)
"""
import json
import os
import struct
import sys
import xml.etree.ElementTree
from pathlib import Path

TOLERANCE = 1e-5  # m


def close(found, expected, what):
    found, expected = list(found), list(expected)
    assert len(found) == len(expected), f"{what}: {len(found)} numbers instead of {len(expected)}"
    worst = max((abs(a - b) for a, b in zip(found, expected)), default=0)
    assert worst <= TOLERANCE, f"{what}: differs by {worst}"


def joined(frame, array):
    """One array of all objects; obstacles have none of some and count as zeros."""
    numbers = []
    for entry in frame["objects"]:
        size = len(entry["positions"])
        numbers += entry[array] if entry[array] or array == "strains" else [0] * size
    return numbers


def strain_component(reference, frame, component):
    numbers = []
    for thing, entry in zip(reference["objects"], frame["objects"]):
        numbers += entry["strains"][component::3] or [0] * len(thing["triangles"])
    return numbers


def triangles_of(reference):
    """Corner indices as if all objects were one mesh."""
    corners, first = [], 0
    for thing, entry in zip(reference["objects"], reference["frames"][0]["objects"]):
        corners += [first + corner for triangle in thing["triangles"] for corner in triangle]
        first += len(entry["positions"]) // 3
    return corners


def missing(remedy):
    """The exit code without a program to read with: a skip, or a failure where all of them must be there."""
    required = os.environ.get("HEDDLE_REQUIRE_TOOLS") == "1"
    print(f"{'failed' if required else 'skipped'}: {remedy}")
    return 1 if required else 77


def import_vtk():
    try:
        import vtk
    except ImportError:
        sys.exit(missing("install python3-vtk9"))
    return vtk


def values(array):
    """All numbers of a VTK array, without NumPy."""
    return [array.GetComponent(i, k) for i in range(array.GetNumberOfTuples())
            for k in range(array.GetNumberOfComponents())]


def read_poly_data(reader, file):
    vtk = import_vtk()
    errors = []
    reader.AddObserver(vtk.vtkCommand.ErrorEvent, lambda *_: errors.append(1))
    reader.SetFileName(str(file))
    reader.Update()
    assert not errors and reader.GetErrorCode() == 0, f"{file}: VTK reports an error"
    return reader.GetOutput()


def corners_of(data):
    return [int(corner) for corner in values(data.GetPolys().GetConnectivityArray())]


def points_of(data):
    return values(data.GetPoints().GetData())


def check_vtk(folder, reference):
    vtk = import_vtk()
    series = xml.etree.ElementTree.parse(folder / "run.pvd").getroot().iter("DataSet")
    entries = [(float(entry.get("timestep")), entry.get("file")) for entry in series]
    close([time for time, _ in entries], [frame["time"] for frame in reference["frames"]], "times")
    for (_, file), frame in zip(entries, reference["frames"]):
        data = read_poly_data(vtk.vtkXMLPolyDataReader(), folder / file)
        close(points_of(data), joined(frame, "positions"), file)
        assert corners_of(data) == triangles_of(reference), f"{file}: other triangles"
        close(values(data.GetPointData().GetArray("velocity")), joined(frame, "velocities"), "velocity")
        for i, name in enumerate(["strain_weft", "strain_warp", "strain_shear"]):
            close(values(data.GetCellData().GetArray(name)), strain_component(reference, frame, i), name)
        material = [m for thing in reference["objects"]
                    for m in thing["material"] or [0] * len(thing["triangles"])]
        assert values(data.GetCellData().GetArray("material")) == material


def check_ply(folder, reference):
    vtk = import_vtk()
    for frame in reference["frames"]:
        file = folder / f"frame_{frame['number']:06}.ply"
        data = read_poly_data(vtk.vtkPLYReader(), file)
        close(points_of(data), joined(frame, "positions"), file)
        assert corners_of(data) == triangles_of(reference), f"{file}: other triangles"


def check_obj(folder, reference):
    vtk = import_vtk()
    for frame in reference["frames"]:
        file = folder / f"frame_{frame['number']:06}.obj"
        data = read_poly_data(vtk.vtkOBJReader(), file)
        # VTK renumbers the points, so the corners of the triangles are compared by their positions.
        points, expected = points_of(data), joined(frame, "positions")
        found = [x for corner in corners_of(data) for x in points[3 * corner:3 * corner + 3]]
        close(found, [x for c in triangles_of(reference) for x in expected[3 * c:3 * c + 3]], file)


def check_pc2(folder, reference):
    names = {"flag": "flag", "rock & stone": "rock___stone", "scarf": "scarf", "hammock": "hammock"}
    for i, thing in enumerate(reference["objects"]):
        data = (folder / f"{names[thing['name']]}.pc2").read_bytes()
        magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
        assert magic == b"POINTCACHE2\0" and version == 1 and start == 0 and rate == 1, "wrong header"
        assert samples == len(reference["frames"]) and len(data) == 32 + 12 * points * samples, "wrong size"
        for k, frame in enumerate(reference["frames"]):
            found = struct.unpack_from(f"<{3 * points}f", data, 32 + 12 * points * k)
            close(found, frame["objects"][i]["positions"], f"{thing['name']}, frame {k}")
        lines = (folder / f"{names[thing['name']]}.obj").read_text().splitlines()
        rest = [float(x) for line in lines if line.startswith("v ") for x in line.split()[1:]]
        close(rest, reference["frames"][0]["objects"][i]["positions"], "rest mesh")
        corners = [int(word.split("/")[0]) - 1 for line in lines if line.startswith("f ") for word in line.split()[1:]]
        assert corners == [corner for triangle in thing["triangles"] for corner in triangle], "other triangles"


def main():
    name, sample = sys.argv[1], Path(sys.argv[2])
    reference = json.loads((sample / "reference.json").read_text())
    assert len(reference["frames"]) > 2
    {"vtk": check_vtk, "ply": check_ply, "obj": check_obj, "pc2": check_pc2}[name](sample / name, reference)
    print(f"{name}: {len(reference['frames'])} frames agree")


main()
