//! Declared variables: sizes that depend on the platform, aliases, and how many there are.

use super::context::{Context, Sink};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::lower::declaration::ALIAS_OF_WRONG_KIND;
use crate::lower::element_count::ELEMENT_COUNT_OUT_OF_RANGE;
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_ALIAS, FLAG_BROKEN, FLAG_ENLARGED, FLAG_INPUT, FLAG_OPERAND};
use crate::program::{Object, Variable, VariableId, VariableSpans};
use crate::spec::predefined::{self, VariableKind};
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// An alias that does not lie inside the variable that it names. The bytes beyond its end belong to other variables.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=ub num_elts=64 align=GRF
    /// .decl Vy v_type=G type=d num_elts=32 alias=<Vx, 0>
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=ub num_elts=64 align=GRF
    /// .decl Vy v_type=G type=d num_elts=16 alias=<Vx, 0>
    /// ```
    pub ALIAS_OUT_OF_BOUNDS = "alias-out-of-bounds", Error, "4_visa_header"
}

crate::declare_rule! {
    /// An alias whose elements do not begin at multiples of their size, because of its offset or because the variable at
    /// the end of the chain of aliases is not aligned so. `align=` on an alias aligns nothing; one that promises more than
    /// variable and offset give is reported at level warning.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=ub num_elts=64 align=GRF
    /// .decl Vy v_type=G type=d num_elts=4 alias=<Vx, 2>
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=ub num_elts=64 align=GRF
    /// .decl Vy v_type=G type=d num_elts=4 alias=<Vx, 4>
    /// ```
    pub MISALIGNED_ALIAS = "misaligned-alias", Error | Warning, "4_visa_header",
        help = "alias with an offset that is a multiple of the element size, and align the variable at the end of the chain"
}

crate::declare_rule! {
    /// More variables of a kind, inputs, labels or kernels than the manual's numbers can name. Surfaces and samplers beyond the
    /// limit take the number of another one.
    pub TOO_MANY_DECLARATIONS = "too-many-declarations", Warning | Pedantic, "4_visa_header"
}

crate::declare_rule! {
    /// A type of variables that the manual's chapter on declarations does not list: `bf`, `tf32`, `bf8`, `hf8` and `e2m1`
    /// came later, and older assemblers do not know all of them.
    ///
    /// ```visa bad
    /// // pedantic
    /// .decl Vx v_type=G type=bf num_elts=16
    /// ```
    /// ```visa good
    /// // pedantic
    /// .decl Vx v_type=G type=hf num_elts=16
    /// ```
    pub UNLISTED_TYPE = "unlisted-type", Pedantic, "4_visa_header",
        help = "declare the variable as `w` or `b` and give the type where it is used, if older assemblers have to read this text"
}

crate::declare_rule! {
    /// `align=` below one register on a variable that fills registers: it is ignored, such a variable begins at a register.
    ///
    /// ```visa bad
    /// // pedantic
    /// .decl Vx v_type=G type=f num_elts=64 align=dword
    /// ```
    /// ```visa good
    /// // pedantic
    /// .decl Vx v_type=G type=f num_elts=64 align=GRF
    /// ```
    pub IGNORED_ALIGNMENT = "ignored-alignment", Pedantic, "5_operands"
}

/// The manual's limit for the bytes of a variable, which stay below it, and for its elements, which do not exceed it.
pub(super) const DOCUMENTED_LIMIT: u32 = 4096;
/// Elements of a sampler or surface variable.
const MAX_HANDLES: u32 = 128;
/// Longest name of a variable in the manual.
const MAX_NAME_BYTES: usize = 64;

/// Checks all declarations.
pub fn check(cx: &Context, sink: &mut Sink) {
    let program = cx.program;
    let first = predefined::all().len();
    for (id, variable) in program.variables.entries().skip(first) {
        if variable.is(FLAG_BROKEN | FLAG_OPERAND) {
            continue;
        }
        let spans = &program.variable_spans[id];
        match variable.kind {
            VariableKind::General => {
                unlisted_type(variable, spans, sink);
                if variable.is(FLAG_ALIAS) {
                    alias(cx, sink, variable, spans);
                } else {
                    size(cx, sink, variable, spans);
                }
            }
            VariableKind::Address => address_size(cx, sink, variable, spans),
            VariableKind::Sampler | VariableKind::Surface => handle_size(sink, variable, spans),
            VariableKind::Predicate => {}
        }
        if spans.name.len() as usize > MAX_NAME_BYTES {
            let message = format!(
                "the name of a variable has at most {MAX_NAME_BYTES} characters, this one {}",
                spans.name.len()
            );
            sink.report(Diagnostic::new(&crate::lower::directive::UNPORTABLE_NAME, spans.name, message));
        }
    }
    for object in program.objects.iter() {
        counts(cx, sink, object);
    }
}

