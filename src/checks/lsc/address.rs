//! Addresses: model, size, surface, and what stands between the brackets.

use super::message::{Class, Message, Unit};
use super::register::Register;
use super::wide::{Mode, Modes};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::common::lsc::MISALIGNED_ADDRESS;
use crate::checks::context::Sink;
use crate::checks::table::document;
use crate::checks::table::null::UNEXPECTED_NULL;
use crate::checks::table::types::UNSUPPORTED_TYPE;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::lsc::{AddressModel, AddressSize, LscAddress, LscItem, LscValue};
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_BROKEN, FLAG_OPEN};
use crate::program::{OperandSpans, VariableId};
use crate::spec::family::Check;
use crate::spec::{Platform, TypeSet};

crate::declare_rule! {
    /// An address model that the unit or the operation does not take: shared local memory is `flat`, typed surfaces and
    /// append counters need a surface, 2D blocks are `flat`, and `surf` or a base after `flat` exists only in the 64-bit
    /// mode of Xe3P.
    ///
    /// ```visa bad
    /// lsc_load.slm (M1, 16) VUD:d32 bti(0x1)[VD]:a32
    /// ```
    /// ```visa good
    /// lsc_load.slm (M1, 16) VUD:d32 flat[VD]:a32
    /// ```
    pub UNSUPPORTED_ADDRESS_MODEL = "unsupported-address-model", Error | Warning, "LSC_UNTYPED",
        help = "choose an address model that this message takes"
}

crate::declare_rule! {
    /// An address size that does not go with the unit: `:a16` is for shared local memory, `:a64` for global memory, typed
    /// surfaces take `:a32`, and `:a32u` and `:a32s` exist only in the 64-bit mode of Xe3P.
    ///
    /// ```visa bad
    /// lsc_load.slm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    pub UNSUPPORTED_ADDRESS_SIZE = "unsupported-address-size", Error | Warning, "LSC_UNTYPED"
}

crate::declare_rule! {
    /// A `flat` address of 32 bits in global memory. It is relative to the general state base address, not to a buffer,
    /// which is hardly ever meant.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VD]:a32
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 bti(0x1)[VD]:a32
    /// ```
    pub STATELESS_32_BIT_ADDRESS = "stateless-32-bit-address", Warning | Pedantic, "LSC_UNTYPED",
        help = "write `:a64` with addresses of 64 bits, or name the buffer by `bti(...)`"
}

crate::declare_rule! {
    /// A part of an operand that assemblers read and throw away: the index of a surface that has no array, the scale of an
    /// address that takes none, the size of a source whose size the destination gives.
    ///
    /// ```visa bad
    /// .version 4.2
    /// .kernel "k"
    /// .decl A v_type=G type=ud num_elts=16 align=GRF
    /// .decl D v_type=G type=ud num_elts=16 align=GRF
    /// .decl S v_type=G type=ud num_elts=1 align=dword
    /// .kernel_attr Target="cm"
    /// .input S offset=64 size=4
    /// .input A offset=128 size=64
    /// .function "k_main"
    /// k_main:
    /// lsc_load.ugm (M1, 16) D:d32 bss(S,0x3)[A]:a32
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 bss(VD2)[VD]:a32
    /// ```
    pub IGNORED_OPERAND_PART = "ignored-operand-part", Warning, "LSC_UNTYPED",
        help = "remove it, or put what it says into the address: the hardware never sees it"
}

const QWORDS: TypeSet = TypeSet::of(&[crate::spec::Type::Q, crate::spec::Type::UQ]);
const DWORDS: TypeSet = TypeSet::of(&[crate::spec::Type::D, crate::spec::Type::UD]);
const WORDS: TypeSet = TypeSet::of(&[crate::spec::Type::W, crate::spec::Type::UW]);

/// The parameters of a 2D block, in their order.
const BLOCK_PARAMETERS: [&str; 6] = ["base", "width", "height", "pitch", "x", "y"];

/// No platform has that much shared local memory.
const MOST_SHARED_BYTES: u64 = 1 << 20;

/// The bit that compilers set in local pointers to tell them from others; accesses to shared local memory ignore it.
const LOCAL_POINTER: u64 = 1 << 28;

/// Whether an offset leads out of shared local memory whatever it is added to: it is near neither end of a local pointer.
fn leads_out(offset: i64) -> bool {
    [0, LOCAL_POINTER].iter().all(|base| offset.unsigned_abs().abs_diff(*base) >= MOST_SHARED_BYTES)
}

