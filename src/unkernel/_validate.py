"""The door: user input becomes canonical arrays once; everything behind it trusts them. No mathematics.

Canonical rows are a C-ordered, native-endian float32 or float64 array, or a SciPy CSR array with sorted, summed
indices and no stored zeros. Every refusal names the value, the rule and the remedy.
"""

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse


class InputError(ValueError):
    """Input that cannot be used; the message says what was found, what is allowed and what to do."""


FLOATS = (np.float64, np.float32)


def check_rows(
    estimator: Any,
    X: Any,
    *,
    reset: bool = False,
    sparse: bool = True,
    nonnegative: str | None = None,
    dtypes: tuple[type, ...] = FLOATS,
    **rules: Any,
) -> np.ndarray | scipy.sparse.csr_array:
    """Rows of an estimator's input; sets or checks `n_features_in_` and `feature_names_in_`.

    Parameters
    ----------
    estimator : estimator
        Whose input this is; `reset=True` in `fit`, False afterwards.
    X : array-like, DataFrame, sparse matrix or sparse array of shape (n, d)
    sparse : bool
        Whether CSR may pass; else sparse input is refused with a remedy.
    nonnegative : str or None
        Set to the remedy when negative values are not allowed.
    dtypes : tuple
        Kept when X has one of them, else X becomes the first.
    **rules
        Further options of scikit-learn's `validate_data`, such as `ensure_min_samples`.
    """
    from sklearn.utils.validation import validate_data

    if scipy.sparse.issparse(X) and not sparse:
        raise InputError(
            f"{type(estimator).__name__} needs a dense array and X is sparse ({type(X).__name__}); "
            "call X.toarray() if it fits in memory, or choose a map that takes sparse rows"
        )
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr" if sparse else False,
        dtype=list(dtypes),
        order="C",
        ensure_all_finite=False,
        **rules,
    )
    return _canonical(X, getattr(estimator, "feature_names_in_", None), nonnegative)


def check_matrix(
    X: Any,
    *,
    name: str = "X",
    nonnegative: str | None = None,
    dtypes: tuple[type, ...] = FLOATS,
    n_columns: int | None = None,
) -> np.ndarray | scipy.sparse.csr_array:
    """Rows given to a function rather than an estimator; the same rules, without names to remember."""
    from sklearn.utils.validation import check_array

    X = check_array(X, accept_sparse="csr", dtype=list(dtypes), order="C", ensure_all_finite=False, input_name=name)
    if n_columns is not None and X.shape[1] != n_columns:
        raise InputError(f"{name} has {X.shape[1]} columns and {n_columns} are needed; give both the same columns")
    return _canonical(X, None, nonnegative, name)


def _canonical(X, names, nonnegative, name="X"):
    if scipy.sparse.issparse(X):
        X = _canonical_csr(scipy.sparse.csr_array(X))  # first: repeated entries count as their sum
    values = X.data if scipy.sparse.issparse(X) else X
    if not _all_finite(values):
        _refuse(
            X,
            names,
            ~np.isfinite(values),
            "finite numbers are needed; impute or drop first, for example with sklearn.impute.SimpleImputer",
            name,
        )
    if nonnegative is not None and values.size and values.min() < 0:
        _refuse(X, names, values < 0, f"Negative values in data are not allowed here; {nonnegative}", name)
    return X if scipy.sparse.issparse(X) else np.ascontiguousarray(X, dtype=X.dtype.newbyteorder("="))


