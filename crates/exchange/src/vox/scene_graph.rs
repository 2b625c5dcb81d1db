//! The scene graph of a `.vox` file, which places the models.
//!
//! A transform node has one child, a group has many, a shape shows a model. A node may have several
//! parents, so a small file can show its models very often, or endlessly: cycles, deep nesting and
//! too many instances are refused. Nodes that MagicaVoxel hides, directly or by their layer, are
//! left out with their children. Only the first frame of an animation is used. Hidden nodes and
//! further frames are counted.

use super::layout::FileLayout;
use super::limits::MAX_INSTANCES;
use super::transform::{Rotation, VoxTransform};
use crate::FormatError;
use crate::unread_parts::UnreadParts;
use dot_vox::{Dict, DotVoxData, SceneNode};
use glam::I64Vec3;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum nesting of nodes. MagicaVoxel's own scenes nest a few groups.
const MAX_DEPTH: usize = 256;
/// Maximum number of visits of nodes. A node counts each time it is shown.
const MAX_VISITS: usize = 1 << 20;

/// A placed model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Instance {
    /// Index into the file's models, which is valid.
    pub(super) model: usize,
    /// Transform from the model's axes to the world's.
    pub(super) transform: VoxTransform,
}

/// All visible instances in the order of the graph. Where two overlap, the later one wins.
///
/// # Errors
/// The graph is malformed or exceeds a limit.
pub(super) fn instances(
    data: &DotVoxData,
    layout: &FileLayout,
    unread: &mut UnreadParts,
) -> Result<Vec<Instance>, FormatError> {
    if data.scenes.is_empty() {
        unread.note("model", data.models.len().saturating_sub(MAX_INSTANCES) as u64);
        return Ok(line_up(data));
    }
    let mut index_of = FxHashMap::default();
    for (index, &id) in layout.nodes.iter().enumerate() {
        if index_of.insert(id, index).is_some() {
            return Err(node_error(id, "it exists twice"));
        }
    }
    let hidden_layers = layout
        .layers
        .iter()
        .zip(&data.layers)
        .filter(|(_, l)| l.hidden())
        .map(|(&id, _)| id)
        .collect();
    let (path, instances) = Default::default();
    let mut walk = GraphWalk {
        data,
        index_of,
        hidden_layers,
        path,
        visits: 0,
        hidden: 0,
        frames: 0,
        instances,
    };
    walk.visit(0, VoxTransform::ROOT)?;
    unread.note("hidden node", walk.hidden);
    unread.note("frame of an animation", walk.frames);
    Ok(walk.instances)
}

/// Places the models of a file without a scene graph in a row, one voxel apart.
fn line_up(data: &DotVoxData) -> Vec<Instance> {
    let mut x = 0;
    let mut instances = Vec::new();
    for model in 0..data.models.len().min(MAX_INSTANCES) {
        let width = i64::from(data.models[model].size.x);
        let translation = I64Vec3::new(x + width / 2, 0, i64::from(data.models[model].size.z) / 2);
        let transform =
            VoxTransform::ROOT.after(VoxTransform { rotation: Rotation::IDENTITY, translation });
        instances.push(Instance { model, transform });
        x += width + 1;
    }
    instances
}

struct GraphWalk<'a> {
    data: &'a DotVoxData,
    index_of: FxHashMap<u32, usize>,
    hidden_layers: FxHashSet<u32>,
    /// Ids of the nodes from the root to the current one.
    path: Vec<u32>,
    visits: usize,
    /// Number of nodes that are hidden, directly or by their layer.
    hidden: u64,
    /// Number of frames after the first.
    frames: u64,
    instances: Vec<Instance>,
}

