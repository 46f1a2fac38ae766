"""Machine code of the row verbs: one body per form, chosen while compiling. Hot files import the verbs from here."""

from numba import types
from numba.extending import overload

from ._lanes import LANES, add, load, mul, splat, store, total
from .features import Codes, Dense, Monomials, Sparse, row_add, row_adds, row_dot, row_dots, row_norm
from .monomials_hot import expand

__all__ = ["row_add", "row_adds", "row_dot", "row_dots", "row_norm"]


def _compile(verb, codes, sparse, dense, monomials):
    """Register the bodies of a verb; numba picks by the form of the first argument."""
    bodies = {Codes: codes, Sparse: sparse, Dense: dense, Monomials: monomials}

    @overload(verb, strict=False)
    def pick(F, *rest):
        return bodies.get(F.instance_class) if isinstance(F, types.BaseNamedTuple) else None


def _dot_codes(F, i, w):
    s = w[0] * 0
    if F.filled[i]:
        for j in range(F.codes.shape[1]):
            s += w[j * F.levels + F.codes[i, j]]
    return s * F.value


def _dot_sparse(F, i, w):
    s = w[0] * 0
    for p in range(F.indptr[i], F.indptr[i + 1]):
        s += F.data[p] * w[F.indices[p]]
    return s


def _dot_monomials(F, i, w):
    columns, values = expand(F, i)
    s = w[0] * 0
    for p in range(values.shape[0]):
        s += values[p] * w[columns[p]]
    return s


def _dot_dense(F, i, w):
    # Sixteen partial sums: the order is fixed, so the bits do not depend on the machine.
    x = F.values[i]
    d = x.shape[0]
    whole = d - d % LANES
    s = splat(w.dtype.type(0))
    for j in range(0, whole, LANES):
        s = add(s, mul(load(x, j), load(w, j)))
    t = total(s)
    for j in range(whole, d):
        t += x[j] * w[j]
    return t


def _dot_dense_mixed(F, i, w):
    s = w[0] * F.values[i, 0] * 0
    for j in range(F.values.shape[1]):
        s += F.values[i, j] * w[j]
    return s


@overload(row_dot, strict=False)
def _pick_dot(F, i, w):
    if not isinstance(F, types.BaseNamedTuple):
        return None
    if F.instance_class is Dense:
        return _dot_dense if F[0].dtype == w.dtype else _dot_dense_mixed
    return {Codes: _dot_codes, Sparse: _dot_sparse, Monomials: _dot_monomials}[F.instance_class]


def _add_codes(F, i, a, w):
    if F.filled[i]:
        step = w.dtype.type(a * F.value)
        for j in range(F.codes.shape[1]):
            w[j * F.levels + F.codes[i, j]] += step


def _add_sparse(F, i, a, w):
    for p in range(F.indptr[i], F.indptr[i + 1]):
        w[F.indices[p]] += a * F.data[p]


def _add_dense(F, i, a, w):
    for j in range(F.values.shape[1]):
        w[j] += a * F.values[i, j]


def _norm_codes(F, i):
    return F.codes.shape[1] * F.value * F.value if F.filled[i] else 0.0


def _norm_sparse(F, i):
    s = 0.0
    for p in range(F.indptr[i], F.indptr[i + 1]):
        s += F.data[p] * F.data[p]
    return s


def _norm_dense(F, i):
    s = 0.0
    for j in range(F.values.shape[1]):
        s += F.values[i, j] * F.values[i, j]
    return s


def _dots_codes(F, i, W, out):
    # Gather k rows of W: registers hold the sums, so a code costs one load and one add per sixteen columns.
    q = W.shape[1]
    out[:] = 0
    if not F.filled[i]:
        return
    flat, x, value = W.reshape(-1), F.codes[i], W.dtype.type(F.value)
    for b in range(0, q - q % LANES, LANES):
        s = splat(W.dtype.type(0))
        for j in range(x.shape[0]):
            s = add(s, load(flat, (j * F.levels + x[j]) * q + b))
        store(out, b, mul(s, splat(value)))
    for c in range(q - q % LANES, q):
        t = W.dtype.type(0)
        for j in range(x.shape[0]):
            t += W[j * F.levels + x[j], c]
        out[c] = t * value


def _dots_sparse(F, i, W, out):
    out[:] = 0
    for p in range(F.indptr[i], F.indptr[i + 1]):
        column, v = F.indices[p], F.data[p]
        for c in range(W.shape[1]):
            out[c] += v * W[column, c]


def _dots_dense(F, i, W, out):
    out[:] = 0
    for j in range(F.values.shape[1]):
        v = F.values[i, j]
        for c in range(W.shape[1]):
            out[c] += v * W[j, c]


def _adds_codes(F, i, a, W):
    if F.filled[i]:
        step = (a * F.value).astype(W.dtype)
        for j in range(F.codes.shape[1]):
            at = j * F.levels + F.codes[i, j]
            for c in range(W.shape[1]):
                W[at, c] += step[c]


def _adds_sparse(F, i, a, W):
    for p in range(F.indptr[i], F.indptr[i + 1]):
        column, v = F.indices[p], F.data[p]
        for c in range(W.shape[1]):
            W[column, c] += v * a[c]


def _adds_dense(F, i, a, W):
    for j in range(F.values.shape[1]):
        v = F.values[i, j]
        for c in range(W.shape[1]):
            W[j, c] += v * a[c]


def _add_monomials(F, i, a, w):
    columns, values = expand(F, i)
    for p in range(values.shape[0]):
        w[columns[p]] += a * values[p]


def _norm_monomials(F, i):
    s = 0.0
    for v in expand(F, i)[1]:
        s += v * v
    return s


def _dots_monomials(F, i, W, out):
    columns, values = expand(F, i)
    out[:] = 0
    for p in range(values.shape[0]):
        for c in range(W.shape[1]):
            out[c] += values[p] * W[columns[p], c]


def _adds_monomials(F, i, a, W):
    columns, values = expand(F, i)
    for p in range(values.shape[0]):
        for c in range(W.shape[1]):
            W[columns[p], c] += values[p] * a[c]


_compile(row_add, _add_codes, _add_sparse, _add_dense, _add_monomials)
_compile(row_norm, _norm_codes, _norm_sparse, _norm_dense, _norm_monomials)
_compile(row_dots, _dots_codes, _dots_sparse, _dots_dense, _dots_monomials)
_compile(row_adds, _adds_codes, _adds_sparse, _adds_dense, _adds_monomials)