/// Checks the address of one message.
pub fn check(message: &Message, modes: &Modes, sink: &mut Sink) {
    let Some((address, spans)) = message.address else { return };
    let mut check = AddressCheck { message, modes, address, spans, is_wrong_size: false };
    if check.model(sink) {
        return;
    }
    check.surface(sink);
    check.is_wrong_size = check.size(sink);
    for (i, item) in message.items().iter().enumerate() {
        check.item(i, item, sink);
    }
}

/// Checks the numbers that registers of the address are known to hold: its surface and its pitch.
pub fn numbers(message: &Message, sink: &mut Sink) {
    let Some((address, _)) = message.address else { return };
    if let Some(index) = message.known.surface() {
        surface_number(message, address, i64::from(index), sink);
    }
    if message.is_strided() {
        pitch_number(message, sink);
    }
}

/// Checks the number of a surface.
fn surface_number(message: &Message, address: &LscAddress, index: i64, sink: &mut Sink) {
    if address.model != AddressModel::Bti || (0..240).contains(&index) {
        return;
    }
    let (text, level) = if (240..256).contains(&index) {
        ("the binding table indices 240 to 255 are reserved", Level::Pedantic)
    } else {
        ("a binding table index lies between 0 and 255", Level::Warning)
    };
    let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, address.surface_span, text).level(level);
    sink.report(diagnostic.note(document(message.view)));
}

/// Checks the number of a pitch.
fn pitch_number(message: &Message, sink: &mut Sink) {
    let (Some(item), Some(pitch)) = (message.items().get(1), message.number(1)) else { return };
    if (0..=0xffff).contains(&pitch) {
        return;
    }
    let text = format!("the pitch `{}` does not fit 16 bits", message.view.text(item.span));
    let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, item.span, text).label("expected 0 to 0xffff");
    sink.report(diagnostic.note(document(message.view)));
}

/// One address under checking.
struct AddressCheck<'m, 'a> {
    message: &'m Message<'a>,
    modes: &'m Modes,
    address: &'a LscAddress,
    spans: &'a OperandSpans,
    /// Whether the address size was reported, so that nothing is to be concluded from it.
    is_wrong_size: bool,
}

impl AddressCheck<'_, '_> {
    fn mode(&self, platform: Platform) -> Mode {
        self.modes.mode(self.message.view, platform)
    }

    /// Whether the address is an operand that the host declares as a pointer of 64 bits.
    fn takes_pointer(&self) -> bool {
        let Some(fragment) = self.message.view.cx.program.fragment.as_deref() else { return false };
        let Some(LscItem { value: LscValue::Register { variable, .. } | LscValue::Element { variable, .. }, .. }) =
            self.message.items().first()
        else {
            return false;
        };
        fragment.operands.iter().any(|o| o.variable == *variable && o.is_wide_pointer)
    }

    /// The word of the model, or the bracket that begins an address without one.
    fn model_place(&self) -> Span {
        if self.address.has_model {
            self.address.model_span
        } else {
            Span::new(self.spans.whole.start, self.spans.whole.start + 1)
        }
    }

    fn report(&self, sink: &mut Sink, diagnostic: Diagnostic) {
        sink.report(diagnostic.note(document(self.message.view)));
    }

