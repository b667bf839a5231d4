//! A page of literate tests, read and rewritten.
//!
//! Each `##` heading begins a case: prose, the files in fenced blocks (`source` is the one that is compiled, others have
//! their own names), then for each function asked for a sentence that names it and its group, and its unit:
//!
//! ````markdown
//! ```c source
//! int one(void) { return 1; }
//! ```
//!
//! `one` is in group 1:
//!
//! ```c unit
//! int one(void) { return 1; }
//! ```
//! ````
//!
//! The sentence may begin with `Compiled with` and flags, and may say `second` before a name that two functions share.
//! A block `text documentation` after the sentence has the function's documentation comment. The word `latin-1` after
//! a file's name says how the file is encoded.

use std::ops::Range;

/// A page.
pub struct Page {
    lines: Vec<String>,
    pub cases: Vec<Case>,
}

/// A heading with files and questions.
#[derive(Default)]
pub struct Case {
    pub heading: String,
    pub is_cpp: bool,
    pub files: Vec<File>,
    pub questions: Vec<Question>,
}

/// A file; `source` is the one that is compiled.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A function that is asked for, with the answers that are expected.
pub struct Question {
    pub name: String,
    /// Which of the functions of this name, from zero.
    pub number: usize,
    pub flags: Vec<String>,
    pub group: u32,
    pub unit: String,
    pub documentation: Option<String>,
    places: Places,
}

/// Where the answers stand, in lines of the page.
#[derive(Default)]
struct Places {
    sentence: usize,
    unit: Option<Range<usize>>,
    documentation: Option<Range<usize>>,
}

/// The answers that a question got.
pub struct Answers {
    pub group: u32,
    pub unit: String,
    pub documentation: Option<String>,
}

const SENTENCE: &str = " is in group ";

impl Page {
    /// Reads a page. A page that does not say what is meant is a mistake of its author's: it panics with the line.
    pub fn read(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut cases: Vec<Case> = Vec::new();
        let mut number = 0;
        while number < lines.len() {
            let line = lines[number].as_str();
            number += 1;
            if let Some(heading) = line.strip_prefix("## ") {
                cases.push(Case { heading: heading.to_owned(), ..Case::default() });
            }
            let Some(case) = cases.last_mut() else { continue };
            if let Some(info) = line.strip_prefix("```") {
                let end = (number..lines.len()).find(|end| lines[*end] == "```").expect("a block ends");
                case.block(info, &lines, number..end);
                number = end + 1;
            } else if line.contains(SENTENCE) && line.ends_with(':') {
                case.questions.push(Question::read(line, number - 1));
            }
        }
        for question in cases.iter().flat_map(|case| &case.questions) {
            assert!(question.places.unit.is_some(), "`{}` has no block for its unit", question.name);
        }
        Self { lines, cases }
    }

    /// The page with other answers, where there are any, one for each question in order.
    pub fn rewritten(&self, answers: &[Option<Answers>]) -> String {
        let mut lines = self.lines.clone();
        let questions: Vec<&Question> = self.cases.iter().flat_map(|case| &case.questions).collect();
        // From the back, so that the places before stay true.
        for (question, answers) in questions.iter().zip(answers).rev() {
            let Some(answers) = answers else { continue };
            let documentation = question.places.documentation.clone().zip(answers.documentation.as_deref());
            let unit = question.places.unit.clone().zip(Some(answers.unit.as_str()));
            let mut blocks: Vec<(Range<usize>, &str)> = [documentation, unit].into_iter().flatten().collect();
            blocks.sort_by_key(|(range, _)| range.start);
            for (range, text) in blocks.into_iter().rev() {
                lines.splice(range, text.lines().map(str::to_owned));
            }
            let sentence = &mut lines[question.places.sentence];
            let (before, _) = sentence.rsplit_once(SENTENCE).expect("it was read there");
            *sentence = format!("{before}{SENTENCE}{}:", answers.group);
        }
        lines.join("\n") + "\n"
    }
}

impl Case {
    fn block(&mut self, info: &str, lines: &[String], range: Range<usize>) {
        let text: String = lines[range.clone()].iter().map(|line| format!("{line}\n")).collect();
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        match (words.next(), self.questions.last_mut()) {
            (Some("unit"), Some(question)) => {
                question.unit = text;
                question.places.unit = Some(range);
            }
            (Some("documentation"), Some(question)) => {
                question.documentation = Some(text);
                question.places.documentation = Some(range);
            }
            (Some(name), None) => {
                self.is_cpp |= language == "cpp";
                let bytes = match words.next() {
                    Some("latin-1") => text.chars().map(|letter| u8::try_from(letter).expect("of Latin-1")).collect(),
                    _ => text.into_bytes(),
                };
                self.files.push(File { name: name.to_owned(), bytes });
            }
            _ => panic!("{}: a block that means nothing: {info}", self.heading),
        }
    }
}

impl Question {
    fn read(line: &str, at: usize) -> Self {
        let (before, group) = line.trim_end_matches(':').rsplit_once(SENTENCE).expect("a sentence");
        let quoted: Vec<&str> = before.split('`').skip(1).step_by(2).collect();
        let flags = if before.starts_with("Compiled with") { quoted[0] } else { "" };
        Self {
            name: quoted.last().expect("the name of a function").to_string(),
            number: usize::from(before.contains("second `")),
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            group: group.parse().unwrap_or_default(),
            unit: String::new(),
            documentation: None,
            places: Places { sentence: at, ..Places::default() },
        }
    }
}
