//! The palette of an export: a block state for each voxel.
//!
//! The state for a voxel is the one that reads back as its material. The import code itself decides
//! that.

use crate::exchange::minecraft::block_error::BlockError;
use crate::exchange::minecraft::block_mapper::BlockMapper;
use crate::exchange::minecraft::block_names::{block_text, exported_block};
use crate::exchange::minecraft::block_state::BlockState;
use crate::voxel::{MaterialTable, Voxel};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// How a voxel is written.
#[derive(Clone, Copy)]
pub(super) struct PaletteEntry {
    pub index: u32,
    /// Bytes of the index as a varint.
    pub index_bytes: u32,
    /// Occupancy, if the block state implies another one.
    pub occupancy: Option<u8>,
}

/// A material whose name no block state can have.
#[derive(thiserror::Error, Debug)]
#[error("the material \"{name}\": {reason}")]
pub(super) struct UnwritableMaterial {
    pub name: String,
    pub reason: BlockError,
}

/// Collects block states and assigns their indices.
pub(super) struct PaletteBuilder<'a> {
    materials: &'a MaterialTable,
    /// Reads block states back, as an import does.
    reader: BlockMapper,
    index_of: FxHashMap<String, u32>,
    entries: FxHashMap<Voxel, PaletteEntry>,
}

impl<'a> PaletteBuilder<'a> {
    pub(super) fn new(materials: &'a MaterialTable) -> PaletteBuilder<'a> {
        PaletteBuilder {
            materials,
            reader: BlockMapper::new(),
            index_of: FxHashMap::default(),
            entries: FxHashMap::default(),
        }
    }

    /// Number of block states.
    pub(super) fn len(&self) -> usize {
        self.index_of.len()
    }

    /// All block states and their indices, in any order.
    pub(super) fn states(&self) -> impl Iterator<Item = (&str, u32)> {
        self.index_of.iter().map(|(state, &index)| (state.as_str(), index))
    }

    /// The entry of a voxel, which is added if it is new.
    ///
    /// # Errors
    /// The name of the material cannot be written.
    pub(super) fn entry(&mut self, voxel: Voxel) -> Result<PaletteEntry, UnwritableMaterial> {
        if let Some(&entry) = self.entries.get(&voxel) {
            return Ok(entry);
        }
        let (state, occupancy) = self.state(voxel)?;
        let next = self.index_of.len() as u32;
        let index = *self.index_of.entry(state).or_insert(next);
        let index_bytes = (u32::BITS - index.leading_zeros()).div_ceil(7).max(1);
        let entry = PaletteEntry { index, index_bytes, occupancy };
        self.entries.insert(voxel, entry);
        Ok(entry)
    }

    /// The block state of a voxel, and its occupancy if the state implies another one.
    fn state(&mut self, voxel: Voxel) -> Result<(String, Option<u8>), UnwritableMaterial> {
        if voxel.is_air() || voxel == Voxel::NOT_LOADED {
            return Ok(("minecraft:air".to_owned(), None));
        }
        let name = match self.materials.get(voxel.material()) {
            Some(material) => Cow::Borrowed(material.name.as_str()),
            None => format!("unknown_{}", voxel.material()).into(),
        };
        let nearest = block_text(&name, voxel.occupancy());
        let (state, implied) = match self.read_back(&nearest) {
            Ok((same, implied)) if same == name => (nearest, implied),
            _ => {
                let state = exported_block(&name);
                let read = self.read_back(&state);
                let (_, implied) =
                    read.map_err(|reason| UnwritableMaterial { name: name.clone().into_owned(), reason })?;
                (state, implied)
            }
        };
        Ok((state, (implied != voxel.occupancy()).then_some(voxel.occupancy())))
    }

    /// Material name and occupancy that an import makes of a block state.
    fn read_back(&mut self, state: &str) -> Result<(&str, u8), BlockError> {
        let voxel = BlockState::parse(state).and_then(|state| self.reader.voxel_for_state(&state))?;
        let name = self.reader.materials().get(voxel.material()).map_or("", |material| &material.name);
        Ok((name, voxel.occupancy()))
    }
}
