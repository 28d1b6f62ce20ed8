"""Draws kernels whose threads meet at barriers, wait for flags and take locks in any control flow.

`p` counts the barriers that a thread has passed. All threads that have not ended have passed as many when one opens: so
in phase `p` each writes its own slot of buffer `p & 1`, and reads slots of the other buffer, which is not written then.

Threads wait for flags only in phases that all reach by the same `align`. No thread meets a barrier before it has set
its own. A thread that ends sets all flags that are left: threads that wait for it continue.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

THREADS = (1, 15, 16, 17, 31, 32, 33, 48, 256)
MOST_THREADS = max(THREADS)
FLAGS = 4  # per thread
LOCKS = 8
MOST_BARRIERS = 60  # of a thread, between two aligned phases

HEAD = f"""
#define N {MOST_THREADS}
__device__ int mix(int a, int b) {{ return (a * 31 + b * 17 + (b >> 3)) & 0xffff; }}
__device__ __noinline__ int mix_far(int a, int b) {{ return (a * 7 + b * 11 + (a >> 2)) & 0xffff; }}
__device__ void add(int *at, int x) {{ *at = (*at + x) & 0xffff; }}
__device__ void leave(volatile int *flags, int g, int h) {{
    for (int k = 0; k < {FLAGS}; k++) if (flags[g * {FLAGS} + k] == 0) flags[g * {FLAGS} + k] = h | 1;
}}
"""
STORE = "cells[(p & 1) * N + t] = h;"


@dataclass(frozen=True)
class Kernel:
    """A program, and its launch."""

    text: str
    blocks: int
    threads: int


class _Writer:
    """Statements, one in a line. `budget`: barriers left for a thread; `times`: iterations of outer loops."""

    def __init__(self, choices: random.Random) -> None:
        self.choices = choices
        self.lines: list[str] = []
        self.names = 0
        self.indent = 1
        self.budget = 0
        self.times = 1
        self.passed = 0  # barriers, at most
        self.flag = 0
        self.blocks = choices.choice([1, 1, 2, 3])
        self.sync = choices.choice(["__syncthreads()"] * 4 + ["count", "or", "and"])
        self.warps = choices.random() < 0.4
        self.functions = {name: choices.choice(["", "__noinline__ "]) for name in ("meet", "twice", "again", "keep")}

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def pick(self, texts: list[str]) -> str:
        return self.choices.choice(texts)

    def chance(self, percent: int) -> bool:
        return self.choices.randrange(100) < percent

    def afford(self, barriers: int) -> bool:
        """Whether so many barriers more are within the budget; then they are taken from it."""
        cost = barriers * self.times
        if cost > self.budget:
            return False
        self.budget -= cost
        return True


def kernel(number: str) -> Kernel:
    """Return the kernel of that number; the same one whenever it is asked for."""
    choices = random.Random(number)
    w = _Writer(choices)
    _body(w)
    text = HEAD + _functions(w) + "\n".join([_SIGNATURE, *w.lines, "}"]) + "\n"
    threads = choices.choice(THREADS)
    return Kernel(text, w.blocks, threads)


_SIGNATURE = 'extern "C" __global__ void kernel(int *out, volatile int *flags, int *locks, volatile int *sums, int n) {'


def barrier(w: _Writer, h: str = "h") -> str:
    """Return a barrier, as an expression. What those give that count votes becomes a part of `h`."""
    if w.sync.startswith("_"):
        return w.sync
    return f"{h} = mix({h}, __syncthreads_{w.sync}({w.pick([f'{h} & 1', f'{h} & 3', 't & 1', f'({h} & 7) != 0'])}))"


def _functions(w: _Writer) -> str:
    read = "mix(h, cells[(p & 1) * N + o])"  # p is the caller's: of the phase before
    f = w.functions
    return f"""
