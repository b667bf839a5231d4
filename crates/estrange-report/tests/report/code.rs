//! Functions in C that are made up from a seed, with a text for each setting.

use super::sample::Random;

const VERBS: [&str; 12] =
    ["read", "find", "copy", "encode", "decode", "merge", "count", "parse", "reset", "hash", "split", "insert"];
const NOUNS: [&str; 14] = [
    "buffer", "header", "node", "token", "list", "stream", "record", "table", "path", "matrix", "window", "symbol",
    "page", "glyph",
];
const INSTRUCTIONS: [&str; 9] = [
    "movq %rdi, %rax",
    "addq $8, %rsp",
    "testl %ecx, %ecx",
    "leaq (%rdi,%rsi,4), %rdx",
    "cmpb $0, (%rax)",
    "xorl %eax, %eax",
    "imulq %rdx, %rcx",
    "jne .L2",
    "movzbl (%rsi), %r8d",
];

/// A function: what it does in words, its name, and the parts that its text is made of.
pub struct Function {
    pub name: String,
    pub description: String,
    words: [&'static str; 3],
    lines: usize,
}

pub fn function(random: &mut Random, number: usize) -> Function {
    let mut noun = || NOUNS[random.below(NOUNS.len())];
    let words = [noun(), noun(), noun()];
    let verb = VERBS[random.below(VERBS.len())];
    Function {
        name: format!("{}_{verb}_{}{}", words[0], words[1], if number.is_multiple_of(3) { "_at" } else { "" }),
        description: format!(
            "Takes a pointer to a {} and a number of bytes, {verb}s each {} that belongs to it, and returns how many \
             {}s were seen before the end was reached, or a negative number if memory ran out.",
            words[0], words[1], words[2]
        ),
        words,
        lines: 3 + random.below(22),
    }
}

impl Function {
    pub fn text(&self, setting: &str, random: &mut Random) -> String {
        let [first, second, third] = self.words;
        match setting {
            "standard" => self.source(&self.name, &[first, second, third]),
            "neutralized" => self.source("func_a", &["var_b", "var_c", "var_d"]),
            "randomized" | "symbol" => {
                let names: Vec<String> = (0..4).map(|_| scramble(random)).collect();
                self.source(&names[0], &[&names[1], &names[2], &names[3]])
            }
            "wasm32" => self.listing(random, "    local.get 0\n    i32.load offset=8\n"),
            _ => self.listing(random, ""),
        }
    }

    fn source(&self, name: &str, names: &[&str; 3]) -> String {
        let [first, second, third] = names;
        let mut text = format!("long {name}(const unsigned char *{first}, size_t {second})\n{{\n\tlong {third} = 0;\n");
        text += &format!("\tfor (size_t i = 0; i < {second} && {first}[i] != '<'; i++) {{\n");
        for line in 0..self.lines {
            text += &format!(
                "\t\t{third} += ({first}[i] << {}) & 0x{:02x}; /* \"</script>\" & <b> */\n",
                line % 8,
                line * 37 % 256
            );
        }
        text + &format!("\t}}\n\treturn {third} > 0 ? {third} : -1;\n}}\n")
    }

    fn listing(&self, random: &mut Random, more: &str) -> String {
        let mut text = String::new();
        for _ in 0..self.lines * 6 {
            text += more;
            text += &format!("\t{}\n", INSTRUCTIONS[random.below(INSTRUCTIONS.len())]);
        }
        text + "\tret\n"
    }
}

fn scramble(random: &mut Random) -> String {
    (0..7).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
}
