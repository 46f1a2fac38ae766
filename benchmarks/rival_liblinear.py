"""LIBLINEAR in an interpreter of its own: its two packages share a module name, and neither is needed to run unkernel.

Run by the benchmarks as `python rival_liblinear.py problem.npz options eps,eps,...`. Prints, for each eps, the seconds
that training took, and writes the weights beside the problem. With `-C` among the options it searches for C instead.
"""

import json
import sys
from time import perf_counter

import numpy as np
import scipy.sparse
from liblinear.liblinearutil import parameter, problem, train


def rows_of(file):
    """CSR rows of an archive that holds them, or codes."""
    if "indptr" in file:
        parts = tuple(file[name] for name in ("data", "indices", "indptr"))
        return scipy.sparse.csr_matrix(parts, shape=(len(parts[2]) - 1, int(file["width"])))
    codes, levels, value = file["codes"], int(file["levels"]), float(file["value"])
    n, k = codes.shape
    columns = (codes + np.arange(k) * levels).ravel()
    return scipy.sparse.csr_matrix((np.full(n * k, value), columns, np.arange(n + 1) * k), shape=(n, k * levels))


def main(path, options, tolerances):
    with np.load(path) as file:
        X, y = rows_of(file), file["y"]
    start = perf_counter()
    data = problem(y.astype(float), X, bias=1)
    found = {"build": perf_counter() - start, "seconds": [], "answers": []}
    for eps in tolerances:
        flag = "" if "-C" in options else f" -e {eps}"
        start = perf_counter()
        model = train(data, parameter(f"{options} -B 1 -q{flag}"))
        found["seconds"].append(perf_counter() - start)
        if "-C" in options:
            found["answers"].append([float(model[0]), float(model[-1])])
        else:
            labels = model.get_labels()
            parts = range(len(labels)) if len(labels) > 2 else [0]
            W = np.array([[*model.get_decfun(label_idx=j)[0], model.get_decfun(label_idx=j)[1]] for j in parts])
            np.save(f"{path}.{eps}.npy", W if len(labels) > 2 else W * (1 if labels[0] == 1 else -1))
            found["answers"].append([int(label) for label in labels])
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3].split(","))
