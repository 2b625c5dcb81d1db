//! The dimensions of a world and their folders.
//!
//! | dimension | folder of its regions |
//! |---|---|
//! | any | `dimensions/NAMESPACE/PATH/region` |
//! | overworld, in older versions | `region` |
//! | Nether, in older versions | `DIM-1/region` |
//! | End, in older versions | `DIM1/region` |

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A dimension of a Minecraft world; by default the overworld.
///
/// # Examples
/// ```
/// use stonerun_exchange::Dimension;
///
/// let nether: Dimension = "nether".parse()?;
/// assert_eq!(nether, "minecraft:the_nether".parse()?);
/// assert_eq!(nether.to_string(), "Nether");
/// assert!("a/b:c".parse::<Dimension>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    namespace: String,
    path: String,
}

/// One of Minecraft's own dimensions.
struct OwnDimension {
    /// Path in the namespace `minecraft`.
    path: &'static str,
    /// Name for `--dimension`.
    argument: &'static str,
    /// Name for people.
    name: &'static str,
    /// Folder of the dimension's regions in older versions.
    older_folder: &'static str,
}

/// Minecraft's own dimensions, the default one first.
const OWN: [OwnDimension; 3] = [
    OwnDimension {
        path: "overworld",
        argument: "overworld",
        name: "overworld",
        older_folder: "region",
    },
    OwnDimension {
        path: "the_nether",
        argument: "nether",
        name: "Nether",
        older_folder: "DIM-1/region",
    },
    OwnDimension { path: "the_end", argument: "end", name: "End", older_folder: "DIM1/region" },
];

/// The text is not the name of a dimension.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a dimension is overworld, nether, end, or namespace:path of a data pack's dimension")]
pub struct DimensionError;

impl Default for Dimension {
    fn default() -> Dimension {
        Dimension::own(OWN[0].path)
    }
}

impl FromStr for Dimension {
    type Err = DimensionError;

    fn from_str(text: &str) -> Result<Dimension, DimensionError> {
        if let Some(own) = OWN.iter().find(|own| own.argument == text) {
            return Ok(Dimension::own(own.path));
        }
        let (namespace, path) = text.split_once(':').ok_or(DimensionError)?;
        let allowed = |part: &str| {
            let allowed =
                |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.".contains(&b);
            part.bytes().all(allowed) && !["", ".", ".."].contains(&part)
        };
        if !allowed(namespace) || !path.split('/').all(allowed) {
            return Err(DimensionError);
        }
        Ok(Dimension { namespace: namespace.to_owned(), path: path.to_owned() })
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.as_own() {
            Some(own) => f.write_str(own.name),
            None => write!(f, "{}:{}", self.namespace, self.path),
        }
    }
}

impl Dimension {
    fn own(path: &str) -> Dimension {
        Dimension { namespace: "minecraft".to_owned(), path: path.to_owned() }
    }

    /// Minecraft's own dimensions.
    pub(super) fn all_own() -> impl Iterator<Item = Dimension> {
        OWN.iter().map(|own| Dimension::own(own.path))
    }

    fn as_own(&self) -> Option<&'static OwnDimension> {
        OWN.iter().find(|own| self.namespace == "minecraft" && own.path == self.path)
    }

    /// Value of `--dimension` that selects the dimension.
    pub(super) fn argument(&self) -> String {
        self.as_own().map_or_else(|| self.to_string(), |own| own.argument.to_owned())
    }

    /// Folders of the dimension's regions, relative to the world's folder. The layout of current
    /// versions comes first.
    pub(super) fn region_folders(&self) -> impl Iterator<Item = PathBuf> {
        let current = ["dimensions", &self.namespace, &self.path, "region"].iter().collect();
        let older = self.as_own().map(|own| PathBuf::from(own.older_folder));
        std::iter::once(current).chain(older)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_names_a_dimension() {
        for (text, folder, name, argument) in [
            ("overworld", "dimensions/minecraft/overworld/region", "overworld", "overworld"),
            ("minecraft:the_end", "dimensions/minecraft/the_end/region", "End", "end"),
            (
                "pack:deep/mine",
                "dimensions/pack/deep/mine/region",
                "pack:deep/mine",
                "pack:deep/mine",
            ),
        ] {
            let dimension: Dimension = text.parse().unwrap();
            assert_eq!(dimension.region_folders().next(), Some(PathBuf::from(folder)));
            assert_eq!(
                (dimension.to_string().as_str(), dimension.argument().as_str()),
                (name, argument)
            );
        }
        for text in
            ["", "moon", "a:", ":b", "a:..", "a:../b", "..:a", "A:b", "a:b:c", "a:/b", "a/b:c"]
        {
            assert_eq!(text.parse::<Dimension>(), Err(DimensionError), "{text}");
        }
    }
}
