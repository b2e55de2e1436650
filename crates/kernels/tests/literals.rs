//! The bits of products, of every kind, as they were when they were checked against plain floats:
//! `literals.tsv`, which `side_module.mjs` holds each wasm variant to as well.

mod reference;

use reference::load;
use seealso_kernels::{Engine, Feed, Kind};

/// The generator of the test's numbers, which JavaScript has too (Numerical Recipes' `ranqd1`).
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0
    }

    fn floats(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| (self.next() >> 8) as f32 / (1 << 23) as f32 - 1.0).collect()
    }

    /// A tensor's bytes: random, but half floats are of 2^-7 to 2^-4, of either sign.
    fn tensor(&mut self, kind: Kind, rows: usize, width: usize) -> Vec<u8> {
        let halves: &[usize] = match kind {
            Kind::F32 => return self.floats(rows * width).iter().flat_map(|x| x.to_le_bytes()).collect(),
            Kind::BF16 => {
                return self
                    .floats(rows * width)
                    .iter()
                    .flat_map(|x| [x.to_le_bytes()[2], x.to_le_bytes()[3]])
                    .collect();
            }
            Kind::Q4_1 | Kind::Q5_1 | Kind::Q4K | Kind::Q5K => &[0, 2],
            Kind::Q6K => &[208],
            _ => &[0],
        };
        let mut bytes: Vec<u8> =
            (0..rows * width / kind.block_len() * kind.block_bytes()).map(|_| (self.next() >> 24) as u8).collect();
        for block in bytes.chunks_exact_mut(kind.block_bytes()) {
            for at in halves {
                block[at + 1] = block[at + 1] & 0x8b | 0x20;
            }
        }
        bytes
    }
}

/// FNV-1a over the values' bytes.
fn hash(values: &[f32]) -> u32 {
    values
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn line(kind: Kind, rows: usize) -> String {
    let numbers = &mut Numbers(kind as u32 * 100 + rows as u32);
    // A single row takes weights of many rows in eight streams, of few in four.
    let (out, width) = (if rows == 1 { 523 } else { 75 }, if kind.block_len() == 1 { 37 } else { 256 });
    let mut engine = Engine::new();
    let norm = load(&mut engine, Kind::F32, 1, width, &numbers.tensor(Kind::F32, 1, width));
    let gate = load(&mut engine, kind, out, width, &numbers.tensor(kind, out, width));
    let up = load(&mut engine, kind, out, width, &numbers.tensor(kind, out, width));
    let x = numbers.floats(rows * width);
    let mut product = vec![0.0; rows * out];
    engine.linear(gate, &x, None, &mut product).expect("the shapes fit");
    let mut feed = vec![0.0; rows * out];
    engine.gate_up(&Feed { norm, eps: 1e-5, gate, up }, &x, &mut feed).expect("the shapes fit");
    format!("{}\t{rows}\t{:08x}\t{:08x}", kind as u32, hash(&product), hash(&feed))
}

#[test]
fn products_keep_their_bits() {
    let lines: Vec<String> = Kind::ALL.iter().flat_map(|kind| [1, 3, 9].map(|rows| line(*kind, rows))).collect();
    assert_eq!(lines.join("\n"), include_str!("literals.tsv").trim_end());
}
