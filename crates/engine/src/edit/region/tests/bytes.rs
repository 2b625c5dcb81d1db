//! Encoding and decoding of regions.

use super::*;
use crate::codec::bit_rle;
use crate::edit::region::RegionBytesError;

#[test]
fn bytes_of_a_region_round_trip() {
    for (region, _) in shapes() {
        let bytes = region.to_bytes();
        assert_eq!(Region::from_bytes(&bytes), Ok(region.clone()));
        assert_eq!(Region::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        assert!(bytes.len() as u64 <= 5 + region.volume());
    }
}

#[test]
fn malformed_bytes_of_a_region_are_refused() {
    let dot = |at: IVec3| Region::from_shape(&Box3::spanning(at, at));
    let region = dot(IVec3::ZERO).union(&dot(IVec3::new(40, -7, 3)));
    let bytes = region.to_bytes();
    for len in 0..bytes.len() {
        assert!(
            matches!(Region::from_bytes(&bytes[..len]), Err(RegionBytesError::Truncated(at)) if at == len),
            "{len}"
        );
    }
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        Region::from_bytes(&bytes)
    };
    assert_eq!(changed(0, 2), Err(RegionBytesError::Version(2)));
    assert_eq!(changed(4, 1), Err(RegionBytesError::TooLarge(1 << 24 | 2)));
    assert_eq!(changed(8, 0x7f), Err(RegionBytesError::Position(5)), "outside the world");
    assert_eq!(
        changed(5, 9),
        Err(RegionBytesError::Position(5 + 14 + usize::from(bytes[17]))),
        "not sorted"
    );
    assert_eq!(
        Region::from_bytes(&[&bytes[..], &[0]].concat()),
        Err(RegionBytesError::Trailing(bytes.len()))
    );
    for tree in
        [Voxel::AIR, Voxel::full(2), INSIDE, Voxel::new(1, 9).with_liquid(8)].map(RunTree::uniform)
    {
        let voxels = bit_rle::encode(&tree);
        let mut bytes = vec![1, 1, 0, 0, 0];
        bytes.extend([0; 12]);
        bytes.extend((voxels.len() as u16).to_le_bytes());
        bytes.extend(voxels);
        assert_eq!(Region::from_bytes(&bytes), Err(RegionBytesError::Values(19)));
    }
    for (at, &byte) in bytes.iter().enumerate().skip(5) {
        for bit in 0..8 {
            if let Ok(region) = changed(at, byte ^ 1 << bit) {
                for tree in region.chunks.values() {
                    tree.check().expect("a sound tree");
                }
            }
        }
    }
}
