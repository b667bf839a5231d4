//! What compilers and linkers say that no small program makes them say: texts that were written down.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use estrange_diagnosis::{Diagnosed, Mistake, diagnose, read};

fn of(text: &str) -> Option<Diagnosed> {
    diagnose(&read(text))
}

fn mistake(text: &str) -> Option<Mistake> {
    of(text).map(|found| found.mistake)
}

#[test]
fn a_compiler_that_fails_is_told_apart() {
    for text in [
        "a.c: In function 'f':\na.c:3:1: internal compiler error: in expand_expr, at expr.cc:10002\n    3 | }\n      | ^\n\
         Please submit a full bug report, with preprocessed source (by using -freport-bug).\n",
        "gcc: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n",
        "cc1: out of memory allocating 65536 bytes after a total of 1234 bytes\n",
        "PLEASE submit a bug report to the distribution and include the crash backtrace\nStack dump:\n0.\tProgram arguments: x\n",
        "fatal error: error in backend: Cannot select: t5: i64 = add\nclang: error: clang frontend command failed with exit code 70\n",
        "clang: error: unable to execute command: Segmentation fault\n",
    ] {
        assert_eq!(mistake(text), Some(Mistake::CompilerFailure), "{text}");
    }
}

#[test]
fn the_linkers_words_are_read() {
    let twice = "/usr/bin/ld: /tmp/b.o: in function `total':\nb.c:(.text+0x0): multiple definition of `total'; /tmp/a.o:a.c:(.text+0x0): first defined here\n\
        collect2: error: ld returned 1 exit status\n";
    assert_eq!(mistake(twice), Some(Mistake::Redefinition));
    for text in [
        "/usr/bin/ld: cannot find -levent: No such file or directory\ncollect2: error: ld returned 1 exit status\n",
        "ld.lld: error: undefined symbol: total(int)\n>>> referenced by a.cpp:3\n>>>               a.o:(main)\nclang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
        "/usr/bin/ld: a.o: in function `main':\n/src/a.c:12: undefined reference to `total'\n",
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
    ] {
        assert_eq!(mistake(text), Some(Mistake::LinkError), "{text}");
    }
}

#[test]
fn a_warning_explains_why_it_does_not_link() {
    let text = "a.c: In function 'main':\na.c:3:5: warning: implicit declaration of function 'first' [-Wimplicit-function-declaration]\n\
        a.c:4:5: warning: implicit declaration of function 'total'; did you mean 'totals'? [-Wimplicit-function-declaration]\n\
        /usr/bin/ld: /tmp/a.o: in function `main':\na.c:(.text+0x1): undefined reference to `other'\n\
        /usr/bin/ld: a.c:(.text+0x9): undefined reference to `total'\ncollect2: error: ld returned 1 exit status\n";
    let found = of(text).unwrap();
    assert_eq!((found.mistake, found.because), (Mistake::ImplicitDeclaration, 1));
    let without: String =
        text.lines().filter(|line| !line.contains("'total'")).map(|line| format!("{line}\n")).collect();
    assert_eq!(mistake(&without), Some(Mistake::LinkError));
}

#[test]
fn a_warning_that_is_an_error_counts() {
    let text = "a.c:4:5: error: implicit declaration of function 'total' [-Werror=implicit-function-declaration]\n\
        a.c:5:9: error: initialization of 'char *' from 'int' makes pointer from integer without a cast [-Werror=int-conversion]\n\
        a.c:6:9: error: no such thing\na.c:7:9: error: no such thing\ncc1: all warnings being treated as errors\n";
    let found = of(text).unwrap();
    assert_eq!((found.mistake, found.because), (Mistake::ImplicitDeclaration, 0));
    let others: Vec<(Mistake, usize)> = found.others.into_iter().collect();
    assert_eq!(others, [(Mistake::IntegerToPointer, 1), (Mistake::Other, 2)]);
}

#[test]
fn warnings_alone_are_no_reason() {
    assert_eq!(
        of("a.c:4:5: warning: implicit declaration of function 'total' [-Wimplicit-function-declaration]\n"),
        None
    );
    assert_eq!(of(""), None);
}

#[test]
fn a_text_may_be_cut_anywhere() {
    let text = "In file included from a.c:1:\nb.h:7:1: error: unknown type name ‘list_t’; did you mean ‘list’?\n    7 | list_t *make(void);\n      | ^~~~~~\n\
        a.c: In function ‘f’:\n\u{1b}[01m\u{1b}[Ka.c:3:9:\u{1b}[m\u{1b}[K \u{1b}[01;31m\u{1b}[Kerror: \u{1b}[m\u{1b}[Ktoo few arguments to function ‘make’\n";
    for (at, _) in text.char_indices() {
        let (head, tail) = text.split_at(at);
        diagnose(&read(head));
        diagnose(&read(tail));
    }
    let head = &text[..text.find("; did").unwrap()];
    assert_eq!(mistake(head), Some(Mistake::UndeclaredType));
    let tail = &text[text.find("    7").unwrap()..];
    assert_eq!(mistake(tail), Some(Mistake::ParameterCount));
}
