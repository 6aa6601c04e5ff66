//! Addresses of messages, and of registers.

use super::value::path_in_words;
use super::{Finding, race};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::common::lsc::MISALIGNED_ADDRESS;
use crate::checks::context::Sink;
use crate::checks::operand::predefined::WRITE_TO_READ_ONLY;
use crate::checks::predefined::WRITE_TO_INPUT;
use crate::checks::table::alignment::MISALIGNED_OPERAND;
use crate::checks::table::document;
use crate::interp::facts::Outside;
use crate::interp::{FactKind, IndirectFault, Observed};
use crate::program::pardon::Pardon;
use crate::program::{Operand, VariableId, View};
use crate::spec::PlatformSet;
use crate::spec::instruction::Custom;

crate::declare_rule! {
    /// An access to shared local memory beyond its end: beyond what the program or the user declares, or else beyond what
    /// any device has. It is undefined, unlike an access beyond the end of a surface.
    ///
    /// ```visa bad
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// scatter4_scaled.R (M1_NM, 8) %slm 0x40000000:ud VUD.0 VF.0
    /// ```
    /// ```visa good
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// scatter4_scaled.R (M1_NM, 8) %slm 0x40:ud VUD.0 VF.0
    /// ```
    pub SLM_OUT_OF_BOUNDS = "slm-out-of-bounds", Warning, "3_execution_model"
}

crate::declare_rule! {
    /// An access outside of a buffer whose size is known (`--buffer NAME=BYTES`, or `buffers` in the settings), by a
    /// work-item of a group whose size is known. Every thread of the first group of a launch is executed; the finding names
    /// the first work-item that does so, whatever the other arguments are.
    ///
    /// A buffer is named by the argument (`out`, or `arg0` for the first one) if the compiler says where that is
    /// (`--ze-info`), by the variable of its pointer, or by its surface (`bti0`).
    ///
    /// ```visa bad
    /// // platform: DG2
    /// // local-size: 8
    /// // buffer: bti3=16
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.ugm (M1_NM, 8) bti(0x3)[VUD]:a32 VUD:d32
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// // local-size: 8
    /// // buffer: bti3=32
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.ugm (M1_NM, 8) bti(0x3)[VUD]:a32 VUD:d32
    /// ```
    pub BUFFER_OUT_OF_BOUNDS = "buffer-out-of-bounds", Warning, "3_execution_model"
}

crate::declare_rule! {
    /// A size is given for a buffer (`--buffer NAME=BYTES`) that no kernel of the text has, so that nothing is compared with
    /// it. Buffers are named as `buffer-out-of-bounds` says. Sizes in the settings, or for several files or a folder, are
    /// for all of these together, and nothing is reported.
    ///
    /// ```visa bad
    /// // buffer: other=4096
    /// .kernel_attr Target="3d"
    /// .decl out v_type=G type=uq num_elts=1 align=qword
    /// .input out offset=32 size=8
    /// ```
    /// ```visa good
    /// // buffer: out=4096
    /// .kernel_attr Target="3d"
    /// .decl out v_type=G type=uq num_elts=1 align=qword
    /// .input out offset=32 size=8
    /// ```
    pub UNKNOWN_BUFFER = "unknown-buffer", Warning, "3_execution_model"
}

crate::declare_rule! {
    /// Two offsets whose sum does not fit: the address wraps around and lies at the begin of the surface, or the URB has
    /// no such place.
    ///
    /// ```visa bad
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x4:ud
    /// scatter4_scaled.R (M1_NM, 8) T6 0xfffffff0:ud VUD.0 VF.0
    /// ```
    /// ```visa good
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x4:ud
    /// scatter4_scaled.R (M1_NM, 8) T6 0x10:ud VUD.0 VF.0
    /// ```
    pub WRAPPING_ADDRESS = "wrapping-address", Warning | Pedantic, "3_execution_model",
        help = "choose offsets whose sum fits: what wraps around lies at the beginning of the surface, not behind it"
}

crate::declare_rule! {
    /// An indirect operand that reaches outside of the variable whose address it uses. What is read there is undefined,
    /// and what is written there destroys other variables. If only one of the paths leads outside, that is a warning.
    ///
    /// ```visa bad
    /// addr_add (M1_NM, 1) A0(0)<1> &VUB 0x3fc:uw
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUB 0x20:uw
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    pub INDIRECT_OUT_OF_BOUNDS = "indirect-out-of-bounds", Error | Warning, "5_operands"
}

