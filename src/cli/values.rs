//! Values of options that are names: read with the words of the settings, and offered to shells that complete them.

use crate::config::{self, Selector};
use crate::spec::{self, Platform};
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

/// Takes any text, and offers rules, groups and instructions.
#[derive(Clone)]
pub(super) struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let rules = config::selectors().filter(|s| *s != Selector::All).map(Selector::name);
        let all = rules.chain(spec::instructions().iter().map(|row| row.mnemonic));
        Some(Box::new(all.map(PossibleValue::new)))
    }
}

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
