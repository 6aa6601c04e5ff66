//! Values of operands that are known.

use super::Finding;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::table::document;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::interp::FactKind;
use crate::interp::Observed;
use crate::interp::facts::ChannelMaskFault;
use crate::program::Operand;

crate::declare_rule! {
    /// A channel mask in a register that does not say what it seems to: it selects nothing, or outputs that there are not.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// mov (M1, 8) VUD(0,0)<1> 0x7:ud
    /// urb_write_3d (M1, 8) 2 0 VUD.0 VUD.32 %null.0 VF.0
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// mov (M1, 8) VUD(0,0)<1> 0x1:ud
    /// urb_write_3d (M1, 8) 2 0 VUD.0 VUD.32 %null.0 VF.0
    /// ```
    pub MEANINGLESS_CHANNEL_MASK = "meaningless-channel-mask", Warning, "URB_WRITE",
        help = "set one bit, from bit 0 on, for each output that is wanted"
}

crate::declare_rule! {
    /// A payload that says what `%null` would say: a mask with all channels, or offsets that are all zero. The manual wants
    /// null there.
    ///
    /// ```visa bad
    /// // pedantic
    /// // platform: DG2
    /// mov (M1, 8) VUD(0,0)<1> 0x0:ud
    /// urb_write_3d (M1, 8) 2 0 %null.0 VUD.32 VUD.0 VF.0
    /// ```
    /// ```visa good
    /// // pedantic
    /// // platform: DG2
    /// urb_write_3d (M1, 8) 2 0 %null.0 VUD.32 %null.0 VF.0
    /// ```
    pub SUPERFLUOUS_PAYLOAD = "superfluous-payload", Pedantic, "URB_WRITE",
        help = "write `%null` for it, which saves a register of the message"
}

crate::declare_rule! {
    /// A saturating shift whose result has more than 33 bits. Saturation looks at no more, so that the result is undefined.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x7fffff:d
    /// shl.sat (M1, 8) VD2(0,0)<1> VD(0,0)<1;1,0> 0x1f:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x7fffff:d
    /// shl.sat (M1, 8) VD2(0,0)<1> VD(0,0)<1;1,0> 0x4:d
    /// ```
    pub OVERFLOWING_SATURATION = "overflowing-saturation", Warning, "SHL",
        help = "shift by less, or clamp the source before with `min` and `max`"
}

crate::declare_rule! {
    /// An instruction that is exact in the sense of IEEE 754 where denormal numbers are switched off in `%cr0`: its small
    /// results are not what the standard wants.
    ///
    /// ```visa bad
    /// // pedantic
    /// // platform: PVC
    /// and (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0xffffff3f:ud
    /// divm (M1_NM, 16) VF(0,0)<1> VF(1,0)<1;1,0> VF(2,0)<1;1,0>
    /// ```
    /// ```visa good
    /// // pedantic
    /// // platform: PVC
    /// or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x80:ud
    /// divm (M1_NM, 16) VF(0,0)<1> VF(1,0)<1;1,0> VF(2,0)<1;1,0>
    /// ```
    pub DENORMALS_OFF = "denormals-off", Pedantic, "DIVM",
        help = "switch denormal numbers on in `%cr0` before, or use the instruction without `m`"
}

/// Findings about values.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    let view = &finding.view;
    let place = finding.place();
    let written = finding.written();
    let page = || document(view);
    Some(match &finding.fact.kind {
        // A number that stands there is compared without execution.
        FactKind::OutOfRange { .. } if matches!(finding.operand(), Some(Operand::Immediate { .. })) => return None,
        FactKind::OutOfRange { value, maximum } => {
            let message = format!("`{written}` holds {value}, which is more than {maximum}");
            let diagnostic =
                Diagnostic::new(&VALUE_OUT_OF_RANGE, place, message).label(format!("expected 0 to {maximum}"));
            finding.explained(diagnostic).note(page())
        }
        FactKind::ChannelMask { lane, mask, fault } => {
            let number = mask.map_or_else(String::new, |mask| format!(" {mask:#x}"));
            let message = match fault {
                ChannelMaskFault::Zero => format!("the mask of lane {lane} selects no output: nothing is written"),
                ChannelMaskFault::BeyondOutputs(n) => {
                    format!("the mask{number} of lane {lane} selects more than the {n} outputs")
                }
                ChannelMaskFault::BeyondByte => {
                    format!("the mask{number} of lane {lane} has more than eight bits")
                }
            };
            finding.explained(Diagnostic::new(&MEANINGLESS_CHANNEL_MASK, place, message)).note(page())
        }
        FactKind::AllOn => {
            let message = format!("`{written}` selects every output, as `%null` does");
            finding.explained(Diagnostic::new(&SUPERFLUOUS_PAYLOAD, place, message)).note(page())
        }
        FactKind::AllZero => {
            let message = format!("`{written}` is zero in all lanes, as `%null` is");
            finding.explained(Diagnostic::new(&SUPERFLUOUS_PAYLOAD, place, message)).note(page())
        }
        FactKind::Observed(Observed::WideSaturation { lane }) => {
            let message =
                format!("the shifted value of lane {lane} has more than 33 bits, too many for `.sat` to saturate it");
            Diagnostic::new(&OVERFLOWING_SATURATION, place, message)
                .label("the hardware saturates what fits 33 bits, the rest is undefined")
                .note(page())
        }
        FactKind::DenormalsOff { since } => {
            let message = format!("`{}` needs denormal numbers, which are off", view.row.mnemonic);
            Diagnostic::new(&DENORMALS_OFF, place, message)
                .level(Level::Pedantic)
                .also(finding.statement(*since), "switched off here")
        }
        _ => return None,
    })
}
