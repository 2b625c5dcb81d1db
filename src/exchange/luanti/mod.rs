//! Luanti (formerly Minetest) schematics (`.mts`).
//!
//! From "Luanti Schematic File Format" of Luanti's documentation and the head of its `mg_schematic.h`: all big endian;
//! `MTSM`, version, size x, y, z; from version 3 a chance for each layer; names; then, under zlib, for all nodes (x fastest,
//! then y, then z) a name's index of 16 bits, then for all a chance, then for all a byte that some kinds of node use.
//!
//! Luanti's z grows to the north, ours to the south, and both have x east and y up: so z is turned round here, and nothing is
//! mirrored.
//!
//! A schematic is rolled when it is placed. Here everything that has a chance is placed. A node that has none leaves what
//! was there, which is air here; a layer that has none is left out, and what is above it comes down, as in Luanti.
//!
//! The three arrays are unpacked side by side, by three decoders at three places of the same data, so none of them is ever held.

mod names;

use super::bounded_read::read_whole;
use super::minecraft::{blocks::Blocks, with_surface};
use super::voxel_box::VoxelBox;
use super::{FormatError, ImportError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::Voxel;
use flate2::read::ZlibDecoder;
use glam::{I64Vec3, IVec3};
use names::Node;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file. Real ones have some thousand.
const MOST_BYTES: u64 = 64 << 20;
/// The newest version that is read.
const NEWEST: u16 = 4;

/// Imports a `.mts` file.
///
/// # Errors
/// The file cannot be read, is malformed or too large, holds nothing but air, or it was cancelled.
pub(super) fn import(path: &Path, target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, ImportError> {
    let bytes = read_whole(path, MOST_BYTES)?;
    from_bytes(&bytes, target, progress).map_err(|flaw| flaw.in_file(path))
}

/// Reads forward through the head of the file.
struct Head<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Head<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let rest = &self.bytes[self.at..];
        let missing = || {
            FormatError::new(
                format!("byte {}", self.at),
                format!("the file is cut off: {} bytes are missing", count - rest.len()),
            )
        };
        let taken = rest.get(..count).ok_or_else(missing)?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u16, FormatError> {
        self.take(2).map(|two| u16::from_be_bytes([two[0], two[1]]))
    }
}

fn from_bytes(bytes: &[u8], target: ImportTarget, progress: &mut Progress) -> Result<ImportSummary, FormatError> {
    let mut head = Head { bytes, at: 0 };
    if !bytes.starts_with(b"MTSM") {
        return Err(FormatError::new("byte 0", "this is no Luanti schematic: it does not begin with MTSM"));
    }
    head.at = 4;
    let version = head.number()?;
    if !(1..=NEWEST).contains(&version) {
        return Err(FormatError::new("byte 4", format!("its version is {version}; versions 1 to {NEWEST} are read")));
    }
    let [x, y, z] = [head.number()?, head.number()?, head.number()?].map(i64::from);
    let mut model = VoxelBox::new(I64Vec3::new(x, y, z), target)?;
    let layers = match version {
        3.. => head.take(y as usize)?.iter().map(|chance| chance_of(*chance, version) > 0).collect(),
        _ => vec![true; y as usize],
    };
    let mut blocks = Blocks::new();
    let mut kinds = Vec::new();
    // Each takes two bytes of the file at least.
    for i in 0..head.number()? {
        let length = head.number()?;
        let name = head.take(usize::from(length))?;
        let flaw = |reason| FormatError::new(format!("name {i}"), reason);
        let name = std::str::from_utf8(name).map_err(|_| flaw("it is not UTF-8".to_owned()))?;
        kinds.push(Node::new(name, &mut blocks).map_err(flaw)?);
    }
    let nodes = Nodes { version, layers, kinds, packed: &bytes[head.at..], at: head.at };
    nodes.fill(&mut model, &blocks, progress)?;
    model.finish(blocks.into_materials())
}

/// The chance, from 0 for never to 127 for always, that the byte means in this version.
fn chance_of(byte: u8, version: u16) -> u8 {
    if version < 4 { byte >> 1 } else { byte & 0x7F }
}

/// What is behind the head.
struct Nodes<'a> {
    version: u16,
    /// Which layers are placed.
    layers: Vec<bool>,
    kinds: Vec<Node>,
    packed: &'a [u8],
    /// Where `packed` begins in the file.
    at: usize,
}

