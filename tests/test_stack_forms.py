"""Loops over a stack with a current node, as ray tracers have them, become walks, and nothing else changes."""

from __future__ import annotations

import random

import pytest
from stack_forms import CODES, LEFT
from stack_kernels import arguments, front, interpreted, reasons, same, text

from simt2simd import RawKernel
from simt2simd.pipeline import results

COMPILED = (
    "pops in two places", "pops at the end", "work before the pop at the end", "tests by moving", "a null pointer",
    "an entry below that ends the do", "a sentinel found by a break", "a return at the first hit", "a nearest hit",
    "structs, popped at the top", "structs through one of the round", "while in a while, with a break",
    "two whiles in a while", "a flag that says to continue", "short numbers on the stack",
    "children sorted by distance",
    "a pop, then a way down", "any hit",
    "an arm changes what the other one reads",
)  # fmt: skip
BLOCKS = (1, 15, 16, 17, 31, 33, 48, 256)


@pytest.mark.parametrize("name", CODES)
def test_forms_become_walks(name: str) -> None:
    found = reasons(CODES[name])
    assert found and not any(found), found
    same(interpreted(front(CODES[name]).module, 40), interpreted(front(CODES[name])[results.TREE], 40))


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_proved_is_left(name: str) -> None:
    body, why = LEFT[name]
    found = reasons(text(body))
    assert all(reason and why in reason for reason in found), found
    assert not any("_walk" in name for name in front(text(body)).module.functions)


