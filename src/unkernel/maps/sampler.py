"""The contract of a sampler: amounts in, k consistent samples a row out, as codes or in full.

Two rows draw the same sample with probability min-max of their amounts raised to p. A sampler keeps what its loops
need and may be called from several threads at once; a sample depends on the seed, its number and its row alone.
"""

from typing import NamedTuple, Protocol

import numpy as np

from .amount import Amounts


class Settings(NamedTuple):
    """What all samplers are made from."""

    n_components: int
    width: int  # columns of a row; amounts live in twice as many
    p: float
    seed: int


class Sampler(Protocol):
    """How a map calls its sampler."""

    settings: Settings

    def codes(self, block: Amounts, bits: int, t_bits: int) -> np.ndarray:
        """Code of each sample, (n, k) of uint8 or uint16; 0 in rows that hold nothing."""

    def samples(self, block: Amounts) -> tuple[np.ndarray, np.ndarray]:
        """Each sample in full: column i*, int32, and step t*, int64, both (n, k); -1 in rows that hold nothing."""


def code_array(n_rows: int, n_components: int, levels: int) -> np.ndarray:
    """Codes, all zero, in the narrower of the two types that holds the levels."""
    return np.zeros((n_rows, n_components), np.uint8 if levels <= 256 else np.uint16)
