//! Values of options. Those that are names are read with the words of the settings, and offered to shells that complete them.

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

/// A part of a run: the first number counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub n: u64,
}

/// `1/4`
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let parts =
        text.split_once('/').and_then(|(index, n)| Some(Shard { index: index.parse().ok()?, n: n.parse().ok()? }));
    parts.filter(|s| (1..=s.n).contains(&s.index)).ok_or_else(|| "write `I/N`, such as `1/4`".to_owned())
}

/// One to three numbers; those that are left out are 1.
pub(super) fn local_size(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    let mut parts = text.split(',');
    for place in &mut size {
        let Some(part) = parts.next() else { break };
        *place = part.trim().parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("`{part}` is no size"))?;
    }
    match parts.next() {
        Some(_) => Err("a group has at most three dimensions".to_owned()),
        None => Ok(size),
    }
}

/// `out=4096`
pub(super) fn buffer(text: &str) -> Result<(String, u64), String> {
    let parts = text.split_once('=').and_then(|(name, bytes)| {
        let (name, bytes) = (name.trim(), bytes.trim());
        let number = match bytes.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => bytes.parse().ok()?,
        };
        (!name.is_empty()).then(|| (name.to_owned(), number))
    });
    parts.ok_or_else(|| "write the name and the number of bytes, such as `out=4096`".to_owned())
}
