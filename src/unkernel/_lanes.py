"""Vector registers under numba: sixteen floats that stay in one register across a loop.

Numba's vectoriser gives up where accumulators may alias the arrays they are summed from. These verbs name the
registers instead; LLVM lowers them to whatever the CPU has. Each is first its plain-Python meaning (also what runs
with the compiler off), then one LLVM instruction or a few.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 16


# The meaning, in plain Python: arrays of sixteen.


def load(a, i):
    """Sixteen values of the 1-d array `a` from position `i`. The caller keeps i + 16 <= len(a)."""
    return a[i : i + LANES].copy()


def store(a, i, v):
    """Write sixteen values into `a` from position `i`."""
    a[i : i + LANES] = v


def splat(x):
    """Sixteen copies of a scalar, in its own type."""
    return np.repeat(x, LANES)


def add(u, v):
    """u + v."""
    return u + v


def sub(u, v):
    """u - v."""
    return u - v


def mul(u, v):
    """u * v."""
    return u * v


def div(u, v):
    """u / v of floats; division by zero gives what the processor gives."""
    return u / v


def floor(v):
    """The largest whole number not above v, lane by lane."""
    return np.floor(v)


def least(u, v):
    """The smaller of u and v, lane by lane; of equals, v."""
    return np.where(u < v, u, v)


def greatest(u, v):
    """The larger of u and v, lane by lane; of equals, v."""
    return np.where(u > v, u, v)


def pick(u, v, a, b):
    """a where u < v, else b: with `least`, an argmin that stays in registers."""
    return np.where(u < v, a, b)


def nearest(v):
    """The whole number nearest to each lane; halves go to even. Floats only."""
    return np.rint(v)


def hadamard(v):
    """Sylvester's Hadamard matrix times the lanes: sums and differences at distance 1, 2, 4, then 8."""
    lanes, s = np.arange(LANES), 1
    while s < LANES:
        v = np.where(lanes & s, v[lanes ^ s] - v, v[lanes ^ s] + v)
        s *= 2
    return v


def look(w, v):
    """w[v] lane by lane: a table of sixteen values, looked up with the low four bits of the lanes of v."""
    return w[v & 15]


def upper(v):
    """The upper four bits of bytes, moved down."""
    return v >> 4


def same(u, v):
    """One where u equals v, else zero, in their own type."""
    return (u == v).astype(u.dtype)


def anywhere(u, v):
    """Whether u < v in some lane."""
    return bool(np.any(u < v))


def differing(d, u, v):
    """The bits of d, and those in which u and v differ."""
    return d | (u ^ v)


def ones(v):
    """How many bits of each lane are set."""
    return np.bitwise_count(v).astype(v.dtype)


def narrow(v, a):
    """Integers in the type of the array `a`, their upper bits cut off."""
    return v.astype(a.dtype)


def plane(a, i, b):
    """Bit b of sixty-four integers of `a` from position i, the first lowest."""
    set_ = (a[i : i + 64] >> a.dtype.type(b)) & a.dtype.type(1)
    return np.packbits(set_.astype(np.uint8), bitorder="little").view(np.uint64)[0]


def total(v):
    """Sum of the lanes, added pairwise in a fixed order: (0+8), then (0+4), (0+2), (0+1)."""
    half = LANES
    v = v.copy()
    while half > 1:
        half //= 2
        v[:half] = v[:half] + v[half : 2 * half]
    return v[0]


# The machine code: a numba type for the register, then one body per verb.


class Lanes(types.Type):
    """Numba type of sixteen values of one scalar type."""

    def __init__(self, scalar):
        self.scalar = scalar
        super().__init__(name=f"Lanes({scalar})")


_SCALARS = {
    types.float32: ir.FloatType(),
    types.float64: ir.DoubleType(),
    types.int32: ir.IntType(32),
    types.uint32: ir.IntType(32),
    types.int64: ir.IntType(64),
    types.uint64: ir.IntType(64),
    types.uint8: ir.IntType(8),
    types.uint16: ir.IntType(16),
}


def _vector(scalar):
    return ir.VectorType(_SCALARS[scalar], LANES)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _vector(fe_type.scalar))


