//! The tables of `estrange stats`, each made from the document.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use estrange_bench::evidence::SameCode;
use estrange_bench::funnel::{GroupTable, SettingNumbers, Summary};
use estrange_bench::{Group, Reason, Stage, Tier, Undefinedness};
use estrange_words::Word;

use super::document::{Numbers, ReasonNumbers, StatsJson};
use super::sheet::Sheet;
use super::words;
use crate::table::Align::{Left, Right};

/// How functions get fewer from stage to stage.
pub fn funnel(document: &StatsJson) -> Sheet {
    let columns = [("stage", Left), ("lost", Right), ("left", Right), ("share", Right)];
    let mut sheet = Sheet::new("From functions found to functions kept", columns);
    let found = document.functions.found;
    sheet.row(["found".to_owned(), String::new(), found.to_string(), percent(found, found)]);
    for stage in &document.stages {
        let lost = stage.lost.to_string();
        sheet.row([stage.stage.to_string(), lost, stage.left.to_string(), percent(stage.left, found)]);
    }
    let kept = document.functions.kept;
    sheet.row(["kept".to_owned(), (found - kept).to_string(), kept.to_string(), percent(kept, found)]);
    sheet.has_total = true;
    sheet
}

/// By language and kind.
pub fn classes(document: &StatsJson) -> Sheet {
    let found = document.by_class.iter().filter(|(_, numbers)| numbers.found > 0);
    let rows = found.map(|(class, numbers)| (words::class(*class).to_owned(), numbers));
    cut("By language and kind", "functions", rows, &document.functions)
}

/// By source.
pub fn sources(document: &StatsJson) -> Sheet {
    let rows = document.by_source.iter().map(|source| {
        let version = source.version.as_deref().unwrap_or("(lost)");
        (format!("{} {version}", source.source), &source.numbers)
    });
    cut("By source", "source", rows, &document.functions)
}

/// By what their file is to its project.
pub fn roles(document: &StatsJson) -> Sheet {
    let found = document.by_role.iter().filter(|(_, numbers)| numbers.found > 0);
    let rows = found.map(|(role, numbers)| (role.clone(), numbers));
    cut("By role of the file", "role", rows, &document.functions)
}

fn cut<'n>(
    title: &str,
    what: &'static str,
    rows: impl Iterator<Item = (String, &'n Numbers)>,
    together: &'n Numbers,
) -> Sheet {
    let columns = [
        (what, Left),
        ("found", Right),
        ("usable", Right),
        ("share", Right),
        ("kept", Right),
        ("linkable", Right),
        ("same code", Right),
        ("unit median", Right),
        ("unit 90%", Right),
    ];
    let mut sheet = Sheet::new(title, columns);
    let mut row = |name: String, numbers: &Numbers| {
        let statistics = &numbers.statistics;
        let lines = |number: fn(&estrange_bench::funnel::Distribution) -> u32| {
            statistics.unit_lines.as_ref().map_or("-".to_owned(), |lines| number(lines).to_string())
        };
        sheet.row([
            name,
            numbers.found.to_string(),
            numbers.usable.to_string(),
            percent(numbers.usable, numbers.found),
            numbers.kept.to_string(),
            share(statistics.linkable_share),
            same_code_share(statistics),
            lines(|lines| lines.median),
            lines(|lines| lines.p90),
        ]);
    };
    let mut count = 0;
    for (name, numbers) in rows {
        row(name, numbers);
        count += 1;
    }
    if count > 1 {
        row("together".to_owned(), together);
        sheet.has_total = true;
    }
    sheet
}

