//! Tables as HTML, in boxes of their own that scroll where there is no room.

use super::escape;
use crate::table::{Align, Entry, Number, Part, Section, Spread, Table, decimals};

/// All tables.
pub(crate) fn tables(tables: &[Table]) -> String {
    tables.iter().map(table).collect()
}

fn table(table: &Table) -> String {
    let name = escape(&table.name);
    let note = match table.note.is_empty() {
        true => String::new(),
        false => format!("<span class=\"note\">{}</span>", escape(&table.note)),
    };
    format!(
        "<figure class=\"table\" id=\"table-{name}\"><figcaption id=\"caption-{name}\">{}{note}</figcaption>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-{name}\">\
         <table><thead>{}</thead>{}</table></div></figure>\n",
        escape(&table.title),
        headings(table),
        table.sections.iter().map(|section| body(table, section)).collect::<String>()
    )
}

fn headings(table: &Table) -> String {
    let spans = table.spans();
    let has_spans = spans.iter().any(|(over, _)| !over.is_empty());
    let own = |place: usize, more: &str| {
        let column = &table.columns[place];
        format!("<th scope=\"col\"{}{more}>{}</th>", class(column.align), escape(&column.heading))
    };
    if !has_spans {
        let cells = (0..table.columns.len()).map(|place| own(place, ""));
        return format!("<tr>{}</tr>", cells.collect::<String>());
    }
    let mut first = String::new();
    let mut second = String::new();
    for (over, range) in spans {
        if over.is_empty() {
            first += &own(range.start, " rowspan=\"2\"");
        } else {
            first +=
                &format!("<th scope=\"colgroup\" class=\"over\" colspan=\"{}\">{}</th>", range.len(), escape(over));
            second += &range.map(|place| own(place, "")).collect::<String>();
        }
    }
    format!("<tr>{first}</tr><tr>{second}</tr>")
}

fn body(table: &Table, section: &Section) -> String {
    let mut text = "<tbody>".to_owned();
    if !section.title.is_empty() {
        let columns = table.columns.len();
        text += &format!(
            "<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"{columns}\"><span>{}</span></th></tr>",
            escape(&section.title)
        );
    }
    for row in &section.rows {
        text += "<tr>";
        for (place, (entry, column)) in row.iter().zip(&table.columns).enumerate() {
            text += &match (place, entry) {
                (0, Entry::Text(words)) => format!("<th scope=\"row\">{}</th>", escape(words)),
                (_, Entry::Text(words)) => format!("<td{}>{}</td>", class(column.align), escape(words)),
                (_, Entry::Empty) => "<td class=\"number\">–</td>".to_owned(),
                (_, Entry::Number(number)) => cell(number),
            };
        }
        text += "</tr>";
    }
    text + "</tbody>"
}

/// A number, with what the script needs to compute it again.
fn cell(number: &Number) -> String {
    let show = |value: f64, digits: usize| decimals(value, digits).replace('-', "−");
    // Bounds are less certain than what they bound: a decimal less is enough.
    let rough = |value: f64| show(value, number.digits.saturating_sub(1));
    let origin = number.origin.map(|origin| {
        let part = match origin.part {
            Part::Mean => "mean",
            Part::Drop => "drop",
            Part::Left => "left",
        };
        format!(" data-result=\"{}\" data-part=\"{part}\" data-digits=\"{}\"", origin.result, number.digits)
    });
    let value = show(number.value, number.digits);
    let value = if number.is_best { format!("<b>{value}</b>") } else { value };
    let spread = match number.spread {
        Spread::Unknown => String::new(),
        Spread::Interval { low, high } => format!("<small>{}\u{202f}–\u{202f}{}</small>", rough(low), rough(high)),
        Spread::Error(error) => format!("<small>± {}</small>", show(error, number.digits)),
    };
    format!("<td class=\"number\"{}>{value}{spread}</td>", origin.unwrap_or_default())
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}
