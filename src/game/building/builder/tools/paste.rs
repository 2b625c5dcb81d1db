//! Pastes the clipboard: its ghost follows the crosshair, and a click pastes it.

use crate::game::building::builder::aim::Aim;
use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::building::builder::controls::Controls;
use crate::game::building::builder::options::BuilderOptions;
use crate::game::building::builder::placement::BoxPlacement;
use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::builder::sketch::{GHOST, Sketch};
use crate::game::building::builder::symmetry::Image;
use crate::game::building::builder::tools::shift::looked_along;
use crate::game::editing::edit_jobs::{
    EditJobs, EditPreview, EditRequest, EditWork, Ghost, GhostCanvas, PendingGhost, WhenDone,
};
use crate::game::pictures::sketches::Sketches;
use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::session::OpenMap;
use crate::game::state::session::growing_materials::GrowingMaterials;
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::edit::clipboard::{Clipboard, Transform};
use stonerun_engine::edit::operations::PasteOptions;
use stonerun_engine::metrics::counted;
use stonerun_engine::voxel::{Box3, Face};

/// State of the tool, and the ghost of the clipboard.
#[derive(Resource, Default)]
pub struct PasteTool {
    /// Revision of the clipboard that the ghost shows.
    shown: Option<u64>,
    /// The ghost that is being built.
    pending: Option<SyncCell<PendingGhost>>,
    ghost: Option<Entity>,
    /// Voxels above the ground.
    pub height: i32,
    /// Voxel at which the clipboard is kept; `None` while it follows the crosshair.
    pub fixed: Option<IVec3>,
    /// Turn and scale that the panel applies next.
    pub change: BoxPlacement,
}

impl PasteTool {
    /// Lets the clipboard follow the crosshair again. Returns false if it already does.
    pub fn release(&mut self) -> bool {
        self.fixed.take().is_some()
    }
}

/// The picture of the clipboard in the panel.
#[derive(Resource, Default)]
pub struct ClipboardPicture(pub Sketches);

/// Copies, cuts, and takes the clipboard in hand by their keys.
pub fn use_clipboard_keys(
    keys: Res<KeyInput>,
    clipboard: Res<BuilderClipboard>,
    selection: SelectedBox,
    mut mode: ResMut<BuilderMode>,
    mut jobs: ResMut<EditJobs>,
    mut notices: ResMut<Notices>,
) {
    for (action, cuts) in [(KeyAction::Copy, false), (KeyAction::Cut, true)] {
        if keys.just_pressed(action) {
            match selection.area() {
                Some(area) => clipboard.copy(&mut jobs, area, cuts),
                None => notices.replace_info("Builder", "select a box first"),
            }
        }
    }
    if keys.just_pressed(KeyAction::TakeCopy) {
        mode.tool = Tool::Paste;
    }
}

/// Lets the tool act, and outlines the boxes to paste.
pub fn act(
    controls: Controls,
    aim: Res<Aim>,
    map: Res<OpenMap>,
    options: Res<BuilderOptions>,
    clipboard: Res<BuilderClipboard>,
    mut tool: ResMut<PasteTool>,
    mut jobs: ResMut<EditJobs>,
    preview: Res<EditPreview>,
    mut sketch: ResMut<Sketch>,
) {
    tool.height += controls.steps() * options.snap;
    let (Some(copied), _) = clipboard.get() else { return };
    let turn = controls
        .pressed(KeyAction::Turn)
        .then(|| Transform::turn(DVec3::Y, 90.0).unwrap_or_default());
    let axis = aim.ray.map_or(0, |ray| looked_along(&ray).0);
    let flip = controls.pressed(KeyAction::Flip).then(|| Transform::flip(Face::ALL[2 * axis]));
    for transform in [turn, flip].into_iter().flatten() {
        clipboard.transform(&mut jobs, transform, map.growing.clone());
    }
    let Some(target) = target(&aim, &tool) else { return };
    let bounds = copied.bounds();
    let area = Box3 { min: bounds.min + target, max: bounds.max + target };
    for image in options.symmetry.boxes(area) {
        sketch.area(image, GHOST);
    }
    if controls.pressed(KeyAction::Keep) {
        tool.fixed = if tool.fixed.is_some() { None } else { Some(target) };
    }
    let is_wanted = if tool.fixed.is_some() {
        controls.confirmed() && !preview.is_active()
    } else {
        controls.clicked(MouseButton::Left)
    };
    if is_wanted && !copied.is_empty() {
        let images = options.symmetry.images();
        let work = paste_work(copied, target, images, options.pastes_air, map.growing.clone());
        jobs.start(EditRequest { name: "paste".into(), work, when_done: WhenDone::Commit });
    }
}

/// The voxel at which the clipboard's origin would be pasted.
fn target(aim: &Aim, tool: &PasteTool) -> Option<IVec3> {
    tool.fixed.or_else(|| aim.voxel_in_front().map(|(at, _)| at + IVec3::Y * tool.height))
}

