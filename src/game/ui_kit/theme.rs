//! The look of the interface: warm dark stone, sandstone for actions, one kind of panel, button and
//! dialog.

use crate::game::ui_kit::layout::{self, DialogAreas};
use bevy_egui::egui::style::WidgetVisuals;
use bevy_egui::egui::text::{CCursor, CCursorRange};
use bevy_egui::egui::{
    self, Align, Color32, CornerRadius, FontFamily, FontId, Frame, Id, Layout, Margin, Response,
    RichText, ScrollArea, Shadow, Stroke, TextStyle, Ui, vec2,
};
use std::sync::Arc;

/// Sandstone, the colour of headings, selections and primary buttons.
pub const ACCENT: Color32 = Color32::from_rgb(224, 176, 96);
/// Colour of text.
pub const TEXT: Color32 = Color32::from_rgb(232, 226, 216);
/// Colour of secondary text.
pub const FAINT: Color32 = Color32::from_rgb(168, 160, 148);
/// Red, the colour of anything failed, not saved, damaged or lost, in the whole interface.
pub const PROBLEM: Color32 = Color32::from_rgb(242, 84, 76);
/// Background of a panel; slightly translucent.
pub const PANEL: Color32 = Color32::from_rgba_premultiplied(30, 27, 24, 238);
/// Background of a dialog; opaque, because menus are behind it.
const DIALOG: Color32 = Color32::from_rgb(34, 31, 27);
/// Background of an element on a panel, such as a map's card.
pub const RAISED: Color32 = Color32::from_rgb(50, 46, 41);
/// Background of a hovered element on a panel.
pub const RAISED_HOVER: Color32 = Color32::from_rgb(62, 57, 50);
/// Background of a sunken element, such as a text field.
pub const SUNK: Color32 = Color32::from_rgb(18, 16, 14);
/// Colour of the edges of panels.
pub const EDGE: Color32 = Color32::from_rgb(84, 76, 66);
/// Veil over the world behind a dialog.
const VEIL: Color32 = Color32::from_black_alpha(130);
/// Colour of text on sandstone.
const ON_ACCENT: Color32 = Color32::from_rgb(36, 26, 12);
/// Size of small text, in points. There are few text sizes, because each needs its own letters in
/// the font texture.
pub const SMALL: f32 = 12.0;
/// Size of normal text, in points.
pub const BODY: f32 = 14.0;
/// Size of the text of buttons and names, in points.
pub const LARGE: f32 = 16.0;
/// Size of headings, in points.
const HEADING: f32 = 21.0;
/// Rounding of corners, in points.
pub const ROUND: u8 = 6;

/// True in small windows: the layout then saves space.
#[must_use]
pub fn is_small(ctx: &egui::Context) -> bool {
    ctx.viewport_rect().height() < 480.0
}

/// Lays out every letter once, in all sizes. Without this, the font texture would grow when a
/// letter first appears, and the letter would be missing until the larger texture is uploaded.
pub fn warm_up(ctx: &egui::Context) {
    // Includes pairs of letters that form ligatures.
    let letters: String = (' '..='~').chain("…·° ff fi fl ffi ffl".chars()).collect();
    let words = [SMALL, BODY, LARGE, HEADING].map(FontId::proportional);
    let figures = [9.0, 10.0, 10.5, 11.0, 12.5].map(FontId::monospace);
    for font in words.into_iter().chain(figures) {
        ctx.fonts_mut(|fonts| fonts.layout_no_wrap(letters.clone(), font, TEXT));
    }
}

