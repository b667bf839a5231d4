#!/usr/bin/env python3
"""How do our neutral names compare with those of CLARC, on CLARC's own Group 1?

usage: clarc_names.py ESTRANGE DATA [LIMIT]

DATA is a folder with group1_standard.json and group1_neutralized.json of the published data set. Each standard snippet is
put after a prelude of standard headers, as C and else as C++, and rewritten with `estrange rewrite --recipe neutralize
--check`. Then the identifiers of both neutralized texts are aligned with those of the standard one, place by place, and
each place where one text changed the name and the other did not is counted, with what kind of disagreement it is.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

C = """assert ctype errno fcntl float inttypes limits locale math pthread setjmp signal stdarg stdbool stddef stdint stdio
stdlib string strings sys/socket sys/stat sys/time sys/types time unistd wchar""".split()
CPP = """algorithm array atomic bitset cassert cctype cerrno cfloat chrono climits cmath complex condition_variable cstdarg
cstddef cstdint cstdio cstdlib cstring ctime deque exception fstream functional iomanip iostream iterator limits list
locale map memory mutex numeric optional ostream queue random regex set sstream stack stdexcept string thread tuple
type_traits typeinfo unordered_map unordered_set utility vector""".split()
PRELUDES = {
    "c": "".join(f"#include <{name}.h>\n" for name in C),
    "cpp": "".join(f"#include <{name}>\n" for name in CPP)
    + "".join(f"#include <{name}.h>\n" for name in ("unistd", "sys/stat", "sys/types", "pthread"))
    + "using namespace std;\n",
}
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'|[A-Za-z_]\w*|\.?\d[\w.]*|\S",
    re.S,
)
NAME = re.compile(r"[A-Za-z_]\w*$")


def tokens(text):
    return [token for token in TOKEN.findall(text) if not token.startswith(("//", "/*"))]


def rewritten(estrange, text, folder):
    for kind, prelude in PRELUDES.items():
        file = pathlib.Path(folder) / f"snippet.{kind}"
        file.write_text(prelude + text)
        command = [estrange, "rewrite", str(file), "--recipe", "neutralize", "--check", "--json"]
        output = subprocess.run(command, capture_output=True, text=True)
        if output.stdout:
            document = json.loads(output.stdout)
            return kind, document["text"][len(prelude):], document["evidence"]["verdict"]
        said = output.stderr
    return None, None, said.splitlines()[0] if said else "nothing"


def main():
    estrange, data = sys.argv[1], pathlib.Path(sys.argv[2])
    limit = int(sys.argv[3]) if len(sys.argv) > 3 else None
    standard = json.load(open(data / "group1_standard.json"))[:limit]
    theirs = {row["code_id"]: row["code_text"] for row in json.load(open(data / "group1_neutralized.json"))}
    verdicts, why_not, kinds, places = (collections.Counter() for _ in range(4))
    examples = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for row in standard:
            kind, ours, verdict = rewritten(estrange, row["code_text"], folder)
            if kind is None:
                why_not[verdict] += 1
                continue
            verdicts[f"{kind}: {verdict}"] += 1
            old, new, other = tokens(row["code_text"]), tokens(ours), tokens(theirs[row["code_id"]])
            if len(old) != len(new):
                kinds["ours does not align"] += 1
                continue
            if len(old) != len(other):
                kinds["theirs does not align"] += 1
                continue
            for was, here, there in zip(old, new, other):
                if not NAME.match(was):
                    continue
                both = (was != here, was != there)
                places[{(True, True): "both changed", (False, False): "neither", (True, False): "only ours changed",
                        (False, True): "only theirs changed"}[both]] += 1
                if both[0] != both[1]:
                    examples[both].append((row["code_id"], was, here, there))
    rewritten_count = sum(verdicts.values())
    print(f"{len(standard)} snippets, {rewritten_count} compile with the prelude and are rewritten")
    for name, count in verdicts.most_common():
        print(f"  {count:5} {name}")
    print(f"{sum(why_not.values())} do not")
    for name, count in why_not.most_common():
        print(f"  {count:5} {name}")
    print("snippets that cannot be aligned:", dict(kinds))
    print("places of identifiers:", dict(places))
    for both, title in (((True, False), "only ours changed"), ((False, True), "only theirs changed")):
        print(f"{title}: {len(examples[both])}, by name")
        by_name = collections.defaultdict(list)
        for snippet, was, here, there in examples[both]:
            by_name[was].append((snippet, here, there))
        for was, found in sorted(by_name.items(), key=lambda item: -len(item[1])):
            snippets = sorted({snippet for snippet, _, _ in found})
            print(f"  {len(found):4} {was}: ours {found[0][1]}, theirs {found[0][2]}, in {len(snippets)}: {snippets[0]}")


main()
