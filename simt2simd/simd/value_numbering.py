"""A builder that builds no instruction twice in a block, and none whose result is a constant.

**Known as:** local value numbering, constant folding, store-to-load forwarding; LLVM: `EarlyCSE`, `IRBuilder`'s folder.

A kernel's text repeats itself: each `a[k * n + i]` multiplies and adds anew. LLVM would find out, but only after every
instruction has been an object, then text, then an object again. In debug information, a value is of the line that first
needs it, as after LLVM's own pass.

What must hold: operations that are numbered read and write no memory. A register slot is loaded and stored by one
builder only, and nothing else has its address.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any

from llvmlite import ir

_COMPARISONS = ("icmp_signed", "icmp_unsigned", "fcmp_ordered", "fcmp_unordered")
_CASTS = (
    *("trunc", "zext", "sext", "fptrunc", "fpext", "bitcast", "fptoui", "uitofp", "fptosi", "sitofp"),
    *("ptrtoint", "inttoptr"),
)
_VECTORS = ("select", "extract_element", "insert_element", "shuffle_vector")
_ARITHMETIC = (
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and_", "or_", "xor"),
    *("fadd", "fsub", "fmul", "fdiv", "frem", "fneg"),
)
_FOLDED: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "and_": int.__and__,
    "or_": int.__or__,
    "xor": int.__xor__,
}
_IDENTITY = {"add": 0, "sub": 0, "mul": 1, "or_": 0, "xor": 0, "shl": 0, "lshr": 0, "ashr": 0}  # on the right
_COMMUTE = ("add", "mul", "or_", "xor")


class NumberingBuilder(ir.IRBuilder):
    """An `IRBuilder` that returns the value of an equal instruction in the present block, if there is one."""

    def __init__(self, block: ir.Block) -> None:
        super().__init__(block)
        self._numbers: dict[ir.Block, dict[Hashable, ir.Value]] = {}
        self._registers: set[ir.AllocaInstr] = set()
        self._held: set[ir.Value] = set()

    def numbered(self, key: Hashable, build: Callable[[], ir.Value]) -> ir.Value:
        """Return what the present block has for `key`; at first it is built."""
        known = self._numbers.setdefault(self.block, {})
        if key not in known:
            known[key] = build()
        return known[key]

    def keep_in_register(self, slot: ir.AllocaInstr) -> None:
        """Remember within a block what `slot` holds. It is only loaded and stored, by this builder."""
        self._registers.add(slot)

    def is_held(self, value: ir.Value) -> bool:
        """Whether a register slot has got this value: then it is needed, whatever else is made of its operands."""
        return value in self._held

    def load(self, ptr: ir.Value, name: str = "", align: int | None = None, typ: ir.Type | None = None) -> ir.Value:
        read = super().load
        if ptr not in self._registers:
            return read(ptr, name, align, typ)
        return self.numbered(ptr, lambda: read(ptr, name, align, typ))

    def store(self, value: ir.Value, ptr: ir.Value, align: int | None = None) -> ir.Instruction:
        if ptr in self._registers:
            self._numbers.setdefault(self.block, {})[ptr] = value
            self._held.add(value)
        return super().store(value, ptr, align)

    def gep(
        self, ptr: ir.Value, indices: Sequence[ir.Value], inbounds: bool = False, name: str = "",
        source_etype: ir.Type | None = None,
    ) -> ir.Value:  # fmt: skip
        build = super().gep
        key = ("gep", ptr, *indices, inbounds, source_etype)
        return self.numbered(key, lambda: build(ptr, indices, inbounds, name, source_etype))


def _with_numbers(operation: str) -> Callable[..., ir.Value]:
    """Return the method of `NumberingBuilder` for an operation: what `IRBuilder` has, but simplified and numbered."""
    plain = getattr(ir.IRBuilder, operation)

    @wraps(plain)
    def build(self: NumberingBuilder, *operands: Any, name: str = "", flags: tuple[str, ...] = ()) -> ir.Value:
        options: dict[str, Any] = {"name": name, "flags": flags} if flags else {"name": name}
        simple = _simplified(operation, operands)
        if simple is not None:
            return simple
        return self.numbered((operation, flags, *operands), lambda: plain(self, *operands, **options))

    return build


for _operation in (*_ARITHMETIC, *_COMPARISONS, *_CASTS, *_VECTORS):
    setattr(NumberingBuilder, _operation, _with_numbers(_operation))


def _simplified(operation: str, operands: tuple[Any, ...]) -> ir.Value | None:
    """Return the value of an operation on scalar integers that needs no instruction."""
    left, right = operands[0], operands[1] if len(operands) > 1 else None
    first, second = _number(left), _number(right)
    if operation in ("sext", "zext", "trunc") and first is not None and isinstance(right, ir.IntType):
        return ir.Constant(right, _wrapped(first if operation == "sext" else first % (1 << left.type.width), right))
    if first is not None and second is not None and operation in _FOLDED:
        return ir.Constant(left.type, _wrapped(_FOLDED[operation](first, second), left.type))
    if isinstance(left, ir.Value) and second is not None and second == _IDENTITY.get(operation):
        return left
    if isinstance(right, ir.Value) and operation in _COMMUTE and first == _IDENTITY[operation]:
        return right
    return None


def _number(value: object) -> int | None:
    """Return the integer that a scalar constant of more than one bit holds, signed."""
    if not isinstance(value, ir.Constant) or not isinstance(value.type, ir.IntType) or value.type.width == 1:
        return None
    return _wrapped(value.constant, value.type) if isinstance(value.constant, int) else None


def _wrapped(number: int, type_: ir.IntType) -> int:
    """Return the signed number that an integer type has for `number`."""
    half = 1 << (type_.width - 1)
    return (number + half) % (2 * half) - half
