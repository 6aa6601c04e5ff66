//! Data: shapes that the message takes, and the registers that they fill.

use super::message::{Class, Data, Message, Unit};
use super::register::Register;
use super::wide::{Mode, Modes};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::{Level, Rule};
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::checks::kernel::has_cm_target;
use crate::checks::sampler::UNSUPPORTED_CHANNEL;
use crate::checks::table::document;
use crate::checks::table::exec_size::{UNSUPPORTED_EXEC_SIZE, missing_no_mask};
use crate::lower::modifier::EMPTY_CHANNEL_MASK;
use crate::program::ObjectKind;
use crate::program::lsc::{LscDataSize, LscShapeKind};
use crate::program::pardon::Pardon;
use crate::spec::family::Check;
use crate::spec::{self, Platform};

crate::declare_rule! {
    /// A data shape that exists but not for this message: a size, a vector length, or a transposed shape. Vectors of more
    /// than one element per lane need `d32` or `d64`, the converting sizes take no vectors, atomic operations work on one
    /// element, and bytes and words should be loaded with `d8u32` and `d16u32`.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUB:d8x4 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32x4 flat[VUQ]:a64
    /// ```
    pub UNSUPPORTED_DATA_SHAPE = "unsupported-data-shape", Error | Warning, "LSC_UNTYPED",
        help = "choose a data shape that this message takes, or split it into several messages"
}

crate::declare_rule! {
    /// A message with more data than one message carries: eight registers, apart from 2D blocks.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// lsc_load.ugm (M1, 32) VUD:d32x4 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// lsc_load.ugm (M1, 32) VUD:d32x2 flat[VUQ]:a64
    /// ```
    pub OVERSIZED_MESSAGE = "oversized-message", Error | Pedantic, "LSC_UNTYPED",
        help = "split the data into several messages"
}

/// The most data of one message.
const MAX_REGISTERS: u32 = 8;

/// Variables of that many registers make older assemblers print an assertion about typed messages.
const NOISY_REGISTERS: u32 = 32;

/// The channel `x`, whose bits are those of a vector length of 1.
const ONE_ELEMENT: u8 = 1;

/// Lanes that a message is widened to if it has fewer.
fn least_lanes(platform: Platform) -> u32 {
    if platform < Platform::PVC { 8 } else { 16 }
}

/// The greatest execution size of typed messages. The manual speaks of DG2 and PVC; the compiler uses 32 from Xe2 on.
fn most_typed_lanes(platform: Platform) -> u32 {
    match platform {
        _ if platform < Platform::PVC => 8,
        _ if platform < Platform::XE2 => 16,
        _ => 32,
    }
}

/// How the elements of a message lie in registers.
#[derive(Clone, Copy)]
pub struct Layout {
    /// Elements per lane: the vector length, or the number of channels.
    pub n_elements: u32,
    /// Bytes of an element in registers.
    pub element_bytes: u32,
    /// Whether the elements are consecutive, for one lane.
    pub is_transposed: bool,
}

impl Layout {
    /// Bytes from the first one to the last one of `lanes` lanes. Each element has registers of its own.
    #[must_use]
    pub fn bytes(self, lanes: u32, grf_bytes: u32) -> i64 {
        if self.is_transposed {
            return i64::from(self.n_elements * self.element_bytes);
        }
        let row = lanes * self.element_bytes;
        i64::from((self.n_elements - 1) * row.next_multiple_of(grf_bytes) + row)
    }

    /// Registers that the message carries.
    #[must_use]
    pub fn registers(self, lanes: u32, grf_bytes: u32) -> u32 {
        if self.is_transposed {
            return (self.n_elements * self.element_bytes).div_ceil(grf_bytes).max(1);
        }
        self.n_elements * (lanes * self.element_bytes / grf_bytes).max(1)
    }
}

/// Checks data and execution size of one message that is no 2D block.
pub fn check(message: &Message, modes: &Modes, sink: &mut Sink) {
    typed_lanes(message, sink);
    let Some(data) = &message.data else { return };
    let check = DataCheck { message, data };
    let Some(layout) = check.shape(modes, sink) else { return };
    check.registers(layout, sink);
}

/// Checks the shape of data of one message that is no 2D block, whatever registers hold them.
pub fn shape(message: &Message, modes: &Modes, sink: &mut Sink) {
    if let Some(data) = &message.data {
        DataCheck { message, data }.shape(modes, sink);
    }
}

