"""Claim: `FourierMap` makes structured features faster than scikit-learn-extra's Fastfood and xGPR, at no higher error.

Rivals run where they install: scikit-learn-extra 0.3.0 needs numpy < 2 and scikit-learn 1.6, xGPR takes any. Same gamma
and number of columns, one thread each, since neither rival has more; each takes the float type it computes in.
"""

from functools import partial

import numpy as np
from contest import contest, heading, ratio

from unkernel import RBF, FourierMap

SHAPES = ((256, 1024, 4_000), (784, 2048, 4_000), (4096, 8192, 500))


def fastfood(gamma, n, X):
    """Fastfood of scikit-learn-extra, float64; it fills n up to whole blocks and may return more columns."""
    from sklearn_extra.kernel_approximation import Fastfood

    model = Fastfood(sigma=np.sqrt(1 / (2 * gamma)), n_components=n // 2, random_state=0).fit(X)
    return lambda Y: model.transform(Y)


def xgpr(gamma, n, X):
    """Features of xGPR, computed in float32; its scale is given as a logarithm."""
    from xGPR import KernelFGen

    made = KernelFGen(num_rffs=n, hyperparams=np.log([np.sqrt(2 * gamma)]), num_features=X.shape[1], verbose=False)
    return lambda Y: made.predict(Y)


def error(Z, K):
    """Mean squared kernel error over pairs."""
    off = ~np.eye(len(K), dtype=bool)
    return np.mean(((Z @ Z.T).astype(np.float64) - K)[off] ** 2)


if __name__ == "__main__":
    heading("FourierMap against Fastfood (scikit-learn-extra) and xGPR, one thread each")
    for name, make in (("Fastfood", fastfood), ("xGPR", xgpr)):
        for d, n, n_rows in SHAPES:
            X = np.random.default_rng(0).random((n_rows, d))
            gamma = -np.log(0.4) * RBF("median").fit(X[:500]).gamma_
            try:
                theirs = make(gamma, n, X)
            except (ImportError, ValueError) as refusal:
                print(f"SKIPPED {name}: does not import here ({refusal})")
                break
            Y = X.astype(np.float32) if name == "xGPR" else X
            ours = FourierMap(n, gamma=gamma, variant="structured", random_state=0).fit(Y)
            a, b = f"{name} d={d} n={n}", f"FourierMap d={d} n={n}"
            results = contest({a: partial(theirs, X), b: partial(ours.transform, Y)}, repeats=7)
            K = RBF(gamma)(X[:300])
            errors = [error(np.asarray(results[c].answer[:300], float), K) for c in (a, b)]
            print(f"ERROR {errors[0]:.2e} ({results[a].answer.shape[1]} columns) against {errors[1]:.2e} ({n} columns)")
            ratio(results, b, a, claim=1)
