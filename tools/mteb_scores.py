"""Scores an exported bench with MTEB and a model of sentence-transformers, and compares that with a run of our own.

  mteb_scores.py HUB RUN MODEL    `estrange export BENCH --format mteb --out HUB`, a run of the same model on the same
                                  bench, and the model's folder

Prints NDCG@10 of each corpus, times 100, and fails where the two are further apart than rounding explains.
"""

import logging
import sys

import datasets
import mteb
import pyarrow.parquet
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from sentence_transformers import SentenceTransformer

# In hundredths: vectors differ in their last digits, and a document can pass another one whose score is the same.
CLOSE = 0.1


def our_scores(run):
    """The mean NDCG@10 of each corpus, by its name in the export."""
    rows = pyarrow.parquet.read_table(f"{run}/scores.parquet").to_pylist()
    rows = [row for row in rows if row["measure"] == "ndcg@10"]
    seeds = {}
    for row in rows:
        seeds.setdefault(row["setting"], set()).add(row["seed"])
    scores = {}
    for row in rows:
        view = f"-{row['view']}" if row["group"] == "3" else ""
        seed = f"-{row['seed']}" if len(seeds[row["setting"]]) > 1 else ""
        scores.setdefault(f"group{row['group']}{view}-{row['setting']}{seed}", []).append(row["value"])
    return {name: sum(values) / len(values) for name, values in scores.items()}


def their_scores(hub, folder, names):
    """The same by MTEB, which loads the data and the model by itself."""
    configurations = set(datasets.get_dataset_config_names(hub))
    subsets = sorted(name for name in names if f"{name}-corpus" in configurations)
    languages = {name: ["eng-Latn"] for name in subsets} or ["eng-Latn"]

    class Exported(AbsTaskRetrieval):
        metadata = TaskMetadata(
            name="Estrange",
            description="Functions in C and C++, found by descriptions of them",
            dataset={"path": hub, "revision": "main"},
            type="Retrieval",
            eval_splits=["test"],
            eval_langs=languages,
            main_score="ndcg_at_10",
        )

    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    result = mteb.evaluate(model, Exported(), cache=None, co2_tracker=False, show_progress_bar=False)
    scores = result.task_results[0].scores["test"]
    return {(each["hf_subset"] if subsets else next(iter(names))): each["ndcg_at_10"] for each in scores}


def main():
    hub, run, folder = sys.argv[1:]
    logging.disable(logging.INFO)
    ours = our_scores(run)
    theirs = their_scores(hub, folder, ours)
    far = 0
    print(f"{'NDCG@10':<28}  {'ours':>6}  {'mteb':>6}")
    for name, value in theirs.items():
        far += abs(value - ours[name]) * 100 > CLOSE
        print(f"{name:<28}  {ours[name] * 100:6.2f}  {value * 100:6.2f}")
    sys.exit(f"error: {far} corpora are further apart than {CLOSE}" if far or not theirs else 0)


main()
