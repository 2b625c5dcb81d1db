//! The table of key bindings: actions, their keys, and the states in which they apply.
//!
//! The first row that matches a press decides, so each press has one action. The rows of an action
//! are in the order in which its keys are named to the player.

use super::action::KeyAction;
use super::layout::{KeyboardLayout, WALKING, character};
use super::state::{
    EVERYWHERE, HANDS, INVENTORY, KeyCamera, KeyMode, KeyState, MAP, MENU, Modes, PLAY, TOOLS,
};
use bevy::input::keyboard::{KeyCode, KeyboardInput};
use std::sync::LazyLock;

/// The key of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trigger {
    /// The key at a position, whatever its label.
    Position(KeyCode),
    /// The key with a letter, at any position.
    Letter(char),
    /// Any key that types a character.
    Character(char),
}

/// Modifiers that must or must not be held with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum With {
    /// No condition.
    Any,
    /// Any modifiers but `Ctrl`.
    NoControl,
    /// `Ctrl`.
    Control,
    /// `Ctrl` and `Shift`.
    ControlShift,
    /// `Shift`.
    Shift,
    /// The key that keeps views.
    KeepView,
    /// The key that returns to views.
    ReturnToView,
}

/// Cameras for which a key has its action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cameras {
    All,
    NotDrone,
    Drone,
    Body,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) action: KeyAction,
    pub(super) trigger: Trigger,
    pub(super) with: With,
    modes: Modes,
    cameras: Cameras,
}

/// Modifier keys that are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Modifiers {
    /// `Ctrl`, or the super key (on macOS, Command).
    pub(super) control: bool,
    pub(super) shift: bool,
    pub(super) alt: bool,
}

/// Keys that are held at a press.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeldKeys {
    pub(super) modifiers: Modifiers,
    /// True while a key at a walking position is held.
    pub(super) walks: bool,
    pub(super) keeps_view: bool,
    pub(super) returns_to_view: bool,
}

impl Binding {
    pub(super) fn counts_in(&self, state: KeyState) -> bool {
        let has_camera = match self.cameras {
            Cameras::All => true,
            Cameras::NotDrone => state.camera != KeyCamera::Drone,
            Cameras::Drone => state.camera == KeyCamera::Drone,
            Cameras::Body => state.camera == KeyCamera::Body,
        };
        self.modes.contains(state.mode) && has_camera
    }

    fn fits(&self, held: HeldKeys) -> bool {
        let Modifiers { control, shift, .. } = held.modifiers;
        match self.with {
            With::Any => true,
            With::NoControl => !control,
            With::Control => control,
            With::ControlShift => control && shift,
            With::Shift => shift,
            With::KeepView => held.keeps_view,
            With::ReturnToView => held.returns_to_view,
        }
    }

    fn is_key(&self, press: &KeyboardInput, held: HeldKeys, layout: KeyboardLayout) -> bool {
        match self.trigger {
            Trigger::Position(code) => press.key_code == code,
            // `Ctrl` shortcuts keep their letter even if its key walks, because they are the same
            // in all programs. Only while the player walks, keys at walking positions have no other
            // action.
            Trigger::Letter(wanted) if matches!(self.with, With::Control | With::ControlShift) => {
                layout.letter(press) == Some(wanted)
                    && !(held.walks && WALKING.contains(&press.key_code))
            }
            Trigger::Letter(wanted) => layout.shortcut_of(press) == Some(wanted),
            Trigger::Character(wanted) => {
                character(press) == Some(wanted) && !WALKING.contains(&press.key_code)
            }
        }
    }
}

/// Finds the action of a press in a state.
pub(super) fn find(
    press: &KeyboardInput,
    held: HeldKeys,
    state: KeyState,
    layout: KeyboardLayout,
) -> Option<KeyAction> {
    let fits =
        |row: &&Binding| row.counts_in(state) && row.fits(held) && row.is_key(press, held, layout);
    BINDINGS.iter().find(fits).map(|row| row.action)
}

/// The rows of an action.
pub(super) fn of(action: KeyAction) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |row| row.action == action)
}

/// Names of the keys of `DIGITS`, and of the digits of the number pad in egui.
pub const DIGIT_NAMES: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Keys of the numbers 1 to 9 in the row of digits.
pub(super) const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

/// All key bindings, in the order in which they are tried.
pub(super) static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    shortcuts_with_control(&mut rows);
    screens(&mut rows);
    drone(&mut rows);
    movement(&mut rows);
    tools(&mut rows);
    hands(&mut rows);
    rows
});

