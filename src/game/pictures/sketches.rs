//! Computed pictures, of blueprints and of maps that have none, one after another in the
//! background.

use crate::game::pictures::map_sketch::sketch;
use crate::game::ui_kit::job::Job;
use crate::game::ui_kit::thumbnail;
use bevy_egui::egui::{Context, TextureHandle};
use image::RgbaImage;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use stonerun_exchange::Progress;

/// Path of the map or blueprint (empty for voxels without a file), and version of its content. A
/// picture of another version is outdated.
type SketchKey = (PathBuf, u64);

/// The computed pictures.
#[derive(Default)]
pub struct Sketches {
    /// Finished pictures; `None` for a picture that could not be computed.
    finished: HashMap<SketchKey, Option<TextureHandle>>,
    running: Option<(SketchKey, Job<Option<RgbaImage>>)>,
}

impl Sketches {
    /// The picture of the map at `path` with this version of its content. If it is not finished,
    /// returns `None`, and starts to compute it unless another picture is being computed.
    pub fn picture(&mut self, ctx: &Context, path: &Path, version: u64) -> Option<TextureHandle> {
        let map = path.to_owned();
        self.computed(ctx, (path.to_owned(), version), || {
            move |progress: &mut Progress| sketch(&map, progress)
        })
    }

    /// The picture for `key`, computed by the work that `begin` returns; otherwise the same as
    /// [`Sketches::picture`].
    pub fn computed<W>(
        &mut self,
        ctx: &Context,
        key: SketchKey,
        begin: impl FnOnce() -> W,
    ) -> Option<TextureHandle>
    where
        W: FnOnce(&mut Progress) -> Option<RgbaImage> + Send + 'static,
    {
        self.take_finished(ctx);
        if let Some(picture) = self.finished.get(&key) {
            return picture.clone();
        }
        if self.running.is_none() {
            match Job::begin(begin()) {
                Ok(job) => self.running = Some((key, job)),
                Err(_) => self.insert(key, None),
            }
        }
        None
    }

    fn take_finished(&mut self, ctx: &Context) {
        let Some(result) = self.running.as_mut().and_then(|(_, job)| job.poll()) else { return };
        if let Some((key, _)) = self.running.take() {
            let picture = result.ok().flatten().map(|picture| thumbnail::upload(ctx, &picture));
            self.insert(key, picture);
        }
    }

    /// Keeps a finished picture, and drops those of other versions of the same file.
    fn insert(&mut self, key: SketchKey, picture: Option<TextureHandle>) {
        self.finished.retain(|(path, _), _| *path != key.0);
        self.finished.insert(key, picture);
    }

    /// Stops the running computation, which keeps the map's file open. It starts again when the
    /// picture is next requested.
    pub fn stop(&mut self) {
        self.running = None;
    }
}
