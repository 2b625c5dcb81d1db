// Overlays: plain vertex colours, without light or fog, so that a colour means the same near and
// far. Bars of frames fade in between 0.2 and 2 voxels from the eye: a nearer bar would cross the
// whole picture. Ghosts show the edges of voxels where these are large enough in the picture.
#import bevy_pbr::forward_io::VertexOutput
#ifdef FADES_BEFORE_THE_EYE
#import bevy_pbr::mesh_view_bindings::view
#endif

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
#ifdef VERTEX_COLORS
    var color = in.color;
#else
    var color = vec4(1.0);
#endif
#ifdef FADES_BEFORE_THE_EYE
    color.a *= smoothstep(0.2, 2.0, distance(in.world_position.xyz, view.world_position.xyz));
#endif
#ifdef VOXEL_EDGES
    // Positions are relative to a whole voxel. Along the normal of the face they do not change.
    let at = in.world_position.xyz;
    let step = fwidth(at);
    let largest = max(step.x, max(step.y, step.z));
    let distance_to_edge = abs(fract(at + 0.5) - 0.5);
    let in_face = step > vec3(0.02 * largest);
    let line = select(vec3(0.0), 1.0 - smoothstep(vec3(0.0), 1.6 * step, distance_to_edge), in_face);
    let shown = max(line.x, max(line.y, line.z)) * (1.0 - smoothstep(0.12, 0.3, largest));
    color = vec4(color.rgb * (1.0 - 0.45 * shown), min(color.a + 0.3 * shown, 1.0));
#endif
#ifdef FAINT
    color.a *= 0.16;
#endif
    return color;
}
