//! The ways by which text or a flag makes a program read, list or write a file.
//!
//! `SECRET` is a file outside of the project, `OUTSIDE` its folder, `WRITTEN` a folder there that must stay empty, and `TREE`
//! the project, where `way.c` has the way's text.

/// One way.
pub struct Way {
    pub name: &'static str,
    pub program: &'static str,
    pub arguments: &'static str,
    pub text: &'static str,
    /// What else shows that it succeeded.
    pub tells: &'static [&'static str],
}

const fn way(name: &'static str, program: &'static str, arguments: &'static str, text: &'static str) -> Way {
    Way { name, program, arguments, text, tells: &[] }
}

const fn tells(way: Way, tells: &'static [&'static str]) -> Way {
    Way { tells, ..way }
}

const PREPROCESS: &str = "-E -P TREE/way.c";
const COMPILE: &str = "-c TREE/way.c -o way.o";

/// Text that compilers read.
const SOURCES: &[Way] = &[
    way("incbin in a function", "gcc", COMPILE, "void f(void) { __asm__(\".incbin \\\"SECRET\\\"\"); }\n"),
    way("incbin at file scope", "gcc", COMPILE, "__asm__(\".incbin \\\"SECRET\\\"\");\n"),
    way("incbin of a part", "gcc", COMPILE, "__asm__(\".incbin \\\"SECRET\\\", 0, 14\");\n"),
    way("incbin by clang", "clang-19", COMPILE, "__asm__(\".incbin \\\"SECRET\\\"\");\n"),
    way(
        "incbin through a macro",
        "gcc",
        COMPILE,
        "__asm__(\".macro m x\\n.inc\\\\x \\\"SECRET\\\"\\n.endm\\nm bin\");\n",
    ),
    way("incbin by a search path", "as", "-I OUTSIDE TREE/way.c -o way.o", ".incbin \"secret\"\n"),
    way("incbin through a link", "gcc", COMPILE, "__asm__(\".incbin \\\"TREE/link\\\"\");\n"),
    way("assembler's include", "gcc", COMPILE, "__asm__(\".include \\\"SECRET\\\"\");\n"),
    way("assembler's include by clang", "clang-19", COMPILE, "__asm__(\".include \\\"SECRET\\\"\");\n"),
    way(
        "a name in assembly",
        "gcc",
        "-O1 -fno-pic -c TREE/way.c -o way.o",
        "extern int g __asm__(\"x, %eax\\n.incbin \\\"SECRET\\\"\\n#\");\nint *f(void) { return &g; }\n",
    ),
    way(
        "a section's name",
        "gcc",
        COMPILE,
        "__attribute__((section(\"s\\n.incbin \\\"SECRET\\\"\\n.section t\"))) int f = 1;\n",
    ),
    way("assembler's listing", "as", "-al=WRITTEN/listing TREE/way.c -o way.o", "nop\n"),
    way("include", "gcc", PREPROCESS, "#include \"SECRET\"\n"),
    way("include in angles", "gcc", PREPROCESS, "#include <SECRET>\n"),
    way("include of no C", "gcc", COMPILE, "#include \"SECRET\"\n"),
    way("include of no C by clang", "clang-19", COMPILE, "#include \"SECRET\"\n"),
    way("include by a relative path", "gcc", PREPROCESS, "#include \"../outside/secret\"\n"),
    way("include by a macro", "gcc", PREPROCESS, "#define F \"SECRET\"\n#include F\n"),
    way("include next", "gcc", PREPROCESS, "#include_next \"SECRET\"\n"),
    way("import", "gcc", PREPROCESS, "#import \"SECRET\"\n"),
    way("include through a link", "gcc", PREPROCESS, "#include \"link\"\n"),
    way("include through a linked folder", "gcc", PREPROCESS, "#include \"links/secret\"\n"),
    tells(way("embed", "clang-19", PREPROCESS, "#embed \"SECRET\"\n"), &["97, 116, 116, 97, 99, 107"]),
    way("embed in code", "clang-19", "-w -c TREE/way.c -o way.o", "const char f[] = {\n#embed \"SECRET\"\n};\n"),
    way("has include", "gcc", PREPROCESS, "#if __has_include(\"SECRET\")\nchar *f = \"it-is-there\";\n#endif\n"),
    way(
        "has include by clang",
        "clang-19",
        PREPROCESS,
        "#if __has_include(\"SECRET\")\nchar *f = \"it-is-there\";\n#endif\n",
    ),
    way("has embed", "clang-19", PREPROCESS, "#if __has_embed(\"SECRET\")\nchar *f = \"it-is-there\";\n#endif\n"),
    way("a line marker", "gcc", COMPILE, "# 1 \"SECRET\"\nint f = ;\n"),
    way("a line directive", "gcc", COMPILE, "#line 1 \"SECRET\"\nint f = ;\n"),
    tells(way("dependency", "gcc", COMPILE, "#pragma GCC dependency \"SECRET\"\n"), &["current file is older than"]),
    way("a linker's script", "gcc", "-nostdlib -r -w -Wl,-T,TREE/way.c TREE/plugin.c -o out", "INCLUDE SECRET.ld\n"),
    tells(
        way("a linker's input", "ld", "-r TREE/way.c -o out", "INPUT(SECRET)\n"),
        &["secret: file format not recognized"],
    ),
    way("a linker's output", "ld", "TREE/way.c -r --format=binary TREE/way.c -o WRITTEN/out", "OUTPUT(WRITTEN/out)\n"),
    way("a linker's binary", "ld", "-r -b binary SECRET -o out", ""),
];

