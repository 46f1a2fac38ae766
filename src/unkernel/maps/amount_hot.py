"""Loops of amount.py."""

from .._jit import kernel
from .elementary_hot import ln


@kernel
def pack(X, columns, sizes):
    # Nonzeros of dense rows, in order and without a branch; both outputs have one place to spare. Cost O(n d).
    width = X.shape[1]
    p = 0
    for i in range(X.shape[0]):
        for j in range(width):
            x = X[i, j]
            columns[p] = j + width * (x < 0.0)
            sizes[p] = abs(x)
            p += x != 0.0


@kernel
def split(indices, values, width, columns, sizes):
    # Nonzeros of CSR, each in the column of its sign.
    for p in range(values.shape[0]):
        x = values[p]
        columns[p] = indices[p] + width * (x < 0)
        sizes[p] = abs(x)


@kernel
def logs(sizes, power, out):
    for p in range(sizes.shape[0]):
        out[p] = power * ln(sizes[p])
