#!/usr/bin/env python3
"""Reads a Stonerun map after docs/map-format.md, with nothing but Python's standard library.

It shares no code with the game: where the two read a map differently, the description is wrong.

    python3 tests/read_map.py MAP

prints the header, the digest, the materials, and of each chunk its place, its codec, and the CRC-32 of its voxels: 32768
times the material (two bytes, little-endian) and the occupancy (one byte), x fastest, then z, then y. What `stonerun bake`
computed is left out.
"""

import pathlib
import sqlite3
import struct
import sys
import zlib

HEADER, MATERIAL, CHUNK, DIGEST = 1, 2, 3, 4
VOXELS = 32768


def fail(reason):
    sys.exit(f"{sys.argv[1]}: {reason}")


def record(data, kind, key):
    """The codec, revision, plain length and data of a record, which must be of this kind and place."""
    magic, its_kind, codec, revision, x, y, z, plain, length = struct.unpack_from("<2sBBIiiiII", data)
    (checksum,) = struct.unpack_from("<I", data, 28)
    if magic != b"SR" or its_kind != kind or (x, y, z) != key or length != len(data) - 32:
        fail(f"a record of kind {kind} at {key} says that it is another")
    if checksum != zlib.crc32(data[32:], zlib.crc32(data[:28])):
        fail(f"the checksum of the record of kind {kind} at {key} does not hold")
    return codec, revision, plain, data[32:]


def lz4_length(data, at, nibble):
    """A length of an LZ4 block, of which the token holds four bits, and where what follows it is."""
    length, more = nibble, nibble == 15
    while more:
        length, more, at = length + data[at], data[at] == 255, at + 1
    return length, at


def lz4(data, length):
    """One LZ4 block."""
    out, at = bytearray(), 0
    while at < len(data):
        token = data[at]
        literals, at = lz4_length(data, at + 1, token >> 4)
        out += data[at : at + literals]
        at += literals
        if at == len(data):
            break
        (offset,) = struct.unpack_from("<H", data, at)
        copied, at = lz4_length(data, at + 2, token & 15)
        for _ in range(copied + 4):
            out.append(out[-offset])
    if len(out) != length:
        fail(f"LZ4 gives {len(out)} bytes instead of {length}")
    return bytes(out)


class Bytes:
    """Numbers and texts, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def leb128(self):
        value, shift = 0, 0
        while True:
            byte = self.take("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def number(self):
        """A number of the small records."""
        first = self.take("B")
        return self.take({251: "H", 252: "I", 253: "Q"}[first]) if first > 250 else first

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def end(self):
        if self.at != len(self.data):
            fail("bytes follow after a record's content")


def header(data):
    codec, _, _, content = record(data, HEADER, (0, 0, 0))
    if codec != 1:
        fail(f"the header's version is {codec}")
    b = Bytes(content)
    print("seed", b.number())
    print("terrain", b.text())
    print("spawn", *b.take("ddd"))
    print("position", *b.take("ddd"))
    print("look", *b.take("ff"))
    print("flying", b.take("B"))
    print("hotbar", *[b.text() for _ in range(b.number())])
    print("selected", b.take("B"))
    print("time", b.take("d"))
    print("played", b.take("d"))
    print("saved", b.number())
    print("created", b.number())
    b.end()


def material(data, index):
    codec, _, _, content = record(data, MATERIAL, (index, 0, 0))
    if codec != 1:
        fail(f"the version of material {index} is {codec}")
    b = Bytes(content)
    name = b.text()
    faces = [b.text() for _ in range([1, 3][b.number()])]
    tint = b.take("BBB")
    opacity, matter, shape, light = b.number(), b.number(), b.number(), b.take("B")
    b.end()
    print("material", index, name, *faces, *tint, opacity, matter, shape, light)


def voxels(rle, materials):
    """A chunk's voxels, three bytes each."""
    b = Bytes(rle)
    palette = [b.take("H") for _ in range(b.leb128())]
    out = bytearray()
    while len(out) < 3 * VOXELS:
        lead = b.take("B")
        place = b.leb128() if lead & 0x3F == 63 else lead & 0x3F
        its_material = palette[place]
        if its_material >= materials:
            fail(f"there is no material {its_material}")
        if lead & 0x40:
            occupancy = b.take("B")
        else:
            occupancy = 0 if its_material == 0 else 255
        length = 1
        if lead & 0x80:
            length = b.take("B") + 1
            if length == 1:
                length = b.take("H") + 1
        out += struct.pack("<HB", its_material, occupancy) * length
    b.end()
    if len(out) != 3 * VOXELS:
        fail("a run passes the end of its chunk")
    return bytes(out)


def place_hash(x, y, z, revision):
    """A chunk's part in the digest's sum."""
    most = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in struct.pack("<iiiI", x, y, z, revision):
        value = (value ^ byte) * 0x100000001B3 & most
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & most
    value = (value ^ value >> 27) * 0x94D049BB133111EB & most
    return value ^ value >> 31


def main():
    map_file = sqlite3.connect(pathlib.Path(sys.argv[1]).resolve().as_uri() + "?mode=ro", uri=True)
    one = lambda query: map_file.execute(query).fetchone()
    if one("PRAGMA application_id")[0] != int.from_bytes(b"Ston", "big"):
        fail("it is no map")
    if one("PRAGMA user_version")[0] not in (1, 2):
        fail("its format is not known")
    header(one(f"SELECT record FROM meta WHERE kind = {HEADER}")[0])

    codec, _, _, content = record(one(f"SELECT record FROM meta WHERE kind = {DIGEST}")[0], DIGEST, (0, 0, 0))
    b = Bytes(content)
    schema, chunks, total, materials = b.number(), b.number(), b.number(), b.number()
    b.end()
    print("digest", codec, schema, chunks, materials)

    for index, data in map_file.execute("SELECT id, record FROM material ORDER BY id"):
        material(data, index)
    found, hashes = 0, 0
    for x, y, z, revision, data in map_file.execute("SELECT x, y, z, revision, record FROM chunk ORDER BY x, y, z"):
        codec, its_revision, plain, content = record(data, CHUNK, (x, y, z))
        if its_revision != revision:
            fail(f"the record of chunk ({x}, {y}, {z}) is of another save")
        if codec > 1 or codec == 0 and plain != len(content):
            fail(f"the codec of chunk ({x}, {y}, {z}) is {codec}, its lengths {plain} and {len(content)}")
        rle = lz4(content, plain) if codec == 1 else content
        print("chunk", x, y, z, codec, zlib.crc32(voxels(rle, materials)))
        found += 1
        hashes += place_hash(x, y, z, revision)
    if found != chunks or hashes % (1 << 64) != total:
        fail("the digest does not hold")


if __name__ == "__main__":
    main()
