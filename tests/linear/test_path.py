"""The search for C starts where LIBLINEAR does, climbs, stops past the peak and tells its whole curve."""

import warnings

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_score

from unkernel import Codes, Dense, InputError, LinearClassifier, LinearRegressor
from unkernel.linear.base import Problem
from unkernel.linear.losses import loss_of
from unkernel.linear.path import TOP, doubling, folds_of, over, smallest


def rows(n=240, classes=3, seed=0, noise=6):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 8, (n, 20))
    y = (codes[:, :5].sum(axis=1) + rng.integers(-noise, noise + 1, n)).clip(0, 35) * classes // 36
    return Codes.of(codes, 8), y


@pytest.mark.parametrize(("loss", "power"), [("squared_hinge", -15), ("logistic", -14)])
def test_the_first_c_is_that_of_liblinear(loss, power):
    X = np.zeros((10_000, 2))
    X[:, 0] = 1
    y = (np.arange(10_000) % 2).astype(np.int32)
    assert smallest(Problem.of(Dense(X), y, loss_of(loss))) == 2.0**power
    assert smallest(Problem.of(Dense(X), y, loss_of(loss), bias=1.0)) == 2.0 ** (power - 1)
    X[:, 0] = 8  # |phi|^2 = 64
    assert smallest(Problem.of(Dense(X), y, loss_of(loss))) == 2.0 ** (power - 6)


def test_at_the_first_c_every_row_still_errs():
    F, y = rows(classes=2)
    problem = Problem.of(F, y.astype(np.int32), loss_of("squared_hinge"), bias=1.0)
    model = LinearClassifier(C=smallest(problem)).fit(F, y)
    assert np.abs(model.decision_function(F)).max() <= 1
    values = doubling(problem)
    assert values[0] == smallest(problem)
    assert values[-1] == TOP
    np.testing.assert_array_equal(values[1:], 2 * values[:-1])


def test_small_features_may_take_larger_c():
    y = (np.arange(20) % 2).astype(np.int32)
    assert doubling(Problem.of(Dense(np.full((20, 1), 1e-4)), y, loss_of("squared_hinge")))[-1] > 1e10


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge", "logistic"])
def test_the_curve_is_that_of_cross_validation(loss):
    F, y = rows()
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    model = LinearClassifier(loss, C=[1.0, 0.01, 0.1], cv=cv, tol=1e-4).fit(F, y)
    np.testing.assert_array_equal(model.C_path_["C"], [0.01, 0.1, 1.0])
    X = F.to_csr(np.float64)
    for C, mean, error in zip(*model.C_path_.values(), strict=True):
        each = cross_val_score(LinearClassifier(loss, C=C, tol=1e-5), X, y, cv=cv)
        assert mean == pytest.approx(each.mean(), abs=0.03)
        assert error == pytest.approx(each.std(ddof=1) / 2, abs=0.03)


def test_the_best_is_chosen_and_of_equals_the_smallest():
    F, y = rows()
    model = LinearClassifier(C="auto").fit(F, y)
    path = model.C_path_
    assert model.C_ == path["C"][np.flatnonzero(path["score"] == path["score"].max())[0]]
    assert model.gap_.max() <= model.tol
    assert not model.hit_bound_
    again = LinearClassifier(C=model.C_).fit(F, y)
    np.testing.assert_allclose(again.decision_function(F), model.decision_function(F), atol=0.02)


def test_the_climb_ends_past_the_peak():
    flat = np.array([[0.8, 0.9], [0.9, 1.0]])
    low = np.full((3, 2), 0.5)
    assert over(np.vstack([flat, low]), 0.1)
    assert not over(np.vstack([flat, low[:2]]), 0.1)
    within = np.full((6, 2), [0.85, 1.04])  # below the best by less than its error
    assert not over(np.vstack([flat, within]), 0.1)
    assert not over(np.vstack([flat, within]), 2.0)
    assert over(np.vstack([flat, within]), 4.0)
    assert not over(np.vstack([flat, within[:2]]), 4.0)


def test_threads_and_repetition_do_not_change_a_bit():
    F, y = rows()
    one, three = LinearClassifier(C="auto").fit(F, y), LinearClassifier(C="auto", n_jobs=3).fit(F, y)
    np.testing.assert_array_equal(one.coef_, three.coef_)
    np.testing.assert_array_equal(one.C_path_["score"], three.C_path_["score"])


