//! Litematica's `.litematic`: one or more boxes of blocks ("regions"), each with a palette and packed indices.
//!
//! A region reaches from its `Position` over its `Size`, whose sides are negative where it was drawn towards lower
//! coordinates; its blocks begin at the lowest corner all the same. An index has as many bits as the palette needs, two
//! at least, and goes on in the next long where it does not fit into one. (Read from the mod's own `LitematicaBitArray` and
//! `LitematicaBlockStateContainer`; there is no text that describes the format.)
//!
//! Where regions overlap, the later one in the file wins, but its air takes nothing away: a region is a box
//! around a building more often than a box of air.

use super::MOST_KINDS;
use super::stream::{Array, Packed, Span, Stream, tags};
use crate::exchange::minecraft::blocks::{Blocks, Properties, State};
use crate::exchange::voxel_box::VoxelBox;
use crate::exchange::{FormatError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::{MaterialTable, Voxel};
use glam::{I64Vec3, IVec3};

/// The most regions.
const MOST_REGIONS: usize = 1 << 14;
/// The most blocks of all regions together: they could all be in the same place.
const MOST_BLOCKS: i64 = 1 << 28;

#[derive(Default)]
struct Region {
    /// For errors: not all of a name, of which a file may have many, of 64 KiB each.
    place: String,
    position: Option<I64Vec3>,
    size: Option<I64Vec3>,
    kinds: Vec<Voxel>,
    states: Option<Span>,
}

/// A region whose parts fit together.
struct Sound {
    place: String,
    min: I64Vec3,
    size: I64Vec3,
    kinds: Vec<Voxel>,
    states: Span,
    bits: u32,
}

/// Where in the file; a name may hold anything.
fn place(name: &str) -> String {
    let name: String = name.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("region \"{name}\"")
}

impl Region {
    /// `room` is how many more kinds of blocks may be held.
    fn entry(
        &mut self,
        stream: &mut Stream,
        tag: u8,
        name: &str,
        blocks: &mut Blocks,
        room: usize,
    ) -> Result<(), FormatError> {
        match name {
            "Position" => self.position = Some(vector(stream, tag)?),
            "Size" => self.size = Some(vector(stream, tag)?),
            "BlockStates" => self.states = Some(stream.array(tag, tags::LONGS)?),
            "BlockStatePalette" => {
                self.kinds.clear();
                stream.list(tag, &mut |stream, tag| {
                    if self.kinds.len() == room {
                        return Err(stream.flaw(format!("there are more than {MOST_KINDS} kinds of blocks")));
                    }
                    let state = state(stream, tag)?;
                    self.kinds.push(blocks.state(&state).map_err(|reason| stream.flaw(reason))?);
                    Ok(())
                })?;
            }
            _ => stream.skip(tag)?,
        }
        Ok(())
    }

    fn sound(self) -> Result<Sound, FormatError> {
        let flaw = |reason: String| FormatError::new(self.place.as_str(), reason);
        let missing = |part: &str| flaw(format!("there is no {part}"));
        let position = self.position.ok_or_else(|| missing("Position"))?;
        let size = self.size.ok_or_else(|| missing("Size"))?;
        let states = self.states.ok_or_else(|| missing("BlockStates"))?;
        if self.kinds.is_empty() {
            return Err(missing("BlockStatePalette"));
        }
        // All of 32 bits: no sum leaves 64.
        let min = position + (size + I64Vec3::ONE).min(I64Vec3::ZERO);
        let size = size.abs();
        let [x, y, z] = size.to_array();
        // Each of 32 bits: the first product fits.
        let blocks = (x * y).checked_mul(z).filter(|blocks| (1..=MOST_BLOCKS).contains(blocks));
        let blocks = blocks.ok_or_else(|| {
            flaw(format!("it is {x} x {y} x {z} blocks large; at least one and at most {MOST_BLOCKS} are read"))
        })?;
        let bits = (usize::BITS - (self.kinds.len() - 1).leading_zeros()).max(2);
        let longs = (blocks as u64 * u64::from(bits)).div_ceil(64);
        if states.bytes != longs * 8 {
            return Err(flaw(format!(
                "{x} x {y} x {z} blocks of {} kinds need {longs} longs of indices, not {}",
                self.kinds.len(),
                states.bytes / 8
            )));
        }
        Ok(Sound { place: self.place, min, size, kinds: self.kinds, states, bits })
    }
}

/// `x`, `y` and `z`, of 32 bits each.
fn vector(stream: &mut Stream, tag: u8) -> Result<I64Vec3, FormatError> {
    let mut parts = [None; 3];
    stream.entries(tag, &mut |stream, tag, name| {
        match ["x", "y", "z"].iter().position(|axis| *axis == name) {
            Some(axis) => parts[axis] = Some(stream.number(tag)?),
            None => stream.skip(tag)?,
        }
        Ok(())
    })?;
    let fits = |part: Option<i64>| part.filter(|part| i32::try_from(*part).is_ok());
    match parts.map(fits) {
        [Some(x), Some(y), Some(z)] => Ok(I64Vec3::new(x, y, z)),
        _ => Err(stream.flaw("a position or size is not x, y and z of 32 bits")),
    }
}

/// An entry of a palette.
fn state(stream: &mut Stream, tag: u8) -> Result<State<'static>, FormatError> {
    let (mut block, mut properties) = (None, Properties::default());
    stream.entries(tag, &mut |stream, tag, name| {
        match name {
            "Name" => block = Some(stream.text(tag)?),
            "Properties" => stream.entries(tag, &mut |stream, tag, name| match properties.named(name) {
                Some(property) => stream.text(tag).map(|value| *property = Some(value.into())),
                None => stream.skip(tag),
            })?,
            _ => stream.skip(tag)?,
        }
        Ok(())
    })?;
    let name = block.ok_or_else(|| stream.flaw("a kind of block has no Name"))?;
    Ok(State { name: name.into(), properties: Some(Box::new(properties)) })
}

