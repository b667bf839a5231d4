//! Pairs from the command line: confirmed by running, searched for, followed up the ladder, and lost with a reason.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use estrange_bench::{Bench, BugPair, Label, Rung, Unpaired};
use serde_json::Value;
use support::{estrange, whole};
use tempfile::TempDir;

struct Playground {
    folder: TempDir,
}

const TOO_LONG: &str = "size_t fill(char *to, size_t room, const char *from, size_t length)\n{\n    if (length > room + 1)\n        return 0;\n    memcpy(to, from, length);\n    return length;\n}\n";

impl Playground {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A pair of the repository, under another name if need be, with some of its texts replaced.
    fn pair(&self, of: &str, name: &str, change: &dyn Fn(&str, String) -> Option<String>) {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs").join(of);
        let folder = self.path("set").join(name);
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(own).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap();
            if let Some(text) = change(file, fs::read_to_string(&path).unwrap()) {
                fs::write(folder.join(file), text).unwrap();
            }
        }
    }

    fn pairs(&self, arguments: &[&str]) -> Output {
        let mut command = estrange(&[&["pairs", "--out", "pairs", "--quiet"], arguments].concat());
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command.output().unwrap()
    }

    fn made(&self, arguments: &[&str]) -> Made {
        let output = self.pairs(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        let bench = Bench::open(self.path("pairs")).unwrap();
        Made {
            pairs: bench.rows().unwrap().map(Result::unwrap).collect(),
            rungs: bench.rows().unwrap().map(Result::unwrap).collect(),
            unpaired: bench.rows().unwrap().map(Result::unwrap).collect(),
            said: String::from_utf8(output.stdout).unwrap(),
        }
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]).args(arguments);
        let output = command.current_dir(self.path("repository")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

struct Made {
    pairs: Vec<BugPair>,
    rungs: Vec<Rung>,
    unpaired: Vec<Unpaired>,
    said: String,
}

impl Made {
    fn pair(&self, name: &str) -> &BugPair {
        self.pairs.iter().find(|pair| pair.name == name).unwrap()
    }

    fn settings(&self, pair: &str) -> Vec<&str> {
        self.rungs.iter().filter(|rung| rung.pair == pair).map(|rung| rung.setting.as_str()).collect()
    }

    fn reason(&self, pair: &str) -> &'static str {
        let pair = self.pair(pair);
        pair.reason.unwrap_or_else(|| panic!("{pair:#?}")).as_str()
    }
}

fn as_it_is(_: &str, text: String) -> Option<String> {
    Some(text)
}

#[test]
fn a_folder_of_pairs() {
    let place = Playground::new();
    // Those of the paper: the sum and the off-by-one.
    place.pair("acc", "acc", &as_it_is);
    place.pair("off-by-one", "off-by-one", &as_it_is);
    // Without a trigger one is found.
    place.pair("acc-loop", "acc-loop", &|file, text| (file != "trigger.json").then_some(text));
    // A trigger on which neither side faults, one on which both do, and one for another function.
    place.pair("acc", "neither", &|file, text| {
        Some(if file == "trigger.json" { text.replace("9223372036854775807", "3") } else { text })
    });
    place.pair("acc", "both", &|file, text| {
        Some(if file == "patched.c" {
            "long acc(long a, long b)\n{\n    long sum = a + b;\n    return sum;\n}\n".to_owned()
        } else {
            text
        })
    });
    place.pair("acc", "other", &|file, text| {
        Some(if file == "trigger.json" { text.replace("1\n", "1, 2\n") } else { text })
    });
    // What is no pair.
    place.pair("acc", "alike", &|file, text| {
        Some(if file == "patched.c" {
            "#include <limits.h>\n\nlong acc(long a, long b)\n{\n    return a + b;\n}\n".to_owned()
        } else {
            text
        })
    });
    place.pair("acc", "unreadable", &|file, text| {
        Some(if file == "pair.toml" { "function = ".to_owned() } else { text })
    });
    let made = place.made(&["set"]);

    for name in ["acc", "off-by-one", "acc-loop"] {
        let pair = made.pair(name);
        assert_eq!((pair.label, pair.reason), (Label::CrashConfirmed, None), "{pair:#?}");
        assert_eq!(made.settings(name), ["L0", "L1", "L2", "L3", "L4"]);
        assert_ne!(pair.vulnerable_id, pair.patched_id);
        assert!(pair.trigger.is_some() && pair.patch.contains("\n-") && pair.patch.contains("\n+"));
    }
    let acc = made.pair("acc");
    assert_eq!(acc.class.unwrap().as_str(), "add-overflow");
    assert_eq!((acc.cwe, acc.fault_line, acc.fault_text.as_deref()), (Some(190), Some(5), Some("return a + b;")));
    let of_acc: Vec<&Rung> = made.rungs.iter().filter(|rung| rung.pair == "acc").collect();
    for rung in &of_acc {
        let (start, end) = (rung.vulnerable_start as usize, rung.vulnerable_end as usize);
        assert!(rung.vulnerable_unit[start..end].ends_with('}'));
        let line = rung.vulnerable_unit.lines().nth(rung.fault_line.unwrap() as usize - 1).unwrap();
        assert!(line.contains('+'), "{line}");
        assert_eq!(rung.evidence.operation.as_deref(), Some("add of a signed number of 64 bits"));
        assert_eq!(rung.evidence.by.len(), 2);
    }
    assert!(of_acc.windows(2).all(|two| two[0].surface_distance <= two[1].surface_distance));

    assert_eq!(made.reason("neither"), "fault-gone");
    assert_eq!(made.reason("both"), "patched-faults");
    assert_eq!(made.reason("other"), "trigger-does-not-fit");
    for name in ["neither", "both", "other"] {
        assert_eq!(made.settings(name), ["L0"], "what is not confirmed has no ladder");
    }
    let lost: Vec<(&str, &str)> = made.unpaired.iter().map(|lost| (lost.fix.as_str(), lost.reason.as_str())).collect();
    assert_eq!(lost, [("set alike", "sides-alike"), ("set unreadable", "unreadable")]);
    assert!(made.said.starts_with("6 pairs, 3 crash-confirmed: pairs\n"), "{}", made.said);

    // The same again gives the same bytes, and what was found is kept.
    let before = fs::read(place.path("pairs/rungs.parquet")).unwrap();
    place.made(&["set"]);
    assert_eq!(fs::read(place.path("pairs/rungs.parquet")).unwrap(), before);
}

