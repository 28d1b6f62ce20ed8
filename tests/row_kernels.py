"""Random kernels of rows and columns, with all that may keep rows of a block from running in step.

`a` has a row of `DEPTH` numbers for each row of threads, `b` as many rows with a number for each column. Kernels with
barriers write their own elements of two tiles, and read any of them behind a barrier; blocks are at most `HIGH` threads
high and `WIDE` wide.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

DEPTH = 5
HIGH, WIDE = 24, 40
FUNCTIONS = "__device__ int twice(int x, int y) { return x * 2 - (y >> 1); }\n"


@dataclass(frozen=True)
class Scope:
    """Where a statement stands: the variables that it may read and write, and the counters of loops round it."""

    variables: tuple[str, ...] = ("s", "t")
    counters: tuple[str, ...] = ()
    depth: int = 0


@dataclass
class Writer:
    """Writes one kernel; `names` counts the variables that it has declared.

    `axes`: along which rows follow one another, and columns. `tiles`: what a value may be of tiles in shared memory.
    `leaves`: threads may return.
    """

    rng: random.Random
    axes: str = "yx"
    names: int = 0
    tiles: tuple[str, ...] = ()
    leaves: bool = True

    def kernel(self, name: str) -> str:
        guard = self.rng.choice(
            ["if (row >= ny || col >= nx) return;", "if (col >= nx) return; if (row >= ny) return;", "nested"]
        )
        core = f"int s = {self.rng.randint(0, 9)}, t = {self.rng.choice(['row', 'col', '3', 'row * col'])};"
        core += " int three[3] = {1, 2, 3};"
        core += self.block(Scope(), self.rng.randint(2, 5)) + "c[row * nx + col] += s * 3 + t ^ three[1];"
        if guard == "nested":
            guard, core = "", f"if (row < ny) {{ if (col < nx) {{ {core} }} }}"
        params = "const int *a, const int *b, int *c, int nx, int ny, int depth"
        row, col = (f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}" for axis in self.axes)
        return f"__global__ void {name}({params}) {{ int row = {row}, col = {col}; {guard} {core} }}\n"

    def kernel_of_tiles(self, name: str) -> str:
        """Return a kernel whose threads write tiles and read them behind barriers, in rounds."""
        rng = self.rng
        self.leaves = rng.random() < 0.1
        core = f"int s = {rng.randint(0, 9)}, t = {rng.choice(['row', 'col', '3', 'row * col'])}; "
        core += "int three[3] = {1, 2, 3}; one[ty][tx] = two[ty * 40 + tx] = tx - ty; __syncthreads();"
        for _ in range(rng.randint(1, 3)):
            text = self.turn()
            kind = rng.random()
            if kind < 0.5:
                text = f"for (int {self.new('r')} = 0; r{self.names} < depth; r{self.names}++) {{ {text} }}"
            elif kind < 0.6:
                text = f"if (depth > {rng.randint(3, 6)}) {{ {text} }}"
            core += text
        core += "c[row * nx + col] += s * 3 + t ^ three[1];"
        params = "const int *a, const int *b, int *c, int nx, int ny, int depth"
        row, col = (f"blockIdx.{axis} * blockDim.{axis} + t{axis}" for axis in self.axes)
        tiles = f"__shared__ int one[{HIGH}][{WIDE}], two[{HIGH * WIDE}];"
        indices = f"int tx = threadIdx.x, ty = threadIdx.y, row = {row}, col = {col};"
        return f"__global__ void {name}({params}) {{ {tiles} {indices} {core} }}\n"

    def turn(self) -> str:
        """Return what writes tiles between two barriers, and what reads them."""
        rng, scope = self.rng, Scope(depth=2)  # deeper ones make long programs
        own = ("one[ty][tx]", "two[ty * 40 + tx]")
        self.tiles = own
        text = self.block(scope)
        for tile in own:
            place = rng.choice([tile, tile, f"*(&{tile})", f"(&{tile})[0]"])
            write = f"{place} {rng.choice(['=', '+=', '^='])} {self.value(scope)};"
            text += rng.choice([write, write, f"if ({self.condition(scope)}) {write}", ""])
        line = "two[(unsigned)({}) % blockDim.y * 40 + tx]"
        self.tiles = ("one[{}][tx]", "one[ty][{}]", line, "one[{}][tx]")
        text += f"__syncthreads(); {self.block(scope)} {self.block(scope)} __syncthreads();"
        self.tiles = ()
        return text

    def tile(self, index: str) -> str:
        """Return a part of a tile, somewhere in the block if it may be."""
        text = self.rng.choice(self.tiles)
        size = "blockDim.y" if text.startswith("one[{}]") else "blockDim.x"
        return text.format(index if text.startswith("two") else f"(unsigned)({index}) % {size}")

    def block(self, scope: Scope, count: int = 0, *, in_loop: bool = False) -> str:
        texts = []
        for _ in range(count or self.rng.randint(1, 4)):
            if self.rng.random() < 0.15:
                name = self.new("v")
                texts.append(f"int {name} = {self.value(scope)};")
                scope = Scope((*scope.variables, name), scope.counters, scope.depth)
            else:
                texts.append(self.statement(scope, in_loop=in_loop))
        return "{ " + " ".join(texts) + " }"

    def statement(self, scope: Scope, *, in_loop: bool) -> str:
        rng = self.rng
        inner = Scope(scope.variables, scope.counters, scope.depth + 1)
        kind = rng.random()
        if kind < 0.35 or scope.depth > 3:
            return f"{rng.choice(scope.variables)} {rng.choice(['=', '+=', '^=', '-='])} {self.value(scope)};"
        if kind < 0.42:
            return f"c[row * nx + col] {rng.choice(['=', '+=', '^='])} {self.value(scope)};"
        if kind < 0.46:
            return f"three[(unsigned)({self.value(scope)}) % 3u] {rng.choice(['=', '+='])} {self.value(scope)};"
        if kind < 0.60:
            other = f" else {self.block(inner, in_loop=in_loop)}" if rng.random() < 0.4 else ""
            return f"if ({self.condition(scope)}) {self.block(inner, in_loop=in_loop)}{other}"
        if kind < 0.88:
            return self.loop(scope)
        if kind < 0.93:
            jumps = ["break;", "continue;"] if in_loop else []
            jumps += ["return;"] if self.leaves else [";"]
            return f"if ({self.condition(scope)}) {rng.choice(jumps)}"
        first, second, third = (self.block(inner) for _ in range(3))
        return f"switch ({self.value(scope)} & 3) {{ case 0: {first} case 1: {second} break; default: {third} }}"

    def loop(self, scope: Scope) -> str:
        k, rng = self.new("k"), self.rng
        bound = rng.choice(["depth"] * 3 + [str(DEPTH), "row % 5", "col % 4", f"({rng.choice(scope.variables)} & 3)"])
        inside = Scope(scope.variables, (*scope.counters, k), scope.depth + 1)
        body = self.block(inside, in_loop=True)
        if rng.random() < 0.2:
            return f"{{ int {k} = -1; while (++{k} < {bound}) {body} }}"
        if rng.random() < 0.1:
            return f"{{ int {k} = 0; do {body} while (++{k} < {bound}); }}"
        return f"for (int {k} = {rng.choice(['0', '0', 'col & 1', '1'])}; {k} < {bound}; {k}++) {body}"

    def condition(self, scope: Scope) -> str:
        left, right = self.value(scope), self.value(scope)
        own = [f"{left} < {right}", f"({left} & 3) == 1", "depth > 3"]
        return self.rng.choice([*own, "row % 3 == 0", "col % 4 != 1", "b[col] > 30", f"a[row * {DEPTH}] > 30"])

    def value(self, scope: Scope, depth: int = 0) -> str:
        rng = self.rng
        if depth > 2 or rng.random() < 0.25:
            return rng.choice([str(rng.randint(-5, 9)), *scope.variables, *scope.counters, "row", "col", "depth"])

        def below() -> str:
            return self.value(scope, depth + 1)

        k = f"(unsigned)({rng.choice([*scope.counters, below()])}) % {DEPTH}u"
        one = rng.choice(scope.variables)
        return rng.choice(
            [
                *[f"a[row * {DEPTH} + {k}]"] * 3,
                *[f"b[({k}) * nx + col]"] * 4,
                *([self.tile(rng.choice([*scope.counters, below()]))] * 6 if self.tiles else []),
                f"a[(row / 2) * {DEPTH} + {k}]",
                f"three[(unsigned)({below()}) % 3u]",
                *[f"({below()} {op} {below()})" for op in "+-*^&|"],
                f"({below()} {rng.choice(['<', '==', '&&', '||'])} {below()})",
                f"({below()} ? {below()} : {below()})",
                f"twice({below()}, {below()})",
                f"min({below()}, {below()})",
                f"({one}{rng.choice(['++', '--'])})",
                f"({one} {rng.choice(['=', '+=', '^='])} {below()})",
            ]
        )

    def new(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"


def program(seed: int, kernels: int, axes: str = "yx") -> str:
    """Return a program with kernels `k0`, `k1` and so on."""
    rng = random.Random(seed)
    return FUNCTIONS + "".join(Writer(rng, axes).kernel(f"k{i}") for i in range(kernels))


def program_of_tiles(seed: int, kernels: int) -> str:
    """Return a program with kernels `k0`, `k1` and so on, which have barriers."""
    rng = random.Random(seed)
    return FUNCTIONS + "".join(Writer(rng).kernel_of_tiles(f"k{i}") for i in range(kernels))
