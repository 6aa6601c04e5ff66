//! The 64-bit mode of Xe3P, in which addresses have a base, a scale, and unsigned or signed 32-bit offsets, and caching
//! has three words. Only Xe3P has it, it holds for a whole kernel, and no directive says so: the forms that exist only
//! there give it away.

use super::message::Class;
use super::message::Message;
use crate::base::id::Id as _;
use crate::checks::context::{Context, View};
use crate::program::lsc::{AddressModel, AddressSize, LscValue};
use crate::program::{InstructionIndex, Object};
use crate::spec::Platform;
use crate::spec::instruction::Custom;

/// Whether a kernel runs in the 64-bit mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The platform has no such mode.
    Impossible,
    /// No form in the kernel exists in one mode only.
    Unknown,
    /// A form that exists only there stands in the kernel.
    Certain,
}

/// The mode of each kernel and function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Modes {
    is_wide: Vec<bool>,
}

impl Modes {
    /// Looks for the forms. Without a platform that has the mode there is nothing to look for.
    #[must_use]
    pub fn of(cx: &Context) -> Self {
        if cx.platforms.iter().all(|platform| platform < Platform::XE3P_CRI) {
            return Self::default();
        }
        Self { is_wide: cx.program.objects.iter().map(|object| gives_itself_away(cx, object)).collect() }
    }

    /// The mode of the kernel that holds an instruction.
    #[must_use]
    pub fn mode(&self, view: &View, platform: Platform) -> Mode {
        if platform < Platform::XE3P_CRI {
            return Mode::Impossible;
        }
        match self.is_wide.get(view.cx.program.object_of(view.index).index()) {
            Some(true) => Mode::Certain,
            _ => Mode::Unknown,
        }
    }
}

fn gives_itself_away(cx: &Context, object: &Object) -> bool {
    object.instructions.clone().any(|index| {
        let Some(view) = View::new(cx, InstructionIndex(index)) else { return false };
        view.row.custom == Some(Custom::Lsc) && is_wide_form(&view)
    })
}

fn is_wide_form(view: &View) -> bool {
    let message = Message::new(view);
    if message.class == Class::CacheControl || message.cache_words().count() == 3 {
        return true;
    }
    let Some((address, _)) = message.address else { return false };
    address.model == AddressModel::Surf
        || matches!(address.size, Some(AddressSize::A32S | AddressSize::A32U))
        || address.model == AddressModel::Flat
            && address.surface.is_some_and(|base| !matches!(base, LscValue::Immediate(0) | LscValue::Null))
        || message.items().iter().any(|item| item.scale != 1)
}