const SELECT: Modes = Modes::of(&[KeyMode::Select]);
const MOVE: Modes = Modes::of(&[KeyMode::Move]);
const PASTE: Modes = Modes::of(&[KeyMode::Paste]);
/// Modes in which no tool uses the letter of sprinting.
const SPRINT: Modes = HANDS.and(Modes::of(&[KeyMode::Brush, KeyMode::Shape, KeyMode::Line]));
const BRUSH: Modes = Modes::of(&[KeyMode::Brush]);
/// Modes in which the letter of the brush takes it. With the brush in hand, it takes the tool
/// *Shape*: no letter is left that is free in all modes.
const NOT_BRUSH: Modes =
    Modes::of(&[KeyMode::Select, KeyMode::Shape, KeyMode::Line, KeyMode::Move, KeyMode::Paste]);

fn row(action: KeyAction, trigger: Trigger, with: With, modes: Modes, cameras: Cameras) -> Binding {
    Binding { action, trigger, with, modes, cameras }
}

/// A row for all cameras.
fn in_modes(action: KeyAction, trigger: Trigger, with: With, modes: Modes) -> Binding {
    row(action, trigger, with, modes, Cameras::All)
}

/// Shortcuts with `Ctrl`. They come first, because many later rows apply with any modifiers.
fn shortcuts_with_control(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::Letter;
    rows.extend([
        in_modes(Redo, Letter('y'), With::Control, PLAY),
        in_modes(Redo, Letter('z'), With::ControlShift, PLAY),
        in_modes(Undo, Letter('z'), With::Control, PLAY),
        in_modes(Blueprints, Letter('b'), With::Control, PLAY),
        in_modes(Copy, Letter('c'), With::Control, TOOLS),
        in_modes(Cut, Letter('x'), With::Control, TOOLS),
        in_modes(TakeCopy, Letter('v'), With::Control, TOOLS),
    ]);
}

fn screens(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::{Character, Letter, Position};
    rows.extend([
        in_modes(Console, Character('/'), With::Any, PLAY),
        in_modes(Menu, Position(KeyCode::Escape), With::Any, EVERYWHERE),
        in_modes(FullScreen, Position(KeyCode::F11), With::Any, EVERYWHERE),
        in_modes(PanelBack, Position(KeyCode::F3), With::Shift, MAP),
        in_modes(Panel, Position(KeyCode::F3), With::Any, MAP),
        in_modes(PanelUp, Position(KeyCode::PageUp), With::Any, MAP),
        in_modes(PanelDown, Position(KeyCode::PageDown), With::Any, MAP),
        in_modes(OverlayBack, Position(KeyCode::F4), With::Shift, MAP),
        in_modes(Overlay, Position(KeyCode::F4), With::Any, MAP),
        in_modes(Freeze, Position(KeyCode::F5), With::Any, PLAY),
        in_modes(CullingMode, Position(KeyCode::F6), With::Any, PLAY),
        in_modes(KeepCut, Position(KeyCode::F7), With::Shift, PLAY),
        in_modes(Cutaway, Position(KeyCode::F7), With::Any, PLAY),
        in_modes(Blocks, Letter('e'), With::Any, PLAY.and(MENU)),
        in_modes(History, Letter('h'), With::Any, HANDS.and(MENU)),
        in_modes(History, Letter('h'), With::Control, TOOLS),
        in_modes(Apply, Position(KeyCode::Enter), With::Any, PLAY),
        in_modes(Apply, Position(KeyCode::NumpadEnter), With::Any, PLAY),
        in_modes(CancelJob, Position(KeyCode::Backspace), With::Any, PLAY),
    ]);
}

/// Keys of the drone. They have other actions while it does not fly.
fn drone(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::{Character, Letter, Position};
    let drone = |action, trigger, with| row(action, trigger, with, PLAY, Cameras::Drone);
    let sides = [KeyCode::Numpad1, KeyCode::Numpad3, KeyCode::Numpad7].into_iter().zip(DIGITS);
    for (side, (numpad, digit)) in (0..).zip(sides) {
        rows.extend([
            drone(OppositeSide(side), Position(numpad), With::Control),
            drone(OppositeSide(side), Position(digit), With::ControlShift),
            drone(Side(side), Position(numpad), With::Any),
            drone(Side(side), Position(digit), With::Control),
        ]);
    }
    rows.extend([
        drone(Perspective, Position(KeyCode::Numpad5), With::Any),
        drone(Perspective, Position(DIGITS[3]), With::Control),
    ]);
    for (number, digit) in (0..).zip(DIGITS) {
        rows.extend([
            drone(KeepViewAs(number), Position(digit), With::KeepView),
            drone(ReturnTo(number), Position(digit), With::ReturnToView),
            drone(Slot(number), Position(digit), With::NoControl),
        ]);
    }
    rows.extend([
        drone(KeepView, Letter('k'), With::Any),
        drone(ReturnToView, Letter('j'), With::Any),
        drone(OrbitLeft, Position(KeyCode::ArrowLeft), With::Any),
        drone(OrbitRight, Position(KeyCode::ArrowRight), With::Any),
        drone(OrbitUp, Position(KeyCode::ArrowUp), With::Any),
        drone(OrbitDown, Position(KeyCode::ArrowDown), With::Any),
        drone(ZoomIn, Character('+'), With::Any),
        drone(ZoomIn, Character('='), With::Any),
        drone(ZoomIn, Position(KeyCode::NumpadAdd), With::Any),
        drone(ZoomOut, Character('-'), With::Any),
        drone(ZoomOut, Position(KeyCode::NumpadSubtract), With::Any),
        drone(Frame, Position(KeyCode::Home), With::Any),
        drone(Frame, Character('.'), With::Any),
    ]);
}

