//! Laws that hold for every text, on texts of the tests that were changed by token. `VISA_LINT_MUTANTS=N` tries more of
//! them, `VISA_LINT_SEED=N` others. Coverage-guided fuzzing with the same laws is in `fuzz/`.

use crate::fixes::texts;
use crate::support::mutator::{Random, changed};
use crate::support::{laws, legal};

/// A number from the environment.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn laws_hold_for_changed_texts() {
    let texts = texts();
    let mut random = Random(from_environment("VISA_LINT_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut faults = Vec::new();
    for _ in 0..from_environment("VISA_LINT_MUTANTS", 1500) {
        let mut text = texts[random.below(texts.len())].1.clone();
        for _ in 0..=random.below(4) {
            text = changed(&text, &mut random);
        }
        let looked_at = text.clone();
        let fault =
            std::panic::catch_unwind(|| laws::check(&looked_at).or_else(|| laws::fix(&looked_at, &laws::pedantic())));
        match fault {
            Ok(None) => {}
            Ok(Some(fault)) => faults.push(format!("{fault}\nin\n{text}")),
            Err(_) => faults.push(format!("a panic in\n{text}")),
        }
        if faults.len() >= 10 {
            break;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n----\n"));
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
