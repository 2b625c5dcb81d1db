//! The plugin of the interface.

use crate::game::building::blueprints::dialog as blueprints;
use crate::game::building::export::menu as export_menu;
use crate::game::building::history::{dialog as history, undo_question};
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::screens::hud::{edit_status, key_card, notices, screen as hud};
use crate::game::screens::menus::{not_saved, pause, places, settings};
use crate::game::screens::title::{dropped, screen as title};
use crate::game::screens::{arrange, inventory};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::screens::{Menu, Screen, in_play};
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::layout::AreasKnown;
use crate::game::ui_kit::{icons, keyboard, layout, scale, theme};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};

/// Adds the interface.
pub struct ScreensPlugin;

impl Plugin for ScreensPlugin {
    fn build(&self, app: &mut App) {
        keyboard::add(app);
        app.init_resource::<icons::IconStrip>()
            .init_resource::<title::Title>()
            .init_resource::<dropped::HeldFile>()
            .init_resource::<hud::Hud>()
            .init_resource::<key_card::KeyCard>()
            .init_resource::<layout::Areas>()
            .init_resource::<inventory::InventorySearch>()
            .init_resource::<places::PlacesDialog>()
            .init_resource::<export_menu::OpenMapExport>()
            .init_resource::<blueprints::BlueprintsDialog>()
            .add_systems(OnExit(Screen::Playing), (export_menu::forget, blueprints::forget))
            .add_systems(OnEnter(Screen::Title), title::reload_maps)
            .add_systems(OnExit(Screen::Title), title::leave)
            .add_systems(OnEnter(Screen::Playing), hud::begin)
            .add_systems(Update, dropped::take)
            .add_systems(
                Update,
                (blueprints::open.run_if(in_play.and_then(has_player)), blueprints::take_in)
                    .chain()
                    .run_if(in_state(Screen::Playing).and_then(resource_exists::<OpenMap>)),
            )
            .add_systems(
                Update,
                (inventory::begin, places::begin, blueprints::begin)
                    .run_if(resource_changed::<Menu>),
            )
            .add_systems(
                Update,
                key_card::note
                    .run_if(
                        in_state(Screen::Playing)
                            .and_then(resource_exists::<OpenMap>)
                            .and_then(has_player),
                    )
                    .after(FrameSet::Edit),
            )
            .add_systems(Last, settings::store)
            .add_systems(
                EguiPrimaryContextPass,
                (
                    (prepare, scale::apply, arrange::update.in_set(AreasKnown)).chain(),
                    (title::show, dropped::show).chain().run_if(in_state(Screen::Title)),
                    (
                        (hud::show, edit_status::show).chain().run_if(has_player),
                        pause::show.run_if(resource_equals(Menu::Pause)),
                        export_menu::show.run_if(resource_equals(Menu::Export)),
                        inventory::show.run_if(resource_equals(Menu::Inventory)),
                        places::show.run_if(resource_equals(Menu::Places)),
                        blueprints::show.run_if(resource_equals(Menu::Blueprints)),
                        history::show.run_if(resource_equals(Menu::History)),
                        undo_question::show.run_if(resource_equals(Menu::UndoQuestion)),
                        not_saved::show.run_if(resource_equals(Menu::NotSaved)),
                    )
                        .chain()
                        .run_if(in_state(Screen::Playing).and_then(resource_exists::<OpenMap>)),
                    settings::show.run_if(resource_equals(Menu::Settings)),
                    notices::show,
                )
                    .chain(),
            );
    }
}

/// Sets egui's style and block textures, in the first frames.
fn prepare(
    mut contexts: EguiContexts,
    textures: Res<BlockTextures>,
    mut strip: ResMut<icons::IconStrip>,
    mut frames: Local<u32>,
) {
    if *frames < 3
        && let Ok(ctx) = contexts.ctx_mut()
    {
        if *frames == 0 {
            theme::apply(ctx);
            strip.load(ctx, &textures);
        }
        // The letters are laid out again in later frames: the style takes effect in the next frame.
        theme::warm_up(ctx);
        *frames += 1;
    }
}
