//! File names of backups: `NUMBER-SECOND.stonerun`, such as `000012-1764183600.stonerun`.
//!
//! The number alone orders the backups of a map: each new one gets the next number. The second, the
//! time of the save, is for display. As an order it would fail if a clock was wrong for a while or
//! jumped by an hour.
//!
//! Earlier versions named backups by the second alone. Those backups are older than all with a
//! number.

use super::map_name::EXTENSION;
use std::ffi::OsStr;
use std::path::Path;

/// Number and time of a backup, parsed from its file name. Ordered from the oldest to the latest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct BackupName {
    /// Number of the backup; `None` for a backup of an earlier version.
    pub number: Option<u64>,
    /// Time of the save, in seconds since 1970 UTC.
    pub saved_unix: u64,
}

impl BackupName {
    /// Parses the file name of `path`; `None` if it is not the name of a backup.
    pub(super) fn from_path(path: &Path) -> Option<BackupName> {
        if path.extension() != Some(OsStr::new(EXTENSION)) {
            return None;
        }
        let stem = path.file_stem()?.to_str()?;
        match stem.split_once('-') {
            Some((number, second)) => {
                Some(BackupName { number: Some(digits(number)?), saved_unix: digits(second)? })
            }
            None => Some(BackupName { number: None, saved_unix: digits(stem)? }),
        }
    }

    /// Returns the file name. Six digits make file managers list the names in the right order.
    pub(super) fn file_name(self) -> String {
        match self.number {
            Some(number) => format!("{number:06}-{}.{EXTENSION}", self.saved_unix),
            None => format!("{}.{EXTENSION}", self.saved_unix),
        }
    }

    /// Returns the name of the backup after this one.
    pub(super) fn next(self, saved_unix: u64) -> BackupName {
        // After the last number the name is taken, so the new backup fails and the existing one
        // stays.
        BackupName { number: Some(self.number.unwrap_or(0).saturating_add(1)), saved_unix }
    }
}

/// Parses a number of digits alone, without a sign.
fn digits(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &str) -> Option<BackupName> {
        BackupName::from_path(Path::new(file))
    }

    #[test]
    fn names_are_ordered_by_number_before_second() {
        let oldest_first = [
            "1700000000.stonerun",
            "1940000000.stonerun",
            "000001-1940000000.stonerun",
            "000002-1700000000.stonerun",
            "000010-0.stonerun",
            "1000000-1700000000.stonerun",
        ];
        let names = oldest_first.map(|file| name(file).unwrap());
        assert!(names.is_sorted());
        assert_eq!(names.map(BackupName::file_name), oldest_first);
        let next = names.map(|name| name.next(5).number);
        assert_eq!(next, [Some(1), Some(1), Some(2), Some(3), Some(11), Some(1_000_001)]);
        assert_eq!(name("18446744073709551615-7.stonerun").unwrap().next(7).number, Some(u64::MAX));
    }

    #[test]
    fn other_names_are_no_backups() {
        for file in [
            "unfinished",
            "mine.stonerun",
            "5.txt",
            "5",
            "-5.stonerun",
            "+5.stonerun",
            "5-.stonerun",
            "1-2-3.stonerun",
            "1-+2.stonerun",
            ".stonerun",
            "99999999999999999999.stonerun",
        ] {
            assert_eq!(name(file), None, "{file}");
        }
    }
}
