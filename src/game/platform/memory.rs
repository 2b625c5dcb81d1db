//! The memory of the process.

/// Resident memory of the process, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResidentMemory {
    /// Bytes of all resident pages.
    pub all: u64,
    /// Bytes of resident pages of files: the program, its libraries, drivers.
    pub files: u64,
}

/// The process's resident memory; `None` where the system does not report it.
#[must_use]
pub fn resident() -> Option<ResidentMemory> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse(&status)
}

/// Reads lines such as `VmRSS:    1234 kB`.
fn parse(status: &str) -> Option<ResidentMemory> {
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024)
    };
    Some(ResidentMemory { all: bytes("VmRSS:")?, files: bytes("RssFile:").unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_parsed_and_plausible() {
        let parsed = ResidentMemory { all: 712 * 1024, files: 8 * 1024 };
        assert_eq!(parse("VmPeak:\t  9 kB\nVmRSS:\t  712 kB\nRssFile:\t8 kB\n"), Some(parsed));
        assert_eq!(parse("VmRSS: 7 kB"), Some(ResidentMemory { all: 7 * 1024, files: 0 }));
        assert_eq!((parse("VmRSS: 7 MB"), parse("")), (None, None));
        if cfg!(target_os = "linux") {
            let resident = resident().expect("Linux reports it");
            assert!(resident.files > 1 << 18 && resident.all > resident.files);
        }
    }
}
