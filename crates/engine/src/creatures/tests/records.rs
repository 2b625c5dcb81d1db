//! Encoding and decoding of creatures.

use super::test_world::TestWorld;
use crate::creatures::populated::MAX_BLOCKS;
use crate::creatures::{CreatureKinds, CreatureRecordError, Creatures};
use crate::voxel::{ChunkPos, MaterialTable};
use glam::IVec3;

fn decode(bytes: &[u8]) -> Result<Creatures, CreatureRecordError> {
    Creatures::decode(bytes, CreatureKinds::builtin(&MaterialTable::builtin()).unwrap(), 9)
}

fn lived() -> TestWorld {
    let mut world = TestWorld::meadow();
    world.load_all();
    world.place("wolf", IVec3::new(3, 0, 3));
    world.run(100);
    let wolf = world.creatures.poses(0.0).find(|pose| pose.kind == 1).unwrap().id;
    assert!(world.creatures.pin(&[wolf], true) == 1 && world.creatures.len() > 8);
    world
}

#[test]
fn creatures_round_trip() {
    let world = lived();
    let bytes = world.creatures.encode();
    let read = decode(&bytes).unwrap();
    assert_eq!(read.encode(), bytes);
    assert_eq!(
        (read.len(), read.tick, read.next_id),
        (world.creatures.len(), world.creatures.tick, world.creatures.next_id)
    );
    for (motion, number) in read.motions.iter().zip(0..) {
        let index = world.creatures.motions.iter().position(|other| other.id == motion.id).unwrap();
        let other = &world.creatures.motions[index];
        assert_eq!(
            (motion.from, motion.kind, motion.is_pinned, motion.heading),
            (other.to, other.kind, other.is_pinned, other.heading),
            "{number}"
        );
    }
    assert_eq!(read.populated, world.creatures.populated);
    let none = Creatures::new(world.creatures.kinds().clone(), 9);
    assert_eq!(decode(&none.encode()).map(|read| read.len()), Ok(0));
}

#[test]
fn creature_of_unknown_kind_is_kept_for_programs_that_know_it() {
    let world = lived();
    let mut bytes = world.creatures.encode();
    let at = bytes.windows(4).position(|window| window == b"deer").unwrap();
    bytes[at] = b'b';
    let deer = world.creatures.poses(0.0).filter(|pose| pose.kind == 0).count();
    let without = decode(&bytes).unwrap();
    assert_eq!(without.len(), world.creatures.len() - deer);
    let mut kept = without.encode();
    assert_eq!(decode(&kept).unwrap().encode(), kept);
    let at = kept.windows(4).position(|window| window == b"beer").unwrap();
    let known = kept.windows(4).position(|window| window == b"deer").unwrap();
    kept[known] = b'b';
    kept[at] = b'd';
    let all = |creatures: &Creatures| {
        let mut all: Vec<_> =
            creatures.motions.iter().map(|motion| (motion.id, motion.kind, motion.to)).collect();
        all.sort_unstable_by_key(|(id, _, _)| *id);
        all
    };
    assert_eq!(all(&decode(&kept).unwrap()), all(&world.creatures));
}

/// A record with one creature of each of many kinds that this program does not know.
fn unknown_kinds(count: u8) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend([0; 8]);
    bytes.extend(u32::from(count).to_le_bytes());
    bytes.push(count);
    for kind in 0..count {
        bytes.extend([2, b'a' + kind / 16, b'a' + kind % 16]);
    }
    bytes.extend(u32::from(count).to_le_bytes());
    for kind in 0..count {
        bytes.extend(u32::from(kind).to_le_bytes());
        bytes.extend([kind, 0, 0]);
        bytes.extend([0; 12]);
    }
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn record_with_too_many_unknown_kinds_is_refused_instead_of_cut() {
    let kept = decode(&unknown_kinds(223)).unwrap();
    assert_eq!(kept.unknown.motions.len(), 223);
    assert_eq!(decode(&kept.encode()).unwrap().unknown.motions, kept.unknown.motions);
    for count in [224, 255] {
        assert_eq!(
            decode(&unknown_kinds(count)).err(),
            Some(CreatureRecordError::TooManyKinds),
            "{count}"
        );
    }
}

#[test]
fn populated_blocks_are_limited() {
    let mut full = Creatures::new(CreatureKinds::builtin(&MaterialTable::builtin()).unwrap(), 1);
    for number in 0..MAX_BLOCKS as i32 + 1 {
        let is_new = full.populated.insert(ChunkPos::new(number % 1000 * 8, number / 1000 * 8, 0));
        assert_eq!(is_new, number < MAX_BLOCKS as i32);
    }
    assert!(full.populated.insert(ChunkPos::new(1, 0, 0)), "its block is known");
    let mut bytes = full.encode();
    assert!(bytes.len() <= 16 << 20 && decode(&bytes).is_ok());
    let at = bytes.len() - 76 * MAX_BLOCKS - 4;
    bytes[at..at + 4].copy_from_slice(&(MAX_BLOCKS as u32 + 1).to_le_bytes());
    assert_eq!(decode(&bytes).err(), Some(CreatureRecordError::TooManyBlocks(MAX_BLOCKS + 1)));
}

#[test]
fn hostile_bytes_are_refused() {
    let bytes = lived().creatures.encode();
    for len in 0..bytes.len() {
        assert!(decode(&bytes[..len]).is_err(), "cut at {len}");
    }
    assert_eq!(decode(&[&bytes[..], &[0]].concat()).err(), Some(CreatureRecordError::Trailing(1)));
    assert_eq!(decode(&[2]).err(), Some(CreatureRecordError::Version(2)));
    // Decoding damaged bytes succeeds or fails, but never panics.
    for at in 0..bytes.len() {
        for value in [0, 0x7F, 0x80, 0xFF] {
            let mut bad = bytes.clone();
            bad[at] = value;
            if let Ok(read) = decode(&bad) {
                assert!(value != 0x7F || decode(&read.encode()).is_ok(), "byte {at}");
            }
        }
    }
    // Counts of creatures and blocks beyond the maximum.
    let mut huge =
        Creatures::new(CreatureKinds::builtin(&MaterialTable::builtin()).unwrap(), 1).encode();
    let len = huge.len();
    huge[len - 4..].fill(0xFF);
    assert_eq!(decode(&huge).err(), Some(CreatureRecordError::TooManyBlocks(u32::MAX as usize)));
    huge[len - 8..].fill(0xFF);
    assert_eq!(decode(&huge).err(), Some(CreatureRecordError::TooMany(u32::MAX)));
}
