//! Blocks by numbers, and the names that files give to numbers.

use super::BlockMapper;
use super::number_names::{NamedId, NumberNames};
use crate::minecraft::block_error::{BlockError, MAX_NAME_BYTES};
use crate::minecraft::block_state::{BlockProperties, BlockState};
use crate::minecraft::{block_versions, numeric_ids, numeric_states, old_names};
use stonerun_engine::voxel::Voxel;

impl BlockMapper {
    /// Gives block numbers the meaning that the file states. Numbers outside 0 to 2^24 - 1 and
    /// names that cannot be read are noted as unread.
    pub(crate) fn name_numbers(
        &mut self,
        source: NumberNames,
        names: impl IntoIterator<Item = (i64, String)>,
    ) {
        let names: Vec<(i64, String)> = names.into_iter().collect();
        let is_new = |name: &str| {
            old_names::number(name).is_none() && block_versions::first_data_version(name).is_some()
        };
        let is_modern = source == NumberNames::Mapping
            && names.iter().any(|(_, name)| plain_vanilla_name(name).is_some_and(is_new));
        for (id, name) in names {
            let Some(id) = u32::try_from(id).ok().filter(|id| *id < MAX_ID) else {
                self.unread.note("named block number out of range", 1);
                continue;
            };
            if !(1..=MAX_NAME_BYTES).contains(&name.len()) {
                self.unread.note("name of a block number", 1);
                continue;
            }
            let old = plain_vanilla_name(&name).and_then(|short| {
                let is_today = block_versions::first_data_version(short).is_some();
                old_names::number(short).filter(|_| !(is_modern && is_today))
            });
            self.named_ids.insert(id, old.map_or(NamedId::Block(name), NamedId::Numbered));
        }
    }

    /// The number in Minecraft before 1.13 of the block with this number in the file; `None` for
    /// other blocks.
    fn vanilla_id(&self, id: u32) -> Option<u32> {
        match self.named_ids.get(&id) {
            None => Some(id),
            Some(NamedId::Numbered(id)) => Some(*id),
            Some(NamedId::Block(_)) => None,
        }
    }

    /// The voxel of a block before Minecraft 1.13, by its number in the file and four bits of data.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn voxel_for_id(&mut self, id: u32, data: u8) -> Result<Voxel, BlockError> {
        let data = data & 15;
        if let Some(&voxel) = self.known_ids.get(&(id, data)) {
            return Ok(voxel);
        }
        let voxel = match self.named_ids.get(&id) {
            None => self.voxel_for_vanilla_id(id, data)?,
            Some(&NamedId::Numbered(number)) => self.voxel_for_vanilla_id(number, data)?,
            Some(NamedId::Block(name)) => {
                let name = name.clone();
                self.voxel_for_named_block(&name, data)?
            }
        };
        self.known_ids.insert((id, data), voxel);
        Ok(voxel)
    }

    /// The voxel of a block that the file names and that has no number in Minecraft.
    fn voxel_for_named_block(&mut self, name: &str, data: u8) -> Result<Voxel, BlockError> {
        let mut state = BlockState::parse(name)?;
        let is_slab = state.name.ends_with("_slab");
        if data != 0 && !(is_slab && data == 8) {
            self.unread.note(&format!("data {data} of {name}"), 1);
        }
        if is_slab && data & 8 != 0 {
            state.properties.get_or_insert_default().set("type", "top");
        }
        self.voxel_for_state(&state)
    }

    /// The voxel of a block by its number in Minecraft before 1.13, whatever the file calls that
    /// number.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn voxel_for_vanilla_id(&mut self, id: u32, data: u8) -> Result<Voxel, BlockError> {
        if numeric_ids::is_unknown_data(id, data) {
            self.unread.note(&format!("data {data} of {}", numeric_ids::name(id, 0)), 1);
        }
        let name = match (id, data) {
            (144, 2..=5) => "minecraft:skeleton_wall_skull".to_owned(),
            // Logs with bark on all sides.
            (17 | 162, 12..) => numeric_ids::name(id, data).replace("_log", "_wood"),
            _ => numeric_ids::name(id, data),
        };
        let properties = Some(Box::new(numeric_states::properties(id, data)));
        let voxel = self.voxel_for_state(&BlockState { name: name.into(), properties })?;
        if numeric_states::is_door(id) {
            self.doors.insert(voxel, (id, data));
        }
        if numeric_ids::is_tall_flower(id, data) && !self.tall_plants.contains(&voxel) {
            self.tall_plants.push(voxel);
        }
        Ok(voxel)
    }

    /// True for the voxel of a plant that is two blocks high. Grasses, which look alike in both
    /// halves, are left out.
    pub(crate) fn is_tall_plant(&self, voxel: Voxel) -> bool {
        self.tall_plants.contains(&voxel)
    }

    /// True for the upper half of a plant that is two blocks high, by its number in the file.
    pub(crate) fn is_upper_half(&self, id: u32, data: u8) -> bool {
        self.vanilla_id(id).is_some_and(|id| numeric_ids::is_upper_half(id, data))
    }

    /// The upper half of a door before Minecraft 1.13, completed by its lower half, which has the
    /// side and whether it is open. Unchanged unless both voxels are such halves of the same door.
    ///
    /// # Errors
    /// The number of materials exceeds its limit.
    pub(crate) fn upper_door(&mut self, lower: Voxel, upper: Voxel) -> Result<Voxel, BlockError> {
        let halves = (self.doors.get(&lower).copied(), self.doors.get(&upper).copied());
        let (Some((id, below)), Some((same, above))) = halves else { return Ok(upper) };
        if id != same || below & 8 != 0 || above & 8 == 0 {
            return Ok(upper);
        }
        let [below, above] = [below, above].map(|data| numeric_states::properties(id, data));
        let all = BlockProperties::new(above.pairs().chain(below.pairs()));
        let name = numeric_ids::name(id, 0);
        self.voxel_for_state(&BlockState { name: name.into(), properties: Some(Box::new(all)) })
    }

    /// True for the upper half of a door by its number and data.
    pub(crate) fn is_upper_door(&self, voxel: Voxel) -> bool {
        self.doors.get(&voxel).is_some_and(|(_, data)| data & 8 != 0)
    }

    /// True for the lower half of a door by its number and data.
    pub(crate) fn is_lower_door(&self, voxel: Voxel) -> bool {
        self.doors.get(&voxel).is_some_and(|(_, data)| data & 8 == 0)
    }
}

/// Upper bound of block numbers, exclusive. Mods write up to 24 bits.
const MAX_ID: u32 = 1 << 24;

/// The name of one of Minecraft's own blocks, without its namespace and properties.
fn plain_vanilla_name(name: &str) -> Option<&str> {
    let short = name.strip_prefix("minecraft:").or_else(|| (!name.contains(':')).then_some(name));
    short.filter(|short| !short.contains('['))
}