def check_compiled(code: str, options: tuple[str, ...], blocks: tuple[int, ...]) -> None:
    kernel = RawKernel(code, "k", options=("--check-ir", *options))
    for block in blocks:
        count = min(2 * block - 1, 95)
        args = arguments(count)
        kernel((2,), (block,), tuple(args))
        same(args, interpreted(front(code)[results.TREE], count))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_forms(name: str) -> None:
    check_compiled(CODES[name], (), BLOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--target=avx2",), ("--lanes=32",), ("--lanes=64",), ("--verify",)], ids=str)
@pytest.mark.parametrize("name", ["pops at the end", "two whiles in a while", "any hit", "structs, popped at the top"])
def test_compiled_forms_for_other_targets(name: str, options: tuple[str, ...]) -> None:
    check_compiled(CODES[name], options, (1, 17, 48, 256))


class Traversal:
    """Writes random loops with a current node: ways of popping, of ending and of going down, in any nesting."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.kind = self.rng.choice(["tested", "tested", "sentinel", "below", "popping"])
        self.below = self.rng.random() < 0.3  # `top` is the index of the last entry
        self.names = 0
        self.inner = self.rng.random() < 0.3 and self.kind != "below"

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def node(self) -> str:
        return self.pick("t[m].left", "t[m].right", "(m + 1) % 60", "l", "r", "l", "r", "t[l & 31].right", "last & 31")

    def condition(self) -> str:
        return self.pick(
            "t[m].key < q", "l < r", "c", "(t[m].axis & 1)", "(h & 4)", "last % 3 == 0", "(t[m].key ^ q) % 3 == 0",
            "(q >> (t[m].axis & 3)) & 1", "count % 4 == 1", "count++ % 3 == 1", "near(t, l, q, &d)", "d < 9.0f",
        )  # fmt: skip

    def push(self) -> str:
        value = self.pick(self.node(), self.node(), f"{self.condition()} ? {self.node()} : {self.node()}")
        return f"stack[++top] = {value};" if self.below else f"stack[top++] = {value};"

    def pop(self) -> str:
        """Statements that end the iteration."""
        taken = "stack[top--]" if self.below else "stack[--top]"
        if self.kind in ("sentinel", "below"):
            return f"m = {taken}; continue;"
        empty = "top < 0" if self.below else "top == 0"
        ways = [f"if ({empty}) break; m = {taken}; continue;", f"if (!({empty})) m = {taken}; else break; continue;"]
        if not self.below:
            ways += [
                "if (--top < 0) break; m = stack[top]; continue;",
                "if (top-- == 0) break; m = stack[top]; continue;",
                "if (top-- > 0) m = stack[top]; else break; continue;",
                "top--; if (top < 0) break; m = stack[top]; continue;",
            ]
        return self.pick(*ways)

    def work(self) -> str:
        self.names += 1
        return self.pick(
            "h = h * 31 + m;", "count++;", "last = m;", "last = l;", "h++;",
            f"int v{self.names} = h % 7; h += v{self.names};",
            f"for (int j = 0; j < (t[m].axis & 3); j++) count += j + {self.names};",
            f"if ({self.condition()}) {{ int s = l; l = r; r = s; }}", f"if ({self.condition()}) l = t[m].right & 63;",
        )  # fmt: skip

    def down(self) -> str:
        pushes = " ".join(self.push() for _ in range(self.rng.randint(0, 2)))
        if self.rng.random() < 0.4:
            one, other = self.push(), self.push()
            arms = f"{{ {one} m = {self.node()}; }} else {{ {other} m = {self.node()}; }}"
            return f"if ({self.condition()}) {arms} continue;"
        return f"{pushes} m = {self.node()}; continue;"

    def arm(self, depth: int) -> str:
        """An arm that may end the iteration."""
        kind = self.rng.random()
        work = " ".join(self.work() for _ in range(self.rng.randint(0, 2)))
        if kind < 0.3:
            return f"{work} {self.down()}"
        if kind < 0.45:
            return f"{work} {self.pop()}"
        if kind < 0.52:
            return f"{work} if (h % 13 == 0) {self.pick('break;', '{ out[i] = h; return; }')}"
        if kind < 0.65 or depth > 2:
            return work
        return f"{work} {self.choice(depth + 1)}"

    def choice(self, depth: int) -> str:
        other = f" else {{ {self.arm(depth)} }}" if self.rng.random() < 0.6 else ""
        return f"if ({self.condition()}) {{ {self.arm(depth)} }}{other}"

    def head(self) -> str:
        guard = "if (++steps > 50) { out[i] = h; return; } h = h * 31 + m;"
        return f"{guard} int l = t[m].left & 63, r = t[m].right & 63; bool c = l > q;"

    def loop(self) -> str:
        ways = " ".join(self.choice(0) for _ in range(self.rng.randint(1, 3)))
        start = (
            f"int stack[999], top = {-1 if self.below else 0}, steps = 0, m = {self.pick('0', 'q & 7')}; float d = 1;"
        )
        body = f"{self.head()} {ways} {self.work()} {self.pop()}"
        inside = f"{self.head()} {self.work()} {self.push()} m = {self.node()};"
        down = f"while (m >= 0 && {self.condition_of_node()}) {{ {inside} }}"
        push = "stack[++top]" if self.below else "stack[top++]"
        end = "h += steps + (int)d;"
        if self.kind == "tested":
            inner = down if self.inner else ""
            return f"{start} while (true) {{ {inner} {self.guarded()} {body} }} {end}"
        if self.kind == "sentinel":
            ways_ = (
                f"while (m != -1) {{ {self.inside(down)} {body} }}",
                f"while (true) {{ if (m < 0) break; {body} }}",
            )
            return f"{start} {push} = -1; {self.pick(*ways_)} {end}"
        if self.kind == "below":
            full = "top >= 0" if self.below else "top > 0"
            return f"{start} {push} = 5; while ({full}) {{ {self.guarded()} {body} }} {end}"
        full, taken = ("top >= 0", "stack[top--]") if self.below else ("top > 0", "stack[--top]")
        work = f"{self.head()} {self.work()}" if self.rng.random() < 0.7 else self.head()
        skip = "if (m < 0) continue;"
        start = start.replace(f", m = {start.split('m = ')[1].split(';')[0]}", "")
        return f"""{start} if (q % 5) {push} = q & 7; while ({full}) {{ int m = {taken}; {down}
            {skip} {work} {self.condition_work()} }} {end}"""

    def condition_work(self) -> str:
        return f"if ({self.condition()}) {{ {self.push()} }} count++;"

    def condition_of_node(self) -> str:
        return self.pick("t[m].left >= 0", "(t[m].key ^ q) % 3", "m < 40")

    def guarded(self) -> str:
        return "if (m < 0) m = 3;"

    def inside(self, down: str) -> str:
        return down + " if (m < 0) break;" if self.inner else ""


def check_random(seed: int) -> bool:
    """Whether a random loop becomes a walk. If so, it means the same."""
    code = text(Traversal(seed).loop())
    compiled = front(code)
    found = reasons(code)
    if not found or any(found):
        return False
    same(interpreted(compiled.module, 20), interpreted(compiled[results.TREE], 20))
    return True


def test_random_traversals() -> None:
    assert sum(map(check_random, range(6))) > 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::simt2simd.CompileWarning")
def test_random_traversals_compiled() -> None:
    found = 0
    for seed in range(200, 216):
        code = text(Traversal(seed).loop())
        if not any(reasons(code)):
            found += 1
            check_compiled(code, (), (16, 31))
    assert found > 3
