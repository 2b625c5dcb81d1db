"""The voxels of a Stonerun map as arrays, read by tests/read_map.py, which shares no code with the game."""

import pathlib
import sqlite3
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import read_map  # noqa: E402

SIDE = 32
LAYOUT = numpy.dtype([("material", "<u2"), ("occupancy", "u1")])


def material_name(data, index):
    _, _, _, content = read_map.record(data, read_map.MATERIAL, (index, 0, 0))
    return read_map.Bytes(content).text()


def chunk_voxels(data, place, materials, contexts):
    """A chunk as an array with axes y, z, x."""
    codec, _, plain, content = read_map.record(data, read_map.CHUNK, place)
    if codec == 2:
        voxels = read_map.predicted(content, materials, contexts)
    else:
        voxels = read_map.voxels(read_map.lz4(content, plain) if codec == 1 else content, materials)
    return numpy.frombuffer(voxels, LAYOUT).reshape(SIDE, SIDE, SIDE)


def read(path, low=None, size=None):
    """Names of the materials, the lowest corner, and the voxels of a box with axes x, y, z.

    Without a box: the smallest box around all matter.
    """
    file = sqlite3.connect(pathlib.Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    names = [material_name(data, index) for index, data in file.execute("SELECT id, record FROM material ORDER BY id")]
    contexts = read_map.prefix_codes()
    chunks = {}
    for x, y, z, data in file.execute("SELECT x, y, z, record FROM chunk"):
        place = numpy.array([x, y, z]) * SIDE
        if low is None or all(place + SIDE > low) and all(place < numpy.array(low) + size):
            chunks[tuple(place)] = chunk_voxels(data, (x, y, z), len(names), contexts)
    if low is None:
        filled = {place: chunk for place, chunk in chunks.items() if chunk["material"].any()}
        corners = numpy.array(list(filled))
        low, high = corners.min(axis=0), corners.max(axis=0) + SIDE
    else:
        low, high = numpy.array(low), numpy.array(low) + size
    box = numpy.zeros(high - low, LAYOUT)
    for place, chunk in chunks.items():
        at = numpy.maximum(place, low)
        end = numpy.minimum(numpy.array(place) + SIDE, high)
        inside = tuple(slice(a, b) for a, b in zip(at - place, end - place))
        target = tuple(slice(a, b) for a, b in zip(at - low, end - low))
        box[target] = chunk.transpose(2, 0, 1)[inside]
    return names, low, box
