//! The bytes of a record of baked visibility: the inputs of the bake, and the visible sets.
//!
//! ```text
//! offset size
//!  0     8    last row of the table `chunk` at the time of the bake, i64
//!  8     4    length of the material table at that time, u32
//! 12     4    CRC-32 over the bake rules and the opacity of each of these materials
//! 16          the sets, as they are (codec 0) or as one LZ4 block (codec 1)
//! ```

use crate::save::format::frame::{self, RecordKind};
use crate::save::format::record_error::RecordError;
use crate::save::tables::chunk_index::ChunkIndex;
use crate::visibility::bake::BakedSets;
use crate::voxel::ChunkPos;

/// Codec tag: uncompressed.
const PLAIN: u8 = 0;
/// Codec tag: one LZ4 block.
const LZ4: u8 = 1;
/// Maximum number of bytes to which LZ4 can expand one byte. A record that claims more is refused
/// before memory is allocated for it.
const MAX_LZ4_RATIO: usize = 255;

/// Inputs of a bake, except the chunks in its visible sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct BakeInputs {
    /// Last row of the table `chunk` at the bake. The sets say nothing about chunks in later rows.
    pub(crate) last_row: i64,
    /// Length of the material table at the bake.
    materials: u32,
    /// Checksum over bake rules and opaque materials ([`ChunkIndex::opacity_checksum`]).
    opacity_checksum: u32,
}

impl BakeInputs {
    const BYTES: usize = 16;

    /// Returns the inputs of a bake of the map's present state.
    pub(in crate::save) fn from_index(index: &ChunkIndex) -> BakeInputs {
        let materials = index.materials();
        BakeInputs {
            last_row: index.last_row(),
            materials: materials as u32,
            opacity_checksum: index.opacity_checksum(materials).unwrap_or(0),
        }
    }

    /// True if the bake rules and the opacity of these materials have not changed. Otherwise the
    /// sets may lack visible chunks, or belong to other cells.
    pub(super) fn still_hold(self, index: &ChunkIndex) -> bool {
        index.opacity_checksum(self.materials as usize) == Some(self.opacity_checksum)
    }

    fn to_bytes(self) -> [u8; BakeInputs::BYTES] {
        let mut bytes = [0; BakeInputs::BYTES];
        bytes[..8].copy_from_slice(&self.last_row.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.materials.to_le_bytes());
        bytes[12..].copy_from_slice(&self.opacity_checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; BakeInputs::BYTES]) -> BakeInputs {
        let [row, rest] =
            [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i])));
        BakeInputs {
            last_row: row as i64,
            materials: rest as u32,
            opacity_checksum: (rest >> 32) as u32,
        }
    }
}

/// Encodes the record of the chunk at `pos`.
pub(in crate::save) fn write(
    pos: ChunkPos,
    sets: &BakedSets,
    inputs: BakeInputs,
    revision: u32,
) -> Vec<u8> {
    let plain = sets.to_bytes();
    let squeezed = lz4_flex::block::compress(&plain);
    let (codec, data) =
        if squeezed.len() < plain.len() { (LZ4, &squeezed) } else { (PLAIN, &plain) };
    let data = [&inputs.to_bytes(), &data[..]].concat();
    frame::seal(
        RecordKind::Visibility,
        codec,
        revision,
        pos,
        BakeInputs::BYTES + plain.len(),
        &data,
    )
}

/// A record whose frame has been verified. Its sets are not decoded yet.
pub(super) struct BakedRecord<'a> {
    pub inputs: BakeInputs,
    codec: u8,
    /// Number of bytes of the sets, uncompressed.
    plain_len: usize,
    data: &'a [u8],
}

/// Parses `bytes` as the record of the chunk at `pos`.
pub(super) fn parse(bytes: &[u8], pos: ChunkPos) -> Result<BakedRecord<'_>, RecordError> {
    let record = frame::parse_as(bytes, RecordKind::Visibility, pos)?;
    let (inputs, data) = record.data.split_first_chunk().ok_or(RecordError::Truncated)?;
    // `plain_len` is at least the length of the data, which include the inputs: no underflow.
    let plain_len = record.frame.plain_len - BakeInputs::BYTES;
    Ok(BakedRecord {
        inputs: BakeInputs::from_bytes(*inputs),
        codec: record.frame.codec,
        plain_len,
        data,
    })
}

