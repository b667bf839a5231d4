//! The oracle on small functions of our own: right rewrites agree, wrong ones do not, and nothing gets out.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{End, Record, Seen, Subject, Untestable, Variant, Verdict};
use support::{ORACLE, expect};

fn subject<'a>(text: &'a str, function: &'a str) -> Subject<'a> {
    Subject { text, function, at: None, language: Language::C, flags: &[], seed: 1 }
}

/// What is said of each of `rewrites` of `f`.
fn verdicts(text: &str, rewrites: &[&str]) -> (Record, Vec<Verdict>) {
    let names = BTreeMap::new();
    let prepared = ORACLE.original(&subject(text, "f")).unwrap().unwrap();
    let variants: Vec<Variant<'_>> =
        rewrites.iter().map(|text| Variant { text, function: "f", names: &names, known: &[] }).collect();
    (prepared.record().clone(), support::verdicts(&prepared, &variants))
}

fn untestable(text: &str) -> Untestable {
    match ORACLE.original(&subject(text, "f")).unwrap() {
        Err(reason) => reason,
        Ok(prepared) => panic!("{:#?}", prepared.record()),
    }
}

#[track_caller]
fn agrees(text: &str, right: &[&str], wrong: &[&str]) -> Record {
    let (record, found) = verdicts(text, &[&[text], right, wrong].concat());
    expect(&record, &found, right.len() + 1);
    record
}

#[test]
fn numbers() {
    let record = agrees(
        "int f(int a, unsigned b) { if (a > 1000) return a - 7; for (int i = 0; i < 4; i++) a ^= (int)(b >> i); return a; }",
        &[
            "int f(int a, unsigned b) { int i = 0; if (!(a > 1000)) { while (i < 4) { a = a ^ (int)(b >> i); ++i; } return a; } return a - 7; }",
        ],
        &[
            "int f(int a, unsigned b) { if (a >= 1000) return a - 7; for (int i = 0; i < 4; i++) a ^= (int)(b >> i); return a; }",
            "int f(int a, unsigned b) { if (a > 1000) return a - 7; for (int i = 0; i < 3; i++) a ^= (int)(b >> i); return a; }",
        ],
    );
    assert!(record.clean >= 50 && record.branches.value() == 1.0, "{record:#?}");
    assert!(record.mutants.all > 5 && record.mutants.value() > 0.9, "{record:#?}");
}

#[test]
fn texts_and_buffers() {
    agrees(
        "#include <string.h>\n#include <stddef.h>\n\
         size_t f(char *to, const char *from, size_t n) { size_t i = 0; while (i + 1 < n && from[i]) { to[i] = from[i] == '-' ? '_' : from[i]; i++; } if (n) to[i] = 0; return i; }",
        &["#include <string.h>\n#include <stddef.h>\n\
           size_t f(char *to, const char *from, size_t n) { size_t i; for (i = 0; i + 1 < n; ++i) { char c = *(from + i); if (c == 0) break; if (c == '-') c = '_'; *(to + i) = c; } if (n != 0) *(to + i) = '\\0'; return i; }"],
        &["#include <string.h>\n#include <stddef.h>\n\
           size_t f(char *to, const char *from, size_t n) { size_t i = 0; while (i + 1 < n && from[i]) { to[i] = from[i] == '-' ? '-' : from[i]; i++; } if (n) to[i] = 0; return i; }"],
    );
}

#[test]
fn structs_and_lists() {
    let head = "struct item { struct item *next; int value; unsigned flag : 3; char name[8]; };\n";
    let text = format!(
        "{head}int f(struct item *list, int wanted) {{ int n = 0; for (; list; list = list->next) {{ if (list->value == wanted) {{ list->flag = 5; n++; }} if (n > 3) break; }} return n; }}"
    );
    let right = format!(
        "{head}int f(struct item *p, int x) {{ int n = 0; while (p != 0) {{ if (p->value == x) {{ p->flag = 5; n += 1; }} if (n > 3) return n; p = p->next; }} return n; }}"
    );
    let wrong = format!(
        "{head}int f(struct item *list, int wanted) {{ int n = 0; for (; list; list = list->next) {{ if (list->value == wanted) {{ list->flag = 4; n++; }} if (n > 3) break; }} return n; }}"
    );
    agrees(&text, &[&right], &[&wrong]);
}

