//! 2D blocks: their sizes, and the surfaces that their parameters describe.

use super::message::{Class, Data, Message};
use super::register::Register;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::checks::table::document;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::lsc::LscShapeKind;
use crate::spec::{Platform, join_or};

crate::declare_rule! {
    /// A 2D block of a size that the message does not move: too wide, too high, too many blocks, or transposed in a way
    /// that the hardware has not. Loads move rows of up to 64 bytes in all blocks together, stores one block of up to
    /// 64 bytes and 8 rows.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// lsc_load_block2d.ugm (M1_NM, 1) VUB:d8.2x64x8nn flat[VUQ,0xff,0x3f,0xff,VD,VD2]
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// lsc_load_block2d.ugm (M1_NM, 1) VUB:d8.2x32x8nn flat[VUQ,0xff,0x3f,0xff,VD,VD2]
    /// ```
    pub UNSUPPORTED_BLOCK_SHAPE = "unsupported-block-shape", Error | Warning, "LSC_UNTYPED",
        help = "split the block into several messages, or choose a smaller one"
}

/// Bytes of a row of all blocks of a load, or of the block of a store as the hardware does it.
const MOST_ROW_BYTES: u64 = 64;
/// Rows of that many bytes can be prefetched from Xe3P on.
const PREFETCH_ROW_BYTES: u64 = 256;
/// Bytes of a row of a store that the reference takes.
const MOST_STORED_ROW_BYTES: u64 = 512;
/// Rows of a store as the hardware does it.
const MOST_STORED_ROWS: u32 = 8;
/// Bytes of the narrowest surface.
const LEAST_SURFACE_BYTES: i64 = 64;
/// Bytes and rows of a block of a typed surface, and bytes of the whole with padding.
const MOST_TYPED_BYTES: u32 = 64;
const MOST_TYPED_ROWS: u32 = 64;
const MOST_TYPED_AREA: u32 = 256;

/// A block of an untyped surface.
#[derive(Clone, Copy)]
struct Block {
    kind: LscShapeKind,
    element_bytes: u32,
    n_blocks: u32,
    width: u32,
    height: u32,
    is_transposed: bool,
    is_vnni: bool,
    is_load: bool,
    /// A load without a destination.
    is_prefetch: bool,
}

impl Block {
    /// The block that a message moves; nothing if its data have another shape.
    fn of(message: &Message, data: &Data) -> Option<Self> {
        let LscShapeKind::Block2d { n_blocks, width, height, is_transposed, is_vnni } = data.shape.kind else {
            return None;
        };
        let is_load = message.class == Class::Load;
        let is_prefetch = is_load && data.is_null();
        let element_bytes = u32::from(data.shape.size.memory_bytes);
        let kind = data.shape.kind;
        Some(Self { kind, element_bytes, n_blocks, width, height, is_transposed, is_vnni, is_load, is_prefetch })
    }

    /// Bytes of a row of all blocks.
    fn row_bytes(self) -> u64 {
        u64::from(self.width) * u64::from(self.n_blocks) * u64::from(self.element_bytes)
    }

    /// Rows in registers.
    fn rows(self) -> u32 {
        if self.is_transposed { self.width } else { self.height }
    }

    /// Bytes in registers: rows are padded to a power of two elements, and blocks to whole registers. A load fills its last
    /// row up with zeros, a store leaves the rest of it alone.
    fn bytes(self, grf_bytes: u32) -> i64 {
        let (row, rows) = self.kind.block_rows().unwrap_or_default();
        let unread = if self.is_load || self.is_transposed { 0 } else { row.saturating_sub(u64::from(self.width)) };
        let elements = row.saturating_mul(rows).saturating_sub(unread);
        let block = elements.saturating_mul(u64::from(self.element_bytes));
        let padded = block.saturating_add(u64::from(grf_bytes) - 1) / u64::from(grf_bytes) * u64::from(grf_bytes);
        let all = u64::from(self.n_blocks - 1).saturating_mul(padded).saturating_add(block);
        i64::try_from(all).unwrap_or(i64::MAX)
    }

