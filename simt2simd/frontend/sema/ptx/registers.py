"""Registers and values of PTX as values of the tree: types, numbers, special registers.

A register holds bits: an integer register is an unsigned variable, and what an instruction reads of it gets the type
that the instruction names.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ....abi import SHARED_ROOM_BYTES
from ....lang.builtins import ADDRESS_FUNCTIONS, BUILTINS, DYNAMIC_SHARED_BYTES, GRID_ID, WARP_SIZE, Builtin
from ....lang.ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    Array,
    CType,
    Pointer,
    Scalar,
    is_float,
    is_integer,
)
from ....source import Span
from ....tree.build import Build
from ....tree.nodes import Constant, Convert, Expr, Stmt, Variable
from ...parse.ptx_text import PtxFault
from ..constexpr.fold import wrap

TYPES: dict[str, Scalar] = {
    "b8": UCHAR, "u8": UCHAR, "s8": SCHAR, "b16": USHORT, "u16": USHORT, "s16": SHORT, "b32": UINT, "u32": UINT,
    "s32": INT, "b64": ULONGLONG, "u64": ULONGLONG, "s64": LONGLONG, "f32": FLOAT, "f64": DOUBLE, "pred": BOOL,
}  # fmt: skip
UNSIGNED: dict[int, Scalar] = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONGLONG}
SIGNED: dict[int, Scalar] = {1: SCHAR, 2: SHORT, 4: INT, 8: LONGLONG}

SHARED = frozenset(("shared", "shared::cta"))  # how instructions name the block's shared memory
# What instructions say of memory beside what they do there.
_ORDERS = "weak relaxed acquire release volatile mmio gpu cta cluster sys"
CACHED = frozenset((*f"{_ORDERS} ca cg cs cv lu nc wb wt global local const".split(), *SHARED))
CACHE_LEVELS = ("L1::", "L2::")
WIDE = Array(ULONGLONG, 2)  # a register of 128 bits, the low half first

_INTEGER = re.compile(r"(?P<sign>-?)(?P<digits>0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)U?")
_SPECIAL_INDEX = re.compile(r"%(?P<name>tid|ntid|ctaid|nctaid|clusterid|nclusterid)\.(?P<axis>[xyz])")
# A cluster is one block.
_INDICES = {
    "tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim", "clusterid": "blockIdx",
    "nclusterid": "gridDim",
}  # fmt: skip
_OF_CLUSTER = re.compile(r"%cluster_(?P<number>n?)cta(id\.[xyz]|rank)")


def builtin(name: str, *params: CType) -> Builtin:
    """Return the row of a built-in function for parameters of these types."""
    return next(row for row in BUILTINS[name] if not params or row.params == params)


@dataclass
class Registers:
    """The registers of one `asm` statement, and how its instructions read and write them."""

    span: Span
    scopes: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))  # of the variables that are made

    @property
    def build(self) -> Build:
        return Build(self.span)

    # ----------------------------------------------------------------------------------------- registers

    def variable(self, name: str, ctype: CType) -> Variable:
        plain = re.sub(r"\W+", "_", name).strip("_") or "register"
        return Variable(f"ptx_{plain}_{next(self.numbers)}", ctype, self.span, "local")

    def kept(self, name: str, value: Expr) -> tuple[Variable, Stmt]:
        """Return a variable that holds a value, and its declaration."""
        made = self.variable(name, value.type)
        return made, self.build.declare(made, value)

    def declare(self, name: str, ptx_type: str) -> Stmt:
        ctype = TYPES.get(ptx_type)
        if ctype is None and ptx_type != "b128":
            raise PtxFault(f"PTX registers of the type '.{ptx_type}' are not supported")
        made = self.variable(name, WIDE if ctype is None else canonical(ctype))
        self.scopes[-1][name] = made
        return self.build.declare(made)

    def register(self, name: str) -> Variable:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise PtxFault(f"'{name}' is no register")

    def is_register(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    # -------------------------------------------------------------------------------------------- values

    def value(self, operand: str, ctype: Scalar) -> Expr:
        """Return an operand as an instruction of this type reads it."""
        operand = operand.strip()
        if self.is_register(operand):
            return self.as_type(self.build.read(self.register(operand)), ctype, operand)
        if operand.startswith("%") or operand == "WARP_SZ":
            return self.as_type(self.special(operand), ctype, operand)
        return self.number(operand, ctype)

    def as_type(self, value: Expr, ctype: Scalar, what: str) -> Expr:
        """Return the bits of a value as a type of the same size; of a wider integer the low bits."""
        given = value.type
        if given == ctype:
            return value
        if (
            not isinstance(given, Scalar)
            or BOOL in (given, ctype)
            or given.size < ctype.size
            or (given.size != ctype.size and is_float(given))
        ):
            raise PtxFault(f"'{what}' does not fit the instruction's type '{ctype}'")
        if is_float(given):
            value = self.bits(value)
        if is_float(ctype):
            return self.from_bits(self.build.convert(UNSIGNED[ctype.size], value), ctype)
        return self.build.convert(ctype, value)

    def bits(self, value: Expr) -> Expr:
        """Return the bits of a floating-point number as an unsigned integer."""
        signed = SIGNED[value.type.size]
        row = builtin("__float_as_int" if signed == INT else "__double_as_longlong")
        return self.build.convert(UNSIGNED[signed.size], self.build.call_builtin(row, value))

    def from_bits(self, value: Expr, ctype: Scalar) -> Expr:
        row = builtin("__int_as_float" if ctype == FLOAT else "__longlong_as_double")
        return self.build.call_builtin(row, self.build.convert(SIGNED[ctype.size], value))

    def number(self, text: str, ctype: Scalar) -> Expr:
        """Return a literal: `-5`, `0x1F`, `0f3F800000`, `1.0`."""
        if is_float(ctype):
            return Constant(self.span, ctype, _float(text, ctype))
        found = _INTEGER.fullmatch(text)
        if found is None:
            raise PtxFault(f"'{text}' is neither a register nor a number of the type '{ctype}'")
        digits = found["digits"].lower()
        base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 8 if digits.startswith("0") else 10
        value = int(digits.removeprefix("0x").removeprefix("0b"), base) * (-1 if found["sign"] else 1)
        number = wrap(value, ctype)
        return Constant(self.span, ctype, bool(number) if ctype is BOOL else number)

    def constant(self, text: str) -> int:
        """Return an operand that must be a number."""
        number = self.number(text, LONGLONG)
        assert isinstance(number, Constant)
        return int(number.value)

    # ----------------------------------------------------------------------------------- special registers

    def special(self, name: str) -> Expr:
        if found := _SPECIAL_INDEX.fullmatch(name):
            index = _INDICES[found["name"]]
            assert index in ("threadIdx", "blockIdx", "blockDim", "gridDim")
            return self.build.thread_index("xyz".index(found["axis"]), index)  # type: ignore[arg-type]
        b = self.build
        if found := _OF_CLUSTER.fullmatch(name):
            return b.number(UINT, 1 if found["number"] else 0)
        match name:
            case "%is_explicit_cluster":
                return b.number(BOOL, False)
            case "%current_graph_exec":  # launches from device code make no graphs
                return b.number(ULONGLONG, 0)
            case "WARP_SZ":
                return b.number(UINT, WARP_SIZE)
            case "%laneid":
                return self.lane()
            case "%warpid":
                return b.binary(self.linear_thread(), "/", b.number(UINT, WARP_SIZE))
            case "%nwarpid":
                return b.number(UINT, WARP_SIZE)
            case "%smid":  # each block runs on one hthread, and programs only distinguish them
                return b.number(UINT, 0)
            case "%nsmid":
                return b.number(UINT, 1)
            case "%dynamic_smem_size":
                return b.call_builtin(DYNAMIC_SHARED_BYTES)
            case "%total_smem_size" | "%aggr_smem_size":  # what is allocated, of which each block has the same
                return b.number(UINT, SHARED_ROOM_BYTES)
            case "%gridid":
                return b.call_builtin(GRID_ID)
            case "%clock" | "%clock_hi" | "%clock64":
                return self.part_of(b.convert(ULONGLONG, b.call_builtin(builtin("clock64"))), name, "%clock64")
            case "%globaltimer" | "%globaltimer_lo" | "%globaltimer_hi":
                return self.part_of(b.call_builtin(builtin("__globaltimer")), name, "%globaltimer")
            case "%lanemask_eq":
                return b.binary(b.number(UINT, 1), "<<", self.lane())
            case "%lanemask_lt":
                return self.lanes_below(1)
            case "%lanemask_le":
                return self.lanes_below(2)
            case "%lanemask_ge":
                return self.inverted(self.lanes_below(1))
            case "%lanemask_gt":
                return self.inverted(self.lanes_below(2))
        raise PtxFault(f"the PTX register '{name}' is not supported")

    def part_of(self, whole: Expr, name: str, all_of_it: str) -> Expr:
        if name == all_of_it:
            return whole
        if name.endswith("_hi"):
            whole = self.build.binary(whole, ">>", self.build.number(INT, 32))
        return self.build.convert(UINT, whole)

    def linear_thread(self) -> Expr:
        """Return the number of the thread in its block."""
        b = self.build
        row = b.binary(b.binary(b.thread_index(2), "*", b.thread_index(1, "blockDim")), "+", b.thread_index(1))
        return b.binary(b.binary(row, "*", b.thread_index(0, "blockDim")), "+", b.thread_index(0))

    def lane(self) -> Expr:
        return self.build.binary(self.linear_thread(), "&", self.build.number(UINT, WARP_SIZE - 1))

    def lanes_below(self, first: int) -> Expr:
        """Return `(first << lane) - 1`."""
        b = self.build
        return b.binary(b.binary(b.number(UINT, first), "<<", self.lane()), "-", b.number(UINT, 1))

    def inverted(self, value: Expr) -> Expr:
        return self.build.binary(value, "^", self.build.number(value.type, (1 << value.type.size * 8) - 1))

    # --------------------------------------------------------------------------------------------- writing

    def assign(self, name: str, value: Expr) -> Stmt:
        """Write a value to a register; a wider one gets it extended by its sign."""
        if name == "_":
            return self.build.evaluate(value)
        target = self.register(name)
        given, wanted = value.type, target.type
        assert isinstance(given, Scalar)
        if not isinstance(wanted, Scalar):
            raise PtxFault(f"a result of the type '{given}' does not fit '{name}'")
        if is_float(given) and is_integer(wanted) and given.size == wanted.size:
            value = self.bits(value)
        elif is_integer(given) and is_float(wanted) and given.size == wanted.size:
            value = self.from_bits(value, wanted)
        else:
            numbers = is_integer(given) and is_integer(wanted) and BOOL not in (given, wanted)
            if given.size > wanted.size or not (given == wanted or numbers):
                raise PtxFault(f"a result of the type '{given}' does not fit '{name}'")
        return self.build.assign(target, self.build.convert(wanted, value))

    def address(self, operand: str, ctype: CType, *, volatile: bool, const: bool, shared: bool = False) -> Expr:
        """Return `[register + number]` as a pointer."""
        return Convert(self.span, Pointer(ctype, const, volatile), self.place(operand, shared=shared), explicit=True)

    def place(self, operand: str, *, shared: bool) -> Expr:
        """Return the generic address that `[register + number]` is, as a number.

        `shared`: the instruction names shared memory, so an address may be one of that memory's own: these begin at 0,
        have 32 bits or 64, and are less than any generic one.
        """
        inside = operand.strip()
        found = re.fullmatch(r"\[\s*([^+\s-]+)\s*([+-]?)\s*(.*?)\s*\]", inside)
        if found is None:
            raise PtxFault(f"'{operand}' is no address")
        base, sign, offset = found.groups()
        register, b = self.register(base), self.build
        ctype = register.type
        if not isinstance(ctype, Scalar) or not is_integer(ctype) or ctype.size not in ((4, 8) if shared else (8,)):
            what = "only addresses of shared memory have so many" if ctype.size == 4 else "no address has so many"
            raise PtxFault(f"the address '{base}' has {ctype.size * 8} bits: {what}")
        distance = self.constant(sign.replace("+", "") + offset.lstrip("+")) if offset else 0

        def start() -> Expr:
            value: Expr = b.read(register)
            return b.binary(value, "+", b.number(value.type, wrap(distance, ctype))) if distance else value

        if ctype.size == 4:
            return self.from_shared(start())
        if not shared:
            return start()
        is_own = b.binary(b.read(register), "<", b.number(ULONGLONG, 1 << 32))
        return b.choose(is_own, self.from_shared(start()), start())

    def from_shared(self, address: Expr) -> Expr:
        """Return the generic address of an address of shared memory's own."""
        b = self.build
        pointer = b.call_builtin(ADDRESS_FUNCTIONS["__cvta_shared_to_generic"], b.convert(ULONG, address))
        return Convert(self.span, ULONGLONG, pointer, explicit=True)

    def to_shared(self, address: Expr) -> Expr:
        """Return the address of shared memory's own of a generic address."""
        pointer = Convert(self.span, Pointer(VOID, const=True), address, explicit=True)
        row = ADDRESS_FUNCTIONS["__cvta_generic_to_shared"]
        return self.build.convert(ULONGLONG, self.build.call_builtin(row, pointer))


