// Overlays: plain vertex colours. No light, no fog: what is read off must look the same near and far. But a bar that one
// may stand before would cross the whole picture there: frames come out of nothing from 0.2 voxels on to 2.
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
