//! The small records of a map, encoded with serde and bincode: header, materials, digest, places,
//! rules.
//!
//! bincode is no longer maintained, so only this file uses it. Every record has a version (the
//! frame's codec byte) and a limit of size when written and when read, and bincode decodes only
//! bytes whose checksum has been verified. When a type here gains a field, its old form must stay
//! readable under its version number.

use super::digest::Digest;
use super::frame::{self, FramedRecord, RecordKind};
use super::header::Header;
use super::places::Places;
use super::record_error::RecordError;
use super::saved_rules::{MAX_RULES_BYTES, SavedRules};
use crate::terrain::GroundStyle;
use crate::voxel::{ChunkPos, Material, MaterialId};
use serde::{Serialize, de::DeserializeOwned};

/// Version of the content that this program writes, for every kind.
const VERSION: u8 = 1;
/// Version of the content of headers with a style of the ground, by name, after the other fields.
const GROUND_VERSION: u8 = 2;
/// Version of the content of materials with a surface other than a cube's, its last field.
const SURFACE_VERSION: u8 = 2;

/// Converts a material's index to the key of its record.
pub(in crate::save) fn material_key(id: MaterialId) -> ChunkPos {
    ChunkPos::new(i32::from(id), 0, 0)
}

/// Encodes a value with bincode as a record.
fn write<T: Serialize>(
    kind: RecordKind,
    revision: u32,
    key: ChunkPos,
    value: &T,
) -> Result<Vec<u8>, RecordError> {
    write_version(VERSION, kind, revision, key, value)
}

/// Encodes a value with bincode as a record of a version.
fn write_version<T: Serialize>(
    version: u8,
    kind: RecordKind,
    revision: u32,
    key: ChunkPos,
    value: &T,
) -> Result<Vec<u8>, RecordError> {
    let data = bincode::serde::encode_to_vec(value, bincode::config::standard())
        .map_err(|e| RecordError::Bincode(e.to_string()))?;
    if data.len() > kind.max_data() {
        return Err(RecordError::TooLarge { len: data.len(), limit: kind.max_data() });
    }
    Ok(frame::seal(kind, version, revision, key, data.len(), &data))
}

/// Decodes a value with bincode from a record.
fn read<T: DeserializeOwned>(record: &FramedRecord<'_>) -> Result<T, RecordError> {
    if record.frame.codec != VERSION {
        return Err(RecordError::Version(record.frame.codec));
    }
    decode(record.data)
}

/// Decodes a value from the content of a record.
fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, RecordError> {
    // The limit of the largest kinds; the frame has checked the limit of this kind.
    let config = bincode::config::standard().with_limit::<{ RecordKind::Header.max_data() }>();
    let (value, used) = bincode::serde::decode_from_slice(data, config)
        .map_err(|e| RecordError::Bincode(e.to_string()))?;
    match data.len() - used {
        0 => Ok(value),
        rest => Err(RecordError::Trailing(rest)),
    }
}

pub(in crate::save) fn write_header(
    header: &Header,
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    let key = ChunkPos::default();
    match header.ground {
        // The style is not written, so earlier versions of the program read the record.
        GroundStyle::Blocks => write(RecordKind::Header, revision, key, header),
        ground => {
            let content = (header, ground.name());
            write_version(GROUND_VERSION, RecordKind::Header, revision, key, &content)
        }
    }
}

pub(in crate::save) fn read_header(record: &FramedRecord<'_>) -> Result<Header, RecordError> {
    let header = match record.frame.codec {
        GROUND_VERSION => {
            let (header, ground): (Header, String) = decode(record.data)?;
            let ground = ground.parse().map_err(|_| RecordError::Ground(ground))?;
            Header { ground, ..header }
        }
        _ => read(record)?,
    };
    Ok(header.sanitised())
}

pub(in crate::save) fn write_material(
    id: MaterialId,
    material: &Material,
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    // The surface `Cube` is not written, so earlier versions of the program read the record.
    let version = if material.surface.is_cube() { VERSION } else { SURFACE_VERSION };
    write_version(version, RecordKind::Material, revision, material_key(id), material)
}

