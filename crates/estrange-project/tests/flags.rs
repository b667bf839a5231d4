//! Flags of small projects in every build system: found, recorded, and good enough to parse by.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use estrange_project::files::Kind;
use estrange_project::flags::{Configure, Earlier, FlagOptions, FlagOrigin, FlagsReport, SourceFile, obtain};
use estrange_project::parse_check::{ParseResult, parse_all};
use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_words::Language;
use tempfile::TempDir;

/// A project on disk, with a cache of its own.
struct Project {
    root: TempDir,
    cache: TempDir,
    units: Vec<SourceFile>,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let language = |path: &str| match path.rsplit_once('.')?.1 {
            "c" => Some(Language::C),
            "cc" => Some(Language::Cpp),
            _ => None,
        };
        let unit = |path: &str| Some(SourceFile { path: path.into(), language: language(path)?, kind: Kind::Unit });
        let units = files.iter().filter_map(|(path, _)| unit(path)).collect();
        Self { root, cache: tempfile::tempdir().unwrap(), units }
    }

    fn obtain_within(&self, configure: Configure, wall: Duration) -> FlagsReport {
        let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
        let options = FlagOptions { configure, wall, cache: self.cache.path().to_owned(), earlier: None };
        obtain(self.root.path(), &self.units, &options, &sandbox, &|_| ()).unwrap()
    }

    fn obtain(&self, configure: Configure) -> FlagsReport {
        self.obtain_within(configure, Duration::from_secs(120))
    }
}

/// Asserts that every unit parses without an error, and gives the origins of their flags.
fn parse(report: &FlagsReport, wanted: impl Fn(&Path) -> bool) -> Vec<ParseResult> {
    let files = report.files.iter().map(|(path, flags)| (path.as_path(), flags));
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    parse_all(&report.root, &files.filter(|(path, _)| wanted(path)).collect::<Vec<_>>(), &sandbox)
}

fn origins_if_clean(report: &FlagsReport) -> BTreeMap<String, FlagOrigin> {
    for result in parse(report, |_| true) {
        assert!(result.clean(), "{result:?}\n{:#?}\n{:#?}", report.files[&result.path], report.attempts);
    }
    report.files.iter().map(|(path, flags)| (path.display().to_string(), flags.origin)).collect()
}

#[test]
fn cmake_gives_flags_and_makes_its_headers() {
    let project = Project::new(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(toy VERSION 2.1 LANGUAGES C CXX)\nset(CMAKE_CXX_STANDARD 14)\n\
             option(TOY_WITH_NOWHERE \"\" ON)\nif(TOY_WITH_NOWHERE)\nfind_package(Nowhere REQUIRED)\nendif()\n\
             set(TOY_NUMBER 1)\nconfigure_file(src/toy_config.h.in gen/toy_config.h)\n\
             add_custom_command(OUTPUT table.h COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/table.sh > table.h)\n\
             add_library(toy src/a.c src/b.cc table.h lost.c)\ntarget_compile_definitions(toy PRIVATE TOY_BUILD=1)\n\
             target_include_directories(toy PRIVATE ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/gen)\n",
        ),
        ("table.sh", "echo '#define TABLE 3'\n"),
        ("src/toy_config.h.in", "#define TOY_MAJOR @toy_VERSION_MAJOR@\n#define TOY_NUMBER @TOY_NUMBER@\n"),
        (
            "src/a.c",
            "#include \"toy_config.h\"\n#include \"table.h\"\nint a[TOY_MAJOR + TABLE + TOY_NUMBER - 5] = {TOY_BUILD};\n",
        ),
        ("src/b.cc", "#if __cplusplus != 201402L\n#error wrong standard\n#endif\nint b = TOY_BUILD;\n"),
        ("src/c.c", "#include \"toy_config.h\"\n#include \"table.h\"\nint c = TOY_BUILD;\n"),
        ("src/win.c", "#include <windows.h>\n"),
    ]);
    let mut report = project.obtain(Configure::Auto);
    let parsed = parse(&report, |_| true);
    assert_eq!((parsed.len(), parsed.iter().filter(|result| result.clean()).count()), (4, 3));
    assert!(report.files.remove(Path::new("src/win.c")).unwrap().is_elsewhere());
    let origins = origins_if_clean(&report);
    assert_eq!(origins["src/a.c"], FlagOrigin::Cmake);
    assert_eq!(origins["src/c.c"], FlagOrigin::Neighbour);
    assert!(report.attempts.last().unwrap().detail.contains("TOY_WITH_NOWHERE=OFF"), "{:?}", report.attempts);
}

