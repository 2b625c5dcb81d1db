//! Scenes that run while frames are measured.

use super::measure::FrameBenchmark;
use super::mode::Mode;
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use stonerun::game::building::builder::clipboard::BuilderClipboard;
use stonerun::game::editing::edit_jobs::{
    EditJobs, EditRequest, Ghost, GhostCanvas, PendingGhost, WhenDone,
};
use stonerun::game::life::creatures::CreatureLife;
use stonerun::game::life::creatures::command::CreatureCommand;
use stonerun::game::state::player::Player;
use stonerun::game::state::session::Editor;
use stonerun_engine::creatures::Gait;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{Mask, Pattern, VoxelEdit};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, Matter, Voxel};

/// Seconds between edits.
const EDIT_SECONDS: f64 = 2.0;
/// Edits per second of `Mode::Toggling`.
const TOGGLES_PER_SECOND: f64 = 60.0;
/// Voxels from the player to the farthest leaf that is set on fire, along x and z.
const FIRE_REACH: i32 = 160;
/// Voxels from one burning leaf to the next.
const FIRE_STEP: usize = 8;
/// Voxels from the player to the farthest herd, along x and z. Creatures know the chunks up to six
/// from the player's.
const HERD_REACH: i32 = 190;
/// Voxels from one herd to the next.
const HERD_STEP: usize = 10;
/// Heights that are searched for land, in voxels relative to the player.
const LAND: std::ops::Range<i32> = -160..160;
/// Side of the cube of about 10^8 voxels that is dragged, in voxels.
const COPIED_SIDE: i32 = 464;

/// Fills boxes as the game does for a player: a job computes the edit, and a frame commits it.
fn fill(jobs: &mut EditJobs, name: &str, boxes: Vec<Box3>, voxel: Voxel) {
    let work = Box::new(move |edit: &mut VoxelEdit<'_>| {
        for area in &boxes {
            edit.fill(&Region::from_shape(area), &Mask::Any, &Pattern::Voxel(voxel))?;
        }
        Ok(String::new())
    });
    jobs.start(EditRequest { name: name.to_owned(), work, when_done: WhenDone::Commit });
}

/// Fills a box in each of 500 chunks around the player, or empties them.
pub fn edit(
    mut bench: ResMut<FrameBenchmark>,
    player: Res<Player>,
    editor: Editor,
    mut jobs: ResMut<EditJobs>,
) {
    let Mode::Editing(name) = &bench.mode else { return };
    if bench.measured_s < EDIT_SECONDS * (f64::from(bench.edits) + 0.5) {
        return;
    }
    let material = editor.map().materials.find(name).expect("a material of this map");
    bench.edits += 1;
    let low = player.chunk().as_ivec3() - IVec3::new(5, 2, 5);
    let chunks = (0..500).map(|i| low + IVec3::new(i % 10, i / 100, i / 10 % 10));
    let voxel = if bench.edits % 2 == 1 { Voxel::full(material) } else { Voxel::AIR };
    let inner = |chunk: IVec3| {
        let min = chunk * CHUNK_SIDE + 10;
        Box3 { min, max: min + 12 }
    };
    fill(&mut jobs, "boxes", chunks.map(inner).collect(), voxel);
}

/// Fills a cube above the player once.
pub fn flood(
    mut bench: ResMut<FrameBenchmark>,
    player: Res<Player>,
    editor: Editor,
    mut jobs: ResMut<EditJobs>,
) {
    let Mode::Flood(name, side) = &bench.mode else { return };
    let side = *side;
    if bench.edits > 0 || bench.measured_s == 0.0 {
        return;
    }
    let material = editor.map().materials.find(name).expect("a material of this map");
    bench.edits = 1;
    let min = player.walker.position.floor().as_ivec3() + IVec3::new(-side / 2, 24, -side / 2);
    let cube = Box3 { min, max: min + side };
    fill(&mut jobs, "flood", vec![cube], Voxel::full(material));
}

/// Sets leaves near the player on fire, once.
pub fn burn(
    mut bench: ResMut<FrameBenchmark>,
    player: Res<Player>,
    editor: Editor,
    mut jobs: ResMut<EditJobs>,
) {
    if bench.mode != Mode::Fire || bench.edits > 0 || bench.measured_s == 0.0 {
        return;
    }
    bench.edits = 1;
    let materials = &editor.map().materials;
    let fire = Voxel::full(materials.find("fire").expect("a material of the game"));
    let leaves =
        ["oak_leaves_grown", "pine_leaves_grown", "birch_leaves_grown", "palm_leaves_grown"];
    let leaves = leaves.map(|name| materials.find(name).expect("a material of the game"));
    let middle = player.walker.position.floor().as_ivec3();
    let leaf = |column| highest(&editor, column, |voxel| leaves.contains(&voxel.material()));
    let burning = columns(middle, FIRE_REACH, FIRE_STEP).filter_map(leaf);
    let burning: Vec<Box3> = burning.map(|at| Box3 { min: at, max: at + 1 }).collect();
    println!("{} leaves are set on fire", burning.len());
    fill(&mut jobs, "fire", burning, fire);
}

