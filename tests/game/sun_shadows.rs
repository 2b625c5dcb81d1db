//! Shadows lie where rays to sun or moon are blocked, and the prepass holds the normals and depths
//! of the drawn surfaces.

use crate::scene::{self, Hit, SIZE, cast, pixel_ray};
use bevy::asset::uuid_handle;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::core_pipeline::prepass::{DepthPrepass, NormalPrepass};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use std::path::Path;
use stonerun::game::app::shot::CameraView;
use stonerun::game::drawing::render::sky::light_direction;
use stonerun::game::state::player::Eyes;
use stonerun::game::state::settings::Settings;
use stonerun::game::state::settings::sun_shadows::SunShadows;
use stonerun_engine::save::TimeOfDay;
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};

/// Maximum compared distance, in voxels. Fog begins beyond it.
const REACH: f32 = 50.0;

/// Ground, a tower across a chunk border, a roof high above in another chunk, and leaves.
fn material_at(at: IVec3) -> &'static str {
    let within = |low: [i32; 3], high: [i32; 3]| {
        at.cmpge(IVec3::from_array(low)).all() && at.cmplt(IVec3::from_array(high)).all()
    };
    let tower = within([29, 4, 20], [34, 17, 24]);
    let roof = within([38, 33, 36], [50, 34, 50]);
    match () {
        () if at.y < 4 && at.y >= 0 || tower => "marble",
        () if roof => "granite",
        () if within([40, 4, 10], [46, 10, 16]) => "oak_leaves",
        () => "air",
    }
}

fn write(map: &Path) {
    let materials = MaterialTable::builtin();
    let voxel = |at| Voxel::full(materials.find(material_at(at)).expect("a material"));
    let area = Box3 { min: IVec3::NEG_ONE, max: IVec3::splat(3) };
    scene::write(map, &materials, scene::chunks_within(area), voxel);
}

fn views() -> Vec<CameraView> {
    let view = |at, look| CameraView { at: Some(at), look: Some(look), ..CameraView::default() };
    vec![view([34.3, 26.2, 60.4], [4.0, -35.0]), view([2.2, 18.7, 30.1], [-80.0, -24.0])]
}

fn stops(at: IVec3) -> bool {
    material_at(at) != "air"
}

/// Voxels that the pixels of a view show, with column and row of each pixel.
fn hits(view: &CameraView) -> impl Iterator<Item = (u32, u32, Hit)> {
    let pixels = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
    pixels.filter_map(|(x, y)| {
        let (from, towards) = pixel_ray(view, x, y);
        cast(from, towards, REACH, stops).map(|hit| (x, y, hit))
    })
}

/// Times of day: morning, noon, late in the afternoon, and by moonlight.
const TIMES: [&str; 4] = ["09:36", "12:00", "15:40", "23:10"];

#[test]
fn shadows_lie_where_rays_to_sun_or_moon_are_blocked() {
    let _turn = crate::drawing_turn();
    if !scene::can_draw() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("shadows.stonerun");
    write(&map);
    let times = TIMES.map(|time| time.parse::<TimeOfDay>().expect("a time"));
    let at = |time| views().into_iter().map(move |view| CameraView { time: Some(time), ..view });
    let all: Vec<CameraView> = times.into_iter().flat_map(at).collect();
    let draw = |sun_shadows| {
        scene::draw(&map, all.clone(), Settings { sun_shadows, ..scene::settings() }, |_| ())
    };
    let without = draw(SunShadows::Off);
    let with = draw(SunShadows::Near);
    let count = views().len();
    let mut all = [0; 4];
    for (number, time) in times.into_iter().enumerate() {
        let part = number * count..(number + 1) * count;
        let pixels = compare(light_direction(time.part()), &without[part.clone()], &with[part]);
        let [lit, shaded, roofed, leaves] = pixels;
        println!(
            "{time}: {lit} lit, {shaded} in shadow, {roofed} of them under the roof, {leaves} of leaves"
        );
        assert!(lit > 2000 && shaded > 50, "{time}: {pixels:?}");
        for (all, pixels) in all.iter_mut().zip(pixels) {
            *all += pixels;
        }
    }
    let [_, shaded, roofed, leaves] = all;
    assert!(shaded > roofed + 200 && roofed > 200 && leaves > 20, "{all:?}");
}

