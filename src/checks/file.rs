//! The file as a whole: version, kernels and functions.

use super::context::{Context, Sink};
use super::declaration::TOO_MANY_DECLARATIONS;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::lower::directive::UNPORTABLE_NAME;
use crate::program::{Object, ObjectKind};
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// A version of the text format that does not exist (yet). The newest one is 4.2; assemblers keep each number in 8 bits
    /// and compare nothing.
    ///
    /// ```visa bad
    /// .version 9.9
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    pub UNKNOWN_VERSION = "unknown-version", Warning, "4_visa_header"
}

crate::declare_rule! {
    /// A file without kernel, or a kernel or function without an instruction. Assemblers refuse the first and crash on the
    /// second.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    pub NO_INSTRUCTIONS = "no-instructions", Error, "4_visa_header"
}

crate::declare_rule! {
    /// Two kernels or functions of one file with the same name: the second replaces the first.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .kernel "k2"
    /// ret (M1, 1)
    /// ```
    pub DUPLICATE_KERNEL = "duplicate-kernel", Error, "3_execution_model",
        help = "give one of them another name"
}

crate::declare_rule! {
    /// A function before the first kernel of a file. The first object of a file is a kernel; a file of functions alone is
    /// fine.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .global_function "f"
    /// .kernel_attr ArgSize=1
    /// .kernel_attr RetValSize=0
    /// fret (M1, 16)
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .global_function "f"
    /// .kernel_attr ArgSize=1
    /// .kernel_attr RetValSize=0
    /// fret (M1, 16)
    /// ```
    pub FUNCTION_BEFORE_KERNEL = "function-before-kernel", Warning, "4_visa_header",
        help = "write the kernel before its functions"
}

crate::declare_rule! {
    /// The line `//Build option: "..."` stands more than once. Where an assembler reads it, it refuses a second one.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .kernel_attr Target="cm"
    /// .function "k_main"
    /// k_main:
    ///     ret (M1_NM, 1)
    /// //Build option: "-a"
    /// //Build option: "-b"
    /// ```
    pub DUPLICATE_BUILD_OPTIONS = "duplicate-build-options", Pedantic, "4_visa_header",
        help = "keep one of the two lines"
}

/// The newest version of the text.
const NEWEST: (u32, u32) = (4, 2);
/// Longest name of a kernel in the manual.
const MAX_KERNEL_NAME: usize = 1023;
/// The manual's limit of kernels per file.
const MAX_KERNELS: usize = 512;

/// Checks the file.
pub fn check(cx: &Context, sink: &mut Sink) {
    version(cx, sink);
    build_options(cx, sink);
    let program = cx.program;
    let is_empty = program.objects.is_empty() && program.diagnostics.is_empty();
    if is_empty {
        let place = program.version.map_or(Span::at(0), |(_, _, span)| span);
        let message = if program.version.is_some() { "the file holds no kernel" } else { "the file is empty" };
        sink.report(
            Diagnostic::new(&NO_INSTRUCTIONS, place, message).help("begin with `.version 4.1` and `.kernel \"name\"`"),
        );
    }
    let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
    for (index, object) in program.objects.iter().enumerate() {
        if object.kind == ObjectKind::Missing {
            continue;
        }
        let place = if object.name_span.is_empty() { object.span } else { object.name_span };
        if object.instructions.is_empty() && !object.has_broken_lines && !object.name_span.is_empty() {
            let what = if object.kind == ObjectKind::Kernel { "kernel" } else { "function" };
            sink.report(
                Diagnostic::new(&NO_INSTRUCTIONS, place, format!("this {what} has no instructions"))
                    .help("it needs at least `ret (M1, 1)`"),
            );
        }
        name(cx, sink, object);
        if object.name_span.is_empty() {
            continue;
        }
        if let Some(first) = seen.get(&object.name) {
            let message = format!(
                "the name `{}` stands for another kernel or function already",
                cx.text(place).trim_matches('"')
            );
            sink.report(Diagnostic::new(&DUPLICATE_KERNEL, place, message).also(*first, "the first one"));
        } else {
            seen.insert(object.name, place);
        }
        if index == MAX_KERNELS {
            let message = format!("a file has at most {MAX_KERNELS} kernels and functions");
            sink.report(
                Diagnostic::new(&TOO_MANY_DECLARATIONS, place, message).level(Level::Pedantic).label("one too many"),
            );
        }
    }
    let has_kernel = program.objects.iter().any(|o| o.kind == ObjectKind::Kernel);
    if let Some(first) = program.objects.iter().next().filter(|o| o.kind == ObjectKind::Function && has_kernel) {
        let directive = Span::new(first.span.start, first.span.start + ".global_function".len() as u32);
        sink.report(Diagnostic::new(
            &FUNCTION_BEFORE_KERNEL,
            directive,
            "the first object of a file has to be a kernel",
        ));
    }
}

fn version(cx: &Context, sink: &mut Sink) {
    let Some((major, minor, span)) = cx.program.version else { return };
    let wraps = major > 255 || minor > 255;
    if !wraps && (major, minor) <= NEWEST {
        return;
    }
    let place = span
        .of(cx.text)
        .find(|c: char| c.is_ascii_digit())
        .map_or(span, |i| Span::new(span.start + i as u32, span.end));
    let diagnostic =
        Diagnostic::new(&UNKNOWN_VERSION, place, format!("there is no version {major}.{minor} of the text format"));
    let diagnostic = if wraps {
        diagnostic.note(format!("each number is stored in 8 bits: it becomes {}.{}", major & 255, minor & 255))
    } else {
        diagnostic
    };
    sink.report(diagnostic.label(format!("the newest one is {}.{}", NEWEST.0, NEWEST.1)));
}

fn name(cx: &Context, sink: &mut Sink, object: &Object) {
    if object.name_span.is_empty() {
        return;
    }
    let written = cx.text(object.name_span);
    let name = written.trim_matches('"');
    let message = if name.is_empty() {
        "the name of a kernel has at least one character".to_owned()
    } else if name.len() > MAX_KERNEL_NAME {
        format!("the name of a kernel has at most {MAX_KERNEL_NAME} characters, this one {}", name.len())
    } else if name.contains('.') {
        format!("the disassembler turns the dots of {written} into blanks")
    } else if object.kind == ObjectKind::Function && name.contains('$') {
        format!("the disassembler turns the `$` of {written} into `_`")
    } else {
        return;
    };
    sink.report(Diagnostic::new(&UNPORTABLE_NAME, object.name_span, message));
}

fn build_options(cx: &Context, sink: &mut Sink) {
    const MARK: &str = "//Build option:";
    if !cx.options.is_wanted(&DUPLICATE_BUILD_OPTIONS) {
        return;
    }
    let mut first = None;
    for start in memchr::memmem::find_iter(cx.text.as_bytes(), MARK.as_bytes()) {
        let before = cx.text[..start].rsplit('\n').next().unwrap_or("");
        let after = cx.text[start + MARK.len()..].lines().next().unwrap_or("").trim();
        let quoted = after.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let is_option = quoted.is_some_and(|option| !option.contains('"'));
        if before.contains("//") || !is_option {
            continue;
        }
        let span = Span::new(start as u32, (start + MARK.len()) as u32);
        match first {
            None => first = Some(span),
            Some(first) => sink.report(
                Diagnostic::new(&DUPLICATE_BUILD_OPTIONS, span, "build options stand twice")
                    .also(first, "the first time"),
            ),
        }
    }
}
