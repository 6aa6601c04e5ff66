//! Values of options that are names: read with the words of the settings, and offered to shells that complete them.

use crate::config::{self, Selector};
use crate::spec::Platform;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Reads the name of a platform or a device.
#[derive(Clone)]
pub(super) struct PlatformParser;

/// Reads the name of a rule, a group of rules, or `all`.
#[derive(Clone)]
pub(super) struct RuleParser;

impl TypedValueParser for PlatformParser {
    type Value = Platform;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Platform, clap::Error> {
        read(command, arg, value, config::platform)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Platform::all().map(|p| PossibleValue::new(p.name()).help(p.row().full_name))))
    }
}

impl TypedValueParser for RuleParser {
    type Value = Selector;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Selector, clap::Error> {
        read(command, arg, value, config::selector)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(config::selectors().map(|s| PossibleValue::new(s.name()))))
    }
}

/// Reads a value, and says what is wrong with it as clap says it of its own values.
fn read<T>(
    command: &Command,
    arg: Option<&Arg>,
    value: &OsStr,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, clap::Error> {
    let text = value.to_string_lossy();
    read(&text).map_err(|words| {
        let option = arg.map(ToString::to_string).unwrap_or_default();
        clap::Error::raw(ErrorKind::ValueValidation, format!("invalid value '{text}' for '{option}': {words}\n"))
            .with_cmd(command)
    })
}
