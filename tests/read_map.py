#!/usr/bin/env python3
"""Reads a Stonerun map after docs/map-format.md, with nothing but Python's standard library.

It shares no code with the game: where the two read a map differently, the description is wrong.

    python3 tests/read_map.py MAP

prints the header, the named places, the digest, the materials, the name, chunks and voxels of each named region, and of each chunk its place, its codec, and the CRC-32
of its voxels: 32768 times the material (two bytes, little-endian), the occupancy and the liquid (one byte each), x
fastest, then z, then y. What `stonerun bake` computed is left out.
"""

import pathlib
import sqlite3
import struct
import sys
import zlib

HEADER, MATERIAL, CHUNK, DIGEST, PLACES, REGION = 1, 2, 3, 4, 8, 10
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

    def left(self):
        return len(self.data) - self.at

    def end(self):
        if self.at != len(self.data):
            fail("bytes follow after a record's content")


def header(data):
    codec, _, _, content = record(data, HEADER, (0, 0, 0))
    if codec not in (1, 2):
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
    if codec == 2:
        print("ground", b.text())
    b.end()


def places(data):
    codec, _, _, content = record(data, PLACES, (0, 0, 0))
    if codec != 1:
        fail(f"the version of the places is {codec}")
    b = Bytes(content)
    for _ in range(b.number()):
        print("place", b.text(), *b.take("ddd"), *b.take("ff"))
    b.end()


def material(data, index):
    codec, _, _, content = record(data, MATERIAL, (index, 0, 0))
    if codec not in (1, 2):
        fail(f"the version of material {index} is {codec}")
    b = Bytes(content)
    name = b.text()
    kind = b.number()
    # Lying blocks have an axis before their two textures.
    faces = [b.number()] if kind == 2 else []
    faces += [b.text() for _ in range([1, 3, 2][kind])]
    tint = b.take("BBB")
    opacity, matter, shape = b.number(), b.number(), b.number()
    # The mount of a torch, the eighths of a hewn block, or the model, turn, parts and joint of a model.
    parameter = [b.number()] if shape in (2, 3) else []
    if shape == 4:
        parameter = [*b.take("BB"), b.number(), b.take("B")]
    light = b.take("B")
    surface = [b.number()] if codec == 2 else [0]
    # The amount of rough surfaces, and the heights of terraces.
    if surface[0] > 2:
        surface.append(b.take("B"))
    b.end()
    print("material", index, name, *faces, *tint, opacity, matter, shape, *parameter, light, *surface)


def partial(b, its_material):
    """Occupancy and liquid of a voxel that is not full; 255 announces liquid."""
    occupancy, liquid = b.take("B"), 0
    if occupancy == 255:
        occupancy, liquid = b.take("BB")
        if not 0 < liquid <= 255 - occupancy:
            fail(f"material {its_material} with occupancy {occupancy} has liquid {liquid}")
    if its_material == 0:
        fail("air has an occupancy or liquid")
    return occupancy, liquid


def whole(its_material):
    """Occupancy and liquid of a full voxel, or of air."""
    return (0 if its_material == 0 else 255), 0


def voxels(rle, materials):
    """A chunk's voxels, four bytes each."""
    b = Bytes(rle)
    palette = [b.take("H") for _ in range(b.leb128())]
    out = bytearray()
    while len(out) < 4 * VOXELS:
        lead = b.take("B")
        place = b.leb128() if lead & 0x3F == 63 else lead & 0x3F
        its_material = palette[place]
        if its_material >= materials:
            fail(f"there is no material {its_material}")
        rest = partial(b, its_material) if lead & 0x40 else whole(its_material)
        length = 1
        if lead & 0x80:
            length = b.take("B") + 1
            if length == 1:
                length = b.take("H") + 1
        out += struct.pack("<HBB", its_material, *rest) * length
    b.end()
    if len(out) != 4 * VOXELS:
        fail("a run passes the end of its chunk")
    return bytes(out)


RANGES = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (6, 2), (10, 4), (26, 16)]
ESCAPE = 115


