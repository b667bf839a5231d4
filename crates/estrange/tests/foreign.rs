//! Rewrites that others make: commands and models as steps of recipes, and what is wrong with what they give.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use estrange_bench::{Bench, Reason, Tier, Variant, Waiting};
use support::server::{Reply, said, server};
use support::{estrange, json, whole};
use tempfile::TempDir;

const FUNCTION: &str = "int sum(const struct pair *p, int n)\n{\n    return p->one * 2 + p->other + n;\n}\n";
const OTHERWISE: &str = "int sum(const struct pair *p, int n)\n{\n    int all = p->one + p->one;\n    all += p->other;\n    return all + n;\n}\n";

/// A folder with a source of one function in it, and a cache.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("one/sum.c", &format!("struct pair {{ int one, other; }};\n\n/* Sums up. */\n{FUNCTION}"));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command.env_remove("OPENAI_API_KEY").env_remove("OPENAI_BASE_URL");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn build(&self, settings: &str, more: &[&str]) -> (Made, Output) {
        let arguments = [&["build", "one", "--out", "bench", "--settings", settings][..], more].concat();
        let output = self.run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        (self.made(), output)
    }

    fn made(&self) -> Made {
        let bench = Bench::open(self.path("bench")).unwrap();
        let variants = bench.variants().unwrap().map(Result::unwrap);
        let waiting = bench.waiting().unwrap().map(Result::unwrap);
        Made {
            variants: variants.map(|variant| (variant.setting.clone(), variant)).collect(),
            waiting: waiting.map(|waiting| (waiting.setting.clone(), waiting)).collect(),
        }
    }
}

/// What a bench has of its one function, by setting.
struct Made {
    variants: BTreeMap<String, Variant>,
    waiting: BTreeMap<String, Waiting>,
}

#[test]
fn what_a_command_gives_goes_through_the_gates() {
    let place = Playground::new();
    place.write("swap.sh", "sed 's/p->one \\* 2/p->one + p->one/'\n");
    place.write("elsewhere.sh", "sed 's/return /int elsewhere(int); return elsewhere(n) - n + /'\n");
    let wrong = [
        ("external:sed 's/other + n/other - n/'", Reason::Differs),
        ("external:sed 's/sum(/total(/'", Reason::NameNotKept),
        ("external:sed 's/int n)/long n)/'", Reason::NameNotKept),
        ("external:true", Reason::NoCodeGiven),
        ("external:printf '\\377'", Reason::NoCodeGiven),
        ("external:echo 'Sorry, I cannot do that.'", Reason::DoesNotParse),
        ("external:false", Reason::CommandFailed),
        ("external:sleep 100", Reason::CommandOverLimit),
        ("external:yes", Reason::CommandOverLimit),
        ("external:cat {file}", Reason::Unchanged),
        ("external:sed 's/int one, other/int other, one/; s/+ n/+ n + 0/'", Reason::OutsideChanged),
        ("external:sh ./elsewhere.sh", Reason::OutsideChanged),
    ];
    let right =
        ["external:sh ./swap.sh", "external:sh ./swap.sh+neutralize", "external:sed 's/2 + p->other/2 + (p->other)/'"];
    let quoted: Vec<String> =
        wrong.iter().map(|(word, _)| *word).chain(right).map(|word| word.replace('"', "\\\"")).collect();
    let (made, _) = place.build(&quoted.join(","), &["--external-timeout", "3"]);
    // What has a comma or a plus in it stands in quotes.
    let name = |word: &str| match word.contains("'") {
        true => format!("\"{}\"", word.replace('\\', "\\\\")),
        false => word.to_owned(),
    };
    for (word, reason) in wrong {
        let waiting = made.waiting.get(&name(word)).unwrap_or_else(|| panic!("{word}: {:?}", made.variants.keys()));
        assert_eq!(waiting.reason, reason, "{word}: {}", waiting.detail);
    }
    for word in right {
        let variant = made.variants.get(&name(word)).unwrap_or_else(|| panic!("{word}: {:?}", made.waiting));
        assert!(matches!(variant.tier, Tier::IdenticalCode | Tier::Agrees), "{word}: {:?}", variant.evidence);
    }
    assert_eq!((made.variants.len(), made.waiting.len()), (right.len(), wrong.len()));
    let swapped = &made.variants["external:sh ./swap.sh"];
    assert!(swapped.text.contains("p->one + p->one + p->other + n"), "{}", swapped.text);
    assert!(!swapped.unit.contains("Sums up"), "{}", swapped.unit);
    let renamed = &made.variants["external:sh ./swap.sh+neutralize"];
    assert!(renamed.text.starts_with("int func_0("), "{}", renamed.text);
    let bench = place.path("bench").display().to_string();
    let outcomes = whole(&place.run(&["stats", &bench, "--table", "outcomes"]));
    for words in
        ["What became of every rewrite", "right", "name-not-kept", "no-code-given", "command-over-limit", "100.0%"]
    {
        assert!(outcomes.contains(words), "{outcomes}");
    }
    let shown = whole(&place.run(&["show", &bench, "sum", "--setting", "external:sh ./swap.sh"]));
    assert!(shown.contains("complexity 1"), "{shown}");
}

