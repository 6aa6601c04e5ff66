//! Words in lines of a terminal's width.

use visa_lint::base::wrap::page;
use visa_lint::cli::explain::explain;

#[test]
fn prose_is_filled_anew_and_tables_wrap_in_their_last_column() {
    let text = "\
A line of a paragraph that was cut by hand because it is so long that
it goes on here.

level    error
  name-of-rule   error   A summary of a few words.
  - A bullet with a few more words.
    mov (M1, 8) VD(0,0)<1> VD2(0,0)<8;8,1>
    +0 │  0  1  2  3  4  5  6  7  8  9 10 11 │
";
    assert_eq!(
        page(text, 40),
        "\
A line of a paragraph that was cut by
hand because it is so long that it goes
on here.

level    error
  name-of-rule   error   A summary of a
      few words.
  - A bullet with a few more words.
    mov (M1, 8) VD(0,0)<1>
        VD2(0,0)<8;8,1>
    +0 │  0  1  2  3  4  5  6  7  8  9 10 11 │
"
    );
    assert!(page(text, 60).contains(
        "  name-of-rule   error   A summary of a few words.\n  - A bullet with a few more words.\n    mov (M1, 8) VD(0,0)<1>"
    ));
    let narrow = page("  a   error   A summary of a few words that go on.\n", 36);
    assert_eq!(narrow, "  a   error   A summary of a few\n              words that go on.\n");
}

#[test]
fn every_page_fits_a_narrow_terminal_and_loses_no_words() {
    for name in visa_lint::checks::RULES.iter().map(|r| r.name).chain(["mad", "lsc_load", "sample_3d", "dpas"]) {
        let text = explain(Some(name), None).expect("a page");
        let narrow = page(&text, 60);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(&text), "{name}");
        for line in narrow.lines().filter(|line| !line.contains('│')) {
            let is_one_word = line.split_whitespace().count() == 1;
            assert!(line.chars().count() <= 60 || is_one_word, "{name}: {line}");
        }
    }
}