def _pointer(context, builder, array_type, array, i, i_type):
    data = context.make_array(array_type)(context, builder, array).data
    at = builder.gep(data, [context.cast(builder, i, i_type, types.intp)])
    return builder.bitcast(at, _vector(array_type.dtype).as_pointer())


@intrinsic
def _load(typingctx, a, i):
    def body(context, builder, signature, args):
        at = _pointer(context, builder, a, args[0], args[1], i)
        return builder.load(at, align=a.dtype.bitwidth // 8)

    return Lanes(a.dtype)(a, i), body


@intrinsic
def _store(typingctx, a, i, v):
    def body(context, builder, signature, args):
        at = _pointer(context, builder, a, args[0], args[1], i)
        builder.store(args[2], at, align=a.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(a, i, v), body


@intrinsic
def _splat(typingctx, x):
    def body(context, builder, signature, args):
        empty = ir.Constant(_vector(x), ir.Undefined)
        first = builder.insert_element(empty, args[0], ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))

    return Lanes(x)(x), body


def _binary(of_floats, of_integers):
    @intrinsic
    def verb(typingctx, u, v):
        def body(context, builder, signature, args):
            name = of_floats if isinstance(u.scalar, types.Float) else of_integers
            return getattr(builder, name)(*args)

        return u(u, v), body

    return verb


_add, _sub, _mul = _binary("fadd", "add"), _binary("fsub", "sub"), _binary("fmul", "mul")
_div = _binary("fdiv", "sdiv")  # of floats; integers are not divided anywhere


def _named(name, letter):
    # A verb that LLVM has under a name of its own.
    @intrinsic
    def verb(typingctx, v):
        def body(context, builder, signature, args):
            shape = _vector(v.scalar)
            full = f"llvm.{name}.v{LANES}{letter}{v.scalar.bitwidth}"
            return builder.call(builder.module.declare_intrinsic(full, (), ir.FunctionType(shape, [shape])), args)

        return v(v), body

    return verb


_floor, _nearest, _ones = _named("floor", "f"), _named("rint", "f"), _named("ctpop", "i")


def _compare(builder, scalar, sign, u, v):
    if isinstance(scalar, types.Float):
        return builder.fcmp_ordered(sign, u, v)
    return (builder.icmp_signed if scalar.signed else builder.icmp_unsigned)(sign, u, v)


def _chosen(sign):
    @intrinsic
    def verb(typingctx, u, v):
        def body(context, builder, signature, args):
            return builder.select(_compare(builder, u.scalar, sign, *args), *args)

        return u(u, v), body

    return verb


_least, _greatest = _chosen("<"), _chosen(">")


@intrinsic
def _pick(typingctx, u, v, a, b):
    def body(context, builder, signature, args):
        return builder.select(_compare(builder, u.scalar, "<", args[0], args[1]), args[2], args[3])

    return a(u, v, a, b), body


@intrinsic
def _anywhere(typingctx, u, v):
    def body(context, builder, signature, args):
        lanes = builder.bitcast(_compare(builder, u.scalar, "<", *args), ir.IntType(LANES))
        return builder.icmp_unsigned("!=", lanes, ir.Constant(lanes.type, 0))

    return types.boolean(u, v), body


@intrinsic
def _hadamard(typingctx, v):
    def body(context, builder, signature, args):
        part, s = args[0], 1
        while s < LANES:
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [i ^ s for i in range(LANES)])
            sign = ir.Constant(_vector(v.scalar), [-1.0 if i & s else 1.0 for i in range(LANES)])
            part = builder.fadd(builder.shuffle_vector(part, part, mask), builder.fmul(part, sign))
            s *= 2
        return part

    return v(v), body


@intrinsic
def _look(typingctx, w, v):
    def body(context, builder, signature, args):
        # LLVM knows this chain as one permutation of a register where the CPU has it.
        wide, place = ir.VectorType(ir.IntType(32), LANES), ir.IntType(32)
        at = builder.and_(args[1], ir.Constant(_vector(v.scalar), [15] * LANES))
        at = at if v.scalar.bitwidth == 32 else builder.zext(at, wide)
        out = ir.Constant(_vector(w.scalar), ir.Undefined)
        for lane in range(LANES):
            index = builder.extract_element(at, ir.Constant(place, lane))
            value = builder.extract_element(args[0], index)
            out = builder.insert_element(out, value, ir.Constant(place, lane))
        return out

    return w(w, v), body


