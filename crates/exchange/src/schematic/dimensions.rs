//! The size of a schematic: its entries `Width`, `Height` and `Length`.

use crate::error::FormatError;
use crate::minecraft::nbt_format::tags;
use crate::minecraft::nbt_stream::NbtStream;
use glam::I64Vec3;

/// `Width`, `Height` and `Length` as far as read. They may come before or after the blocks.
#[derive(Default)]
pub(super) struct Dimensions([Option<i64>; 3]);

impl Dimensions {
    /// Reads the entry `name` if it is a dimension, and returns whether it was one.
    ///
    /// # Errors
    /// The value is not an integer.
    pub(super) fn read_entry(
        &mut self,
        stream: &mut NbtStream,
        tag: u8,
        name: &str,
    ) -> Result<bool, FormatError> {
        let axis = match name {
            "Width" => 0,
            "Height" => 1,
            "Length" => 2,
            _ => return Ok(false),
        };
        // Unlike other shorts in NBT, dimensions are unsigned.
        let side = match stream.integer(tag)? {
            short if tag == tags::SHORT => i64::from(short as u16),
            side => side,
        };
        self.0[axis] = Some(side);
        Ok(true)
    }

    /// The size in blocks: x, y, z.
    ///
    /// # Errors
    /// A dimension is missing.
    pub(super) fn size(&self) -> Result<I64Vec3, FormatError> {
        let [x, y, z] = [(0, "Width"), (1, "Height"), (2, "Length")].map(|(axis, name)| {
            self.0[axis].ok_or_else(|| FormatError::new("size", format!("there is no {name}")))
        });
        Ok(I64Vec3::new(x?, y?, z?))
    }
}

/// Number of blocks of a box, saturated; negative if an odd number of sides is negative.
pub(super) fn saturating_volume(size: I64Vec3) -> i64 {
    size.to_array().into_iter().fold(1, i64::saturating_mul)
}
