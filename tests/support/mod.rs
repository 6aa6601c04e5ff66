//! What several tests need.

pub mod laws;
pub mod legal;
pub mod mutator;
pub mod process;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::checks::{self, Options};
use visa_lint::host::{ENDINGS, Language};
use visa_lint::spec::{Platform, PlatformSet};

/// The declarations that examples may use.
pub const PRELUDE: &str = include_str!("../../rules/example.visaasm");

/// The folder `tests`.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A kernel with the declarations of the prelude, further declarations, and `lines` before the final `ret`.
pub fn kernel(declarations: &str, lines: &str) -> String {
    let (head, tail) = PRELUDE.split_once(".function").expect("the prelude has a function");
    let (tail, ret) = tail.split_once("    ret").expect("the prelude ends with ret");
    // Attributes of the example replace those of the prelude.
    let attribute = |line: &str| line.split_once('=').map(|(name, _)| format!("{name}="));
    let own: Vec<String> =
        declarations.lines().filter(|l| l.starts_with(".kernel_attr")).filter_map(attribute).collect();
    let head: String =
        head.split_inclusive('\n').filter(|l| !own.iter().any(|name| l.starts_with(name.as_str()))).collect();
    format!("{head}{declarations}.function{tail}{lines}    ret{ret}")
}

/// Options for one platform.
pub fn on(platform: Platform) -> Options {
    Options { platforms: Some(PlatformSet::one(platform)), ..Options::default() }
}

/// The findings at level warning and above.
pub fn loud(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.into_iter().filter(|d| d.level >= Level::Warning).collect()
}

/// One line for each finding: line, level, rule, message.
pub fn listing(text: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .map(|d| {
            let line = text[..d.primary.span.start as usize].matches('\n').count() + 1;
            let marked = &text[d.primary.span.range()];
            format!("{line}: {}[{}] at `{marked}`: {}\n", d.level.word(), d.rule.name, d.message)
        })
        .collect::<Vec<_>>()
        .concat()
}

/// The files under a folder with that ending, sorted.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A host source of the tests.
pub struct HostSource {
    /// Its name in `tests/host`.
    pub name: String,
    pub language: Language,
    pub text: String,
}

/// The host sources of the tests, by their endings and names.
pub fn host_sources() -> Vec<HostSource> {
    let folder = tests_folder().join("host");
    let mut endings: Vec<&str> = ENDINGS.iter().map(|(ending, _)| *ending).collect();
    endings.sort_unstable();
    let paths = endings.into_iter().flat_map(|ending| files(&folder, ending));
    let read = |path: PathBuf| HostSource {
        name: path.strip_prefix(&folder).expect("a file of the folder").to_string_lossy().replace('\\', "/"),
        language: Language::of_path(&path).expect("a host source"),
        text: std::fs::read_to_string(&path).expect("a readable file"),
    };
    let all: Vec<HostSource> = paths.map(read).collect();
    assert!(all.len() > 100, "{} host sources", all.len());
    all
}

/// The cases in four parts of about the same work, by the first letters of their rules: none of the tests that change each
/// of their lines takes long.
pub const A_TO_L: RangeInclusive<char> = 'a'..='l';
pub const M_TO_T: RangeInclusive<char> = 'm'..='t';
pub const U: RangeInclusive<char> = 'u'..='u';
pub const V_TO_Z: RangeInclusive<char> = 'v'..='z';

/// Compares with a blessed file; with `BLESS=1` writes it instead.
pub fn blessed(path: &Path, actual: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(path, actual).expect("the blessed file can be written");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected != actual {
        let line = expected
            .lines()
            .zip(actual.lines())
            .position(|(a, b)| a != b)
            .unwrap_or(expected.lines().count().min(actual.lines().count()));
        panic!(
            "{} differs from what is printed now, first in line {}:\n  blessed: {}\n  now:     {}\nIf the change is right, run the tests with BLESS=1.",
            path.display(),
            line + 1,
            expected.lines().nth(line).unwrap_or("(end)"),
            actual.lines().nth(line).unwrap_or("(end)"),
        );
    }
}

/// A number that changes when the text does. It stands in blessed files for texts that would fill them.
pub fn check_sum(text: &str) -> u32 {
    CheckSum::default().and(text).0
}

/// The same of everything that is held of a text: of what is printed of it for debugging, places and notes of the reader among
/// them, of which findings say only a part.
pub fn check_sum_of(held: &impl std::fmt::Debug) -> u32 {
    let mut sum = CheckSum::default();
    std::fmt::write(&mut sum, format_args!("{held:?}")).expect("a sum takes any text");
    sum.0
}

/// The sum of a text so far.
struct CheckSum(u32);

impl Default for CheckSum {
    fn default() -> Self {
        Self(0x811c_9dc5)
    }
}

impl CheckSum {
    fn and(self, text: &str) -> Self {
        Self(text.bytes().fold(self.0, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}

impl std::fmt::Write for CheckSum {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        *self = Self(self.0).and(text);
        Ok(())
    }
}

/// What the programs of the tests do all the time: they are excerpts, read what would have been written before, and leave
/// out what is the same in every kernel.
const OF_WHOLE_PROGRAMS: [&str; 7] = [
    "undefined-register",
    "undefined-predicate",
    "undefined-address",
    "undefined-result",
    "missing-argument",
    "missing-result",
    "missing-attribute",
];

/// The options for an excerpt, in a test of the rule `about`.
pub fn as_excerpt(mut options: Options, about: &str) -> Options {
    for name in OF_WHOLE_PROGRAMS.into_iter().filter(|name| *name != about) {
        options.levels.entry(name).or_insert(Level::Off);
    }
    options
}

/// Checks an excerpt with what its first comment lines ask for: `// platform: PVC`, `// pedantic`, `// local-size: 64`.
pub fn check_as_asked(text: &str, about: &str) -> Vec<Diagnostic> {
    checks::check(text, &as_excerpt(asked(text), about))
}

/// The options that the first comment lines of a text ask for.
pub fn asked(text: &str) -> Options {
    let mut options = Options::default();
    // A line that is cut off, in the beginning of a text, asks for nothing.
    for line in text.split_inclusive('\n').take_while(|l| l.starts_with("//") && l.ends_with('\n')) {
        let words = line.trim_start_matches('/').trim();
        if let Some(names) = words.strip_prefix("platform:") {
            let set =
                names.split(',').map(|n| Platform::from_name(n.trim()).unwrap_or_else(|| panic!("no platform {n}")));
            options.platforms = Some(set.collect());
        } else if words == "pedantic" {
            options.pedantic = true;
        } else if let Some(name) = words.strip_prefix("warn:") {
            let rule = checks::rule(name.trim()).unwrap_or_else(|| panic!("no rule {name}"));
            options.levels.insert(rule.name, Level::Warning);
        } else if let Some(size) = words.strip_prefix("local-size:") {
            let mut dimensions = size.split(',').map(|n| n.trim().parse().unwrap_or_else(|e| panic!("{size}: {e}")));
            options.launch.local_size = Some([(); 3].map(|()| dimensions.next().unwrap_or(1)));
        } else if let Some(bytes) = words.strip_prefix("slm-size:") {
            options.launch.slm_bytes = Some(bytes.trim().parse().unwrap_or_else(|e| panic!("{bytes}: {e}")));
        } else if let Some((name, bytes)) = words.strip_prefix("buffer:").and_then(|b| b.split_once('=')) {
            let bytes = bytes.trim().parse().unwrap_or_else(|e| panic!("{bytes}: {e}"));
            options.launch.buffers.insert(name.trim().to_owned(), bytes);
        }
    }
    options
}
