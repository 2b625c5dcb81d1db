//! Materials: the kinds of matter a map contains, by name.
//!
//! The game ships its own list (`assets/materials.ron`, embedded). A map carries the names of the
//! materials its voxels use, so it means the same under any later version of the game. A name the
//! game does not know becomes a plain material with a colour derived from the name, so nothing is
//! lost.

mod opened;
mod shaped;
mod smooth_ground;
mod states;
mod surface_change;
mod surface_rule;
mod table;
mod turned;
mod turned_state;

pub(crate) use states::MAX_SIGNAL;
pub use surface_change::SurfaceChange;
pub use surface_rule::SurfaceRule;
pub use table::{MaterialError, MaterialTable};

use super::shape::{Joint, Shape, SideCover, TorchMount};
use super::{Face, Voxel};
use serde::{Deserialize, Serialize};

/// Visibility of the world behind a voxel of the material.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Opacity {
    /// A full voxel hides everything behind it.
    #[default]
    Opaque,
    /// Each texel is either opaque or absent (leaves, glass panes, plants).
    CutOut,
    /// The voxel is blended with the world behind it (water, ice).
    Translucent,
}

/// Kind of matter, which decides whether a body stands on it, swims in it, or walks through it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Matter {
    /// Matter that neither stops nor carries bodies; only air.
    Gas,
    /// Matter that stops bodies.
    #[default]
    Solid,
    /// Matter that bodies swim in.
    Liquid,
    /// Matter that bodies pass through.
    Plant,
}

/// Textures of the faces, by texture name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Faces {
    /// One texture on all six faces.
    Same(String),
    /// Top, bottom and the four sides.
    Column {
        /// Texture of the upper face.
        top: String,
        /// Texture of the lower face.
        bottom: String,
        /// Texture of the four sides.
        side: String,
    },
    /// Ends and sides of a block that lies: a log on its side.
    Lying {
        /// Axis along which the block lies.
        axis: LyingAxis,
        /// Texture of the two ends.
        end: String,
        /// Texture of the four sides, whose upright lines run along the axis.
        side: String,
    },
}

/// Axis along which a block can lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LyingAxis {
    /// From west to east.
    X,
    /// From north to south.
    Z,
}

impl LyingAxis {
    /// True for the two faces at the ends of a block that lies along the axis.
    #[must_use]
    pub const fn has_end(self, face: Face) -> bool {
        match self {
            LyingAxis::X => matches!(face, Face::East | Face::West),
            LyingAxis::Z => matches!(face, Face::South | Face::North),
        }
    }
}

impl Faces {
    /// Texture of `face`.
    #[must_use]
    pub fn texture(&self, face: Face) -> &str {
        match self {
            Faces::Same(name) => name,
            Faces::Column { top, bottom, side } => match face {
                Face::Up => top,
                Face::Down => bottom,
                _ => side,
            },
            Faces::Lying { axis, end, side } => {
                if axis.has_end(face) {
                    end
                } else {
                    side
                }
            }
        }
    }

    /// True if the texture of `face` lies on its side: its upright lines run along u instead of v.
    #[must_use]
    pub const fn is_turned(&self, face: Face) -> bool {
        match self {
            Faces::Same(_) | Faces::Column { .. } => false,
            // On the upper and lower face, v runs along z.
            Faces::Lying { axis: LyingAxis::Z, .. } => matches!(face, Face::East | Face::West),
            Faces::Lying { axis: LyingAxis::X, .. } => !matches!(face, Face::East | Face::West),
        }
    }

    /// The faces of a block with these faces that lies along `axis`. Unchanged without ends.
    #[must_use]
    pub fn lying(self, axis: LyingAxis) -> Faces {
        match self {
            Faces::Same(_) => self,
            Faces::Column { top: end, side, .. } | Faces::Lying { end, side, .. } => {
                Faces::Lying { axis, end, side }
            }
        }
    }
}