/// Sets the style of the context.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    // The scale of the interface is a setting, which egui's zoom keys must not bypass.
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // With a software driver, a frame may take longer than the 0.8 s to which egui limits a
        // click.
        options.input_options.max_click_duration = f64::INFINITY;
    });
    ctx.style_mut_of(egui::Theme::Dark, |style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Heading, font(HEADING));
        style.text_styles.insert(TextStyle::Body, font(BODY));
        style.text_styles.insert(TextStyle::Button, font(BODY));
        style.text_styles.insert(TextStyle::Small, font(SMALL));
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.25;

        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(8.0, 6.0);
        spacing.button_padding = vec2(12.0, 5.0);
        spacing.interact_size = vec2(40.0, 26.0);
        spacing.slider_width = 220.0;
        spacing.slider_rail_height = 6.0;
        spacing.icon_width = 18.0;
        spacing.icon_width_inner = 10.0;
        spacing.icon_spacing = 8.0;
        spacing.scroll = egui::style::ScrollStyle::solid();
        spacing.scroll.bar_width = 8.0;

        let visuals = &mut style.visuals;
        // One glyph image per letter instead of four subpixel variants, so `warm_up` covers them
        // all.
        visuals.text_options.subpixel_binning = false;
        visuals.weak_text_color = Some(FAINT);
        visuals.panel_fill = PANEL;
        visuals.window_fill = DIALOG;
        visuals.window_stroke = Stroke::new(1.0, EDGE);
        visuals.window_corner_radius = CornerRadius::same(ROUND);
        visuals.menu_corner_radius = CornerRadius::same(ROUND);
        visuals.window_shadow =
            Shadow { offset: [0, 6], blur: 18, spread: 0, color: Color32::from_black_alpha(110) };
        visuals.popup_shadow =
            Shadow { offset: [0, 3], blur: 8, spread: 0, color: Color32::from_black_alpha(110) };
        visuals.extreme_bg_color = SUNK;
        visuals.text_edit_bg_color = Some(SUNK);
        visuals.faint_bg_color = Color32::from_rgb(36, 33, 29);
        visuals.warn_fg_color = ACCENT;
        visuals.error_fg_color = PROBLEM;
        visuals.hyperlink_color = ACCENT;
        visuals.selection.bg_fill = Color32::from_rgb(120, 88, 40);
        visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(255, 236, 200));
        visuals.slider_trailing_fill = true;
        let widgets = &mut visuals.widgets;
        widgets.noninteractive =
            widget(Color32::from_rgb(40, 37, 33), Color32::from_rgb(66, 60, 53), TEXT);
        widgets.inactive =
            widget(Color32::from_rgb(66, 60, 53), Color32::from_rgb(92, 84, 73), TEXT);
        widgets.hovered = widget(Color32::from_rgb(86, 78, 67), ACCENT, Color32::WHITE);
        widgets.active = widget(Color32::from_rgb(54, 48, 41), ACCENT, ACCENT);
        widgets.open = widgets.hovered;
    });
}

fn widget(fill: Color32, edge: Color32, text: Color32) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, edge),
        corner_radius: CornerRadius::same(ROUND),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    }
}

/// The frame of panels and dialogs.
pub fn panel(ctx: &egui::Context) -> Frame {
    let margin = if is_small(ctx) { 10 } else { 18 };
    Frame::new()
        .fill(PANEL)
        .stroke(Stroke::new(1.0, EDGE))
        .corner_radius(CornerRadius::same(ROUND))
        .inner_margin(Margin::same(margin))
}

/// A heading in sandstone.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).heading().color(ACCENT));
}

/// Text on the sky, with a shadow so it stays readable before clouds.
pub fn on_sky(ui: &mut Ui, text: &str, size: f32) {
    let galley = ui.painter().layout(
        text.to_owned(),
        FontId::proportional(size),
        TEXT,
        ui.available_width(),
    );
    let (rect, _) = ui.allocate_exact_size(galley.size(), egui::Sense::hover());
    for offset in [vec2(1.0, 1.0), vec2(0.0, 2.0), vec2(-1.0, 1.0)] {
        let black = Color32::from_black_alpha(120);
        ui.painter().galley_with_override_text_color(rect.min + offset, Arc::clone(&galley), black);
    }
    ui.painter().galley(rect.min, galley, TEXT);
}

/// Draws large words in the middle of the screen, above everything else.
pub fn banner(ctx: &egui::Context, text: &str) {
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Tooltip, Id::new("banner")));
    let screen = ctx.viewport_rect();
    painter.rect_filled(screen, 0.0, VEIL);
    let words = painter.layout_no_wrap(text.to_owned(), FontId::proportional(HEADING), ACCENT);
    let frame = egui::Rect::from_center_size(screen.center(), words.size() + vec2(48.0, 32.0));
    painter.rect(frame, ROUND, DIALOG, Stroke::new(1.0, ACCENT), egui::StrokeKind::Inside);
    painter.galley(frame.min + vec2(24.0, 16.0), words, ACCENT);
}

/// Height of large buttons, in points.
#[must_use]
pub fn button_height(ctx: &egui::Context) -> f32 {
    if is_small(ctx) { 28.0 } else { 38.0 }
}

/// A large menu button, `width` points wide.
pub fn button(ui: &mut Ui, text: &str, width: f32) -> Response {
    let height = button_height(ui.ctx());
    let size = if is_small(ui.ctx()) { BODY } else { LARGE };
    // `add_sized` instead of a minimum size, because it centres the text.
    ui.add_sized(vec2(width, height), egui::Button::new(RichText::new(text).size(size)))
}

