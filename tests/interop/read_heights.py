"""Compares imported heightmaps with the heights that rasterio (GDAL) reads from the same files.

Usage: read_heights.py STONERUN [FILE...]

Needs numpy and rasterio from PyPI. Without files, GeoTIFFs and PNGs of every kind that Stonerun reads
are written and compared. Every column of the map must be as high as `exchange/heightmap` says. The map
is read by tests/read_map.py, which shares no code with the game.
"""

import json
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import numpy
import rasterio
from rasterio.transform import from_origin

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import read_map  # noqa: E402

# Blocks below the lowest height, and the blocks that terrain may be high by default.
BOTTOM, MAX_HEIGHT = 4, 384
SIZE = (70, 45)


def terrain(kind):
    width, depth = SIZE
    x, z = numpy.meshgrid(numpy.arange(width), numpy.arange(depth))
    hills = 100 + 60 * numpy.sin(x / 9) + 40 * numpy.cos(z / 7)
    if numpy.dtype(kind).kind in "if":
        hills -= 90
    return hills.astype(kind)


def written(folder):
    """A file of each type, compression and layout: (path, heights)."""
    kinds = ["uint8", "uint16", "uint32", "int16", "int32", "float32", "float64"]
    files = [(f"{kind}.tif", terrain(kind), {}) for kind in kinds]
    grey = terrain("uint16")
    for compression in ["lzw", "deflate", "packbits"]:
        files.append((f"{compression}.tif", grey, {"compress": compression}))
    files.append(("predictor.tif", grey, {"compress": "deflate", "predictor": 2}))
    files.append(("float_predictor.tif", terrain("float32"), {"compress": "lzw", "predictor": 3}))
    files.append(("tiles.tif", grey, {"tiled": True, "blockxsize": 16, "blockysize": 32}))
    files.append(("big_endian.tif", grey, {"endianness": "big"}))
    files.append(("bigtiff.tif", grey, {"BIGTIFF": "YES"}))
    for bits in [1, 2, 4]:
        files.append((f"{bits}_bits.tif", terrain("uint8") % (1 << bits), {"nbits": bits}))
    files.append(("grey.png", terrain("uint8"), {"driver": "PNG"}))
    files.append(("wide.png", grey, {"driver": "PNG"}))
    files.append(("4_bits.png", terrain("uint8") % 16, {"driver": "PNG", "nbits": 4}))
    for name, heights, options in files:
        profile = {"driver": "GTiff", "count": 1, "dtype": heights.dtype, "width": SIZE[0], "height": SIZE[1]}
        profile |= {"transform": from_origin(0, 0, 30, 30)} if name.endswith(".tif") else {}
        with rasterio.open(folder / name, "w", **profile | options) as file:
            file.write(heights, 1)
    palette = {index: (index, index, index, 255) for index in range(256)}
    profile = {"driver": "GTiff", "count": 1, "dtype": "uint8", "width": SIZE[0], "height": SIZE[1]}
    with rasterio.open(folder / "palette.tif", "w", photometric="palette", **profile) as file:
        file.write(terrain("uint8"), 1)
        file.write_colormap(1, palette)
    return [folder / name for name, _, _ in files] + [folder / "palette.tif"]


def found_tops(path):
    """Height of the lowest voxel above the ground of each column of a map, by x and z."""
    file = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    records = [data for (data,) in file.execute("SELECT record FROM material ORDER BY id")]
    names = [read_map.Bytes(read_map.record(data, read_map.MATERIAL, (index, 0, 0))[3]).text() for index, data in enumerate(records)]
    tops, contexts = {}, read_map.prefix_codes()
    for x, y, z, data in file.execute("SELECT x, y, z, record FROM chunk ORDER BY y"):
        codec, _, plain, content = read_map.record(data, read_map.CHUNK, (x, y, z))
        if codec == 2:
            voxels = read_map.predicted(content, len(names), contexts)
        else:
            voxels = read_map.voxels(read_map.lz4(content, plain) if codec == 1 else content, len(names))
        # Two bytes of material, one of occupancy; axes y, z, x.
        materials = numpy.frombuffer(voxels, [("material", "<u2"), ("occupancy", "u1")])["material"].reshape(32, 32, 32)
        solid = (materials != 0) & (materials != names.index("water"))
        for at_z, at_x in zip(*numpy.nonzero(solid.any(axis=0))):
            column = numpy.nonzero(solid[:, at_z, at_x])[0]
            tops[x * 32 + int(at_x), z * 32 + int(at_z)] = y * 32 + int(column[-1]) + 1
    return tops


def expected_tops(heights, kind):
    """The same by the rules of the importer, and the metres per block."""
    heights = heights.astype(numpy.float64)
    lowest, highest = heights.min(), heights.max()
    metres = max(math.ceil((highest - lowest) / MAX_HEIGHT), 1)
    if numpy.dtype(kind).kind in "if" and lowest <= 0:
        tops = numpy.floor(heights / metres)
        return numpy.where(heights <= 0, numpy.minimum(tops, -1), tops), metres
    return BOTTOM + numpy.floor((heights - lowest) / metres), metres


def compare(stonerun, path, folder):
    with rasterio.open(path) as file:
        kind, heights = file.dtypes[0], file.read(1)
    tops, metres = expected_tops(heights, kind)
    target = folder / (path.name + ".stonerun")
    said = subprocess.run([stonerun, "import", path, target], capture_output=True, text=True)
    if said.returncode != 0:
        print(f"{path.name}: {said.stderr.strip()}")
        return False
    found = found_tops(target)
    depth, width = tops.shape
    # Whole chunks are shifted, so that the middle is near 0.
    west, north = width // 64 * 32, depth // 64 * 32
    expected = {(x - west, z - north): int(tops[z, x]) for z in range(depth) for x in range(width)}
    differs = sum(found.get(at) != top for at, top in expected.items()) + len(found.keys() - expected.keys())
    print(f"{path.name}: {width} x {depth} {kind}, {metres} m per block: {differs} of {len(expected)} columns differ")
    return differs == 0


def main():
    stonerun = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [pathlib.Path(name) for name in sys.argv[2:]] or written(folder)
        results = [compare(stonerun, file, folder) for file in files]
    print(f"{sum(results)} of {len(results)} files are equal")
    sys.exit(not all(results))


main()
