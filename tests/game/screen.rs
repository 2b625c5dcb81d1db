//! A virtual screen with key presses and a mouse.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process that is killed when the test ends, even by a panic.
pub struct Ended(pub Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual screen, high enough for the window and the space that it leaves for bars.
pub struct Screen {
    _server: Ended,
    /// Name of the screen, for `DISPLAY`.
    pub display: String,
}

impl Screen {
    /// Opens a screen; `None` if the programs for it are missing and not required.
    pub fn open() -> Option<Screen> {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Ended);
        let tool = Command::new("xdotool").arg("version").stdout(Stdio::null()).status();
        let (Ok(mut server), Ok(_)) = (server, tool) else {
            assert!(
                std::env::var_os("STONERUN_REQUIRE_ALL").is_none(),
                "Xvfb and xdotool are required"
            );
            println!("skipped: needs Xvfb and xdotool");
            return None;
        };
        let mut number = String::new();
        BufReader::new(server.0.stdout.take().expect("piped"))
            .read_line(&mut number)
            .expect("a display number");
        assert!(!number.trim().is_empty(), "Xvfb opened no display");
        Some(Screen { _server: server, display: format!(":{}", number.trim()) })
    }

    /// Runs `xdotool`, which presses keys and moves the mouse.
    pub fn act(&self, args: &[&str]) {
        let done = Command::new("xdotool")
            .env("DISPLAY", &self.display)
            .args(args)
            .output()
            .expect("xdotool");
        assert!(
            done.status.success(),
            "xdotool {args:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        std::thread::sleep(Duration::from_millis(400));
    }

    /// Presses and releases the left button at a position.
    pub fn click(&self, at: (i32, i32)) {
        self.act(&["mousemove", &at.0.to_string(), &at.1.to_string()]);
        self.hold("1", 250);
    }

    /// Holds a mouse button down for a while.
    pub fn hold(&self, button: &str, milliseconds: u64) {
        // xdotool itself waits, because starting another process would take time too.
        let seconds = format!("{}", milliseconds as f64 / 1000.0);
        self.act(&["mousedown", button, "sleep", &seconds, "mouseup", button]);
    }

    /// Waits for a window with exactly this name; `None` if the game ends first.
    pub fn wait_for(&self, name: &str, game: &mut Ended) -> Option<String> {
        let start = Instant::now();
        loop {
            let pattern = format!("^{name}$");
            let found = Command::new("xdotool")
                .env("DISPLAY", &self.display)
                .args(["search", "--onlyvisible", "--name", &pattern])
                .output();
            let found = found.expect("xdotool").stdout;
            if let Some(id) = String::from_utf8_lossy(&found).lines().next() {
                return Some(id.to_owned());
            }
            if !matches!(game.0.try_wait(), Ok(None)) {
                return None;
            }
            assert!(start.elapsed() < Duration::from_secs(180), "no window {name:?}");
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}
