//! What a rule is: a name, a level, a page of documentation.

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Level {
    /// Not reported.
    Off,
    /// The manual's wording, which the compiler itself ignores; reported with `--pedantic`.
    Pedantic,
    /// Breaks the written specification, or very likely a mistake, though the toolchain lets it pass.
    Warning,
    /// Undefined behaviour, or text that no assembler takes.
    Error,
}

impl Level {
    /// The word for it in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Pedantic => "pedantic",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule: one kind of fault. Declared with [`declare_rule!`](crate::declare_rule).
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case name of the fault; public and stable.
    pub name: &'static str,
    /// The level when nothing else is said.
    pub level: Level,
    /// The levels that its findings can have, its own first.
    pub levels: &'static [Level],
    /// The manual's section; empty for rules about this program's own words.
    pub section: &'static str,
    /// What it checks and why, with `Bad:` and `Good:` examples, in Markdown.
    pub documentation: &'static str,
    /// What to do about findings that say no more than their message; empty if all of them say more.
    pub help: &'static str,
    /// The path of the module that declares it.
    pub module: &'static str,
}

impl Rule {
    /// The first sentence of its page.
    #[must_use]
    pub fn summary(&self) -> String {
        let text: Vec<&str> = self.documentation.lines().map(str::trim).take_while(|l| !l.is_empty()).collect();
        let text = text.join(" ");
        match text.find(". ") {
            Some(end) => text[..=end].to_owned(),
            None => text,
        }
    }

    /// Its page as Markdown that any viewer understands.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for line in self.documentation.lines() {
            match line.trim() {
                "```visa bad" => out += "Bad:\n\n```visa",
                "```visa good" => out += "\nGood:\n\n```visa",
                "```c bad" => out += "Bad:\n\n```c",
                "```c good" => out += "\nGood:\n\n```c",
                _ => out += line.strip_prefix(' ').unwrap_or(line),
            }
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }

    /// Where the manual's section stands, if the rule has one.
    #[must_use]
    pub fn link(&self) -> Option<String> {
        (!self.section.is_empty()).then(|| manual_page(self.section))
    }

    /// Where its page stands below an address of pages, or else the manual's section.
    #[must_use]
    pub fn link_in(&self, pages: Option<&str>) -> Option<String> {
        match pages {
            Some(pages) => Some(page_in(pages, "rules", self.name)),
            None => self.link(),
        }
    }
}

/// Where the page of a rule (`rules`) or an instruction (`instructions`) stands below an address of pages.
#[must_use]
pub fn page_in(pages: &str, folder: &str, name: &str) -> String {
    format!("{}/{folder}/{name}.html", pages.trim_end_matches('/'))
}

/// Where a section of the manual, or the page of an instruction, stands.
#[must_use]
pub fn manual_page(section: &str) -> String {
    // A chapter begins with its number; the other pages are those of instructions, and `3D_SAMPLE` is one of them.
    let is_chapter = section.split_once('_').is_some_and(|(n, _)| n.parse::<u8>().is_ok());
    let folder = if is_chapter { "" } else { "instructions/" };
    format!("{MANUAL}/{folder}{section}.md")
}

/// The manual.
const MANUAL: &str = "https://github.com/intel/intel-graphics-compiler/blob/master/documentation/visa";

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

/// Declares a rule as a constant.
///
/// The doc comment is the rule's page: what it checks, why, then fenced examples marked `visa bad` and `visa good`.
/// An example is a whole file when it begins with `.version`; otherwise its lines that begin with `.decl` or
/// `.kernel_attr` are declarations, and the rest instructions, and the tests put them into a kernel.
///
/// After the name stands the level; further levels that findings can have follow it after bars. After the section may
/// stand `help = "..."`: what to do about a finding that has neither words at its place nor a help of its own.
///
/// ```
/// visa_lint::declare_rule! {
///     /// A word after the dot that is not a modifier.
///     pub EXAMPLE_RULE = "example-rule", Error | Warning, "8_appendix_visa_assembly_syntax"
/// }
/// assert_eq!(EXAMPLE_RULE.name, "example-rule");
/// ```
#[macro_export]
macro_rules! declare_rule {
    ($(#[doc = $doc:literal])+ $visibility:vis $constant:ident = $name:literal, $level:ident $(| $further:ident)*, $section:literal $(, help = $help:literal)? $(,)?) => {
        #[doc = concat!("Rule `", $name, "`.\n")]
        $(#[doc = $doc])+
        $visibility static $constant: $crate::base::rule::Rule = $crate::base::rule::Rule {
            name: $name,
            level: $crate::base::rule::Level::$level,
            levels: &[$crate::base::rule::Level::$level $(, $crate::base::rule::Level::$further)*],
            section: $section,
            documentation: concat!($($doc, "\n"),+),
            help: concat!($($help)?),
            module: module_path!(),
        };
    };
}
