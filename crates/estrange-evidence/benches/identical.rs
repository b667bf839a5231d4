//! What the evidence `identical-code` costs: randomized trials of many units, against compiling the units one by one.
//!
//! `cargo bench -p estrange-evidence --bench identical -- FOLDER [UNITS] [TRIALS]` takes the files in a folder, each a
//! unit of its own: C, or C++ if the first is called so; without a folder, units are made up. It prints CPU times, and what was found; every difference that
//! it prints is a wrong renaming by the few lines here, or a wrong verdict.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::path::Path;

use estrange_evidence::{Clang, Gcc, LEVELS, Language, Level, Pair, Renames, identical_code};
use estrange_sandbox::Tool;
use estrange_text::lexer::{Kind, Token, directive_name, lex, lex_directive};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |at: usize, default| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (units, trials) = (number(1, 100), number(2, 10));
    let (language, mut texts) = match arguments.first() {
        Some(folder) => read(Path::new(folder))?,
        None => (Language::C, (0..units).map(made_up).collect()),
    };
    // What makes names of parts of names is beyond the few lines here.
    texts.retain(|text| !text.contains("##"));
    texts.truncate(units);
    println!("{} units, {trials} trials of each", texts.len());

    let mut headers = Headers::default();
    let mut variants = Vec::new();
    for (seed, text) in texts.iter().enumerate() {
        let names = headers.names(language, text)?;
        let own: Vec<String> = identifiers(text).into_iter().filter(|name| !names.contains(name)).collect();
        for trial in 0..trials {
            variants.push((text, renamed(text, &own, (seed * trials + trial) as u64)));
        }
    }
    let renames: Vec<Renames> = variants.iter().map(|(_, (_, pairs))| Renames::new(pairs.iter().cloned())).collect();
    let pairs: Vec<Pair<'_>> = variants
        .iter()
        .zip(&renames)
        .map(|((old, (new, _)), renames)| Pair { old: old.as_str(), new: new.as_str(), renames })
        .collect();

    let sample = &texts[..texts.len().min(SAMPLE)];
    let plain = one_by_one(language, sample, &|_| Vec::new())?;
    println!("the units one by one: {}", plain.shown(sample.len()));
    let kept = one_by_one(language, sample, &|level| level.flags(language))?;
    println!("the units one by one, every function kept by gcc: {}", kept.shown(sample.len()));

    let (gcc, clang) = (
        Gcc::find(&estrange_sandbox::Workshop::temporary()?)?,
        Clang::find(&estrange_sandbox::Workshop::temporary()?)?,
    );
    let start = Cpu::now()?;
    let found = identical_code(&gcc, &clang, language, &[], &LEVELS, &pairs, &|symbol| headers.is_declared(symbol))?;
    let evidence = Cpu::now()?.since(&start);
    println!("the evidence: {}", evidence.shown(pairs.len()));
    let scale = texts.len() as f64 / sample.len().max(1) as f64;
    println!("ratio: {:.2}", evidence.total() / plain.total() / scale);

    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, found) in found.iter().enumerate() {
        let what = match found {
            Err(refusal) => {
                println!("{index}: {refusal}");
                "refused"
            }
            Ok(code) => match code.first_difference() {
                None if code.explanations().is_empty() => "identical",
                None => "explained",
                Some(difference) => {
                    println!("{index}: {difference:?}");
                    "different"
                }
            },
        };
        *counts.entry(what).or_default() += 1;
    }
    println!("{counts:?}");
    Ok(())
}

/// So many units are compiled one by one.
const SAMPLE: usize = 200;

/// What it costs to compile these with both compilers at both levels, in processes of their own.
fn one_by_one(
    language: Language,
    texts: &[String],
    flags: &dyn Fn(Level) -> Vec<&'static str>,
) -> Result<Cpu, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("unit.c");
    let start = Cpu::now()?;
    for text in texts {
        std::fs::write(&file, text)?;
        for (level, flag) in [(Level::O0, "-O0"), (Level::O2, "-O2")] {
            let gcc = Tool::new("gcc").arguments(flags(level)).argument(flag);
            for tool in [gcc, Tool::new("clang-19").argument(flag)] {
                let tool =
                    tool.arguments(["-w", "-x", name(language), "-c", "-o"]).argument(folder.path().join("unit.o"));
                tool.argument(&file).run()?;
            }
        }
    }
    Ok(Cpu::now()?.since(&start))
}

fn read(folder: &Path) -> Result<(Language, Vec<String>), Box<dyn Error>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort_unstable();
    let is_c = paths.first().is_some_and(|path| path.extension().is_some_and(|extension| extension == "c"));
    let texts = paths.iter().map(std::fs::read_to_string).collect::<Result<_, _>>()?;
    Ok((if is_c { Language::C } else { Language::Cpp }, texts))
}

/// The name of a language for the compilers.
fn name(language: Language) -> &'static str {
    match language {
        Language::C => "c",
        Language::Cpp => "c++",
    }
}

/// A unit with the usual things in it.
fn made_up(number: usize) -> String {
    format!(
        "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#define LIMIT {number}\n\
         struct node {{ int key; char name[16]; struct node *next; }};\nextern int lookup(const char *name);\n\
         static int calls = {number};\n\
         static struct node *find(struct node *head, const char *name) {{\n    assert(head != NULL);\n\
         \x20   for (struct node *at = head; at; at = at->next) {{\n        calls++;\n\
         \x20       if (at->key > LIMIT && strcmp(at->name, name) == 0) return at;\n        if (lookup(at->name)) printf(\"%s\\n\", __func__);\n\
         \x20   }}\n    return NULL;\n}}\n"
    )
}

