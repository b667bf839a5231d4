//! No function is lost silently: what the parser does not deliver is among the losses, with its name and reason.

use crate::place::Playground;

#[test]
fn functions_of_coroutines_modules_and_after_a_fatal_error_are_kept_or_told() {
    let place = Playground::new();
    place.write(
        "forms/coroutine.cpp",
        "#include <coroutine>\nstruct task {\n  struct promise_type {\n    task get_return_object() { return {}; }\n\
         \x20   std::suspend_never initial_suspend() noexcept { return {}; }\n\
         \x20   std::suspend_always final_suspend() noexcept { return {}; }\n\
         \x20   void return_value(int) {}\n    void unhandled_exception() {}\n  };\n};\n\
         task answer(int x) {\n  co_return x;\n}\n",
    );
    place.write(
        "forms/shapes.cppm",
        "export module shapes;\nexport int area(int w, int h) { return w * h; }\nexport {\nint side(int a) { return a; }\n}\n",
    );
    let deep = format!("{}x{}", "(".repeat(300), ")".repeat(300));
    place.write(
        "forms/fatal.cpp",
        format!("int before(int x) {{ return x; }}\nint deep(int x) {{ return {deep}; }}\nint after(int x) {{ return -x; }}\n"),
    );
    place.write("forms/lambda.cpp", "auto twice = [](int x) { return 2 * x; };\nauto same(auto x) { return x; }\n");
    let database: Vec<_> = ["coroutine.cpp", "shapes.cppm", "fatal.cpp", "lambda.cpp"]
        .map(|file| {
            serde_json::json!({ "directory": place.path("forms"), "file": file, "arguments": ["g++", "-std=c++20", "-c", file] })
        })
        .into();
    place.write("forms/compile_commands.json", serde_json::to_vec(&database).unwrap());
    let built = place.build(&["forms", "--out", "B"]);
    for kept in ["answer", "area", "side", "before", "same"] {
        built.function(kept);
    }
    let losses = built.losses();
    for lost in ["fatal.cpp after not-parsed", "lambda.cpp twice lambda-outside-function"] {
        assert!(losses.iter().any(|loss| loss == lost), "{lost}: {losses:?}");
    }
    assert_eq!(built.rejected.iter().filter(|lost| lost.name.as_deref() == Some("deep")).count(), 1, "{losses:?}");
}

#[test]
fn what_no_assembler_accepts_and_what_has_no_text_of_its_own_is_told() {
    let place = Playground::new();
    place.write(
        "odd/odd.c",
        "struct item { int a; };\nint fine(int x) { __asm__ volatile(\"nop\"); return x; }\n\
         int wrong(int x) { __asm__ volatile(\"no_such_instruction\"); return x; }\n\
         #define ACCESS(f) int get_##f(struct item *i) { return i->f; } void set_##f(struct item *i, int v) { i->f = v; }\n\
         ACCESS(a)\n\
         struct { int a; } *in_place(void) { return 0; }\nint after(struct item *i) { return i->a; }\n",
    );
    let built = place.build(&["odd", "--out", "B"]);
    assert_eq!(built.kept(), ["fine", "in_place", "after"]);
    let losses =
        ["odd.c get_a macro-makes-several", "odd.c set_a macro-makes-several", "odd.c wrong assembler-refuses"];
    assert_eq!(built.losses(), losses);
    let wrong = built.rejected.iter().find(|lost| lost.name.as_deref() == Some("wrong")).unwrap();
    assert!(wrong.detail.contains("no_such_instruction"), "{}", wrong.detail);
}

#[test]
fn where_no_function_is_found_the_first_loss_is_named() {
    let place = Playground::new();
    place.write("lost/a.c", "#include \"missing.h\"\nint f(void) { return 1; }\n");
    let output = place.run(&["lost", "--out", "B"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no function was found; lost first: a.c: the preprocessor refuses the file"), "{said}");
    assert!(said.contains("missing.h"), "{said}");
}
