//! Faults of an asm statement itself: its constraints, operands and special characters.

crate::declare_rule! {
    /// A constraint that the compiler does not know. For kernels there are `=rw`, `+rw`, `rw`, `rw.u`, `i`, `P` and the
    /// number of an output; early clobbers do not exist and are not needed. The front end takes any letters; compilers
    /// before 2025 then drop the statement from the program and report nothing.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "r"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    pub UNKNOWN_CONSTRAINT = "unknown-constraint", Error, ""
}

crate::declare_rule! {
    /// An operand that the statement does not have: a number beyond its operands, a name that none of them has, an
    /// input that is tied to no output, or a list of constraints that is longer or shorter than the list of values. In LLVM
    /// IR, the compiler drops a statement with a number beyond its operands and reports nothing.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %0(0,0)<1> %2(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    pub MISSING_HOST_OPERAND = "missing-host-operand", Error, "",
        help = "add the operand to the lists behind the text, or name one of those that stand there"
}

crate::declare_rule! {
    /// A form of operand that the compiler does not replace: a `$` in C, an operand with a modifier (`%a0`, `${0:a}`), a
    /// `$` in LLVM IR without a number. The whole statement vanishes from the program, and the compiler says nothing.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %a0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    pub DROPPED_STATEMENT = "dropped-statement", Error, ""
}

crate::declare_rule! {
    /// A special character in the spelling of another language. In C with a colon after the template, operands are `%0`, a
    /// percent sign is `%%`, and `%=` is a number of the statement's own; without any colon nothing is replaced. In LLVM
    /// IR, MLIR and Triton, operands are `$0`, a percent sign is `%`, and the number is `${:uid}`.
    ///
    /// ```c bad
    /// asm("mov (M1_NM, 1) %null(0,0)<1> %0(0,0)<0;1,0>" : : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1_NM, 1) %%null(0,0)<1> %0(0,0)<0;1,0>" : : "rw"(x));
    /// ```
    pub WRONG_ESCAPE = "wrong-escape", Error, ""
}

crate::declare_rule! {
    /// A constraint that needs a constant, with an expression that is none: `i` and `P` take what the compiler can compute.
    ///
    /// ```c bad
    /// kernel void f(global int *p, int s) {
    ///   int y;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(s));
    /// }
    /// ```
    /// ```c good
    /// kernel void f(global int *p, int s) {
    ///   int y;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(3));
    /// }
    /// ```
    pub VARYING_IMMEDIATE = "varying-immediate", Error, ""
}

crate::declare_rule! {
    /// A region after an operand with the constraint `i` or `P`. The operand becomes a number: with its type for `i`, such
    /// as `0x3:d`, and without one for `P`.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>" : "=rw"(y) : "i"(3));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1" : "=rw"(y) : "i"(3));
    /// ```
    pub REGION_ON_IMMEDIATE = "region-on-immediate", Error, ""
}

crate::declare_rule! {
    /// A uniform operand (`rw.u`) whose value is the number of a lane or work-item. The compiler refuses it, or drops the
    /// statement and reports nothing.
    ///
    /// ```c bad
    /// kernel void f(global int *p) {
    ///   int x = get_global_id(0);
    ///   asm("mov (M1_NM, 1) %%null(0,0)<1> %0(0,0)<0;1,0>" : : "rw.u"(x));
    /// }
    /// ```
    /// ```c good
    /// kernel void f(global int *p) {
    ///   int x = get_group_id(0);
    ///   asm("mov (M1_NM, 1) %%null(0,0)<1> %0(0,0)<0;1,0>" : : "rw.u"(x));
    /// }
    /// ```
    pub IMPOSSIBLE_UNIFORM = "impossible-uniform", Error, ""
}

crate::declare_rule! {
    /// A declaration outside of braces in a statement that is pasted more than once: in a loop that may be unrolled, in a
    /// macro or a function that is inlined. The second copy declares the name again. Braces around the fragment make the
    /// names its own.
    ///
    /// ```c bad
    /// for (int i = 0; i < 2; i++)
    ///   asm(".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
    ///       "mov (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0>\n" : : "rw"(x));
    /// ```
    /// ```c good
    /// for (int i = 0; i < 2; i++)
    ///   asm("{\n"
    ///       ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
    ///       "mov (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0>\n"
    ///       "}\n" : : "rw"(x));
    /// ```
    pub UNSCOPED_DECLARATION = "unscoped-declaration", Warning, ""
}

crate::declare_rule! {
    /// A label without `%=` (`${:uid}` in LLVM IR) in a statement that is pasted more than once. Braces do not scope labels:
    /// the second copy defines the label again.
    ///
    /// ```c bad
    /// for (int i = 0; i < 2; i++)
    ///   asm("LOOP:\n"
    ///       "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "+rw"(x));
    /// ```
    /// ```c good
    /// for (int i = 0; i < 2; i++)
    ///   asm("LOOP%=:\n"
    ///       "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "+rw"(x));
    /// ```
    pub UNSCOPED_LABEL = "unscoped-label", Warning, ""
}

crate::declare_rule! {
    /// A name of the form that the compiler gives to its own variables, such as `V0051`. In braces it hides the operand of
    /// that name, and no compiler reports it; outside of them it is declared twice. So is a predicate such as `P1` inside of a
    /// branch: the condition of the branch is one.
    ///
    /// ```c bad
    /// asm("{\n"
    ///     ".decl V0051 v_type=G type=d num_elts=16 align=GRF\n"
    ///     "mov (M1, 16) V0051(0,0)<1> %0(0,0)<1;1,0>\n"
    ///     "}" : : "rw"(x));
    /// ```
    /// ```c good
    /// asm("{\n"
    ///     ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
    ///     "mov (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0>\n"
    ///     "}" : : "rw"(x));
    /// ```
    pub CAPTURING_NAME = "capturing-name", Warning, ""
}

crate::declare_rule! {
    /// An instruction in a comment by mistake: the literal before it ends with a `//` comment and without `\n`, so that the
    /// comment goes on with the next literal. The instruction is not part of the program, and no compiler reports it.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> // a copy"
    ///     "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "=rw"(y) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> // a copy\n"
    ///     "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n" : "=rw"(y) : "rw"(x));
    /// ```
    pub SWALLOWED_INSTRUCTION = "swallowed-instruction", Warning, ""
}

crate::declare_rule! {
    /// An operand of the vector backend where the text that its constraint becomes cannot stand. `r` and `a` become a variable
    /// with its region: no region may follow, and no message takes it. `rw` becomes the name alone: an instruction that is no
    /// message needs a region behind it. `cr` becomes a predicate. And an input that is larger than the output that it is tied
    /// to.
    ///
    /// ```c bad
    /// #include <sycl/ext/intel/esimd.hpp>
    /// asm("add (M1, 16) %0 %1 %2(0,0)<1;1,0>" : "=r"(c) : "r"(a), "r"(b));
    /// ```
    /// ```c good
    /// #include <sycl/ext/intel/esimd.hpp>
    /// asm("add (M1, 16) %0 %1 %2" : "=r"(c) : "r"(a), "r"(b));
    /// ```
    pub MISPLACED_CONSTRAINT = "misplaced-constraint", Error, ""
}
