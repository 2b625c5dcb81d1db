//! GDAL's metadata in a TIFF (tag 42112): the entries that give values their meaning.
//!
//! ```xml
//! <GDALMetadata>
//!   <Item name="SCALE" sample="0" role="scale">0.1</Item>
//!   <Item name="OFFSET" sample="0" role="offset">100</Item>
//!   <Item name="UNITTYPE" sample="0" role="unittype">ft</Item>
//! </GDALMetadata>
//! ```

use crate::FormatError;

/// Meaning of a file's values: a height is `value * scale + offset` units.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GdalMetadata {
    pub(super) scale: f64,
    pub(super) offset: f64,
    /// Name of the unit, if stated.
    pub(super) unit: Option<String>,
}

impl Default for GdalMetadata {
    fn default() -> GdalMetadata {
        GdalMetadata { scale: 1.0, offset: 0.0, unit: None }
    }
}

/// Parses the metadata of the first value of each cell.
///
/// # Errors
/// The scale or offset is not a number, or the scale is 0.
pub(super) fn parse(text: &str) -> Result<GdalMetadata, FormatError> {
    let mut metadata = GdalMetadata::default();
    for item in text.split("<Item").skip(1) {
        let Some((attributes, content)) = item.split_once('>') else { continue };
        let content = content.split('<').next().unwrap_or_default().trim();
        if attributes.ends_with('/')
            || attribute(attributes, "sample").is_some_and(|sample| sample.trim() != "0")
        {
            continue;
        }
        let number = || {
            let number: Option<f64> = content.parse().ok();
            number
                .filter(|number| number.is_finite())
                .ok_or_else(|| refuse(content, "is no number"))
        };
        match attribute(attributes, "role").unwrap_or_default().to_ascii_lowercase().as_str() {
            "scale" if number()? == 0.0 => return Err(refuse(content, "makes all heights equal")),
            "scale" => metadata.scale = number()?,
            "offset" => metadata.offset = number()?,
            "unittype" if !content.is_empty() => metadata.unit = Some(content.to_owned()),
            _ => {}
        }
    }
    Ok(metadata)
}

fn refuse(content: &str, what: &str) -> FormatError {
    let shown = crate::bounded_read::short_reason(content);
    FormatError::new("GDAL metadata (tag 42112)", format!("its scale or offset \"{shown}\" {what}"))
}

/// The value of an attribute in the text between an element's name and its `>`.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    while let Some((before, after)) = rest.split_once('=') {
        let quoted = after.trim_start();
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, next) = quoted[1..].split_once(quote)?;
        if before.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_offset_and_unit_are_found() {
        let text = "<GDALMetadata>\n  <Item name=\"AREA\">a = 'b'</Item><Item name='x' />\n\
            <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-1e2</Item>\n\
            <Item role = 'Scale' sample='0' name='SCALE'> 0.1 </Item>\n\
            <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item>\n\
            <Item name=\"SCALE\" sample=\"1\" role=\"scale\">7</Item>\n</GDALMetadata>";
        let expected = GdalMetadata { scale: 0.1, offset: -100.0, unit: Some("ft".to_owned()) };
        assert_eq!(parse(text), Ok(expected));
        for text in [
            "",
            "<Item",
            "<Item>",
            "<Item role=scale>5</Item>",
            "<Item role=\"scale",
            "<GDALMetadata/>",
        ] {
            assert_eq!(parse(text), Ok(GdalMetadata::default()), "{text}");
        }
        for content in ["", "ten", "NaN", "0", "inf"] {
            let error = parse(&format!("<Item role=\"scale\">{content}</Item>")).unwrap_err();
            assert!(error.reason().contains(&format!("\"{content}\"")), "{error}");
        }
    }
}
