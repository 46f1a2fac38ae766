"""Claim: the min-max Gram matrix of sparse rows, >= 3x a loop over SciPy's sparse columns and, where few columns are
shared, >= 10x and a tenth of the memory of the dense path.

Rivals: our own tiles on `X.toarray()`, and the best loop that SciPy allows: for each row, the columns of its nonzeros
from a CSC matrix, `np.minimum` of their values, and `np.bincount` of their rows. One thread for all; float64.
"""

import tracemalloc

import numpy as np
import scipy.sparse
from contest import contest, heading, ratio, real

from unkernel import MinMax


def scipy_loop(X, Y):
    """Min-max by a loop over rows, a few SciPy and NumPy calls each."""
    columns, rows = scipy.sparse.csc_array(Y), scipy.sparse.csr_array(X)
    u, v = (np.asarray(R.sum(axis=1)).ravel() for R in (X, Y))
    K = np.empty((X.shape[0], Y.shape[0]))
    for i in range(len(K)):
        here = slice(rows.indptr[i], rows.indptr[i + 1])
        found = columns[:, rows.indices[here]]
        least = np.minimum(found.data, np.repeat(rows.data[here], np.diff(found.indptr)))
        S = np.bincount(found.indices, weights=least, minlength=len(v))
        K[i] = S / np.maximum(u[i] + v - S, 1e-300)
    return K


def megabytes(run) -> float:
    """Memory that a call takes at its peak, the result included."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    for name, n in (("a9a", 2000), ("news20_bydate", 600)):
        rows = real(name)[0].astype(np.float64)
        chosen = np.random.default_rng(0).permutation(rows.shape[0])[: 2 * n]
        X, Y = rows[chosen[:n]], rows[chosen[n:]]
        heading(
            f"{name}: Gram matrix of {n} x {n} rows, {X.shape[1]} columns, {X.nnz / n:.0f} nonzeros a row, best of 5"
        )
        runs = {
            f"{name} sparse": lambda X=X, Y=Y: MinMax()(X, Y),
            f"{name} dense": lambda X=X, Y=Y: MinMax()(X.toarray(), Y.toarray()),
            f"{name} scipy loop": lambda X=X, Y=Y: scipy_loop(X, Y),
        }
        results = contest(runs)
        for result in results.values():
            np.testing.assert_allclose(result.answer, results[f"{name} sparse"].answer, rtol=1e-9, atol=1e-12)
        peaks = {key: megabytes(run) for key, run in runs.items()}
        print("MEMORY " + ", ".join(f"{key} {peak:.0f} MB" for key, peak in peaks.items()))
        ratio(results, f"{name} sparse", f"{name} scipy loop", claim=3)
        ratio(results, f"{name} sparse", f"{name} dense", claim=0.8 if name == "a9a" else 10)
