//! The documentation as pages: `visa-lint explain --html`.

use crate::support::process::{Scratch, run};
use regex::Regex;
use std::path::Path;
use visa_lint::checks::RULES;
use visa_lint::spec;

/// What comes after a word, up to a quote, at each place of a text.
fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    text.match_indices(before).filter_map(|(at, _)| text[at + before.len()..].split('"').next()).collect()
}

#[test]
fn every_rule_and_instruction_has_a_page_and_every_link_leads_somewhere() {
    let scratch = Scratch::new("pages");
    let (status, out, err) = run(&scratch.0, &["explain", "--html", "site"]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    let site = scratch.0.join("site");
    let pages = crate::support::files(&site, "html");
    assert!(err.contains(&format!("wrote {} pages", pages.len())), "{err}");
    let heading = |page: String| std::fs::read_to_string(site.join(page)).expect("a page");
    for rule in RULES {
        let page = heading(format!("rules/{}.html", rule.name));
        assert!(page.contains(&format!("<h1><code>{}</code></h1>", rule.name)), "{page}");
        assert_eq!(page.contains("Bad</h2>"), rule.documentation.contains(" bad\n"), "{page}");
    }
    for row in spec::instructions() {
        assert!(heading(format!("instructions/{}.html", row.mnemonic)).contains("platforms    "), "{}", row.mnemonic);
    }
    let loads = Regex::new(r#"<(?:script|link|img)[^>]*"https?:"#).expect("a pattern");
    let mut n_links = 0;
    for page in &pages {
        let text = std::fs::read_to_string(page).expect("a readable page");
        assert!(!loads.is_match(&text), "{} loads something from elsewhere", page.display());
        for link in quoted(&text, "href=\"").into_iter().chain(quoted(&text, "src=\"")) {
            if link.starts_with("http") {
                continue;
            }
            let (file, part) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap_or(Path::new("")).join(file) };
            let target = std::fs::read_to_string(&target);
            assert!(
                target.is_ok_and(|t| part.is_empty() || t.contains(&format!("id=\"{part}\""))),
                "{}: {link} leads nowhere",
                page.display()
            );
            n_links += 1;
        }
    }
    assert!(n_links > pages.len(), "only {n_links} links were followed");
}

#[test]
fn the_list_can_be_narrowed_and_drawings_are_on_the_pages() {
    let scratch = Scratch::new("page-list");
    run(&scratch.0, &["explain", "--html", "."]);
    let read = |page: &str| std::fs::read_to_string(scratch.0.join(page)).expect("a page");
    let list = read("index.html");
    assert_eq!(list.matches("<li data-kind=\"rule\"").count(), RULES.len());
    assert_eq!(list.matches("<li data-kind=\"instruction\"").count(), spec::instructions().len());
    assert!(list.contains(
        "data-level=\"error warning pedantic\" data-group=\"execution\"><a href=\"rules/overlapping-lane-writes"
    ));
    let dpas = read("instructions/dpas.html");
    assert!(dpas.contains("<h2>On DG2, where a register has 32 bytes</h2>"), "{dpas}");
    assert!(dpas.contains("<h2>On PVC, where a register has 64 bytes</h2>"), "{dpas}");
    // Names of rules in texts are links, and texts lead to each other.
    assert!(read("guide/adopting.html").contains("<a href=\"../"), "no link");
    assert!(read("guide/start.html").contains("<a href=\"settings.html\">"), "no link between texts");
}

#[test]
fn what_cannot_be_written_is_said() {
    let scratch = Scratch::new("page-file");
    scratch.file("site", "a file");
    let (status, _, err) = run(&scratch.0, &["explain", "--html", "site"]);
    assert_eq!(status, 2);
    assert!(err.contains("cannot write the pages into `site`"), "{err}");
}

#[test]
fn reports_lead_to_the_pages() {
    let scratch = Scratch::new("page-links");
    scratch.file("a.visaasm", super::cli::BAD);
    let (_, out, _) =
        run(&scratch.0, &["--no-config", "--format", "sarif", "--pages", "https://docs.example/visa/", "a.visaasm"]);
    assert!(out.contains("\"helpUri\":\"https://docs.example/visa/rules/unknown-instruction.html\""), "{out}");
    let (_, out, _) = run(&scratch.0, &["--no-config", "--format", "html", "--pages", "site", "a.visaasm"]);
    assert!(out.contains("site/rules/unknown-instruction.html"), "{out}");
}
