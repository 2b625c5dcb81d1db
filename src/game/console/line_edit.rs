//! The text field of the console.

use crate::game::ui::theme;
use bevy_egui::egui::text::{CCursor, CCursorRange};
use bevy_egui::egui::{self, FontId, Id, Key, Margin, Modifiers, Response, Ui};

/// Longest line, in letters.
const LONGEST: usize = 1000;

/// Keys pressed in the field that do not type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LineKeys {
    pub(super) up: bool,
    pub(super) down: bool,
    pub(super) tab: bool,
    /// Tab with Shift.
    pub(super) back_tab: bool,
    pub(super) enter: bool,
}

/// Takes the keys that do not type from the input of this frame.
pub(super) fn take_keys(ctx: &egui::Context) -> LineKeys {
    ctx.input_mut(|input| {
        // In a slow frame, what is typed after Enter is not for this line any more.
        let is_enter = |event: &egui::Event| matches!(event, egui::Event::Key { key: Key::Enter, pressed: true, .. });
        if let Some(enter) = input.events.iter().position(is_enter) {
            input.events.truncate(enter + 1);
        }
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
        let enter = pressed(Key::Enter);
        // With Shift first: a key without modifiers matches with Shift too.
        let back_tab = input.consume_key(Modifiers::SHIFT, Key::Tab);
        let tab = input.consume_key(Modifiers::NONE, Key::Tab);
        LineKeys { up, down, tab, back_tab, enter }
    })
}

/// Keeps the sign of the key that opened the console from being typed, and again while the key is
/// held. `opening` is true until it is released; returns whether it still is.
pub(super) fn drop_opening_key(ctx: &egui::Context, opening: bool) -> bool {
    if !opening {
        return false;
    }
    ctx.input_mut(|input| {
        input.events.retain(|event| !matches!(event, egui::Event::Text(text) if text == "/"));
        input.key_down(Key::Slash)
    })
}

/// Draws the field, which always has the focus. `to_end` puts the cursor behind the text.
pub(super) fn show(ui: &mut Ui, text: &mut String, to_end: bool) -> Response {
    let id = Id::new("console line");
    let field = egui::TextEdit::singleline(text)
        .id(id)
        .font(FontId::proportional(theme::LARGE))
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(8, 6))
        .lock_focus(true)
        .char_limit(LONGEST);
    let mut output = field.show(ui);
    let response = output.response.response;
    if !response.has_focus() {
        response.request_focus();
    }
    if to_end {
        let end = CCursor::new(text.chars().count());
        output.state.cursor.set_char_range(Some(CCursorRange::one(end)));
        output.state.store(ui.ctx(), response.id);
    }
    response
}
