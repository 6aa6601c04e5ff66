//! What is offered to servers that check changes: the files are well formed, their steps run, their matchers match.

use crate::cli::BAD;
use crate::support::process::{Scratch, command, finish, run};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[track_caller]
fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"))
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Puts a program where the steps look for it first.
fn stand_in(folder: &Path, name: &str, script: &str) {
    let file = folder.join(".tools").join(name);
    std::fs::create_dir_all(folder.join(".tools")).expect("a folder");
    std::fs::write(&file, format!("#!/bin/sh\n{script}")).expect("a file");
    assert!(Command::new("chmod").arg("+x").arg(&file).status().expect("chmod").success());
}

/// Runs a step in a folder. `cargo install` puts the built program where it would put a new one, and `gh` gives what lies in
/// `.tools/release`.
#[track_caller]
fn shell(shell: &[&str], script: &str, folder: &Path, variables: &BTreeMap<String, String>) -> (i32, String, String) {
    let cargo = format!(
        "echo \"$*\" >>'{log}'\nwhile [ $# -gt 0 ]; do\n  if [ \"$1\" = --root ]; then root=$2; fi\n  shift\ndone\n\
         mkdir -p \"$root/bin\" && ln -sf '{program}' \"$root/bin/visa-lint\"\n",
        log = folder.join(".tools/log").display(),
        program = env!("CARGO_BIN_EXE_visa-lint"),
    );
    stand_in(folder, "cargo", &cargo);
    let gh = format!(
        "echo \"gh $*\" >>'{log}'\nwhile [ $# -gt 0 ]; do\n  if [ \"$1\" = --dir ]; then dir=$2; fi\n  shift\ndone\n\
         mkdir -p \"$dir\" && cp '{release}'/* \"$dir\"\n",
        log = folder.join(".tools/log").display(),
        release = folder.join(".tools/release").display(),
    );
    stand_in(folder, "gh", &gh);
    let output = Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", path_without_visa_lint(&folder.join(".tools")))
        .env("NO_COLOR", "1")
        .envs(variables)
        .output()
        .expect("a shell");
    finish(output)
}

/// The folder, and then those of the search path that hold no visa-lint: a machine may have its own.
fn path_without_visa_lint(first: &Path) -> OsString {
    let path = std::env::var_os("PATH").expect("a path");
    let others = std::env::split_paths(&path).filter(|folder| !folder.join("visa-lint").exists());
    std::env::join_paths(std::iter::once(first.to_owned()).chain(others)).expect("a path")
}

