//! Selections: voxels that a builder marks by points.
//!
//! The kinds of selections and the meaning of their points follow WorldEdit. `change` moves and
//! resizes selections.

mod change;

use super::region::{
    Cylinder, Ellipsoid, MAX_CHUNKS, Prism, Region, RegionError, RegionPlan, Shape,
};
use super::{LinesMask, Mask, ShapeMask};
use crate::metrics::{counted, thousands};
use crate::voxel::Box3;
use glam::{IVec2, IVec3};
use std::sync::Arc;

/// Maximum radius in voxels. Larger regions have more than [`MAX_CHUNKS`] chunks.
const MAX_RADIUS: i32 = 1 << 23;

/// A selection of voxels.
#[derive(Clone, PartialEq, Debug)]
pub enum Selection {
    /// A box between two opposite corners.
    Cuboid {
        /// Opposite corners, both included.
        corners: [Option<IVec3>; 2],
        /// True if a second point extends the box instead of moving its corner.
        is_extended: bool,
    },
    /// An upright prism over a polygon.
    Polygon {
        /// Corners of the polygon in order, as x and z.
        corners: Vec<IVec2>,
        /// Lowest and highest layer, both included.
        layers: [i32; 2],
    },
    /// A ball or an ellipsoid.
    Ellipsoid {
        /// The voxel in the middle.
        centre: Option<IVec3>,
        /// Radii along x, y and z, in voxels.
        radii: IVec3,
        /// True if all radii are kept equal.
        is_sphere: bool,
    },
    /// An upright cylinder.
    Cylinder {
        /// x and z of the cylinder's axis.
        centre: Option<IVec2>,
        /// Radii along x and z, in voxels.
        radii: IVec2,
        /// Lowest and highest layer, both included.
        layers: [i32; 2],
    },
    /// Straight lines from point to point.
    Path {
        /// Points in order.
        points: Vec<IVec3>,
    },
    /// Any set of voxels; see `Selection::from_region`.
    Region {
        /// Voxels before the shift.
        region: Arc<Region>,
        /// Smallest box around the voxels after the shift.
        bounds: Box3,
        /// Offset of the selected voxels from `region`.
        shift: IVec3,
        /// Number of voxels, cached because counting many takes longer than a frame.
        volume: u64,
    },
}

/// Reason why a selection cannot be used.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectionError {
    /// A point is missing; names the command that sets it.
    #[error("nothing is selected: set a corner with {0}")]
    NoCorner(&'static str),
    /// The region has no voxel.
    #[error("nothing is selected")]
    Empty,
    /// The box around the region has more than [`MAX_CHUNKS`] chunks.
    #[error(
        "the region is too large: the box around it may have {MAX_CHUNKS} chunks of 32 x 32 x 32 voxels"
    )]
    TooLarge,
    /// The selection would leave the world.
    #[error("the selection would leave the world")]
    OutsideWorld,
    /// The kind of selection has no points for lines; only boxes and paths do.
    #[error("lines need a selection with points: //sel cuboid or //sel path")]
    NoPoints,
    /// The kind of selection cannot be resized this way.
    #[error("a selection of this kind cannot be resized this way")]
    Fixed,
    /// The diameter of an ellipsoid or a cylinder would change by an odd number of voxels.
    #[error(
        "an ellipsoid or a cylinder has a voxel in its middle: move opposite sides by an even number together, such as //expand 2 up or //expand 1 1 up"
    )]
    Odd,
}

impl From<RegionError> for SelectionError {
    fn from(error: RegionError) -> SelectionError {
        match error {
            RegionError::OutsideWorld => SelectionError::OutsideWorld,
            RegionError::TooLarge | RegionError::Radius => SelectionError::TooLarge,
            RegionError::Empty => SelectionError::Empty,
        }
    }
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::Cuboid { corners: [None; 2], is_extended: false }
    }
}

