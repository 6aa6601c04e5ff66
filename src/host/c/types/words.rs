//! Words of the host languages that mean something to a reader of types.

use super::super::words::WordList;

/// Words before and behind a type that are no part of it.
pub(in super::super) static QUALIFIERS: WordList<37> = WordList::of([
    "const",
    "volatile",
    "static",
    "constexpr",
    "inline",
    "register",
    "restrict",
    "__restrict",
    "__restrict__",
    "extern",
    "private",
    "__private",
    "local",
    "__local",
    "global",
    "__global",
    "constant",
    "__constant",
    "generic",
    "__generic",
    "mutable",
    "typename",
    "thread_local",
    "__const",
    "struct",
    "read_only",
    "write_only",
    "__read_only",
    "__write_only",
    "uniform",
    "enum",
    "class",
    "consteval",
    "constinit",
    "_Atomic",
    "final",
    "kernel",
]);

/// Casts that have a name.
pub(super) const CASTS: [&str; 7] =
    ["static_cast", "reinterpret_cast", "const_cast", "bit_cast", "dynamic_cast", "address_space_cast", "bitcast"];

/// Functions whose value differs from lane to lane.
pub(super) const PER_LANE: [&str; 10] = [
    "get_global_id",
    "get_local_id",
    "get_sub_group_local_id",
    "get_global_linear_id",
    "get_local_linear_id",
    "get_local_id_linear",
    "SubgroupLocalInvocationId",
    "get_global_id_linear",
    "__spirv_LocalInvocationId",
    "__spirv_SubgroupLocalInvocationId",
];

/// Words that begin statements and expressions, never types.
pub(in super::super) static NOT_TYPES: WordList<27> = WordList::of([
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "sizeof",
    "asm",
    "__asm__",
    "__asm",
    "new",
    "delete",
    "throw",
    "namespace",
    "template",
    "using",
    "typedef",
    "operator",
    "public",
    "private",
    "protected",
]);
