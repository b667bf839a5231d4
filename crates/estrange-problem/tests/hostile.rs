//! Answers that try to get around the test, or to do harm: graded as what they are.

#![allow(clippy::unwrap_used)]

mod support;

use std::time::{Duration, Instant};

use estrange_problem::{Bounds, Problem, Verdict};
use estrange_words::End;
use support::{grade, problem, sum};

const RIGHT: &str = "int sum(const int *values, size_t count) { int s = 0; for (size_t i = 0; i < count; i++) s += values[i]; return s; }";

#[track_caller]
fn expect(problem: &Problem, answer: &str, verdict: Verdict) {
    let graded = grade(problem, answer);
    assert_eq!(graded.verdict, verdict, "{answer}: {graded:#?}");
}

#[test]
fn an_answer_may_define_main_and_names_of_the_library() {
    let answer = format!(
        "#include <unistd.h>\n{RIGHT}\nint main(void) {{ _exit(0); }}\nvoid *take(void) {{ return 0; }}\n\
         int estrange_entry; void give_bytes(void) {{}} int host; char *index(const char *s, int c) {{ return 0; }}\n\
         int dlsym(void) {{ return 0; }} int write_all(void) {{ return 0; }} int fork_(void) {{ return 0; }}"
    );
    expect(&sum(), &answer, Verdict::Passed);
    expect(&sum(), "int main(void) { return 0; }", Verdict::DoesNotLink);
}

#[test]
fn an_answer_that_ends_the_process_has_not_passed() {
    for ending in
        ["exit(0)", "_exit(0)", "quick_exit(0)", "kill(getpid(), 9)", "kill(getppid(), 9)", "raise(15)", "abort()"]
    {
        let answer = format!(
            "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>\nint sum(const int *values, size_t count) \
             {{ if (count) {ending}; return 0; }}"
        );
        let graded = grade(&sum(), &answer);
        assert!(matches!(graded.verdict, Verdict::EndedEarly | Verdict::Crashed), "{ending}: {graded:#?}");
        assert_eq!(graded.passed(), 1, "{ending}: the first case is right: {graded:#?}");
    }
    // Before anything is called.
    let answer =
        format!("#include <unistd.h>\n__attribute__((constructor)) static void first(void) {{ _exit(0); }}\n{RIGHT}");
    expect(&sum(), &answer, Verdict::EndedEarly);
}

#[test]
fn an_answer_that_prints_what_is_expected_has_not_returned_it() {
    let answer = "#include <stdio.h>\n#include <unistd.h>\nint sum(const int *values, size_t count) { for (int file = 0; file < 256; file++) { \
                  dprintf(file, \"6\\nPASSED\\nall tests passed\\n\"); } _exit(0); }";
    expect(&sum(), answer, Verdict::EndedEarly);
    // Noise alone does no harm.
    let answer = RIGHT.replace(
        "int s = 0;",
        "int s = 0; printf(\"99\\n\"); fprintf(stderr, \"==1==ERROR: AddressSanitizer: heap-use-after-free\");",
    );
    expect(&sum(), &format!("#include <stdio.h>\n{answer}"), Verdict::Passed);
}

#[test]
fn nothing_that_is_expected_can_be_read() {
    // It looks for cases.json and whatever else lies about, in its inputs and its scratch folder.
    let answer = "#include <dirent.h>\n#include <stdio.h>\n#include <string.h>\nint sum(const int *values, size_t count) { const char *folders[] = \
                  {\"/input\", \"/scratch\", \".\", \"/tmp\", \"/work\", \"/root\", \"/home\"}; int files = 0; for (int i = 0; i < 7; i++) { DIR *d = opendir(folders[i]); \
                  struct dirent *e; while (d && (e = readdir(d))) if (e->d_name[0] != '.') { files++; if (strstr(e->d_name, \"case\")) files += 1000; } } \
                  /* what runs it, itself, and what calls it */ return files == 3 ? 0 : files; }";
    let graded = grade(&sum(), answer);
    assert_eq!(graded.cases[0].verdict, Verdict::Passed, "{graded:#?}");
    expect(
        &sum(),
        "#include \"cases.json\"\nint sum(const int *values, size_t count) { return 0; }",
        Verdict::DoesNotCompile,
    );
}

