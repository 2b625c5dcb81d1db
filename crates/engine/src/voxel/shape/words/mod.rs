//! Shapes in words, as players write them: `stairs,north,top`, `fence`, `gate,east,open`.
//!
//! The first word is the name of a family of shapes: of hewn blocks, which `hewn_words` reads, or
//! of a model. The others say in which direction the shape points, in which half of the block it
//! lies, and which parts it has, in any order.

mod error;
mod hewn_words;
mod level;

pub use error::ShapeWordError;
pub(super) use level::{BOTTOM, TOP};

use super::{ModelForm, Shape};

impl Shape {
    /// The shape in words, the shortest that [`Shape::from_words`] reads; `None` for cubes, crossed
    /// sheets and torches.
    #[must_use]
    pub fn words(self) -> Option<String> {
        match self {
            Shape::Hewn(eighths) => Some(hewn_words::words(eighths)),
            Shape::Model(form) => Some(form.words()),
            Shape::Cube | Shape::Cross | Shape::Torch(_) => None,
        }
    }

    /// Name of the family of shapes: the first of [`Shape::words`].
    #[must_use]
    pub fn family(self) -> Option<&'static str> {
        match self {
            Shape::Hewn(eighths) => Some(hewn_words::family(eighths)),
            Shape::Model(form) => Some(form.name()),
            Shape::Cube | Shape::Cross | Shape::Torch(_) => None,
        }
    }

    /// Names of all families, hewn blocks first.
    pub fn families() -> impl Iterator<Item = &'static str> {
        hewn_words::FAMILIES.into_iter().chain(ModelForm::names())
    }

    /// The shape with these words, which commas separate. Without a direction it points to the
    /// north, or up.
    ///
    /// # Errors
    /// The first word names no family, or another one does not belong to it.
    pub fn from_words(text: &str) -> Result<Shape, ShapeWordError> {
        let mut words = text.split(',').map(str::trim);
        // Splitting a text yields at least one part.
        let family = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        if let Some(found) = hewn_words::eighths(family, &words) {
            return found.map(Shape::Hewn);
        }
        if let Some(found) = ModelForm::from_words(family, &words) {
            return found.map(Shape::Model);
        }
        let known = Shape::families().collect::<Vec<_>>().join(", ");
        Err(ShapeWordError::Family { word: family.to_owned(), known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Face, HewnEighths, Turn};

    #[test]
    fn words_of_every_shape_lead_back_to_it() {
        for shape in Shape::ALL.into_iter().filter(|shape| shape.hewn_eighths().is_some()) {
            let words = shape.words().unwrap();
            assert_eq!(Shape::from_words(&words), Ok(shape), "{words}");
            assert_eq!(shape.family(), words.split(',').next());
        }
        for form in ModelForm::all() {
            for turn in Turn::all() {
                let shape = Shape::Model(form.turned(turn));
                let words = shape.words().unwrap();
                assert_eq!(Shape::from_words(&words), Ok(shape), "{words}");
                assert_eq!(shape.family(), words.split(',').next());
            }
        }
    }

    #[test]
    fn words_are_short_and_in_any_order() {
        let slab = |side| Shape::Hewn(HewnEighths::slab(side));
        for (text, shape, words) in [
            ("slab", slab(Face::Down), "slab"),
            ("slab,bottom", slab(Face::Down), "slab"),
            (" slab , top ", slab(Face::Up), "slab,top"),
            ("slab,west", slab(Face::West), "slab,west"),
        ] {
            assert_eq!(Shape::from_words(text), Ok(shape));
            assert_eq!(shape.words().as_deref(), Some(words));
        }
        for (text, words) in [
            ("stairs", "stairs,north"),
            ("stairs,top,inner_left,east", "stairs,east,top,inner_left"),
            ("step,top,south", "step,south,top"),
            ("post,west,south", "post,south,west"),
            ("eighth,top", "eighth,north,east,top"),
            ("hewn,63", "stairs,north"),
            ("hewn,150", "hewn,150"),
            ("fence", "fence"),
            ("fence,bare", "fence,bare"),
            ("fence,south,north", "fence,north,south"),
            ("gate,open,east", "gate,east,open"),
            ("gate,closed", "gate"),
            ("panel,top", "panel,top"),
            ("panel,south", "panel,south"),
            ("button,down", "button,down"),
            ("lantern", "lantern"),
            ("lantern,hanging", "lantern,hanging"),
            ("bed,foot,south", "bed,south,foot"),
            ("pot", "pot"),
            ("pot,plant", "pot,plant"),
            ("sign,turn=8", "sign,turn=8"),
            ("sign,turn=0", "sign"),
        ] {
            let shape = Shape::from_words(text).unwrap();
            assert_eq!(shape.words().as_deref(), Some(words), "{text}");
        }
    }

    #[test]
    fn wrong_words_name_what_exists() {
        for (text, part) in [
            ("stares", "\"stares\" is no shape; there are slab, stairs, step"),
            ("", "\"\" is no shape"),
            ("slab,inner_left", "slab has no \"inner_left\"; there are north, east"),
            ("slab,north,south", "\"north\" and \"south\" exclude each other"),
            ("slab,north,top", "\"north\" and \"top\" exclude each other"),
            ("stairs,top,bottom", "\"top\" and \"bottom\" exclude each other"),
            ("post,north,south", "\"north\" and \"south\" exclude each other"),
            ("post,top", "post has no \"top\"; there are north, south, east, west"),
            ("hewn", "hewn needs a number from 1 to 254, as in hewn,150"),
            ("hewn,255", "hewn needs a number from 1 to 254"),
            ("gate,ajar", "gate has no \"ajar\"; there are closed, open, bare, east, west"),
            ("gate,up", "gate has no \"up\""),
            ("button,top", "button has no \"top\""),
            ("gate,bare,open", "\"bare\" and \"open\" exclude each other"),
            ("gate,north,turn=3", "exclude each other"),
            ("gate,turn=48", "gate has no \"turn=48\""),
        ] {
            let error = Shape::from_words(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
