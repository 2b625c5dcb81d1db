//! The named places of a map: positions and view directions to which the player can return.

use crate::voxel::WORLD_LIMIT;
use serde::{Deserialize, Serialize};

/// Name of the spawn point in the list of places, which no other place can have.
pub const START: &str = "Start";
/// Maximum number of characters of a name. Names are cut off there.
pub const MAX_NAME_CHARS: usize = 40;
/// Maximum number of places of a map.
pub(crate) const MAX_PLACES: usize = 256;

/// A position and view direction with a name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NamedPlace {
    /// The name, as `clean_name` returns it.
    pub name: String,
    /// Position of the feet, in voxels.
    pub position: [f64; 3],
    /// Angle about the upward axis, in radians.
    pub yaw: f32,
    /// Angle upwards, in radians.
    pub pitch: f32,
}

/// The named places of a map, in the order in which they were added. Names differ in more than
/// case.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Places(Vec<NamedPlace>);

/// Reason why a place cannot be added or renamed.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PlaceError {
    /// The name is empty or has only spaces.
    #[error("The name is empty.")]
    Empty,
    /// Another place has the name.
    #[error("A place \"{0}\" already exists.")]
    Taken(String),
    /// The map already has `MAX_PLACES` places.
    #[error("The map has {MAX_PLACES} places, the most it can have.")]
    Full,
    /// The position is outside the world.
    #[error("The position is not in the world.")]
    Outside,
}

/// Returns `name` on one line, with single spaces, none at its ends, and cut off after
/// [`MAX_NAME_CHARS`] characters.
#[must_use]
pub(crate) fn clean_name(name: &str) -> String {
    let printable: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let short: String = printable
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(MAX_NAME_CHARS)
        .collect();
    short.trim_end().to_owned()
}

impl Places {
    /// Iterates over the places in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &NamedPlace> {
        self.0.iter()
    }

    /// Number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the map has no named place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a place. Its name is cleaned first.
    ///
    /// # Errors
    /// The name is empty or taken, the list is full, or the position is outside the world.
    pub fn add(&mut self, place: NamedPlace) -> Result<(), PlaceError> {
        if self.0.len() >= MAX_PLACES {
            return Err(PlaceError::Full);
        }
        // Refuses NaN, too.
        if !place.position.iter().all(|c| c.abs() < f64::from(WORLD_LIMIT)) {
            return Err(PlaceError::Outside);
        }
        let angle = |a: f32| if a.is_finite() { a } else { 0.0 };
        let name = self.free_name(&place.name, None)?;
        self.0.push(NamedPlace { name, yaw: angle(place.yaw), pitch: angle(place.pitch), ..place });
        Ok(())
    }

    /// Renames the place at `index`. Does nothing if there is no such place.
    ///
    /// # Errors
    /// The name is empty, or another place has it.
    pub fn rename(&mut self, index: usize, name: &str) -> Result<(), PlaceError> {
        let name = self.free_name(name, Some(index))?;
        if let Some(place) = self.0.get_mut(index) {
            place.name = name;
        }
        Ok(())
    }

    /// Removes the place at `index`, if there is one.
    pub fn remove(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Returns the cleaned `name`, or an error if it is empty or a place other than `except` has it.
    fn free_name(&self, name: &str, except: Option<usize>) -> Result<String, PlaceError> {
        let name = clean_name(name);
        if name.is_empty() {
            return Err(PlaceError::Empty);
        }
        let lower = name.to_lowercase();
        let others = self
            .0
            .iter()
            .enumerate()
            .filter(|(i, _)| Some(*i) != except)
            .map(|(_, place)| &*place.name);
        match others.chain([START]).find(|other| other.to_lowercase() == lower) {
            Some(other) => Err(PlaceError::Taken(other.to_owned())),
            None => Ok(name),
        }
    }

    /// Returns the list without the places that [`Places::add`] refuses, because a map may come
    /// from an untrusted source.
    pub(in crate::save) fn sanitised(self) -> Places {
        let mut places = Places::default();
        for place in self.0 {
            let _ = places.add(place);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> NamedPlace {
        NamedPlace { name: name.to_owned(), position: [1.5, 64.0, -2.5], yaw: 1.0, pitch: 0.25 }
    }

    fn names(places: &Places) -> Vec<&str> {
        places.iter().map(|place| &*place.name).collect()
    }

    #[test]
    fn names_are_trimmed_in_one_line_and_short() {
        assert_eq!(clean_name("  the \t old\nmill  "), "the old mill");
        assert_eq!(clean_name(" \u{7} "), "");
        assert_eq!(clean_name(&"ö".repeat(99)), "ö".repeat(MAX_NAME_CHARS));
        assert_eq!(
            clean_name(&format!("{} b", "a".repeat(MAX_NAME_CHARS - 1))),
            "a".repeat(MAX_NAME_CHARS - 1)
        );
    }

    #[test]
    fn no_two_places_have_the_same_name() {
        let mut places = Places::default();
        places.add(place(" Mill ")).unwrap();
        assert_eq!(places.add(place("mill")), Err(PlaceError::Taken("Mill".to_owned())));
        assert_eq!(places.add(place(" start")), Err(PlaceError::Taken(START.to_owned())));
        assert_eq!(places.add(place("  ")), Err(PlaceError::Empty));
        places.add(place("Bay")).unwrap();
        assert_eq!(places.rename(1, "MILL"), Err(PlaceError::Taken("Mill".to_owned())));
        // A place may change the case of its own name.
        assert_eq!((places.rename(0, "MILL "), places.rename(9, "x")), (Ok(()), Ok(())));
        assert_eq!(names(&places), ["MILL", "Bay"]);
        places.remove(0);
        places.remove(7);
        assert_eq!(names(&places), ["Bay"]);
    }

    #[test]
    fn list_is_bounded_and_its_numbers_are_valid() {
        let mut places = Places::default();
        let far = NamedPlace { position: [f64::NAN, 0.0, 0.0], ..place("far") };
        assert_eq!(places.add(far), Err(PlaceError::Outside));
        places.add(NamedPlace { yaw: f32::INFINITY, pitch: f32::NAN, ..place("turned") }).unwrap();
        assert_eq!(places.iter().map(|p| [p.yaw, p.pitch]).collect::<Vec<_>>(), [[0.0; 2]]);
        for i in 1..MAX_PLACES {
            places.add(place(&format!("place {i}"))).unwrap();
        }
        assert_eq!((places.len(), places.add(place("more"))), (MAX_PLACES, Err(PlaceError::Full)));
    }

    #[test]
    fn sanitised_leaves_out_what_cannot_be_added() {
        let wild = Places(vec![
            place("Mill"),
            place("mill"),
            NamedPlace { position: [0.0, 1e300, 0.0], ..place("far") },
            place(" two\nlines "),
        ]);
        assert_eq!(names(&wild.sanitised()), ["Mill", "two lines"]);
    }
}