impl From<Box3> for Selection {
    /// Selects a box, which must not be empty.
    fn from(area: Box3) -> Selection {
        Selection::Cuboid { corners: [Some(area.min), Some(area.max - 1)], is_extended: false }
    }
}

/// The definition from which the selected voxels are computed.
enum Marked {
    /// Voxels of a shape.
    Shape(Box<dyn Shape + Send>),
    /// Voxels of straight lines from point to point.
    Path(Vec<IVec3>),
    /// Voxels of a region, moved by an offset.
    Region(Arc<Region>, IVec3),
}

impl Selection {
    /// Selects the voxels of a region. A region that fills its bounding box becomes a box, which
    /// can be resized.
    #[must_use]
    pub(crate) fn from_region(region: Region) -> Selection {
        let Some(bounds) = region.bounds() else { return Selection::default() };
        let volume = region.volume();
        if bounds.volume() == volume {
            return Selection::from(bounds);
        }
        Selection::Region { region: Arc::new(region), bounds, shift: IVec3::ZERO, volume }
    }

    /// Sets the first point: a corner of a box, the first corner of a new polygon, the centre of an
    /// ellipsoid or cylinder, or the first point of a new path.
    pub(crate) fn set_first(&mut self, at: IVec3) {
        match self {
            Selection::Cuboid { corners, is_extended: false } => corners[0] = Some(at),
            Selection::Cuboid { corners, .. } => *corners = [Some(at); 2],
            Selection::Polygon { corners, layers } => {
                (*corners, *layers) = (vec![flat(at)], [at.y; 2])
            }
            Selection::Ellipsoid { centre, radii, .. } => {
                (*centre, *radii) = (Some(at), IVec3::ZERO)
            }
            Selection::Cylinder { centre, radii, layers } => {
                (*centre, *radii, *layers) = (Some(flat(at)), IVec2::ZERO, [at.y; 2]);
            }
            Selection::Path { points } => *points = vec![at],
            Selection::Region { .. } => {
                *self = Selection::Cuboid { corners: [Some(at), None], is_extended: false }
            }
        }
    }

    /// Sets a further point: the other corner of a box, or a voxel that the box is extended to; the
    /// next corner of a polygon; a voxel that the ellipsoid or cylinder is extended to; the next
    /// point of a path.
    pub(crate) fn set_second(&mut self, at: IVec3) {
        match self {
            Selection::Cuboid { corners, is_extended: false } => corners[1] = Some(at),
            Selection::Cuboid { corners, .. } => {
                let both = corners[0].zip(corners[1]);
                let (low, high) =
                    both.map_or((at, at), |(a, b)| (a.min(b).min(at), a.max(b).max(at)));
                *corners = [Some(low), Some(high)];
            }
            Selection::Polygon { corners, layers } => {
                *layers = if corners.is_empty() { [at.y; 2] } else { grown(*layers, at.y) };
                corners.push(flat(at));
            }
            Selection::Ellipsoid { centre, radii, is_sphere } => {
                let away = (at - *centre.get_or_insert(at)).abs();
                *radii = if *is_sphere {
                    IVec3::splat(away.as_dvec3().length().ceil() as i32)
                } else {
                    radii.max(away)
                };
            }
            Selection::Cylinder { centre, radii, layers } => {
                *layers = if centre.is_none() { [at.y; 2] } else { grown(*layers, at.y) };
                let away = (flat(at) - *centre.get_or_insert(flat(at))).abs();
                *radii = radii.max(away);
            }
            Selection::Path { points } => points.push(at),
            Selection::Region { .. } => {
                *self = Selection::Cuboid { corners: [None, Some(at)], is_extended: false }
            }
        }
    }

