//! A module unit of C++20 as an ordinary file: what only says who may see a declaration is blanked.
//!
//! `export`, `module` and `import` change nothing in what a function does, and a unit of its own has no module. What
//! is imported is not there then: a function that needs it is lost for that reason. A header that is imported is
//! included.

use estrange_text::lexer::{Kind, Token, lex};

use crate::flat::Flat;

/// The standards that have modules.
const STANDARDS: [&str; 6] = ["++20", "++2a", "++23", "++2b", "++26", "++2c"];

/// A stretch of text and what stands there instead.
struct Edit {
    start: usize,
    end: usize,
    instead: String,
}

/// Makes an ordinary file of a text in C++ that was flattened with `arguments`.
pub(crate) fn without_modules(flat: &mut Flat, arguments: &[String]) {
    let text = flat.text.as_str();
    if !(text.contains("module") || text.contains("import")) {
        return;
    }
    let tokens: Vec<Token> =
        lex(text).into_iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)).collect();
    let words: Vec<&str> = tokens.iter().map(|token| token.text(text)).collect();
    let has_modules =
        arguments.iter().any(|word| word.starts_with("-std=") && STANDARDS.iter().any(|name| word.ends_with(name)));
    let is_module = matches!(words.first(), Some(&("module" | "import")))
        || words.windows(2).any(|pair| pair[0] == "export" && matches!(pair[1], "module" | "import"));
    if !is_module && !has_modules {
        return;
    }
    let blank = |from: usize, to: usize| {
        let (start, end) = (tokens[from].start as usize, tokens[to].end as usize);
        let instead = text[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
        Edit { start, end, instead }
    };
    let mut edits: Vec<Edit> = Vec::new();
    let mut number = 0;
    while number < words.len() {
        let begins = number == 0 || matches!(words[number - 1], ";" | "{" | "}" | "export");
        match (words[number], words.get(number + 1)) {
            ("export", Some(&"{")) if is_module => {
                edits.push(blank(number, number + 1));
                edits.extend(closing(&words, number + 1).map(|close| blank(close, close)));
                number += 1;
            }
            ("export", _) if is_module => edits.push(blank(number, number)),
            ("module" | "import", Some(next)) if begins && directive_follows(&tokens, &words, number, next) => {
                let Some(end) = (number..words.len()).find(|&at| words[at] == ";") else { break };
                let edit = blank(number, end);
                let header = if words[number] == "import" { included(text, &edit) } else { None };
                edits.push(Edit { instead: header.unwrap_or(edit.instead), ..edit });
                number = end;
            }
            _ => {}
        }
        number += 1;
    }
    edits.sort_by_key(|edit| edit.start);
    apply(flat, &edits);
}

/// Whether what follows `module` or `import` makes a directive of it.
fn directive_follows(tokens: &[Token], words: &[&str], number: usize, next: &str) -> bool {
    let named = tokens[number + 1].kind == Kind::Identifier
        && words.get(number + 2).is_some_and(|after| matches!(*after, ";" | "." | ":" | "["));
    match words[number] {
        "module" => named || next == ";" || (next == ":" && words.get(number + 2) == Some(&"private")),
        _ => named || next == "<" || next == ":" || tokens[number + 1].kind == Kind::String,
    }
}

/// The directive that includes the standard header which an `import` on a line of its own names.
fn included(text: &str, import: &Edit) -> Option<String> {
    let line = text[..import.start].rfind('\n').map_or(0, |end| end + 1);
    let directive = &text[import.start..import.end];
    let (start, end) = (directive.find('<')?, directive.find('>')?);
    let before = text[line..import.start].trim();
    (before.is_empty() || before == "export").then(|| format!("#include {}", &directive[start..=end]))
}

/// The brace that closes the one at `open`.
fn closing(words: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (open..words.len()).find(|&at| {
        match words[at] {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => return false,
        }
        depth == 0
    })
}

/// Writes the edits, which stand in order, and moves the origins after them.
fn apply(flat: &mut Flat, edits: &[Edit]) {
    let mut text = String::with_capacity(flat.text.len());
    let mut from = 0;
    let mut runs = flat.runs.iter_mut().peekable();
    for edit in edits {
        while let Some(run) = runs.next_if(|run| run.start as usize <= edit.start) {
            run.start = (run.start as usize + text.len()).saturating_sub(from) as u32;
        }
        text.push_str(&flat.text[from..edit.start]);
        text.push_str(&edit.instead);
        from = edit.end;
    }
    for run in runs {
        run.start = (run.start as usize + text.len()).saturating_sub(from) as u32;
    }
    text.push_str(&flat.text[from..]);
    flat.text = text;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::LineRun;

    fn plain(text: &str, standard: &str) -> String {
        let run = LineRun { start: 0, file: 0, line: 1 };
        let mut flat = Flat { text: text.to_owned(), files: vec!["m.cpp".into()], runs: vec![run] };
        without_modules(&mut flat, &["-xc++".to_owned(), standard.to_owned()]);
        assert_eq!(flat.text.lines().count(), text.lines().count());
        flat.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_module_unit_becomes_an_ordinary_file() {
        let text = "module;\n#include <new>\nexport module a.b:part;\nexport import c;\nimport <vector>;\nimport :other;\n\
                    export int f() { return 1; }\nexport {\nint g();\n}\nnamespace n { export int h(); }\nmodule :private;\nint i;\n";
        let expected = "#include <new>\n#include <vector>\nint f() { return 1; }\nint g();\nnamespace n {        int h(); }\nint i;";
        assert_eq!(plain(text, ""), expected);
        assert_eq!(
            plain("#include <new>\nint x;\nimport a;\nint y;\n", "-std=gnu++20"),
            "#include <new>\nint x;\nint y;"
        );
    }

    #[test]
    fn other_files_stay_as_they_are() {
        let text =
            "struct module { int import; };\nmodule m;\nint f(module *import) { import->import = 1; return m.import; }";
        assert_eq!(plain(text, "-std=c++17"), text);
        let text = "int f(int module) { int import = module; return import; }";
        assert_eq!(plain(text, "-std=c++20"), text);
    }
}
