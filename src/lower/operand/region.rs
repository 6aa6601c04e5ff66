//! Regions.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::region::{Region, RegionForm};
use crate::spec::instruction::OperandSlot;
use crate::syntax::number;
use crate::syntax::tree::{Item, RegionSyntax};

crate::declare_rule! {
    /// A region that is written with the wrong number of parts: destinations take `<h>`, sources `<v;w,h>`, and only
    /// indirect sources `<w,h>`.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<8;8,1> VD2(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> VD2(0,0)<8;8,1>
    /// ```
    pub MALFORMED_REGION = "malformed-region", Error, "3_execution_model",
        help = "write `<h>` for a destination, `<v;w,h>` for a source, `<w,h>` only for an indirect source"
}

impl Lowering<'_> {
    pub(super) fn region(&mut self, slot: &OperandSlot, region: RegionSyntax, span: Span) -> Option<Region> {
        let numbers = self.region_numbers(region)?;
        let is_destination = slot.role.writes();
        let fits = match numbers.form {
            RegionForm::Stride => is_destination,
            RegionForm::Full => !is_destination,
            RegionForm::Rows | RegionForm::Absent => false,
        };
        if fits {
            return Some(numbers);
        }
        let written = span.of(self.text);
        let diagnostic = if is_destination {
            let stride = if numbers.form == RegionForm::Full { numbers.horizontal_stride.max(1) } else { 1 };
            Diagnostic::new(
                &MALFORMED_REGION,
                span,
                format!("a destination takes one stride, as in `<1>`, not `{written}`"),
            )
            .replace(span, format!("<{stride}>"), false)
        } else if numbers.form == RegionForm::Rows {
            let message =
                format!("`{written}` is the region of an indirect operand; here three numbers stand, as in `<8;8,1>`");
            Diagnostic::new(&MALFORMED_REGION, span, message)
        } else {
            let meant = if numbers.horizontal_stride == 0 { Some("<0;1,0>".to_owned()) } else { None };
            let message = format!("a source takes three numbers, as in `<8;8,1>`, not `{written}`");
            let diagnostic = Diagnostic::new(&MALFORMED_REGION, span, message);
            match meant {
                Some(meant) => diagnostic.replace(span, meant, true),
                None => diagnostic.replace(span, format!("<{h};1,0>", h = numbers.horizontal_stride), false),
            }
        };
        self.report(diagnostic);
        None
    }

    pub(super) fn region_numbers(&mut self, region: RegionSyntax) -> Option<Region> {
        Some(match region {
            RegionSyntax::None => Region::ABSENT,
            RegionSyntax::Source(span) => {
                let bytes = span.of(self.text).as_bytes();
                if let [b'<', v, b';', w, b',', h, b'>'] = bytes {
                    return Some(Region {
                        vertical_stride: v - b'0',
                        width: w - b'0',
                        horizontal_stride: h - b'0',
                        form: RegionForm::Full,
                    });
                }
                let mut numbers = number::digits(span.of(self.text)).map(|n| small(n as i64));
                let mut next = || numbers.next().unwrap_or(0);
                Region { vertical_stride: next(), width: next(), horizontal_stride: next(), form: RegionForm::Full }
            }
            RegionSyntax::Stride(span) => {
                let stride = number::digits(span.of(self.text)).next().unwrap_or(0);
                Region {
                    vertical_stride: 0,
                    width: 0,
                    horizontal_stride: small(stride as i64),
                    form: RegionForm::Stride,
                }
            }
            RegionSyntax::One(a) => Region {
                vertical_stride: 0,
                width: 0,
                horizontal_stride: small(self.constant(a)?),
                form: RegionForm::Stride,
            },
            RegionSyntax::Two(w, h) => Region {
                vertical_stride: 0,
                width: small(self.constant(w)?),
                horizontal_stride: small(self.constant(h)?),
                form: RegionForm::Rows,
            },
            RegionSyntax::Three(v, w, h) => Region {
                vertical_stride: small(self.constant(v)?),
                width: small(self.constant(w)?),
                horizontal_stride: small(self.constant(h)?),
                form: RegionForm::Full,
            },
        })
    }

    pub(super) fn region_span(&self, item: &Item, from: u32) -> Span {
        match item.region {
            RegionSyntax::None => Span::default(),
            RegionSyntax::Source(span) | RegionSyntax::Stride(span) => span,
            _ => {
                let end = item.suffix.map_or(item.span.end, |s| s.start);
                Span::new(from, end).trimmed(self.text)
            }
        }
    }
}

/// A number of a region; those that do not fit become [`Region::ILLEGAL`].
fn small(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(Region::ILLEGAL)
}
