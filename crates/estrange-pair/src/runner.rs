//! Running a side on a trigger, under both compilers' sanitizers.

use std::collections::BTreeMap;

use estrange_bench::Ended;
use estrange_build::BuildError;
use estrange_evidence::Compiler;
use estrange_oracle::{
    Compiled, Input, InputError, Oracle, Place, Replay, Subject, Untestable, Variant, renamed_function,
};
use estrange_unit::Language;
use estrange_words::{End, Reason};

use crate::couple::Side;

/// How often each side is run by each compiler: what does not repeat itself shows nothing.
pub(crate) const TIMES: u32 = 5;

/// The compilers.
const COMPILERS: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];

/// A side with its harness.
pub(crate) struct Ready<'r> {
    pub(crate) replay: Replay<'r>,
    pub(crate) entry: String,
}

/// A side or a rewrite of it, compiled by both compilers.
pub(crate) struct Built<'r> {
    pub(crate) ready: &'r Ready<'r>,
    rewritten: Option<Rewritten<'r>>,
    pub(crate) programs: Vec<(Compiler, Compiled<'r>)>,
}

/// A side after a rewrite.
#[derive(Clone, Copy)]
pub(crate) struct Rewritten<'a> {
    pub(crate) unit: &'a str,
    pub(crate) names: &'a BTreeMap<String, String>,
}

/// Who looks on while a side runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watcher {
    /// A compiler's sanitizers of addresses and of undefined behaviour.
    Of(Compiler),
    /// Clang's memory sanitizer, which sees the use of what was never written. gcc has none.
    Memory,
}

/// How a side ended on a trigger, by each watcher.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ends(pub(crate) Vec<EndedBy>);

/// How a side ended under one watcher, each time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndedBy {
    pub(crate) watcher: Watcher,
    pub(crate) end: End,
    pub(crate) place: Option<Place>,
}

impl Watcher {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Of(compiler) => compiler.name(),
            Self::Memory => "clang-memory",
        }
    }
}

/// Why a side was not run, or shows nothing.
pub(crate) type Lost = (Reason, String);

/// A side, ready to be run.
pub(crate) fn ready<'w>(
    oracle: &'w Oracle,
    side: &Side,
    function: &str,
    language: Language,
    flags: &[String],
) -> Result<Result<Ready<'w>, Lost>, BuildError> {
    let entry = side.entry.clone().unwrap_or_else(|| function.to_owned());
    // A function that is only called may be one of several of its name: the first of them.
    let at = side.entry.is_none().then_some(side.function.start);
    let subject = Subject { text: &side.unit, function: &entry, at, language, flags, seed: 0 };
    let replay = oracle.replay(&subject)?;
    Ok(replay.map(|replay| Ready { replay, entry }).map_err(cannot_run))
}

impl Ready<'_> {
    /// Builds it, or a rewrite of it, with each compiler.
    pub(crate) fn build<'b>(&'b self, rewritten: Option<Rewritten<'b>>) -> Result<Result<Built<'b>, Lost>, BuildError> {
        let variant = rewritten.map(|rewritten| rewritten.variant(&self.entry));
        let mut programs = Vec::new();
        for compiler in COMPILERS {
            match self.replay.build(variant.as_ref(), compiler)? {
                Ok(compiled) => programs.push((compiler, compiled)),
                Err(reason) => return Ok(Err(cannot_run(reason))),
            }
        }
        Ok(Ok(Built { ready: self, rewritten, programs }))
    }
}

impl<'a> Rewritten<'a> {
    /// The same for the oracle; `entry` is what the function was called.
    fn variant(self, entry: &'a str) -> Variant<'a> {
        let Self { unit, names } = self;
        Variant { text: unit, function: renamed_function(entry, names), names, known: &[] }
    }
}

impl Built<'_> {
    /// How it ends on an input once, as the last of the compilers tells it; nothing where it cannot be run on it.
    pub(crate) fn once(&self, input: &Input) -> Result<Option<EndedBy>, BuildError> {
        let (Ok(fitted), Some((compiler, compiled))) = (self.ready.replay.fit(input), self.programs.last()) else {
            return Ok(None);
        };
        let ran = compiled.run(&fitted)?.ok();
        Ok(ran.map(|ran| EndedBy { watcher: Watcher::Of(*compiler), end: ran.end, place: ran.place }))
    }