/// What was asked of cargo and gh.
fn asked(folder: &Path) -> Vec<String> {
    std::fs::read_to_string(folder.join(".tools/log")).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The parts between `${{` and `}}`.
fn expressions(text: &str) -> Vec<String> {
    let expression = Regex::new(r"\$\{\{\s*(.*?)\s*\}\}").expect("a pattern");
    expression.captures_iter(text).map(|c| c[1].to_owned()).collect()
}

/// Runs the steps of the action as a runner does: exit status of the last one, and all that was printed.
#[track_caller]
fn act(folder: &Path, inputs: &[(&str, &str)]) -> (i32, String) {
    let action = yaml(&read("action.yml"));
    let mut known: BTreeMap<String, String> = action["inputs"]
        .as_object()
        .expect("inputs")
        .iter()
        .map(|(name, input)| (format!("inputs.{name}"), input["default"].as_str().expect("a default").to_owned()))
        .collect();
    for (name, value) in inputs {
        let old = known.insert(format!("inputs.{name}"), (*value).to_owned());
        assert!(old.is_some(), "there is no input `{name}`");
    }
    for (name, value) in [("token", "T"), ("action_ref", "v1.2.3"), ("action_repository", "GROUP/visa-lint")] {
        known.insert(format!("github.{name}"), value.to_owned());
    }
    let mut printed = String::new();
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let Some(script) = step["run"].as_str() else { continue };
        let conditions = step["if"].as_str().into_iter().flat_map(|all| all.split(" && "));
        let mut holds = conditions.map(|one| {
            let (name, value) = one.split_once(" != ").expect("a comparison");
            known.get(name).map_or("", String::as_str) != value.trim_matches('\'')
        });
        if holds.any(|holds| !holds) {
            continue;
        }
        assert_eq!(step["shell"], "bash", "{step}");
        let output = folder.join(".tools/output");
        let mut variables: BTreeMap<String, String> = [
            ("GITHUB_ACTION_PATH", root().display().to_string()),
            ("GITHUB_OUTPUT", output.display().to_string()),
            ("RUNNER_TEMP", folder.join(".tools").display().to_string()),
            ("RUNNER_OS", "Linux".to_owned()),
            ("RUNNER_ARCH", "X64".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            let mut value = value.as_str().expect("a text").to_owned();
            for expression in expressions(&value) {
                let known = known.get(&expression).unwrap_or_else(|| panic!("`{expression}` is not known"));
                value = value.replace(&format!("${{{{ {expression} }}}}"), known);
            }
            variables.insert(name.clone(), value);
        }
        let (status, out, err) =
            shell(&["bash", "--noprofile", "--norc", "-eo", "pipefail"], script, folder, &variables);
        printed += &out;
        printed += &err;
        if status != 0 {
            return (status, printed);
        }
        if let Some(id) = step["id"].as_str() {
            for line in std::fs::read_to_string(&output).unwrap_or_default().lines() {
                let (name, value) = line.split_once('=').expect("name=value");
                known.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
            }
        }
    }
    (0, printed)
}

fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("kernels/bad one.visaasm", BAD);
    scratch.file("kernels/good.visaasm", BAD.replace("    rett (M1, 1)\n", ""));
    scratch
}

#[test]
#[cfg(unix)]
fn the_action_installs_and_annotates() {
    let scratch = repository("action");
    let (status, printed) = act(&scratch.0, &[]);
    assert_eq!(status, 1, "{printed}");
    let annotation =
        "::error file=kernels/bad one.visaasm,line=6,endLine=6,col=5,endColumn=9,title=unknown-instruction::";
    assert!(printed.contains(annotation), "{printed}");
    let target = scratch.0.join(".tools/visa-lint");
    let install = format!("install --locked --force --path {} --root {}", root().display(), target.display());
    let release = "gh release download v1.2.3 --repo GROUP/visa-lint --dir ";
    let [ask, build] = &asked(&scratch.0)[..] else { panic!("{:?}", asked(&scratch.0)) };
    assert!(ask.starts_with(release) && *build == install, "{ask}; {build}");
    let output = std::fs::read_to_string(scratch.0.join(".tools/output")).expect("outputs");
    assert!(
        Regex::new(r"(?m)^key=visa-lint-Linux-X64-[0-9a-f]{40,64}$").expect("a pattern").is_match(&output),
        "{output}"
    );

    let inputs = [("paths", "kernels/good.visaasm\n"), ("arguments", "--platform=dg2\n--deny-warnings\n")];
    let (status, printed) = act(&scratch.0, &inputs);
    assert_eq!(status, 0, "{printed}");
    assert!(printed.contains("checked 1 kernel in 1 file"), "{printed}");
}

