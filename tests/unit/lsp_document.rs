//! Tests of `lsp::document`.

use gen_lsp_types::TextDocumentContentChangeEvent as Change;
use visa_lint::base::span::Span;
use visa_lint::lsp::document::Document;
use visa_lint::lsp::settings::Rules;
use visa_lint::lsp::text::Encoding;

#[test]
fn places_are_found_again_in_the_text_of_the_last_analysis() {
    let mut document = Document::new("untitled:1".to_owned(), 1, "0123456789\n".to_owned(), 0, Rules::default());
    document.analysis();
    let edit = |document: &mut Document, start: u32, end: u32, new: &str| {
        let range = document.text.range(Span::new(start, end), Encoding::Utf8);
        document.change(
            2,
            vec![Change::from(gen_lsp_types::TextDocumentContentChangePartial::new(range, None, new.to_owned()))],
            Encoding::Utf8,
        );
    };
    edit(&mut document, 4, 5, "ab"); // 0123ab56789
    edit(&mut document, 6, 7, ""); // 0123ab6789
    edit(&mut document, 1, 1, "x"); // 0x123ab6789
    assert_eq!(document.text.as_str(), "0x123ab6789\n");
    let then = |offset: u32| document.last_analysis(offset).expect("an analysis").1;
    for (now, c) in document.text.as_str().char_indices().filter(|(i, c)| c.is_ascii_digit() && !(2..5).contains(i)) {
        assert_eq!(&"0123456789"[then(now as u32) as usize..][..1], c.to_string());
    }
    assert!(!document.is_analysed());
}
