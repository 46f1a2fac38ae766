"""The stream classifier takes the steps it claims, in any form and any cut into blocks, and refuses with a remedy."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import check_estimator

import naive
from unkernel import Codes, Dense, InputError, LinearClassifier, Sparse, StreamClassifier
from unkernel.linear.losses import CLASSIFIERS, loss_of
from unkernel.linear.stream import STEPS, _sizes
from unkernel.linear.stream_hot import descend, descend_adagrad

WEIGHTS = "a row of weight 2 takes one step twice as long, two rows take two; as in scikit-learn's SGDClassifier"


def rows(n=12, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (n, 6))
    F = Codes.of(codes, 4, filled=np.arange(n) != 3)
    return F, (codes[:, :3].sum(axis=1) % classes).astype(np.int32)


def forms(F, dtype=np.float64):
    return {"codes": F, "sparse": Sparse.of(F.to_csr(dtype)), "dense": Dense(F.to_dense(dtype))}


def passed(run, F, y, loss, *settings):
    """Sums that one pass over all rows leaves, for three classes, with costs that differ."""
    sums, clock = np.zeros((2, F.shape[1] + 1, 3)), np.zeros(2)
    cost, scratch = np.linspace(0.5, 2, len(F)), np.empty((2, 3))
    run(F, y, np.arange(3), cost, loss_of(loss).rule, *settings, clock, *sums, *scratch, np.arange(len(F)))
    return sums, clock, cost


@pytest.mark.hot
@pytest.mark.parametrize(
    ("loss", "implicit"),
    [("hinge", True), ("squared_hinge", True), ("logistic", True), ("hinge", False), ("logistic", False)],
)
@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
def test_steps_equal_their_twin(form, loss, implicit):
    F, y = rows()
    A = np.hstack([F.to_dense(np.float64), np.ones((len(F), 1))])
    (U, S), (steps, total), cost = passed(descend, forms(F)[form], y, loss, implicit, 1.0, 0.1, 20.0)
    for c in range(3):
        last, mean = naive.stochastic(loss, A, np.where(y == c, 1.0, -1.0), cost, 0.1, 20.0, implicit)
        np.testing.assert_allclose(U[:, c] / (0.1 * 32), last, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose((steps * U[:, c] - S[:, c]) / (0.1 * total), mean, rtol=1e-7, atol=1e-9)


@pytest.mark.hot
@pytest.mark.parametrize("loss", CLASSIFIERS)
@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
def test_adagrad_equals_its_twin(form, loss):
    F, y = rows()
    A = np.hstack([F.to_dense(np.float64), np.ones((len(F), 1))])
    (U, G), _, cost = passed(descend_adagrad, forms(F)[form], y, loss, 1.0, 0.1, 0.7)
    for c in range(3):
        meant = naive.dual_averaging(loss, A, np.where(y == c, 1.0, -1.0), cost, 0.1, 0.7)
        np.testing.assert_allclose(U[:, c] / (0.1 * 12 + np.sqrt(G[:, c]) / 0.7), meant, rtol=1e-7, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("loss", "step"), [("squared_hinge", "sgd"), ("hinge", "pegasos"), ("logistic", "adagrad"), ("logistic", "sgd")]
)
def test_it_is_a_scikit_learn_classifier(loss, step):
    failing = {f"check_sample_weight_equivalence_on_{kind}_data": WEIGHTS for kind in ("dense", "sparse")}
    check_estimator(StreamClassifier(loss, step=step), expected_failed_checks=failing)


@pytest.mark.parametrize("step", STEPS)
def test_forms_and_blocks_agree(step):
    F, y = rows(200)
    models = []
    for G in forms(F).values():
        model = StreamClassifier("hinge", step=step, alpha=0.01)
        for start in range(0, 200, 50):
            block = slice(start, start + 50)
            model.partial_fit(G[block], y[block], classes=[0, 1, 2])
        models.append(model)
    for model in models:
        np.testing.assert_allclose(model.coef_, models[0].coef_, atol=1e-9)
        assert model.t_ == 200
    np.testing.assert_array_equal(models[0].class_count_, np.bincount(y))


def test_a_stream_can_be_interrupted():
    F, y = rows(100)
    whole, cut = (StreamClassifier(random_state=3).partial_fit(F[:60], y[:60], classes=[0, 1, 2]) for _ in range(2))
    cut = pickle.loads(pickle.dumps(cut)).partial_fit(F[60:], y[60:])
    np.testing.assert_array_equal(cut.coef_, whole.partial_fit(F[60:], y[60:]).coef_)


@pytest.mark.parametrize("loss", CLASSIFIERS)
@pytest.mark.parametrize("step", ["sgd", "adagrad"])
def test_many_passes_come_near_the_optimum(loss, step):
    F, y = rows(300, classes=2)
    A, sign = F.to_dense(np.float64), np.where(y == 1, 1.0, -1.0)
    best = LinearClassifier(loss, C=1 / (300 * 0.02), tol=1e-6).fit(A, y)
    near = StreamClassifier(loss, alpha=0.02, step=step, average=False, max_iter=200).fit(A, y)

    def objective(model):
        w = np.r_[model.coef_[0], model.intercept_]
        return naive.linear_objective(loss, A, sign, np.full(300, 1 / (300 * 0.02)), 1.0, w)

    assert objective(near) < 1.03 * objective(best)


def test_balanced_weights_follow_the_stream():
    F, _ = rows(400)
    y = (F.codes[:, :3].sum(axis=1) + np.random.default_rng(1).integers(0, 6, 400) > 7).astype(int)
    rare = np.flatnonzero((y == 0) | (np.arange(400) % 8 == 0))
    model = StreamClassifier(class_weight="balanced")
    for block in np.array_split(rare, 4):
        model.partial_fit(F[block], y[block], classes=[0, 1])
    weights = model._class_weights()
    np.testing.assert_allclose(weights * np.bincount(y[rare]), len(rare) / 2)
    plain, balanced, given = (
        StreamClassifier(alpha=0.01, max_iter=20, class_weight=each).fit(F[rare], y[rare])
        for each in (None, "balanced", {0: weights[0], 1: weights[1]})
    )
    assert np.mean(balanced.predict(F) == 1) > 1.5 * np.mean(plain.predict(F) == 1)
    np.testing.assert_allclose(given.coef_, balanced.coef_)


def test_sizes_of_rows_agree():
    F, _ = rows()
    for G in forms(F).values():
        for found, meant in zip(_sizes(G, 1.0), _sizes(F, 1.0), strict=True):
            np.testing.assert_allclose(np.asarray(found).ravel(), meant, rtol=1e-6)


def test_labels_of_any_type_and_sparse_rows():
    F, y = rows(60, classes=2)
    labels = np.array(["no", "yes"])[y]
    model = StreamClassifier("logistic").fit(scipy.sparse.csr_matrix(F.to_csr(np.float64)), labels)
    assert set(model.predict(F)) <= {"no", "yes"}
    np.testing.assert_allclose(model.predict_proba(F).sum(axis=1), 1)


def test_what_cannot_be_learned_is_refused():
    F, y = rows()
    with pytest.raises(InputError, match="first block; name all labels"):
        StreamClassifier().partial_fit(F, y)
    model = StreamClassifier().partial_fit(F, y, classes=[0, 1, 2])
    with pytest.raises(InputError, match=r"y contains .*7.* at row 0, which is not one of the classes"):
        model.partial_fit(F[:1], [7])
    with pytest.raises(InputError, match="all labels are named once"):
        model.partial_fit(F, y, classes=[0, 1])
    with pytest.raises(InputError, match='use loss="hinge"'):
        StreamClassifier(step="pegasos").fit(F, y)
    with pytest.raises(InputError, match="n_jobs is 0; it must be a whole number but not 0"):
        StreamClassifier(n_jobs=0).fit(F, y)
    with pytest.raises(InputError, match="step is 'adam'"):
        StreamClassifier(step="adam").fit(F, y)


@pytest.mark.parametrize(
    ("name", "given"), [("step", "adagrad"), ("alpha", 0.1), ("loss", "logistic"), ("fit_intercept", False)]
)
def test_what_the_sums_follow_stays_for_the_whole_stream(name, given):
    F, y = rows()
    model = StreamClassifier().partial_fit(F, y, classes=[0, 1, 2])
    before, change = model.get_params()[name], {name: given}
    with pytest.raises(InputError, match=rf"{name} is {given!r} and the stream began with {before!r}.*set_params"):
        model.set_params(**change).partial_fit(F, y)
    meant = StreamClassifier().partial_fit(F, y, classes=[0, 1, 2]).partial_fit(F, y)
    again = model.set_params(**{name: before}).partial_fit(F, y)
    np.testing.assert_array_equal(again.coef_, meant.coef_)
    changed = StreamClassifier(**change).fit(F, y)
    np.testing.assert_array_equal(model.set_params(**change).fit(F, y).coef_, changed.coef_)


def test_the_mean_of_the_weights_can_be_asked_for_at_any_block():
    F, y = rows()
    late, meant = (StreamClassifier(average=mean).partial_fit(F, y, classes=[0, 1, 2]) for mean in (False, True))
    late.set_params(average=True).partial_fit(F, y)
    np.testing.assert_array_equal(late.coef_, meant.partial_fit(F, y).coef_)


REFUSED = {
    "a strange label": ([0.0], [7], {}),
    "a label of another kind": ([0.0], ["a"], {}),
    "too few labels": ([0.0, 1.0], [0], {}),
    "overflow": ([1e160, -1e160], [1, 0], {}),
    "strange class weight": ([0.0], [0], {"class_weight": {5: 1.0}}),
}


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid")
@pytest.mark.parametrize("case", list(REFUSED))
def test_a_refused_block_leaves_the_stream_as_it_was(case):
    column, labels, change = REFUSED[case]
    X, y = np.array([[1.0], [2.0], [-1.0]]), [0, 0, 1]
    wrong = np.array(column)[:, None]
    fresh = StreamClassifier(step="adagrad", **change)
    with pytest.raises(InputError, match="overflowed" if case == "overflow" else None):
        fresh.partial_fit(wrong, labels, classes=[0, 1])
    assert vars(fresh) == fresh.get_params()
    model, meant = (StreamClassifier(step="adagrad").partial_fit(X, y, classes=[0, 1]) for _ in range(2))
    before = pickle.dumps(vars(model))
    with pytest.raises(InputError):
        model.set_params(**change).partial_fit(wrong, labels)
    model.set_params(**{name: meant.get_params()[name] for name in change})
    assert pickle.dumps(vars(model)) == before
    np.testing.assert_array_equal(model.partial_fit(X, y).coef_, meant.partial_fit(X, y).coef_)
