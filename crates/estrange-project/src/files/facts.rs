//! What one look at a C or C++ file tells, without a compiler: its includes, whether it starts a program, whether
//! only C++ could accept it, and the comment it opens with.
//!
//! The look is lexical and forgiving: comments and string contents are blanked out, lines are read as words. It works
//! on bytes, so no encoding can fail it, and in one pass, so no nesting can exhaust it.

use super::lexis::{Lines, blank, words, words_in_place};

/// What was seen in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Every `#include` with a literal name, in order.
    pub includes: Vec<Include>,
    /// It defines `main` (or its Windows namesakes) whichever way the conditionals fall.
    pub starts_program: bool,
    /// It defines `LLVMFuzzerTestOneInput`.
    pub fuzz_target: bool,
    /// Something outside `#ifdef __cplusplus` that only C++ accepts.
    pub needs_cpp: bool,
    /// It mentions `__cplusplus`: its authors thought of both languages.
    pub serves_both: bool,
    /// The comments before the first code, without their markers; bounded.
    pub opening: String,
}

/// One `#include`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Include {
    /// The name between the quotes or brackets.
    pub name: String,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// An opening comment longer than this holds more than a licence: room for the whole GPL, version 2.
const OPENING_BOUND: usize = 20 * 1024;

/// More definitions of `main` than this, or conditionals nested deeper, tell nothing new.
const MAINS_BOUND: usize = 16;
const NESTING_BOUND: usize = 64;

impl Facts {
    /// Looks at a file's content.
    pub fn of(content: &[u8]) -> Self {
        let mut facts = Facts { opening: opening(content), ..Facts::default() };
        let blanked = blank(content);
        let mut conditions = Conditions::default();
        let mut mains: Vec<Vec<Condition>> = Vec::new();
        for line in Lines::of(&blanked) {
            let line = line.trim_ascii_start();
            if let Some(directive) = line.strip_prefix(b"#") {
                facts.directive(directive.trim_ascii_start(), &mut conditions);
            } else if conditions.cpp_only == 0 {
                facts.fuzz_target = facts.fuzz_target || has_word(line, b"LLVMFuzzerTestOneInput");
                facts.needs_cpp = facts.needs_cpp || only_cpp(line);
                if mains.len() < MAINS_BOUND && may_define_main(line) {
                    mains.extend(conditions.that_may_fail());
                }
            }
        }
        facts.starts_program = always_one(&mains);
        facts
    }

    fn directive(&mut self, directive: &[u8], conditions: &mut Conditions) {
        let Some((_, keyword, rest)) = words_in_place(directive).next() else { return };
        let rest = rest.trim_ascii_start();
        let cplusplus = has_word(rest, b"__cplusplus");
        self.serves_both = self.serves_both || cplusplus;
        let meaning = match keyword {
            // The guard of a header, or `#ifndef __cplusplus`: the text inside is what a C compiler sees.
            b"ifndef" => Meaning::Guard,
            b"if" if rest.starts_with(b"!") => Meaning::Guard,
            _ if cplusplus => Meaning::CppOnly,
            _ => Meaning::Other,
        };
        match keyword {
            b"include" | b"include_next" | b"import" => self.include(rest),
            b"if" | b"ifdef" | b"ifndef" => conditions.open(meaning),
            b"else" | b"elif" => conditions.turn(meaning),
            b"endif" => drop(conditions.pop()),
            _ => {}
        }
    }

    fn include(&mut self, rest: &[u8]) {
        let (close, quoted) = match rest.first() {
            Some(b'"') => (b'"', true),
            Some(b'<') => (b'>', false),
            _ => return,
        };
        let Some(length) = rest[1..].iter().position(|&byte| byte == close) else { return };
        let name = String::from_utf8_lossy(&rest[1..=length]).into_owned();
        // Only the C++ library has headers without an ending: `<vector>`.
        if !quoted && !name.contains(['.', '/']) && !name.is_empty() {
            self.needs_cpp = true;
        }
        self.includes.push(Include { name, quoted });
    }
}

/// The conditionals around a line.
#[derive(Default)]
struct Conditions {
    open: Vec<Condition>,
    opened: usize,
    cpp_only: usize,
}

/// One branch of one conditional.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Condition {
    meaning: Meaning,
    number: usize,
    branch: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    CppOnly,
    Guard,
    Other,
}