@intrinsic
def _upper(typingctx, v):
    def body(context, builder, signature, args):
        return builder.lshr(args[0], ir.Constant(_vector(v.scalar), [4] * LANES))

    return v(v), body


@intrinsic
def _same(typingctx, u, v):
    def body(context, builder, signature, args):
        return builder.zext(builder.icmp_unsigned("==", *args), _vector(u.scalar))

    return u(u, v), body


@intrinsic
def _differing(typingctx, d, u, v):
    def body(context, builder, signature, args):
        return builder.or_(args[0], builder.xor(*args[1:]))

    return d(d, u, v), body


@intrinsic
def _narrow(typingctx, v, a):
    def body(context, builder, signature, args):
        return builder.trunc(args[0], _vector(a.dtype))

    return Lanes(a.dtype)(v, a), body


@intrinsic
def _plane(typingctx, a, i, b):
    def body(context, builder, signature, args):
        wide = ir.VectorType(_SCALARS[a.dtype], 64)
        at = builder.bitcast(_pointer(context, builder, a, args[0], args[1], i), wide.as_pointer())
        values = builder.load(at, align=a.dtype.bitwidth // 8)
        bit = builder.shl(ir.Constant(_SCALARS[a.dtype], 1), context.cast(builder, args[2], b, a.dtype))
        empty, place = ir.Constant(wide, ir.Undefined), ir.IntType(32)
        first = builder.insert_element(empty, bit, ir.Constant(place, 0))
        bits = builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(place, 64), [0] * 64))
        held = builder.icmp_unsigned("!=", builder.and_(values, bits), ir.Constant(wide, [0] * 64))
        return builder.bitcast(held, ir.IntType(64))

    return types.uint64(a, i, b), body


@intrinsic
def _total(typingctx, v):
    def body(context, builder, signature, args):
        part, half = args[0], LANES
        add_lanes = builder.fadd if isinstance(v.scalar, types.Float) else builder.add
        while half > 1:
            half //= 2
            sides = [ir.Constant(ir.VectorType(ir.IntType(32), half), [*range(s, s + half)]) for s in (0, half)]
            part = add_lanes(*(builder.shuffle_vector(part, part, side) for side in sides))
        return builder.extract_element(part, ir.Constant(ir.IntType(32), 0))

    return v.scalar(v), body


overload(load, inline="always")(lambda a, i: lambda a, i: _load(a, i))
overload(store, inline="always")(lambda a, i, v: lambda a, i, v: _store(a, i, v))
overload(plane, inline="always")(lambda a, i, b: lambda a, i, b: _plane(a, i, b))
overload(differing)(lambda d, u, v: lambda d, u, v: _differing(d, u, v))
overload(ones)(lambda v: lambda v: _ones(v))
overload(narrow)(lambda v, a: lambda v, a: _narrow(v, a))
overload(splat)(lambda x: lambda x: _splat(x))
overload(nearest)(lambda v: lambda v: _nearest(v))
overload(hadamard)(lambda v: lambda v: _hadamard(v))
overload(total)(lambda v: lambda v: _total(v))
overload(look)(lambda w, v: lambda w, v: _look(w, v))
overload(upper)(lambda v: lambda v: _upper(v))
overload(same)(lambda u, v: lambda u, v: _same(u, v))
overload(pick)(lambda u, v, a, b: lambda u, v, a, b: _pick(u, v, a, b))
overload(anywhere)(lambda u, v: lambda u, v: _anywhere(u, v))
overload(add)(lambda u, v: lambda u, v: _add(u, v))
overload(sub)(lambda u, v: lambda u, v: _sub(u, v))
overload(mul)(lambda u, v: lambda u, v: _mul(u, v))
overload(div)(lambda u, v: lambda u, v: _div(u, v))
overload(floor)(lambda v: lambda v: _floor(v))
overload(least)(lambda u, v: lambda u, v: _least(u, v))
overload(greatest)(lambda u, v: lambda u, v: _greatest(u, v))
