//! The palette of an export: a block state for each voxel.
//!
//! The code of the import decides which voxel a block state is read back as. If that voxel has
//! another material or height, the entry also holds the true one. So smooth ground that is left out
//! or becomes a whole block for other programs is still exact for this one.

use super::block_error::BlockError;
use super::block_mapper::BlockMapper;
use super::block_names::{full_name, state_text, waterlogged, without_state};
use super::block_state::BlockState;
use super::block_versions::{first_data_version, name_in_version};
use super::joined_sides::{JoinedSides, JoinedVoxel, VoxelCounts};
use super::substitute::{BlockChooser, WrittenBlock};
use crate::scene::{ExportLosses, WriterError, as_whole_block};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use stonerun_engine::voxel::{Material, MaterialId, MaterialTable, Voxel};

/// Largest difference in occupancy that counts as rounding: an eighth, the step of snow and
/// liquids.
const ROUNDING: u8 = 32;

/// Block state of air.
const AIR: &str = "minecraft:air";

/// Form in which a voxel is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaletteEntry {
    pub index: u32,
    /// True occupancy, if the block state implies another one.
    pub occupancy: Option<u8>,
    /// True liquid, if the block state implies another one.
    pub liquid: Option<u8>,
    /// Index in [`StatePalette::materials`] of the true material, if the block state implies
    /// another.
    pub material: Option<u32>,
}

/// A material whose block state could not be read back.
#[derive(thiserror::Error, Debug)]
#[error("the material \"{name}\": {reason}")]
pub(crate) struct UnwritableMaterial {
    pub name: String,
    pub reason: BlockError,
}

impl From<UnwritableMaterial> for WriterError {
    fn from(error: UnwritableMaterial) -> WriterError {
        WriterError::Unfit(error.to_string())
    }
}

/// The block states for all voxels of an export.
pub(crate) struct StatePalette {
    /// Block states by index, the most frequent first, so that most indices are short.
    pub states: Vec<String>,
    /// Number of blocks of each state.
    pub counts: Vec<u64>,
    /// Materials that no block state expresses, and those whose surface is no cube's.
    pub materials: Vec<Material>,
    /// Data version of the newest block in the palette.
    pub data_version: i32,
    /// Parts of the scene that Minecraft programs cannot show.
    pub losses: ExportLosses,
    entries: FxHashMap<JoinedVoxel, PaletteEntry>,
}

impl StatePalette {
    /// Builds the palette for the voxels of `counts`. The data version is at least
    /// `oldest_version`.
    ///
    /// # Errors
    /// A block state cannot be read back.
    pub(crate) fn new(
        materials: &MaterialTable,
        counts: &VoxelCounts,
        oldest_version: i32,
    ) -> Result<StatePalette, UnwritableMaterial> {
        let mut voxels: Vec<(JoinedVoxel, u64)> = counts.iter().collect();
        voxels.sort_unstable_by_key(|&(JoinedVoxel { voxel, sides }, count)| {
            let sides = sides.map(JoinedSides::number);
            (Reverse(count), voxel.material(), voxel.occupancy(), voxel.liquid(), sides)
        });
        let chosen = chosen_blocks(materials, &voxels);
        let written: Vec<Voxel> =
            voxels.iter().map(|(key, _)| written_voxel(key.voxel, &chosen, materials)).collect();
        let versions = written
            .iter()
            .filter_map(|voxel| first_data_version(&chosen.get(&voxel.material())?.written.block));
        let data_version = versions.fold(oldest_version, i32::max);
        let mut palette = StatePalette {
            states: vec![],
            counts: vec![],
            materials: vec![],
            data_version,
            losses: ExportLosses::default(),
            entries: FxHashMap::default(),
        };
        let mut reader = BlockMapper::new();
        let mut index_of = FxHashMap::default();
        let mut place_of = FxHashMap::default();
        for ((key, count), written) in voxels.into_iter().zip(written) {
            let voxel = key.voxel;
            let block = chosen.get(&written.material());
            let Some(true_block) = chosen.get(&voxel.material()) else {
                let index = palette.index(AIR.to_owned(), count, &mut index_of);
                let air = PaletteEntry { index, occupancy: None, liquid: None, material: None };
                palette.entries.insert(key, air);
                continue;
            };
            let name = &true_block.material.name;
            let unwritable = |reason| UnwritableMaterial { name: name.clone(), reason };
            let state = block.map_or(AIR.to_owned(), |block| {
                block.state(JoinedVoxel { voxel: written, ..key }, data_version)
            });
            let (read, implied) = read_back(&mut reader, &state).map_err(unwritable)?;
            let keeps_water = implied.is_wet() || read == "water";
            let mut number = || {
                *place_of.entry(voxel.material()).or_insert_with(|| {
                    palette.materials.push(true_block.material.clone());
                    palette.materials.len() as u32 - 1
                })
            };
            let material = if read == *name {
                if !true_block.material.surface.is_cube() {
                    // Listed for its surface, which belongs to the material.
                    number();
                }
                None
            } else {
                Some(number())
            };
            palette.losses.water += if voxel.is_wet() && !keeps_water { count } else { 0 };
            let liquid = (implied.liquid() != voxel.liquid()).then_some(voxel.liquid());
            // A shape of its own has no height to lose.
            let has_height = reader
                .materials()
                .get(implied.material())
                .is_none_or(|material| material.shape.row().fill.is_none());
            let implied = implied.occupancy();
            let occupancy = (implied != voxel.occupancy()).then_some(voxel.occupancy());
            let index = palette.index(state, count, &mut index_of);
            palette.entries.insert(key, PaletteEntry { index, occupancy, liquid, material });
            palette.losses.substituted +=
                if block.is_some_and(|block| block.written.is_substitute) { count } else { 0 };
            let is_lost = written.dry() != voxel.dry()
                || has_height && implied.abs_diff(voxel.occupancy()) > ROUNDING;
            if written.material() != voxel.material() {
                palette.losses.shallow_ground += count;
            } else if is_lost {
                palette.losses.heights += count;
            }
        }
        Ok(palette)
    }

