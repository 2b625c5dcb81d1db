//! Writes small `.vox` files for the tests: every byte is the test's own, right or wrong.

/// A file being written: its MAIN chunk's children.
#[derive(Clone, Default)]
pub(super) struct Writer(Vec<u8>);

fn number(n: usize) -> [u8; 4] {
    (n as u32).to_le_bytes()
}

fn dict(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut out = number(entries.len()).to_vec();
    for text in entries.iter().flat_map(|(k, v)| [k, v]) {
        out.extend(number(text.len()));
        out.extend(text.bytes());
    }
    out
}

impl Writer {
    pub(super) fn chunk(mut self, id: &str, content: &[u8]) -> Writer {
        self.0.extend(id.bytes());
        self.0.extend(number(content.len()));
        self.0.extend(number(0));
        self.0.extend(content);
        self
    }

    /// A model of `size`; each voxel is x, y, z and the colour's index from 1.
    pub(super) fn model(self, size: [usize; 3], voxels: &[[u8; 4]]) -> Writer {
        let content = [&number(voxels.len())[..], voxels.as_flattened()].concat();
        self.chunk("SIZE", size.map(number).as_flattened()).chunk("XYZI", &content)
    }

    pub(super) fn node(self, id: usize, child: usize, frame: &[(&str, &str)]) -> Writer {
        self.node_with(id, &[], child, 0, frame)
    }

    pub(super) fn node_with(
        self,
        id: usize,
        attributes: &[(&str, &str)],
        child: usize,
        layer: usize,
        frame: &[(&str, &str)],
    ) -> Writer {
        let numbers = [number(child), number(u32::MAX as usize), number(layer), number(1)].concat();
        self.chunk("nTRN", &[&number(id)[..], &dict(attributes), &numbers, &dict(frame)].concat())
    }

    pub(super) fn group(self, id: usize, children: &[usize]) -> Writer {
        let list: Vec<u8> = children.iter().flat_map(|&c| number(c)).collect();
        self.chunk("nGRP", &[&number(id)[..], &dict(&[]), &number(children.len()), &list].concat())
    }

    pub(super) fn shape(self, id: usize, model: usize) -> Writer {
        self.chunk("nSHP", &[&number(id)[..], &dict(&[]), &number(1), &number(model), &dict(&[])].concat())
    }

    pub(super) fn layer(self, id: usize, attributes: &[(&str, &str)]) -> Writer {
        self.chunk("LAYR", &[&number(id)[..], &dict(attributes), &number(u32::MAX as usize)].concat())
    }

    pub(super) fn material(self, id: usize, properties: &[(&str, &str)]) -> Writer {
        self.chunk("MATL", &[&number(id)[..], &dict(properties)].concat())
    }

    /// The whole file.
    pub(super) fn file(self) -> Vec<u8> {
        [b"VOX \xc8\0\0\0MAIN\0\0\0\0", &number(self.0.len())[..], &self.0].concat()
    }
}
