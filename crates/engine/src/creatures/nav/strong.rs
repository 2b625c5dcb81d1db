//! Strongly connected sets of a graph.

/// Set of a vertex that has none.
const NONE: u32 = u32::MAX;

/// Tarjan's algorithm: the strongly connected sets of `vertices`, among the edges between them. An
/// edge between two sets leads to the earlier one. `next` returns the targets of a vertex, and
/// `index` numbers the vertices from 0 to below `count`; other targets have no index.
pub(super) fn strongly_connected<'a>(
    count: usize,
    vertices: &[u32],
    next: impl Fn(u32) -> &'a [u32],
    index: impl Fn(u32) -> Option<usize>,
) -> Vec<Vec<u32>> {
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut set = vec![NONE; count];
    // Order of discovery, from 1; 0 for vertices that are not discovered.
    let (mut order, mut low) = (vec![0u32; count], vec![0u32; count]);
    let mut discovered = 0;
    let (mut open, mut stack): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
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
                (order[at], low[at]) = (discovered, discovered);
                open.push(vertex);
            }
            if let Some(&to) = next(vertex).get(*edge) {
                *edge += 1;
                match index(to) {
                    Some(other) if order[other] == 0 => stack.push((to, 0)),
                    Some(other) if set[other] == NONE => low[at] = low[at].min(order[other]),
                    _ => {}
                }
                continue;
            }
            stack.pop();
            if low[at] == order[at] {
                // The vertex itself is open.
                let first = open.iter().rposition(|&other| other == vertex).unwrap_or(0);
                let members = open.split_off(first);
                members.iter().filter_map(|&member| index(member)).for_each(|member| set[member] = sets.len() as u32);
                sets.push(members);
            }
            if let Some(above) = stack.last().and_then(|(above, _)| index(*above)) {
                low[above] = low[above].min(low[at]);
            }
        }
    }
    sets
}
