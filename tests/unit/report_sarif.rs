//! Tests of `report::sarif`.

use visa_lint::report::sarif::uri;

#[test]
fn paths_become_references() {
    assert_eq!(uri("a/b.visaasm"), "a/b.visaasm");
    assert_eq!(uri("./a b#c:d%.visaasm"), "a%20b%23c%3Ad%25.visaasm");
    assert_eq!(uri("/x/ä.visaasm"), "file:///x/%C3%A4.visaasm");
    assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
}
