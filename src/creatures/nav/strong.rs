//! Strongly connected sets of a graph.

/// Set of a vertex that has none.
const NONE: u32 = u32::MAX;

/// Tarjan's algorithm: the strongly connected sets of `vertices`, among the edges between them. An
/// edge between two sets leads to the earlier one. `next` returns the targets of a vertex, of which
/// those that `is_inside` rejects are ignored. Vertices are below `count`.
pub(super) fn strongly_connected<'a>(
    count: usize,
    vertices: &[u32],
    next: impl Fn(u32) -> &'a [u32],
    is_inside: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut set = vec![NONE; count];
    // Order of discovery, from 1; 0 for vertices that are not discovered.
    let (mut order, mut low) = (vec![0u32; count], vec![0u32; count]);
    let mut discovered = 0;
    let (mut open, mut stack): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for &start in vertices {
        if order[start as usize] != 0 {
            continue;
        }
        stack.push((start, 0));
        while let Some((vertex, edge)) = stack.last_mut() {
            let (vertex, at) = (*vertex, *vertex as usize);
            if order[at] == 0 {
                discovered += 1;
                (order[at], low[at]) = (discovered, discovered);
                open.push(vertex);
            }
            if let Some(&to) = next(vertex).get(*edge) {
                *edge += 1;
                if !is_inside(to) {
                    continue;
                }
                if order[to as usize] == 0 {
                    stack.push((to, 0));
                } else if set[to as usize] == NONE {
                    low[at] = low[at].min(order[to as usize]);
                }
                continue;
            }
            stack.pop();
            if low[at] == order[at] {
                // The vertex itself is open.
                let first = open.iter().rposition(|&other| other == vertex).unwrap_or(0);
                let members = open.split_off(first);
                members.iter().for_each(|&member| set[member as usize] = sets.len() as u32);
                sets.push(members);
            }
            if let Some((above, _)) = stack.last() {
                let above = *above as usize;
                low[above] = low[above].min(low[at]);
            }
        }
    }
    sets
}
