"""Names, objects and "auto" stand for candidates."""

import numpy as np
import pytest
import scipy.sparse

from unkernel import GMM, RBF, InputError, Linear, MinMax
from unkernel.estimators.candidates import NAMES, candidates

X = np.random.default_rng(0).normal(size=(20, 3))


@pytest.mark.parametrize("rows", [X, scipy.sparse.csr_array(X)], ids=["dense", "sparse"])
def test_auto_holds_linear_and_every_candidate_works(rows):
    field = candidates("auto", rows)
    assert any(c.is_linear for c in field)
    assert {RBF, GMM, Linear} <= {type(c.kernel) for c in field}
    assert len(set(map(str, field))) == len(field)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_narrows_to_its_family(name):
    field = candidates(name, X)
    assert field
    assert {type(c.kernel) for c in field} == {NAMES[name]}


def test_an_object_stands_for_itself_on_a_scale_that_suits_it():
    kernel = RBF(0.3)
    assert [(c.scale, c.kernel) for c in candidates(kernel, X)] == [("standard", kernel)]
    assert candidates(MinMax(), X)[0].scale == "range"
    assert "RBF(gamma=0.3)" in str(candidates(kernel, X)[0])


@pytest.mark.parametrize("kernel", ["gauss", 3, None])
def test_what_is_no_kernel_is_refused(kernel):
    with pytest.raises(InputError, match="it must be a kernel such as RBF"):
        candidates(kernel, X)
