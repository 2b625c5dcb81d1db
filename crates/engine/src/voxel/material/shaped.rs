//! Blocks of a material in another shape than a cube: `oak_planks[stairs,north]`.
//!
//! Any solid block can have any shape. A voxel stores no shape, so each shape is a material of its
//! own, named by the block and the words of the shape. A map gets it when it is first used.

use super::{Material, MaterialTable, Matter, SurfaceRule};
use crate::voxel::MaterialId;
use crate::voxel::shape::{PlacingAim, Shape, Turn};

impl Material {
    /// Name of the block of which the material is a shape: `oak_planks` for
    /// `oak_planks[stairs,north]`. `None` for materials that are not named by their shape.
    #[must_use]
    pub fn block_of_shape(&self) -> Option<&str> {
        let words = self.shape.words()?;
        self.name.strip_suffix(']')?.strip_suffix(words.as_str())?.strip_suffix('[')
    }

    /// True if the material can have other shapes: it is a solid block without a state.
    #[must_use]
    pub fn is_shapeable(&self) -> bool {
        let is_block = self.shape == Shape::Cube && !self.name.contains('[') && !self.is_wire();
        self.is_solid() && is_block && !self.is_door()
    }

    /// The same block in another shape. `None` if it can have no other shape.
    #[must_use]
    pub fn reshaped(&self, shape: Shape) -> Option<Material> {
        let block = match self.block_of_shape() {
            Some(block) => block,
            None if self.is_shapeable() => &self.name,
            None => return None,
        };
        let is_passable = shape.model_form().is_some_and(|form| form.is_passable());
        let name = match shape.words() {
            Some(words) => format!("{block}[{words}]"),
            None => block.to_owned(),
        };
        Some(Material {
            name,
            shape,
            matter: if is_passable { Matter::Plant } else { Matter::Solid },
            surface: SurfaceRule::Cube,
            ..self.clone()
        })
    }

    /// The material as it is placed with an aim: its shape turns to the player. `None` if it stays
    /// as it is.
    #[must_use]
    pub fn placed(&self, aim: &PlacingAim) -> Option<Material> {
        let shape = self.shape.placed(aim);
        if shape == self.shape {
            return None;
        }
        if self.block_of_shape().is_some() {
            return self.reshaped(shape);
        }
        // States of imported blocks turn as a whole. Quarter turns come first, because others may
        // have no state.
        let quarters = (0..4).flat_map(|count| {
            let turn = Turn::quarters(count);
            [turn, turn.then(Turn::reflection(1))]
        });
        quarters
            .chain(Turn::all())
            .filter(|turn| self.shape.turned(*turn) == shape)
            .find_map(|turn| self.turned(turn))
    }
}

impl MaterialTable {
    /// Index of `material`, by its name.
    ///
    /// # Errors
    /// Returns the material if the table lacks it.
    pub fn index_of(&self, material: Material) -> Result<MaterialId, Box<Material>> {
        self.find(&material.name).ok_or_else(|| Box::new(material))
    }

    /// The block of the material `id` in another shape, a cube for the whole block. `None` if it
    /// can have no other shape.
    #[must_use]
    pub fn reshaped(&self, id: MaterialId, shape: Shape) -> Option<Material> {
        let material = self.get(id)?;
        let block = material.block_of_shape();
        let is_whole = shape == Shape::Cube;
        // A whole block may have a surface, which its shapes have not.
        let known = block.filter(|_| is_whole).and_then(|name| self.get(self.find(name)?)).cloned();
        let built_in = || {
            let name = block.filter(|_| is_whole)?;
            let builtin = MaterialTable::builtin();
            builtin.get(builtin.find(name)?).cloned()
        };
        known.or_else(built_in).or_else(|| material.reshaped(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Face;
    use glam::DVec3;

    fn get(name: &str) -> Material {
        let table = MaterialTable::builtin();
        table.get(table.find(name).unwrap()).unwrap().clone()
    }

    #[test]
    fn blocks_have_every_shape_and_come_back() {
        let planks = get("oak_planks");
        let stairs = planks.reshaped(Shape::from_words("stairs,top").unwrap()).unwrap();
        assert_eq!(stairs.name, "oak_planks[stairs,north,top]");
        assert_eq!(stairs.block_of_shape(), Some("oak_planks"));
        let rail = stairs.reshaped(Shape::from_words("rail").unwrap()).unwrap();
        assert_eq!((rail.name.as_str(), rail.matter), ("oak_planks[rail]", Matter::Plant));
        assert_eq!(rail.reshaped(Shape::Cube), Some(planks.clone()));
        for name in ["water", "air", "torch", "wheat_1", "wire", "door"] {
            let shaped = get(name).reshaped(Shape::from_words("slab").unwrap());
            assert_eq!(shaped, None, "{name}");
        }
        let state = Material { name: "oak_log[axis=x]".into(), ..planks };
        assert!(!state.is_shapeable());
    }

    #[test]
    fn table_has_shapes_by_name_and_form() {
        let mut table = MaterialTable::builtin();
        let slab = get("stone").reshaped(Shape::from_words("slab").unwrap()).unwrap();
        assert_eq!(table.index_of(slab.clone()), Err(Box::new(slab.clone())));
        let id = table.add(slab.clone()).unwrap();
        assert_eq!(table.index_of(slab), Ok(id));
        assert_eq!(table.reshaped(id, Shape::Cube), Some(get("stone")));
        let mut other = MaterialTable::from_list(vec![get("air")]).unwrap();
        let slab = other.add(table.get(id).unwrap().clone()).unwrap();
        assert_eq!(other.reshaped(slab, Shape::Cube), Some(get("stone")), "the game knows stone");
    }

    #[test]
    fn states_of_imports_turn_to_the_player() {
        let shape = Shape::from_words("stairs,north").unwrap();
        let name = "minecraft:oak_stairs[facing=north,half=bottom,shape=straight]";
        let stairs = Material { shape, ..Material::plain(name, [1; 3]) };
        let aim = PlacingAim {
            against: Some(Face::Down),
            point: DVec3::splat(0.5),
            view: Face::West,
            is_reversed: false,
        };
        let placed = stairs.placed(&aim).unwrap();
        assert_eq!(placed.name, "minecraft:oak_stairs[facing=west,half=top,shape=straight]");
        assert_eq!(placed.shape, Shape::from_words("stairs,west,top").unwrap());
        assert_eq!(placed.placed(&aim), None);
    }
}