/// A large menu button in sandstone, for the primary action.
pub fn primary(ui: &mut Ui, text: &str, width: f32) -> Response {
    ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        widgets.inactive = widget(ACCENT, ACCENT, ON_ACCENT);
        widgets.hovered = widget(Color32::from_rgb(240, 196, 120), Color32::WHITE, ON_ACCENT);
        widgets.active = widget(Color32::from_rgb(196, 150, 76), ACCENT, ON_ACCENT);
        // Disabled buttons use this colour.
        widgets.noninteractive =
            widget(Color32::from_rgb(96, 84, 64), Color32::from_rgb(96, 84, 64), ON_ACCENT);
        button(ui, text, width)
    })
    .inner
}

/// Size of a dialog, in points. Its height follows from its content.
pub struct DialogSize {
    /// Width of the dialog.
    pub width: f32,
    /// Height of the dialog's foot.
    pub foot_height: f32,
}

/// Draws a dialog over a veil, in the middle of the screen or of the part next to the panel. `body`
/// scrolls if it does not fit. `foot` is always visible and gets the result of `body`.
pub fn dialog<T, R>(
    ctx: &egui::Context,
    title: &str,
    size: DialogSize,
    body: impl FnOnce(&mut Ui) -> T,
    foot: impl FnOnce(&mut Ui, T) -> R,
) -> R {
    let frame = panel(ctx).fill(DIALOG);
    let edges = frame.total_margin().sum();
    let free = layout::dialog_area(ctx);
    let width = size.width.min(free.width() - edges.x - 2.0 * layout::MARGIN).max(0.0);
    let DialogAreas { dialog: area, notices } = layout::beside_dialog(free, width + edges.x);
    layout::set_notices_area(ctx, notices);
    let room =
        (area.height() - edges.y - size.foot_height - if is_small(ctx) { 80.0 } else { 110.0 })
            .max(18.0);
    let id = Id::new(("dialog", title));
    let offset = area.center() - ctx.viewport_rect().center();
    // Fading in would flicker when one dialog replaces another.
    let place =
        egui::Modal::default_area(id).fade_in(false).anchor(egui::Align2::CENTER_CENTER, offset);
    let modal = egui::Modal::new(id).area(place).frame(frame).backdrop_color(VEIL);
    modal
        .show(ctx, |ui| {
            ui.set_width(width);
            // Without a maximum, the first frames of a dialog would have the height of the previous
            // dialog.
            ui.set_max_height(area.height() - edges.y);
            heading(ui, title);
            ui.add_space(4.0);
            // egui's minimum of 64 points is more than a small window has.
            let scroll =
                ScrollArea::vertical().max_height(room).min_scrolled_height(room.min(64.0));
            let found = scroll.auto_shrink([false, true]).show(ui, body).inner;
            ui.add_space(6.0);
            foot(ui, found)
        })
        .inner
}

/// Outcome of a text field in a frame.
pub struct NameField {
    /// True if the text of the field was changed.
    pub is_changed: bool,
    /// True if Enter was pressed in the field.
    pub is_entered: bool,
}

/// Draws a text field. If `fresh`, it takes the focus with all text selected, so that typing
/// replaces it. It keeps the focus after Enter, because the caller may refuse the text.
pub fn name_field(ui: &mut Ui, text: &mut String, hint: &'static str, fresh: bool) -> NameField {
    let length = text.chars().count();
    let field = egui::TextEdit::singleline(text)
        .hint_text(hint)
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(8, 6))
        // The maximum length of a map's name.
        .char_limit(100);
    let mut output = field.show(ui);
    let response = output.response.response;
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if fresh {
        response.request_focus();
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(length));
        output.state.cursor.set_char_range(Some(all));
        output.state.store(ui.ctx(), response.id);
    } else if is_entered {
        response.request_focus();
    }
    NameField { is_changed: response.changed(), is_entered }
}

/// Draws the buttons of a dialog's foot, from right to left.
pub fn buttons<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let size = vec2(ui.available_width(), button_height(ui.ctx()));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), add).inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{Context, Event, Key, Modifiers, RawInput};

    #[test]
    fn enter_in_a_name_is_reported_and_keeps_the_focus() {
        let ctx = Context::default();
        let mut name = "home".to_owned();
        let mut frame = |fresh: bool, keys: &[Key]| {
            let press = |&key: &Key| Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            let mut input =
                RawInput { events: keys.iter().map(press).collect(), ..RawInput::default() };
            if keys.is_empty() && !fresh {
                input.events.push(Event::Text("x".to_owned()));
            }
            let mut entered = false;
            let mut output =
                ctx.run_ui(input, |ui| entered = name_field(ui, &mut name, "", fresh).is_entered);
            output.textures_delta.clear();
            (entered, name.clone())
        };
        assert_eq!(frame(true, &[]), (false, "home".to_owned()));
        assert_eq!(frame(false, &[Key::End, Key::Enter]), (true, "home".to_owned()));
        assert_eq!(frame(false, &[]), (false, "homex".to_owned()), "typing goes on");
    }
}
