//! Settings: what is wrong is said in harmless words, and what is right can be used.

use std::path::Path;
use visa_lint::base::printable::is_harmful;
use visa_lint::config::Config;

/// What is wrong with how a text is read as settings.
pub fn fault(text: &str) -> Option<String> {
    let root = Path::new("/there-is-no-such-folder");
    match Config::parse(&root.join("visa-lint.toml"), root, text) {
        Ok(config) => {
            for path in ["a.visaasm", "a/b.visaasm", "a/b/c.isaasm"] {
                let _ = config.options(&root.join(path));
                let _ = config.excludes(&root.join(path));
            }
            None
        }
        Err(error) => {
            let words = error.to_string();
            words.contains(|c| is_harmful(c) && c != '\n' && c != '\t').then(|| format!("{words:?}"))
        }
    }
}