#[test]
fn meson_gives_flags_and_makes_its_headers() {
    let project = Project::new(&[
        (
            "meson.build",
            "project('toy', 'c', version: '1.0', default_options: ['c_std=c99'])\n\
             if get_option('with_nowhere')\n  dependency('nowhere-2.0')\nendif\nconf = configuration_data()\n\
             conf.set('TOY_SIZE', 5)\nconfigure_file(output: 'config.h', configuration: conf)\n\
             t = custom_target('t', output: 't.h', command: ['sh', '-c', 'echo \"#define T 1\" > t.h'])\n\
             add_project_arguments('-DHAVE_CONFIG_H', language: 'c')\nstatic_library('toy', 'a.c', t)\n",
        ),
        ("meson_options.txt", "option('with_nowhere', type: 'boolean', value: true)\n"),
        ("a.c", "#ifdef HAVE_CONFIG_H\n#include \"config.h\"\n#endif\n#include \"t.h\"\nint a[TOY_SIZE + T];\n"),
    ]);
    let report = project.obtain(Configure::Auto);
    assert_eq!(origins_if_clean(&report)["a.c"], FlagOrigin::Meson);
    assert_eq!(report.files[Path::new("a.c")].standard.as_deref(), Some("c99"));
}

#[test]
fn autotools_are_set_up_from_their_sources_and_traced() {
    let project = Project::new(&[
        (
            "configure.ac",
            "AC_INIT([toy],[1.5])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAC_PROG_RANLIB\n\
             AC_CONFIG_HEADERS([config.h])\nAC_CHECK_HEADERS([unistd.h])\nAC_ARG_WITH([gem],[AS_HELP_STRING([--without-gem],[no gem])])\n\
             AS_IF([test \"x$with_gem\" != xno],[AC_MSG_ERROR([gem not found; use --without-gem to do without])])\n\
             AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
        ),
        ("Makefile.am", "noinst_LIBRARIES = libtoy.a\nlibtoy_a_SOURCES = src/a.c\nlibtoy_a_CPPFLAGS = -DTOY=4\n"),
        (
            "src/a.c",
            "#include <config.h>\n#ifndef HAVE_UNISTD_H\n#error not configured\n#endif\nint a[TOY];\nchar *v = VERSION;\n",
        ),
    ]);
    let report = project.obtain(Configure::Auto);
    assert_eq!(origins_if_clean(&report)["src/a.c"], FlagOrigin::Autotools);
    assert!(report.files[Path::new("src/a.c")].arguments.contains(&"-DTOY=4".to_owned()));
}

#[test]
fn makefiles_are_traced_through_loops_folders_and_generators() {
    let project = Project::new(&[
        (
            "Makefile",
            "CC = gcc\nall: gen.h\n\tfor d in one two; do $(MAKE) -C $$d DEF=-DIN_$$d || exit 1; done\n\tcd three && $(CC) $(CFLAGS) -I.. -c t.c\n\
             \t$(CC) -shared -o libtoy.so one/o.o\n\
             gen.h: gen\n\t./gen > gen.h\ngen: gen.o help.a\n\t$(CC) -o gen gen.o help.a\ngen.o: gen.c\n\t$(CC) -c gen.c\n\
             help.a:\n\t$(CC) -c -o help.o help.c\n\tar rcs help.a help.o\n",
        ),
        ("one/Makefile", "all:\n\t$(CC) $(DEF) -I../ -c -o o.o o.c\n"),
        ("two/Makefile", "all:\n\tsh -c '$(CC) $(DEF) -I../ -DTEXT=\"\\\"a b\\\"\" -c w.c'\n"),
        (
            "gen.c",
            "#include <stdio.h>\nint size(void);\nint main(void) { printf(\"#define GEN %d\\n\", size()); return 0; }\n",
        ),
        ("help.c", "int size(void) { return 7; }\n"),
        ("one/o.c", "#include \"gen.h\"\n#ifndef IN_one\n#error\n#endif\nint o[GEN == 7 ? 1 : -1];\n"),
        ("two/w.c", "#include \"gen.h\"\n#ifndef IN_two\n#error\n#endif\nchar w[] = TEXT;\n"),
        ("three/t.c", "#include \"gen.h\"\nint t[GEN];\n"),
    ]);
    let report = project.obtain(Configure::Auto);
    assert!(origins_if_clean(&report).values().all(|origin| *origin == FlagOrigin::Make), "{:#?}", report);
}

