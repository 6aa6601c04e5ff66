//! Each memory instruction, sent twice by the threads of a group: what is decided of its lanes, of its bytes and of races, and what
//! is found, is blessed in `tests/snapshots/precision/messages.txt`, by where lanes access memory.

use crate::support::{as_excerpt, blessed, check_sum, kernel, on, tests_folder};
use crate::words::Said;
use rayon::prelude::*;
use std::fmt::Write as _;
use visa_lint::base::rule::Level;
use visa_lint::checks::execution::race::{ARGUMENT_DEPENDENT_RACE, GROUP_RACE, WORK_ITEM_RACE};
use visa_lint::checks::{self, LaunchFacts, Options};
use visa_lint::lower::lower;
use visa_lint::spec;
use visa_lint::spec::instruction::Instruction;
use visa_lint::spec::words::platforms_of;

/// Where lanes access memory, and what computes that from the local id.
const PLACES: [(&str, &str); 4] = [
    ("own", "mul (M1_NM, 16) VUD(0,0)<1> x(0,0)<1;1,0> 0x10:ud\n"),
    (
        "half",
        "and (M1_NM, 16) VUD(0,0)<1> x(0,0)<1;1,0> 0x1f:uw\nmul (M1_NM, 16) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x10:ud\n",
    ),
    ("near", "shl (M1_NM, 16) VUD(0,0)<1> x(0,0)<1;1,0> 0x1:ud\n"),
    ("given", "mov (M1_NM, 16) VUD(0,0)<1> given(0,0)<0;1,0>\n"),
];

/// The instruction as in its example, among stores to two memories, where operands are computed from the local id and from what was
/// loaded.
fn program(row: &Instruction, place: &str, grf_bytes: u32) -> String {
    let bytes = grf_bytes.max(32);
    let declarations = format!(
        ".decl x v_type=G type=w num_elts=16 align=GRF\n.decl given v_type=G type=ud num_elts=1 align=dword\n\
         .input x offset={grf_bytes} size=32\n.input given offset=256 size=4\n.kernel_attr Target=\"3d\"\n\
         .kernel_attr SimdSize=16\n.kernel_attr PerThreadInputSize={bytes}\n.kernel_attr SLMSize=4\n"
    );
    let first = "mov (M1_NM, 16) VUQ(0,0)<1> VUD(0,0)<1;1,0>\nmov (M1_NM, 16) VD(0,0)<1> VUD(0,0)<1;1,0>\n\
                 addr_add (M1_NM, 1) A0(0)<1> &VUD 0x40:uw\nmov (M1_NM, 16) VD2(0,0)<1> 0x1:d\n";
    let between = "svm_scatter.4.1 (M1, 16) VUQ.0 VD2.0\nscatter4_scaled.R (M1, 16) T6 0x0:ud VUD.0 VD2.0\n\
                   add (M1_NM, 16) VUD(0,0)<1> VD(0,0)<1;1,0> 0x4:ud\n";
    let example = row.example;
    kernel(&declarations, &format!("{place}{first}{example}\n{between}{example}\nbarrier\n{example}\n"))
}

/// What is decided and found.
fn said(row: &Instruction) -> String {
    let platform = platforms_of(row).iter().next().expect("a platform");
    let launch = LaunchFacts { local_size: Some([64, 1, 1]), ..LaunchFacts::default() };
    let mut options = Options { launch, ..on(platform) };
    for rule in [&WORK_ITEM_RACE, &ARGUMENT_DEPENDENT_RACE, &GROUP_RACE] {
        options.levels.insert(rule.name, Level::Warning);
    }
    let options = as_excerpt(options, "");
    let mut out = format!("{} {}:", row.mnemonic, platform.name());
    for (name, place) in PLACES {
        let text = program(row, place, platform.grf_bytes());
        let mut found = Said::default();
        found.note(&text, &checks::check(&text, &options));
        let _ = write!(out, " {name} {found}");
        for kernel in checks::messages(&text, &lower(&text), &options).into_iter().flat_map(|(_, kernels)| kernels) {
            let messages: Vec<String> =
                kernel.messages.iter().map(|m| format!("{} {:?} ", m.verdict.reason(), m.bounds)).collect();
            let verdicts: Vec<&str> = kernel.messages.iter().map(|m| m.verdict.word()).collect();
            let _ = write!(out, " {} {:08x}", verdicts.join(" "), check_sum(&messages.concat()));
            if let Some(races) = &kernel.races {
                let (others, between, open) = (races.n_by_arguments, races.n_between_groups, races.open.len());
                let _ = write!(out, " {}+{others}+{between} {open} open {:?}", races.n_found, races.proof);
            }
        }
        out.push(';');
    }
    out + "\n"
}

#[test]
fn memory_instructions_in_a_group() {
    let rows = spec::instructions().iter().filter(|row| !row.accesses.is_empty());
    let rows: Vec<&Instruction> = rows.collect();
    let all: String = rows.par_iter().map(|row| said(row)).collect();
    blessed(&tests_folder().join("snapshots/precision/messages.txt"), &all);
}
