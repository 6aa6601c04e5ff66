//! Text that was put together from pieces of a host source, and where each piece stands there.

use crate::base::span::Span;

/// A piece of the text; it reaches to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    /// Where it begins in the text.
    at: u32,
    /// Where it is written in the host.
    host: Span,
    /// Whether it is the very bytes of the host. Otherwise it stands for its place as a whole: an escape, an operand.
    is_run: bool,
    /// Where the macro is used that it comes from.
    used: Option<Span>,
    /// Whether it is an argument that a macro made a string of.
    is_argument: bool,
    /// Whether it is what a macro stands for that is an argument of another one.
    is_value: bool,
}

impl Piece {
    const fn run(at: u32, host: Span) -> Self {
        Self { at, host, is_run: true, used: None, is_argument: false, is_value: false }
    }

    const fn atom(at: u32, host: Span) -> Self {
        Self { at, host, is_run: false, used: None, is_argument: false, is_value: false }
    }

    /// Where it counts as written: the use of the macro, or where it is written.
    fn place(&self) -> Span {
        self.used.unwrap_or(self.host)
    }

    /// Whether its bytes are those of the host at its place.
    const fn is_own_run(&self) -> bool {
        self.is_run && self.used.is_none()
    }
}

/// A text with the place in a host source of each of its bytes.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The text.
    pub text: String,
    pieces: Vec<Piece>,
    /// Places without text, see [`Mapped::add_place`].
    places: Vec<Span>,
}

impl Mapped {
    /// Where the pieces of the text begin in the host.
    pub(super) fn host_starts(&self) -> impl Iterator<Item = u32> {
        self.pieces.iter().map(|p| p.host.start)
    }

    /// Appends bytes that stand in the host from `host_start` on.
    pub fn push_run(&mut self, text: &str, host_start: u32) {
        if text.is_empty() {
            return;
        }
        let host = Span::new(host_start, host_start + text.len() as u32);
        if let Some(last) = self.pieces.last_mut()
            && last.is_own_run()
            && !last.is_argument
            && last.host.end == host_start
        {
            last.host.end = host.end;
        } else {
            self.pieces.push(Piece::run(self.text.len() as u32, host));
        }
        self.text.push_str(text);
    }

    /// Appends an argument that a macro makes a string of, as it stands in the host from `host_start` on.
    pub(super) fn push_argument(&mut self, text: &str, host_start: u32) {
        if !text.is_empty() {
            let host = Span::new(host_start, host_start + text.len() as u32);
            self.pieces.push(Piece { is_argument: true, ..Piece::run(self.text.len() as u32, host) });
            self.text.push_str(text);
        }
    }