/// A CMake step that works and makes a `config.h` in which `LEVEL` has no value, for the sources listed.
fn wrong_cmake(sources: &str, config: &str) -> String {
    format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(toy LANGUAGES C)\n\
         file(WRITE ${{CMAKE_CURRENT_{config}_DIR}}/config.h \"#define LEVEL\\n\")\n\
         add_library(toy STATIC {sources})\n\
         target_include_directories(toy PRIVATE ${{CMAKE_CURRENT_{config}_DIR}})\n"
    )
}

const LEVELLED: &str = "#include <config.h>\n#if LEVEL == 3\nint level;\n#endif\n";
const CONFIGURE: &str = "#!/bin/sh\necho '#define LEVEL 3' > config.h\n";

#[test]
fn a_configuration_header_that_the_preprocessor_refuses_is_taken_from_the_next_build_system() {
    // Beside CMake's own folder, and in the same place of the tree.
    for config in ["BINARY", "SOURCE"] {
        let project = Project::new(&[
            ("CMakeLists.txt", &wrong_cmake("a.c b.c c.c", config)),
            ("configure", CONFIGURE),
            ("Makefile", "all:\n\tcc -I. -c a.c\n\tcc -I. -c b.c\n\tcc -I. -c c.c\n"),
            ("a.c", LEVELLED),
            ("b.c", LEVELLED),
            ("c.c", "int c;\n"),
        ]);
        let report = project.obtain(Configure::Auto);
        let origins = origins_if_clean(&report);
        assert!(origins.values().all(|origin| *origin == FlagOrigin::Configure), "{origins:?}");
        let tried: Vec<&str> = report.attempts.iter().map(|attempt| attempt.detail.as_str()).collect();
        assert_eq!(
            tried,
            [
                "3 compiler calls, 2 of 3 files refused by the preprocessor (a.c:2:11: error: operator '==' has no \
                 left operand)",
                "3 compiler calls, 0 of 3 files refused by the preprocessor"
            ]
        );
        assert_eq!(fs::read_to_string(report.root.join("config.h")).unwrap(), "#define LEVEL 3\n");
        assert!(!report.root.with_file_name("left").exists());
    }
}

#[test]
fn a_build_system_that_repairs_some_files_gives_flags_to_those() {
    let project = Project::new(&[
        ("CMakeLists.txt", &wrong_cmake("a.c b.c c.c", "BINARY")),
        ("Makefile", "all:\n\tcc -DLEVEL=3 -Iown -c a.c\n"),
        ("own/config.h", "\n"),
        ("a.c", LEVELLED),
        ("b.c", "#include <config.h>\nint b;\n"),
        ("c.c", "int c;\n"),
    ]);
    let origins = origins_if_clean(&project.obtain(Configure::Auto));
    let origins: Vec<FlagOrigin> = origins.into_values().collect();
    assert_eq!(origins, [FlagOrigin::Make, FlagOrigin::Cmake, FlagOrigin::Cmake]);
}

#[test]
fn of_a_file_that_is_compiled_twice_the_flags_are_taken_that_the_preprocessor_accepts() {
    let project = Project::new(&[
        ("Makefile", "all:\n\tcc -DLEVEL= -c a.c\n\tcc -DLEVEL=3 -c -o b.o a.c\n"),
        ("config.h", "\n"),
        ("a.c", &LEVELLED.replace("<config.h>", "\"config.h\"")),
    ]);
    let report = project.obtain(Configure::Auto);
    assert_eq!(origins_if_clean(&report)["a.c"], FlagOrigin::Make);
    assert_eq!(report.files[Path::new("a.c")].arguments, ["-DLEVEL=3"]);
}