    /// Checks the model. Returns whether it is wrong everywhere, so that nothing else is checked.
    fn model(&self, sink: &mut Sink) -> bool {
        let (message, address) = (self.message, self.address);
        let (model, place) = (address.model, self.model_place());
        let word = model.text();
        let error = |text: String| Diagnostic::new(&UNSUPPORTED_ADDRESS_MODEL, place, text);
        let needs_surface = matches!(message.class, Class::Counter | Class::StateInfo)
            || message.unit == Some(Unit::Tgm) && !message.is_block();
        let wrong = if needs_surface && !model.has_surface() {
            let mnemonic = message.view.row.mnemonic;
            Some(error(format!("`{mnemonic}` needs a surface: `bti(...)`, `ss(...)`, `bss(...)` or `surf(...)`")))
        } else if message.is_block() && model != AddressModel::Flat {
            Some(error(format!("the parameters of a 2D block stand after `flat`, not after `{word}`")))
        } else if message.is_block() && address.surface.is_some() {
            Some(error("`flat` takes no base before the parameters of a 2D block".to_owned()))
        } else if message.unit == Some(Unit::Slm) && model != AddressModel::Flat {
            Some(error(format!("`.slm` takes the model `flat`, not `{word}`")))
        } else if message.class == Class::CacheControl && model != AddressModel::Flat {
            Some(error(format!("`{}` takes the model `flat`, not `{word}`", message.view.row.mnemonic)))
        } else {
            None
        };
        if let Some(diagnostic) = wrong {
            self.report(sink, diagnostic);
            return true;
        }
        if model == AddressModel::Arg {
            let text = match (message.class, message.unit) {
                (Class::Load | Class::Status, Some(Unit::Ugm) | None) => return false,
                (Class::Load | Class::Status, Some(unit)) => {
                    format!("`arg` goes with `.ugm`, not with `.{}`", unit.word())
                }
                _ => "`arg` is the memory of the kernel's arguments, which is only read".to_owned(),
            };
            self.report(sink, error(text).level(Level::Warning));
        }
        if message.class == Class::CacheControl && address.surface.is_some_and(|base| !is_no_base(base)) {
            let base = message.view.text(address.surface_span);
            let text = format!("the base `{base}` is thrown away");
            self.report(sink, Diagnostic::new(&IGNORED_OPERAND_PART, address.surface_span, text));
        } else if model == AddressModel::Flat && address.surface.is_some_and(|base| !is_no_base(base)) {
            let failing = message.view.cx.failing(|p| self.mode(*p) == Mode::Impossible);
            sink.report_on(message.view.cx, failing, || {
                let base = message.view.text(address.surface_span);
                let text = format!("`flat` takes no base: `{base}` has to be 0 or `%null`");
                Diagnostic::new(&UNSUPPORTED_ADDRESS_MODEL, address.surface_span, text)
                    .note("only the 64-bit mode of Xe3P adds a base")
            });
        }
        let failing = match model {
            AddressModel::Surf => message.view.cx.failing(|p| self.mode(*p) == Mode::Impossible),
            AddressModel::Ss | AddressModel::Bss => message.view.cx.failing(|p| self.mode(*p) == Mode::Certain),
            _ => return false,
        };
        sink.report_on(message.view.cx, failing, || match model {
            AddressModel::Surf => error("`surf` exists only in the 64-bit mode of Xe3P".to_owned()),
            _ => error(format!("`{word}` is written `surf` in the 64-bit mode of this kernel"))
                .replace(place, "surf", false),
        });
        false
    }

    /// Checks what stands in the parentheses of the model.
    fn surface(&self, sink: &mut Sink) {
        let (message, address) = (self.message, self.address);
        let span = address.surface_span;
        match address.surface {
            Some(LscValue::Null) if address.model.has_surface() => {
                let text = format!("the surface of `{}` cannot be `%null`", address.model.text());
                self.report(sink, Diagnostic::new(&UNEXPECTED_NULL, span, text));
            }
            Some(LscValue::Immediate(index)) => surface_number(message, address, index, sink),
            Some(LscValue::Element { variable, row, column }) => {
                self.element(sink, "surface", span, variable, (row, column), TypeSet::NONE);
            }
            _ => {}
        }
        let has_array = address.model == AddressModel::Surf && !self.takes_numbers_only();
        if address.surface_index.is_some() && !has_array && message.view.cx.is_version_4_2() {
            let index = message.view.text(address.surface_index_span);
            let text = format!("the surface index `{index}` is thrown away");
            self.report(sink, Diagnostic::new(&IGNORED_OPERAND_PART, address.surface_index_span, text));
        }
    }

    /// Whether it is a block of a typed surface whose coordinates are numbers: assemblers lose the index there.
    fn takes_numbers_only(&self) -> bool {
        self.message.is_typed_block() && self.message.items().iter().all(|item| !item.value.is_register())
    }