    /// The index of a state for `count` blocks. Adds the state if it is new.
    fn index(&mut self, state: String, count: u64, index_of: &mut FxHashMap<String, u32>) -> u32 {
        let next = self.states.len() as u32;
        let index = *index_of.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.counts.push(0);
            next
        });
        self.counts[index as usize] += count;
        index
    }

    /// The entry of a voxel that was in `counts`.
    pub(crate) fn entry(&self, voxel: JoinedVoxel) -> PaletteEntry {
        self.entries[&voxel]
    }

    /// The index of air, which is in every palette.
    pub(crate) fn air(&self) -> u32 {
        self.entry(JoinedVoxel::AIR).index
    }
}

/// A material and the block that is written for it.
struct ChosenBlock {
    material: Material,
    written: WrittenBlock,
}

impl ChosenBlock {
    /// The block state for `voxel`, whose material this is.
    fn state(&self, JoinedVoxel { voxel, sides }: JoinedVoxel, data_version: i32) -> String {
        let block = name_in_version(&self.written.block, data_version);
        let name = match self.written.is_substitute {
            // The state belongs to another block.
            true => without_state(&self.material.name),
            false => &self.material.name,
        };
        let dry = match &self.written.state {
            Some(state) => format!("{}{state}", full_name(block)),
            None => state_text(block, name, voxel.occupancy()),
        };
        // Blocks of mods may have other properties.
        let joined = sides.filter(|_| !self.written.is_foreign());
        let dry = joined.map_or_else(|| dry.clone(), |sides| sides.in_state(&dry));
        waterlogged(&dry).filter(|_| voxel.is_wet()).unwrap_or(dry)
    }
}

/// The voxel that is written for `voxel`. Snow keeps its height, because it has layers in
/// Minecraft.
fn written_voxel(
    voxel: Voxel,
    chosen: &FxHashMap<MaterialId, ChosenBlock>,
    materials: &MaterialTable,
) -> Voxel {
    match chosen.get(&voxel.material()) {
        Some(block) if block.written.block == "snow" => voxel,
        _ => as_whole_block(voxel, materials),
    }
}

/// Chooses a block for each material, and for the water that stays where smooth ground is left out.
/// Leaves out air and voxels that are not loaded.
fn chosen_blocks(
    materials: &MaterialTable,
    voxels: &[(JoinedVoxel, u64)],
) -> FxHashMap<MaterialId, ChosenBlock> {
    let chooser = BlockChooser::default();
    let mut chosen = FxHashMap::default();
    let matter = voxels
        .iter()
        .map(|(key, _)| key.voxel)
        .filter(|voxel| !voxel.is_air() && *voxel != Voxel::NOT_LOADED);
    for id in matter.map(Voxel::material).chain(materials.water()) {
        chosen.entry(id).or_insert_with_key(|&id| {
            let unknown = || Material::plain(&format!("unknown_{id}"), [255; 3]);
            let material = materials.get(id).cloned().unwrap_or_else(unknown);
            ChosenBlock { written: chooser.block_for(&material), material }
        });
    }
    chosen
}

/// Material name and voxel that an import gives to a block state.
fn read_back<'r>(reader: &'r mut BlockMapper, state: &str) -> Result<(&'r str, Voxel), BlockError> {
    let voxel = BlockState::parse(state).and_then(|state| reader.voxel_for_state(&state))?;
    let name = reader.materials().get(voxel.material()).map_or("", |material| &material.name);
    Ok((name, voxel))
}