def prefix_codes():
    """For each context: the symbol by its code, written as a text of its bits."""
    lengths = pathlib.Path(__file__).parent.parent / "crates" / "engine" / "src" / "codec" / "predicted" / "lengths.txt"
    contexts = []
    for line in lengths.read_text().split():
        of, code, last = {}, 0, 0
        for bits, symbol in sorted((int(bits), symbol) for symbol, bits in enumerate(line) if bits != "0"):
            code <<= bits - last
            of[format(code, f"0{bits}b")] = symbol
            code, last = code + 1, bits
        contexts.append(of)
    return contexts


def palette_of(b, materials):
    """The palette in front of predicted runs and packed voxels: materials, occupancies and liquids."""
    palette = []
    for _ in range(b.leb128()):
        name = b.leb128()
        palette.append((name >> 1, *(partial(b, name >> 1) if name & 1 else whole(name >> 1))))
        if name >> 1 >= materials:
            fail(f"there is no material {name >> 1}")
    return palette


def packed(data, materials):
    """The voxels of a chunk of codec 3, four bytes each."""
    b = Bytes(data)
    palette = palette_of(b, materials)
    base, digits = len(palette), []
    most = 1
    while base > 1 and base ** (most + 1) <= 1 << 64:
        most += 1
    while len(digits) < VOXELS and base > 1:
        number = b.take("Q")
        for _ in range(min(most, VOXELS - len(digits))):
            digits.append(number % base)
            number //= base
        if number:
            fail("a number has more digits than voxels")
    b.end()
    return b"".join(struct.pack("<HBB", *palette[digit]) for digit in digits or [0] * VOXELS)


