//! Laws that hold for every text, on texts of the tests that were changed by token. `VISA_LINT_MUTANTS=N` tries more of
//! them, `VISA_LINT_SEED=N` others. Coverage-guided fuzzing with the same laws is in `fuzz/`.

use crate::fixes::texts;
use crate::support::mutator::{Random, changed};
use crate::support::{host_sources, laws, legal};
use visa_lint::checks::Options;
use visa_lint::host::Language;

/// A number from the environment.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// The laws that changes of some texts break, each text with the options that it is checked with.
fn broken_laws(texts: &[(String, Options)], n: u64) -> Vec<String> {
    let mut random = Random(from_environment("VISA_LINT_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut faults = Vec::new();
    for _ in 0..from_environment("VISA_LINT_MUTANTS", n) {
        let (text, options) = &texts[random.below(texts.len())];
        let mut text = text.clone();
        for _ in 0..=random.below(4) {
            text = changed(&text, &mut random);
        }
        let fault = std::panic::catch_unwind(|| laws::check(&text, options).or_else(|| laws::fix(&text, options)));
        match fault {
            Ok(None) => {}
            Ok(Some(fault)) => faults.push(format!("{fault}\nin\n{text}")),
            Err(_) => faults.push(format!("a panic in\n{text}")),
        }
        if faults.len() >= 10 {
            break;
        }
    }
    faults
}

#[test]
fn laws_hold_for_changed_texts() {
    let texts: Vec<_> = texts().into_iter().map(|(_, text)| (text, laws::pedantic())).collect();
    let faults = broken_laws(&texts, 1500);
    assert!(faults.is_empty(), "{}", faults.join("\n----\n"));
}

#[test]
fn laws_hold_for_changed_hosts() {
    let texts: Vec<_> = host_sources().into_iter().map(|s| (s.text, laws::pedantic_host(s.language))).collect();
    let faults = broken_laws(&texts, 1500);
    assert!(faults.is_empty(), "{}", faults.join("\n----\n"));
}

/// Texts that are broken where other parts of the host are looked up: a name that another statement declares, the arguments of
/// a call.
#[test]
fn broken_hosts_are_read_to_their_end() {
    let texts = [
        (
            Language::C,
            "kernel void f(int x) {\n  asm volatile(\"{\\n.decl Q:ud v_type=P ncmp=16\\num_elts.eq (M1, 16) Q %0(0,0)<1;1,0> \
             0x0:d\\n(Q) goto (M1, 16) out\\n}\" : \"+rw\"(x));\n  asm volatile(\"out:\\n\" ::);\n}\n",
        ),
        (
            Language::Python,
            "def f(x):\n    return tl.inline_asm_elementwise(\"{op} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d\".format \
             op=\"shl\"), \"=rw,rw\", [x], dtype=tl.int32, is_pure=True, pack=1)\n",
        ),
    ];
    for (language, text) in texts {
        let options = laws::pedantic_host(language);
        assert_eq!(laws::check(text, &options).or_else(|| laws::fix(text, &options)), None, "{text}");
    }
}

/// Texts in which a fix was no fix, or was shown with what stands in the text.
#[test]
fn laws_hold_where_a_fix_meets_another_fault() {
    let kernel = |line: &str| format!(".version 4.2\n.kernel \"k\"\n{line}\n.function \"m\"\nm:\nret (M1, 1)\n");
    let in_c = "#define COPY(where) asm(\"mov (M1, 16) %0(0,0)<1> \" where \"(0,)0)<1;1,0>\" : \"=rw\"(y) : [name] \
                \"rw\"(x))\nvoid f(int x, int y) { COPY(\"V[\"); }\n";
    let texts = [
        (kernel(".kernel_attr Targetdivm\"\u{feff}kernel\""), laws::pedantic()),
        (kernel(".kernel_attr Target=\"cm\"\nmov (M1? 16) %null(0,0)<1> 0x1:d"), laws::pedantic()),
        (kernel(".kernel_attr Target=\"cm\"\nFILE \"a.cm\"(M1_NM, 1)"), laws::pedantic()),
        (in_c.to_owned(), laws::pedantic_host(Language::C)),
    ];
    for (text, options) in texts {
        assert_eq!(laws::check(&text, &options).or_else(|| laws::fix(&text, &options)), None, "{text}");
    }
}

#[test]
fn legal_programs_have_no_findings() {
    let mut random = Random(from_environment("VISA_LINT_SEED", 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    for _ in 0..from_environment("VISA_LINT_MUTANTS", 300) {
        let choices: Vec<u8> = (0..40 + random.below(160)).map(|_| random.below(256) as u8).collect();
        if let Some(fault) = legal::fault(&choices) {
            panic!("{fault}");
        }
    }
}

#[test]
fn one_planted_fault_is_one_finding() {
    let mut random = Random(from_environment("VISA_LINT_SEED", 1).wrapping_mul(0x9fb2_1c65_1e98_df25));
    for _ in 0..from_environment("VISA_LINT_MUTANTS", 300) {
        let choices: Vec<u8> = (0..40 + random.below(160)).map(|_| random.below(256) as u8).collect();
        if let Some(fault) = legal::planted_fault(&choices) {
            panic!("{fault}");
        }
    }
}
