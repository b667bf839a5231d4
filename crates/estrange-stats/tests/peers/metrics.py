"""Scores rankings with pytrec_eval or ranx: what estrange-stats is compared with.

Reads what `peers/mod.rs` wrote into a folder, writes a value for each measure and query, and prints the seconds of CPU
time that the package took to score the rankings, which it had in the form it wants.
"""

import sys
import time

import numpy as np

folder, package = sys.argv[1:]


def lists(name, kind):
    """For each query its documents, by name, and what belongs to them, such as scores."""
    ends = np.fromfile(f"{folder}/{name}.ends", "<u8").tolist()
    documents = np.fromfile(f"{folder}/{name}.documents", "<u4").tolist()
    values = np.fromfile(f"{folder}/{name}.values", kind).tolist()
    for start, end in zip([0] + ends, ends):
        yield {names[document]: value for document, value in zip(documents[start:end], values[start:end])}


names = open(f"{folder}/names").read().splitlines()
measures = open(f"{folder}/measures").read().splitlines()
relevance = {f"q{query:07}": grades for query, grades in enumerate(lists("judgements", "<u4"))}
run = {f"q{query:07}": scores for query, scores in enumerate(lists("run", "<f8"))}


def ranked(results):
    """The results in the order of trec_eval, which compares scores in single precision."""
    return sorted(results, key=lambda document: (np.float32(results[document]), document.encode()), reverse=True)


def parts(measure):
    """The kind, the cut or 0, and the least grade that is relevant."""
    rest, _, grade = measure.partition("-l")
    kind, _, cut = rest.partition("@")
    return kind, int(cut or 0), int(grade or 1)


# What trec_eval calls a measure of a whole ranking, and one with a cut.
TREC = {
    "ndcg": ("ndcg", "ndcg_cut"),
    "mrr": ("recip_rank", None),
    "map": ("map", "map_cut"),
    "recall": ("set_recall", "recall"),
    "precision": ("set_P", "P"),
    "success": ("success_1000000", "success"),
}


def by_pytrec_eval():
    import pytrec_eval

    spent, columns, jobs = 0, {}, {}
    for measure in measures:
        kind, cut, grade = parts(measure)
        whole, with_cut = TREC[kind]
        # The reciprocal rank knows no cut: the ranking is cut for it.
        if cut and not with_cut:
            jobs.setdefault((grade, cut), []).append((measure, whole))
        else:
            jobs.setdefault((grade, 0), []).append((measure, f"{with_cut}_{cut}" if cut else whole))
    for (grade, cut), wanted in jobs.items():
        rankings = run
        if cut:
            rankings = {query: {each: run[query][each] for each in ranked(run[query])[:cut]} for query in run}
        evaluator = pytrec_eval.RelevanceEvaluator(relevance, {name for _, name in wanted}, relevance_level=grade)
        started = time.process_time()
        answers = evaluator.evaluate(rankings)
        spent += time.process_time() - started
        for measure, name in wanted:
            columns[measure] = [answers[query][name] for query in run]
    return spent, columns


def by_ranx():
    import ranx

    # In which order ranx has equal scores is chance, so it gets the order itself, as scores.
    places = {query: {each: -float(place) for place, each in enumerate(ranked(run[query]))} for query in run}
    as_called = [measure.replace("success", "hit_rate") for measure in measures]

    def scored(relevance, run):
        relevance, run = ranx.Qrels(relevance), ranx.Run(run)
        started = time.process_time()
        answers = ranx.evaluate(relevance, run, as_called, return_mean=False, save_results_in_run=False)
        return time.process_time() - started, answers

    few = list(run)[:10]
    # It is compiled when it is first called.
    scored({query: relevance[query] for query in few}, {query: places[query] for query in few})
    spent, answers = scored(relevance, places)
    answers = answers if isinstance(answers, dict) else {as_called[0]: answers}
    return spent, {measure: answers[name] for measure, name in zip(measures, as_called)}


spent, columns = {"pytrec_eval": by_pytrec_eval, "ranx": by_ranx}[package]()
np.concatenate([np.asarray(columns[measure], "<f8") for measure in measures]).tofile(f"{folder}/answers")
print(spent)