#[test]
fn what_a_command_says_decides_whether_it_is_asked_again() {
    let place = Playground::new();
    let script = |sum: &str| place.write("swap.sh", &format!("sed 's/p->one \\* 2/{sum}/'\n"));
    script("p->one + p->one");
    let (first, _) = place.build("external:sh ./swap.sh", &[]);
    let (again, output) = place.build("external:sh ./swap.sh", &[]);
    assert_eq!(again.variants, first.variants);
    assert!(whole(&output).contains("nothing had to be computed"), "{}", whole(&output));
    script("2 * p->one");
    let (other, _) = place.build("external:sh ./swap.sh", &[]);
    assert!(other.variants["external:sh ./swap.sh"].text.contains("2 * p->one"), "{:?}", other.variants);
    for (word, words) in [("external:./none.sh", "there is no program `./none.sh`"), ("external:", "does not say what")]
    {
        let refused = place.run(&["build", "one", "--out", "bench", "--settings", word]);
        assert!(!refused.status.success() && whole(&refused).contains(words), "{}", whole(&refused));
    }
}

#[test]
fn a_command_sees_and_reaches_nothing_that_it_was_not_shown() {
    let place = Playground::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    place.write("secret", "rosebud");
    place.write("shown/words", "p->one + p->one");
    place.write(
        "nosy.py",
        &format!(
            "import os, socket, sys\nfaults = []\ndef attempt(what):\n    try:\n        what()\n        faults.append(what)\n    except OSError:\n        pass\n\
             attempt(lambda: socket.create_connection(('127.0.0.1', {port}), 2))\n\
             attempt(lambda: open('{folder}/secret').read())\n\
             attempt(lambda: open('{folder}/written', 'w'))\n\
             attempt(lambda: open('/usr/written', 'w'))\n\
             if faults or 'ESTRANGE_CACHE' in os.environ or os.environ['ESTRANGE_FUNCTION'] != 'sum':\n    sys.exit(3)\n\
             text = open(sys.argv[1]).read()\nassert text == sys.stdin.read()\n\
             text = text.replace('p->one * 2', open('/input/shown/words').read())\n\
             open(sys.argv[2], 'w').write(text)\n",
            port = listener.local_addr().unwrap().port(),
            folder = place.path("").display(),
        ),
    );
    let recipe = "external:python3 ./nosy.py {file} {out}";
    let rewrite = ["rewrite", "one/sum.c", "--recipe", recipe, "--check", "--external-reads", "shown"];
    let output = place.run(&rewrite);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert!(whole(&output).contains("p->one + p->one"), "{}", whole(&output));
    assert!(listener.accept().is_err(), "it reached the network");
    assert!(!place.path("written").exists() && !PathBuf::from("/usr/written").exists());
}

#[test]
fn a_model_is_asked_once_and_its_answer_checked() {
    let place = Playground::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let heard = Arc::new(Mutex::new(String::new()));
    let (count, hears) = (Arc::clone(&asked), Arc::clone(&heard));
    let address = server(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        let prompt = request["messages"].to_string();
        hears.lock().unwrap().clone_from(&prompt);
        let code = match prompt.contains("Break it") {
            true => FUNCTION.replace("* 2", "* 3"),
            false => OTHERWISE.to_owned(),
        };
        Reply::Answer(said(Some(&format!("Here it is:\n```c\n{code}```\nIt does the same."))))
    });
    place.write("wrong.txt", "Break it. {name}");
    let settings = "openai:writer,openai:writer@wrong.txt";
    let build = |more: &[&str]| {
        let arguments = [&["build", "one", "--out", "bench", "--settings", settings][..], more].concat();
        let output = place.command(&arguments).env("OPENAI_BASE_URL", &address).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        whole(&output)
    };
    assert!(build(&["--dry-run"]).contains("2 requests"));
    assert!(asked.load(Ordering::Relaxed) == 0 && !place.path("bench").exists());
    build(&[]);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let made = place.made();
    assert_eq!(made.waiting["openai:writer@wrong.txt"].reason, Reason::Differs);
    let variant = &made.variants["openai:writer"];
    assert!(variant.text.contains("int all = p->one + p->one"), "{}", variant.text);
    assert!(matches!(variant.tier, Tier::IdenticalCode | Tier::Agrees), "{:?}", variant.evidence);
    assert!(build(&["--dry-run"]).contains("0 requests"));
    // A file of one's own is asked about with the prompts that have a name, and what was answered is kept.
    let rewrite = ["rewrite", "one/sum.c", "--recipe", "openai:writer@structure,neutralize", "--check", "--json"];
    for _ in 0..2 {
        let output = place.command(&rewrite).env("OPENAI_BASE_URL", &address).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        assert!(json(&output)["function_text"].as_str().unwrap().starts_with("int func_0("), "{}", whole(&output));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert!(heard.lock().unwrap().contains("calls no function of its own project"));
}
