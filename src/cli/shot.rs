//! `stonerun shot MAP OUT`: renders a picture of a map without a window.

#[cfg(feature = "game")]
use super::line;
#[cfg(feature = "game")]
use super::output;
use super::{Outcome, map_path};
use crate::views::{OverlayKind, PanelPage};
use clap::builder::PossibleValuesParser;
use glam::DVec3;
use std::path::{Path, PathBuf};
use stonerun_engine::body::enclosure::rock_around;
use stonerun_engine::save::{MapFile, TimeOfDay};
use stonerun_engine::voxel::{Box3, WORLD_LIMIT};
use stonerun_engine::world::World;

/// Names of the settings for the reach of shadows.
const SHADOWS: [&str; 3] = ["off", "near", "far"];

/// Arguments of `shot`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// The picture to write, as PNG
    out: PathBuf,
    /// Position of the camera, in voxels; by default the player's eyes
    #[arg(long, value_name = "X,Y,Z", value_parser = position, allow_hyphen_values = true)]
    at: Option<[f64; 3]>,
    /// Direction of the camera, in degrees left of north (-z) and up; by default the player's
    #[arg(long, value_name = "YAW,PITCH", value_parser = numbers::<f32, 2>, allow_hyphen_values = true)]
    look: Option<[f32; 2]>,
    /// Time of day, as HH:MM or in hours from 0 to 24; by default the map's
    #[arg(long, value_name = "HH:MM", allow_hyphen_values = true)]
    time: Option<TimeOfDay>,
    /// How far the shadows of sun and moon reach
    #[arg(long, value_name = "REACH", value_parser = SHADOWS, default_value = "off")]
    shadows: String,
    /// Size of the picture, in pixels (1 to 8192 each)
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x720", allow_hyphen_values = true)]
    size: (u32, u32),
    /// Page of the panel to show
    #[arg(long, value_name = "PAGE", value_parser = PossibleValuesParser::new(PanelPage::names()))]
    panel: Option<String>,
    /// Overlay to draw
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(OverlayKind::names()))]
    overlay: Option<String>,
    /// Cut the ground away in front of a plane of voxels, such as x=12, y=-40 or z=7
    #[arg(long, value_name = "AXIS=VOXEL", allow_hyphen_values = true)]
    cut: Option<String>,
}

pub(super) fn run(args: Args) -> Outcome {
    let Args { map, out, at, look, time, shadows, size, panel, overlay, cut } = args;
    let map = map_path::existing(&map)?;
    if let Some(folder) =
        out.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    {
        return Err(format!("{}: there is no folder {}", out.display(), folder.display()));
    }
    #[cfg(feature = "game")]
    {
        output::warn(rock_warning(&map, at).as_slice());
        crate::game::app::shot::run(crate::game::app::shot::ShotOptions {
            map,
            out,
            at,
            look,
            time,
            shadows,
            size: size.into(),
            panel,
            overlay,
            cut,
        })
        .map_err(line)
    }
    #[cfg(not(feature = "game"))]
    {
        // Runs only after the map was found, because a wrong name is the more helpful error.
        drop((map, out, at, look, time, shadows, size, panel, overlay, cut));
        super::without_game()
    }
}

/// The warning that the camera is inside rock, where nothing is visible. A map that cannot be read
/// is reported later, when the picture is taken.
#[cfg_attr(not(feature = "game"), allow(dead_code, reason = "pictures need the game"))]
fn rock_warning(path: &Path, at: Option<[f64; 3]>) -> Option<String> {
    let map = MapFile::open_read_only(path).ok()?.map;
    let header = map.header();
    let eyes = at.map_or(header.player.viewpoint().eyes(), DVec3::from_array);
    let generator = header.generator(map.materials());
    // The surface of smooth ground depends on the voxels around.
    let at = eyes.floor().as_ivec3();
    let mut world = World::new();
    for pos in Box3::spanning(at - 2, at + 2).chunks() {
        world.insert(pos, map.load(pos).ok()?.unwrap_or_else(|| generator.chunk(pos)));
    }
    let rock = &rock_around(&world, map.materials(), eyes)?.name;
    let [x, y, z] = eyes.floor().as_ivec3().to_array();
    Some(format!(
        "{}: the camera at {x}, {y}, {z} is inside {rock}; choose another place with --at",
        path.display()
    ))
}

