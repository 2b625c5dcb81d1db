//! The areas of the screen: one rectangle for each part of the interface, so that no two parts
//! overlap.
//!
//! All sizes are in points: pixels divided by the scale of the interface. Parts for which a small
//! window has no room are left out: first the name of the block in hand, then the list of keys,
//! then the legend. No part covers the crosshair.

use crate::game::state::player::SLOTS;
use bevy::prelude::{Resource, SystemSet};
use bevy_egui::egui::{Context, Id, Rangef, Rect, Vec2, pos2, vec2};

/// Distance of all parts from the window's edges.
pub const MARGIN: f32 = 8.0;
/// Minimum distance between two parts.
const GAP: f32 = 6.0;
/// Maximum side of a slot of the hot bar.
pub const SLOT: f32 = 44.0;
/// Distance between two slots.
pub const SLOT_GAP: f32 = 4.0;
/// Height of the line at the top of the screen.
const STATUS: f32 = 22.0;
/// Width and height for the name of the block in hand.
const PILL: Vec2 = vec2(220.0, 26.0);
/// Minimum height for notices: one line.
pub const NOTICE: f32 = 36.0;
/// Maximum width of notices, and their minimum width when they are next to a dialog.
const NOTICE_WIDTH: Rangef = Rangef { min: 200.0, max: 520.0 };
/// Width of the list of keys, and its minimum height, which holds three keys.
const KEYS: Vec2 = vec2(178.0, 71.0);
/// Height that holds all keys. Notices get the height above it.
const ALL_KEYS: f32 = 378.0;
/// Maximum height of notices above the list of keys or the builder's panel: four lines.
const NOTICES_ABOVE_KEYS: f32 = 110.0;
/// Width of the panel of the builder mode, and its minimum height.
const TOOLS: Vec2 = vec2(250.0, 120.0);
/// Height that holds the whole panel of the builder mode. Notices get the height above it.
const ALL_TOOLS: f32 = 520.0;
/// Height of a legend: at least its title and gradient, at most also a histogram and eight lines.
const LEGEND: Rangef = Rangef { min: 62.0, max: 196.0 };
/// Minimum width left of the panel. With less, the panel takes the upper half of the screen.
const BESIDE_PANEL: f32 = 300.0;
/// Minimum width left of the panel for a dialog. With less, a dialog hides the panel.
const BESIDE_DIALOG: f32 = 360.0;
/// Width and height for the previewed edit and the running jobs.
const EDITS: Vec2 = vec2(560.0, 112.0);
/// Minimum width and height for the previewed edit and the running jobs.
const MIN_EDITS: Vec2 = vec2(280.0, 44.0);
/// Maximum width of the console.
const CONSOLE_WIDTH: f32 = 820.0;
/// Minimum width of the screen for showing the panel while the console is open. With less, the
/// console hides the panel.
const CONSOLE_BESIDE_PANEL: f32 = 700.0;
/// Half the side of the square kept free around the crosshair.
const CROSSHAIR: f32 = 11.0;

/// The parts of the interface that want an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShownParts {
    /// True if the panel is open.
    pub panel: bool,
    /// True if an overlay is shown, with its legend.
    pub legend: bool,
    /// True if keys are listed. The builder mode hides them.
    pub keys: bool,
    /// True if the builder mode is on.
    pub tools: bool,
    /// True if jobs of edits run, or an edit is previewed.
    pub edits: bool,
    /// True if the console is open.
    pub console: bool,
    /// True if a menu covers the world, or the title screen is shown. Of the other parts, only the
    /// panel is then shown.
    pub menu: bool,
}

/// Set of the systems that compute [`Areas`]. Systems that draw into an area run after it.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AreasKnown;

