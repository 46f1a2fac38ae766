"""A saved model is the same model: every value comes back, and what cannot be held is refused by name."""

import json
import pickle
from enum import Enum

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from unkernel import GMM, RBF, Dense, InputError, LinearClassifier, LinearRegressor, load_model, save
from unkernel._model_file import read_model, write_model
from unkernel.maps.base import Map
from unkernel.persistence import _Reader, _Writer


def through(model, tmp_path):
    """The model after a journey through a file."""
    save(model, tmp_path / "m.unkernel")
    return load_model(tmp_path / "m.unkernel")


def rows(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    return X, np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")


def coded(value):
    writer = _Writer()
    code = json.loads(json.dumps(writer.encode(value, "value"), allow_nan=False))
    return _Reader(writer.arrays).decode(code)


VALUES = [
    None,
    2**63,
    0.1,
    float("inf"),
    "ü",
    (1, [2.0, ("x",)]),
    {1: "a", (2, 3): None},
    {1, 2},
    frozenset(["a"]),
    slice(1, None),
    np.float32,
    np.dtype("<i2"),
    float,
    np.float32(0.1),
    np.str_("word"),
    np.str_(""),
    np.bool_(True),
    np.datetime64("2020-01-01"),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back_with_their_type(value):
    assert coded(value) == value
    assert type(coded(value)) is type(value)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner, inner),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(PLAIN)
def test_any_plain_value_comes_back(value):
    assert coded(value) == value


def test_nan_arrays_and_generators_come_back():
    assert np.isnan(coded(float("nan")))
    words = np.array([["a", 1], [None, 2.5]], dtype=object)
    np.testing.assert_array_equal(coded(words), words)
    for X in (scipy.sparse.random_array((5, 4), density=0.5, format="csr", rng=0), scipy.sparse.csc_matrix(np.eye(3))):
        assert type(coded(X)) is type(X)
        np.testing.assert_array_equal(coded(X).toarray(), X.toarray())
    for make in (np.random.default_rng, np.random.RandomState):
        a, b = make(3), make(3)
        assert coded(a).normal() == b.normal()


def test_one_array_used_twice_is_written_once():
    writer, a = _Writer(), np.arange(3)
    code = writer.encode([a, a], "value")
    assert len(writer.arrays) == 1
    first, second = _Reader(writer.arrays).decode(code)
    assert first is second


def test_pipelines_with_encoders_predict_the_same_bits(tmp_path):
    X, y = rows()
    model = make_pipeline(StandardScaler(), LinearClassifier("logistic", class_weight={"yes": 2.0, "no": 1.0}))
    loaded = through(model.fit(X, y), tmp_path)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded[-1].status_ == model[-1].status_

    mixed = np.array([[c, v] for c, v in zip(y, X[:, 0], strict=True)], dtype=object)
    columns = ColumnTransformer([("words", OneHotEncoder(), [0]), ("numbers", StandardScaler(), [1])])
    regressor = make_pipeline(columns, LinearRegressor()).fit(mixed, X[:, 1])
    np.testing.assert_array_equal(through(regressor, tmp_path).predict(mixed), regressor.predict(mixed))

    texts = ["a cat", "a dog", "the cat sat"] * 5
    text = make_pipeline(TfidfVectorizer(), LinearClassifier()).fit(texts, [0, 1, 0] * 5)
    np.testing.assert_array_equal(through(text, tmp_path).decision_function(texts), text.decision_function(texts))


def test_kernels_and_unfitted_estimators_are_models_too(tmp_path):
    product = (GMM(p=0.5, center=[1.0, 2.0]) * RBF("scale")).fit([[0.0, 1.0], [2.0, 5.0]])
    loaded = through(product, tmp_path)
    X = np.array([[0.5, 2.0], [1.5, 0.0]])
    np.testing.assert_array_equal(loaded(X), product(X))
    assert through(LinearClassifier(C=3.0), tmp_path).get_params() == LinearClassifier(C=3.0).get_params()


class Tabled(Map):
    """A map with a table that its seed makes again."""

    _tables = ("_table",)
    _scheme = "one"

    def _learn(self, X):
        self.seed_, self.scheme_, self._n_features_out = 5, "one", X.shape[1]

    def _tabulate(self):
        self._table = np.random.default_rng(self.seed_).normal(size=1000)

    def _block(self, X):
        return Dense(X * self._table[: X.shape[1]])


def test_maps_leave_their_tables_out_and_make_them_again():
    X = rows()[0]
    fitted = Tabled().fit(X)
    data = pickle.dumps(fitted)
    assert len(data) < 1000
    np.testing.assert_array_equal(pickle.loads(data).transform(X), fitted.transform(X))
    assert not hasattr(pickle.loads(pickle.dumps(Tabled())), "_table")


def test_a_map_of_another_scheme_is_refused():
    state = Tabled().fit(rows()[0]).__getstate__()
    with pytest.raises(InputError, match=r"fitted under scheme 'zero' .* draws under 'one'"):
        Tabled().__setstate__({**state, "scheme_": "zero"})


class Color(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (print, "class_weight is a builtins.builtin_function_or_method"),
        (Color.RED, "Color, which a file without code cannot hold"),
        ({"a": [lambda: 0]}, r"class_weight\['a'\]\[0\] is a builtins.function"),
        (np.ma.masked_array([1.0], [True]), "MaskedArray"),
    ],
)
def test_what_cannot_be_held_is_refused_by_name(value, message, tmp_path):
    with pytest.raises(InputError, match=message):
        save(LinearClassifier(class_weight=value), tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_only_our_estimators_are_saved(tmp_path):
    class Other(BaseEstimator):
        pass

    for model in (Other(), "model", LinearClassifier):
        with pytest.raises(InputError):
            save(model, tmp_path / "m")


@pytest.mark.parametrize(
    "name", ["os:system", "unkernel.linear.classifier:np", "unkernel.nothing:Map", "sklearn.utils:Bunch", "unkernel"]
)
def test_a_file_cannot_name_other_classes(name, tmp_path):
    save(LinearClassifier(), tmp_path / "m")
    tree, arrays = read_model(tmp_path / "m")
    tree["objects"][0]["class"] = name
    write_model(tmp_path / "m", tree, arrays)
    with pytest.raises(InputError, match=f"the file names {name}, which this unkernel does not have"):
        load_model(tmp_path / "m")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whole_files_of_nonsense_are_refused(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("fuzz") / "m"
    X, y = rows()
    save(LinearClassifier().fit(X, y), path)
    tree, arrays = read_model(path)
    spots = [(tree, "root"), (tree, "objects"), (tree["objects"][0], "class"), (tree["objects"][0], "state")]
    holder, key = data.draw(st.sampled_from(spots))
    nonsense = [None, 3, "x", [], [[1]], {}, {"object": 9}, {"made": 1}, {"array": 0}, {"random": "Generator"}]
    holder[key] = data.draw(st.sampled_from(nonsense))
    write_model(path, tree, arrays)
    with pytest.raises(InputError):
        load_model(path)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        load_model(tmp_path / "none")


def test_a_file_fills_named_tuples_only():
    for name in ("unkernel.linear.classifier:LinearClassifier", "sklearn.svm._classes:LinearSVC"):
        with pytest.raises(InputError, match="like a named tuple, which it is not"):
            _Reader([]).decode({"fields": name, "values": []})


def test_splitters_are_refused_with_remedies_that_work(tmp_path):
    from sklearn.model_selection import GridSearchCV, KFold

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    model = LinearClassifier(C=[0.1, 1.0], cv=KFold(3)).fit(X, y)
    with pytest.raises(InputError, match=r"LinearClassifier.cv is .*KFold.*set it to None.*or learn with cv=list\("):
        save(model, tmp_path / "model")
    listed = LinearClassifier(C=[0.1, 1.0], cv=list(KFold(3).split(X, y))).fit(X, y)
    search = GridSearchCV(LinearClassifier(), {"C": [0.1, 1.0]}).fit(X, y)
    with pytest.raises(InputError, match="save its best_estimator_"):
        save(search, tmp_path / "model")
    for each in (model.set_params(cv=None), listed, search.best_estimator_):
        save(each, tmp_path / "model")
        np.testing.assert_array_equal(load_model(tmp_path / "model").predict(X), each.predict(X))
