"""Is a kernel worth it on these rows? `unkernel.check` is this package, and calling it is `check.run.check`.

Examples
--------
>>> import numpy as np
>>> import unkernel
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(600, 2))
>>> verdict = unkernel.check(X, (X[:, 0] * X[:, 1] > 0).astype(int), random_state=0)
>>> verdict.worth
'yes'
>>> verdict.interval[0] > verdict.epsilon
True
"""

import sys
from types import ModuleType


class _Check(ModuleType):
    """A package and the function it is named after, so that importing a part of it does not hide the function."""

    def __call__(self, X, y=None, **options):
        from .run import check

        return check(X, y, **options)


sys.modules[__name__].__class__ = _Check