fn movement(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::{Letter, Position};
    let walking = [Ahead, Left, Back, Right].into_iter().zip(WALKING);
    rows.extend(walking.map(|(action, code)| in_modes(action, Position(code), With::Any, PLAY)));
    let arrow = |action, code| row(action, Position(code), With::Any, PLAY, Cameras::NotDrone);
    rows.extend([
        arrow(Ahead, KeyCode::ArrowUp),
        arrow(Left, KeyCode::ArrowLeft),
        arrow(Back, KeyCode::ArrowDown),
        arrow(Right, KeyCode::ArrowRight),
        in_modes(Up, Position(KeyCode::Space), With::Any, PLAY),
        in_modes(Down, Position(KeyCode::ShiftLeft), With::Any, PLAY),
        in_modes(Down, Letter('c'), With::Any, HANDS),
        in_modes(Down, Letter('c'), With::NoControl, TOOLS),
        in_modes(Sprint, Position(KeyCode::ControlLeft), With::Any, PLAY),
        in_modes(Sprint, Letter('r'), With::Any, SPRINT),
        in_modes(Careful, Position(KeyCode::AltLeft), With::Any, PLAY),
        in_modes(Careful, Letter('x'), With::Any, HANDS),
        in_modes(Careful, Letter('x'), With::NoControl, TOOLS),
        row(Fly, Letter('f'), With::Any, PLAY, Cameras::Body),
    ]);
}

/// Keys of the builder mode. With `Ctrl`, most letters are shortcuts instead.
fn tools(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::{Letter, Position};
    let key = |action, trigger, modes| in_modes(action, trigger, With::NoControl, modes);
    rows.extend([
        key(SelectTool, Letter('z'), TOOLS),
        key(BrushTool, Letter('v'), NOT_BRUSH),
        key(ShapeTool, Letter('v'), BRUSH),
        key(LineTool, Letter('l'), TOOLS),
        key(MoveTool, Letter('g'), TOOLS),
        key(PasteTool, Letter('p'), TOOLS),
        in_modes(Pointer, Position(KeyCode::Tab), With::Any, TOOLS),
        in_modes(ToolWheel, Letter('q'), With::Any, TOOLS),
        key(Fill, Letter('u'), SELECT),
        key(Replace, Letter('n'), SELECT),
        key(Walls, Letter('i'), SELECT),
        key(Faces, Letter('m'), SELECT),
        key(Hollow, Letter('h'), SELECT),
        key(Roof, Letter('y'), SELECT),
        key(Clear, Position(KeyCode::Delete), SELECT),
        key(Ruler, Letter('r'), SELECT),
        key(Turn, Letter('r'), MOVE.and(PASTE)),
        key(Flip, Letter('h'), MOVE.and(PASTE)),
        key(MoveOrCopy, Letter('m'), MOVE),
        key(CopyNext, Letter('u'), MOVE),
        key(Keep, Letter('n'), PASTE),
    ]);
}

fn hands(rows: &mut Vec<Binding>) {
    use KeyAction::*;
    use Trigger::{Letter, Position};
    for (number, digit) in (0..).zip(DIGITS) {
        rows.extend([
            row(Slot(number), Position(digit), With::Any, PLAY, Cameras::NotDrone),
            in_modes(Slot(number), Position(digit), With::Any, INVENTORY),
        ]);
    }
    rows.extend([
        in_modes(ShapeWheel, Letter('q'), With::Any, HANDS),
        in_modes(TurnShape, Letter('g'), With::Any, HANDS),
        in_modes(BuilderMode, Letter('b'), With::NoControl, PLAY),
        in_modes(Drone, Letter('o'), With::NoControl, PLAY),
        in_modes(Day, Letter('t'), With::Any, PLAY),
    ]);
}