fn unlisted_type(variable: &Variable, spans: &VariableSpans, sink: &mut Sink) {
    let t = variable.element_type;
    if matches!(t, Type::BF | Type::TF32 | Type::BF8 | Type::HF8 | Type::E2M1) {
        let message = format!("the manual lists no variables of the type `{}`", t.text());
        sink.report(Diagnostic::new(&UNLISTED_TYPE, spans.element_type, message));
    }
}

fn size(cx: &Context, sink: &mut Sink, variable: &Variable, spans: &VariableSpans) {
    let n_elements = variable.n_elements;
    let n_bytes = n_elements.saturating_mul(variable.element_bytes());
    let place = spans.n_elements;
    let name = cx.text(spans.name);
    // As many elements as 256 registers have bytes, whatever their type.
    let failing = cx.failing_grf(|grf_bytes| n_elements > 256 * grf_bytes);
    if !failing.is_empty() {
        sink.report_on(cx, failing, || {
            let limit = 256 * failing.grf_sizes().next().unwrap_or(32);
            Diagnostic::new(
                &ELEMENT_COUNT_OUT_OF_RANGE,
                place,
                format!("a general variable cannot have {n_elements} elements"),
            )
            .label(format!("at most {limit}"))
        });
        return;
    }
    // No register file is smaller.
    let failing =
        if n_bytes > DOCUMENTED_LIMIT { cx.failing(|p| n_bytes > p.register_file_bytes()) } else { PlatformSet::NONE };
    if cx.concerns(failing) {
        sink.report_on(cx, failing, || {
            let limit = failing.iter().map(Platform::register_file_bytes).min().unwrap_or(0);
            Diagnostic::new(
                &ELEMENT_COUNT_OUT_OF_RANGE,
                place,
                format!("`{name}` has {n_bytes} bytes, more than all registers together ({limit})"),
            )
        });
        return;
    }
    if n_bytes > DOCUMENTED_LIMIT || n_elements > DOCUMENTED_LIMIT {
        let is_pardoned = Pardon::LargeVariable.holds_in(cx.program);
        let message = format!("`{name}` has {n_bytes} bytes; the manual allows {DOCUMENTED_LIMIT}");
        sink.report(Diagnostic::new(&ELEMENT_COUNT_OUT_OF_RANGE, place, message).level(if is_pardoned {
            Level::Pedantic
        } else {
            Level::Warning
        }));
        return;
    }
    let alignment = |grf_bytes| variable.alignment_bytes(grf_bytes);
    let failing = cx.failing_grf(|grf_bytes| n_bytes >= grf_bytes && (2..grf_bytes).contains(&alignment(grf_bytes)));
    sink.report_on(cx, failing, || {
        let message = format!("`align={}` is ignored: `{name}` fills registers", cx.text(spans.align));
        Diagnostic::new(&IGNORED_ALIGNMENT, spans.align, message).help("write `align=GRF`")
    });
}

fn address_size(cx: &Context, sink: &mut Sink, variable: &Variable, spans: &VariableSpans) {
    let n_elements = variable.n_elements;
    let limit = |platform: Platform| if platform >= Platform::XE3P_CRI { 32 } else { 16 };
    let failing = cx.failing(|p| n_elements > limit(*p));
    sink.report_on(cx, failing, || {
        let limit = failing.iter().map(limit).min().unwrap_or(16);
        Diagnostic::new(
            &ELEMENT_COUNT_OUT_OF_RANGE,
            spans.n_elements,
            format!("an address variable cannot have {n_elements} elements"),
        )
        .label(format!("at most {limit}"))
    });
}

