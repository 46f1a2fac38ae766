"""What linear regressors share does not depend on how the weights were found."""

import numpy as np
import pytest

from unkernel import LassoRegressor, LinearRegressor
from unkernel.linear.prediction import loss_with


@pytest.mark.parametrize("model", [LinearRegressor(), LassoRegressor()], ids=repr)
def test_predictions_are_products_and_a_shift_moves_the_intercept_alone(model):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X @ [1.0, -2.0, 0.5] + 3
    w, b = model.fit(X, y).coef_.copy(), model.intercept_
    np.testing.assert_allclose(model.predict(X), X @ w + b)
    np.testing.assert_allclose(model.fit(X, y + 100).coef_, w, atol=1e-9)
    assert model.intercept_ == pytest.approx(b + 100)
    two = model.fit(X, np.column_stack([y, -y]))
    assert two.predict(X).shape == (60, 2)
    assert two.coef_.shape == (2, 3)


def test_epsilon_has_a_usual_value_for_each_loss():
    assert loss_with("huber", None).width == 1.35
    assert loss_with("epsilon_insensitive", None).epsilon == 0.1
    assert loss_with("huber", 2.0).width == 2.0