/// Checks the execution size of typed messages.
fn typed_lanes(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let (true, Some(lanes)) = (message.has_coordinates(), message.lanes) else { return };
    let failing = view.cx.failing(|p| lanes > most_typed_lanes(*p));
    sink.report_on(view.cx, failing, || {
        let platform = failing.iter().next().unwrap_or(Platform::DG2);
        let (most, name) = (most_typed_lanes(platform), platform.name());
        let text = format!("the execution size {lanes} is too large for a typed message on {name}");
        Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, text)
            .label(format!("expected at most {most}"))
            .note(document(view))
    });
}

/// One data operand under checking.
struct DataCheck<'m, 'a> {
    message: &'m Message<'a>,
    data: &'m Data<'a>,
}

impl DataCheck<'_, '_> {
    fn report(&self, sink: &mut Sink, rule: &'static Rule, span: Span, level: Level, text: String) {
        sink.report(Diagnostic::new(rule, span, text).level(level).note(document(self.message.view)));
    }

    /// Checks the shape; gives the layout unless the shape is wrong.
    fn shape(&self, modes: &Modes, sink: &mut Sink) -> Option<Layout> {
        let size = self.data.shape.size;
        let element_bytes = u32::from(size.register_bytes);
        match self.data.shape.kind {
            LscShapeKind::Vector { n_elements, is_transposed } => {
                if self.message.is_quad() {
                    let written = self.message.view.text(self.data.spans.suffix);
                    let mnemonic = self.message.view.row.mnemonic;
                    let text = format!(
                        "`{mnemonic}` needs its channels: `{written}` is a vector length, which is taken for other channels"
                    );
                    let shape = format!(":{}.x", size.text());
                    sink.report(
                        Diagnostic::new(&EMPTY_CHANNEL_MASK, self.data.spans.suffix, text)
                            .help(format!("write `{shape}` or the channels that are meant, in the order `xyzw`"))
                            .note(document(self.message.view)),
                    );
                    return None;
                }
                let n_elements = u32::from(n_elements);
                let fits = match self.message.class {
                    Class::Atomic | Class::Counter => self.atomic_shape(size, n_elements, is_transposed, sink),
                    _ if is_transposed => self.transposed_shape(size, n_elements, sink),
                    _ => self.vector_shape(size, n_elements, sink),
                };
                fits.then_some(Layout { n_elements, element_bytes, is_transposed })
            }
            LscShapeKind::Channels(bits) => {
                if !self.message.is_quad() {
                    self.surplus_channels(bits, sink);
                    let layout = Layout { n_elements: 1, element_bytes, is_transposed: false };
                    return (bits == ONE_ELEMENT).then_some(layout);
                }
                self.channels(bits, modes, sink).then_some(())?;
                self.quad_size(size, sink);
                Some(Layout { n_elements: bits.count_ones(), element_bytes, is_transposed: false })
            }
            LscShapeKind::Block2d { .. } | LscShapeKind::TypedBlock2d { .. } => None,
        }
    }

    fn surplus_channels(&self, bits: u8, sink: &mut Sink) {
        // The codes of the vector lengths, in the order of the numbers that the bits make.
        const LENGTHS: [&str; 9] = ["", "x1", "x2", "x3", "x4", "x8", "x16", "x32", "x64"];
        let written = self.message.view.text(self.data.tail_span);
        let mnemonic = self.message.view.row.mnemonic;
        let (text, level) = match LENGTHS.get(usize::from(bits)) {
            Some(&"x1") => {
                (format!("`{mnemonic}` has no channels: `{written}` is taken for a vector length of 1"), Level::Warning)
            }
            Some(length) => (
                format!("`{mnemonic}` has no channels: `{written}` is taken for the vector length `{length}`"),
                Level::Error,
            ),
            None => {
                (format!("`{mnemonic}` has no channels, and `{written}` stands for no vector length"), Level::Error)
            }
        };
        let diagnostic = Diagnostic::new(&UNSUPPORTED_CHANNEL, self.data.tail_span, text).level(level);
        let diagnostic = diagnostic.note(document(self.message.view));
        sink.report(match (level, bits.count_ones()) {
            (Level::Warning, _) => diagnostic.replace(self.data.tail_span, "", true),
            (_, n) if bits == (1 << n) - 1 => diagnostic.replace(self.data.tail_span, format!("x{n}"), false),
            _ => diagnostic,
        });
    }

