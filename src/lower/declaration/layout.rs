//! What a variable looks like: element type and alignment.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::Lowering;
use crate::spec::{Type, words};
use crate::syntax::tree::Field;

crate::declare_rule! {
    /// A type that does not exist, is not spelled all in lower or all in upper case, or cannot stand there.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=int num_elts=8
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8
    /// ```
    pub UNKNOWN_TYPE = "unknown-type", Error, "2_datatypes"
}

crate::declare_rule! {
    /// A word or number after `align=` that is no alignment.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=8 align=grf
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// ```
    pub UNKNOWN_ALIGNMENT = "unknown-alignment", Error, "4_visa_header"
}

impl Lowering<'_> {
    pub(in crate::lower) fn report_unknown_type(&mut self, span: Span, written: &str) {
        let lower = written.to_ascii_lowercase();
        let mut diagnostic = Diagnostic::new(&UNKNOWN_TYPE, span, format!("`{written}` is not a type"));
        diagnostic = if Type::from_text(&lower).is_some() {
            diagnostic.note("types are written all in lower or all in upper case").replace(span, lower, true)
        } else {
            let meant = match lower.as_str() {
                "int" | "int32" | "i32" | "s32" | "dword" => Some("d"),
                "uint" | "uint32" | "u32" => Some("ud"),
                "float" | "f32" => Some("f"),
                "double" | "f64" => Some("df"),
                "half" | "f16" => Some("hf"),
                "short" | "i16" => Some("w"),
                "ushort" | "u16" => Some("uw"),
                "char" | "i8" => Some("b"),
                "uchar" | "u8" => Some("ub"),
                "long" | "i64" => Some("q"),
                "ulong" | "u64" => Some("uq"),
                _ => None,
            };
            match meant {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).replace(span, meant, false),
                None => {
                    diagnostic.help("types are `ud`, `d`, `uw`, `w`, `ub`, `b`, `uq`, `q`, `f`, `hf`, `df` and `bf`")
                }
            }
        };
        self.report(diagnostic);
    }

    pub(super) fn alignment(&mut self, field: &Field, span: Span) -> u8 {
        let word = span.of(self.text);
        if let Some((_, bytes)) = words::ALIGNMENTS.iter().find(|(w, _)| *w == word) {
            return *bytes;
        }
        if self.value_name(field.value).is_some() {
            let mut diagnostic = Diagnostic::new(&UNKNOWN_ALIGNMENT, span, format!("`{word}` is not an alignment"))
                .note("alignments are `byte`, `word`, `dword`, `qword`, `oword`, `hword`, `GRF`, `GRFx2`, `wordx32`, `wordx64`, or a number of bytes");
            let exact = words::ALIGNMENTS.iter().map(|(w, _)| *w).find(|w| w.eq_ignore_ascii_case(word));
            if let Some(meant) = exact.or_else(|| closest(word, words::ALIGNMENTS.iter().map(|(w, _)| *w))) {
                diagnostic = diagnostic.replace(span, meant, exact.is_some());
            }
            self.report(diagnostic);
            return 0;
        }
        match self.field_constant(field) {
            Some(bytes @ (1 | 2 | 4 | 8 | 16 | 32 | 64 | 128)) => bytes as u8,
            Some(bytes) => {
                let message = format!("an alignment of {bytes} bytes does not exist");
                self.report(
                    Diagnostic::new(&UNKNOWN_ALIGNMENT, span, message)
                        .note("a number after `align=` is 1, 2, 4, 8, 16, 32, 64 or 128"),
                );
                0
            }
            None => 0,
        }
    }
}
