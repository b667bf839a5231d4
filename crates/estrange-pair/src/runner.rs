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
    replay: Replay<'r>,
    entry: String,
}

/// A side or a rewrite of it, compiled by both compilers.
pub(crate) struct Built<'r> {
    replay: &'r Replay<'r>,
    programs: Vec<(Compiler, Compiled<'r>)>,
}

/// A side after a rewrite.
#[derive(Clone, Copy)]
pub(crate) struct Rewritten<'a> {
    pub(crate) unit: &'a str,
    pub(crate) names: &'a BTreeMap<String, String>,
}

/// How a side ended on a trigger, by each compiler.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ends(pub(crate) Vec<EndedBy>);

/// How a side ended under one compiler's sanitizers, each time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndedBy {
    pub(crate) compiler: Compiler,
    pub(crate) end: End,
    pub(crate) place: Option<Place>,
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
    pub(crate) fn build(&self, rewritten: Option<Rewritten<'_>>) -> Result<Result<Built<'_>, Lost>, BuildError> {
        let variant = rewritten.map(|Rewritten { unit, names }| Variant {
            text: unit,
            function: renamed_function(&self.entry, names),
            names,
            known: &[],
        });
        let mut programs = Vec::new();
        for compiler in COMPILERS {
            match self.replay.build(variant.as_ref(), compiler)? {
                Ok(compiled) => programs.push((compiler, compiled)),
                Err(reason) => return Ok(Err(cannot_run(reason))),
            }
        }
        Ok(Ok(Built { replay: &self.replay, programs }))
    }
}

impl Built<'_> {
    /// How it ends on an input once, as the last of the compilers tells it; nothing where it cannot be run on it.
    pub(crate) fn once(&self, input: &Input) -> Result<Option<EndedBy>, BuildError> {
        let (Ok(fitted), Some((compiler, compiled))) = (self.replay.fit(input), self.programs.last()) else {
            return Ok(None);
        };
        let ran = compiled.run(&fitted)?.ok();
        Ok(ran.map(|ran| EndedBy { compiler: *compiler, end: ran.end, place: ran.place }))
    }

    /// Runs it on an input, several times.
    pub(crate) fn run(&self, input: &Input) -> Result<Result<Ends, Lost>, BuildError> {
        let fitted = match self.replay.fit(input) {
            Ok(fitted) => fitted,
            Err(error) => return Ok(Err(does_not_fit(&error))),
        };
        let mut ends = Vec::new();
        for (compiler, compiled) in &self.programs {
            let mut first = None;
            for _ in 0..TIMES {
                let ran = match compiled.run(&fitted)? {
                    Ok(ran) => ran,
                    Err(reason) => return Ok(Err(cannot_run(reason))),
                };
                let end = EndedBy { compiler: *compiler, end: ran.end, place: ran.place };
                if *first.get_or_insert_with(|| end.clone()) != end {
                    let detail = format!("compiled by {}, it does not end in the same way each time", compiler.name());
                    return Ok(Err((Reason::NotRepeatable, detail)));
                }
            }
            ends.extend(first);
        }
        Ok(Ok(Ends(ends)))
    }
}

impl Ends {
    /// Whether it ended as it was meant to, under both compilers.
    pub(crate) fn are_clean(&self) -> bool {
        self.0.iter().all(|by| by.end.is_clean())
    }

    /// How it ended, in words.
    pub(crate) fn told(&self) -> String {
        let told: Vec<String> = self.0.iter().map(|by| format!("{} under {}", by.end, by.compiler.name())).collect();
        told.join(", ")
    }

    /// What both compilers say happened, if that is a fault of one class.
    pub(crate) fn fault(&self) -> Result<&EndedBy, Lost> {
        let Some(clang) = self.0.last() else { return Err((Reason::Missing, "it was not run".to_owned())) };
        if !self.0.iter().any(|by| by.end.is_fault()) {
            return Err((Reason::FaultGone, self.told()));
        }
        if !self.0.iter().all(|by| by.end.is_fault() && by.end.is_like(clang.end)) {
            return Err((Reason::AnotherFault, self.told()));
        }
        Ok(clang)
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
            (by.compiler.name(), ended)
        })
    }
}

pub(crate) fn cannot_run(reason: Untestable) -> Lost {
    (reason.reason(), format!("it cannot be run: {reason}"))
}

fn does_not_fit(error: &InputError) -> Lost {
    (Reason::TriggerDoesNotFit, format!("the trigger does not fit: {error}"))
}