    /// Runs it on an input, several times, under both compilers' sanitizers.
    pub(crate) fn run(&self, input: &Input) -> Result<Result<Ends, Lost>, BuildError> {
        let fitted = match self.ready.replay.fit(input) {
            Ok(fitted) => fitted,
            Err(error) => return Ok(Err(does_not_fit(&error))),
        };
        let mut ends = Vec::new();
        for (compiler, compiled) in &self.programs {
            let ended = repeated(Watcher::Of(*compiler), || {
                let ran = compiled.run(&fitted)?;
                Ok(ran.map(|ran| (ran.end, ran.place)).map_err(cannot_run))
            })?;
            match ended {
                Ok(ended) => ends.push(ended),
                Err(lost) => return Ok(Err(lost)),
            }
        }
        Ok(Ok(Ends(ends)))
    }

    /// Runs it on an input as a fault of some class has to be run to be seen.
    pub(crate) fn run_for(&self, class: End, input: &Input) -> Result<Result<Ends, Lost>, BuildError> {
        let mut ran = self.run(input)?;
        if class == End::UninitialisedUse
            && let Ok(ends) = &mut ran
        {
            match self.watched(input)? {
                Ok(ended) => ends.0.push(ended),
                Err(lost) => return Ok(Err(lost)),
            }
        }
        Ok(ran)
    }

    /// Runs it on an input, several times, under the memory sanitizer.
    pub(crate) fn watched(&self, input: &Input) -> Result<Result<EndedBy, Lost>, BuildError> {
        let Ready { replay, entry } = self.ready;
        let fitted = match replay.fit(input) {
            Ok(fitted) => fitted,
            Err(error) => return Ok(Err(does_not_fit(&error))),
        };
        let variant = self.rewritten.map(|rewritten| rewritten.variant(entry));
        let watched = match replay.watched(variant.as_ref(), &fitted)? {
            Ok(watched) => watched,
            Err(why) => return Ok(Err((Reason::Refused, format!("the memory sanitizer cannot look: {why}")))),
        };
        repeated(Watcher::Memory, || Ok(Ok(watched.run()?)))
    }
}

/// What happens each time; what does not repeat itself shows nothing.
fn repeated(
    watcher: Watcher,
    run: impl Fn() -> Result<Result<(End, Option<Place>), Lost>, BuildError>,
) -> Result<Result<EndedBy, Lost>, BuildError> {
    let mut first = None;
    for _ in 0..TIMES {
        let ended = match run()? {
            Ok((end, place)) => EndedBy { watcher, end, place },
            Err(lost) => return Ok(Err(lost)),
        };
        if *first.get_or_insert_with(|| ended.clone()) != ended {
            let detail = format!("under {}, it does not end in the same way each time", watcher.name());
            return Ok(Err((Reason::NotRepeatable, detail)));
        }
    }
    Ok(first.ok_or((Reason::Missing, "it was not run".to_owned())))
}

impl Ends {
    /// Whether it ended as it was meant to, whoever looked on.
    pub(crate) fn are_clean(&self) -> bool {
        self.0.iter().all(|by| by.end.is_clean())
    }

    /// How it ended, in words.
    pub(crate) fn told(&self) -> String {
        let told: Vec<String> = self.0.iter().map(|by| format!("{} under {}", by.end, by.watcher.name())).collect();
        told.join(", ")
    }

    /// What all who looked on say happened, if that is a fault of one class. What only the memory sanitizer can see is a fault
    /// by its word alone.
    pub(crate) fn fault(&self) -> Result<&EndedBy, Lost> {
        let Some(last) = self.0.last() else { return Err((Reason::Missing, "it was not run".to_owned())) };
        let faults = self.0.iter().filter(|by| by.end.is_fault()).count();
        match last.watcher {
            _ if faults == 0 => Err((Reason::FaultGone, self.told())),
            Watcher::Memory if faults == 1 && last.end.is_fault() => Ok(last),
            Watcher::Of(_) if self.0.iter().all(|by| by.end.is_fault() && by.end.is_like(last.end)) => Ok(last),
            _ => Err((Reason::AnotherFault, self.told())),
        }
    }

    /// As a record has it.
    pub(crate) fn recorded(&self) -> impl Iterator<Item = (&'static str, Ended)> + '_ {
        self.0.iter().map(|by| {
            let place = by.place.as_ref();
            let ended = Ended {
                end: by.end,
                function: place.map(|place| place.function.clone()),
                line: place.map(|place| place.line),
                column: place.and_then(|place| place.column),
            };
            (by.watcher.name(), ended)
        })
    }
}

pub(crate) fn cannot_run(reason: Untestable) -> Lost {
    (reason.reason(), format!("it cannot be run: {reason}"))
}

fn does_not_fit(error: &InputError) -> Lost {
    (Reason::TriggerDoesNotFit, format!("the trigger does not fit: {error}"))
}
