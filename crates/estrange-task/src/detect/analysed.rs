//! Static analysers as detectors: a unit in which one finds anything is vulnerable.
//!
//! The gravest finding is the one that counts, and of several the first: its line and its weakness are what the analyser
//! names.

use estrange_analyser::{Analyser, AnalyserError, Choice, Finding, Loss, Unit};
use estrange_bench::{Problem, Verdict};
use estrange_model::{ModelError, Watch};
use estrange_sandbox::Workshop;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown};
use super::error::DetectError;

/// A static analyser that is asked for verdicts on whole units.
#[derive(Debug)]
pub struct Analysed {
    analyser: Analyser,
    at_once: usize,
}

impl Analysed {
    /// The analyser that was chosen, of which so many may run at once.
    pub fn open(choice: &Choice, workshop: &Workshop, at_once: usize) -> Result<Self, AnalyserError> {
        Ok(Self { analyser: Analyser::find(choice, workshop)?, at_once: at_once.max(1) })
    }

    fn say(&self, shown: &Shown<'_>) -> Result<Said, AnalyserError> {
        let unit = Unit { text: shown.text, language: shown.case.language, flags: shown.flags };
        let answer = self.analyser.analyse(&unit)?;
        let text = match &answer {
            Ok(findings) => json!(findings),
            Err(loss) => json!(loss),
        };
        let mut said = match answer {
            Ok(findings) => verdict(&findings),
            Err(loss) => Said::problem(problem(&loss), loss.to_string()),
        };
        said.traced.text = Some(text.to_string());
        Ok(said)
    }
}

/// What findings come to.
fn verdict(findings: &[Finding]) -> Said {
    let Some(finding) = findings.iter().min_by_key(|finding| (finding.level, finding.line.is_none())) else {
        return Said::plain(Verdict::Safe);
    };
    let others = match findings.len() {
        1 => String::new(),
        all => format!(" (and {} more)", all - 1),
    };
    Said {
        cwe: finding.class(),
        line: finding.line,
        reason: Some(format!("{}: {}{others}", finding.rule, finding.message)),
        ..Said::plain(Verdict::Vulnerable)
    }
}

fn problem(loss: &Loss) -> Problem {
    match loss {
        Loss::Refused { .. } => Problem::NotAnalysable,
        Loss::TimedOut | Loss::OverMemory | Loss::OverOutput => Problem::AnalyserLimit,
        Loss::Signalled { .. } | Loss::Failed { .. } | Loss::Unsuccessful { .. } => Problem::AnalyserFailed,
        Loss::Unreadable { .. } | Loss::NoRun => Problem::UnreadableFindings,
    }
}

impl Detector for Analysed {
    fn card(&self) -> Value {
        json!({ "model": self.analyser.choice().to_string(), "version": self.analyser.version(), "stamp": self.analyser.stamp() })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        let one = |shown: &Shown<'_>| {
            if watch.should_stop() {
                return Err(ModelError::Stopped.into());
            }
            let said = self.say(shown)?;
            watch.done(1);
            Ok(vec![said])
        };
        let mut all = Vec::with_capacity(shown.len());
        for together in shown.chunks(self.at_once) {
            all.extend(together.par_iter().map(one).collect::<Result<Vec<_>, DetectError>>()?);
        }
        Ok(all)
    }
}
