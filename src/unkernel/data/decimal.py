"""What it takes to round a decimal number to the nearest double: powers of five, ten and two.

A double is a 53-bit whole number times a power of two, so w 10**q is w 5**q with another exponent, and 128 bits of 5**q
decide the rounding in all but a handful of cases. Those are left to exact arithmetic, which is Python's float.
"""

import numpy as np


def power_of_five(q: int) -> tuple[int, int]:
    """The leading 128 bits of 5**q as two words: cut off for q >= 0, rounded up below."""
    if q >= 0:
        power = 5**q
        wide = power << 128 >> power.bit_length()
    else:
        power = 5**-q
        wide = (1 << (power.bit_length() + 127)) // power + 1
        wide >>= wide.bit_length() - 128
    return wide >> 64, wide & (2**64 - 1)


LEAST, MOST = -342, 308  # of the powers of ten that doubles and nineteen digits reach
FIVES = np.array([power_of_five(q) for q in range(LEAST, MOST + 1)], dtype=np.uint64)
TENS = np.array([10.0**q for q in range(23)])  # those that a double holds exactly
TWOS = np.ldexp(1.0, np.arange(2047) - 1075)  # by biased exponent: what a 53-bit whole number is scaled by
WHOLE_TENS = 10 ** np.arange(9, dtype=np.uint64)
