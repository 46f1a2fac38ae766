"""What to train: a scaler, a map and a linear learner with their numbers, and the pipeline they make."""

from typing import Any

from .base import scaler


class Recommendation(dict):
    """The recommended model as plain data; `make` builds it unfitted.

    Keys: `name`, `kernel` ("linear", "rbf", "minmax" or "polynomial"), `params`, `n_components`, `C`, `task`, `sparse`
    and, where a frame held words, `encode`.

    Examples
    --------
    >>> best = Recommendation(
    ...     name="linear", kernel="linear", params={}, n_components=4, C=1.0, task="classification", sparse=False
    ... )
    >>> [name for name, _ in best.make().steps]
    ['standardscaler', 'linearclassifier']
    """

    def make(self, *, random_state: Any = 0, n_jobs: int | None = None) -> Any:
        """An unfitted scikit-learn pipeline: columns of words to numbers where there are any, scaler, map, learner."""
        from sklearn.pipeline import make_pipeline

        from ..data.encoding import Encoder

        steps = [Encoder()] if self.get("encode") else []
        steps += [scaler(self["params"].get("scale", "standard"), self["sparse"])]
        steps += _map(self, random_state)
        return make_pipeline(*steps, _learner(self, n_jobs))


def _map(this: Recommendation, random_state: Any) -> list[Any]:
    from ..kernels.gaussian import RBF
    from ..kernels.minmax import GMM
    from ..maps.fourier import FourierMap
    from ..maps.landmark import LandmarkMap

    params, k = this["params"], this["n_components"]
    if this["kernel"] == "rbf":
        if this["name"].startswith("fourier"):
            return [FourierMap(k, gamma=params["gamma"], random_state=random_state)]
        return [LandmarkMap(RBF(params["gamma"]), k, random_state=random_state)]
    if this["kernel"] == "minmax":
        return [LandmarkMap(GMM(), k, random_state=random_state)]
    if this["kernel"] == "polynomial":
        from sklearn.preprocessing import PolynomialFeatures

        return [PolynomialFeatures(2)]
    return []


def _learner(this: Recommendation, n_jobs: int | None) -> Any:
    from ..linear.classifier import LinearClassifier
    from ..linear.regressor import LinearRegressor

    return (LinearRegressor if this["task"] == "regression" else LinearClassifier)(C=this["C"], n_jobs=n_jobs)
