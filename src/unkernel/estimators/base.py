"""What the two estimators share: the door, the choice, the machine and the explanation. Wiring only."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from .._validate import InputError, check_choice, check_integer, check_matrix, check_rows, check_seed
from ..data.encoding import Encoder, has_words
from ..kernels.gaussian import RBF
from ..kernels.minmax import GMM, MinMax
from .candidates import Candidate, candidates
from .landmark import LandmarkMachine, landmarks_for
from .machine import ExactMachine, FeatureMachine
from .scaling import SCALES
from .selection import Target, Trial, select
from .verdict import verdict

EXACT_ROWS = 20_000  # n^3 / 3 steps and 4 n^2 bytes: half a minute and 1.6 GB
MERGE_ROWS = 100_000
CODES_WORK = 1.5e9  # rows times components times columns of weights: half a minute of two cores
CODES_RANGE = (256, 1024)
CODES_C = 10.0  # many rows need no more, and passes grow with it
MOST_SIZE = 1e30  # of a number; squares of larger ones overflow in float32 soon
SEARCH_SHARE = 0.25  # of the work, in the eyes of a progress bar


class Unkernel(BaseEstimator):
    """Door, scale, kernel and learner in one; the members say what a target is and what scores mean."""

    def _rows(self, X, *, reset: bool = False):
        """Canonical rows; columns of words in a frame become indicators."""
        if reset:
            self.encoder_ = None
            if has_words(X):
                validate_data(self, X, reset=True, skip_check_array=True)
                self.encoder_ = Encoder().fit(X)
        elif self.encoder_ is not None:
            validate_data(self, X, reset=False, skip_check_array=True)
        if self.encoder_ is not None:
            X = check_matrix(self.encoder_.transform(X))
        else:
            X = check_rows(self, X, reset=reset)
        if reset:
            check_sizes(X, "X")
        if reset and X.shape[0] > 1 and _all_same(X):
            warnings.warn(
                "every column of X holds one value, so there is nothing to learn from: all rows get one answer. Give "
                "columns that vary",
                UserWarning,
                stacklevel=3,
            )
        return X

    def _field(self, X) -> list[Candidate]:
        """The candidates that the settings leave, all settings in range."""
        check_choice("scaling", self.scaling, ("auto", *SCALES))
        if isinstance(self.n_components, str):
            check_choice("n_components", self.n_components, ("auto", "exact"))
        else:
            check_integer("n_components", self.n_components, least=1)
        field = candidates(self.kernel, X)
        if self.scaling == "auto":
            return field
        if self.scaling == "rank" and scipy.sparse.issparse(X):
            raise InputError("scaling is 'rank' and X is sparse; call X.toarray(), or use another scaling")
        there = [c for c in field if c.scale == self.scaling]
        return there or list({repr(c.kernel): Candidate(self.scaling, c.kernel) for c in field}.values())

    def _choose(self, X, target: Target, progress=None) -> Trial:
        """Scale, kernel and ridge, by leaving rows out; keeps the trials, and what they say about kernels.

        What it returns is `chosen_` with the scores of the rows that judged it.
        """
        seed = check_seed(self.random_state)
        auto = isinstance(self.kernel, str) and self.kernel == "auto"
        weigh = auto and self.scaling == "auto"
        tell = progress and (lambda share, text: progress(SEARCH_SHARE * share, text))
        options = {"seed": seed, "weigh": weigh, "n_jobs": self.n_jobs, "progress": tell}
        trials = select(self._field(X), X, target, **options)
        if auto:
            n_classes = 0 if target.index is None else int(target.index.max()) + 1
            data = {"rows": X.shape[0], "columns": X.shape[1], "classes": n_classes or None, "source": ""}
            data["task"] = "classification" if n_classes else "regression"
            self._verdict = verdict(trials, data, seed)
        self.trials_ = [[trial._replace(scores=None, losses=None, judged=None) for trial in rung] for rung in trials]
        self.chosen_ = self.trials_[-1][0]
        if progress:
            progress(SEARCH_SHARE, f"the winner on all {X.shape[0]:,} rows")
        return trials[-1][0]

    @property
    def verdict_(self):
        """Was the kernel worth it? The winner against the best linear candidate; `kernel="auto"` only."""
        check_is_fitted(self)
        if not hasattr(self, "_verdict"):
            raise AttributeError("verdict_ needs kernel='auto': with a kernel given there is no linear model to hold")
        return self._verdict

    def _fit_machine(self, X, target: Target, trial: Trial, progress=None):
        """The chosen candidate, fitted on these rows."""
        tell = progress and (lambda share, text: progress(SEARCH_SHARE + (1 - SEARCH_SHARE) * share, text))
        return self._machine(X, target, trial).fit(X, target, n_jobs=self.n_jobs, tell=tell)

    def _machine(self, X, target: Target, trial: Trial):
        """What the chosen candidate becomes: columns, all rows, some rows or features, whichever is cheapest."""
        candidate, n = trial.candidate, X.shape[0]
        scale, kernel, seed = candidate.scaler(), candidate.kernel, check_seed(self.random_state)
        if candidate.is_linear and n > X.shape[1]:
            return FeatureMachine(scale, None, self._learner(self._C(trial)), seed)
        if self.n_components == "exact" or (self.n_components == "auto" and n <= EXACT_ROWS):
            return ExactMachine(scale, kernel, trial.ridge)
        k = self.n_components
        if k == "auto":
            if not isinstance(kernel, GMM | MinMax):
                return LandmarkMachine(scale, kernel, trial.ridge, landmarks_for(n), seed)
            k = int(np.clip(CODES_WORK / (n * target.Y.shape[1]) // 256 * 256, *CODES_RANGE))
        map_ = None if candidate.is_linear else map_of(candidate, k, self.random_state, self.n_jobs)
        C = min(trial.C, CODES_C / trial.unit) if self.n_components == "auto" else self._C(trial)
        return FeatureMachine(scale, map_, self._learner(C), seed)

    def _scores(self, X) -> np.ndarray:
        check_is_fitted(self)
        return self.machine_.scores(self._rows(X), n_jobs=self.n_jobs)

    def explain(self) -> str:
        """What was tried, what was chosen and why, in a few lines."""
        check_is_fitted(self)
        best, first = self.chosen_, self.trials_[0]
        lines = [f"Chosen: {best.candidate}, ridge {best.ridge:.3g} of the kernel's mean diagonal."]
        lines.append(f"Judged by {self._loss_name} of rows left out: {best.loss:.4f} +- {best.error:.4f}.")
        linear = [t for t in first if t.candidate.is_linear]
        if linear and not best.candidate.is_linear:
            lines.append(f"The best linear model had {min(t.loss for t in linear):.4f} on {linear[0].rows} rows.")
        for rung in self.trials_:
            lines.append(f"On {rung[0].rows} rows, {len(rung)} tried, {sum(t.seconds for t in rung):.2f} s:")
            lines += [f"  {t.loss:.4f} +- {t.error:.4f}  {t.candidate}" for t in rung[:3]]
        return "\n".join(lines)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def check_sizes(X, name: str) -> None:
    """Refuse numbers whose squares overflow or vanish: no scale can be found for them."""
    values = X.data if scipy.sparse.issparse(X) else X
    if not values.size:
        return
    size = max(float(values.max()), -float(values.min()))
    if size > MOST_SIZE or 0 < size < 1 / MOST_SIZE:
        raise InputError(
            f"{name} has values up to {size:.3g} and sizes between {1 / MOST_SIZE:.0e} and {MOST_SIZE:.0e} can be "
            f"scaled; {'divide' if size > 1 else 'multiply'} it by a power of ten first"
        )


def _all_same(X) -> bool:
    """Whether no column of canonical rows varies."""
    if scipy.sparse.issparse(X):
        return X.nnz == 0
    return bool((X[0] == X[-1]).all() and (X == X[0]).all())


def map_of(candidate: Candidate, n_components: int, random_state, n_jobs) -> Any:
    """The map whose features stand for a kernel."""
    kernel, options = candidate.kernel, {"random_state": random_state, "n_jobs": n_jobs}
    if isinstance(kernel, GMM | MinMax):
        from ..maps.minmax import MinMaxMap

        return MinMaxMap(n_components, p=kernel.p, output="codes", **options)
    if isinstance(kernel, RBF):
        from ..maps.fourier import FourierMap

        return FourierMap(n_components + (n_components > 1) * (n_components % 2), gamma=kernel.gamma, **options)
    from ..maps.landmark import LandmarkMap

    return LandmarkMap(kernel, n_components, **options)


def merged(X, y: np.ndarray, weight: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """Rows that are the same in X and y made one, their weights added, in an order that depends on nothing else.

    A copy of a row would tell its own answer when the row is left out; and a row of weight 2 is the same as two rows.
    """
    kept = weight > 0
    X, y, weight = (X, y, weight) if kept.all() else (X[kept], y[kept], weight[kept])
    if X.shape[0] > MERGE_ROWS:
        return X, y, weight
    answers = np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
    if scipy.sparse.issparse(X):
        cuts = X.indptr
        keys = [
            X.indices[s:e].tobytes() + b"|" + X.data[s:e].tobytes() + a.tobytes()
            for s, e, a in zip(cuts[:-1], cuts[1:], answers, strict=True)
        ]
        seen: dict[bytes, int] = {}
        group = np.array([seen.setdefault(key, len(seen)) for key in keys])
        rank = np.argsort(np.argsort([*seen])) if len(seen) > 1 else np.zeros(1, int)
        group = rank[group]
    else:
        whole = np.ascontiguousarray(np.hstack([X + 0.0, answers]))
        group = np.unique(whole.view(np.dtype((np.void, whole[0].nbytes))).ravel(), return_inverse=True)[1].ravel()
    _, first = np.unique(group, return_index=True)
    return X[first], y[first], np.bincount(group, weights=weight)
