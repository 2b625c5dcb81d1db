//! Choice of the pictures in a TIFF file that hold the heights and their mask.

use super::tiff_directory::TiffDirectory;
use super::tiff_file::TiffFile;
use crate::FormatError;
use std::collections::BTreeSet;

/// Maximum number of directories that are scanned.
const MAX_DIRECTORIES: usize = 256;
/// Tag that lists the offsets of directories outside the chain.
const SUB_DIRECTORIES: u64 = 330;

/// The pictures that are read.
#[derive(Debug)]
pub(super) struct TiffPictures {
    pub(super) heights: TiffDirectory,
    /// Mask of the heights: a cell of 0 has no height.
    pub(super) mask: Option<TiffDirectory>,
    /// Pictures that are left out, one line per reason.
    pub(super) warnings: Vec<String>,
}

/// Properties of a directory that decide the choice. Whole directories are not kept, because there
/// may be many with many entries each.
struct DirectorySummary {
    start: usize,
    size: [u64; 2],
    is_reduced: bool,
    is_mask: bool,
}

impl DirectorySummary {
    fn is_whole(&self) -> bool {
        !self.is_reduced && !self.is_mask
    }
}

/// Chooses the first picture that is neither a mask nor a smaller version of another, and the first
/// mask of its size.
///
/// # Errors
/// The first directory or a chosen one is damaged.
pub(super) fn choose(file: &TiffFile) -> Result<TiffPictures, FormatError> {
    let mut warnings = vec![];
    let summaries = summaries(file, &mut warnings)?;
    // Never empty: the first directory is always listed, or an error.
    let heights = summaries.iter().find(|summary| summary.is_whole()).unwrap_or(&summaries[0]);
    let mask = summaries
        .iter()
        .find(|other| other.is_mask && !other.is_reduced && other.start != heights.start);
    if let Some(mask) = mask.filter(|mask| mask.size != heights.size) {
        let [[width, depth], [mask_width, mask_depth]] = [heights.size, mask.size];
        warnings.push(format!(
            "its mask of {mask_width} x {mask_depth} cells does not fit the heights of {width} x {depth} and is not used"
        ));
    }
    let mask = mask.filter(|mask| mask.size == heights.size);
    let pictures = summaries.iter().filter(|summary| summary.is_whole()).count();
    if pictures > 1 {
        warnings.push(format!("it has {pictures} pictures; only the first is read"));
    }
    let scan = |summary: &DirectorySummary| {
        TiffDirectory::scan(file, summary.start).map(|(directory, _)| directory)
    };
    Ok(TiffPictures { heights: scan(heights)?, mask: mask.map(scan).transpose()?, warnings })
}

/// Scans all directories: the chain, each directory followed by directories that it lists
/// outside the chain.
fn summaries(
    file: &TiffFile,
    warnings: &mut Vec<String>,
) -> Result<Vec<DirectorySummary>, FormatError> {
    let mut waiting = vec![file.first_directory()?];
    let mut seen = BTreeSet::new();
    let mut found = vec![];
    while let Some(start) = waiting.pop() {
        // 0 ends the chain. A hostile chain may lead back to an earlier directory.
        if !found.is_empty() && (start == 0 || !seen.insert(start)) {
            continue;
        }
        seen.insert(start);
        if found.len() == MAX_DIRECTORIES {
            warnings.push(format!(
                "it has more than {MAX_DIRECTORIES} pictures; the others are not looked at"
            ));
            break;
        }
        let (directory, next) = match TiffDirectory::scan(file, start) {
            Ok(scanned) => scanned,
            Err(error) if found.is_empty() => return Err(error),
            Err(error) => {
                warnings
                    .push(format!("a further picture or mask is damaged and left out: {error}"));
                continue;
            }
        };
        waiting.push(next);
        if let Some(entry) = directory.find(SUB_DIRECTORIES) {
            let listed = (entry.count as usize).min(MAX_DIRECTORIES);
            waiting.extend(
                (0..listed)
                    .rev()
                    .filter_map(|index| entry.number(file, index).ok())
                    .map(|at| at as usize),
            );
        }
        found.push(DirectorySummary {
            start,
            size: [directory.width, directory.depth],
            is_reduced: directory.is_reduced(),
            is_mask: directory.is_mask(),
        });
    }
    Ok(found)
}
