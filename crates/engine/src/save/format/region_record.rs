//! The record of a named region: any set of voxels that a builder has saved.
//!
//! ```text
//! name      u8: length in bytes, then UTF-8
//! body      the rest: the region, as `crate::edit::region` encodes it
//! ```
//!
//! The key of the record is the number of its row.

use super::frame::{self, FRAME_BYTES, FramedRecord, RecordKind};
use super::places::clean_name;
use super::record_error::RecordError;
use crate::voxel::ChunkPos;

/// Version of the content.
const VERSION: u8 = 1;
/// Maximum number of bytes of an encoded region.
pub const MAX_REGION_BYTES: usize =
    RecordKind::Region.max_data() - FRAME_BYTES - 1 - u8::MAX as usize;

/// Converts a region's number to the key of its record.
fn region_key(number: u64) -> ChunkPos {
    ChunkPos::new(number as i32, (number >> 32) as i32, 0)
}

/// Encodes the record of a region.
///
/// # Errors
/// The name is not in the form that [`clean_name`] returns, or the region is too large.
pub(in crate::save) fn write_region(
    number: u64,
    name: &str,
    region: &[u8],
    revision: u32,
) -> Result<Vec<u8>, RecordError> {
    if name.is_empty() || clean_name(name) != name {
        return Err(RecordError::Name);
    }
    if region.len() > MAX_REGION_BYTES {
        return Err(RecordError::TooLarge { len: region.len(), limit: MAX_REGION_BYTES });
    }
    // A clean name has at most 40 characters of four bytes, so its length fits into a byte.
    let content = [&[name.len() as u8], name.as_bytes(), region].concat();
    Ok(frame::seal(
        RecordKind::Region,
        VERSION,
        revision,
        region_key(number),
        content.len(),
        &content,
    ))
}

/// Decodes the record of region `number`: its name and bytes.
pub(in crate::save) fn read_region(
    record: &[u8],
    number: u64,
) -> Result<(&str, &[u8]), RecordError> {
    read_content(&frame::parse_as(record, RecordKind::Region, region_key(number))?)
}

/// Decodes the record of a region without checking its number: its name and bytes.
pub(in crate::save) fn read_content<'a>(
    record: &FramedRecord<'a>,
) -> Result<(&'a str, &'a [u8]), RecordError> {
    if record.frame.codec != VERSION {
        return Err(RecordError::Version(record.frame.codec));
    }
    let (length, rest) = record.data.split_first().ok_or(RecordError::Truncated)?;
    let (name, region) =
        rest.split_at_checked(usize::from(*length)).ok_or(RecordError::Truncated)?;
    let name = std::str::from_utf8(name).map_err(|_| RecordError::Name)?;
    if name.is_empty() || clean_name(name) != name {
        return Err(RecordError::Name);
    }
    Ok((name, region))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_round_trips_and_bad_names_are_refused() {
        let number = 3 << 32 | 0xFFFF_FFF0;
        let record = write_region(number, "the Mühle", b"bytes", 7).unwrap();
        assert_eq!(read_region(&record, number), Ok(("the Mühle", &b"bytes"[..])));
        assert!(read_region(&record, 3).is_err());
        for bad in ["", " a", "a  b", "a\nb", &"x".repeat(41)] {
            assert_eq!(write_region(1, bad, b"", 1), Err(RecordError::Name), "{bad:?}");
        }
        let sealed = |codec, content: &[u8]| {
            frame::seal(RecordKind::Region, codec, 1, region_key(1), content.len(), content)
        };
        for (codec, content, error) in [
            (2, &b"\x01a"[..], RecordError::Version(2)),
            (1, b"", RecordError::Truncated),
            (1, b"\x02a", RecordError::Truncated),
            (1, b"\x00abc", RecordError::Name),
            (1, b"\x01\xFF", RecordError::Name),
            (1, b"\x02 a", RecordError::Name),
        ] {
            assert_eq!(read_region(&sealed(codec, content), 1), Err(error), "{content:?}");
        }
        let longest = "ö".repeat(40);
        assert_eq!(
            read_region(&write_region(1, &longest, b"", 1).unwrap(), 1),
            Ok((&*longest, &b""[..]))
        );
    }
}
