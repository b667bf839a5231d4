//! A function as a row of the bench.

use std::collections::BTreeMap;

use estrange_bench::evidence::{self, CodeDifference, Note};
use estrange_bench::{Function, Group, Json, Kind, Language, Rejected, Split, UnitEvidence};
use estrange_evidence::{Difference, Evidence, SameCode};
use estrange_inference::tokenizer::Tokenizer;
use estrange_text::comments::clean;
use estrange_text::facts::facts;
use estrange_unit::{self as unit, Linked, Unit};
use estrange_words::{Reason, Stage};
use serde_json::Value;

use crate::assign::{Assigned, lineage};
use crate::error::BuildError;
use crate::helpers::{Helpers, merged};
use crate::lost::FileLoss;
use crate::origin::Origin;
use crate::tools::Tools;
use crate::undelivered::Lost;

/// What all records of a source have in common.
pub(crate) struct Recorder<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) split: Split,
    pub(crate) helpers: Helpers<'a>,
    pub(crate) tokenizer: Option<&'a Tokenizer>,
    pub(crate) tools: &'a Tools,
}

impl Recorder<'_> {
    /// A function that was kept, with its linked unit, or why there is none and what it misses.
    pub(crate) fn function(
        &self,
        function: &Assigned<'_>,
        unit: Unit,
        evidence: Option<&Evidence>,
        linked: Result<Linked, (Reason, Vec<String>)>,
        language: Language,
    ) -> Result<Function, BuildError> {
        let found = function.found;
        let facts = facts(&found.text, language);
        let (linked, unlinkable_reason, missing) = match linked {
            Ok(linked) => (Some(linked), None, Vec::new()),
            Err((reason, missing)) => (None, Some(reason), missing),
        };
        let helpers = self.helpers.helpers(function, linked.as_ref());
        let group = match found.group {
            unit::Group::One => Group::One,
            unit::Group::Two => Group::Two,
            unit::Group::Three => Group::Three,
        };
        let long_text = (group == Group::Three).then(|| merged(&found.text, &helpers));
        let model_tokens = self.tokenizer.map(|tokenizer| tokenizer.count(&found.text)).transpose()?;
        // Helpers come first, the function last.
        let long_start = long_text.as_ref().map(|long: &String| long.len() - found.text.len());
        let offset = |at: usize| u32::try_from(at).ok();
        let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let lines = |text: &str| whole(text.lines().count());
        Ok(Function {
            id: function.id.clone(),
            lineage: lineage(&self.origin.name(), function.file, &found.qualified_name),
            source: self.origin.name(),
            version: self.origin.fetched.version.clone(),
            path: function.file.path.to_string_lossy().into_owned(),
            line_start: found.lines.0,
            line_end: found.lines.1,
            name: found.name.clone(),
            qualified_name: found.qualified_name.clone(),
            kind: kind(function),
            language,
            role: role(function),
            licence: function.file.licence.expression.clone().unwrap_or_default(),
            licence_class: word(&function.file.licence.class),
            group,
            split: self.split,
            text: found.text.clone(),
            unit_lines: lines(&unit.text),
            unit_start: offset(unit.function.start),
            unit_end: offset(unit.function.end),
            linked_lines: linked.as_ref().map(|linked| lines(&linked.text)),
            linkable: linked.is_some(),
            linked_start: linked.as_ref().and_then(|linked| offset(linked.function.start)),
            linked_end: linked.as_ref().and_then(|linked| offset(linked.function.end)),
            linked_unit: linked.map(|linked| linked.text),
            unlinkable_reason,
            helpers,
            long_text,
            long_start: long_start.and_then(offset),
            types: found.types.clone(),
            includes: unit.includes,
            comment: found.comment.as_deref().map(clean).filter(|comment| !comment.is_empty()),
            loc: whole(facts.code_lines),
            cyclomatic_complexity: whole(facts.complexity),
            tokens: whole(facts.tokens),
            model_tokens: model_tokens.map(whole),
            unique_keywords: whole(facts.unique_keywords),
            evidence: Json(self.evidence(evidence, missing)),
            duplicates: Vec::new(),
            flags: unit.flags,
            unit: unit.text,
        })
    }

    /// A function that was not kept.
    pub(crate) fn rejected(
        &self,
        function: &Assigned<'_>,
        language: Language,
        stage: Stage,
        reason: Reason,
        detail: &str,
    ) -> Rejected {
        Rejected {
            id: Some(function.id.clone()),
            line_start: Some(function.found.lines.0),
            line_end: Some(function.found.lines.1),
            name: Some(function.found.name.clone()),
            kind: Some(kind(function)),
            language: Some(language),
            role: Some(role(function)),
            text: Some(function.found.text.clone()),
            path: Some(function.file.path.to_string_lossy().into_owned()),
            ..self.lost(stage, reason, detail)
        }
    }

    /// A function that the parser did not deliver.
    pub(crate) fn undelivered(&self, lost: &Lost<'_>) -> Rejected {
        let function = lost.function;
        Rejected {
            id: Some(lost.id.clone()),
            line_start: Some(function.lines.0),
            line_end: Some(function.lines.1),
            name: Some(function.name.clone()),
            kind: Some(Kind::Function),
            language: Some(lost.language),
            role: Some(word(&lost.file.role)),
            text: Some(function.text.clone()),
            path: Some(lost.file.path.to_string_lossy().into_owned()),
            ..self.lost(Stage::Parse, function.reason.reason(), &function.reason.to_string())
        }
    }

    /// A file that was lost.
    pub(crate) fn lost_file(&self, loss: &FileLoss) -> Rejected {
        let path = Some(loss.path.to_string_lossy().into_owned());
        Rejected { path, ..self.lost(Stage::Parse, loss.reason, &loss.detail) }
    }

    fn lost(&self, stage: Stage, reason: Reason, detail: &str) -> Rejected {
        let version = Some(self.origin.fetched.version.clone());
        Rejected { stage, version, ..lost_source(&self.origin.name(), reason, detail) }
    }

    fn evidence(&self, evidence: Option<&Evidence>, missing: Vec<String>) -> UnitEvidence {
        let levels = match evidence {
            Some(evidence) => [("o0", Some(&evidence.o0)), ("o2", Some(&evidence.o2))],
            None => [("o0", None), ("o2", None)],
        };
        let mut same_code = BTreeMap::new();
        let mut notes = BTreeMap::new();
        for (level, found) in levels {
            let (verdict, note) = compared(found);
            same_code.insert(level.to_owned(), verdict);
            notes.extend(note.map(|note| (level.to_owned(), note)));
        }
        UnitEvidence {
            compiles: Some(self.tools.versions.clone()),
            same_code: Some(same_code),
            same_code_notes: Some(notes),
            missing: Some(missing).filter(|missing| !missing.is_empty()),
            ..UnitEvidence::default()
        }
    }
}

