//! Foreign text against the programs that read it, as root and as an ordinary user: whatever a source, a flag or a file of a
//! project makes a compiler, an assembler, a linker or a preprocessor do, it reads, lists and writes nothing outside.
//!
//! The ways are in `ways.rs`. To show that they have teeth, each is first gone without the sandbox, where it must succeed.

#[path = "../user/mod.rs"]
mod user;
mod ways;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use estrange_sandbox::{Launcher, Protection, Sandbox, Tool};
use tempfile::TempDir;

use ways::{WAYS, Way};

/// What is in every file outside, none of which may be seen; and what a text says that has seen that a file is there.
const SECRETS: [&str; 2] = ["attack-at-dawn", "it-is-there"];

/// A project's tree, a folder to work in, and what lies outside of both.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("text-").tempdir().expect("a folder");
        let world = Self { folder };
        for name in ["tree", "outside", "outside/written"] {
            fs::create_dir(world.path(name)).expect("a folder");
            fs::set_permissions(world.path(name), fs::Permissions::from_mode(0o777)).expect("a folder for anyone");
        }
        // A text that is C, assembly, a linker's script and a list of arguments, as the case may be.
        world.write("outside/secret", "attack-at-dawn\n");
        world.write("outside/secret.h", "char *secret = \"attack-at-dawn\";\n");
        world.write("outside/secret.args", "-DTOLD=\"attack-at-dawn\"\n");
        world.write("outside/secret.macros", "#define TOLD \"attack-at-dawn\"\n");
        world.write("outside/secret.ld", "\"attack-at-dawn\" = 1;\n");
        symlink(world.path("outside/secret"), world.path("tree/link")).expect("a link");
        symlink(world.path("outside"), world.path("tree/links")).expect("a link");
        world.program();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// Code of the project's, which compilers can be told to run or to load: it tells the secret.
    fn program(&self) {
        let (secret, written) = (self.path("outside/secret"), self.path("outside/written/by-a-program"));
        self.write("tree/program", &format!("#!/bin/sh\ncat {} >&2\ntouch {}\n", secret.display(), written.display()));
        fs::create_dir(self.path("tree/programs")).expect("a folder");
        for name in ["as", "cc1", "ld", "collect2"] {
            fs::copy(self.path("tree/program"), self.path("tree/programs").join(name)).expect("a copy");
            fs::set_permissions(self.path("tree/programs").join(name), fs::Permissions::from_mode(0o755))
                .expect("a program");
        }
        fs::set_permissions(self.path("tree/program"), fs::Permissions::from_mode(0o755)).expect("a program");
        self.write("tree/specs", &format!("*cpp:\n+ -include {}\n\n", self.path("outside/secret.h").display()));
        let source = format!(
            "#include <stdio.h>\nint plugin_is_GPL_compatible;\n__attribute__((constructor)) static void f(void) {{ \
             FILE *in = fopen(\"{}\", \"r\"); char text[99]; if (in && fgets(text, 99, in)) fputs(text, stderr); }}\n\
             int plugin_init(void *a, void *b) {{ return 0; }}\n",
            secret.display()
        );
        self.write("tree/plugin.c", &source);
        let build = Tool::new("gcc").arguments(["-shared", "-fPIC", "-w", "-o"]).argument(self.path("tree/plugin.so"));
        assert!(build.argument(self.path("tree/plugin.c")).run().expect("gcc").success());
    }

    /// The words of a way, with this world's paths.
    fn words(&self, text: &str) -> String {
        text.replace("SECRET", &self.path("outside/secret").display().to_string())
            .replace("OUTSIDE", &self.path("outside").display().to_string())
            .replace("WRITTEN", &self.path("outside/written").display().to_string())
            .replace("TREE", &self.path("tree").display().to_string())
    }

    /// Goes a way with a tool, and says what came of it if it succeeded.
    fn go(&self, way: &Way, tool: impl Fn(&str) -> Tool) -> Option<String> {
        let work = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        let source = fs::File::create(self.path("tree/way.c")).expect("a file");
        (&source).write_all(self.words(way.text).as_bytes()).expect("a text");
        // Older than what it may depend on.
        source.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        let tool = tool(way.program).reads(self.path("tree")).works_in(work.path());
        let tool = tool.arguments(way.arguments.split_whitespace().map(|word| self.words(word)));
        let output = tool.environment("LC_ALL", "C").run().expect("a run");
        let mut said = vec![("standard output".into(), output.stdout), ("standard error".into(), output.stderr)];
        read_all(work.path(), &mut said);
        let told = said.iter().find(|(_, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            SECRETS.iter().chain(way.tells).any(|secret| text.contains(secret))
        });
        let written: Vec<PathBuf> = listed(&self.path("outside/written"));
        written.iter().for_each(|path| drop(fs::remove_file(path)));
        match (told, written.first()) {
            (Some((place, bytes)), _) => {
                Some(format!("{place}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(400)])))
            }
            (_, Some(path)) => Some(format!("wrote {}", path.display())),
            _ => None,
        }
    }
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

fn read_all(folder: &Path, said: &mut Vec<(String, Vec<u8>)>) {
    for path in listed(folder) {
        match path.is_dir() {
            true => read_all(&path, said),
            false => said.push((path.display().to_string(), fs::read(&path).unwrap_or_default())),
        }
    }
}

/// One test at a time: a program that is still open for writing in a process that another test just started is not run.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn every_way_has_teeth() {
    let _alone = ONE_AT_A_TIME.lock();
    let world = World::new();
    let blunt: Vec<&str> =
        WAYS.iter().filter(|way| world.go(way, |program| Tool::new(program)).is_none()).map(|way| way.name).collect();
    assert!(blunt.is_empty(), "without the sandbox nothing comes of {blunt:?}");
    assert!(WAYS.len() >= 40);
}

#[test]
fn no_way_leads_outside_as_root() {
    let _alone = ONE_AT_A_TIME.lock();
    if user::is_root() {
        no_way_leads_outside();
    }
}

const AS_ORDINARY_USER: &str = "no_way_leads_outside_as_an_ordinary_user";

#[test]
fn no_way_leads_outside_as_an_ordinary_user() {
    let _alone = ONE_AT_A_TIME.lock();
    match user::is_root() {
        true => user::run_this_test_as_an_ordinary_user(AS_ORDINARY_USER),
        false => no_way_leads_outside(),
    }
}

fn no_way_leads_outside() {
    let world = World::new();
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let came: Vec<String> = WAYS
        .iter()
        .filter_map(|way| Some(format!("{}: {}", way.name, world.go(way, |program| sandbox.tool(program))?)))
        .collect();
    assert!(came.is_empty(), "{} of {} ways:\n{}", came.len(), WAYS.len(), came.join("\n"));
    it_works_all_the_same(&world, &sandbox);
}

/// What a tool is shown it can read, what it makes is there, and the tree is as it was.
fn it_works_all_the_same(world: &World, sandbox: &Sandbox) {
    let work = tempfile::tempdir_in(world.folder.path()).expect("a folder");
    world.write("tree/own.h", "#define OWN 7\n");
    world.write(
        "tree/way.c",
        "#include \"own.h\"\n#include <stdio.h>\nint main(void) { return printf(\"%d\", OWN); }\n",
    );
    let tool = sandbox.tool("gcc").reads(world.path("tree")).works_in(work.path());
    let made = tool.argument(world.path("tree/way.c")).arguments(["-o", "program"]).run().expect("a run");
    assert!(made.success(), "{}", made.last_words(5));
    assert_eq!(Tool::new(work.path().join("program")).run().expect("it runs").text(), "7");
    let shell = |script: &str| {
        let tool = sandbox.tool("sh").arguments(["-c", script]).reads(world.path("tree")).works_in(work.path());
        tool.run().expect("a shell").text()
    };
    let tree = world.path("tree").display().to_string();
    assert_eq!(shell(&format!("echo x > {tree}/new || echo refused")), "refused\n");
    assert_eq!(shell(&format!("{tree}/program || echo refused")), "refused\n", "nothing in a tree can be run");
    assert_eq!(shell("ls -A /proc; ls /root /home /var /sys 2>/dev/null"), "", "nothing else is there");
    assert_eq!(shell("echo $HOME $TMPDIR; env | grep -c CARGO"), "/scratch /scratch/.tmp\n0\n");
}
