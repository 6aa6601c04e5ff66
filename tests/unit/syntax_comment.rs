//! Tests of `syntax::comment`.

use visa_lint::syntax::comment::comments_with;

#[test]
fn comments_know_their_statement() {
    let text = "a \"// x\" /* // x */ b // x 1\n\r\n// x 2\n// y\n  // x 3\r\n  c \\\n d // x 4\n// x 5";
    let found: Vec<(&str, bool, &str)> =
        comments_with(text, "x").iter().map(|c| (c.span.of(text), c.is_trailing, c.statement.of(text))).collect();
    assert_eq!(
        found,
        [
            ("/* // x */", true, "a \"// x\" /* // x */ b // x 1"),
            ("// x 1", true, "a \"// x\" /* // x */ b // x 1"),
            ("// x 2", false, "c \\\n d // x 4"),
            ("// x 3", false, "c \\\n d // x 4"),
            ("// x 4", true, "c \\\n d // x 4"),
            ("// x 5", false, ""),
        ]
    );
}
