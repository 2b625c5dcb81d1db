//! Small hand-made maps, and the voxels that rays through the pixels of their pictures meet.

use bevy::app::App;
use glam::{IVec3, Quat, Vec3};
use std::path::Path;
use std::sync::{Arc, Mutex};
use stonerun::game::app::shot::{CameraView, pictures};
use stonerun::game::platform::adapter;
use stonerun::game::state::settings::Settings;
use stonerun::game::state::settings::sun_shadows::SunShadows;
use stonerun_engine::save::{Header, MapChanges, MapFile};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel, linear_offset};
use stonerun_engine::world::Chunk;

/// Width and height of the pictures, in pixels.
pub const SIZE: (u32, u32) = (160, 96);
/// Vertical field of view, in degrees.
const FIELD_OF_VIEW: f32 = 60.0;

/// Settings with which a graphics card and a software driver draw the same.
pub fn settings() -> Settings {
    Settings { sun_shadows: SunShadows::Off, ..Settings::default() }
}

/// The pixels of a picture except for its border.
pub fn inner_pixels() -> impl Iterator<Item = (u32, u32)> {
    (1..SIZE.1 - 1).flat_map(|y| (1..SIZE.0 - 1).map(move |x| (x, y)))
}

/// False if there is no graphics adapter and none is required.
pub fn can_draw() -> bool {
    let can = adapter::check().is_ok() || std::env::var_os("STONERUN_REQUIRE_ALL").is_some();
    if !can {
        println!("skipped: no graphics adapter");
    }
    can
}

/// Chunks in `area`, whose corners are in chunks.
pub fn chunks_within(area: Box3) -> impl Iterator<Item = ChunkPos> {
    let [xs, ys, zs] = [0, 1, 2].map(|axis| area.min[axis]..area.max[axis]);
    ys.flat_map(move |y| {
        let xs = xs.clone();
        zs.clone().flat_map(move |z| xs.clone().map(move |x| ChunkPos::new(x, y, z)))
    })
}

/// Writes a map of these chunks, with the voxels that `voxel` returns.
pub fn write(
    path: &Path,
    materials: &MaterialTable,
    chunks: impl Iterator<Item = ChunkPos>,
    voxel: impl Fn(IVec3) -> Voxel,
) {
    let header = Header::new(1, "void", 0);
    let chunk = |pos: ChunkPos| {
        Chunk::from_runs((0..32768).map(|i| (1, voxel(pos.origin() + linear_offset(i)))))
    };
    let changes = MapChanges::new(
        chunks.map(|pos| (pos, chunk(pos))).collect(),
        header.clone(),
        materials.clone(),
    );
    MapFile::create(path, &header, materials).expect("a map").save(&changes).expect("saved");
}

/// Takes pictures of a map. `prepare` may change the game before it starts.
pub fn draw(
    map: &Path,
    views: Vec<CameraView>,
    settings: Settings,
    prepare: impl FnOnce(&mut App),
) -> Vec<image::RgbImage> {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&taken);
    let take = move |_, picture| {
        sink.lock().map_err(|e| e.to_string())?.push(picture);
        Ok(())
    };
    let settings = Settings { view_distance: 3, field_of_view: FIELD_OF_VIEW, ..settings };
    let dress = |app: &mut App| {
        app.insert_resource(settings);
        prepare(app);
    };
    pictures(map, SIZE.into(), views, dress, Box::new(take)).expect("pictures");
    let mut taken = taken.lock().expect("no other user");
    std::mem::take(&mut *taken)
}

/// Intersection of a ray with a voxel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Point of the intersection.
    pub at: Vec3,
    /// The voxel.
    pub voxel: IVec3,
    /// Normal of the face that the ray enters.
    pub normal: IVec3,
}

/// The first voxel within `reach` that the ray enters and that `stops` accepts.
pub fn cast(from: Vec3, towards: Vec3, reach: f32, stops: impl Fn(IVec3) -> bool) -> Option<Hit> {
    let mut voxel = from.floor().as_ivec3();
    loop {
        // Border at which the ray leaves the voxel.
        let edge = |axis: usize| voxel[axis] as f32 + if towards[axis] > 0.0 { 1.0 } else { 0.0 };
        let leaves = [0, 1, 2].map(|axis| match towards[axis] {
            0.0 => f32::INFINITY,
            step => (edge(axis) - from[axis]) / step,
        });
        let axis = (0..3).min_by(|&a, &b| leaves[a].total_cmp(&leaves[b]))?;
        if leaves[axis] > reach {
            return None;
        }
        let mut step = IVec3::ZERO;
        step[axis] = towards[axis].signum() as i32;
        voxel += step;
        if stops(voxel) {
            return Some(Hit { at: from + towards * leaves[axis], voxel, normal: -step });
        }
    }
}

/// Position of a view's eyes, and the direction through a pixel.
pub fn pixel_ray(view: &CameraView, x: u32, y: u32) -> (Vec3, Vec3) {
    let at = view.at.expect("a position").map(|c| c as f32);
    let [yaw, pitch] = view.look.expect("a direction").map(f32::to_radians);
    let up = (FIELD_OF_VIEW.to_radians() / 2.0).tan();
    let part = |pixel: u32, size: u32| (2.0 * pixel as f32 + 1.0) / size as f32 - 1.0;
    let wide = up * SIZE.0 as f32 / SIZE.1 as f32;
    let direction = Vec3::new(wide * part(x, SIZE.0), -up * part(y, SIZE.1), -1.0);
    let rotation = Quat::from_euler(glam::EulerRot::YXZ, yaw, pitch, 0.0);
    (Vec3::from_array(at), (rotation * direction).normalize())
}
