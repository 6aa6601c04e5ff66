//! Random programs: arithmetic on integers of all widths, predicates, branches, loops, subroutines, addresses, messages.

mod head;
mod numbers;

pub use head::head;
pub use numbers::Numbers;

use std::fmt::Write as _;

/// General registers that programs compute with, each with names for all integer types.
const N_REGISTERS: usize = 4;
/// Lane numbers, and two inputs.
const N_GIVEN: usize = 3;
const N_VARIABLES: usize = N_GIVEN + N_REGISTERS;
/// Loops whose lanes count for themselves.
const MAX_LANE_COUNTERS: usize = 3;
const TYPES: [(&str, usize); 8] = [("ud", 4), ("d", 4), ("uw", 2), ("w", 2), ("ub", 1), ("b", 1), ("uq", 8), ("q", 8)];
const RELATIONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

struct Generator<'n> {
    numbers: &'n mut Numbers,
    /// Lanes of the kernel.
    simd: usize,
    /// Bytes of a register.
    grf: usize,
    out: String,
    n_labels: usize,
    n_counters: usize,
    n_lane_counters: usize,
    /// Lines that may still be written.
    budget: usize,
    n_subroutines: usize,
    /// Labels behind the loops around this place.
    exits: Vec<usize>,
    /// Labels above in the same list of lines.
    above: Vec<usize>,
    is_in_subroutine: bool,
    /// Whether something may be read that nothing has written.
    is_careless: bool,
}

/// A program as text, its lanes and the bytes of its registers.
pub struct Random {
    pub text: String,
    pub simd: u32,
    pub grf_bytes: u32,
}

pub fn program(numbers: &mut Numbers) -> Random {
    let simd = numbers.pick(&[8, 8, 16, 16, 16, 32]);
    let grf = numbers.pick(&[32, 32, 32, 64]);
    let budget = 4 + numbers.below(12);
    let n_subroutines = if numbers.one_in(10) { 1 + numbers.below(2) } else { 0 };
    let is_careless = numbers.one_in(8);
    let mut g = Generator {
        numbers,
        simd,
        grf,
        out: String::with_capacity(4096),
        n_labels: 0,
        n_counters: 0,
        n_lane_counters: 0,
        budget,
        n_subroutines,
        exits: Vec::new(),
        above: Vec::new(),
        is_in_subroutine: false,
        is_careless,
    };
    g.opening();
    g.lines(0);
    g.ending();
    let text = head(&g.out, simd, grf) + &g.out;
    Random { text, simd: simd as u32, grf_bytes: grf as u32 }
}

