//! Names and their symbols.

use visa_lint::base::symbol::Interner;

#[test]
fn each_name_has_one_symbol() {
    let mut names = Interner::default();
    // The last ones are beyond the numbers that are found without their text, until there are more names.
    let all = ["V0", "V00", "V1", "V01", "v1", "V", "V1a", "V+1", "V12", "W12", "V7000", "V12345678", "V99999999999"];
    let symbols: Vec<_> = all.iter().map(|name| names.intern(name)).collect();
    for number in 0..8000 {
        names.intern(&format!("V{number}"));
        names.intern(&format!("x{number}"));
    }
    for (name, symbol) in all.iter().zip(&symbols) {
        assert_eq!(names.intern(name), *symbol, "{name}");
        assert_eq!(names.lookup(name), Some(*symbol), "{name}");
        assert_eq!(names.name(*symbol), *name);
    }
    let known =
        all.iter().filter(|name| name.strip_prefix('V').is_some_and(|n| matches!(n, "0" | "1" | "12" | "7000")));
    assert_eq!(names.len(), all.len() + 2 * 8000 - known.count());
    for unknown in ["V8000", "V08", "V-1", "V\u{0}", "V9999999", "", "V2 "] {
        assert_eq!(names.lookup(unknown), None, "{unknown}");
    }
}
