//! The canvas: sixteen by sixteen texels that wrap at the edges. A shape that crosses an edge
//! continues at the opposite edge, so every texture tiles.
//!
//! Colours are `0xRRGGBB` in sRGB.

/// Texels along an edge of a texture.
pub const SIZE: i32 = 16;

/// The texels of one texture, row by row from the top left, each red, green, blue, alpha.
pub type Texels = [[u8; 4]; 256];

/// A texture being painted.
#[derive(Clone)]
pub struct Canvas {
    texels: Texels,
}

/// Index of a texel, row by row; coordinates beyond an edge wrap.
pub fn index(x: i32, y: i32) -> usize {
    (y.rem_euclid(SIZE) * SIZE + x.rem_euclid(SIZE)) as usize
}

/// All coordinates, row by row.
pub fn coordinates() -> impl Iterator<Item = (i32, i32)> {
    (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)))
}

/// Red, green and blue of `0xRRGGBB`.
fn channels(colour: u32) -> [u8; 3] {
    let [_, r, g, b] = colour.to_be_bytes();
    [r, g, b]
}

/// Mixes two colours: `t` = 0 gives `a`, `t` = 1 gives `b`.
pub fn mix(a: u32, b: u32, t: f32) -> u32 {
    let a = channels(a);
    let b = channels(b);
    let [r, g, b] =
        [0, 1, 2].map(|i| (f32::from(a[i]) * (1.0 - t) + f32::from(b[i]) * t).round() as u8);
    u32::from_be_bytes([0, r, g, b])
}

impl Canvas {
    /// Creates a canvas of one opaque colour.
    pub fn filled(colour: u32) -> Canvas {
        let [r, g, b] = channels(colour);
        Canvas { texels: [[r, g, b, 255]; 256] }
    }

    /// Creates a transparent canvas.
    pub fn empty() -> Canvas {
        Canvas { texels: [[0; 4]; 256] }
    }

    /// Creates an opaque canvas with the colours from `colour`.
    pub fn from_fn(mut colour: impl FnMut(i32, i32) -> u32) -> Canvas {
        let mut canvas = Canvas::filled(0);
        for (x, y) in coordinates() {
            canvas.set(x, y, colour(x, y));
        }
        canvas
    }

    /// Sets a texel to an opaque colour.
    pub fn set(&mut self, x: i32, y: i32, colour: u32) {
        let [r, g, b] = channels(colour);
        self.texels[index(x, y)] = [r, g, b, 255];
    }

    /// The colour of a texel, without its alpha.
    pub fn get(&self, x: i32, y: i32) -> u32 {
        let [r, g, b, _] = self.texels[index(x, y)];
        u32::from_be_bytes([0, r, g, b])
    }

    /// Mixes a texel's colour with another.
    pub fn blend(&mut self, x: i32, y: i32, colour: u32, t: f32) {
        self.set(x, y, mix(self.get(x, y), colour, t));
    }

    /// Sets a texel's alpha and keeps its colour.
    pub fn set_alpha(&mut self, x: i32, y: i32, alpha: u8) {
        self.texels[index(x, y)][3] = alpha;
    }

    /// Draws a picture written as text, one character per texel. Characters that are missing in
    /// `legend` draw nothing.
    pub fn stamp(&mut self, left: i32, top: i32, picture: &[&str], legend: &[(char, u32)]) {
        for (y, row) in (top..).zip(picture) {
            for (x, letter) in (left..).zip(row.chars()) {
                if let Some(&(_, colour)) = legend.iter().find(|(c, _)| *c == letter) {
                    self.set(x, y, colour);
                }
            }
        }
    }

    /// Gives transparent texels the mean colour of their nearest painted neighbours. Mips average
    /// colours, so painted areas would otherwise get a fringe of another colour.
    pub fn bleed(mut self) -> Canvas {
        let mut known = self.texels.map(|t| t[3] > 0);
        while known.contains(&true) && known.contains(&false) {
            let before = known;
            for (x, y) in coordinates().filter(|&(x, y)| !before[index(x, y)]) {
                let mut sum = [0u32; 3];
                let mut count = 0;
                for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                    let at = index(x + dx, y + dy);
                    if before[at] {
                        for (s, t) in sum.iter_mut().zip(self.texels[at]) {
                            *s += u32::from(t);
                        }
                        count += 1;
                    }
                }
                if count > 0 {
                    let [r, g, b] = sum.map(|s| (s / count) as u8);
                    self.texels[index(x, y)] = [r, g, b, 0];
                    known[index(x, y)] = true;
                }
            }
        }
        self
    }

    /// The finished texels.
    pub fn into_texels(self) -> Texels {
        self.texels
    }
}
