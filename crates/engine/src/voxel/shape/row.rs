//! Rows of shapes: everything that other modules need to know about a shape.

use super::corner_rule::CornerRule;
use crate::voxel::Face;
use glam::{DVec3, Vec3};

/// Properties that depend on the shape of a voxel.
///
/// A shape with a parameter has one row for each value of the parameter. Rows are constants, so
/// [`Shape::row`](super::Shape::row) costs a table lookup.
#[derive(Clone, Copy, Debug)]
pub struct ShapeRow {
    /// Name in lists of materials (`assets/materials.ron`), without the parameter.
    pub name: &'static str,
    /// Number of the shape in a map's material records: the index of its variant in
    /// [`Shape`](super::Shape).
    pub code: u8,
    /// Number of the parameter's value, which follows the code in a record; `None` for shapes
    /// without a parameter.
    pub parameter: Option<u8>,
    /// First map format with the shape. Programs that only know earlier formats refuse the map.
    pub first_format: u32,
    /// Faces that the mesher emits.
    pub faces: ShapeFaces,
    /// Rule by which shaders and mesh exports move the corners of these faces.
    pub corners: CornerRule,
    /// Boxes that stop bodies if the material is solid.
    pub solid: SolidBoxes,
    /// Part of the voxel that the player's target ray hits and the outline shows.
    pub target: TargetPart,
    /// Picture in the hot bar and the inventory.
    pub icon: ShapeIcon,
    /// Name of the shape in the inventory; `None` to show the material's kind of matter instead.
    pub label: Option<&'static str>,
    /// False for shapes that the inventory leaves out because placing a block chooses them: torches
    /// on walls.
    pub is_offered: bool,
    /// True if placing a block replaces a plant of this shape.
    pub gives_way: bool,
    /// Class of blocks in other programs that the shape resembles.
    pub likeness: Likeness,
    /// Endings of Minecraft block names that become this shape; they match whole words. Empty for
    /// cubes, to which all remaining blocks are mapped, and for crossed sheets, whose blocks are
    /// listed with their textures in `exchange::minecraft`.
    pub minecraft_endings: &'static [&'static str],
}

impl ShapeRow {
    /// Defaults for rows, the values of a cube: a shape states its `name`, its `code` and its
    /// differences.
    pub const COMMON: ShapeRow = ShapeRow {
        name: "",
        code: 0,
        parameter: None,
        first_format: 1,
        faces: ShapeFaces::Box,
        corners: CornerRule::Unmoved,
        solid: SolidBoxes::Filled,
        target: TargetPart::Solid,
        icon: ShapeIcon::Cube,
        label: None,
        is_offered: true,
        gives_way: true,
        likeness: Likeness::Block,
        minecraft_endings: &[],
    };

    /// True for models that stand on the ground below them, false for cubes and for models on
    /// walls.
    #[must_use]
    pub fn stands(&self) -> bool {
        match (&self.faces, &self.corners) {
            (ShapeFaces::Box, _) => false,
            (_, CornerRule::Torch(mount)) => mount.wall().is_none(),
            (_, CornerRule::Unmoved) => true,
        }
    }
}

/// Faces of a shape.
///
/// The variant also decides how the voxel hides others. A full opaque box hides the faces of its
/// neighbours and everything behind it, darkens corners and stops light; how much transparent and
/// low boxes hide depends on their material and height. A model hides nothing, and no neighbour
/// hides its faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeFaces {
    /// A box whose height is the fill of the voxel. Its faces merge with the faces of equal voxels.
    Box,
    /// Faces that never merge, in mesh order.
    Model(&'static [ModelFace]),
}

/// A face of a model, as wide as the voxel. Heights are in sixteenths above the voxel's bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelFace {
    /// An upright sheet on one of the voxel's two diagonals (0 or 1), as high as the voxel is
    /// filled.
    Sheet(u8),
    /// The upper or lower side of the voxel, moved to a height.
    Level {
        /// [`Face::Up`] or [`Face::Down`].
        face: Face,
        /// Height of the face.
        height: u8,
    },
    /// A part of an upright side of the voxel.
    Side {
        /// Any [`Face`] except up and down.
        face: Face,
        /// Lower edge.
        low: u8,
        /// Upper edge.
        high: u8,
    },
}

