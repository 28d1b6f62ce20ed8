"""Random recursive functions over random trees, for tests of what becomes of them.

Everything that a function does counts: it changes numbers in an order that the result shows. Children are valid nodes
with a higher number; visits are limited.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

HEAD = """\
struct Node { int key, leaf, child[4]; };
struct Query { int sum, x, fuel, a[4]; };
__device__ void note(Query *q, int value) { q->sum = q->sum * 31 + value; }
__device__ void twist(int *value, const Query *q) { *value = *value * 5 + q->x; }
__device__ int distance(const Node *nodes, int n, const Query *q) { return (nodes[n].key ^ q->x) & 15; }
"""

# The query is the thread's own, or in memory that others may reach.
KERNELS = {
    "own": """\
__global__ void k(const Node *nodes, const Query *queries, int *out) {
    Query q = queries[threadIdx.x];
    visit(nodes, 0, threadIdx.x, &q);
    out[threadIdx.x] = q.sum * 7 + q.x * 3 + q.fuel + q.a[0] + q.a[1] * 2 + q.a[2] * 3 + q.a[3] * 5;
}
""",
    "shared": """\
__global__ void k(const Node *nodes, Query *queries, int *out) {
    Query *q = queries + threadIdx.x;
    visit(nodes, 0, threadIdx.x, q);
    out[threadIdx.x] = q->sum * 7 + q->x * 3 + q->fuel + q->a[0] + q->a[1] * 2 + q->a[2] * 3 + q->a[3] * 5;
}
""",
}

MOST_CALLS = 5

NODE = np.dtype([("key", np.int32), ("leaf", np.int32), ("child", np.int32, 4)])
QUERY = np.dtype([("sum", np.int32), ("x", np.int32), ("fuel", np.int32), ("a", np.int32, 4)])


def tree_of(seed: int, count: int = 40) -> np.ndarray:
    """Return the nodes of a random tree; children of leaves lead anywhere further on."""
    rng = random.Random(f"tree {seed}")
    nodes = np.zeros(count, NODE)
    for n in range(count):
        nodes[n]["key"] = rng.randrange(-20, 100)
        nodes[n]["leaf"] = n * 2 >= count or rng.random() < 0.1
        nodes[n]["child"] = [min(count - 1, rng.randrange(n + 1, 2 * n + 6)) for _ in range(4)]
    return nodes


def queries_of(seed: int, count: int = 3, fuel: int = 25) -> np.ndarray:
    rng = random.Random(f"queries {seed}")
    queries = np.zeros(count, QUERY)
    for query in queries:
        query["x"], query["fuel"] = rng.randrange(100), fuel
        query["a"] = [rng.randrange(50) for _ in range(4)]
    return queries


def program(seed: int) -> str:
    """Return a program whose kernel `k(nodes, queries, out)` runs a random function `visit`."""
    rng = random.Random(f"program {seed}")
    body = _Writer(rng).function()
    return f"{HEAD}{body}{KERNELS[rng.choice(list(KERNELS))]}"


@dataclass
class _Writer:
    """Writes the text of a function. `ints` and `nodes` are the variables in scope, `calls` how many more to make."""

    rng: random.Random
    ints: list[str] = field(default_factory=lambda: ["w"])
    nodes: list[str] = field(default_factory=lambda: ["n"])
    fixed: set[str] = field(default_factory=set)
    names: int = 0
    calls: int = MOST_CALLS
    loops: int = 0

    def function(self) -> str:
        head = "if (q->fuel-- <= 0) return;\n"
        head += self.rng.choice(["", "note(q, nodes[n].key + w);\n", "const Node *node = &nodes[n];\n(void)node;\n"])
        leaf = f"if (nodes[n].leaf) {{ {self.effect()} return; }}\n"
        body = self.block(3)
        if self.calls == MOST_CALLS:
            body += f"{self.call()}\n"
        return f"__device__ void visit(const Node *nodes, int n, int w, Query *q) {{\n{head}{leaf}{body}}}\n"

    def block(self, depth: int) -> str:
        outside = len(self.ints), len(self.nodes)
        text = "".join(f"{self.statement(depth)}\n" for _ in range(self.rng.choice((1, 2, 2, 3, 4)) + (depth == 3) * 2))
        self.ints, self.nodes = self.ints[: outside[0]], self.nodes[: outside[1]]
        return text

    def statement(self, depth: int) -> str:
        kinds = ["call"] * 6 + ["effect"] * 2 + ["declare"] * 2 + ["assign", "guarded"]
        if depth > 0:
            kinds += ["choice"] * 4 + ["leave", "loop", "work", "switch"]
        if self.loops:
            kinds += ["jump"]
        return str(getattr(self, self.rng.choice(kinds))(depth))

    def name(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"

    # -------------------------------------------------------------------------------------- statements

    def call(self, _: int = 0) -> str:
        if self.calls == 0:
            return self.effect()
        self.calls -= 1
        return f"visit(nodes, {self.node()}, {self.rng.choice(['w', 'w', self.number()])}, q);"

    def guarded(self, _: int) -> str:
        return f"if ({self.condition()}) {self.call()}"

    def effect(self, _: int = 0) -> str:
        return self.rng.choice(
            (
                f"note(q, {self.number()});",
                f"q->x += {self.number()};",
                f"q->a[{self.rng.randrange(4)}] = {self.number()};",
                f"q->a[{self.number()} & 3]++;",
            )
        )

    def declare(self, _: int) -> str:
        if self.rng.random() < 0.3:
            value, name = self.node(), self.name("c")
            self.nodes.append(name)
            return f"int {name} = {value};"
        value, name = self.number(), self.name("v")
        self.ints.append(name)
        if self.rng.random() < 0.5:
            self.fixed.add(name)
            return f"const int {name} = {value};"
        return f"int {name} = {value};" if self.rng.random() < 0.8 else f"int {name}; {name} = {value};"

    def assign(self, _: int) -> str:
        free = [name for name in self.ints if name not in self.fixed]
        if not free or self.rng.random() < 0.2:
            return f"{self.rng.choice(self.nodes)} = {self.node()};"
        name = self.rng.choice(free)
        if name != "w" and self.rng.random() < 0.2:
            return f"twist(&{name}, q);"
        return f"{name} {self.rng.choice(['=', '+=', '^='])} {self.number()};"

    def choice(self, depth: int) -> str:
        text = f"if ({self.condition()}) {{\n{self.block(depth - 1)}}}"
        return text if self.rng.random() < 0.5 else f"{text} else {{\n{self.block(depth - 1)}}}"

    def leave(self, _: int) -> str:
        return f"if ({self.condition()}) {{ {self.rng.choice(['', self.effect()])} return; }}"

    def work(self, _: int) -> str:
        i = self.name("i")
        inside = self.rng.choice((f"note(q, {i});", f"if (q->x > {i} * 50) return;", f"if (q->x & {i}) break; q->x++;"))
        return f"for (int {i} = 0; {i} < ({self.number()} & 3); {i}++) {{ {inside} }}"

    def loop(self, depth: int) -> str:
        i = self.name("i")
        self.ints.append(i)
        self.fixed.add(i)
        self.loops, calls, self.calls = self.loops + 1, self.calls, min(self.calls, 1)
        inside = self.block(min(depth - 1, 1))
        self.loops, self.calls = self.loops - 1, max(0, calls - 2)
        self.ints.remove(i)
        return f"for (int {i} = 0; {i} < {self.rng.choice((2, 3))}; {i}++) {{\n{inside}}}"

    def jump(self, _: int) -> str:
        return f"if ({self.condition()}) {self.rng.choice(('break', 'continue', 'continue'))};"

    def switch(self, depth: int) -> str:
        loops, self.loops = self.loops, 0
        sections = [
            f"{label}:\n{{ {self.block(depth - 1)} }}\n{self.rng.choice(('break;', 'break;', ''))}\n"
            for label in self.rng.sample(("case 0", "case 1: case 3", "default"), 2)
        ]
        self.loops = loops
        return f"switch ({self.number()} & 3) {{ {''.join(sections)} }}"

    # ------------------------------------------------------------------------------------- expressions

    def node(self) -> str:
        if self.rng.random() < 0.3:
            return self.rng.choice(self.nodes)
        index = self.rng.choice((str(self.rng.randrange(4)), f"{self.number(1)} & 3"))
        return f"nodes[{self.rng.choice(self.nodes)}].child[{index}]"

    def number(self, depth: int = 2) -> str:
        leaves = [
            str(self.rng.randrange(10)),
            self.rng.choice(self.ints),
            self.rng.choice(self.ints),
            f"nodes[{self.rng.choice(self.nodes)}].key",
            "(q->x & 15)",
            f"distance(nodes, {self.rng.choice(self.nodes)}, q)",
        ]
        if depth == 0 or self.rng.random() < 0.5:
            return self.rng.choice(leaves)
        return f"({self.number(depth - 1)} {self.rng.choice('+-*&^')} {self.number(depth - 1)})"

    def condition(self) -> str:
        test = f"{self.number()} {self.rng.choice(('<', '>', '!=', '<='))} {self.number()}"
        if self.rng.random() < 0.25:
            return f"{test} {self.rng.choice(('&&', '||'))} {self.number()} < {self.number()}"
        return test