/// How the code of a function compares at one level, and what more there is to say about it. Nothing was found where the
/// project's file does not compile.
fn compared(found: Option<&Result<SameCode, String>>) -> (evidence::SameCode, Option<Note>) {
    use evidence::SameCode as Verdict;
    let Some(found) = found else { return (Verdict::OriginalDoesNotCompile, None) };
    match found {
        Ok(SameCode::Same) => (Verdict::Same, None),
        Ok(SameCode::Explained { why }) => (Verdict::Explained, Some(Note::Explained(why.iter().map(word).collect()))),
        Ok(SameCode::Different { first_difference }) => {
            let Difference { line, original, unit } = first_difference.clone();
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            (Verdict::Different, Some(Note::Different(CodeDifference { line, original, unit })))
        }
        Ok(SameCode::Absent { in_original: true }) => (Verdict::AbsentInOriginal, None),
        Ok(SameCode::Absent { in_original: false }) => (Verdict::AbsentInUnit, None),
        Err(messages) => {
            let first = messages.lines().next().unwrap_or_default();
            (Verdict::Refused, Some(Note::Refused(first.to_owned())))
        }
    }
}

/// A source that was lost as a whole.
pub(crate) fn lost_source(source: &str, reason: Reason, detail: &str) -> Rejected {
    Rejected {
        id: None,
        source: source.to_owned(),
        version: None,
        path: None,
        line_start: None,
        line_end: None,
        name: None,
        kind: None,
        language: None,
        role: None,
        stage: Stage::Source,
        reason,
        detail: detail.to_owned(),
        text: None,
    }
}

fn kind(function: &Assigned<'_>) -> Kind {
    let word =
        if function.found.is_template && function.found.kind == "function" { "template" } else { &function.found.kind };
    word.parse().unwrap_or(Kind::Function)
}

fn role(function: &Assigned<'_>) -> String {
    word(&function.file.role)
}

/// The word that a value is serialised as.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}
