//! The vertices of the contour in one cell.

use super::sheets::{ContourSheets, EDGES};
use super::voxel::ContourVoxel;
use crate::bits::set_bits;
use crate::voxel::{MaterialId, SurfaceRule};
use glam::IVec3;

/// Middle of a cell along an axis: the common side of two voxels.
const MIDDLE: u8 = 128;

/// Corners of the edges along each axis: the lower ones, as bits.
const LOWER: [u8; 3] = [0b0101_0101, 0b0011_0011, 0b0000_1111];

/// A cell: the cube between the centres of eight voxels.
#[derive(Clone, Copy, Debug)]
pub struct ContourCell {
    /// The voxels, by corner `x + 2 y + 4 z`.
    corners: [ContourVoxel; 8],
    /// Corners of matter.
    inside: u8,
    /// Corners of ground.
    ground: u8,
    /// Corners in full opaque cubes.
    cubes: u8,
}

/// A vertex of the contour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContourVertex {
    /// Position in the cell, in 256ths of a voxel from the centre of its lowest voxel: 1 to 255, so
    /// vertices of different cells differ.
    pub at: [u8; 3],
    /// The material that fills most of the cell.
    pub material: MaterialId,
    /// True where the surface ends at the side of a cube.
    pub is_seam: bool,
}

impl ContourCell {
    /// The cell with these voxels, by corner `x + 2 y + 4 z`.
    #[must_use]
    #[inline]
    pub fn new(corners: [ContourVoxel; 8]) -> ContourCell {
        let mut cell = ContourCell { corners, inside: 0, ground: 0, cubes: 0 };
        for (number, corner) in corners.into_iter().enumerate() {
            cell.inside |= u8::from(corner.is_inside()) << number;
            cell.ground |= u8::from(corner.is_ground()) << number;
            cell.cubes |= u8::from(corner.is_cube()) << number;
        }
        cell
    }

    /// The cell with these voxels, whose matter and ground the caller has as bits.
    #[must_use]
    #[inline]
    pub(crate) fn with_masks(corners: [ContourVoxel; 8], inside: u8, ground: u8) -> ContourCell {
        debug_assert_eq!(
            (ContourCell::new(corners).inside, ContourCell::new(corners).ground),
            (inside, ground)
        );
        // Matter is ground or a cube.
        ContourCell { corners, inside, ground, cubes: inside & !ground }
    }

    /// Corners that are matter, as bits.
    #[must_use]
    #[inline]
    pub fn inside(&self) -> u8 {
        self.inside
    }