#[test]
fn functions_that_are_handed_in() {
    agrees(
        "int f(int (*next)(void *, int), void *data) { int sum = 0; for (int i = 0; i < 3; i++) sum += next(data, i) > 0; return sum; }",
        &[
            "int f(int (*next)(void *, int), void *data) { int sum = 0, i = 0; do { if (next(data, i) > 0) sum++; i++; } while (i < 3); return sum; }",
        ],
        &[
            "int f(int (*next)(void *, int), void *data) { int sum = 0; for (int i = 0; i < 3; i++) sum += next(data, 2 - i) > 0; return sum; }",
        ],
    );
}

#[test]
fn streams_and_output() {
    agrees(
        "#include <stdio.h>\nint f(FILE *in, int n) { int c = fgetc(in); if (c == EOF) return -1; printf(\"%d %c\\n\", n, c); return fputc('x', in); }",
        &[
            "#include <stdio.h>\nint f(FILE *in, int n) { int c; c = fgetc(in); if (c != EOF) { printf(\"%d %c\\n\", n, c); return fputc('x', in); } return -1; }",
        ],
        &[
            "#include <stdio.h>\nint f(FILE *in, int n) { int c = fgetc(in); if (c == EOF) return -1; printf(\"%d %c \\n\", n, c); return fputc('x', in); }",
            "#include <stdio.h>\nint f(FILE *in, int n) { int c = fgetc(in); if (c == EOF) return -1; printf(\"%d %c\\n\", n, c); fputc('y', in); return 'x'; }",
        ],
    );
}

#[test]
fn variables_outside_and_inside() {
    let names = BTreeMap::from([("count".to_owned(), "v1".to_owned())]);
    let text = "static int count; static const int step = 2;\nint f(int a) { static int calls; count += a & 15; return count * step + ++calls; }";
    let prepared = ORACLE.original(&subject(text, "f")).unwrap().unwrap();
    let right = "static int v1; static const int v2 = 2;\nint v3(int v4) { static int v5; v1 = v1 + (15 & v4); v5++; return v1 * v2 + v5; }";
    let wrong = "static int v1; static const int v2 = 2;\nint v3(int v4) { int v5 = 0; v1 = v1 + (15 & v4); v5++; return v1 * v2 + v5; }";
    let variants = [right, wrong].map(|text| Variant { text, function: "v3", names: &names, known: &[] });
    let found = support::verdicts(&prepared, &variants);
    assert_eq!(found[0], Verdict::Agrees, "{:#?}", prepared.record());
    let Verdict::Differs(difference) = &found[1] else { panic!("{found:#?}") };
    assert!(difference.call.contains("int a = ") && difference.call.ends_with("f(a);\n"), "{difference:#?}");
}

#[test]
fn memory_given_out_and_back() {
    agrees(
        "#include <stdlib.h>\nstruct pair { int a; void *b; };\nstruct pair *f(int n, struct pair *old) { struct pair *p = malloc(sizeof *p); if (!p) return 0; p->a = n; p->b = old; if (n == 3 && old) { free(old); p->b = 0; } return p; }",
        &[
            "#include <stdlib.h>\nstruct pair { int a; void *b; };\nstruct pair *f(int n, struct pair *old) { struct pair *p = calloc(1, sizeof *p); if (p) { p->b = old; p->a = n; if (old && n == 3) { p->b = 0; free(old); } } return p; }",
        ],
        &[
            "#include <stdlib.h>\nstruct pair { int a; void *b; };\nstruct pair *f(int n, struct pair *old) { struct pair *p = malloc(sizeof *p); if (!p) return 0; p->a = n; p->b = old; if (n == 3 && old) { p->b = 0; } return p; }",
        ],
    );
}

