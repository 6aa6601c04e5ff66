//! Inputs of kernels: sizes, places and kinds.

use super::context::{Context, Sink};
use super::declaration::TOO_MANY_DECLARATIONS;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::lower::input::{WRONG_INPUT_KIND, WRONG_INPUT_SIZE};
use crate::program::pardon::Pardon;
use crate::program::variable::FLAG_ALIAS;
use crate::program::{Input, Object, ObjectKind, VariableId};
use crate::spec::predefined::VariableKind;
use crate::spec::{Platform, Type};
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// Two inputs that share bytes of the payload: one of them gets what is meant for the other. `.implicit_PSEUDO_INPUT`
    /// may overlap others.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .decl Vy v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// .input Vy offset=64 size=32
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .decl Vy v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// .input Vy offset=128 size=32
    /// ```
    pub OVERLAPPING_INPUTS = "overlapping-inputs", Error, "4_visa_header"
}

crate::declare_rule! {
    /// An input that does not begin where it has to: at a multiple of its element size, at a register boundary if it
    /// fills a register, and otherwise so that it does not cross one.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=66 size=32
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// ```
    pub MISALIGNED_INPUT = "misaligned-input", Error, "4_visa_header",
        help = "choose an offset that is a multiple of the element size, and of the register size for an input that fills a register"
}

crate::declare_rule! {
    /// An input outside the registers of the payload: before the beginning, beyond the last register, or (level warning)
    /// in register 0, which holds the thread header.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=-32 size=32
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// ```
    pub INPUT_OUT_OF_RANGE = "input-out-of-range", Error | Warning, "4_visa_header",
        help = "choose an offset from the first register after the thread header up to the end of the payload"
}

crate::declare_rule! {
    /// A variable that is made an input twice. The second offset counts, and assemblers do not report it.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// .input Vx offset=128 size=32
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// ```
    pub DUPLICATE_INPUT = "duplicate-input", Error, "4_visa_header",
        help = "remove one of the two lines"
}

crate::declare_rule! {
    /// An input where none may stand: in a function, which gets its arguments in `%arg`, or an explicit input after an
    /// implicit one (level warning).
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .global_function "f"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// .kernel_attr ArgSize=1
    /// .kernel_attr RetValSize=0
    /// fret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=64 size=32
    /// ret (M1, 1)
    /// ```
    pub MISPLACED_INPUT = "misplaced-input", Error | Warning, "4_visa_header",
        help = "write explicit inputs first, then implicit ones, and no input in a function: it gets its arguments in `%arg`"
}

/// The manual's limit of inputs per kernel.
const MAX_INPUTS: usize = 256;

/// Checks the inputs of all objects.
pub fn check(cx: &Context, sink: &mut Sink) {
    for object in cx.program.objects.iter() {
        let inputs = cx.program.inputs_of(object);
        if inputs.is_empty() {
            continue;
        }
        check_order(cx, sink, object, inputs);
        let mut places: Vec<(&Input, usize)> = Vec::with_capacity(inputs.len());
        let mut seen: FxHashMap<VariableId, Span> = FxHashMap::default();
        for (index, input) in inputs.iter().enumerate() {
            if let Some(first) = seen.get(&input.variable) {
                let message = format!("`{}` is an input already", cx.text(input.name_span));
                sink.report(Diagnostic::new(&DUPLICATE_INPUT, input.name_span, message).also(*first, "the first time"));
                continue;
            }
            seen.insert(input.variable, input.name_span);
            if check_one(cx, sink, input) && !is_pseudo(cx, input) {
                places.push((input, index));
            }
        }
        overlaps(cx, sink, places);
    }
}

fn is_pseudo(cx: &Context, input: &Input) -> bool {
    cx.text(input.directive) == ".implicit_PSEUDO_INPUT"
}