    /// The sheets of the cell, drawn or not.
    #[must_use]
    #[inline]
    pub fn sheets(&self) -> &'static ContourSheets {
        ContourSheets::with_corners(self.inside)
    }

    /// Bit e: the surface crosses edge e. A cube's own face is no part of the surface, so one end
    /// must be ground.
    #[must_use]
    #[inline]
    pub fn drawn_edges(&self) -> u16 {
        let mut drawn = 0;
        for (axis, lower) in LOWER.into_iter().enumerate() {
            let shift = 1 << axis;
            let crossed = (self.inside ^ self.inside >> shift) & lower;
            let ground = self.ground | self.ground >> shift;
            drawn |= u16::from(gather(crossed & ground, axis)) << (4 * axis);
        }
        drawn
    }

    /// The vertex of a sheet; `None` if no part of the sheet is drawn.
    #[must_use]
    #[inline]
    pub fn vertex(&self, sheet: u8) -> Option<ContourVertex> {
        let sheets = self.sheets();
        let drawn = self.drawn_edges();
        let mut sum = [0u32; 3];
        let mut count = 0;
        let mut is_seam = false;
        for (edge, [low, high]) in EDGES.into_iter().enumerate() {
            if sheets.of_edge[edge] != sheet {
                continue;
            }
            if drawn >> edge & 1 == 0 {
                is_seam = true;
                continue;
            }
            let axis = edge / 4;
            let corner = |number: u8| self.corners[usize::from(number)];
            let along = u32::from(crossing(corner(low), corner(high)));
            for (other, sum) in sum.iter_mut().enumerate() {
                *sum += if other == axis { along } else { u32::from(low >> other & 1) * 256 };
            }
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let mut at = mean(sum, count);
        if is_seam {
            at = self.on_cube(at, sheets, sheet);
        }
        Some(ContourVertex { at, material: self.material(), is_seam })
    }

    /// True for cells with one sheet and no cubes. All of the sheet is then drawn.
    #[must_use]
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.sheets().count == 1 && self.cubes == 0
    }

    /// The vertex of a [plain](ContourCell::is_plain) cell, by the number of its crossed edges and
    /// the sum of their crossings, in 256ths of a voxel: for callers that compute a crossing once
    /// for all cells around the edge.
    #[must_use]
    #[inline]
    pub(crate) fn plain_vertex(&self, sum: [u32; 3], count: u32) -> ContourVertex {
        ContourVertex { at: mean(sum, count), material: self.material(), is_seam: false }
    }

    /// Moves the vertex of a seam to the sides of the cell's cubes.
    fn on_cube(&self, mut at: [u8; 3], sheets: &ContourSheets, sheet: u8) -> [u8; 3] {
        for (axis, lower) in LOWER.into_iter().enumerate() {
            if (self.cubes ^ self.cubes >> (1 << axis)) & lower != 0 {
                at[axis] = MIDDLE;
            }
        }
        if sheets.count > 1 {
            // Cubes that touch at the middle have a sheet each: move these apart, into the cubes.
            let ends = EDGES.into_iter().zip(sheets.of_edge).filter(|(_, of)| *of == sheet);
            let mut corners = ends.flat_map(|(ends, _)| ends);
            let cube = corners.find(|corner| self.cubes >> corner & 1 == 1).unwrap_or(0);
            for (axis, at) in at.iter_mut().enumerate().filter(|(_, at)| **at == MIDDLE) {
                let is_high = cube >> axis & 1 == 1;
                *at = if is_high { MIDDLE + 1 + sheet } else { MIDDLE - 1 - sheet };
            }
        }
        at
    }

    /// The material of most of the ground at the surface; of two equal ones that with the lower
    /// index. At a crossing that is the outer voxel's ground if it has any, so a thin layer of snow
    /// covers rock, and grass the dirt below it.
    #[inline(always)]
    fn material(&self) -> MaterialId {
        let first = self.corners[self.ground.trailing_zeros() as usize & 7].material();
        let differs = |voxel: ContourVoxel| voxel.is_ground() & (voxel.material() != first);
        if !self.corners.into_iter().fold(false, |any, voxel| any | differs(voxel)) {
            return first;
        }
        let drawn = u32::from(self.drawn_edges());
        let at_surface = EDGES.map(|[low, high]| {
            let [low, high] = [low, high].map(|corner| self.corners[usize::from(corner)]);
            let [inner, outer] = if low.is_inside() { [low, high] } else { [high, low] };
            if outer.is_ground() { outer } else { inner }
        });
        let share = |material: MaterialId| -> u32 {
            let of_it = |&edge: &usize| at_surface[edge].material() == material;
            let densities = set_bits(drawn).map(|edge| edge as usize).filter(of_it);
            densities.map(|edge| u32::from(at_surface[edge].density())).sum()
        };
        let materials = set_bits(drawn).map(|edge| at_surface[edge as usize].material());
        materials.max_by_key(|&id| (share(id), std::cmp::Reverse(id))).unwrap_or(first)
    }
}

