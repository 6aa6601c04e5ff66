//! The constraints of a statement, and what the host hands over for them.

use super::{Paster, count};
use crate::base::diagnostic::Diagnostic;
use crate::host::constraint::{self, Constraint};
use crate::host::rules::{
    IMPOSSIBLE_UNIFORM, MISPLACED_CONSTRAINT, MISSING_HOST_OPERAND, UNKNOWN_CONSTRAINT, VARYING_IMMEDIATE,
};
use crate::host::statement::{Escapes, RawOperand, Value};
use crate::program::fragment::OperandClass;

impl Paster<'_> {
    pub(super) fn constraints(&mut self) {
        let n_outputs = self.operands.iter().filter(|o| o.is_output).count() as u32;
        let is_list = self.raw.escapes == Escapes::Dollar;
        let mut has_unknown = false;
        for operand in self.operands {
            let Some(text) = &operand.constraint else {
                self.out.constraints.push(None);
                continue;
            };
            let span = operand.constraint_span;
            let read = constraint::read(text, operand.is_output, self.raw.is_vector);
            let constraint = match read {
                Ok(constraint) => constraint,
                Err((meant, better)) => {
                    // Of a list one is enough: they are all of one language.
                    if !(is_list && has_unknown) {
                        let quoted = span.of(self.host).starts_with('"');
                        let mut diagnostic =
                            Diagnostic::new(&UNKNOWN_CONSTRAINT, span, format!("there is no constraint `{text}`"))
                                .note("compilers before 2025 drop the statement and report nothing");
                        diagnostic = if text.contains('&') {
                            diagnostic.note("operands are variables: an early clobber is not needed")
                        } else {
                            diagnostic
                        };
                        diagnostic = match better {
                            Some(better) if is_list => {
                                let certain = !text.contains('.');
                                diagnostic.replace(span, better, certain).help(format!("write `{better}`"))
                            }
                            Some(better) if quoted => diagnostic
                                .replace(span, format!("\"{better}\""), true)
                                .help(format!("write `{better}`")),
                            Some(better) => diagnostic.help(format!("write `{better}`")),
                            None if self.raw.is_vector => {
                                diagnostic.help("the vector backend has `r`, `rw`, `a`, `cr`, `i`, `n` and `F`")
                            }
                            None if operand.is_output => diagnostic.help("outputs take `=rw` or `+rw`"),
                            None => diagnostic.help("inputs take `rw`, `rw.u`, `i`, `P` or the number of an output"),
                        };
                        self.out.diagnostics.push(diagnostic);
                        has_unknown = true;
                    }
                    // Whether one value is handed over or one for each lane is not known.
                    if meant.class == OperandClass::Uniform {
                        self.out.constraints.push(None);
                        continue;
                    }
                    meant
                }
            };
            if let Some(tied) = constraint.tied.filter(|t| *t >= n_outputs) {
                let message = if n_outputs == 0 {
                    format!("there is no output {tied}: the statement has none")
                } else {
                    format!("there is no output {tied}: the statement has {}", count(n_outputs, "output"))
                };
                self.report(Diagnostic::new(&MISSING_HOST_OPERAND, span, message));
            }
            self.tied_size(operand, constraint);
            self.values(operand, constraint, text);
            self.out.constraints.push(Some(constraint));
        }
        self.tied_by_name();
    }

    /// An input that is tied to a name which does not exist may give any output its value.
    fn tied_by_name(&mut self) {
        let is_name = |o: &RawOperand| o.constraint.as_deref().is_some_and(|c| c.starts_with('['));
        if self.operands.iter().any(is_name) {
            let outputs = self.out.constraints.iter_mut().flatten().filter(|c| c.is_output);
            outputs.for_each(|constraint| constraint.is_input = true);
        }
    }

    /// Checks that an input fits into the output that it is tied to: it is copied there before the text.
    fn tied_size(&mut self, operand: &RawOperand, constraint: Constraint) {
        let tied = constraint.tied.and_then(|tied| self.operands.get(tied as usize)).filter(|o| o.is_output);
        let bytes = |o: &RawOperand| o.host_type.variable().map(|(element, n)| element.bytes().saturating_mul(n));
        let Some((output, taken, has)) = tied.and_then(|o| Some((o, bytes(operand)?, bytes(o)?))) else { return };
        if taken > has {
            let word = constraint.tied.unwrap_or_default();
            let message = format!("an input of {taken} bytes is tied to output {word}, which has {has}");
            self.report(
                Diagnostic::new(&MISPLACED_CONSTRAINT, operand.constraint_span, message)
                    .also(output.constraint_span, "the output")
                    .help("convert the value to the type of the output"),
            );
        }
    }

    /// Checks the length of the list of constraints against what the host hands over.
    pub(super) fn handed_over(&mut self) {
        let Some(handed) = self.raw.handed_over else { return };
        let n_outputs = self.operands.iter().filter(|o| o.is_output).count();
        let n_inputs = self.operands.len() - n_outputs;
        let message = match (handed.n_results, handed.n_values) {
            (Some(n), _) if n != n_outputs => {
                let has = count(n_outputs as u32, "output");
                format!("the constraints have {has}, and the statement returns {}", count(n as u32, "value"))
            }
            (_, Some(n)) if n != n_inputs => {
                let has = count(n_inputs as u32, "input");
                format!("the constraints have {has}, and the statement is given {}", count(n as u32, "value"))
            }
            _ => return,
        };
        // Which numbers are too great depends on which list is right.
        self.is_complete = false;
        let place = if handed.list.is_empty() { self.raw.span } else { handed.list };
        self.report(
            Diagnostic::new(&MISSING_HOST_OPERAND, place, message)
                .help("write one constraint for each value, in order"),
        );
    }

    /// Checks what is known of an operand's value against its constraint.
    pub(super) fn values(&mut self, operand: &RawOperand, constraint: Constraint, text: &str) {
        let written = operand.expression.of(self.host);
        if constraint.class == OperandClass::Immediate && operand.value == Value::Varying && !self.raw.is_vector {
            let message = format!("the constraint `{text}` needs a constant, and `{written}` is none");
            self.report(
                Diagnostic::new(&VARYING_IMMEDIATE, operand.constraint_span, message)
                    .also(operand.expression, "known only when the kernel runs")
                    .help("hand it over with `rw`, or with `rw.u` if it is the same for all lanes"),
            );
        }
        if constraint.class == OperandClass::Uniform && operand.is_per_lane && !self.raw.is_vector {
            let message = format!("`{written}` differs from lane to lane, and `{text}` takes one value for all");
            self.report(
                Diagnostic::new(&IMPOSSIBLE_UNIFORM, operand.constraint_span, message)
                    .also(operand.expression, "depends on the number of the lane")
                    .help("write `rw`"),
            );
        }
    }
}
