// Overlays: plain vertex colours. No light, no fog: what is read off must look the same near and far.
#import bevy_pbr::forward_io::VertexOutput

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
#ifdef VERTEX_COLORS
    return in.color;
#else
    return vec4(1.0);
#endif
}
