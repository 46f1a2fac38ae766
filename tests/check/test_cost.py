"""The price grows with rows and components."""

import pytest

from questions import curved, task_of
from unkernel.check.cost import kernel_price, price
from unkernel.check.landmark import LandmarkProbe


def test_price_is_in_proportion():
    task, y = task_of(*curved(200))
    trial = LandmarkProbe(32).fit(task)
    once = price(trial, trained=150, judged=len(y), rows=1500)
    assert once.seconds == pytest.approx(10 * trial.seconds)
    assert once.bytes == 1500 * trial.row_bytes
    twice = price(trial, trained=150, judged=len(y), rows=1500, n_components=2 * trial.n_components)
    assert twice.bytes == 2 * once.bytes


def test_an_exact_kernel_grows_with_the_square():
    assert kernel_price(2000, 10, 2).bytes == 4 * kernel_price(1000, 10, 2).bytes
