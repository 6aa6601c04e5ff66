//! Tests of `lsp::directives`.

#[test]
fn every_directive_is_described() {
    let described: Vec<&str> = visa_lint::lsp::directives::DIRECTIVES.iter().map(|d| d.word).collect();
    for word in visa_lint::spec::words::DIRECTIVES {
        assert!(described.contains(word), "{word}");
    }
    assert_eq!(described.len(), visa_lint::spec::words::DIRECTIVES.len());
}
