"""Compiled parser of svmlight text: bytes in, labels, indices and values out, each number correctly rounded."""

import numpy as np

from .._jit import kernel

# What `parse` says of a buffer: where it stopped and why, and what it met.
CODE, AT, LINES, ROWS, PAIRS, LOWEST, HIGHEST, QIDS, HARD, N_STATE = range(10)
FINE, NO_LABEL, MANY_LABELS, NO_PAIR, BAD_VALUE, NOT_RISING, TOO_WIDE, TOO_LARGE = range(8)

_TAB, _NEWLINE, _RETURN, _SPACE, _HASH, _PLUS, _COMMA, _MINUS, _DOT = 9, 10, 13, 32, 35, 43, 44, 45, 46
_ZERO, _COLON, _D, _E, _I, _Q = 48, 58, 100, 101, 105, 113

# What `_number` found, beside the value.
_NUMBER, _NOTHING, _UNDECIDED = range(3)


def _power_of_five(q: int) -> tuple[int, int]:
    """The leading 128 bits of 5**q as two words: cut off for q >= 0, rounded up below."""
    if q >= 0:
        power = 5**q
        wide = power << 128 >> power.bit_length()
    else:
        power = 5**-q
        wide = (1 << (power.bit_length() + 127)) // power + 1
        wide >>= wide.bit_length() - 128
    return wide >> 64, wide & (2**64 - 1)


_LEAST, _MOST = -342, 308
FIVES = np.array([_power_of_five(q) for q in range(_LEAST, _MOST + 1)], dtype=np.uint64)
TENS = np.array([10.0**q for q in range(23)])
TWOS = np.ldexp(1.0, np.arange(2047) - 1075)  # by biased exponent: what a 53-bit whole number is scaled by
_WORD, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
_TEN, _SEVEN, _NINE_BITS = np.uint64(10), np.uint64(7), np.uint64(0x1FF)

# Eight bytes of text at once.
_ZEROS, _SIXES, _TOPS = (np.uint64(byte * 0x0101010101010101) for byte in (0x30, 0x76, 0x80))
_PLACES = np.uint64(0x0001020304050607)
WHOLE_TENS = 10 ** np.arange(9, dtype=np.uint64)


@kernel
def _high_word(a, b):
    # The upper 64 bits of the product of two words.
    a0, a1, b0, b1 = a & _WORD, a >> _HALF, b & _WORD, b >> _HALF
    low, cross = a0 * b0, a1 * b0
    middle = (low >> _HALF) + (cross & _WORD) + a0 * b1
    return a1 * b1 + (cross >> _HALF) + (middle >> _HALF)


@kernel
def nearest(w, q):
    # The double nearest to w 10**q, w > 0 of at most 19 digits; -1.0 where this cannot tell (subnormal, too large).
    # Lemire, Number parsing at a gigabyte per second, 2021, algorithm 1.
    if q < _LEAST or q > _MOST:
        return -1.0
    shift = 0
    while w >> np.uint64(56) == np.uint64(0):
        w, shift = w << np.uint64(8), shift + 8
    while w >> np.uint64(63) == np.uint64(0):
        w, shift = w << _ONE, shift + 1
    five = FIVES[q - _LEAST, 0]
    high, low = _high_word(w, five), w * five
    if high & _NINE_BITS == _NINE_BITS:
        more = _high_word(w, FIVES[q - _LEAST, 1])
        low += more
        if low < more:
            high += _ONE
    top = high >> np.uint64(63)
    drop = top + np.uint64(9)
    m = high >> drop
    exponent = ((217706 * q) >> 16) + 63 + np.int64(top) - shift + 1023
    if exponent <= 0 or exponent >= 2046:
        return -1.0
    if low <= _ONE and -4 <= q <= 23 and m & np.uint64(3) == _ONE and m << drop == high:
        m &= ~_ONE  # halfway between two doubles: to the even one
    m = (m + (m & _ONE)) >> _ONE
    return np.float64(m) * TWOS[exponent]


@kernel
def _scaled(w, q, cut):
    # w 10**q correctly rounded, where digits were cut off behind w when cut; -1.0 where this cannot tell.
    if cut:
        below, above = nearest(w, q), nearest(w + _ONE, q)
        return below if below == above else -1.0
    if w >> np.uint64(53) == np.uint64(0) and -22 <= q <= 22:
        return np.float64(w) * TENS[q] if q >= 0 else np.float64(w) / TENS[-q]
    return nearest(w, q)


@kernel
def _digits(words, p, w):
    # Decimal digits from p: (next position, w with them appended, modulo 2**64). Eight at a time, without branches.
    while True:
        t = words[p] ^ _ZEROS
        other = ((t + _SIXES) | t) & _TOPS  # the top bit of each byte that is no digit, exact up to the first
        if other:
            n = np.int64((((other & (~other + _ONE)) >> _SEVEN) * _PLACES) >> np.uint64(56))
            t = t << np.uint64(56 - 8 * n) << np.uint64(8)
        else:
            n = 8
        t = (t * _TEN + (t >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
        t = (t * np.uint64(100) + (t >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
        t = (t * np.uint64(10000) + (t >> _HALF)) & _WORD
        w = w * WHOLE_TENS[n] + t
        p += n
        if n < 8:
            return p, w


@kernel
def _long(text, p, stop):
    # The first nineteen counting digits before `stop`: (as a word, how many places behind the last, if any were cut).
    w, n, q, dot, cut = np.uint64(0), 0, 0, False, False
    while p < stop:
        if text[p] == _DOT:
            dot = True
        elif n < 19:
            w = w * _TEN + np.uint64(text[p] - _ZERO)
            n += 1 if w else 0
            q -= 1 if dot else 0
        else:
            cut = True
            q += 0 if dot else 1
        p += 1
    return w, q, cut


@kernel
def _number(text, words, p):
    # A decimal number from p: (next position, value, what was found). It ends where no more of it can be read.
    minus = text[p] == _MINUS
    if minus or text[p] == _PLUS:
        p += 1
    start, q, cut = p, 0, False
    p, w = _digits(words, p, np.uint64(0))
    found = p - start
    if text[p] == _DOT:
        p, w = _digits(words, p + 1, w)
        q = start + found + 1 - p
        found -= q
    if found == 0:
        return p, 0.0, _NOTHING
    if found > 19:
        w, q, cut = _long(text, start, p)
    if text[p] | 32 == _E:
        p += 1
        sign = -1 if text[p] == _MINUS else 1
        if sign < 0 or text[p] == _PLUS:
            p += 1
        start = p
        p, e = _digits(words, p, np.uint64(0))
        if p == start:
            return p, 0.0, _NOTHING
        q += sign * (np.int64(e) if p < start + 16 and e < np.uint64(1000000) else 1000000)
    if w == np.uint64(0):
        return p, -0.0 if minus else 0.0, _NUMBER
    value = _scaled(w, q, cut)
    if value < 0:
        return p, 0.0, _UNDECIDED
    return p, -value if minus else value, _NUMBER


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
        p, w = _digits(words, p, np.uint64(0))
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
        p, value, found = _number(text, words, first)
        if found == _NOTHING or not _is_end(text[p]):
            return start, BAD_VALUE
        if found == _UNDECIDED:
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
            p, label, found = _number(text, words, at)
            code = FINE
            if found == _NOTHING or not _is_end(text[p]):
                code = MANY_LABELS if text[p] == _COMMA and found != _NOTHING else NO_LABEL
            else:
                if found == _UNDECIDED:
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
