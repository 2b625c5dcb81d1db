//! Greys of a picture's pixels. Finds the first coloured pixel, and counts partly transparent ones.

use crate::FormatError;

/// Check of one picture, to which each pixel is passed.
#[derive(Clone, Debug)]
pub(super) struct GreyCheck {
    /// Opacity value of an opaque pixel.
    opaque: f32,
    /// Index by rows and colour of the first coloured pixel.
    coloured: Option<(usize, [f32; 3])>,
    partly_transparent: usize,
}

impl GreyCheck {
    /// A check for a picture whose opaque pixels have the opacity `opaque`.
    pub(super) fn new(opaque: f32) -> GreyCheck {
        GreyCheck { opaque, coloured: None, partly_transparent: 0 }
    }

    /// The grey of the pixel at index `at` by rows; NaN if the pixel is fully transparent.
    pub(super) fn grey(&mut self, at: usize, colour: [f32; 3], opacity: f32) -> f32 {
        if opacity == 0.0 {
            return f32::NAN;
        }
        if opacity < self.opaque {
            self.partly_transparent += 1;
        }
        let [red, green, blue] = colour;
        let is_coloured = red != green || green != blue;
        // NaN differs from every value, so it does not show a colour.
        let is_coloured = is_coloured && colour.iter().all(|part| !part.is_nan());
        if is_coloured && self.coloured.is_none_or(|(first, _)| at < first) {
            self.coloured = Some((at, colour));
        }
        red
    }

    /// A warning that counts partly transparent pixels.
    ///
    /// # Errors
    /// A pixel is coloured.
    pub(super) fn finish(&self, width: usize) -> Result<Option<String>, FormatError> {
        if let Some((at, [red, green, blue])) = self.coloured {
            let place = format!("pixel ({}, {})", at % width, at / width);
            let reason = format!(
                "it is coloured (red {red}, green {green}, blue {blue}); heights are read from grey pixels"
            );
            return Err(FormatError::new(place, reason));
        }
        let warning = format!(
            "{} of its pixels are partly transparent; their greys are taken as heights",
            self.partly_transparent
        );
        Ok((self.partly_transparent > 0).then_some(warning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_coloured_pixel_is_named() {
        let mut check = GreyCheck::new(255.0);
        assert!(check.grey(0, [9.0, 8.0, 7.0], 0.0).is_nan());
        assert_eq!(check.grey(1, [9.0; 3], 255.0), 9.0);
        assert_eq!(check.finish(4), Ok(None));
        assert_eq!(check.grey(2, [9.0; 3], 254.0), 9.0);
        let warning = check.finish(4).unwrap().unwrap();
        assert!(warning.starts_with("1 of its pixels are partly transparent"), "{warning}");
        check.grey(11, [1.0, 1.0, 2.0], 255.0);
        check.grey(6, [3.0, 1.0, 1.0], 255.0);
        check.grey(7, [5.0, 1.0, 1.0], 255.0);
        let error = check.finish(4).unwrap_err();
        assert_eq!(
            (error.place(), error.reason().split(';').next()),
            ("pixel (2, 1)", Some("it is coloured (red 3, green 1, blue 1)"))
        );
    }
}