/// Parses `N` finite numbers separated by commas.
fn numbers<T: std::str::FromStr + Copy + Into<f64>, const N: usize>(
    text: &str,
) -> Result<[T; N], String> {
    let parts: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parts
        .and_then(|parts| parts.try_into().ok())
        .filter(|parts: &[T; N]| parts.iter().all(|&n| n.into().is_finite()))
        .ok_or_else(|| format!("expected {N} numbers separated by commas"))
}

/// Parses a position inside the world.
fn position(text: &str) -> Result<[f64; 3], String> {
    let at = numbers::<f64, 3>(text)?;
    let limit = f64::from(WORLD_LIMIT) - 1.0;
    if at.iter().any(|v| v.abs() > limit) {
        return Err(format!("coordinates must be from -{limit} to {limit}"));
    }
    Ok(at)
}

/// Maximum width and height, which every graphics adapter can render.
const MAX_SIDE: u32 = 8192;

/// Parses a size in pixels, such as `1280x720`.
fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|n| (1..=MAX_SIDE).contains(n));
    text.split_once('x')
        .and_then(|(w, h)| Some((side(w)?, side(h)?)))
        .ok_or_else(|| format!("expected two numbers from 1 to {MAX_SIDE} separated by x"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "game")]
    #[test]
    fn reaches_of_shadows_match_the_game() {
        use crate::game::state::settings::sun_shadows::SunShadows;
        assert_eq!(
            SunShadows::ALL[1..].iter().map(|reach| reach.name()).collect::<Vec<_>>(),
            SHADOWS
        );
    }

    #[test]
    fn camera_inside_rock_is_reported() {
        use stonerun_engine::save::{Header, MapBuilder};
        use stonerun_engine::terrain::{Generator, TerrainKind};
        use stonerun_engine::voxel::MaterialTable;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stonerun");
        let materials = MaterialTable::builtin();
        let mut header = Header::new(7, TerrainKind::Caverns.name(), 0);
        let map = MapBuilder::new(&path, &header, &materials).unwrap();
        let spawn = Generator::new(7, TerrainKind::Caverns, &materials).spawn();
        header.player.position = spawn.to_array();
        map.finish(&header, &materials).unwrap();
        assert_eq!(rock_warning(&path, None), None, "the player stands in the open");
        // Just below the ground under the player, in a chunk that is not stored but generated.
        let below = spawn - DVec3::Y * 0.5;
        let [x, y, z] = below.floor().as_ivec3().to_array();
        let warning = rock_warning(&path, Some(below.to_array())).unwrap();
        let start = format!("{}: the camera at {x}, {y}, {z} is inside ", path.display());
        assert!(
            warning.starts_with(&start) && warning.ends_with("; choose another place with --at"),
            "{warning}"
        );
        assert_eq!(rock_warning(Path::new("no such map"), None), None);
    }

    #[test]
    fn positions_and_sizes_are_checked() {
        assert_eq!(numbers::<f64, 3>("-1.5, 2,3e2"), Ok([-1.5, 2.0, 300.0]));
        assert_eq!(numbers::<f32, 2>("90,-10"), Ok([90.0, -10.0]));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,nan,2", "inf,0,0", "1 2 3"] {
            assert!(numbers::<f64, 3>(bad).is_err(), "{bad}");
        }
        assert_eq!(position("1073741823,0,-5"), Ok([1_073_741_823.0, 0.0, -5.0]));
        assert!(position("-3e9,0,0").is_err_and(|e| e.contains("1073741823")));
        assert_eq!(size("640x480"), Ok((640, 480)));
        for bad in ["", "640", "0x5", "640x", "9000x1", "-1x5", "1x2x3"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
