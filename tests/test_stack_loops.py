"""Loops over a stack of the thread's own: which become recursive walks, and that nothing else changes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from stack_kernels import (
    CHAIN,
    OTHERS,
    POP,
    SKIP,
    START,
    WALKS,
    arguments,
    front,
    interpreted,
    reasons,
    same,
    text,
)  # fmt: skip

from simt2simd import RawKernel
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source

COMPILED = (
    "as it is", "empty at first", "break", "return between pushes", "effects in pushes", "values that the loop changes",
    "arrays", "near and far", "swapped distances", "members", "current node", "sentinel found on the way", "null",
    "loop in a loop", "pushes several a round", "pushes in a loop", "pushes behind a push, in an arm",
    "pushes with a function", "pushes beside a current node", "pushes of structs", "pushes without sign, down",
)  # fmt: skip


@pytest.mark.parametrize("name", WALKS)
def test_walks(name: str) -> None:
    code = text(WALKS[name])
    found = reasons(code)
    assert found and not any(found), found
    assert any("_walk" in function for function in front(code).module.functions)
    same(interpreted(front(code).module), interpreted(front(code)[results.TREE]))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_walks(name: str) -> None:
    code = text(WALKS[name])
    kernel = RawKernel(code, "k", options=("--check-ir",))
    for block in (1, 15, 16, 17, 31, 33, 48):
        args = arguments(2 * block - 1)
        kernel((2,), (block,), tuple(args))
        same(args, interpreted(front(code)[results.TREE], 2 * block - 1))


@pytest.mark.parametrize(
    "name",
    ["stores", "return", "arrays", "continue between pushes", pytest.param(CHAIN, id="counted pushes")],
)
def test_chains_need_no_more_than_the_stack_of_the_loop(name: str) -> None:
    """A million nodes, of which each has one child: the loop's stack never holds more than one."""
    code = text(WALKS.get(name, name).replace(SKIP, ""))
    nodes = np.zeros(1_000_000, [(field, "i4") for field in ("left", "right", "key", "axis")])
    nodes["left"][:-1] = np.arange(1, len(nodes))
    nodes["left"][-1] = nodes["right"][:] = -1
    nodes["key"] = 8 * np.arange(len(nodes)) + 1
    found = []
    for flags in ((), ("--disable=stack-loops",)):
        queries, out = np.full(16, 30, np.int32), np.zeros(16, np.int32)
        RawKernel(code, "k", options=flags)((1,), (16,), (nodes, queries, out, np.zeros(len(nodes), np.int32), 16))
        found.append(out)
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize("name", OTHERS)
def test_other_loops_stay(name: str) -> None:
    code, why = OTHERS[name]
    found = reasons(text(code))
    assert all(reason and why in reason for reason in found), found
    assert list(front(text(code)).module.functions) == list(front(text(code))[results.TREE].functions)


def test_remarks_tell_what_became_of_a_loop() -> None:
    def reported(code: str) -> str:
        found = compile_device(Source("k.cu", text(code)), Options(), until="llvm").remarks()
        (remark,) = [remark for remark in found if remark.kind == "loop over a stack"]
        return str(remark.diagnostic())

    assert "runs as a recursive walk" in reported(WALKS["as it is"])
    message = reported(OTHERS["guarded push"][0])
    assert "each lane works off a stack of its own" in message
    assert "'top' is used in another way than by pushes and pops" in message


RETURN = "{ out[i] = h; return; }"


