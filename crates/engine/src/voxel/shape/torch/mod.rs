//! Torches: sticks on the floor, or leaning from a wall.

pub(super) mod corners;
mod mount;

pub use mount::TorchMount;

use super::corner_rule::CornerRule;
use super::row::{Likeness, ModelFace, ShapeFaces, ShapeIcon, ShapeRow, TargetPart, TexturePart};
use crate::voxel::Face;

/// Rows of [`Shape::Torch`](super::Shape::Torch), indexed by mount.
pub(super) static ROWS: [ShapeRow; 5] = [
    row(TorchMount::Floor),
    row(TorchMount::East),
    row(TorchMount::West),
    row(TorchMount::South),
    row(TorchMount::North),
];

/// Faces of a full block, which [`CornerRule::Torch`] moves. Without the bottom, which is never
/// seen.
const FACES: [ModelFace; 5] = [
    ModelFace::Side { face: Face::East, low: 0, high: 16 },
    ModelFace::Side { face: Face::West, low: 0, high: 16 },
    ModelFace::Level { face: Face::Up, height: 16 },
    ModelFace::Side { face: Face::South, low: 0, high: 16 },
    ModelFace::Side { face: Face::North, low: 0, high: 16 },
];

/// Square that contains all visible texels of the texture.
const ICON: TexturePart = TexturePart { low: [1.5 / 16.0, 3.0 / 16.0], high: [14.5 / 16.0, 1.0] };

const fn row(mount: TorchMount) -> ShapeRow {
    ShapeRow {
        name: "Torch",
        code: 2,
        parameter: Some(mount as u8),
        first_format: 4,
        faces: ShapeFaces::Model(&FACES),
        corners: CornerRule::Torch(mount),
        target: TargetPart::Bounds(mount.bounds()),
        icon: ShapeIcon::Flat(ICON),
        label: Some("Torch"),
        // Placing a torch chooses its wall, so the inventory lists the floor mount only.
        is_offered: matches!(mount, TorchMount::Floor),
        gives_way: false,
        likeness: Likeness::Plant,
        minecraft_endings: &["torch"],
        ..ShapeRow::COMMON
    }
}
