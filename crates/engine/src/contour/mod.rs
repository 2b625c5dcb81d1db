//! The contour: where smooth ground ends, as a function of eight voxels.
//!
//! A *cell* is the cube between the centres of eight voxels. Where some of the eight are matter and
//! others are not, the contour crosses the cell, and each sheet of it has one vertex there, near
//! the points at which occupancy crosses one half along the cell's edges (dual contouring in the
//! manner of surface nets). Two cells that share a face have the sheets on both sides of it in
//! common, so the surface has no gaps, and because a vertex depends on its cell alone, chunks agree
//! about the vertices at their common border.
//!
//! - [`ContourVoxel`]: how a voxel counts; [`ContourMaterials`]: by material.
//! - [`ContourSheets`]: the sheets of a cell, by which of its corners are matter.
//! - [`ContourCell`]: the corners of a cell, and the vertices of its sheets.
//! - [`EdgePolygon`]: the surface around one crossed edge, for rays and bodies, which read single
//!   voxels; [`surface_height`]: its height in the middle of a column;
//!   [`standing_height_in_sixteenths`]: the height of models there.
//! - [`ContourRules`]: where voxels and surface rules are read from.
//!
//! Source: Roblox text, "What's in a voxel?" and "Geometry"; Gibson, "Constrained elastic surface
//! nets" (1998); Nielson, "Dual marching cubes" (2004).

mod cell;
mod column;
mod materials;
mod polygon;
mod rules;
mod sheets;
mod voxel;

pub use cell::{ContourCell, ContourVertex, crossing};
pub use column::{standing_height_in_sixteenths, surface_height};
pub use materials::ContourMaterials;
pub use polygon::{
    CellVertices, Corners, EDGE_CELLS, EdgePolygon, FacePoint, with_shorter_diagonal,
};
pub use rules::ContourRules;
pub use sheets::{ContourSheets, EDGES, FACES, NO_SHEET};
pub use voxel::ContourVoxel;
