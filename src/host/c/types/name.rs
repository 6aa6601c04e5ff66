//! Types as they are written: words, namespaces, template arguments, stars.

use super::super::brackets::{angle, closing};
use super::super::lexer::{Kind, Token};
use super::Names;
use super::words::{NOT_TYPES, QUALIFIERS};
use crate::host::statement::HostType;
use crate::spec::Type;

/// A class of the SYCL library around an integer: the first of the structures.
const BFLOAT16: HostType = HostType::Struct(0);

impl Names<'_> {
    /// Reads a type at the beginning of `tokens`, with its `*` and `&`; returns it with the number of tokens. A type that
    /// is not known is open.
    pub fn read_type(&self, tokens: &[Token]) -> Option<(HostType, usize)> {
        let mut at = 0;
        let mut is_local = false;
        let mut found: Option<HostType> = None;
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Word => {
                    let word = self.word(*token);
                    if QUALIFIERS.contains(word) {
                        is_local |= matches!(word, "local" | "__local");
                        at += 1;
                    } else if matches!(word, "unsigned" | "signed" | "long" | "short" | "char" | "int" | "double")
                        && (found.is_none() || !words.is_empty())
                    {
                        words.push(word);
                        found = Some(Self::combined(&words));
                        at += 1;
                    } else if found.is_none() {
                        let (read, n) = self.named_type(&tokens[at..])?;
                        found = Some(read);
                        at += n;
                    } else {
                        break;
                    }
                }
                Kind::Scope if found.is_none() => at += 1,
                _ => break,
            }
        }
        let mut read = found?;
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Star => read = HostType::Pointer { target: Box::new(read), is_local },
                Kind::Ampersand => {}
                Kind::Word if QUALIFIERS.contains(self.word(*token)) => {}
                Kind::Word => match self.vector_attribute(&read, &tokens[at..]) {
                    Some((vector, n)) => {
                        read = vector;
                        at += n;
                        continue;
                    }
                    None => break,
                },
                _ => break,
            }
            at += 1;
        }
        Some((read, at))
    }

    /// `unsigned long`, `long long`, `unsigned char`.
    fn combined(words: &[&str]) -> HostType {
        let is_unsigned = words.contains(&"unsigned");
        let element = if words.contains(&"char") {
            Type::B
        } else if words.contains(&"short") {
            Type::W
        } else if words.contains(&"double") {
            Type::DF
        } else if words.contains(&"long") {
            Type::Q
        } else {
            Type::D
        };
        HostType::scalar(element, is_unsigned)
    }

    /// A type by its name, with namespaces and template arguments.
    fn named_type(&self, tokens: &[Token]) -> Option<(HostType, usize)> {
        let mut at = 0;
        let (mut name, mut class) = ("", "");
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Word => {
                    name = self.word(*token);
                    at += 1;
                    if tokens.get(at).is_some_and(|t| t.kind == Kind::Scope) {
                        at += 1;
                        class = name;
                        continue;
                    }
                    break;
                }
                _ => return None,
            }
        }
        if name.is_empty() || NOT_TYPES.contains(name) {
            return None;
        }
        if let Some(read) = self.joined.get(&tokens[at - 1].start) {
            return Some((read.clone(), closing(tokens, at)? + 1));
        }
        let arguments = angle(&tokens[at..]);
        if let Some(n) = arguments {
            let inside = &tokens[at + 1..at + n - 1];
            at += n;
            if let [scope, member, ..] = &tokens[at..]
                && (scope.kind, member.kind) == (Kind::Scope, Kind::Word)
            {
                return Some((self.member_type(name, Some(inside), self.word(*member)).unwrap_or_default(), at + 2));
            }
            let is_simd = matches!(name, "simd" | "vector" | "vector_ref");
            if name == "array"
                && let Some((target, n)) = self.read_type(inside)
                && inside.get(n).is_some_and(|t| t.kind == Kind::Comma)
            {
                return Some((HostType::Array { target: Box::new(target), is_local: false }, at));
            }
            if matches!(name, "vec" | "marray") || is_simd {
                let comma = inside.iter().position(|t| t.kind == Kind::Comma);
                if let Some(comma) = comma
                    && let Some((HostType::Value { element, is_unsigned, .. }, _)) = self.read_type(&inside[..comma])
                    && let Some(n) = self.constant_of(&inside[comma + 1..], &[], 0)
                {
                    let n_components = u32::try_from(n).unwrap_or(1);
                    let read = if is_simd {
                        HostType::Simd { element, n_elements: n_components }
                    } else {
                        HostType::Value { element, n_components, is_unsigned }
                    };
                    return Some((read, at));
                }
            }
            let instance = self.class_instance(name, inside);
            return Some((instance.unwrap_or_else(|| self.of_template(name, inside)), at));
        }
        let member = self.member_type(class, None, name);
        Some((member.or_else(|| self.type_named(name)).unwrap_or_default(), at))
    }

    /// The type of a name.
    pub fn type_named(&self, name: &str) -> Option<HostType> {
        let known = || self.bound.types.get(name).or_else(|| self.types.get(name)).cloned();
        let known = self.bound_alias(name).or_else(known);
        known.or_else(|| (name == "bfloat16").then_some(BFLOAT16)).or_else(|| builtin(name))
    }
}

/// A scalar type of OpenCL C, C++ or the SYCL library: element type, whether it has no sign.
fn scalar(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "char" | "int8_t" | "cl_char" | "schar" => (Type::B, false),
        "uchar" | "uint8_t" | "cl_uchar" | "bool" => (Type::B, true),
        "short" | "int16_t" | "cl_short" => (Type::W, false),
        "ushort" | "uint16_t" | "cl_ushort" => (Type::W, true),
        "int" | "int32_t" | "cl_int" | "signed" => (Type::D, false),
        "uint" | "uint32_t" | "cl_uint" | "unsigned" => (Type::D, true),
        "long" | "int64_t" | "cl_long" | "ptrdiff_t" | "intptr_t" => (Type::Q, false),
        "ulong" | "uint64_t" | "cl_ulong" | "size_t" | "uintptr_t" => (Type::Q, true),
        "half" | "_Float16" | "__fp16" | "cl_half" => (Type::HF, false),
        "float" | "cl_float" => (Type::F, false),
        "double" | "cl_double" => (Type::DF, false),
        _ => return None,
    })
}

/// The type of a name such as `int`, `uint4`, `cl_float8`.
pub(super) fn builtin(name: &str) -> Option<HostType> {
    if let Some((element, is_unsigned)) = scalar(name) {
        return Some(HostType::scalar(element, is_unsigned));
    }
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (base, count) = name.split_at(name.len() - digits);
    let n_components: u32 = count.parse().ok().filter(|n| [2, 3, 4, 8, 16].contains(n))?;
    let (element, is_unsigned) = scalar(base).filter(|_| !matches!(base, "bool" | "size_t"))?;
    Some(HostType::Value { element, n_components, is_unsigned })
}