    /// The numbers of blocks that a load may have.
    fn block_counts(self, platform: Platform) -> &'static [u32] {
        match self.element_bytes {
            _ if self.is_transposed && !self.is_vnni => &[1],
            1 | 2 => &[1, 2, 4],
            _ if self.is_prefetch && platform >= Platform::XE3P_CRI => &[1, 2, 4],
            4 => &[1, 2],
            _ => &[1],
        }
    }

    /// The worst fault of its size on a platform.
    fn fault(self, platform: Platform) -> Option<(Level, String)> {
        self.error(platform).map(|text| (Level::Error, text)).or(self.warning().map(|text| (Level::Warning, text)))
    }

    fn error(self, platform: Platform) -> Option<String> {
        let is_xe3p = platform >= Platform::XE3P_CRI;
        let bytes = self.row_bytes();
        if !self.is_load && self.n_blocks != 1 {
            return Some(format!("a store moves one block, not {}", self.n_blocks));
        }
        if !self.is_load && self.is_vnni {
            return Some("a store has no VNNI transform: its second letter is `n`".to_owned());
        }
        let most = if self.is_load { MOST_ROW_BYTES } else { MOST_STORED_ROW_BYTES };
        if bytes > most && !(self.is_prefetch && is_xe3p && bytes == PREFETCH_ROW_BYTES) {
            let what = if self.is_load { "2D load" } else { "2D store" };
            return Some(format!(
                "rows of {} x {} bytes are too wide for a {what}, at most {most} bytes",
                self.n_blocks,
                bytes / u64::from(self.n_blocks)
            ));
        }
        let most_rows = if is_xe3p { 64 } else { 32 };
        if self.rows() > most_rows {
            return Some(format!("{} rows are too many, at most {most_rows}", self.rows()));
        }
        let counts = self.block_counts(platform);
        if self.is_load && !counts.contains(&self.n_blocks) {
            let counts = join_or(counts.iter().map(u32::to_string));
            return Some(format!("{} blocks of `d{}`: expected {counts}", self.n_blocks, 8 * self.element_bytes));
        }
        if self.is_transposed { self.transposition_error(is_xe3p) } else { None }
    }

    /// What to do where a smaller block would be as wrong.
    const fn remedy(self) -> Option<&'static str> {
        if self.is_vnni && !self.is_load {
            return Some("store the block without the transform, and rearrange its elements before that");
        }
        match self.element_bytes {
            1 | 2 if self.is_transposed && !self.is_vnni => {
                Some("leave out the transposition, or move the elements as parts of `d32`")
            }
            _ => None,
        }
    }

    fn transposition_error(self, is_xe3p: bool) -> Option<String> {
        let size = 8 * self.element_bytes;
        let (most_width, least_height, most_height) = match self.element_bytes {
            bytes if is_xe3p => (64 / bytes, 1, 32),
            4 => (16, 1, 32),
            8 => (4, 8, 8),
            _ => return Some(format!("blocks of `d{size}` cannot be transposed, only `d32` and `d64`")),
        };
        if self.width <= most_width && (least_height..=most_height).contains(&self.height) {
            return None;
        }
        let height = if least_height == most_height { "exactly" } else { "at most" };
        Some(format!("a transposed block of `d{size}` is at most {most_width} wide and {height} {most_height} high"))
    }

    /// What the reference takes and the hardware does not.
    fn warning(self) -> Option<String> {
        let size = 8 * self.element_bytes;
        if !self.is_load {
            if self.is_transposed {
                return Some("the hardware does not transpose what it stores".to_owned());
            }
            let bytes = self.row_bytes();
            if bytes > MOST_ROW_BYTES {
                return Some(format!(
                    "rows of {bytes} bytes are too wide for the hardware, at most {MOST_ROW_BYTES} bytes"
                ));
            }
            if self.rows() > MOST_STORED_ROWS {
                return Some(format!("{} rows are too many for the hardware, at most {MOST_STORED_ROWS}", self.rows()));
            }
            return None;
        }
        if !self.is_vnni {
            return None;
        }
        if self.is_transposed {
            return Some("the hardware does not transpose and make the VNNI transform at once".to_owned());
        }
        if self.element_bytes >= 4 {
            return Some(format!("the VNNI transform packs elements into dwords: `d{size}` has nothing to pack"));
        }
        let rows = 4 / self.element_bytes;
        (!self.height.is_multiple_of(rows))
            .then(|| format!("the VNNI transform packs {rows} rows of `d{size}`, and {} is no multiple", self.height))
    }
}

/// Checks the parameters of the surface where registers are known to hold them.
pub fn numbers(message: &Message, sink: &mut Sink) {
    if let Some(block) = message.data.as_ref().and_then(|data| Block::of(message, data)) {
        surface(message, block, sink);
    }
}