def test_any_measure_can_choose():
    F, y = rows(classes=2)
    by_auc = LinearClassifier(C="auto", scoring="roc_auc").fit(F, y)
    assert 0.5 < by_auc.C_path_["score"].max() <= 1
    by_loss = LinearClassifier("logistic", C="auto", scoring="neg_log_loss").fit(F, y)
    assert by_loss.C_path_["score"].max() < 0
    small = LinearClassifier(C=[0.1, 1.0], scoring=lambda model, X, y: -abs(X).max()).fit(F, y)
    assert small.C_ == 0.1
    with pytest.raises(InputError, match="which this loss cannot answer"):
        LinearClassifier(C="auto", scoring="neg_log_loss").fit(F, y)


def test_rows_of_weight_zero_count_as_if_they_were_not_there():
    F, y = rows()
    weight = np.arange(len(y)) % 4 > 0
    X = F.to_csr(np.float64)
    cut = LinearClassifier(C="auto").fit(X[weight], y[weight])
    light = LinearClassifier(C="auto").fit(X, y, sample_weight=weight.astype(float))
    assert light.C_path_["C"][0] == cut.C_path_["C"][0]
    assert light.C_path_["score"].max() == pytest.approx(cut.C_path_["score"].max(), abs=0.05)


def test_liblinears_stop_goes_on_until_the_weights_stay():
    F, y = rows(classes=2, noise=9)
    model = LinearClassifier(C="liblinear").fit(F, y)
    score = model.C_path_["score"]
    assert len(score) == 5 + np.flatnonzero(score != score[-1])[-1] + 1 or model.C_path_["C"][-1] == TOP
    assert len(score) >= len(LinearClassifier(C="auto").fit(F, y).C_path_["C"])


def test_a_bound_that_is_hit_is_told():
    F, y = rows()
    with pytest.warns(UserWarning, match="is the largest that could be tried"):
        model = LinearClassifier(C=[1e-5, 1e-2], scoring=lambda model, X, y: abs(X).max()).fit(F, y)
    assert model.hit_bound_


def test_folds_are_even_in_every_class():
    y = np.repeat([0, 1, 2], [7, 13, 40])
    fold, n_folds = folds_of(y, np.ones(60), 4, classifies=True, seed=3)
    assert n_folds == 4
    for c in range(3):
        counts = np.bincount(fold[y == c], minlength=4)
        assert np.ptp(counts) <= 1
    fold, n_folds = folds_of(y, np.ones(60), KFold(3), classifies=True, seed=3)
    assert n_folds == 3
    assert (np.diff(fold) >= 0).all()
    fold, n_folds = folds_of(y, np.ones(60), [(np.arange(20, 60), np.arange(10)), (np.arange(20), [50])],
                             classifies=True, seed=3)  # fmt: skip
    assert (fold[:10] == 0).all()
    assert fold[50] == 1
    assert (fold == 2).sum() == 49


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": "best"}, "C is 'best'; it must be one of 'auto', 'liblinear'"),
        ({"C": []}, "C is an empty array"),
        ({"C": [1.0, -1.0]}, "C is -1.0; it must be a finite number above 0"),
        ({"C": "auto", "cv": 1}, "cv is 1; it must be a whole number of at least 2"),
        ({"C": "auto", "cv": 1000}, "X has 240; give cv=240"),
        ({"C": "auto", "cv": [([0], [1, 2]), ([0], [2, 3])]}, "leaves a row out twice"),
        ({"C": "auto", "scoring": "acuracy"}, "scoring is 'acuracy'; it must be"),
        ({"C": "liblinear", "loss": "hinge"}, 'use C="auto"'),
    ],
)
def test_settings_out_of_range_are_refused(options, message):
    F, y = rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(InputError, match=message):
            LinearClassifier(**options).fit(F, y)


def test_group_folds_need_their_groups():
    F, y = rows()
    with pytest.raises(ValueError, match="groups"):
        LinearClassifier(C="auto", cv=GroupKFold(3)).fit(F, y)


@pytest.mark.parametrize(
    ("model", "remedy"),
    [(LinearRegressor, "more rows, or C as a number"), (LinearClassifier, "cv=3, or C as a number")],
)
def test_too_few_rows_are_refused_with_a_remedy_that_exists(model, remedy):
    with pytest.raises(InputError, match=rf"a search over 5 folds needs 5 rows that count and X has 3; give {remedy}"):
        model(C="auto").fit(np.eye(3), [0, 1, 1])