impl Conditions {
    fn open(&mut self, meaning: Meaning) {
        self.opened += 1;
        self.push(Condition { meaning, number: self.opened, branch: 0 });
    }

    fn turn(&mut self, meaning: Meaning) {
        if let Some(last) = self.pop() {
            self.push(Condition { meaning, branch: last.branch + 1, ..last });
        }
    }

    fn push(&mut self, condition: Condition) {
        self.cpp_only += usize::from(condition.meaning == Meaning::CppOnly);
        self.open.push(condition);
    }

    fn pop(&mut self) -> Option<Condition> {
        let last = self.open.pop()?;
        self.cpp_only -= usize::from(last.meaning == Meaning::CppOnly);
        Some(last)
    }

    /// The conditionals that may not hold; `None` if there are more than a person would nest.
    fn that_may_fail(&self) -> Option<Vec<Condition>> {
        let may_fail = self.open.iter().copied().filter(|condition| condition.meaning != Meaning::Guard);
        (self.open.len() <= NESTING_BOUND).then(|| may_fail.collect())
    }
}

/// Whether one of the places is reached whichever way the conditionals fall: a place under none, or two in different
/// branches of the same. A lone `main` under a condition is a library file's self-test.
fn always_one(places: &[Vec<Condition>]) -> bool {
    let same = |a: &[Condition], b: &[Condition]| a.iter().map(|c| c.number).eq(b.iter().map(|c| c.number));
    places.iter().any(Vec::is_empty)
        || places.iter().enumerate().any(|(at, a)| {
            let differ = |b: &&Vec<Condition>| a.last().map(|c| c.branch) != b.last().map(|c| c.branch);
            places.iter().skip(at + 1).filter(differ).any(|b| same(a, b))
        })
}

fn has_word(line: &[u8], word: &[u8]) -> bool {
    words(line).any(|found| found == word)
}

/// Whether a line of code can only be C++. Words that C programs use as names (`class`, `template`, `new`) count only
/// together with what C++ puts beside them.
fn only_cpp(line: &[u8]) -> bool {
    let mut previous: &[u8] = b"";
    for (_, word, rest) in words_in_place(line) {
        let rest = rest.trim_ascii_start();
        let found = match word {
            b"template" => rest.starts_with(b"<"),
            b"namespace" => previous == b"using" || rest.ends_with(b"{") || rest.is_empty() || rest.ends_with(b"}"),
            b"class" => previous.is_empty() && declares_class(rest),
            b"std" => rest.starts_with(b"::"),
            b"public" | b"private" | b"protected" => {
                previous.is_empty() && rest.starts_with(b":") && !rest.starts_with(b"::")
            }
            b"static_cast" | b"reinterpret_cast" | b"const_cast" | b"dynamic_cast" => rest.starts_with(b"<"),
            _ => false,
        };
        if found {
            return true;
        }
        previous = word;
    }
    false
}

/// After `class` at the start of a line: a name, then a body, a base, or the end of a forward declaration.
fn declares_class(rest: &[u8]) -> bool {
    let Some((_, _, tail)) = words_in_place(rest).last() else { return false };
    let named = rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let ends_well = matches!(tail.trim_ascii(), b"" | b"{" | b";" | b"{};" | b"{ };");
    named && (ends_well || rest.contains(&b':')) && !rest.contains(&b'=')
}

/// Whether a line looks like the head of a definition of `main`: nothing before it but a type, no `;` after it.
fn may_define_main(line: &[u8]) -> bool {
    for (before, word, rest) in words_in_place(line) {
        if matches!(word, b"main" | b"wmain" | b"tmain" | b"_tmain" | b"WinMain" | b"wWinMain") {
            let rest = rest.trim_ascii();
            let only_a_type = before.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_ \t".contains(byte));
            return only_a_type && rest.starts_with(b"(") && !rest.ends_with(b";");
        }
        if matches!(word, b"return" | b"else" | b"do" | b"case" | b"goto") {
            return false;
        }
    }
    false
}

