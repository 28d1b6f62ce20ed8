"""Grid-stride loops: each thread takes the elements of an array that no other takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from .expressions import index_effect, uniform, value
from .statements import statements
from .writer import INT, UNSIGNED, Place, Scope, Writer

START, STEP = "blockIdx.x * blockDim.x + threadIdx.x", "blockDim.x * gridDim.x"


def sweep(w: Writer, scope: Scope) -> None:
    """Write a loop over `data`. All loops of a program deal its elements to the threads in the same way."""
    total = w.name("sum")
    w.line(f"unsigned {total} = 0;")
    scope.places.append(Place(total, UNSIGNED, total))
    if w.sweep_rows:
        _rows(w, scope, total)
    else:
        _elements(w, scope, total)


def _elements(w: Writer, scope: Scope, total: str) -> None:
    j, ctype = w.name("j"), w.pick(["int", "int", "unsigned", "long", "size_t"])
    start, step = START, w.pick([STEP, "gridDim.x * blockDim.x"])
    if w.chance(30):
        start, step = w.name("start"), w.name("step")
        w.line(f"const int {start} = {START}, {step} = {STEP};")
    shape = w.choices.upto(3)
    inner = scope.inner(loop=shape != 2)
    if shape == 0:
        with w.braces(f"for ({ctype} {j} = {start}; {j} < count; {j} += {step})"):
            _round(w, inner, j, f"{j}", total)
    elif shape == 1:
        with w.braces(f"for ({ctype} {j} = {start}; count > {j}; {j} = {j} + {step})"):
            _round(w, inner, j, f"{j}", total)
    elif shape == 2:
        inner.loops = 0  # no `continue`, which would leave out the step
        w.line(f"{ctype} {j} = {start};")
        with w.braces(f"while ({j} < count)"):
            _round(w, inner, j, f"{j}", total)
            w.line(f"{j} += {step};")
    else:
        with w.braces(f"for ({ctype} {j} = {start}; {j} <= count - 1; {j} += {step})"):
            _round(w, inner, j, f"{j}", total)


def _rows(w: Writer, scope: Scope, total: str) -> None:
    r, j, columns = w.name("r"), w.name("j"), w.name("columns")
    w.line(f"const int {columns} = {w.row_length};")
    inner = scope.inner(loop=True)
    inner.counter(r)
    inner.uniform.append(r)
    with w.braces(f"for (int {r} = blockIdx.x; {r} < 3; {r} += gridDim.x)"):
        if w.chance(30):
            w.line(f"if ({uniform(w, inner)} == 2) {w.pick(['break', 'continue'])};")
        with w.braces(f"for (int {j} = threadIdx.x; {j} < {columns}; {j} += blockDim.x)"):
            _round(w, inner.inner(loop=True), j, f"{r} * {columns} + {j}", total)


def _round(w: Writer, scope: Scope, j: str, at: str, total: str) -> None:
    scope.places.append(Place(f"(int){j}", INT, j, writable=False, varying=True))
    scope.places.append(Place(f"data[{at}]", w.data_type, "data", varying=True))
    features = w.features
    if w.chance(75):  # a loop that a thread may leave is not swept
        w.features = replace(features, leaves=False, locks=False)
    with _more_indices(w, [f"{at}", f"{at} + {w.choices.upto(9)}"]):
        with w.expression(scope, scope.places[-1]):
            w.line(f"{total} {w.pick(['+=', '^='])} in[{at} + ({index_effect(w, scope)} & {w.pick([0, 1, 15])})];")
        statements(w, scope, 0, 2, 1)
        if w.chance(60):
            with w.expression(scope, scope.places[-1]):
                w.line(f"data[{at}] = {value(w, scope, w.data_type)};")
    w.features = features


@contextmanager
def _more_indices(w: Writer, indices: list[str]) -> Iterator[None]:
    before = w.index_forms
    w.index_forms = before + indices * 2
    yield
    w.index_forms = before
