//! The palette of an export: a block state for each voxel.
//!
//! The code of the import decides which voxel a block state is read back as. If that voxel has
//! another material or height, the entry also holds the true one. So smooth ground that is left out
//! or becomes a whole block for other programs is still exact for this one.

use crate::minecraft::block_error::{BlockError, MAX_NAME_BYTES};
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_names::{state_text, waterlogged, without_state};
use crate::minecraft::block_state::BlockState;
use crate::minecraft::block_versions::{OLDEST_DATA_VERSION, first_data_version, name_in_version};
use crate::minecraft::substitute::{BlockChooser, WrittenBlock};
use crate::scene::{ExportLosses, as_whole_block};
use rustc_hash::FxHashMap;
use stonerun_engine::voxel::{Material, MaterialId, MaterialTable, Voxel};

/// Largest difference in occupancy that counts as rounding: an eighth, the step of snow and
/// liquids.
const ROUNDING: u8 = 32;

/// Block state of air.
const AIR: &str = "minecraft:air";

/// Form in which a voxel is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaletteEntry {
    pub index: u32,
    /// True occupancy, if the block state implies another one.
    pub occupancy: Option<u8>,
    /// True liquid, if the block state implies another one.
    pub liquid: Option<u8>,
    /// Index in [`SpongePalette::materials`] of the true material, if the block state implies
    /// another.
    pub material: Option<u32>,
}

/// A material whose name could not be read back.
#[derive(thiserror::Error, Debug)]
#[error("the material \"{name}\": {reason}")]
pub(super) struct UnwritableMaterial {
    pub name: String,
    pub reason: BlockError,
}

/// The block states for all voxels of an export.
pub(super) struct SpongePalette {
    /// Block states by index, the most frequent first, so that most indices are short.
    pub states: Vec<String>,
    /// Materials that no block state expresses, and those whose surface is no cube's.
    pub materials: Vec<Material>,
    /// Data version of the newest block in the palette.
    pub data_version: i32,
    /// Total size of all indices as varints, in bytes.
    pub data_bytes: u64,
    /// Parts of the scene that Minecraft programs cannot show.
    pub losses: ExportLosses,
    entries: FxHashMap<Voxel, PaletteEntry>,
}

impl SpongePalette {
    /// Builds the palette. `counts` has the number of blocks of each voxel.
    ///
    /// # Errors
    /// A block state or the name of a material cannot be read back.
    pub(super) fn new(
        materials: &MaterialTable,
        counts: &FxHashMap<Voxel, u64>,
    ) -> Result<SpongePalette, UnwritableMaterial> {
        let mut voxels: Vec<(Voxel, u64)> =
            counts.iter().map(|(&voxel, &count)| (voxel, count)).collect();
        voxels.sort_unstable_by_key(|&(voxel, count)| {
            (std::cmp::Reverse(count), voxel.material(), voxel.occupancy(), voxel.liquid())
        });
        let chosen = chosen_blocks(materials, &voxels);
        let written: Vec<Voxel> =
            voxels.iter().map(|(voxel, _)| written_voxel(*voxel, &chosen, materials)).collect();
        let versions = written
            .iter()
            .filter_map(|voxel| first_data_version(&chosen.get(&voxel.material())?.written.block));
        let data_version = versions.fold(OLDEST_DATA_VERSION, i32::max);
        let mut palette = SpongePalette {
            states: vec![],
            materials: vec![],
            data_version,
            data_bytes: 0,
            losses: ExportLosses::default(),
            entries: FxHashMap::default(),
        };
        let mut reader = BlockMapper::new();
        let mut index_of = FxHashMap::default();
        let mut place_of = FxHashMap::default();
        for ((voxel, count), written) in voxels.into_iter().zip(written) {
            let block = chosen.get(&written.material());
            let Some(true_block) = chosen.get(&voxel.material()) else {
                let index = palette.index(AIR.to_owned(), count, &mut index_of);
                let air = PaletteEntry { index, occupancy: None, liquid: None, material: None };
                palette.entries.insert(voxel, air);
                continue;
            };
            let name = &true_block.material.name;
            let unwritable = |reason| UnwritableMaterial { name: name.clone(), reason };
            let state = block.map_or(AIR.to_owned(), |block| block.state(written, data_version));
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
            } else if !(1..=MAX_NAME_BYTES).contains(&name.len()) {
                return Err(unwritable(BlockError::NameLength(name.len())));
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
            palette.entries.insert(voxel, PaletteEntry { index, occupancy, liquid, material });
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
            next
        });
        self.data_bytes +=
            count * u64::from((u32::BITS - index.leading_zeros()).div_ceil(7).max(1));
        index
    }

    /// The entry of a voxel that was in `counts`.
    pub(super) fn entry(&self, voxel: Voxel) -> PaletteEntry {
        self.entries[&voxel]
    }
}

/// A material and the block that is written for it.
struct ChosenBlock {
    material: Material,
    written: WrittenBlock,
}

impl ChosenBlock {
    /// The block state for `voxel`, whose material this is.
    fn state(&self, voxel: Voxel, data_version: i32) -> String {
        let block = name_in_version(&self.written.block, data_version);
        if let Some(state) = &self.written.state {
            let dry = format!("minecraft:{block}{state}");
            return waterlogged(&dry).filter(|_| voxel.is_wet()).unwrap_or(dry);
        }
        // The state belongs to another block.
        let name = match self.written.is_substitute {
            true => without_state(&self.material.name),
            false => &self.material.name,
        };
        let dry = state_text(block, name, voxel.occupancy());
        let wet = waterlogged(&dry).filter(|_| voxel.is_wet());
        wet.unwrap_or(dry)
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
    voxels: &[(Voxel, u64)],
) -> FxHashMap<MaterialId, ChosenBlock> {
    let chooser = BlockChooser::default();
    let mut chosen = FxHashMap::default();
    let matter = voxels
        .iter()
        .map(|(voxel, _)| *voxel)
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