/// The area of each part, in points; `None` if it is not shown.
#[derive(Resource, Clone, Copy, PartialEq, Debug)]
pub struct Areas {
    /// The panel of live figures.
    pub panel: Option<Rect>,
    /// The line at the top; `None` while the panel is open, which replaces it.
    pub status: Option<Rect>,
    /// Notices, from the top down.
    pub notices: Rect,
    /// The legend of an overlay, at the bottom of its area.
    pub legend: Option<Rect>,
    /// The list of keys.
    pub keys: Option<Rect>,
    /// The panel of the builder mode.
    pub tools: Option<Rect>,
    /// The hot bar.
    pub bar: Option<Rect>,
    /// The name of the block in hand, and the progress of loading.
    pub pill: Option<Rect>,
    /// The figures of a previewed edit, and the running jobs. They are drawn at the bottom of the
    /// area.
    pub edits: Option<Rect>,
    /// The console: its line is at the bottom of its area.
    pub console: Option<Rect>,
    /// The area in which dialogs are centred.
    pub dialog: Rect,
}

impl Default for Areas {
    fn default() -> Areas {
        Areas::new(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 720.0)), ShownParts::default())
    }
}

/// Keys, in egui's storage, of the areas that dialogs read and change while they are drawn.
const DIALOG_AREA: &str = "dialog area";
const NOTICES_AREA: &str = "notices area";

/// Stores the areas of dialogs and notices in egui's storage, for the systems that draw them.
pub fn publish(ctx: &Context, areas: &Areas) {
    ctx.data_mut(|data| data.insert_temp(Id::new(DIALOG_AREA), areas.dialog));
    set_notices_area(ctx, areas.notices);
}

/// The area in which dialogs are centred.
#[must_use]
pub fn dialog_area(ctx: &Context) -> Rect {
    ctx.data(|data| data.get_temp(Id::new(DIALOG_AREA))).unwrap_or_else(|| ctx.viewport_rect())
}

/// The area for notices in this frame, next to the dialog if one is shown.
#[must_use]
pub fn notices_area(ctx: &Context) -> Rect {
    ctx.data(|data| data.get_temp(Id::new(NOTICES_AREA)))
        .unwrap_or_else(|| ctx.viewport_rect().shrink(MARGIN))
}

/// Moves the notices of this frame to `area`.
pub fn set_notices_area(ctx: &Context, area: Rect) {
    ctx.data_mut(|data| data.insert_temp(Id::new(NOTICES_AREA), area));
}

impl Areas {
    /// Divides `screen` among `parts`.
    #[must_use]
    pub fn new(screen: Rect, parts: ShownParts) -> Areas {
        let inner = screen.shrink(MARGIN);
        let panel_width = (screen.width() * 0.34).clamp(284.0, 330.0).min(inner.width());
        let beside = inner.width() - panel_width - MARGIN;
        let column = inner.with_min_x(inner.right() - panel_width);
        if parts.menu {
            return Areas::with_menu(
                screen,
                (parts.panel && beside >= BESIDE_DIALOG).then_some(column),
            );
        }
        if parts.console {
            return Areas::with_console(screen, parts);
        }
        let is_stacked = parts.panel && beside < BESIDE_PANEL;
        let is_beside = parts.panel && !is_stacked;
        let free = if is_beside { inner.with_max_x(column.left() - MARGIN) } else { inner };
        let bar = bar(inner, free.right());
        let panel = if is_stacked {
            inner.with_max_y(screen.center().y - CROSSHAIR - GAP)
        } else {
            column.with_max_y(if bar.right() > free.right() {
                bar.top() - GAP
            } else {
                inner.bottom()
            })
        };
        let areas = Areas {
            panel: parts.panel.then_some(panel),
            status: None,
            notices: free,
            legend: None,
            keys: None,
            tools: None,
            bar: Some(bar),
            pill: None,
            edits: None,
            console: None,
            dialog: screen,
        };
        if is_stacked {
            areas.below_panel(screen, free, parts)
        } else {
            areas.next_to_panel(screen, free, parts)
        }
    }

