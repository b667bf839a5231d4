//! What the evidence says, in words: for `estrange rewrite --check` and `estrange check`.

use estrange_build::{Compiler, Identical, IdenticalCode, Level, Refusal, Verdict};
use serde::Serialize;

/// A verdict as a part of a JSON document.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    /// Whether the code is the same for both compilers at both levels.
    pub holds: bool,
    /// `identical`, `explained`, `different`, `no-code` or `refused`.
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_code: Option<&'a IdenticalCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'a Refusal>,
}

impl<'a> Document<'a> {
    pub fn of(verdict: &'a Verdict) -> Self {
        let (code, refused) = match verdict {
            Verdict::Compiled(code) => (Some(code.as_ref()), None),
            Verdict::Refused(refusal) => (None, Some(refusal)),
        };
        Self { holds: verdict.holds(), verdict: word(verdict), identical_code: code, refused }
    }
}

/// The verdict in one word.
fn word(verdict: &Verdict) -> &'static str {
    let Verdict::Compiled(code) = verdict else { return "refused" };
    match code.first_difference() {
        Some((_, _, Identical::NoCode)) => "no-code",
        Some(_) => "different",
        None if code.explanations().is_empty() => "identical",
        None => "explained",
    }
}

/// The verdict in lines.
pub fn lines(verdict: &Verdict) -> Vec<String> {
    let code = match verdict {
        Verdict::Compiled(code) => code,
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
    lines
}

fn place(compiler: Compiler, level: Level) -> String {
    let level = if level == Level::O2 { "-O2" } else { "-O0" };
    format!("{} {level}", compiler.name())
}