/// Flags, as a compile database has them.
const FLAGS: &[Way] = &[
    way("-include", "gcc", "-include SECRET.h -E TREE/way.c", ""),
    way("-include by clang", "clang-19", "-include SECRET.h -E TREE/way.c", ""),
    way("-imacros", "gcc", "-imacros SECRET.macros -E TREE/way.c", "char *f = TOLD;\n"),
    way("-I", "gcc", "-I OUTSIDE -E TREE/way.c", "#include \"secret.h\"\n"),
    way("-isystem", "gcc", "-isystem OUTSIDE -E TREE/way.c", "#include <secret.h>\n"),
    way("-iquote", "gcc", "-iquote OUTSIDE -E TREE/way.c", "#include \"secret.h\"\n"),
    way("-idirafter", "gcc", "-idirafter OUTSIDE -E TREE/way.c", "#include <secret.h>\n"),
    way("-iwithprefix", "gcc", "-iprefix OUTSIDE/ -iwithprefix . -E TREE/way.c", "#include <secret.h>\n"),
    way("--sysroot", "clang-19", "--sysroot=OUTSIDE -isystem=/ -E TREE/way.c", "#include <secret.h>\n"),
    way("a response file", "gcc", "@SECRET.args -dM -E TREE/way.c", ""),
    way("a response file of no arguments", "gcc", "@SECRET -E TREE/way.c", ""),
    way("a linker's response file", "ld", "@SECRET", ""),
    way("-Wp", "gcc", "-Wp,-include,SECRET.h -E TREE/way.c", ""),
    way("-Xpreprocessor", "gcc", "-Xpreprocessor -include -Xpreprocessor SECRET.h -E TREE/way.c", ""),
    way("-Xclang", "clang-19", "-Xclang -include -Xclang SECRET.h -E TREE/way.c", ""),
    way("-specs", "gcc", "-specs=TREE/specs -E TREE/way.c", ""),
    way("-wrapper", "gcc", "-wrapper TREE/program -c TREE/way.c -o way.o", ""),
    way("-B", "gcc", "-B TREE/programs -c TREE/way.c -o way.o", ""),
    way("-fplugin", "gcc", "-fplugin=TREE/plugin.so -c TREE/way.c -o way.o", ""),
    way("clang's plugin", "clang-19", "-fplugin=TREE/plugin.so -c TREE/way.c -o way.o", ""),
    way("an optimiser's plugin", "clang-19", "-fpass-plugin=TREE/plugin.so -O1 -c TREE/way.c -o way.o", "int f;\n"),
    way("a linker's plugin", "ld", "-plugin TREE/plugin.so -r -b binary TREE/way.c -o out", ""),
    way(
        "a module mapper",
        "g++",
        "-std=c++20 -fmodules-ts -fmodule-mapper=|TREE/program -c -x c++ TREE/way.c -o way.o",
        "import m;\n",
    ),
    way("dependency output", "gcc", "-MD -MF WRITTEN/deps -c TREE/way.c -o way.o", ""),
    way("dependency output by -Wp", "gcc", "-Wp,-MD,WRITTEN/deps -c TREE/way.c -o way.o", ""),
    way("-o", "gcc", "-c TREE/way.c -o WRITTEN/way.o", ""),
    way("-save-temps", "gcc", "-save-temps -dumpdir WRITTEN/ -c TREE/way.c -o way.o", ""),
    way("dumps", "gcc", "-fdump-tree-original=WRITTEN/dump -c TREE/way.c -o way.o", "int f(void) { return 1; }\n"),
    way(
        "coverage notes",
        "gcc",
        "-ftest-coverage -dumpdir WRITTEN/ -c TREE/way.c -o way.o",
        "int f(void) { return 1; }\n",
    ),
    way("-aux-info", "gcc", "-aux-info WRITTEN/info -c TREE/way.c -o way.o", "int f(void);\n"),
    way(
        "-fstack-usage",
        "gcc",
        "-fstack-usage -dumpdir WRITTEN/ -c TREE/way.c -o way.o",
        "int f(void) { return 1; }\n",
    ),
    way(
        "clang's diagnostics",
        "clang-19",
        "-c TREE/way.c -o way.o -Xclang -diagnostic-log-file -Xclang WRITTEN/log",
        "int f = ;\n",
    ),
    way("clang's dependency output", "clang-19", "-MD -MF WRITTEN/deps -c TREE/way.c -o way.o", ""),
    way(
        "optimisation remarks",
        "clang-19",
        "-O1 -fsave-optimization-record=yaml -foptimization-record-file=WRITTEN/remarks -c TREE/way.c -o way.o",
        "int f(void) { return 1; }\n",
    ),
    way("a linker's map", "ld", "-r -b binary TREE/way.c -o out -Map=WRITTEN/map", ""),
    way("an allow list", "clang-19", "-fsanitize=address -fsanitize-ignorelist=SECRET -c TREE/way.c -o way.o", ""),
    tells(way("a profile", "clang-19", "-fprofile-use=SECRET -c TREE/way.c -o way.o", ""), &["bad magic"]),
    tells(
        way("an overlay", "clang-19", "-ivfsoverlay SECRET -E TREE/way.c", ""),
        &["invalid virtual filesystem overlay"],
    ),
];