/// Checks a message that moves blocks.
pub fn check(message: &Message, sink: &mut Sink) {
    let Some(data) = &message.data else { return };
    match data.shape.kind {
        LscShapeKind::Block2d { .. } => {
            let size = data.shape.size;
            if size.is_conversion() {
                let text =
                    format!("`{}`: a block has `:d8`, `:d16`, `:d32` or `:d64`", message.view.text(data.size_span));
                sink.report(
                    Diagnostic::new(&UNSUPPORTED_BLOCK_SHAPE, data.size_span, text).note(document(message.view)),
                );
            } else if let Some(block) = Block::of(message, data) {
                untyped(message, data, block, sink);
            }
        }
        LscShapeKind::TypedBlock2d { width, height } => typed(message, data, width, height, sink),
        _ => {}
    }
}

fn untyped(message: &Message, data: &Data, block: Block, sink: &mut Sink) {
    let view = message.view;
    let level = |platform| block.fault(platform).map_or(Level::Off, |(level, _)| level);
    let n_before = sink.diagnostics.len();
    sink.report_by_platform(view.cx, level, |platform| {
        let text = block.fault(platform).map_or_else(String::new, |(_, text)| text);
        let diagnostic = Diagnostic::new(&UNSUPPORTED_BLOCK_SHAPE, data.spans.suffix, text).note(document(view));
        match block.remedy() {
            Some(remedy) => diagnostic.help(remedy),
            None => diagnostic,
        }
    });
    let is_error = sink.diagnostics[n_before..].iter().any(|d| d.level == Level::Error);
    if !is_error {
        registers(message, data, |grf| block.bytes(grf), sink);
        surface(message, block, sink);
    }
}

fn typed(message: &Message, data: &Data, width: u32, height: u32, sink: &mut Sink) {
    let view = message.view;
    let pitch = width.checked_next_power_of_two().unwrap_or(u32::MAX).max(4);
    let text = if width > MOST_TYPED_BYTES {
        format!("a row of {width} bytes is too wide for a block of a typed surface, at most {MOST_TYPED_BYTES} bytes")
    } else if height > MOST_TYPED_ROWS || pitch.saturating_mul(height) > MOST_TYPED_AREA {
        let most = (MOST_TYPED_AREA / pitch).min(MOST_TYPED_ROWS);
        format!("{height} rows of {width} bytes are too many, at most {most}")
    } else {
        let bytes = i64::from(pitch * (height - 1) + width);
        registers(message, data, |_| bytes, sink);
        return;
    };
    sink.report(Diagnostic::new(&UNSUPPORTED_BLOCK_SHAPE, data.spans.suffix, text).note(document(view)));
}

/// Checks the registers of the data.
fn registers(message: &Message, data: &Data, needed: impl Fn(u32) -> i64, sink: &mut Sink) {
    if data.is_null() {
        return;
    }
    let register = Register::of_data(message, data);
    if register.check_extent(message.view, sink, needed) {
        register.check_alignment(message.view, sink);
    }
}

/// Checks width and pitch of the surface, where they are numbers. They stand there minus one.
fn surface(message: &Message, block: Block, sink: &mut Sink) {
    let [_, width, _, pitch, ..] = message.items() else { return };
    let number = |item: usize| message.number(item).map(|number| number.saturating_add(1));
    let mut warn = |span: Span, text: String| {
        sink.report(
            Diagnostic::new(&VALUE_OUT_OF_RANGE, span, text)
                .level(Level::Warning)
                .note("width and pitch of the surface are given in bytes, minus one"),
        );
    };
    let row_bytes = i64::try_from(block.row_bytes()).unwrap_or(i64::MAX);
    let width_bytes = number(1);
    match number(3) {
        Some(bytes) if bytes < row_bytes => {
            warn(
                pitch.span,
                format!("the pitch of {bytes} bytes is less than the {row_bytes} bytes of the block's rows"),
            );
        }
        Some(bytes) if bytes < LEAST_SURFACE_BYTES => {
            warn(pitch.span, format!("the pitch of {bytes} bytes is less than {LEAST_SURFACE_BYTES}"));
        }
        Some(bytes) if width_bytes.is_some_and(|width| bytes < width) => {
            let width = width_bytes.unwrap_or_default();
            warn(pitch.span, format!("the pitch of {bytes} bytes is less than the surface's width of {width}"));
        }
        _ => {}
    }
    if let Some(bytes) = width_bytes.filter(|bytes| *bytes < LEAST_SURFACE_BYTES) {
        warn(width.span, format!("the surface's width of {bytes} bytes is less than {LEAST_SURFACE_BYTES}"));
    }
}