pub(in crate::save) fn read_material(record: &FramedRecord<'_>) -> Result<Material, RecordError> {
    match record.frame.codec {
        // bincode has no default for a missing field: add the number of `SurfaceRule::Cube`.
        VERSION => decode(&[record.data, &[0]].concat()),
        SURFACE_VERSION => decode(record.data),
        version => Err(RecordError::Version(version)),
    }
}

pub(in crate::save) fn write_digest(
    digest: &Digest,
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    write(RecordKind::Digest, revision, ChunkPos::default(), digest)
}

pub(in crate::save) fn read_digest(record: &FramedRecord<'_>) -> Result<Digest, RecordError> {
    read(record)
}

pub(in crate::save) fn write_places(
    places: &Places,
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    write(RecordKind::Places, revision, ChunkPos::default(), places)
}

pub(in crate::save) fn read_places(record: &FramedRecord<'_>) -> Result<Places, RecordError> {
    read(record).map(Places::sanitised)
}

pub(in crate::save) fn write_rules(
    rules: &SavedRules,
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    check_rules(rules)?;
    write(RecordKind::Rules, revision, ChunkPos::default(), rules)
}

pub(in crate::save) fn read_rules(record: &FramedRecord<'_>) -> Result<SavedRules, RecordError> {
    let rules = read(record)?;
    check_rules(&rules).map(|()| rules)
}

/// Refuses a text that leaves no room for the number of a later step.
fn check_rules(rules: &SavedRules) -> Result<(), RecordError> {
    match rules.text.len() {
        len if len > MAX_RULES_BYTES => Err(RecordError::TooLarge { len, limit: MAX_RULES_BYTES }),
        _ => Ok(()),
    }
}

/// Encodes the record of the creatures, which encode themselves.
pub(in crate::save) fn write_creatures(
    creatures: &[u8],
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    let len = creatures.len();
    let limit = RecordKind::Creatures.max_data();
    if len > limit {
        return Err(RecordError::TooLarge { len, limit });
    }
    Ok(frame::seal(RecordKind::Creatures, 1, revision, ChunkPos::default(), len, creatures))
}

/// Encodes the record of a seed word, in UTF-8.
pub(in crate::save) fn write_seed_word(word: &str, revision: u32) -> Vec<u8> {
    frame::seal(RecordKind::SeedWord, 1, revision, ChunkPos::default(), word.len(), word.as_bytes())
}

