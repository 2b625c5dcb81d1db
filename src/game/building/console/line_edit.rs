//! The text field of the console.

use crate::game::ui_kit::theme;
use bevy_egui::egui::text::{CCursor, CCursorRange};
use bevy_egui::egui::{self, FontId, Id, Key, Margin, Modifiers, Response, Ui};

/// Maximum length of a line, in characters.
const MAX_CHARS: usize = 1000;

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
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let up = pressed(Key::ArrowUp);
        let down = pressed(Key::ArrowDown);
        let enter = pressed(Key::Enter);
        // With Shift first: a key without modifiers matches with Shift too.
        let back_tab = input.consume_key(Modifiers::SHIFT, Key::Tab);
        let tab = input.consume_key(Modifiers::NONE, Key::Tab);
        LineKeys { up, down, tab, back_tab, enter }
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
        .char_limit(MAX_CHARS);
    let mut output = field.show(ui);
    let response = output.response.response;
    if !response.has_focus() {
        response.request_focus();
    }
    let is_shorter = drop_extra_slashes(text);
    if to_end || is_shorter {
        let end = CCursor::new(text.chars().count());
        output.state.cursor.set_char_range(Some(CCursorRange::one(end)));
        output.state.store(ui.ctx(), response.id);
    }
    response
}

/// Drops all but two slashes at the start of a line. Returns whether there were more.
///
/// The line opens with a slash, and many players type both slashes of a name after it.
fn drop_extra_slashes(text: &mut String) -> bool {
    let slashes = text.bytes().take_while(|&byte| byte == b'/').count();
    text.drain(..slashes.saturating_sub(2));
    slashes > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_beyond_two_are_dropped_from_the_start() {
        let dropped = |line: &str| {
            let mut line = line.to_owned();
            (drop_extra_slashes(&mut line), line)
        };
        assert_eq!(dropped("////walls a/b"), (true, "//walls a/b".to_owned()));
        assert_eq!(dropped("//walls"), (false, "//walls".to_owned()));
        assert_eq!(dropped("/"), (false, "/".to_owned()));
        assert_eq!(dropped(""), (false, String::new()));
    }
}