class Rounds:
    """Writes random loops over a stack: all kinds of work, pushes and jumps, in any order."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.current = self.rng.random() < 0.4  # a node besides the stack
        self.names = 0

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def node(self) -> str:
        return self.pick("t[m].left", "t[m].right", "(m + 1) % 60", "l", "r", "l", "r", "t[l & 31].right", "last & 31")

    def value(self) -> str:
        choice = f"{self.condition()} ? {self.node()} : {self.node()}"
        return self.pick(
            self.node(), self.node(), self.node(), choice, "right_of(t, m, &count)", f"(count++, {self.node()})"
        )

    def condition(self) -> str:
        return self.pick(
            "t[m].key < q", "l < r", "c", "c", "(t[m].axis & 1)", "(h & 4)", "last % 3 == 0", "count++ % 3 == 1",
            "near(t, m, q, &d)",             "(t[m].key ^ q) & 1", "d < 9.0f",
        )  # fmt: skip

    def push(self) -> str:
        value = self.value()
        return self.pick(
            f"stack[top++] = {value};", f"stack[top] = {value}; top++;", f"stack[top] = {value}; top += 1;"
        )

    def jump(self) -> str:
        return self.pick("continue;" if not self.current else self.end(), "break;", RETURN)

    def end(self) -> str:
        pops = (
            "if (top == 0) break; m = stack[--top]; continue;",
            "if (top > 0) m = stack[--top]; else break; continue;",
        )
        return "{ " + self.pick(*pops, f"m = {self.value()}; continue;") + " }"

    def work(self) -> str:
        self.names += 1
        swap = "{ int s = l; l = r; r = s; }"
        return self.pick(
            "h = h * 31 + m;", "count++;", "last = m;", "last = l;",
            "h++;" if self.rng.random() < 0.8 else "counts[i] += m;",
            f"if ({self.condition()}) {swap}", f"if ({self.condition()}) l = t[m].right; else l = t[m].left;",
            f"int v{self.names} = {self.value()}; h += v{self.names};", "r = t[m].left;", "near(t, m, q, &d);",
            f"for (int j = 0; j < 2; j++) if (h % 19 == j) {self.pick('continue;', 'break;', RETURN)}",
        )  # fmt: skip

    def statements(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self.rng.randint(1, 4)))

    def statement(self, depth: int) -> str:
        kind = self.rng.random()
        if kind < 0.4 or depth > 2:
            return self.push()
        if kind < 0.55:
            return self.work()
        if kind < 0.65:
            return f"if ({self.condition()} && h % 5 == 0) {self.jump()}"
        other = f" else {{ {self.statements(depth + 1)} }}" if self.rng.random() < 0.5 else ""
        return f"if ({self.condition()}) {{ {self.statements(depth + 1)} }}{other}"

    def loop(self) -> str:
        start = f"{START.replace('64', '999')} int steps = 0; float d = 1;"
        end = f" {self.end()}" if self.current else ""
        body = f"""h = h * 31 + m; if (++steps > 40) break; int l = t[m].left, r = t[m].right;
            if (l < 0) l = 1; if (r < 0) r = 2;
            bool c = l > q; {self.statements(0)}{end}"""
        if self.current:
            return f"{start} int m = 0; while (true) {{ if (m < 0) m = 3; {body} }} h += steps + (int)d;"
        return f"{start} while (top > 0) {{ {POP} if (m < 0) continue; {body} }} h += steps + (int)d;"


def check_random(seed: int) -> bool:
    """Whether a random loop becomes a walk. If so, it means the same."""
    code = text(Rounds(seed).loop())
    compiled = front(code)
    if any(reasons(code)):
        return False
    same(interpreted(compiled.module, 20), interpreted(compiled[results.TREE], 20))
    return True


class CountedRounds(Rounds):
    """Writes random loops over a stack that push in counted loops."""

    def header(self, counter: str) -> str:
        ctype = self.pick("int", "int", "unsigned", "long long")
        bound = self.pick("2", "(t[m].axis & 1) + 1", "(q & 3)", "k", "(c ? 1 : 2)")
        first = self.pick("0", "0", "1", "(q & 1)", "(t[m].key & 1)")
        if self.rng.random() < 0.6:
            return f"for ({ctype} {counter} = {first}; {counter} {self.pick('<', '<=')} ({ctype}){bound}; {counter}++)"
        if ctype == "unsigned":
            return f"for ({ctype} {counter} = {bound}; {counter} > {first}; {counter}--)"
        return f"for ({ctype} {counter} = {bound}; {counter} {self.pick('>', '>=')} {first}; {counter}--)"

    def inner(self, counter: str, depth: int) -> str:
        cond = self.pick("t[m].key < q", "c", f"(q + {counter}) % 3 == 0", "wanted(t, m, q)", "h & 4", "l < r")
        value = self.pick(f"((l + {counter}) & 31)", "r", f"t[((int){counter} + l) & 31].right", "(last & 31)")
        body = self.pick(
            f"stack[top++] = {value};",
            f"if ({cond}) stack[top++] = {value};",
            f"if ({cond}) continue; stack[top++] = {value};",
            f"int w{counter} = {value}; if ({cond}) stack[top++] = w{counter}; else {{ stack[top++] = r; continue; }}",
            f"stack[top++] = {value}; if ({cond}) {{ stack[top++] = l; }}",
        )
        if depth < 1 and self.rng.random() < 0.3:
            body += f" {self.header(counter + '_')} {{ {self.inner(counter + '_', depth + 1)} }}"
        return body

    def statement(self, depth: int) -> str:
        if self.rng.random() < 0.5:
            self.names += 1
            return f"{self.header(f'n{self.names}')} {{ {self.inner(f'n{self.names}', 0)} }}"
        return super().statement(depth)

    def loop(self) -> str:
        return super().loop().replace("bool c = l > q;", "bool c = l > q; int k = m & 1;").replace("999", "9999")


def check_random_counted(seed: int) -> bool:
    """Whether a random loop that pushes in counted loops becomes a walk. If so, it means the same."""
    code = text(CountedRounds(seed).loop())
    compiled = front(code)
    if any(reasons(code)):
        return False
    same(interpreted(compiled.module, 10), interpreted(compiled[results.TREE], 10))
    return True


def test_random_counted_pushes() -> None:
    assert sum(map(check_random_counted, range(20))) > 3


@pytest.mark.slow
def test_random_counted_pushes_compiled() -> None:
    found = 0
    for seed in range(100, 112):
        code = text(CountedRounds(seed).loop())
        if any(reasons(code)):
            continue
        found += 1
        args = arguments(31)
        RawKernel(code, "k", options=("--check-ir",))((2,), (16,), tuple(args))
        same(args, interpreted(front(code)[results.TREE], 31))
    assert found > 1


def test_random_iterations() -> None:
    assert sum(map(check_random, range(20))) > 8