#[test]
fn the_gate_refuses_what_takes_bugs_away() {
    let place = Playground::new();
    for name in ["acc", "off-by-one", "bit-set", "histogram-bins", "geometry-parse"] {
        if Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs").join(name).is_dir() {
            place.pair(name, name, &as_it_is);
        }
    }
    let output = place.pairs(&["set", "--controls", "--shams", "--settings", "L1", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let controls = document["controls"].as_object().unwrap();
    for name in ["unsigned-detour", "arithmetic-encoding", "wider-arithmetic", "wrapping-builtin"] {
        let control = &controls[name];
        assert!(control["gone"].as_u64() > Some(0), "{name}: {controls:#?}");
        assert_eq!(control["gone"], control["refused"], "{name}");
    }
    assert!(controls.values().all(|control| control["wrongly_passed"] == 0), "{controls:#?}");
    // Where there is no bug, none is found.
    for held_against in ["itself", "L1"] {
        let shams = &document["shams"][held_against];
        assert!(shams["tried"].as_u64() > Some(2), "{document:#}");
        assert_eq!(shams["confirmed"], 0, "{held_against}");
    }
}

#[test]
fn fixes_of_a_repository() {
    let place = Playground::new();
    let header = "#include <stddef.h>\n#include <string.h>\n";
    fs::create_dir(place.path("repository")).unwrap();
    let write = |text: String| fs::write(place.path("repository/fill.c"), text).unwrap();
    place.git(&["init", "-q"]);
    write(format!("{header}{TOO_LONG}"));
    place.git(&["add", "."]);
    place.git(&["commit", "-qm", "Fill buffers"]);
    write(format!("{header}{}", TOO_LONG.replace("room + 1", "room")));
    place.git(&["commit", "-qam", "Fix CVE-2031-0001: one byte too many was written\n\nFound by a fuzzer."]);
    write(format!("{header}{}", TOO_LONG.replace("room + 1", "room").replace("return 0", "return 1")));
    place.git(&["commit", "-qam", "Say 1"]);
    let made = place.made(&["repository", "--settings", "L2"]);
    let [pair] = made.pairs.as_slice() else { panic!("{:#?}", made.pairs) };
    assert!(pair.name.starts_with("repository/") && pair.name.ends_with("/fill"), "{}", pair.name);
    assert_eq!((pair.cves.as_slice(), pair.changed_functions), (["CVE-2031-0001".to_owned()].as_slice(), 1));
    assert!(pair.description.contains("one byte too many"));
    assert_eq!(pair.label, Label::CrashConfirmed, "{pair:#?}");
    assert!(pair.class.is_some_and(|class| class.is_fault()), "{pair:#?}");
    assert_eq!(pair.fault_text.as_deref(), Some("memcpy(to, from, length);"));
    assert_eq!(made.settings(&pair.name), ["L0", "L2"]);
}

#[test]
fn what_gives_no_pairs_says_so() {
    let place = Playground::new();
    fs::create_dir(place.path("empty")).unwrap();
    for (arguments, code, said) in [
        (&["empty"][..], 1, "no fix and no pair was found"),
        (&["nowhere"], 1, "no fix and no pair was found"),
        (&["empty", "--range", "v1"], 2, "`v1` is no range"),
        (&["empty", "--settings", "L9"], 2, "there is no rewrite `L9`"),
    ] {
        let output = place.pairs(arguments);
        assert_eq!(output.status.code(), Some(code), "{}", whole(&output));
        assert!(whole(&output).contains(said), "{}", whole(&output));
    }
    assert!(!place.path("pairs").exists());
}