impl Generator<'_> {
    fn opening(&mut self) {
        self.out.push_str("mov (M1_NM, 8) Ruw0(0,0)<1> 0x76543210:uv\n");
        for first in (8..self.simd).step_by(8) {
            let at = self.place(2 * first, 2);
            let _ = writeln!(self.out, "add (M1_NM, 8) Ruw0{at}<1> Ruw0(0,0)<1;1,0> 0x{first:x}:uw");
        }
        // Wide enough to be read and written at once.
        let n = self.simd;
        let _ = writeln!(self.out, "mov (M1_NM, {n}) Rud3(0,0)<1> Ruw0(0,0)<1;1,0>");
        let _ = writeln!(self.out, "mov (M1_NM, {n}) Rud0(0,0)<1> Rud3(0,0)<1;1,0>");
        let upper = self.place(4 * n, 4);
        let _ = writeln!(self.out, "mov (M1_NM, {n}) Rud0{upper}<1> 0x0:ud");
        for v in N_GIVEN..N_VARIABLES {
            if self.is_careless && self.numbers.one_in(3) {
                continue;
            }
            let from = v % N_GIVEN;
            if v > N_GIVEN || self.numbers.one_in(2) {
                let _ = writeln!(self.out, "mov (M1_NM, {n}) Rud{v}(0,0)<1> Rud{from}(0,0)<1;1,0>");
            }
            let other = self.numbers.below(N_GIVEN);
            let _ = writeln!(self.out, "mov (M1_NM, {n}) Rud{v}{upper}<1> Rud{other}{upper}<1;1,0>");
        }
        for p in 1..=3 {
            if self.is_careless && self.numbers.one_in(2) {
                continue;
            }
            match self.numbers.below(3) {
                0 => {
                    let bits = self.numbers.next() as u32;
                    let _ = writeln!(self.out, "setp (M1_NM, 32) P{p} 0x{bits:x}:ud");
                }
                _ => self.comparison(p, true),
            }
        }
        self.out.push_str("cmp.lt (M1_NM, 1) U Rud1(0,0)<0;1,0> Rud2(0,0)<0;1,0>\n");
    }

    fn ending(&mut self) {
        // Everything is looked at once more.
        let n = self.simd;
        for v in N_GIVEN..N_VARIABLES {
            let upper = self.place(4 * n, 4);
            let _ = writeln!(self.out, "mov (M1_NM, {n}) %null(0,0)<1> Rud{v}(0,0)<1;1,0>");
            let _ = writeln!(self.out, "mov (M1_NM, {n}) %null(0,0)<1> Rud{v}{upper}<1;1,0>");
        }
        for p in 1..=2 {
            let _ = writeln!(self.out, "(P{p}) sel (M1_NM, {n}) DATA(0,0)<1> 0x1:ud 0x2:ud");
        }
        let _ = writeln!(self.out, "ret (M1, 1)");
        self.is_in_subroutine = true;
        for s in 0..self.n_subroutines {
            let _ = writeln!(self.out, ".function \"sub{s}\"\nsub{s}:");
            self.budget = 1 + self.numbers.below(4);
            self.above.clear();
            let depth = self.numbers.pick(&[1, 2, 2]);
            self.lines(depth);
            let _ = writeln!(self.out, "ret (M1, {n})");
        }
    }

    /// A place in a variable as text.
    fn place(&self, byte: usize, element: usize) -> String {
        format!("({},{})", byte / self.grf, byte % self.grf / element)
    }

    fn mask(&mut self) -> &'static str {
        if self.numbers.one_in(4) { "M1_NM" } else { "M1" }
    }

    /// The lanes that an instruction is for: mask and number.
    fn lanes(&mut self) -> (String, usize) {
        let nm = if self.numbers.one_in(4) { "_NM" } else { "" };
        match self.numbers.below(8) {
            0 => {
                let n = self.simd / 2;
                let first = self.numbers.below(2) * n;
                (format!("M{}{nm}", first / 4 + 1), n)
            }
            1 => (format!("M{}{nm}", self.numbers.below(self.simd / 8) * 2 + 1), 8),
            2 => (format!("M1{nm}"), self.numbers.pick(&[1, 2, 4])),
            _ => (format!("M1{nm}"), self.simd),
        }
    }

    fn kind(&mut self) -> (&'static str, usize) {
        if self.numbers.one_in(2) { TYPES[0] } else { self.numbers.pick(&TYPES) }
    }

    fn predicate(&mut self) -> String {
        let p = 1 + self.numbers.below(3);
        let not = if self.numbers.one_in(3) { "!" } else { "" };
        format!("{not}P{p}")
    }

    /// A destination of `n` elements of that type.
    fn destination(&mut self, (kind, bytes): (&str, usize), n: usize) -> String {
        let v = N_GIVEN + self.numbers.below(N_REGISTERS);
        let room = 8 * self.simd / bytes;
        let stride = if self.numbers.one_in(4) { self.numbers.pick(&[2, 4]) } else { 1 };
        let stride = if (n - 1) * stride < room { stride } else { 1 };
        let first = self.begin(room, (n - 1) * stride, bytes);
        let at = self.place(first * bytes, bytes);
        format!("R{kind}{v}{at}<{stride}>")
    }

    /// An element from which on that many fit.
    fn begin(&mut self, room: usize, last: usize, bytes: usize) -> usize {
        let free = room - last;
        match self.numbers.below(6) {
            0 => self.numbers.below(free),
            1 => (4 * self.simd / bytes).min(free - 1),
            _ => 0,
        }
    }

    fn source(&mut self, (kind, bytes): (&str, usize), n: usize, modifiers: &[&str]) -> String {
        let v = self.numbers.below(N_VARIABLES);
        let room = 8 * self.simd / bytes;
        let modifier = if self.numbers.one_in(8) && !modifiers.is_empty() { self.numbers.pick(modifiers) } else { "" };
        let (region, last) = match self.numbers.below(8) {
            0 => ("<0;1,0>".to_owned(), 0),
            1 if 2 * (n - 1) < room => ("<2;1,0>".to_owned(), 2 * (n - 1)),
            2 if n >= 4 => ("<2;2,1>".to_owned(), n - 1),
            3 if n >= 4 => ("<4;4,1>".to_owned(), n - 1),
            4 if n >= 4 => ("<0;4,1>".to_owned(), 3),
            5 if n >= 4 && n < room => ("<1;2,1>".to_owned(), n / 2),
            6 if n >= 4 => ("<1;4,0>".to_owned(), n / 4),
            _ => ("<1;1,0>".to_owned(), n - 1),
        };
        let first = self.begin(room, last, bytes);
        let at = self.place(first * bytes, bytes);
        format!("{modifier}R{kind}{v}{at}{region}")
    }

    fn immediate(&mut self, (kind, bytes): (&str, usize)) -> String {
        let bits = self.numbers.immediate();
        let bits = if bytes >= 8 { bits } else { bits & ((1 << (8 * bytes)) - 1) };
        match kind {
            "b" | "ub" => {
                let small = bits & 0x7f;
                let kind = if kind == "b" { "w" } else { "uw" };
                format!("0x{small:x}:{kind}")
            }
            "d" => format!("{}:d", bits as u32 as i32),
            "w" => format!("{}:w", bits as u16 as i16),
            "q" => format!("0x{bits:x}:q"),
            _ => format!("0x{bits:x}:{kind}"),
        }
    }

    fn value(&mut self, kind: (&'static str, usize), n: usize, modifiers: &[&str]) -> String {
        if self.numbers.one_in(2) { self.immediate(kind) } else { self.source(kind, n, modifiers) }
    }

    /// A comparison into a predicate.
    fn comparison(&mut self, p: usize, is_full: bool) {
        let relation = self.numbers.pick(&RELATIONS);
        let kind = self.kind();
        let (mask, n) = if is_full { ("M1_NM".to_owned(), self.simd) } else { self.lanes() };
        let a = self.source(kind, n, &["(-)", "(abs)"]);
        let b = self.value(kind, n, &[]);
        let _ = writeln!(self.out, "cmp.{relation} ({mask}, {n}) P{p} {a} {b}");
    }

    fn arithmetic(&mut self) {
        let to = self.kind();
        let (mask, n) = self.lanes();
        let d = self.destination(to, n);
        // Mostly one type; else any.
        let from = if self.numbers.one_in(3) { self.kind() } else { to };
        let other = if self.numbers.one_in(6) { self.kind() } else { from };
        let sat = if self.numbers.one_in(16) { ".sat" } else { "" };
        let guard = if self.numbers.one_in(4) { format!("({}) ", self.predicate()) } else { String::new() };
        let at = format!("({mask}, {n}) {d}");
        let signs = ["(-)", "(abs)", "(-abs)"];
        let line = match self.numbers.below(24) {
            0..=2 => format!("{guard}mov{sat} {at} {}", self.value(from, n, &signs)),
            3..=7 => format!("{guard}add{sat} {at} {} {}", self.source(from, n, &signs), self.value(other, n, &signs)),
            8..=9 => {
                let from = if from.1 == 8 { TYPES[0] } else { from };
                let other = if other.1 == 8 { TYPES[0] } else { other };
                format!("{guard}mul{sat} {at} {} {}", self.source(from, n, &signs), self.value(other, n, &[]))
            }
            10 => {
                let kind = self.numbers.pick(&TYPES[..2]);
                let d = self.destination(kind, n);
                let (a, b) = (self.source(kind, n, &[]), self.value(kind, n, &[]));
                format!("{guard}mulh ({mask}, {n}) {d} {a} {b}")
            }
            11..=13 => {
                let name = self.numbers.pick(&["and", "or", "xor"]);
                format!("{guard}{name} {at} {} {}", self.source(from, n, &["(~)"]), self.value(other, n, &[]))
            }
            14 => format!("{guard}not {at} {}", self.source(from, n, &[])),
            15..=17 => {
                let count = if self.numbers.one_in(4) {
                    self.source(TYPES[0], n, &[])
                } else {
                    format!("0x{:x}:uw", self.numbers.pick(&[0, 1, 2, 2, 3, 4, 5, 8, 16, 31, 32, 33, 40]))
                };
                let sat = if self.numbers.one_in(5) { ".sat" } else { sat };
                match self.numbers.below(3) {
                    0 => format!("{guard}shl{sat} {at} {} {count}", self.source(from, n, &[])),
                    1 => {
                        let kind = self.numbers.pick(&[TYPES[0], TYPES[0], TYPES[2], TYPES[6]]);
                        let d = self.destination(kind, n);
                        format!("{guard}shr ({mask}, {n}) {d} {} {count}", self.source(kind, n, &[]))
                    }
                    _ => {
                        let kind = self.numbers.pick(&[TYPES[1], TYPES[1], TYPES[3], TYPES[7]]);
                        let d = self.destination(kind, n);
                        format!("{guard}asr ({mask}, {n}) {d} {} {count}", self.source(kind, n, &[]))
                    }
                }
            }
            18 => {
                let name = self.numbers.pick(&["min", "max"]);
                format!("{name} {at} {} {}", self.source(from, n, &[]), self.value(from, n, &[]))
            }
            19..=20 => {
                let p = self.predicate();
                format!("({p}) sel {at} {} {}", self.source(from, n, &[]), self.value(from, n, &[]))
            }
            21 => {
                let n = n.min(16);
                let carry = self.destination(TYPES[0], n);
                let d = self.destination(TYPES[0], n);
                let name = self.numbers.pick(&["addc", "subb"]);
                let (a, b) = (self.source(TYPES[0], n, &[]), self.value(TYPES[0], n, &[]));
                format!("{guard}{name} ({mask}, {n}) {d} {carry} {a} {b}")
            }
            22 => {
                let name = self.numbers.pick(&["cbit", "fbl", "lzd", "fbh"]);
                let d = self.destination(TYPES[0], n);
                format!("{guard}{name} ({mask}, {n}) {d} {}", self.source(TYPES[0], n, &[]))
            }
            _ => {
                let kind = self.numbers.pick(&TYPES[..4]);
                let name = self.numbers.pick(&["div", "mod", "avg"]);
                let d = self.destination(kind, n);
                let (a, b) = (self.source(kind, n, &[]), self.immediate(kind));
                let b = if b.starts_with("0x0:") || b.starts_with("0:") { "0x3:uw".to_owned() } else { b };
                format!("{guard}{name} ({mask}, {n}) {d} {a} {b}")
            }
        };
        let _ = writeln!(self.out, "{line}");
    }

    fn predicates(&mut self) {
        let p = 1 + self.numbers.below(3);
        match self.numbers.below(4) {
            0 => {
                let (mask, n) = (self.mask(), self.simd);
                let (a, b) = (1 + self.numbers.below(3), 1 + self.numbers.below(3));
                let name = self.numbers.pick(&["and", "or", "xor"]);
                let _ = writeln!(self.out, "{name} ({mask}, {n}) P{p} P{a} P{b}");
            }
            1 => {
                let (mask, n, a) = (self.mask(), self.simd, 1 + self.numbers.below(3));
                let _ = writeln!(self.out, "not ({mask}, {n}) P{p} P{a}");
            }
            2 if self.simd >= 16 => {
                let v = N_GIVEN + self.numbers.below(N_REGISTERS);
                let kind = if self.simd == 16 { "uw" } else { "ud" };
                let _ = writeln!(self.out, "mov (M1_NM, 1) R{kind}{v}(0,0)<1> P{p}");
                if self.numbers.one_in(2) {
                    let _ = writeln!(self.out, "setp (M1_NM, {}) P{p} R{kind}{v}(0,0)<0;1,0>", self.simd);
                }
            }
            _ => {
                let (mask, n) = (self.mask(), self.simd);
                let source = self.source(TYPES[0], n, &[]);
                let _ = writeln!(self.out, "setp ({mask}, {n}) P{p} {source}");
            }
        }
    }

    /// A store of a block; some of the numbers that say which one are known, and one may depend on a predicate.
    fn block(&mut self) {
        for item in 1..6 {
            let value = if self.numbers.one_in(2) {
                format!("0x{:x}:ud", self.numbers.below(256))
            } else {
                format!("Rud1(0,{item})<0;1,0>")
            };
            let _ = writeln!(self.out, "mov (M1_NM, 1) E(0,{item})<1> {value}");
        }
        if self.numbers.one_in(2) {
            self.out.push_str("cmp.lt (M1_NM, 1) U Rud1(0,0)<0;1,0> 0x80:ud\n");
            let item = 1 + self.numbers.below(5);
            let (a, b) = (self.numbers.below(64), self.numbers.below(64));
            let _ = writeln!(self.out, "(U) sel (M1_NM, 1) E(0,{item})<1> 0x{a:x}:ud 0x{b:x}:ud");
            let _ = writeln!(self.out, "shl (M1_NM, 1) E(0,6)<1> Rud1(0,0)<0;1,0> E(0,{item})<0;1,0>");
        }
        self.out.push_str(
            "lsc_store_block2d.ugm (M1_NM, 1) flat[Ruq1,E(0,1),E(0,2),E(0,3),E(0,4),E(0,5)] DATA:d32.8x1nn\n",
        );
    }

    /// A store or a load of 8 or 16 lanes.
    fn message(&mut self) {
        if self.numbers.one_in(12) {
            return self.block();
        }
        let n = self.simd.min(16);
        let first = if self.simd == 32 { self.numbers.below(2) * 16 } else { 0 };
        let nm = if self.numbers.one_in(2) { "_NM" } else { "" };
        let mask = format!("M{}{nm}", first / 4 + 1);
        let guard = if self.numbers.one_in(5) { format!("({}) ", self.predicate()) } else { String::new() };
        let v = self.numbers.below(N_VARIABLES);
        let surface = if self.numbers.one_in(4) { "%slm" } else { "T6" };
        let w = N_GIVEN + self.numbers.below(N_REGISTERS);
        let global = self.numbers.pick(&["0x0:ud", "0x0:ud", "0x4:ud", "0x6:ud", "0xfffffff0:ud"]);
        let line = match self.numbers.below(8) {
            0..=1 => format!("{guard}scatter4_scaled.R ({mask}, {n}) {surface} {global} Rud{v}.0 DATA.0"),
            2 => {
                let channels = self.numbers.pick(&["RG", "RGBA", "A"]);
                format!("{guard}scatter4_scaled.{channels} ({mask}, {n}) {surface} {global} Rud{v}.0 DATA.0")
            }
            3..=4 => {
                let bytes = self.numbers.pick(&[1, 2, 4]);
                let data = if self.numbers.one_in(2) { "DATA".to_owned() } else { format!("Rud{w}") };
                format!("{guard}scatter_scaled.{bytes} ({mask}, {n}) {surface} {global} Rud{v}.0 {data}.0")
            }
            5 => {
                let form = self.numbers.pick(&["4.1", "8.1", "1.1", "1.4"]);
                let data = if form == "8.1" || self.numbers.one_in(2) { "DATA".to_owned() } else { format!("Rud{w}") };
                format!("{guard}svm_scatter.{form} ({mask}, {n}) Ruq{v}.0 {data}.0")
            }
            _ => format!("{guard}gather4_scaled.R ({mask}, {n}) {surface} {global} Rud{v}.0 Rud{w}.0"),
        };
        let _ = writeln!(self.out, "{line}");
    }

    fn addresses(&mut self) {
        let v = N_GIVEN + self.numbers.below(N_REGISTERS);
        let kind = self.numbers.pick(&TYPES[..4]);
        let is_wide = self.numbers.one_in(2);
        // On one path the address may stay as it was, or unset.
        let end = self.numbers.one_in(6).then(|| self.label());
        if let Some(end) = end {
            let _ = writeln!(self.out, "(U) jmp (M1, 1) L{end}");
        }
        if is_wide {
            // An address for each of 8 lanes.
            let offsets = N_GIVEN + self.numbers.below(N_REGISTERS);
            let mask = if self.numbers.one_in(2) { "M1" } else { "M1_NM" };
            let scale = self.numbers.pick(&[1, 2, 4]);
            let bound = self.numbers.pick(&[7, 15, 31, 0x1ff]);
            let _ = writeln!(self.out, "and ({mask}, 8) Ruw{offsets}(0,0)<1> Ruw{offsets}(0,0)<1;1,0> 0x{bound:x}:uw");
            if scale > 1 {
                let _ =
                    writeln!(self.out, "mul ({mask}, 8) Ruw{offsets}(0,0)<1> Ruw{offsets}(0,0)<1;1,0> 0x{scale:x}:uw");
            }
            let _ = writeln!(self.out, "addr_add ({mask}, 8) A0(0)<8> &Rud{v} Ruw{offsets}(0,0)<1;1,0>");
        } else {
            let offset = self.numbers.pick(&[0, 0, 2, 4, 16, 30, 32, 0x100]);
            let _ = writeln!(
                self.out,
                "addr_add (M1_NM, 1) A0(0)<1> &Rud{v}[{}] 0x{offset:x}:uw",
                self.numbers.pick(&[0, 4, 32])
            );
        }
        if let Some(end) = end {
            let _ = writeln!(self.out, "L{end}:");
        }
        let offset = self.numbers.pick(&[0, 0, 0, 4, 6, -4]);
        let guard = if self.numbers.one_in(5) { format!("({}) ", self.predicate()) } else { String::new() };
        let mask = self.mask();
        let kind = kind.0;
        if self.numbers.one_in(3) {
            let source = self.source(TYPES[0], 8, &[]);
            let region = if is_wide { "<1>" } else { self.numbers.pick(&["<1>", "<2>"]) };
            let _ = writeln!(self.out, "{guard}mov ({mask}, 8) r[A0(0),{offset}]{region}:{kind} {source}");
        } else {
            let region = if is_wide { "<1,0>" } else { self.numbers.pick(&["<1;1,0>", "<0;1,0>", "<2;1,0>"]) };
            let d = self.destination(TYPES[0], 8);
            let _ = writeln!(self.out, "{guard}mov ({mask}, 8) {d} r[A0(0),{offset}]{region}:{kind}");
        }
    }

    fn label(&mut self) -> usize {
        self.n_labels += 1;
        self.n_labels
    }

    /// A branch that all lanes take together.
    fn uniform_branch(&mut self, to: usize) {
        let kind = self.kind();
        let a = self.source(kind, 1, &[]);
        let b = self.value(kind, 1, &[]);
        let relation = self.numbers.pick(&RELATIONS);
        let _ = writeln!(self.out, "cmp.{relation} (M1_NM, 1) U {a} {b}");
        let not = if self.numbers.one_in(2) { "!" } else { "" };
        let name = if self.numbers.one_in(12) { "jmp" } else { "goto" };
        let _ = writeln!(self.out, "({not}U) {name} (M1, 1) L{to}");
    }

    /// Lines, and what is nested in them.
    fn lines(&mut self, depth: usize) {
        let n_own = 2 + self.numbers.below(6);
        let outer = std::mem::take(&mut self.above);
        for _ in 0..n_own {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match self.numbers.below(32) {
                11 if depth < 2 && self.numbers.one_in(2) => self.switch(depth),
                12 if self.is_in_subroutine && self.numbers.one_in(2) => {
                    let p = self.predicate();
                    let _ = writeln!(self.out, "({p}) ret (M1, {})", self.simd);
                }
                12 if self.numbers.one_in(3) => self.out.push_str("barrier\n"),
                13..=14 => {
                    let p = 1 + self.numbers.below(3);
                    self.comparison(p, false);
                }
                15..=16 => self.predicates(),
                17..=21 => self.message(),
                22 => self.addresses(),
                23..=24 if depth < 3 => self.choice(depth),
                25..=26 if depth < 2 => self.loop_of_all(depth),
                27 if depth < 2 => self.loop_of_lanes(depth),
                28 if self.n_subroutines > 0 && !self.is_in_subroutine => {
                    let guard = if self.numbers.one_in(2) { format!("({}) ", self.predicate()) } else { String::new() };
                    let s = self.numbers.below(self.n_subroutines);
                    let _ = writeln!(self.out, "{guard}call (M1, {}) sub{s}", self.simd);
                }
                29 if !self.exits.is_empty() => {
                    let to = self.numbers.pick(&self.exits.clone());
                    if self.numbers.one_in(2) {
                        self.uniform_branch(to);
                    } else {
                        let p = self.predicate();
                        let _ = writeln!(self.out, "({p}) goto (M1, {}) L{to}", self.simd);
                    }
                }
                30 if depth == 0 && self.numbers.one_in(2) => {
                    // Somewhere above, in between of other things.
                    if self.above.is_empty() || self.numbers.one_in(2) {
                        let l = self.label();
                        let _ = writeln!(self.out, "L{l}:");
                        self.above.push(l);
                    } else {
                        let to = self.numbers.pick(&self.above.clone());
                        self.jump_back(to);
                    }
                }
                31 => {
                    let (p, control) = (1 + self.numbers.below(3), self.numbers.pick(&["any", "all"]));
                    let n = self.simd;
                    let d = self.destination(TYPES[0], n);
                    let s = self.source(TYPES[0], n, &[]);
                    let _ = writeln!(self.out, "(P{p}.{control}) mov (M1, {n}) {d} {s}");
                }
                _ => self.arithmetic(),
            }
        }
        self.above = outer;
    }

    /// A branch to somewhere above, which is mostly not taken more than a few times.
    fn jump_back(&mut self, to: usize) {
        let skip = (self.n_counters < 7 && !self.numbers.one_in(40)).then(|| self.label());
        if let Some(skip) = skip {
            let at = self.place(4 * self.n_counters, 4);
            self.n_counters += 1;
            // It begins with any number.
            let _ = writeln!(self.out, "add (M1_NM, 1) N{at}<1> N{at}<0;1,0> 0x1:ud");
            let _ = writeln!(self.out, "and (M1_NM, 1) N{at}<1> N{at}<0;1,0> 0x3:ud");
            let _ = writeln!(self.out, "cmp.eq (M1_NM, 1) U N{at}<0;1,0> 0x0:ud\n(U) goto (M1, 1) L{skip}");
        }
        if self.numbers.one_in(2) {
            self.uniform_branch(to);
        } else {
            let p = self.predicate();
            let _ = writeln!(self.out, "({p}) goto (M1, {}) L{to}", self.simd);
        }
        if let Some(skip) = skip {
            let _ = writeln!(self.out, "L{skip}:");
        }
    }

    /// One of several things, chosen by a number.
    fn switch(&mut self, depth: usize) {
        let n = 2 + self.numbers.below(3);
        let labels: Vec<usize> = (0..n).map(|_| self.label()).collect();
        let end = self.label();
        let index = if self.numbers.one_in(5) {
            format!("0x{:x}:ud", self.numbers.below(n + 1))
        } else {
            let v = self.numbers.below(N_VARIABLES);
            let bits = if self.numbers.one_in(8) { 3 } else { 1 };
            let _ = writeln!(self.out, "and (M1_NM, 1) N(0,7)<1> Ruw{v}(0,0)<0;1,0> 0x{bits:x}:uw");
            "N(0,7)<0;1,0>".to_owned()
        };
        let names: Vec<String> = labels.iter().map(|l| format!("L{l}")).collect();
        let _ = writeln!(self.out, "switchjmp (M1, 1) {index} ({})", names.join(", "));
        for label in labels {
            let _ = writeln!(self.out, "L{label}:");
            self.lines(depth + 1);
            if !self.numbers.one_in(4) {
                let _ = writeln!(self.out, "goto (M1, 1) L{end}");
            }
        }
        let _ = writeln!(self.out, "L{end}:");
    }

    /// Some lanes do one thing, others another one.
    fn choice(&mut self, depth: usize) {
        let (otherwise, end) = (self.label(), self.label());
        let is_uniform = self.numbers.one_in(3);
        if is_uniform {
            self.uniform_branch(otherwise);
        } else {
            let p = self.predicate();
            let control = if self.numbers.one_in(8) { self.numbers.pick(&[".any", ".all"]) } else { "" };
            let _ = writeln!(self.out, "({p}{control}) goto (M1, {}) L{otherwise}", self.simd);
        }
        self.lines(depth + 1);
        let has_both = self.numbers.one_in(2);
        if has_both {
            let n = if is_uniform { 1 } else { self.simd };
            let _ = writeln!(self.out, "goto (M1, {n}) L{end}");
        }
        let _ = writeln!(self.out, "L{otherwise}:");
        if has_both {
            self.lines(depth + 1);
            let _ = writeln!(self.out, "L{end}:");
        }
    }

    /// All lanes repeat something together.
    fn loop_of_all(&mut self, depth: usize) {
        if self.n_counters == 7 {
            return self.arithmetic();
        }
        let counter = self.n_counters;
        self.n_counters += 1;
        let (head, exit) = (self.label(), self.label());
        let step = self.numbers.pick(&[1, 1, 2]);
        let at = self.place(4 * counter, 4);
        let _ = writeln!(self.out, "mov (M1_NM, 1) N{at}<1> 0x0:ud\nL{head}:");
        self.body(depth, exit);
        let _ = writeln!(self.out, "add (M1_NM, 1) N{at}<1> N{at}<0;1,0> 0x{step:x}:ud");
        if self.numbers.one_in(2) {
            let bound = 1 + self.numbers.below(4);
            let _ = writeln!(self.out, "cmp.lt (M1_NM, 1) U N{at}<0;1,0> 0x{bound:x}:ud");
        } else {
            // A number that is not known, but small.
            let v = 1 + self.numbers.below(2);
            let _ = writeln!(self.out, "and (M1_NM, 1) N(0,7)<1> Ruw{v}(0,0)<0;1,0> 0x3:uw");
            let _ = writeln!(self.out, "cmp.lt (M1_NM, 1) U N{at}<0;1,0> N(0,7)<0;1,0>");
        }
        let name = if depth == 0 && self.numbers.one_in(2) { "jmp" } else { "goto" };
        let _ = writeln!(self.out, "(U) {name} (M1, 1) L{head}\nL{exit}:");
    }

    /// Lanes repeat something, each as often as it wants.
    fn loop_of_lanes(&mut self, depth: usize) {
        let (head, exit) = (self.label(), self.label());
        let n = self.simd;
        let p = 1 + self.numbers.below(3);
        let relation = self.numbers.pick(&["lt", "ne"]);
        let own = self.n_lane_counters;
        if own == MAX_LANE_COUNTERS || self.numbers.one_in(40) {
            // Other lines may change what is counted, so that it may last for ever.
            let v = N_GIVEN + self.numbers.below(N_REGISTERS);
            let _ = writeln!(self.out, "L{head}:");
            self.body(depth, exit);
            let bound = self.numbers.pick(&[3, 7, 15]);
            let _ = writeln!(self.out, "add (M1, {n}) Ruw{v}(0,0)<1> Ruw{v}(0,0)<1;1,0> 0x1:uw");
            let _ = writeln!(self.out, "and (M1, {n}) Ruw{v}(0,0)<1> Ruw{v}(0,0)<1;1,0> 0x{bound:x}:uw");
            let _ = writeln!(self.out, "cmp.{relation} (M1, {n}) P{p} Ruw{v}(0,0)<1;1,0> 0x2:uw");
        } else {
            self.n_lane_counters += 1;
            let v = self.numbers.below(N_VARIABLES);
            let first = if self.numbers.one_in(2) { "0x0:uw".to_owned() } else { format!("Ruw{v}(0,0)<1;1,0>") };
            let _ = writeln!(self.out, "and (M1_NM, {n}) C{own}(0,0)<1> {first} 0x3:uw\nL{head}:");
            self.body(depth, exit);
            let _ = writeln!(self.out, "add (M1, {n}) C{own}(0,0)<1> C{own}(0,0)<1;1,0> 0x1:uw");
            let _ = writeln!(self.out, "and (M1, {n}) C{own}(0,0)<1> C{own}(0,0)<1;1,0> 0x3:uw");
            let _ = writeln!(self.out, "cmp.{relation} (M1, {n}) P{p} C{own}(0,0)<1;1,0> 0x2:uw");
        }
        let _ = writeln!(self.out, "(P{p}) goto (M1, {n}) L{head}\nL{exit}:");
    }

    fn body(&mut self, depth: usize, exit: usize) {
        self.exits.push(exit);
        self.lines(depth + 1);
        self.exits.pop();
    }
}