    /// Checks one element of a variable that is used as a scalar.
    fn element(
        &self,
        sink: &mut Sink,
        what: &str,
        span: Span,
        variable: VariableId,
        place: (i32, i32),
        types: TypeSet,
    ) {
        let view = self.message.view;
        let row = &view.cx.program.variables[variable];
        let (row_offset, column) = place;
        if !(0..=255).contains(&row_offset) || !(0..=255).contains(&column) {
            let text = format!("the row and column of `{}` lie between 0 and 255", view.text(span));
            self.report(sink, Diagnostic::new(&VALUE_OUT_OF_RANGE, span, text).label("assemblers keep 8 bits of each"));
            return;
        }
        let bytes = i64::from(row.element_bytes());
        let byte_offset = i64::from(column) * bytes;
        let register = Register { variable, row: row_offset, byte_offset, span, is_written: false };
        let is_typed = types == TypeSet::NONE || row.is(FLAG_BROKEN | FLAG_OPEN) || types.contains(row.element_type);
        if !is_typed {
            let (name, own) = (view.cx.program.variable_name(variable), row.element_type.text());
            let text = format!("the {what} `{name}` has the type `{own}`");
            let diagnostic =
                Diagnostic::new(&UNSUPPORTED_TYPE, span, text).label(format!("expected {}", types.describe()));
            self.report(sink, register.declared(view, diagnostic));
            return;
        }
        register.check_extent(view, sink, |_| bytes);
    }

    /// Checks the address size against unit and model. Returns whether something was reported.
    fn size(&self, sink: &mut Sink) -> bool {
        let (message, address) = (self.message, self.address);
        let (Some(size), Some(unit)) = (address.size, message.unit) else { return false };
        let n_before = sink.diagnostics.len();
        let view = message.view;
        let is_flat = address.model == AddressModel::Flat;
        let level = |platform| {
            use AddressSize::{A16, A32, A32S, A32U, A64};
            let mode = self.mode(platform);
            let only_wide = matches!(size, A32U | A32S);
            let fits = match (unit, size) {
                _ if only_wide && mode == Mode::Impossible => false,
                _ if address.model == AddressModel::Arg => size == A32,
                _ if message.class == Class::CacheControl => size == A64,
                (Unit::Ugm | Unit::Ugml, _) => size != A16,
                (Unit::Slm, _) => size != A64,
                (Unit::Tgm, _) => matches!(size, A32 | A32U),
            };
            let is_wanted = match unit {
                _ if mode != Mode::Certain => true,
                Unit::Ugm if is_flat => size != A32,
                Unit::Ugm if address.model == AddressModel::Surf => size == A32U,
                Unit::Slm => size == A32,
                _ => true,
            };
            match (fits, is_wanted) {
                (false, _) => Level::Error,
                (true, false) => Level::Warning,
                (true, true) => Level::Off,
            }
        };
        sink.report_by_platform(view.cx, level, |platform| {
            let written = view.text(address.size_span);
            let text = if level(platform) == Level::Warning {
                format!("`{written}` is not taken here in the 64-bit mode of this kernel")
            } else if matches!(size, AddressSize::A32U | AddressSize::A32S) && self.mode(platform) == Mode::Impossible {
                format!("`{written}` exists only in the 64-bit mode of Xe3P")
            } else if address.model == AddressModel::Arg {
                format!("`arg` takes `:a32`, not `{written}`")
            } else {
                format!("`{written}` does not go with `.{}`", unit.word())
            };
            let diagnostic = Diagnostic::new(&UNSUPPORTED_ADDRESS_SIZE, address.size_span, text);
            let expected = expected_size(message, address, unit, self.mode(platform));
            diagnostic.label(format!("expected {expected}"))
        });
        if sink.diagnostics.len() > n_before {
            return true;
        }
        // Such an address is relative to the general state base address.
        let is_stateless = is_flat && size == AddressSize::A32 && matches!(unit, Unit::Ugm | Unit::Ugml);
        // The wrong size is reported where the pointer is.
        if is_stateless && !self.takes_pointer() && message.class != Class::CacheControl {
            // The compiler stores spilled registers so, and reaches everything so where the pointers of the source have 32 bits.
            let is_own = view.row.has(Check::RegisterSpill) || Pardon::ShortPointers.holds_in(view.cx.program);
            let level = if is_own { Level::Pedantic } else { Level::Warning };
            let level = |platform| if self.mode(platform) == Mode::Certain { Level::Off } else { level };
            sink.report_by_platform(view.cx, level, |_| {
                let text = "`flat` with `:a32` is relative to the general state base, not to a buffer";
                Diagnostic::new(&STATELESS_32_BIT_ADDRESS, self.model_place(), text).note(document(view))
            });
        }
        false
    }

