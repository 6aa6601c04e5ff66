//! visa-lint for Python: one module without state, whose functions release the interpreter while they work.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use visa_lint::base::diagnostic::Label as Marked;
use visa_lint::base::rule::Level;
use visa_lint::base::span::Span;
use visa_lint::checks::LaunchFacts;
use visa_lint::host::Language;
use visa_lint::report::FileFindings;
use visa_lint::report::fingerprint::fingerprints;
use visa_lint::{Options, SourceFile, cli, config};

/// A marked place with a few words.
#[pyclass(frozen, get_all, eq, hash, module = "visa_lint")]
#[derive(Clone, PartialEq, Eq, Hash)]
struct Label {
    text: String,
    line: u32,
    column: u32,
    offset: u32,
    end_offset: u32,
}

/// Replacement of one place; offsets count bytes.
#[pyclass(frozen, get_all, eq, hash, module = "visa_lint")]
#[derive(Clone, PartialEq, Eq, Hash)]
struct Edit {
    offset: u32,
    end_offset: u32,
    text: String,
}

/// A change that mends the fault.
#[pyclass(frozen, get_all, eq, hash, module = "visa_lint")]
#[derive(Clone, PartialEq, Eq, Hash)]
struct Fix {
    title: String,
    certain: bool,
    edits: Vec<Edit>,
}

/// One finding.
#[pyclass(frozen, get_all, eq, hash, module = "visa_lint")]
#[derive(Clone, PartialEq, Eq, Hash)]
struct Finding {
    path: String,
    rule: String,
    level: String,
    message: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    offset: u32,
    end_offset: u32,
    label: String,
    labels: Vec<Label>,
    notes: Vec<String>,
    help: Option<String>,
    fix: Option<Fix>,
    document: String,
    kernel: String,
    platforms: Vec<String>,
    fingerprint: String,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("{}:{}:{}: {}[{}]: {}", self.path, self.line, self.column, self.level, self.rule, self.message)
    }
}

/// What a caller says about how a text is checked.
struct Wanted {
    platforms: Option<Vec<String>>,
    pedantic: bool,
    levels: HashMap<String, String>,
    sub_group_size: Option<u32>,
}

impl Wanted {
    fn options(self) -> PyResult<Options> {
        let mut options = Options { pedantic: self.pedantic, in_full: true, ..Options::default() };
        if let Some(names) = self.platforms.filter(|names| !names.is_empty()) {
            let platforms = names.iter().map(|name| config::platform(name).map_err(PyValueError::new_err));
            options.platforms = Some(platforms.collect::<PyResult<_>>()?);
        }
        let mut levels = Vec::new();
        for (name, word) in &self.levels {
            let selector = config::selector(name).map_err(PyValueError::new_err)?;
            let all = [Level::Off, Level::Pedantic, Level::Warning, Level::Error];
            let level = all.into_iter().find(|l| l.word() == word);
            levels.push((selector, level.ok_or_else(|| PyValueError::new_err(format!("`{word}` is no level")))?));
        }
        // A rule wins over its group, and a group over all rules.
        levels.sort_by_key(|(selector, _)| *selector);
        for (selector, level) in levels {
            options.levels.extend(selector.rules().map(|rule| (rule.name, level)));
        }
        if self.sub_group_size.is_some_and(|n| !matches!(n, 8 | 16 | 32)) {
            return Err(PyValueError::new_err("a sub-group has 8, 16 or 32 lanes"));
        }
        options.sub_group = self.sub_group_size;
        Ok(options)
    }
}

fn language(name: Option<&str>) -> PyResult<Option<Language>> {
    let Some(name) = name.filter(|name| *name != "visa") else { return Ok(None) };
    let known = match name {
        "llvm" => Some(Language::Llvm),
        "mlir" => Some(Language::Mlir),
        "python" => Some(Language::Python),
        other => Language::of_id(other),
    };
    known.map(Some).ok_or_else(|| {
        PyValueError::new_err(format!("`{name}` is no language: visa, c, cpp, opencl, llvm, mlir, python"))
    })
}