def predicted(data, materials, contexts):
    """The voxels of a chunk of codec 2, four bytes each."""
    b = Bytes(data)
    palette = palette_of(b, materials)
    stream = "".join(format(byte, "08b")[::-1] for byte in data[b.at :])
    at = 0

    def number(bits):
        nonlocal at
        at += bits
        return int(stream[at - bits : at][::-1] or "0", 2)

    def ranged(which):
        first, bits = RANGES[which]
        return first + number(bits)

    # Of each voxel: its place in the palette, and the end of its run.
    done, last = [], None
    while len(done) < VOXELS and len(palette) > 1:
        p = len(done)
        place = lambda lag: done[p - lag] if p >= lag else (None, 0)
        (behind, behind_end), (below, below_end) = place(32), place(1024)
        behind_end, below_end = behind_end + 32, below_end + 1024
        says_behind, says_below = (voxel is not None and voxel != last for voxel in (behind, below))
        case = 4 if says_behind and says_below and behind == below else says_behind + 2 * says_below
        likely = below if says_below else behind
        first_end, other_end = (below_end, behind_end) if says_below else (behind_end, below_end)
        if case == 4:
            first_end, other_end = sorted((behind_end, below_end))
        order = (behind_end >= below_end) + (behind_end > below_end)
        codes = contexts[(3 * case + order) * 2 + (last == 0)]
        length = 1
        while stream[at : at + length] not in codes:
            length += 1
        symbol = codes[stream[at : at + length]]
        at += length
        if symbol == ESCAPE:
            symbol = number(7)
        new = lambda n: n + (last is not None and n >= last)
        if symbol < 3:
            voxel, end = [(likely, first_end), (likely, other_end), (behind, behind_end)][symbol]
        elif symbol < 35:
            voxel, start, sign = [
                (likely, first_end, -1),
                (likely, first_end, 1),
                (behind, behind_end, -1),
                (behind, behind_end, 1),
            ][(symbol - 3) // 8]
            end = start + sign * (ranged((symbol - 3) % 8) + 1)
        elif symbol < 51:
            end = behind_end if symbol < 43 else below_end
            voxel = new(ranged((symbol - 35) % 8))
        else:
            end = p + ranged((symbol - 51) % 8) + 1
            voxel = new(ranged((symbol - 51) // 8))
        if voxel is None or voxel == last or voxel >= len(palette) or not p < end <= VOXELS:
            fail(f"a run at voxel {p} cannot be")
        done += [(voxel, end)] * (end - p)
        last = voxel
    if len(palette) == 1:
        done = [(0, VOXELS)] * VOXELS
    if len(stream) - at >= 8 or "1" in stream[at:]:
        fail("bits follow after a chunk")
    return b"".join(struct.pack("<HBB", *palette[voxel]) for voxel, _ in done)


class HighBits:
    """Bits, the highest of a byte first."""

    def __init__(self, data):
        self.bits, self.at = "".join(format(byte, "08b") for byte in data), 0

    def number(self, bits):
        self.at += bits
        return int(self.bits[self.at - bits : self.at] or "0", 2)

    def exp_golomb(self, order):
        zeros = self.bits.index("1", self.at) - self.at
        self.at += zeros
        return self.number(zeros + order + 1) - (1 << order)


def inside(data):
    """The number of voxels of a chunk that belong to a region."""
    if not data:
        return VOXELS
    b, palette = HighBits(data), []
    for _ in range(b.exp_golomb(0) + 1):
        its_material = b.exp_golomb(5)
        if its_material > 1 or its_material == 1 and b.number(1):
            fail("a region has another voxel than air and material 1")
        palette.append(its_material)
    order, index_bits = b.number(4), (len(palette) - 1).bit_length()
    done, found = 0, 0
    while done < VOXELS:
        belongs = palette[b.number(index_bits)]
        length = b.exp_golomb(order) + 1
        done += length
        found += length * belongs
    if done > VOXELS or not 0 < found < VOXELS or "1" in b.bits[b.at :] or len(b.bits) - b.at >= 8:
        fail("the voxels of a region cannot be")
    return found


def region(data, number):
    codec, _, _, content = record(data, REGION, (number, 0, 0))
    if codec != 1:
        fail(f"the version of region {number} is {codec}")
    b = Bytes(content)
    length = b.take("B")
    b.at += length
    name = content[b.at - length : b.at].decode()
    if b.take("B") != 1:
        fail(f"the version of the voxels of region {number} is not 1")
    chunks, found, last = b.take("I"), 0, None
    for _ in range(chunks):
        position = b.take("iii")
        if last is not None and position <= last:
            fail(f"the chunks of region {number} are not sorted")
        last = position
        length = b.take("H")
        b.at += length
        found += inside(content[b.at - length : b.at])
    b.end()
    print("region", name, chunks, found)


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
    if one("PRAGMA user_version")[0] not in (1, 2, 3, 4, 5, 6, 7, 8):
        fail("its format is not known")
    header(one(f"SELECT record FROM meta WHERE kind = {HEADER}")[0])

    if saved_places := one(f"SELECT record FROM meta WHERE kind = {PLACES}"):
        places(saved_places[0])

    codec, _, _, content = record(one(f"SELECT record FROM meta WHERE kind = {DIGEST}")[0], DIGEST, (0, 0, 0))
    b = Bytes(content)
    schema, chunks, total, materials = b.number(), b.number(), b.number(), b.number()
    b.end()
    print("digest", codec, schema, chunks, materials)

    for index, data in map_file.execute("SELECT id, record FROM material ORDER BY id"):
        material(data, index)
    if one("PRAGMA user_version")[0] >= 5:
        for number, data in map_file.execute("SELECT id, record FROM region ORDER BY id"):
            region(data, number)
    found, hashes, contexts = 0, 0, prefix_codes()
    for x, y, z, revision, data in map_file.execute("SELECT x, y, z, revision, record FROM chunk ORDER BY x, y, z"):
        codec, its_revision, plain, content = record(data, CHUNK, (x, y, z))
        if its_revision != revision:
            fail(f"the record of chunk ({x}, {y}, {z}) is of another save")
        if codec > 3 or codec == 0 and plain != len(content):
            fail(f"the codec of chunk ({x}, {y}, {z}) is {codec}, its lengths {plain} and {len(content)}")
        if codec == 2:
            bytes_of_voxels = predicted(content, materials, contexts)
        elif codec == 3:
            bytes_of_voxels = packed(content, materials)
        else:
            bytes_of_voxels = voxels(lz4(content, plain) if codec == 1 else content, materials)
        print("chunk", x, y, z, codec, zlib.crc32(bytes_of_voxels))
        found += 1
        hashes += place_hash(x, y, z, revision)
    if found != chunks or hashes % (1 << 64) != total:
        fail("the digest does not hold")


if __name__ == "__main__":
    main()
