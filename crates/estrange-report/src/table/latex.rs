//! Tables for a paper in LaTeX, with the rules of the package `booktabs`.

use super::{Align, Entry, Number, Section, Spread, Table, decimals, printable};

impl Table {
    /// The table for a paper: a `table` with caption and label, ready for `\input`. It needs the package `booktabs`.
    pub fn to_latex(&self) -> String {
        let letters = self.columns.iter().map(|column| if column.align == Align::Left { 'l' } else { 'r' });
        let mut caption = format!("{}.", escape(self.title.trim_end_matches('.')));
        if !self.note.is_empty() {
            caption += &format!(" {}", escape(&self.note));
        }
        let mut text = format!("\\begin{{table}}\n  \\centering\n  \\small\n  \\caption{{{caption}}}\n");
        text += &format!("  \\label{{tab:{}}}\n", self.name);
        text += &format!("  \\begin{{tabular}}{{{}}}\n    \\toprule\n", letters.collect::<String>());
        text += &self.latex_headings();
        for (place, section) in self.sections.iter().enumerate() {
            text += if place == 0 { "    \\midrule\n" } else { "    \\addlinespace\n" };
            text += &self.latex_section(section);
        }
        text + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n"
    }

    fn latex_headings(&self) -> String {
        let mut text = String::new();
        if self.has_spans() {
            let spans = self.spans();
            text += &line(spans.iter().map(|(over, range)| match over.is_empty() {
                true => String::new(),
                false => format!("\\multicolumn{{{}}}{{c}}{{{}}}", range.len(), escape(over)),
            }));
            let rules = spans.iter().filter(|(over, _)| !over.is_empty());
            let rules = rules.map(|(_, range)| format!("\\cmidrule(lr){{{}-{}}}", range.start + 1, range.end));
            text += &format!("    {}\n", rules.collect::<Vec<_>>().join(" "));
        }
        text + &line(self.columns.iter().map(|column| escape(&column.heading)))
    }

    fn latex_section(&self, section: &Section) -> String {
        let mut text = String::new();
        if !section.title.is_empty() {
            let columns = self.columns.len();
            text += &format!("    \\multicolumn{{{columns}}}{{l}}{{\\textit{{{}}}}} \\\\\n", escape(&section.title));
        }
        for row in &section.rows {
            text += &line(row.iter().map(|entry| match entry {
                Entry::Empty => "--".to_owned(),
                Entry::Text(words) => escape(words),
                Entry::Number(number) => self.latex_number(number),
            }));
        }
        text
    }

    fn latex_number(&self, number: &Number) -> String {
        let show = |value: f64| decimals(value, number.digits).replace('-', "$-$");
        let value = if number.is_best { format!("\\textbf{{{}}}", show(number.value)) } else { show(number.value) };
        match number.spread {
            Spread::Interval { low, high } if self.shows_spread => {
                format!("{value} {{\\scriptsize [{}, {}]}}", show(low), show(high))
            }
            Spread::Error(error) if self.shows_spread => format!("{value} $\\pm$ {}", show(error)),
            _ => value,
        }
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("    {} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Text that LaTeX sets as it is.
fn escape(text: &str) -> String {
    let mut output = String::new();
    for character in printable(text).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => output.extend(['\\', character]),
            '\\' => output += "\\textbackslash{}",
            '~' => output += "\\textasciitilde{}",
            '^' => output += "\\textasciicircum{}",
            '<' => output += "\\textless{}",
            '>' => output += "\\textgreater{}",
            '|' => output += "\\textbar{}",
            // Its name is not known in every font encoding.
            '"' => output += "\\char34{}",
            // A bracket after the end of a row would be read as the row's own argument.
            '[' | ']' => output.extend(['{', character, '}']),
            '–' => output += "--",
            '−' => output += "$-$",
            '×' => output += "$\\times$",
            '±' => output += "$\\pm$",
            '·' => output += "$\\cdot$",
            other => output.push(other),
        }
    }
    output
}