    /// Removes all points and keeps the kind of selection. A region becomes an empty box selection.
    pub fn clear(&mut self) {
        *self = match self {
            Selection::Cuboid { is_extended, .. } => {
                Selection::Cuboid { corners: [None; 2], is_extended: *is_extended }
            }
            Selection::Polygon { .. } => Selection::Polygon { corners: Vec::new(), layers: [0; 2] },
            Selection::Ellipsoid { is_sphere, .. } => {
                Selection::Ellipsoid { centre: None, radii: IVec3::ZERO, is_sphere: *is_sphere }
            }
            Selection::Cylinder { .. } => {
                Selection::Cylinder { centre: None, radii: IVec2::ZERO, layers: [0; 2] }
            }
            Selection::Path { .. } => Selection::Path { points: Vec::new() },
            Selection::Region { .. } => Selection::default(),
        };
    }

    /// The selected box; `None` for other kinds of selections.
    ///
    /// # Errors
    /// A corner is missing.
    pub(crate) fn as_box(&self) -> Result<Option<Box3>, SelectionError> {
        match self {
            Selection::Cuboid { corners: [Some(a), Some(b)], .. } => {
                Ok(Some(Box3::spanning(*a, *b)))
            }
            Selection::Cuboid { corners: [None, _], .. } => Err(SelectionError::NoCorner("//pos1")),
            Selection::Cuboid { .. } => Err(SelectionError::NoCorner("//pos2")),
            _ => Ok(None),
        }
    }

    /// Points in order: both corners of a box, or all points of a path.
    ///
    /// # Errors
    /// A point is missing, or the selection is of another kind.
    pub fn points(&self) -> Result<Vec<IVec3>, SelectionError> {
        match self {
            Selection::Cuboid { corners: [Some(a), Some(b)], .. } => Ok(vec![*a, *b]),
            Selection::Cuboid { .. } => self.as_box().map(|_| Vec::new()),
            Selection::Path { points } if points.is_empty() => {
                Err(SelectionError::NoCorner("//pos1"))
            }
            Selection::Path { points } => Ok(points.clone()),
            _ => Err(SelectionError::NoPoints),
        }
    }

    /// Smallest box around the selection. Cheap: does not visit every voxel.
    ///
    /// # Errors
    /// A point is missing, or the selection leaves the world.
    pub fn bounds(&self) -> Result<Box3, SelectionError> {
        match self {
            Selection::Path { points } => {
                let boxes = points.iter().map(|&point| Box3::spanning(point, point));
                boxes.reduce(Box3::around).ok_or(SelectionError::NoCorner("//pos1"))
            }
            Selection::Region { bounds, .. } => Ok(*bounds),
            _ => match self.marked()? {
                Marked::Shape(shape) => Ok(shape.bounds()),
                Marked::Path(_) | Marked::Region(..) => Err(SelectionError::Empty),
            },
        }
    }

    /// Plan of the selected voxels, for making the region on another thread because it may take
    /// longer than a frame.
    ///
    /// # Errors
    /// A point is missing, or the selection is too large.
    pub fn plan(&self) -> Result<RegionPlan, SelectionError> {
        match self.marked()? {
            Marked::Shape(shape) => {
                Region::check_shape(&*shape)?;
                Ok(RegionPlan::new(move || Ok(Region::from_shape(&*shape))))
            }
            Marked::Path(points) => {
                Region::check_polyline(&points, 0.0)?;
                Ok(RegionPlan::new(move || Region::polyline(&points, 0.0)))
            }
            Marked::Region(region, by) if by == IVec3::ZERO => {
                Ok(RegionPlan::new(move || Ok((*region).clone())))
            }
            Marked::Region(region, by) => Ok(RegionPlan::new(move || region.translate(by))),
        }
    }

    /// Selected voxels. May take longer than a frame; [`Selection::plan`] defers the work.
    ///
    /// # Errors
    /// A point is missing, or the selection is too large. The size is checked before memory is
    /// allocated.
    pub fn region(&self) -> Result<Region, SelectionError> {
        Ok(self.plan()?.make()?)
    }