/// What the release packs is what the action takes.
#[test]
#[cfg(unix)]
fn the_action_takes_the_program_of_the_release() {
    let workflow = yaml(&read(".github/workflows/release.yml"));
    let scratch = repository("release");
    let target = "x86_64-unknown-linux-musl";
    let matrix = workflow["jobs"]["program"]["strategy"]["matrix"]["include"].as_array().expect("a matrix");
    let action = read("action.yml");
    for row in matrix {
        let name = row["target"].as_str().expect("a target");
        assert!(action.contains(&format!("name=visa-lint-{name} ;;")), "{name}");
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE"] {
        scratch.file(file, read(file));
    }
    let built = scratch.0.join("target").join(target).join("release");
    std::fs::create_dir_all(&built).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_visa-lint"), built.join("visa-lint")).expect("a link");
    std::os::unix::fs::symlink(root().join("examples"), scratch.0.join("examples")).expect("a link");
    let variables = BTreeMap::from([("TARGET".to_owned(), target.to_owned())]);
    let strict = ["bash", "--noprofile", "--norc", "-eo", "pipefail"];
    let step = |job: &str, name: &str, folder: &Path| {
        let steps = workflow["jobs"][job]["steps"].as_array().expect("steps");
        let script = steps.iter().find(|step| step["name"] == name).expect("the step")["run"].as_str().expect("lines");
        // The link is packed, not what it leads to.
        let script = script.replace("cp \"target", "cp -P \"target");
        let (status, out, err) = shell(&strict, &script, folder, &variables);
        assert_eq!(status, 0, "{name}: {out}{err}");
    };
    step("program", "Check", &scratch.0);
    step("program", "Pack", &scratch.0);
    let release = scratch.0.join(".tools/release");
    std::fs::create_dir_all(&release).expect("a folder");
    // What `cargo binstall` looks for is what is packed.
    let manifest: toml::Value = toml::from_str(&read("Cargo.toml")).expect("a manifest");
    let binstall = |key: &str| {
        let value = manifest["package"]["metadata"]["binstall"][key].as_str().expect("a text");
        value.replace("{ target }", target).replace("{ bin }{ binary-ext }", "visa-lint")
    };
    let url = binstall("pkg-url");
    let archive = url.strip_prefix("{ repo }/releases/download/v{ version }/").expect("a release").to_owned();
    let packed = shell(&strict, &format!("tar -tzf {archive}"), &scratch.0, &variables).1;
    assert!(packed.lines().any(|member| member == binstall("bin-dir")), "{packed}");
    std::fs::rename(scratch.0.join(&archive), release.join(&archive)).expect("an archive");
    std::fs::write(release.join("visa_lint-1.whl"), "").expect("a file");
    step("release", "Sum", &release);
    std::fs::remove_file(release.join("visa_lint-1.whl")).expect("a file");
    std::fs::remove_dir_all(release.join(".tools")).expect("a folder");

    let (status, printed) = act(&scratch.0, &[]);
    assert_eq!(status, 1, "{printed}");
    assert!(printed.contains("::error file=kernels/bad one.visaasm"), "{printed}");
    assert!(asked(&scratch.0).iter().all(|line| line.starts_with("gh ")), "{:?}", asked(&scratch.0));

    // What is not what the sums say is not run.
    std::fs::write(release.join(&archive), "x").expect("a file");
    let (status, printed) = act(&scratch.0, &[]);
    assert_eq!(status, 1, "{printed}");
    assert!(printed.contains("FAILED") && !printed.contains("::error"), "{printed}");
}

#[test]
#[cfg(unix)]
fn the_action_takes_its_inputs_as_they_are() {
    let scratch = repository("action-inputs");
    let (status, printed) = act(&scratch.0, &[("paths", "kernels/bad one.visaasm"), ("sarif", "out put.sarif")]);
    assert_eq!(status, 1, "{printed}");
    let report = json(&std::fs::read_to_string(scratch.0.join("out put.sarif")).expect("a report"));
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "unknown-instruction");
    // Neither the shell nor the program takes a path for something else.
    let (status, printed) = act(&scratch.0, &[("paths", "$(touch owned); touch owned\n--fix")]);
    assert_eq!(status, 2, "{printed}");
    assert!(!scratch.0.join("owned").exists());
    assert!(printed.contains("--fix"), "{printed}");
    assert_eq!(act(&scratch.0, &[("arguments", "--frmat=short")]).0, 2);
}