fn handle_size(sink: &mut Sink, variable: &Variable, spans: &VariableSpans) {
    if variable.n_elements <= MAX_HANDLES {
        return;
    }
    // Assemblers check the size of samplers, and not that of the first surfaces.
    let level = if variable.kind == VariableKind::Sampler { Level::Error } else { Level::Warning };
    let message = format!("a {} variable cannot have {} elements", variable.kind.word(), variable.n_elements);
    sink.report(
        Diagnostic::new(&ELEMENT_COUNT_OUT_OF_RANGE, spans.n_elements, message)
            .level(level)
            .label(format!("at most {MAX_HANDLES}")),
    );
}

/// The bytes at whose multiples the storage of a variable that is no alias begins.
fn storage_alignment(cx: &Context, id: VariableId, grf_bytes: u32) -> u32 {
    if id.predefined().is_some() {
        return grf_bytes;
    }
    let variable = &cx.program.variables[id];
    let natural =
        if cx.program.variable_bytes(id, grf_bytes) >= grf_bytes { grf_bytes } else { variable.element_bytes() };
    natural.max(variable.alignment_bytes(grf_bytes))
}

fn alias(cx: &Context, sink: &mut Sink, variable: &Variable, spans: &VariableSpans) {
    let program = cx.program;
    let base = &program.variables[variable.base];
    let base_name = cx.text(spans.alias);
    let with_base = |diagnostic: Diagnostic| {
        let place = program.variable_spans[variable.base].name;
        if place.is_empty() { diagnostic } else { diagnostic.also(place, "the base of the alias") }
    };
    if variable.base.predefined().is_some_and(|row| !row.aliasable) {
        sink.report(
            Diagnostic::new(&ALIAS_OF_WRONG_KIND, spans.alias, format!("the predefined variable `{base_name}` cannot be aliased"))
                .note("`%r0`, `%arg`, `%retval`, `%sp`, `%fp`, `%hw_id`, `%impl_arg_buf_ptr`, `%local_id_buf_ptr` and `%null` can"),
        );
        return;
    }
    if variable.base == VariableId::NULL && variable.root_offset != 0 {
        let message = "an alias of `%null` is no alias: its offset has to be 0";
        sink.report(Diagnostic::new(&ALIAS_OUT_OF_BOUNDS, spans.alias_offset, message).label("`%null` has no bytes"));
    }
    if base.is(FLAG_BROKEN) || variable.base == VariableId::NULL || variable.root == VariableId::NULL {
        return;
    }
    let offset = i64::from(variable.root_offset) - i64::from(base.root_offset);
    let n_bytes = i64::from(variable.n_elements) * i64::from(variable.element_bytes());
    let base_bytes = |grf_bytes| i64::from(program.variable_bytes(variable.base, grf_bytes));
    // What is as large as it can be is so where registers are largest.
    let is_known = !variable.is(FLAG_ENLARGED);
    let failing = cx.failing_grf(|grf_bytes| offset < 0 || is_known && offset + n_bytes > base_bytes(grf_bytes));
    if cx.concerns(failing) {
        sink.report_on(cx, failing, || {
            let size = base_bytes(failing.grf_sizes().next().unwrap_or(32));
            let diagnostic = if offset < 0 {
                let message = format!("the alias begins before `{base_name}`");
                Diagnostic::new(&ALIAS_OUT_OF_BOUNDS, spans.alias_offset, message)
            } else if offset >= size {
                let message = format!("the alias begins beyond the end of `{base_name}`");
                Diagnostic::new(&ALIAS_OUT_OF_BOUNDS, spans.alias_offset, message)
                    .label(format!("`{base_name}` has {size} bytes"))
            } else {
                let place = match offset {
                    _ if base.is(FLAG_OPERAND) => spans.alias,
                    0 => spans.n_elements,
                    _ => spans.alias_offset,
                };
                let message =
                    format!("the alias needs the bytes {offset} to {} of `{base_name}`", offset + n_bytes - 1);
                Diagnostic::new(&ALIAS_OUT_OF_BOUNDS, place, message).label(format!("`{base_name}` has {size} bytes"))
            };
            with_base(diagnostic)
        });
        return;
    }
    alias_alignment(cx, sink, variable, spans, offset, &with_base);
}

/// An alignment that is good for all scalar and block accesses.
const OWORD_BYTES: u32 = 16;

