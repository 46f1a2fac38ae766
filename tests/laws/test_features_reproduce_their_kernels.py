"""Law: inner products of features average to the kernel the map names, and scatter as published.

Estimates of many seeds are compared with the exact kernel pair by pair. Bounds come from the scatter of the estimates
themselves or from theory: a bias of a fraction of one standard error over all pairs is seen.
"""

import functools

import numpy as np
import pytest

from catalogue import MAPS

SEEDS = 80
SIGMAS = 6.0  # of a mean over SEEDS; 800 pairs and all maps stay inside by chance


@functools.cache
def estimates(name, n_components):
    """(Estimates of every seed, exact kernel, which pairs have no zero row), over pairs i < j."""
    row = MAPS[name]
    X = row.data(0)
    pairs = np.triu_indices(len(X), 1)
    found = np.empty((SEEDS, len(pairs[0])))
    for seed in range(SEEDS):
        map_ = row.make(n_components, seed).fit(X)
        Z = map_.features(X).to_dense(np.float64)
        found[seed] = (Z @ Z.T)[pairs]
    filled = X.any(axis=1)
    return found, map_.kernel(X)[pairs], (filled[:, None] & filled)[pairs]


def scatter(row, found, K, n_components):
    """Variance of one estimate: published, or seen where nothing is published."""
    seen = found.var(axis=0, ddof=1)
    return seen if row.variance is None else np.maximum(row.variance(K, n_components), 0)


@pytest.mark.parametrize("n_components", [16, 128])
@pytest.mark.parametrize("name", MAPS)
def test_the_mean_of_estimates_is_the_kernel(name, n_components):
    row = MAPS[name]
    found, K, _ = estimates(name, n_components)
    error = found.mean(axis=0) - K
    sd = np.sqrt(np.maximum(found.var(axis=0, ddof=1), scatter(row, found, K, n_components)) / SEEDS)
    # Estimates that are shares of few events may show no scatter at all.
    rare = 8 / (SEEDS * n_components) if sd.any() else 0
    assert (np.abs(error) <= SIGMAS * sd + rare + row.bias + 1e-9 * np.abs(K).max()).all()


@pytest.mark.parametrize("name", [name for name, row in MAPS.items() if not row.bias])
def test_the_mean_has_no_drift(name):
    found, K, filled = estimates(name, 128)
    found, K = found[:, filled], K[filled]
    # Averages over pairs of each seed: independent between seeds, so their spread calibrates their mean.
    for weight in (np.ones_like(K), K - K.mean()):
        drift = (found - K) @ weight / len(K)
        assert abs(drift.mean()) <= 5 * drift.std(ddof=1) / np.sqrt(SEEDS) + 1e-9


@pytest.mark.parametrize("n_components", [16, 128])
@pytest.mark.parametrize("name", [name for name, row in MAPS.items() if row.variance is not None])
def test_estimates_scatter_as_published(name, n_components):
    found, K, filled = estimates(name, n_components)
    meant = MAPS[name].variance(K, n_components)[filled].mean()
    squares = ((found - K) ** 2)[:, filled].mean(axis=1)
    # The mean squared error of a seed averages to the variance; its spread between seeds says how nearly.
    assert abs(squares.mean() - meant) <= 5 * squares.std(ddof=1) / np.sqrt(SEEDS) + 1e-12