/// Checks which inputs stand where.
fn check_order(cx: &Context, sink: &mut Sink, object: &Object, inputs: &[Input]) {
    if object.kind == ObjectKind::Function {
        for input in inputs {
            sink.report(
                Diagnostic::new(&MISPLACED_INPUT, input.directive, "a function has no inputs")
                    .also(object.span, "this is a function")
                    .help("functions get their arguments in `%arg`"),
            );
        }
        return;
    }
    let is_pardoned = Pardon::Interface.holds_in(cx.program);
    if let Some(implicit) = inputs.iter().position(|i| i.is_implicit).filter(|_| !is_pardoned) {
        let place = inputs[implicit].directive;
        // Newer assemblers no longer look.
        let level = if cx.is_version_4_2() { Level::Warning } else { Level::Error };
        for input in inputs[implicit..].iter().filter(|i| !i.is_implicit) {
            sink.report(
                Diagnostic::new(
                    &MISPLACED_INPUT,
                    input.directive,
                    "an explicit input has to stand before the implicit ones",
                )
                .level(level)
                .also(place, "the first implicit input"),
            );
        }
    }
    if let Some(surplus) = inputs.get(MAX_INPUTS) {
        let message = format!("a kernel has at most {MAX_INPUTS} inputs");
        let diagnostic = Diagnostic::new(&TOO_MANY_DECLARATIONS, surplus.directive, message);
        sink.report(diagnostic.level(Level::Pedantic).label("one too many"));
    }
}

/// Checks an input by itself. Returns whether its place can be compared with those of others.
fn check_one(cx: &Context, sink: &mut Sink, input: &Input) -> bool {
    let program = cx.program;
    let variable = &program.variables[input.variable];
    let spans = &program.variable_spans[input.variable];
    let name = cx.text(input.name_span);
    if variable.is(FLAG_ALIAS) && variable.kind == VariableKind::General {
        sink.report(
            Diagnostic::new(&WRONG_INPUT_KIND, input.name_span, format!("`{name}` is an alias and cannot be an input"))
                .also(spans.alias, "the alias")
                .help(format!("make `{}` the input", cx.text(spans.alias))),
        );
        return false;
    }
    implicit_type(cx, sink, input);
    let own = i64::from(variable.n_elements) * i64::from(variable.element_bytes());
    let mut is_fine = true;
    if input.size != own {
        is_fine = false;
        let message = format!("`{name}` has {own} bytes, not {}", input.size);
        sink.report(Diagnostic::new(&WRONG_INPUT_SIZE, input.size_span, message).declared_at(spans.name).replace(
            input.size_span,
            own.to_string(),
            false,
        ));
    }
    is_fine & check_place(cx, sink, input, own)
}

fn check_place(cx: &Context, sink: &mut Sink, input: &Input, size: i64) -> bool {
    let offset = input.offset;
    let place = if input.offset_span.is_empty() { input.name_span } else { input.offset_span };
    let name = cx.text(input.name_span);
    let end = offset.saturating_add(size);
    // The return address of a call lies where the calling convention says, in the last register.
    let is_pseudo = cx.text(input.directive).ends_with("PSEUDO_INPUT");
    let limit = |p: Platform| i64::from(p.register_file_bytes() - if is_pseudo { 0 } else { p.grf_bytes() });
    let beyond = |p: Platform| if is_pseudo { end > limit(p) } else { end >= limit(p) };
    let failing = cx.failing(|p| offset < 0 || beyond(*p));
    if cx.concerns(failing) {
        sink.report_on(cx, failing, || {
            let message = if offset < 0 {
                format!("the input `{name}` begins before the payload")
            } else {
                format!("the input `{name}` does not fit the registers: it ends at byte {end}")
            };
            let limit = failing.iter().map(limit).min().unwrap_or(0);
            let diagnostic = Diagnostic::new(&INPUT_OUT_OF_RANGE, place, message);
            if offset < 0 { diagnostic } else { diagnostic.label(format!("has to end before byte {limit}")) }
        });
        return false;
    }
    if !alignment(cx, sink, input, size, place) {
        return true;
    }
    let failing = cx.failing_grf(|grf_bytes| offset < i64::from(grf_bytes));
    sink.report_on(cx, failing, || {
        let message = format!("the input `{name}` lies in register 0, which holds the thread header");
        Diagnostic::new(&INPUT_OUT_OF_RANGE, place, message).level(Level::Warning).help("inputs begin at register 1")
    });
    true
}

