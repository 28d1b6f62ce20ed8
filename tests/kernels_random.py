"""Random kernels: valid CUDA-C without undefined behaviour or races, and with as much divergence as fits in.

    __global__ void kernel(const int *in, int *out, int n, int u)

`in` has INPUTS numbers per thread, `out` OUTPUTS; every thread writes its own part of `out`. `n` is positive and at
most the number of threads, `u` a small number. Blocks have one or two dimensions, grids one. What the text can hold:
nested branches, switches and loops (bounded by construction) with break, continue and return in all positions;
values that all threads share, that follow the thread index, that differ; all integer types and float; local arrays,
pointers to locals; device functions, some of them recursive, with pointers; exchanges through shared memory between
barriers in uniform control flow.

No signed overflow: an `int` variable stays within +-LIMIT, and expressions know how large they can get.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

INPUTS, OUTPUTS = 4, 4
LIMIT = 4095  # of an int variable
_INT_MAX = (1 << 31) - 1

EXCHANGE_FUNCTION = """
__device__ int exchange(int *shared, int value, int source)
{
    __syncthreads();
    shared[threadIdx.y * blockDim.x + threadIdx.x] = value;
    __syncthreads();
    int got = shared[source];
    __syncthreads();
    return got;
}
""".strip().splitlines()


@dataclass
class Scope:
    """What can be named at some point of a function. Inner scopes copy it."""

    ints: list[str] = field(default_factory=list)  # |value| <= LIMIT, assignable
    counters: list[str] = field(default_factory=list)  # ints nobody may assign to
    unsigned: list[str] = field(default_factory=list)
    narrow: list[str] = field(default_factory=list)  # unsigned char, short ...
    wide: list[str] = field(default_factory=list)  # unsigned long long
    floats: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)  # int[8], elements as ints
    pointers: list[str] = field(default_factory=list)  # to ints
    loops: int = 0  # how many loops of this function lie around
    in_switch: bool = False

    def inner(self, loop: bool = False) -> Scope:
        return Scope(
            list(self.ints),
            list(self.counters),
            list(self.unsigned),
            list(self.narrow),
            list(self.wide),
            list(self.floats),
            list(self.arrays),
            list(self.pointers),
            self.loops + loop,
            False if loop else self.in_switch,
        )


def random_kernel(rng: Random) -> str:
    """Return the text of a program with one kernel, `kernel`."""
    return _Writer(rng).program()


class _Writer:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = 0
        self.lines: list[str] = []
        self.indent = 0
        self.functions: list[str] = []  # device functions written so far that change nothing
        self.effects: list[str] = []  # and those that write through a pointer
        self.function = ""  # the one that is being written; "" for the kernel
        self.recursive = False  # it may call itself
        self.slot = ""  # where a result goes; %s stands for its number
        self.flat = False  # expressions name only constants, variables and what all threads share

    # ------------------------------------------------------------------------------------- program

    def program(self) -> str:
        for k in range(self.rng.randrange(3)):
            self.device_function(f"f{k}")
        self.kernel()
        return "\n".join(self.lines) + "\n"

    def device_function(self, name: str) -> None:
        """Write a function that calls itself in some programs, `depth` levels deep at most.

        One with a pointer parameter is only called by statements of its own: operands have no order.
        """
        pointer = self.rng.random() < 0.4
        scope = Scope(ints=["a"], counters=["depth", "d[0]", "d[a & 3]"], unsigned=["b"], pointers=["p"] * pointer)
        self.line(f"__device__ int {name}(int depth, const int *d, int a, unsigned b{', int *p' * pointer})")
        self.function, self.recursive = name, False

        def body() -> None:
            self.line("if (depth <= 0)")
            self.line(f"    return {self.bounded(scope)};")
            self.recursive = not pointer and self.rng.random() < 0.5
            if pointer and self.rng.random() < 0.5:
                self.line(f"a = ({name}(depth - 1, d, {self.bounded(scope)}, b + 1, &a) + a) % {LIMIT};")
            self.line("unsigned h = b;")
            self.start(scope)
            self.statements(scope, 2 + self.rng.randrange(3), 2)
            self.note_all(scope)
            self.line(f"return h % {LIMIT}u;")

        self.braces(body)
        (self.effects if pointer else self.functions).append(name)

    def kernel(self) -> None:
        exchange = self.rng.random() < 0.6
        if exchange:
            for text in EXCHANGE_FUNCTION:
                self.line(text)
        self.line("__global__ void kernel(const int *in, int *out, int n, int u)")
        self.function, self.recursive = "", False
        scope = Scope(counters=["u", "tid", "bid", "size"])
        # A thread's results lie side by side, or those of neighbours do.
        self.slot = self.rng.choice([f"out[i * {OUTPUTS} + %s]", "out[(int)gridDim.x * size * %s + i]"])

        def body() -> None:
            self.line(
                "int tid = threadIdx.y * blockDim.x + threadIdx.x, bid = blockIdx.x, size = blockDim.x * blockDim.y;"
            )
            self.line("int i = bid * size + tid;")
            if exchange:  # before anybody leaves: what a thread that left would have written is known
                self.line("__shared__ int shared[1024];")
                self.line("shared[tid] = tid * 3;")
            self.line(f"const int *d = in + i * {INPUTS};")
            self.line("unsigned h = 1;")
            self.line(f"for (int k = 0; k < {OUTPUTS}; k++)")
            self.line(f"    {self.slot % 'k'} = -1;")
            if self.rng.random() < 0.5:
                self.line("if (i >= n)")
                self.line("    return;")
            self.start(scope)
            for _ in range(2 + self.rng.randrange(3)):
                if exchange and self.rng.random() < 0.5:
                    self.exchange(scope, 1)
                else:
                    self.statements(scope, 2 + self.rng.randrange(3), 3)
            self.note_all(scope)
            self.line(f"{self.slot % 0} = h;")
            self.line(f"{self.slot % 1} ^= (int)({self.any_value(scope)});")

        self.braces(body)

    def start(self, scope: Scope) -> None:
        """Variables that all threads share, until something happens to them."""
        for _ in range(3):
            name = self.name("x")
            self.line(f"int {name} = {self.rng.choice(['0', '1', '7', scope.counters[0]])};")
            scope.ints.append(name)

    def note(self, name: str) -> None:
        """Fold a variable into the thread's hash: what it holds here decides what comes out in the end."""
        self.line(f"h = h * 33u + (unsigned){name};")

    def note_all(self, scope: Scope) -> None:
        for name in (*scope.ints, *scope.counters, *scope.unsigned, *scope.narrow, *scope.wide):
            self.note(name)
        for name in scope.floats:
            self.note(f"({name} < 1.0f)")
        for name in scope.arrays:
            self.note(f"{name}[{self.rng.randrange(8)}]")

    def exchange(self, scope: Scope, depth: int) -> None:
        """Values go from thread to thread, in control flow that all threads of a block share."""
        kind = self.rng.randrange(4) if depth else 0
        if kind == 1:
            self.line(f"if ({self.rng.choice(['u & 1', 'bid & 1', 'u > 2', 'size > 16'])})")
            self.braces(lambda: self.exchange(scope.inner(), depth - 1))
        elif kind == 2:
            counter = self.name("r")
            self.line(f"for (int {counter} = 0; {counter} < {self.rng.choice(['2', 'u', 'bid + 1'])}; {counter}++)")
            inner = scope.inner()
            inner.counters.append(counter)
            self.braces(lambda: self.exchange(inner, depth - 1))
        else:
            got, value = self.name("x"), self.bounded(scope)
            other = f"(unsigned)({self.int_(scope, 2)[0]}) % size"
            source = self.rng.choice(["tid", "(tid + 1) % size", "size - 1 - tid", other])
            if kind == 3:
                self.line(f"int {got} = exchange(shared, {value}, {source}) & {LIMIT};")
            else:
                self.line("__syncthreads();")
                self.line(f"shared[tid] = {value};")
                self.line("__syncthreads();")
                self.line(f"int {got} = shared[{source}] & {LIMIT};")
                self.line("__syncthreads();")
            scope.ints.append(got)
            slot = self.slot % self.rng.randrange(OUTPUTS)
            self.line(f"{slot} = ({slot} & 0xffff) + {got};")

    # ---------------------------------------------------------------------------------- statements

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def braces(self, body: Callable[[], None]) -> None:
        self.line("{")
        self.indent += 1
        body()
        self.indent -= 1
        self.line("}")

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def statements(self, scope: Scope, count: int, depth: int) -> None:
        for _ in range(count):
            self.statement(scope, depth)

    def few_statements(self, scope: Scope, depth: int) -> None:
        self.statements(scope, 1 + self.rng.randrange(2), depth)

    def block(self, scope: Scope, depth: int, loop: bool = False) -> None:
        self.braces(lambda: self.statements(scope.inner(loop), 1 + self.rng.randrange(3), depth - 1))

    def statement(self, scope: Scope, depth: int) -> None:
        kinds: list[tuple[int, Callable[[Scope, int], None]]] = [(3, self.declare), (6, self.assign), (2, self.leave)]
        if depth > 0:
            kinds += [(4, self.if_), (3, self.for_), (1, self.while_), (1, self.do), (2, self.switch)]
        weights = [weight for weight, _ in kinds]
        # Many values are the same in all threads, so that it is control flow that makes them differ.
        self.flat = self.rng.random() < 0.6
        self.rng.choices([kind for _, kind in kinds], weights)[0](scope, depth)
        if scope.ints and self.rng.random() < 0.3:
            self.note(self.rng.choice(scope.ints))

    def divergent(self, scope: Scope, depth: int) -> str:
        """A condition, mostly one on which threads disagree."""
        flat, self.flat = self.flat, self.rng.random() < 0.2
        text = self.condition(scope, depth)
        self.flat = flat
        return text

    def number(self, scope: Scope) -> str:
        """A small number, mostly one that differs from thread to thread."""
        flat, self.flat = self.flat, self.rng.random() < 0.2
        text = self.int_(scope, 1)[0]
        self.flat = flat
        return text

    def declare(self, scope: Scope, _depth: int) -> None:
        kind = self.rng.randrange(12)
        if kind == 0:
            name = self.name("v")
            self.line(f"unsigned {name} = {self.unsigned(scope, 2)};")
            scope.unsigned.append(name)
        elif kind == 1:
            name = self.name("w")
            self.line(f"unsigned long long {name} = {self.wide(scope, 2)};")
            scope.wide.append(name)
        elif kind == 2:
            name = self.name("f")
            self.line(f"float {name} = {self.float_(scope, 2)};")
            scope.floats.append(name)
        elif kind == 3:
            name = self.name("c")
            ctype = self.rng.choice(["unsigned char", "signed char", "short", "unsigned short", "bool"])
            self.line(f"{ctype} {name} = {self.unsigned(scope, 2)};")
            scope.narrow.append(name)
        elif kind == 4:
            name = self.name("a")
            self.line(f"int {name}[8] = {{{self.bounded(scope)}, {self.bounded(scope)}}};")
            scope.arrays.append(name)
        elif kind == 5 and scope.ints:
            name = self.name("p")
            target = "&" + self.rng.choice(scope.ints)
            if self.rng.random() < 0.5:
                target = f"{self.divergent(scope, 1)} ? {target} : &{self.rng.choice(scope.ints)}"
            elif scope.arrays:
                target = f"&{self.rng.choice(scope.arrays)}[{self.int_(scope, 1)[0]} & 7]"
            self.line(f"int *{name} = {target};")
            scope.pointers.append(name)
        else:
            name = self.name("x")
            self.line(f"int {name} = {self.bounded(scope)};")
            scope.ints.append(name)

    def assign(self, scope: Scope, _depth: int) -> None:
        kind = self.rng.randrange(10)
        if kind == 0 and scope.unsigned:
            op = self.rng.choice(["=", "+=", "-=", "*=", "^=", "|=", "&=", "/=", "%=", "<<=", ">>="])
            self.line(f"{self.rng.choice(scope.unsigned)} {op} {self.unsigned(scope, 2)};")
        elif kind == 1 and scope.wide:
            op = self.rng.choice(["=", "+=", "-=", "*=", "^=", ">>="])
            self.line(f"{self.rng.choice(scope.wide)} {op} {self.wide(scope, 2)};")
        elif kind == 2 and scope.floats:
            op = self.rng.choice(["=", "+=", "-=", "*=", "/="])
            self.line(f"{self.rng.choice(scope.floats)} {op} {self.float_(scope, 2)};")
        elif kind == 3 and scope.narrow:
            op = self.rng.choice(["=", "+=", "^=", "&="])
            self.line(f"{self.rng.choice(scope.narrow)} {op} {self.unsigned(scope, 2)};")
        elif kind == 4 and scope.arrays:
            array = self.rng.choice(scope.arrays)
            self.line(f"{array}[{self.int_(scope, 2)[0]} & 7] = {self.bounded(scope)};")
        elif kind == 5 and scope.pointers:
            self.line(f"*{self.rng.choice(scope.pointers)} = {self.bounded(scope)};")
        elif kind == 6 and scope.unsigned:
            self.line(f"{self.rng.choice(scope.unsigned)}{self.rng.choice(['++', '--'])};")
        elif kind == 7 and not self.function:
            op = self.rng.choice(["=", "^=", "+="])
            value = self.bounded(scope)
            slot = self.slot % self.rng.randrange(OUTPUTS)
            # A sum is kept small again, so that no sum of sums can overflow.
            self.line(f"{slot} {op} {value};" if op == "=" else f"{slot} = ({slot} & 0xffff) {op[0]} {value};")
        elif kind == 8 and len(scope.ints) > 1:
            target, reserved = self.rng.sample(scope.ints, 2)
            self.line(f"{target} = {self.with_effect(scope, reserved)};")
        elif kind == 9 and scope.ints and self.effects and scope.loops < 2:
            function, target, reserved = self.rng.choice(self.effects), *self.rng.choices(scope.ints, k=2)
            arguments = f"{self.level()}, d, {self.bounded(scope)}, {self.unsigned(scope, 1)}, &{reserved}"
            self.line(f"{target} = {function}({arguments});")
        elif scope.ints:
            self.line(f"{self.rng.choice(scope.ints)} = {self.bounded(scope)};")

    def leave(self, scope: Scope, _depth: int) -> None:
        """break, continue or return, mostly under a condition."""
        choices = ["return"]
        if scope.loops or scope.in_switch:
            choices += ["break"] * 4
        if scope.loops:
            choices += ["continue"] * 4
        elif self.rng.random() < (0.3 if self.function else 0.7) and not scope.in_switch:
            return self.assign(scope, 0)
        choice = self.rng.choice(choices)
        if choice == "return":
            choice = f"return {self.bounded(scope)}" if self.function else f"{{ {self.slot % 0} = h; return; }}"
        if self.rng.random() < 0.9:
            self.line(f"if ({self.divergent(scope, 2)})")
            self.line(f"    {choice};")
        elif scope.loops:
            self.line(f"{choice};")

    def if_(self, scope: Scope, depth: int) -> None:
        self.line(f"if ({self.divergent(scope, 2)})")
        self.block(scope, depth)
        if scope.loops and self.rng.random() < 0.2:
            self.line("else")
            self.line(f"    {self.rng.choice(['continue', 'break'])};")
        elif self.rng.random() < 0.5:
            self.line("else")
            self.block(scope, depth)

    def for_(self, scope: Scope, depth: int) -> None:
        """The bound is fixed before the loop: what the body assigns cannot prolong it."""
        counter, bound = self.name("k"), self.name("m")
        inner = scope.inner()
        limit = self.rng.choice(
            [str(self.rng.randrange(2, 6)), f"{self.number(scope)} & 7", f"{self.number(scope)} & 3"]
        )
        if self.rng.random() < 0.3:
            self.line(f"int {counter};")
            scope.counters.append(counter)
            head = f"{counter} = 0"
        else:
            head = f"int {counter} = 0"
        self.line(f"const int {bound} = {limit};")
        step = self.rng.choice([f"{counter}++", f"++{counter}", f"{counter} += 2"])
        self.line(f"for ({head}; {counter} < {bound}; {step})")
        inner.counters += [counter, bound]
        self.block(inner, depth, loop=True)

    def while_(self, scope: Scope, depth: int) -> None:
        fuel = self.name("fuel")
        self.line(f"int {fuel} = {self.rng.choice(['5', self.number(scope) + ' & 7'])};")
        self.line(f"while ({fuel}-- > 0 && {self.divergent(scope, 2)})")
        self.block(scope, depth, loop=True)
        scope.counters.append(fuel)

    def do(self, scope: Scope, depth: int) -> None:
        fuel = self.name("fuel")
        self.line(f"int {fuel} = {self.rng.randrange(2, 6)};")
        self.line("do")
        self.block(scope, depth, loop=True)
        self.line(f"while (--{fuel} > 0 && {self.divergent(scope, 2)});")
        scope.counters.append(fuel)

    def switch(self, scope: Scope, depth: int) -> None:
        uniform = not self.function and self.rng.random() < 0.4
        self.line(f"switch ({'u' if uniform else self.number(scope)} & 3)")

        def sections() -> None:
            labels = self.rng.sample(
                ["case 0:", "case 1:", "case 2:", "case 3:", "default:"], 1 + self.rng.randrange(4)
            )
            for label in labels:
                self.line(label)
                inner = scope.inner()
                inner.in_switch = True
                self.braces(partial(self.few_statements, inner, depth - 1))
                if self.rng.random() < 0.6:
                    self.line("break;")

        self.braces(sections)

    # --------------------------------------------------------------------------------- expressions

    def bounded(self, scope: Scope) -> str:
        """An int expression within +-LIMIT."""
        text, bound = self.int_(scope, self.rng.choice([0, 1, 2]))
        return text if bound <= LIMIT else f"{text} {self.rng.choice(['&', '%'])} {LIMIT}"

    def any_value(self, scope: Scope) -> str:
        kinds: list[Callable[[], str]] = [
            lambda: self.bounded(scope),
            lambda: self.unsigned(scope, 3),
            lambda: self.wide(scope, 3),
            lambda: f"{self.float_(scope, 3)}",
        ]
        return self.rng.choice(kinds)()

    def with_effect(self, scope: Scope, reserved: str) -> str:
        """An expression that changes `reserved`, once and in some threads only, and does not mention it otherwise."""
        rest = scope.inner()
        rest.ints.remove(reserved)
        rest.pointers = []
        effect = f"({reserved} = {self.bounded(rest)})"
        other, condition = self.bounded(rest), self.divergent(rest, 2)
        shape = self.rng.randrange(3)
        if shape == 0:
            return f"{condition} ? {effect} : ({other})"
        if shape == 1:
            return f"({condition} && {effect} > {other}) + 5"
        return f"({condition} || {effect} > {other}) * 9"

    def int_(self, scope: Scope, depth: int) -> tuple[str, int]:
        """Return an int expression and the largest magnitude it can have; it can stand as an operand."""
        if depth <= 0 or self.rng.random() < 0.25:
            return self.int_leaf(scope)
        kind = self.rng.randrange(15)
        (a, la), (b, lb) = self.int_(scope, depth - 1), self.int_(scope, depth - 1)
        if kind in (0, 1) and la + lb <= _INT_MAX:
            return f"({a} {'+' if kind else '-'} {b})", la + lb
        if kind == 2 and la * lb <= _INT_MAX:
            return f"({a} * {b})", la * lb
        if kind == 3:
            return f"({a} {self.rng.choice(['/', '%'])} {b})", max(la, 1)
        if kind == 4:
            mask = self.rng.choice([1, 3, 7, 15, 255])
            return f"({a} & {mask})", mask
        if kind == 5 and max(la, lb) < 1 << 30:
            return f"({a} {self.rng.choice(['|', '^'])} {b})", 1 << max(la, lb).bit_length()
        if kind == 6:
            return f"({a} >> {self.rng.choice(['1', '3', f'({b} & 15)'])})", la
        if kind == 7:
            return f"({self.divergent(scope, depth - 1)} ? {a} : {b})", max(la, lb)
        if kind == 8:
            return f"(!{self.condition(scope, depth - 1)})", 1
        if kind == 9:
            return f"{self.rng.choice(['max', 'min'])}({a}, {b})", max(la, lb)
        if kind == 10:
            return f"(int)({self.unsigned(scope, depth - 1)} % {LIMIT}u)", LIMIT
        if kind == 11 and scope.arrays:
            return f"{self.rng.choice(scope.arrays)}[{a} & 7]", LIMIT
        if kind == 12:
            return self.call(scope, depth, a)
        if kind == 13 and not self.function and not self.flat:
            return f"in[(unsigned){a} % (unsigned)n]", LIMIT
        return f"(-{a})", la

    def call(self, scope: Scope, depth: int, argument: str) -> tuple[str, int]:
        """A call in an expression: of a function without effects, or of the function itself, one level down."""
        targets = self.functions if scope.loops < 2 else []
        if self.recursive and not scope.loops:
            targets = [*targets, self.function]
        if not targets:
            return self.int_leaf(scope)
        target = self.rng.choice(targets)
        level = "depth - 1" if target == self.function else self.level()
        return f"{target}({level}, d, ({argument}) & {LIMIT}, {self.unsigned(scope, depth - 1)})", LIMIT

    def level(self) -> str:
        """How deep a function may go that is called from outside."""
        if self.function:
            return "1"
        return self.rng.choice(["1", "2", "3", "(tid & 1) + 1", "u & 3"])

    def int_leaf(self, scope: Scope) -> tuple[str, int]:
        if self.rng.random() < 0.2:
            return str(self.rng.randrange(10)), 9
        choices = [*scope.ints, *scope.counters] * 2 + [f"*{name}" for name in scope.pointers]
        choices += [f"{name}[{self.rng.randrange(8)}]" for name in scope.arrays]
        if self.flat:
            choices = [name for name in choices if name not in ("tid", "d[0]", "d[a & 3]")]
        else:
            choices += [f"d[{k}]" for k in range(INPUTS)] * 2
            if not self.function:
                choices += ["tid", "i", "(int)threadIdx.x", "(int)threadIdx.y"]
                choices += [
                    "(tid % 32)",
                    "(tid / 16)",
                    "(tid >> 2)",
                    "(tid & 31)",
                    "max(tid - 5, 0)",
                    "(tid < u ? u : tid)",
                ]
                choices += [f"in[{at}]" for at in ("i", "tid + u", "2 * i + 1", "u", "tid & 7", "size - 1 - tid")]
                choices += [f"in[{at}]" for at in ("tid % 16", "tid / 32", "tid >> 1", "3 * i + 2", "4 * i", "i / 3")]
                choices += [f"in[{at}]" for at in ("max(tid - u, 0)", "min(tid + u, size - 1)", "(size_t)tid * u")]
                choices += ["*(d + 1)", "(in + tid)[u]", "(int)(d - in)", "*(in + i % size - tid % 4 + 3)"]
        return self.rng.choice(choices), LIMIT

    def unsigned(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.3:
            names = [*scope.unsigned, *scope.unsigned, *scope.narrow, "0x9e3779b9u"]
            return self.rng.choice(
                [*names, f"(unsigned){self.int_leaf(scope)[0]}", f"(unsigned){self.int_leaf(scope)[0]}"]
            )
        a, b = self.unsigned(scope, depth - 1), self.unsigned(scope, depth - 1)
        kind = self.rng.randrange(6)
        if kind == 0:
            count = self.rng.choice([str(self.rng.randrange(32)), f"({b} & 63u)"])
            return f"((unsigned){a} {self.rng.choice(['<<', '>>'])} {count})"
        if kind == 1:
            return f"({self.divergent(scope, depth - 1)} ? (unsigned){a} : (unsigned){b})"
        if kind == 2:
            return f"{self.rng.choice(['__popc', '__brev', '__clz'])}({a})"
        return f"((unsigned){a} {self.rng.choice(['+', '-', '*', '&', '|', '^', '/', '%'])} (unsigned){b})"

    def wide(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice(
                [*scope.wide, *scope.wide, f"(unsigned long long){self.unsigned(scope, 0)}", "0x100000001b3ull"]
            )
        a, b = self.wide(scope, depth - 1), self.wide(scope, depth - 1)
        if self.rng.random() < 0.2:
            return f"({a} >> {self.rng.randrange(64)})"
        return f"({a} {self.rng.choice(['+', '-', '*', '&', '|', '^', '/', '%'])} {b})"

    def float_(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice([*scope.floats, *scope.floats, "0.5f", "-3.0f", f"(float){self.int_leaf(scope)[0]}"])
        a, b = self.float_(scope, depth - 1), self.float_(scope, depth - 1)
        kind = self.rng.randrange(6)
        if kind == 0:
            return f"({self.divergent(scope, depth - 1)} ? {a} : {b})"
        if kind == 1:
            return f"{self.rng.choice(['fabsf', 'floorf'])}({a})"
        return f"({a} {self.rng.choice(['+', '-', '*', '/'])} {b})"

    def condition(self, scope: Scope, depth: int) -> str:
        kind = self.rng.randrange(9)
        comparison = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        if kind == 8 and depth > 1:
            left, right = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return f"({left} {self.rng.choice(['&&', '||'])} {right})"
        if kind == 7 and depth > 1:
            return f"!({self.condition(scope, depth - 1)})"
        if kind == 6 and scope.unsigned:
            return f"({self.rng.choice(scope.unsigned)} {comparison} {self.unsigned(scope, depth - 1)})"
        if kind == 5 and scope.floats:
            return f"({self.rng.choice(scope.floats)} {comparison} {self.float_(scope, depth - 1)})"
        if kind in (3, 4):
            return f"(({self.int_(scope, 0)[0]} & {self.rng.choice([1, 2, 4, 6])}) != 0)"
        return f"({self.int_(scope, 0)[0]} {comparison} {self.int_(scope, depth - 1)[0]})"