__device__ {f["meet"]}int meet(int *cells, int t, int o, int h, int p) {{
    {STORE} {barrier(w)}; return {read};
}}
__device__ {f["twice"]}int twice(int *cells, int t, int o, int h, int p) {{
    if (h & 2) {{ {barrier(w)}; p++; if (h & 4) return h | p << 16; }}
    {STORE} {barrier(w)}; h = {read}; p++;
    return h | p << 16;
}}
__device__ int again(int *cells, int t, int o, int h, int p, int depth) {{
    if (depth == 0) return h | p << 16;
    {STORE} {barrier(w)}; h = {read}; p++;
    if (h & 1) {{ {barrier(w)}; p++; }}
    return again(cells, t, o, h, p, depth - 1);
}}
__device__ {f["keep"]}void keep(int *cells, int t, int o, int *h, int *p) {{
    for (int k = *h & 1; k < 2; k++) {{
        cells[(*p & 1) * N + t] = *h;
        {barrier(w, "*h")};
        *h = mix(*h, cells[(*p & 1) * N + o]); ++*p;
        if (*h & 8) return;
    }}
}}
"""


def _body(w: _Writer) -> None:
    w.line("__shared__ int cells[2 * N];")
    w.line("int t = threadIdx.x, g = blockIdx.x * blockDim.x + t, h = (g * 7 + 3) & 255, p = 0, o;")
    w.line("int own[4] = {1, 2, 3, 4}; int *place = &own[t & 3];")
    w.line("cells[t] = t; cells[N + t] = t * 2; o = (t + 1) % blockDim.x;")
    w.line("__syncthreads();")
    if w.warps:
        w.line("h = mix(h, __popc(__ballot_sync(0xffffffff, h & 4)));")
    for _ in range(w.choices.randint(1, 3)):
        w.budget = MOST_BARRIERS
        w.passed += MOST_BARRIERS
        _statements(w, 3, in_loop=False)
        if w.chance(60):
            _align(w)
            if w.chance(70):
                _waits(w)
    w.line("out[g] = mix(h, p) + *place;")
    w.line("leave(flags, g, h);")


def _align(w: _Writer) -> None:
    """Let all threads that have not ended pass as many barriers."""
    w.line(f"while (p < {w.passed}) {{ {STORE} {barrier(w)}; p++; h = mix(h, cells[(p + 1 & 1) * N + o]); }}")


def _statements(w: _Writer, depth: int, *, in_loop: bool) -> None:
    for _ in range(w.choices.randint(1, 3)):
        makers: list[Callable[[_Writer, int, bool], None]] = [_meet, _meet, _plain, _in_expression, _call]
        if depth > 0:
            makers += [_if, _if, _loop, _loop, _switch]
        w.choices.choice(makers)(w, depth, in_loop)
    if w.chance(8):
        _jump(w, in_loop)


def _condition(w: _Writer) -> str:
    bit = 1 << w.choices.randrange(5)
    return w.pick(
        [f"h & {bit}", f"t & {bit}", f"t < {w.choices.choice([1, 5, 15, 16, 20, 32, 40])}", f"(h & {bit}) == 0",
         f"t / 16 == {w.choices.randrange(3)}", f"n > {w.choices.randrange(8)}", f"t % 3 == {w.choices.randrange(3)}"]
    )  # fmt: skip


def _plain(w: _Writer, depth: int, in_loop: bool) -> None:
    w.line(
        w.pick(
            ["h = mix(h, cells[(p + 1 & 1) * N + o]);", STORE, "o = (o + h) % blockDim.x;", "own[h & 3] += h & 15;",
             "h = mix_far(h, own[h >> 1 & 3]);", "add(place, h);", "place = &own[h & 3];", "h = mix(h, *place);"]
        )
    )  # fmt: skip


def _meet(w: _Writer, depth: int, in_loop: bool) -> None:
    if w.afford(1):
        before = STORE if w.chance(70) else ""
        behind = "h = mix(h, cells[(p + 1 & 1) * N + o]);" if w.chance(70) else ""
        w.line(f"{before} {barrier(w)}; p++; {behind}".strip())


def _in_expression(w: _Writer, depth: int, in_loop: bool) -> None:
    if not w.afford(1):
        return
    met = "(p++, meet(cells, t, o, h, p - 1))"
    condition = _condition(w)
    x = w.name()
    w.line(
        w.pick(
            [f"int {x} = ({condition}) && ({met} & 2); h = mix(h, {x});",
             f"int {x} = ({condition}) || ({met} & 2); h = mix(h, {x} + p);",
             f"int {x} = ({condition}) ? {met} : h >> 1; h = mix(h, {x});",
             f"int {x} = ({condition}) ? *place : mix({met}, 3); h = mix(h, {x});",
             f"int {x} = mix_far({met}, t); h = mix(h, {x} ^ own[p & 3]);",
             f"if (({condition}) && ({met} & 1)) h = mix(h, 5);",
             f"int {x} = own[{met} & 3]; h = mix(h, {x});",
             f"int {x} = {met} + (*place += h & 3); h = mix(h, {x});",
             f"int {x} = mix_far({met}, own[t & 1]++); h = mix(h, {x});",
             f"int {x} = {met} + mix(atomicAdd((int *)&sums[{LOCKS}], 1) * 0, 1); h = mix(h, {x});",
             f"for (int {x} = {met} & 1; {x} < 2; {x}++) h = mix(h, ++own[{x}]);",
             f"if ({condition}) h = mix(h, mix({met}, atomicAdd((int *)&sums[{LOCKS}], 2) * 0));"]
        )
    )  # fmt: skip


def _call(w: _Writer, depth: int, in_loop: bool) -> None:
    which, x = w.choices.randrange(3), w.name()
    if which == 0 and w.afford(2):
        w.line(f"int {x} = twice(cells, t, o, h, p); h = {x} & 0xffff; p = {x} >> 16;")
    elif which == 1 and w.afford(4):
        w.line(
            f"int {x} = again(cells, t, o, h, p, {w.pick(['h & 1', 't % 3', '2'])}); h = {x} & 0xffff; p = {x} >> 16;"
        )
    elif which == 2 and w.afford(2):
        y = w.name()
        w.line(f"int {x} = h, {y} = p; keep(cells, t, o, &{x}, &{y}); h = {x}; p = {y};")


def _block(w: _Writer, head: str, depth: int, in_loop: bool, tail: str = "") -> None:
    w.line(f"{head} {{")
    w.indent += 1
    _statements(w, depth - 1, in_loop=in_loop)
    w.indent -= 1
    w.line("}" + tail)


def _if(w: _Writer, depth: int, in_loop: bool) -> None:
    _block(w, f"if ({_condition(w)})", depth, in_loop)
    if w.chance(50):
        _block(w, "else", depth, in_loop)


def _loop(w: _Writer, depth: int, in_loop: bool) -> None:
    bound, i = w.name(), w.name()
    most = 3
    w.line(f"int {bound} = {w.pick(['h & 3', 't & 3', 't % 4', 'n & 3', 'h % 3', '(t >> 4) & 3'])};")
    w.times *= most
    shape = w.choices.randrange(3)
    if shape == 0:
        _block(w, f"for (int {i} = 0; {i} < {bound}; {i}++)", depth, True)
    elif shape == 1:
        _block(w, f"while ({bound}-- > 0)", depth, True)
    else:
        _block(w, "do", depth, True, f" while (--{bound} > 0);")
    w.times //= most


def _switch(w: _Writer, depth: int, in_loop: bool) -> None:
    w.line(f"switch ({w.pick(['h & 3', 't & 3', 't % 3', 'h % 5'])}) {{")
    for label in w.choices.sample(["case 0:", "case 1:", "case 2:", "default:"], w.choices.randint(2, 4)):
        _block(w, label, depth, in_loop)
        if w.chance(60):
            w.line("break;")
    w.line("}")


def _jump(w: _Writer, in_loop: bool) -> None:
    leave = "{ out[g] = h; leave(flags, g, h); return; }"
    jumps = [leave] + ["break;", "continue;"] * 2 if in_loop else [leave]
    w.line(f"if ({_condition(w)}) {w.pick(jumps)}")


# ------------------------------------------------------------------------------------- waiting for threads


def _waits(w: _Writer) -> None:
    if w.flag < FLAGS and w.chance(70):
        _flags(w)
    if w.chance(60):
        _lock(w)


def _flags(w: _Writer) -> None:
    """Wait for a flag of another thread, which is set first by threads that wait for none or for earlier ones."""
    k = w.flag
    w.flag += 1
    own = f"flags[g * {FLAGS} + {k}]"
    publish = w.pick([f"{own} = h | 1;", f"__threadfence(); {own} = h | 1;", f"atomicExch((int *)&{own}, h | 1);"])
    of_block = "blockIdx.x" if w.blocks == 1 or w.chance(60) else f"((blockIdx.x + 1) % {w.blocks})"

    def wait(thread: str) -> str:
        at = f"flags[({of_block} * blockDim.x + ({thread})) * {FLAGS} + {k}]"
        see = w.pick([at, f"atomicAdd((int *)&{at}, 0)"])
        loop = w.pick([f"while ({see} == 0) {{ PAUSE }}", f"for (;;) {{ if ({see} != 0) break; PAUSE }}"])
        return f"{loop} h = mix(h, {at});"

    shape = w.choices.randrange(4)
    bit = 1 << w.choices.randrange(5)
    if shape == 0:
        w.line(f"if (t & {bit}) {{ {wait(f't - {bit}')} {publish} }} else {{ {publish} }}")
    elif shape == 1:
        w.line(f"if ((t & {bit}) == 0 && t + {bit} < blockDim.x) {{ {wait(f't + {bit}')} }} {publish}")
    elif shape == 2 and of_block == "blockIdx.x":
        w.line(f"if (t > 0) {{ {wait('t - 1')} }} {publish}")
    elif shape == 3 and of_block == "blockIdx.x":
        w.line(f"if (t < blockDim.x - 1) {{ {wait('t + 1')} }} {publish}")
    else:
        w.line(f"{publish} {wait('blockDim.x - 1 - t')}")


def _lock(w: _Writer) -> None:
    lock = w.pick(["0", "h & 7", "t & 3", "t / 16 & 7"])
    x = w.name()
    work = f"sums[{x}] = sums[{x}] + (h & 7); __threadfence();"
    w.line(f"int {x} = {lock};")
    w.line(
        w.pick(
            [f"while (atomicCAS(&locks[{x}], 0, 1) != 0) {{ PAUSE }} {work} atomicExch(&locks[{x}], 0);",
             f"for (bool done = false; !done;) {{ if (atomicCAS(&locks[{x}], 0, 1) == 0) {{ {work} "
             f"atomicExch(&locks[{x}], 0); done = true; }} PAUSE }}",
             f"while (atomicExch(&locks[{x}], 1) != 0) {{ PAUSE }} {work} atomicExch(&locks[{x}], 0);"]
        )
    )  # fmt: skip
