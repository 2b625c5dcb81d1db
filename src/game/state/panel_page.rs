//! The panel's state: open or not, and at which page.

use bevy::prelude::Resource;
use strum::{IntoStaticStr, VariantArray};

/// A page of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray, IntoStaticStr)]
pub enum PanelPage {
    /// Size of the loaded world.
    #[default]
    World,
    /// Its size in each format of the storage table.
    Storage,
    /// Voxel operations of each task.
    Work,
    /// Quads, graphics memory and draw calls.
    Mesh,
    /// Levels, bytes and times of light.
    Light,
    /// Chunks that the player's cell sees, and drawn chunks.
    Visibility,
    /// Contents of the map's file.
    Save,
    /// Jobs and the undo history.
    Edits,
    /// What the world does by itself.
    Rules,
    /// Creatures, and where they can go.
    Creatures,
    /// Times of the stages of a frame.
    Frame,
}

impl PanelPage {
    /// All pages, in the order F3 shows them.
    pub const ALL: &'static [PanelPage] = PanelPage::VARIANTS;

    /// Name on the tab.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Names on the command line, in the same order.
    #[must_use]
    pub fn names() -> Vec<String> {
        PanelPage::ALL.iter().map(|page| page.name().to_lowercase()).collect()
    }

    /// The page of this name, in any case.
    ///
    /// # Errors
    /// There is no page of this name.
    pub fn from_name(name: &str) -> Result<PanelPage, UnknownPage> {
        let found = PanelPage::ALL.iter().copied().find(|page| page.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownPage(name.to_owned()))
    }
}

/// A name that no page has.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("no page {0:?} in the panel; there are: {names}", names = PanelPage::names().join(", "))]
pub struct UnknownPage(pub String);

/// Whether the panel is open, and at which page.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelState {
    /// True while the panel is shown.
    pub open: bool,
    /// The page shown while the panel is open.
    pub page: PanelPage,
}

impl PanelState {
    /// True while `page` is shown.
    #[must_use]
    pub fn shows(self, page: PanelPage) -> bool {
        self.open && self.page == page
    }

    /// True while a page is shown whose figures are measured chunk by chunk.
    #[must_use]
    pub fn shows_measured(self) -> bool {
        self.shows(PanelPage::World) || self.shows(PanelPage::Storage)
    }

    /// Switches to the state before.
    pub fn cycle_back(&mut self) {
        let at = PanelPage::ALL.iter().position(|page| *page == self.page).filter(|_| self.open);
        let before = at.map_or(Some(PanelPage::ALL.len() - 1), |at| at.checked_sub(1));
        self.open = before.is_some();
        self.page = PanelPage::ALL[before.unwrap_or(0)];
    }

    /// Switches to the next state: closed, each page in turn, closed.
    pub fn cycle(&mut self) {
        let at = PanelPage::ALL.iter().position(|page| *page == self.page).filter(|_| self.open);
        let next = at.map_or(0, |i| i + 1);
        self.open = next < PanelPage::ALL.len();
        self.page = PanelPage::ALL[next % PanelPage::ALL.len()];
    }
}

/// Progress of the panel's figures, for pictures, which wait for them.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelFigures {
    /// True if all figures of the shown page are up to date with the loaded world.
    pub complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_shows_each_page_then_closes() {
        let mut panel = PanelState::default();
        let mut seen = Vec::new();
        for _ in 0..13 {
            panel.cycle();
            seen.push(panel.open.then_some(panel.page));
        }
        let mut expected = PanelPage::ALL.iter().copied().map(Some).collect::<Vec<_>>();
        expected.extend([None, Some(PanelPage::World)]);
        assert_eq!(seen, expected);
    }

    #[test]
    fn back_undoes_each_step_of_the_cycle() {
        let mut panel = PanelState::default();
        for _ in 0..13 {
            let before = panel;
            panel.cycle();
            let mut back = panel;
            back.cycle_back();
            assert_eq!((back.open, back.page), (before.open, before.page));
        }
    }

    #[test]
    fn unknown_page_error_lists_names() {
        for &page in PanelPage::ALL {
            assert_eq!(PanelPage::from_name(&page.name().to_lowercase()), Ok(page));
        }
        let error = PanelPage::from_name("wrold").expect_err("unknown").to_string();
        assert!(
            error.contains("wrold")
                && error
                    .contains("world, storage, work, mesh, light, visibility, save, edits, rules, creatures, frame"),
            "{error}"
        );
    }
}
