//! What ranking by words costs here and in bm25s, on the same texts, with the same scores.
//!
//! `make peers` (or `cargo bench -p estrange-model --bench bm25`) makes 100,000 functions out of a vocabulary in which few
//! words are frequent and most are rare, and 2,000 queries. Both sides get texts, and give the best 100 documents for
//! each query: first by words as they are written; then by the stems of the words of identifiers, where bm25s, which
//! knows no identifiers, gets texts that are cut already. All variants are compared on a part of the texts. A score that
//! differs by more than 1e-4 ends the run, as does a bar that is missed. bm25s is installed below the target folder,
//! pinned by hash.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use estrange_model::bm25::{Bm25, Options, Variant};
use estrange_model::{Item, Scored, Silent};
use estrange_sandbox::Tool;
use rustix::time::{ClockId, clock_gettime};

const DOCUMENTS: usize = 100_000;
const QUERIES: usize = 2_000;
const DEPTH: usize = 100;
/// How far a score may be off.
const TOLERANCE: f32 = 1e-4;
/// The most memory that the whole of it may take here, texts included.
const MEMORY: u64 = 2 * 1024 * 1024 * 1024;

fn main() {
    let texts = Texts::made(DOCUMENTS, QUERIES);
    let few = Texts::made(5_000, 200);
    for (name, _) in Variant::ALL {
        let options = same_words(&format!("{name},k1=0.9,b=0.4,delta=0.7"));
        compare(name, &ours(&few, &options).rankings, &theirs(&few, &options).scores);
    }
    println!("5000 functions, 200 queries: all scores equal, in each variant");

    println!("{DOCUMENTS} functions, {QUERIES} queries × {DEPTH} results");
    println!("{:<34} {:>10} {:>8} {:>10} {:>8} {:>8}", "", "index s", "CPU s", "queries s", "CPU s", "MiB");
    measure("words as they are written", &texts, &texts, &same_words(""));
    let of_code: Options = "k3=inf".parse().expect("options");
    measure("stems of the words of identifiers", &texts, &texts.cut(&of_code), &of_code);
}

/// Ranks here and in bm25s, which gets texts that are cut into words already where it cannot do that itself.
fn measure(words: &str, texts: &Texts, texts_for_them: &Texts, options: &Options) {
    let theirs = theirs(texts_for_them, options);
    let ours = ours(texts, options);
    compare(words, &ours.rankings, &theirs.scores);
    println!("{words}: all scores equal");
    for (name, cost) in [("bm25s with numba", &theirs.cost), ("ours", &ours.cost)] {
        let times = [cost.index.wall, cost.index.cpu, cost.queries.wall, cost.queries.cpu];
        let [index, index_cpu, queries, queries_cpu] = times.map(|each| each.as_secs_f64());
        let memory = cost.memory / 1024 / 1024;
        println!("{name:<34} {index:>10.2} {index_cpu:>8.2} {queries:>10.2} {queries_cpu:>8.2} {memory:>8}");
    }
    assert!(ours.cost.index.cpu <= theirs.cost.index.cpu, "bm25s makes its index faster");
    assert!(ours.cost.queries.cpu <= theirs.cost.queries.cpu, "bm25s answers queries faster");
    assert!(ours.cost.memory < MEMORY, "{} MiB are too many", ours.cost.memory / 1024 / 1024);
}

/// Options with which words are what bm25s takes for words, and count as often as they are said.
fn same_words(options: &str) -> Options {
    format!("{options},k3=inf,split=no,stem=no,stop=no").parse().expect("options")
}

struct Texts {
    documents: Vec<String>,
    queries: Vec<String>,
}

impl Texts {
    /// Functions and queries that are always the same.
    fn made(documents: usize, queries: usize) -> Self {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let words: Vec<String> = (0..20_000).map(|_| random.word()).collect();
        let identifiers: Vec<String> = (0..200_000).map(|_| random.identifier(&words)).collect();
        let documents = (0..documents).map(|_| random.function(&identifiers)).collect();
        let queries = (0..queries).map(|_| random.query(&words, &identifiers)).collect();
        Self { documents, queries }
    }

