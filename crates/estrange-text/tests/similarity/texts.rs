//! Makes texts that look like C functions, each with the same function under other names; the same for the same seed.

/// Numbers that look random.
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// One of several.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// How a function gets its new names.
#[derive(Debug, Clone, Copy)]
pub enum Naming {
    /// By role and number: `var_3`.
    Neutral,
    /// Letters without meaning.
    Letters,
    /// Other words.
    Words,
}

/// All the ways.
pub const NAMINGS: [Naming; 3] = [Naming::Neutral, Naming::Letters, Naming::Words];

const WORDS: [&str; 32] = [
    "buffer", "length", "state", "index", "stream", "node", "table", "header", "count", "offset", "window", "flags",
    "parse", "write", "next", "last", "hash", "code", "block", "context", "name", "value", "entry", "input", "output",
    "size", "limit", "init", "free", "read", "key", "match",
];

const OTHER_WORDS: [&str; 32] = [
    "store",
    "extent",
    "mode",
    "place",
    "flow",
    "knot",
    "chart",
    "title",
    "tally",
    "shift",
    "pane",
    "marks",
    "analyse",
    "record",
    "following",
    "final",
    "digest",
    "cipher",
    "chunk",
    "setting",
    "label",
    "worth",
    "item",
    "feed",
    "yield",
    "bulk",
    "bound",
    "prepare",
    "release",
    "scan",
    "token",
    "pair",
];

/// A piece of a function: text that stays, or the name with this number.
enum Piece {
    Text(String),
    Name(usize),
}

/// A function of about `length` characters, and the same function under other names.
pub fn renamed(random: &mut Random, length: usize, naming: Naming) -> (String, String) {
    let names = 4 + length / 120;
    let mut words: Vec<Vec<usize>> = Vec::new();
    while words.len() < names {
        let candidate: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(WORDS.len())).collect();
        if !words.contains(&candidate) {
            words.push(candidate);
        }
    }
    let old: Vec<String> = words.iter().map(|words| spell(words, &WORDS)).collect();
    let new: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(number, words)| match naming {
            Naming::Neutral => format!("{}_{number}", random.pick(&["var", "func", "field", "MACRO", "struct"])),
            Naming::Letters => (0..8 + random.below(8)).map(|_| char::from(b'a' + random.below(26) as u8)).collect(),
            Naming::Words => spell(words, &OTHER_WORDS),
        })
        .collect();
    let mut function = Function { pieces: Vec::new(), random, names, length: 0 };
    function.put("static int \0(struct \0 *\0, const unsigned char *\0, size_t \0)\n{\n");
    while function.length < length {
        function.statement(1);
    }
    function.put("    return \0;\n}\n");
    let print = |names: &[String]| {
        let pieces = function.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Name(number) => names[*number].as_str(),
        });
        pieces.collect::<String>()
    };
    (print(&old), print(&new))
}

fn spell(words: &[usize], from: &[&str]) -> String {
    words.iter().map(|&word| from[word]).collect::<Vec<&str>>().join("_")
}

/// A function in the making.
struct Function<'a> {
    pieces: Vec<Piece>,
    random: &'a mut Random,
    names: usize,
    /// About how long it is so far.
    length: usize,
}

impl Function<'_> {
    /// Adds text in which each `\0` is a name and each `\u{1}` a small number.
    fn put(&mut self, pattern: &str) {
        for part in pattern.split_inclusive(['\0', '\u{1}']) {
            let text = part.trim_end_matches(['\0', '\u{1}']);
            self.length += part.len();
            self.pieces.push(Piece::Text(text.to_owned()));
            if part.ends_with('\0') {
                self.length += 11;
                self.pieces.push(Piece::Name(self.random.below(self.names)));
            } else if part.ends_with('\u{1}') {
                let number = self.random.below(300);
                let is_hexadecimal = self.random.below(4) == 0;
                let text = if is_hexadecimal { format!("0x{number:X}") } else { number.to_string() };
                self.pieces.push(Piece::Text(text));
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        let indent = "    ".repeat(depth);
        if depth < 4 && self.random.below(3) == 0 {
            let head = self.random.pick(&[
                "if (\0 == NULL || \0->\0 < \u{1}) {\n",
                "for (\0 = 0; \0 < \0; \0++) {\n",
                "while (*\0 != '\\0' && \0(\0, \0)) {\n",
                "switch (\0[\0] & \u{1}) {\n",
                "if (!\0(&\0->\0, sizeof(*\0))) {\n",
            ]);
            self.put(&format!("{indent}{head}"));
            for _ in 0..1 + self.random.below(4) {
                self.statement(depth + 1);
            }
            self.put(&format!("{indent}}}\n"));
            return;
        }
        let body = self.random.pick(&[
            "\0->\0 = \0;\n",
            "\0 = (unsigned)\0[\u{1}] | ((unsigned)\0[\u{1}] << 8);\n",
            "\0(\0, \0, \u{1});\n",
            "memcpy(\0->\0 + \0, \0, \0 * sizeof(\0));\n",
            "\0 += \0->\0[\0 + \u{1}] % \u{1}U;\n",
            "return -\u{1};\n",
            "goto \0;\n",
            "fprintf(stderr, \"%s: line %d\\n\", \0, \0);\n",
            "/* Nothing is left to do here. */\n",
            "uint32_t \0 = \0 ? \0 : ~\0;\n",
            "\0->\0 &= ~\0;\n",
            "\n",
        ]);
        self.put(&format!("{indent}{body}"));
    }
}
