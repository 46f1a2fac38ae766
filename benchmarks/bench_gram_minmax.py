"""Claim: the min-max Gram matrix of MNIST rows, >= 8x SciPy's cityblock distances, >= 40x scikit-learn's chi2_kernel.

Rivals: `scipy.spatial.distance.cdist(..., "cityblock")`, from which min-max follows as (u + v - D) / (u + v + D), in
float64, its only type; `sklearn.metrics.pairwise.chi2_kernel`, the nearest kernel scikit-learn has. Both are given
the rows in the type they are fastest in and are serial. Ours gets the same two sets of rows, both cores, float64.
"""

import numpy as np
from contest import contest, heading, ratio, real
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import chi2_kernel

from unkernel import ExpChi2, MinMax

if __name__ == "__main__":
    rows = real("mnist")[0][:2000].astype(np.float64)
    X, Y = rows[:1000], rows[1000:]
    narrow = X.astype(np.float32), Y.astype(np.float32)
    heading("Gram matrix of 1,000 x 1,000 MNIST rows, 784 columns, best of 20")
    results = contest(
        {
            "unkernel MinMax, two threads": lambda: MinMax()(X, Y, n_jobs=2),
            "unkernel MinMax, one thread": lambda: MinMax()(X, Y),
            "unkernel MinMax, float32, two threads": lambda: MinMax()(*narrow, n_jobs=2),
            "unkernel MinMax, X with itself, two threads": lambda: MinMax()(X, n_jobs=2),
            "unkernel ExpChi2, two threads": lambda: ExpChi2(1e-5)(X, Y, n_jobs=2),
            "scipy cdist cityblock": lambda: cdist(X, Y, "cityblock"),
        },
        repeats=20,
    )
    slow = contest({"sklearn chi2_kernel": lambda: chi2_kernel(X, Y, gamma=1e-5)}, repeats=3)
    results |= slow
    D = results["scipy cdist cityblock"].answer
    total = X.sum(axis=1)[:, None] + Y.sum(axis=1)
    K = results["unkernel MinMax, two threads"].answer
    np.testing.assert_allclose(K, (total - D) / (total + D), rtol=1e-9)
    np.testing.assert_allclose(results["unkernel MinMax, float32, two threads"].answer, K, rtol=1e-4)
    np.testing.assert_allclose(
        results["unkernel ExpChi2, two threads"].answer, results["sklearn chi2_kernel"].answer, rtol=1e-6
    )
    ratio(results, "unkernel ExpChi2, two threads", "sklearn chi2_kernel", claim=1)
    ratio(results, "unkernel MinMax, two threads", "scipy cdist cityblock", claim=8)
    ratio(results, "unkernel MinMax, two threads", "sklearn chi2_kernel", claim=40)
