//! Actions of keys.

/// Action of a key. A press has at most one action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyAction {
    /// Walks or flies ahead.
    Ahead,
    /// Walks or flies back.
    Back,
    /// Walks or flies to the left.
    Left,
    /// Walks or flies to the right.
    Right,
    /// Jumps, swims up, flies up.
    Up,
    /// Dives, flies down.
    Down,
    /// Moves faster.
    Sprint,
    /// Flies slowly, reaches for liquids, and makes the wheel change the flying speed.
    Careful,
    /// Flies or walks.
    Fly,
    /// Takes a slot of the hot bar in hand, by number from 0.
    Slot(u8),
    /// Shows the ring of shapes while it is held.
    ShapeWheel,
    /// Turns placed shapes by a quarter.
    TurnShape,
    /// Opens or closes the inventory.
    Blocks,
    /// Opens or closes the history.
    History,
    /// Switches the builder mode.
    BuilderMode,
    /// Opens the blueprints.
    Blueprints,
    /// Starts or ends the flight of the drone.
    Drone,
    /// Stops or resumes the day; held, it makes the wheel set the time.
    Day,
    /// Undoes a step.
    Undo,
    /// Redoes a step.
    Redo,
    /// Opens the console.
    Console,
    /// Applies the preview.
    Apply,
    /// Cancels the running job while it is held.
    CancelJob,
    /// Opens and closes menus.
    Menu,
    /// Switches full screen.
    FullScreen,
    /// Shows the next page of the panel; held, closes it.
    Panel,
    /// Shows the previous page.
    PanelBack,
    /// Scrolls the panel up.
    PanelUp,
    /// Scrolls the panel down.
    PanelDown,
    /// Shows the next overlay; held, switches overlays off.
    Overlay,
    /// Shows the previous overlay.
    OverlayBack,
    /// Freezes the visible set.
    Freeze,
    /// Switches the culling mode.
    CullingMode,
    /// Turns the cutaway; held, it makes the wheel move the cut.
    Cutaway,
    /// Keeps the cut where it is, or lets it follow the crosshair.
    KeepCut,
    /// Takes the tool *Select*.
    SelectTool,
    /// Takes the tool *Brush*.
    BrushTool,
    /// Takes the tool *Shape*.
    ShapeTool,
    /// Takes the tool *Line*.
    LineTool,
    /// Takes the tool *Move*.
    MoveTool,
    /// Takes the tool *Paste*.
    PasteTool,
    /// Shows the tool wheel while it is held.
    ToolWheel,
    /// Frees the pointer.
    Pointer,
    /// Copies the selection.
    Copy,
    /// Cuts the selection.
    Cut,
    /// Takes the clipboard in hand.
    TakeCopy,
    /// Fills the selection.
    Fill,
    /// Replaces everything but air in the selection.
    Replace,
    /// Builds walls around the selection.
    Walls,
    /// Builds all six sides of the selection.
    Faces,
    /// Hollows the selection out.
    Hollow,
    /// Puts a roof on the selection.
    Roof,
    /// Clears the selection.
    Clear,
    /// Begins or ends the ruler.
    Ruler,
    /// Turns the moved or pasted voxels.
    Turn,
    /// Flips the moved or pasted voxels along the view.
    Flip,
    /// Keeps the clipboard where it is, or lets it follow the crosshair.
    Keep,
    /// Switches between moving and copying.
    MoveOrCopy,
    /// Sets a copy next to the selection.
    CopyNext,
    /// Orbits to the left.
    OrbitLeft,
    /// Orbits to the right.
    OrbitRight,
    /// Orbits up.
    OrbitUp,
    /// Orbits down.
    OrbitDown,
    /// Brings the drone nearer while it is held.
    ZoomIn,
    /// Takes the drone farther away while it is held.
    ZoomOut,
    /// Frames the selection or the body.
    Frame,
    /// Shows the front, right or top side, by number from 0.
    Side(u8),
    /// Shows the opposite of the numbered side.
    OppositeSide(u8),
    /// Switches the perspective.
    Perspective,
    /// While held, numbers keep the present view.
    KeepView,
    /// While held, numbers return to kept views.
    ReturnToView,
    /// Keeps the view under a number, from 0.
    KeepViewAs(u8),
    /// Returns to the view of a number, from 0.
    ReturnTo(u8),
}

impl KeyAction {
    /// True if later key presses must wait for the next frame: this action may change the actions
    /// of those keys, or the order of the presses matters. False for actions of held keys.
    #[must_use]
    pub fn ends_frame(self) -> bool {
        use KeyAction::*;
        let is_held = matches!(
            self,
            Ahead
                | Back
                | Left
                | Right
                | Up
                | Down
                | Sprint
                | Careful
                | Day
                | Cutaway
                | CancelJob
                | ToolWheel
                | ShapeWheel
                | KeepView
        );
        let is_held = is_held
            || matches!(self, OrbitLeft | OrbitRight | OrbitUp | OrbitDown | ZoomIn | ZoomOut);
        !is_held && !matches!(self, Slot(_) | ReturnToView)
    }
}

/// Use of the mouse wheel. Each notch has one use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WheelUse {
    /// Scrolls the interface.
    Interface,
    /// Sets the time of day.
    Day,
    /// Moves the cut.
    Cut,
    /// Passes the notches to the tool of the builder mode.
    Tool,
    /// Zooms the drone.
    Zoom,
    /// Changes the flying speed.
    FlyingSpeed,
    /// Chooses a shape of the block in hand.
    Shape,
    /// Chooses a slot of the hot bar.
    Slot,
}
