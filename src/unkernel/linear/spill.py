"""Blocks of codes that come once, put into a file that can be read as often as wanted."""

from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .._validate import InputError
from ..features import Codes, CodesWriter


@contextmanager
def spilled(blocks: Iterable, path=None):
    """Codes (mapped), targets and weights (or None) of blocks that come once.

    Parameters
    ----------
    blocks : iterable of (Codes, y) or (Codes, y, sample_weight)
    path : path-like or None
        File for the codes, which stays; it is there when it is whole. None is a temporary one, removed at the end.
    """
    if path is not None:
        targets = _write(blocks, path)
        yield Codes.open(path, verify=False), *targets
        return
    with TemporaryDirectory(prefix="unkernel-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "rows.codes"
        targets = _write(blocks, file)
        yield Codes.open(file, verify=False), *targets


def _write(blocks: Iterable, path) -> tuple[np.ndarray, np.ndarray | None]:
    """Write the codes to a file; give back targets and weights."""
    found = iter(blocks)
    first = next(found, None)
    if first is None:
        raise InputError("there are no blocks; at least one block of rows is needed")
    F = _check(first, 0, len(first) if isinstance(first, tuple | list) else 2)[0]
    parts, fields = [], len(first)
    with CodesWriter(path, F.codes.shape[1], F.levels, F.value, F.codes.dtype) as writer:
        for number, block in enumerate(_chain(first, found)):
            codes, *rest = _check(block, number, fields)
            if codes.value != F.value:
                raise InputError(f"block {number} has value {codes.value}, the first {F.value}; use one fitted map")
            writer.append(codes)
            parts.append([np.asarray(part) for part in rest])
        y, *weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    return y, weight[0] if weight else None


def _chain(first, rest):
    yield first
    yield from rest


def _check(block, number: int, fields: int):
    """A block as it is, once it makes sense."""
    if not isinstance(block, tuple | list) or isinstance(block, Codes) or len(block) not in (2, 3):
        raise InputError(
            f"block {number} is a {type(block).__name__}; give pairs (codes, y) or triples (codes, y, sample_weight)"
        )
    if not isinstance(block[0], Codes):
        raise InputError(
            f"block {number} holds {type(block[0]).__name__}; only codes are spilled to a file: make them with a map's "
            "`features`, or learn from a stream with StreamClassifier.partial_fit"
        )
    if len(block) != fields:
        raise InputError(f"block {number} has {len(block)} parts, the first {fields}; give weights always or never")
    if any(np.shape(part)[:1] != (len(block[0]),) for part in block[1:]):
        raise InputError(
            f"block {number} has {len(block[0])} rows, and targets or weights of shape "
            f"{[np.shape(part) for part in block[1:]]}; give one for each row"
        )
    return block
