"""PTX's copies that run beside the program, `cp.async`, and what waits for them. Here they are done at once.

So a group of copies is complete as soon as it is there, and to wait for it does nothing. An `mbarrier` is 64 bits in
shared memory: arrivals that are missing in this phase, arrivals expected in each, and how many phases have ended.
Source: "Parallel Thread Execution ISA", "Data Movement and Conversion Instructions: cp.async", `mbarrier`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....lang.ctype import BOOL, INT, UCHAR, UINT, ULONGLONG, VOID, Pointer, Scalar
from ....tree.nodes import Binary, Convert, Deref, Expr, Load, Loop, PointerAdd, Stmt, Variable
from ...parse.ptx_text import Instruction, PtxFault
from .arithmetic import Arithmetic
from .registers import SHARED

_COUNT_BITS = 20  # of the arrivals of a phase
_PHASE_BIT = 2 * _COUNT_BITS


class AsyncCopies(Arithmetic):
    """Translates copies and the barriers that threads and copies arrive at."""

    def do_cp(self, node: Instruction) -> list[Stmt] | None:
        """`cp.async.cg.shared.global [to], [from], 16, bytes;`, and what waits for such copies."""
        if node.words[1:2] != ("async",):
            return None
        match node.words[2:]:
            case ("commit_group",) | ("wait_all",) if not node.operands:
                return []
            case ("wait_group",) if len(node.operands) == 1:
                self.constant(node.operands[0])
                return []
            case ("mbarrier", "arrive", *words) if len(node.operands) == 1 and {*words} <= {"noinc", "b64", *SHARED}:
                return self.arrived(node.operands[0], self.build.number(ULONGLONG, 1)) if "noinc" in words else []
            case ("ca" | "cg", space, "global", *hints) if space in SHARED:
                operands = node.operands[: len(node.operands) - ("L2::cache_hint" in hints)]
                return self.copy(operands) if len(operands) in (3, 4) else None
        return None

    def copy(self, operands: Sequence[str]) -> list[Stmt] | None:
        """Copy 4, 8 or 16 bytes. A fourth operand says how many to read, or that none is; the others are zeros."""
        size = self.constant(operands[2])
        if size not in (4, 8, 16):
            return None
        b, word = self.build, UINT if size == 4 else ULONGLONG
        target, first = self.kept("to", self.pointer(word, self.place(operands[0], shared=True), const=False))
        source, second = self.kept("from", self.pointer(word, self.place(operands[1], shared=False), const=True))
        made: list[Stmt] = [first, second]
        words = range(size // word.size)
        whole: list[Stmt] = [
            b.assign(self.word(word, target, i), Load(self.span, word, self.word(word, source, i))) for i in words
        ]
        if len(operands) == 3:
            return [*made, *whole]
        zeros: list[Stmt] = [b.assign(self.word(word, target, i), b.number(word, 0)) for i in words]
        if self.is_register(operands[3]) and self.register(operands[3]).type is BOOL:
            return [*made, b.when(self.value(operands[3], BOOL), zeros, whole)]
        given, statement = self.kept("bytes", self.value(operands[3], UINT))
        made.append(statement)
        index = self.variable("i", UINT)
        at = [
            Deref(
                self.span,
                UCHAR,
                PointerAdd(self.span, p, Convert(self.span, p, b.read(v), explicit=True), b.read(index)),
            )
            for v, p in ((target, Pointer(UCHAR)), (source, Pointer(UCHAR, const=True)))
        ]
        least = self.call("min", b.read(given), b.number(UINT, size))
        one = b.assign(at[0], Load(self.span, UCHAR, at[1]))
        start, step = b.declare(index, b.number(UINT, 0)), b.plus(index, b.number(UINT, 1))
        some = Loop(self.span, (start,), b.binary(b.read(index), "<", least), (step,), b.block(one))
        is_whole = b.binary(b.read(given), ">=", b.number(UINT, size))
        return [*made, b.when(is_whole, whole, [*zeros, some])]

    def pointer(self, word: Scalar, where: Expr, *, const: bool) -> Expr:
        return Convert(self.span, Pointer(word, const), where, explicit=True)

    def word(self, word: Scalar, pointer: Variable, number: int) -> Deref:
        b = self.build
        return Deref(self.span, word, PointerAdd(self.span, pointer.type, b.read(pointer), b.number(INT, number)))

    def do_mbarrier(self, node: Instruction) -> list[Stmt] | None:
        """`mbarrier.init`, `inval`, `arrive`, `arrive_drop`, `test_wait`, `try_wait` and `pending_count`."""
        orders = {"release", "acquire", "relaxed", "cta", "cluster", "b64", *SHARED}
        words = [word for word in node.words[1:] if word not in orders]
        if "expect_tx" in words or "complete_tx" in words:
            raise PtxFault(f"'{node.opcode}' counts the bytes of bulk copies, which are not supported")
        b, operands = self.build, node.operands
        match words:
            case ["init"] if len(operands) == 2:
                count = b.convert(ULONGLONG, self.value(operands[1], UINT))
                both = b.binary(count, "*", b.number(ULONGLONG, 1 | 1 << _COUNT_BITS))
                return [b.assign(self.barrier(operands[0]), both)]
            case ["inval"] if len(operands) == 1:
                return []
            case ["arrive" | "arrive_drop", *more] if len(operands) in (1, 2, 3) and more in ([], ["noComplete"]):
                where = operands[0] if operands[0].startswith("[") else operands[1]
                token = None if where is operands[0] else operands[0]
                rest = operands[1 + (token is not None) :]
                count = b.convert(ULONGLONG, self.value(rest[0], UINT)) if rest else b.number(ULONGLONG, 1)
                return self.arrived(where, count, token, drops=words[0] == "arrive_drop")
            case ["test_wait" | "try_wait", *more] if len(operands) in (3, 4) and more in ([], ["parity"]):
                return self.waited(words[0] == "try_wait", bool(more), operands)
            case ["pending_count"] if len(operands) == 2:
                state = self.value(operands[1], ULONGLONG)
                return self.result(node, b.convert(UINT, b.binary(state, "&", b.number(ULONGLONG, (1 << 20) - 1))))
        return None

    def barrier(self, operand: str, *, volatile: bool = False) -> Deref:
        where = self.address(operand, ULONGLONG, volatile=volatile, const=False, shared=True)
        return Deref(self.span, ULONGLONG, where)

    def arrived(self, operand: str, count: Expr, token: str | None = None, *, drops: bool = False) -> list[Stmt]:
        """Arrive: the last one begins the next phase, in one step. The token is what was there before."""
        b = self.build
        pointer, first = self.kept("barrier", self.address(operand, ULONGLONG, volatile=True, const=False, shared=True))
        threads, second = self.kept("threads", count)
        seen, old = self.variable("seen", ULONGLONG), self.variable("old", ULONGLONG)
        done = self.variable("done", BOOL)
        low, ones = b.number(ULONGLONG, (1 << _COUNT_BITS) - 1), b.number(ULONGLONG, 1 << _PHASE_BIT)
        volatile = Load(self.span, ULONGLONG, Deref(self.span, ULONGLONG, b.read(pointer)))
        before: Expr = b.read(old)
        if drops:
            before = b.binary(before, "-", b.number(ULONGLONG, 1 << _COUNT_BITS))
        start, third = self.kept("before", before)
        expected = b.binary(b.binary(b.read(start), ">>", b.number(INT, _COUNT_BITS)), "&", low)
        upper = b.binary(b.read(start), "-", b.read(threads))
        again = b.binary(b.binary(upper, "+", expected), "+", ones)
        is_last = b.binary(b.binary(b.read(start), "&", b.number(ULONGLONG, (1 << 20) - 1)), "==", b.read(threads))
        after = b.choose(is_last, again, b.binary(b.read(start), "-", b.read(threads)))
        plain = Convert(self.span, Pointer(ULONGLONG), b.read(pointer), explicit=True)
        swapped = self.call("atomicCAS", plain, b.read(old), after)
        body = [
            third,
            b.assign(seen, swapped),
            b.assign(done, b.binary(b.read(seen), "==", b.read(old))),
            b.when(b.negate(b.read(done)), [b.assign(old, b.read(seen))]),
        ]
        loop = Loop(self.span, (), b.negate(b.read(done)), (), b.block(*body))
        made: list[Stmt] = [first, second, *self.ordered()]
        made += [b.declare(old, volatile), b.declare(seen, b.number(ULONGLONG, 0))]
        made += [b.declare(done, b.number(BOOL, False)), loop]
        return [*made, self.assign(token, b.read(old))] if token is not None else made

    def waited(self, may_wait: bool, parity: bool, operands: Sequence[str]) -> list[Stmt]:
        """Say whether a phase has ended; `try_wait` waits until something changes first."""
        b = self.build
        pointer, first = self.kept(
            "barrier", self.address(operands[1], ULONGLONG, volatile=True, const=False, shared=True)
        )
        phase: Expr
        if parity:
            phase = b.convert(ULONGLONG, self.value(operands[2], UINT))
        else:
            phase = b.binary(self.value(operands[2], ULONGLONG), ">>", b.number(INT, _PHASE_BIT))
        asked, second = self.kept("phase", phase)

        def load() -> Expr:
            return Load(self.span, ULONGLONG, Deref(self.span, ULONGLONG, b.read(pointer)))

        now, third = self.kept("now", load())

        def ended() -> Expr:
            current: Expr = b.binary(b.read(now), ">>", b.number(INT, _PHASE_BIT))
            if parity:
                current = b.binary(current, "&", b.number(ULONGLONG, 1))
            return Binary(self.span, BOOL, "!=", current, b.read(asked))

        made: list[Stmt] = [first, second, third]
        if may_wait:
            place = Convert(self.span, Pointer(VOID, const=True), b.read(pointer), explicit=True)
            wait = b.evaluate(self.call("__s2s_await", place, b.read(now)))
            made.append(b.when(b.negate(ended()), [wait, b.assign(now, load())]))
        return [*made, self.assign(operands[0], ended()), *self.ordered()]

    def ordered(self) -> list[Stmt]:
        return [self.build.evaluate(self.call("__threadfence"))]
