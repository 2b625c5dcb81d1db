#!/usr/bin/env python3
"""Writes the blocks of a .schem file as a .litematic file with litemapy, to test the import of that format.

    python tests/interop/write_litematic.py FILE.schem FILE.litematic
"""

import sys

import litemapy
import nbtlib


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    file = nbtlib.load(sys.argv[1])
    if len(file["Palette"]) > 128:
        sys.exit(f"{sys.argv[1]}: litemapy reads block data as bytes, so at most 128 states")
    region, version = litemapy.Region.from_sponge_nbt(file)
    region.as_schematic(name="interop", author="litemapy", mc_version=int(version)).save(sys.argv[2])
    print(f"litemapy {litemapy.__version__}: {region.width} x {region.height} x {region.length}")


if __name__ == "__main__":
    main()
