//! Every kind of value goes in as it is written, and comes out as it was.

#![allow(clippy::unwrap_used)]

mod support;

use estrange_problem::Verdict;
use support::{grade, problem};

#[test]
fn in_c() {
    let many = problem(
        r##"{"id": "many", "statement": "Change everything by one.", "language": "c",
        "signature": "bool many(int8_t a, uint64_t b, char c, float d, const char *text, struct point at, int grid[][3], size_t rows, int **pointers, size_t lines, size_t width, const char *const *words, size_t count, struct entry **head, struct tree *root, short *cell, char *buffer, size_t room, char *same, double *filled, size_t most)",
        "context": "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\nstruct point { long x; const char *name; };\nstruct entry { char key; int value; struct entry *next; };\nstruct tree { int value; struct tree *left, *right; };",
        "structures": [{"name": "struct point", "fields": ["long x", "const char *name"]},
            {"name": "struct entry", "fields": ["char key", "int value", "struct entry *next"]},
            {"name": "struct tree", "fields": ["int value", "struct tree *left", "struct tree *right"]}],
        "parameters": {"grid": {"array": ["rows", "3"]}, "pointers": {"array": ["lines", "width"]}, "words": {"array": ["count"]},
            "buffer": {"buffer": "room"}, "filled": {"array": ["most"], "filled": "*cell"}},
        "tests": [{"input": {"a": -128, "b": 18446744073709551615, "c": "x", "d": 0.1, "text": "text", "at": {"x": -5, "name": null},
            "grid": [[1, 2, 3], [4, 5, 6]], "pointers": [[1], [2], [3]], "words": ["one", "", "three"],
            "head": [{"key": "a", "value": 1}, {"key": "b", "value": 2}], "root": [1, [2], [3, null, [4]]], "room": 9, "same": "same",
            "most": 4}, "output": true},
            {"input": {"a": 127, "b": 0, "c": 10, "d": "inf", "text": null, "at": {"x": 1, "name": "n"}, "grid": [], "pointers": null,
            "words": null, "head": null, "root": null, "room": 9, "same": "", "most": 4, "lines": 0, "width": 0}, "output": false}]}"##,
    );
    let answer = r#"
bool many(int8_t a, uint64_t b, char c, float d, const char *text, struct point at, int grid[][3], size_t rows, int **pointers, size_t lines,
          size_t width, const char *const *words, size_t count, struct entry **head, struct tree *root, short *cell, char *buffer, size_t room,
          char *same, double *filled, size_t most)
{
    if (!text) {
        *cell = 0;
        return a != 127 || b || c != 10 || d < 1e38f || at.x != 1 || strcmp(at.name, "n") || rows || pointers || words || *head || root || *same;
    }
    if (a != -128 || ~b || c != 'x' || d != 0.1f || strcmp(text, "text") || at.x != -5 || at.name || rows != 2 || grid[1][2] != 6) return false;
    if (lines != 3 || width != 1 || pointers[2][0] != 3 || count != 3 || words[1][0] || strcmp(words[2], "three")) return false;
    if ((*head)->key != 'a' || (*head)->next->value != 2 || (*head)->next->next) return false;
    if (root->value != 1 || root->left->left || root->right->left || root->right->right->value != 4) return false;
    if (strcmp(same, "same") || room != 9 || most != 4) return false;
    strcpy(buffer, "12345678");
    for (int i = 0; i < 3; i++) filled[i] = i / 2.0;
    *cell = 3;
    return true;
}"#;
    let graded = grade(&many, answer);
    assert_eq!(graded.verdict, Verdict::Passed, "{graded:#?}");
}

