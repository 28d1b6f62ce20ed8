"""Values that go from thread to thread of a block, between barriers that all of its threads reach.

In each phase, the code between two barriers, a thread writes only what no other thread touches, or nothing.
Before any thread can leave, all shared memory has values: what a thread that left would have written is known.
"""

from __future__ import annotations

from collections.abc import Callable

from .expressions import divergent, number, uniform, value, within, word
from .statements import statements
from .tiles import tile_phase
from .warps import together
from .writer import INT, LIMIT, Place, Scope, Writer

EXCHANGE = """
__device__ int exchange(int *cells, int value, int at, int source)
{
    __syncthreads();
    cells[at] = value;
    __syncthreads();
    int got = cells[source];
    __syncthreads();
    return got;
}
""".strip().splitlines()


def declare_shared(w: Writer) -> None:
    w.line("__shared__ int cells[1024];")
    w.line("__shared__ unsigned bins[8], common;")
    w.line("cells[tid] = tid * 3;")
    w.line("relay[i] = tid;")
    w.line("if (tid == 0) { common = 1; for (int k = 0; k < 8; k++) bins[k] = k; }")
    w.line("__syncthreads();")


def exchange(w: Writer, scope: Scope, depth: int) -> None:
    """Write some phases at a place where the whole block is."""
    makers: list[tuple[int, Callable[[Writer, Scope, int], None]]] = [
        (8 * w.features.tiles, tile_phase),
        (4, _pass),
        (2, _broadcast),
        (2, _reduce),
        (2, _scan),
        (2, _histogram),
        (1, _call),
        (2, _first_threads),
        (2, _relay),
        (2, _count),
    ]
    if w.features.warps:
        makers.append((5, together))
    if w.only_tiles:
        makers = makers[:1]
    if depth > 0:
        makers += [(3, _loop), (2, _branch), (1, _do), (1, _select)]
    w.choices.part(lambda: w.choices.weighted(makers)(w, scope, depth))


def _source(w: Writer, scope: Scope) -> str:
    """The place of another thread."""
    other = f"(int)((unsigned){number(w, scope, 1)[0]} % (unsigned)size)"
    return w.pick(["tid", "(tid + 1) % size", "size - 1 - tid", "(tid ^ 1) % size", "(tid > 0 ? tid - 1 : 0)", other])


def _got(w: Writer, scope: Scope, text: str) -> None:
    name = w.name("x")
    w.line(f"int {name} = {text} & {LIMIT};")
    scope.places.append(Place(name, INT, name))