    /// Checks the item at place `i` between the brackets.
    fn item(&self, i: usize, item: &LscItem, sink: &mut Sink) {
        let message = self.message;
        if message.is_block() {
            let is_payload = message.items().len() == 1;
            let name = if is_payload { "payload" } else { BLOCK_PARAMETERS[i.min(5)] };
            let types = match i {
                _ if is_payload => TypeSet::NONE,
                0 => QWORDS,
                _ => DWORDS,
            };
            return self.scalar(sink, name, item, types);
        }
        if message.is_typed_block() {
            return self.scalar(sink, if i == 0 { "x" } else { "y" }, item, DWORDS);
        }
        if message.is_strided() && i == 1 {
            pitch_number(message, sink);
            return self.scalar(sink, "pitch", item, TypeSet::NONE);
        }
        if item.value == LscValue::Null {
            let what =
                if message.has_coordinates() || message.class == Class::StateInfo { "coordinate" } else { "address" };
            let text = match (message.has_coordinates(), i) {
                (true, 1..) => "`%null` cannot be a coordinate: leave out what the surface has not".to_owned(),
                _ => format!("the {what} cannot be `%null`"),
            };
            // With a base the addresses of the lanes may be absent, and append counters have none.
            let may_be_null =
                self.address.size.is_none() && !message.has_coordinates() && message.class != Class::StateInfo;
            let failing = message.view.cx.failing(|p| !may_be_null || self.mode(*p) == Mode::Impossible);
            sink.report_on(message.view.cx, failing, || {
                Diagnostic::new(&UNEXPECTED_NULL, item.value_span, text).note(document(message.view))
            });
            return;
        }
        self.scale(item, sink);
        self.displacement(item, sink);
        self.register(item, sink);
    }

    /// Checks a parameter that is one element, or a number.
    fn scalar(&self, sink: &mut Sink, name: &str, item: &LscItem, types: TypeSet) {
        match item.value {
            LscValue::Null => {
                let text = format!("`{name}` cannot be `%null`");
                self.report(sink, Diagnostic::new(&UNEXPECTED_NULL, item.value_span, text));
            }
            LscValue::Element { variable, row, column } => {
                self.element(sink, name, item.value_span, variable, (row, column), types);
            }
            _ => {}
        }
    }

    fn scale(&self, item: &LscItem, sink: &mut Sink) {
        let view = self.message.view;
        let scale = item.scale;
        if scale == 1 {
            return;
        }
        if self.message.class == Class::CacheControl {
            let text = format!("the scale `{}` is thrown away", view.text(item.scale_span));
            self.report(sink, Diagnostic::new(&IGNORED_OPERAND_PART, item.scale_span, text));
            return;
        }
        let fits_field = (1..=0xffff).contains(&scale);
        let failing = view.cx.failing(|p| !fits_field || self.mode(*p) == Mode::Impossible);
        sink.report_on(view.cx, failing, || {
            let written = view.text(item.scale_span);
            let (text, label) = if fits_field {
                (format!("the scale `{written}` cannot be generated: only 1 is supported"), "expected 1")
            } else {
                (format!("the scale `{written}` does not fit 16 bits, or is not positive"), "expected 1 to 0xffff")
            };
            Diagnostic::new(&VALUE_OUT_OF_RANGE, item.scale_span, text)
                .label(label)
                .note("scales other than 1 exist only in the 64-bit mode of Xe3P; shift the addresses instead")
        });
    }