    /// Checks the channels of a quad message.
    fn channels(&self, bits: u8, modes: &Modes, sink: &mut Sink) -> bool {
        let view = self.message.view;
        if !view.row.has(Check::LeadingChannels) || matches!(bits, 0b1 | 0b11 | 0b111 | 0b1111) {
            return true;
        }
        let is_typed = self.message.unit == Some(Unit::Tgm);
        let failing = view.cx.failing(|p| is_typed || modes.mode(view, *p) == Mode::Impossible);
        sink.report_on(view.cx, failing, || {
            let written = view.text(self.data.tail_span);
            Diagnostic::new(
                &UNSUPPORTED_CHANNEL,
                self.data.tail_span,
                format!("a store cannot leave out channels as `{written}` does"),
            )
            .label("expected `.x`, `.xy`, `.xyz` or `.xyzw`")
            .note(document(view))
        });
        !view.cx.concerns(failing)
    }

    fn quad_size(&self, size: LscDataSize, sink: &mut Sink) {
        let span = self.data.size_span;
        let written = self.message.view.text(span);
        if self.message.unit == Some(Unit::Tgm) {
            if size.text() != "d32" {
                let text = format!("typed data are `:d32`, not `{written}`");
                self.report(sink, &UNSUPPORTED_DATA_SHAPE, span, Level::Warning, text);
            }
        } else if size.register_bytes < 4 {
            let text = format!("quad messages have no `{written}`: use `:d32`");
            self.report(sink, &UNSUPPORTED_DATA_SHAPE, span, Level::Warning, text);
        }
    }

    fn unsupported(&self, sink: &mut Sink, level: Level, text: String) {
        self.report(sink, &UNSUPPORTED_DATA_SHAPE, self.data.spans.suffix, level, text);
    }

    fn written(&self) -> &str {
        self.message.view.text(self.data.spans.suffix)
    }

    /// Checks the shape of an atomic operation.
    fn atomic_shape(&self, size: LscDataSize, n_elements: u32, is_transposed: bool, sink: &mut Sink) -> bool {
        let (message, written) = (self.message, self.written());
        let mnemonic = message.view.row.mnemonic;
        let is_shared = message.unit == Some(Unit::Slm);
        let is_wanted = match message.class {
            Class::Counter => size.text() == "d32",
            _ => matches!(size.text(), "d16u32" | "d32" | "d64"),
        };
        let error = if is_transposed {
            format!("`{written}`: atomic operations do not transpose")
        } else if n_elements != 1 {
            format!("`{written}`: atomic operations take one element per lane")
        } else if !is_wanted && message.class == Class::Counter {
            format!("`{written}`: append counters are `:d32`")
        } else if !is_wanted {
            format!("`{written}`: atomic operations take `:d16u32` (`:d16c32`), `:d32` or `:d64`")
        } else if size.text() == "d64" && is_shared && !message.view.row.has(Check::SharedQwords) {
            let only = spec::instructions().iter().find(|row| row.has(Check::SharedQwords)).map_or("", |r| r.mnemonic);
            format!("`{written}`: the only atomic operation of 64 bits in shared local memory is `{only}`")
        } else {
            if size.text() == "d64" && message.view.row.has(Check::NoQwords) {
                self.unsupported(sink, Level::Warning, format!("`{mnemonic}` has no `{written}`"));
            }
            return true;
        };
        self.unsupported(sink, Level::Error, error);
        false
    }

