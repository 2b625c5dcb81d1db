//! The packed arrays of nodes, placed row by row.

use super::node_types::{LostPart, NodeType};
use crate::error::FormatError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::liquid::LiquidSurfaces;
use crate::packed_stream::{Container, PackedStream, PackedStreamError};
use crate::progress::{Progress, report};
use crate::voxel_box::VoxelBox;
use glam::IVec3;
use std::io::{self, Read};
use stonerun_engine::voxel::{MaterialTable, Voxel};

/// True if a chance byte means that its node or layer is placed sometimes or always.
///
/// Up to version 3 the byte is a chance of 0 to 255 in steps of two. In version 4 it is a chance of
/// 0 to 127, and bit 7 forces the placement over other nodes.
pub(super) fn is_placed(chance: u8, version: u16) -> bool {
    let chance = if version < 4 { chance >> 1 } else { chance & 0x7F };
    chance > 0
}

/// Properties of nodes that their voxels do not keep.
#[derive(Default)]
pub(super) struct NodeLosses {
    /// Slabs that do not lie at the bottom.
    pub shapes: u64,
    /// Nodes with a param2 whose meaning only their mod knows, often a direction.
    pub param2s: u64,
    /// Nodes that Luanti places sometimes.
    pub chances: u64,
    /// Fault after the nodes.
    pub end_fault: Option<PackedStreamError>,
}

impl NodeLosses {
    fn add(&mut self, node_type: &NodeType, param2: u8, is_certain: bool) {
        self.chances += u64::from(!is_certain && !node_type.is_air());
        match node_type.lost_part(param2) {
            Some(LostPart::Shape) => self.shapes += 1,
            Some(LostPart::Param2) => self.param2s += 1,
            None => {}
        }
    }
}

/// Writes rows of nodes to a box.
struct RowTarget<'a, 'b> {
    voxels: &'a mut VoxelBox<'b>,
    materials: &'a MaterialTable,
    surfaces: LiquidSurfaces,
}

impl<'a, 'b> RowTarget<'a, 'b> {
    fn new(voxels: &'a mut VoxelBox<'b>, blocks: &'a BlockMapper) -> RowTarget<'a, 'b> {
        let materials = blocks.materials();
        RowTarget { voxels, materials, surfaces: LiquidSurfaces::new(materials) }
    }

    /// Places a row along x that begins at `at`. Liquids get a surface below the row `above`.
    fn place_row(&mut self, at: IVec3, row: &[Voxel], above: &[Voxel]) -> Result<(), FormatError> {
        for (x, (&here, &above)) in row.iter().zip(above).enumerate() {
            let here = self.surfaces.lowered(here, above);
            if !here.is_air() {
                self.voxels.set(at + IVec3::X * x as i32, here, self.materials)?;
            }
        }
        Ok(())
    }
}

/// The part of a file after the names.
pub(super) struct NodeArrays<'a> {
    pub version: u16,
    /// True for each layer that is placed.
    pub layers: Vec<bool>,
    /// Node types by name index.
    pub types: Vec<NodeType>,
    pub packed: &'a [u8],
    /// Offset of `packed` in the file, in bytes.
    pub offset: usize,
}

impl NodeArrays<'_> {
    /// Places all nodes.
    ///
    /// # Errors
    /// The arrays are damaged, a node has no type, the target has no room, or `progress` cancels.
    pub(super) fn place(
        self,
        voxels: &mut VoxelBox,
        blocks: &BlockMapper,
        progress: &mut Progress,
    ) -> Result<NodeLosses, FormatError> {
        let mut losses = NodeLosses::default();
        let size = voxels.size();
        let count = size.as_i64vec3().element_product() as u64;
        let bad_data = |error: io::Error| {
            FormatError::new(format!("byte {}", self.offset), unpack_reason(&error))
        };
        let array = |start: u64| self.array(start).map_err(bad_data);
        let mut indices = array(0)?;
        let mut chances = array(2 * count)?;
        let mut param2s = array(3 * count)?;
        let width = size.x as usize;
        let mut index_row = vec![0; 2 * width];
        let mut chance_row = vec![0; width];
        let mut param2_row = vec![0; width];
        let mut target = RowTarget::new(voxels, blocks);
        for z in 0..size.z {
            report(progress, z as f32 / size.z as f32)?;
            // Luanti's z grows to the north.
            let mut at = IVec3::new(0, 0, size.z - 1 - z);
            // A row waits until the row above it is known, because that decides the surfaces of
            // liquids.
            let mut pending: Option<Vec<Voxel>> = None;
            for (y, &layer_is_placed) in self.layers.iter().enumerate() {
                indices.read_exact(&mut index_row).map_err(bad_data)?;
                chances.read_exact(&mut chance_row).map_err(bad_data)?;
                param2s.read_exact(&mut param2_row).map_err(bad_data)?;
                let mut row = Vec::with_capacity(width);
                for x in 0..width {
                    let index = u16::from_be_bytes([index_row[2 * x], index_row[2 * x + 1]]);
                    let node_type = self.types.get(usize::from(index)).ok_or_else(|| {
                        let reason = format!(
                            "it has the name index {index}, but there are {} names",
                            self.types.len()
                        );
                        FormatError::new(format!("node ({x}, {y}, {z})"), reason)
                    })?;
                    let placed = self.is_node_placed(chance_row[x]);
                    row.push(if placed { node_type.voxel(param2_row[x]) } else { Voxel::AIR });
                    if placed && layer_is_placed {
                        losses.add(node_type, param2_row[x], self.is_certain(chance_row[x]));
                    }
                }
                if layer_is_placed {
                    if let Some(below) = &pending {
                        target.place_row(at, below, &row)?;
                        at.y += 1;
                    }
                    pending = Some(row);
                }
            }
            if let Some(below) = &pending {
                target.place_row(at, below, &vec![Voxel::AIR; width])?;
            }
        }
        losses.end_fault = match param2s.read(&mut [0]) {
            Ok(0) => None,
            Ok(_) => Some(PackedStreamError::MoreThanNodes),
            Err(error) => PackedStreamError::from_io(&error),
        };
        report(progress, 1.0).map(|()| losses)
    }

    /// The unpacked data from byte `start` on.
    fn array(&self, start: u64) -> io::Result<impl Read> {
        let mut unpacked = PackedStream::new(Container::Zlib, self.packed);
        // If the data ends before `start`, the first read fails.
        io::copy(&mut unpacked.by_ref().take(start), &mut io::sink())?;
        Ok(io::BufReader::new(unpacked))
    }

    /// True if a node with this chance byte is placed every time.
    fn is_certain(&self, chance: u8) -> bool {
        match self.version {
            4.. => chance & 0x7F == 0x7F,
            1 if chance == 0 => true,
            _ => chance >> 1 == 0x7F,
        }
    }

    /// True if a node with this chance byte is placed.
    fn is_node_placed(&self, chance: u8) -> bool {
        // In version 1, 0 means that no chance was set; nodes that are not placed have the name
        // "ignore".
        is_placed(chance, self.version) || (self.version == 1 && chance == 0)
    }
}

fn unpack_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "its packed nodes end too early".to_owned(),
        _ => format!("its nodes cannot be unpacked: {error}"),
    }
}