    /// The areas while the console is open. It takes the lower half of the screen, where other
    /// parts are not shown.
    fn with_console(screen: Rect, parts: ShownParts) -> Areas {
        let inner = screen.shrink(MARGIN);
        // In a narrow window the panel would take the upper half of the screen, which notices need.
        let panel_fits = inner.width() >= CONSOLE_BESIDE_PANEL;
        let others = ShownParts {
            panel: parts.panel && panel_fits,
            legend: false,
            keys: false,
            tools: false,
            console: false,
            edits: parts.edits,
            menu: false,
        };
        let areas = Areas::new(screen, others);
        let right = areas.panel.map_or(inner.right(), |panel| panel.left() - GAP);
        let width = CONSOLE_WIDTH.min(right - inner.left());
        let top = screen.center().y + CROSSHAIR + GAP;
        let whole =
            Rect::from_min_max(pos2(inner.left(), top), pos2(inner.left() + width, inner.bottom()));
        let edits = parts.edits.then(|| whole.with_max_y(top + EDITS.y.min(whole.height() / 3.0)));
        let console = edits.map_or(whole, |edits| whole.with_min_y(edits.bottom() + GAP));
        let bottom = areas.notices.bottom().min(screen.center().y - CROSSHAIR - GAP);
        let notices = areas.notices.with_max_y(bottom);
        Areas {
            notices,
            bar: None,
            pill: None,
            legend: None,
            edits,
            console: Some(console),
            ..areas
        }
    }

    /// The areas while a menu is shown.
    fn with_menu(screen: Rect, panel: Option<Rect>) -> Areas {
        let dialog = panel.map_or(screen, |panel| screen.with_max_x(panel.left()));
        let width = NOTICE_WIDTH.max.min(dialog.width() - 2.0 * MARGIN);
        let notices = Rect::from_min_max(dialog.min, dialog.min + vec2(width, dialog.height()))
            .shrink(MARGIN);
        Areas {
            panel,
            status: None,
            notices,
            legend: None,
            keys: None,
            tools: None,
            bar: None,
            pill: None,
            edits: None,
            console: None,
            dialog,
        }
    }

    /// Divides the lower half of a narrow screen. The panel takes the upper half.
    fn below_panel(self, screen: Rect, free: Rect, parts: ShownParts) -> Areas {
        let bottom = self.bar.map_or(free.bottom(), |bar| bar.top()) - GAP;
        let notices = free.with_max_y(bottom).with_min_y(bottom - NOTICE);
        let room = Rangef::new(screen.center().y + CROSSHAIR + GAP, notices.top() - GAP);
        Areas {
            notices,
            legend: parts.legend.then(|| legend(screen, free, room)).flatten(),
            ..self
        }
    }

    /// Divides the screen, or the width left of the panel.
    fn next_to_panel(self, screen: Rect, free: Rect, parts: ShownParts) -> Areas {
        let crosshair = Rect::from_center_size(screen.center(), Vec2::splat(2.0 * CROSSHAIR));
        let status = (!parts.panel).then(|| free.with_max_y(free.top() + STATUS));
        let top = status.map_or(free.top(), |status| status.bottom() + GAP);
        let pill = self.bar.map(|bar| {
            let width = PILL.x.min(bar.width());
            let bottom = bar.top() - GAP;
            let right = (bar.center().x + width / 2.0).min(free.right());
            Rect::from_min_max(pos2(right - width, bottom - PILL.y), pos2(right, bottom))
        });
        // Lower limit of a part in the columns `x` that ends above `others`.
        let floor = |x: Rangef, others: &[Option<Rect>]| {
            let above = others.iter().flatten().filter(|other| overlaps(other.x_range(), x));
            above.map(|other| other.top() - GAP).fold(free.bottom(), f32::min)
        };
        let place_legend = |pill: Option<Rect>| {
            let x = Rangef::new(free.left(), free.left() + legend_width(screen, free));
            let least = if overlaps(x, crosshair.x_range()) {
                crosshair.bottom() + GAP
            } else {
                top + NOTICE + GAP
            };
            legend(screen, free, Rangef::new(least, floor(x, &[self.bar, pill])))
        };
        let mut legend = None;
        let mut pill = pill;
        if parts.legend {
            legend = place_legend(pill);
            if legend.is_none() {
                pill = None;
                legend = place_legend(None);
            }
        }
        let edits = {
            let bottom = pill.or(self.bar).map_or(free.bottom(), |below| below.top() - GAP);
            let middle = self.bar.map_or(free.center().x, |bar| bar.center().x);
            let width = EDITS.x.min(free.width());
            let right = (middle + width / 2.0).min(free.right());
            let tools = parts.tools.then_some(free.left() + TOOLS.x + GAP);
            let left = (right - width)
                .max(tools.unwrap_or(free.left()))
                .max(legend.map_or(free.left(), |legend| legend.right() + GAP));
            let top = (bottom - EDITS.y).max(crosshair.bottom() + GAP);
            let area = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            (parts.edits && area.width() >= MIN_EDITS.x && area.height() >= MIN_EDITS.y)
                .then_some(area)
        };
        // An area at the left, below the notices, `size.x` wide and up to `wanted_height` high;
        // `None` without room for `size`.
        let column = |size: Vec2, wanted_height: f32| {
            let x = Rangef::new(free.left(), free.left() + size.x);
            let bottom = floor(x, &[self.bar, pill, legend, edits]);
            let notices = (bottom - top - GAP - wanted_height).clamp(NOTICE, NOTICES_ABOVE_KEYS);
            let y = Rangef::new(top + notices + GAP, bottom);
            let area = Rect::from_x_y_ranges(x, y);
            let fits = y.span() >= size.y && x.max <= free.right() && !area.intersects(crosshair);
            fits.then_some(area)
        };
        let tools = parts.tools.then(|| column(TOOLS, ALL_TOOLS)).flatten();
        let keys = (parts.keys && !parts.tools).then(|| column(KEYS, ALL_KEYS)).flatten();
        let notices = {
            let x = Rangef::new(free.left(), free.left() + NOTICE_WIDTH.max.min(free.width()));
            let bottom = floor(x, &[self.bar, pill, legend, edits, keys, tools]);
            let above_crosshair = if overlaps(x, crosshair.x_range()) {
                crosshair.top() - GAP
            } else {
                f32::INFINITY
            };
            Rect::from_x_y_ranges(x, Rangef::new(top, bottom.min(above_crosshair)))
        };
        Areas { status, notices, legend, keys, tools, pill, edits, ..self }
    }
}