    /// Checks a shape with `t`: one lane, consecutive elements.
    fn transposed_shape(&self, size: LscDataSize, n_elements: u32, sink: &mut Sink) -> bool {
        let (view, written) = (self.message.view, self.written());
        let Some(lanes) = self.message.lanes else { return false };
        if lanes != 1 {
            let text = format!("`{written}` is one block of data, which one lane accesses");
            let diagnostic = Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, text).label("expected 1");
            sink.report(diagnostic.note(document(view)));
            return false;
        }
        if size.is_conversion() && n_elements > 1 {
            self.unsupported(sink, Level::Error, format!("`{written}`: the converting sizes take no vectors"));
            return false;
        }
        let is_first_on = self.is_first_lane_on();
        if !view.instruction.no_mask && !is_first_on {
            let text = format!("the whole block `{written}` depends on the first lane of the mask");
            sink.report(missing_no_mask(view, text).level(Level::Warning));
        }
        if size.register_bytes < 4 {
            let text = format!("`{written}`: a block of data is `:d32` or `:d64`, there are no smaller ones");
            self.unsupported(sink, Level::Warning, text);
        }
        true
    }

    /// Whether the first lane is switched on although the execution mask is in force: outside of branches, in a statement
    /// of a host, whose sub-groups begin with it, and in a media kernel of a compiler, which dispatches all lanes.
    fn is_first_lane_on(&self) -> bool {
        let view = self.message.view;
        let program = view.cx.program;
        if let Some(fragment) = &program.fragment {
            return !fragment.is_conditional;
        }
        let object = &program.objects[program.object_of(view.index)];
        Pardon::Interface.holds_in(program)
            && object.kind == ObjectKind::Kernel
            && !object.parts_lanes
            && has_cm_target(view.cx, object)
    }

    /// Checks a shape in which each lane has its elements.
    fn vector_shape(&self, size: LscDataSize, n_elements: u32, sink: &mut Sink) -> bool {
        let written = self.written();
        let is_ugml = self.message.unit == Some(Unit::Ugml);
        let error = if size.is_conversion() && n_elements > 1 {
            format!("`{written}`: the converting sizes take no vectors")
        } else if size.register_bytes < 4 && n_elements > 1 {
            format!("`{written}`: vectors need `:d32` or `:d64`")
        } else if is_ugml && !matches!(n_elements, 1 | 2 | 4) {
            format!("`{written}`: vectors of `.ugml` have 1, 2 or 4 elements")
        } else if n_elements > 8 {
            format!(
                "`{written}`: vectors of more than 8 elements are transposed, as in `:{}x{n_elements}t`",
                size.text()
            )
        } else {
            if size.register_bytes < 4 {
                let wider = if size.memory_bytes == 1 { "d8u32" } else { "d16u32" };
                let text = format!("`{written}` has no layout in registers: `:{wider}` gives each lane a dword");
                self.unsupported(sink, Level::Warning, text);
            }
            return true;
        };
        self.unsupported(sink, Level::Error, error);
        false
    }

    /// Checks the registers of the data.
    fn registers(&self, layout: Layout, sink: &mut Sink) {
        let (message, view) = (self.message, self.message.view);
        let Some(lanes) = message.lanes else { return };
        let failing = view.cx.failing_grf(|grf| layout.registers(lanes, grf) > MAX_REGISTERS);
        if !failing.is_empty() && view.cx.concerns(failing) {
            sink.report_on(view.cx, failing, || {
                let n_registers = layout.registers(lanes, failing.grf_sizes().next().unwrap_or(32));
                let text = format!("the message has {n_registers} registers of data");
                Diagnostic::new(&OVERSIZED_MESSAGE, self.data.spans.suffix, text)
                    .label(format!("expected at most {MAX_REGISTERS}"))
                    .note(document(view))
            });
            return;
        }
        if self.data.is_null() {
            return;
        }
        let register = Register::of_data(self.message, self.data);
        let needed = |grf| if message.class == Class::Status { 4 } else { layout.bytes(lanes, grf) };
        if !register.check_extent(view, sink, needed) {
            return;
        }
        register.check_alignment(view, sink);
        self.widened(&register, layout, lanes, sink);
        self.noisy_variable(sink);
    }

    /// Loads of few lanes write the registers of more. So do atomic operations, but there the compiler does not care.
    fn widened(&self, register: &Register, layout: Layout, lanes: u32, sink: &mut Sink) {
        let view = self.message.view;
        if self.message.class != Class::Load || layout.is_transposed {
            return;
        }
        let needed = |platform: Platform| {
            let row = least_lanes(platform).max(lanes) * layout.element_bytes;
            i64::from(layout.n_elements * row.max(platform.grf_bytes()))
        };
        register.warn_extent(view, sink, |p| lanes < least_lanes(p), needed);
    }

    fn noisy_variable(&self, sink: &mut Sink) {
        let view = self.message.view;
        let program = view.cx.program;
        let is_concerned =
            self.message.unit == Some(Unit::Tgm) && matches!(self.message.class, Class::Store | Class::Atomic);
        if !is_concerned {
            return;
        }
        let root = program.variables[self.data.variable].root;
        let failing = view.cx.failing_grf(|grf| program.variable_bytes(root, grf) >= NOISY_REGISTERS * grf);
        sink.report_on(view.cx, failing, || {
            let text =
                format!("older assemblers complain of typed data in a variable of {NOISY_REGISTERS} registers or more");
            Diagnostic::new(&OVERSIZED_MESSAGE, Register::of_data(self.message, self.data).span, text)
                .level(Level::Pedantic)
        });
    }
}