#[test]
fn what_is_undefined_stays_undefined_in_the_same_way() {
    let text = "int f(int a, int b) { return a / b + (a << (b & 63)); }";
    let (record, found) = verdicts(
        text,
        &[
            text,
            "int f(int a, int b) { int c = a / b; return c + (a << (b & 63)); }",
            "int f(int a, int b) { if (b == 0) return 0; return a / b + (a << (b & 63)); }",
        ],
    );
    assert!(
        record.ends.contains_key(&End::DivisionByZero) && record.ends.contains_key(&End::ShiftExponent),
        "{record:#?}"
    );
    assert!(!matches!(found[0], Verdict::Differs(_)) && !matches!(found[1], Verdict::Differs(_)), "{found:#?}");
    let Verdict::Differs(difference) = &found[2] else { panic!("{found:#?}") };
    assert_eq!((difference.old_end, difference.new_end), (End::DivisionByZero, End::Returned));
}

#[test]
fn what_takes_unknown_arguments_is_untestable() {
    assert_eq!(untestable("int f(int n, ...) { return n; }"), Untestable::Varargs);
    assert_eq!(
        untestable("#include <stdarg.h>\nint f(int n, va_list all) { return va_arg(all, int) + n; }"),
        Untestable::Varargs
    );
    assert_eq!(untestable("int g(int n) { return n; }"), Untestable::Missing);
    assert!(matches!(untestable("int g(void); int f(int n) { return n + g(); }"), Untestable::Unlinked(_)));
}

#[test]
fn what_differs_each_time_is_not_repeatable() {
    assert_eq!(untestable("long f(void) { int here; return (long)&here ^ (long)&f; }"), Untestable::NotRepeatable);
}

#[test]
fn clocks_and_chance_are_the_same_each_time() {
    let text = "#include <time.h>\n#include <stdlib.h>\n#include <unistd.h>\nlong f(int n) { return (long)time(0) + rand() % 100 + n + getpid(); }";
    agrees(
        text,
        &[],
        &[
            "#include <time.h>\n#include <stdlib.h>\n#include <unistd.h>\nlong f(int n) { return (long)time(0) + rand() % 10 + n + getpid(); }",
        ],
    );
}

/// What the environment says is an input.
#[test]
fn variables_of_the_environment_are_set() {
    let text = "#include <stdlib.h>
        int f(int n) { const char *level = getenv(\"LEVEL\"); return level && *level == '7' ? n + 1 : n; }";
    agrees(text, &[], &[&text.replace("n + 1", "n + 2"), &text.replace("LEVEL", "LEVEl")]);
}

/// What is read from a descriptor that the function is handed is an input, and what is written to it is seen.
#[test]
fn descriptors_have_something_behind_them() {
    let text = "#include <unistd.h>
        int f(int to, int from) {
            char buffer[16];
            long got = read(from, buffer, sizeof buffer);
            if (got < 2) return -1;
            buffer[1]++;
            if (write(to, buffer, got) != got) return -2;
            return close(to) == 0 ? buffer[0] : -3;
        }";
    let wrong = [
        ("buffer[1]++", "buffer[1]--"),
        ("? buffer[0]", "? buffer[1]"),
        ("-2", "-3"),
        (": -3", ": -4"),
        ("got < 2", "got < 3"),
    ];
    agrees(text, &[], &wrong.map(|(from, to)| text.replace(from, to)).each_ref().map(String::as_str));
}

/// Tables that a program has just begun to fill are mostly zero, and what stands in them is often the same.
#[test]
fn elements_of_a_table_are_alike() {
    let sparse = "struct table { struct { unsigned short count, code; } of[40]; };
        int f(const struct table *table) {
            for (int at = 0; at < 32; at++)
                if (at != 9 && table->of[at].count != 0) return 0;
            return table->of[9].count != 0 ? 2 : 1;
        }";
    agrees(sparse, &[], &[&sparse.replace("? 2 : 1", "? 3 : 1"), &sparse.replace("? 2 : 1", "? 2 : 3")]);
    let runs = "int f(const unsigned table[24]) {
            int longest = 0, length = 0;
            for (int at = 1; at < 24; at++) {
                length = table[at] == table[at - 1] ? length + 1 : 0;
                if (length > longest) longest = length;
            }
            return longest > 10 ? 10 : longest;
        }";
    agrees(runs, &[], &[&runs.replace("? 10", "? 9"), &runs.replace("length + 1", "length + 2")]);
}

/// Far behind a constant stands what the linker put there: a right rewrite may find something else.
#[test]
fn what_the_linker_puts_next_to_a_constant_is_no_measure() {
    let text = "static const char word[] = \"abcdefgh\";
        static __attribute__((noinline)) const char *start(void) { return word; }
        int f(unsigned step) {
            const char *at = start();
            return step < 9 ? at[step] : step < 600 ? at[step + 200] : 0;
        }";
    let more = "static const char more[2000] = {[0 ... 1999] = 77};
        const char *others(void) { return more; }";
    agrees(text, &[&format!("{more}{text}"), &format!("{text}{more}")], &[&text.replace("abc", "abd")]);
}

/// A wrong edit of a type may be one that only the assembler refuses.
#[test]
fn code_with_inline_assembly_is_run() {
    let text = "int f(int n) {
            int r = n;
            for (int i = 0; i < 3; i++) {
                __asm__ volatile(\"addl $2, %0\" : \"+r\"(r));
            }
            return r;
        }";
    agrees(text, &[&text.replace("i++", "++i")], &[&text.replace("i < 3", "i <= 3"), &text.replace("$2", "$3")]);
}

/// Behind a pointer that only its own pointer leads to, there is more than one number.
#[test]
fn a_place_in_a_sequence_is_followed() {
    let text = "int f(const unsigned short **at) {
            int value = **at;
            if ((value & 0xF800) == 0xD800) {
                *at = *at + 1;
                value = (value & 0x3FF) << 10 | (**at & 0x3FF);
            }
            return value;
        }";
    agrees(text, &[], &[&text.replace("<< 10", "<< 9"), &text.replace("*at + 1", "*at + 0")]);
}

