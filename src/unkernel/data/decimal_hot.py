"""Compiled reading of decimal numbers: bytes in, the nearest double out, eight bytes at a time."""

import numpy as np

from .._jit import kernel
from .decimal import FIVES, LEAST, MOST, TENS, TWOS, WHOLE_TENS

_ZERO, _PLUS, _MINUS, _DOT, _E = 48, 43, 45, 46, 101

# What `number` found, beside the value.
NUMBER, NOTHING, UNDECIDED = range(3)

_WORD, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
_TEN, _SEVEN, _NINE_BITS = np.uint64(10), np.uint64(7), np.uint64(0x1FF)

# Eight bytes of text at once.
_ZEROS, _SIXES, _TOPS = (np.uint64(byte * 0x0101010101010101) for byte in (0x30, 0x76, 0x80))
_PLACES = np.uint64(0x0001020304050607)


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
    if q < LEAST or q > MOST:
        return -1.0
    shift = 0
    while w >> np.uint64(56) == np.uint64(0):
        w, shift = w << np.uint64(8), shift + 8
    while w >> np.uint64(63) == np.uint64(0):
        w, shift = w << _ONE, shift + 1
    five = FIVES[q - LEAST, 0]
    high, low = _high_word(w, five), w * five
    if high & _NINE_BITS == _NINE_BITS:
        more = _high_word(w, FIVES[q - LEAST, 1])
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
def digits(words, p, w):
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
def number(text, words, p):
    # A decimal number from p: (next position, value, what was found). It ends where no more of it can be read.
    minus = text[p] == _MINUS
    if minus or text[p] == _PLUS:
        p += 1
    start, q, cut = p, 0, False
    p, w = digits(words, p, np.uint64(0))
    found = p - start
    if text[p] == _DOT:
        p, w = digits(words, p + 1, w)
        q = start + found + 1 - p
        found -= q
    if found == 0:
        return p, 0.0, NOTHING
    if found > 19:
        w, q, cut = _long(text, start, p)
    if text[p] | 32 == _E:
        p += 1
        sign = -1 if text[p] == _MINUS else 1
        if sign < 0 or text[p] == _PLUS:
            p += 1
        start = p
        p, e = digits(words, p, np.uint64(0))
        if p == start:
            return p, 0.0, NOTHING
        q += sign * (np.int64(e) if p < start + 16 and e < np.uint64(1000000) else 1000000)
    if w == np.uint64(0):
        return p, -0.0 if minus else 0.0, NUMBER
    value = _scaled(w, q, cut)
    if value < 0:
        return p, 0.0, UNDECIDED
    return p, -value if minus else value, NUMBER
