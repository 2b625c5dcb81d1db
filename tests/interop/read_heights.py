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
from rasterio.transform import Affine, from_origin

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
    return [folder / name for name, _, _ in files] + [folder / "palette.tif"] + written_with_voids(folder)


def written_with_voids(folder):
    """Files with cells without a height, scaled values, turned rasters, and greys stored as colours."""
    signed = terrain("int16") + 200
    holes = signed.copy()
    holes[5:9, 7:12] = -32768
    profile = {"driver": "GTiff", "count": 1, "dtype": "int16", "width": SIZE[0], "height": SIZE[1]}
    up = {"transform": from_origin(0, 0, 30, 30)}
    paths = []

    def write(name, heights, finish=lambda file: None, **options):
        paths.append(folder / name)
        with rasterio.open(paths[-1], "w", **profile | options) as file:
            for band in range(1, file.count + 1):
                file.write(heights, band)
            finish(file)

    def scale(file):
        file.scales, file.offsets = [0.25], [40]

    def feet(file):
        file.units = ["ft"]

    write("declared.tif", holes, nodata=-32768, **up)
    write("undeclared.tif", holes, **up)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        valid = (holes != -32768).astype("uint8") * 255
        write("mask.tif", signed, lambda file: file.write_mask(valid), **up)
        write("mask_tiles.tif", signed, lambda file: file.write_mask(valid), tiled=True, blockxsize=16,
              blockysize=16, compress="deflate", **up)
    write("scale.tif", signed, scale, **up)
    write("feet.tif", signed, feet, **up)
    write("south_up.tif", signed, transform=Affine(30, 0, 0, 0, 30, 0))
    write("west_last.tif", signed, transform=Affine(-30, 0, 0, 0, -30, 0))
    write("quarter.tif", signed, transform=Affine(0, 30, 0, 30, 0, 0))
    grey = terrain("uint8")
    for name, driver in [("rgb.png", "PNG"), ("rgb.tif", "GTiff")]:
        write(name, grey, driver=driver, count=3, dtype="uint8", photometric="rgb")
        write("wide_" + name, grey.astype("uint16") * 3, driver=driver, count=3, dtype="uint16", photometric="rgb")
    write("planes.tif", grey, count=3, dtype="uint8", photometric="rgb", interleave="band", compress="lzw")
    write("sparse.tif", signed, tiled=True, blockxsize=32, blockysize=32, sparse_ok=True, **up)
    paths.append(folder / "missing.tif")
    with rasterio.open(paths[-1], "w", **profile | up, tiled=True, blockxsize=32, blockysize=32, sparse_ok=True,
                       nodata=-9999) as file:
        file.write(signed[:32, :64], 1, window=((0, 32), (0, 64)))
    return paths


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


def read_heights(path):
    """Heights in metres, north up, NaN where there is none."""
    with rasterio.open(path) as file:
        heights = numpy.where(file.read_masks(1) > 0, file.read(1).astype(numpy.float64), numpy.nan)
        if numpy.dtype(file.dtypes[0]).kind in "if":
            heights[heights == -32768] = numpy.nan
        heights = heights * file.scales[0] + file.offsets[0]
        turn, unit = file.transform, file.units[0]
    if turn.a == 0 and turn.e == 0 and turn.b != 0:
        heights, turn = heights.T, Affine(turn.b, turn.a, 0, turn.e, turn.d, 0)
    # A PNG has no position.
    if not turn.is_identity:
        heights = heights[:, ::-1] if turn.a < 0 else heights
        heights = heights[::-1] if turn.e > 0 else heights
    return heights * (0.3048 if unit == "ft" else 1)


def compare(stonerun, path, folder):
    with rasterio.open(path) as file:
        kind = file.dtypes[0]
    heights = read_heights(path)
    known = ~numpy.isnan(heights)
    # As values of 32 bits, of which the importer's heights are.
    tops, metres = expected_tops(numpy.where(known, heights, numpy.nanmin(heights)).astype(numpy.float32), kind)
    target = folder / (path.name + ".stonerun")
    said = subprocess.run([stonerun, "import", path, target], capture_output=True, text=True)
    if said.returncode != 0:
        print(f"{path.name}: {said.stderr.strip()}")
        return False
    found = found_tops(target)
    depth, width = tops.shape
    # Whole chunks are shifted, so that the middle is near 0.
    west, north = width // 64 * 32, depth // 64 * 32
    places = {(x - west, z - north): (x, z) for z in range(depth) for x in range(width)}
    expected = {at: int(tops[z, x]) for at, (x, z) in places.items() if known[z, x]}
    differs = sum(found.get(at) != top for at, top in expected.items()) + len(found.keys() ^ places.keys())
    counted = f"{(~known).sum()} of {known.size} cells have no height" in said.stderr or known.all()
    print(f"{path.name}: {width} x {depth} {kind}, {metres} m per block: {differs} of {len(expected)} columns differ, "
          f"{(~known).sum()} cells without a height are {'' if counted else 'not '}counted")
    return differs == 0 and counted


def main():
    stonerun = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [pathlib.Path(name) for name in sys.argv[2:]] or written(folder)
        results = [compare(stonerun, file, folder) for file in files]
    print(f"{sum(results)} of {len(results)} files are equal")
    sys.exit(not all(results))


main()
