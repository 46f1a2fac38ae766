"""Save a fitted model to one file and load it again: arrays and JSON, so reading a file never runs code from it.

The rule is generic. An object is its class and its state (`__getstate__`, as in pickling: parameters and learned
attributes); maps leave out the tables that their seed makes again. Estimators inside estimators nest. Only classes of
unkernel and scikit-learn are made, and only by name.
"""

import platform
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from ._model_file import KINDS, read_model, write_model
from ._validate import InputError

_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
_SPARSE = ("csr_array", "csr_matrix", "csc_array", "csc_matrix")


def save(model: BaseEstimator, path) -> None:
    """Write an estimator, a map or a kernel, fitted or not, with all it is made of, to one file.

    The file is written beside `path` and renamed when it is whole: whatever happens, `path` is the old file, the new
    one, or nothing.

    Parameters
    ----------
    model : estimator, map or kernel of unkernel, or a scikit-learn estimator such as a `Pipeline` that holds them
    path : path-like

    Examples
    --------
    >>> import os, tempfile
    >>> from unkernel import LinearClassifier, load_model, save
    >>> model = LinearClassifier().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])
    >>> path = os.path.join(tempfile.mkdtemp(), "model.unkernel")
    >>> save(model, path)
    >>> load_model(path).predict([[0.0, 2.0]]).tolist()
    ['a']
    """
    if not isinstance(model, BaseEstimator):
        raise InputError(f"model is a {type(model).__name__}; estimators, maps and kernels can be saved")
    writer = _Writer("save its best_estimator_" if hasattr(model, "best_estimator_") else None)
    root = writer.encode(model, type(model).__name__)
    write_model(path, {"root": root, "objects": writer.objects, "versions": _versions()}, writer.arrays)


def load_model(path) -> Any:
    """The model in a file that `save` wrote; it predicts bit for bit as the one that was saved.

    A file that was cut, changed or written in another layout is refused with an `InputError`. The bits of predictions
    are those of the same versions of NumPy and scikit-learn on the same kind of processor.

    Parameters
    ----------
    path : path-like

    Examples
    --------
    >>> import os, tempfile
    >>> from unkernel import RBF, load_model, save
    >>> path = os.path.join(tempfile.mkdtemp(), "kernel.unkernel")
    >>> save(RBF(0.5), path)
    >>> load_model(path)
    RBF(gamma=0.5)
    """
    try:
        tree, arrays = read_model(path)
        reader = _Reader(arrays)
        for entry in tree["objects"]:
            reader.objects.append(reader.made(entry))
        model = reader.decode(tree["root"])
    except (InputError, OSError):
        raise
    except Exception as error:  # a whole file whose content no `save` wrote
        raise InputError(
            f"{path} is whole but cannot be read as a model ({error!r}); load it with the unkernel that wrote it"
        ) from error
    if not isinstance(model, BaseEstimator):
        raise InputError(f"{path} does not hold a model; models are written by unkernel.save")
    return model


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    packages = {name: version(name) for name in ("unkernel", "numpy", "scikit-learn")}
    return {**packages, "python": platform.python_version()}


def _allowed(kind: type) -> bool:
    """Whether a file may name this class: ours, or an estimator of scikit-learn."""
    package = kind.__module__.split(".")[0]
    return package == "unkernel" or (package == "sklearn" and issubclass(kind, BaseEstimator))


def _class_named(name: str) -> type:
    """The class a file names, of unkernel or scikit-learn."""
    module, _, word = name.partition(":")
    kind = None
    if module.split(".")[0] in ("unkernel", "sklearn"):
        try:
            kind = getattr(import_module(module), word, None)
        except ImportError:
            kind = None
    if not (isinstance(kind, type) and _allowed(kind) and kind.__module__ == module):
        raise InputError(
            f"the file names {name}, which this unkernel does not have; load it with the unkernel that wrote it"
        )
    return kind


