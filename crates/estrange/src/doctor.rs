//! `estrange doctor`: what this machine lacks, and the command that mends it.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::thread;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use estrange_sandbox::{Launcher, Tool, ToolError};
use serde::Serialize;

use crate::packages::{self, Package};
use crate::table::{Align, Cell, Table};
use crate::version::Version;
use crate::voice::Failure;
use crate::{Ending, arguments, output, voice};

/// What was found: the document that `--json` prints.
#[derive(Debug, Serialize)]
struct Diagnosis {
    /// Whether nothing needed is missing.
    healthy: bool,
    tools: Vec<Finding>,
    sandbox: Sandbox,
    /// Commands which, run in this order, mend what is wrong.
    mend: Vec<String>,
}

/// One tool or library, and what is known about it.
#[derive(Debug, Serialize)]
struct Finding {
    name: &'static str,
    state: State,
    /// The version that is there.
    found: Option<String>,
    /// The oldest version that will do.
    at_least: Option<String>,
    needed_for: &'static str,
    /// The Debian package that brings it; Rust comes from elsewhere.
    package: Option<&'static str>,
}

/// Whether foreign code can be confined here.
#[derive(Debug, Serialize)]
struct Sandbox {
    state: State,
    /// How guests are confined, or why they cannot be.
    detail: String,
    /// What would change that.
    hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    TooOld,
    Missing,
}

impl State {
    fn cell(self) -> Cell {
        match self {
            State::Ok => Cell::styled("ok", AnsiColor::Green.on_default()),
            State::TooOld => Cell::styled("too old", AnsiColor::Red.on_default().bold()),
            State::Missing => Cell::styled("missing", AnsiColor::Red.on_default().bold()),
        }
    }
}

/// Runs the command.
pub fn run(arguments: &arguments::Doctor) -> Result<Ending, Failure> {
    let diagnosis = diagnose();
    if arguments.json {
        output::print_json(1, &diagnosis)?;
    } else {
        output::print(&render(&diagnosis))?;
        for command in &diagnosis.mend {
            voice::hint(&format!("run: {command}"));
        }
        if let Some(hint) = &diagnosis.sandbox.hint {
            voice::hint(&format!("for the sandbox: {hint}"));
        }
    }
    Ok(if diagnosis.healthy { Ending::Done } else { Ending::Failed })
}

fn diagnose() -> Diagnosis {
    let installed = installed();
    let tools = tools(&installed);
    let sandbox = sandbox();
    let healthy = tools.iter().map(|finding| finding.state).chain([sandbox.state]).all(|state| state == State::Ok);
    let mend = mend(&tools, &installed);
    Diagnosis { healthy, tools, sandbox, mend }
}

fn sandbox() -> Sandbox {
    let probe = estrange_sandbox::probe(&Launcher::this_program());
    let state = if probe.protected { State::Ok } else { State::Missing };
    Sandbox { state, detail: probe.detail, hint: probe.hint }
}

/// Looks at every tool at once: some take a fifth of a second to say their version.
fn tools(installed: &HashMap<String, String>) -> Vec<Finding> {
    thread::scope(|scope| {
        let checks: Vec<_> = packages::needed().map(|package| scope.spawn(move || check(package, installed))).collect();
        let rust = check_program("cargo", Version::parse(env!("CARGO_PKG_RUST_VERSION")));
        let rust = Finding { needed_for: "fetching crates, and building Estrange itself", ..rust };
        let findings = checks.into_iter().filter_map(|check| check.join().ok());
        findings.chain([rust]).collect()
    })
}

fn check(package: Package, installed: &HashMap<String, String>) -> Finding {
    let finding = match package.program {
        Some(program) => check_program(program, package.at_least),
        None => {
            // Debian's version has more in it than a reader wants: `1:19.1.7-3~deb12u1`.
            let found = installed.get(package.name);
            let found = found.map(|whole| Version::find(whole).map_or(whole.clone(), |version| version.to_string()));
            let state = if found.is_some() { State::Ok } else { State::Missing };
            Finding { name: package.name, state, found, at_least: None, needed_for: "", package: None }
        }
    };
    Finding { needed_for: package.needed_for, package: Some(package.name), ..finding }
}

