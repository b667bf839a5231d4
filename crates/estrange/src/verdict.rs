//! What the evidence says, in words: for `estrange rewrite --check` and `estrange check`.

use estrange_build::{
    Agreement, Behaviour, Checks, Compiler, Difference, End, Identical, IdenticalCode, Inputs, Lapse, Level, Reached,
    Refusal, Seen, Undefined, Unlike, Verdict,
};
use estrange_words::{Undefinedness, Word};
use serde::Serialize;

use crate::output;

/// A verdict as a part of a JSON document.
#[derive(Debug, Serialize)]
pub struct VerdictJson<'a> {
    /// Whether the code is the same for both compilers at both levels, or else does the same on all inputs; and whether both are
    /// shown to be undefined in the same ways.
    pub holds: bool,
    /// `differs`, if a run shows that; else `undefined-otherwise`, if all else is the same; else `identical`, `explained`, `exhaustive`,
    /// `agrees`, `agrees-weakly` or `untestable`; or `refused`.
    pub verdict: &'static str,
    /// `same-checks`, `same-runs` or `not-shown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefinedness: Option<Undefinedness>,
    /// What clang would check in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<&'a Checks>,
    /// What only one of them does.
    pub unlike: Vec<String>,
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
        let (code, behaviour, undefined, unlike, refused) = match verdict {
            Verdict::Compiled { code, behaviour, undefined, unlike } => {
                (Some(code.as_ref()), behaviour.as_deref(), Some(undefined.as_ref()), &unlike[..], None)
            }
            Verdict::Refused(refusal) => (None, None, None, &[][..], Some(refusal)),
        };
        Self {
            holds: verdict.holds(),
            verdict: word(verdict),
            undefinedness: undefined.map(|undefined| undefined.shown),
            checks: undefined.map(|undefined| &undefined.checks),
            unlike: unlike.iter().map(ToString::to_string).collect(),
            identical_code: code,
            refused,
            behaviour: behaviour.map(|behaviour| &behaviour.verdict),
            inputs: behaviour.and_then(|behaviour| behaviour.record.as_ref()),
        }
    }
}

/// The verdict in one word.
fn word(verdict: &Verdict) -> &'static str {
    let Verdict::Compiled { code, behaviour, undefined, .. } = verdict else { return "refused" };
    let behaviour = behaviour.as_deref();
    let is_same = code.holds() || behaviour.is_some_and(Behaviour::agrees);
    match behaviour {
        Some(behaviour) if behaviour.differs() => behaviour.name(),
        _ if is_same && undefined.shown == Undefinedness::NotShown => "undefined-otherwise",
        _ if code.holds() && code.explanations().is_empty() => "identical",
        _ if code.holds() => "explained",
        Some(behaviour) => behaviour.name(),
        None => "different",
    }
}

/// The verdict in lines: the first one says it, the others what it rests on.
pub fn lines(verdict: &Verdict) -> Vec<String> {
    let (code, behaviour, undefined, unlike) = match verdict {
        Verdict::Compiled { code, behaviour, undefined, unlike } => (code, behaviour.as_deref(), undefined, unlike),
        Verdict::Refused(refusal) => return vec![format!("not shown: {refusal}")],
    };
    let mut lines = Vec::new();
    let has_run = |behaviour: &Behaviour| !matches!(behaviour.verdict, Agreement::Untestable { .. });
    if word(verdict) == "undefined-otherwise" {
        lines.push("not shown: old and new may be undefined in different ways".to_owned());
    }
    match behaviour {
        Some(behaviour) if behaviour.differs() || !code.holds() => lines.extend(ran(behaviour)),
        Some(behaviour) if has_run(behaviour) => lines.extend(compared(code).into_iter().chain(ran(behaviour))),
        Some(Behaviour { verdict: Agreement::Untestable { reason }, .. }) => {
            lines.extend(compared(code));
            lines.push(format!("  they cannot be run: {reason}"));
        }
        _ => lines.extend(compared(code)),
    }
    if !code.holds() {
        lines.extend(differences(code));
    }
    if !unlike.is_empty() {
        lines.push("  what only one of them does, no input may have met where it counts:".to_owned());
        lines.extend(
            unlike.iter().take(MOST_UNLIKE).map(|unlike| format!("    {}", output::printable(&shortened(unlike)))),
        );
        if unlike.len() > MOST_UNLIKE {
            lines.push(format!("    and {} more", unlike.len() - MOST_UNLIKE));
        }
    }
    lines.extend(undefined_lines(undefined));
    lines
}

