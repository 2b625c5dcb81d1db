// Overlays: plain vertex colours, without light or fog, so that a colour means the same near and
// far. Bars of frames fade in between 0.2 and 2 voxels from the eye: a nearer bar would cross the
// whole picture.
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
    return color;
}
