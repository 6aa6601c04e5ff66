//! Settings on the command line: which hold for each job, how they are shown, and what is said when they are wrong.

use super::args::CheckArguments;
use super::console;
use super::input::Job;
use super::neighbours::Neighbours;
use super::status::UNUSABLE;
use crate::base::printable;
use crate::checks::{LaunchFacts, Options};
use crate::config::{
    ConfigError, Configs, GroupSize, LaunchSettings, LevelName, Origins, PlatformName, Selector, Settings,
};
use clap::ArgMatches;
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::path::Path;

/// The options of jobs: what the command line says over what the settings of each say.
pub(super) struct OfJobs<'a> {
    configs: &'a Configs,
    arguments: &'a CheckArguments,
    matches: &'a ArgMatches,
    launch: LaunchFacts,
}

impl<'a> OfJobs<'a> {
    /// Reads what the command line says of launches.
    pub fn new(
        configs: &'a Configs,
        arguments: &'a CheckArguments,
        matches: &'a ArgMatches,
    ) -> Result<Self, ConfigError> {
        Ok(Self { configs, arguments, matches, launch: arguments.launch()? })
    }

    /// The jobs, whose bytes are given, with the options that hold for each.
    pub fn all(&self, jobs: Vec<(u64, Job)>) -> Result<Vec<(u64, Job, Options)>, Vec<ConfigError>> {
        let mut neighbours = Neighbours::default();
        let with = |(n_bytes, job): (u64, Job)| {
            let options = self.of(&job, &mut neighbours)?;
            Ok((n_bytes, job, options))
        };
        jobs.into_iter().map(with).collect::<Result<_, ConfigError>>().map_err(|error| vec![error])
    }

    /// Whether the size of a group is known for any kernel of the jobs.
    pub fn know_sizes(&self, jobs: &[Job]) -> bool {
        let mut neighbours = Neighbours::default();
        jobs.iter().any(|job| self.of(job, &mut neighbours).is_ok_and(|options| options.launch.knows_sizes()))
    }

    fn of(&self, job: &Job, neighbours: &mut Neighbours) -> Result<Options, ConfigError> {
        let path = job.path();
        let config = self.configs.of(path)?;
        let own = config.map(|config| config.options(path)).unwrap_or_default();
        let mut options = self.arguments.options(self.matches, &self.launch, own);
        if options.launch.kernels.is_empty() {
            options.launch.kernels = neighbours.facts(job);
        }
        Ok(options)
    }
}

/// What is wrong with the settings of jobs.
pub(super) fn errors(jobs: &[Job], configs: &Configs) -> Vec<ConfigError> {
    let mut errors: Vec<ConfigError> = Vec::new();
    for job in jobs {
        // Every text below a broken file of settings meets it.
        if let Err(error) = configs.of(job.path())
            && !errors.contains(&error)
        {
            errors.push(error);
        }
    }
    errors
}

/// Says what is wrong with settings.
pub(super) fn refuse(errors: &[ConfigError]) -> u8 {
    let is_plain = anstream::AutoStream::choice(&std::io::stderr()) == anstream::ColorChoice::Never;
    let theme = if is_plain { GraphicalTheme::unicode_nocolor() } else { GraphicalTheme::unicode() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100);
    for error in errors {
        let mut text = String::new();
        match handler.render_report(&mut text, error) {
            Ok(()) => console::show(&text),
            Err(_) => console::say(format_args!("visa-lint: {error}")),
        }
    }
    UNUSABLE
}