#[test]
fn the_action_says_what_it_uses() {
    let text = read("action.yml");
    let action = yaml(&text);
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let ids: Vec<&str> = steps.iter().filter_map(|s| s["id"].as_str()).collect();
    let used = expressions(&text);
    for input in keys(&action["inputs"]) {
        assert!(used.contains(&format!("inputs.{input}")), "the input `{input}` is not used");
        assert!(action["inputs"][input]["description"].is_string());
    }
    for expression in &used {
        if let Some(rest) = expression.strip_prefix("steps.") {
            let id = rest.split('.').next().expect("an id");
            assert!(ids.contains(&id), "no step `{id}`");
        }
    }
    for step in steps {
        assert_ne!(step["run"].is_string(), step["uses"].is_string(), "{step}");
        let script = step["run"].as_str().unwrap_or_default();
        assert_eq!(expressions(script), [""; 0], "texts of others do not belong into a script");
    }
    // Everything the build depends on is part of its name.
    let script = steps[0]["run"].as_str().expect("a script");
    for part in ["Cargo.toml", "Cargo.lock", "build.rs", "grammar", "rules", "src"] {
        assert!(root().join(part).exists() && script.contains(part), "{part}");
    }
}

#[test]
#[cfg(unix)]
fn the_gitlab_job_writes_its_report() {
    let job = yaml(&read("ci/gitlab.yml"))["visa-lint"].clone();
    let report = job["artifacts"]["reports"]["codequality"].as_str().expect("a report").to_owned();
    assert_eq!(job["artifacts"]["when"], "always", "a report without findings is of no use");
    let lines: Vec<&str> = job["script"].as_array().expect("lines").iter().map(|l| l.as_str().expect("text")).collect();
    let script = lines.join("\n");
    let go = |scratch: &Scratch, settings: &[(&str, &str)]| {
        let mut variables: BTreeMap<String, String> = job["variables"]
            .as_object()
            .expect("variables")
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()))
            .collect();
        variables.insert("CI_PROJECT_DIR".to_owned(), scratch.0.display().to_string());
        for (name, value) in settings {
            assert!(variables.insert((*name).to_owned(), (*value).to_owned()).is_some(), "no variable `{name}`");
        }
        shell(&["sh", "-e"], &script, &scratch.0, &variables)
    };
    let scratch = repository("gitlab");
    let source = ("VISA_LINT_SOURCE", "--git https://example.invalid/visa-lint");
    let (status, out, err) = go(&scratch, &[source]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("error[unknown-instruction]"), "{out}");
    let rows = json(&std::fs::read_to_string(scratch.0.join(&report)).expect("a report"));
    assert_eq!(rows[0]["location"]["path"], "kernels/bad one.visaasm");
    let cached = job["cache"]["paths"][0].as_str().expect("a path").trim_end_matches('/');
    assert_eq!(
        asked(&scratch.0),
        [format!("install --locked --root {}/{cached} --git https://example.invalid/visa-lint", scratch.0.display())]
    );
    // The second time it is there.
    let settings = [("VISA_LINT_PATHS", "kernels/good.visaasm"), ("VISA_LINT_ARGUMENTS", "--platform dg2")];
    let (status, out, err) = go(&scratch, &settings);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(asked(&scratch.0).len(), 1);
    assert_eq!(json(&std::fs::read_to_string(scratch.0.join(&report)).expect("a report")), Value::Array(vec![]));

    let (status, _, err) = go(&repository("gitlab-nowhere"), &[]);
    assert_ne!(status, 0);
    assert!(err.contains("VISA_LINT_SOURCE: says where cargo finds visa-lint"), "{err}");
}

/// One way to read short lines: a pattern, what its groups mean, and the severity where a line has none that is known.
struct Matcher {
    pattern: Regex,
    groups: BTreeMap<String, usize>,
    severity: String,
}