/// The work of pasting a clipboard at a voxel and its images.
fn paste_work(
    copied: Clipboard,
    target: IVec3,
    images: Vec<Image>,
    with_air: bool,
    materials: GrowingMaterials,
) -> EditWork {
    Box::new(move |edit| {
        let options = PasteOptions { with_air, ..PasteOptions::default() };
        let mut voxels = 0;
        for image in images {
            let turned = materials.transformed(&copied, &transform(image), edit.progress())?;
            voxels += edit.paste(&turned, image.voxel(target), &options)?;
        }
        Ok(format!("{} pasted", counted(voxels, "voxel")))
    })
}

/// An image as a transform of a clipboard: flips, then quarter turns.
fn transform(image: Image) -> Transform {
    let flips = [(image.mirrors_x, Face::East), (image.mirrors_y, Face::Up)]
        .into_iter()
        .filter(|(flips, _)| *flips);
    let flipped = flips.fold(Transform::IDENTITY, |all, (_, face)| all.then(Transform::flip(face)));
    // The axis has a direction, and the angle is a number.
    flipped.then(
        Transform::turn(DVec3::NEG_Y, f64::from(image.quarter_turns()) * 90.0).unwrap_or_default(),
    )
}

/// Shows the ghost of the clipboard while the tool is in hand.
pub fn show_ghost(
    mode: Res<BuilderMode>,
    aim: Res<Aim>,
    clipboard: Res<BuilderClipboard>,
    mut tool: ResMut<PasteTool>,
    mut canvas: GhostCanvas,
    mut ghosts: Query<(&mut Ghost, &mut Visibility)>,
) {
    let (copied, revision) = clipboard.get();
    let is_wanted = mode.is_on && mode.tool == Tool::Paste;
    if tool.shown.is_some_and(|shown| !is_wanted || shown != revision) {
        if let Some(ghost) = tool.ghost.take() {
            canvas.commands.entity(ghost).despawn();
        }
        tool.shown = None;
        tool.pending = None;
    }
    let Some(copied) = copied.filter(|_| is_wanted) else { return };
    if tool.shown.is_none() {
        tool.shown = Some(revision);
        tool.pending = Some(SyncCell::new(PendingGhost::start(copied.clipped_chunks().collect())));
    }
    let Some(at) = target(&aim, &tool).map(|target| target - copied.origin()) else {
        if let Some((_, mut visibility)) = tool.ghost.and_then(|ghost| ghosts.get_mut(ghost).ok()) {
            visibility.set_if_neq(Visibility::Hidden);
        }
        return;
    };
    if let Some(meshes) = tool.pending.as_mut().and_then(|pending| pending.get().poll()) {
        tool.pending = None;
        tool.ghost = Some(canvas.spawn(meshes, at));
    } else if let Some((mut ghost, mut visibility)) =
        tool.ghost.and_then(|ghost| ghosts.get_mut(ghost).ok())
    {
        ghost.set_if_neq(Ghost { at });
        visibility.set_if_neq(Visibility::Inherited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::building::builder::symmetry::Symmetry;
    use std::sync::Arc;
    use stonerun_engine::edit::region::Region;
    use stonerun_engine::edit::{JobProgress, Mask, VoxelEdit};
    use stonerun_engine::voxel::MaterialTable;
    use stonerun_engine::voxel::Voxel;
    use stonerun_engine::world::{Chunk, World};

    #[test]
    fn paste_with_symmetry_mirrors_and_turns_its_images() {
        let mut world = World::new();
        let all = Box3 { min: IVec3::splat(-64), max: IVec3::splat(64) };
        for pos in all.chunks() {
            drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
        }
        let source = [IVec3::new(40, 1, 2), IVec3::new(41, 1, 2), IVec3::new(40, 2, 4)];
        for (number, at) in source.into_iter().enumerate() {
            world.set(at, Voxel::full(number as u16 + 1));
        }
        let progress = JobProgress::default();
        let mut edit = VoxelEdit::new(&world, 0, &progress);
        let area = Box3 { min: IVec3::new(40, 1, 2), max: IVec3::new(43, 3, 5) };
        let copied =
            edit.copy(&Region::from_shape(&area), &Mask::Any, area.min).expect("in memory");
        let symmetry = Symmetry {
            mirrors: [true, true, false],
            folds: 4,
            doubled_centre: IVec3::new(-1, 3, 1),
        };
        let target = IVec3::new(9, 20, -13);
        let work = paste_work(
            copied,
            target,
            symmetry.images(),
            false,
            GrowingMaterials::new(Arc::new(MaterialTable::builtin())),
        );
        work(&mut edit).expect("in memory");
        for image in symmetry.images() {
            for (number, at) in source.into_iter().enumerate() {
                let expected = image.voxel(target + at - area.min);
                assert_eq!(
                    edit.voxel(expected).expect("in memory"),
                    Voxel::full(number as u16 + 1),
                    "{image:?}"
                );
            }
        }
        let outside = Mask::Not(Box::new(Mask::Materials(vec![0])));
        assert_eq!(
            edit.content(&Region::from_shape(&all), &outside).expect("in memory").voxels,
            3 + 3 * 16
        );
    }
}
