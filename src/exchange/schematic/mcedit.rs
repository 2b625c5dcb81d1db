//! MCEdit's and WorldEdit's `.schematic`: numbers of blocks, from before 1.13.
//!
//! | entry | what |
//! |---|---|
//! | `Blocks` | the lower 8 bits of each number, a byte each |
//! | `Data` | 4 bits of data, a byte each |
//! | `AddBlocks` | bits 8 to 11 of each number, two blocks a byte |
//! | `Add` | the same, a byte each: old versions of Schematica |
//! | `SchematicaMapping` | which mod's block a number is, by name |
//!
//! Which of the two blocks has the upper half of a byte of `AddBlocks` is not agreed upon. The Minecraft wiki ("Schematic
//! file format") and Schematica give it to the first; WorldEdit gives it to the second, and so what has
//! WorldEdit's marks is read in its order.
//!
//! Numbers are Minecraft's own, but where the mapping names a block of a mod. Names of Minecraft's in it are not used: they
//! are those of its time (`minecraft:planks`), and need its numbers and data to mean anything today.

use super::Sides;
use super::stream::{Array, Packed, Span, Stream, tags};
use crate::exchange::minecraft::blocks::{Blocks, LONGEST_NAME, State};
use crate::exchange::voxel_box::VoxelBox;
use crate::exchange::{FormatError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::Voxel;
use glam::{I64Vec3, IVec3};
use rustc_hash::FxHashMap;

#[derive(Default)]
struct Head {
    sides: Sides,
    blocks: Option<Span>,
    data: Option<Span>,
    add_halves: Option<Span>,
    add_bytes: Option<Span>,
    /// What Minecraft's numbers mean differs between its editions.
    materials: Option<String>,
    /// Names by number.
    mapping: FxHashMap<u16, String>,
    has_mapping: bool,
    by_world_edit: bool,
}

impl Head {
    fn entry(&mut self, stream: &mut Stream, tag: u8, name: &str) -> Result<(), FormatError> {
        if self.sides.entry(stream, tag, name)? {
            return Ok(());
        }
        match name {
            "Blocks" => self.blocks = Some(stream.array(tag, tags::BYTES)?),
            "Data" => self.data = Some(stream.array(tag, tags::BYTES)?),
            "AddBlocks" => self.add_halves = Some(stream.array(tag, tags::BYTES)?),
            "Add" => self.add_bytes = Some(stream.array(tag, tags::BYTES)?),
            "Materials" => self.materials = Some(stream.text(tag)?),
            "SchematicaMapping" => {
                self.has_mapping = true;
                let mapping = &mut self.mapping;
                stream.entries(tag, &mut |stream, tag, name| {
                    let number = stream.number(tag)?;
                    if name.len() > LONGEST_NAME {
                        return Err(stream.flaw(format!("a block's name is {} bytes long", name.len())));
                    }
                    // Beyond 4095 nothing can have the number.
                    if let Ok(number @ ..4096) = u16::try_from(number)
                        && !name.starts_with("minecraft:")
                    {
                        mapping.insert(number, name.to_owned());
                    }
                    Ok(())
                })?;
            }
            _ => {
                self.by_world_edit |= matches!(name, "WEOffsetX" | "WEOriginX");
                stream.skip(tag)?;
            }
        }
        Ok(())
    }

    /// Makes sure that the arrays have the lengths that the size asks for.
    fn check(&self, size: I64Vec3) -> Result<(), FormatError> {
        // No side is longer than 16 bits unless it is refused anyway; saturated, it fits no array.
        let blocks = size.to_array().into_iter().fold(1, |product: i64, side| product.saturating_mul(side)) as u64;
        for (name, span, expected) in [
            ("Blocks", self.blocks, blocks),
            ("Data", self.data, blocks),
            ("Add", self.add_bytes, blocks),
            ("AddBlocks", self.add_halves, blocks.div_ceil(2)),
        ] {
            if let Some(Span { bytes, .. }) = span.filter(|span| span.bytes != expected) {
                let reason = format!("{} x {} x {} blocks need {expected} bytes, not {bytes}", size.x, size.y, size.z);
                return Err(FormatError::new(name, reason));
            }
        }
        Ok(())
    }
}

/// The upper four bits of each number.
enum Upper<'a> {
    None,
    Bytes(Array<'a>),
    Halves { array: Array<'a>, high_first: bool, held: Option<u8> },
}

impl Upper<'_> {
    fn next(&mut self) -> Result<u16, String> {
        Ok(u16::from(match self {
            Upper::None => 0,
            Upper::Bytes(array) => array.byte()? & 15,
            Upper::Halves { array, high_first, held } => match held.take() {
                Some(half) => half,
                None => {
                    let byte = array.byte()?;
                    let (first, second) = if *high_first { (byte >> 4, byte & 15) } else { (byte & 15, byte >> 4) };
                    *held = Some(second);
                    first
                }
            },
        }))
    }
}

pub(super) fn read(
    packed: &Packed,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let mut head = Head::default();
    packed.walk(&mut |stream, tag, name| head.entry(stream, tag, name))?;
    report(progress, 0.2)?;
    if let Some(other) = head.materials.as_ref().filter(|materials| *materials != "Alpha") {
        let other: String = other.chars().filter(|c| !c.is_control()).take(20).collect();
        let reason = format!("they are those of \"{other}\"; only those of \"Alpha\", the Java Edition, are read");
        return Err(FormatError::new("Materials", reason));
    }
    let size = head.sides.size()?;
    let missing = |name: &str| FormatError::new(name, "it is missing");
    let blocks = head.blocks.ok_or_else(|| missing("Blocks"))?;
    head.check(size)?;
    let mut model = VoxelBox::new(size, target)?;

    let mut numbers = packed.array(blocks)?;
    let mut data = head.data.map(|span| packed.array(span)).transpose()?;
    let mut upper = match (head.add_halves, head.add_bytes) {
        (Some(halves), _) => {
            let high_first = head.has_mapping || !head.by_world_edit;
            Upper::Halves { array: packed.array(halves)?, high_first, held: None }
        }
        (None, Some(bytes)) => Upper::Bytes(packed.array(bytes)?),
        (None, None) => Upper::None,
    };
    let mut kinds = Kinds { blocks: Blocks::new(), mapping: head.mapping, last: None };
    let size = model.size();
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let mut next = || {
                let number = u16::from(numbers.byte()?) | upper.next()? << 8;
                let data = data.as_mut().map_or(Ok(0), Array::byte)?;
                kinds.voxel(number, data & 15)
            };
            let voxel = next().map_err(|reason| FormatError::new(format!("block ({x}, {y}, {z})"), reason))?;
            if !voxel.is_air() {
                model.set(IVec3::new(x, y, z), voxel, kinds.blocks.materials())?;
            }
        }
        report(progress, 0.2 + 0.8 * (y + 1) as f32 / size.y as f32)?;
    }
    model.finish(kinds.blocks.into_materials())
}

/// What the numbers mean in this file.
struct Kinds {
    blocks: Blocks,
    mapping: FxHashMap<u16, String>,
    last: Option<((u16, u8), Voxel)>,
}

impl Kinds {
    fn voxel(&mut self, number: u16, data: u8) -> Result<Voxel, String> {
        if let Some((same, voxel)) = self.last
            && same == (number, data)
        {
            return Ok(voxel);
        }
        let voxel = match self.mapping.get(&number) {
            Some(name) => self.blocks.state(&State { name: name.as_str().into(), properties: None })?,
            None => self.blocks.numbered(number, data)?,
        };
        self.last = Some(((number, data), voxel));
        Ok(voxel)
    }
}