/// Position of the hot bar: bottom centre, moved left as far as necessary to end at `right`.
fn bar(inner: Rect, right: f32) -> Rect {
    let slots = SLOTS as f32;
    let slot = ((inner.width() + SLOT_GAP) / slots - SLOT_GAP).min(SLOT);
    let width = slots * (slot + SLOT_GAP) - SLOT_GAP;
    let left = (inner.center().x - width / 2.0).min(right - width).max(inner.left());
    Rect::from_min_max(pos2(left, inner.bottom() - slot), pos2(left + width, inner.bottom()))
}

/// Width of a legend.
fn legend_width(screen: Rect, free: Rect) -> f32 {
    (screen.width() * 0.3).clamp(262.0, 322.0).min(free.width())
}

/// Area of a legend within the range `y`; `None` if not even its gradient fits.
fn legend(screen: Rect, free: Rect, y: Rangef) -> Option<Rect> {
    let x = Rangef::new(free.left(), free.left() + legend_width(screen, free));
    let height = y.span().min(LEGEND.max);
    (height >= LEGEND.min).then(|| Rect::from_x_y_ranges(x, Rangef::new(y.max - height, y.max)))
}

fn overlaps(a: Rangef, b: Rangef) -> bool {
    a.min < b.max && b.min < a.max
}

/// Areas of a dialog and of the notices next to it.
pub struct DialogAreas {
    /// Area in which the dialog is centred.
    pub dialog: Rect,
    /// Area of the notices.
    pub notices: Rect,
}

/// Divides `free` between a dialog `width` points wide and notices, which are left of the dialog,
/// or above it if there is too little room.
#[must_use]
pub fn beside_dialog(free: Rect, width: f32) -> DialogAreas {
    let inner = free.shrink(MARGIN);
    let side = (free.width() - width) / 2.0 - 2.0 * MARGIN;
    if side >= NOTICE_WIDTH.min {
        let notices = inner.with_max_x(inner.left() + side.min(NOTICE_WIDTH.max));
        return DialogAreas { dialog: free, notices };
    }
    let notices = inner.with_max_y(inner.top() + NOTICE);
    DialogAreas { dialog: free.with_min_y(notices.bottom()), notices }
}

#[cfg(test)]
mod tests;
