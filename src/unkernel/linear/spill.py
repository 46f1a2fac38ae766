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
    if not isinstance(blocks, Iterable):
        raise InputError(f"blocks is {blocks!r}; give an iterable of pairs (codes, y)")
    found = iter(blocks)
    first = next(found, None)
    if first is None:
        raise InputError("there are no blocks; at least one block of rows is needed")
    like = _check(first, 0)
    F, parts = like[0], []
    with CodesWriter(path, F.codes.shape[1], F.levels, F.value, F.codes.dtype) as writer:
        for number, block in enumerate(_chain(first, found)):
            codes, *rest = _check(block, number)
            _agree(rest, like[1:], number)
            if codes.value != F.value:
                raise InputError(f"block {number} has value {codes.value}, the first {F.value}; use one fitted map")
            writer.append(codes)
            parts.append(rest)
        y, *weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    return y, weight[0] if weight else None


def _chain(first, rest):
    yield first
    yield from rest


def _check(block, number: int) -> list:
    """Codes, targets and weights, if there are any, of a block that makes sense."""
    if not isinstance(block, tuple | list) or isinstance(block, Codes) or len(block) not in (2, 3):
        raise InputError(
            f"block {number} is a {type(block).__name__}; give pairs (codes, y) or triples (codes, y, sample_weight)"
        )
    codes, *rest = block
    if not isinstance(codes, Codes):
        raise InputError(
            f"block {number} holds {type(codes).__name__}; only codes are spilled to a file: make them with a map's "
            "`features`, or learn from a stream with StreamClassifier.partial_fit"
        )
    rest = [np.asarray(part) for part in (rest if rest[-1] is not None else rest[:1])]
    if any(part.shape[:1] != (len(codes),) for part in rest):
        raise InputError(
            f"block {number} has {len(codes)} rows, and targets or weights of shape "
            f"{[part.shape for part in rest]}; give one for each row"
        )
    return [codes, *rest]


def _agree(rest: list, first: list, number: int) -> None:
    """Refuse targets and weights that NumPy would not join to those of the first block, or only as something else."""
    if len(rest) != len(first):
        raise InputError(
            f"block {number} has {len(rest) + 1} parts, the first {len(first) + 1}; give weights always or never"
        )
    for name, part, before in zip(("y", "sample_weight"), rest, first, strict=False):
        if part.shape[1:] != before.shape[1:]:
            raise InputError(
                f"{name} of block {number} has shape {part.shape}, of the first {before.shape}; give all one shape"
            )
        if _kind(part) != _kind(before):
            raise InputError(
                f"{name} of block {number} holds {_kind(part)}, of the first {_kind(before)}; make them one kind, for "
                "example with y.astype(str)"
            )


def _kind(part: np.ndarray) -> str:
    """What values are, as far as joining keeps them."""
    if part.dtype.kind == "O" and all(isinstance(value, str) for value in part.flat):
        return "strings"
    return {"b": "numbers", "i": "numbers", "u": "numbers", "f": "numbers", "U": "strings"}.get(
        part.dtype.kind, f"values of dtype {part.dtype.name}"
    )
