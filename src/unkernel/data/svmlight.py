"""svmlight and LIBSVM text: one row a line, `label index:value index:value ... # comment`."""

import warnings
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._blocks import map_tasks
from .._validate import InputError, check_choice, check_integer, count_threads
from .base import Dataset, Layout, Request
from .source import Source

OPTIONS = ("zero_based", "n_columns")
CHUNK = 1 << 20  # bytes of text parsed at once
_SPARE = 16
_INT32 = np.iinfo(np.int32).max


class Rules(NamedTuple):
    """What the caller, or a data set read before, says of the columns."""

    zero_based: bool | None
    n_columns: int | None

    @property
    def bounds(self) -> np.ndarray:
        """The least and the largest index, as written, that a line may hold."""
        most = (1 << 62) if self.n_columns is None else self.n_columns - bool(self.zero_based)
        return np.array([self.zero_based is False, most], dtype=np.int64)


class Scratch:
    """Room for the rows of a chunk, used again and again: fresh memory costs more than parsing into it.

    A row takes at least two bytes of text, a pair four, a number that is hard to round five.
    """

    def __init__(self, n_bytes: int):
        self.n_bytes = n_bytes
        self.y, self.ends = np.empty(n_bytes // 2 + 1), np.zeros(n_bytes // 2 + 2, dtype=np.int64)
        self.indices, self.values = np.empty(n_bytes // 4 + 1, dtype=np.int64), np.empty(n_bytes // 4 + 1)
        self.hard = np.empty((n_bytes // 5 + 1, 3), dtype=np.int64)


class Part(NamedTuple):
    """The rows of a chunk of text; indices as written."""

    y: np.ndarray
    ends: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    lowest: int
    highest: int
    lines: int
    qids: int
    fault: tuple[int, str] | None


def read(source: Source, request: Request) -> Dataset:
    """The whole file as CSR; indices of 32 bits while they fit, 64 beyond."""
    rules = _rules(request)
    parts = list(_parts(source, request, rules))
    rules = _settle(source, rules, parts)
    return _dataset(source, request, rules, parts)


def blocks(source: Source, rows: int, request: Request) -> Iterator[Dataset]:
    """The file in blocks; a first pass over it finds the base of the indices and the width."""
    rules = _rules(request)
    if rules.zero_based is None or rules.n_columns is None:
        if not source.repeatable:
            raise InputError(
                f"{source.name} is a stream, which can be read once, and its width is not known before the end; "
                "give like=, or zero_based= and n_columns="
            )
        bare = (part._replace(y=None, ends=None, indices=None, values=None) for part in _parts(source, request, rules))
        rules = _settle(source, rules, list(bare))
    waiting: list[Part] = []
    for part in _parts(source, request, rules):
        waiting.append(part)
        n = sum(len(p.y) for p in waiting)
        if n >= rows:
            whole, full = _join(waiting), n - n % rows
            waiting = [_tail(whole, full)] if full < n else []
            data = _dataset(source, request, rules, [whole])
            yield from (_rows(data, start, start + rows) for start in range(0, full, rows))
    if waiting:
        yield _dataset(source, request, rules, waiting)


def _rules(request: Request) -> Rules:
    """The options, checked, or what the data set says that this one should be like."""
    if request.target not in ("auto", "first", None):
        raise InputError(
            f"target is {request.target!r}; the target of svmlight text is the label that starts each line: "
            'give "auto", or None to leave it out'
        )
    zero_based = check_choice("zero_based", request.option("zero_based", "auto"), ("auto", True, False))
    n_columns = request.option("n_columns", None)
    if n_columns is not None:
        n_columns = check_integer("n_columns", n_columns, least=1)
    zero_based = None if zero_based == "auto" else zero_based
    if request.like is not None:
        n_columns = n_columns or request.like.n_columns
        zero_based = request.like.zero_based if zero_based is None else zero_based
    return Rules(zero_based, n_columns)


def _settle(source: Source, rules: Rules, parts: list[Part]) -> Rules:
    """The rules with what the rows themselves show; refuses a file without rows or columns."""
    if not parts:
        raise source.error("", "holds no rows: nothing but comments and blank lines; check that it is the right file")
    lowest, highest = min(part.lowest for part in parts), max(part.highest for part in parts)
    zero_based = lowest == 0 if rules.zero_based is None else rules.zero_based
    n_columns = highest + 1 - (not zero_based) if rules.n_columns is None else rules.n_columns
    if n_columns < 1:
        raise source.error("", "no line holds an index:value pair, so there are no columns; give n_columns")
    if highest >= n_columns + (not zero_based):
        raise source.error("", f"index {highest}, counted from 0, lies beyond {n_columns} columns; give n_columns")
    return Rules(bool(zero_based), int(n_columns))


def _parts(source: Source, request: Request, rules: Rules) -> Iterator[Part]:
    """Chunks parsed, some at once, in order; what is wrong is raised with its line."""
    work, line, warned = partial(_parse, bounds=rules.bounds, pool=[]), 0, False
    with source.open() as file:
        chunks = _chunks(file)
        n_threads = count_threads(request.n_jobs)
        at_once = 1 if n_threads == 1 else 16 * n_threads  # starting threads takes as long as parsing a chunk
        while window := list(islice(chunks, at_once)):
            for part in map_tasks(work, window, n_jobs=request.n_jobs):
                if part.fault:
                    raise _fault(source, rules, line + part.lines + 1, *part.fault)
                if part.qids and not warned:
                    warnings.warn(f"{source.name}: query numbers (qid:...) are ignored", stacklevel=4)
                    warned = True
                line += part.lines
                if len(part.y):
                    yield part
            if request.progress:
                request.progress(*source.position())


def _chunks(file: Any) -> Iterator[tuple[np.ndarray, int]]:
    """Text in arrays of whole lines, each with how many bytes of it count."""
    rest = b""
    while True:
        size = max(CHUNK, len(rest))  # a line longer than a chunk doubles it
        room = bytearray(len(rest) + size + _SPARE + -(len(rest) + size) % 8)
        room[: len(rest)] = rest
        filled = len(rest) + file.readinto(memoryview(room)[len(rest) : len(rest) + size])
        last = filled - len(rest) < size
        if last and filled and room[filled - 1] != 10:
            room[filled] = 10
            filled += 1
        stop = room.rfind(b"\n", 0, filled) + 1
        rest = bytes(room[stop:filled])
        if stop:
            yield np.frombuffer(room, dtype=np.uint8), stop
        if last:
            return


def _parse(chunk: tuple[np.ndarray, int], bounds: np.ndarray, pool: list[Scratch]) -> Part:
    """One chunk through the compiled parser; numbers it leaves open are rounded here."""
    from . import svmlight_hot as hot

    text, stop = chunk
    words = np.lib.stride_tricks.as_strided(text.view(np.uint64), (len(text) - 7,), (1,))
    room = pool.pop() if pool else Scratch(CHUNK)  # one per thread; lists are safe to pop from
    room = room if room.n_bytes >= stop else Scratch(stop)
    y, indices, values, hard = room.y, room.indices, room.values, room.hard
    state = np.zeros(hot.N_STATE, dtype=np.int64)
    state[hot.LOWEST], state[hot.HIGHEST] = 1 << 62, -1
    with np.errstate(over="ignore"):  # words wrap around by design
        hot.parse(text, words, stop, bounds, y, room.ends, indices, values, hard, state)
    fault = None
    for which, start, end in hard[: state[hot.HARD]].tolist():
        number = float(text[start:end].tobytes())
        if not np.isfinite(number) and fault is None:
            fault = hot.TOO_LARGE, text[start:end].tobytes()
            state[hot.LINES] = np.count_nonzero(text[:start] == 10)
        if which < 0:
            y[-1 - which] = number
        else:
            values[which] = number
    if fault is None and state[hot.CODE]:
        fault = int(state[hot.CODE]), text[state[hot.AT] : stop].tobytes().split(maxsplit=1)[0]
    n, m = state[hot.ROWS], state[hot.PAIRS]
    index = np.int32 if state[hot.HIGHEST] <= _INT32 else np.int64
    arrays = y[:n].copy(), room.ends[: n + 1].copy(), indices[:m].astype(index), values[:m].copy()
    pool.append(room)
    return Part(*arrays, *(int(state[at]) for at in (hot.LOWEST, hot.HIGHEST, hot.LINES, hot.QIDS)), fault)


def _fault(source: Source, rules: Rules, line: int, code: int, token: bytes):
    """The error for what the parser met."""
    from . import svmlight_hot as hot

    found = token[:40].decode(errors="replace")
    based = rules.zero_based is False and found.partition(":")[0].strip("0") == ""
    reason = {
        hot.NO_LABEL: f"starts with {found!r}; each line starts with its label, a number",
        hot.MANY_LABELS: f"has several labels, {found!r}; one number a line is needed: write a file for each label",
        hot.NO_PAIR: f"holds {found!r}, which is not index:value with a whole index",
        hot.BAD_VALUE: f"holds {found!r}, whose value is not a decimal number; mend or drop the line",
        hot.TOO_LARGE: f"holds {found!r}, beyond the largest float64; scale the data",
        hot.TOO_WIDE: f"holds {found!r}, and there are {rules.n_columns} columns; leave out what lies beyond, or read "
        "the first file with a larger n_columns",
        hot.NOT_RISING: "has index 0, and indices were said to count from 1; give zero_based=True"
        if based
        else f"holds {found!r} after the same or a larger index; sort the pairs of a line by index, each once",
    }[code]
    return source.error(f"line {line}", reason, line)


def _join(parts: list[Part]) -> Part:
    """Parts one below the other. Takes them apart, so that no array is held twice for long."""
    if len(parts) == 1:
        return parts[0]
    y = np.concatenate([part.y for part in parts])
    starts = np.cumsum([0, *(part.ends[-1] for part in parts)])
    ends = np.concatenate([[0], *(part.ends[1:] + start for part, start in zip(parts, starts, strict=False))])
    values = [part.values for part in parts]
    indices = [part.indices for part in parts]
    last = parts[-1]
    parts.clear()
    values = np.concatenate(values)
    indices = np.concatenate(indices)
    return last._replace(y=y, ends=ends, indices=indices, values=values)


def _tail(part: Part, start: int) -> Part:
    """The rows from `start`."""
    first = part.ends[start]
    return part._replace(
        y=part.y[start:],
        ends=part.ends[start:] - first,
        indices=part.indices[first:].copy(),
        values=part.values[first:].copy(),
    )


def _dataset(source: Source, request: Request, rules: Rules, parts: list[Part]) -> Dataset:
    """Parts as one CSR matrix with columns counted from zero."""
    whole = _join(parts)
    narrow = whole.indices.dtype == np.int32 and max(rules.n_columns, len(whole.values)) <= _INT32
    index = np.int32 if narrow else np.int64
    indices = whole.indices.astype(index, copy=False)
    if not rules.zero_based:
        indices -= 1
    values = whole.values.astype(request.text_dtype, copy=False)
    shape = (len(whole.y), rules.n_columns)
    X = scipy.sparse.csr_array((values, indices, whole.ends.astype(index)), shape=shape)
    y = None if request.target is None else whole.y
    layout = Layout(rules.n_columns, zero_based=rules.zero_based, sparse=True)
    return Dataset(X, y, None, source.name, layout=layout)


def _rows(data: Dataset, start: int, stop: int) -> Dataset:
    y = None if data.y is None else data.y[start:stop]
    return Dataset(data.X[start:stop], y, None, data.source, layout=data.layout)
