//! Rows of shapes: everything that other modules need to know about a shape.

use super::corner_rule::CornerRule;
use super::joint::Joint;
use super::part_face::PartFace;
use super::shape_box::{ShapeBox, SolidBoxes};
use super::side_cover::SideCover;
use crate::voxel::{Face, Voxel};
use glam::Vec3;

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
    /// Occupancy of a voxel with the shape; `None` where it can be any.
    pub fill: Option<u8>,
    /// Parts of the voxel's sides that the shape fills, by [`Face`]; `None` for shapes without
    /// [`ShapeFaces::Parts`].
    pub covers: Option<&'static [SideCover; 6]>,
    /// Kind of shapes to which this one joins, in all its forms; `None` for those that join to
    /// none.
    pub joint: Option<Joint>,
    /// True for gates: fences and walls join to the sides that they reach.
    pub is_gate: bool,
    /// Forms that the shape takes by its neighbours; `None` for shapes of one form.
    pub joined: Option<&'static JoinedForms>,
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
        fill: None,
        covers: None,
        joint: None,
        is_gate: false,
        joined: None,
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

    /// True if a shape that joins as `joint` does joins to the side `side` of `voxel`, which has
    /// this shape. `is_sturdy` is [`Material::is_sturdy`](crate::voxel::Material::is_sturdy).
    #[must_use]
    pub fn joins(&self, is_sturdy: bool, voxel: Voxel, side: Face, joint: Joint) -> bool {
        match self.joint {
            Some(own) => own.joins(joint),
            None if self.is_gate => joint != Joint::Pane && self.reaches(side),
            None => is_sturdy && self.fills_side(voxel, side),
        }
    }

    /// True if the shape has a part at a side of its voxel.
    fn reaches(&self, side: Face) -> bool {
        self.covers.is_some_and(|covers| covers[side as usize] != SideCover::NONE)
    }

    /// True if `voxel`, which has this shape, fills one of its sides.
    fn fills_side(&self, voxel: Voxel, side: Face) -> bool {
        match (self.covers, self.faces) {
            (Some(covers), _) => covers[side as usize] == SideCover::WHOLE,
            (None, ShapeFaces::Box) => voxel.is_full(),
            (None, _) => false,
        }
    }

    /// True for plants and torches that stand on the ground below them, false for whole and hewn
    /// blocks, for models of boxes and for torches on walls.
    #[must_use]
    pub fn stands(&self) -> bool {
        match (&self.faces, &self.corners) {
            (ShapeFaces::Box | ShapeFaces::Parts(_), _) => false,
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
    /// Faces of boxes and sheets, in mesh order. Neighbours hide those at the voxel's sides, as far
    /// as they fill them.
    Parts(&'static [PartFace]),
}

/// Forms that a shape takes by its neighbours: fences, walls, panes.
#[derive(Debug)]
pub struct JoinedForms {
    /// Kind of shapes to which the shape joins.
    pub joint: Joint,
    /// Rows by the joined sides, a bit for each of [`Face::SIDES`], and the highest for something
    /// above to which the shape joins.
    pub rows: [&'static ShapeRow; 32],
}

impl JoinedForms {
    /// The form with the sides for which `joins` is true: the four sides and above.
    #[must_use]
    pub fn row(&self, joins: impl Fn(Face) -> bool) -> &'static ShapeRow {
        let sides = Face::SIDES.into_iter().chain([Face::Up]).enumerate();
        self.rows[sides.map(|(bit, side)| usize::from(joins(side)) << bit).sum::<usize>()]
    }
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

/// Part of a voxel that the player can target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TargetPart {
    /// The boxes of the shape that stop bodies.
    Solid,
    /// These boxes.
    Boxes(&'static [ShapeBox]),
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
