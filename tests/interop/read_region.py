#!/usr/bin/env python3
"""Compares every block of a Minecraft region with the map it was imported into.

    stonerun import REGION.mca map
    python tests/interop/read_region.py REGION.mca saves/map.stonerun

The region is read by amulet-core, which also knows the blocks' numbers before Minecraft 1.13.
"""

import collections
import pathlib
import shutil
import sys
import tempfile
import zlib

import numpy

import map_voxels

# The data version of Minecraft 1.13, the first with names instead of numbers.
OLDEST_WITH_NAMES = 1519
AIR = {"air", "cave_air", "void_air", "structure_void", "light", "barrier", "moving_piston"}
# Built-in materials, and the blocks that become them; others keep their name.
MATERIALS = {
    "deepstone": "deepslate", "grass": "grass_block", "snowy_grass": "grass_block", "snow": "snow snow_block powder_snow",
    "water": "water bubble_column kelp kelp_plant seagrass tall_seagrass", "pine_log": "spruce_log spruce_wood",
    "pine_leaves": "spruce_leaves", "oak_log": "oak_log oak_wood", "birch_log": "birch_log birch_wood",
    "tall_grass": "grass short_grass tall_grass fern large_fern", "flower_red": "poppy", "flower_yellow": "dandelion",
    "flower_blue": "cornflower", "mushroom": "brown_mushroom", "reeds": "sugar_cane", "pine_planks": "spruce_planks",
    "thatch": "hay_block", "basalt": "basalt smooth_basalt", "stone": "stone infested_stone", "ice": "ice frosted_ice",
} | {f"wool_{dye}": f"{dye}_wool" for dye in "white red orange yellow green blue purple black".split()}
# Blocks that had another name, or none of their own, in older versions.
RENAMED = {"short_grass": "grass", "dirt_path": "grass_path", "oak_sign": "sign", "oak_wall_sign": "wall_sign"}


def data_version(path):
    """The data version of the first chunk; 0 before Minecraft 1.9."""
    import amulet_nbt as nbt

    data = path.read_bytes()
    start = next(int.from_bytes(data[i : i + 3], "big") for i in range(0, 4096, 4) if any(data[i : i + 4])) * 4096
    length = int.from_bytes(data[start : start + 4], "big")
    chunk = nbt.load(zlib.decompress(data[start + 5 : start + 4 + length]), compressed=False).compound
    return int(chunk["DataVersion"]) if "DataVersion" in chunk else 0


def read_region(path):
    """Names of blocks, and per finished chunk its place and the names' indices with axes x, y, z."""
    import amulet
    import amulet_nbt as nbt

    with tempfile.TemporaryDirectory() as folder:
        world = pathlib.Path(folder)
        (world / "region").mkdir()
        region = "r." + ".".join(path.name.split("r.")[-1].split(".")[:2]) + ".mca"
        shutil.copy(path, world / "region" / region)
        level_data = nbt.CompoundTag({"Data": nbt.CompoundTag({"version": nbt.IntTag(19133), "LevelName": nbt.StringTag("a")})})
        number = data_version(path)
        if number >= OLDEST_WITH_NAMES:
            level_data["Data"]["Version"] = nbt.CompoundTag({"Id": nbt.IntTag(number)})
            level_data["Data"]["DataVersion"] = nbt.IntTag(number)
        nbt.NamedTag(level_data).save_to(str(world / "level.dat"))
        level = amulet.load_level(folder)
        version = level.translation_manager.get_version("java", (1, 19, 0))
        names, index_of, chunks = [], {}, {}
        dimension = "minecraft:overworld"
        for place in level.all_chunk_coords(dimension):
            chunk = level.get_chunk(*place, dimension)
            # Complete chunks have 2; in old worlds, those without light have -0.2.
            if chunk.status.value < (2 if number >= OLDEST_WITH_NAMES else -0.2):
                continue
            of_palette = numpy.zeros(len(chunk.block_palette), int)
            for i, universal in enumerate(chunk.block_palette):
                name = version.block.from_universal(universal)[0]
                name = getattr(name, "base_name", str(name))
                of_palette[i] = index_of.setdefault(name, len(names))
                if of_palette[i] == len(names):
                    names.append(name)
            chunks[place] = of_palette[numpy.asarray(chunk.blocks[:, -64:320, :])]
        level.close()
    print(f"amulet-core {amulet.__version__}: {len(chunks)} finished chunks, {len(names)} blocks")
    return names, chunks


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    names, chunks = read_region(pathlib.Path(sys.argv[1]))
    air = numpy.array([name in AIR for name in names])
    places = numpy.array(list(chunks))
    low = places.min(axis=0) * 16
    size = (places.max(axis=0) - places.min(axis=0) + 1) * 16
    world = numpy.full((size[0], 384, size[1]), -1, int)
    for (cx, cz), blocks in chunks.items():
        x, z = cx * 16 - low[0], cz * 16 - low[1]
        world[x : x + 16, :, z : z + 16] = blocks
    filled = (world >= 0) & ~air[world]
    corners = numpy.argwhere(filled)
    first, last = corners.min(axis=0), corners.max(axis=0) + 1
    world, filled = (box[tuple(slice(a, b) for a, b in zip(first, last))] for box in (world, filled))

    materials, place, voxels = map_voxels.read(sys.argv[2])
    matter = voxels["material"] > 0
    corners = numpy.argwhere(matter)
    low, high = corners.min(axis=0), corners.max(axis=0) + 1
    if tuple(high - low) != world.shape or place[1] + low[1] != first[1] - 64:
        sys.exit(f"the region is {world.shape} at height {first[1] - 64}, the map {tuple(high - low)} at {place[1] + low[1]}")
    voxels = voxels[tuple(slice(a, b) for a, b in zip(low, high))]
    pairs, counts = numpy.unique(voxels["material"].astype(numpy.int64) << 32 | numpy.where(world < 0, 0xFFFF, world), return_counts=True)
    faults = collections.Counter()
    for pair, count in zip(pairs.tolist(), counts.tolist()):
        material, index = materials[pair >> 32], pair & 0xFFFFFFFF
        name = "air" if index == 0xFFFF else names[index]
        expected = MATERIALS.get(material, material.removeprefix("minecraft:")).split()
        if not (name in expected or RENAMED.get(name) in expected or (material == "air" and name in AIR)):
            faults[f"{name} became {material}"] += count
    for fault, count in faults.most_common():
        print(f"{count:>12,}  DIFFERS: {fault}")
    print(f"{world.size:,} blocks compared, {int(filled.sum()):,} not air; {sum(faults.values()):,} differ")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
