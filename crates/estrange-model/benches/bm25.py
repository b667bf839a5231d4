"""Ranks documents with bm25s: what estrange-model is compared with.

Reads the documents and queries that `bm25.rs` wrote into a folder, a text a line in JSON, writes the scores of each
query's best documents, and prints the seconds that it took: of the clock and of the CPU for the index, then for the
queries; and the most memory that it had, in KiB. bm25s runs with numba, on all cores. What numba compiles is compiled
before.
"""

import json
import os
import resource
import sys
import time

os.environ["DISABLE_TQDM"] = "1"
import bm25s  # noqa: E402

folder, variant, k1, b, delta, depth = sys.argv[1:]


def texts(name):
    with open(f"{folder}/{name}") as file:
        return [json.loads(line) for line in file]


def tokens(texts):
    return bm25s.tokenize(texts, token_pattern=r"\w+", stopwords=None, show_progress=False)


def index(texts):
    ranker = bm25s.BM25(method=variant, k1=float(k1), b=float(b), delta=float(delta), backend="numba")
    ranker.index(tokens(texts), show_progress=False)
    return ranker


def scores(ranker, texts, depth):
    # Words that no document has are left out by the package itself only where it gets words, not numbers.
    words = bm25s.tokenize(texts, token_pattern=r"\w+", stopwords=None, return_ids=False, show_progress=False)
    return ranker.retrieve(words, k=depth, show_progress=False, n_threads=os.cpu_count()).scores


def now():
    return time.perf_counter(), time.process_time()


documents, queries = texts("documents"), texts("queries")
scores(index(documents[:100]), queries[:10], 10)
times = [now()]
ranker = index(documents)
times.append(now())
found = scores(ranker, queries, int(depth))
times.append(now())
found.astype("<f4").tofile(f"{folder}/scores")
took = [end - start for before, after in zip(times, times[1:]) for start, end in zip(before, after)]
print(*took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
