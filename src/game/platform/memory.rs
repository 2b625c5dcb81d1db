//! The memory of the process.

/// Bytes of the process's resident memory; `None` where the system does not report it.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse(&status)
}

/// Reads the line `VmRSS:    1234 kB`.
fn parse(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_parsed_and_plausible() {
        assert_eq!(parse("VmPeak:\t  9 kB\nVmRSS:\t  712 kB\n"), Some(712 * 1024));
        assert_eq!((parse("VmRSS: 7 MB"), parse("")), (None, None));
        if cfg!(target_os = "linux") {
            assert!(resident_bytes().is_some_and(|bytes| bytes > 1 << 20));
        }
    }
}
