//! Strongly connected components of a graph.

/// Component of a vertex that has none yet.
const NONE: u32 = u32::MAX;

/// Finds the strongly connected components of `vertices` (Tarjan's algorithm), following only edges
/// between them. Components are in reverse topological order: an edge between two components leads
/// to the earlier one. `next` returns the targets of a vertex. `index` numbers the vertices from 0
/// up to `count`, exclusive, and returns `None` for all other vertices.
pub(super) fn strongly_connected<'a>(
    count: usize,
    vertices: &[u32],
    next: impl Fn(u32) -> &'a [u32],
    index: impl Fn(u32) -> Option<usize>,
) -> Vec<Vec<u32>> {
    let mut components: Vec<Vec<u32>> = Vec::new();
    let mut component_of = vec![NONE; count];
    // Order of discovery from 1; 0 for undiscovered vertices.
    let mut order = vec![0u32; count];
    // Lowest order that is reachable through the vertex and its descendants.
    let mut low = vec![0u32; count];
    let mut discovered = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for &start in vertices {
        if index(start).is_none_or(|at| order[at] != 0) {
            continue;
        }
        stack.push((start, 0));
        while let Some((vertex, edge)) = stack.last_mut() {
            let vertex = *vertex;
            let Some(at) = index(vertex) else { break };
            if order[at] == 0 {
                discovered += 1;
                order[at] = discovered;
                low[at] = discovered;
                open.push(vertex);
            }
            if let Some(&to) = next(vertex).get(*edge) {
                *edge += 1;
                match index(to) {
                    Some(other) if order[other] == 0 => stack.push((to, 0)),
                    Some(other) if component_of[other] == NONE => {
                        low[at] = low[at].min(order[other])
                    }
                    _ => {}
                }
                continue;
            }
            stack.pop();
            if low[at] == order[at] {
                // Always found, because the vertex itself is still open.
                let first = open.iter().rposition(|&other| other == vertex).unwrap_or(0);
                let members = open.split_off(first);
                for member in members.iter().filter_map(|&member| index(member)) {
                    component_of[member] = components.len() as u32;
                }
                components.push(members);
            }
            if let Some(above) = stack.last().and_then(|(above, _)| index(*above)) {
                low[above] = low[above].min(low[at]);
            }
        }
    }
    components
}