/// A material of voxels.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Unique name: `snake_case` for the game's own materials; imported ones keep theirs.
    pub name: String,
    /// Textures of the faces.
    pub faces: Faces,
    /// Colour that the textures are multiplied with, sRGB; white leaves them unchanged.
    #[serde(default = "white")]
    pub tint: [u8; 3],
    /// Visibility of the world behind the material.
    #[serde(default)]
    pub opacity: Opacity,
    /// Gas, solid, liquid or plant.
    #[serde(default)]
    pub matter: Matter,
    /// Geometry of the material's voxels.
    #[serde(default)]
    pub shape: Shape,
    /// Emitted light, 0 to [`MAX_LIGHT`].
    #[serde(default)]
    pub light: u8,
    /// Surface of the ground that the material makes.
    #[serde(default, skip_serializing_if = "SurfaceRule::is_cube")]
    pub surface: SurfaceRule,
}

fn white() -> [u8; 3] {
    [255; 3]
}

impl Material {
    /// A solid, opaque material of one colour, for names without a texture.
    #[must_use]
    pub fn plain(name: &str, tint: [u8; 3]) -> Material {
        Material {
            name: name.to_owned(),
            faces: Faces::Same("plain".to_owned()),
            tint,
            opacity: Opacity::Opaque,
            matter: Matter::Solid,
            shape: Shape::Cube,
            light: 0,
            surface: SurfaceRule::Cube,
        }
    }

    /// Material for an undescribed name: plain, with a colour derived from the name.
    #[must_use]
    pub fn unknown(name: &str) -> Material {
        let hash = crc32fast::hash(name.as_bytes()).to_le_bytes();
        // Between 80 and 207, so that the colour is neither black nor glaring.
        Material::plain(name, [0, 1, 2].map(|i| 80 + hash[i] / 2))
    }

    /// True if bodies cannot enter the material.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.matter == Matter::Solid
    }

    /// True for shapes that leave a part of the voxel's lower side open: fences, upper slabs. They
    /// do not cover what grows below.
    #[must_use]
    pub fn is_thin(&self) -> bool {
        let covers = self.shape.row().covers;
        covers.is_some_and(|covers| covers[Face::Down as usize] != SideCover::WHOLE)
    }

    /// True if fences, walls and panes join to full sides of the material: solids but leaves.
    #[must_use]
    pub fn is_sturdy(&self) -> bool {
        self.is_solid() && !self.is_foliage()
    }

    /// True if a shape that joins as `joint` does joins to the side `side` of `voxel`, which is of
    /// the material.
    #[must_use]
    pub fn joins(&self, voxel: Voxel, side: Face, joint: Joint) -> bool {
        self.shape.row().joins(self.is_sturdy(), voxel, side, joint)
    }

    /// True for gases and liquids, whose voxels hold no liquid besides their own matter.
    #[must_use]
    pub fn is_fluid(&self) -> bool {
        matches!(self.matter, Matter::Gas | Matter::Liquid)
    }

    /// True if the material can have this surface: its parameter is in range, and only solid blocks
    /// without a model can be anything but cubes.
    #[must_use]
    pub fn can_have(&self, surface: SurfaceRule) -> bool {
        surface.is_valid() && (surface.is_cube() || self.is_solid() && !self.shape.is_model())
    }

    /// True if the material makes smooth ground: a solid without a model, with another surface than
    /// [`SurfaceRule::Cube`].
    #[must_use]
    pub fn is_smooth(&self) -> bool {
        self.is_solid() && !self.shape.is_model() && !self.surface.is_cube()
    }

    /// True for cut-out cubes with a texture of leaves.
    #[must_use]
    pub fn is_foliage(&self) -> bool {
        let has_leaves = self.faces.texture(Face::Up).ends_with("leaves");
        self.opacity == Opacity::CutOut && !self.shape.is_model() && has_leaves
    }

    /// Mount of a torch; `None` for other shapes.
    #[must_use]
    pub fn torch_mount(&self) -> Option<TorchMount> {
        self.shape.torch_mount()
    }

    /// Name of the material without the mount ending of a torch: `torch` for `torch_wall_east`.
    #[must_use]
    pub fn kind(&self) -> &str {
        let ending = self.torch_mount().map_or("", TorchMount::name_ending);
        self.name.strip_suffix(ending).unwrap_or(&self.name)
    }
}

/// Highest light level that a material can emit.
pub const MAX_LIGHT: u8 = 15;
