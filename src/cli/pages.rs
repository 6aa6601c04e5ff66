//! `visa-lint explain --html DIR`: the documentation as pages for a browser, one for each rule and instruction, from the
//! same data, with a list that can be searched. Nothing is loaded from elsewhere.

use super::resolve;
use crate::base::rule::{Rule, manual_page};
use crate::checks::group::Group;
use crate::checks::{self, RULES};
use crate::report::html::escaped;
use crate::spec::{self, Instruction, Platform};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

const STYLE: &str = include_str!("pages/style.css");
const SCRIPT: &str = include_str!("pages/script.js");

/// The texts about the program: file in the repository, page, content, which begins with its title.
const GUIDES: [(&str, &str, &str); 9] = [
    ("README.md", "start", include_str!("../../README.md")),
    ("settings.md", "settings", include_str!("../../docs/settings.md")),
    ("ci.md", "ci", include_str!("../../docs/ci.md")),
    ("adopting.md", "adopting", include_str!("../../docs/adopting.md")),
    ("inputs.md", "inputs", include_str!("../../docs/inputs.md")),
    ("hosts.md", "hosts", include_str!("../../docs/hosts.md")),
    ("disputes.md", "disputes", include_str!("../../docs/disputes.md")),
    ("promises.md", "promises", include_str!("../../docs/promises.md")),
    ("versions.md", "versions", include_str!("../../docs/versions.md")),
];

/// What a text says in its first line.
fn title(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_start_matches("# ")
}

/// Writes all pages into a folder, which is made if it does not exist; returns how many there are.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(folder: &Path) -> io::Result<usize> {
    for inner in ["rules", "instructions", "guide"] {
        std::fs::create_dir_all(folder.join(inner))?;
    }
    std::fs::write(folder.join("style.css"), STYLE)?;
    std::fs::write(folder.join("script.js"), SCRIPT)?;
    std::fs::write(folder.join("index.html"), index())?;
    for rule in RULES {
        std::fs::write(folder.join(format!("rules/{}.html", rule.name)), rule_page(rule))?;
    }
    for row in spec::instructions() {
        std::fs::write(folder.join(format!("instructions/{}.html", row.mnemonic)), instruction_page(row))?;
    }
    for (_, name, text) in GUIDES {
        let body = markdown(text);
        std::fs::write(folder.join(format!("guide/{name}.html")), page(title(text), "../", &body))?;
    }
    Ok(1 + RULES.len() + spec::instructions().len() + GUIDES.len())
}

/// A page; `up` leads from it to the folder of all pages.
fn page(title: &str, up: &str, body: &str) -> String {
    let guides = GUIDES
        .iter()
        .map(|(_, name, text)| format!("<a href=\"{up}guide/{name}.html\">{}</a>\n", escaped(self::title(text))))
        .collect::<Vec<_>>()
        .concat();
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} \u{b7} visa-lint</title>\n\
         <link rel=\"stylesheet\" href=\"{up}style.css\">\n</head>\n<body>\n\
         <header><a class=\"home\" href=\"{up}index.html\">visa-lint</a>\n<details><summary>Guide</summary>\n<nav>\n{guides}</nav>\n\
         </details></header>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// The list of all rules and instructions, with fields that narrow it.
fn index() -> String {
    let options = |all: &mut dyn Iterator<Item = &'static str>| -> String {
        all.map(|name| format!("<option>{name}</option>")).collect::<Vec<_>>().concat()
    };
    let mut body = format!(
        "<h1>Rules and instructions</h1>\n<form id=\"filters\">\n\
         <input type=\"search\" name=\"words\" placeholder=\"Search\" aria-label=\"Search\" autofocus>\n\
         <select name=\"kind\" aria-label=\"Kind\"><option value=\"\">rules and instructions</option>\
         <option value=\"rule\">rules</option><option value=\"instruction\">instructions</option></select>\n\
         <select name=\"level\" aria-label=\"Level\"><option value=\"\">any level</option>{}</select>\n\
         <select name=\"group\" aria-label=\"Group\"><option value=\"\">any group</option>{}</select>\n\
         <select name=\"platform\" aria-label=\"Platform\"><option value=\"\">any platform</option>{}</select>\n\
         <output id=\"count\"></output>\n</form>\n<ul id=\"all\">\n",
        options(&mut ["error", "warning", "pedantic", "off"].into_iter()),
        options(&mut Group::ALL.into_iter().map(Group::name)),
        options(&mut Platform::all().map(Platform::name)),
    );
    for rule in RULES {
        let levels: Vec<&str> = rule.levels.iter().map(|level| level.word()).collect();
        let _ = writeln!(
            body,
            "<li data-kind=\"rule\" data-level=\"{}\" data-group=\"{}\"><a href=\"rules/{name}.html\"><code>{name}</code></a> \
             <span class=\"tag {level}\">{level}</span> <span class=\"tag\">{}</span> <p>{}</p></li>",
            levels.join(" "),
            Group::of(rule).name(),
            Group::of(rule).name(),
            inline(&rule.summary()),
            name = rule.name,
            level = rule.level.word(),
        );
    }
    for row in spec::instructions() {
        let platforms: Vec<&str> = row.platforms.legal.iter().map(Platform::name).collect();
        let _ = writeln!(
            body,
            "<li data-kind=\"instruction\" data-platform=\"{}\"><a href=\"instructions/{name}.html\"><code>{name}</code></a> \
             <span class=\"tag\">{}</span> <p>{}</p></li>",
            platforms.join(" "),
            row.platforms.legal.describe(),
            escaped(row.summary),
            name = row.mnemonic,
        );
    }
    body += "</ul>\n<script src=\"script.js\"></script>\n";
    page("Rules and instructions", "", &body)
}