    /// Mask of the selected voxels.
    ///
    /// # Errors
    /// The errors of [`Selection::plan`].
    pub fn mask(&self) -> Result<Mask, SelectionError> {
        Ok(match self.marked()? {
            Marked::Shape(shape) => match shape.as_box() {
                Some(area) => Mask::Inside(area),
                None => {
                    Region::check_shape(&*shape)?;
                    Mask::Shape(ShapeMask::new(shape))
                }
            },
            Marked::Path(points) => {
                Region::check_polyline(&points, 0.0)?;
                Mask::Lines(LinesMask::new(points))
            }
            Marked::Region(region, by) if by == IVec3::ZERO => Mask::Region(region),
            Marked::Region(region, by) => Mask::Moved { region, by },
        })
    }

    /// Definition from which the selected voxels are computed.
    ///
    /// # Errors
    /// A point is missing, or a radius is too large.
    fn marked(&self) -> Result<Marked, SelectionError> {
        self.check_radii()?;
        Ok(Marked::Shape(match self {
            Selection::Cuboid { .. } => Box::new(self.as_box()?.ok_or(SelectionError::Empty)?),
            Selection::Polygon { corners, .. } if corners.is_empty() => {
                return Err(SelectionError::NoCorner("//pos1"));
            }
            Selection::Polygon { corners, layers } => Box::new(Prism {
                corners: corners.clone(),
                layers: layers[0]..layers[1].saturating_add(1),
            }),
            Selection::Ellipsoid { centre, radii, .. } => {
                let centre = centre.ok_or(SelectionError::NoCorner("//pos1"))?;
                Box::new(Ellipsoid { centre, radii: radii.as_dvec3() })
            }
            Selection::Cylinder { centre, radii, layers } => {
                let centre = centre.ok_or(SelectionError::NoCorner("//pos1"))?;
                let base = IVec3::new(centre.x, layers[0], centre.y);
                let height = layers[1].saturating_sub(layers[0]).saturating_add(1);
                Box::new(Cylinder { base, radii: radii.as_dvec2().to_array(), height })
            }
            Selection::Path { points } if points.is_empty() => {
                return Err(SelectionError::NoCorner("//pos1"));
            }
            Selection::Path { points } => return Ok(Marked::Path(points.clone())),
            Selection::Region { region, shift, .. } => {
                return Ok(Marked::Region(Arc::clone(region), *shift));
            }
        }))
    }

    /// Fails for radii that would overflow coordinates.
    fn check_radii(&self) -> Result<(), SelectionError> {
        let longest = match self {
            Selection::Ellipsoid { radii, .. } => radii.max_element(),
            Selection::Cylinder { radii, .. } => radii.max_element(),
            _ => 0,
        };
        if longest > MAX_RADIUS { Err(SelectionError::TooLarge) } else { Ok(()) }
    }

    /// Description of the selection for the player.
    ///
    /// # Errors
    /// The errors of [`Selection::bounds`].
    pub fn description(&self) -> Result<String, SelectionError> {
        let bounds = self.bounds()?;
        let size = bounds.size();
        let size = format!("{} x {} x {} voxels", size.x, size.y, size.z);
        Ok(match self {
            Selection::Cuboid { .. } => format!("{size}, {} in all", thousands(bounds.volume())),
            Selection::Polygon { corners, .. } => {
                format!("a polygon with {} corners in {size}", corners.len())
            }
            Selection::Ellipsoid { .. } => format!("an ellipsoid in {size}"),
            Selection::Cylinder { .. } => format!("a cylinder in {size}"),
            Selection::Path { points } => {
                format!("a path of {} in {size}", counted(points.len() as u64, "point"))
            }
            Selection::Region { volume, .. } => {
                format!("a region in {size}, {} in all", thousands(*volume))
            }
        })
    }
}

/// Horizontal coordinates: x and z.
fn flat(at: IVec3) -> IVec2 {
    IVec2::new(at.x, at.z)
}

/// Range of layers, extended to include `y`.
fn grown([low, high]: [i32; 2], y: i32) -> [i32; 2] {
    [low.min(y), high.max(y)]
}

#[cfg(test)]
mod tests;