impl ContourVertex {
    /// Moves the vertex as the material's rule says. `cell` is the position of the cell's lowest
    /// voxel in the world. Seams stay at the cube.
    #[must_use]
    #[inline]
    pub fn shaped(mut self, rule: SurfaceRule, cell: IVec3) -> ContourVertex {
        if self.is_seam {
            return self;
        }
        match rule {
            SurfaceRule::Cube | SurfaceRule::Smooth | SurfaceRule::Facet => {}
            SurfaceRule::Rough(amount) => {
                let hash = hash(cell);
                for (axis, at) in self.at.iter_mut().enumerate() {
                    let random = (hash >> (16 * axis) & 0xFFFF) as i32 - 0x8000;
                    let moved = i32::from(*at) + random * i32::from(amount) / 0x8000;
                    *at = moved.clamp(1, 255) as u8;
                }
            }
            SurfaceRule::Terrace(heights) => {
                // Heights count from the sides of voxels, half a voxel above their centres.
                let step = 256 / i32::from(heights.max(1));
                let height = i32::from(self.at[1]) - i32::from(MIDDLE);
                let nearest = (height + step / 2).div_euclid(step) * step;
                self.at[1] = (nearest + i32::from(MIDDLE)).clamp(1, 255) as u8;
            }
        }
        self
    }
}

/// The point at which the contour crosses the edge between two voxels, of which one is matter, in
/// 256ths from the centre of the lower one: 1 to 255.
#[must_use]
#[inline]
pub fn crossing(low: ContourVoxel, high: ContourVoxel) -> u8 {
    let [low, high] = [low, high].map(|voxel| usize::from(voxel.density()));
    // A table, because a division of each of the four to six crossings of a cell takes longer. No
    // branch, because none could be predicted.
    let point = CROSSINGS[low.max(high) & 127][low.min(high) & 127];
    let turns = 0u8.wrapping_sub(u8::from(low < high));
    (point ^ turns).wrapping_sub(turns)
}

/// Point at which fill crosses one half, in 256ths of the way from a voxel of matter, by its
/// density minus 128, to one that is none, by its density.
static CROSSINGS: [[u8; 128]; 128] = {
    let mut table = [[0; 128]; 128];
    let mut inside = 0;
    while inside < 128 {
        let mut outside = 0;
        while outside < 128 {
            // Between the densities 127 and 128. Doubled, so that all numbers are whole.
            let above = 2 * inside as u32 + 1;
            let range = 2 * (inside + 128 - outside) as u32;
            let point = (256 * above + range / 2) / range;
            table[inside][outside] = point as u8;
            outside += 1;
        }
        inside += 1;
    }
    table
};

/// Coordinates of the mean of `count` points, 1 to 12, inside of the cell.
#[inline]
fn mean(sum: [u32; 3], count: u32) -> [u8; 3] {
    /// 2^16 divided by each count, rounded up: a multiplication replaces the division. Exact for
    /// sums below 2^16 / 12.
    const INVERSE: [u32; 13] = {
        let mut inverse = [0; 13];
        let mut count = 1;
        while count < 13 {
            inverse[count] = 65_536u32.div_ceil(count as u32);
            count += 1;
        }
        inverse
    };
    let inverse = INVERSE[count as usize];
    sum.map(|sum| (((sum + count / 2) * inverse) >> 16).clamp(1, 255) as u8)
}

/// The bits of a set of lower corners of edges along an axis, one per edge in the order of
/// [`EDGES`].
#[inline]
fn gather(corners: u8, axis: usize) -> u8 {
    let bit = |corner: u8| corners >> corner & 1;
    let edges = &EDGES[4 * axis..4 * axis + 4];
    bit(edges[0][0]) | bit(edges[1][0]) << 1 | bit(edges[2][0]) << 2 | bit(edges[3][0]) << 3
}