impl Matcher {
    fn new(matcher: &Value, pattern: &Value) -> Self {
        let groups = pattern.as_object().expect("a pattern").iter();
        Self {
            pattern: Regex::new(pattern["regexp"].as_str().expect("a text")).expect("a pattern"),
            groups: groups.filter_map(|(name, n)| Some((name.clone(), n.as_u64()? as usize))).collect(),
            severity: matcher["severity"].as_str().unwrap_or("error").to_owned(),
        }
    }

    fn read(&self, line: &str) -> Option<BTreeMap<String, String>> {
        let found = self.pattern.captures(line)?;
        let mut parts: BTreeMap<String, String> =
            self.groups.iter().map(|(name, n)| (name.clone(), found[*n].to_owned())).collect();
        if !parts.get("severity").is_some_and(|s| s == "error" || s == "warning") {
            parts.insert("severity".to_owned(), self.severity.clone());
        }
        Some(parts)
    }
}

/// The parts of a finding; a level that the server does not know has another name there.
fn expected(finding: &Value, pedantic: &str) -> BTreeMap<String, String> {
    let text = |key: &str| match &finding[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let after = |before: &str, key: &str| match finding[key].as_str() {
        Some(words) if !words.is_empty() => format!("{before}{words}"),
        _ => String::new(),
    };
    let level = text("level").replace("pedantic", pedantic);
    [
        ("file", text("path")),
        ("line", text("line")),
        ("column", text("column")),
        ("severity", level),
        ("code", text("rule")),
        ("message", format!("{}{}{}", text("message"), after("; ", "label"), after("; help: ", "help"))),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

#[test]
fn matchers_read_the_short_format() {
    let github = json(&read("ci/problem-matcher.json"));
    let github: Vec<Matcher> = github["problemMatcher"]
        .as_array()
        .expect("matchers")
        .iter()
        .map(|m| {
            assert_eq!(m["pattern"].as_array().map(Vec::len), Some(1), "one line each");
            Matcher::new(m, &m["pattern"][0])
        })
        .collect();
    let vscode = json(&read("editors/vscode/package.json"));
    let vscode: Vec<Matcher> = vscode["contributes"]["problemMatchers"]
        .as_array()
        .expect("matchers")
        .iter()
        .map(|m| {
            assert_eq!(m["name"], "visa-lint");
            assert_eq!(m["fileLocation"], "autoDetect");
            Matcher::new(m, &m["pattern"])
        })
        .collect();

    let mut arguments = vec!["--quiet", "--pedantic", "--format", "short", "tests/cases", "examples/faulty"];
    let (_, short, _) = run(root(), &arguments);
    arguments[3] = "json";
    let (_, findings, _) = run(root(), &arguments);
    assert_eq!(short.lines().count(), findings.lines().count());
    let mut levels = BTreeSet::new();
    for (line, finding) in short.lines().zip(findings.lines().map(json)) {
        levels.insert(finding["level"].as_str().expect("a level").to_owned());
        for (matchers, pedantic) in [(&github, "notice"), (&vscode, "info")] {
            let read: Vec<_> = matchers.iter().filter_map(|m| m.read(line)).collect();
            assert_eq!(read, [expected(&finding, pedantic)], "{line}");
        }
    }
    assert_eq!(levels.len(), 3, "{levels:?}");

    let windows = r"C:\some kernels\a.visaasm:6:5: error[unknown-instruction]: unknown instruction `rett`";
    for matchers in [&github, &vscode] {
        assert_eq!(matchers[0].read(windows).expect("a match")["file"], r"C:\some kernels\a.visaasm");
        for other in ["checked 1 kernel in 1 file, 1 instruction: 0 errors, 0 warnings (0.00 s)", "error: no such file"]
        {
            assert!(matchers.iter().all(|m| m.read(other).is_none()), "{other}");
        }
    }
}

/// The blocks of a language in a page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = Regex::new(&format!(r"(?ms)^```{language}\n(.*?)^```$")).expect("a pattern");
    fence.captures_iter(page).map(|c| c[1].to_owned()).collect()
}

#[test]
fn the_page_shows_what_exists() {
    let page = read("docs/ci.md");
    let examples: Vec<Value> = blocks(&page, "yaml").iter().map(|b| yaml(b)).collect();
    assert_eq!(examples.len(), 3);
    let steps = examples[0]["jobs"]["visa"]["steps"].as_array().expect("steps");
    let with = &steps[1]["with"];
    let inputs = yaml(&read("action.yml"))["inputs"].clone();
    assert!(keys(with).is_subset(&keys(&inputs)), "{with}");
    assert_eq!(with["sarif"], steps[2]["with"]["sarif_file"]);
    let job = yaml(&read("ci/gitlab.yml"));
    assert!(root().join(examples[1]["include"][0]["file"].as_str().expect("a file")).exists());
    let variables = &examples[1]["visa-lint"]["variables"];
    assert!(keys(variables).is_subset(&keys(&job["visa-lint"]["variables"])), "{variables}");

    let offered = yaml(&read(".pre-commit-hooks.yaml"));
    let hook = &examples[2]["repos"][0]["hooks"][0];
    assert!(offered.as_array().expect("hooks").iter().any(|h| h["id"] == hook["id"]), "{hook}");

    let scratch = repository("page");
    let mut lines: Vec<String> = blocks(&page, "sh").concat().lines().map(str::to_owned).collect();
    lines.push(format!("visa-lint {} kernels", with["arguments"].as_str().expect("text").replace('\n', " ")));
    lines.push(format!("visa-lint {} kernels", hook["args"][0].as_str().expect("text")));
    lines.push(format!("visa-lint {} kernels", variables["VISA_LINT_ARGUMENTS"].as_str().expect("text")));
    let mut n_commands = 0;
    for line in &lines {
        let mut words = line.split_whitespace();
        if words.next() != Some("visa-lint") {
            continue;
        }
        n_commands += 1;
        let (status, _, err) = finish(command(&scratch.0, &words.collect::<Vec<_>>()).output().expect("it starts"));
        assert_eq!(status, 1, "{line}: {err}");
    }
    assert_eq!(n_commands, 6);
    let link = Regex::new(r"\]\((\.\./[^)]+)\)").expect("a pattern");
    for target in link.captures_iter(&page) {
        let path: PathBuf = root().join("docs").join(&target[1]);
        assert!(path.exists(), "{}", path.display());
    }
}

/// Runs the lines of a workflow that call visa-lint, in a folder of dumps.
#[test]
fn the_matrix_of_the_fleet_is_one_run() {
    let workflow = yaml(&read("examples/fleet/matrix.yml"));
    let scratch = Scratch::new("matrix");
    for number in 0..12 {
        scratch.file(&format!("dumps/{number}.visaasm"), BAD);
    }
    let lines = |job: &str| -> Vec<String> {
        let steps = workflow["jobs"][job]["steps"].as_array().expect("steps");
        let runs = steps.iter().filter_map(|step| step["run"].as_str()?.strip_prefix("visa-lint "));
        runs.map(str::to_owned).collect()
    };
    let exec = |line: &str| {
        let (status, _, err) = run(&scratch.0, &line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(status, 0, "{line}: {err}");
    };
    let shards = workflow["jobs"]["check"]["strategy"]["matrix"]["shard"].as_array().expect("shards");
    assert_eq!(shards.len(), 4);
    for shard in shards {
        for line in lines("check") {
            exec(&line.replace("${{ matrix.shard }}", &shard.to_string()));
        }
    }
    for line in lines("merge") {
        exec(&line);
    }
    let results = |file: &str| {
        let report = json(&std::fs::read_to_string(scratch.0.join(file)).expect("a report"));
        report["runs"][0]["results"].as_array().expect("results").clone()
    };
    exec("--exit-zero --format sarif --output whole.sarif dumps");
    let whole = results("whole.sarif");
    assert_eq!(whole.len(), 12);
    assert_eq!(results("all.sarif"), whole);
}

#[test]
fn duplicates_are_named_in_deny_toml() {
    let lock: toml::Table = toml::from_str(&read("Cargo.lock")).expect("a lock file");
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock["package"].as_array().expect("packages") {
        let text = |key: &str| package[key].as_str().expect("a text");
        versions.entry(text("name")).or_default().push(text("version"));
    }
    let duplicates: BTreeSet<&str> = versions.into_iter().filter(|(_, v)| v.len() > 1).map(|(name, _)| name).collect();
    let deny: toml::Table = toml::from_str(&read("deny.toml")).expect("settings of cargo-deny");
    let skipped = deny["bans"]["skip"].as_array().expect("exceptions").iter();
    let skipped: BTreeSet<&str> =
        skipped.filter_map(|s| s["crate"].as_str()?.split_once('@')).map(|(name, _)| name).collect();
    assert_eq!(duplicates, skipped);
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND ISC` is satisfied by the allowed licences.
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let expression = expression.trim();
    let (mut depth, mut or, mut and) = (0, None, None);
    for (at, c) in expression.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth > 0 => {}
            '/' => or = or.or(Some((at, 1))),
            ' ' if expression[at..].starts_with(" OR ") => or = or.or(Some((at, 4))),
            ' ' if expression[at..].starts_with(" AND ") => and = and.or(Some((at, 5))),
            _ => {}
        }
    }
    let sides = |(at, length): (usize, usize)| (&expression[..at], &expression[at + length..]);
    if let Some((a, b)) = or.map(sides) {
        is_allowed(a, allowed) || is_allowed(b, allowed)
    } else if let Some((a, b)) = and.map(sides) {
        is_allowed(a, allowed) && is_allowed(b, allowed)
    } else if let Some(inner) = expression.strip_prefix('(').and_then(|e| e.strip_suffix(')')) {
        is_allowed(inner, allowed)
    } else {
        allowed.contains(expression)
    }
}

#[test]
fn licences_of_dependencies_are_allowed_in_deny_toml() {
    let run = |program: &str, arguments: &[&str]| {
        let out = Command::new(program).args(arguments).current_dir(root()).output().expect("a program");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("a text")
    };
    let about = run("rustc", &["-vV"]);
    let host = about.lines().find_map(|l| l.strip_prefix("host: ")).expect("a platform");
    let arguments = ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&run(env!("CARGO"), &arguments)).expect("metadata");
    let deny: toml::Table = toml::from_str(&read("deny.toml")).expect("settings of cargo-deny");
    let allowed = deny["licenses"]["allow"].as_array().expect("licences").iter();
    let allowed: BTreeSet<&str> = allowed.filter_map(|l| l.as_str()).collect();
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50, "{} packages", packages.len());
    for package in packages {
        let licence = package["license"].as_str().expect("a licence");
        assert!(is_allowed(licence, &allowed), "{}: {licence}", package["name"]);
    }
}

#[test]
fn promises_name_tests() {
    fn texts(folder: &Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                texts(&path, all);
            } else if path.extension().is_some_and(|e| e == "rs") {
                all.push_str(&std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    let mut all = String::new();
    texts(&root().join("tests"), &mut all);
    let page = read("docs/promises.md");
    let rows: Vec<&str> = page.lines().filter(|l| l.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 25, "{} promises", rows.len());
    let name = Regex::new("`([a-z]+_[a-z0-9_]+)`").expect("a pattern");
    for row in rows {
        let tests = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        assert!(tests.contains('`'), "no test holds: {row}");
        for test in name.captures_iter(tests).map(|c| c[1].to_owned()).filter(|n| n != "unsafe_code") {
            assert!(all.contains(&format!("fn {test}(")), "there is no test `{test}`: {row}");
        }
    }
}
