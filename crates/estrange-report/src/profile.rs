//! The panel of profiles: what each model can do with the same functions, task by task, as names, shape and language go; how
//! much of that went with the names; and the functions on which tasks disagree.

mod document;
mod tables;
mod values;

pub use document::{
    DisagreementSheet, FamiliaritySheet, FunctionSheet, LevelSheet, ModelProfile, ProfileResults, ProfileResultsError,
    SettingSheet, SkillSheet, Takes,
};

use crate::curves::{self, Curve, Curves};
use crate::markup::{escape, tables as written};
use crate::panel::{PageOptions, PagePart, Panel};
use crate::table::{Table, decimals};
use crate::values::ValueRow;
use crate::words::percent;

/// What models can do, task by task.
#[derive(Debug)]
pub struct ProfilePanel<'d> {
    document: &'d ProfileResults,
}

impl<'d> ProfilePanel<'d> {
    /// A panel of this document, unless it contradicts itself.
    pub fn new(document: &'d ProfileResults) -> Result<Self, ProfileResultsError> {
        document.check()?;
        Ok(Self { document })
    }

    /// What is said of each model in a sentence: how much of its skill went with the names, or why that cannot be said.
    pub fn sentences(&self) -> Vec<String> {
        self.document.models.iter().map(sentence).collect()
    }

    fn plot(&self, model: &'d ModelProfile, settings: &'d [String]) -> Curves<'d> {
        let curve = |(place, skill): (usize, &'d SkillSheet)| Curve {
            name: skill.title().into(),
            place,
            points: skill.levels.iter().map(|level| (level.setting, level.score)).collect(),
        };
        Curves {
            caption: model.name.clone(),
            label: "The profile of a model: a line a task by setting; the table below has the values",
            settings,
            curves: model.skills.iter().enumerate().map(curve).collect(),
        }
    }

    fn note(&self) -> String {
        format!(
            "A line is a task by its headline measure, in percent, a point the mean over functions. From left to right more is taken \
             away: names, shape, language. Whiskers and small numbers are intervals at {} confidence, by drawing functions. Where \
             its tasks share eight functions or more, a model is shown on these alone.",
            percent(self.document.confidence)
        )
    }
}

/// How much of a model's skill went with the names.
fn sentence(model: &ModelProfile) -> String {
    match (&model.familiarity, &model.why_not) {
        (Some(sheet), left_out) => {
            let skills: Vec<&str> = sheet.skills.iter().map(|skill| model.skills[*skill].name.as_str()).collect();
            let [value, low, high] =
                [sheet.lost.value, sheet.lost.low, sheet.lost.high].map(|share| decimals(100.0 * share, 0));
            let which = match (sheet.is_shared, skills.len()) {
                (_, 1) => "functions",
                (true, _) => "functions that these tasks share",
                (false, _) => "functions, not the same ones for each task",
            };
            let left_out = left_out.as_ref().map(|why| format!("; left out: {why}")).unwrap_or_default();
            format!(
                "{}: {value}% ({low} to {high}) of its skill at {} went with the names, on {} {which}{left_out}",
                model.name,
                listed(&skills),
                sheet.functions
            )
        }
        (None, Some(why)) => format!("{}: how much of its skill went with the names cannot be said: {why}", model.name),
        (None, None) => format!("{}: nothing was asked with other names", model.name),
    }
}

/// Words with commas between them, and *and* before the last one.
fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

impl Panel for ProfilePanel<'_> {
    fn name(&self) -> &str {
        "profile"
    }

    fn title(&self) -> &str {
        "One function, every task"
    }

    fn tables(&self) -> Vec<Table> {
        tables::all(self.document)
    }

    fn values(&self) -> Vec<ValueRow> {
        values::rows(self.document)
    }

    fn page(&self, _: &PageOptions) -> PagePart {
        let settings: Vec<String> = self.document.settings.iter().map(|setting| setting.name.clone()).collect();
        let plots: String = self.document.models.iter().map(|model| self.plot(model, &settings).figure()).collect();
        let sentences: String =
            self.sentences().iter().map(|sentence| format!("<li>{}</li>", escape(sentence))).collect();
        let sections = format!(
            "  <section id=\"profile\">\n    <h2>{}</h2>\n    <ul class=\"profile\">{sentences}</ul>\n    <p class=\"note\">{}</p>\n    <div \
             class=\"profiles\">\n{plots}    </div>\n    {}\n  </section>\n",
            escape(self.title()),
            escape(&self.note()),
            written(&self.tables())
        );
        PagePart {
            links: vec![("profile".to_owned(), self.title().to_owned())],
            sections,
            style: [curves::STYLE, include_str!("page/profile.css")].concat(),
            ..PagePart::default()
        }
    }
}