impl GraphWalk<'_> {
    /// Visits the node `id` inside the transform `outer`. [`MAX_DEPTH`] bounds the recursion.
    fn visit(&mut self, id: u32, outer: VoxTransform) -> Result<(), FormatError> {
        let node = match self.index_of.get(&id) {
            Some(&index) => &self.data.scenes[index],
            None => {
                let reason = match self.path.last() {
                    None => "the scene graph has no root".to_owned(),
                    Some(parent) => format!("node {parent} names it, but it does not exist"),
                };
                return Err(node_error(id, reason));
            }
        };
        if self.path.contains(&id) {
            return Err(node_error(id, "it contains itself"));
        }
        if self.path.len() == MAX_DEPTH {
            return Err(node_error(id, format!("more than {MAX_DEPTH} nodes are nested")));
        }
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return Err(node_error(id, format!("more than {MAX_VISITS} nodes are shown")));
        }
        self.path.push(id);
        match node {
            SceneNode::Transform { attributes, frames, child, layer_id } => {
                if hides(attributes) || self.hidden_layers.contains(layer_id) {
                    self.hidden += 1;
                } else {
                    self.frames += frames.len().saturating_sub(1) as u64;
                    let empty = Dict::default();
                    let inner = parse_frame(id, frames.first().map_or(&empty, |f| &f.attributes))?;
                    self.visit(*child, outer.after(inner))?;
                }
            }
            SceneNode::Group { attributes, children } => {
                if hides(attributes) {
                    self.hidden += 1;
                } else {
                    for &child in children {
                        self.visit(child, outer)?;
                    }
                }
            }
            SceneNode::Shape { attributes, models } => {
                if hides(attributes) {
                    self.hidden += 1;
                } else if let Some(first) = models.first() {
                    self.frames += models.len() as u64 - 1;
                    let model = first.model_id as usize;
                    if model >= self.data.models.len() {
                        let reason = format!(
                            "it shows model {model}, but there are {}",
                            self.data.models.len()
                        );
                        return Err(node_error(id, reason));
                    }
                    if self.instances.len() == MAX_INSTANCES {
                        let reason = format!("more than {MAX_INSTANCES} instances are shown");
                        return Err(node_error(id, reason));
                    }
                    self.instances.push(Instance { model, transform: outer });
                }
            }
        }
        self.path.pop();
        Ok(())
    }
}

/// True if the attributes of a node or layer hide it.
fn hides(attributes: &Dict) -> bool {
    attributes.get("_hidden").is_some_and(|v| v == "1")
}

/// Refuses text that is longer than three numbers can be, because a node is parsed at each of up to
/// a million visits.
fn check_length<'a>(node: u32, what: &str, text: &'a str) -> Result<&'a str, FormatError> {
    if text.len() > 64 {
        return Err(node_error(node, format!("its {what} is {} bytes long", text.len())));
    }
    Ok(text)
}

/// Parses the rotation and translation of a frame of the transform node `node`.
fn parse_frame(node: u32, frame: &Dict) -> Result<VoxTransform, FormatError> {
    let rotation = match frame.get("_r") {
        None => Rotation::IDENTITY,
        Some(text) => {
            let text = check_length(node, "rotation", text)?;
            let rotation = text.parse().ok().and_then(Rotation::from_byte);
            rotation.ok_or_else(|| node_error(node, format!("its rotation {text:?} is not one")))?
        }
    };
    let translation = match frame.get("_t") {
        None => I64Vec3::ZERO,
        Some(text) => {
            let text = check_length(node, "translation", text)?;
            let parts: Result<Vec<i32>, _> = text.split_whitespace().map(str::parse).collect();
            match parts.as_deref() {
                Ok(&[x, y, z]) => I64Vec3::new(x.into(), y.into(), z.into()),
                _ => {
                    return Err(node_error(
                        node,
                        format!("its translation {text:?} is not three whole numbers"),
                    ));
                }
            }
        }
    };
    Ok(VoxTransform { rotation, translation })
}

/// An error at a node.
fn node_error(node: u32, reason: impl Into<String>) -> FormatError {
    FormatError::new(format!("node {node}"), reason)
}
