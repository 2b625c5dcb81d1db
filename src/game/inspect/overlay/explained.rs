//! Shows the legend of the overlay that is drawn.

use crate::game::inspect::overlay::legend::Legend;
use crate::game::ui_kit::layout::{Areas, AreasKnown};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};

/// Set of the systems that show legends. Systems of the same schedule that update a legend run
/// before it.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LegendsShown;

/// State of an overlay with a legend. It has a legend only while the overlay is drawn, so that at
/// most one legend is shown.
pub(super) trait Explained: Resource {
    /// The legend; `None` while the overlay is not drawn.
    fn legend(&self) -> Option<&Legend>;
}

/// The legend of the cut. It is shown instead of the overlay's own.
#[derive(Resource, Default)]
pub(in crate::game::inspect::overlay) struct CutLegend(pub Option<Legend>);

/// Adds the state of an overlay, and a system that shows its legend.
pub(super) fn add<O: Explained + Default>(app: &mut App) {
    app.init_resource::<O>().add_systems(EguiPrimaryContextPass, show::<O>.in_set(LegendsShown));
}

/// Adds a system that shows the legend of the cut, and makes all legends wait for the areas of the
/// interface.
pub(super) fn add_cut(app: &mut App) {
    app.init_resource::<CutLegend>()
        .configure_sets(EguiPrimaryContextPass, LegendsShown.after(AreasKnown))
        .add_systems(EguiPrimaryContextPass, show_cut.in_set(LegendsShown));
}

fn show<O: Explained>(
    mut contexts: EguiContexts,
    overlay: Res<O>,
    cut: Res<CutLegend>,
    areas: Res<Areas>,
) -> Result {
    if cut.0.is_none()
        && let Some((legend, area)) = overlay.legend().zip(areas.legend)
    {
        legend.show(contexts.ctx_mut()?, area);
    }
    Ok(())
}

fn show_cut(mut contexts: EguiContexts, cut: Res<CutLegend>, areas: Res<Areas>) -> Result {
    if let Some((legend, area)) = cut.0.as_ref().zip(areas.legend) {
        legend.show(contexts.ctx_mut()?, area);
    }
    Ok(())
}
