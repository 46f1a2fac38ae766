"""The settings of a kernel that a search tries, each of them met with the rows before any of them is tried."""

from itertools import product
from typing import Any

import numpy as np
from sklearn.base import clone

from .._validate import InputError
from ..kernels.base import Kernel

GAMMAS = (
    *(0.001, 0.01),
    *(round(0.1 * i, 1) for i in range(1, 21)),
    2.5,
    *map(float, range(3, 21)),
    *map(float, range(25, 51, 5)),
    *map(float, range(60, 101, 10)),
    *(120.0, 150.0, 200.0, 300.0, 500.0, 1000.0),
)
"""The 58 values of gamma tried in Li, A Comparison Study of Nonlinear Kernels, 2016; "published" in a grid."""

POWERS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
STEPS = 4.0 ** np.arange(-2, 4)  # around the gamma of a rule


def grid_of(kernel: Kernel, grid: Any, X) -> dict[str, list]:
    """Parameter -> values. "auto" is `POWERS` for every p and six gammas around the median rule's for every gamma."""
    if grid is None:
        return {}
    if isinstance(grid, str) and grid == "auto":
        return _automatic(kernel, X)
    if not isinstance(grid, dict):
        raise InputError(f'grid is {grid!r}; it must be None, "auto", or a dict from parameters to lists of values')
    values = {name: _listed(kernel, name, given, grid) for name, given in grid.items()}
    names = shaping(kernel, values)
    others = [name for name in values if name not in names]
    for outer in product(*(values[name] for name in names)):
        for inner in product(*(values[name] for name in others)):
            tried = setting(kernel, dict(zip(names + others, outer + inner, strict=True)))
            tried._check()
        _meet(tried, X)
    return values


def setting(kernel: Kernel, params: dict[str, Any]) -> Kernel:
    """The kernel with these parameters; it and kernels among them are left as they are."""
    fresh = {name: clone(value) if isinstance(value, Kernel) else value for name, value in params.items()}
    try:
        return clone(kernel).set_params(**fresh)
    except (ValueError, AttributeError) as error:
        raise InputError(
            f"grid makes {params!r} of {kernel!r}: {error}; name only parameters that all members tried have"
        ) from None


def shaping(kernel: Kernel, grid: dict[str, list]) -> list[str]:
    """Names whose change asks for a new base: parameters of rows, members themselves, and what lies in such members."""
    members = [name for name, values in grid.items() if any(isinstance(value, Kernel) for value in values)]
    return [
        name for name in grid if _below(name, members) or _last(name) in getattr(_owner(kernel, name), "_shaping", ())
    ]


def _automatic(kernel: Kernel, X) -> dict[str, list]:
    values: dict[str, list] = {}
    for name in kernel.get_params():
        if _last(name) == "p":
            values[name] = _powers(_owner(kernel, name), X)
        elif _last(name) == "gamma":
            owner = clone(_owner(kernel, name))
            rule = "median" if "median" in owner._rules else "scale"
            values[name] = (owner.set_params(gamma=rule).fit(X).gamma_ * STEPS).tolist()
    if not values:
        raise InputError(f'grid is "auto" and {kernel!r} has neither p nor gamma; use grid=None')
    return values


def _powers(kernel: Kernel, X) -> list[float]:
    """The powers that the rows survive: large ones take small values under what float64 holds."""
    survived, refusal = [], None
    for p in POWERS:
        try:
            _meet(setting(kernel, {"p": p}), X)
            survived.append(p)
        except InputError as error:
            refusal = error
    if not survived:
        raise refusal
    return survived


def _meet(kernel: Kernel, X) -> None:
    """Refuse parameters that the rows cannot take; O(nnz) for each simple kernel."""
    kernel._check()
    for name in ("left", "right"):
        if hasattr(kernel, name):
            _meet(getattr(kernel, name), X)
    kernel._rows(kernel._door(X, "X", None))


def _listed(kernel: Kernel, name: str, given: Any, grid: dict) -> list:
    known = kernel.get_params()
    if name not in known and not _below(name, [other for other in grid if other != name]):
        raise InputError(f"grid names {name!r}; {kernel!r} has the parameters {', '.join(known) or 'none'}")
    if isinstance(given, str) and given == "published" and _last(name) == "gamma":
        return list(GAMMAS)
    try:
        values = [] if isinstance(given, str | dict) else list(given)
    except TypeError:  # a number, a kernel
        values = []
    if not values:
        word = ', or "published"' if _last(name) == "gamma" else ""
        raise InputError(f"grid gives {given!r} for {name!r}; give a list of values{word}")
    return values


def _below(name: str, members: list[str]) -> bool:
    """Whether a name is one of the members or lies in one."""
    return any(name == member or name.startswith(f"{member}__") for member in members)


def _last(name: str) -> str:
    return name.rpartition("__")[2]


def _owner(kernel: Kernel, name: str) -> Any:
    """The member of a product or sum that has the parameter; None where only a member that is tried has it."""
    for part in name.split("__")[:-1]:
        kernel = getattr(kernel, part, None)
    return kernel
