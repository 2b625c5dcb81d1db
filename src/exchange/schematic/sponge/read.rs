//! Reads all three versions.

use super::super::stream::{Packed, Span, Stream, tags};
use super::super::{MOST_KINDS, Sides};
use super::occupancy::Replay;
use crate::exchange::minecraft::blocks::Blocks;
use crate::exchange::minecraft::names;
use crate::exchange::voxel_box::VoxelBox;
use crate::exchange::{FormatError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::Voxel;
use glam::IVec3;

struct Head {
    version: Option<i64>,
    sides: Sides,
    blocks: Blocks,
    /// By index; [`Voxel::NOT_LOADED`] where the palette has none.
    kinds: Vec<Voxel>,
    data: Option<Span>,
    occupancies: Option<Span>,
    /// Of the data that the occupancies belong to.
    checksum: Option<u32>,
}

impl Head {
    /// An entry of the outermost compound, or of the one in it that holds everything since version 3.
    fn entry(&mut self, stream: &mut Stream, tag: u8, name: &str, outermost: bool) -> Result<(), FormatError> {
        if self.sides.entry(stream, tag, name)? {
            return Ok(());
        }
        match (name, tag) {
            ("Schematic", tags::COMPOUND) if outermost => {
                stream.entries(tag, &mut |stream, tag, name| self.entry(stream, tag, name, false))
            }
            ("Version", _) => {
                self.version = Some(stream.number(tag)?);
                Ok(())
            }
            ("Blocks", tags::COMPOUND) => stream.entries(tag, &mut |stream, tag, name| match name {
                "Palette" => self.palette(stream, tag),
                "Data" => self.data(stream, tag),
                _ => stream.skip(tag),
            }),
            ("Palette", _) => self.palette(stream, tag),
            ("BlockData", _) => self.data(stream, tag),
            ("Metadata", tags::COMPOUND) => stream.entries(tag, &mut |stream, tag, name| match (name, tag) {
                ("Stonerun", tags::COMPOUND) => {
                    stream.entries(tag, &mut |stream, tag, name| self.ours(stream, tag, name))
                }
                _ => stream.skip(tag),
            }),
            _ => stream.skip(tag),
        }
    }

    fn palette(&mut self, stream: &mut Stream, tag: u8) -> Result<(), FormatError> {
        stream.entries(tag, &mut |stream, tag, name| {
            let index = stream.number(tag)?;
            let Some(index) = usize::try_from(index).ok().filter(|index| *index < MOST_KINDS) else {
                return Err(
                    stream.flaw(format!("a kind of block has the index {index}; they are read below {MOST_KINDS}"))
                );
            };
            let voxel = names::state(name).and_then(|state| self.blocks.state(&state));
            let voxel = voxel.map_err(|reason| stream.flaw(reason))?;
            if index >= self.kinds.len() {
                self.kinds.resize(index + 1, Voxel::NOT_LOADED);
            }
            self.kinds[index] = voxel;
            Ok(())
        })
    }

    fn data(&mut self, stream: &mut Stream, tag: u8) -> Result<(), FormatError> {
        self.data = Some(stream.array(tag, tags::BYTES)?);
        Ok(())
    }

    fn ours(&mut self, stream: &mut Stream, tag: u8, name: &str) -> Result<(), FormatError> {
        match name {
            "Occupancies" => self.occupancies = Some(stream.array(tag, tags::BYTES)?),
            // The same 32 bits, which NBT takes for a signed number.
            "Checksum" => self.checksum = Some(stream.number(tag)? as u32),
            _ => stream.skip(tag)?,
        }
        Ok(())
    }
}

pub(in crate::exchange::schematic) fn read(
    packed: &Packed,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut head = Head {
        version: None,
        sides: Sides::default(),
        blocks: Blocks::new(),
        kinds: vec![],
        data: None,
        occupancies: None,
        checksum: None,
    };
    packed.walk(&mut |stream, tag, name| head.entry(stream, tag, name, true))?;
    report(progress, 0.2)?;
    match head.version {
        Some(1..=3) => {}
        Some(other) => return Err(FormatError::new("Version", format!("it is {other}; 1, 2 and 3 are read"))),
        None => return Err(FormatError::new("Version", "it is missing")),
    }
    let size = head.sides.size()?;
    let span = head.data.ok_or_else(|| FormatError::new("blocks", "there are none"))?;
    // Each block needs a byte at least; so nothing is made for a size that is not there.
    let blocks = size.to_array().into_iter().fold(1, |product: i64, side| product.saturating_mul(side));
    if u64::try_from(blocks).is_ok_and(|blocks| span.bytes < blocks) {
        let reason = format!("{} x {} x {} blocks do not fit into {} bytes", size.x, size.y, size.z, span.bytes);
        return Err(FormatError::new("blocks", reason));
    }
    let mut model = VoxelBox::new(size, target)?;
    let mut data = packed.array(span)?;
    let ours = head.occupancies.filter(|_| head.checksum == Some(span.checksum));
    let mut occupancies = Replay::new(ours.map(|ours| packed.array(ours)).transpose()?);
    let size = model.size();
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let mut next = || {
                let index = data.varint()?;
                let voxel = head.kinds.get(index as usize).filter(|voxel| **voxel != Voxel::NOT_LOADED);
                let voxel = *voxel.ok_or_else(|| format!("it is of kind {index}, which the palette does not have"))?;
                Ok(match occupancies.next()? {
                    Some(occupancy) => Voxel::new(voxel.material(), occupancy),
                    None => voxel,
                })
            };
            let voxel = next().map_err(|reason: String| FormatError::new(format!("block ({x}, {y}, {z})"), reason))?;
            if !voxel.is_air() {
                model.set(IVec3::new(x, y, z), voxel, head.blocks.materials())?;
            }
        }
        report(progress, 0.2 + 0.8 * (y + 1) as f32 / size.y as f32)?;
    }
    if !data.is_done() {
        return Err(FormatError::new(
            "blocks",
            format!("there are more than {} x {} x {} of them", size.x, size.y, size.z),
        ));
    }
    model.finish(head.blocks.into_materials())
}
