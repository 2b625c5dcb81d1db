//! Takes one picture of a map and writes it as a PNG file.

use crate::game::app::shot::pictures::{CameraView, PictureError, pictures};
use crate::game::drawing::culling::state::CullingMode;
use crate::game::state::cutaway::{CutChoice, CutParseError, Cutaway};
use crate::game::state::overlay_kind::ShownOverlay;
use crate::game::state::panel_page::PanelState;
use crate::game::state::settings::Settings;
use crate::game::state::settings::sun_shadows::SunShadows;
use crate::views::{OverlayKind, UnknownOverlay};
use crate::views::{PanelPage, UnknownPage};
use bevy::prelude::*;
use std::path::PathBuf;
use stonerun_engine::save::TimeOfDay;

/// Options of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct ShotOptions {
    /// The map's file.
    pub map: PathBuf,
    /// The picture's file, PNG.
    pub out: PathBuf,
    /// Position of the eyes, in voxels; `None` for the player's position in the map.
    pub at: Option<[f64; 3]>,
    /// Yaw and pitch in degrees; `None` for the player's view in the map.
    pub look: Option<[f32; 2]>,
    /// Time of day; `None` for the map's.
    pub time: Option<TimeOfDay>,
    /// Name of a value of [`SunShadows`]: how far the sun and the moon cast shadows.
    pub shadows: String,
    /// Width and height in pixels.
    pub size: UVec2,
    /// Name of the panel's page to show.
    pub panel: Option<String>,
    /// Name of the overlay to draw.
    pub overlay: Option<String>,
    /// The cut, such as `x=12`.
    pub cut: Option<String>,
}

/// Error that prevents a picture.
#[derive(thiserror::Error, Debug)]
pub enum ShotError {
    /// No page of the panel has this name.
    #[error(transparent)]
    Page(#[from] UnknownPage),
    /// No overlay has this name.
    #[error(transparent)]
    Overlay(#[from] UnknownOverlay),
    /// The text does not name a cut.
    #[error(transparent)]
    Cut(#[from] CutParseError),
    /// The picture's file is a map.
    #[error("{}: a picture would overwrite a map", .0.display())]
    OverwritesMap(PathBuf),
    /// The picture's file is not named as a PNG.
    #[error("{}: pictures are PNG files; use a name that ends in .png", .0.display())]
    NotPng(PathBuf),
    /// The picture's file cannot be written.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The picture's file.
        path: PathBuf,
        /// Reason.
        reason: std::io::Error,
    },
    /// The picture cannot be taken.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// Takes the picture.
///
/// # Errors
/// The map cannot be opened, there is no graphics adapter, an unknown page, overlay or cut is
/// named, or the picture cannot be written.
pub fn run(options: ShotOptions) -> Result<(), ShotError> {
    let page = options.panel.as_deref().map(PanelPage::from_name).transpose()?;
    let overlay = options.overlay.as_deref().map(OverlayKind::from_name).transpose()?;
    let cut: Option<CutChoice> = options.cut.as_deref().map(str::parse).transpose()?;
    let sun_shadows = SunShadows::ALL.iter().copied().find(|reach| reach.name() == options.shadows);
    let sun_shadows = sun_shadows.unwrap_or_default();
    check_output(&options)?;
    let out = options.out;
    // The page Visibility compares all culling modes, so each is drawn before the picture is taken.
    // The last of them is the mode of the picture.
    let others = if page == Some(PanelPage::Visibility) { CullingMode::ALL } else { &[] };
    let view = |culled_by| CameraView {
        at: options.at,
        look: options.look,
        time: options.time,
        culled_by,
    };
    let views: Vec<CameraView> =
        [CullingMode::Pvs].iter().chain(others).copied().map(view).collect();
    let last = views.len() - 1;
    let write = move |number, picture: image::RgbImage| {
        if number == last {
            let written = picture.save_with_format(&out, image::ImageFormat::Png);
            written.map_err(|error| format!("{}: {error}", out.display()))?;
        }
        Ok(())
    };
    let prepare = |app: &mut App| {
        if let Some(page) = page {
            app.insert_resource(PanelState { open: true, page });
        }
        app.insert_resource(ShownOverlay(overlay));
        app.insert_resource(Cutaway { choice: cut, shown: None });
        app.world_mut().resource_mut::<Settings>().sun_shadows = sun_shadows;
    };
    Ok(pictures(&options.map, options.size, views, prepare, Box::new(write))?)
}

/// Checks that the picture can be written, before loading starts. Keeps an existing file.
fn check_output(options: &ShotOptions) -> Result<(), ShotError> {
    let out = &options.out;
    let is_map = out.extension().is_some_and(|e| e.eq_ignore_ascii_case("stonerun"))
        || matches!((out.canonicalize(), options.map.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_map {
        return Err(ShotError::OverwritesMap(out.clone()));
    }
    if !out.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        return Err(ShotError::NotPng(out.clone()));
    }
    let is_new = !out.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(out);
    opened.map_err(|reason| ShotError::Write { path: out.clone(), reason })?;
    if is_new {
        let _ = std::fs::remove_file(out);
    }
    Ok(())
}