/// Returns whether the input begins where one of its size may.
fn alignment(cx: &Context, sink: &mut Sink, input: &Input, size: i64, place: Span) -> bool {
    let offset = input.offset;
    let name = cx.text(input.name_span);
    let variable = &cx.program.variables[input.variable];
    let element_bytes = i64::from(variable.element_bytes());
    if offset % element_bytes != 0 {
        let message = format!("the offset of the input `{name}` has to be a multiple of {element_bytes}");
        sink.report(
            Diagnostic::new(&MISALIGNED_INPUT, place, message)
                .declared_at(cx.program.variable_spans[input.variable].name),
        );
        return false;
    }
    if variable.kind != VariableKind::General || size == 0 {
        return true;
    }
    let failing = cx.failing_grf(|grf_bytes| {
        let grf_bytes = i64::from(grf_bytes);
        if size >= grf_bytes { offset % grf_bytes != 0 } else { offset / grf_bytes != (offset + size - 1) / grf_bytes }
    });
    sink.report_on(cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let message = if size >= i64::from(grf_bytes) {
            format!("the input `{name}` fills a register and has to begin at a multiple of {grf_bytes} bytes")
        } else {
            format!("the input `{name}` crosses a register boundary (every {grf_bytes} bytes)")
        };
        Diagnostic::new(&MISALIGNED_INPUT, place, message).declared_at(cx.program.variable_spans[input.variable].name)
    });
    !cx.concerns(failing)
}

/// Checks the variable of an implicit input against what its kind prescribes.
fn implicit_type(cx: &Context, sink: &mut Sink, input: &Input) {
    if !input.is_implicit || Pardon::Interface.holds_in(cx.program) {
        return;
    }
    let kind = cx.text(input.directive).strip_prefix(".implicit_").unwrap_or("");
    if !matches!(kind, "LOCAL_SIZE" | "GROUP_COUNT" | "LOCAL_ID") {
        return;
    }
    let variable = &cx.program.variables[input.variable];
    if variable.kind == VariableKind::General && variable.element_type == Type::UD && variable.n_elements == 3 {
        return;
    }
    let message = format!(
        "the implicit input {kind} has three elements of type `ud`, which `{}` has not",
        cx.text(input.name_span)
    );
    sink.report(
        Diagnostic::new(&WRONG_INPUT_KIND, input.name_span, message)
            .level(Level::Warning)
            .declared_at(cx.program.variable_spans[input.variable].name),
    );
}

/// Reports inputs that share bytes with one that begins before them.
fn overlaps(cx: &Context, sink: &mut Sink, mut places: Vec<(&Input, usize)>) {
    places.sort_by_key(|(input, index)| (input.offset, *index));
    let mut last: Option<(&Input, usize)> = None;
    for (input, index) in places {
        if let Some((other, other_index)) =
            last.filter(|(other, _)| other.offset + other.size > input.offset && input.size > 0)
        {
            // The one that stands later in the text is to blame.
            let (first, second) = if other_index < index { (other, input) } else { (input, other) };
            let place = if second.offset_span.is_empty() { second.name_span } else { second.offset_span };
            let range = |i: &Input| format!("bytes {} to {}", i.offset, i.offset + i.size - 1);
            let message = format!("the input `{}` overlaps `{}`", cx.text(second.name_span), cx.text(first.name_span));
            sink.report(
                Diagnostic::new(&OVERLAPPING_INPUTS, place, message)
                    .label(range(second))
                    .also(first.name_span, range(first)),
            );
        }
        if last.is_none_or(|(other, _)| other.offset + other.size <= input.offset + input.size) {
            last = Some((input, index));
        }
    }
}