/// A box in a voxel, in sixteenths from its lowest corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeBox {
    /// Lowest corner.
    pub low: [u8; 3],
    /// Highest corner.
    pub high: [u8; 3],
}

impl ShapeBox {
    /// Sixteenths per voxel, the grid of boxes.
    pub(crate) const GRID: u8 = 16;

    /// Lowest and highest corner, in voxels.
    #[must_use]
    pub fn corners(self) -> [DVec3; 2] {
        [self.low, self.high]
            .map(|corner| DVec3::from_array(corner.map(f64::from)) / f64::from(ShapeBox::GRID))
    }
}

/// Boxes of a shape that stop bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolidBoxes {
    /// One box over the whole floor of the voxel; its height is the fill of the voxel.
    Filled,
    /// Fixed boxes that do not depend on the voxel's occupancy. Not empty.
    Boxes(&'static [ShapeBox]),
}

impl SolidBoxes {
    /// Smallest box around all boxes; `None` if the height depends on the occupancy.
    #[must_use]
    pub const fn bounds(self) -> Option<ShapeBox> {
        let SolidBoxes::Boxes(boxes) = self else { return None };
        let mut bounds = ShapeBox { low: [ShapeBox::GRID; 3], high: [0; 3] };
        let mut index = 0;
        while index < boxes.len() {
            let mut axis = 0;
            while axis < 3 {
                if boxes[index].low[axis] < bounds.low[axis] {
                    bounds.low[axis] = boxes[index].low[axis];
                }
                if boxes[index].high[axis] > bounds.high[axis] {
                    bounds.high[axis] = boxes[index].high[axis];
                }
                axis += 1;
            }
            index += 1;
        }
        Some(bounds)
    }

    /// Height of the highest box above the voxel's bottom. `filled` is the filled height of the
    /// voxel. Both are in voxels.
    #[must_use]
    pub const fn top(self, filled: f32) -> f32 {
        match self.bounds() {
            None => filled,
            Some(bounds) => bounds.high[1] as f32 / ShapeBox::GRID as f32,
        }
    }
}

/// Part of a voxel that the player can target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TargetPart {
    /// The boxes of the shape that stop bodies.
    Solid,
    /// The upright box around the visible texels of the shape's texture. Its height is the fill of
    /// the voxel.
    VisibleTexels,
    /// The box between these corners, 0 to 1.
    Bounds([Vec3; 2]),
}

/// Picture of a shape in the hot bar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ShapeIcon {
    /// Three faces of a cube.
    Cube,
    /// A part of the texture of the south face.
    Flat(TexturePart),
}

/// A rectangle of a texture, 0 to 1 from the upper left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TexturePart {
    /// Upper left corner.
    pub low: [f32; 2],
    /// Lower right corner.
    pub high: [f32; 2],
}

impl TexturePart {
    /// The whole texture.
    pub const WHOLE: TexturePart = TexturePart { low: [0.0; 2], high: [1.0; 2] };
}

/// Class of blocks in other programs that a shape resembles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likeness {
    /// Blocks that fill a good part of their voxel. Without further information they become solid
    /// and opaque.
    Block,
    /// Sheets and sticks. They become passable and cut out.
    Plant,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_boxes_contain_each_of_them() {
        const STEP: [ShapeBox; 2] = [
            ShapeBox { low: [0, 0, 2], high: [16, 8, 16] },
            ShapeBox { low: [8, 8, 4], high: [16, 12, 14] },
        ];
        let solid = SolidBoxes::Boxes(&STEP);
        assert_eq!(solid.bounds(), Some(ShapeBox { low: [0, 0, 2], high: [16, 12, 16] }));
        assert_eq!([solid.top(0.25), SolidBoxes::Filled.top(0.25)], [0.75, 0.25]);
        assert_eq!(SolidBoxes::Filled.bounds(), None);
        assert_eq!(STEP[1].corners(), [DVec3::new(0.5, 0.5, 0.25), DVec3::new(1.0, 0.75, 0.875)]);
    }
}