def _pass(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        w.line(f"cells[tid] = {value(w, scope, INT)};")
    w.line("__syncthreads();")
    with w.expression(scope):
        _got(w, scope, f"cells[{_source(w, scope)}]")
    if w.chance(30):
        with w.expression(scope):
            w.line(f"if {divergent(w, scope, 1)} h ^= cells[{_source(w, scope)}];")
    w.line("__syncthreads();")


def _relay(w: Writer, scope: Scope, _depth: int) -> None:
    """The same through global memory."""
    with w.expression(scope):
        w.line(f"relay[i] = {value(w, scope, INT)};")
    w.line("__syncthreads();")
    with w.expression(scope):
        _got(w, scope, f"relay[i - tid + {_source(w, scope)}]")
    w.line("__syncthreads();")


def _first_threads(w: Writer, scope: Scope, _depth: int) -> None:
    """A phase for the first threads of a row alone, as many as all threads of the block agree on."""
    count = w.pick([uniform(w, scope), "size / 2", "3", "16", "u * 7"])
    thread = w.pick(["tid", "(int)threadIdx.x"])
    head = w.pick([f"{thread} < {count}", f"{thread} <= {count}", f"{count} > {thread}", f"{thread} == 0"])
    with w.braces(f"if ({head})"):
        with w.expression(scope):
            w.line(f"cells[tid] {w.pick(['=', '^='])} {value(w, scope, INT)};")
        statements(w, scope.inner(), 0, 1, 1)
    w.line("__syncthreads();")
    _got(w, scope, w.pick(["cells[0]", "cells[tid]", "cells[size - 1 - tid]"]))
    w.line("__syncthreads();")


def _call(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        _got(w, scope, f"exchange(cells, {within(w, number(w, scope, 1), INT)}, tid, {_source(w, scope)})")


def _count(w: Writer, scope: Scope, _depth: int) -> None:
    """All threads that are left vote; all agree on the result."""
    name = w.name("t")
    with w.expression(scope):
        text = f"__syncthreads_{w.pick(['count', 'and', 'or'])}({divergent(w, scope, 2)})"
    w.line(f"const int {name} = {text} & 7;")
    scope.counter(name)
    scope.uniform.append(name)


def _broadcast(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        w.line(f"if (tid == {w.pick(['0', 'size - 1', 'u % size', 'size / 2'])}) common = {word(w, scope, 1)};")
    w.line("__syncthreads();")
    name = w.name("t")
    w.line(f"const int {name} = common & 7;")
    w.line("__syncthreads();")
    scope.counter(name)
    scope.uniform.append(name)


def _reduce(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        w.line(f"cells[tid] = {value(w, scope, INT)};")
    w.line("__syncthreads();")
    s = w.name("s")
    head = w.pick(
        [
            f"int {s} = 512; {s} > 0; {s} >>= 1",
            f"int {s} = 256; {s} > 0; {s} /= 2",
            f"int {s} = 1; {s} < size; {s} *= 2",
        ]
    )
    with w.braces(f"for ({head})"):
        if "*=" in head:
            w.line(f"if (tid % (2 * {s}) == 0 && tid + {s} < size) cells[tid] ^= cells[tid + {s}];")
        else:
            op = w.pick(
                ["cells[tid] ^= %s", "cells[tid] = max(cells[tid], %s)", "cells[tid] = (cells[tid] + %s) % 4095"]
            )
            guard = w.pick([f"tid < {s} && tid + {s} < size", f"tid + {s} < size && tid < {s}"])
            w.line(f"if ({guard}) {op.replace('%s', f'cells[tid + {s}]')};")
        w.line("__syncthreads();")
    _got(w, scope, w.pick(["cells[0]", "cells[tid]", "cells[tid / 2]"]))
    w.line("__syncthreads();")


def _scan(w: Writer, scope: Scope, _depth: int) -> None:
    with w.expression(scope):
        w.line(f"cells[tid] = {value(w, scope, INT)} & 255;")
    w.line("__syncthreads();")
    s, before = w.name("s"), w.name("before")
    with w.braces(f"for (int {s} = 1; {s} < size; {s} *= 2)"):
        w.line(f"int {before} = tid >= {s} ? cells[tid - {s}] : 0;")
        w.line("__syncthreads();")
        w.line(f"cells[tid] += {before};")
        w.line("__syncthreads();")
    _got(w, scope, f"cells[{_source(w, scope)}]")
    w.line("__syncthreads();")


def _histogram(w: Writer, scope: Scope, _depth: int) -> None:
    """Atomic operations on shared memory, then everybody reads."""
    w.line(w.pick(["if (tid < 8) bins[tid] = 5;", "for (int k = tid; k < 8; k += size) bins[k] = 5;"]))
    w.line("__syncthreads();")
    op = w.pick(["Add", "Max", "Min", "Xor", "Or", "And"])
    guard = ""
    if w.chance(50):
        with w.expression(scope):
            guard = f"if {divergent(w, scope, 1)} "
    with w.expression(scope):
        at = w.pick([f"{number(w, scope, 1)[0]} & 7", "0", "tid & 7"])
        w.line(f"{guard}atomic{op}(&bins[{at}], {word(w, scope, 1)});")
    w.line("__syncthreads();")
    _got(w, scope, f"(int)bins[{w.pick(['tid & 7', '3', 'u & 7'])}]")
    w.line("__syncthreads();")


def _body(w: Writer, scope: Scope, depth: int) -> None:
    """Phases, and what threads do between them on their own: they may leave for good, not jump elsewhere."""
    inner = scope.inner()
    inner.loops, inner.in_switch = 0, False

    def phases() -> None:
        statements(w, inner, 0, 1, 1)
        exchange(w, inner, depth - 1)

    w.choices.several(1, 2, phases)


def _loop(w: Writer, scope: Scope, depth: int) -> None:
    counter = w.name("r")
    inner = scope.inner()
    inner.counter(counter)
    bound = f"({uniform(w, scope)} & 3)"
    inner.uniform.append(counter)
    with w.braces(f"for (int {counter} = 0; {counter} < {bound}; {counter}++)"):
        if w.chance(20):
            w.line(f"if ({uniform(w, inner)} == {w.choices.upto(3)}) {w.pick(['break', 'continue'])};")
        _body(w, inner, depth)
        if w.chance(20):
            w.line(f"if ({uniform(w, inner)} > 2) {w.pick(['break', 'continue'])};")


def _do(w: Writer, scope: Scope, depth: int) -> None:
    fuel = w.name("fuel")
    w.line(f"int {fuel} = {uniform(w, scope)} & 3;")
    inner = scope.inner()
    inner.uniform.append(fuel)
    with w.braces("do", f" while (--{fuel} > 0);"):
        _body(w, inner, depth)


def _branch(w: Writer, scope: Scope, depth: int) -> None:
    with w.braces(f"if ({uniform(w, scope)} & {w.pick([1, 2])})"):
        _body(w, scope, depth)
    if w.chance(40):
        with w.braces("else"):
            _body(w, scope, depth)


def _select(w: Writer, scope: Scope, depth: int) -> None:
    with w.braces(f"switch ({uniform(w, scope)} & 3)"):
        for labels in (("case 0:",), ("case 2:", "default:"), ("case 3:",)):
            for label in labels:
                w.line(label)
            with w.braces():
                _body(w, scope, depth)
                if w.chance(60):
                    w.line("break;")