/// Shows the settings that hold for each path, as a file of settings would say them.
pub(super) fn show(arguments: &CheckArguments, matches: &ArgMatches) -> u8 {
    let configs = match Configs::new(&arguments.config_source()) {
        Ok(configs) => configs,
        Err(error) => return refuse(&[error]),
    };
    let launch = match arguments.launch() {
        Ok(launch) => launch,
        Err(error) => return refuse(&[error]),
    };
    let mut out = String::new();
    for path in &arguments.paths {
        // Of a folder, what holds for the texts in it.
        let path = if path.is_dir() { path.join("*.visaasm") } else { path.clone() };
        let config = match configs.of(&path) {
            Ok(config) => config,
            Err(error) => return refuse(&[error]),
        };
        let options =
            arguments.options(matches, &launch, config.as_ref().map(|c| c.options(&path)).unwrap_or_default());
        if !out.is_empty() {
            out.push('\n');
        }
        out += &format!("# {}\n", printable::line(&path.display().to_string()));
        out += &match &config {
            Some(config) => format!("# from {}\n", printable::line(&config.file.display().to_string())),
            None => "# no visa-lint.toml applies\n".to_owned(),
        };
        if config.as_ref().is_some_and(|c| c.excludes(&path)) {
            out += "# excluded\n";
        }
        let settings = Settings {
            platforms: options.platforms.map(|set| set.iter().map(PlatformName).collect()),
            pedantic: Some(options.pedantic),
            hosts: (arguments.hosts || config.as_ref().is_some_and(|c| c.hosts())).then_some(true),
            baseline: config.as_ref().and_then(|c| c.settings.baseline.clone()),
            sub_group_size: options.sub_group.map(crate::config::SubGroupSize),
            rules: options
                .levels
                .iter()
                .filter_map(|(name, level)| Some((Selector::Rule(crate::checks::rule(name)?), LevelName::of(*level))))
                .collect(),
            launch: LaunchSettings {
                local_size: options.launch.local_size.map(GroupSize),
                slm_size: options.launch.slm_bytes,
                buffers: options.launch.buffers.clone(),
                ze_info: arguments.ze_info.clone().or(config.as_ref().and_then(|c| c.ze_info().map(Path::to_owned))),
            },
            ..Settings::default()
        };
        // Settings of lists, strings and tables always serialise.
        let mut origins = config.map(|c| c.origins(&path)).unwrap_or_default();
        tell_arguments(arguments, matches, &mut origins);
        out += &with_origins(&toml::to_string(&settings).unwrap_or_default(), &origins);
    }
    console::print_raw(std::iter::once(&*out))
}

/// Says what comes from the command line.
fn tell_arguments(arguments: &CheckArguments, matches: &ArgMatches, origins: &mut Origins) {
    let keys = [
        ("platforms", "--platform", !arguments.platform.is_empty()),
        ("pedantic", "--pedantic", arguments.pedantic),
        ("pedantic", "--select", !arguments.select.is_empty()),
        ("hosts", "--hosts", arguments.hosts),
        ("local-size", "--local-size", arguments.local_size.is_some()),
        ("slm-size", "--slm-size", arguments.slm_size.is_some()),
        ("buffers", "--buffer", !arguments.buffer.is_empty()),
        ("ze-info", "--ze-info", arguments.ze_info.is_some()),
        ("rules.work-item-race", "--races", arguments.races),
    ];
    origins.extend(keys.iter().filter(|key| key.2).map(|(key, option, _)| ((*key).to_owned(), (*option).to_owned())));
    let rule = |selector: &Selector| -> Vec<String> { selector.rules().map(|r| format!("rules.{}", r.name)).collect() };
    if !arguments.select.is_empty() {
        origins.extend(rule(&Selector::All).into_iter().map(|key| (key, "--select".to_owned())));
    }
    let mut said: Vec<(usize, &str, &Selector)> = Vec::new();
    for (name, option, selectors) in [
        ("allow", "--allow", &arguments.allow),
        ("warn", "--warn", &arguments.warn),
        ("deny", "--deny", &arguments.deny),
    ] {
        let places = matches.indices_of(name).into_iter().flatten();
        said.extend(places.zip(selectors).map(|(place, selector)| (place, option, selector)));
    }
    said.sort_by_key(|(place, _, _)| *place);
    for (_, option, selector) in said {
        origins.extend(rule(selector).into_iter().map(|key| (key, format!("{option} {}", selector.name()))));
    }
}

/// Settings as text, with a comment behind each value that says where it comes from.
fn with_origins(text: &str, origins: &Origins) -> String {
    let mut out = String::new();
    let mut table = "";
    for line in text.lines() {
        out += line;
        if line.starts_with('[') {
            table = line;
        } else if let Some((key, _)) = line.split_once(" = ") {
            let name = if table == "[rules]" { format!("rules.{key}") } else { key.to_owned() };
            out += "  # ";
            out += origins.get(&name).map_or("the default", String::as_str);
        }
        out.push('\n');
    }
    out
}
