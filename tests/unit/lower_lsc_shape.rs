//! Tests of `lower::lsc_shape`.

use visa_lint::lower::lsc_shape::{UNKNOWN, may_be, read};
use visa_lint::program::lsc::{LscDataSize, LscShapeKind};

fn kind(text: &str) -> Option<LscShapeKind> {
    read(text).ok().map(|shape| shape.kind)
}

#[test]
fn every_size_is_read() {
    for (text, memory_bytes, register_bytes, is_high) in [
        ("d8", 1, 1, false),
        ("d16", 2, 2, false),
        ("d32", 4, 4, false),
        ("d64", 8, 8, false),
        ("d8u32", 1, 4, false),
        ("d8c32", 1, 4, false),
        ("d16u32", 2, 4, false),
        ("d16c32", 2, 4, false),
        ("d16u32h", 2, 4, true),
        ("d16c32h", 2, 4, true),
        ("u8", 1, 1, false),
        ("u16", 2, 2, false),
        ("u32", 4, 4, false),
        ("u64", 8, 8, false),
        ("u8c32", 1, 4, false),
        ("u16c32", 2, 4, false),
        ("u16c32h", 2, 4, true),
    ] {
        let size = LscDataSize { memory_bytes, register_bytes, is_high };
        assert_eq!(read(text).map(|shape| shape.size), Ok(size), "{text}");
    }
}

#[test]
fn vectors() {
    let vector = |n_elements, is_transposed| Some(LscShapeKind::Vector { n_elements, is_transposed });
    assert_eq!(kind("d32"), vector(1, false));
    assert_eq!(kind("u64x64t"), vector(64, true));
    assert_eq!(kind("d16u32hx1"), vector(1, false));
    assert_eq!(kind("d32t"), vector(1, true));
    for wrong in [
        "d32x", "d32x0", "d32x5", "d32x128", "d32x04", "d32tx4", "d32x16tt", "d32x16.t", "f32", "d48", "d32x4 t",
        "u8u32", "",
    ] {
        assert_eq!(kind(wrong), None, "{wrong}");
    }
}

#[test]
fn channel_masks() {
    assert_eq!(kind("d32.xz"), Some(LscShapeKind::Channels(5)));
    assert_eq!(kind("d16c32.w"), Some(LscShapeKind::Channels(8)));
    for wrong in ["d32.zx", "d32.xx", "d32.X", "d32.RGBA", "d16u32.x", "d32x2.xy"] {
        assert_eq!(kind(wrong), None, "{wrong}");
    }
}

#[test]
fn blocks() {
    let block = |n_blocks, width, height, is_transposed, is_vnni| {
        Some(LscShapeKind::Block2d { n_blocks, width, height, is_transposed, is_vnni })
    };
    assert_eq!(kind("d8.2x32x16nt"), block(2, 32, 16, false, true));
    assert_eq!(kind("d64.4x8t"), block(1, 4, 8, true, false));
    assert_eq!(kind("64x2"), Some(LscShapeKind::TypedBlock2d { width: 64, height: 2 }));
    for wrong in [
        "d8.32",
        "d8.32nn",
        "d8.0x4",
        "d8.04x4",
        "d8.2x2x2x2",
        "d8.2x2nnn",
        "d8.2x2nx",
        "d16u32.2x2",
        "0x8",
        "8x",
        "8x8n",
    ] {
        assert_eq!(kind(wrong), None, "{wrong}");
    }
}

/// What may be a shape is what the reader takes, and stays so when parts of it are not known.
#[test]
fn what_may_be_a_shape_is_one() {
    let sizes = [
        "d8", "d16", "d32", "d64", "d8u32", "d16u32", "d16u32h", "d8c32", "d16c32h", "u8c32", "u64", "d7", "d8u16", "",
    ];
    let tails = [
        "",
        "t",
        "x1",
        "x2t",
        "x3",
        "x4",
        "x5",
        "x8",
        "x16",
        "x32t",
        "x64",
        "x65",
        "x",
        ".x",
        ".xyzw",
        ".yw",
        ".yx",
        ".xx",
        ".",
        ".2x4",
        ".2x4nn",
        ".1x16x8nt",
        ".1x16x8tn",
        ".0x4",
        ".2x04",
        ".1x2x3x4",
        ".2x4tnt",
        ".2x",
        "x2.x",
        "64x2",
        "64x02",
        "4x",
    ];
    let mut n_shapes = 0;
    for text in sizes.iter().flat_map(|size| tails.iter().map(move |tail| format!("{size}{tail}"))) {
        let is_shape = read(&text).is_ok();
        assert_eq!(may_be(text.as_bytes()), is_shape, "{text}");
        if !is_shape {
            continue;
        }
        n_shapes += 1;
        for from in 0..=text.len() {
            for to in from..=text.len() {
                let pattern = format!("{}{UNKNOWN}{}", &text[..from], &text[to..]);
                assert!(may_be(pattern.as_bytes()), "{pattern} may be {text}");
            }
        }
    }
    assert!(n_shapes > 100, "{n_shapes}");
}
