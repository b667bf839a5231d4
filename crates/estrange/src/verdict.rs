//! What the evidence says, in words: for `estrange rewrite --check` and `estrange check`.

use estrange_build::{
    Agreement, Behaviour, Compiler, Difference, End, Identical, IdenticalCode, Inputs, Level, Refusal, Seen, Verdict,
};
use serde::Serialize;

use crate::output;

/// A verdict as a part of a JSON document.
#[derive(Debug, Serialize)]
pub struct VerdictJson<'a> {
    /// Whether the code is the same for both compilers at both levels, or else does the same on all inputs.
    pub holds: bool,
    /// `identical`, `explained`, `different`, `no-code` or `refused`; where they were run, `agrees`, `agrees-weakly`, `differs`
    /// or `untestable`.
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_code: Option<&'a IdenticalCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'a Refusal>,
    /// The first input on which they did not do the same, or why they could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<&'a Agreement>,
    /// What the inputs reach and would have seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<&'a Inputs>,
}

impl<'a> VerdictJson<'a> {
    pub fn of(verdict: &'a Verdict) -> Self {
        let (code, behaviour, refused) = match verdict {
            Verdict::Compiled { code, behaviour } => (Some(code.as_ref()), behaviour.as_deref(), None),
            Verdict::Refused(refusal) => (None, None, Some(refusal)),
        };
        Self {
            holds: verdict.holds(),
            verdict: word(verdict),
            identical_code: code,
            refused,
            behaviour: behaviour.map(|behaviour| &behaviour.verdict),
            inputs: behaviour.and_then(|behaviour| behaviour.record.as_ref()),
        }
    }
}

/// The verdict in one word.
fn word(verdict: &Verdict) -> &'static str {
    let Verdict::Compiled { code, behaviour } = verdict else { return "refused" };
    if let Some(behaviour) = behaviour {
        return behaviour.name();
    }
    match code.first_difference() {
        Some((_, _, Identical::NoCode)) => "no-code",
        Some(_) => "different",
        None if code.explanations().is_empty() => "identical",
        None => "explained",
    }
}

/// The verdict in lines: the first one says it, the others what it rests on.
pub fn lines(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Compiled { code, behaviour: Some(behaviour) } => {
            ran(behaviour).into_iter().chain(differences(code)).collect()
        }
        Verdict::Compiled { code, behaviour: None } => compared(code),
        Verdict::Refused(refusal) => vec![format!("not shown: {refusal}")],
    }
}

/// What the code alone shows.
fn compared(code: &IdenticalCode) -> Vec<String> {
    match code.first_difference() {
        None if code.explanations().is_empty() => {
            vec!["identical code: gcc and clang, -O0 and -O2, up to the names of symbols".to_owned()]
        }
        None => {
            let first = "identical code but for names in its data, each of which the new names explain:".to_owned();
            let explained = code.explanations();
            let lines = explained.iter().map(|one| format!("  `{}` became `{}`", one.old, one.new));
            [first].into_iter().chain(lines).collect()
        }
        Some((_, _, Identical::NoCode)) => vec!["not shown: no compiler writes code for it".to_owned()],
        Some(_) => differences(code),
    }
}

/// Where the code is not the same.
fn differences(code: &IdenticalCode) -> Vec<String> {
    let mut lines = Vec::new();
    for (compiler, level, verdict) in code.verdicts() {
        if let Identical::Different { old, new } = verdict {
            lines.push(format!("    {}: `{}` became `{}`", place(compiler, level), old.trim(), new.trim()));
        }
    }
    if !lines.is_empty() {
        lines.insert(0, "  the code is not the same:".to_owned());
    }
    lines
}

/// What running both showed, in lines.
fn ran(behaviour: &Behaviour) -> Vec<String> {
    let inputs = behaviour.record.as_ref().map(|record| format!("on all {} inputs", record.kept)).unwrap_or_default();
    let mut lines = match &behaviour.verdict {
        Agreement::Agrees => vec![format!("the same behaviour: old and new did the same {inputs}")],
        Agreement::AgreesWeakly => {
            vec![format!("weak evidence of the same behaviour: old and new did the same {inputs}")]
        }
        Agreement::Differs(difference) => differs(difference),
        Agreement::Untestable { reason } => vec![format!("not shown: they cannot be run: {reason}")],
    };
    if let Some(inputs) = &behaviour.record {
        let Inputs { kept, clean, lines: reached, branches, mutants, .. } = inputs;
        lines.push(format!(
            "  {kept} inputs, {clean} of them return; {} of {} lines, {} of {} branches; {} of {} planted mistakes seen",
            reached.of, reached.all, branches.of, branches.all, mutants.of, mutants.all
        ));
    }
    lines
}

/// A call that shows a difference.
fn differs(difference: &Difference) -> Vec<String> {
    let Difference { call, seen, old, new, old_end, new_end, .. } = difference;
    let mut lines = vec!["not the same: old and new do not do the same on this call:".to_owned()];
    lines.extend(call.lines().map(|line| format!("    {line}")));
    for (which, value, end) in [("old", old, old_end), ("new", new, new_end)] {
        let does = match seen {
            Seen::End if value.is_empty() => format!("the {which} one {end}"),
            Seen::End | Seen::Result if *end == End::Returned => format!("the {which} one returns {value}"),
            Seen::End => format!("the {which} one {end}: {value}"),
            Seen::Result => format!("the {which} one gives {value} and {end}"),
            Seen::Place(place) => format!("after the {which} one, {place} is {value}"),
            Seen::Errno => format!("after the {which} one, errno is {value}"),
            Seen::Printed => format!("the {which} one prints {value}"),
            Seen::Left => format!("after the {which} one, {value} bytes are in use"),
            Seen::Call(function) => format!("the {which} one calls {function} with {value}"),
            Seen::Event(what) if what.is_empty() => format!("the {which} one: {value}"),
            Seen::Event(what) => format!("the {which} one: {what} {value}"),
        };
        lines.push(format!("  {}", output::printable(&does)));
    }
    lines
}

fn place(compiler: Compiler, level: Level) -> String {
    let level = if level == Level::O2 { "-O2" } else { "-O0" };
    format!("{} {level}", compiler.name())
}