/// Compares pictures of the views without and with shadows, with the light coming from `light`.
/// Returns the number of pixels in the light, in shadow, in the roof's shadow, and in the shadow of
/// leaves.
fn compare(light: Vec3, without: &[image::RgbImage], with: &[image::RgbImage]) -> [u32; 4] {
    let brightness = |picture: &image::RgbImage, x, y| {
        picture.get_pixel(x, y).0.iter().map(|&c| f32::from(c)).sum::<f32>()
    };
    let mut lit = 0;
    let mut shaded = 0;
    let mut roofed = 0;
    let mut leaves = 0;
    for ((view, without), with) in views().iter().zip(without).zip(with) {
        for (x, y, hit) in hits(view).filter(|(.., hit)| hit.normal == IVec3::Y && hit.voxel.y == 3)
        {
            let ratio = brightness(with, x, y) / brightness(without, x, y);
            // Pixels near the edge of a shadow are skipped, because rounding and smoothing decide
            // there.
            let offsets = [-0.4, 0.0, 0.4]
                .into_iter()
                .flat_map(|x| [-0.4, 0.0, 0.4].map(|z| Vec3::new(x, 0.01, z)));
            let around: Vec<Vec3> = offsets.map(|offset| hit.at + offset).collect();
            if around.iter().any(|at| stops(at.floor().as_ivec3())) {
                continue;
            }
            let mut blocked = around
                .iter()
                .map(|&at| cast(at, light, 90.0, stops).map(|hit| material_at(hit.voxel)));
            let first = blocked.next().flatten();
            if !blocked.all(|other| other == first) {
                continue;
            }
            match first {
                // Light passes through gaps between leaves, so darker pixels are only counted.
                Some("oak_leaves") => leaves += u32::from(ratio < 0.9),
                Some(name) => {
                    assert!(ratio < 0.9, "no shadow at {hit:?}, pixel {x}, {y}: {ratio}");
                    shaded += 1;
                    roofed += u32::from(name == "granite");
                }
                None => {
                    assert!(ratio > 0.97, "a shadow at {hit:?}, pixel {x}, {y}: {ratio}");
                    lit += 1;
                }
            }
        }
    }
    [lit, shaded, roofed, leaves]
}

/// Material that shows the content of the prepass.
#[derive(Asset, TypePath, AsBindGroup, Clone)]
struct PrepassPicture {}

const SHADER: Handle<Shader> = uuid_handle!("6d0f3a52-55f5-4c0e-9f3c-0c1f60a4e3f1");

impl Material for PrepassPicture {
    fn vertex_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn enable_prepass() -> bool {
        false
    }
}

/// A triangle that covers the picture. Red and green are a half and a quarter of the normal's x and
/// y; blue is a hundredth of the distance along the view (0.05 is the camera's near plane).
const WGSL: &str = "
#import bevy_pbr::prepass_utils::{prepass_normal, prepass_depth}
struct Out { @builtin(position) position: vec4<f32> }
@vertex fn vertex(@location(0) position: vec3<f32>) -> Out {
    return Out(vec4(position.xy * 8.0, 1.0, 1.0));
}
@fragment fn fragment(in: Out) -> @location(0) vec4<f32> {
    let normal = prepass_normal(in.position, 0u);
    let distance = 0.05 / prepass_depth(in.position, 0u);
    return vec4(normal.xy * 0.25 + 0.5, distance * 0.01, 1.0);
}";

#[test]
fn prepass_holds_normals_and_depths() {
    let _turn = crate::drawing_turn();
    if !scene::can_draw() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("prepass.stonerun");
    write(&map);
    let add_prepass = |app: &mut App| {
        app.add_systems(
            Update,
            |mut commands: Commands, eyes: Query<Entity, (With<Eyes>, Without<DepthPrepass>)>| {
                for entity in &eyes {
                    commands.entity(entity).insert((DepthPrepass, NormalPrepass));
                }
            },
        );
    };
    let plain = scene::draw(&map, views(), scene::settings(), |_| ());
    let with = scene::draw(&map, views(), scene::settings(), add_prepass);
    for (plain, with) in plain.iter().zip(&with) {
        let differ = plain.pixels().zip(with.pixels()).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 0, "pixels differ with a prepass");
    }
    let shown = scene::draw(&map, views(), scene::settings(), |app| {
        add_prepass(app);
        app.add_plugins(MaterialPlugin::<PrepassPicture>::default());
        let shader = Shader::from_wgsl(WGSL, "prepass_picture.wgsl");
        app.world_mut()
            .resource_mut::<Assets<Shader>>()
            .insert(&SHADER, shader)
            .expect("a new handle");
        app.add_systems(
            Startup,
            |mut commands: Commands,
             mut meshes: ResMut<Assets<Mesh>>,
             mut materials: ResMut<Assets<PrepassPicture>>| {
                let mesh = Mesh3d(meshes.add(Triangle2d::default()));
                commands.spawn((
                    mesh,
                    MeshMaterial3d(materials.add(PrepassPicture {})),
                    NoFrustumCulling,
                ));
            },
        );
    });
    let mut seen = 0;
    for (view, shown) in views().iter().zip(&shown) {
        let (from, _) = pixel_ray(view, 0, 0);
        let (_, forward) = pixel_ray(view, SIZE.0 / 2, SIZE.1 / 2);
        for (x, y, hit) in hits(view).filter(|(.., hit)| material_at(hit.voxel) == "marble") {
            // Pixels at an edge are skipped, because rounding decides there.
            let inside = hit.at - hit.voxel.as_vec3();
            let off_edge = [0, 1, 2]
                .into_iter()
                .all(|axis| hit.normal[axis] != 0 || (0.15..0.85).contains(&inside[axis]));
            if !off_edge {
                continue;
            }
            let distance = (hit.at - from).dot(forward);
            let normal = hit.normal.as_vec3();
            let expected = [normal.x * 0.25 + 0.5, normal.y * 0.25 + 0.5, distance * 0.01];
            for (colour, expected) in shown.get_pixel(x, y).0.into_iter().zip(expected) {
                let linear = (f32::from(colour) / 255.0).powf(2.2);
                assert!(
                    (linear - expected).abs() < 0.03,
                    "pixel {x}, {y}: {linear} for {expected}, {hit:?}"
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 3000, "{seen}");
}
