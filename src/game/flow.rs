//! From screen to screen: title, map, menus, and back; requests that the menus make; notices for the player.

use crate::body::walking::Walker;
use crate::game::meshing::{ChunkPart, Meshes, RenderOrigin};
use crate::game::picture::Fresh;
use crate::game::player::{Player, SLOTS};
use crate::game::render::MaterialMaker;
use crate::game::saving;
use crate::game::session::Session;
use crate::game::streaming::Stream;
use crate::game::ui::title;
use crate::save::{Header, MapFile, unix_now};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{MaterialTable, WORLD_LIMIT};
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow, WindowCloseRequested, WindowFocused};
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which screen is shown.
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// The maps.
    #[default]
    Title,
    /// In a map.
    Playing,
}

/// The menu that lies over the game, if any.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Menu {
    /// None: the mouse turns the view.
    #[default]
    None,
    /// Escape.
    Pause,
    /// Settings, from the pause menu or the title screen.
    Settings,
    /// All materials, on E.
    Inventory,
    /// The map could not be saved: try again, leave all the same, or stay.
    NotSaved,
}

/// Why the map could not be saved, and what the player wanted.
#[derive(Resource, Clone, Debug, Default)]
pub struct Stuck {
    /// One line.
    pub error: String,
    /// End the program, not only the map.
    pub quit: bool,
}

/// What a menu or the command line asks for.
#[derive(Message, Clone, Debug)]
pub enum Request {
    /// Open the map at this path and play.
    Open(PathBuf),
    /// Open it for a picture: it may be open elsewhere, and nothing is saved.
    Look(PathBuf),
    /// Make a map at this path and play.
    Create {
        /// The new file.
        path: PathBuf,
        /// Of the terrain.
        seed: u64,
        /// Of the terrain.
        kind: TerrainKind,
    },
    /// Save now.
    Save,
    /// Save and go back to the title screen.
    Leave,
    /// Save and end the program.
    Quit,
    /// Leave, or quit, without saving.
    Abandon {
        /// End the program, too.
        quit: bool,
    },
}

/// How urgent a notice is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Good to know.
    Info,
    /// Something failed.
    Warning,
    /// Something was lost: it is told for a minute.
    Loss,
}

/// Lines shown to the player for a while.
#[derive(Resource, Default)]
pub struct Notices {
    /// When, how urgent, what; the newest last.
    pub list: Vec<(Instant, Tone, String)>,
}

impl Notices {
    /// Tells something.
    pub fn info(&mut self, text: impl Into<String>) {
        self.list.push((Instant::now(), Tone::Info, text.into()));
    }

    /// Tells of a problem; it is also printed to standard error.
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        eprintln!("stonerun: {text}");
        self.list.push((Instant::now(), Tone::Warning, text));
    }

    /// Tells of something lost; it is also printed to standard error.
    pub fn mourn(&mut self, text: impl Into<String>) {
        self.warn(text);
        if let Some((_, tone, _)) = self.list.last_mut() {
            *tone = Tone::Loss;
        }
    }
}

/// True while the player plays: in a map, no menu open.
#[must_use]
pub fn in_play(screen: Res<State<Screen>>, menu: Res<Menu>, session: Option<Res<Session>>) -> bool {
    *screen.get() == Screen::Playing && *menu == Menu::None && session.is_some()
}

/// Adds screens, requests and the keys that open menus.
pub struct FlowPlugin;

impl Plugin for FlowPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Request>()
            .init_resource::<Stuck>()
            .add_systems(PreUpdate, (lose_focus, menu_keys, close_window).chain().after(bevy::input::InputSystems))
            // After all that works on the open map: it may be closed here.
            .add_systems(Update, (handle.after(saving::autosave), grab_cursor, name_window, show_window));
    }
}

fn menu_keys(
    keys: Res<ButtonInput<KeyCode>>,
    screen: Res<State<Screen>>,
    mut menu: ResMut<Menu>,
    mut egui: bevy_egui::EguiContexts,
) {
    if *screen.get() != Screen::Playing {
        if keys.just_pressed(KeyCode::Escape) && *menu == Menu::Settings {
            *menu = Menu::None;
        }
        return;
    }
    let typing = egui.ctx_mut().is_ok_and(|ctx| ctx.egui_wants_keyboard_input());
    if keys.just_pressed(KeyCode::Escape) {
        *menu = match *menu {
            Menu::None => Menu::Pause,
            Menu::Settings => Menu::Pause,
            Menu::Pause | Menu::Inventory | Menu::NotSaved => Menu::None,
        };
    } else if keys.just_pressed(KeyCode::KeyE) && !typing {
        *menu = match *menu {
            Menu::None => Menu::Inventory,
            Menu::Inventory => Menu::None,
            other => other,
        };
    }
}

/// A window that loses the focus hears no more of the mouse: its buttons would stay pressed, and the player's hands
/// would go on working.
fn lose_focus(
    mut focused: MessageReader<WindowFocused>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut menu: ResMut<Menu>,
    session: Option<Res<Session>>,
) {
    if focused.read().any(|now| !now.focused) {
        buttons.release_all();
        if session.is_some() && *menu == Menu::None {
            *menu = Menu::Pause;
        }
    }
}

fn close_window(mut closed: MessageReader<WindowCloseRequested>, mut requests: MessageWriter<Request>) {
    if closed.read().next().is_some() {
        requests.write(Request::Quit);
    }
}

