//! How the work grows with the size of the input, for texts of unusual shapes: each is made with n, 2n, 4n and 8n parts,
//! and the program is run on it under valgrind, which counts instructions. Fails if the work of a shape grows faster
//! than n to the power of [`MAX_EXPONENT`] over the last two doublings. A name as argument selects shapes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// More than n log n would need at these sizes.
const MAX_EXPONENT: f64 = 1.25;

/// A shape: its name, further arguments of the program, its smallest size, and the text of a size.
type Shape = (&'static str, &'static [&'static str], usize, fn(usize) -> String);

const HEAD: &str = ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=64 align=GRF\n\
    .decl V33 v_type=G type=ud num_elts=64 align=GRF\n.decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n\
    .decl T6 v_type=T num_elts=1\n";
const BODY: &str = ".kernel_attr Target=\"cm\"\n.function \"k\"\nk:\n";
const END: &str = "    ret (M1, 1)\n";

/// A kernel with these declarations and statements.
fn kernel(declarations: &str, statements: &str) -> String {
    format!("{HEAD}{declarations}{BODY}{statements}{END}")
}

/// The parts of a text, one after the other.
fn parts(n: usize, part: impl Fn(usize, &mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for i in 0..n {
        part(i, &mut text).expect("writing into a string does not fail");
    }
    text
}

/// A kernel of n statements.
fn body(n: usize, part: impl Fn(usize, &mut String) -> std::fmt::Result) -> String {
    kernel("", &parts(n, part))
}

const SHAPES: &[Shape] = &[
    ("moves", &[], 500, |n| body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0)<1> 1:d"))),
    ("adds that depend on each other", &[], 300, |n| {
        body(n, |_, t| writeln!(t, "    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V33(0,0)<8;8,1>"))
    }),
    ("declarations", &[], 500, |n| {
        kernel(&parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF")), "")
    }),
    ("a chain of aliases", &[], 500, |n| {
        let link = |i: usize, t: &mut String| match i {
            0 => writeln!(t, ".decl W0 v_type=G type=d num_elts=8 alias=<V32,0>"),
            _ => writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 alias=<W{},0>", i - 1),
        };
        kernel(&parts(n, link), "")
    }),
    ("many aliases of one variable", &[], 300, |n| {
        let link = |i: usize, t: &mut String| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 alias=<V32,0>");
        let write = |i: usize, t: &mut String| writeln!(t, "    mov (M1, 8) W{i}(0,0)<1> 1:d");
        kernel(&parts(n, link), &parts(n, write))
    }),
    ("one name declared again and again", &[], 300, |n| {
        kernel(&parts(n, |_, t| writeln!(t, ".decl W v_type=G type=d num_elts=8 align=GRF")), "")
    }),
    ("attributes", &[], 300, |n| kernel(&parts(n, |i, t| writeln!(t, ".kernel_attr A{i}=1")), "")),
    ("inputs", &[], 300, |n| {
        let input = |i: usize, t: &mut String| {
            writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF\n.input W{i} offset={} size=32", 32 + 32 * i)
        };
        kernel(&parts(n, input), "")
    }),
    ("kernels", &[], 60, |n| {
        let all = parts(n, |i, t| {
            writeln!(t, ".kernel \"k{i}\"\n.kernel_attr Target=\"cm\"\n.function \"k{i}\"\nk{i}:\n    ret (M1, 1)")
        });
        format!(".version 4.1\n{all}")
    }),
    ("kernels of one name", &[], 60, |n| {
        let all = parts(n, |_, t| {
            writeln!(t, ".kernel \"k\"\n.kernel_attr Target=\"cm\"\n.function \"k\"\nk:\n    ret (M1, 1)")
        });
        format!(".version 4.1\n{all}")
    }),
    ("labels", &[], 300, |n| body(n, |i, t| writeln!(t, "L{i}:\n    mov (M1, 8) V32(0,0)<1> 1:d"))),
    ("one label again and again", &[], 300, |n| body(n, |_, t| writeln!(t, "L:\n    mov (M1, 8) V32(0,0)<1> 1:d"))),
    ("jumps to the next statement", &[], 200, |n| body(n, |i, t| writeln!(t, "    jmp (M1, 1) L{i}\nL{i}:"))),
    ("gotos to one label", &[], 100, |n| {
        kernel("", &(parts(n, |_, t| writeln!(t, "    (P1) goto (M1, 16) L")) + "L:\n"))
    }),
    ("gotos that cross", &[], 60, |n| {
        let there = parts(n, |i, t| writeln!(t, "    (P1) goto (M1, 16) L{i}"));
        kernel("", &(there + &parts(n, |i, t| writeln!(t, "L{i}:\n    mov (M1, 16) V32(0,0)<1> 1:d"))))
    }),
    ("gotos that are nested", &[], 60, |n| {
        let there = parts(n, |i, t| writeln!(t, "    (P1) goto (M1, 16) L{i}"));
        let back = parts(n, |i, t| writeln!(t, "L{}:\n    mov (M1, 16) V32(0,0)<1> 1:d", n - 1 - i));
        kernel("", &(there + &back))
    }),
    ("loops one after the other", &[], 40, |n| {
        body(n, |i, t| {
            writeln!(
                t,
                "L{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d\n    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{i}"
            )
        })
    }),
    ("loops in loops", &[], 20, |n| {
        let open = parts(n, |i, t| writeln!(t, "L{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d"));
        let close = parts(n, |i, t| {
            writeln!(t, "    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{}", n - 1 - i)
        });
        kernel("", &(open + &close))
    }),
    ("a chain of functions", &[], 100, |n| {
        let links = parts(n, |i, t| {
            let next = if i + 1 < n { format!("    call (M1, 16) f{}\n", i + 1) } else { String::new() };
            writeln!(t, ".function \"f{i}\"\nf{i}:\n{next}    ret (M1, 16)")
        });
        kernel("", "    call (M1, 16) f0\n") + &links
    }),
    ("functions that call every one behind them", &[], 1000, |n| {
        // The text has n calls.
        let n = (2.0 * n as f64).sqrt() as usize;
        let all = parts(n, |i, t| {
            let calls = parts(n - 1 - i, |j, t| writeln!(t, "    call (M1, 16) f{}", i + 1 + j));
            writeln!(t, ".function \"f{i}\"\nf{i}:\n{calls}    ret (M1, 16)")
        });
        kernel("", "    call (M1, 16) f0\n") + &all
    }),
    ("functions that are not called", &[], 100, |n| {
        kernel("", "") + &parts(n, |i, t| writeln!(t, ".function \"f{i}\"\nf{i}:\n    ret (M1, 16)"))
    }),
    ("stores", &[], 200, |n| body(n, |i, t| writeln!(t, "    oword_st (4) T6 0x{:x}:ud V32.0", 64 * i))),
    ("scatters", &[], 150, |n| body(n, |_, t| writeln!(t, "    scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"))),
    ("loads that nothing uses", &[], 200, |n| {
        body(n, |i, t| writeln!(t, "    oword_ld (4) T6 0x{:x}:ud V32.0", 64 * i))
    }),
    ("comparisons", &[], 200, |n| body(n, |i, t| writeln!(t, "    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> {i}:d"))),
    ("moves under a predicate", &[], 200, |n| body(n, |i, t| writeln!(t, "    (P1) mov (M1, 16) V32(0,0)<1> {i}:d"))),
    ("addresses", &[], 200, |n| body(n, |i, t| writeln!(t, "    addr_add (M1, 1) A0(0)<1> &V32 {}", i % 64))),
    ("indirect operands", &[], 200, |n| body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0)<1> r[A0(0),0]<8;8,1>:d"))),
    ("lifetimes", &[], 200, |n| {
        body(n, |_, t| writeln!(t, "    lifetime.start V32\n    mov (M1, 8) V32(0,0)<1> 1:d\n    lifetime.end V32"))
    }),
    ("fences", &[], 300, |n| body(n, |_, t| writeln!(t, "    fence_global.E.I.S.R"))),
    ("barriers", &[], 300, |n| body(n, |_, t| writeln!(t, "    barrier"))),
    ("lines and files", &[], 300, |n| body(n, |i, t| writeln!(t, "    FILE \"f{i}.cl\"\n    LOC {i}"))),
    ("unknown instructions", &[], 300, |n| body(n, |_, t| writeln!(t, "    rett (M1, 1)"))),
    ("unknown instructions of different names", &[], 200, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    ("undeclared variables", &[], 200, |n| body(n, |i, t| writeln!(t, "    mov (M1, 8) W{i}(0,0)<1> 1:d"))),
    ("nearly declared variables", &[], 200, |n| {
        let known = parts(n, |i, t| writeln!(t, ".decl Variable{i} v_type=G type=d num_elts=8 align=GRF"));
        kernel(&known, &parts(n, |i, t| writeln!(t, "    mov (M1, 8) Variabel{i}(0,0)<1> 1:d")))
    }),
    ("unknown labels", &[], 200, |n| body(n, |i, t| writeln!(t, "    jmp (M1, 1) Nowhere{i}"))),
    ("statements that are no statements", &[], 300, |n| body(n, |_, t| writeln!(t, "    ) ( ] [ > <"))),
    ("open brackets", &[], 300, |n| body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0"))),
    ("words in one line", &[], 300, |n| kernel("", &format!("    mov{}\n", " x".repeat(n)))),
    ("parentheses in one line", &[], 300, |n| kernel("", &format!("    mov (M1, 8) V32({}0\n", "(".repeat(n)))),
    ("signs in one line", &[], 300, |n| kernel("", &format!("    LOC {}1\n", "-".repeat(n)))),
    ("modifiers in one line", &[], 300, |n| {
        kernel("", &format!("    mov{} (M1, 8) V32(0,0)<1> 1:d\n", ".sat".repeat(n)))
    }),
    ("statements in one line", &[], 300, |n| {
        kernel("", &"    rett (M1, 1) /* no end\n".replace('\n', " ").repeat(n)) + "*/\n"
    }),
    ("comments", &[], 1000, |n| body(n, |_, t| writeln!(t, "// a comment"))),
    ("comments in one line", &[], 1000, |n| kernel("", &("    /* a */".repeat(n) + "\n"))),
    ("comments over lines", &[], 300, |n| body(n, |_, t| writeln!(t, "    mov /*\n*/ (M1, 8) V32(0,0)<1> 1:d"))),
    ("a comment that does not end", &[], 1000, |n| kernel("", &("    /* ".repeat(n) + "\n"))),
    ("empty lines", &[], 5000, |n| kernel("", &"\n".repeat(n))),
    ("carriage returns", &[], 1000, |n| kernel("", &"\r\n".repeat(n))),
    ("carriage returns alone", &[], 1000, |n| kernel("", &"\r".repeat(n))),
    ("characters of several bytes", &[], 1000, |n| body(n, |_, t| writeln!(t, "    äöü𝄞"))),
    ("control characters", &[], 500, |n| body(n, |_, t| writeln!(t, "    \u{1}\u{2}\u{9b}"))),
    ("scopes in scopes", &[], 500, |n| kernel("", &("{\n".repeat(n) + &"}\n".repeat(n)))),
    ("scopes that declare", &[], 200, |n| {
        body(n, |_, t| {
            writeln!(t, "{{\n.decl W v_type=G type=d num_elts=8 align=GRF\n    mov (M1, 8) W(0,0)<1> 1:d\n}}")
        })
    }),
    ("a long name", &[], 3000, |n| kernel("", &format!("    {} (M1, 1)\n", "a".repeat(n)))),
    ("a long string", &[], 3000, |n| kernel("", &format!("    FILE \"{}\"\n", "a".repeat(n)))),
    ("a long number", &[], 3000, |n| kernel("", &format!("    LOC {}\n", "9".repeat(n)))),
    ("rules in one comment", &[], 300, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["unknown-instruction"; n].join(",")))
    }),
    ("unknown rules in one comment", &[], 300, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    }),
    ("comments that suppress", &[], 200, |n| {
        body(n, |_, t| writeln!(t, "    rett (M1, 1) // visa-lint: allow(unknown-instruction) so"))
    }),
    ("comments that suppress nothing", &[], 200, |n| {
        body(n, |_, t| writeln!(t, "    barrier // visa-lint: allow(unknown-instruction) so"))
    }),
    ("text of another language", &[], 1000, |n| parts(n, |i, t| writeln!(t, "int f{i}(void) {{ return {i}; }}"))),
    ("fixes", &["--diff"], 200, |n| body(n, |_, t| writeln!(t, "    MOV (M0, 8) V32(0,0)<1>, 1:d"))),
    ("fixes that follow each other", &["--diff"], 100, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["unknown-instruction"; n].join(",")))
    }),
    ("findings as JSON", &["--format", "json"], 200, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    ("findings as SARIF", &["--format", "sarif"], 200, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    ("findings as JUnit", &["--format", "junit"], 200, |n| body(n, |i, t| writeln!(t, "    rett{i} (M1, 1)"))),
    ("findings in one line as GitLab report", &["--format", "gitlab"], 100, |n| {
        kernel("", &format!("    barrier // visa-lint: allow({}) so\n", vec!["a"; n].join(",")))
    }),
    ("threads of a group", &["--races", "--local-size", "16,16"], 40, |n| {
        body(n, |_, t| writeln!(t, "    scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"))
    }),
];

/// Instructions that the program executes on a text; nothing if valgrind is not there.
fn instructions(folder: &Path, text: &str, arguments: &[&str]) -> Option<f64> {
    let file = folder.join("shape.visaasm");
    std::fs::write(&file, text).expect("the text can be written");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_visa-lint"))
        .args(["--no-config", "-q", "--color", "never"])
        .args(arguments)
        .arg(&file)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "status {code:?} for\n{}\n{said}", &text[..text.len().min(2000)]);
    let count = said.lines().find_map(|l| l.split_once("Collected :")).map(|(_, n)| n.trim().to_owned());
    Some(count.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no count in\n{said}")))
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let folder: PathBuf = std::env::temp_dir().join(format!("visa-lint-shapes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let Some(base) = instructions(&folder, &kernel("", ""), &[]) else {
        eprintln!("this bench counts instructions with valgrind, which is not there");
        return ExitCode::FAILURE;
    };
    println!("instructions beyond those of an empty kernel, in millions; growth is the exponent from 2n to 8n\n");
    println!("{:<45} {:>6} {:>9} {:>9} {:>9} {:>9} {:>7}", "shape", "n", "n", "2n", "4n", "8n", "growth");
    let mut n_too_steep = 0;
    for (name, arguments, n, text) in SHAPES {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        let counts = [1, 2, 4, 8].map(|times| {
            let count = instructions(&folder, &text(n * times), arguments).unwrap_or(base);
            // What little an input costs is not more than nothing.
            (count - base).max(100_000.0)
        });
        let growth = (counts[3] / counts[1]).log2() / 2.0;
        let mut line = format!("{name:<45} {n:>6}");
        for count in counts {
            let _ = write!(line, " {:>9.2}", count / 1e6);
        }
        let is_too_steep = growth > MAX_EXPONENT;
        n_too_steep += usize::from(is_too_steep);
        println!("{line} {growth:>7.2}{}", if is_too_steep { "  too steep" } else { "" });
    }
    let _ = std::fs::remove_dir_all(&folder);
    if n_too_steep > 0 {
        eprintln!("{n_too_steep} shapes grow faster than n to the power of {MAX_EXPONENT}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