#[test]
fn what_never_ends_is_left_alone() {
    assert_eq!(untestable("int f(unsigned a) { for (;;) a++; return a; }"), Untestable::NeverReturns);
    assert_eq!(
        untestable(
            "#include <unistd.h>\nint f(int a) { int ends[2]; char c; pipe(ends); return (int)read(ends[0], &c, 1) + a; }"
        ),
        Untestable::NeverReturns
    );
    // The input, not the function.
    let text = "unsigned f(unsigned a) { while (a > 20) ; return a * 3; }";
    let (record, found) = verdicts(
        text,
        &[
            text,
            "unsigned f(unsigned a) { while (1) if (a <= 20) return 3 * a; }",
            "unsigned f(unsigned a) { while (a != 3) ; return a * 3; }",
        ],
    );
    assert!(record.clean > 20, "{record:#?}");
    assert!(!matches!(found[0], Verdict::Differs(_)) && !matches!(found[1], Verdict::Differs(_)), "{found:#?}");
    assert!(matches!(&found[2], Verdict::Differs(difference) if difference.new_end == End::Endless), "{found:#?}");
}

#[test]
fn what_eats_memory_prints_forever_deletes_or_divides_itself_stays_within_its_limits() {
    for text in [
        "#include <stdlib.h>\n#include <string.h>\nint f(int a) { for (;;) { char *p = malloc(1 << 20); if (!p) return a; memset(p, a, 1 << 20); } }",
        "#include <stdio.h>\nint f(int a) { for (;;) printf(\"%d\\n\", a); }",
        "#include <stdio.h>\n#include <unistd.h>\nint f(const char *path) { return unlink(path) + remove(\"/scratch/state\") + unlink(\"/input/plan\"); }",
        "#include <unistd.h>\nint f(int a) { for (int i = 0; i < 100; i++) if (fork() == 0) a++; return a; }",
        "#include <stdlib.h>\nint f(int a) { return system(\"rm -rf /\") + a; }",
        "int f(int a) { int b[100]; b[a & 63] = a; return f(a + 1) + b[3]; }",
        "#include <stdlib.h>\nint f(int a) { if (a > 3) exit(a); return a; }",
        "#include <signal.h>\nint f(int a) { raise(SIGKILL); kill(0, SIGKILL); return a; }",
    ] {
        match ORACLE.original(&subject(text, "f")).unwrap() {
            Ok(prepared) => {
                let names = BTreeMap::new();
                let verdict =
                    support::verdicts(&prepared, &[Variant { text, function: "f", names: &names, known: &[] }]);
                assert!(!matches!(verdict[0], Verdict::Differs(_)), "{text}: {verdict:#?}");
            }
            Err(reason) => assert_eq!(reason, Untestable::NeverReturns, "{text}"),
        }
    }
}

