//! Groups of rules, so that many can be chosen by one name.

use super::RULES;
use super::common::modules;
use crate::base::rule::Rule;

/// What rules are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// How statements are written.
    Syntax,
    /// Declarations, inputs, attributes, directives.
    Declarations,
    /// Operands and modifiers of one instruction.
    Operands,
    /// Messages: addresses, data, surfaces, fences, barriers.
    Memory,
    /// Branches, calls, labels, lifetimes.
    Flow,
    /// What abstract execution proves.
    Execution,
    /// What other assemblers, versions of the text or platforms make of a program.
    Portability,
    /// What works, and is better written in another way.
    Style,
    /// Statements of host sources.
    Hosts,
}

/// Rules of these groups stand among those of other things.
const PORTABILITY: [&str; 11] = [
    "ambiguous-address-of",
    "ambiguous-any-all",
    "incompatible-instructions",
    "mixed-send-families",
    "newer-syntax",
    "reserved-descriptor-bits",
    "unlisted-type",
    "unportable-attribute",
    "unportable-name",
    "version-dependent-offset",
    "wrong-text-version",
];
const STYLE: [&str; 13] = [
    "constant-instruction",
    "implicit-address-model",
    "implicit-exec-mask",
    "leading-zero",
    "needless-goto",
    "shadowed-variable",
    "slow-region",
    "stray-comma",
    "superfluous-payload",
    "suspicious-negation",
    "unreachable-code",
    "useless-any-all",
    "wide-immediate",
];

/// The parts of the program whose rules belong to a group; of several that fit, the longest decides.
const MODULES: [(&str, Group); 22] = [
    ("syntax", Group::Syntax),
    ("lower", Group::Syntax),
    ("checks::encoding", Group::Syntax),
    ("checks::suppression", Group::Syntax),
    ("lower::declaration", Group::Declarations),
    ("lower::directive", Group::Declarations),
    ("lower::attribute", Group::Declarations),
    ("lower::input", Group::Declarations),
    ("lower::element_count", Group::Declarations),
    ("checks::file", Group::Declarations),
    ("checks::declaration", Group::Declarations),
    ("checks::input", Group::Declarations),
    ("checks::attribute", Group::Declarations),
    ("lower::operand", Group::Operands),
    ("checks", Group::Operands),
    ("checks::lsc", Group::Memory),
    ("checks::memory", Group::Memory),
    ("checks::sampler", Group::Memory),
    ("checks::flow", Group::Flow),
    ("checks::execution", Group::Execution),
    ("checks::fragment", Group::Hosts),
    ("host", Group::Hosts),
];

impl Group {
    /// All groups.
    pub const ALL: [Self; 9] = [
        Self::Syntax,
        Self::Declarations,
        Self::Operands,
        Self::Memory,
        Self::Flow,
        Self::Execution,
        Self::Portability,
        Self::Style,
        Self::Hosts,
    ];

    /// The group of a rule.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        if PORTABILITY.contains(&rule.name) {
            return Self::Portability;
        }
        if STYLE.contains(&rule.name) {
            return Self::Style;
        }
        let holds = |outer: &str| {
            let mut inner = modules(rule);
            outer.split("::").all(|module| inner.next() == Some(module))
        };
        let fitting = MODULES.iter().filter(|(outer, _)| holds(outer)).max_by_key(|(outer, _)| outer.len());
        fitting.map_or(Self::Operands, |(_, group)| *group)
    }

    /// Its name, as it is typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Declarations => "declarations",
            Self::Operands => "operands",
            Self::Memory => "memory",
            Self::Flow => "flow",
            Self::Execution => "execution",
            Self::Portability => "portability",
            Self::Style => "style",
            Self::Hosts => "hosts",
        }
    }

    /// What its rules are about.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Syntax => "how statements are written",
            Self::Declarations => "declarations, inputs, attributes and directives",
            Self::Operands => "operands and modifiers of one instruction",
            Self::Memory => "messages: addresses, data, surfaces, fences, barriers",
            Self::Flow => "branches, calls, labels and lifetimes",
            Self::Execution => "what abstract execution proves",
            Self::Portability => "what other assemblers and text versions make of a program",
            Self::Style => "what works and is better written in another way",
            Self::Hosts => "vISA in the asm statements of host sources",
        }
    }

    /// The group of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }

    /// Its rules, in the order of the list.
    pub fn rules(self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().copied().filter(move |rule| Self::of(rule) == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_rules_and_every_exception_is_a_rule() {
        for group in Group::ALL {
            assert!(group.rules().count() > 4, "{group:?}");
            assert_eq!(Group::from_name(group.name()), Some(group));
        }
        for name in PORTABILITY.iter().chain(&STYLE) {
            assert!(super::super::rule(name).is_some(), "{name}");
        }
        let group = |name: &str| Group::of(super::super::rule(name).expect("a rule"));
        assert_eq!(group("syntax-error"), Group::Syntax);
        assert_eq!(group("unknown-attribute"), Group::Declarations);
        assert_eq!(group("missing-region"), Group::Operands);
        assert_eq!(group("illegal-region"), Group::Operands);
        assert_eq!(group("unsupported-data-shape"), Group::Memory);
        assert_eq!(group("undefined-label"), Group::Flow);
        assert_eq!(group("overlapping-lane-writes"), Group::Execution);
        assert_eq!(group("unmasked-output"), Group::Hosts);
    }
}
