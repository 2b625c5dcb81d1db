//! The overlays (`F4`).

use strum::{IntoStaticStr, VariantArray};

/// A kind of overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum OverlayKind {
    /// Chunk borders, coloured by bytes per voxel.
    Bytes,
    /// Runs of the chunk under the crosshair.
    Runs,
    /// Fused Moore runs of the chunk under the crosshair.
    Neighbourhoods,
    /// Edges of merged quads.
    Quads,
    /// Triangles of smooth ground, by how their material shapes it.
    Surface,
    /// Levels of light.
    Light,
    /// The player's cell and the chunks that it may see.
    Cells,
    /// Chunks made or changed since the map was opened.
    Unsaved,
    /// Voxels that the last steps of the history changed.
    Edits,
    /// Blocks of voxels in which rules act next.
    Activity,
    /// Places that a body can reach from the player's place.
    Reach,
    /// Paths of creatures.
    Paths,
}

impl OverlayKind {
    /// All kinds, in the order F4 shows them.
    pub const ALL: &'static [OverlayKind] = OverlayKind::VARIANTS;

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Names of all kinds, in the order of `ALL`.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        OverlayKind::ALL.iter().map(|kind| kind.name()).collect()
    }

    /// The overlay of this name, in any case.
    ///
    /// # Errors
    /// No overlay has this name.
    pub fn from_name(name: &str) -> Result<OverlayKind, UnknownOverlay> {
        let found =
            OverlayKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownOverlay(name.to_owned()))
    }
}

/// A name that no overlay has.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("no overlay {0:?}; there are: {names}", names = OverlayKind::names().join(", "))]
pub struct UnknownOverlay(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_key() {
        let names = "bytes runs neighbourhoods quads surface light cells unsaved edits activity reach paths";
        assert_eq!(OverlayKind::names().join(" "), names);
    }

    #[test]
    fn unknown_overlay_error_lists_names() {
        assert_eq!(OverlayKind::from_name("Runs"), Ok(OverlayKind::Runs));
        let error = OverlayKind::from_name("bites").expect_err("unknown").to_string();
        assert!(error.contains("bites") && error.contains("bytes, runs"), "{error}");
    }
}
