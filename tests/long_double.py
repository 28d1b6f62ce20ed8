"""Reference values for math functions: the C library's 80-bit functions, and mpmath where C has none."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm
import mpmath
import numpy as np

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.load_library_permanently("libm.so.6")

Array = np.ndarray
_PI = np.longdouble("3.14159265358979323846264338327950288")


@cache
def _compiled(name: str, count: int) -> tuple[llvm.ExecutionEngine, Callable[..., None]]:
    """Compile `for i: out[i] = name(a0[i], ...)` on arrays of long double."""
    params = ", ".join(["x86_fp80"] * count)
    loads = "\n".join(
        f"%p{k} = getelementptr x86_fp80, ptr %a{k}, i64 %i\n%v{k} = load x86_fp80, ptr %p{k}, align 16"
        for k in range(count)
    )
    module = llvm.parse_assembly(f"""
        declare x86_fp80 @{name}({params})
        define void @run(i64 %n, ptr %out, {", ".join(f"ptr %a{k}" for k in range(count))}) {{
        entry:
          br label %loop
        loop:
          %i = phi i64 [0, %entry], [%next, %loop]
          {loads}
          %r = call x86_fp80 @{name}({", ".join(f"x86_fp80 %v{k}" for k in range(count))})
          %q = getelementptr x86_fp80, ptr %out, i64 %i
          store x86_fp80 %r, ptr %q, align 16
          %next = add i64 %i, 1
          %more = icmp slt i64 %next, %n
          br i1 %more, label %loop, label %done
        done:
          ret void
        }}""")
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    pointers = [ctypes.c_void_p] * (count + 1)
    return engine, ctypes.CFUNCTYPE(None, ctypes.c_int64, *pointers)(engine.get_function_address("run"))


def libm(name: str, *args: Array) -> Array:
    """Apply a C function of long doubles, such as `expl`, to arrays."""
    arrays = [np.ascontiguousarray(arg, np.longdouble) for arg in args]
    out = np.empty_like(arrays[0])
    _compiled(name, len(args))[1](len(out), out.ctypes.data, *(array.ctypes.data for array in arrays))
    return out


def _by_mpmath(function: Callable[[mpmath.mpf], mpmath.mpf]) -> Callable[[Array], Array]:
    """Evaluate at 200 bits, the result keeps 64; arguments beyond 1000 count as 1000."""

    def values(x: Array) -> Array:
        out = np.empty(len(x), np.longdouble)
        with mpmath.workprec(200):
            for i, value in enumerate(np.asarray(x, np.float64).tolist()):
                exact = function(mpmath.mpf(max(-1e3, min(1e3, value)))) if value == value else mpmath.nan
                if mpmath.mpf("1e-4900") < exact < mpmath.mpf("1e4900"):  # what a long double holds
                    out[i] = np.longdouble(mpmath.nstr(exact, 25))
                else:
                    out[i] = float(exact)  # 0, infinity or NaN
        return out

    return values


def _sin_cos_pi(x: Array) -> tuple[Array, Array]:
    k = np.rint(2 * x)
    f = (x - k / 2) * _PI
    sine, cosine = libm("sinl", f), libm("cosl", f)
    turn = np.fmod(k, 4)
    turn = np.where(turn < 0, turn + 4, turn)
    sines = np.select([turn == 0, turn == 1, turn == 2], [sine, cosine, -sine], -cosine)
    cosines = np.select([turn == 0, turn == 1, turn == 2], [cosine, -sine, -cosine], sine)
    return np.where(sines == 0, np.copysign(0, x), sines), cosines + 0  # cosines have no -0


def _erfcinv(q: Array) -> Array:
    """Halley's method on erfc(x) = q, for 0 < q <= 1; the starting value is the leading term of the tail."""
    x = np.where(q < 0.3, np.sqrt(np.abs(-np.log(q) - 0.5 * np.log(np.maximum(1e-3, -np.log(q)) * _PI))), 1 - q)
    for _ in range(8):
        # relative to the derivative: (erfc(x) - q) / (-2/sqrt(pi) exp(-x^2)), without underflow in long double
        step = (libm("erfcl", x) - q) / (-2 / np.sqrt(_PI) * np.exp(-x * x))
        x = x - step / (1 + x * step)
    return np.where(q == 0, np.longdouble("inf"), x)


def _erfinv(p: Array) -> Array:
    size = np.abs(p)
    x = size * np.sqrt(_PI) / 2
    for _ in range(8):
        step = (libm("erfl", x) - size) / (2 / np.sqrt(_PI) * np.exp(-x * x))
        x = x - step / (1 + x * step)
    result: Array = np.copysign(np.where(size > 0.5, _erfcinv(1 - size), x), p)
    return result


def _erfcinv_all(y: Array) -> Array:
    low, high = np.minimum(y, 1), np.minimum(2 - y, 1)
    middle = _erfinv(1 - y)
    return np.where(y < 0.5, _erfcinv(low), np.where(y > 1.5, -_erfcinv(high), middle))


def _norm(*args: Array) -> Array:
    infinite = np.any([np.isinf(x) for x in args], axis=0)
    return np.where(infinite, np.longdouble("inf"), np.sqrt(sum(x * x for x in args)))


def _erfcx(x: Array) -> Array:
    near = _by_mpmath(lambda x: mpmath.exp(x * x) * mpmath.erfc(x))(x)
    u = 1 / (2 * x * x)
    return np.where(x < 900, near, (1 - u + 3 * u * u - 15 * u * u * u) / (x * np.sqrt(_PI)))


_SPECIAL: dict[str, Callable[..., Array]] = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rcbrt": lambda x: 1 / libm("cbrtl", x),
    "rhypot": lambda x, y: 1 / libm("hypotl", x, y),
    "norm3d": _norm,
    "rnorm3d": lambda *args: 1 / _norm(*args),
    "norm4d": _norm,
    "rnorm4d": lambda *args: 1 / _norm(*args),
    "sinpi": lambda x: _sin_cos_pi(x)[0],
    "cospi": lambda x: _sin_cos_pi(x)[1],
    "erfinv": _erfinv,
    "erfcinv": _erfcinv_all,
    "normcdfinv": lambda p: -np.sqrt(np.longdouble(2)) * _erfcinv_all(2 * p),
    "normcdf": _by_mpmath(lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2),
    "erfcx": _erfcx,
    "fdivide": lambda x, y: x / y,
    "sincos_sin": lambda x: libm("sinl", x),
    "sincos_cos": lambda x: libm("cosl", x),
}


def reference(op: str, *args: Array) -> Array:
    """Return the value of `op` (CUDA's name of the double function) for float or double arrays, as long double."""
    wide = [arg.astype(np.longdouble) for arg in args]
    with np.errstate(all="ignore"):
        if op in _SPECIAL:
            return _SPECIAL[op](*wide)
        return libm(op + "l", *wide)


def _order(x: Array) -> Array:
    """Number the floats in increasing order, so that neighbours differ by 1 (both zeros are 0)."""
    bits = x.view(np.int32 if x.dtype == np.float32 else np.int64).astype(np.longdouble)
    lowest = -(np.longdouble(2) ** (x.itemsize * 8 - 1))
    return np.where(bits < 0, lowest - bits, bits)


def ulp_difference(got: Array, exact: Array) -> Array:
    """Return how many floats lie between `got` and the correctly rounded `exact`; infinite if only one is NaN."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(got.dtype)
    difference: Array = np.abs(_order(got) - _order(rounded))
    difference[np.isnan(got) & np.isnan(rounded)] = 0
    difference[np.isnan(got) != np.isnan(rounded)] = np.inf
    return difference