crate::declare_rule! {
    /// An indirect operand that begins at a byte which is no multiple of its element size, or does so on one of the paths
    /// (a warning).
    ///
    /// ```visa bad
    /// addr_add (M1_NM, 1) A0(0)<1> &VUB 0x6:uw
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUB 0x8:uw
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    pub MISALIGNED_INDIRECT = "misaligned-indirect", Error | Warning, "5_operands"
}

crate::declare_rule! {
    /// An indirect destination that changes what the same instruction reads elsewhere. Compilers assume that they do not
    /// share bytes unless they are the same elements.
    ///
    /// ```visa bad
    /// addr_add (M1_NM, 1) A0(0)<1> &VD 0x0:uw
    /// add (M1, 8) r[A0(0),0]<1>:d VD(0,1)<8;8,1> 0x2:d
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VD 0x0:uw
    /// add (M1, 8) r[A0(0),0]<1>:d VD(0,0)<8;8,1> 0x2:d
    /// ```
    pub OVERWRITTEN_SOURCE = "overwritten-source", Warning, "5_operands",
        help = "write to elements that the instruction does not read, or to a variable of its own"
}

crate::declare_rule! {
    /// An address of its own for each lane, in code that only some lanes execute: by the manual the others have to hold
    /// legal addresses, too. Here nothing has set them. Compilers do not keep to it.
    ///
    /// ```visa bad
    /// // pedantic
    /// .kernel_attr SimdSize=8
    /// cmp.lt (M1, 8) P1 VD(0,0)<8;8,1> 0x4:d
    /// (P1) goto (M1, 8) end
    /// addr_add (M1, 8) A0(0)<8> &VUB VUW(0,0)<8;8,1>
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<1,0>:ud
    /// end:
    /// ```
    /// ```visa good
    /// // pedantic
    /// .kernel_attr SimdSize=8
    /// cmp.lt (M1, 8) P1 VD(0,0)<8;8,1> 0x4:d
    /// (P1) goto (M1, 8) end
    /// addr_add (M1_NM, 8) A0(0)<8> &VUB VUW(0,0)<8;8,1>
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<1,0>:ud
    /// end:
    /// ```
    pub UNSET_INACTIVE_ADDRESS = "unset-inactive-address", Pedantic, "5_operands"
}

fn of_lane(lane: Option<u32>) -> String {
    lane.map_or_else(String::new, |l| format!(" of lane {l}"))
}

/// An access of a work-item outside of a buffer or of shared local memory.
fn outside(finding: &Finding, outside: &Outside) -> Diagnostic {
    let place = finding.place();
    let Outside { side, byte, n_bytes, size, buffer } = outside;
    let (party, verb) = (race::party(side), race::verb(side.kind));
    let place_of = |memory: &str| format!("{party} {verb}s outside of {memory}");
    let bytes = if *n_bytes == 1 { "one byte".to_owned() } else { format!("{n_bytes} bytes") };
    let label = format!("{bytes} at {}{:#x}, of {size}", if *byte < 0 { "-" } else { "" }, byte.unsigned_abs());
    let (rule, memory, note) = match buffer {
        Some(name) => (&BUFFER_OUT_OF_BOUNDS, format!("`{name}`"), "that size is a fact about the launch"),
        None => (
            &SLM_OUT_OF_BOUNDS,
            "shared local memory".to_owned(),
            "unlike surfaces, shared local memory is not checked: the result is undefined",
        ),
    };
    let diagnostic = Diagnostic::new(rule, place, place_of(&memory)).label(label);
    finding.explained(diagnostic).note(note).note("it does so in the first group of a launch without an offset")
}

/// Whether an indirect source is the element in front of the first one in what a compiler printed: see
/// [`Pardon::NoLaneLeft`].
fn is_of_no_lane(finding: &Finding, byte: i64) -> bool {
    let Some(Operand::Indirect { element_type, .. }) = finding.operand() else { return false };
    !finding.is_of_destination()
        && byte == -i64::from(element_type.bytes())
        && Pardon::NoLaneLeft.holds_in(finding.view.cx.program)
}

