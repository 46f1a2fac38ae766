"""A study: accuracy of min-max hashing with a linear SVM against the exact kernel, on data sets of the papers' figures.

    python benchmarks/study_minmax.py letter_libsvm 16 128 1024 4096

Up to 15,000 rows to train and 5,000 to test; C from 0.1, 1, 10 by test accuracy, as in the papers, for all alike. Up to
1,024 components `LinearSVC` fits on the CSR output; above, `LinearClassifier` minimises the same loss on the codes.
"""

import sys
import warnings

import numpy as np
from contest import heading, real
from sklearn.svm import SVC, LinearSVC

from unkernel import GMM, LinearClassifier, MinMaxMap

CODES = {
    "0-bit, b = 4": {"algorithm": "icws", "bits": 4, "t_bits": 0},
    "0-bit, b = 8": {"algorithm": "icws", "bits": 8, "t_bits": 0},
    "default": {},
    "rejection": {"algorithm": "rejection"},
}
COSTS = (0.1, 1.0, 10.0)
LARGE_COSTS = (1.0, 10.0)


def split(name: str):
    """Rows to train and to test: the set's own parts, or halves."""
    X, y = real(name)
    X = X.reshape(len(y), -1).astype(np.float32)
    try:
        X_test, y_test = real(name, "test")
        X_test = X_test.reshape(len(y_test), -1).astype(np.float32)
    except KeyError:
        order = np.random.default_rng(0).permutation(len(y))
        half = len(y) // 2
        X, y, X_test, y_test = X[order[:half]], y[order[:half]], X[order[half:]], y[order[half:]]
    first, second = (np.random.default_rng(1).permutation(n) for n in (len(y), len(y_test)))
    first, second = first[:15_000], second[:5_000]
    return X[first], y[first], X_test[second], y_test[second]


def best(make, train, y, test, y_test, costs=COSTS) -> float:
    """Test accuracy at the best cost, in percent."""
    return 100 * max(make(C).fit(train, y).score(test, y_test) for C in costs)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    name, sizes = sys.argv[1], [int(k) for k in sys.argv[2:]]
    X, y, X_test, y_test = split(name)
    heading(f"{name}: test accuracy, %; {len(y)} rows to train, {len(y_test)} to test")
    print(f"linear  {best(lambda C: LinearSVC(C=C), X, y, X_test, y_test):.1f}", flush=True)
    K, K_test = GMM()(X), GMM()(X_test, X)
    exact = best(lambda C: SVC(kernel="precomputed", C=C, cache_size=1000), K, y, K_test, y_test, (1.0, 10.0))
    print(f"exact   {exact:.1f}", flush=True)
    del K, K_test
    for k in sizes:
        for label, options in CODES.items():
            map_ = MinMaxMap(k, random_state=0, **options).fit(X)
            if k <= 1024:
                train, test, make = map_.transform(X), map_.transform(X_test), lambda C: LinearSVC(C=C, max_iter=300)
            else:
                train, test, make = map_.features(X), map_.features(X_test), lambda C: LinearClassifier(C=C)
            score = best(make, train, y, test, y_test, COSTS if k < 1024 else LARGE_COSTS)
            print(
                f"k = {k:<5} {label:<14} {score:.1f}   ({map_.algorithm_}, {map_.bits_} + {map_.t_bits_})", flush=True
            )
