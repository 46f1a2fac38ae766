"""The exact classifier: scikit-learn's SVC on our kernels, with choice of C and kernel."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from catalogue import nonnegative, signed
from realdata import real
from unkernel import GMM, RBF, Acos, AcosChi2, CosineRBF, ExactClassifier, FoldedRBF, InputError, MinMax

EVERY = [
    ExactClassifier(),
    ExactClassifier(RBF(0.1), loss="squared"),
    ExactClassifier(loss="squared_hinge", multi_class="ovr"),
]


@parametrize_with_checks(EVERY)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def rows(n=120, n_classes=3, seed=0):
    X = nonnegative(seed, n, 5)
    return X, np.array(["a", "b", "c", "d"])[(X[:, :2].sum(axis=1) * 1.5).astype(int) % n_classes]


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array, scipy.sparse.csr_matrix])
def test_hinge_is_svc(form):
    X, y = rows()
    ours = ExactClassifier(MinMax(), C=10.0).fit(form(X), y)
    theirs = SVC(C=10.0, kernel=MinMax(), break_ties=True).fit(X, y)
    Z = nonnegative(1, 50, 5)
    np.testing.assert_array_equal(ours.predict(form(Z)), theirs.predict(Z))
    assert set(ours.support_) == set(theirs.support_)
    assert ours.gap_.max() < 1e-3


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "squared"])
@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_weights_of_zero_are_rows_that_are_not_there(loss, multi_class):
    X, y = rows()
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    make = {"C": 5.0, "loss": loss, "multi_class": multi_class, "tol": 1e-8}
    there = ExactClassifier(**make).fit(X, y, sample_weight=weight)
    repeated = ExactClassifier(**make).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(there.decision_function(X), repeated.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "squared"])
def test_C_is_chosen_on_rows_left_out(loss):
    X, y = rows(200)
    y[::9] = "a"
    model = ExactClassifier(C="auto", loss=loss).fit(X, y)
    path = model.C_path_
    assert path["C"].shape == path["score"].shape == path["error"].shape
    assert model.C_ == path["C"][np.argmax(path["score"])]
    given = ExactClassifier(C=[0.1, 10.0], loss=loss).fit(X, y)
    assert given.C_ in (0.1, 10.0)


def test_the_curve_is_that_of_refitted_folds():
    X, y = rows(90)
    folds = [(np.setdiff1d(np.arange(90), t), t) for t in np.arange(90).reshape(3, 30)]
    model = ExactClassifier(MinMax(), C=[0.1, 10.0, 1e3], cv=folds).fit(X, y)
    by_hand = [
        [ExactClassifier(MinMax(), C=C).fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds] for C in (0.1, 10.0, 1e3)
    ]
    np.testing.assert_allclose(model.C_path_["score"], np.mean(by_hand, axis=1), atol=1e-12)
    np.testing.assert_allclose(model.C_path_["error"], np.std(by_hand, axis=1, ddof=1) / np.sqrt(3), atol=1e-12)


def test_kernel_parameters_are_chosen():
    X, y = rows(150)
    model = ExactClassifier(CosineRBF(), C="auto", grid={"gamma": [0.01, 30.0]}, loss="squared").fit(X, y)
    assert model.kernel_.gamma in (0.01, 30.0)
    assert len(model.trials_) == 2
    assert max(t.score.max() for t in model.trials_) == model.C_path_["score"].max()
    assert isinstance(ExactClassifier(GMM(), grid="auto", loss="squared").fit(X, y).kernel_.p, float)


def test_any_score_may_choose():
    X, y = rows(n_classes=2)
    model = ExactClassifier(C="auto", scoring="roc_auc").fit(X, y)
    assert 0.5 < model.C_path_["score"].max() <= 1


def test_balanced_weights_lift_the_rare_class():
    X, y = rows(200, n_classes=2)
    y[:150] = "a"
    plain, balanced = (ExactClassifier(C=1.0, class_weight=w).fit(X, y) for w in (None, "balanced"))
    assert np.sum(balanced.predict(X) == "b") > np.sum(plain.predict(X) == "b")


def test_the_weights_given_are_left_alone():
    X, y = rows()
    weight = np.linspace(0, 1, len(y))
    given = weight.copy()
    ExactClassifier(class_weight="balanced").fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(weight, given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "rbf"}, r"kernel is 'rbf'; it must be a kernel such as RBF\(\)"),
        ({"C": 0}, "C is 0"),
        ({"C": "liblinear"}, "C is 'liblinear'; it must be a number above 0, an array"),
        ({"C": "x"}, "C is 'x'; it must be a number above 0, an array of them, or \"auto\""),
        ({"loss": "squered"}, "loss is 'squered'"),
        ({"multi_class": "both"}, "multi_class is 'both'"),
        ({"tol": 0}, "tol is 0"),
        ({"cv": 1, "C": "auto"}, "cv is 1"),
        ({"kernel": MinMax()}, "use GMM"),
        ({"kernel": RBF(-1.0)}, "gamma is -1"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(options, message):
    X = signed(0)
    with pytest.raises(InputError, match=message):
        ExactClassifier(**options).fit(X, np.arange(40) % 2)


def test_measures_that_ask_for_probabilities_are_refused_with_a_remedy_that_exists():
    X, y = rows(60, n_classes=2)
    with pytest.raises(InputError, match=r"choose a measure of decision values.* or take UnkernelClassifier"):
        ExactClassifier(C="auto", scoring="neg_log_loss", loss="squared").fit(X, y)


@pytest.mark.parametrize("kernel", [MinMax(), MinMax() * Acos()], ids=str)
def test_columns_are_called_by_their_names(kernel):
    frame = pytest.importorskip("pandas").DataFrame(signed(0, 20, 3), columns=["width", "height", "age"])
    with pytest.raises(InputError, match=r"column '(width|height|age)'.*use GMM"):
        ExactClassifier(kernel).fit(frame, np.arange(20) % 2)
    model = ExactClassifier(kernel).fit(frame.abs(), np.arange(20) % 2)
    with pytest.raises(InputError, match=r"column '(width|height|age)'"):
        model.predict(frame)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "squared"])
def test_C_next_to_nothing_is_a_machine_next_to_nothing(loss):
    X, y = rows(30, n_classes=2)
    model = ExactClassifier(loss=loss, C=1e-300).fit(X, y)
    assert 0 < np.abs(model.dual_coef_).max() < 1e-298
    assert model.gap_[0] < 1e-3


@pytest.mark.parametrize(
    ("kernel", "C", "published"),
    [
        (MinMax(), 10.0, 95.2),
        (CosineRBF(15.0), 10.0, 90.0),
        (FoldedRBF(16.0), 10.0, 89.8),
        (Acos(), 100.0, 89.2),
        (AcosChi2(), 100.0, 91.7),
        (MinMax() * Acos(), 10.0, 95.9),
        (MinMax() * AcosChi2(), 10.0, 95.7),
    ],
    ids=repr,
)
def test_published_accuracies_of_splice_come_back(kernel, C, published):
    (X, y), (Z, t) = real("splice"), real("splice", "test")
    accuracy = 100 * ExactClassifier(kernel, C=C).fit(X, y).score(Z, t)
    assert abs(accuracy - published) < 0.6
