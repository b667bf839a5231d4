"""Reads what Estrange exports with the packages that others use, and prints what they find as JSON.

  load.py datasets FOLDER    every configuration, as `datasets` loads it: its columns and rows
  load.py croissant FOLDER   what mlcroissant says of croissant.json, and how many records each of its sets has
  load.py trec FOLDER        what pytrec_eval makes of each pair of NAME.qrels and NAME.run
"""

import json
import sys
import types
from pathlib import Path


def of_datasets(folder):
    import datasets

    found = {}
    for name in datasets.get_dataset_config_names(folder):
        data = datasets.load_dataset(folder, name, split="test")
        rows = [[row[column] for column in data.column_names] for row in data]
        found[name] = {"columns": data.column_names, "rows": rows}
    return found


def of_croissant(folder):
    # Only for data in JSON, of which there is none; it has no wheel.
    sys.modules["jsonpath_rw"] = types.ModuleType("jsonpath_rw")
    sys.modules["jsonpath_rw"].lexer = types.ModuleType("jsonpath_rw.lexer")
    import mlcroissant

    data = mlcroissant.Dataset(jsonld=Path(folder) / "croissant.json")
    issues = data.metadata.ctx.issues
    problems = sorted(str(issue) for issue in issues.errors)
    sets = {each.id: sum(1 for _ in data.records(record_set=each.id)) for each in data.metadata.record_sets}
    return {"problems": problems, "warnings": sorted(str(each) for each in issues.warnings), "record_sets": sets}


def of_trec(folder):
    import pytrec_eval

    found = {}
    for path in sorted(Path(folder).glob("*.qrels")):
        with open(path) as qrels, open(path.with_suffix(".run")) as run:
            qrels, run = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
        measures = {"ndcg_cut.10", "recall.1,5", "map_cut.10"}
        found[path.stem] = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return found


what, folder = sys.argv[1:]
print(json.dumps({"datasets": of_datasets, "croissant": of_croissant, "trec": of_trec}[what](folder)))
