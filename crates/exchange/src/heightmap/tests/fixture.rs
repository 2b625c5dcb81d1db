//! Writer of small heightmap files for tests, valid or invalid.

/// Directory entry of a TIFF: tag, type, and the bytes of its values in the file's byte order.
type TiffEntry = (u16, u16, Vec<u8>);

/// Builds a TIFF of one picture in strips or tiles, or of several.
#[derive(Clone)]
pub(super) struct Tiff {
    /// True if numbers are big-endian.
    pub big: bool,
    pub entries: Vec<TiffEntry>,
    /// Content of each strip or tile, compressed if the file is. Empty parts are left out of the
    /// file.
    pub parts: Vec<Vec<u8>>,
    pub tiles: bool,
    /// The pictures that follow this one.
    pub others: Vec<Tiff>,
}

impl Tiff {
    /// Grey values of `bits` bits and `format` (1 unsigned, 2 signed, 3 floating point) in strips
    /// of `rows` rows.
    pub(super) fn strips(
        big: bool,
        size: [u32; 2],
        bits: u16,
        format: u16,
        rows: u32,
        parts: Vec<Vec<u8>>,
    ) -> Tiff {
        let tiff = Tiff { big, entries: vec![], parts, tiles: false, others: vec![] };
        tiff.grey(size, bits, format).long(278, rows)
    }

    /// Grey values in tiles of 16 x 16.
    pub(super) fn tiles(
        big: bool,
        size: [u32; 2],
        bits: u16,
        format: u16,
        parts: Vec<Vec<u8>>,
    ) -> Tiff {
        let tiff = Tiff { big, entries: vec![], parts, tiles: true, others: vec![] };
        tiff.grey(size, bits, format).long(322, 16).long(323, 16)
    }

    fn grey(self, [width, height]: [u32; 2], bits: u16, format: u16) -> Tiff {
        // Not compressed, black is 0, one value per cell.
        let base = self.long(256, width).long(257, height).short(258, &[bits]).short(259, &[1]);
        base.short(262, &[1]).short(277, &[1]).short(339, &[format])
    }

    pub(super) fn entry(mut self, tag: u16, kind: u16, values: Vec<u8>) -> Tiff {
        self.entries.retain(|(existing, ..)| *existing != tag);
        self.entries.push((tag, kind, values));
        self
    }

    pub(super) fn short(self, tag: u16, values: &[u16]) -> Tiff {
        let big = self.big;
        self.entry(
            tag,
            3,
            values
                .iter()
                .flat_map(|n| if big { n.to_be_bytes() } else { n.to_le_bytes() })
                .collect(),
        )
    }

    pub(super) fn long(self, tag: u16, value: u32) -> Tiff {
        let bytes = self.number(value);
        self.entry(tag, 4, bytes)
    }

    pub(super) fn doubles(self, tag: u16, values: &[f64]) -> Tiff {
        let big = self.big;
        self.entry(
            tag,
            12,
            values
                .iter()
                .flat_map(|n| if big { n.to_be_bytes() } else { n.to_le_bytes() })
                .collect(),
        )
    }

    fn number(&self, n: u32) -> Vec<u8> {
        if self.big { n.to_be_bytes() } else { n.to_le_bytes() }.to_vec()
    }

    /// The complete file: header, strips or tiles, long values, directory.
    pub(super) fn file(self) -> Vec<u8> {
        self.written(false)
    }

    /// The complete file as a BigTIFF.
    pub(super) fn big_file(self) -> Vec<u8> {
        self.written(true)
    }

    /// A number as wide as the file's offsets.
    fn offset(&self, n: usize, wide: bool) -> Vec<u8> {
        match (wide, self.big) {
            (false, _) => self.number(n as u32),
            (true, false) => (n as u64).to_le_bytes().to_vec(),
            (true, true) => (n as u64).to_be_bytes().to_vec(),
        }
    }

    fn written(self, wide: bool) -> Vec<u8> {
        let mut file = match (self.big, wide) {
            (false, false) => b"II*\0\0\0\0\0".to_vec(),
            (true, false) => b"MM\0*\0\0\0\0".to_vec(),
            (false, true) => b"II+\0\x08\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
            (true, true) => b"MM\0+\0\x08\0\0\0\0\0\0\0\0\0\0".to_vec(),
        };
        // The directory's offset is the last number of the header.
        let mut link_at = file.len() - if wide { 8 } else { 4 };
        let mut first = self;
        let others = std::mem::take(&mut first.others);
        for picture in std::iter::once(first).chain(others) {
            link_at = picture.append(&mut file, wide, link_at);
        }
        file
    }