impl Nodes<'_> {
    fn fill(self, model: &mut VoxelBox, blocks: &Blocks, progress: &mut Progress) -> Result<(), FormatError> {
        let size = model.size();
        let count = size.as_i64vec3().element_product() as u64;
        let flaw = |reason: io::Error| FormatError::new(format!("byte {}", self.at), unpacking(&reason));
        let array = |skip: u64| self.array(skip).map_err(flaw);
        let (mut contents, mut chances, mut params) = (array(0)?, array(2 * count)?, array(3 * count)?);
        let width = size.x as usize;
        let (mut content, mut chance, mut param) = (vec![0; 2 * width], vec![0; width], vec![0; width]);
        let sources = ["water", "lava"].map(|name| blocks.materials().find(name).map(Voxel::full));
        for z in 0..size.z {
            report(progress, z as f32 / size.z as f32)?;
            let place = |model: &mut VoxelBox, y: i32, row: &[Voxel], above: &[Voxel]| -> Result<(), FormatError> {
                for (x, (&here, &above)) in row.iter().zip(above).enumerate() {
                    let here = if sources.contains(&Some(here)) { with_surface(here, above) } else { here };
                    if !here.is_air() {
                        model.set(IVec3::new(x as i32, y, size.z - 1 - z), here, blocks.materials())?;
                    }
                }
                Ok(())
            };
            // The layer placed last waits until it is known what is above it.
            let (mut waiting, mut height): (Option<Vec<Voxel>>, _) = (None, 0);
            for (y, &there) in self.layers.iter().enumerate() {
                contents.read_exact(&mut content).map_err(flaw)?;
                chances.read_exact(&mut chance).map_err(flaw)?;
                params.read_exact(&mut param).map_err(flaw)?;
                let mut row = Vec::with_capacity(width);
                for x in 0..width {
                    let index = u16::from_be_bytes([content[2 * x], content[2 * x + 1]]);
                    let kind = self.kinds.get(usize::from(index)).ok_or_else(|| {
                        let reason = format!("it is of kind {index}, but there are {} names", self.kinds.len());
                        FormatError::new(format!("node ({x}, {y}, {z})"), reason)
                    })?;
                    row.push(if self.placed(chance[x]) { kind.voxel(param[x]) } else { Voxel::AIR });
                }
                if there {
                    if let Some(below) = &waiting {
                        place(model, height, below, &row)?;
                        height += 1;
                    }
                    waiting = Some(row);
                }
            }
            if let Some(below) = &waiting {
                place(model, height, below, &vec![Voxel::AIR; width])?;
            }
        }
        report(progress, 1.0)
    }

    /// One of the arrays: what is unpacked after so many bytes.
    fn array(&self, skip: u64) -> io::Result<impl Read> {
        let mut unpacked = ZlibDecoder::new(self.packed);
        // What ends before is found when it is read.
        io::copy(&mut unpacked.by_ref().take(skip), &mut io::sink())?;
        Ok(io::BufReader::new(unpacked))
    }

    /// Whether a node with this byte is ever placed.
    fn placed(&self, chance: u8) -> bool {
        // In version 1, 0 meant that nobody had said anything; what is not placed was called "ignore".
        chance_of(chance, self.version) > 0 || (self.version == 1 && chance == 0)
    }
}

fn unpacking(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "its packed nodes end too early".to_owned(),
        _ => format!("its nodes cannot be unpacked: {error}"),
    }
}

#[cfg(test)]
mod tests;