fn alias_alignment(
    cx: &Context,
    sink: &mut Sink,
    variable: &Variable,
    spans: &VariableSpans,
    offset: i64,
    with_base: &dyn Fn(Diagnostic) -> Diagnostic,
) {
    let program = cx.program;
    let element_bytes = variable.element_bytes();
    let t = variable.element_type.text();
    let total = i64::from(variable.root_offset);
    let is_misplaced = |offset: i64| offset % i64::from(element_bytes) != 0;
    if is_misplaced(offset) || is_misplaced(total) {
        let message = if is_misplaced(offset) {
            format!("the offset of an alias of type `{t}` has to be a multiple of {element_bytes}")
        } else {
            format!(
                "the alias begins at byte {total} of `{}`, which is not a multiple of {element_bytes}",
                program.variable_name(variable.root)
            )
        };
        sink.report(with_base(Diagnostic::new(&MISALIGNED_ALIAS, spans.alias_offset, message)));
        return;
    }
    let failing = cx.failing_grf(|grf_bytes| storage_alignment(cx, variable.root, grf_bytes) < element_bytes);
    if cx.concerns(failing) {
        sink.report_on(cx, failing, || {
            let root = program.variable_name(variable.root);
            let given = storage_alignment(cx, variable.root, 32);
            let message = format!(
                "`{root}` is aligned to {given} byte{}; an alias of type `{t}` needs {element_bytes}",
                if given == 1 { "" } else { "s" }
            );
            let diagnostic = Diagnostic::new(&MISALIGNED_ALIAS, spans.alias, message);
            let place = program.variable_spans[variable.root];
            let word = match element_bytes {
                2 => "word",
                4 => "dword",
                _ => "qword",
            };
            let end = if place.align.is_empty() { Span::at(place.n_elements.end) } else { place.align };
            let text = if place.align.is_empty() { format!(" align={word}") } else { word.to_owned() };
            with_base(diagnostic).help(format!("declare `{root}` with `align={word}`")).replace(end, text, false)
        });
        return;
    }
    let root_is_input = program.variables[variable.root].is(FLAG_INPUT);
    let given = |grf_bytes| {
        // An input lies where its own offset says, whatever alignment it was declared with.
        let storage = if root_is_input { u32::MAX } else { storage_alignment(cx, variable.root, grf_bytes) };
        if total == 0 { storage } else { storage.min(1 << total.trailing_zeros().min(16)) }
    };
    let failing = cx.failing_grf(|grf_bytes| {
        let bytes = given(grf_bytes);
        // Code generators write the alignment of the base on all its aliases; an oword is enough for whatever reads them.
        bytes < OWORD_BYTES && variable.alignment_bytes(grf_bytes) > bytes
    });
    sink.report_on(cx, failing, || {
        let bytes = given(failing.grf_sizes().next().unwrap_or(32));
        let written = cx.text(spans.align);
        with_base(
            Diagnostic::new(
                &MISALIGNED_ALIAS,
                spans.align,
                format!("`align={written}` promises more than the alias has: it is aligned to {bytes} bytes"),
            )
            .level(Level::Warning)
            .note("an alias has no storage of its own that could be aligned"),
        )
    });
}

/// Reports the first variable of each kind that is one too many.
fn counts(cx: &Context, sink: &mut Sink, object: &Object) {
    const LIMITS: [(VariableKind, usize, Level); 5] = [
        (VariableKind::General, 65536, Level::Pedantic),
        (VariableKind::Address, 4096, Level::Pedantic),
        (VariableKind::Predicate, 4096, Level::Warning),
        (VariableKind::Sampler, 31, Level::Warning),
        (VariableKind::Surface, 256, Level::Warning),
    ];
    if object.variables.len() <= 31 {
        return;
    }
    for (kind, limit, level) in LIMITS {
        let surplus =
            object.variables.clone().map(VariableId).filter(|id| cx.program.variables[*id].kind == kind).nth(limit);
        if let Some(id) = surplus {
            let message = format!("a kernel has at most {limit} {} variables", kind.word());
            sink.report(
                Diagnostic::new(&TOO_MANY_DECLARATIONS, cx.program.variable_spans[id].name, message)
                    .level(level)
                    .label("one too many"),
            );
        }
    }
}
