//! Is there a display to open a window on? Asked before the window library starts, which would only panic.

/// Looks for a display.
///
/// # Errors
/// There is none, or it does not answer: one line.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn check() -> Result<(), String> {
    let display = std::env::var("DISPLAY").unwrap_or_default();
    if display.is_empty() {
        // The window library is built for X11 alone; a Wayland desktop offers that as well.
        return Err("no display: DISPLAY is not set (stonerun shot draws without one)".into());
    }
    if answers(&display) {
        Ok(())
    } else {
        Err(format!("no display: nothing answers at DISPLAY={display} (stonerun shot draws without one)"))
    }
}

/// True if a server listens at `display`, `[HOST]:NUMBER[.SCREEN]`. What cannot be understood is left to the window
/// library.
#[cfg(all(unix, not(target_os = "macos")))]
fn answers(display: &str) -> bool {
    use std::os::unix::net::UnixStream;
    let Some((host, number)) = display.rsplit_once(':') else { return false };
    let Ok(number) = number.split('.').next().unwrap_or_default().parse::<u16>() else { return false };
    if !matches!(host, "" | "unix") {
        return host.contains('/') || std::net::TcpStream::connect((host, 6000u16.saturating_add(number))).is_ok();
    }
    let path = format!("/tmp/.X11-unix/X{number}");
    UnixStream::connect(&path).is_ok() || abstract_socket(&path)
}

#[cfg(target_os = "linux")]
fn abstract_socket(name: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    SocketAddr::from_abstract_name(name).is_ok_and(|at| UnixStream::connect_addr(&at).is_ok())
}

#[cfg(all(unix, not(any(target_os = "macos", target_os = "linux"))))]
fn abstract_socket(_: &str) -> bool {
    false
}

/// Elsewhere a window needs no display.
///
/// # Errors
/// Never.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub fn check() -> Result<(), String> {
    Ok(())
}