/// Encodes the record of a picture, a PNG file.
pub(in crate::save) fn write_picture(picture: &[u8], revision: u32) -> Vec<u8> {
    frame::seal(RecordKind::Picture, 1, revision, ChunkPos::default(), picture.len(), picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::format::places::{MAX_NAME_CHARS, MAX_PLACES, NamedPlace};
    use crate::save::format::schema;
    use crate::voxel::{Faces, MaterialTable, Matter, Opacity, Shape, SurfaceRule, TorchMount};

    #[test]
    fn header_and_materials_round_trip() {
        let header = Header::new(42, "continents", 1_700_000_000);
        let bytes = write_header(&header, 3).unwrap();
        assert_eq!(frame::parse(&bytes).unwrap().frame.codec, VERSION);
        assert_eq!(read_header(&frame::parse(&bytes).unwrap()), Ok(header.clone()));
        let smooth = Header { ground: GroundStyle::Smooth, ..header.clone() };
        let bytes = write_header(&smooth, 3).unwrap();
        assert_eq!(frame::parse(&bytes).unwrap().frame.codec, GROUND_VERSION);
        assert_eq!(read_header(&frame::parse(&bytes).unwrap()), Ok(smooth));
        let key = ChunkPos::default();
        let unknown = write_version(2, RecordKind::Header, 3, key, &(&header, "melted")).unwrap();
        let unknown = read_header(&frame::parse(&unknown).unwrap());
        assert_eq!(unknown, Err(RecordError::Ground("melted".to_owned())));
        let tinted = Material {
            faces: Faces::Column { top: "a".into(), bottom: "b".into(), side: "c".into() },
            tint: [1, 2, 3],
            opacity: Opacity::CutOut,
            matter: Matter::Plant,
            shape: Shape::Cross,
            light: 9,
            ..Material::plain("minecraft:torch", [0; 3])
        };
        let rough = Material { surface: SurfaceRule::Rough(90), ..tinted.clone() };
        let added = [(64, &tinted), (65, &rough)];
        for (_, material) in MaterialTable::builtin().iter().chain(added) {
            let bytes = write_material(7, material, 1).unwrap();
            assert_eq!(read_material(&frame::parse(&bytes).unwrap()).as_ref(), Ok(material));
        }
    }

    #[test]
    fn shape_is_its_code_and_its_parameter() {
        let plain = Material { light: 9, ..Material::plain("a", [1, 2, 3]) };
        let bytes = |shape| {
            let record = write_material(7, &Material { shape, ..plain.clone() }, 1).unwrap();
            frame::parse(&record).unwrap().data.to_vec()
        };
        // Fields as in format 3: name, faces, tint, opacity, matter, shape, light.
        let cube = bytes(Shape::Cube);
        assert_eq!(cube, [&[1, b'a', 0, 5][..], b"plain", &[1, 2, 3, 0, 1, 0, 9]].concat());
        let end = |shape| bytes(shape)[cube.len() - 2..].to_vec();
        assert_eq!(end(Shape::Cross), [1, 9]);
        assert_eq!(
            TorchMount::ALL.map(|mount| end(Shape::Torch(mount))),
            [0, 1, 2, 3, 4].map(|mount| [2, mount, 9])
        );
        for shape in Shape::ALL {
            let row = shape.row();
            let expected: Vec<u8> =
                [row.code].into_iter().chain(row.parameter).chain([9]).collect();
            assert_eq!(end(shape), expected, "{shape:?}");
            assert!(
                row.first_format <= schema::VERSION,
                "{shape:?}: raise the version of the format"
            );
        }
    }

    #[test]
    fn places_round_trip_and_the_longest_list_fits() {
        let mut places = Places::default();
        for i in 0..MAX_PLACES {
            // Names of the maximum length, with characters of four bytes.
            let name = format!("{i:03}{}", "𝕏".repeat(MAX_NAME_CHARS - 3));
            places
                .add(NamedPlace { name, position: [1.5, -7.0, 1e6], yaw: 0.5, pitch: -0.5 })
                .unwrap();
        }
        let bytes = write_places(&places, 9).unwrap();
        assert_eq!(read_places(&frame::parse(&bytes).unwrap()), Ok(places));
    }

    #[test]
    fn content_too_large_of_unknown_version_or_trailing_is_refused() {
        let huge = Material::plain(&"x".repeat(5000), [0; 3]);
        assert!(matches!(
            write_material(1, &huge, 1),
            Err(RecordError::TooLarge { limit: 4096, .. })
        ));
        let data =
            bincode::serde::encode_to_vec(Digest::default(), bincode::config::standard()).unwrap();
        let sealed = |version, data: &[u8]| {
            frame::seal(RecordKind::Digest, version, 1, ChunkPos::default(), data.len(), data)
        };
        let read = |bytes: &[u8]| read_digest(&frame::parse(bytes).unwrap());
        assert!(read(&sealed(1, &data)).is_ok());
        assert_eq!(read(&sealed(2, &data)), Err(RecordError::Version(2)));
        assert_eq!(read(&sealed(1, &[&data[..], &[0]].concat())), Err(RecordError::Trailing(1)));
    }

    #[test]
    fn read_header_with_huge_string_length_fails_without_allocating() {
        // A string whose stated length is 2^60 bytes.
        let data = [5, 253, 0, 0, 0, 0, 0, 0, 0, 16, b'a'];
        let bytes =
            frame::seal(RecordKind::Header, VERSION, 1, ChunkPos::default(), data.len(), &data);
        assert!(read_header(&frame::parse(&bytes).unwrap()).is_err());
    }
}