/// Why functions were not kept.
pub fn reasons(document: &StatsJson) -> Sheet {
    let columns = [("functions", Right), ("share", Right), ("stage", Left), ("reason", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("Why functions were not kept", columns);
    for lost in &document.rejected {
        let share = percent(lost.count, document.functions.found);
        sheet.row([lost.count.to_string(), share, stage(lost), lost.reason.to_string(), lost.meaning.clone()]);
    }
    sheet
}

/// Why whole files and sources were lost.
pub fn losses(document: &StatsJson) -> Sheet {
    let columns = [("files", Right), ("stage", Left), ("reason", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("Whole files and sources lost, functions in them not counted", columns);
    for lost in &document.losses {
        sheet.row([lost.count.to_string(), stage(lost), lost.reason.to_string(), lost.meaning.clone()]);
    }
    sheet
}

/// Why kept functions are not linkable.
pub fn unlinkable(document: &StatsJson) -> Sheet {
    let columns = [("functions", Right), ("share", Right), ("reason", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("Why kept functions are not linkable", columns);
    for lost in &document.unlinkable {
        let share = percent(lost.count, document.functions.kept);
        sheet.row([lost.count.to_string(), share, lost.reason.to_string(), lost.meaning.clone()]);
    }
    sheet
}

/// What was found when machine code was compared, at each level of optimisation.
pub fn same_code(document: &StatsJson) -> Sheet {
    let mut sheet = Sheet::new(
        "The machine code of kept functions, compared with their projects'",
        [("level", Left), ("functions", Right), ("share", Right), ("machine code in the unit", Left)],
    );
    for (level, verdicts) in &document.functions.statistics.same_code {
        let mut verdicts: Vec<(&SameCode, &u64)> = verdicts.iter().collect();
        verdicts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (verdict, count) in verdicts {
            let share = percent(*count, document.functions.kept);
            sheet.row([words::level(level), count.to_string(), share, verdict.phrase()]);
        }
    }
    sheet
}

/// The variants by setting.
pub fn variants(document: &StatsJson) -> Sheet {
    let columns = [
        ("setting", Left),
        ("functions", Right),
        ("share", Right),
        ("variants", Right),
        ("same code", Right),
        ("proved", Right),
        ("on all inputs", Right),
        ("agree", Right),
        ("weakly", Right),
        ("untestable", Right),
        ("same checks", Right),
        ("same runs", Right),
        ("not shown", Right),
        ("explained", Right),
        ("with helpers", Right),
        ("waiting", Right),
        ("LOC", Right),
        ("tokens", Right),
        ("CC", Right),
        ("distance", Right),
        ("expansion", Right),
        ("perturbed", Right),
        ("names left", Right),
        ("comments left", Right),
        ("same first letter", Right),
        ("by chance", Right),
        ("length r", Right),
    ];
    let mut sheet = Sheet::new("Variants, by what was shown of them", columns);
    let number = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.3}"));
    let mean = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.1}"));
    let tier = |numbers: &SettingNumbers, tier: Tier| numbers.tiers.get(&tier).copied().unwrap_or_default().to_string();
    let shown =
        |numbers: &SettingNumbers, word| numbers.undefinedness.get(&word).copied().unwrap_or_default().to_string();
    for (setting, numbers) in &document.variants {
        let waiting: u64 = numbers.waiting.values().flat_map(|reasons| reasons.values()).sum();
        sheet.row([
            setting.clone(),
            numbers.functions.to_string(),
            share(numbers.functions_share),
            numbers.variants.to_string(),
            tier(numbers, Tier::IdenticalCode),
            tier(numbers, Tier::Proved),
            tier(numbers, Tier::Exhaustive),
            tier(numbers, Tier::Agrees),
            tier(numbers, Tier::AgreesWeakly),
            tier(numbers, Tier::Untestable),
            shown(numbers, Undefinedness::SameChecks),
            shown(numbers, Undefinedness::SameRuns),
            shown(numbers, Undefinedness::NotShown),
            numbers.explained.to_string(),
            numbers.long.to_string(),
            waiting.to_string(),
            mean(numbers.loc),
            mean(numbers.tokens),
            mean(numbers.cyclomatic_complexity),
            number(numbers.surface_distance),
            number(numbers.expansion),
            number(numbers.perturbation_fraction),
            numbers.surviving_names.to_string(),
            numbers.surviving_comments.to_string(),
            share(numbers.same_first_letter),
            share(numbers.same_first_letter_by_chance),
            number(numbers.length_correlation),
        ]);
    }
    sheet
}

/// Why variants wait for evidence.
pub fn waiting(document: &StatsJson) -> Sheet {
    let columns = [("setting", Left), ("variants", Right), ("stage", Left), ("reason", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("Why variants wait for evidence", columns);
    for (setting, numbers) in &document.variants {
        for (stage, reasons) in &numbers.waiting {
            for (reason, count) in reasons {
                sheet.row([setting.clone(), count.to_string(), stage.to_string(), reason.to_string(), reason.phrase()]);
            }
        }
    }
    sheet
}

/// What became of each rewrite that was asked for: how many are right, and what is wrong with the others.
pub fn outcomes(document: &StatsJson) -> Sheet {
    const RIGHT: [Tier; 3] = [Tier::IdenticalCode, Tier::Proved, Tier::Agrees];
    let columns = [("setting", Left), ("variants", Right), ("share", Right), ("outcome", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("What became of every rewrite", columns);
    for (setting, numbers) in &document.variants {
        let mut refused: BTreeMap<Reason, u64> = BTreeMap::new();
        // What only lacks its long text is there.
        let stages = numbers.waiting.iter().filter(|(stage, _)| **stage != Stage::Long);
        for (reason, count) in stages.flat_map(|(_, reasons)| reasons) {
            *refused.entry(*reason).or_default() += count;
        }
        let mut refused: Vec<(Reason, u64)> = refused.into_iter().collect();
        refused.sort_by_key(|(reason, count)| (Reverse(*count), *reason));
        let of_tier = |tier: &Tier| numbers.tiers.get(tier).copied().unwrap_or_default();
        let right: u64 = RIGHT.iter().map(of_tier).sum();
        let asked = numbers.variants + refused.iter().map(|(_, count)| count).sum::<u64>();
        let mut row = |count: u64, outcome: &str, meaning: String| {
            sheet.row([setting.clone(), count.to_string(), percent(count, asked), outcome.to_owned(), meaning]);
        };
        row(right, "right", "the same code, proved, or the same on all inputs".to_owned());
        for tier in [Tier::AgreesWeakly, Tier::Untestable] {
            row(of_tier(&tier), tier.as_str(), tier.phrase());
        }
        for (reason, count) in refused {
            row(count, reason.as_str(), reason.phrase());
        }
    }
    sheet
}

/// The lowered functions by setting, as in the paper's Table 10.
pub fn lowered(document: &StatsJson) -> Sheet {
    let columns = [
        ("setting", Left),
        ("functions", Right),
        ("share", Right),
        ("lost", Right),
        ("lines", Right),
        ("tokens", Right),
        ("unique instructions", Right),
        ("same text", Right),
        ("of all", Right),
        ("classes", Right),
        ("names left", Right),
    ];
    let mut sheet = Sheet::new("Lowered functions", columns);
    let number = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.1}"));
    for (setting, numbers) in &document.lowered {
        sheet.row([
            setting.clone(),
            numbers.functions.to_string(),
            share(numbers.functions_share),
            numbers.lost.values().sum::<u64>().to_string(),
            number(numbers.lines),
            number(numbers.tokens),
            number(numbers.unique_instructions),
            numbers.duplicates.to_string(),
            share(numbers.duplicates_share),
            numbers.duplicate_classes.to_string(),
            numbers.surviving_names.to_string(),
        ]);
    }
    sheet
}

/// Why functions are not lowered.
pub fn not_lowered(document: &StatsJson) -> Sheet {
    let columns = [("setting", Left), ("functions", Right), ("reason", Left), ("meaning", Left)];
    let mut sheet = Sheet::new("Why functions are not lowered", columns);
    for (setting, numbers) in &document.lowered {
        for (reason, count) in &numbers.lost {
            sheet.row([setting.clone(), count.to_string(), reason.to_string(), reason.phrase()]);
        }
    }
    sheet
}

fn stage(reason: &ReasonNumbers) -> String {
    reason.stage.map(|stage| stage.to_string()).unwrap_or_default()
}

/// What the paper's Table 1 has of source code: one for each split, or one if there is no more.
pub fn groups(document: &StatsJson) -> Vec<Sheet> {
    let splits = &document.groups_by_split;
    let has_model_tokens = document.groups.total.mean_model_tokens.is_some();
    if splits.is_empty() {
        return vec![group_table("The kept functions by group".to_owned(), &document.groups, has_model_tokens)];
    }
    // Evaluation is the paper's Table 1, training its Table 7.
    let table =
        |(split, groups)| group_table(format!("The kept functions by group, split {split}"), groups, has_model_tokens);
    splits.iter().rev().map(table).collect()
}

fn group_table(title: String, groups: &GroupTable, has_model_tokens: bool) -> Sheet {
    let columns = [
        ("category", Left),
        ("functions", Right),
        ("tokens", Right),
        ("model tokens", Right),
        ("LOC", Right),
        ("CC", Right),
        ("unique keywords", Right),
        ("unit median", Right),
        ("unit 90%", Right),
        ("linkable", Right),
    ];
    let mut sheet = Sheet::new(title, columns);
    let mut row = |name: String, summary: &Summary| {
        let mean =
            |number: Option<f64>, digits: usize| number.map_or("-".to_owned(), |mean| format!("{mean:.digits$}"));
        let lines = summary.unit_lines.as_ref();
        sheet.row([
            name,
            summary.functions.to_string(),
            mean(summary.mean_tokens, 1),
            mean(summary.mean_model_tokens, 1),
            mean(summary.mean_loc, 1),
            mean(summary.mean_cyclomatic_complexity, 1),
            mean(summary.mean_unique_keywords, 2),
            lines.map_or("-".to_owned(), |lines| lines.median.to_string()),
            lines.map_or("-".to_owned(), |lines| lines.p90.to_string()),
            share(summary.linkable_share),
        ]);
    };
    for group in Group::ALL {
        row(format!("Group {group}"), groups.groups.get(group).unwrap_or(&Summary::default()));
    }
    row("Total".to_owned(), &groups.total);
    sheet.has_total = true;
    if !has_model_tokens {
        sheet.remove_column("model tokens");
    }
    sheet
}

/// The share of functions whose machine code was found to be that of their project; a dash where none was compared.
fn same_code_share(statistics: &Summary) -> String {
    match statistics.same_code.is_empty() {
        true => "-".to_owned(),
        false => share(statistics.same_code_share),
    }
}

/// A share with one decimal, rounded down, so that 100.0% means all of them.
pub fn percent(part: u64, whole: u64) -> String {
    share((whole > 0).then(|| part as f64 / whole as f64))
}

fn share(share: Option<f64>) -> String {
    // A thousandth may come out a hair too small; what is added is far less than one function in any bench.
    share.map_or("-".to_owned(), |share| format!("{:.1}%", (share * 1000.0 + 1e-9).floor() / 10.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_of_them_are_a_hundred_percent() {
        assert_eq!(percent(99_999, 100_000), "99.9%");
        assert_eq!(percent(7, 7), "100.0%");
        assert_eq!(percent(29, 1000), "2.9%");
        assert_eq!(percent(0, 0), "-");
    }
}
