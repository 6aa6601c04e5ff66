//! Names, interned per file.

use super::unique::Unique;

crate::define_id! {
    /// An interned name; equal names of one file have equal symbols.
    Symbol
}

/// The names of one file, each stored once in one buffer.
#[derive(Default, Debug, Clone)]
pub struct Interner {
    buffer: String,
    /// Where each name ends in `buffer`; it begins where the one before ends.
    ends: Vec<u32>,
    table: Unique,
    /// By its number the symbol of a name that is `V` and a number, as the compiler names nearly all variables;
    /// [`UNKNOWN`] for one that is not there or only in `table`.
    numbered: Vec<u32>,
}

/// No symbol.
const UNKNOWN: u32 = u32::MAX;
/// A number beyond twice the number of names and this is not found by number, so that a single `V9999999` takes no room.
const FURTHER_NUMBERS: usize = 1024;

impl Interner {
    /// Makes room for `n` more names.
    pub fn reserve(&mut self, n: usize) {
        self.ends.reserve_exact(n);
        self.table.reserve(n);
    }

    /// The symbol of `name`.
    #[expect(clippy::missing_panics_doc, reason = "there are never so many symbols")]
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.by_number(name) {
            return symbol;
        }
        let Self { buffer, ends, table, numbered } = self;
        let next = u32::try_from(ends.len()).expect("fewer than 2^32 names");
        let found = table.find_or_note(name, next, |s| slice(buffer, ends, s) == name);
        if found.is_none() {
            buffer.push_str(name);
            ends.push(buffer.len() as u32);
        }
        let symbol = found.unwrap_or(next);
        if let Some(number) = number_of(name).filter(|number| *number < 2 * ends.len() + FURTHER_NUMBERS) {
            if numbered.len() <= number {
                numbered.resize(number + 1, UNKNOWN);
            }
            numbered[number] = symbol;
        }
        Symbol(symbol)
    }

    /// The symbol of `name` if it occurs in the file.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.by_number(name).or_else(|| self.by_text(name))
    }

    fn by_number(&self, name: &str) -> Option<Symbol> {
        let symbol = *self.numbered.get(number_of(name)?)?;
        (symbol != UNKNOWN).then_some(Symbol(symbol))
    }

    fn by_text(&self, name: &str) -> Option<Symbol> {
        self.table.find(name, |s| slice(&self.buffer, &self.ends, s) == name).map(Symbol)
    }

    /// The name of `symbol`.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        slice(&self.buffer, &self.ends, symbol.0)
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The number of a name that is `V` and a number of some digits; each such name has a number of its own.
fn number_of(name: &str) -> Option<usize> {
    let [b'V', digits @ ..] = name.as_bytes() else { return None };
    match digits {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] if digits.len() <= 7 => digits.iter().try_fold(0, |number, digit| match digit {
            b'0'..=b'9' => Some(10 * number + usize::from(digit - b'0')),
            _ => None,
        }),
        _ => None,
    }
}

fn slice<'a>(buffer: &'a str, ends: &[u32], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
