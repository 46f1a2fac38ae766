"""Machine code of the column verbs: one body per form, chosen while compiling."""

from numba import types
from numba.extending import overload

from .column import CodeColumns, DenseColumns, SparseColumns, unit_add, unit_bend, unit_dot

__all__ = ["unit_add", "unit_bend", "unit_dot"]


def _compile(verb, codes, sparse, dense):
    """Register the bodies of a verb; numba picks by the form of the first argument."""
    bodies = {CodeColumns: codes, SparseColumns: sparse, DenseColumns: dense}

    @overload(verb, strict=False)
    def pick(F, *rest):
        return bodies.get(F.instance_class) if isinstance(F, types.BaseNamedTuple) else None


def _dot_codes(F, columns, r, out):
    x = F.codes[columns[0] // F.levels]
    out[:] = 0.0
    for i in range(x.shape[0]):
        out[x[i]] += F.size[i] * r[i]


def _dot_sparse(F, columns, r, out):
    for p in range(columns.shape[0]):
        s = 0.0
        for at in range(F.indptr[columns[p]], F.indptr[columns[p] + 1]):
            s += F.data[at] * r[F.rows[at]]
        out[p] = s


def _dot_dense(F, columns, r, out):
    # Four partial sums: an addition need not wait for the last.
    n = r.shape[0]
    for p in range(columns.shape[0]):
        x = F.values[columns[p]]
        s, t, u, v = 0.0, 0.0, 0.0, 0.0
        for i in range(0, n - n % 4, 4):
            s += x[i] * r[i]
            t += x[i + 1] * r[i + 1]
            u += x[i + 2] * r[i + 2]
            v += x[i + 3] * r[i + 3]
        for i in range(n - n % 4, n):
            s += x[i] * r[i]
        out[p] = (s + t) + (u + v)


def _bend_codes(F, columns, h, out):
    x = F.codes[columns[0] // F.levels]
    out[:] = 0.0
    for i in range(x.shape[0]):
        out[x[i]] += F.size[i] * F.size[i] * h[i]


def _bend_sparse(F, columns, h, out):
    for p in range(columns.shape[0]):
        s = 0.0
        for at in range(F.indptr[columns[p]], F.indptr[columns[p] + 1]):
            s += F.data[at] * F.data[at] * h[F.rows[at]]
        out[p] = s


def _bend_dense(F, columns, h, out):
    for p in range(columns.shape[0]):
        x = F.values[columns[p]]
        s = 0.0
        for i in range(h.shape[0]):
            s += x[i] * x[i] * h[i]
        out[p] = s


def _add_codes(F, columns, a, h, r):
    x = F.codes[columns[0] // F.levels]
    for i in range(x.shape[0]):
        r[i] += h[i] * (F.size[i] * a[x[i]])


def _add_sparse(F, columns, a, h, r):
    for p in range(columns.shape[0]):
        if a[p] != 0.0:
            for at in range(F.indptr[columns[p]], F.indptr[columns[p] + 1]):
                i = F.rows[at]
                r[i] += h[i] * (a[p] * F.data[at])


def _add_dense(F, columns, a, h, r):
    for p in range(columns.shape[0]):
        if a[p] != 0.0:
            x = F.values[columns[p]]
            for i in range(r.shape[0]):
                r[i] += h[i] * (a[p] * x[i])


_compile(unit_dot, _dot_codes, _dot_sparse, _dot_dense)
_compile(unit_bend, _bend_codes, _bend_sparse, _bend_dense)
_compile(unit_add, _add_codes, _add_sparse, _add_dense)
