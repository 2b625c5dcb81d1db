//! Materials that are states of one block: a lever that is on, wheat that has grown.
//!
//! A voxel stores no state, so each state is a material. Only the first state of a block can be
//! held as an item; clicks and rules lead to the other states.

use super::{Material, Matter};
use crate::voxel::Voxel;

/// Pairs of materials that a click exchanges.
const TOGGLES: [(&str, &str); 2] = [("lever", "lever_on"), ("door", "door_open")];

/// States that cannot be held as items, each with the first state of its block, which is held
/// instead.
const STATES: [(&str, &str); 19] = [
    ("wheat_2", "wheat_1"),
    ("wheat_3", "wheat_1"),
    ("wheat_4", "wheat_1"),
    ("inverter_on", "inverter"),
    ("lever_on", "lever"),
    ("signal_lamp_on", "signal_lamp"),
    ("door_open", "door"),
    ("shoot_2", "oak_sapling"),
    ("shoot_3", "oak_sapling"),
    ("shoot_4", "oak_sapling"),
    ("shoot_5", "oak_sapling"),
    ("shoot_6", "oak_sapling"),
    ("shoot_7", "oak_sapling"),
    ("bud_1", "oak_leaves"),
    ("bud_2", "oak_leaves"),
    ("bud_3", "oak_leaves"),
    ("frond_1", "palm_leaves"),
    ("frond_2", "palm_leaves"),
    ("frond_3", "palm_leaves"),
];

/// States that rules may remove, each with the permanent state of the same block. Voxels that a
/// player places or that an import brings have the permanent state. Minecraft stores this as the
/// block property `persistent`.
const GROWN: [(&str, &str); 6] = [
    ("oak_leaves_grown", "oak_leaves"),
    ("pine_leaves_grown", "pine_leaves"),
    ("birch_leaves_grown", "birch_leaves"),
    ("palm_leaves_grown", "palm_leaves"),
    ("snow_fallen", "snow"),
    ("ice_frozen", "ice"),
];

/// Name of the material whose occupancy is the level of a signal.
const WIRE: &str = "wire";
/// Occupancy of a wire without a signal, which is a fill of 16/256. Matches `assets/rules.ron`.
const WIRE_OFF: u8 = 15;
/// Occupancy that each level of a signal adds. Matches `assets/rules.ron`.
const WIRE_STEP: u8 = 2;
/// Highest level of a signal.
pub(crate) const MAX_SIGNAL: u8 = 30;
/// Height of a wire in voxels, the same at every signal level.
pub(crate) const WIRE_HEIGHT: f32 = 1.0 / 16.0;

/// Materials that are placed thinner than a full voxel, each with its placed occupancy.
const THIN: [(&str, u8); 1] = [(WIRE, WIRE_OFF)];

/// First states of the plants that players plant. Unlike wild plants, they are not replaced by a
/// placed block.
const PLANTED: [&str; 5] =
    ["oak_sapling", "pine_sapling", "birch_sapling", "palm_sapling", "wheat_1"];

/// Materials whose thin layers are replaced by a placed block (snow on the ground), each with the
/// maximum occupancy of such a layer. Weather lays no thicker layer.
const LAYERS: [(&str, u8); 2] = [("snow", 63), ("snow_fallen", 63)];

/// The two states of a door.
const DOOR: [&str; 2] = ["door", "door_open"];

impl Material {
    /// True if placing a block in a voxel of this material replaces the voxel: air, liquids, wild
    /// plants, thin snow, and smooth ground less than half full, which a block would otherwise
    /// hover above. Things that players put there are kept: torches, levers, open doors,
    /// saplings, crops.
    #[must_use]
    pub fn gives_way(&self, occupancy: u8) -> bool {
        match self.matter {
            Matter::Gas | Matter::Liquid => true,
            Matter::Plant => {
                self.shape.row().gives_way
                    && self.toggled().is_none()
                    && !PLANTED.contains(&self.first_state())
            }
            Matter::Solid => {
                self.is_smooth() && occupancy < Voxel::HALF
                    || LAYERS
                        .iter()
                        .any(|&(name, highest)| name == self.name && occupancy <= highest)
            }
        }
    }

    /// True for doors, open or closed.
    #[must_use]
    pub fn is_door(&self) -> bool {
        DOOR.contains(&self.name.as_str())
    }