def _canonical_csr(X):
    """Sorted, summed, no stored zeros: a row has nonzeros exactly where its dense twin has. The caller's X is kept."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if not np.all(X.data):
        X = X.copy()
        X.eliminate_zeros()
    return X


def _all_finite(values: np.ndarray) -> bool:
    # A sum is finite only if every term is, barring overflow; then look at each.
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.sum(values))) or bool(np.isfinite(values).all())


def _refuse(X, names, wrong, rule, name):
    """Raise, naming the first wrong value, where it stands and how many there are."""
    if scipy.sparse.issparse(X):
        p = int(np.flatnonzero(wrong)[0])
        i, j, value = int(np.searchsorted(X.indptr, p, side="right")) - 1, int(X.indices[p]), X.data[p]
    else:
        i, j = (int(v) for v in np.argwhere(wrong)[0])
        value = X[i, j]
    found = "NaN" if np.isnan(value) else "infinity" if np.isinf(value) else f"{value:g}"
    column = f"column {j}" if names is None else f"column {names[j]!r}"
    count = int(wrong.sum())
    more = f", the first of {count} such values" if count > 1 else ""
    raise InputError(f"{name} contains {found} at row {i}, {column}{more}: {rule}")


def check_classes(y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Class labels as (classes, index into classes per row); at least two classes."""
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import column_or_1d

    if y is None:
        raise InputError("y is None; a classifier requires y to be passed, but the target y is None: give labels")
    y = column_or_1d(y, warn=True)
    _same_length(y, n_rows)
    _refuse_missing(y)
    try:
        check_classification_targets(y)
        classes, index = np.unique(y, return_inverse=True)
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in y}))
        raise InputError(
            f"y has labels of types {kinds}, which have no order; make them one type, for example [str(v) for v in y]"
        ) from None
    if len(classes) < 2:
        raise InputError(
            f"y has one class, {classes.tolist()[0]!r}; a classifier needs samples of at least two classes"
        )
    return classes, index.astype(np.int32)


def _refuse_missing(y: np.ndarray) -> None:
    """Refuse None and NaN among labels; only they differ from themselves, or are None."""
    missing = np.array([v is None or v != v for v in y], bool) if y.dtype.kind == "O" else y != y
    if y.dtype.kind == "f":
        missing = ~np.isfinite(y)
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        found = y[row : row + 1].tolist()[0]
        name = "NaN" if isinstance(found, float) and np.isnan(found) else found
        raise InputError(f"y contains {name} at row {row}: every row needs a label; drop those rows")


def check_class_weight(class_weight: Any) -> dict | str | None:
    """Weights of classes: None, "balanced", or a dict of finite numbers above 0."""
    if class_weight is None:
        return None
    if not isinstance(class_weight, dict):
        if isinstance(class_weight, str):
            return check_choice("class_weight", class_weight, ("balanced",))
        raise InputError(
            f"class_weight is {class_weight!r}; it must be a dict from label to number, 'balanced' or None"
        )
    for label, value in class_weight.items():
        if not isinstance(value, numbers.Real) or not np.isfinite(value) or value <= 0:
            raise InputError(
                f"class_weight of {label!r} is {value!r}; it must be a finite number above 0: drop the rows of a class "
                "that should not count"
            )
    return class_weight


def weights_of_classes(class_weight: dict, classes: np.ndarray) -> np.ndarray:
    """Weight of each class from a checked dict, 1 where it has none; a label that is no class is taken for a slip."""
    labels = classes.tolist()
    bare = [label for label in labels if label not in class_weight]
    strange = [label for label in class_weight if label not in labels]
    if bare and strange:
        raise InputError(
            f"class_weight names {strange} and The classes, {bare}, are not in class_weight; use the labels of y"
        )
    return np.array([float(class_weight.get(label, 1.0)) for label in labels])


def check_numbers(y: Any, n_rows: int) -> np.ndarray:
    """Regression targets, float64, one per row or (n, q)."""
    from sklearn.utils.validation import check_array

    if y is None:
        raise InputError("y is None; a regressor requires y to be passed, but the target y is None: give numbers")
    try:
        y = check_array(y, ensure_2d=False, dtype=np.float64, ensure_all_finite=False, input_name="y")
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        first = np.asarray(y).ravel().tolist()[0]
        raise InputError(
            f"y holds text such as {first!r}; regression needs numbers: take a classifier for classes"
        ) from None
    _same_length(y, n_rows)
    if not _all_finite(y):
        raise InputError(
            f"y contains NaN or infinity at row {int(np.argwhere(~np.isfinite(y))[0][0])}: finite targets are needed; "
            "drop those rows"
        )
    return y


