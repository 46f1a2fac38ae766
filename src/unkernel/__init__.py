"""Nonlinear accuracy at linear cost, and an honest answer to whether you need it."""

from importlib import import_module

# The shelf: public name -> module, in path order, loaded on first use.
_SHELF = {
    "InputError": "_validate",
    "CodesWriter": "_codes_file",
    "Product": "kernels.base",
    "Sum": "kernels.base",
    "Linear": "kernels.polynomial",
    "Cosine": "kernels.angular",
    "MinMax": "kernels.minmax",
    "GMM": "kernels.minmax",
    "Acos": "kernels.angular",
    "AcosChi2": "kernels.histogram",
    "RBF": "kernels.gaussian",
    "CosineRBF": "kernels.angular",
    "FoldedRBF": "kernels.angular",
    "ExpChi2": "kernels.histogram",
    "SkewedChi2": "kernels.histogram",
    "SkewedIntersection": "kernels.histogram",
    "Polynomial": "kernels.polynomial",
    "TaylorRBF": "kernels.polynomial",
    "Monomials": "monomials",
    "Codes": "features",
    "Sparse": "features",
    "Dense": "features",
    "PolynomialMap": "maps.polynomial",
    "TaylorMap": "maps.taylor",
    "ProductMap": "maps.product",
    "LandmarkMap": "maps.landmark",
    "FourierMap": "maps.fourier",
    "FoldedFourierMap": "maps.fourier",
    "SignGaussianMap": "maps.sign",
    "SignCauchyMap": "maps.sign",
    "SkewedChi2Map": "maps.skewed",
    "SkewedIntersectionMap": "maps.skewed",
    "MinMaxMap": "maps.minmax",
    "LinearClassifier": "linear.classifier",
    "LinearRegressor": "linear.regressor",
    "StreamClassifier": "linear.stream",
    "LassoClassifier": "linear.lasso",
    "LassoRegressor": "linear.lasso",
    "ExactClassifier": "exact.classifier",
    "ExactRegressor": "exact.regressor",
    "Dataset": "data.base",
    "ReadError": "data.base",
    "read": "data.reader",
    "iter_blocks": "data.reader",
    "load": "data.registry",
    "check": "check.run",
    "Verdict": "check.verdict",
    "UnkernelClassifier": "estimators.classifier",
    "UnkernelRegressor": "estimators.regressor",
    "save": "persistence",
    "load_model": "persistence",
}

__all__ = list(_SHELF)


def __getattr__(name: str):
    if name == "__version__":
        from importlib.metadata import version

        return version("unkernel")
    if name in _SHELF:
        return getattr(import_module(f".{_SHELF[name]}", __name__), name)
    raise AttributeError(f"module 'unkernel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*_SHELF, "__version__"]