/// An access beyond the end of shared local memory.
fn beyond_slm(finding: &Finding) -> Option<Diagnostic> {
    let FactKind::SlmOutOfBounds { lane, byte, size, is_declared } = finding.fact.kind else { return None };
    let message = format!("the access{} lies beyond the end of shared local memory", of_lane(lane));
    let limit =
        if is_declared { format!("the kernel has {size} bytes") } else { format!("no device has more than {size}") };
    // Offsets have 32 bits, so that a negative one is a huge address.
    let negative = u32::try_from(byte).ok().map(u32::cast_signed).filter(|byte| *byte < 0);
    let byte = match negative {
        Some(negative) => format!("byte {negative}, which is {byte:#x}"),
        None => format!("byte {byte:#x}"),
    };
    let diagnostic = Diagnostic::new(&SLM_OUT_OF_BOUNDS, finding.place(), message).label(format!("{byte}; {limit}"));
    Some(
        finding
            .explained(diagnostic)
            .note("unlike surfaces, shared local memory is not checked: the result is undefined"),
    )
}

/// The level of a misaligned address: compilers load packed elements from the scratch surface, where private memory lies.
fn misaligned_level(view: &View, is_tolerated: bool) -> Level {
    let surface = view.operands.iter().filter_map(Operand::variable).find_map(VariableId::predefined);
    match surface {
        Some(row) if row.name == "%scratch" && Pardon::PackedArrays.holds_in(view.program) => Level::Pedantic,
        _ if is_tolerated => Level::Warning,
        _ => Level::Error,
    }
}

/// Findings about addresses.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    let view = &finding.view;
    let program = view.cx.program;
    let place = finding.place();
    let page = || document(view);
    Some(match &finding.fact.kind {
        FactKind::MisalignedAddress { lane, address, alignment, remainder, is_exact, is_tolerated } => {
            let message = format!("the address{} is no multiple of {alignment} bytes", of_lane(*lane));
            let level = misaligned_level(view, *is_tolerated);
            let diagnostic = Diagnostic::new(&MISALIGNED_ADDRESS, place, message).level(level).label(match remainder {
                _ if *is_exact => format!("it is {address}, which leaves a remainder of {remainder}"),
                0 => format!("it is {address}, which always leaves a remainder"),
                _ => format!("it is {address}, in which {remainder:#x} is always set"),
            });
            finding.explained(diagnostic).note(page())
        }
        FactKind::SlmOutOfBounds { .. } => beyond_slm(finding)?,
        FactKind::Outside(it) => outside(finding, it),
        FactKind::WrappingOffset { lane, global, element } => {
            // The manual limits each offset into the URB, and says nothing of their sum.
            let (sum, level) = if view.row.custom == Some(Custom::Urb) {
                (format!("offsets {global} and {element} of lane {lane} add up to more than 2047"), Level::Pedantic)
            } else if *global < 0 {
                let less = global.unsigned_abs();
                (
                    format!(
                        "lane {lane} accesses what lies before the begin of the surface: {element:#x} less {less:#x}"
                    ),
                    Level::Warning,
                )
            } else {
                let sum =
                    format!("the offsets {global:#x} and {element:#x} of lane {lane} add up to more than 32 bits");
                (sum, Level::Warning)
            };
            let diagnostic = Diagnostic::new(&WRAPPING_ADDRESS, place, sum).level(level);
            let wrapped = global.wrapping_add(*element as i64) & 0xffff_ffff;
            let diagnostic = match level {
                Level::Warning if *global < 0 => {
                    diagnostic.label(format!("offsets are unsigned: it wraps around to {wrapped:#x}"))
                }
                Level::Warning => diagnostic.label(format!(
                    "the sum wraps around to {wrapped:#x}: the lane accesses the beginning of the surface, not what lies behind it"
                )),
                _ => diagnostic.label("a URB entry has no offset beyond 2047"),
            };
            diagnostic.note(page())
        }
        FactKind::Observed(Observed::IndirectOutOfBounds(fault)) if is_of_no_lane(finding, fault.byte) => return None,
        FactKind::Observed(Observed::IndirectOutOfBounds(fault)) => indirect_out_of_bounds(finding, fault),
        FactKind::Observed(Observed::MisalignedIndirect(fault)) => misaligned_indirect(finding, fault),
        FactKind::Observed(Observed::ForeignDestination { variable }) => {
            let (name, written) = (program.variable_name(*variable), finding.written());
            let diagnostic = if let Some(row) = variable.predefined() {
                let message = format!("`{written}` writes to `{}`, which is read-only", row.name);
                Diagnostic::new(&WRITE_TO_READ_ONLY, place, message)
            } else {
                let message = format!("`{written}` writes to `{name}`, which is an input, and inputs are read-only");
                Diagnostic::new(&WRITE_TO_INPUT, place, message)
            };
            finding.explained(diagnostic).declared_at(program.variable_spans[*variable].name)
        }
        FactKind::Observed(Observed::OverwritesSource { source, variable }) => {
            let name = program.variable_name(*variable);
            let message = format!("`{}` writes elements of `{name}` that other lanes read", finding.written());
            let other = view.operand_spans.get(usize::from(*source)).map_or(place, |s| s.whole);
            Diagnostic::new(&OVERWRITTEN_SOURCE, place, message).also(other, "read here")
        }
        FactKind::Observed(Observed::UnsetInactiveAddress { since }) => {
            let name = match finding.operand() {
                Some(Operand::Indirect { address, .. }) => program.variable_name(*address),
                _ => "the address",
            };
            let message = format!("lanes that are off here have no address in `{name}`");
            Diagnostic::new(&UNSET_INACTIVE_ADDRESS, place, message)
                .also(finding.statement(*since), "lanes are switched off here")
                .help("set the addresses of all lanes, with a mask such as `M1_NM`")
        }
        _ => return None,
    })
}