    /// Name of the material into which a click changes this one; `None` for materials that clicks
    /// do not change.
    #[must_use]
    pub fn toggled(&self) -> Option<&'static str> {
        TOGGLES.iter().find_map(|&(off, on)| match &self.name {
            name if name == off => Some(on),
            name if name == on => Some(off),
            _ => None,
        })
    }

    /// False for states that cannot be held as items. The inventory and palettes leave them out.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.first_state() == self.name
    }

    /// Name of the material that is held as an item for this one: the first state of the same
    /// block, or the material's own name.
    #[must_use]
    pub fn first_state(&self) -> &str {
        STATES
            .iter()
            .chain(&GROWN)
            .find(|(state, _)| *state == self.name)
            .map_or(&self.name, |(_, first)| first)
    }

    /// Name of the permanent state that edits place instead of this one, which no rule removes
    /// without an edit; `None` for materials that edits place unchanged.
    #[must_use]
    pub fn placed_state(&self) -> Option<&'static str> {
        GROWN.iter().find(|(grown, _)| *grown == self.name).map(|&(_, placed)| placed)
    }

    /// True for wires: their occupancy is the level of a signal, not their height.
    #[must_use]
    pub fn is_wire(&self) -> bool {
        self.name == WIRE && !self.shape.is_model() && self.matter == Matter::Solid
    }

    /// Signal level of a wire with this occupancy, 0 to [`MAX_SIGNAL`]. A full voxel is a block of
    /// wire and carries no signal.
    #[must_use]
    pub(crate) fn wire_level(occupancy: u8) -> u8 {
        if occupancy == u8::MAX {
            0
        } else {
            (occupancy.saturating_sub(WIRE_OFF) / WIRE_STEP).min(MAX_SIGNAL)
        }
    }

    /// Height of a voxel of the material with this occupancy, in voxels.
    #[must_use]
    pub(crate) fn box_height(&self, occupancy: u8) -> f32 {
        let filled = if self.is_wire() && occupancy < u8::MAX {
            WIRE_HEIGHT
        } else {
            (f32::from(occupancy) + 1.0) / 256.0
        };
        self.shape.row().solid.top(filled)
    }

    /// Occupancy that a player places the material with; 255 is a full voxel.
    #[must_use]
    pub fn placed_occupancy(&self) -> u8 {
        if let Some(fill) = self.shape.row().fill {
            return fill;
        }
        THIN.iter()
            .find(|(name, _)| *name == self.name)
            .map_or(u8::MAX, |&(_, occupancy)| occupancy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{MaterialTable, ModelForm, Shape};

    #[test]
    fn placing_a_block_replaces_no_model() {
        for form in ModelForm::all() {
            for matter in [Matter::Solid, Matter::Plant] {
                let shape = Shape::Model(form);
                let material = Material { shape, matter, ..Material::plain("sign", [0; 3]) };
                assert!(!material.gives_way(u8::MAX) && !material.gives_way(0), "{form:?}");
            }
        }
    }

    #[test]
    fn states_are_builtin_materials() {
        let table = MaterialTable::builtin();
        let names = TOGGLES
            .iter()
            .flat_map(|&(off, on)| [off, on])
            .chain(STATES.iter().chain(&GROWN).flat_map(|&(state, first)| [state, first]))
            .chain(THIN.map(|thin| thin.0));
        for name in names {
            assert!(table.find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn click_leads_there_and_back() {
        let table = MaterialTable::builtin();
        let lever = table.find("lever").unwrap();
        let on = table.toggled(lever).unwrap();
        assert_eq!(table.get(on).unwrap().name, "lever_on");
        assert_eq!(table.toggled(on), Some(lever));
        assert_eq!(table.toggled(table.find("stone").unwrap()), None);
        let [door, open] = ["door", "door_open"].map(|name| table.find(name).unwrap());
        assert!(table.is_solid(door) && !table.is_solid(open));
    }

    #[test]
    fn blocks_replace_what_no_hand_put_there() {
        let replaced = [
            "air",
            "water",
            "lava",
            "tall_grass",
            "flower_red",
            "flower_yellow",
            "flower_blue",
            "dead_bush",
            "mushroom",
            "reeds",
            "glow_mushroom",
            "fire",
        ];
        let table = MaterialTable::builtin();
        for (_, material) in table.iter() {
            assert_eq!(
                material.gives_way(u8::MAX),
                replaced.contains(&material.name.as_str()),
                "{}",
                material.name
            );
            let is_snow = ["snow", "snow_fallen"].contains(&material.name.as_str());
            let is_replaced_thin = is_snow || replaced.contains(&material.name.as_str());
            assert_eq!(material.gives_way(31), is_replaced_thin, "a layer of {}", material.name);
        }
    }

    #[test]
    fn states_are_not_listed_and_wires_are_thin() {
        let table = MaterialTable::builtin();
        let get = |name: &str| table.get(table.find(name).unwrap()).unwrap();
        assert!(get("lever").is_listed() && get("wheat_1").is_listed());
        assert_eq!(
            table.first_state(table.find("door_open").unwrap()),
            table.find("door").unwrap()
        );
        assert_eq!(table.first_state(1), 1);
        assert!(!get("lever_on").is_listed() && !get("wheat_4").is_listed());
        assert_eq!([get("wire").placed_occupancy(), get("stone").placed_occupancy()], [15, 255]);
    }

    #[test]
    fn wire_stays_flat_at_every_level() {
        let table = MaterialTable::builtin();
        let get = |name: &str| table.get(table.find(name).unwrap()).unwrap();
        assert_eq!(
            [0, 15, 16, 17, 75, 254, 255].map(Material::wire_level),
            [0, 0, 0, 1, 30, 30, 0]
        );
        assert_eq!(
            [15, 75, 254, 255].map(|occupancy| get("wire").box_height(occupancy)),
            [0.0625, 0.0625, 0.0625, 1.0]
        );
        assert_eq!(
            [15, 127, 255].map(|occupancy| get("stone").box_height(occupancy)),
            [0.0625, 0.5, 1.0]
        );
    }
}
