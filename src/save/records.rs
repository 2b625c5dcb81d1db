//! The small records of a map, through serde and bincode: header, materials, digest.
//!
//! bincode is no longer maintained, so this one file is all that knows it: every record carries a version
//! (the frame's codec byte), is size-limited when written and when read, and has been proven by its
//! frame's checksum before bincode sees it. When a type here gains a field, the old form stays beside it
//! under its version number.

use super::frame::{self, Kind, Record};
use super::types::Header;
use crate::voxel::{ChunkPos, Material, MaterialId};
use serde::{Serialize, de::DeserializeOwned};

/// The version of the content that this program writes, of all three kinds.
const VERSION: u8 = 1;

/// What a sound map holds, so that rows that vanish are missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Digest {
    /// The map file's layout; the same number as SQLite's `user_version`.
    pub schema: u32,
    /// Chunks in the map.
    pub chunks: u64,
    /// Sum, modulo 2^64, of [`place_hash`] over all chunks.
    pub sum: u64,
    /// Materials in the map's table, air counted.
    pub materials: u32,
}

/// A chunk's part in the digest's sum: FNV-1a, 64 bits, of its x, y, z and revision, each four bytes
/// little-endian, and then the last steps of SplitMix64.
///
/// FNV alone will not do: it ends in multiplications, so hashes of neighbouring revisions differ by small
/// multiples of one number, and the differences of two outdated chunks cancel out in the sum.
pub(super) fn place_hash(pos: ChunkPos, revision: u32) -> u64 {
    let mut hash = [pos.x as u32, pos.y as u32, pos.z as u32, revision]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// The key of a material's record.
pub(super) fn material_key(id: MaterialId) -> ChunkPos {
    ChunkPos::new(i32::from(id), 0, 0)
}

fn write<T: Serialize>(kind: Kind, revision: u32, key: ChunkPos, value: &T) -> Result<Vec<u8>, String> {
    let data = bincode::serde::encode_to_vec(value, bincode::config::standard()).map_err(|e| e.to_string())?;
    if data.len() > kind.max_data() {
        return Err(format!("{} bytes are more than a record of its kind may have", data.len()));
    }
    Ok(frame::seal(kind, VERSION, revision, key, data.len(), &data))
}

fn read<T: DeserializeOwned>(record: &Record<'_>) -> Result<T, String> {
    if record.prefix.codec != VERSION {
        return Err(format!("its version {} is unknown", record.prefix.codec));
    }
    // The limit is that of the largest kind; the frame has checked the record against its own.
    let config = bincode::config::standard().with_limit::<{ Kind::Header.max_data() }>();
    let (value, used) = bincode::serde::decode_from_slice(record.data, config).map_err(|e| e.to_string())?;
    if used != record.data.len() {
        return Err(format!("{} bytes follow after its content", record.data.len() - used));
    }
    Ok(value)
}

pub(super) fn write_header(header: &Header, revision: u32) -> Result<Vec<u8>, String> {
    write(Kind::Header, revision, ChunkPos::default(), header)
}

pub(super) fn read_header(record: &Record<'_>) -> Result<Header, String> {
    read(record).map(Header::sane)
}

pub(super) fn write_material(id: MaterialId, material: &Material, revision: u32) -> Result<Vec<u8>, String> {
    write(Kind::Material, revision, material_key(id), material)
}

pub(super) fn read_material(record: &Record<'_>) -> Result<Material, String> {
    read(record)
}

pub(super) fn write_digest(digest: &Digest, revision: u32) -> Result<Vec<u8>, String> {
    write(Kind::Digest, revision, ChunkPos::default(), digest)
}

pub(super) fn read_digest(record: &Record<'_>) -> Result<Digest, String> {
    read(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Faces, MaterialTable, Matter, Opacity, Shape};

    #[test]
    fn records_come_back() {
        let header = Header::new(42, "continents", 1_700_000_000);
        let bytes = write_header(&header, 3).unwrap();
        assert_eq!(read_header(&frame::parse(&bytes).unwrap()), Ok(header));
        let tinted = Material {
            faces: Faces::Column { top: "a".into(), bottom: "b".into(), side: "c".into() },
            tint: [1, 2, 3],
            opacity: Opacity::CutOut,
            matter: Matter::Plant,
            shape: Shape::Cross,
            light: 9,
            ..Material::plain("minecraft:torch", [0; 3])
        };
        for (_, material) in MaterialTable::builtin().iter().chain([(64, &tinted)]) {
            let bytes = write_material(7, material, 1).unwrap();
            assert_eq!(read_material(&frame::parse(&bytes).unwrap()).as_ref(), Ok(material));
        }
    }

    #[test]
    fn too_large_and_unknown_and_trailing_are_refused() {
        let huge = Material::plain(&"x".repeat(5000), [0; 3]);
        assert!(write_material(1, &huge, 1).is_err());
        let data = bincode::serde::encode_to_vec(Digest::default(), bincode::config::standard()).unwrap();
        let sealed =
            |version, data: &[u8]| frame::seal(Kind::Digest, version, 1, ChunkPos::default(), data.len(), data);
        assert!(read_digest(&frame::parse(&sealed(1, &data)).unwrap()).is_ok());
        assert!(read_digest(&frame::parse(&sealed(2, &data)).unwrap()).is_err());
        assert!(read_digest(&frame::parse(&sealed(1, &[&data[..], &[0]].concat())).unwrap()).is_err());
    }

    #[test]
    fn no_bytes_make_the_header_reader_allocate_or_panic() {
        // A string that claims to be 2^60 bytes long.
        let data = [5, 253, 0, 0, 0, 0, 0, 0, 0, 16, b'a'];
        let bytes = frame::seal(Kind::Header, VERSION, 1, ChunkPos::default(), data.len(), &data);
        assert!(read_header(&frame::parse(&bytes).unwrap()).is_err());
    }

    #[test]
    fn the_place_hash_is_fixed_and_its_sums_do_not_cancel() {
        // Another program can check its own against this.
        assert_eq!(place_hash(ChunkPos::default(), 0), 0x6875_2350_ae1d_483f);
        // Of any two chunks of which one is older by a save, and one newer.
        let step = |x, r| place_hash(ChunkPos::new(x, 0, 0), r).wrapping_sub(place_hash(ChunkPos::new(x, 0, 0), r + 1));
        let mut steps: Vec<u64> = (0..100).flat_map(|x| (0..10).map(move |r| step(x, r))).collect();
        steps.extend(steps.clone().iter().map(|s| s.wrapping_neg()));
        steps.sort_unstable();
        assert!(steps.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