pub(super) fn read(
    packed: &Packed,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, FormatError> {
    let (mut blocks, mut regions, mut kinds) = (Blocks::new(), vec![], 0);
    packed.walk(&mut |stream, tag, name| {
        if name != "Regions" {
            return stream.skip(tag);
        }
        stream.entries(tag, &mut |stream, tag, name| {
            if regions.len() == MOST_REGIONS {
                return Err(stream.flaw(format!("there are more than {MOST_REGIONS} regions")));
            }
            let mut region = Region { place: place(name), ..Region::default() };
            let room = MOST_KINDS - kinds;
            stream.entries(tag, &mut |stream, tag, name| region.entry(stream, tag, name, &mut blocks, room))?;
            kinds += region.kinds.len();
            regions.push(region);
            Ok(())
        })
    })?;
    report(progress, 0.2)?;
    let regions = regions.into_iter().map(Region::sound).collect::<Result<Vec<_>, _>>()?;
    let Some(min) = regions.iter().map(|region| region.min).reduce(I64Vec3::min) else {
        return Err(FormatError::new("Regions", "there is none"));
    };
    // Each is at most 2^28, and there are 2^14.
    let all: i64 = regions.iter().map(|region| region.size.element_product()).sum();
    if all > MOST_BLOCKS {
        return Err(FormatError::new(
            "Regions",
            format!("they hold {all} blocks together; {MOST_BLOCKS} are the most"),
        ));
    }
    let max = regions.iter().map(|region| region.min + region.size).fold(min, I64Vec3::max);
    let mut model = VoxelBox::new(max - min, target)?;
    let materials = blocks.into_materials();
    let mut done = 0;
    // They lie in the order in which they were found.
    let mut arrays = packed.arrays();
    for region in &regions {
        let mut within = |blocks: i64| report(progress, 0.2 + 0.8 * (done + blocks) as f32 / all as f32);
        fill(
            arrays.array(region.states)?,
            region,
            (region.min - min).as_ivec3(),
            (&mut model, &materials),
            &mut within,
        )?;
        done += region.size.element_product();
    }
    model.finish(materials)
}

/// Sets the blocks of a region that are not air; its lowest corner comes to `at`.
fn fill(
    mut states: Array,
    region: &Sound,
    at: IVec3,
    (model, materials): (&mut VoxelBox, &MaterialTable),
    progress: &mut dyn FnMut(i64) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    // Indices that were read, the next one lowest, and how many bits of them there are.
    let (mut held, mut count) = (0u128, 0);
    let size = region.size.as_ivec3();
    for y in 0..size.y {
        for (z, x) in (0..size.z).flat_map(|z| (0..size.x).map(move |x| (z, x))) {
            let flaw = |reason: String| FormatError::new(format!("{}, block ({x}, {y}, {z})", region.place), reason);
            if count < region.bits {
                held |= u128::from(states.long().map_err(flaw)?) << count;
                count += 64;
            }
            let index = (held & ((1 << region.bits) - 1)) as usize;
            held >>= region.bits;
            count -= region.bits;
            let Some(&voxel) = region.kinds.get(index) else {
                return Err(flaw(format!("it is of kind {index}, but there are {} kinds", region.kinds.len())));
            };
            if !voxel.is_air() {
                model.set(at + IVec3::new(x, y, z), voxel, materials)?;
            }
        }
        progress(i64::from(y + 1) * i64::from(size.x) * i64::from(size.z))?;
    }
    Ok(())
}
