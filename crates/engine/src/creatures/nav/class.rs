//! Classes of voxels, as seen by a moving body.

use crate::voxel::{MaterialTable, Matter, Voxel};

/// Class of a voxel, as seen by a moving body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NavClass {
    /// Voxels that bodies stand on and cannot enter.
    Ground = 0b00,
    /// Voxels that bodies pass through: air, plants, shallow water, doors.
    Open = 0b01,
    /// Voxels that bodies swim in.
    Water = 0b10,
    /// Voxels that bodies neither enter nor stand on: lava, fire, cactus, and chunks not loaded.
    Hazard = 0b11,
}

/// Names of the materials that bodies avoid.
const HAZARDS: [&str; 3] = ["lava", "fire", "cactus"];
/// Prefix of the names of materials that bodies open and pass through.
const DOOR: &str = "door";
/// Minimum occupancy of water that bodies swim in; they wade through shallower water.
const SWIM_DEPTH: u8 = 127;

impl NavClass {
    /// True if a body can occupy a voxel of the class.
    #[must_use]
    pub(crate) const fn is_passable(self) -> bool {
        matches!(self, NavClass::Open | NavClass::Water)
    }

    /// Class with this number, the inverse of `as u32`. Only the two lowest bits count.
    pub(super) const fn from_bits(bits: u32) -> NavClass {
        match bits & 0b11 {
            0b00 => NavClass::Ground,
            0b01 => NavClass::Open,
            0b10 => NavClass::Water,
            _ => NavClass::Hazard,
        }
    }
}

/// Navigation classes of the materials of a map.
#[derive(Clone, Debug)]
pub struct NavClasses(Vec<MaterialClass>);

/// Navigation class of a material.
#[derive(Clone, Copy, Debug)]
struct MaterialClass {
    /// Class of full voxels.
    full: NavClass,
    /// True for smooth ground: less than half a voxel has no surface of its own to stand on.
    is_smooth: bool,
}

impl NavClasses {
    /// Derives the classes from the matter and the names of materials.
    #[must_use]
    pub fn new(materials: &MaterialTable) -> NavClasses {
        let class = |name: &str, matter: Matter| match matter {
            _ if HAZARDS.contains(&name) => NavClass::Hazard,
            _ if name.starts_with(DOOR) => NavClass::Open,
            Matter::Gas | Matter::Plant => NavClass::Open,
            Matter::Liquid => NavClass::Water,
            Matter::Solid => NavClass::Ground,
        };
        let classes = materials.iter().map(|(_, material)| MaterialClass {
            full: class(&material.name, material.matter),
            is_smooth: material.is_smooth(),
        });
        NavClasses(classes.collect())
    }

    /// Class of a voxel. Unknown materials are ground.
    #[must_use]
    pub fn class(&self, voxel: Voxel) -> NavClass {
        if voxel == Voxel::NOT_LOADED {
            return NavClass::Hazard;
        }
        let Some(material) = self.0.get(usize::from(voxel.material())) else {
            return NavClass::Ground;
        };
        match material.full {
            NavClass::Water if voxel.parts() <= u16::from(SWIM_DEPTH) => NavClass::Open,
            NavClass::Ground if material.is_smooth && voxel.occupancy() < Voxel::HALF => {
                let is_deep = voxel.is_wet() && voxel.parts() > u16::from(SWIM_DEPTH);
                if is_deep { NavClass::Water } else { NavClass::Open }
            }
            class => class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Material, SurfaceRule};

    #[test]
    fn classes_follow_matter_and_names() {
        let mut table = MaterialTable::builtin();
        let door = table.add(Material::plain("door_oak", [1; 3])).unwrap();
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [1; 3]) };
        let hill = table.add(hill).unwrap();
        let classes = NavClasses::new(&table);
        let class = |name: &str| classes.class(Voxel::full(table.find(name).unwrap()));
        assert_eq!((class("stone"), class("oak_leaves")), (NavClass::Ground, NavClass::Ground));
        assert_eq!((class("torch"), class("tall_grass")), (NavClass::Open, NavClass::Open));
        assert_eq!(
            (class("water"), class("lava"), class("cactus")),
            (NavClass::Water, NavClass::Hazard, NavClass::Hazard)
        );
        assert_eq!(
            (classes.class(Voxel::full(door)), classes.class(Voxel::AIR)),
            (NavClass::Open, NavClass::Open)
        );
        assert_eq!(classes.class(Voxel::new(table.find("water").unwrap(), 40)), NavClass::Open);
        assert_eq!(classes.class(Voxel::NOT_LOADED), NavClass::Hazard);
        let wet = |liquid| classes.class(Voxel::new(hill, 40).with_liquid(liquid));
        assert_eq!((wet(20), wet(200)), (NavClass::Open, NavClass::Water));
        let smooth = |occupancy| classes.class(Voxel::new(hill, occupancy));
        assert_eq!([126, 127].map(smooth), [NavClass::Open, NavClass::Ground]);
        for class in [NavClass::Ground, NavClass::Open, NavClass::Water, NavClass::Hazard] {
            assert_eq!(NavClass::from_bits(class as u32), class);
        }
    }
}