    /// The same texts, as the words that they are to a ranker.
    fn cut(&self, options: &Options) -> Self {
        let ranker = Bm25::new(options.clone());
        let cut = |texts: &[String]| texts.iter().map(|text| ranker.terms(text).join(" ")).collect();
        Self { documents: cut(&self.documents), queries: cut(&self.queries) }
    }
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + (self.unit() * (most - least + 1) as f64) as usize
    }

    /// One of several, the first twice as often as the second, three times as often as the third, and so on.
    fn choose<'a>(&mut self, among: &'a [String]) -> &'a str {
        let place = (among.len() as f64).powf(self.unit()) as usize;
        &among[place.clamp(1, among.len()) - 1]
    }

    fn word(&mut self) -> String {
        let syllables = self.between(1, 3);
        let letter = |random: &mut Self, letters: &[u8]| letters[random.between(0, letters.len() - 1)] as char;
        (0..syllables)
            .flat_map(|_| [letter(self, b"bcdfghklmnprstvz"), letter(self, b"aeiou"), letter(self, b"lmnrst")])
            .collect()
    }

    fn identifier(&mut self, words: &[String]) -> String {
        let count = self.between(1, 3);
        let capitals = self.unit() < 0.3;
        let mut identifier = String::new();
        for place in 0..count {
            let word = self.choose(words);
            match place {
                0 => identifier.push_str(word),
                _ if capitals => {
                    identifier.extend(word.chars().next().map(|first| first.to_ascii_uppercase()));
                    identifier.push_str(&word[1..]);
                }
                _ => {
                    identifier.push('_');
                    identifier.push_str(word);
                }
            }
        }
        identifier
    }

    fn function(&mut self, identifiers: &[String]) -> String {
        let lines = self.between(3, 40);
        let mut text = format!("static int {}(const char *", self.choose(identifiers));
        text.push_str(self.choose(identifiers));
        text.push_str(")\n{\n");
        for _ in 0..lines {
            let [first, second, third] = [(); 3].map(|()| self.choose(identifiers));
            text.push_str(&match self.between(0, 2) {
                0 => format!("    if ({first} == {second}) return {third};\n"),
                1 => format!("    {first} = {second}({third}, 0);\n"),
                _ => format!("    unsigned {first} = {second}->{third};\n"),
            });
        }
        text.push_str("}\n");
        text
    }

    fn query(&mut self, words: &[String], identifiers: &[String]) -> String {
        let count = self.between(5, 60);
        let words = (0..count).map(|_| match self.between(0, 3) {
            0 => "the".to_owned(),
            1 => self.choose(identifiers).to_owned(),
            _ => self.choose(words).to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Time of the clock and of the CPU.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

struct Cost {
    index: Took,
    queries: Took,
    /// The most that there was, in bytes.
    memory: u64,
}

struct Ours {
    rankings: Vec<Vec<Scored>>,
    cost: Cost,
}

fn ours(texts: &Texts, options: &Options) -> Ours {
    fn items(texts: &[String]) -> Vec<Item<'_>> {
        texts.iter().map(|text| Item { id: "", text }).collect()
    }
    let (documents, queries) = (items(&texts.documents), items(&texts.queries));
    let (index, index_cost) = measured(|| Bm25::new(options.clone()).index(&documents));
    let (rankings, queries_cost) = measured(|| index.rank(&queries, DEPTH, &Silent).expect("nobody stops it"));
    Ours { rankings, cost: Cost { index: index_cost, queries: queries_cost, memory: most_memory() } }
}

fn measured<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let cpu = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).expect("a time since the start");
    let (wall_before, cpu_before) = (Instant::now(), cpu());
    let result = work();
    (result, Took { wall: wall_before.elapsed(), cpu: cpu() - cpu_before })
}

/// The most memory that this process has had.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it tells this");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

struct Theirs {
    /// One query after the other.
    scores: Vec<f32>,
    cost: Cost,
}

fn theirs(texts: &Texts, options: &Options) -> Theirs {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, texts) in [("documents", &texts.documents), ("queries", &texts.queries)] {
        let lines: String = texts.iter().map(|text| format!("{}\n", serde_json::json!(text))).collect();
        std::fs::write(folder.path().join(name), lines).expect("a file in it");
    }
    let variant = options.to_string();
    let arguments = [variant.split(',').next().unwrap_or_default().to_owned()];
    let numbers = [options.k1, options.b, options.delta, DEPTH as f64].map(|number| number.to_string());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/bm25.py");
    let mut tool = Tool::new(interpreter()).argument(script).argument(folder.path());
    for argument in arguments.into_iter().chain(numbers) {
        tool = tool.argument(argument);
    }
    let output = tool.wall(Duration::from_secs(1800)).run().expect("Python runs");
    assert!(output.success(), "{}", output.last_words(20));
    let printed = output.text();
    let numbers: Vec<f64> = printed.split_whitespace().map(|each| each.parse().expect("a number")).collect();
    let took = |place: usize| Took {
        wall: Duration::from_secs_f64(numbers[place]),
        cpu: Duration::from_secs_f64(numbers[place + 1]),
    };
    let cost = Cost { index: took(0), queries: took(2), memory: numbers[4] as u64 * 1024 };
    let bytes = std::fs::read(folder.path().join("scores")).expect("scores");
    let scores = bytes.chunks_exact(4).map(|each| f32::from_le_bytes(each.try_into().expect("four"))).collect();
    Theirs { scores, cost }
}

/// The Python that has bm25s, which is installed if it is not there.
fn interpreter() -> PathBuf {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
    let tool = Tool::new(tools.join("python-environment")).argument("peers").wall(Duration::from_secs(1800));
    let output = tool.run().expect("the script runs");
    assert!(output.success(), "{}", output.last_words(20));
    PathBuf::from(output.text().trim())
}

/// Compares scores by their places: of equal ones, each side has its own order.
fn compare(variant: &str, ours: &[Vec<Scored>], theirs: &[f32]) {
    assert_eq!(ours.iter().map(Vec::len).sum::<usize>(), theirs.len());
    for (place, (ours, theirs)) in ours.iter().flatten().map(|scored| scored.score).zip(theirs).enumerate() {
        let query = place / DEPTH;
        assert!((ours - theirs).abs() < TOLERANCE, "{variant}, query {query}: {ours} is not {theirs}");
    }
}
