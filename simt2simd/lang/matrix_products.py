"""Products of small matrices that a warp computes, `mma.sync`: their sizes and types, and which thread has what.

d = a * b + c. The matrices have m rows and k columns, k rows and n columns, and m rows and n columns. An operand of a
thread is a *register* of 32 bits, or of 64 for doubles; it holds one or more elements, its *parts*, the first in the
low bits. A thread is at row `lane / 4` and column `lane % 4` of a grid of eight by four. Source: "Parallel Thread
Execution ISA", "Matrix Fragments for mma".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from .warp_functions import LANES_OF_WARP

ElementType = Literal["f64", "f32", "f16", "bf16", "tf32", "e4m3", "e5m2", "s32", "s8", "u8", "s4", "u4", "b1"]

BITS: dict[ElementType, int] = {
    "f64": 64, "f32": 32, "f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s32": 32, "s8": 8, "u8": 8,
    "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
FLOATS = frozenset(("f64", "f16", "bf16", "tf32", "e4m3", "e5m2"))


@dataclass(frozen=True, slots=True)
class Source:
    """Where each lane finds a factor: in which register of which lane, and which part of it."""

    register: int
    part: int
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """`sum_type` is that of c and d. `how`: "satfinite" clamps integers; "xor" and "and" combine bits."""

    m: int
    n: int
    k: int
    a: ElementType
    b: ElementType
    sum_type: ElementType
    how: str = ""

    @property
    def name(self) -> str:
        """`m16n8k16_f32_f16_f16`"""
        parts = (f"m{self.m}n{self.n}k{self.k}", self.sum_type, self.a, self.b, self.how)
        return "_".join(part for part in parts if part)

    @property
    def step(self) -> int:
        """How many elements of a row of a are multiplied at once: single bits by words."""
        return 32 if self.a == "b1" else 1

    @property
    def parts(self) -> int:
        """How many factors are in a register of a or b."""
        return 1 if self.a in ("b1", "f64") else 32 // BITS[self.a]

    @property
    def registers(self) -> tuple[int, int, int]:
        """How many registers a thread has of a, b, and c."""
        held = self.m * self.k // LANES_OF_WARP, self.k * self.n // LANES_OF_WARP
        sums = self.m * self.n // LANES_OF_WARP
        a, b = (elements // (self.parts * self.step) for elements in held)
        return a, b, sums // self.parts_of_sum

    @property
    def parts_of_sum(self) -> int:
        return 2 if self.sum_type == "f16" else 1

    def factors(self, element: int) -> Iterator[tuple[Source, Source]]:
        """Yield the factors in a and b of an element of d, the one that is number `element` in each lane."""
        places = [(lane // 4 + 8 * (element // 2), 2 * (lane % 4) + element % 2) for lane in range(LANES_OF_WARP)]
        in_register = 4 * self.parts  # factors of a row that the same register of four lanes holds
        for k in range(self.k // self.step):
            block, within = divmod(k, in_register)
            column, part = divmod(within, self.parts)
            of_a = {(row // 8, row % 8 * 4 + column) for row, _ in places}
            (half,) = {half for half, _ in of_a}
            yield (
                Source(block * (self.m // 8) + half, part, tuple(row % 8 * 4 + column for row, _ in places)),
                Source(block, part, tuple(n * 4 + column for _, n in places)),
            )


def _products() -> Iterator[MatrixProduct]:
    yield MatrixProduct(8, 8, 4, "f64", "f64", "f64")
    for k in (4, 8, 16):
        yield MatrixProduct(16, 8, k, "f64", "f64", "f64")
    for k in (8, 16):
        yield MatrixProduct(16, 8, k, "f16", "f16", "f16")
        yield MatrixProduct(16, 8, k, "f16", "f16", "f32")
        yield MatrixProduct(16, 8, k, "bf16", "bf16", "f32")
    for k in (4, 8):
        yield MatrixProduct(16, 8, k, "tf32", "tf32", "f32")
    eights: tuple[ElementType, ...] = ("e4m3", "e5m2")
    sums: tuple[ElementType, ...] = ("f32", "f16")
    for k, left, right, total in product((16, 32), eights, eights, sums):
        yield MatrixProduct(16, 8, k, left, right, total)
    integers: tuple[tuple[tuple[ElementType, ...], int], ...] = ((("s8", "u8"), 16), (("s4", "u4"), 32))
    for types, k in integers:
        for left, right, (m, columns), how in product(types, types, ((8, k), (16, k), (16, 2 * k)), ("", "satfinite")):
            yield MatrixProduct(m, 8, columns, left, right, "s32", how)
    for (m, k), how in product(((8, 128), (16, 128), (16, 256)), ("xor", "and")):
        yield MatrixProduct(m, 8, k, "b1", "b1", "s32", how)


MATRIX_PRODUCTS: dict[str, MatrixProduct] = {each.name: each for each in _products()}

# Eight rows of eight halves each, of which each lane gets a pair: its row, or its column.
LOADED = {"warp_ldmatrix": False, "warp_ldmatrix_trans": True}


@cache
def loaded_halves(transposed: bool) -> tuple[tuple[int, int], ...]:
    """Return which halves of an 8 x 8 matrix each lane gets, of the 64 in the order of memory."""
    pairs = []
    for lane in range(LANES_OF_WARP):
        row, column = divmod(lane, 4)
        first, step = (2 * column * 8 + row, 8) if transposed else (row * 8 + 2 * column, 1)
        pairs.append((first, first + step))
    return tuple(pairs)


def _row(each: MatrixProduct) -> str:
    """Return the row of the built-in function: the register of d that is wanted, and all operands."""
    factor = "double" if each.a == "f64" else "uint"
    total = {"f64": "double", "f32": "float", "f16": "uint", "s32": "int"}[each.sum_type]
    a, b, c = each.registers
    params = ",".join(("uint", "int", *[factor] * (a + b), *[total] * c))
    return f"__s2s_mma_{each.name}_sync warp_mma_{each.name} {total}({params})"


# The rows of the table of built-in functions (`lang/builtins`). The second argument is a constant: which register of
# the result a call gives. `ldmatrix` takes the address of a row.
MATRIX_FUNCTIONS = (
    "\n".join(map(_row, MATRIX_PRODUCTS.values()))
    + """
__s2s_ldmatrix_sync        warp_ldmatrix        uint(uint,int,ulonglong)
__s2s_ldmatrix_trans_sync  warp_ldmatrix_trans  uint(uint,int,ulonglong)
"""
)