/// The names that belong to headers, by their files.
#[derive(Default)]
struct Headers {
    known: HashMap<String, HashSet<String>>,
}

impl Headers {
    /// The names of all files that a text includes, with either compiler, and of the language.
    fn names(&mut self, language: Language, text: &str) -> Result<HashSet<String>, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("unit.c");
        std::fs::write(&file, text)?;
        let mut names: HashSet<String> = KEYWORDS.split_whitespace().map(str::to_owned).collect();
        for program in ["gcc", "clang-19"] {
            let output =
                Tool::new(program).arguments(["-E", "-O2", "-w", "-x", name(language)]).argument(&file).run()?.text();
            let marks = output.lines().filter_map(|line| line.strip_prefix("# ")?.split('"').nth(1));
            for header in marks.filter(|header| header.starts_with("/usr/")).collect::<HashSet<_>>() {
                if !self.known.contains_key(header) {
                    let text = String::from_utf8_lossy(&std::fs::read(header)?).into_owned();
                    self.known.insert(header.to_owned(), identifiers(&text).into_iter().collect());
                }
                names.extend(self.known[header].iter().cloned());
            }
        }
        Ok(names)
    }

    fn is_declared(&self, symbol: &str) -> bool {
        self.known.values().any(|names| names.contains(symbol))
    }
}

const KEYWORDS: &str = "alignas alignof bool catch class const_cast constexpr decltype delete dynamic_cast explicit \
    export false friend mutable namespace new noexcept nullptr operator private protected public reinterpret_cast \
    static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t char16_t \
    char32_t final override default and or not xor std auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main \
    _Bool _Complex _Alignof _Alignas _Atomic _Generic _Noreturn _Static_assert _Thread_local asm typeof __asm__ __asm \
    __attribute__ __attribute __extension__ __inline __inline__ __restrict __restrict__ __typeof__ __typeof __volatile__ \
    __func__ __FUNCTION__ __PRETTY_FUNCTION__ __VA_ARGS__ __alignof__ __const __signed__ __volatile defined include define \
    undef ifdef ifndef if elif else endif line error pragma __LINE__ __FILE__ __COUNTER__ __has_include __has_attribute \
    noreturn unused used noinline always_inline packed aligned format printf cold hot pure malloc section visibility weak \
    deprecated nonnull fallthrough alloc_size returns_nonnull vector_size mode constructor gnu_inline artificial cleanup \
    NDEBUG __real__ __imag__ __label__ __thread __int128 _Float128 __float128 __has_builtin __DATE__ __TIME__";

/// The identifiers of a text, each once, in order; those of attributes, pragmas and builtin functions are left out.
fn identifiers(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    tokens(text)
        .iter()
        .map(|token| token.text(text))
        .filter(|name| !name.starts_with("__") && seen.insert(name.to_string()))
        .map(str::to_owned)
        .collect()
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for token in lex(text) {
        match token.kind {
            Kind::Identifier => found.push(token),
            Kind::Directive if ["include", "pragma"].contains(&directive_name(token.text(text))) => {}
            Kind::Directive => {
                let parts: Vec<Token> = lex_directive(text, &token).collect();
                found.extend(parts.into_iter().filter(|part| part.kind == Kind::Identifier));
            }
            _ => {}
        }
    }
    found
}

/// The text with a new name for each of these identifiers, and the pairs.
fn renamed(text: &str, own: &[String], seed: u64) -> (String, Vec<(String, String)>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let mut new: HashMap<&str, String> = HashMap::new();
    for (index, name) in own.iter().enumerate() {
        let letters = 8 + next(9);
        let random: String = (0..letters).map(|_| char::from(b'a' + next(26) as u8)).collect();
        new.insert(name, format!("{random}_{index}"));
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for token in tokens(text) {
        if let Some(name) = new.get(token.text(text)) {
            out.push_str(&text[at..token.start as usize]);
            out.push_str(name);
            at = token.end as usize;
        }
    }
    out.push_str(&text[at..]);
    (out, new.into_iter().map(|(old, new)| (old.to_owned(), new)).collect())
}

/// CPU time of this process and of those that it waited for, in seconds.
struct Cpu {
    own: f64,
    children: f64,
}

impl Cpu {
    fn now() -> Result<Self, Box<dyn Error>> {
        let stat = std::fs::read_to_string("/proc/self/stat")?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("/proc/self/stat")?;
        let ticks: Vec<f64> = fields.split(' ').skip(11).take(4).map(|field| field.parse().unwrap_or(0.0)).collect();
        Ok(Self { own: (ticks[0] + ticks[1]) / 100.0, children: (ticks[2] + ticks[3]) / 100.0 })
    }

    fn since(&self, start: &Self) -> Self {
        Self { own: self.own - start.own, children: self.children - start.children }
    }

    fn total(&self) -> f64 {
        self.own + self.children
    }

    fn shown(&self, count: usize) -> String {
        let each = 1000.0 / count.max(1) as f64;
        format!(
            "{:.2} s of CPU time, each {:.2} ms by compilers and {:.2} ms by us",
            self.total(),
            self.children * each,
            self.own * each
        )
    }
}