/// Asks a program for its version. One that is there but does not say passes: it may well do its work.
fn check_program(program: &'static str, at_least: Option<Version>) -> Finding {
    let answer = Tool::new(program).argument("--version").wall(Duration::from_secs(20)).run();
    let (state, found) = match answer {
        Err(ToolError::Missing { .. } | ToolError::Start { .. } | ToolError::Confine { .. }) => (State::Missing, None),
        Ok(answer) => match Version::find(&answer.text()) {
            Some(version) if at_least.as_ref().is_some_and(|oldest| version < *oldest) => {
                (State::TooOld, Some(version))
            }
            version => (State::Ok, version),
        },
    };
    let at_least = at_least.map(|version| version.to_string());
    let found = found.map(|version| version.to_string());
    Finding { name: program, state, found, at_least, needed_for: "", package: None }
}

/// The installed packages among those needed, with their versions; none where there is no dpkg.
fn installed() -> HashMap<String, String> {
    let format = "-f=${db:Status-Status} ${Package} ${Version}\\n";
    let names = packages::needed().map(|package| package.name);
    let answer = Tool::new("dpkg-query").argument("-W").argument(format).arguments(names).run();
    let Ok(answer) = answer else { return HashMap::new() };
    let lines = answer.text();
    let installed = lines.lines().filter_map(|line| line.strip_prefix("installed ")?.split_once(' '));
    installed.map(|(name, version)| (name.to_owned(), version.to_owned())).collect()
}

/// The commands that mend what is wrong, in order.
fn mend(tools: &[Finding], installed: &HashMap<String, String>) -> Vec<String> {
    let wrong = || tools.iter().filter(|finding| finding.state != State::Ok);
    let mut commands = Vec::new();
    let packages: Vec<&str> = wrong().filter_map(|finding| finding.package).collect();
    if !packages.is_empty() {
        let root = if is_root() { "" } else { "sudo " };
        // A program can be gone though its package is installed.
        let damaged = packages.iter().any(|package| installed.contains_key(*package));
        let reinstall = if damaged { "--reinstall " } else { "" };
        commands.push(format!("{root}apt-get update"));
        commands.push(format!("{root}apt-get install --no-install-recommends {reinstall}{}", packages.join(" ")));
    }
    // What comes in no package is Rust.
    for finding in wrong().filter(|finding| finding.package.is_none()) {
        commands.push(match finding.state {
            State::Missing => "rustup toolchain install stable".to_owned(),
            _ => "rustup update stable".to_owned(),
        });
    }
    commands
}

/// Whether this process runs as root: its own entry in /proc belongs to its effective user.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|entry| entry.uid() == 0)
}

fn render(diagnosis: &Diagnosis) -> String {
    let mut table = Table::new([Align::Left; 5]);
    for finding in &diagnosis.tools {
        table.row([
            finding.state.cell(),
            Cell::styled(finding.name, Style::new().bold()),
            finding.found.as_deref().unwrap_or("-").into(),
            finding.at_least.as_ref().map(|version| format!("needs {version}")).unwrap_or_default().into(),
            Cell::styled(finding.needed_for, Style::new().dimmed()),
        ]);
    }
    let sandbox = &diagnosis.sandbox;
    let mut walls = Table::new([Align::Left; 3]);
    walls.row([sandbox.state.cell(), Cell::styled("sandbox", Style::new().bold()), sandbox.detail.as_str().into()]);
    let verdict = if diagnosis.healthy { "\nNothing is missing.\n" } else { "" };
    [&table.render(""), "\n", &walls.render(""), verdict].concat()
}
