//! Rules that move the corners of a model's faces.

use super::moved_corner::MovedCorner;
use super::torch::TorchMount;
use super::torch::corners::torch_corner;
use crate::voxel::Face;

/// Rule that moves the corners of a model's faces away from the positions that the mesher gives
/// them.
///
/// A quad stores corners on the voxel grid only. The face's material therefore carries the number
/// of a rule, by which the shader moves the corners. Mesh exports apply the same rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CornerRule {
    /// The corners stay where they are.
    #[default]
    Unmoved,
    /// The faces of a full block become the faces of a torch.
    Torch(TorchMount),
}

impl CornerRule {
    /// Number of the rule for shaders, three bits: 0 for [`CornerRule::Unmoved`], 1 to 5 for
    /// torches (`torch_mount` in `torch.wgsl`).
    #[must_use]
    pub const fn shader_number(self) -> u32 {
        match self {
            CornerRule::Unmoved => 0,
            CornerRule::Torch(mount) => mount as u32 + 1,
        }
    }

    /// New position of a corner of a face; `None` if the rule does not move it. Corners are
    /// numbered as in [`Quad::vertices`](crate::mesh::Quad::vertices).
    #[must_use]
    pub fn moved(self, face: Face, corner: u8) -> Option<MovedCorner> {
        match self {
            CornerRule::Unmoved => None,
            CornerRule::Torch(mount) => Some(torch_corner(mount, face, corner)),
        }
    }
}