#[test]
fn a_rewrite_that_does_not_compile_spoils_no_other() {
    let text = "int f(int a) { return a & 7; }";
    let (_, found) =
        verdicts(text, &["int f(int a) { return a &; }", text, "int g(void); int f(int a) { return g() + a; }", text]);
    assert!(matches!(found[0], Verdict::Untestable { reason: Untestable::Refused(_) }), "{found:#?}");
    assert_eq!(found[1], Verdict::Agrees);
    assert!(matches!(found[2], Verdict::Untestable { reason: Untestable::Unlinked(_) }), "{found:#?}");
    assert_eq!(found[3], Verdict::Agrees);
}

#[test]
fn the_same_seed_gives_the_same_record() {
    let text =
        "int f(const char *s) { int n = 0; while (*s) { if (*s == 'q' && s[1] == 'z') n += 7; s++; } return n; }";
    let records: Vec<Record> =
        (0..2).map(|_| ORACLE.original(&subject(text, "f")).unwrap().unwrap().record().clone()).collect();
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0].branches.value(), 1.0, "{:#?}", records[0]);
}

/// A difference is told also where there is more to tell than anybody reads.
#[test]
fn a_difference_is_told_however_large_the_input_is() {
    let text = "struct many { int first; unsigned char others[400000]; };
        int f(struct many *many) { return many->first + many->others[5]; }";
    let (_, found) = verdicts(text, &[&text.replace("many->first +", "many->first -")]);
    let [Verdict::Differs(difference)] = &found[..] else { panic!("{found:?}") };
    assert!(difference.seen == Seen::Result && difference.old != difference.new, "{difference:?}");
    assert!(difference.call.len() < 1 << 17, "{}", difference.call.len());
}

/// An edit after which a compiler writes the same code is not wrong, whatever else stands in the text.
#[test]
fn edits_that_change_no_code_do_not_count() {
    let far = [
        "static int far(int a) { return a * 3; }",
        "static int far(a) int a; { return a * 3; }",
        "#define BODY { return a * 3; }\nstatic int far(int a) BODY",
        "static inline __attribute__((always_inline)) int far(int a) { return a * 3; }",
    ];
    for far in far {
        let text =
            format!("{far}\nint near(int a) {{ return far(a) + 1; }}\nint f(int a) {{ return near(a > 0 ? a : 0); }}");
        let prepared = ORACLE.original(&subject(&text, "f")).unwrap().unwrap();
        let record = prepared.record();
        assert!(record.equivalent > 0 && record.survivors.is_empty(), "{far}: {record:#?}");
    }
}

/// What a function is handed can be such that its code is reached in steps only.
#[test]
fn inputs_are_found_step_by_step() {
    // A text that fits by one character more is kept, and texts grow.
    let text = "static int digits(const char *at, int count) {
            int value = 0;
            while (count--) { if (*at < '0' || *at > '9') return -1; value = value * 10 + *at++ - '0'; }
            return value;
        }
        int f(const char *text) {
            int hours = digits(text, 2);
            if (hours < 0 || text[2] != ':') return -1;
            int minutes = digits(text + 3, 2);
            if (minutes < 0 || text[5] != 'h') return -2;
            return hours * 60 + minutes;
        }";
    agrees(text, &[], &[&text.replace("hours * 60", "hours * 61"), &text.replace("return -2", "return -3")]);
    // All bits of a mask but one are to be off.
    let text = "int f(unsigned flags) { if ((flags & 0x6a53) != 0x0202) return 0; return (int)(flags >> 16 & 7) + 1; }";
    agrees(text, &[], &[&text.replace("& 7", "& 3")]);
}

/// Words that code compares as one number are among the texts that it is handed.
#[test]
fn words_that_are_packed_into_numbers_are_found() {
    let packed = |last: char| {
        format!(
            "int f(const char *s) {{ unsigned h = 0; while (*s) {{ h = (h << 8) + (unsigned char)*s++; if (h == \
             (('c' << 24) + ('l' << 16) + ('o' << 8) + '{last}')) return 7; }} return 1; }}"
        )
    };
    let record = agrees(&packed('b'), &[&packed('b')], &[&packed('p')]);
    assert_eq!(record.branches.of, record.branches.all);
}

