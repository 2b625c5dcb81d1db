//! The pages of the panel (`F3`).

use strum::{IntoStaticStr, VariantArray};

/// A page of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum PanelPage {
    /// Size of the loaded world.
    #[default]
    World,
    /// Size of the loaded world in each format of the storage table.
    Storage,
    /// Voxel operations of each task.
    Work,
    /// Quads, graphics memory and draw calls.
    Mesh,
    /// Cells, vertices and triangles of smooth ground.
    Surface,
    /// Levels, bytes and times of light.
    Light,
    /// Chunks that the player's cell sees, and drawn chunks.
    Visibility,
    /// Contents of the map's file.
    Save,
    /// Jobs and the undo history.
    Edits,
    /// Steps of the rules of the world, and their cost.
    Rules,
    /// Creatures, and the places that they can reach.
    Creatures,
    /// Times of the stages of a frame.
    Frame,
}

impl PanelPage {
    /// All pages, in the order F3 shows them.
    pub const ALL: &'static [PanelPage] = PanelPage::VARIANTS;

    /// Title on the tab, and the purpose in one sentence.
    const fn row(self) -> [&'static str; 2] {
        match self {
            PanelPage::World => [
                "World",
                "What the loaded world and one chunk cost, compared with other ways to store them.",
            ],
            PanelPage::Storage => [
                "Storage",
                "The same blocks in eight formats: four in memory, of which the run tree is ours, and four packed for files and networks.",
            ],
            PanelPage::Work => [
                "Work",
                "How often each task reads or writes single blocks, and how many it takes in as runs.",
            ],
            PanelPage::Mesh => [
                "Mesh",
                "How many rectangles the visible faces become, and what they cost the graphics card.",
            ],
            PanelPage::Surface => [
                "Surface",
                "How few cells the surface of smooth ground crosses, and the triangles that it becomes.",
            ],
            PanelPage::Light => [
                "Light",
                "How bright the sun and lamps make each block, and what it costs to know.",
            ],
            PanelPage::Visibility => [
                "Visibility",
                "Which chunks you can see from here, and how much drawing that saves.",
            ],
            PanelPage::Save => [
                "Save",
                "What the map's file holds, what is not saved yet, and what can be undone.",
            ],
            PanelPage::Edits => [
                "Edits",
                "What edits are computed now, what can be undone, and what undo costs next to other formats.",
            ],
            PanelPage::Rules => [
                "Rules",
                "What the world does by itself: where rules act, what they change, and what that costs.",
            ],
            PanelPage::Creatures => [
                "Creatures",
                "The creatures around you, and where bodies can go: ledges, water, and one bit for each answer.",
            ],
            PanelPage::Frame => [
                "Frame",
                "How long frames take, which part takes the time, and what is still waiting.",
            ],
        }
    }

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Title on the tab.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row()[0]
    }

    /// The purpose of the page, in one sentence.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        self.row()[1]
    }

    /// Names on the command line, in the same order.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        PanelPage::ALL.iter().map(|page| page.name()).collect()
    }

    /// The page of this name, in any case.
    ///
    /// # Errors
    /// No page has this name.
    pub fn from_name(name: &str) -> Result<PanelPage, UnknownPage> {
        let found =
            PanelPage::ALL.iter().copied().find(|page| page.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownPage(name.to_owned()))
    }
}

/// A name that no page has.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("no page {0:?} in the panel; there are: {names}", names = PanelPage::names().join(", "))]
pub struct UnknownPage(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_key() {
        let names =
            "world storage work mesh surface light visibility save edits rules creatures frame";
        assert_eq!(PanelPage::names().join(" "), names);
    }

    #[test]
    fn unknown_page_error_lists_names() {
        for &page in PanelPage::ALL {
            assert_eq!(PanelPage::from_name(&page.title().to_uppercase()), Ok(page));
        }
        let error = PanelPage::from_name("wrold").expect_err("unknown").to_string();
        assert!(
            error.contains("wrold") && error.contains(&PanelPage::names().join(", ")),
            "{error}"
        );
    }
}
