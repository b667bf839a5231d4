"""Turns texts into vectors with sentence-transformers: what `local` is compared with.

Arguments: the model's folder, a file with a list of texts in JSON, and a file for the vectors, one after the other in
single precision. Prints the seconds that the texts took, after a few that are not counted.
"""

import json
import sys
import time

import numpy as np
from sentence_transformers import SentenceTransformer

folder, texts, vectors = sys.argv[1:]
texts = json.load(open(texts))
model = SentenceTransformer(folder, device="cpu", local_files_only=True)
model.encode(texts[:32], show_progress_bar=False)
start = time.perf_counter()
encoded = model.encode(texts, show_progress_bar=False)
print(time.perf_counter() - start)
np.asarray(encoded, "<f4").tofile(vectors)
