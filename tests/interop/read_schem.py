#!/usr/bin/env python3
"""Compares every block of an exported .schem file, read by other programs' libraries, with its source.

    python tests/interop/read_schem.py MAP.stonerun EXPORTED.schem [--reader amulet|litemapy]
    python tests/interop/read_schem.py ORIGINAL.schem EXPORTED.schem

The source is the map that was exported, or the schematic that was imported into that map.
"""

import argparse
import collections
import sys

import numpy

import map_voxels

AIR = {"minecraft:air", "minecraft:cave_air", "minecraft:void_air", "minecraft:structure_void"}
# Materials with a block of the same name, which must be written as that block.
SAME_NAME = """stone granite basalt sandstone dirt sand red_sand gravel clay ice water lava coal_ore iron_ore copper_ore
gold_ore oak_log oak_leaves birch_log birch_leaves cactus dead_bush cobblestone mossy_cobblestone stone_bricks bricks
oak_planks birch_planks glass obsidian bookshelf iron_block gold_block""".split()


def read_amulet(path):
    """Block states, lowest corner, indices with axes x, y, z; and the blocks that amulet knows in this version."""
    import amulet

    level = amulet.load_level(path)
    dimension = level.dimensions[0]
    bounds = level.bounds(dimension)
    low, size = numpy.array(bounds.min), numpy.array(bounds.max) - bounds.min
    version = level.translation_manager.get_version("java", level.level_wrapper.version)
    states, index_of = [], {}
    out = numpy.full(size, -1, int)
    for cx, cz in level.all_chunk_coords(dimension):
        chunk = level.get_chunk(cx, cz, dimension)
        place = numpy.zeros(len(chunk.block_palette), int)
        for i, universal in enumerate(chunk.block_palette):
            text = version.block.from_universal(universal)[0].full_blockstate
            place[i] = index_of.setdefault(text, len(states))
            if place[i] == len(states):
                states.append(text)
        corner = numpy.array([16 * cx, low[1], 16 * cz])
        at = numpy.maximum(corner, low)
        end = numpy.minimum(corner + [16, size[1], 16], low + size)
        inside = [slice(int(a), int(b)) for a, b in zip(at - corner, end - corner)]
        inside[1] = slice(int(at[1]), int(end[1]))
        blocks = numpy.asarray(chunk.blocks[tuple(inside)])
        out[tuple(slice(a, b) for a, b in zip(at - low, end - low))] = place[blocks]
    known = {f"minecraft:{name}" for name in version.block.base_names("minecraft")}
    print(f"amulet-core {amulet.__version__}: data version {level.level_wrapper.version}, {len(known)} known blocks")
    level.close()
    return states, low, out, known


def read_litemapy(path):
    """As read_amulet; litemapy knows no blocks, and reads palettes of at most 128 states."""
    import litemapy
    import nbtlib

    file = nbtlib.load(path)
    if len(file["Palette"]) > 128:
        sys.exit(f"{path}: litemapy reads block data as bytes, so at most 128 states")
    low = numpy.array([int(part) for part in file["Offset"]])
    region, version = litemapy.Region.from_sponge_nbt(file)
    print(f"litemapy {litemapy.__version__}: data version {version}")
    states, index_of = [], {}
    out = numpy.full((region.width, region.height, region.length), -1, int)
    for x, y, z in region.block_positions():
        text = region[x, y, z].to_block_state_identifier()
        out[x, y, z] = index_of.setdefault(text, len(states))
        if out[x, y, z] == len(states):
            states.append(text)
    return states, low, out, None


def without_air(states, low, indices):
    """The part of a box that holds matter."""
    air = numpy.array([state.split("[")[0] in AIR for state in states])
    filled = numpy.argwhere(~air[indices])
    first, last = filled.min(axis=0), filled.max(axis=0) + 1
    return low + first, indices[tuple(slice(a, b) for a, b in zip(first, last))]


def compare_with_map(path, states, low, indices, known):
    """Checks each block against the map's voxel at its place; returns the number of faults."""
    materials, _, voxels = map_voxels.read(path, low, indices.shape)
    names = [state.split("[")[0] for state in states]
    faults = collections.Counter()
    if known is not None:
        for name in set(names) - known:
            faults[f"{name} is no block of this version"] += int((indices == [names.index(name)]).sum())
    key = voxels["material"].astype(numpy.int64) << 40 | voxels["occupancy"].astype(numpy.int64) << 32 | indices
    pairs, counts = numpy.unique(key, return_counts=True)
    by_voxel, by_material = collections.defaultdict(set), collections.Counter()
    for pair, count in zip(pairs.tolist(), counts.tolist()):
        material, occupancy, state = materials[pair >> 40], pair >> 32 & 255, pair & 0xFFFFFFFF
        name = names[state]
        by_voxel[material, occupancy].add(states[state])
        by_material[material, name] += count
        if (material == "air") != (name in AIR):
            faults[f"{material} is written as {name}"] += count
        same = material if material.startswith("minecraft:") else f"minecraft:{material}" if material in SAME_NAME else name
        if name != same:
            faults[f"{material} is written as {name}"] += count
    for voxel, written in by_voxel.items():
        if len(written) > 1:
            faults[f"{voxel} is written as {written}"] += 1
    for (material, name), count in by_material.most_common():
        print(f"{count:>12,}  {material:<32} {name}")
    return faults


def compare_with_schematic(original, states, low, indices):
    """Checks each block against the one of the original at its place, by name."""
    of_original, low_of_original, original_indices, _ = read_amulet(original)
    _, expected = without_air(of_original, low_of_original, original_indices)
    _, written = without_air(states, low, indices)
    if expected.shape != written.shape:
        return {f"the original is {expected.shape} blocks large, the export {written.shape}": 1}
    faults = collections.Counter()
    pairs, counts = numpy.unique(expected.astype(numpy.int64) << 32 | written, return_counts=True)
    equal, full = 0, 0
    for pair, count in zip(pairs.tolist(), counts.tolist()):
        a, b = of_original[pair >> 32], states[pair & 0xFFFFFFFF]
        full += count if a == b else 0
        a, b = (state.split("[")[0] for state in (a, b))
        if a == b or (a in AIR and b in AIR):
            equal += count
        else:
            faults[f"{a} became {b}"] += count
    print(f"{equal:,} of {expected.size:,} blocks have the same name, {full:,} also the same properties")
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("source")
    arguments.add_argument("exported")
    arguments.add_argument("--reader", choices=["amulet", "litemapy"], default="amulet")
    args = arguments.parse_args()
    read = read_amulet if args.reader == "amulet" else read_litemapy
    states, low, indices, known = read(args.exported)
    if (indices < 0).any():
        sys.exit(f"{args.exported}: {int((indices < 0).sum())} blocks were not read")
    if args.source.endswith(".stonerun"):
        faults = compare_with_map(args.source, states, low, indices, known)
    else:
        faults = compare_with_schematic(args.source, states, low, indices)
    for fault, count in sorted(faults.items(), key=lambda item: -item[1]):
        print(f"{count:>12,}  DIFFERS: {fault}")
    air = sum(int((indices == i).sum()) for i, state in enumerate(states) if state.split("[")[0] in AIR)
    print(f"{indices.size:,} blocks compared, {indices.size - air:,} not air, {len(states)} states; {sum(faults.values()):,} differ")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
