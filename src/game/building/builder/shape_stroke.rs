//! Strokes of the tool *Shape*. A frame only adds places; jobs shape the ground at them.
//!
//! Each pass works on the result of the passes before it. A stroke keeps the edit of the last job,
//! so that the next one shapes only at new places.

use crate::game::building::builder::shape_options::{ShapeOperation, ShapeOptions};
use crate::game::building::builder::symmetry::Image;
use crate::game::editing::edit_jobs::PreparedWork;
use glam::{I64Vec3, IVec3};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stonerun_engine::edit::shaping::{
    FlattenSide, MAX_SMOOTHING_REACH, Shaping, ShapingArea, ShapingPlane, ShapingTool,
};
use stonerun_engine::edit::{ChunkSource, EditError, JobProgress, PreparedEdit, VoxelEdit};
use stonerun_engine::metrics::counted;

/// Length of the unit vector of a [`ShapeDab`].
pub const UNIT: i32 = 256;
/// Size of the features of rough ground, in voxels.
const ROUGH_SCALE: u8 = 3;

/// A place of a stroke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeDab {
    /// Voxel in the middle.
    pub at: IVec3,
    /// Direction out of the ground, about [`UNIT`] long.
    pub normal: IVec3,
}

/// Settings of a stroke.
pub struct StrokeSettings {
    /// Options when the stroke began.
    pub options: ShapeOptions,
    /// True to take matter away, if the operation has an opposite.
    pub takes: bool,
    /// Images of the symmetry.
    pub images: Vec<Image>,
    /// Strength, mask and materials. Each pass sets the tool.
    pub shaping: Shaping,
    /// Seed of roughness and of the share that is painted.
    pub seed: u64,
}

/// A stroke. Clones share its places, so that a job sees those added since it was requested.
#[derive(Clone)]
pub struct ShapeStroke {
    settings: Arc<StrokeSettings>,
    dabs: Arc<Mutex<Vec<ShapeDab>>>,
    /// Edit of the last job. Only jobs lock it, for long: a frame never waits for them.
    done: Arc<Mutex<Option<StrokeEdit>>>,
}

/// Edit of the first places of a stroke.
struct StrokeEdit {
    edit: PreparedEdit,
    /// Number of places.
    count: usize,
    /// Plane of each image, from the ground before the stroke.
    planes: Vec<ShapingPlane>,
}

impl ShapeStroke {
    /// A stroke without places.
    #[must_use]
    pub fn new(settings: StrokeSettings) -> ShapeStroke {
        ShapeStroke { settings: Arc::new(settings), dabs: Arc::default(), done: Arc::default() }
    }

    /// Adds a place.
    pub fn add(&self, dab: ShapeDab) {
        lock(&self.dabs).push(dab);
    }

    /// Number of places.
    #[must_use]
    pub fn dab_count(&self) -> usize {
        lock(&self.dabs).len()
    }

    /// The first place.
    #[must_use]
    pub fn start(&self) -> Option<ShapeDab> {
        lock(&self.dabs).first().copied()
    }

    /// Options when the stroke began.
    #[must_use]
    pub fn options(&self) -> &ShapeOptions {
        &self.settings.options
    }