    fn displacement(&self, item: &LscItem, sink: &mut Sink) {
        let (message, view) = (self.message, self.message.view);
        let offset = item.displacement;
        if offset == 0 {
            return;
        }
        let written = || view.text(item.displacement_span);
        let is_short = self.address.size == Some(AddressSize::A16);
        if i32::try_from(offset).is_err() {
            let text = format!("the offset `{}` does not fit 32 bits", written());
            let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, item.displacement_span, text);
            self.report(sink, diagnostic.label("assemblers drop the upper bits"));
            return;
        }
        if is_short && !(-0x7fff..=0x7fff).contains(&offset) {
            let text = format!("the offset `{}` is too large for `:a16`", written());
            let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, item.displacement_span, text);
            self.report(sink, diagnostic.label("expected -0x7fff to 0x7fff"));
            return;
        }
        if message.unit == Some(Unit::Slm) && leads_out(offset) {
            let text = format!("the offset `{}` leads out of shared local memory, which has no such size", written());
            let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, item.displacement_span, text).level(Level::Warning);
            self.report(sink, diagnostic);
            return;
        }
        let Some(data) = message.data.filter(|_| !message.has_coordinates()) else { return };
        let bytes = i64::from(data.shape.size.memory_bytes);
        if offset % bytes != 0 {
            let text = format!("the offset `{}` is not a multiple of the element size, {bytes} bytes", written());
            // The address in the register is not known, and plain accesses may begin at any byte: compilers access packed
            // data so.
            let level = if message.needs_alignment(&data) { Level::Warning } else { Level::Pedantic };
            let diagnostic = Diagnostic::new(&MISALIGNED_ADDRESS, item.displacement_span, text).level(level);
            self.report(sink, diagnostic);
        }
    }

    /// Checks the register with the addresses or coordinates of the lanes.
    fn register(&self, item: &LscItem, sink: &mut Sink) {
        let LscValue::Register { variable, byte_offset } = item.value else { return };
        let (message, view) = (self.message, self.message.view);
        let span = item.value_span;
        let register = Register { variable, row: 0, byte_offset: i64::from(byte_offset), span, is_written: false };
        if message.class == Class::StateInfo {
            // u, v, r and lod, a dword each.
            register.check_extent(view, sink, |_| 16);
            return;
        }
        let Some(size) = self.address.size.filter(|_| !self.is_wrong_size) else { return };
        // A wrong type has wrong bytes as well.
        if !self.register_type(&register, size, sink) {
            return;
        }
        let Some(lanes) = message.lanes else { return };
        let n_addresses = if message.is_strided() { 1 } else { lanes };
        let bytes = if message.has_coordinates() { 4 } else { size.bytes() };
        if register.check_extent(view, sink, |_| i64::from(n_addresses * bytes)) {
            register.check_alignment(view, sink);
        }
    }

    /// Checks the type of the register. Returns whether it has the right size.
    fn register_type(&self, register: &Register, size: AddressSize, sink: &mut Sink) -> bool {
        let view = self.message.view;
        let row = &view.cx.program.variables[register.variable];
        let types = match size {
            AddressSize::A64 => QWORDS,
            AddressSize::A16 => WORDS,
            _ => DWORDS,
        };
        if row.is(FLAG_BROKEN | FLAG_OPEN) || types.contains(row.element_type) {
            return true;
        }
        let level = match size {
            AddressSize::A16 => Level::Warning,
            // Compilers pass on bases that inline assembly took from variables of floating-point type.
            _ if self.message.is_strided() && row.element_type.is_float() => Level::Pedantic,
            _ => Level::Error,
        };
        let name = view.cx.program.variable_name(register.variable);
        let text = format!("the address variable `{name}` has the type `{}`", row.element_type.text());
        // A pointer has its size from the host: the word is what is wrong.
        let is_pointer = size == AddressSize::A32 && self.takes_pointer();
        let place = if is_pointer { register.span.to(self.address.size_span) } else { register.span };
        let diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, place, text).level(level).label(format!(
            "`:{}` needs {}",
            size.text(),
            types.describe()
        ));
        let diagnostic = if is_pointer { diagnostic.help("write `:a64` for a pointer") } else { diagnostic };
        self.report(sink, register.declared(view, diagnostic));
        row.element_type.bytes() == size.bytes()
    }
}

/// The sizes that would be right.
fn expected_size(message: &Message, address: &LscAddress, unit: Unit, mode: Mode) -> &'static str {
    match unit {
        _ if address.model == AddressModel::Arg => "`:a32`",
        _ if message.class == Class::CacheControl => "`:a64`",
        Unit::Slm if mode == Mode::Certain => "`:a32`",
        Unit::Slm => "`:a32` or `:a16`",
        Unit::Ugm if mode == Mode::Certain && address.model == AddressModel::Surf => "`:a32u`",
        Unit::Ugm if mode == Mode::Certain && address.model == AddressModel::Flat => "`:a64`, `:a32u` or `:a32s`",
        Unit::Ugm | Unit::Ugml if address.model.has_surface() => "`:a32`",
        Unit::Ugm | Unit::Ugml => "`:a64`",
        Unit::Tgm => "`:a32`",
    }
}

/// Whether the base of a flat address says that there is none.
fn is_no_base(base: LscValue) -> bool {
    matches!(base, LscValue::Immediate(0) | LscValue::Null)
}
