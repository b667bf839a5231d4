//! What the evidence says, in words: for `estrange rewrite --check` and `estrange check`.

use estrange_build::{
    Agreement, Behaviour, Compiler, Difference, Identical, IdenticalCode, Inputs, Level, Refusal, Verdict,
};
use serde::Serialize;

/// A verdict as a part of a JSON document.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
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

impl<'a> Document<'a> {
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

/// The verdict in lines.
pub fn lines(verdict: &Verdict) -> Vec<String> {
    let (code, behaviour) = match verdict {
        Verdict::Compiled { code, behaviour } => (code, behaviour),
        Verdict::Refused(refusal) => return vec![format!("not shown: {refusal}")],
    };
    let mut lines = Vec::new();
    match code.first_difference() {
        None if code.explanations().is_empty() => {
            lines.push("identical code: gcc and clang, -O0 and -O2, up to the names of symbols".to_owned());
        }
        None => {
            lines.push("identical code but for names in its data, each of which the new names explain:".to_owned());
            let explained = code.explanations();
            lines.extend(explained.iter().map(|one| format!("  `{}` became `{}`", one.old, one.new)));
        }
        Some((_, _, Identical::NoCode)) => {
            lines.push("not shown: no compiler writes code for it".to_owned());
        }
        Some(_) => lines.push("different code:".to_owned()),
    }
    for (compiler, level, verdict) in code.verdicts() {
        if let Identical::Different { old, new } = verdict {
            lines.push(format!("  {}: `{}` became `{}`", place(compiler, level), old.trim(), new.trim()));
        }
    }
    lines.extend(behaviour.iter().flat_map(|behaviour| ran(behaviour)));
    lines
}

/// What running both showed, in lines.
fn ran(behaviour: &Behaviour) -> Vec<String> {
    let mut lines = match &behaviour.verdict {
        Agreement::Agrees => vec!["both do the same, and the inputs would have shown it if they did not:".to_owned()],
        Agreement::AgreesWeakly => {
            vec!["both do the same, but the inputs are weak evidence:".to_owned()]
        }
        Agreement::Differs(difference) => {
            let Difference { given, old, new, old_end, new_end, .. } = difference;
            let mut lines = vec!["they do not do the same on this input:".to_owned()];
            lines.extend(given.lines().map(|line| format!("  {line}")));
            lines.push(format!("  the old one: {} ({old_end})", old.trim()));
            lines.push(format!("  the new one: {} ({new_end})", new.trim()));
            lines
        }
        Agreement::Untestable { reason } => return vec![format!("they cannot be run: {reason}")],
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

fn place(compiler: Compiler, level: Level) -> String {
    let level = if level == Level::O2 { "-O2" } else { "-O0" };
    format!("{} {level}", compiler.name())
}
