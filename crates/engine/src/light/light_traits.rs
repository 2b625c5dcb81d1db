//! Effects of materials on light.

use super::{Channel, LightLevels};
use crate::variants;
use crate::voxel::{MAX_LIGHT, Material, MaterialTable, Matter, Opacity, Voxel};
use strum::VariantArray;

/// Maximum number of levels that light loses in one step.
pub(crate) const MAX_LOSS: usize = 2;
/// Number of kinds of [`Dimming`].
pub(super) const DIMMINGS: usize = Dimming::ALL.len();

/// Effect of a voxel on light that enters it.
///
/// Transparent liquids and air both take one level per step, but the sun's full level falls without
/// loss only through clear voxels. So water gets darker with depth, by one level per voxel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, VariantArray)]
pub enum Dimming {
    /// Air, glass, plants: takes one level, but lets the sun's full level fall through.
    Clear,
    /// Water, also in what other matter leaves free: takes one level, also of falling sunlight.
    Murky,
    /// Leaves, low boxes of opaque liquids, and opaque hewn blocks of at least half a block: takes
    /// two levels.
    Dense,
}

impl Dimming {
    /// All kinds, in the order of their numbers.
    pub(super) const ALL: [Dimming; 3] = variants::all();

    /// Levels that light loses in a step into the voxel, 1 to `MAX_LOSS`.
    #[must_use]
    pub const fn loss(self) -> u8 {
        match self {
            Dimming::Clear | Dimming::Murky => 1,
            Dimming::Dense => 2,
        }
    }
}

/// The traits of one material.
#[derive(Clone, Copy, Debug)]
struct MaterialLight {
    dimming: Dimming,
    /// True if full voxels stop light.
    blocks: bool,
    /// Emitted level of each channel.
    emission: [u8; 4],
}

/// Effects of the materials of a map on light.
#[derive(Clone, Debug)]
pub struct LightTraits(Vec<MaterialLight>);

impl LightTraits {
    /// Derives the traits of a material table. Glowing materials shine in the hue of their tint.
    #[must_use]
    pub fn new(table: &MaterialTable) -> LightTraits {
        LightTraits::with_hues(table, |material| material.tint)
    }

    /// Derives the traits of a material table. Glowing materials shine in the hue of the colour
    /// (red, green, blue) that `hue` returns: its strongest channel gets the material's level.
    #[must_use]
    pub fn with_hues(table: &MaterialTable, hue: impl Fn(&Material) -> [u8; 3]) -> LightTraits {
        LightTraits(
            table.iter().map(|(_, material)| material_light(material, hue(material))).collect(),
        )
    }

    fn material(&self, voxel: Voxel) -> MaterialLight {
        // Stops light like an opaque cube, because unknown materials are drawn as such cubes.
        const UNKNOWN: MaterialLight =
            MaterialLight { dimming: Dimming::Clear, blocks: true, emission: [0; 4] };
        self.0.get(usize::from(voxel.material())).copied().unwrap_or(UNKNOWN)
    }

    /// Effect of a voxel on light that enters it; `None` if it stops light, as full opaque boxes
    /// and voxels that are not loaded do.
    #[must_use]
    pub fn dimming(&self, voxel: Voxel) -> Option<Dimming> {
        let material = self.material(voxel);
        let stops = voxel == Voxel::NOT_LOADED || material.blocks && voxel.is_full();
        let liquid = if voxel.is_wet() { Dimming::Murky } else { Dimming::Clear };
        (!stops).then_some(material.dimming.max(liquid))
    }

    /// Levels that light loses in a step into a voxel; `None` if it stops light.
    #[must_use]
    pub fn loss(&self, voxel: Voxel) -> Option<u8> {
        self.dimming(voxel).map(Dimming::loss)
    }

    /// The levels that a voxel emits.
    #[must_use]
    pub fn emitted(&self, voxel: Voxel) -> LightLevels {
        let add =
            |levels: LightLevels, channel| levels.with(channel, self.emission(voxel, channel));
        Channel::ALL.into_iter().fold(LightLevels::DARK, add)
    }

    /// The level that a voxel emits in a channel, 0 to 15.
    #[must_use]
    pub fn emission(&self, voxel: Voxel, channel: Channel) -> u8 {
        if voxel == Voxel::NOT_LOADED { 0 } else { self.material(voxel).emission[channel as usize] }
    }
}

fn material_light(material: &Material, hue: [u8; 3]) -> MaterialLight {
    let is_open = material.matter == Matter::Gas || material.shape.is_model();
    let is_half = material.shape.hewn_eighths().is_some_and(|eighths| eighths.count() >= 4);
    let dimming = match material.matter {
        _ if is_half && material.opacity == Opacity::Opaque => Dimming::Dense,
        _ if is_open => Dimming::Clear,
        Matter::Liquid if material.opacity == Opacity::Opaque => Dimming::Dense,
        Matter::Liquid => Dimming::Murky,
        // Leaves dim light, panes of glass do not.
        _ if material.is_foliage() => Dimming::Dense,
        _ => Dimming::Clear,
    };
    let brightest = u16::from(hue.into_iter().max().unwrap_or(0)).max(1);
    let level = |channel: u8| {
        let scaled = u16::from(material.light.min(MAX_LIGHT)) * u16::from(channel);
        ((scaled + brightest / 2) / brightest) as u8
    };
    let [red, green, blue] = hue.map(level);
    MaterialLight {
        dimming,
        blocks: !is_open && material.opacity == Opacity::Opaque,
        emission: [0, red, green, blue],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matter_stops_or_dims_light() {
        let table = MaterialTable::builtin();
        let traits = LightTraits::new(&table);
        let full = |name| Voxel::full(table.find(name).unwrap());
        let clear = Some(Dimming::Clear);
        let dimmings = [
            ("stone", None),
            ("oak_leaves", Some(Dimming::Dense)),
            ("water", Some(Dimming::Murky)),
            ("ice", clear),
        ];
        for (name, dimming) in dimmings
            .into_iter()
            .chain(["glass", "torch", "torch_wall_east"].map(|name| (name, clear)))
        {
            assert_eq!(traits.dimming(full(name)), dimming, "{name}");
        }
        assert_eq!(traits.dimming(Voxel::AIR), clear);
        assert_eq!(
            traits.dimming(Voxel::new(full("stone").material(), 127)),
            clear,
            "a low box leaves room"
        );
        for (name, dimming) in [("stone", Dimming::Murky), ("oak_leaves", Dimming::Dense)] {
            let wet = Voxel::new(full(name).material(), 127).with_liquid(20);
            assert_eq!(traits.dimming(wet), Some(dimming), "wet {name}");
        }
        assert_eq!(traits.dimming(Voxel::new(full("lava").material(), 127)), Some(Dimming::Dense));
        assert_eq!(traits.loss(full("water")), Some(1));
        assert_eq!(
            (traits.loss(Voxel::NOT_LOADED), traits.loss(Voxel::full(60_000))),
            (None, None)
        );
    }

    #[test]
    fn lamps_shine_in_the_hue_of_their_tint() {
        let mut table = MaterialTable::builtin();
        let lamp = Material { light: 12, ..Material::plain("orange lamp", [200, 100, 0]) };
        let lamp = Voxel::full(table.add(lamp).unwrap());
        let traits = LightTraits::new(&table);
        assert_eq!(Channel::ALL.map(|channel| traits.emission(lamp, channel)), [0, 12, 6, 0]);
        assert_eq!(Channel::ALL.map(|channel| traits.emission(Voxel::AIR, channel)), [0; 4]);
    }
}