fn rule_page(rule: &Rule) -> String {
    let levels: Vec<&str> = rule.levels.iter().map(|level| level.word()).collect();
    let group = Group::of(rule);
    let mut body = format!(
        "<h1><code>{}</code></h1>\n<p><span class=\"tag {level}\">{level}</span> <span class=\"tag\">{}</span></p>\n",
        rule.name,
        group.name(),
        level = rule.level.word(),
    );
    body += &markdown(&rule.markdown().replace("Bad:\n", "## Bad\n").replace("Good:\n", "## Good\n"));
    if !rule.help.is_empty() {
        let _ = writeln!(body, "<h2>What to do</h2>\n<p>{}</p>", inline(rule.help));
    }
    if levels.len() > 1 {
        let _ = writeln!(body, "<p>Its findings can have the levels {}.</p>", levels.join(", "));
    }
    let _ = writeln!(body, "<p>Group <code>{}</code>: {}.</p>", group.name(), escaped(group.summary()));
    if let Some(link) = rule.link() {
        let _ = writeln!(body, "<p><a href=\"{link}\">{} in the manual</a></p>", escaped(rule.section));
    }
    let _ = writeln!(
        body,
        "<p>To leave it out: <code>-A {name}</code>, or a comment <code>// visa-lint: allow({name}) reason</code>.</p>",
        name = rule.name
    );
    page(rule.name, "../", &body)
}

fn instruction_page(row: &Instruction) -> String {
    let text = spec::describe::page(row);
    // Mnemonic, summary and signature stand above the rest of the page.
    let rest = text.splitn(3, "\n\n").nth(2).unwrap_or("").trim_end();
    let mut body = format!(
        "<h1><code>{}</code></h1>\n<p>{}</p>\n<pre class=\"form\">{}</pre>\n<pre>{}</pre>\n",
        row.mnemonic,
        escaped(row.summary),
        escaped(&spec::describe::signature(row)),
        escaped(rest)
    );
    // One platform for each size of a register.
    let other = row.platforms.legal.iter().find(|p| p.grf_bytes() != row.example_platform.grf_bytes());
    for platform in [Some(row.example_platform), other].into_iter().flatten() {
        let drawn = resolve::example(row, platform);
        let (head, drawings) = drawn.trim_start().split_once('\n').unwrap_or_default();
        if drawings.contains('\u{2502}') {
            let _ = writeln!(body, "<h2>{}</h2>\n<pre>{}</pre>", escaped(head), escaped(drawings.trim_end()));
        }
    }
    if !row.document.is_empty() {
        let link = manual_page(row.document);
        let _ = writeln!(body, "<p><a href=\"{link}\">{} in the manual</a></p>", escaped(row.document));
    }
    page(row.mnemonic, "../", &body)
}

/// Words in backticks and the rest, as HTML.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(i, part)| if i % 2 == 1 { format!("<code>{}</code>", escaped(part)) } else { escaped(part) }).collect()
}

/// Markdown as HTML. Names of rules and instructions are links, links to other texts lead to their pages, and headings can
/// be linked to; what leads to files of the repository only keeps its words.
fn markdown(text: &str) -> String {
    let mut events: Vec<Event> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let mut is_linked = Vec::new();
    let mut out = Vec::with_capacity(events.len());
    for event in events {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = target(&dest_url);
                is_linked.push(to.is_some());
                if let Some(to) = to {
                    out.push(Event::Start(Tag::Link { link_type, dest_url: to.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if is_linked.pop() == Some(true) {
                    out.push(Event::End(TagEnd::Link));
                }
            }
            // Pictures are files of the repository.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Code(word) if is_linked.is_empty() => match place_of(&word) {
                Some(place) => {
                    let link = format!("<a href=\"../{place}.html\"><code>{}</code></a>", escaped(&word));
                    out.push(Event::InlineHtml(link.into()));
                }
                None => out.push(Event::Code(word)),
            },
            Event::Html(text) | Event::InlineHtml(text) => out.push(Event::Text(text)),
            other => out.push(other),
        }
    }
    let mut html = String::new();
    html::push_html(&mut html, out.into_iter());
    // Wide tables move by themselves, not with the page.
    html.replace("<table>", "<div class=\"wide\"><table>").replace("</table>", "</table></div>")
}

/// Gives each heading its words as a name.
fn name_headings(events: &mut [Event]) {
    for start in 0..events.len() {
        if !matches!(events[start], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let end = events[start..].iter().position(|e| matches!(e, Event::End(TagEnd::Heading(_)))).unwrap_or(0);
        let mut name = String::new();
        for event in &events[start..start + end] {
            if let Event::Text(text) | Event::Code(text) = event {
                let words = text.to_lowercase();
                name.extend(words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')));
            }
        }
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(name.replace(' ', "-")));
        }
    }
}

/// Where a link of a text leads to; nothing for files of the repository.
fn target(link: &str) -> Option<String> {
    if link.starts_with("http") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (file, part) = link.split_once('#').map_or((link, String::new()), |(file, part)| (file, format!("#{part}")));
    let file = file.trim_start_matches("docs/");
    GUIDES.iter().find(|(name, ..)| *name == file).map(|(_, page, ..)| format!("{page}.html{part}"))
}

/// The page of a rule or an instruction.
fn place_of(word: &str) -> Option<String> {
    if let Some(rule) = checks::rule(word) {
        return Some(format!("rules/{}", rule.name));
    }
    spec::lookup(word).map(|id| format!("instructions/{}", id.row().mnemonic))
}