/// The text of the comments before the first code. Directives do not end it: a licence may follow an include guard.
fn opening(content: &[u8]) -> String {
    let mut text = Vec::new();
    let mut rest = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    while text.len() < OPENING_BOUND {
        rest = rest.trim_ascii_start();
        if let Some(comment) = rest.strip_prefix(b"/*") {
            let end = comment.windows(2).position(|pair| pair == b"*/").unwrap_or(comment.len());
            text.extend_from_slice(&comment[..end.min(OPENING_BOUND)]);
            rest = comment.get(end + 2..).unwrap_or_default();
        } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
            let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            if rest.starts_with(b"//") {
                text.extend_from_slice(&rest[2..end.clamp(2, OPENING_BOUND)]);
            }
            rest = &rest[end..];
        } else {
            break;
        }
        text.push(b'\n');
    }
    String::from_utf8_lossy(&text).lines().map(undecorate).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// A comment's line without the stars, slashes and rules that frame it.
fn undecorate(line: &str) -> &str {
    line.trim().trim_start_matches(['*', '/', '!', '#', '|', ';']).trim_end_matches(['*', '/', '|', '#']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        Facts::of(text.as_bytes())
    }

    #[test]
    fn includes_are_read_and_commented_ones_are_not() {
        let seen = facts("#include \"a.h\"\n# include <sys/b.h>\n// #include \"c.h\"\n/*\n#include \"d.h\"\n*/\n");
        let names: Vec<_> = seen.includes.iter().map(|include| (include.name.as_str(), include.quoted)).collect();
        assert_eq!(names, [("a.h", true), ("sys/b.h", false)]);
        assert!(!seen.needs_cpp);
    }

    #[test]
    fn a_program_is_told_from_a_self_test() {
        assert!(facts("int main(void)\n{ return 0; }").starts_program);
        assert!(facts("int\nmain (argc, argv)\n int argc; char **argv;\n{}").starts_program);
        assert!(facts("#ifdef WIDE\nint wmain() {}\n#else\nint main() {}\n#endif").starts_program);
        assert!(!facts("#ifdef SELF_TEST\nint main(void) { return 0; }\n#endif").starts_program);
        let nested = "#ifdef A\n#ifdef T\nint main() {}\n#endif\n#else\n#ifdef T\nint main() {}\n#endif\n#endif";
        assert!(!facts(nested).starts_program);
        assert!(!facts("int main(void);").starts_program);
        assert!(!facts("/* int main() { */ char *s = \"int main() {\";").starts_program);
        assert!(!facts("x = main(3);\nreturn main(4) + 2\n").starts_program);
    }

    #[test]
    fn only_what_c_refuses_makes_a_file_cpp() {
        for cpp in [
            "#include <vector>",
            "template <class T> T f();",
            "namespace a {",
            "using namespace a;",
            "class A {",
            "class A : public B",
            "class A;",
            "  public:",
            "int x = static_cast<int>(y);",
            "std::string s;",
        ] {
            assert!(facts(cpp).needs_cpp, "{cpp}");
        }
        for c in [
            "int class = 3;",
            "f(template, namespace);",
            "#include <stdio.h>",
            "#ifdef __cplusplus\nextern \"C\" {\nnamespace a { class B; }\n#endif\nint f(void);",
            "// class A {",
            "struct s { int class; };",
        ] {
            assert!(!facts(c).needs_cpp, "{c}");
        }
        assert!(facts("#ifdef __cplusplus\n#endif").serves_both);
        assert!(facts("#ifndef H\n#define H\nclass A {};\n#endif").needs_cpp);
    }

    #[test]
    fn the_opening_comment_is_bare_text() {
        let seen = facts("/*\n * One.\n *\n * Two.\n */\n#ifndef A\n// Three.\nint x; /* not this */");
        assert_eq!(seen.opening, "One.\n\nTwo.\n\n\nThree.");
    }

    #[test]
    fn conditionals_nested_without_end_take_no_longer_for_it() {
        let started = std::time::Instant::now();
        let text = format!("{}{}", "#if A\n".repeat(200_000), "int main() {\n".repeat(200_000));
        assert!(!facts(&text).starts_program);
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_can_fail_it(bytes: Vec<u8>) {
            let _ = Facts::of(&bytes);
        }

        #[test]
        fn no_near_code_can_fail_it(text in r#"([#"'/*\\\n<>(){} ]|include|main|if|class|R"\()*"#) {
            let _ = Facts::of(text.as_bytes());
        }
    }
}
