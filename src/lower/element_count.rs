//! The number of elements in a declaration, as far as it does not depend on the platform.

use super::Lowering;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::spec::join_or;
use crate::spec::predefined::VariableKind;

crate::declare_rule! {
    /// A number of elements that a variable cannot have. Predicates have 1, 2, 4, 8, 16 or 32 elements, address variables
    /// 1 to 16, samplers and surfaces 1 to 128. A general variable has at least one element, and neither more elements nor
    /// more bytes than 256 registers have bytes; the manual allows 4096 bytes, which compilers exceed where an array of the
    /// source fits the registers: that is pedantic in their output. Assemblers keep the number in 16 bits: 65568 silently
    /// becomes 32.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=12
    /// ```
    /// ```visa good
    /// .decl Px v_type=P num_elts=16
    /// ```
    pub ELEMENT_COUNT_OUT_OF_RANGE = "element-count-out-of-range", Error | Warning | Pedantic, "4_visa_header",
        help = "choose a number of elements in that range; more need several variables"
}

/// The sizes that a predicate can have.
const PREDICATE_SIZES: [i64; 6] = [1, 2, 4, 8, 16, 32];

impl Lowering<'_> {
    /// Whether a variable of that kind can have `count` elements; reports if not. What depends on the register size is
    /// checked later.
    pub(super) fn check_element_count(&mut self, kind: VariableKind, count: i64, span: Span) -> bool {
        let diagnostic = |message: String| Diagnostic::new(&ELEMENT_COUNT_OUT_OF_RANGE, span, message);
        let found = if count < 1 {
            let diagnostic = diagnostic(format!("{} needs at least one element", kind.variable()));
            if count < 0 {
                diagnostic.note(format!("{count} is stored in 16 bits and becomes {}", count & 0xffff))
            } else {
                diagnostic
            }
        } else if count > 0xffff {
            diagnostic(format!("{count} elements are more than a variable can have"))
                .note(format!("the number is stored in 16 bits and becomes {}", count & 0xffff))
        } else if kind == VariableKind::Predicate && !PREDICATE_SIZES.contains(&count) {
            let diagnostic = diagnostic(format!("a predicate variable cannot have {count} elements"))
                .label(format!("expected {}", join_or(PREDICATE_SIZES.iter().map(i64::to_string))));
            match PREDICATE_SIZES.iter().find(|size| **size > count) {
                Some(next) => diagnostic.replace(span, next.to_string(), false),
                None => diagnostic,
            }
        } else {
            return true;
        };
        self.report(found);
        false
    }
}
