//! `alias=<V32, 0>`

use super::Draft;
use super::field::MALFORMED_DECLARATION;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::lower::expression::clamp;
use crate::program::variable::{FLAG_ALIAS, FLAG_BROKEN};
use crate::spec::predefined::VariableKind;
use crate::syntax::tree::{Field, Value};

crate::declare_rule! {
    /// The base of an alias has to be a general variable.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=8
    /// .decl Vx v_type=G type=d num_elts=8 alias=<Px, 0>
    /// ```
    /// ```visa good
    /// .decl Vy v_type=G type=ud num_elts=8
    /// .decl Vx v_type=G type=d num_elts=8 alias=<Vy, 0>
    /// ```
    pub ALIAS_OF_WRONG_KIND = "alias-of-wrong-kind", Error, "4_visa_header",
        help = "name a general variable as the base"
}

impl Lowering<'_> {
    pub(super) fn alias(&mut self, field: &Field, draft: &mut Draft) {
        draft.mark(FLAG_ALIAS);
        let (name, offset) = match field.value {
            Value::Alias(target, offset) => {
                draft.spans.alias_offset = self.parser.tree.expr(offset).span;
                (self.parser.tree.expr(target).span, self.constant(offset))
            }
            Value::PlainAlias(span) => {
                let comma = span.start + span.of(self.text).find(',').unwrap_or(1) as u32;
                draft.spans.alias_offset = Span::new(comma + 2, span.end - 1);
                (Span::new(span.start + 1, comma), Some(self.number(draft.spans.alias_offset)))
            }
            _ => {
                draft.mark(FLAG_BROKEN);
                self.report_alias_form(field);
                return;
            }
        };
        draft.spans.alias = name;
        let base = self.use_variable(name);
        let (Some(base), Some(offset)) = (base, offset) else {
            draft.mark(FLAG_BROKEN);
            return;
        };
        let row = self.program.variables[base];
        if row.kind != VariableKind::General {
            draft.mark(FLAG_BROKEN);
            let message =
                format!("`{}` is {}; only general variables can be aliased", name.of(self.text), row.kind.variable());
            let place = self.program.variable_spans[base].name;
            self.report(Diagnostic::new(&ALIAS_OF_WRONG_KIND, name, message).declared_at(place));
            return;
        }
        draft.base = Some((base, clamp(offset)));
    }

    pub(super) fn report_alias_form(&mut self, field: &Field) {
        let value = Span::new(field.equal.end, field.span.end).trimmed(self.text);
        let written = value.of(self.text);
        let message = "an alias is written `alias=<V32, 0>`: a variable and a byte offset in angle brackets";
        let diagnostic =
            Diagnostic::new(&MALFORMED_DECLARATION, if value.is_empty() { field.span } else { value }, message);
        let inner = written.trim_matches(['(', ')', '{', '}', '"']).trim();
        let is_name = inner.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%'));
        self.report(if inner.contains(',') {
            diagnostic.replace(value, format!("<{inner}>"), true)
        } else if is_name && self.find_variable(inner).is_some() {
            diagnostic.replace(value, format!("<{inner}, 0>"), false)
        } else {
            diagnostic
        });
    }
}
