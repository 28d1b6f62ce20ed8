"""Tiles in shared memory: threads write their own elements, and read those of any row and column behind a barrier."""

from __future__ import annotations

from collections.abc import Callable

from .expressions import number, uniform, value
from .statements import statements
from .writer import INT, LIMIT, UNSIGNED, Place, Scope, Writer


def declare_tiles(w: Writer) -> None:
    side, last = w.tile_side, w.tile_side - 1
    w.line(f"__shared__ int tile[{side}][{side + w.pick([0, 0, 1, 4])}], other[{side}][{side}];")
    if w.fits_tiles:
        w.line("const int tx = threadIdx.x, ty = threadIdx.y;")
    else:
        w.line(f"const int tx = threadIdx.x & {last}, ty = threadIdx.y & {last};")
        w.line(f"const bool inside = threadIdx.x < {side} && threadIdx.y < {side};")
    at, turned = f"[k / {side}][k % {side}]", f"[k % {side}][k / {side}]"
    w.line(f"for (int k = tid; k < {side * side}; k += size) tile{at} = other{turned} = k & 7;")
    w.line("__syncthreads();")
    w.thread_numbers += ["tx", "ty", "(tx - ty)"]


def tile_phase(w: Writer, scope: Scope, _depth: int) -> None:
    """Write elements of one tile or of both, then read them."""
    for name in w.pick([["tile"], ["other"], ["tile", "other"], ["tile", "other"]]):
        row = w.pick(["ty", "ty", f"{w.tile_side - 1} - ty"])
        guard = "" if w.fits_tiles else "if (inside) "
        with w.expression(scope):
            w.line(f"{guard}{name}[{row}][tx] {w.pick(['=', '=', '^='])} {value(w, scope, INT)};")
    w.line("__syncthreads();")
    makers: list[tuple[int, Callable[[Writer, Scope], None]]] = [(1, _element), (2, _product)]
    w.choices.several(1, 2, lambda: w.choices.weighted(makers)(w, scope))
    w.line("__syncthreads();")


def _element(w: Writer, scope: Scope) -> None:
    last, name = w.tile_side - 1, w.name("x")
    with w.expression(scope):
        row, column = (
            w.pick([own, f"({own} + 1) & {last}", f"{last} - {own}", "0", f"{number(w, scope, 1)[0]} & {last}"])
            for own in ("ty", "tx")
        )
        w.line(f"int {name} = {w.pick(['tile', 'other'])}[{row}][{column}] & {LIMIT};")
    scope.places.append(Place(name, INT, name))


def _product(w: Writer, scope: Scope) -> None:
    """A loop in which the rows of a block read the same of one tile, and each its own of the other."""
    total, k = w.name("sum"), w.name("k")
    w.line(f"unsigned {total} = {w.pick(['0', 'tid', 'u'])};")
    scope.places.append(Place(total, UNSIGNED, total))
    row = w.pick([f"tile[ty][{k}]", f"other[ty][{k}]", f"in[ty + {k}]", f"tile[{w.tile_side - 1} - ty][{k}]"])
    column = w.pick([f"tile[{k}][tx]", f"other[{k}][tx]", f"in[{k} + tx]"])
    inner = scope.inner(loop=True)
    inner.counter(k)
    inner.uniform.append(k)
    first, count = (
        w.pick(["0", "0", "1", "u & 3"]),
        w.pick([str(w.tile_side)] * 3 + ["4", f"({uniform(w, scope)} & 7)"]),
    )
    with w.braces(f"for (int {k} = {first}; {k} < {count}; {k}++)"):
        if w.chance(25):
            w.line(f"if ({w.pick([row, column])} == 5) {w.pick(['break', 'continue'])};")
        if w.chance(30):
            statements(w, inner, 1, 1, 0)
        w.line(
            w.pick(
                [
                    f"{total} += {row} * {column};",
                    f"{total} += {row} * {column};",
                    f"{total} = max({total}, (unsigned)({row} ^ {column}));",
                    f"if ({row} > 3) {total} ^= {column}; else {total} += {k};",
                    f"if ({column} > 3) {total} += {row};",
                    f"{total} = {total} * 3 + ({column} > 2 ? {row} : {column});",
                ]
            )
        )