fn of_file(file: &FileFindings) -> Vec<Finding> {
    let source = &file.source;
    let label = |marked: &Marked| {
        let (line, column) = source.position(marked.span.start);
        Label { text: marked.text.clone(), line, column, offset: marked.span.start, end_offset: marked.span.end }
    };
    file.findings
        .iter()
        .zip(fingerprints(file.findings.iter()))
        .map(|(finding, fingerprint)| {
            let d = &finding.diagnostic;
            let (line, column) = source.position(d.primary.span.start);
            let (end_line, end_column) = source.position(d.primary.span.end);
            Finding {
                path: source.name.clone(),
                rule: d.rule.name.to_owned(),
                level: d.level.word().to_owned(),
                message: d.message.clone(),
                line,
                column,
                end_line,
                end_column,
                offset: d.primary.span.start,
                end_offset: d.primary.span.end,
                label: d.primary.text.clone(),
                labels: d.secondary.iter().map(label).collect(),
                notes: d.notes.clone(),
                help: d.help.clone(),
                fix: d.fix.as_ref().map(|fix| Fix {
                    title: fix.title.clone(),
                    certain: fix.certain,
                    edits: fix
                        .edits
                        .iter()
                        .map(|e| Edit { offset: e.span.start, end_offset: e.span.end, text: e.text.clone() })
                        .collect(),
                }),
                document: d.rule.section.to_owned(),
                kernel: finding.kernel.clone(),
                platforms: d.platforms.iter().map(|name| (*name).to_owned()).collect(),
                fingerprint: format!("{fingerprint:032x}"),
            }
        })
        .collect()
}

/// Offsets are numbers of 32 bits.
fn refuse_large(text: &str) -> PyResult<()> {
    if text.len() >= u32::MAX as usize { Err(PyValueError::new_err("the text is larger than 4 GiB")) } else { Ok(()) }
}

#[pyfunction]
#[pyo3(signature = (text, *, path="<string>", platforms=None, pedantic=false, levels=None, local_size=None,
                    slm_size=None, buffers=None, ze_info=None, language="visa", sub_group_size=None))]
#[allow(clippy::too_many_arguments)]
fn check(
    py: Python<'_>,
    text: &str,
    path: &str,
    platforms: Option<Vec<String>>,
    pedantic: bool,
    levels: Option<HashMap<String, String>>,
    local_size: Option<Vec<u32>>,
    slm_size: Option<u64>,
    buffers: Option<BTreeMap<String, u64>>,
    ze_info: Option<&str>,
    language: &str,
    sub_group_size: Option<u32>,
) -> PyResult<Vec<Finding>> {
    refuse_large(text)?;
    let language = self::language(Some(language))?;
    let mut options = Wanted { platforms, pedantic, levels: levels.unwrap_or_default(), sub_group_size }.options()?;
    let local_size = match local_size.as_deref() {
        None => None,
        Some(sizes) if (1..=3).contains(&sizes.len()) && !sizes.contains(&0) => {
            let mut size = [1; 3];
            size[..sizes.len()].copy_from_slice(sizes);
            Some(size)
        }
        Some(_) => return Err(PyValueError::new_err("a group has one to three dimensions, of at least 1")),
    };
    let kernels = ze_info.map(config::ze_info::parse).transpose().map_err(PyValueError::new_err)?;
    options.launch = LaunchFacts {
        local_size,
        slm_bytes: slm_size,
        buffers: buffers.unwrap_or_default(),
        serves_many: false,
        kernels: kernels.map(Arc::new).unwrap_or_default(),
    };
    let source = SourceFile::new(path, text);
    Ok(py.detach(|| of_file(&visa_lint::check(source, language, &options, None).file)))
}

