//! Helpers for tests that run the program: a sandbox folder with `saves` inside, so that no map of
//! the user is touched, and a file to import.

use assert_cmd::Command;
use std::path::PathBuf;
use tempfile::TempDir;

/// Exit code and output of one run of the program.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Asserts success without warnings, and returns standard output.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// Asserts exit code 1 and exactly one line on standard error, and returns that line.
    #[track_caller]
    pub fn failed(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (1, ""), "{}", self.err);
        assert!(
            self.err.starts_with("stonerun: ") && self.err.lines().count() == 1,
            "{}",
            self.err
        );
        self.err.trim_end().to_owned()
    }

    /// Asserts a usage error, which has exit code 2, and returns standard error.
    #[track_caller]
    pub fn usage(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        self.err
    }
}

pub struct Sandbox(TempDir);

impl Sandbox {
    pub fn new() -> Sandbox {
        let place = Sandbox(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.file("saves")).unwrap();
        place
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        let output = Command::cargo_bin("stonerun")
            .unwrap()
            .current_dir(self.0.path())
            .env("XDG_DATA_HOME", self.file("data"))
            .args(arguments)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// A sandbox with a small map called `home`.
    pub fn with_home() -> Sandbox {
        let place = Sandbox::new();
        place
            .run(&["new", "home", "--seed", "7", "--terrain", "continents", "--radius", "1"])
            .done();
        place
    }
}

/// A `.vox` file of one model.
pub fn vox(size: [u32; 3], voxels: &[[u8; 4]]) -> Vec<u8> {
    let chunk = |id: &[u8; 4], content: Vec<u8>, children: Vec<u8>| {
        let sizes = [content.len() as u32, children.len() as u32].map(u32::to_le_bytes);
        [&id[..], sizes.as_flattened(), &content, &children].concat()
    };
    let xyzi = [&(voxels.len() as u32).to_le_bytes()[..], voxels.as_flattened()].concat();
    let children =
        [chunk(b"SIZE", size.map(u32::to_le_bytes).concat(), vec![]), chunk(b"XYZI", xyzi, vec![])]
            .concat();
    [b"VOX \xc8\0\0\0", &chunk(b"MAIN", vec![], children)[..]].concat()
}
