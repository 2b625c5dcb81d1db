//! Readers of `.glb` and `.obj` files that share no code with the writers.

use super::*;

/// A triangle read from a file.
pub(super) struct Triangle {
    pub(super) material: String,
    pub(super) at: [Vec3; 3],
    pub(super) normals: [Vec3; 3],
    pub(super) uv: [Vec2; 3],
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number")) as usize
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The JSON chunk and the binary chunk of a `.glb` file.
pub(super) fn halves(file: &[u8]) -> (Value, &[u8]) {
    assert_eq!((&file[..4], word(file, 4), word(file, 8) as usize), (&b"glTF"[..], 2, file.len()));
    let length = word(file, 12) as usize;
    let kind = &file[16..20];
    assert_eq!((length % 4, kind), (0, &b"JSON"[..]));
    let rest = &file[20 + length..];
    assert_eq!(
        (word(rest, 0) as usize, &rest[4..8], (rest.len() - 8) % 4),
        (rest.len() - 8, &b"BIN\0"[..], 0)
    );
    (serde_json::from_slice(&file[20..20 + length]).unwrap(), &rest[8..])
}

/// The numbers of an accessor, after its bounds are checked.
fn accessor(json: &Value, bin: &[u8], index: &Value) -> Vec<Vec<f64>> {
    let accessor = &json["accessors"][number(index)];
    let view = &json["bufferViews"][number(&accessor["bufferView"])];
    let size = match number(&accessor["componentType"]) {
        5126 | 5125 => 4,
        5121 => 1,
        other => panic!("component type {other}"),
    };
    let parts = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("type {other}"),
    };
    let count = number(&accessor["count"]);
    let offset = number(&accessor["byteOffset"]);
    let start = number(&view["byteOffset"]);
    let length = number(&view["byteLength"]);
    let stride = view.get("byteStride").map_or(size * parts, number);
    assert!(
        start.is_multiple_of(4)
            && offset.is_multiple_of(4)
            && stride.is_multiple_of(4)
            && start + length <= bin.len()
            && count > 0
    );
    assert!(offset + (count - 1) * stride + size * parts <= length, "{accessor} leaves {view}");
    let one = |at: usize| match number(&accessor["componentType"]) {
        5126 => f64::from(f32::from_bits(word(bin, at))),
        5125 => f64::from(word(bin, at)),
        _ => f64::from(bin[at]),
    };
    let element =
        |i: usize| (0..parts).map(|part| one(start + offset + i * stride + part * size)).collect();
    let all: Vec<Vec<f64>> = (0..count).map(element).collect();
    for (key, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
        if let Some(given) = accessor.get(key) {
            for part in 0..parts {
                let found = all.iter().map(|element| element[part]).reduce(pick).unwrap();
                assert_eq!(given[part].as_f64(), Some(found), "{key} of {accessor}");
            }
        }
    }
    all
}

pub(super) fn read_glb(file: &[u8]) -> Vec<Triangle> {
    let (json, bin) = halves(file);
    assert_eq!(number(&json["buffers"][0]["byteLength"]), bin.len());
    let mut covered = 0;
    for view in json["bufferViews"].as_array().unwrap() {
        assert_eq!(number(&view["byteOffset"]), covered, "views follow each other");
        covered += number(&view["byteLength"]).next_multiple_of(4);
    }
    assert_eq!(covered, bin.len());
    for (texture, image) in json["images"].as_array().unwrap().iter().enumerate() {
        let view = &json["bufferViews"][number(&image["bufferView"])];
        let start = number(&view["byteOffset"]);
        let png =
            image::load_from_memory(&bin[start..start + number(&view["byteLength"])]).unwrap();
        assert_eq!((png.width(), png.height()), (16, 16));
        assert_eq!(number(&json["textures"][texture]["source"]), texture);
    }
    let mut triangles = Vec::new();
    for primitive in json["meshes"][0]["primitives"].as_array().unwrap() {
        let attributes = &primitive["attributes"];
        let [at, normals, uv] = ["POSITION", "NORMAL", "TEXCOORD_0"]
            .map(|name| accessor(&json, bin, &attributes[name]));
        assert!(
            json["accessors"][number(&attributes["POSITION"])].get("max").is_some(),
            "glTF requires the bounds of positions"
        );
        assert!(normals.len() == at.len() && uv.len() == at.len());
        if let Some(colour) = attributes.get("COLOR_0") {
            let colours = accessor(&json, bin, colour);
            assert_eq!(colours.len(), at.len());
            // Shades of ambient occlusion 0 to 3: 255 * (0.42 + 0.58 * ao / 3).
            let shades = [107.0, 156.0, 206.0, 255.0];
            assert!(
                colours.iter().all(|c| shades.contains(&c[0])
                    && c[0] == c[1]
                    && c[1] == c[2]
                    && c[3] == 255.0)
            );
            assert!(colours.iter().any(|c| c[0] < 255.0), "parts without shading have no colours");
        }
        let indices: Vec<usize> = accessor(&json, bin, &primitive["indices"])
            .iter()
            .map(|element| element[0] as usize)
            .collect();
        let mut used = indices.clone();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, (0..at.len()).collect::<Vec<_>>(), "every vertex is used, and no other");
        let material = &json["materials"][number(&primitive["material"])];
        let vec3 = |v: &[f64]| Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32);
        triangles.extend(indices.chunks_exact(3).map(|i| Triangle {
            material: material["name"].as_str().unwrap().to_owned(),
            at: [0, 1, 2].map(|c| vec3(&at[i[c]])),
            normals: [0, 1, 2].map(|c| vec3(&normals[i[c]])),
            uv: [0, 1, 2].map(|c| Vec2::new(uv[i[c]][0] as f32, uv[i[c]][1] as f32)),
        }));
    }
    triangles
}

pub(super) fn read_obj(text: &str) -> Vec<Triangle> {
    let mut at = vec![];
    let mut uvs = vec![];
    let mut normals = vec![];
    let mut triangles = vec![];
    let mut material = String::new();
    for line in text.lines() {
        let (kind, rest) = line.split_once(' ').unwrap();
        let numbers = || rest.split(' ').map(|n| n.parse::<f32>().unwrap()).collect::<Vec<_>>();
        match kind {
            "v" => at.push(Vec3::from_slice(&numbers())),
            "vt" => uvs.push(Vec2::new(numbers()[0], 1.0 - numbers()[1])),
            "vn" => normals.push(Vec3::from_slice(&numbers())),
            "usemtl" => rest.clone_into(&mut material),
            "f" => {
                let corners: Vec<[usize; 3]> = rest
                    .split(' ')
                    .map(|c| {
                        c.split('/')
                            .map(|i| i.parse::<usize>().unwrap() - 1)
                            .collect::<Vec<_>>()
                            .try_into()
                            .unwrap()
                    })
                    .collect();
                // Quads, or triangles of smooth ground.
                assert!([3, 4].contains(&corners.len()));
                for triangle in [[0, 1, 2], [0, 2, 3]].into_iter().take(corners.len() - 2) {
                    let corner = triangle.map(|i: usize| corners[i]);
                    triangles.push(Triangle {
                        material: material.clone(),
                        at: corner.map(|c| at[c[0]]),
                        normals: corner.map(|c| normals[c[2]]),
                        uv: corner.map(|c| uvs[c[1]]),
                    });
                }
            }
            "#" | "mtllib" | "o" => {}
            other => panic!("{other}"),
        }
    }
    triangles
}
