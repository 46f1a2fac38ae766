"""Compiled parser of svmlight text: bytes in, labels, indices and values out, each number correctly rounded."""

import numpy as np

from .._jit import kernel
from .decimal_hot import NOTHING, UNDECIDED, digits, number

# What `parse` says of a buffer: where it stopped and why, and what it met.
CODE, AT, LINES, ROWS, PAIRS, LOWEST, HIGHEST, QIDS, HARD, N_STATE = range(10)
FINE, NO_LABEL, MANY_LABELS, NO_PAIR, BAD_VALUE, NOT_RISING, TOO_WIDE, TOO_LARGE = range(8)

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH, _COMMA, _COLON = 9, 10, 13, 32, 35, 44, 58
_D, _I, _Q = 100, 105, 113


@kernel
def _is_end(c):
    # Whether a number may stop in front of this byte.
    return c in (_SPACE, _NEWLINE, _TAB, _RETURN, _HASH)


@kernel
def _skip_blanks(text, p):
    while text[p] == _SPACE or text[p] == _TAB or text[p] == _RETURN:
        p += 1
    return p


@kernel
def _skip_line(text, p):
    while text[p] != _NEWLINE:
        p += 1
    return p


@kernel
def _is_qid(text, p):
    return text[p] == _Q and text[p + 1] == _I and text[p + 2] == _D and text[p + 3] == _COLON


@kernel
def _remember(hard, state, which, first, stop):
    # Keep where a number stands that only exact arithmetic can round.
    h = state[HARD]
    hard[h, 0], hard[h, 1], hard[h, 2] = which, first, stop
    state[HARD] = h + 1


@kernel
def _pairs(text, words, p, bounds, indices, values, hard, state):
    # The pairs of one line from p to its end: (position, code), the newline's when all is fine.
    last, n = bounds[0] - 1, state[PAIRS]
    while True:
        p = _skip_blanks(text, p)
        if text[p] == _NEWLINE:
            break
        if text[p] == _HASH:
            p = _skip_line(text, p)
            break
        start = p
        p, w = digits(words, p, np.uint64(0))
        if p == start and _is_qid(text, p):
            state[QIDS] += 1
            while not _is_end(text[p]):
                p += 1
            continue
        if p == start or p > start + 18 or text[p] != _COLON:
            return start, NO_PAIR
        index = np.int64(w)
        if index <= last or index > bounds[1]:
            return start, NOT_RISING if index <= last else TOO_WIDE
        last, first = index, p + 1
        p, value, found = number(text, words, first)
        if found == NOTHING or not _is_end(text[p]):
            return start, BAD_VALUE
        if found == UNDECIDED:
            _remember(hard, state, n, first, p)
        if n == state[PAIRS]:
            state[LOWEST] = min(state[LOWEST], index)
        indices[n], values[n] = index, value
        n += 1
    state[PAIRS] = n
    state[HIGHEST] = max(state[HIGHEST], last)
    return p, FINE


@kernel
def parse(text, words, stop, bounds, labels, ends, indices, values, hard, state):
    # Rows of svmlight text:  label [qid:n] index:value ... [# comment]
    # Given   text, bytes whose lines up to `stop` all end in a newline, with eight to spare; words, the same eight at a
    #         time from every byte; bounds, the least and the largest index allowed.
    # Keeps   labels; ends[row + 1] = pairs so far; indices as written; values; hard = (pair or -1 - row, from, to) for
    #         each number that only exact arithmetic can round; state, as named above.
    p = 0
    while p < stop:
        p = _skip_blanks(text, p)
        if text[p] == _HASH:
            p = _skip_line(text, p)
        if text[p] != _NEWLINE:
            row, at = state[ROWS], p
            p, label, found = number(text, words, at)
            code = FINE
            if found == NOTHING or not _is_end(text[p]):
                code = MANY_LABELS if text[p] == _COMMA and found != NOTHING else NO_LABEL
            else:
                if found == UNDECIDED:
                    _remember(hard, state, -1 - row, at, p)
                p, code = _pairs(text, words, p, bounds, indices, values, hard, state)
                at = p
            if code != FINE:
                state[CODE], state[AT] = code, at
                return
            labels[row], ends[row + 1] = label, state[PAIRS]
            state[ROWS] = row + 1
        state[LINES] += 1
        p += 1