    /// Appends parts, long values and directory, and stores the offset of the directory at
    /// `link_at`. Returns the offset of the directory's own link to the next.
    fn append(self, file: &mut Vec<u8>, wide: bool, link_at: usize) -> usize {
        let inline = if wide { 8 } else { 4 };
        let mut places = vec![];
        let mut lengths = vec![];
        for part in &self.parts {
            places.extend(self.number(if part.is_empty() { 0 } else { file.len() as u32 }));
            lengths.extend(self.number(part.len() as u32));
            file.extend(part);
        }
        let (places_tag, lengths_tag) = if self.tiles { (324, 325) } else { (273, 279) };
        let mut tiff = self.entry(places_tag, 4, places).entry(lengths_tag, 4, lengths);
        tiff.entries.sort_by_key(|(tag, ..)| *tag);
        let mut directory = vec![];
        let short = |n: u16| if tiff.big { n.to_be_bytes() } else { n.to_le_bytes() };
        if wide {
            directory.extend(tiff.offset(tiff.entries.len(), true));
        } else {
            directory.extend(short(tiff.entries.len() as u16));
        }
        for (tag, kind, values) in &tiff.entries {
            let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8][usize::from(*kind)];
            directory.extend(short(*tag));
            directory.extend(short(*kind));
            directory.extend(tiff.offset(values.len() / size, wide));
            if values.len() <= inline {
                directory.extend(values);
                directory.resize(directory.len() + inline - values.len(), 0);
            } else {
                directory.extend(tiff.offset(file.len(), wide));
                file.extend(values);
            }
        }
        directory.extend(vec![0; inline]);
        let start = tiff.offset(file.len(), wide);
        file[link_at..link_at + inline].copy_from_slice(&start);
        file.extend(directory);
        file.len() - inline
    }

    /// Returns the file with another picture after its own.
    pub(super) fn followed_by(mut self, other: Tiff) -> Tiff {
        self.others.push(other);
        self
    }

    /// A mask of one bit per cell, whose parts are strips of `rows` rows.
    pub(super) fn mask(size: [u32; 2], rows: u32, parts: Vec<Vec<u8>>) -> Tiff {
        Tiff::strips(false, size, 1, 1, rows, parts).long(254, 4).short(262, &[4])
    }

    /// Signed values of 16 bits in one strip.
    pub(super) fn signed(size: [u32; 2], values: &[i16]) -> Tiff {
        let part = values.iter().flat_map(|n| n.to_le_bytes()).collect();
        Tiff::strips(false, size, 16, 2, size[1], vec![part])
    }

    pub(super) fn text(self, tag: u16, text: &str) -> Tiff {
        self.entry(tag, 2, [text.as_bytes(), &[0]].concat())
    }
}

/// A grey PNG of 8 or 16 bits.
pub(super) fn png_file(width: u32, height: u32, grey: &[u16], wide: bool) -> Vec<u8> {
    use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
    let mut file = vec![];
    let (bytes, kind): (Vec<u8>, _) = if wide {
        (grey.iter().flat_map(|n| n.to_ne_bytes()).collect(), ExtendedColorType::L16)
    } else {
        (grey.iter().map(|n| *n as u8).collect(), ExtendedColorType::L8)
    };
    PngEncoder::new(&mut file).write_image(&bytes, width, height, kind).unwrap();
    file
}

/// A TIFF of 3 x 2 four-bit indices into a palette of greys. Entry 2 of the palette has this
/// colour.
pub(super) fn palette_tiff(colour: [u16; 3]) -> Vec<u8> {
    let mut colours = [[0; 16]; 3];
    for (list, part) in colours.iter_mut().zip(colour) {
        *list = std::array::from_fn(|entry| entry as u16 * 0x1111);
        list[2] = part << 8 | part;
    }
    let tiff = Tiff::strips(false, [3, 2], 4, 1, 2, vec![vec![0x01, 0x20, 0xFE, 0xD0]]);
    tiff.short(262, &[3]).short(320, colours.as_flattened()).file()
}

/// A PNG of 3 x 2 two-bit indices into a palette. Entry 2 of the palette has this colour.
pub(super) fn palette_png(colour: &[u8; 3]) -> Vec<u8> {
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, 3, 2);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Two);
    encoder.set_palette([&[0; 3][..], &[100; 3], colour, &[255; 3]].concat());
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0b0001_1000, 0b1110_0100]).unwrap();
    drop(writer);
    file
}

/// A PNG of two by one pixels in these colours, with these chunks before the pixels.
pub(super) fn png_of(
    kind: png::ColorType,
    bits: png::BitDepth,
    data: &[u8],
    chunks: &[(&[u8; 4], &[u8])],
) -> Vec<u8> {
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, 2, 1);
    encoder.set_color(kind);
    encoder.set_depth(bits);
    // The encoder writes the palette itself.
    let is_palette = |name: &[u8; 4]| name == b"PLTE";
    if let Some((_, palette)) = chunks.iter().find(|(name, _)| is_palette(name)) {
        encoder.set_palette(*palette);
    }
    let mut writer = encoder.write_header().unwrap();
    for (name, content) in chunks.iter().filter(|(name, _)| !is_palette(name)) {
        writer.write_chunk(png::chunk::ChunkType(**name), content).unwrap();
    }
    writer.write_image_data(data).unwrap();
    drop(writer);
    file
}

/// A grey PNG of five by one four-bit values.
pub(super) fn small_png() -> Vec<u8> {
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, 5, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Four);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0x01, 0x2F, 0x70]).unwrap();
    drop(writer);
    file
}