#[test]
fn a_file_that_every_build_system_gets_wrong_keeps_the_flags_of_the_first() {
    let project = Project::new(&[
        ("CMakeLists.txt", &wrong_cmake("a.c b.c c.c", "BINARY")),
        ("Makefile", "all:\n\tcc -I. -DMAKE -c a.c\n"),
        ("a.c", "#include \"nowhere.h\"\nint a;\n"),
        ("b.c", "int b;\n"),
        ("c.c", "int c;\n"),
    ]);
    let report = project.obtain(Configure::Auto);
    assert!(report.files.values().all(|flags| flags.origin == FlagOrigin::Cmake), "{report:#?}");
    let last = report.attempts.last().unwrap();
    assert_eq!(last.system, FlagOrigin::Make);
    assert!(last.detail.ends_with("No such file or directory); not used: it mends none"), "{last:?}");
}

#[test]
fn a_build_whose_files_all_pass_is_the_only_one_tried() {
    let project = Project::new(&[
        ("CMakeLists.txt", &wrong_cmake("a.c", "BINARY")),
        ("Makefile", "all:\n\tcc -c a.c\n"),
        ("a.c", "#include <config.h>\nint a;\n"),
    ]);
    let report = project.obtain(Configure::Auto);
    assert_eq!(report.attempts.len(), 1, "{report:#?}");
}

#[test]
fn a_build_that_configures_while_it_makes_gets_true_answers() {
    let project = Project::new(&[
        (
            "Makefile",
            "all: config.h\n\t$(CC) -c a.c\nconfig.h:\n\techo 'int x = no_such;' > conftest.c; if $(CC) -c conftest.c; then echo '#error fooled' > config.h; else echo > config.h; fi\n",
        ),
        ("a.c", "#include \"config.h\"\nint a;\n"),
    ]);
    origins_if_clean(&project.obtain(Configure::Auto));
}

#[test]
fn without_a_configure_step_flags_are_inferred() {
    let files = [
        ("configure.ac", "AC_INIT([toy],[1.5])\nAC_CONFIG_HEADERS([config.h:config.hin])\n"),
        ("configure", "#!/bin/sh\ntouch config.h\n"),
        ("config.hin", "#undef HAVE_UNISTD_H\n#undef HAVE_WINDOWS_H\n#undef VERSION\n"),
        ("win32/config.h", "#error for another system\n"),
        ("include/toy/toy.h", "#ifndef T\n#define T\n#include <toy/types.h>\n#endif\n"),
        ("include/toy/types.h", "typedef int toy;\n"),
        ("src/time.h", "typedef int own_time;\n"),
        (
            "src/a.c",
            "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n#include <time.h>\n#include <toy/toy.h>\n#ifndef HAVE_UNISTD_H\n#error\n#endif\n\
             #ifdef HAVE_WINDOWS_H\n#include <windows.h>\n#endif\ntoy a; time_t t; char *v = VERSION;\n",
        ),
        ("src/port.c", "#include <windows.h>\n"),
    ];
    let project = Project::new(&files);
    let report = project.obtain(Configure::Never);
    let results = parse(&report, |path| path.ends_with("a.c"));
    assert!(results[0].clean(), "{results:?} {report:#?}");
    assert!(report.files.values().all(|flags| flags.origin == FlagOrigin::Inferred));
    assert_eq!(report.files[Path::new("src/port.c")].unavailable, ["windows.h"]);
    assert!(!project.root.path().join("config.h").exists(), "the source is left as it was");
}

