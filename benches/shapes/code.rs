//! Shapes of what is executed: control flow, messages, memory.

use crate::shape::{Shape, body, kernel, parts};
use std::fmt::Write as _;

pub const SHAPES: &[Shape] = &[
    Shape::new("moves", 1000, |n| body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0)<1> 1:d"))),
    Shape::new("adds that depend on each other", 1000, |n| {
        body(n, |_, t| writeln!(t, "    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> V33(0,0)<8;8,1>"))
    }),
    Shape::new("kernels", 200, |n| {
        let all = parts(n, |i, t| {
            writeln!(t, ".kernel \"k{i}\"\n.kernel_attr Target=\"cm\"\n.function \"k{i}\"\nk{i}:\n    ret (M1, 1)")
        });
        format!(".version 4.1\n{all}")
    }),
    Shape::new("labels", 1000, |n| body(n, |i, t| writeln!(t, "L{i}:\n    mov (M1, 8) V32(0,0)<1> 1:d"))),
    Shape::new("jumps to the next statement", 1000, |n| body(n, |i, t| writeln!(t, "    jmp (M1, 1) L{i}\nL{i}:"))),
    Shape::new("gotos to one label", 500, |n| {
        kernel("", &(parts(n, |_, t| writeln!(t, "    (P1) goto (M1, 16) L")) + "L:\n"))
    }),
    Shape::new("gotos that cross", 500, |n| {
        let there = parts(n, |i, t| writeln!(t, "    (P1) goto (M1, 16) L{i}"));
        kernel("", &(there + &parts(n, |i, t| writeln!(t, "L{i}:\n    mov (M1, 16) V32(0,0)<1> 1:d"))))
    }),
    Shape::new("gotos that are nested", 500, |n| {
        let there = parts(n, |i, t| writeln!(t, "    (P1) goto (M1, 16) L{i}"));
        let back = parts(n, |i, t| writeln!(t, "L{}:\n    mov (M1, 16) V32(0,0)<1> 1:d", n - 1 - i));
        kernel("", &(there + &back))
    }),
    Shape::new("loops one after the other", 200, |n| {
        body(n, |i, t| {
            writeln!(
                t,
                "L{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d\n    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{i}"
            )
        })
    }),
    Shape::new("loops in loops", 100, |n| {
        let open = parts(n, |i, t| writeln!(t, "L{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d"));
        let close = parts(n, |i, t| {
            writeln!(t, "    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{}", n - 1 - i)
        });
        kernel("", &(open + &close))
    }),
    Shape::new("a chain of functions", 500, |n| {
        let links = parts(n, |i, t| {
            let next = if i + 1 < n { format!("    call (M1, 16) f{}\n", i + 1) } else { String::new() };
            writeln!(t, ".function \"f{i}\"\nf{i}:\n{next}    ret (M1, 16)")
        });
        kernel("", "    call (M1, 16) f0\n") + &links
    }),
    Shape::new("functions that call every one behind them", 1000, |n| {
        kernel("", "    call (M1, 16) f0\n") + &calls(functions_of(n), |_| String::new())
    }),
    Shape::new("functions that are not called", 500, |n| {
        kernel("", "") + &parts(n, |i, t| writeln!(t, ".function \"f{i}\"\nf{i}:\n    ret (M1, 16)"))
    }),
    Shape::new("stores", 1000, |n| body(n, |i, t| writeln!(t, "    oword_st (4) T6 0x{:x}:ud V32.0", 64 * i))),
    Shape::new("scatters", 500, |n| {
        body(n, |_, t| writeln!(t, "    scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"))
    }),
    Shape::new("loads that nothing uses", 1000, |n| {
        body(n, |i, t| writeln!(t, "    oword_ld (4) T6 0x{:x}:ud V32.0", 64 * i))
    }),
    Shape::new("comparisons", 1000, |n| body(n, |i, t| writeln!(t, "    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> {i}:d"))),
    Shape::new("moves under a predicate", 1000, |n| {
        body(n, |i, t| writeln!(t, "    (P1) mov (M1, 16) V32(0,0)<1> {i}:d"))
    }),
    Shape::new("addresses", 1000, |n| body(n, |i, t| writeln!(t, "    addr_add (M1, 1) A0(0)<1> &V32 {}:uw", i % 64))),
    Shape::new("indirect operands", 1000, |n| {
        body(n, |_, t| writeln!(t, "    mov (M1, 8) V32(0,0)<1> r[A0(0),0]<8;8,1>:d"))
    }),
    Shape::new("lives that begin on one path", 200, |n| {
        let code = |i: usize, t: &mut String| {
            writeln!(
                t,
                "    (P1.any) goto (M1, 8) L{i}\n    lifetime.start V{v}\nL{i}:\n    mov (M1, 8) V{v}(0,0)<1> 1:d\n    \
                 lifetime.end V{v}",
                v = 100 + i
            )
        };
        let declared = parts(n, |i, t| writeln!(t, ".decl V{} v_type=G type=d num_elts=8 align=GRF", 100 + i));
        kernel(&declared, &parts(n, code))
    }),
    Shape::new("lifetimes", 500, |n| {
        body(n, |_, t| writeln!(t, "    lifetime.start V32\n    mov (M1, 8) V32(0,0)<1> 1:d\n    lifetime.end V32"))
    }),
    Shape::new("fences", 1000, |n| body(n, |_, t| writeln!(t, "    fence_global.E"))),
    Shape::new("barriers", 1000, |n| body(n, |_, t| writeln!(t, "    barrier"))),
    Shape::new("threads of a group", 40, |n| {
        body(n, |_, t| writeln!(t, "    scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"))
    })
    .with(&["--races", "--local-size", "16,16"]),
    Shape::new("functions that call every one behind them, each with a variable", 500, |n| {
        let n = functions_of(n);
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=16 align=GRF"));
        kernel(&declarations, "    call (M1, 16) f0\n") + &calls(n, |i| format!("    mov (M1, 16) W{i}(0,0)<1> 1:d\n"))
    }),
    Shape::new("functions that call all others", 500, |n| {
        let n = n.isqrt();
        let all = parts(n, |i, t| {
            let calls = parts(n, |j, t| writeln!(t, "    call (M1, 16) f{j}"));
            writeln!(t, ".function \"f{i}\"\nf{i}:\n{calls}    ret (M1, 16)")
        });
        kernel("", "    call (M1, 16) f0\n") + &all
    }),
    Shape::new("loops that call one function", 200, |n| {
        let loops = parts(n, |i, t| {
            writeln!(
                t,
                "L{i}:\n    call (M1, 16) f0\n    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{i}"
            )
        });
        let written = parts(n, |i, t| writeln!(t, "    mov (M1, 8) W{i}(0,0)<1> 1:d"));
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF"));
        kernel(&declarations, &loops) + &format!(".function \"f0\"\nf0:\n{written}    ret (M1, 16)\n")
    }),
    Shape::new("calls of one function", 500, |n| {
        kernel("", &parts(n, |_, t| writeln!(t, "    call (M1, 16) f0")))
            + ".function \"f0\"\nf0:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d\n    ret (M1, 16)\n"
    }),
    Shape::new("calls of different functions", 300, |n| {
        kernel("", &parts(n, |i, t| writeln!(t, "    call (M1, 16) f{i}")))
            + &parts(n, |i, t| {
                writeln!(
                    t,
                    ".function \"f{i}\"\nf{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d\n    ret (M1, 16)"
                )
            })
    }),
    Shape::new("calls of another file", 500, |n| {
        let declared = parts(n, |i, t| writeln!(t, ".funcdecl \"g{i}\""));
        kernel(&declared, &parts(n, |i, t| writeln!(t, "    fcall (M1_NM, 1) g{i} 1 1")))
    }),
    Shape::new("writes through addresses of many variables", 300, |n| {
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=8 align=GRF"));
        let statements = parts(n, |i, t| {
            writeln!(t, "    addr_add (M1, 1) A0(0)<1> &W{i} V35(0,0)<0;1,0>\n    mov (M1, 8) r[A0(0),0]<1>:d 1:d")
        });
        kernel(&declarations, &statements)
    }),
    Shape::new("variables that are written and read once", 500, |n| {
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=16 align=GRF"));
        kernel(
            &declarations,
            &parts(n, |i, t| writeln!(t, "    mov (M1, 16) W{i}(0,0)<1> {i}:d\n    oword_st (4) T6 0x0:ud W{i}.0")),
        )
    }),
    Shape::new("variables that nothing has written", 500, |n| {
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=d num_elts=16 align=GRF"));
        kernel(&declarations, &parts(n, |i, t| writeln!(t, "    oword_st (4) T6 0x0:ud W{i}.0")))
    }),
    Shape::new("loops that each write many variables", 100, |n| {
        let declarations = parts(n, |i, t| writeln!(t, ".decl W{i} v_type=G type=ud num_elts=16 align=GRF"));
        kernel(
            &declarations,
            &parts(n, |i, t| {
                writeln!(t, "L{i}:")?;
                for j in 0..10 {
                    writeln!(t, "    add (M1, 16) W{}(0,0)<1> W{}(0,0)<8;8,1> 1:ud", (i + j) % n, (i + j + 1) % n)?;
                }
                writeln!(t, "    cmp.lt (M1, 16) P1 W{i}(0,0)<8;8,1> 9:ud\n    (P1) goto (M1, 16) L{i}")
            }),
        )
    }),
    Shape::new("loops that overlap", 200, |n| {
        let heads = parts(n, |i, t| {
            writeln!(t, "L{i}:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d")?;
            if i > 0 { writeln!(t, "    (P1) goto (M1, 16) L{}", i - 1) } else { Ok(()) }
        });
        kernel("", &("    cmp.lt (M1, 16) P1 V33(0,0)<8;8,1> 9:ud\n".to_owned() + &heads))
    }),
    Shape::new("gotos back to one label", 200, |n| {
        let back = parts(n, |_, t| writeln!(t, "    cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L"));
        kernel("", &format!("L:\n    add (M1, 16) V32(0,0)<1> V32(0,0)<8;8,1> 1:d\n{back}"))
    }),
    Shape::new("a table of labels", 500, |n| {
        let names: Vec<String> = (0..n).map(|i| format!("L{i}")).collect();
        let labels = parts(n, |i, t| writeln!(t, "L{i}:\n    mov (M1, 16) V32(0,0)<1> 1:d"));
        kernel("", &format!("    switchjmp (M1, 1) V33(0,0)<0;1,0> ({})\n{labels}", names.join(", ")))
    }),
    Shape::new("tables of labels", 60, |n| {
        let names: Vec<String> = (0..8).map(|i| format!("L{i}")).collect();
        let tables = parts(n, |_, t| writeln!(t, "    switchjmp (M1, 1) V33(0,0)<0;1,0> ({})", names.join(", ")));
        kernel("", &(tables + &parts(8, |i, t| writeln!(t, "L{i}:\n    mov (M1, 16) V32(0,0)<1> 1:d"))))
    }),
    Shape::new("choices that depend on each other", 500, |n| {
        body(n, |i, t| {
            writeln!(
                t,
                "    cmp.lt (M1, 16) P1 V33(0,0)<8;8,1> {i}:ud\n    (P1) sel (M1, 16) V32(0,0)<1> V33(0,0)<8;8,1> V32(0,0)<8;8,1>"
            )
        })
    }),
    Shape::new("products of what is not known", 500, |n| {
        body(n, |_, t| writeln!(t, "    mul (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> V33(0,0)<8;8,1>"))
    }),
    Shape::new("stores at computed places", 300, |n| {
        body(n, |i, t| {
            writeln!(
                t,
                "    add (M1, 16) V33(0,0)<1> V33(0,0)<8;8,1> {i}:ud\n    scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"
            )
        })
    }),
    Shape::new("stores under conditions", 200, |n| {
        body(n, |i, t| {
            writeln!(
                t,
                "    cmp.lt (M1, 16) P1 V33(0,0)<8;8,1> {i}:ud\n    (P1) scatter4_scaled.R (M1, 16) T6 0x0:ud V33.0 V32.0"
            )
        })
    }),
    Shape::new("messages of the load and store cache", 500, |n| {
        body(n, |_, t| writeln!(t, "    lsc_load.ugm (M1, 16) V32:d32 flat[V34]:a64\n"))
    }),
    Shape::new("global functions", 100, |n| {
        let all = parts(n, |i, t| {
            writeln!(
                t,
                ".global_function \"g{i}\"\n.kernel_attr Target=\"cm\"\n.function \"g{i}\"\ng{i}:\n    fret (M1, 1)"
            )
        });
        format!(".version 4.1\n{all}")
    }),
    Shape::new("global functions that call each other with arguments", 50, |n| {
        let all = parts(n, |i, t| {
            let next = (7 * i + 1) % n;
            writeln!(
                t,
                ".global_function \"g{i}\"\n.decl W v_type=G type=ud num_elts=16 align=GRF\n.kernel_attr ArgSize=1\n\
                 .kernel_attr RetValSize=1\n.function \"g{i}_f\"\ng{i}_f:\n    mov (M1, 16) W(0,0)<1> %arg(0,0)<0;1,0>\n    \
                 mov (M1_NM, 1) %arg(0,0)<1> {i}:ud\n    fcall (M1, 16) g{next} 1 1\n    \
                 mov (M1_NM, 8) %retval(0,0)<1> W(0,0)<1;1,0>\n    fret (M1_NM, 1)"
            )
        });
        format!(".version 4.2\n{all}")
    }),
    Shape::new("a chain of global functions", 100, |n| {
        let links = parts(n, |i, t| {
            let next = if i + 1 < n { format!("    fcall (M1, 16) g{} 0 0\n", i + 1) } else { String::new() };
            writeln!(
                t,
                ".global_function \"g{i}\"\n.kernel_attr SimdSize=16\n.function \"g{i}_f\"\ng{i}_f:\n{next}    \
                 fret (M1_NM, 1)"
            )
        });
        format!(".version 4.2\n{links}")
    }),
    Shape::new("loops with barriers that call one function", 100, |n| {
        let loops = parts(n, |i, t| {
            writeln!(
                t,
                "L{i}:\n    sbarrier.signal\n    call (M1, 16) f0\n    sbarrier.wait\n    \
                 cmp.lt (M1, 16) P1 V32(0,0)<8;8,1> 9:d\n    (P1) goto (M1, 16) L{i}"
            )
        });
        kernel("", &loops) + ".function \"f0\"\nf0:\n    ret (M1, 16)\n"
    }),
    Shape::new("split barriers", 300, |n| body(n, |_, t| writeln!(t, "    sbarrier.signal\n    sbarrier.wait"))),
    Shape::new("named barriers", 300, |n| {
        body(n, |i, t| writeln!(t, "    nbarrier.signal 0x{0:x}:ub 0x10:ub\n    nbarrier.wait 0x{0:x}:ub", i % 31 + 1))
    }),
];

/// The number of functions that have about `n` calls in all, if each calls those behind it.
fn functions_of(n: usize) -> usize {
    (2 * n).isqrt()
}

/// Functions that each call those behind it.
fn calls(n: usize, first: impl Fn(usize) -> String) -> String {
    parts(n, |i, t| {
        let calls = parts(n - 1 - i, |j, t| writeln!(t, "    call (M1, 16) f{}", i + 1 + j));
        writeln!(t, ".function \"f{i}\"\nf{i}:\n{}{calls}    ret (M1, 16)", first(i))
    })
}
