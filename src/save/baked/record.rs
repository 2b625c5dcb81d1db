//! The bytes of a record: what its sets rely on beside the chunks that they name, and the sets.

use crate::save::frame::{self, Kind};
use crate::save::index::Index;
use crate::visibility::bake::BakedSets;
use crate::voxel::ChunkPos;

/// Codec tag: as it is.
const PLAIN: u8 = 0;
/// Codec tag: as one LZ4 block.
const LZ4: u8 = 1;
/// LZ4 cannot make more of a byte: what claims to is made to have us allocate.
const LZ4_MOST: usize = 255;

/// What the sets of a record rely on, beside the chunks that they name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The last row of the table `chunk`: about chunks of later rows the sets say nothing.
    pub chunk: i64,
    /// How many materials there were.
    materials: u32,
    /// Which of them hid what is behind them, and by which rules the sets were computed: [`Index::hiding`].
    hiding: u32,
}

impl Known {
    const BYTES: usize = 16;

    /// What can be known now.
    pub(super) fn of(index: &Index) -> Known {
        let materials = index.materials() as u32;
        Known { chunk: index.last_row(), materials, hiding: index.hiding(materials as usize).unwrap_or(0) }
    }

    /// True if what hid then hides now, and nothing else of these materials, and the rules are the same. Else sets may hold too
    /// little, or be those of other cells.
    pub(super) fn holds(self, index: &Index) -> bool {
        index.hiding(self.materials as usize) == Some(self.hiding)
    }

    fn to_bytes(self) -> [u8; Known::BYTES] {
        let mut bytes = [0; Known::BYTES];
        bytes[..8].copy_from_slice(&self.chunk.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.materials.to_le_bytes());
        bytes[12..].copy_from_slice(&self.hiding.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; Known::BYTES]) -> Known {
        let [chunk, rest] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i])));
        Known { chunk: chunk as i64, materials: rest as u32, hiding: (rest >> 32) as u32 }
    }
}

/// The record of the chunk at `pos`.
pub(super) fn write(pos: ChunkPos, sets: &BakedSets, known: Known, revision: u32) -> Vec<u8> {
    let plain = sets.to_bytes();
    let squeezed = lz4_flex::block::compress(&plain);
    let (codec, data) = if squeezed.len() < plain.len() { (LZ4, &squeezed) } else { (PLAIN, &plain) };
    let data = [&known.to_bytes(), &data[..]].concat();
    frame::seal(Kind::Visibility, codec, revision, pos, Known::BYTES + plain.len(), &data)
}

/// A record whose frame is sound.
pub(super) struct Record<'a> {
    pub known: Known,
    codec: u8,
    /// Bytes of the sets as they are.
    plain_len: usize,
    data: &'a [u8],
}

/// The record of the chunk at `pos` that `bytes` are, or what is wrong with it.
pub(super) fn parse(bytes: &[u8], pos: ChunkPos) -> Result<Record<'_>, String> {
    let record = frame::parse_as(bytes, Kind::Visibility, pos)?;
    let (known, data) = record.data.split_first_chunk().ok_or("it is cut off")?;
    // No record is longer than its content: this is not less than what was just split off.
    let plain_len = record.prefix.plain_len - Known::BYTES;
    Ok(Record { known: Known::from_bytes(*known), codec: record.prefix.codec, plain_len, data })
}

impl Record<'_> {
    /// The sets, or what is wrong with them.
    pub(super) fn sets(&self) -> Result<BakedSets, String> {
        let &Record { codec, plain_len, data, .. } = self;
        let sets = |plain: &[u8]| BakedSets::from_bytes(plain).map_err(|e| e.to_string());
        match codec {
            PLAIN if plain_len == data.len() => sets(data),
            PLAIN => Err("its two lengths differ".to_owned()),
            LZ4 if plain_len / LZ4_MOST > data.len() => Err("its length is wrong".to_owned()),
            LZ4 => {
                let mut plain = vec![0; plain_len];
                match lz4_flex::block::decompress_into(data, &mut plain) {
                    Ok(n) if n == plain_len => sets(&plain),
                    Ok(n) => Err(format!("LZ4 gives {n} bytes instead of {plain_len}")),
                    Err(e) => Err(format!("LZ4: {e}")),
                }
            }
            codec => Err(format!("its codec {codec} is unknown")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Material, MaterialTable, Opacity};

    fn with(opacity: &[Opacity]) -> Index {
        let named = |(i, opacity): (usize, &Opacity)| Material {
            opacity: *opacity,
            ..Material::plain(&format!("m{i}"), [1; 3])
        };
        let air = Material::plain("air", [255; 3]);
        let table = MaterialTable::from_list([air].into_iter().chain(opacity.iter().enumerate().map(named)).collect());
        let mut index = Index::default();
        index.set_materials(&table.expect("the names are unique"));
        index
    }

    #[test]
    fn a_record_counts_while_what_hid_hides() {
        use Opacity::{Opaque, Translucent};
        let known = Known { chunk: 0x0102_0304, ..Known::of(&with(&[Opaque, Translucent])) };
        assert_eq!(Known::from_bytes(known.to_bytes()), known);
        // CRC-32 of 1 0 0 0, the rules, and 0 1 0: air, and the two materials.
        assert_eq!(known.to_bytes(), [4, 3, 2, 1, 0, 0, 0, 0, 3, 0, 0, 0, 139, 229, 0, 34], "docs/map-format.md");
        assert!(known.holds(&with(&[Opaque, Translucent])));
        assert!(known.holds(&with(&[Opaque, Translucent, Opaque])), "there are more now");
        assert!(!known.holds(&with(&[Translucent, Translucent])), "one is seen through");
        assert!(!known.holds(&with(&[Opaque])), "there are fewer");
        assert!(!known.holds(&Index::default()));
    }

    #[test]
    fn cut_off_and_odd_records_are_refused() {
        let refuse = |codec, plain_len, data: &[u8]| {
            let bytes = frame::seal(Kind::Visibility, codec, 1, ChunkPos::default(), plain_len, data);
            parse(&bytes, ChunkPos::default()).and_then(|record| record.sets()).unwrap_err()
        };
        let known = [0; Known::BYTES];
        assert!(refuse(PLAIN, 15, &known[..15]).contains("cut off"));
        assert!(refuse(PLAIN, 0, &[]).contains("cut off"));
        assert!(refuse(PLAIN, 17, &known).contains("lengths differ"));
        assert!(refuse(LZ4, 1 << 20, &known).contains("length is wrong"));
        assert!(refuse(7, 16, &known).contains("codec 7"));
        // Nothing behind what is known is no set.
        assert!(refuse(PLAIN, 16, &known).contains("byte"));
    }
}
