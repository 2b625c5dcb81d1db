//! Check for a display before the window library starts, because the library panics without one.

/// Reason why no window can be opened.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum NoDisplay {
    /// `DISPLAY` is not set.
    #[error("no display: DISPLAY is not set (stonerun shot draws without one)")]
    NotSet,
    /// No server answers at the display that `DISPLAY` names.
    #[error("no display: nothing answers at DISPLAY={0} (stonerun shot draws without one)")]
    NoAnswer(String),
}

/// Looks for a display.
///
/// # Errors
/// `DISPLAY` is not set, or its server does not answer.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn check() -> Result<(), NoDisplay> {
    let display = std::env::var("DISPLAY").unwrap_or_default();
    if display.is_empty() {
        // The window library is built for X11 only. Wayland desktops set `DISPLAY`, too.
        return Err(NoDisplay::NotSet);
    }
    if answers(&display) { Ok(()) } else { Err(NoDisplay::NoAnswer(display)) }
}

/// True if a server listens at `display`, `[HOST]:NUMBER[.SCREEN]`. False if `display` cannot be
/// parsed.
#[cfg(all(unix, not(target_os = "macos")))]
fn answers(display: &str) -> bool {
    use std::os::unix::net::UnixStream;
    let Some((host, number)) = display.rsplit_once(':') else { return false };
    let Ok(number) = number.split('.').next().unwrap_or_default().parse::<u16>() else {
        return false;
    };
    if !matches!(host, "" | "unix") {
        return host.contains('/')
            || std::net::TcpStream::connect((host, 6000u16.saturating_add(number))).is_ok();
    }
    let path = format!("/tmp/.X11-unix/X{number}");
    UnixStream::connect(&path).is_ok() || abstract_socket_answers(&path)
}

#[cfg(target_os = "linux")]
fn abstract_socket_answers(name: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    SocketAddr::from_abstract_name(name).is_ok_and(|at| UnixStream::connect_addr(&at).is_ok())
}

#[cfg(all(unix, not(any(target_os = "macos", target_os = "linux"))))]
fn abstract_socket_answers(_: &str) -> bool {
    false
}

/// Always succeeds: Windows and macOS have no display server that could be missing.
///
/// # Errors
/// Never returns one.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub fn check() -> Result<(), NoDisplay> {
    Ok(())
}