    /// Appends text that stands for a place as a whole.
    pub fn push_atom(&mut self, text: &str, host: Span) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece::atom(self.text.len() as u32, host));
        self.text.push_str(text);
    }

    /// Appends the text of a macro that is used at a place.
    pub fn push_placed(&mut self, of_macro: &Self, use_place: Span) {
        self.push_macro(of_macro, use_place, false);
    }

    /// Appends the text of a macro that is used at a place; `is_value` if it is an argument of another one there.
    pub(super) fn push_macro(&mut self, of_macro: &Self, use_place: Span, is_value: bool) {
        let at = self.text.len() as u32;
        let placed =
            |piece: &Piece| Piece { at: at + piece.at, used: Some(use_place), is_argument: false, is_value, ..*piece };
        self.pieces.extend(of_macro.pieces.iter().map(placed));
        self.text.push_str(&of_macro.text);
    }

    /// Appends what stands for a part of another text as a whole.
    pub fn push_instead(&mut self, text: &str, from: &Self, host: &str, part: Span) {
        if text.is_empty() {
            return;
        }
        let used = from.pieces.get(from.piece_index(part.start)).and_then(|p| p.used);
        let place = used.and_then(|_| from.definition(host, part)).unwrap_or_else(|| from.host_span(host, part));
        self.pieces.push(Piece { used, ..Piece::atom(self.text.len() as u32, place) });
        self.text.push_str(text);
    }

    /// Appends a part of another text.
    pub fn push_part(&mut self, from: &Self, part: Span) {
        if part.is_empty() {
            return;
        }
        let mut at = part.start;
        for index in from.piece_index(part.start).. {
            let Some(piece) = from.pieces.get(index) else { break };
            let piece_end = from.pieces.get(index + 1).map_or(from.text.len() as u32, |next| next.at);
            let end = piece_end.min(part.end);
            let text = &from.text[at as usize..end as usize];
            if piece.is_argument {
                self.push_argument(text, piece.host.start + (at - piece.at));
            } else if piece.is_own_run() {
                self.push_run(text, piece.host.start + (at - piece.at));
            } else {
                let mut part = Piece { at: self.text.len() as u32, ..*piece };
                if piece.is_run {
                    part.host = Span::new(piece.host.start + (at - piece.at), piece.host.start + (end - piece.at));
                }
                self.pieces.push(part);
                self.text.push_str(text);
            }
            at = end;
            if at >= part.end {
                break;
            }
        }
    }

    /// The text with the places of another text, which it was made of.
    pub(super) fn through(&self, outer: &Self, host: &str) -> Self {
        let mut out = Self::default();
        for (index, piece) in self.pieces.iter().enumerate() {
            let end = self.pieces.get(index + 1).map_or(self.text.len() as u32, |next| next.at);
            if piece.is_own_run() {
                out.push_part(outer, piece.host);
                continue;
            }
            let host_of = |span| outer.host_span(host, span);
            let at = out.text.len() as u32;
            out.pieces.push(Piece { used: piece.used.map(host_of), ..Piece::atom(at, host_of(piece.host)) });
            out.text.push_str(Span::new(piece.at, end).of(&self.text));
        }
        out
    }

    /// The place in the host of a span of the text, with all lines that it reaches over.
    pub(super) fn whole_span(&self, host: &str, span: Span) -> Span {
        let start = self.host_span(host, Span::new(span.start, span.end.min(span.start + 1))).start;
        let end = self.host_span(host, Span::new(span.end.saturating_sub(1).max(span.start), span.end)).end;
        Span::new(start, end.max(start))
    }

    /// A span beyond the text that stands for a place of the host: for what is declared outside of the text.
    pub fn add_place(&mut self, host: Span) -> Span {
        let start = self.text.len() as u32 + 1 + 2 * self.places.len() as u32;
        self.places.push(host);
        Span::new(start, start + 1)
    }

    /// Where one literal of the host ends and the next one begins.
    pub(super) fn seams(&self) -> impl Iterator<Item = u32> {
        let is_seam = |pair: &&[Piece]| {
            let [one, two] = pair else { return false };
            one.used.is_none() && two.used.is_none() && two.host.start > one.host.end
        };
        self.pieces.windows(2).filter(is_seam).map(|pair| pair[1].at)
    }

    fn piece_index(&self, offset: u32) -> usize {
        self.pieces.partition_point(|p| p.at <= offset).saturating_sub(1)
    }

    /// Of a word that is partly made of arguments of a macro, the place of these: they are what differs between the uses of
    /// the macro. An argument is made a string of, or stands inside of `home`, where the statement is written, and what
    /// surrounds it does not. Nothing for any other span.
    pub(super) fn argument_span(&self, host: &str, span: Span, home: Span) -> Option<Span> {
        let length = self.text.len() as u32;
        if span.is_empty() || span.end > length || span.of(&self.text).contains([' ', '\t', '\n']) {
            return None;
        }
        let first = self.piece_index(span.start);
        let own = || self.pieces[first..].iter().enumerate().take_while(|(_, p)| p.at < span.end);
        let place = |(index, piece): (usize, &Piece)| {
            let end = self.pieces.get(first + index + 1).map_or(length, |next| next.at).min(span.end);
            self.host_span(host, Span::new(piece.at.max(span.start), end))
        };
        let hull = |one: Span, two: Span| {
            let is_behind = one.end <= two.start && !Span::new(one.end, two.start).of(host).contains('\n');
            if is_behind { Span::new(one.start, two.end) } else { one }
        };
        let is_home = |piece: &Piece| home.start <= piece.place().start && piece.place().end <= home.end;
        if own().any(|(_, piece)| piece.is_argument) {
            let is_whole = own().all(|(_, piece)| piece.is_argument);
            return own().filter(|(_, p)| p.is_argument).map(place).reduce(hull).filter(|_| !is_whole);
        }
        let is_mixed = own().any(|(_, piece)| !is_home(piece));
        // A dot alone is none of the parts that differ.
        let is_dot = |(index, piece): (usize, &Piece)| {
            let end = self.pieces.get(first + index + 1).map_or(length, |next| next.at).min(span.end);
            Span::new(piece.at.max(span.start), end).of(&self.text) == "."
        };
        own().filter(|part| is_home(part.1) && !is_dot(*part)).map(place).reduce(hull).filter(|_| is_mixed)
    }

    /// The place of a span in the definition of a macro, if the span is a part of what the macro stands for. What is all
    /// that it stands for is the macro's name where it is used, but for an argument of another macro.
    pub(super) fn definition(&self, host: &str, span: Span) -> Option<Span> {
        let is_value = || self.pieces.get(self.piece_index(span.start)).is_some_and(|piece| piece.is_value);
        self.defined(host, span).filter(|(_, is_whole)| !is_whole || is_value()).map(|(place, _)| place)
    }

    /// The place of a span in the definition of a macro, if the span is all that the macro stands for.
    pub(super) fn whole_definition(&self, host: &str, span: Span) -> Option<Span> {
        self.defined(host, span).filter(|(_, is_whole)| *is_whole).map(|(place, _)| place)
    }

    /// The place of a span in the definition of a macro, and whether it is all that the macro stands for.
    fn defined(&self, host: &str, span: Span) -> Option<(Span, bool)> {
        let length = self.text.len() as u32;
        if span.is_empty() || span.end > length {
            return None;
        }
        let first = self.piece_index(span.start);
        let used = self.pieces.get(first)?.used?;
        let begin = self.pieces[..first].iter().rposition(|p| p.used != Some(used)).map_or(0, |before| before + 1);
        let n_own = self.pieces[first..].iter().take_while(|p| p.used == Some(used)).count();
        let end_of = |index: usize| self.pieces.get(index + 1).map_or(length, |next| next.at);
        let whole = Span::new(self.pieces[begin].at, end_of(first + n_own - 1));
        let is_whole = whole.of(&self.text).trim() == span.of(&self.text).trim();
        if whole.end < span.end {
            return None;
        }
        // Of a dot and a word that stands elsewhere, the word.
        let is_dot =
            n_own > 1 && end_of(first) < span.end && Span::new(span.start, end_of(first)).of(&self.text) == ".";
        let own = first + usize::from(is_dot)..first + n_own;
        let parts = own.take_while(|index| self.pieces[*index].at < span.end).map(|index| {
            let piece = &self.pieces[index];
            if !piece.is_run {
                return piece.host;
            }
            let offset = |at: u32| piece.host.start + (at.clamp(piece.at, end_of(index)) - piece.at);
            Span::new(offset(span.start), offset(span.end))
        });
        let place = parts.reduce(|one, two| {
            let is_behind = one.end <= two.start && !Span::new(one.end, two.start).of(host).contains('\n');
            if is_behind { Span::new(one.start, two.end) } else { one }
        });
        Some((place?, is_whole))
    }

    /// Where the macro is used in whose definition a place of the host stands.
    pub(super) fn use_of(&self, place: Span) -> Option<Span> {
        let holds = |piece: &&Piece| piece.host.start <= place.start && place.end <= piece.host.end;
        self.pieces.iter().filter(|piece| piece.used.is_some()).find(holds)?.used
    }

    /// The place in the host of a span of the text. Of a span that reaches over a line of the host, the part on the first
    /// line.
    #[must_use]
    pub fn host_span(&self, host: &str, span: Span) -> Span {
        let length = self.text.len() as u32;
        if span.start > length {
            let index = ((span.start - length - 1) / 2) as usize;
            return self.places.get(index).copied().unwrap_or_default();
        }
        if self.pieces.is_empty() {
            return Span::default();
        }
        let first = self.piece_index(span.start.min(length.saturating_sub(1)));
        let piece = self.pieces[first];
        // Of a dot and a word that stands elsewhere, the word.
        if let Some(next) = self.pieces.get(first + 1).filter(|next| next.at < span.end)
            && self.text.get(span.start as usize..next.at as usize) == Some(".")
            && next.is_own_run()
            && (next.place().start < piece.place().end
                || LineEnd { host: host.as_bytes(), searched: piece.place().end, found: None }
                    .before(next.place().start)
                    .is_some())
        {
            return self.host_span(host, Span::new(next.at, span.end));
        }
        let start = if span.start >= length {
            piece.place().end
        } else if piece.is_own_run() {
            piece.host.start + (span.start - piece.at)
        } else {
            piece.place().start
        };
        if span.is_empty() {
            return Span::at(start);
        }
        let mut line = LineEnd { host: host.as_bytes(), searched: start, found: None };
        let mut end = start;
        for index in first..self.pieces.len() {
            let piece = self.pieces[index];
            if piece.at >= span.end {
                break;
            }
            // The text of a macro is written around its arguments.
            let place = piece.place();
            // What is put into a text from elsewhere, behind which the text goes on: `"{0}.wb".format("uc")`.
            let next = self.pieces.get(index + 1).filter(|next| next.at < span.end);
            if index > first && next.is_some_and(|next| end <= next.place().start && next.place().end <= place.start) {
                continue;
            }
            let goes_on = place.start >= end || piece.used.is_some() && place.end >= end;
            if index > first && (!goes_on || line.before(place.start).is_some()) {
                break;
            }
            let piece_end = self.pieces.get(index + 1).map_or(length, |next| next.at);
            end = if piece.is_own_run() {
                // A run of a raw string may hold newlines of its own.
                let end = piece.host.start + (span.end.min(piece_end) - piece.at);
                line.before(end).map_or(end, |line_end| line_end.max(start + 1))
            } else {
                place.end
            };
        }
        Span::new(start, end.max(start))
    }

    /// The place of a span in the host if it is one run of its bytes there.
    #[must_use]
    pub fn run(&self, span: Span) -> Option<Span> {
        let length = self.text.len() as u32;
        if span.end > length || self.pieces.is_empty() {
            return None;
        }
        let inside = |index: usize| {
            let piece = self.pieces[index];
            let end = self.pieces.get(index + 1).map_or(length, |next| next.at);
            (piece.at <= span.start && span.end <= end).then(|| {
                if piece.used.is_some() {
                    None
                } else if piece.is_run {
                    Some(Span::new(piece.host.start + span.start - piece.at, piece.host.start + span.end - piece.at))
                } else if span.is_empty() {
                    (span.start == piece.at)
                        .then(|| Span::at(piece.host.start))
                        .or_else(|| (span.end == end).then(|| Span::at(piece.host.end)))
                } else {
                    (span.start == piece.at && span.end == end).then_some(piece.host)
                }
            })
        };
        let index = self.piece_index(span.start.min(length.saturating_sub(1)));
        // An insertion between two pieces goes to the end of the first one, but for one at the beginning of a word: the
        // blank before it may be what a list is joined with.
        let is_between = span.is_empty() && index > 0 && self.pieces[index].at == span.start;
        let is_behind_word = is_between && !self.text[..span.start as usize].ends_with([' ', '\t', '\n']);
        let before = is_behind_word.then(|| inside(index - 1)).flatten();
        before.flatten().or_else(|| inside(index).flatten())
    }

    /// Whether a span begins in an argument that a macro makes a string of: no string of the host, which could hold escapes.
    pub(super) fn is_argument(&self, span: Span) -> bool {
        self.pieces.get(self.piece_index(span.start)).is_some_and(|piece| piece.is_argument)
    }

    /// Where the bytes of a span are written: as [`Mapped::run`], and also in the definition of a macro.
    #[must_use]
    pub fn written(&self, span: Span) -> Option<Span> {
        let index = self.piece_index(span.start);
        let piece = self.pieces.get(index)?;
        let end = self.pieces.get(index + 1).map_or(self.text.len() as u32, |next| next.at);
        if piece.used.is_some() && piece.is_run && span.end <= end {
            let start = piece.host.start + (span.start - piece.at);
            return Some(Span::new(start, start + span.len()));
        }
        self.run(span)
    }

    /// The offset in the text that a place of the host stands for, if the bytes there are those of the text.
    #[must_use]
    pub fn offset_in_run(&self, host_offset: u32) -> Option<u32> {
        let holds =
            |piece: &&Piece| piece.is_own_run() && piece.host.start <= host_offset && host_offset <= piece.host.end;
        let piece = self.pieces.iter().find(holds)?;
        Some(piece.at + (host_offset - piece.host.start))
    }

    /// The offset in the text that a place of the host stands for, if the text holds it.
    #[must_use]
    pub fn offset_of(&self, host_offset: u32) -> Option<u32> {
        let holds = |piece: &&Piece| piece.place().start <= host_offset && host_offset <= piece.place().end;
        let candidates = || self.pieces.iter().filter(holds);
        let piece = candidates().find(|p| host_offset < p.place().end).or_else(|| candidates().next_back())?;
        Some(if piece.is_own_run() { piece.at + (host_offset - piece.host.start) } else { piece.at })
    }
}

/// The first newline behind a place, which is searched no further than it matters: a host may be one long line.
struct LineEnd<'h> {
    host: &'h [u8],
    /// Up to here there is no other.
    searched: u32,
    found: Option<u32>,
}

impl LineEnd<'_> {
    /// Where it is, if it stands before `limit`.
    fn before(&mut self, limit: u32) -> Option<u32> {
        if self.found.is_none() && self.searched < limit {
            let rest = self.host.get(self.searched as usize..limit as usize)?;
            self.found = memchr::memchr(b'\n', rest).map(|i| self.searched + i as u32);
            self.searched = limit;
        }
        self.found.filter(|at| *at < limit)
    }
}
