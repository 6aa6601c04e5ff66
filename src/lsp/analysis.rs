//! What one version of a text says: its program and what the fast checks found; of a host source, those of its fragments.

use super::text::Text;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::recall::Recall;
use crate::checks::{self, Options, Sink, table};
use crate::host::{self, Fragment, Host};
use crate::lower::reread::{Record, TextEdit, lower_recorded, reread};
use crate::program::Program;
use crate::reading::Touches;
use crate::spec::PlatformSet;
use std::sync::{Arc, OnceLock};

/// What one version of a text says. It is made as a whole and never changes.
#[derive(Debug)]
pub struct Analysis {
    /// The text.
    pub text: Arc<Text>,
    /// The program that was read from it.
    pub program: Program,
    /// The platforms in question.
    pub platforms: PlatformSet,
    /// What the fast checks found, in the order of the text.
    pub findings: Vec<Diagnostic>,
    /// The fragments of a host source, in the order of the text.
    pub fragments: Vec<View>,
    /// Where bytes of variables are read and written, once that was asked for.
    touches: OnceLock<Touches>,
    /// What reading and checking the text after an edit can take over.
    kept: Option<Kept>,
}

/// What one version of a text leaves to the next.
#[derive(Debug)]
struct Kept {
    record: Record,
    recall: Recall,
}

impl Analysis {
    /// Reads and checks a text.
    #[must_use]
    pub fn new(text: Arc<Text>, options: &Options) -> Self {
        if let Some(language) = options.host {
            let host = host::read(text.as_str(), language, options.sub_group);
            let findings = checks::fragment::check_host_quickly(text.as_str(), &host, options);
            let fragments = views(host, options);
            return Self {
                text,
                program: Program::default(),
                platforms: PlatformSet::ALL,
                findings,
                fragments,
                touches: OnceLock::new(),
                kept: None,
            };
        }
        let (program, record) = lower_recorded(text.as_str());
        Self::of_program(text, program, Kept { record, recall: Recall::new() }, options)
    }

    /// Reads and checks a text, with the help of what is known of the text `before` an edit under the same options.
    #[must_use]
    pub fn of_text(text: Arc<Text>, before: Option<(Arc<Self>, TextEdit)>, options: &Options) -> Self {
        let reread = before.and_then(|(before, edit)| {
            let kept = before.kept.as_ref()?;
            let texts = (before.text.as_str(), text.as_str());
            let (program, record, replaced) = reread((&before.program, &kept.record), texts, edit)?;
            Some((program, Kept { record, recall: kept.recall.after(&replaced) }))
        });
        match reread {
            Some((program, kept)) => Self::of_program(text, program, kept, options),
            None => Self::new(text, options),
        }
    }

    fn of_program(text: Arc<Text>, program: Program, mut kept: Kept, options: &Options) -> Self {
        let findings = checks::check_again(text.as_str(), &program, options, &mut kept.recall);
        let (platforms, _) = table::platform::platforms(&program, options, &mut Sink::new(options));
        let fragments = Vec::new();
        Self { text, program, platforms, findings, fragments, touches: OnceLock::new(), kept: Some(kept) }
    }

    /// What a fragment of a host source says; its findings are those of the host.
    #[must_use]
    pub fn of_fragment(text: Arc<Text>, program: Program, platforms: PlatformSet) -> Self {
        Self {
            text,
            program,
            platforms,
            findings: Vec::new(),
            fragments: Vec::new(),
            touches: OnceLock::new(),
            kept: None,
        }
    }

    /// Bytes of a register: the smaller size, if both are possible.
    #[must_use]
    pub fn grf_bytes(&self) -> u32 {
        self.platforms.grf_sizes().next().unwrap_or(32)
    }

    /// Where bytes of variables are read and written.
    #[must_use]
    pub fn touches(&self) -> &Touches {
        self.touches.get_or_init(|| Touches::new(&self.program, self.grf_bytes()))
    }

    /// The text of a place.
    #[must_use]
    pub fn text_of(&self, span: Span) -> &str {
        span.of(self.text.as_str())
    }
}

/// A fragment of an open host source.
#[derive(Debug)]
pub struct View {
    /// The statement; its program is that of `analysis`.
    pub fragment: Fragment,
    /// What the fragment says, at places of its own text.
    pub analysis: Arc<Analysis>,
}

/// The fragments of a host source, in the order of the text.
fn views(host: Host, options: &Options) -> Vec<View> {
    let fragments = host.fragments.into_iter();
    fragments
        .map(|mut fragment| {
            let program = std::mem::take(&mut fragment.program);
            let (platforms, _) = table::platform::platforms(&program, options, &mut Sink::new(options));
            let text = Arc::new(Text::new(fragment.text().to_owned()));
            let analysis = Analysis::of_fragment(text, program, platforms);
            View { fragment, analysis: Arc::new(analysis) }
        })
        .collect()
}
