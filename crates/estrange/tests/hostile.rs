//! A hostile project through every command that compiles it, as root and as an ordinary user: nothing outside of it is read,
//! listed or written, and nothing of it is quoted, in a bench or on a terminal.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use estrange_bench::Bench;
use serde_json::json;
use tempfile::TempDir;

/// What is in every file outside, and what a text says that has seen that such a file is there.
const SECRETS: [&str; 2] = ["attack-at-dawn", "it_is_there"];

/// Text with a function `f`; `SECRET` is a file outside.
const TEXTS: &[(&str, &str)] = &[
    (
        "incbin",
        "int f(int x) { __asm__(\".pushsection .rodata\\n.incbin \\\"SECRET\\\"\\n.popsection\"); return x + 1; }\n",
    ),
    ("code", "int f(int x) { __asm__ volatile(\"jmp 1f\\n.incbin \\\"SECRET\\\"\\n1:\"); return x + 2; }\n"),
    ("scope", "__asm__(\".incbin \\\"SECRET\\\"\");\nint f(int x) { return x + 3; }\n"),
    (
        "data",
        "extern char text[], end[];\n__asm__(\".data\\ntext: .incbin \\\"SECRET\\\"\\nend: .text\");\n\
         int f(int x) { return text[x & 7] + (int)(end - text); }\n",
    ),
    ("assembler", "int f(int x) { __asm__(\".include \\\"SECRET\\\"\"); return x + 4; }\n"),
    ("include", "#include \"SECRET\"\nint f(int x) { return x + 5; }\n"),
    ("header", "#include \"SECRET.h\"\nint f(int x) { return secret[x & 7]; }\n"),
    ("relative", "#include \"../outside/secret.h\"\nint f(int x) { return secret[x & 3]; }\n"),
    ("linked", "#include \"link.h\"\nint f(int x) { return secret[x & 1]; }\n"),
    ("embed", "static const char text[] = {\n#embed \"SECRET\"\n};\nint f(int x) { return text[x & 7] + 6; }\n"),
    (
        "has",
        "#if __has_include(\"SECRET\")\n#define ANSWER it_is_there\n#else\n#define ANSWER x\n#endif\nint f(int ANSWER) { return ANSWER + 7; }\n",
    ),
    ("line", "#line 1 \"SECRET\"\nint f(int x) { return x + 8 }\n"),
    ("marker", "# 1 \"SECRET\" 1\nint f(int x) { return nothing + x; }\n"),
    ("dependency", "#pragma GCC dependency \"SECRET\"\nint f(int x) { return x + 9; }\n"),
    ("name", "extern int g __asm__(\"x, %eax\\n.incbin \\\"SECRET\\\"\\n#\");\nint *f(int x) { return &g + x; }\n"),
    (
        "section",
        "__attribute__((section(\"s\\n.incbin \\\"SECRET\\\"\\n.text\"))) int v = 1;\nint f(int x) { return v + x; }\n",
    ),
    ("users", "#include \"/etc/passwd\"\nint f(int x) { return x + 10; }\n"),
    (
        "process",
        "#if __has_include(\"/proc/self/environ\")\n#define ANSWER it_is_there\n#else\n#define ANSWER x\n#endif\nint f(int ANSWER) { return ANSWER + 11; }\n",
    ),
];

/// Flags of the compile database, each for a plain file.
const FLAGS: &[&str] = &[
    "-include SECRET.h",
    "-include SECRET",
    "-imacros SECRET",
    "@SECRET",
    "-I OUTSIDE -include secret.h",
    "-isystem OUTSIDE -include secret",
    "-iquote OUTSIDE -imacros secret",
    "-specs=TREE/specs",
    "-wrapper TREE/program",
    "-B TREE/programs",
    "-fplugin=TREE/plugin.so",
    "-Xclang -load -Xclang TREE/plugin.so",
    "-MD -MF WRITTEN/deps",
    "-save-temps=WRITTEN",
    "-o WRITTEN/object",
    "-fdump-tree-all=WRITTEN/dump",
    "-fprofile-use=SECRET",
    "-Wa,-al=WRITTEN/listing",
    "-Wp,-MD,WRITTEN/deps",
    "-fdebug-prefix-map=TREE=OUTSIDE",
    "--sysroot=OUTSIDE",
];

struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { folder: tempfile::Builder::new().prefix("hostile-").tempdir().unwrap() };
        for name in ["", "tree", "outside", "outside/written", "tree/programs", "work"] {
            fs::create_dir_all(world.path(name)).unwrap();
            fs::set_permissions(world.path(name), fs::Permissions::from_mode(0o777)).unwrap();
        }
        fs::write(world.path("outside/secret"), "attack-at-dawn\n").unwrap();
        fs::write(world.path("outside/secret.h"), "static const char secret[] = \"attack-at-dawn\";\n").unwrap();
        symlink(world.path("outside/secret.h"), world.path("tree/link.h")).unwrap();
        symlink(world.path("outside/secret"), world.path("tree/link.c")).unwrap();
        fs::write(world.path("tree/specs"), "*cpp:\n+ -include SECRET.h\n").unwrap();
        let script = world.words("#!/bin/sh\ncat SECRET >&2\ntouch WRITTEN/program\n");
        for name in ["program", "programs/cc1", "programs/as"] {
            fs::write(world.path("tree").join(name), &script).unwrap();
            fs::set_permissions(world.path("tree").join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut database = Vec::new();
        for (name, text) in TEXTS {
            // Each function has a name of its own, so that all can be told apart.
            let text =
                world.words(text).replace("int f(", &format!("int {name}(")).replace("*f(", &format!("*{name}("));
            fs::write(world.path(&format!("tree/{name}.c")), text).unwrap();
            database.push(world.entry(&format!("{name}.c"), ""));
        }
        for (number, flags) in FLAGS.iter().enumerate() {
            let file = format!("flag{number}.c");
            fs::write(world.path("tree").join(&file), format!("int flag{number}(int x) {{ return x + {number}; }}\n"))
                .unwrap();
            database.push(world.entry(&file, flags));
        }
        fs::write(world.path("tree/compile_commands.json"), serde_json::to_vec(&database).unwrap()).unwrap();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn words(&self, text: &str) -> String {
        let at = |name: &str| self.path(name).display().to_string();
        text.replace("SECRET", &at("outside/secret"))
            .replace("OUTSIDE", &at("outside"))
            .replace("WRITTEN", &at("outside/written"))
            .replace("TREE", &at("tree"))
    }

    fn entry(&self, file: &str, flags: &str) -> serde_json::Value {
        let command = format!("gcc {} -c {file}", self.words(flags));
        json!({ "directory": self.path("tree"), "file": file, "command": command })
    }

    fn run(&self, user: Option<u32>, arguments: &[&str]) -> Output {
        let work = self.path("work");
        let program = self.path("estrange");
        if !program.exists() {
            // By another process: a file that is open for writing in one of ours, if only between fork and exec, is not run.
            let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_estrange")).arg(&program).status();
            assert!(copied.unwrap().success());
        }
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&work).env("HOME", &work).env("TMPDIR", &work).env("RUST_LOG", "debug");
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        command.output().unwrap()
    }

    /// What is wrong with what came of a command.
    fn betrayal(&self, what: &str, texts: &[String]) -> Option<String> {
        let told = SECRETS.iter().find_map(|secret| {
            let text = texts.iter().find(|text| text.contains(secret) && !is_own(text, secret))?;
            let at = text.find(secret)?;
            Some(format!("{what} tells {secret}: …{}…", &text[at.saturating_sub(200)..text.len().min(at + 60)]))
        });
        let written = fs::read_dir(self.path("outside/written")).unwrap().next();
        told.or(written.map(|path| format!("{what} wrote {:?}", path.unwrap().path())))
    }
}

/// Whether a text only shows what the project's own text says of an answer that was not given.
fn is_own(text: &str, secret: &str) -> bool {
    secret == "it_is_there" && !text.contains("int it_is_there")
}

/// Everything that a bench says.
fn everything(bench: &Path) -> Vec<String> {
    let bench = Bench::open(bench).unwrap();
    let mut all = Vec::new();
    all.extend(bench.functions().unwrap().map(|row| format!("{:?}", row.unwrap())));
    all.extend(bench.rejected().unwrap().map(|row| format!("{:?}", row.unwrap())));
    all.extend(bench.variants().unwrap().map(|row| format!("{:?}", row.unwrap())));
    all.extend(bench.waiting().unwrap().map(|row| format!("{:?}", row.unwrap())));
    all.extend(bench.lowered().unwrap().map(|row| format!("{:?}", row.unwrap())));
    all
}

fn attack(user: Option<u32>) {
    let world = World::new();
    let mut betrayals = Vec::new();
    let said = |output: &Output| {
        vec![String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned()]
    };
    let (tree, bench) = (world.path("tree").display().to_string(), world.path("work/bench").display().to_string());
    let built = world.run(user, &["build", &tree, "--out", &bench, "--settings", "neutralized,x86_64,wasm32"]);
    assert!(Path::new(&bench).join("manifest.json").exists(), "{}", support::whole(&built));
    let found = everything(Path::new(&bench));
    let mut texts = found.clone();
    texts.extend(said(&built));
    betrayals.extend(world.betrayal("build", &texts));
    // Nothing is lost silently: each of them is a function of the bench or a loss with its reason.
    for name in TEXTS.iter().map(|(name, _)| *name) {
        assert!(found.iter().any(|row| row.contains(name)), "{name} is neither kept nor lost");
    }
    for (name, _) in TEXTS {
        let file = world.path(&format!("tree/{name}.c")).display().to_string();
        let lowered = world.run(user, &["lower", &file, "--function", name, "--target", "x86_64"]);
        betrayals.extend(world.betrayal(&format!("lower {name}"), &said(&lowered)));
    }
    // What compiles where the secret can be read is run, too.
    for name in ["incbin", "data", "header", "embed", "has"] {
        let file = world.path(&format!("tree/{name}.c")).display().to_string();
        let other = world.path(&format!("work/{name}.c")).display().to_string();
        fs::write(&other, fs::read_to_string(&file).unwrap().replace("return ", "return 1 + ")).unwrap();
        let checked = world.run(user, &["check", &file, &other, "--function", name]);
        betrayals.extend(world.betrayal(&format!("check {name}"), &said(&checked)));
        let rewritten = world.run(user, &["rewrite", &file, "--function", name, "--recipe", "L1", "--check"]);
        betrayals.extend(world.betrayal(&format!("rewrite {name}"), &said(&rewritten)));
    }
    assert!(betrayals.is_empty(), "{} betrayals:\n{}", betrayals.len(), betrayals.join("\n"));
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0)
}

#[test]
fn a_hostile_project_learns_nothing() {
    attack(None);
}

#[test]
fn a_hostile_project_learns_nothing_from_an_ordinary_user() {
    // Without root there is nobody else to be.
    if is_root() {
        attack(Some(4242));
    }
}
