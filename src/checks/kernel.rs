//! What the attributes of a kernel say.

use super::context::{Context, View};
use crate::base::span::Span;
use crate::program::Object;
use crate::program::object::AttributeValue;

/// The value of the last attribute of that name, with its place.
#[must_use]
pub fn attribute(cx: &Context, object: &Object, name: &str) -> Option<(AttributeValue, Span)> {
    let attributes = cx.program.attributes_of(object);
    attributes.iter().rev().find(|a| cx.program.names.name(a.name) == name).map(|a| (a.value, a.value_span))
}

/// Whether an object says that it is a shader.
#[must_use]
pub fn has_3d_target(cx: &Context, object: &Object) -> bool {
    match attribute(cx, object, "Target") {
        Some((AttributeValue::Text(span), _)) => cx.text(span) == "\"3d\"",
        Some((AttributeValue::Number(number), _)) => number == 1,
        _ => false,
    }
}

/// Whether an object says that it is a media kernel.
#[must_use]
pub fn has_cm_target(cx: &Context, object: &Object) -> bool {
    match attribute(cx, object, "Target") {
        Some((AttributeValue::Text(span), _)) => cx.text(span) == "\"cm\"",
        Some((AttributeValue::Number(number), _)) => number == 0,
        _ => false,
    }
}

/// Whether an instruction stands in a media kernel.
#[must_use]
pub fn is_in_media_kernel(view: &View) -> bool {
    let program = view.cx.program;
    has_cm_target(view.cx, &program.objects[program.object_of(view.index)])
}

/// The SIMD size that an object says it is dispatched with.
#[must_use]
pub fn simd_size(cx: &Context, object: &Object) -> Option<i64> {
    match attribute(cx, object, "SimdSize")? {
        (AttributeValue::Number(size), _) if size > 0 => Some(size),
        _ => None,
    }
}

/// The place of `SLMSize=0`.
#[must_use]
pub fn empty_slm(cx: &Context, object: &Object) -> Option<Span> {
    match attribute(cx, object, "SLMSize")? {
        (AttributeValue::Number(0), span) => Some(span),
        _ => None,
    }
}
