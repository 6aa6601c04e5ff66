//! Shapes of the text itself: lines, comments, names, declarations.

use crate::shape::{Shape, body, kernel, parts};
use std::fmt::Write as _;

pub const SHAPES: &[Shape] = &[
    Shape::new("declarations", 1000, |n| {
        kernel(&parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF")), "")
    }),
    Shape::new("a chain of aliases", 1000, |n| {
        let link = |i: usize, t: &mut String| match i {
            0 => writeln!(t, ".decl W0 v_type=G type=d num_elts=8 alias=<V32,0>"),
            _ => writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 alias=<W{},0>", i - 1),
        };
        kernel(&parts(n, link), "")
    }),
    Shape::new("many aliases of one variable", 1000, |n| {
        let link = |i: usize, t: &mut String| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 alias=<V32,0>");
        let write = |i: usize, t: &mut String| writeln!(t, "    mov (M1, 8) W{i}(0,0)<1> 1:d");
        kernel(&parts(n, link), &parts(n, write))
    }),
    Shape::new("attributes", 1000, |n| kernel(&parts(n, |i, t| writeln!(t, ".kernel_attr A{i}=1")), "")),
    Shape::new("inputs", 1000, |n| {
        let input = |i: usize, t: &mut String| {
            writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF\n.input W{i} offset={} size=32", 32 + 32 * i)
        };
        kernel(&parts(n, input), "")
    }),
    Shape::new("lines and files", 1000, |n| body(n, |i, t| writeln!(t, "    FILE \"f{i}.cl\"\n    LOC {i}"))),
    Shape::new("words in one line", 2000, |n| kernel("", &format!("    mov{}\n", " x".repeat(n)))),
    Shape::new("parentheses in one line", 2000, |n| kernel("", &format!("    mov (M1, 8) V32({}0\n", "(".repeat(n)))),
    Shape::new("signs in one line", 2000, |n| kernel("", &format!("    LOC {}1\n", "-".repeat(n)))),
    Shape::new("modifiers in one line", 1000, |n| {
        kernel("", &format!("    mov{} (M1, 8) V32(0,0)<1> 1:d\n", ".sat".repeat(n)))
    }),
    Shape::new("statements in one line", 1000, |n| {
        kernel("", &"    rett (M1, 1) /* no end\n".replace('\n', " ").repeat(n)) + "*/\n"
    }),
    Shape::new("comments", 5000, |n| body(n, |_, t| writeln!(t, "// a comment"))),
    Shape::new("comments in one line", 5000, |n| kernel("", &("    /* a */".repeat(n) + "\n"))),
    Shape::new("comments over lines", 1000, |n| body(n, |_, t| writeln!(t, "    mov /*\n*/ (M1, 8) V32(0,0)<1> 1:d"))),
    Shape::new("a comment that does not end", 5000, |n| kernel("", &("    /* ".repeat(n) + "\n"))),
    Shape::new("empty lines", 20000, |n| kernel("", &"\n".repeat(n))),
    Shape::new("carriage returns", 5000, |n| kernel("", &"\r\n".repeat(n))),
    Shape::new("carriage returns alone", 20000, |n| kernel("", &"\r".repeat(n))),
    Shape::new("characters of several bytes", 1000, |n| body(n, |_, t| writeln!(t, "    äöü𝄞"))),
    Shape::new("control characters", 1000, |n| body(n, |_, t| writeln!(t, "    \u{1}\u{2}\u{9b}"))),
    Shape::new("scopes in scopes", 2000, |n| kernel("", &("{\n".repeat(n) + &"}\n".repeat(n)))),
    Shape::new("scopes that declare", 500, |n| {
        body(n, |_, t| {
            writeln!(t, "{{\n.decl W v_type=G type=d num_elts=8 align=GRF\n    mov (M1, 8) W(0,0)<1> 1:d\n}}")
        })
    }),
    Shape::new("a long name", 30000, |n| kernel("", &format!("    {} (M1, 1)\n", "a".repeat(n)))),
    Shape::new("a long string", 30000, |n| kernel("", &format!("    FILE \"{}\"\n", "a".repeat(n)))),
    Shape::new("a long number", 30000, |n| kernel("", &format!("    LOC {}\n", "9".repeat(n)))),
    Shape::new("scopes in scopes that declare", 500, |n| {
        let open = parts(n, |_, t| {
            writeln!(t, "{{\n.decl W v_type=G type=d num_elts=8 align=GRF\n    mov (M1, 8) W(0,0)<1> 1:d")
        });
        kernel("", &(open + &"}\n".repeat(n)))
    }),
    Shape::new("declarations of long names", 300, |n| {
        let tail = "x".repeat(200);
        kernel(&parts(n, |i, t| writeln!(t, ".decl W{i}{tail} v_type=G type=d num_elts=8 align=GRF")), "")
    }),
    Shape::new("expressions in expressions", 500, |n| {
        kernel("", &format!("    LOC {}1{}\n", "(".repeat(n), ")".repeat(n)))
    }),
    Shape::new("sums of numbers", 1000, |n| kernel("", &format!("    LOC 1{}\n", "+1".repeat(n)))),
    Shape::new("comments at the ends of lines", 1000, |n| body(n, |_, t| writeln!(t, "    barrier // {:200}.", "so"))),
    Shape::new("strings that are not closed", 1000, |n| body(n, |_, t| writeln!(t, "    FILE \"f.cl"))),
    Shape::new("lines that go on", 500, |n| {
        kernel("", &("    mov (M1, 8) \\\n".to_owned() + &"\\\n".repeat(n) + "V32(0,0)<1> 1:d\n"))
    }),
    Shape::new("versions", 500, |n| ".version 4.1\n".repeat(n) + &kernel("", "")),
    Shape::new("one attribute again and again", 1000, |n| {
        kernel(&parts(n, |i, t| writeln!(t, ".kernel_attr SimdSize={}", 8 << (i % 2))), "")
    }),
];
