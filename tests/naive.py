"""Slow, obvious twins: one short function for every fast one, straight from its definition. No cleverness here."""

import itertools
import math

import numpy as np

# --- features: what the row verbs mean, on a dense matrix


def row_dots(A, i, W):
    """W' a_i by hand."""
    return np.array([sum(A[i, j] * W[j, c] for j in range(A.shape[1])) for c in range(W.shape[1])])


# --- kernels


def linear(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def cosine(u, v):
    lengths = math.sqrt(linear(u, u) * linear(v, v))
    return linear(u, v) / lengths if lengths else 0.0


def gmm(u, v, p=1.0, center=None):
    center = [0.0] * len(u) if center is None else center
    parts = [
        [part**p for x, m in zip(row, center, strict=True) for part in (max(x - m, 0), max(m - x, 0))] for row in (u, v)
    ]
    top = sum(max(a, b) for a, b in zip(*parts, strict=True))
    return sum(min(a, b) for a, b in zip(*parts, strict=True)) / top if top else 0.0


def angle_share(rho):
    return 1 - math.acos(min(1, max(-1, rho))) / math.pi


def acos(u, v):
    return angle_share(cosine(u, v)) if any(u) and any(v) else 0.0


def acos_chi2(u, v):
    if not any(u) or not any(v):
        return 0.0
    shares = [(a / sum(u), b / sum(v)) for a, b in zip(u, v, strict=True)]
    return angle_share(sum(2 * a * b / (a + b) for a, b in shares if a + b))


def unit(u):
    length = math.sqrt(linear(u, u))
    return [a / length for a in u] if length else u


def square(u, v):
    return sum((a - b) ** 2 for a, b in zip(u, v, strict=True))


def rbf(u, v, gamma):
    return math.exp(-gamma * square(u, v))


def cosine_rbf(u, v, gamma):
    return rbf(unit(u), unit(v), gamma / 2)


def folded_rbf(u, v, gamma):
    return (cosine_rbf(u, v, gamma) + cosine_rbf(u, [-b for b in v], gamma)) / 2


def exp_chi2(u, v, gamma):
    return math.exp(-gamma * sum((a - b) ** 2 / (a + b) for a, b in zip(u, v, strict=True) if a + b))


def skewed_chi2(u, v, c, sigma):
    pairs = [((a + c) ** sigma, (b + c) ** sigma) for a, b in zip(u, v, strict=True)]
    return math.prod(2 * a * b / (a * a + b * b) for a, b in pairs)


def skewed_intersection(u, v, c, sigma):
    pairs = [((a + c) ** sigma, (b + c) ** sigma) for a, b in zip(u, v, strict=True)]
    return math.prod(min(a / b, b / a) for a, b in pairs)


def polynomial(u, v, degree, gamma, coef0):
    return (gamma * linear(u, v) + coef0) ** degree


def taylor_rbf(u, v, degree, gamma):
    z = 2 * gamma * linear(u, v)
    tail = math.exp(-gamma * (linear(u, u) + linear(v, v)))
    return tail * sum(z**k / math.factorial(k) for k in range(degree + 1))


def gram(naive, X, Y):
    """The Gram matrix of a kernel on one pair of rows."""
    return np.array([[naive(u, v) for v in Y.tolist()] for u in X.tolist()])


# --- maps


def projections(X, W, scale):
    """scale_i * <x_i, w_c>, by hand."""
    return [
        [s * sum(x * w for x, w in zip(row, column, strict=True)) for column in W.T.tolist()]
        for row, s in zip(X.tolist(), scale, strict=True)
    ]


def hadamard(n):
    """Sylvester's matrix of n rows: the sign of entry (i, j) is the parity of the bits i and j share."""
    return [[-1.0 if (i & j).bit_count() % 2 else 1.0 for j in range(n)] for i in range(n)]


def passes(x, signs):
    """For each row of signs: signs, a rotation (none at first), and a Hadamard matrix on the first D values."""
    L = len(x)
    D = max(2**p for p in range(20) if 2**p <= L)
    H = hadamard(D)
    for p, s in enumerate(signs):
        shift = (3 * L) // 8 if p and D < L else 0
        x = [a * b for a, b in zip(x, s, strict=True)]
        x = x[L - shift :] + x[: L - shift]
        x[:D] = [sum(h * a for h, a in zip(row, x[:D], strict=True)) / math.sqrt(D) for row in H]
    return x


def waves(turns):
    """Cosine and sine of angles in turns."""
    return [[(math.cos(2 * math.pi * t), math.sin(2 * math.pi * t)) for t in row] for row in turns.tolist()]


def monomials(x, degree, weight):
    """weight(k) * prod z_i^m_i / sqrt(m_i!) of every multiset of columns, by size and then in order."""
    found = []
    for k in range(degree + 1):
        for members in itertools.combinations_with_replacement(range(len(x)), k):
            counts = [members.count(i) for i in set(members)]
            product = math.prod(x[i] for i in members)
            found.append(weight(k) * product / math.sqrt(math.prod(math.factorial(m) for m in counts)))
    return np.array(found)


def icws_numbers(seed, v, j):
    """r, c and b of column v and component j, from the same random bits as the tables, in float64."""
    from unkernel.maps import random

    x, y = (int(random.bits(seed, v, 2 * j + half)) for half in (0, 1))
    units = [((bits & 0x7FFFFF) + 0.5) / 2**23 for bits in (x, x >> 23, y, y >> 23, (x >> 46) | (y >> 46 << 18))]
    return -math.log(units[0] * units[1]), -math.log(units[2] * units[3]), units[4]


def icws(u, j, seed, p=1.0):
    """(i*, t*) of one signed row, as the papers write it."""
    best = (math.inf, -1, -1)
    for i, x in enumerate(u):
        if x:
            v = i if x > 0 else len(u) + i
            r, c, b = icws_numbers(seed, v, j)
            t = math.floor(p * math.log(abs(x)) / r + b)
            z = math.exp(r * (t - b))
            best = min(best, (c / (z * math.exp(r)), v, t))
    return best[1:]


def first_dart(u, j, bounds, seed, p, darts):
    """Number of the first of so many darts under a signed row; -1 if there is none."""
    from unkernel.maps import random

    amounts = [max(x, 0) for x in u] + [max(-x, 0) for x in u]
    total = sum(m**p for m in bounds)
    for g in range(darts):
        place, v = float(random.uniforms(seed, j, 2 * g)) * total, 0
        while place >= bounds[v] ** p:
            place -= bounds[v] ** p
            v += 1
        if place < amounts[v] ** p:
            return g
    return -1


# --- linear


def linear_objective(name, A, y, c, bias, w, epsilon=0.1, width=1.35):
    """1/2 |w|^2 + sum of costs times losses, row by row; the last weight is the intercept's."""
    total = 0.5 * float(w @ w)
    for a, t, cost in zip(A, y, c, strict=True):
        f = a @ w[:-1] + bias * w[-1]
        e = abs(t - f) if name in ("squared", "huber") else abs(t - f) - epsilon if "epsilon" in name else 1 - t * f
        if name == "logistic":
            total += cost * np.logaddexp(0, -t * f)
        elif name == "huber" and e > width:
            total += cost * width * (2 * e - width)
        else:
            total += cost * max(0.0, e) ** (1 if name in ("hinge", "epsilon_insensitive") else 2)
    return total


def penalised(name, A, y, c, groups, free, steps, epsilon=0.1, width=1.35):
    """Weights, the intercept's last, by plain proximal gradient; `groups` None is l1; a free intercept pays nothing."""
    A = np.column_stack([A, np.ones(len(A))])
    d = A.shape[1] - 1
    parts = [[j] for j in range(d)] if groups is None else [np.flatnonzero(groups == g) for g in np.unique(groups)]
    size = [np.sqrt(len(p)) for p in parts] + [0.0 if free else 1.0]
    parts = [*parts, [d]]
    steep = (0.25 if name == "logistic" else 2.0) * np.linalg.eigvalsh(A.T @ (c[:, None] * A))[-1]
    w, z, t = np.zeros(d + 1), np.zeros(d + 1), 1.0
    for _ in range(steps):
        f = A @ z
        e = np.abs(y - f) if name in ("squared", "huber") else np.abs(y - f) - epsilon
        if name == "logistic":
            slope = -y / (1 + np.exp(y * f))
        elif name == "squared_hinge":
            slope = -2 * y * np.maximum(0, 1 - y * f)
        else:
            slope = 2 * np.sign(f - y) * np.clip(e, 0, width if name == "huber" else np.inf)
        new = z - A.T @ (c * slope) / steep
        for p, s in zip(parts, size, strict=True):
            length = np.linalg.norm(new[p])
            new[p] *= max(0.0, 1 - s / steep / length) if length else 0.0
        t, last = (1 + np.sqrt(1 + 4 * t * t)) / 2, t
        z, w = new + (last - 1) / t * (new - w), new
    return w


def tile_sums(codes, value, W, levels):
    """Prediction of every row from weights (k * levels,), code by code."""
    return np.array([value * sum(W[j * levels + int(c)] for j, c in enumerate(row)) for row in codes])


def equal_share(u, v):
    """255ths of codes that are equal, rounded."""
    return (510 * sum(a == b for a, b in zip(u, v, strict=True)) + len(u)) // (2 * len(u))


def equal_codes(rows):
    """How many codes each two rows share."""
    return [[sum(a == b for a, b in zip(u, v, strict=True)) for v in rows] for u in rows]


def implicit_push(name, m, cost, reach):
    """Root of  push = cost * slope of the loss at margin m + reach * push,  by halving."""
    low, high = 0.0, 2 * cost * max(1.0, 1 - m)
    for _ in range(200):
        middle = (low + high) / 2
        at = m + reach * middle
        slope = {"hinge": float(at < 1), "squared_hinge": 2 * max(0.0, 1 - at), "logistic": 1 / (1 + math.exp(at))}
        low, high = (middle, high) if cost * slope[name] > middle else (low, middle)
    return low


def stochastic(name, A, y, c, alpha, late, implicit):
    """(last, mean) weights of one pass of stochastic gradients with steps 1 / (alpha t), t from late + 1."""
    w = np.zeros(A.shape[1])
    total, count = np.zeros(A.shape[1]), 0.0
    for s, (a, sign, cost) in enumerate(zip(A, y, c, strict=True), start=1):
        t = late + s
        step = 1 / (alpha * t)
        shrunk = (1 - 1 / t) * w
        if implicit:
            push = implicit_push(name, sign * (a @ shrunk), cost, step * (a @ a))
        else:
            m = sign * (a @ w)
            push = cost * {"hinge": float(m < 1), "logistic": 1 / (1 + math.exp(m))}[name]
        w = shrunk + step * push * sign * a
        total, count = total + t * w, count + t
    return w, total / count


def dual_averaging(name, A, y, c, alpha, rate):
    """Weights of one pass of AdaGrad in its dual averaging form."""
    U, G = np.zeros(A.shape[1]), np.zeros(A.shape[1])
    for s, (a, t, cost) in enumerate(zip(A, y, c, strict=True), start=1):
        m = t * (a @ (U / (alpha * s + np.sqrt(G) / rate)))
        push = {"hinge": float(m < 1), "squared_hinge": 2 * max(0.0, 1 - m), "logistic": 1 / (1 + np.exp(m))}[name]
        U, G = U + cost * push * t * a, G + (cost * push * a) ** 2
    return U / (alpha * len(A) + np.sqrt(G) / rate)


# --- data


def svmlight_row(line):
    """Label and {index: value} of a line of svmlight text, by Python's own numbers."""
    label, *pairs = line.partition(b"#")[0].split()
    return float(label), {int(j): float(v) for j, v in (pair.split(b":") for pair in pairs)}


# --- check


# --- estimators


def left_out(K, Y, weight, ridge):
    """Least-squares scores of every row by a model of the other rows, one model after the other."""
    out = np.empty(Y.shape)
    for i in range(len(K)):
        kept = np.arange(len(K)) != i
        H = K[np.ix_(kept, kept)] + ridge * np.diag(1 / weight[kept])
        out[i] = K[i, kept] @ np.linalg.solve(H, Y[kept])
    return out
