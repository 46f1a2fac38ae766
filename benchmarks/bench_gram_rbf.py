"""Claim: the Gaussian Gram matrix is no slower than scikit-learn's `rbf_kernel`, symmetric or not.

Both use the same BLAS and both cores: scikit-learn through BLAS threads, ours through blocks. Dense MNIST rows (784
columns) and letter rows (16 columns), float64 and float32.
"""

import numpy as np
from contest import contest, heading, ratio, real
from sklearn.metrics.pairwise import rbf_kernel

from unkernel import RBF

if __name__ == "__main__":
    for name, gamma in (("mnist", 1e-7), ("letter", 0.01)):
        rows = real(name)[0][:4000].astype(np.float64)
        for dtype in (np.float64, np.float32):
            X, Y = rows[:2000].astype(dtype), rows[2000:].astype(dtype)
            title = f"{name} {np.dtype(dtype).name}"
            heading(f"{title}: RBF Gram matrix of 2,000 x 2,000 rows, {X.shape[1]} columns, two cores, best of 15")
            results = contest(
                {
                    f"{title}, unkernel": lambda X=X, Y=Y, g=gamma: RBF(g)(X, Y, n_jobs=2),
                    f"{title}, sklearn": lambda X=X, Y=Y, g=gamma: rbf_kernel(X, Y, gamma=g),
                    f"{title}, unkernel symmetric": lambda X=X, g=gamma: RBF(g)(X, n_jobs=2),
                    f"{title}, sklearn symmetric": lambda X=X, g=gamma: rbf_kernel(X, gamma=g),
                },
                repeats=15,
            )
            for kind in ("", " symmetric"):
                ours, theirs = (results[f"{title}, {who}{kind}"] for who in ("unkernel", "sklearn"))
                np.testing.assert_allclose(ours.answer, theirs.answer, rtol=1e-8 if dtype == np.float64 else 1e-3)
                ratio(results, f"{title}, unkernel{kind}", f"{title}, sklearn{kind}", claim=1)
