"""Rows left out: every splitter keeps its own rows to learn from, and what cannot be is refused."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, RepeatedKFold, ShuffleSplit, TimeSeriesSplit

from catalogue import nonnegative
from unkernel import ExactClassifier, ExactRegressor, InputError, MinMax
from unkernel.exact.folds import splits_of

X = nonnegative(0, 40)
Y = np.sin(X[:, 0]) + X[:, 1]


def refitted(cv, **options):
    """Mean score of machines fitted on the rows of each fold by hand."""
    of = [ExactRegressor(MinMax(), **options).fit(X[a], Y[a]).score(X[b], Y[b]) for a, b in cv.split(X)]
    return np.mean(of)


@pytest.mark.parametrize("loss", ["squared", "epsilon_insensitive"])
@pytest.mark.parametrize(
    "cv", [TimeSeriesSplit(3), ShuffleSplit(3, random_state=0), RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)]
)
def test_folds_learn_from_the_rows_that_the_splitter_names(cv, loss):
    model = ExactRegressor(MinMax(), C=[1.0, 3.0], loss=loss, cv=cv).fit(X, Y)
    by_hand = [refitted(cv, C=C, loss=loss) for C in (1.0, 3.0)]
    np.testing.assert_allclose(model.C_path_["score"], by_hand, rtol=1e-6)


def test_lists_hold_rows_as_given_even_where_some_do_not_count():
    weight = np.ones(40)
    weight[::4] = 0
    kept = np.flatnonzero(weight)
    folds = [(np.arange(20), np.arange(20, 40)), (np.arange(40) >= 20, np.arange(40) < 20)]
    half = [(np.flatnonzero(kept < 20), np.flatnonzero(kept >= 20)), (kept >= 20, kept < 20)]
    one = ExactRegressor(MinMax(), C=[1.0, 3.0], cv=folds).fit(X, Y, sample_weight=weight)
    two = ExactRegressor(MinMax(), C=[1.0, 3.0], cv=half).fit(X[kept], Y[kept])
    np.testing.assert_allclose(one.C_path_["score"], two.C_path_["score"], rtol=1e-9)


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (GroupKFold(2), r"cannot split .* 'groups' .* list\(cv.split\(X, y, groups\)\)"),
        ("five", "cv is 'five'; give a whole number"),
        (2.5, "cv is 2.5; give a whole number"),
        ([(np.arange(20), np.arange(10, 40)), (np.arange(20, 40), np.arange(20))], "fold 0 of cv learns from row 10"),
        ([(np.arange(20), np.arange(20, 41)), (np.arange(20, 40), np.arange(20))], "names row 40 and X has 40 rows"),
        ([(np.arange(20), []), (np.arange(20, 40), np.arange(20))], "fold 0 of cv leaves no row out"),
        ([([], np.arange(20)), (np.arange(20, 40), np.arange(20))], "fold 0 of cv learns from no row"),
        ([(np.arange(20), np.arange(20, 40))], "makes 1 folds; at least two"),
        ([([0.5], [1]), ([1], [0])], "a fold of cv holds"),
    ],
)
def test_what_makes_no_folds_is_refused(cv, message):
    with pytest.raises(InputError, match=message):
        ExactClassifier(MinMax(), C="auto", cv=cv).fit(X, Y > Y.mean())


def test_a_number_spreads_classes_evenly():
    y = np.repeat([0, 1], [30, 10])
    for train, test in splits_of(y, 5, np.arange(40), 40, classifies=True, seed=0):
        assert y[test].sum() == 2
        assert len(train) == 32