def _same_length(y, n_rows: int) -> None:
    if len(y) != n_rows:
        raise InputError(
            f"y has {len(y)} values and X has {n_rows} rows (inconsistent numbers of samples); give one target per row"
        )


def check_weights(sample_weight: Any, n_rows: int) -> np.ndarray:
    """Sample weights, float64, ones when None, all alike from a number; finite, not negative, not all zero."""
    from sklearn.utils.validation import check_array

    if sample_weight is None or isinstance(sample_weight, numbers.Real):
        return np.full(n_rows, 1.0 if sample_weight is None else check_real("sample_weight", sample_weight, above=0))
    if isinstance(sample_weight, str):
        raise InputError(f"sample_weight is {sample_weight!r}; it must be one number for each row, or None")
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, ensure_all_finite=False, input_name="sample_weight"
    )
    if weights.shape != (n_rows,):
        raise InputError(
            f"sample_weight has shape {weights.shape}; Sample weights must be 1D array or scalar: one for each of the "
            f"{n_rows} rows"
        )
    if not _all_finite(weights):
        i = int(np.flatnonzero(~np.isfinite(weights))[0])
        raise InputError(
            f"sample_weight contains {'NaN' if np.isnan(weights[i]) else 'infinity'} at row {i}: finite weights are "
            "needed; drop the row or give it 0"
        )
    if weights.min() < 0:
        i = int(np.argmin(weights))
        raise InputError(
            f"sample_weight is {weights[i]:g} at row {i}; weights are not negative: drop the row or give it 0"
        )
    if not weights.any():
        raise InputError("sample_weight is zero everywhere; at least one row must count")
    return weights


def check_integer(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """A whole number within bounds."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
    if not whole or value < least or (most is not None and value > most):
        top = "" if most is None else f" and at most {most}"
        raise InputError(f"{name} is {value!r}; it must be a whole number of at least {least}{top}")
    return int(value)


def check_real(
    name: str, value: Any, *, above: float | None = None, least: float | None = None, most: float | None = None
) -> float:
    """A finite number within bounds."""
    fine = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_) and np.isfinite(value)
    rules = []
    for bound, words, holds in (
        (above, "above", lambda: value > above),
        (least, "at least", lambda: value >= least),
        (most, "at most", lambda: value <= most),
    ):
        if bound is not None:
            rules.append(f"{words} {bound:g}")
            fine = fine and holds()
    if not fine:
        raise InputError(f"{name} is {value!r}; it must be a finite number {' and '.join(rules)}".rstrip())
    return float(value)


def check_choice(name: str, value: Any, choices: Iterable) -> Any:
    """One of a few values."""
    choices = list(choices)
    if not any(value is c or (type(value) is type(c) and value == c) for c in choices):
        raise InputError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, choices))}")
    return value


_SEED_RULE = "it must be a whole number of at least 0, a RandomState, a Generator or None"


def check_seed(random_state: Any) -> int:
    """64-bit seed from int, RandomState, Generator or None; the same int always gives the same seed."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool | np.bool_):
        if random_state < 0:
            raise InputError(f"random_state is {random_state}; {_SEED_RULE}")
        return int(np.random.SeedSequence(int(random_state)).generate_state(1, np.uint64)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**64, dtype=np.uint64))
    if isinstance(random_state, np.random.RandomState) or random_state is np.random:
        return int(
            np.random.SeedSequence(random_state.randint(0, 2**31, size=4).tolist()).generate_state(1, np.uint64)[0]
        )
    raise InputError(f"random_state is {random_state!r}; {_SEED_RULE}")


def count_threads(n_jobs: int | None) -> int:
    """Threads that n_jobs means, as in joblib: None is 1 unless `parallel_config` says more, -1 all cores."""
    if n_jobs is not None and (not isinstance(n_jobs, numbers.Integral) or n_jobs == 0):
        raise InputError(
            f"n_jobs is {n_jobs!r}; it must be a whole number but not 0: 1 for one thread, -1 for all cores"
        )
    from joblib import effective_n_jobs

    return effective_n_jobs(n_jobs)  # knows about parallel_config, nested workers and the cores we may use