#[test]
fn a_database_from_elsewhere_is_mapped_and_its_losses_counted() {
    let project = Project::new(&[
        ("src/a.c", "#include <deep.h>\nint a = A;\n"),
        ("src/b.c", "#include <deep.h>\nint b = B;\n"),
        ("include/deep.h", "\n"),
        ("flags.rsp", "-DB=2 '-I../include'"),
    ]);
    let database = b"[{\"directory\":\"/home/\xff/x/build\",\"command\":\"cc -c x.c\",\"file\":\"x.c\"},\
        {\"directory\":\"/home/u/toy/build\",\"command\":\"cc -DA=1 -I/home/u/toy/include -fplugin=/home/u/toy/e.so -c ../src/a.c\",\"file\":\"../src/a.c\"},\
        {\"directory\":\"/home/u/toy/src\",\"arguments\":[\"cc\",\"@../flags.rsp\",\"-c\",\"b.c\"],\"file\":\"/home/u/toy/src/b.c\"},\
        {\"directory\":\"/home/u/toy\",\"command\":\"cc -c gone.c\",\"file\":\"gone.c\"},{\"file\":3}]";
    fs::write(project.root.path().join("compile_commands.json"), database).unwrap();
    let report = project.obtain(Configure::Auto);
    assert!(origins_if_clean(&report).values().all(|origin| *origin == FlagOrigin::Database));
    assert_eq!(report.attempts.len(), 1);
    assert_eq!(
        report.attempts[0].detail,
        "compile_commands.json: 2 entries used, 2 about files that are not here, 1 malformed"
    );
}

#[test]
fn a_broken_database_is_an_attempt_and_the_next_way_goes_on() {
    let project = Project::new(&[
        ("a.c", "int a;\n"),
        ("compile_commands.json", "[{\"file\": "),
        ("Makefile", "all:\n\tcc -DX -c a.c\n"),
    ]);
    let report = project.obtain(Configure::Auto);
    assert_eq!(origins_if_clean(&report)["a.c"], FlagOrigin::Make);
    assert!(!report.attempts[0].success);
}

/// Configure steps that misbehave: each ends, is recorded, and the files get flags all the same.
#[test]
fn hostile_configure_steps_become_attempts() {
    let cases = [
        ("sleep 1000", "time limit", 3),
        ("trap '' TERM INT HUP; while :; do :; done", "time limit", 3),
        ("read answer || exit 7", "code 7", 60),
        ("yes flood", "output limit", 60),
        ("yes fill >/scratch/big; exit 3", "disk was full", 60),
        ("kill -9 $$", "code 137", 60),
        ("rm -rf /scratch/* /input/*; exit 5", "code 5", 60),
    ];
    std::thread::scope(|scope| {
        for (script, end, seconds) in cases {
            scope.spawn(move || {
                let script = format!("#!/bin/sh\n[ \"$1\" = --help ] && exit\n{script}\n");
                let project = Project::new(&[("configure", &script), ("a.c", "int a;\n")]);
                let report = project.obtain_within(Configure::Auto, Duration::from_secs(seconds));
                assert_eq!(origins_if_clean(&report)["a.c"], FlagOrigin::Inferred, "{script}");
                assert!(
                    report.attempts.iter().any(|attempt| attempt.ended.contains(end)),
                    "{script}: {:?}",
                    report.attempts
                );
            });
        }
    });
}

#[test]
fn a_second_look_does_no_work_and_a_damaged_entry_is_made_anew() {
    let project = Project::new(&[("Makefile", "all:\n\tcc -DX -c a.c\n"), ("a.c", "#include <config.h>\nint a;\n")]);
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    let options = FlagOptions {
        configure: Configure::Auto,
        wall: Duration::from_secs(60),
        cache: project.cache.path().to_owned(),
        earlier: None,
    };
    let steps = AtomicUsize::new(0);
    let look = || {
        let count = |_: &str| {
            steps.fetch_add(1, Ordering::Relaxed);
        };
        obtain(project.root.path(), &project.units, &options, &sandbox, &count).unwrap()
    };
    let first = look();
    let done = steps.load(Ordering::Relaxed);
    assert!(done > 0);
    assert_eq!(look(), first);
    assert_eq!(steps.load(Ordering::Relaxed), done);

    let entry = fs::read_dir(project.cache.path().join("flags")).unwrap().next().unwrap().unwrap().path();
    fs::write(entry.join("report.json"), "{\"own_tree\": tr").unwrap();
    assert_eq!(look(), first);
    assert!(steps.load(Ordering::Relaxed) > done);
}