def is_shared(words: Collection[str]) -> bool:
    """Whether the words of an opcode name shared memory."""
    return not SHARED.isdisjoint(words)


def is_volatile(modifiers: Collection[str]) -> bool:
    """Whether an access is one of those that other threads see as they are written."""
    return not {"volatile", "mmio", "cv", "relaxed", "acquire", "release"}.isdisjoint(modifiers)


def listed(text: str) -> list[str]:
    """`{a, b}` and `a` as lists."""
    return [name.strip() for name in text.strip("{} ").split(",")]


def canonical(ctype: Scalar) -> Scalar:
    """Return the type of a register for values of this type."""
    return UNSIGNED[ctype.size] if is_integer(ctype) and ctype is not BOOL else ctype


def _float(text: str, ctype: Scalar) -> float:
    single, double = re.fullmatch(r"0[fF]([0-9a-fA-F]{8})", text), re.fullmatch(r"0[dD]([0-9a-fA-F]{16})", text)
    if single:
        return float(struct.unpack(">f", bytes.fromhex(single[1]))[0])
    if double:
        return float(struct.unpack(">d", bytes.fromhex(double[1]))[0])
    try:
        value = float(text)
    except ValueError:
        raise PtxFault(f"'{text}' is neither a register nor a number of the type '{ctype}'") from None
    return float(struct.unpack("<f", struct.pack("<f", value))[0]) if ctype == FLOAT else value
