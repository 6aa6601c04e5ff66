//! Kernels that abstract execution gives up.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Context, Sink};
use crate::interp::facts::GivenUp;
use crate::program::Object;

crate::declare_rule! {
    /// A kernel or function that was not executed to its end, so that faults of values, addresses and the order of
    /// instructions may not be reported: loops and calls are nested more than 40 deep, calls more than 8, or
    /// there is too much to remember. What needs no execution is checked all the same.
    ///
    /// ```visa bad
    /// // pedantic
    /// .version 4.1
    /// .kernel "k"
    /// .kernel_attr Target="cm"
    /// .function k_main
    /// call (M1_NM, 1) s1
    /// ret (M1_NM, 1)
    /// .function s1
    /// call (M1_NM, 1) s2
    /// ret (M1_NM, 1)
    /// .function s2
    /// call (M1_NM, 1) s3
    /// ret (M1_NM, 1)
    /// .function s3
    /// call (M1_NM, 1) s4
    /// ret (M1_NM, 1)
    /// .function s4
    /// call (M1_NM, 1) s5
    /// ret (M1_NM, 1)
    /// .function s5
    /// call (M1_NM, 1) s6
    /// ret (M1_NM, 1)
    /// .function s6
    /// call (M1_NM, 1) s7
    /// ret (M1_NM, 1)
    /// .function s7
    /// call (M1_NM, 1) s8
    /// ret (M1_NM, 1)
    /// .function s8
    /// call (M1_NM, 1) s9
    /// ret (M1_NM, 1)
    /// .function s9
    /// ret (M1_NM, 1)
    /// ```
    /// ```visa good
    /// // pedantic
    /// .version 4.1
    /// .kernel "k"
    /// .kernel_attr Target="cm"
    /// .function k_main
    /// call (M1_NM, 1) s1
    /// ret (M1_NM, 1)
    /// .function s1
    /// call (M1_NM, 1) s2
    /// ret (M1_NM, 1)
    /// .function s2
    /// ret (M1_NM, 1)
    /// ```
    pub UNFINISHED_EXECUTION = "unfinished-execution", Pedantic, "3_execution_model"
}

/// Says that an object was not executed to its end.
pub fn report(cx: &Context, sink: &mut Sink, object: &Object, why: GivenUp) {
    let name = cx.program.names.name(object.name);
    let because = match why {
        GivenUp::TooLarge => "it is too large",
        GivenUp::TooDeep => "loops or calls are nested too deep",
    };
    let message = format!("`{name}` was not executed to its end: {because}");
    let diagnostic = Diagnostic::new(&UNFINISHED_EXECUTION, object.name_span, message);
    sink.report(diagnostic.note("there may be faults of values that are not reported").given_up(reason(why)));
}

/// Why in a few words that stay the same from version to version.
pub(super) const fn reason(why: GivenUp) -> &'static str {
    match why {
        GivenUp::TooLarge => "kernel too large",
        GivenUp::TooDeep => "loops or calls nested too deep",
    }
}