/// Places walking creatures around the player, once.
pub fn populate(
    mut bench: ResMut<FrameBenchmark>,
    player: Res<Player>,
    editor: Editor,
    life: Option<ResMut<CreatureLife>>,
) {
    let Mode::Creatures(number) = bench.mode else { return };
    let Some(mut life) = life else { return };
    if bench.edits > 0 || bench.measured_s == 0.0 {
        return;
    }
    bench.edits = 1;
    let middle = player.walker.position.floor().as_ivec3();
    let materials = &editor.map().materials;
    let is_land = |at: &IVec3| {
        let material = materials.get(editor.edits().world().get(*at).material());
        material.is_some_and(|material| material.matter != Matter::Liquid)
    };
    let top = |column| {
        highest(&editor, column, |voxel| ![Voxel::AIR, Voxel::NOT_LOADED].contains(&voxel))
    };
    let herds: Vec<IVec3> =
        columns(middle, HERD_REACH, HERD_STEP).filter_map(top).filter(is_land).collect();
    let walkers = life.kinds().iter().enumerate().filter(|(_, kind)| kind.gait == Gait::Walk);
    let walkers: Vec<usize> = walkers.map(|(number, _)| number).collect();
    let count = number.div_ceil(herds.len().max(1) as u32);
    for (at, &kind) in herds.into_iter().zip(walkers.iter().cycle()) {
        life.command(CreatureCommand::Place { kind, at: at + IVec3::Y, count });
    }
}

/// Columns around a place, every `step` voxels along x and z.
fn columns(middle: IVec3, reach: i32, step: usize) -> impl Iterator<Item = IVec3> {
    let side = move || (-reach..=reach).step_by(step);
    side().flat_map(move |x| side().map(move |z| middle + IVec3::new(x, 0, z)))
}

/// Position of the highest voxel of a column that `is_wanted` accepts. `column` is at the height of
/// the player.
pub fn highest(editor: &Editor, column: IVec3, is_wanted: impl Fn(Voxel) -> bool) -> Option<IVec3> {
    let mut layers = LAND.rev().map(|y| column + IVec3::Y * y);
    layers.find(|at| is_wanted(editor.edits().world().get(*at)))
}

/// Places or removes a lamp or a stone near the player, 60 times per second.
pub fn toggle(mut bench: ResMut<FrameBenchmark>, player: Res<Player>, mut editor: Editor) {
    while bench.mode == Mode::Toggling
        && bench.measured_s > f64::from(bench.edits) / TOGGLES_PER_SECOND
    {
        bench.edits += 1;
        // The positions look random, but are the same in every run.
        let number = (bench.edits * 7919 % 500) as i32;
        let offset = IVec3::new(number % 17 - 8, number / 17 % 9 - 4, number / 153 * 5 - 8);
        let at = player.walker.eyes().floor().as_ivec3() + offset;
        let name = if bench.edits.is_multiple_of(2) { "lamp" } else { "stone" };
        let material = editor.map().materials.find(name).expect("a material of the game");
        let is_open = editor.edits().world().get(at) == Voxel::AIR;
        editor.set(at, if is_open { Voxel::full(material) } else { Voxel::AIR });
    }
}

/// Draws a copy of the land around the player as the tool *Paste* does, and moves it with each
/// frame.
pub fn drag(
    bench: Res<FrameBenchmark>,
    player: Res<Player>,
    clipboard: Res<BuilderClipboard>,
    mut jobs: ResMut<EditJobs>,
    mut canvas: GhostCanvas,
    mut ghosts: Query<&mut Ghost>,
    mut drawing: Local<DraggedCopy>,
    mut frame: Local<i32>,
) {
    if bench.mode != Mode::Dragging {
        return;
    }
    let centre = player.walker.position.floor().as_ivec3();
    match &mut *drawing {
        DraggedCopy::NotBegun => {
            let area = Box3 { min: centre - COPIED_SIDE / 2, max: centre + COPIED_SIDE / 2 };
            clipboard.copy(&mut jobs, area, false);
            *drawing = DraggedCopy::Copying;
        }
        DraggedCopy::Copying => {
            let (copied, _) = clipboard.get();
            if let Some(copied) = copied {
                println!("{} voxels are dragged", copied.volume());
                *drawing = DraggedCopy::Meshing(SyncCell::new(PendingGhost::start(
                    copied.clipped_chunks().collect(),
                )));
            }
        }
        DraggedCopy::Meshing(pending) => {
            if let Some(meshes) = pending.get().poll() {
                println!("drawn as {} rectangles, in cells of {}", meshes.quads, meshes.cell);
                canvas.spawn(meshes, centre);
                *drawing = DraggedCopy::Done;
            }
        }
        DraggedCopy::Done => {
            *frame += 1;
            for mut ghost in &mut ghosts {
                ghost.at = centre + IVec3::new(*frame % 64, *frame % 16, *frame / 64 % 64);
            }
        }
    }
}

/// State of the dragged copy.
#[derive(Default)]
pub enum DraggedCopy {
    #[default]
    NotBegun,
    Copying,
    Meshing(SyncCell<PendingGhost>),
    Done,
}
