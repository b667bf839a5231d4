//! Benches with variants: every function in every setting, with evidence, and the same bytes again.

use std::collections::HashSet;

use estrange_bench::evidence::Behaviour;
use estrange_bench::{Bench, Reason, Tier, Variant};

use crate::damage::{put_file, set_cell};
use crate::place::Playground;
use crate::support::{run, whole};

const SETTINGS: &str = "standard,neutralized,randomized,symbol";

#[test]
fn every_function_has_its_variants_and_no_name_of_its_own_stays() {
    let place = Playground::new();
    place.write(
        "adder/stack.cpp",
        "#include <vector>\nnamespace tools {\nclass Stack {\npublic:\n  int height() const { return (int)items_.size(); }\n\
         private:\n  std::vector<int> items_;\n};\ntemplate <typename Item> Item twice(Item item) { return item + item; }\n}\n\
         int both(const tools::Stack &stack) { return stack.height() + tools::twice(2); }\n",
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", SETTINGS, "--trials", "3,symbol:2"]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let waiting: Vec<_> = bench.waiting().unwrap().map(Result::unwrap).collect();
    // A template is instantiated for the comparison.
    assert!(waiting.is_empty(), "{waiting:?}");
    let folder = place.path("bench").display().to_string();
    let told = whole(&run(&["show", &folder, "add", "--setting", "randomized", "--seed", "99"]));
    assert!(told.contains("add is not in `randomized` with the seed 99\nhint: --seed takes 0, 1, 2 here"), "{told}");
    for name in ["add", "sum", "height", "twice", "both"] {
        let function = built.function(name);
        let own: Vec<&Variant> = variants.iter().filter(|variant| variant.function_id == function.id).collect();
        let settings: Vec<(&str, u32)> = own.iter().map(|variant| (variant.setting.as_str(), variant.seed)).collect();
        let random = [("randomized", 0), ("randomized", 1), ("randomized", 2)];
        assert_eq!(settings, [&[("neutralized", 0)][..], &random, &[("symbol", 0), ("symbol", 1)]].concat(), "{name}");
        let texts: HashSet<&str> = own[..5].iter().map(|variant| variant.text.as_str()).collect();
        assert_eq!(texts.len(), 5, "{name}: of different settings, and by chance, no two are the same");
        for variant in own {
            assert_eq!((variant.surviving_names, variant.surviving_comments), (0, 0), "{}", variant.unit);
            assert!(variant.unit.contains(&variant.text), "{}", variant.unit);
            assert!(!variant.text.contains(name), "{}", variant.text);
            let map = &variant.rename_map;
            assert!(map.values().all(|new| variant.unit.contains(new.as_str())), "{map:?}");
            // Other names change no size.
            let size = (function.loc, function.tokens, function.cyclomatic_complexity);
            assert_eq!((variant.loc, variant.tokens, variant.cyclomatic_complexity), size, "{}", variant.text);
            assert!((0.0..=1.0).contains(&variant.surface_distance) && variant.surface_distance > 0.1);
        }
    }
    let shown = run(&["show", place.path("bench").to_str().unwrap(), "sum", "--setting", "neutralized"]);
    assert!(whole(&shown).contains("identical code by gcc and clang, at -O0 and -O2"), "{}", whole(&shown));

    // What is damaged is not taken for a variant of which nothing was shown, or that has no new names.
    let bench = place.path("bench");
    for (column, text) in [("evidence", r#"{"identical_code":{"gcc_o0":"so so"}}"#), ("rename_map", "{}}")] {
        let file = std::fs::read(bench.join("variants.parquet")).unwrap();
        set_cell(&bench, "variants.parquet", column, 0, text);
        let bench = bench.to_str().unwrap();
        for command in [&["stats", bench][..], &["show", bench, &variants[0].function_id, "--setting", "neutralized"]] {
            let refused = run(command);
            let said = format!("variants.parquet is damaged: column `{column}`, row 1: ");
            assert!(!refused.status.success() && whole(&refused).contains(&said), "{}", whole(&refused));
        }
        put_file(&place.path("bench"), "variants.parquet", &file);
    }
}

#[test]
fn shapes_change_and_every_variant_has_its_tier() {
    let place = Playground::new();
    place.write(
        "adder/list.c",
        "struct item { int weight; struct item *next; };\n\
         int heaviest(const struct item *list) {\n  int best = 0;\n\
         for (; list; list = list->next)\n    if (list->weight > best) best = list->weight;\n  return best;\n}\n\
         int many(int count, ...) { int sum = 0; while (count > 0) { sum += count; count--; } return sum; }\n",
    );
    let build = ["adder", "--out", "bench", "--settings", "L1,L2,L3,L4,semantic"];
    let built = place.build(&build);
    let bench = Bench::open(place.path("bench")).unwrap();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let tier = |name: &str, setting: &str| {
        let id = &built.function(name).id;
        let is_it = |variant: &&Variant| variant.function_id == *id && variant.setting == setting;
        variants.iter().find(is_it).map(|variant| (variant.tier, variant))
    };
    assert_eq!(tier("heaviest", "L1").unwrap().0, Tier::IdenticalCode);
    for setting in ["L3", "L4"] {
        let (tier, variant) = tier("heaviest", setting).unwrap();
        assert!([Tier::IdenticalCode, Tier::Agrees].contains(&tier), "{tier}: {:?}", variant.evidence);
        assert!(variant.text.contains("switch") && variant.unit.contains(&variant.text), "{}", variant.unit);
        assert!(variant.evidence.shapes.iter().any(|shape| shape == "flatten"), "{:?}", variant.evidence);
        let Some(Behaviour::Ran(ran)) = &variant.evidence.behaviour else { panic!("{:?}", variant.evidence) };
        assert_eq!(ran.verdict, Tier::Agrees);
    }
    let (tier, variant) = tier("many", "L3").unwrap();
    assert!([Tier::Untestable, Tier::IdenticalCode].contains(&tier), "{:?}", variant.evidence);
    let Some(Behaviour::Untestable(why)) = &variant.evidence.behaviour else { panic!("{:?}", variant.evidence) };
    assert_eq!((why.reason, why.verdict), (Reason::Varargs, Tier::Untestable));
    let other = place.build(&["adder", "--out", "other", "--settings", build[4], "--jobs", "1", "--cache", "cache2"]);
    assert_eq!(built.bytes(), other.bytes());
    let shown = run(&["show", place.path("bench").to_str().unwrap(), "heaviest", "--setting", "L4"]);
    assert!(whole(&shown).contains("agrees"), "{}", whole(&shown));
}

#[test]
fn the_same_variants_come_again_and_a_bench_without_settings_has_none() {
    let place = Playground::new();
    let one = place.build(&["adder", "--out", "one", "--settings", SETTINGS, "--jobs", "1"]);
    let other = place.build(&["adder", "--out", "other", "--settings", SETTINGS, "--jobs", "2", "--cache", "cache2"]);
    assert_eq!(one.bytes(), other.bytes());
    place.build(&["adder", "--out", "one"]);
    assert!(!Bench::open(place.path("one")).unwrap().has_variants());
    assert!(!place.path("one/variants.parquet").exists());
    let output = place.run(&["adder", "--out", "none", "--settings", "sideways"]);
    assert_eq!(output.status.code(), Some(2), "{}", whole(&output));
    assert!(whole(&output).contains("there is no rewrite `sideways`"), "{}", whole(&output));
}

#[test]
fn templates_are_compared_by_a_use_that_is_no_part_of_them() {
    let place = Playground::new();
    place.write(
        "adder/holder.cpp",
        "#include <memory>\n#include <vector>\nnamespace {\ntemplate <typename T> class Holder {\npublic:\n\
         \x20 T &back() { return *data_.back(); }\nprivate:\n  std::vector<std::unique_ptr<T>> data_;\n};\n\
         template <typename Iterator, class Test> bool any_one(Iterator at, Iterator end, Test test) {\n\
         \x20 for (; at != end; ++at) if (test(*at)) return true;\n  return false;\n}\n\
         template <typename T> struct traits;\n\
         template <typename V> typename traits<V>::wide_type widen(V v) { return traits<V>::bring(v); }\n}\n\
         bool is_odd(int n) { return n % 2; }\n\
         int all(Holder<int> &holder, const int *at) { return holder.back() + any_one(at, at + 3, is_odd); }\n",
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", "neutralized,L1,L2"]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let variant = |name: &str, setting: &str| {
        let id = &built.function(name).id;
        variants.iter().find(|variant| variant.function_id == *id && variant.setting == setting)
    };
    let of = |name: &str| variant(name, "neutralized");
    for (name, instance) in [("back", "Holder<int>"), ("any_one", "any_one <__typeof__(const char *), ")] {
        let variant = of(name).unwrap_or_else(|| panic!("{name} waits"));
        let evidence = &variant.evidence;
        assert!(evidence.instance.as_ref().is_some_and(|text| text.contains(instance)), "{evidence:?}");
        assert!(!variant.unit.contains("template struct") && !variant.unit.contains("__typeof__"), "{}", variant.unit);
    }
    // And so are those of another shape.
    for (name, setting) in [("back", "L1"), ("back", "L2"), ("any_one", "L1"), ("any_one", "L2")] {
        let variant = variant(name, setting).unwrap_or_else(|| panic!("{name} waits for {setting}"));
        assert_eq!(variant.tier, Tier::IdenticalCode, "{name} {setting}: {:?}", variant.evidence);
    }
    // The header's method stays, and that of the same name does not.
    let back = of("back").unwrap();
    assert_eq!(back.text, "type_0 &func_0() { return *field_0.back(); }");
    // Nothing says what a `traits` has: no argument of ours fits.
    let waiting: Vec<_> = bench.waiting().unwrap().map(Result::unwrap).collect();
    let waiting = waiting.iter().filter(|waiting| waiting.setting == "neutralized");
    let reasons: Vec<&str> = waiting.map(|waiting| waiting.reason.as_str()).collect();
    assert_eq!((reasons, of("widen").is_none()), (vec!["nothing-to-compare"], true));
}

#[test]
fn names_in_what_the_preprocessor_drops_are_renamed_too() {
    let place = Playground::new();
    place.write(
        "adder/guard.c",
        "#define NDEBUG 1\n#define _GNU_SOURCE 1\n#include <assert.h>\n#include <stdlib.h>\n#define settings theSettings\n\
         #define within(P) ((pointer_number)(P) >= lowest_of(settings.limit))\n\
         #define quiet __attribute__((noinline))\nvoid leave(const char *);\n\
         quiet const char *guarded(const char *text, int k) {\n\
         \x20 assert( within(text) && text_is_held(text) );\n  leave(text);\n  qsort_r(0, 0, 0, 0, 0);\n  return k ? text : NULL;\n}\n",
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", "neutralized,symbol"]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let id = &built.function("guarded").id;
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let own: Vec<&Variant> = variants.iter().filter(|variant| variant.function_id == *id).collect();
    assert_eq!(own.len(), 2);
    for variant in own {
        assert_eq!(variant.surviving_names, 0, "{}", variant.unit);
        for name in ["theSettings", "pointer_number", "lowest_of", "text_is_held", "limit"] {
            assert!(!variant.unit.contains(name), "{name} in {}", variant.unit);
        }
        assert!(["NULL", "noinline", "qsort_r"].iter().all(|name| variant.unit.contains(name)), "{}", variant.unit);
    }
}

#[test]
fn a_caller_is_shown_with_its_helpers_in_the_same_names() {
    let place = Playground::new();
    // A macro that only the far helper uses puts a name together; the empty one stands before the caller.
    place.write(
        "adder/chain.c",
        "#define API\n#define FLAG(x) FLAG_OF_ ## x\nenum { FLAG_OF_near = 2, FLAG_OF_far = 4 };\n\
         static int far_helper(int amount) { return amount * FLAG(far); }\n\
         static int near_helper(int amount) { /* near */ return far_helper(amount) + FLAG_OF_near; }\n\
         API int caller(int amount) { return near_helper(amount) - 1; }\n",
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", "neutralized,randomized", "--trials", "2"]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let id = &built.function("caller").id;
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let own: Vec<&Variant> = variants.iter().filter(|variant| variant.function_id == *id).collect();
    assert_eq!(own.len(), 3);
    for variant in &own {
        let long = variant.long_text.as_deref().unwrap();
        assert!(long.ends_with(&variant.text), "{long}");
        assert!(!long.contains("helper") && !long.contains("FLAG") && !long.contains("near"), "{long}");
        assert_eq!((variant.surviving_names, variant.surviving_comments), (0, 0), "{long}");
        assert!(variant.evidence.with_helpers.is_some(), "{:?}", variant.evidence);
    }
    let long = own[0].long_text.as_deref().unwrap();
    assert!(long.contains("int func_1(int") && long.contains("int func_2(int"), "{long}");
    assert!(bench.waiting().unwrap().next().is_none());
}

#[test]
fn a_function_that_reads_as_its_helper_does_is_found_where_it_stands() {
    let place = Playground::new();
    let same = "static int CALL(int n) { return HELP(n); }";
    place.write(
        "adder/same.c",
        format!(
            "static int first(int n);\n#define CALL second\n#define HELP(n) (first(n) * 2)\n{same}\n#undef CALL\n#undef HELP\n\
             #define CALL first\n#define HELP(n) ((n) + 1)\n{same}\n#undef CALL\n#undef HELP\n\
             int both(int n) {{ return first(n) * 10 + second(n); }}\n"
        ),
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", "neutralized,L1"]);
    let function = built.function("second");
    let linked = function.linked_unit.as_deref().unwrap();
    let places: Vec<usize> = linked.match_indices(same).map(|(at, _)| at).collect();
    assert_eq!(places.len(), 2, "{linked}");
    assert_eq!(function.in_linked_unit().unwrap().start, places[0]);
    assert_eq!(function.helpers[0].in_linked_unit(linked).unwrap().start, places[1]);
    assert_eq!(function.in_unit().map(|place| &function.unit[place]), Some(same));
    let bench = Bench::open(place.path("bench")).unwrap();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let own: Vec<&Variant> = variants.iter().filter(|variant| variant.function_id == function.id).collect();
    assert_eq!(own.len(), 2);
    for variant in own {
        let place = variant.in_unit().unwrap();
        assert!(variant.unit[..place.start].contains("2)"), "{}", variant.unit);
        assert!(!variant.unit[..place.start].contains("1)"), "{}", variant.unit);
    }
}

#[test]
fn a_function_with_a_long_unit_has_all_its_variants_in_their_order() {
    let place = Playground::new();
    // So long that few variants of it are made at once.
    let letters = "estrange ".repeat(400_000);
    place.write(
        "adder/letters.c",
        format!("static const char letters[] = \"{letters}\";\nchar letter(unsigned at) {{ return letters[at]; }}\n"),
    );
    let settings = "neutralized,randomized,x86_64";
    let built = place.build(&["adder", "--out", "bench", "--settings", settings, "--trials", "3"]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    for name in ["add", "letter"] {
        let id = &built.function(name).id;
        let own = variants.iter().filter(|variant| variant.function_id == *id);
        let found: Vec<(&str, u32)> = own.map(|variant| (variant.setting.as_str(), variant.seed)).collect();
        assert_eq!(found, [("neutralized", 0), ("randomized", 0), ("randomized", 1), ("randomized", 2)], "{name}");
        let lowered = bench.lowered().unwrap().map(Result::unwrap);
        assert_eq!(lowered.filter(|lowered| lowered.function_id == *id).count(), 1, "{name}");
    }
    assert!(bench.waiting().unwrap().next().is_none());
}
