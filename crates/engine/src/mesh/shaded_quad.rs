//! Quads with ambient occlusion at their corners, for programs that draw vertices.
//!
//! The game reads ambient occlusion per fragment. Files for other programs have it per vertex, so
//! a quad is split until its shade is the interpolation of its corners.

use super::dark_bricks::DarkBricks;
use super::face_surface::UNSHADED;
use super::quad::{Quad, QuadGrid, STEPS};
use crate::voxel::Face;
use glam::IVec3;

/// A quad with ambient occlusion at its corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadedQuad {
    /// The rectangle.
    pub quad: Quad,
    /// Ambient occlusion of the four corners, two bits each, corner 0 in the lowest bits: 0
    /// darkest, 3 none.
    pub ao: u8,
}

impl ShadedQuad {
    /// Ambient occlusion at a corner, 0 to 3.
    #[must_use]
    pub const fn ao_at(self, corner: u8) -> u8 {
        self.ao >> (2 * corner) & 3
    }

    /// True if a corner is darkened.
    #[must_use]
    pub const fn is_darkened(self) -> bool {
        self.ao != UNSHADED
    }

    /// The corners of its two triangles, counter-clockwise seen from outside. Sheets need culling
    /// switched off.
    ///
    /// The quad is split along its lighter diagonal, so shade looks the same at every corner (0fps,
    /// "Ambient occlusion for Minecraft-like worlds"). If both diagonals are equally light, the
    /// shade is planar and the split is invisible.
    #[must_use]
    pub fn triangles(self) -> [u8; 6] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| self.ao_at(corner));
        let lighter_03 = a + d > b + c;
        match (lighter_03, self.quad.faces_outward()) {
            (true, true) => [0, 1, 3, 0, 3, 2],
            (true, false) => [0, 3, 1, 0, 2, 3],
            (false, true) => [0, 1, 2, 1, 3, 2],
            (false, false) => [0, 2, 1, 1, 2, 3],
        }
    }

    /// Splits a quad, whose chunk has the dark voxels `dark`, and passes the parts to `each`.
    pub fn split(quad: Quad, dark: &DarkBricks, mut each: impl FnMut(ShadedQuad)) {
        let Some(grid) = ShadeGrid::new(quad, dark) else {
            return each(ShadedQuad { quad, ao: UNSHADED });
        };
        let mut done = vec![false; grid.ao.len()];
        for first in 0..grid.ao.len() {
            if done[first] {
                continue;
            }
            let ao = grid.ao[first];
            let [row, col] = [first / grid.cols, first % grid.cols];
            let is_free = |done: &[bool], at: usize| !done[at] && grid.ao[at] == ao;
            let mut cols = 1;
            while is_constant_along_u(ao) && col + cols < grid.cols && is_free(&done, first + cols)
            {
                cols += 1;
            }
            let mut rows = 1;
            while is_constant_along_v(ao)
                && row + rows < grid.rows
                && (0..cols).all(|i| is_free(&done, first + rows * grid.cols + i))
            {
                rows += 1;
            }
            for j in 0..rows {
                done[first + j * grid.cols..][..cols].fill(true);
            }
            each(ShadedQuad { quad: grid.part(quad, [row, rows], [col, cols]), ao });
        }
    }
}

fn is_constant_along_u(ao: u8) -> bool {
    ao & 0b11_00_11 == ao >> 2 & 0b11_00_11
}

fn is_constant_along_v(ao: u8) -> bool {
    ao & 0xF == ao >> 4
}

/// Ambient occlusion of the unit faces of a quad.
struct ShadeGrid {
    /// Ambient occlusion of each unit face, by column, then row.
    ao: Vec<u8>,
    rows: usize,
    cols: usize,
}

impl ShadeGrid {
    /// Computes the shade of a quad; `None` for quads without shade.
    fn new(quad: Quad, dark: &DarkBricks) -> Option<ShadeGrid> {
        // Shade varies from voxel to voxel; small quads are left unshaded.
        let takes_shade = quad.shaded && quad.grid == QuadGrid::Voxels;
        let face = *Face::ALL.get(usize::from(quad.face)).filter(|_| takes_shade)?;
        let is_level = matches!(face, Face::Up | Face::Down);
        let steps = u16::from(STEPS);
        let rows = if is_level { quad.height } else { quad.height.div_ceil(steps) }.into();
        let cols = usize::from(quad.width);
        // The face's voxel: an upper face at sixteenth 16 belongs to the voxel below it.
        let low = i32::from(quad.y) - i32::from(face == Face::Up);
        let y = low.div_euclid(STEPS.into());
        let corner = IVec3::new(quad.x.into(), y, quad.z.into());
        let far =
            if matches!(face, Face::East | Face::South) { face.normal() } else { IVec3::ZERO };
        let (u, v) = face.axes();
        let at = |i: usize| corner - far + u * (i % cols) as i32 + v * (i / cols) as i32;
        let ao = (0..rows * cols).map(|i| dark.corners(face, at(i))).collect();
        Some(ShadeGrid { ao, rows, cols })
    }

    /// The part of `quad` that covers some rows and columns, each given as first and number.
    fn part(&self, quad: Quad, [row, rows]: [usize; 2], [col, cols]: [usize; 2]) -> Quad {
        let along = col as u16;
        let width = cols as u8;
        let steps = u16::from(STEPS);
        let mut part = Quad { width, ..quad };
        match quad.face {
            0 | 1 => part.z += along,
            _ => part.x += along,
        }
        if matches!(quad.face, 2 | 3) {
            part.z += row as u16;
            part.height = rows as u16;
        } else if self.rows > 1 {
            part.y += row as i16 * i16::from(STEPS);
            part.height = rows as u16 * steps;
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quad_is_split_along_lighter_diagonal() {
        let quad = Quad {
            grid: QuadGrid::Voxels,
            x: 0,
            z: 0,
            y: 16,
            width: 1,
            face: 2,
            height: 1,
            shaded: true,
            liquid: false,
            halved_sides: 0,
            material: 0,
        };
        let cut = |ao: [u8; 4]| {
            let t =
                ShadedQuad { quad, ao: ao[0] | ao[1] << 2 | ao[2] << 4 | ao[3] << 6 }.triangles();
            let mut shared: Vec<u8> =
                t[..3].iter().copied().filter(|c| t[3..].contains(c)).collect();
            shared.sort_unstable();
            shared
        };
        assert_eq!(cut([0, 3, 3, 3]), [1, 2]);
        assert_eq!(cut([3, 3, 3, 0]), [1, 2]);
        assert_eq!(cut([3, 0, 3, 3]), [0, 3]);
        assert_eq!(cut([3, 3, 0, 3]), [0, 3]);
    }

    #[test]
    fn varying_shade_is_not_constant_along_its_axis() {
        // Corners 3, 2, 1, 0 from the left.
        assert!(is_constant_along_u(0b01_01_11_11) && !is_constant_along_v(0b01_01_11_11));
        assert!(is_constant_along_v(0b01_11_01_11) && !is_constant_along_u(0b01_11_01_11));
    }
}