fn grab_cursor(
    screen: Res<State<Screen>>,
    menu: Res<Menu>,
    window: Option<Single<(&mut Window, &mut CursorOptions), With<PrimaryWindow>>>,
) {
    let Some(window) = window else { return };
    let (mut window, mut cursor) = window.into_inner();
    let play = *screen.get() == Screen::Playing && *menu == Menu::None && window.focused;
    let wanted = if play { CursorGrabMode::Locked } else { CursorGrabMode::None };
    if cursor.grab_mode != wanted {
        cursor.grab_mode = wanted;
        cursor.visible = !play;
        // Free again, it starts in the middle.
        let middle = Vec2::new(window.width(), window.height()) / 2.0;
        window.set_cursor_position(Some(middle));
    }
}

fn create(path: &Path, seed: u64, kind: TerrainKind) -> Result<(), String> {
    let materials = MaterialTable::builtin();
    let mut header = Header::new(seed, kind.name(), unix_now());
    header.spawn = Generator::new(seed, kind, &materials).spawn().to_array();
    header.player.position = header.spawn;
    header.player.flying = false;
    MapFile::create(path, &header, &materials).and_then(MapFile::close).map_err(|e| e.to_string())
}

/// The player as the map's header describes them.
#[must_use]
pub fn player_from(header: &Header, materials: &MaterialTable) -> Player {
    let saved = &header.player;
    // Not outside the world, and not nowhere.
    let place = |p: [f64; 3]| p.iter().all(|c| c.abs() < f64::from(WORLD_LIMIT)).then(|| DVec3::from_array(p));
    let mut walker = Walker::at(place(saved.position).or(place(header.spawn)).unwrap_or(DVec3::ZERO));
    walker.flying = saved.flying;
    let mut hotbar = [0; SLOTS];
    for (slot, name) in hotbar.iter_mut().zip(&saved.hotbar) {
        *slot = materials.find(name).unwrap_or(0);
    }
    let angle = |a: f32| if a.is_finite() { a } else { 0.0 };
    Player {
        walker,
        yaw: angle(saved.yaw),
        pitch: angle(saved.pitch).clamp(-1.553, 1.553),
        hotbar,
        selected: usize::from(saved.selected).min(SLOTS - 1),
        ..Player::default()
    }
}

/// The window is hidden until the interface was drawn twice: then nobody sees it white, and no click finds nothing.
fn show_window(mut frames: Local<u32>, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    const HIDDEN: u32 = 4;
    if *frames <= HIDDEN {
        *frames += 1;
        if *frames > HIDDEN
            && let Some(mut window) = window
        {
            window.visible = true;
        }
    }
}

/// The window is called after the map, or after what is done on the title screen.
fn name_window(
    session: Option<Res<Session>>,
    stream: Option<Res<Stream>>,
    title: Res<title::Title>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    let Some(mut window) = window else { return };
    let name = match (session, stream) {
        (Some(session), Some(stream)) if stream.waiting > 0 => format!("{} (loading) - Stonerun", session.name),
        (Some(session), _) => format!("{} - Stonerun", session.name),
        _ => match title.doing() {
            Some(what) => format!("{what} - Stonerun"),
            None => "Stonerun".to_owned(),
        },
    };
    if window.title != name {
        window.title = name;
    }
}

/// Does what was asked.
fn handle(
    mut requests: MessageReader<Request>,
    mut commands: Commands,
    session: Option<ResMut<Session>>,
    mut notices: ResMut<Notices>,
    mut player: ResMut<Player>,
    mut menu: ResMut<Menu>,
    mut stuck: ResMut<Stuck>,
    mut next: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
    mut make: MaterialMaker,
    parts: Query<Entity, With<ChunkPart>>,
) {
    // Nobody asks for two things in one frame; if so, the last one counts.
    let Some(request) = requests.read().last().cloned() else { return };
    let look_only = matches!(request, Request::Look(_));
    match request {
        Request::Create { path, seed, kind } => match create(&path, seed, kind) {
            Ok(()) => open(&path, look_only, &mut commands, &mut notices, &mut player, &mut next, &mut make),
            Err(error) => notices.warn(error),
        },
        Request::Open(path) | Request::Look(path) => {
            open(&path, look_only, &mut commands, &mut notices, &mut player, &mut next, &mut make);
        }
        Request::Save => {
            if let Some(mut session) = session {
                saving::save_now(&mut session, &player, &mut notices);
            }
        }
        Request::Leave | Request::Quit | Request::Abandon { .. } => {
            let quit = matches!(request, Request::Quit | Request::Abandon { quit: true });
            let save = !matches!(request, Request::Abandon { .. });
            // Also tells the settings menu that it is left.
            *menu = Menu::None;
            if let Some(mut session) = session {
                if save && let Err(error) = saving::finish(&mut session, &player, &mut notices) {
                    *stuck = Stuck { error, quit };
                    *menu = Menu::NotSaved;
                    return;
                }
                commands.remove_resource::<Session>();
                commands.remove_resource::<Stream>();
                commands.remove_resource::<Meshes>();
                parts.iter().for_each(|part| commands.entity(part).despawn());
                next.set(Screen::Title);
            }
            if quit {
                exit.write(AppExit::Success);
            }
        }
    }
}

fn open(
    path: &Path,
    look_only: bool,
    commands: &mut Commands,
    notices: &mut Notices,
    player: &mut Player,
    next: &mut NextState<Screen>,
    make: &mut MaterialMaker,
) {
    match Session::open(path, look_only) {
        Ok((session, warnings)) => {
            warnings.into_iter().for_each(|line| notices.mourn(line));
            *player = player_from(&session.header, &session.materials);
            commands.insert_resource(make.materials(&session));
            commands.insert_resource(RenderOrigin(player.chunk().origin()));
            commands.insert_resource(Fresh::default());
            commands.insert_resource(Stream::default());
            commands.insert_resource(Meshes::default());
            commands.insert_resource(session);
            next.set(Screen::Playing);
        }
        Err(error) => {
            notices.warn(error);
            // It may be there now, or be gone.
            commands.run_system_cached(title::look_again);
        }
    }
}
