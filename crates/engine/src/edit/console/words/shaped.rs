//! Shapes of blocks in commands: `oak_planks[stairs,north,top]`, `stone:slab`.

use super::Context;
use crate::edit::console::error::CommandError;
use crate::edit::console::suggestions::similar;
use crate::voxel::{Material, MaterialId, MaterialTable, Shape, ShapeWordError, Voxel};

/// Separator between a block and a family of shapes.
const FAMILY: char = ':';

/// A block in a shape as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShapedWord {
    /// The material. While a command is only checked, the whole block may stand for it.
    pub material: MaterialId,
    /// The shape.
    pub shape: Shape,
}

/// Parses `BLOCK[WORDS]`, or `BLOCK:FAMILY` as the first form of the family. `None` if the text is
/// written otherwise.
///
/// # Errors
/// No shape has these words, the block can have no shapes, or the map lacks the material.
pub(super) fn shaped(
    text: &str,
    context: &Context<'_>,
) -> Option<Result<ShapedWord, CommandError>> {
    let materials = context.materials;
    let (block, words) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        // Words with a value are a state, which is a material of its own.
        Some((block, words)) => (materials.find(block.trim())?, words),
        None => family(text, materials)?,
    };
    let has_value = |word: &str| word.contains('=') && !word.starts_with("turn=");
    let first = words.split(',').next().unwrap_or_default().trim();
    if has_value(first) {
        return None;
    }
    let shape = match Shape::from_words(&words.to_ascii_lowercase()) {
        Ok(shape) => shape,
        Err(ShapeWordError::Family { word, .. })
            if !similar(&word, Shape::families()).is_empty() =>
        {
            let similar = similar(&word, Shape::families());
            return Some(Err(CommandError::Word { word, what: "shape", similar }));
        }
        Err(error) => return Some(Err(error.into())),
    };
    Some(material_of_shape(block, shape, context).map(|material| ShapedWord { material, shape }))
}

/// Parses `BLOCK:FAMILY`: all forms of a family of shapes of a block.
pub(in crate::edit::console) fn family<'a>(
    text: &'a str,
    materials: &MaterialTable,
) -> Option<(MaterialId, &'a str)> {
    let (block, family) = text.rsplit_once(FAMILY)?;
    let is_family = Shape::families().any(|known| known == family);
    let block = materials.find(block.trim()).filter(|_| is_family)?;
    // A shape of a block has no further shapes.
    let is_whole = materials.get(block).is_some_and(|block| block.block_of_shape().is_none());
    is_whole.then_some((block, family))
}

/// Materials of a block in all forms of a family of shapes.
pub(super) fn of_family(
    block: MaterialId,
    family: &str,
    materials: &MaterialTable,
) -> Vec<MaterialId> {
    let name = materials.get(block).map(|material| material.name.as_str());
    let is_form = |material: &Material| {
        material.shape.family() == Some(family) && material.block_of_shape() == name
    };
    materials.iter().filter(|(_, material)| is_form(material)).map(|(id, _)| id).collect()
}

/// The material of a block in a shape.
///
/// # Errors
/// The block can have no shapes, or the map lacks the material.
fn material_of_shape(
    block: MaterialId,
    shape: Shape,
    context: &Context<'_>,
) -> Result<MaterialId, CommandError> {
    let materials = context.materials;
    let Some(whole) = materials.get(block) else { return Ok(block) };
    let shaped =
        whole.reshaped(shape).ok_or_else(|| CommandError::NotReshapeable(whole.name.clone()))?;
    match materials.index_of(shaped) {
        Ok(id) => Ok(id),
        Err(_) if context.console.is_none() => Ok(block),
        Err(missing) if materials.len() < Voxel::MAX_MATERIALS => {
            Err(CommandError::NeedsMaterials(vec![*missing]))
        }
        Err(missing) => Err(CommandError::TableFull(missing.name)),
    }
}