    /// Name of the step in the history.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.options().operation.verb(self.settings.takes)
    }

    /// Work that computes the edit of the stroke so far.
    #[must_use]
    pub fn work(&self) -> PreparedWork {
        let stroke = self.clone();
        Box::new(move |world, revision, progress| stroke.carry_out(world, revision, progress))
    }

    fn carry_out(
        &self,
        world: &dyn ChunkSource,
        revision: u64,
        progress: &JobProgress,
    ) -> Result<(PreparedEdit, String), EditError> {
        let dabs = lock(&self.dabs).clone();
        let mut done = lock(&self.done);
        // The end of a slope moves, so a slope is made again from the ground before the stroke.
        let is_slope = self.options().operation == ShapeOperation::Slope;
        let known = done.as_ref().filter(|_| !is_slope);
        let mut edit = match known {
            Some(known) => VoxelEdit::resume(world, progress, known.edit.clone()),
            None => VoxelEdit::new(world, revision, progress),
        };
        let planes = match (known, dabs.first()) {
            (Some(known), _) => known.planes.clone(),
            (None, Some(&start)) => self.planes(&edit, start)?,
            (None, None) => Vec::new(),
        };
        if is_slope {
            self.slope(&mut edit, &dabs)?;
        } else {
            let count = known.map_or(0, |known| known.count);
            for &dab in &dabs[count..] {
                self.dab(&mut edit, dab, &planes)?;
            }
        }
        let edit = edit.finish(self.name());
        *done = Some(StrokeEdit { edit: edit.clone(), count: dabs.len(), planes });
        let answer = format!("{} changed", counted(edit.volume(), "voxel"));
        Ok((edit, answer))
    }

    /// The plane of each image that a stroke flattens the ground to.
    fn planes(
        &self,
        edit: &VoxelEdit<'_>,
        start: ShapeDab,
    ) -> Result<Vec<ShapingPlane>, EditError> {
        let StrokeSettings { options, images, shaping, .. } = &*self.settings;
        let is_tilted = options.operation == ShapeOperation::Flatten && options.is_tilted;
        let plane = |image: &Image| match options.height {
            Some(height) => {
                let normal = image.direction(IVec3::Y);
                let at = image.voxel(start.at.with_y(height)).as_i64vec3();
                Ok(ShapingPlane::new(at * 256 + 128 + normal.as_i64vec3() * 128, normal))
            }
            None => {
                let normal = if is_tilted { start.normal } else { IVec3::Y };
                let at = image.voxel(start.at);
                ShapingPlane::at_surface(edit, &shaping.materials, at, image.direction(normal))
            }
        };
        images.iter().map(plane).collect()
    }

    /// One pass at each image of a place.
    fn dab(
        &self,
        edit: &mut VoxelEdit<'_>,
        dab: ShapeDab,
        planes: &[ShapingPlane],
    ) -> Result<(), EditError> {
        let StrokeSettings { options, images, shaping, .. } = &*self.settings;
        let mut shaping = shaping.clone();
        let mut shaped: Vec<IVec3> = Vec::new();
        for (image, &plane) in images.iter().zip(planes) {
            let at = image.voxel(dab.at);
            // Images meet on mirror planes and on the axis.
            if shaped.contains(&at) {
                continue;
            }
            shaped.push(at);
            shaping.tool = self.tool(image.direction(dab.normal), plane);
            edit.shape(&shaping, &ShapingArea::dab(options.brush(), at))?;
        }
        Ok(())
    }

    /// A slope from the first place to the last one, for each image.
    fn slope(&self, edit: &mut VoxelEdit<'_>, dabs: &[ShapeDab]) -> Result<(), EditError> {
        let StrokeSettings { options, images, shaping, .. } = &*self.settings;
        let ([from, ..], [.., to]) = (dabs, dabs) else { return Ok(()) };
        let mut shaping = shaping.clone();
        let mut areas = Vec::new();
        for image in images {
            let ends = [from.at, to.at].map(|at| image.voxel(at));
            let mut points = [I64Vec3::ZERO; 2];
            for (point, at) in points.iter_mut().zip(ends) {
                *point = shaping.materials.surface_point(edit.voxel(at)?, at);
            }
            areas.push((ends, points));
        }
        for (ends, points) in areas {
            shaping.tool = ShapingTool::Slope { points };
            edit.shape(&shaping, &ShapingArea::Swept { brush: options.brush(), ends })?;
        }
        Ok(())
    }

    /// Tool of the engine for a place with this normal and plane. Slopes have tools of their own.
    fn tool(&self, normal: IVec3, plane: ShapingPlane) -> ShapingTool {
        let StrokeSettings { options, takes, seed, .. } = *self.settings;
        match options.operation {
            ShapeOperation::Add | ShapeOperation::Slope if takes => ShapingTool::Erode,
            ShapeOperation::Add | ShapeOperation::Slope => ShapingTool::Add,
            ShapeOperation::Grow if takes => ShapingTool::Shrink,
            ShapeOperation::Grow => ShapingTool::Grow,
            ShapeOperation::Sculpt => ShapingTool::Sculpt { normal, pushes: takes },
            ShapeOperation::Smooth => ShapingTool::Smooth { reach: MAX_SMOOTHING_REACH },
            ShapeOperation::Flatten => ShapingTool::Flatten { plane, side: FlattenSide::Both },
            ShapeOperation::Level => {
                let side = if takes { FlattenSide::Lower } else { FlattenSide::Raise };
                ShapingTool::Flatten { plane, side }
            }
            ShapeOperation::Roughen => ShapingTool::Roughen { scale: ROUGH_SCALE, seed },
            ShapeOperation::Paint => ShapingTool::Paint { seed },
            ShapeOperation::Weather => ShapingTool::Weather,
            ShapeOperation::Melt => ShapingTool::Melt,
        }
    }
}

/// Locks a value. Nothing that holds these locks leaves them in a wrong state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "shape_stroke_tests.rs"]
mod tests;
