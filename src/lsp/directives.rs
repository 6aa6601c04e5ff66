//! What each directive is for, in words: for hover and completion.

/// A directive.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// With its dot.
    pub word: &'static str,
    /// Its text form.
    pub form: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What to write, with places to fill in.
    pub snippet: &'static str,
}

/// All of them.
pub const DIRECTIVES: &[Directive] = &[
    Directive {
        word: ".version",
        form: ".version MAJOR.MINOR",
        summary: "Version of the text format; the first statement of a file, once.",
        snippet: ".version ${1|4.1,4.2,3.6|}",
    },
    Directive {
        word: ".kernel",
        form: ".kernel \"NAME\"",
        summary: "Begins a kernel, which reaches to the next one.",
        snippet: ".kernel \"${1:name}\"",
    },
    Directive {
        word: ".global_function",
        form: ".global_function \"NAME\"",
        summary: "Begins a function that kernels call with `fcall`.",
        snippet: ".global_function \"${1:name}\"",
    },
    Directive {
        word: ".function",
        form: ".function \"NAME\"",
        summary: "Begins the main part or a subroutine of the kernel; `call` jumps to it.",
        snippet: ".function \"${1:name}\"",
    },
    Directive {
        word: ".funcdecl",
        form: ".funcdecl \"NAME\"",
        summary: "Declares a function that is defined in another file.",
        snippet: ".funcdecl \"${1:name}\"",
    },
    Directive {
        word: ".decl",
        form: ".decl NAME v_type=G type=T num_elts=N [align=A] [alias=<V, OFFSET>] [attrs={...}]",
        summary: "Declares a variable: general (`G`), address (`A`), predicate (`P`), sampler (`S`) or surface (`T`).",
        snippet: ".decl ${1:V32} v_type=G type=${2|ud,d,f,uw,w,hf,ub,b,uq,q,df,bf|} num_elts=${3:16} align=${4|GRF,GRFx2,hword,oword,qword,dword,word,byte|}",
    },
    Directive {
        word: ".input",
        form: ".input NAME offset=BYTES size=BYTES",
        summary: "Says where in the payload of the thread the value of a variable comes.",
        snippet: ".input ${1:V32} offset=${2:32} size=${3:32}",
    },
    Directive {
        word: ".kernel_attr",
        form: ".kernel_attr NAME[=VALUE]",
        summary: "Sets an attribute of the kernel.",
        snippet: ".kernel_attr ${1:SimdSize}=${2:16}",
    },
    Directive {
        word: ".file",
        form: ".file \"NAME\"",
        summary: "Names the source file of what follows.",
        snippet: ".file \"${1:name}\"",
    },
    Directive {
        word: ".loc",
        form: ".loc LINE",
        summary: "Names the source line of what follows.",
        snippet: ".loc ${1:1}",
    },
];

/// The directive of that word; those of implicit inputs share one.
#[must_use]
pub fn directive(word: &str) -> Option<Directive> {
    if let Some(kind) = word.strip_prefix(".implicit_") {
        return (!kind.is_empty()).then_some(Directive {
            word: ".implicit_KIND",
            form: ".implicit_KIND NAME offset=BYTES size=BYTES",
            summary: "As `.input`, for a value that the runtime supplies: LOCAL_SIZE, GROUP_COUNT, LOCAL_ID, PSEUDO_INPUT, UNDEFINED_n.",
            snippet: ".implicit_${1|LOCAL_SIZE,GROUP_COUNT,LOCAL_ID,PSEUDO_INPUT|} ${2:V32} offset=${3:32} size=${4:32}",
        });
    }
    DIRECTIVES.iter().find(|d| d.word == word).copied()
}