#[test]
fn outputs_of_c() {
    let many = problem(
        r##"{"id": "outputs", "statement": "Change everything by one.", "language": "c",
        "signature": "void outputs(int grid[][3], size_t rows, int **pointers, size_t lines, size_t width, struct entry **head, struct tree *root, short *cell, char *buffer, size_t room, char *same, double *filled, size_t most)",
        "context": "#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\nstruct entry { char key; int value; struct entry *next; };\nstruct tree { int value; struct tree *left, *right; };",
        "structures": [{"name": "struct entry", "fields": ["char key", "int value", "struct entry *next"]},
            {"name": "struct tree", "fields": ["int value", "struct tree *left", "struct tree *right"]}],
        "parameters": {"grid": {"array": ["rows", "3"]}, "pointers": {"array": ["lines", "width"]}, "buffer": {"buffer": "room"},
            "filled": {"array": ["most"], "filled": "*cell"}},
        "tests": [{"input": {"grid": [[1, 2, 3], [4, 5, 6]], "pointers": [[1, 2], [3, 4], [5, 6]], "head": [{"key": "a", "value": 1}],
            "root": [1, null, [3, [4]]], "room": 9, "same": "same", "most": 4}, "output": {"grid": [[2, 3, 4], [5, 6, 7]],
            "pointers": [[2, 3], [4, 5], [6, 7]], "head": [{"key": "z", "value": 0}, {"key": "a", "value": 1}],
            "root": [2, null, [3, [4]]], "cell": 3, "buffer": "12345678", "same": "s", "filled": [0.0, 0.5, 1.0]}}]}"##,
    );
    let answer = |value: &str, filled: &str| {
        r#"
void outputs(int grid[][3], size_t rows, int **pointers, size_t lines, size_t width, struct entry **head, struct tree *root, short *cell,
             char *buffer, size_t room, char *same, double *filled, size_t most)
{
    for (size_t i = 0; i < rows * 3; i++) grid[i / 3][i % 3]++;
    for (size_t i = 0; i < lines * width; i++) pointers[i / width][i % width]++;
    struct entry *entry = malloc(sizeof *entry);
    *entry = (struct entry){'z', VALUE, *head};
    *head = entry;
    root->value++;
    strcpy(buffer, "12345678");
    for (int i = 0; i < 3; i++) filled[i] = i / 2.0;
    same[1] = 0;
    *cell = FILLED;
}"#
        .replace("VALUE", value)
        .replace("FILLED", filled)
    };
    let graded = grade(&many, &answer("0", "3"));
    assert_eq!(graded.verdict, Verdict::Passed, "{graded:#?}");
    let graded = grade(&many, &answer("1", "3"));
    assert_eq!(graded.verdict, Verdict::WrongResult, "{graded:#?}");
    // It says that it has written more than there is room for.
    let graded = grade(&many, &answer("0", "5"));
    assert!(graded.verdict == Verdict::WrongResult && graded.cases[0].said.contains("room"), "{graded:#?}");
}

#[test]
fn results_that_cannot_be_read_are_told() {
    let ring = problem(
        r##"{"id": "ring", "statement": "Join them.", "language": "c", "signature": "struct node *ring(struct node *first, int how)",
        "context": "#include <stdlib.h>\nstruct node { int value; struct node *next; };",
        "structures": [{"name": "struct node", "fields": ["int value", "struct node *next"]}],
        "tests": [{"input": [[1, 2], 0], "output": [1, 2]}, {"input": [[1, 2], 1], "output": [1, 2]}, {"input": [[1, 2], 2], "output": [1, 2]},
            {"input": [[1, 2], 3], "output": [2]}]}"##,
    );
    let answer = "struct node *ring(struct node *first, int how) { if (how == 1) first->next->next = first; if (how == 2) free(first); \
                  if (how == 3) { struct node *next = first->next; free(first); return next; } return first; }";
    let graded = grade(&ring, answer);
    let verdicts: Vec<Verdict> = graded.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed, Verdict::WrongResult, Verdict::Crashed, Verdict::Passed], "{graded:#?}");
    assert!(graded.cases[1].said.contains("no end"), "{graded:#?}");
}

#[test]
fn in_cpp() {
    let many = problem(
        r##"{"id": "many", "statement": "All of it, in a map.", "language": "c++",
        "signature": "std::unordered_map<int, std::vector<std::string>> many(std::deque<bool> a, const std::set<char> &b, std::optional<std::pair<double, int>> c, std::map<std::string, long> &d, std::list<float> e, Point f, Node *g, std::vector<std::vector<unsigned char>> h, std::string &i)",
        "context": "#include <cstdint>\n#include <deque>\n#include <list>\n#include <map>\n#include <optional>\n#include <set>\n#include <string>\n#include <unordered_map>\n#include <utility>\n#include <vector>\nstruct Point { int x; std::string name; };\nstruct Node { int value; Node *next; };",
        "structures": [{"name": "Point", "fields": ["int x", "std::string name"]}, {"name": "Node", "fields": ["int value", "Node *next"]}],
        "tests": [{"input": [[true, false], ["q", "a"], [0.5, 7], {"k": 3}, [1.5], {"x": 2, "name": "p\u0000q"}, [9, 8], [[255], []], "in"],
            "output": [[2, ["aq", "p"]], [1, []]]},
            {"input": [[], [], null, [], [], {"x": 0, "name": ""}, [], [], ""], "output": []}]}"##,
    );
    let answer = r#"
std::unordered_map<int, std::vector<std::string>> many(std::deque<bool> a, const std::set<char> &b, std::optional<std::pair<double, int>> c,
    std::map<std::string, long> &d, std::list<float> e, Point f, Node *g, std::vector<std::vector<unsigned char>> h, std::string &i)
{
    if (a.empty()) return {};
    if (!a[0] || a[1] || !c || c->first != 0.5 || c->second != 7 || d["k"] != 3 || e.front() != 1.5f || f.name.size() != 3) return {};
    if (g->next->value != 8 || h[0][0] != 255 || !h[1].empty() || i != "in") return {};
    Node *second = g->next;
    delete g;
    delete second;
    return {{1, {}}, {f.x, {std::string(b.begin(), b.end()), f.name.substr(0, 1)}}};
}"#;
    let graded = grade(&many, answer);
    assert_eq!(graded.verdict, Verdict::Passed, "{graded:#?}");
}