/// Hash of the position of a cell.
fn hash(at: IVec3) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15u64;
    for coordinate in at.to_array() {
        hash = (hash ^ u64::from(coordinate.cast_unsigned())).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0x94D0_49BB_1331_11EB) ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: ContourVoxel = ContourVoxel::EMPTY;

    fn ground(occupancy: u8) -> ContourVoxel {
        ContourVoxel::ground(7, occupancy)
    }

    /// A cell from its layers: corners x + 2 z of the lower and of the upper one.
    fn cell(lower: [ContourVoxel; 4], upper: [ContourVoxel; 4]) -> ContourCell {
        let layers = [lower, upper];
        ContourCell::new(std::array::from_fn(|corner| {
            layers[corner >> 1 & 1][corner & 1 | corner >> 1 & 2]
        }))
    }

    fn at(cell: &ContourCell) -> [u8; 3] {
        let count = cell.sheets().count;
        assert_eq!(count, 1);
        cell.vertex(0).expect("the sheet is drawn").at
    }

    #[test]
    fn level_ground_is_at_its_height() {
        // A full voxel ends at its top, half a voxel above its centre.
        assert_eq!(at(&cell([ground(255); 4], [EMPTY; 4])), [128, 128, 128]);
        // A voxel that is half full ends at its centre.
        assert_eq!(at(&cell([ground(127); 4], [EMPTY; 4]))[1], 1);
        assert_eq!(at(&cell([ground(255); 4], [ground(126); 4]))[1], 255);
        assert!(cell([ground(126); 4], [EMPTY; 4]).vertex(0).is_none());
    }

    #[test]
    fn ground_ends_at_the_side_of_a_wall() {
        let wall = ContourVoxel::cube();
        let [low, high] = [ground(200), EMPTY];
        let height = at(&cell([low; 4], [high; 4]))[1];
        // A wall to the east, at x + 1.
        let cell = cell([low, wall, low, wall], [high, wall, high, wall]);
        let vertex = cell.vertex(0).unwrap();
        assert_eq!((vertex.at, vertex.is_seam), ([128, height, 128], true));
        // The two edges of the ground are drawn, the face of the wall is not.
        assert_eq!(cell.drawn_edges().count_ones(), 2);
    }

    #[test]
    fn ground_reaches_the_bottom_of_a_cube_on_it() {
        let block = ContourVoxel::cube();
        let cell = cell([ground(180); 4], [EMPTY, block, EMPTY, block]);
        assert_eq!(cell.vertex(0).unwrap().at, [128, 128, 128]);
    }

    #[test]
    fn thin_layer_on_cubes_has_a_surface() {
        let vertex = cell([ContourVoxel::cube(); 4], [ground(60); 4]).vertex(0).unwrap();
        assert_eq!((vertex.is_seam, vertex.material), (false, 7));
        assert!(vertex.at[1] > 150);
    }

    #[test]
    fn means_are_rounded_quotients() {
        for count in 1..=12 {
            for sum in 0..=256 * count {
                let expected = ((sum + count / 2) / count).clamp(1, 255) as u8;
                assert_eq!(mean([sum, 0, 0], count), [expected, 1, 1]);
            }
        }
    }

    #[test]
    fn largest_share_names_the_material() {
        let other = |occupancy| ContourVoxel::ground(3, occupancy);
        let cell = cell([ground(255), ground(255), other(255), other(140)], [EMPTY; 4]);
        assert_eq!(cell.vertex(0).unwrap().material, 7);
    }

    #[test]
    fn thin_layer_covers_what_is_below_it() {
        let layer = ContourVoxel::ground(3, 10);
        assert_eq!(cell([ground(255); 4], [layer; 4]).vertex(0).unwrap().material, 3);
        // Where the layer is thicker than half a voxel, what is below it is not at the surface.
        let thick = ContourVoxel::ground(3, 140);
        let uneven = cell([ground(255), ground(255), thick, thick], [thick, thick, EMPTY, EMPTY]);
        assert_eq!(uneven.vertex(0).unwrap().material, 3);
    }

    #[test]
    fn shaping_stays_in_the_cell_and_is_the_same_at_the_same_place() {
        let vertex = cell([ground(255); 4], [EMPTY; 4]).vertex(0).unwrap();
        for place in 0..2000 {
            let place = IVec3::new(place, place * 7 - 900, place / 3);
            let rough = vertex.shaped(SurfaceRule::Rough(60), place);
            assert_eq!(rough, vertex.shaped(SurfaceRule::Rough(60), place));
            assert!(rough.at.iter().all(|&at| at.abs_diff(128) <= 60));
        }
        let heights = [1, 40, 90, 128, 160, 200, 255].map(|height| {
            ContourVertex { at: [128, height, 128], ..vertex }
                .shaped(SurfaceRule::Terrace(2), IVec3::ZERO)
                .at[1]
        });
        assert_eq!(heights, [1, 1, 128, 128, 128, 255, 255]);
    }
}