fn indirect_out_of_bounds(finding: &Finding, fault: &IndirectFault) -> Diagnostic {
    let IndirectFault { lane, variable, byte, limit: size, is_exact, path } = *fault;
    let name = finding.view.program.variable_name(variable);
    let verb = if finding.is_of_destination() { "writes" } else { "reads" };
    let on_path = path.map_or("", path_in_words);
    let message = format!("`{}` {verb} outside of `{name}` in lane {lane}{on_path}", finding.written());
    let nearest = if is_exact { "" } else { ", or farther away" };
    let diagnostic = Diagnostic::new(&INDIRECT_OUT_OF_BOUNDS, finding.place(), message);
    indirect(finding, fault, diagnostic.label(format!("at byte {byte} of {size}{nearest}")))
}

fn misaligned_indirect(finding: &Finding, fault: &IndirectFault) -> Diagnostic {
    let IndirectFault { lane, variable, byte, limit: bytes, is_exact, path } = *fault;
    let name = finding.view.program.variable_name(variable);
    let (written, on_path) = (finding.written(), path.map_or("", path_in_words));
    let message = if is_exact {
        format!("`{written}` begins at byte {byte} of `{name}` in lane {lane}{on_path}, no multiple of {bytes}")
    } else {
        format!("`{written}` begins {byte} behind a multiple of {bytes} bytes of `{name}` in lane {lane}{on_path}")
    };
    let diagnostic = Diagnostic::new(&MISALIGNED_INDIRECT, finding.place(), message);
    indirect(finding, fault, diagnostic.label(format!("expected a multiple of {bytes}")))
}

/// What both have in common: a fault of one path is no error, and the address and the variable are shown.
fn indirect(finding: &Finding, fault: &IndirectFault, diagnostic: Diagnostic) -> Diagnostic {
    let diagnostic = if fault.path.is_some() { diagnostic.level(Level::Warning) } else { diagnostic };
    finding.explained(diagnostic).declared_at(finding.view.program.variable_spans[fault.variable].name)
}

/// Takes back what has been said of an operand's offset alone, where more is known of its address.
pub fn settle_offset(finding: &Finding, failing: PlatformSet, sink: &mut Sink) {
    let says_more =
        matches!(finding.fact.kind, FactKind::Observed(Observed::KnownPlaces | Observed::MisalignedIndirect(_)));
    if says_more && failing == finding.view.cx.platforms {
        let spans = finding.fact.operand.and_then(|o| finding.view.operand_spans.get(usize::from(o)));
        sink.take_back(&MISALIGNED_OPERAND, spans.map_or_else(|| finding.place(), |spans| spans.offset));
    }
}