impl BakedRecord<'_> {
    /// Decodes the sets.
    pub(super) fn sets(&self) -> Result<BakedSets, RecordError> {
        let &BakedRecord { codec, plain_len, data, .. } = self;
        let sets = |plain: &[u8]| BakedSets::from_bytes(plain).map_err(RecordError::from);
        match codec {
            PLAIN if plain_len == data.len() => sets(data),
            PLAIN => Err(RecordError::LengthsDiffer),
            LZ4 if plain_len / MAX_LZ4_RATIO > data.len() => {
                Err(RecordError::PlainLength(plain_len))
            }
            LZ4 => {
                let mut plain = vec![0; plain_len];
                match lz4_flex::block::decompress_into(data, &mut plain) {
                    Ok(n) if n == plain_len => sets(&plain),
                    Ok(n) => Err(RecordError::Lz4Length { found: n, expected: plain_len }),
                    Err(e) => Err(RecordError::Lz4(e.to_string())),
                }
            }
            codec => Err(RecordError::Codec(codec)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Material, MaterialTable, Opacity};

    fn index_with(opacity: &[Opacity]) -> ChunkIndex {
        let named = |(i, opacity): (usize, &Opacity)| Material {
            opacity: *opacity,
            ..Material::plain(&format!("m{i}"), [1; 3])
        };
        let air = Material::plain("air", [255; 3]);
        let table = MaterialTable::from_list(
            [air].into_iter().chain(opacity.iter().enumerate().map(named)).collect(),
        );
        let mut index = ChunkIndex::default();
        index.set_materials(&table.expect("the names are unique"));
        index
    }

    #[test]
    fn bake_inputs_hold_while_the_same_materials_are_opaque() {
        use Opacity::{Opaque, Translucent};
        let inputs = BakeInputs {
            last_row: 0x0102_0304,
            ..BakeInputs::from_index(&index_with(&[Opaque, Translucent]))
        };
        assert_eq!(BakeInputs::from_bytes(inputs.to_bytes()), inputs);
        // CRC-32 of 1 0 0 0, the version of the bake rules, and 0 1 0: the opacity of air and of
        // the two materials.
        assert_eq!(
            inputs.to_bytes(),
            [4, 3, 2, 1, 0, 0, 0, 0, 3, 0, 0, 0, 139, 229, 0, 34],
            "docs/map-format.md"
        );
        assert!(inputs.still_hold(&index_with(&[Opaque, Translucent])));
        assert!(
            inputs.still_hold(&index_with(&[Opaque, Translucent, Opaque])),
            "a new material changes nothing"
        );
        assert!(
            !inputs.still_hold(&index_with(&[Translucent, Translucent])),
            "a material became translucent"
        );
        assert!(!inputs.still_hold(&index_with(&[Opaque])), "a material is missing");
        assert!(!inputs.still_hold(&ChunkIndex::default()));
    }

    #[test]
    fn truncated_and_malformed_records_are_refused() {
        let refuse = |codec, plain_len, data: &[u8]| {
            let bytes =
                frame::seal(RecordKind::Visibility, codec, 1, ChunkPos::default(), plain_len, data);
            parse(&bytes, ChunkPos::default()).and_then(|record| record.sets()).unwrap_err()
        };
        let inputs = [0; BakeInputs::BYTES];
        assert_eq!(refuse(PLAIN, 15, &inputs[..15]), RecordError::Truncated);
        assert_eq!(refuse(PLAIN, 0, &[]), RecordError::Truncated);
        assert_eq!(refuse(PLAIN, 17, &inputs), RecordError::LengthsDiffer);
        assert_eq!(refuse(LZ4, 1 << 20, &inputs), RecordError::PlainLength((1 << 20) - 16));
        assert_eq!(refuse(7, 16, &inputs), RecordError::Codec(7));
        // After the inputs, an empty rest is not a valid encoding of sets.
        assert!(refuse(PLAIN, 16, &inputs).to_string().contains("byte"));
    }
}