/// Files that are there whatever the project.
const SYSTEM: &[Way] = &[
    tells(way("users", "gcc", PREPROCESS, "#include \"/etc/passwd\"\n"), &["root:x:0:0:"]),
    way(
        "the host's name",
        "gcc",
        PREPROCESS,
        "#if __has_include(\"/etc/hostname\")\nchar *f = \"it-is-there\";\n#endif\n",
    ),
    way("the kernel", "gcc", PREPROCESS, "#if __has_include(\"/proc/version\")\nchar *f = \"it-is-there\";\n#endif\n"),
    way(
        "environment",
        "gcc",
        PREPROCESS,
        "#if __has_include(\"/proc/self/environ\")\nchar *f = \"it-is-there\";\n#endif\n",
    ),
    way(
        "mounts",
        "clang-19",
        PREPROCESS,
        "#if __has_include(\"/proc/self/mountinfo\")\nchar *f = \"it-is-there\";\n#endif\n",
    ),
    way(
        "the first process",
        "gcc",
        PREPROCESS,
        "#if __has_include(\"/proc/1/status\")\nchar *f = \"it-is-there\";\n#endif\n",
    ),
    way("devices", "gcc", PREPROCESS, "#if __has_include(\"/sys/kernel/notes\")\nchar *f = \"it-is-there\";\n#endif\n"),
];

/// All of them.
pub static WAYS: std::sync::LazyLock<Vec<&'static Way>> =
    std::sync::LazyLock::new(|| [SOURCES, FLAGS, SYSTEM].into_iter().flatten().collect());
