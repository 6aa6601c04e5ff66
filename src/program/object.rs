//! Kernels, functions, and what belongs to them.

use super::variable::VariableId;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use std::ops::Range;

crate::define_id! {
    /// A kernel or function of a [`super::Program`].
    ObjectId
}

crate::define_id! {
    /// A label of a [`super::Program`].
    LabelId
}

/// What opens an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// `.kernel`
    Kernel,
    /// `.global_function`
    Function,
    /// Lines of the body of a kernel in a host source.
    Fragment,
    /// Statements before any `.kernel`, which were reported.
    Missing,
}

/// A kernel or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What opens it.
    pub kind: ObjectKind,
    /// Its name.
    pub name: Symbol,
    /// The directive.
    pub span: Span,
    /// The place of the name.
    pub name_span: Span,
    /// Its variables in [`super::Program::variables`].
    pub variables: Range<u32>,
    /// Its instructions in [`super::Program::instructions`].
    pub instructions: Range<u32>,
    /// Its labels in [`super::Program::labels`].
    pub labels: Range<u32>,
    /// Its attributes in [`super::Program::attributes`].
    pub attributes: Range<u32>,
    /// Its inputs in [`super::Program::inputs`].
    pub inputs: Range<u32>,
    /// Whether a line in it could not be read, so that labels or instructions may be missing.
    pub has_broken_lines: bool,
    /// Whether an input lacks its name, so that it is not known which variable it is.
    pub has_nameless_input: bool,
    /// Whether its lanes may part: it holds a `goto`, or a `call` or `ret` of some lanes.
    pub parts_lanes: bool,
}

/// A label, or a `.function` that opens a subroutine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: Symbol,
    /// Its place without the colon.
    pub span: Span,
    /// The instruction that follows it; one past the last where none does.
    pub instruction: u32,
    /// Whether `.function` defines it.
    pub is_function: bool,
}

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// None is written.
    None,
    /// A number.
    Number(i64),
    /// A string; its text is that of the span, with the quotes.
    Text(Span),
}

/// `.kernel_attr`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Symbol,
    /// The place of the name.
    pub name_span: Span,
    /// The value.
    pub value: AttributeValue,
    /// The place of the value; empty if there is none.
    pub value_span: Span,
    /// The whole directive.
    pub statement: Span,
}

/// `.input` or `.implicit_*`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// The variable.
    pub variable: VariableId,
    /// Byte offset in the payload; register 0 comes first.
    pub offset: i64,
    /// Bytes; those of the variable where none are written.
    pub size: i64,
    /// Whether `.implicit_*` declares it.
    pub is_implicit: bool,
    /// The name after `.implicit`, with the dot; or `.input`.
    pub directive: Span,
    /// The place of the name.
    pub name_span: Span,
    /// The place of the offset; empty if none is written.
    pub offset_span: Span,
    /// The place of the size; empty if none is written.
    pub size_span: Span,
}