#[test]
fn files_of_the_host_are_not_there_for_the_compiler() {
    for include in
        ["/etc/shadow", "/etc/hostname", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "/proc/self/environ"]
    {
        let graded = grade(&sum(), &format!("#include \"{include}\"\n{RIGHT}"));
        assert_eq!(graded.verdict, Verdict::DoesNotCompile, "{include}: {graded:#?}");
        assert!(!graded.messages.contains("estrange-problem\"") && !graded.messages.contains("root:"), "{graded:#?}");
    }
    let answer = format!(
        "{RIGHT}\n__asm__(\".section .rodata\\nstolen: .incbin \\\"{}\\\"\\n\");",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let graded = grade(&sum(), &answer);
    assert_eq!(graded.verdict, Verdict::DoesNotCompile, "{graded:#?}");
    // The system's own headers are software, however they are named.
    expect(&sum(), &format!("#include \"/usr/include/stdio.h\"\n{RIGHT}"), Verdict::Passed);
}

#[test]
fn files_and_sockets_are_out_of_reach() {
    let folder = std::env::temp_dir().join(format!("estrange-problem-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let kept = folder.join("kept");
    std::fs::write(&kept, "here").unwrap();
    let answer = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/socket.h>\nint sum(const int *values, size_t count) {{ \
         unlink(\"{0}\"); remove(\"{0}\"); unlink(\"/input/answer.so\"); if (system(\"rm -rf {1} /input /usr/bin /scratch/*\")) {{}} \
         int s = socket(AF_INET, SOCK_STREAM, 0); return s >= 0 ? 99 : 0; }}",
        kept.display(),
        folder.display()
    );
    let graded = grade(&sum(), &answer);
    // That there is no socket is why the first case, whose sum is 0, is right.
    assert_eq!((graded.verdict, graded.cases[0].verdict), (Verdict::WrongResult, Verdict::Passed), "{graded:#?}");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "here");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_an_answer_redefines_is_its_own() {
    for (macros, verdict) in [
        ("#define int long", Verdict::Crashed),
        ("#define return(x) return 0", Verdict::Passed),
        ("#define NDEBUG\n#define assert(x)", Verdict::Passed),
        ("#define for while", Verdict::DoesNotCompile),
        ("#define sum other", Verdict::DoesNotLink),
    ] {
        expect(&sum(), &format!("{macros}\n{RIGHT}"), verdict);
    }
    // What declares another function of the same name is refused.
    expect(&sum(), "long sum(const int *values, size_t count) { return 0; }", Verdict::DoesNotCompile);
    expect(&sum(), "static int sum(const int *values, size_t count) { return 0; }", Verdict::DoesNotLink);
    expect(&sum(), &format!("{RIGHT}\nint unused(void) {{ return nowhere(); }}"), Verdict::DoesNotLink);
}

#[test]
fn an_answer_may_repeat_the_context() {
    let node = problem(
        r##"{"id": "last", "statement": "Return the last value.", "signature": "int last(const struct node *first)", "context":
        "struct node {\n    int value;\n    struct node *next;\n};", "structures": [{"name": "struct node", "fields": ["int value",
        "struct node *next"]}], "tests": [{"input": {"first": [1]}, "output": 1}, {"input": {"first": [1, 2]}, "output": 2}]}"##,
    );
    let code = "int last(const struct node *first) { while (first->next) first = first->next; return first->value; }";
    let graded = grade(&node, code);
    assert!(graded.is_passed() && !graded.is_by_itself, "{graded:#?}");
    let graded = grade(&node, &format!("struct node {{ int value; struct node *next; }};\n{code}"));
    assert!(graded.is_passed() && graded.is_by_itself, "{graded:#?}");
    // Another structure of this name is what it is: wrong.
    let graded = grade(&node, &format!("struct node {{ long other; int value; struct node *next; }};\n{code}"));
    assert!(!graded.is_passed() && graded.is_by_itself, "{graded:#?}");
}

#[test]
fn faults_are_classes_and_cost_one_case() {
    for (body, fault) in [
        ("if (count == 3) return values[3]; ", End::HeapOverflowRead),
        ("if (count == 3) { int *p = 0; return *p; } ", End::NullPointer),
        ("if (count == 3) { int x = 2147483647; return x + values[0]; } ", End::AddOverflow),
        ("if (count == 3) { int zero = 0; return values[0] / zero; } ", End::DivisionByZero),
        ("if (count == 3) { int *p = malloc(4); free(p); free(p); } ", End::DoubleFree),
        ("if (count == 3) return sum(values, count); ", End::StackExhausted),
    ] {
        let answer = format!("#include <stdlib.h>\n{}", RIGHT.replace("int s = 0;", &format!("{body} int s = 0;")));
        let graded = grade(&sum(), &answer);
        assert_eq!((graded.verdict, graded.passed()), (Verdict::Crashed, 2), "{body}: {graded:#?}");
        assert_eq!(graded.first_failure().unwrap().fault, Some(fault), "{body}: {graded:#?}");
    }
}

#[test]
fn what_takes_too_long_or_too_much_is_ended() {
    let quick = Problem { bounds: Bounds { seconds: 0.5, mebibytes: 256 }, ..sum() };
    let began = Instant::now();
    let graded = grade(&quick, "int sum(const int *values, size_t count) { for (volatile unsigned i = 0; ; i++) {} }");
    assert_eq!((graded.verdict, graded.cases[3].verdict), (Verdict::TimedOut, Verdict::NotRun), "{graded:#?}");
    let graded = grade(
        &quick,
        "#include <unistd.h>\nint sum(const int *values, size_t count) { if (count == 1) while (fork() >= 0) {} return 0; }",
    );
    assert!(!graded.is_passed() && graded.cases[0].verdict == Verdict::Passed, "{graded:#?}");
    let graded = grade(
        &quick,
        &RIGHT.replace("int s = 0;", "int s = 0; if (count == 1) for (;;) { char *p = __builtin_malloc(1 << 20); if (p) __builtin_memset(p, 1, 1 << 20); }"),
    );
    assert_eq!((graded.verdict, graded.passed()), (Verdict::OverMemory, 3), "{graded:#?}");
    assert!(began.elapsed() < Duration::from_secs(120), "{:?}", began.elapsed());
}

#[test]
fn what_is_too_much_for_the_compiler_is_refused() {
    expect(&sum(), &format!("char large[1u << 30] = {{1}};\n{RIGHT}"), Verdict::DoesNotCompile);
    expect(&sum(), &format!("#include \"answer.c\"\n{RIGHT}"), Verdict::DoesNotCompile);
}

#[test]
fn exceptions_and_wrong_results_are_told() {
    let half = problem(
        r##"{"id": "half", "statement": "Half of it.", "signature": "std::string half(const std::string &text)", "context":
        "#include <string>", "tests": [{"input": ["abcd"], "output": "ab"}, {"input": [""], "output": ""}]}"##,
    );
    let graded = grade(&half, "std::string half(const std::string &text) { return text.substr(5); }");
    let failure = graded.first_failure().unwrap();
    assert_eq!((graded.verdict, failure.fault), (Verdict::Threw, Some(End::Threw)), "{graded:#?}");
    assert!(failure.said.contains("substr"), "{}", failure.said);
    let graded = grade(&half, "std::string half(const std::string &text) { return text; }");
    let failure = graded.first_failure().unwrap();
    assert_eq!((graded.verdict, graded.passed()), (Verdict::WrongResult, 1));
    assert_eq!(failure.arguments.to_string(), r#"{"text":"abcd"}"#);
    assert_eq!(
        (failure.expected.to_string(), failure.got.as_ref().unwrap().to_string()),
        ("\"ab\"".into(), "\"abcd\"".into())
    );
    let graded = grade(&half, "// two lines\nstd::string half(const std::string &text) { return txt; }");
    assert_eq!(graded.verdict, Verdict::DoesNotCompile);
    let said = &graded.messages;
    assert!(said.contains("answer.cpp:2:52: error: 'txt'") && said.contains("{ return txt; }"), "{said}");
    // Other parameters are another function.
    assert_eq!(grade(&half, "std::string half(std::string text) { return text; }").verdict, Verdict::DoesNotLink);
}

#[test]
fn many_answers_come_back_in_order() {
    let (one, other) = (sum(), Problem { bounds: Bounds { seconds: 1.0, mebibytes: 512 }, ..sum() });
    let wrong = "int sum(const int *values, size_t count) { return 0; }";
    let answers = [(&one, RIGHT), (&one, wrong), (&other, RIGHT), (&one, RIGHT), (&one, ""), (&one, wrong)];
    let graded: Vec<_> =
        support::GRADER.grade_all(&answers, 3).into_iter().map(|graded| graded.unwrap().outcome()).collect();
    use estrange_words::Outcome::{DoesNotLink, Passed, WrongResult};
    assert_eq!(graded, [Passed, WrongResult, Passed, Passed, DoesNotLink, WrongResult]);
}