/// Of what only one of two texts does, so many are told, and of each so much.
const MOST_UNLIKE: usize = 8;
const LONGEST_UNLIKE: usize = 100;

fn shortened(unlike: &Unlike) -> String {
    let said = unlike.to_string();
    match said.char_indices().nth(LONGEST_UNLIKE) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said,
    }
}

/// What was shown of where both are undefined.
fn undefined_lines(undefined: &Undefined) -> Vec<String> {
    let first = match (&undefined.shown, &undefined.checks) {
        (Undefinedness::SameChecks, _) => "  clang's sanitizer would check the same in both".to_owned(),
        (_, Checks::Refused(message)) => format!("  not known what clang's sanitizer would check: {message}"),
        (Undefinedness::SameRuns, _) => {
            "  both failed in the same ways, though clang's sanitizer would not check the same in both:".to_owned()
        }
        _ => "  clang's sanitizer would not check the same in both, or memory is accessed by other types:".to_owned(),
    };
    let mut lines = vec![first];
    if let Checks::Different(lapses) = &undefined.checks {
        lines.extend(lapses.iter().map(|lapse| format!("    {}", lapsed(lapse))));
    }
    lines
}

/// Something that can be undefined on one side only.
fn lapsed(lapse: &Lapse) -> String {
    let Lapse { old, new, .. } = lapse;
    let subject = lapse.subject.name();
    match (old.is_empty(), new.is_empty()) {
        (false, true) => format!("{subject}: `{old}` only in the old one"),
        (true, false) => format!("{subject}: `{new}` only in the new one"),
        _ => format!("{subject}: `{old}` became `{new}`"),
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
        Some(_) => Vec::new(),
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
    let found = behaviour.reached.map_or(0, |reached| reached.found);
    let inputs = behaviour.record.as_ref().map(|record| format!("on all {} inputs", record.kept + found));
    let inputs = inputs.unwrap_or_default();
    let mut lines = match &behaviour.verdict {
        Agreement::Exhaustive => {
            let all = behaviour.reached.map_or(0, |reached| reached.all);
            vec![format!("the same behaviour: old and new do the same on all {all} inputs that there are")]
        }
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
    if let Some(Reached { lines: reached, branches, open, is_known, .. }) = behaviour.reached {
        lines.push(format!(
            "  of the new one: {} of {} lines, {} of {} branches",
            reached.of, reached.all, branches.of, branches.all
        ));
        if open > 0 {
            lines.push(format!("  no input was found for {open} branches that only the new one has"));
        }
        if !is_known {
            lines.push("  what the inputs reach of the new one cannot be told".to_owned());
        }
    }
    lines
}

/// A call that shows a difference.
pub fn differs(difference: &Difference) -> Vec<String> {
    let Difference { call, seen, old, new, old_end, new_end, .. } = difference;
    let mut lines = vec!["not the same: old and new do not do the same on this call:".to_owned()];
    lines.extend(call.lines().map(|line| format!("    {line}")));
    for (which, value, end) in [("old", old, old_end), ("new", new, new_end)] {
        let does = match seen {
            Seen::End if value.is_empty() => format!("the {which} one {}", end.phrase()),
            Seen::End | Seen::Result if *end == End::Returned => format!("the {which} one returns {value}"),
            Seen::End => format!("the {which} one {}: {value}", end.phrase()),
            Seen::Result => format!("the {which} one gives {value} and {}", end.phrase()),
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