class _Writer:
    """Values as JSON; arrays and objects are numbered and written once, however often they are used."""

    def __init__(self, remedy: str | None = None):
        self._remedy = remedy  # where the model has one for all that cannot be held
        self.arrays: list[np.ndarray] = []
        self.objects: list[dict[str, Any]] = []
        self._seen: dict[int, tuple[Any, dict]] = {}  # id -> (the thing, so that its id stays taken; its code)

    def encode(self, value: Any, where: str) -> Any:
        """JSON of a value; `where` names it in a refusal."""
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if np.isfinite(value) else {"float": repr(value)}
        if type(value) is list:
            return [self.encode(v, f"{where}[{i}]") for i, v in enumerate(value)]
        for encode in (self._basic, self._numeric, self._random, self._object):
            code = encode(value, where)
            if code is not None:
                return code
        folds = "set it to None, which predictions do not see, or learn with cv=list(splitter.split(X, y))"
        remedy = self._remedy or (folds if hasattr(value, "split") else "set it to None or to a name before saving")
        raise InputError(
            f"{where} is a {type(value).__module__}.{type(value).__qualname__}, which a file without code cannot hold; "
            + remedy
        )

    def _basic(self, value, where):
        if type(value) is tuple:
            return {"tuple": self.encode(list(value), where)}
        if type(value) is dict:
            pairs = [[self.encode(k, where), self.encode(v, f"{where}[{k!r}]")] for k, v in value.items()]
            return {"dict": pairs}
        if type(value) in (set, frozenset):
            return {type(value).__name__: self.encode(list(value), where)}
        if type(value) is slice:
            return {"slice": self.encode([value.start, value.stop, value.step], where)}
        if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
            return {"dtype": np.dtype(value).str, "type": isinstance(value, type)}
        if isinstance(value, type) and value in (int, float, bool, str, object):
            return {"builtin": value.__name__}
        return None

    def _numeric(self, value, where):
        if isinstance(value, np.generic) and value.dtype.kind in KINDS:
            return {"scalar": value.dtype.str, "bytes": value.tobytes().hex()}
        if type(value) in (np.ndarray, np.memmap):  # no masked array: its mask would be lost
            if value.dtype.kind in KINDS:
                return self._once(value, lambda: {"array": self._array(value)})
            if value.dtype.kind == "O":
                return {"objects": self.encode(value.ravel().tolist(), where), "shape": list(value.shape)}
        if type(value).__name__ in _SPARSE and scipy.sparse.issparse(value):
            parts = [self.encode(getattr(value, name), where) for name in ("data", "indices", "indptr")]
            return {"sparse": type(value).__name__, "parts": parts, "shape": [int(s) for s in value.shape]}
        return None

    def _array(self, array) -> int:
        self.arrays.append(array)
        return len(self.arrays) - 1

    def _random(self, value, where):
        if not isinstance(value, np.random.Generator | np.random.RandomState):
            return None
        generator = value.bit_generator if isinstance(value, np.random.Generator) else value._bit_generator
        kind = type(generator).__name__
        state = self.encode(generator.state, where)
        return {"random": type(value).__name__, "generator": kind, "state": state} if kind in _GENERATORS else None

    def _object(self, value, where):
        kind = type(value)
        if not _allowed(kind):
            return None
        name = f"{kind.__module__}:{kind.__qualname__}"
        if isinstance(value, Enum):
            return {"member": name, "name": value.name}
        if isinstance(value, tuple):
            return {"fields": name, "values": [self.encode(v, f"{where}.{f}") for f, v in value._asdict().items()]}
        return self._once(value, lambda: self._numbered(name, value, where))

    def _numbered(self, name, value, where):
        state = value.__getstate__() or {}
        if not isinstance(state, dict) or isinstance(value, list | set | str | bytes | float | int):
            return None
        if isinstance(value, BaseEstimator) and "callbacks" in state:
            state = {**state, "callbacks": None}  # they belong to the process that fits
        entry = {"class": name, "state": {key: self.encode(v, f"{where}.{key}") for key, v in state.items()}}
        if isinstance(value, dict):
            entry["items"] = self.encode(dict(value), where)
        self.objects.append(entry)  # after all it is made of
        return {"object": len(self.objects) - 1}

    def _once(self, value, encode):
        if id(value) not in self._seen:
            self._seen[id(value)] = (value, encode())
        return self._seen[id(value)][1]


class _Reader:
    """The inverse of `_Writer`."""

    def __init__(self, arrays: list[np.ndarray]):
        self.arrays = arrays
        self.objects: list[Any] = []

    def decode(self, code: Any) -> Any:
        """The value that JSON stands for."""
        if isinstance(code, list):
            return [self.decode(c) for c in code]
        if not isinstance(code, dict):
            return code
        return getattr(self, f"_{next(iter(code))}")(code)

    def made(self, entry: dict[str, Any]) -> Any:
        """An object from its class and state."""
        kind = _class_named(entry["class"])
        state = {key: self.decode(code) for key, code in entry["state"].items()}
        if issubclass(kind, BaseEstimator) and not set(kind._get_param_names()) <= set(state):
            raise InputError(f"the file holds a {kind.__name__} without all its parameters")
        value = kind.__new__(kind)
        if "items" in entry:
            dict.update(value, self.decode(entry["items"]))
        if hasattr(value, "__setstate__"):
            value.__setstate__(state)
        else:
            vars(value).update(state)
        return value

    def _float(self, code):
        return float(code["float"])

    def _tuple(self, code):
        return tuple(self.decode(code["tuple"]))

    def _set(self, code):
        return set(self.decode(code["set"]))

    def _frozenset(self, code):
        return frozenset(self.decode(code["frozenset"]))

    def _dict(self, code):
        return {self.decode(k): self.decode(v) for k, v in code["dict"]}

    def _slice(self, code):
        return slice(*self.decode(code["slice"]))

    def _dtype(self, code):
        dtype = np.dtype(code["dtype"])
        return dtype.type if code["type"] else dtype

    def _builtin(self, code):
        return {"int": int, "float": float, "bool": bool, "str": str, "object": object}[code["builtin"]]

    def _scalar(self, code):
        dtype = np.dtype(code["scalar"])
        return np.frombuffer(bytes.fromhex(code["bytes"]), dtype)[0] if dtype.itemsize else np.zeros((), dtype)[()]

    def _array(self, code):
        return self.arrays[code["array"]]

    def _objects(self, code):
        flat = self.decode(code["objects"])
        array = np.empty(len(flat), dtype=object)
        array[:] = flat
        return array.reshape(code["shape"])

    def _sparse(self, code):
        if code["sparse"] not in _SPARSE:
            raise InputError(f"the file names {code['sparse']}, which no model holds")
        return getattr(scipy.sparse, code["sparse"])(tuple(self.decode(code["parts"])), shape=tuple(code["shape"]))

    def _random(self, code):
        if code["generator"] not in _GENERATORS:
            raise InputError(f"the file names {code['generator']}, which no model holds")
        generator = getattr(np.random, code["generator"])()
        generator.state = self.decode(code["state"])
        return np.random.Generator(generator) if code["random"] == "Generator" else np.random.RandomState(generator)

    def _member(self, code):
        return _class_named(code["member"])[code["name"]]

    def _fields(self, code):
        kind = _class_named(code["fields"])
        if not (issubclass(kind, tuple) and hasattr(kind, "_fields")):
            raise InputError(f"the file fills {code['fields']} like a named tuple, which it is not")
        return tuple.__new__(kind, self.decode(code["values"]))

    def _object(self, code):
        return self.objects[code["object"]]
