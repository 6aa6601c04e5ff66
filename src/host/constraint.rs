//! Constraints of operands: what each means, for the compiler of kernels and for the vector backend.

use crate::program::fragment::OperandClass;

/// What a constraint says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// How the operand comes in.
    pub class: OperandClass,
    /// Whether the text gets a plain decimal number without a type, which may stand inside of words.
    pub is_plain: bool,
    /// Whether the operand has a value when the fragment begins.
    pub is_input: bool,
    /// Whether its value is taken when the fragment ends.
    pub is_output: bool,
    /// The output that an input is tied to.
    pub tied: Option<u32>,
}

/// Reads a constraint.
///
/// # Errors
/// If it is unknown: what it was meant to be, and the one to write if that is certain.
pub fn read(text: &str, is_output: bool, is_vector: bool) -> Result<Constraint, (Constraint, Option<&'static str>)> {
    let is_read_write = text.starts_with('+');
    let class = OperandClass::PerLane;
    let plain = Constraint {
        class,
        is_plain: false,
        is_input: !is_output || is_read_write,
        is_output: is_output || text.starts_with(['=', '+']),
        tied: None,
    };
    let uniform = Constraint { class: OperandClass::Uniform, ..plain };
    let number = Constraint { class: OperandClass::Immediate, ..plain };
    if is_vector {
        // `@2r`: the operand is of more than one element.
        let word = text.trim_start_matches(['=', '+', '&']);
        let word = word.strip_prefix('@').map_or(word, |w| w.trim_start_matches(|c: char| c.is_ascii_digit()));
        return match word {
            "r" | "rw" | "a" | "cr" | "rw.u" => Ok(plain),
            "i" | "F" => Ok(number),
            "n" | "P" => Ok(Constraint { is_plain: true, ..number }),
            _ if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                Ok(Constraint { tied: word.parse().ok(), ..plain })
            }
            _ => Err((plain, None)),
        };
    }
    match (text, is_output) {
        ("=rw" | "+rw", true) | ("rw", false) => Ok(plain),
        // Among the inputs, too: the text gets the variable of the input, which it then may write.
        ("=rw" | "+rw", false) => Ok(Constraint { is_output: true, ..plain }),
        ("rw.u", false) => Ok(uniform),
        ("i", false) => Ok(number),
        ("P", false) => Ok(Constraint { is_plain: true, ..number }),
        (digits, false) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(Constraint { tied: digits.parse().ok(), ..plain })
        }
        _ => Err(match (text, is_output) {
            ("=&rw" | "=r" | "=&r" | "=w" | "=rw&" | "rw" | "r" | "=rw.u", true) => (plain, Some("=rw")),
            ("+&rw" | "+r" | "+&r" | "+w" | "+rw.u", true) => (plain, Some("+rw")),
            ("r" | "w" | "&rw", false) => (plain, Some("rw")),
            ("rwu" | "rw.v" | "r.u" | "rw.U", false) => (uniform, if text == "rw.v" { None } else { Some("rw.u") }),
            ("n" | "K" | "I", false) => (number, Some("i")),
            _ => (plain, None),
        }),
    }
}
