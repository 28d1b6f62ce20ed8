"""PTX's registers of 128 bits: `mov`, `ld`, `st` and the atomic functions that take them.

asm("{ .reg .b128 d; ld.acquire.gpu.b128 d, [%2]; mov.b128 {%0, %1}, d; }" : "=l"(x), "=l"(y) : "l"(p));

Each is an array of two words, the low half first. Source: "Parallel Thread Execution ISA", `mov`, `ld`, `st`, `atom`.
"""

from __future__ import annotations

from ....lang.ctype import BOOL, INT, ULONGLONG, VOID, Pointer
from ....tree.nodes import Binary, Convert, Deref, Expr, Index, Load, Loop, PointerAdd, Stmt, Variable
from ...parse.ptx_text import Instruction, PtxFault
from .arithmetic import Arithmetic
from .registers import CACHE_LEVELS, CACHED, SHARED, WIDE, is_shared, is_volatile, listed

_ORDERS = frozenset(("relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "global", *SHARED))


class WideRegisters(Arithmetic):
    """Translates instructions of the type `.b128`."""

    def of_wide(self, node: Instruction) -> list[Stmt] | None:
        """Return what an instruction on 128 bits does; None for others."""
        if node.words[-1] != "b128":
            return None
        words = [word for word in node.words[1:-1] if not word.startswith(CACHE_LEVELS)]
        rest = node.operands[: len(node.operands) - ("L2::cache_hint" in node.words)]
        match node.words[0]:
            case "mov" if not words and len(rest) == 2:
                return self.moved(*rest)
            case "ld" if CACHED.issuperset(words) and len(rest) == 2:
                return self.loaded(rest[0], rest[1], words)
            case "st" if CACHED.issuperset(words) and len(rest) == 2:
                return self.stored(rest[0], rest[1], words)
            case "atom":
                names = [word for word in words if word not in _ORDERS]
                if (names, len(rest)) in ((["exch"], 3), (["cas"], 4)):
                    return self.atomic(rest, is_shared(words))
        return None

    # ------------------------------------------------------------------------------------------- registers

    def whole(self, name: str) -> Variable:
        register = self.register(name)
        if register.type != WIDE:
            raise PtxFault(f"'{name}' is no register of the type '.b128'")
        return register

    def half(self, register: Variable, number: int) -> Index:
        return self.build.element(self.build.place(register), ULONGLONG, self.build.number(INT, number))

    def halves(self, operand: str) -> tuple[Expr, ...]:
        """Return the low and the high word of `{a, b}`, or of a register."""
        if operand.startswith("{"):
            return tuple(self.value(name, ULONGLONG) for name in listed(operand))
        register = self.whole(operand)
        return tuple(Load(self.span, ULONGLONG, self.half(register, i)) for i in range(2))

    def copy(self, name: str, operand: str) -> tuple[Variable, list[Stmt]]:
        """Return a new register with an operand's value, and the statements that make it."""
        words = self.halves(operand)
        if len(words) != 2:
            raise PtxFault(f"'{operand}' does not name two words")
        made = self.variable(name, WIDE)
        return made, [
            self.build.declare(made),
            *(self.build.assign(self.half(made, i), w) for i, w in enumerate(words)),
        ]

    def written(self, target: str, value: Variable) -> list[Stmt]:
        """Write a register to another one, or to the two of `{a, b}`; to none, where the target is `_`."""
        words = [Load(self.span, ULONGLONG, self.half(value, i)) for i in range(2)]
        if target == "_":
            return []
        if not target.startswith("{"):
            register = self.whole(target)
            return [self.build.assign(self.half(register, i), word) for i, word in enumerate(words)]
        names = listed(target)
        if len(names) != 2:
            raise PtxFault(f"'{target}' does not name two words")
        return [self.assign(name, word) for name, word in zip(names, words, strict=True)]

    def moved(self, target: str, source: str) -> list[Stmt]:
        value, made = self.copy("moved", source)
        return [*made, *self.written(target, value)]

    # ---------------------------------------------------------------------------------------------- memory

    def loaded(self, target: str, address: str, words: list[str]) -> list[Stmt]:
        """Load both words, in one step where other threads may write to them meanwhile."""
        b, loaded = self.build, self.variable("loaded", WIDE)
        pointer, start = self.pointer_to(address, is_shared(words))
        made: list[Stmt] = [start, b.declare(loaded)]
        if is_volatile(words):
            made += [b.assign(self.half(loaded, i), b.number(ULONGLONG, 0)) for i in range(2)]
            made.append(b.evaluate(self.swapped(pointer, loaded, loaded)))
        else:
            made += [
                b.assign(self.half(loaded, i), Load(self.span, ULONGLONG, self.word(pointer, i))) for i in range(2)
            ]
        return [*made, *self.written(target, loaded)]

    def stored(self, address: str, source: str, words: list[str]) -> list[Stmt]:
        b = self.build
        pointer, start = self.pointer_to(address, is_shared(words))
        value, made = self.copy("value", source)
        if is_volatile(words):
            return [start, *made, *self.exchanged(pointer, value)[1]]
        stores = [b.assign(self.word(pointer, i), Load(self.span, ULONGLONG, self.half(value, i))) for i in range(2)]
        return [start, *made, *stores]

    def atomic(self, operands: tuple[str, ...], shared: bool) -> list[Stmt]:
        """`atom.exch.b128 d, [a], b;` and `atom.cas.b128 d, [a], expected, b;`"""
        target, address, *sources = operands
        pointer, start = self.pointer_to(address, shared)
        desired, made = self.copy("desired", sources[-1])
        if len(sources) == 1:
            found, swap = self.exchanged(pointer, desired)
        else:
            found, first = self.copy("found", sources[0])
            swap = [*first, self.build.evaluate(self.swapped(pointer, found, desired))]
        return [start, *made, *swap, *self.written(target, found)]

    def exchanged(self, pointer: Variable, desired: Variable) -> tuple[Variable, list[Stmt]]:
        """Put a value in a place; return the register that holds what was there, and the statements that do so."""
        b = self.build
        found, done = self.variable("found", WIDE), self.variable("done", BOOL)
        start = [b.assign(self.half(found, i), Load(self.span, ULONGLONG, self.half(desired, i))) for i in range(2)]
        swapped = Binary(self.span, BOOL, "!=", self.swapped(pointer, found, desired), b.number(INT, 0))
        loop = Loop(self.span, (), b.negate(b.read(done)), (), b.block(b.assign(done, swapped)))
        return found, [b.declare(found), *start, b.declare(done, b.number(BOOL, False)), loop]

    def pointer_to(self, address: str, shared: bool) -> tuple[Variable, Stmt]:
        where = self.address(address, ULONGLONG, volatile=False, const=False, shared=shared)
        return self.kept("address", where)

    def word(self, pointer: Variable, number: int) -> Deref:
        b = self.build
        return Deref(self.span, ULONGLONG, PointerAdd(self.span, pointer.type, b.read(pointer), b.number(INT, number)))

    def swapped(self, pointer: Variable, found: Variable, desired: Variable) -> Expr:
        """Return the call that compares and swaps 16 bytes, which must be aligned."""
        b = self.build
        place = Convert(self.span, Pointer(VOID), b.read(pointer), explicit=True)
        expected = Convert(self.span, Pointer(VOID), b.first_element(found), explicit=True)
        wanted = Convert(self.span, Pointer(VOID, const=True), b.first_element(desired), explicit=True)
        return self.call("__s2s_swap_16", place, expected, wanted)