/// Functions that are handed in are what such functions usually are.
#[test]
fn functions_that_are_handed_in_are_of_use() {
    // One that never finds anything wrong.
    let text = "int f(int (*visit)(int)) {
            for (int index = 0; index < 30; index++) { int result = visit(index); if (result) return result; }
            return visit(77) + 5;
        }";
    agrees(text, &[], &[&text.replace("77", "78"), &text.replace("+ 5", "+ 6")]);
    // One that gives memory, and one that sets what it is given.
    let text = "#include <stddef.h>
        struct node { int values[40]; };
        int f(void *(*get)(size_t), int (*read)(int *)) {
            struct node *node = get(sizeof *node);
            int value = 0;
            if (!node) return -1;
            if (read(&value) || value < 10) return -2;
            node->values[39] = value;
            return node->values[39] / 10;
        }";
    agrees(text, &[], &[&text.replace("/ 10", "/ 11")]);
    // One that says how far it has come.
    let text = "int f(int (*token)(const char *, const char *, const char **), const char *text, unsigned length) {
            const char *end = text + (length > 4 ? 4 : length), *next = 0;
            int kind = token(text, end, &next);
            if (kind <= 0 || !next) return -1;
            return kind % 10 * 100 + (int)(end - next);
        }";
    agrees(text, &[], &[&text.replace("end - next", "end - text")]);
}

/// Code that is ready for a lack of memory is reached, also behind memory that was given.
#[test]
fn memory_is_short_now_and_then() {
    let text = "#include <stdlib.h>
        int *f(unsigned count) {
            int *first = malloc(16), *second = calloc(count % 8 + 1, sizeof(int));
            if (!first) { free(second); return 0; }
            if (!second) { first[0] = 7; return first; }
            int *third = realloc(first, 64);
            free(second);
            if (!third) { first[1] = 3; return first; }
            third[2] = 1;
            return third;
        }";
    agrees(text, &[], &[&text.replace("= 7", "= 8"), &text.replace("= 3", "= 4")]);
}

/// Memory that nothing points to any more is seen by what is left of it.
#[test]
fn memory_that_is_lost_is_missed() {
    let text = "#include <stdlib.h>
        int f(int value) {
            int *copy = malloc(sizeof *copy);
            if (!copy) return -1;
            *copy = value / 2;
            int half = *copy;
            free(copy);
            return half;
        }";
    agrees(text, &[], &[&text.replace("free(copy);", "")]);
}

/// A function that is handed in and takes nothing is seen when it is called, and which one of them.
#[test]
fn calls_without_arguments_are_seen() {
    let text = "struct hooks { void (*begin)(void); void (*end)(void); };
        int f(struct hooks *hooks, int value) {
            if (hooks->begin) hooks->begin();
            value &= 15;
            if (hooks->end) hooks->end();
            return value;
        }";
    let wrong = [text.replace("hooks->begin();", ";"), text.replace("hooks->end();", "hooks->begin();")];
    agrees(text, &[], &[&wrong[0], &wrong[1]]);
}

/// Code that asks whether it was handed a certain function is handed it.
#[test]
fn functions_that_code_asks_for_are_handed_in() {
    let text = "static void forget(void *what) { (void)what; }
        static void spare(void *what) { (void)what; }
        int f(void (*end)(void *), int value) {
            value &= 31;
            if (end == forget) return value + 1;
            if (end == spare) return value + 2;
            return value;
        }";
    agrees(text, &[], &[&text.replace("+ 1", "+ 3"), &text.replace("== spare", "!= spare")]);
}

/// What code takes for a larger struct is one.
#[test]
fn structs_are_as_large_as_code_takes_them_for() {
    let text = "struct named { const char *name; };
        struct entry { const char *name; int values[12]; };
        static struct named *first(struct named **table, unsigned count) {
            for (unsigned index = 0; index < count; index++) if (table[index]) return table[index];
            return 0;
        }
        int f(struct named **table, unsigned count) {
            struct entry *entry = (struct entry *)first(table, count > 2 ? 2 : count);
            if (!entry) return -1;
            return entry->values[11] % 100;
        }";
    agrees(text, &[], &[&text.replace("% 100", "% 101")]);
}