#[test]
fn a_state_that_differs_in_code_alone_takes_over_the_flags_of_another() {
    let make = "all: x.h\n\tcc -DX -c a.c\nx.h:\n\techo '#define Y 1' > x.h\n";
    let first = Project::new(&[("Makefile", make), ("a.c", "#include \"x.h\"\nint a;\n"), ("README", "one")]);
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    let (wall, cache) = (Duration::from_secs(60), first.cache.path().to_owned());
    let own = FlagOptions { configure: Configure::Auto, wall, cache, earlier: None };
    let known = obtain(first.root.path(), &first.units, &own, &sandbox, &|_| ()).unwrap();
    let earlier = Some(Earlier { tree: first.root.path().to_owned(), key: known.key.clone() });
    let options = FlagOptions { earlier, ..own };
    let code = ("a.c", "#include \"x.h\"\nint a = 7;\n");
    let asked = AtomicUsize::new(0);
    let look = |project: &Project| {
        asked.store(0, Ordering::Relaxed);
        let count = |_: &str| _ = asked.fetch_add(1, Ordering::Relaxed);
        obtain(project.root.path(), &project.units, &options, &sandbox, &count).unwrap()
    };

    let other = Project::new(&[("Makefile", make), code, ("README", "two"), ("tests/Makefile", "all:")]);
    let taken_over = look(&other);
    assert_eq!(asked.load(Ordering::Relaxed), 0, "nothing is configured");
    assert_ne!(taken_over.key, known.key);
    let (own, theirs) = (&taken_over.files[Path::new("a.c")], &known.files[Path::new("a.c")]);
    assert!(own.arguments.contains(&"-DX".to_owned()) && own.origin == theirs.origin, "{own:?}");
    assert_eq!(fs::read_to_string(taken_over.root.join("a.c")).unwrap(), code.1);
    if known.root != first.root.path() {
        assert_eq!(
            fs::read_to_string(taken_over.root.join("x.h")).unwrap(),
            fs::read_to_string(known.root.join("x.h")).unwrap()
        );
    }

    let elsewhere = Project::new(&[("Makefile", &make.replace("-DX", "-DZ")), code, ("README", "two")]);
    let configured = look(&elsewhere);
    assert!(asked.load(Ordering::Relaxed) > 0, "another Makefile is another build");
    assert!(configured.files[Path::new("a.c")].arguments.contains(&"-DZ".to_owned()));
}

#[test]
fn what_time_cut_short_is_looked_for_again() {
    let script = "#!/bin/sh\n[ \"$1\" = --help ] && exit\nsleep 3\nprintf 'all:\\n\\tcc -DX -c a.c\\n' > Makefile\n";
    let project = Project::new(&[("configure", script), ("a.c", "#ifndef X\n#error X\n#endif\nint a;\n")]);
    let hurried = project.obtain_within(Configure::Auto, Duration::from_secs(4));
    assert!(hurried.attempts.iter().any(|attempt| attempt.ended.contains("time limit")), "{:?}", hurried.attempts);
    let report = project.obtain(Configure::Auto);
    assert_ne!(report.key, hurried.key);
    assert_eq!(origins_if_clean(&report)["a.c"], FlagOrigin::Configure, "{:?}", report.attempts);
    assert_eq!(project.obtain_within(Configure::Auto, Duration::from_secs(4)), report);
}

#[test]
fn several_at_once_agree() {
    let project = Project::new(&[("Makefile", "all:\n\tcc -DX -c a.c\n"), ("a.c", "int a;\n")]);
    let reports: Vec<FlagsReport> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(|| project.obtain(Configure::Auto))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
    let left: Vec<_> =
        fs::read_dir(project.cache.path().join("flags")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_cache_that_cannot_be_written_is_a_clear_error() {
    let project = Project::new(&[("a.c", "int a;\n")]);
    let options = FlagOptions {
        configure: Configure::Never,
        wall: Duration::from_secs(9),
        cache: project.root.path().join("a.c"),
        earlier: None,
    };
    let error = obtain(
        project.root.path(),
        &project.units,
        &options,
        &Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap(),
        &|_| (),
    )
    .unwrap_err();
    assert!(error.to_string().starts_with("the cache folder"), "{error}");
}