/// An asm statement of LLVM IR around a template, and for each byte of it the byte of the template.
fn statement(template: &str, constraints: &str, result: &str, arguments: &[String]) -> (String, Vec<u32>) {
    let mut host = String::from("define void @fragment() {\n  ");
    if result != "void" {
        host += "%r = ";
    }
    host += &format!("call {result} asm sideeffect \"");
    let mut places = vec![0; host.len()];
    for (offset, c) in template.char_indices() {
        match c {
            '"' | '\\' | '\0'..='\x1f' => host += &format!("\\{:02X}", u32::from(c)),
            c => host.push(c),
        }
        places.resize(host.len(), offset as u32);
    }
    let arguments: Vec<String> = arguments.iter().enumerate().map(|(i, kind)| format!("{kind} %a{i}")).collect();
    host += &format!("\", \"{constraints}\"({})\n  ret void\n}}\n", arguments.join(", "));
    places.resize(host.len() + 1, template.len() as u32);
    (host, places)
}

#[pyfunction]
#[pyo3(signature = (template, constraints="", *, result="void", arguments=None, sub_group_size=None, platforms=None,
                    pedantic=false, levels=None, path="<template>"))]
#[allow(clippy::too_many_arguments)]
fn check_fragment(
    py: Python<'_>,
    template: &str,
    constraints: &str,
    result: &str,
    arguments: Option<Vec<String>>,
    sub_group_size: Option<u32>,
    platforms: Option<Vec<String>>,
    pedantic: bool,
    levels: Option<HashMap<String, String>>,
    path: &str,
) -> PyResult<Vec<Finding>> {
    refuse_large(template)?;
    let arguments = arguments.unwrap_or_default();
    if [constraints, result]
        .into_iter()
        .chain(arguments.iter().map(String::as_str))
        .any(|text| text.contains(['"', '\n']))
    {
        return Err(PyValueError::new_err("constraints and types stand on one line, without quotes"));
    }
    let options = Wanted { platforms, pedantic, levels: levels.unwrap_or_default(), sub_group_size }.options()?;
    let (host, places) = statement(template, constraints, result, &arguments);
    let template = SourceFile::new(path, template);
    Ok(py.detach(|| {
        let mut file = visa_lint::check(SourceFile::new(path, host), Some(Language::Llvm), &options, None).file;
        let moved = |span: Span| Span::new(places[span.start as usize], places[span.end as usize]);
        for finding in &mut file.findings {
            finding.kernel.clear();
            let d = &mut finding.diagnostic;
            d.primary.span = moved(d.primary.span);
            d.secondary.iter_mut().for_each(|label| label.span = moved(label.span));
            d.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.span = moved(edit.span));
        }
        file.source = template;
        of_file(&file)
    }))
}

#[pyfunction]
#[pyo3(signature = (name=None))]
fn explain(py: Python<'_>, name: Option<&str>) -> PyResult<String> {
    py.detach(|| cli::explain::explain(name, None)).map_err(PyValueError::new_err)
}

/// The whole table of rules and instructions, as JSON.
#[pyfunction]
fn table(py: Python<'_>) -> String {
    py.detach(cli::table::json)
}

#[pyfunction]
#[pyo3(signature = (text, *, platforms=None, pedantic=false, levels=None, language="visa", sub_group_size=None))]
fn fix(
    py: Python<'_>,
    text: &str,
    platforms: Option<Vec<String>>,
    pedantic: bool,
    levels: Option<HashMap<String, String>>,
    language: &str,
    sub_group_size: Option<u32>,
) -> PyResult<(String, usize)> {
    refuse_large(text)?;
    let mut options = Wanted { platforms, pedantic, levels: levels.unwrap_or_default(), sub_group_size }.options()?;
    options.host = self::language(Some(language))?;
    Ok(py.detach(|| cli::fix::fix_all(text, &options)).unwrap_or_else(|| (text.to_owned(), 0)))
}

/// Runs the command with these arguments; the first one is its name. Returns its exit status.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| cli::run::run(arguments))
}

#[pymodule]
fn _visa_lint(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Finding>()?;
    module.add_class::<Label>()?;
    module.add_class::<Edit>()?;
    module.add_class::<Fix>()?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(check_fragment, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(table, module)?)?;
    module.add_function(wrap_pyfunction!(fix, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    Ok(())
}
