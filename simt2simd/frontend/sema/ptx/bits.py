"""PTX's instructions on bits."""

from __future__ import annotations

from typing import Literal

from ....lang.ctype import BOOL, INT, UINT, ULONGLONG, Scalar, is_float
from ....tree.nodes import BinaryOp, Constant, Expr, Stmt, Unary
from ....tree.rewrite import copied
from ...parse.ptx_text import Instruction
from .arithmetic import Arithmetic
from .registers import SIGNED, TYPES, UNSIGNED, builtin

_BITWISE: dict[str, BinaryOp] = {"and": "&", "or": "|", "xor": "^"}

# The selectors of each mode of `prmt`, for the numbers 0 to 3 from the lowest on.
_PERMUTATIONS = {
    "f4e": 0x6543_5432_4321_3210, "b4e": 0x0123_7012_6701_5670, "rc8": 0x3333_2222_1111_0000,
    "ecl": 0x3333_3222_3211_3210, "ecr": 0x3210_2210_1110_0000, "rc16": 0x3232_1010_3232_1010,
}  # fmt: skip


class Bits(Arithmetic):
    """Translates instructions on bits."""

    def do_and(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None or node.words[1:-1]:
            return None
        left, right = self.in_words(node, ctype)
        op = _BITWISE[node.words[0]]
        if ctype is BOOL:
            wide = self.build.binary(self.build.convert(INT, left), op, self.build.convert(INT, right))
            return self.result(node, self.build.convert(BOOL, wide))
        return self.result(node, self.operate(left, op, right))

    do_or = do_xor = do_and

    def do_not(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or node.words[1:-1]:
            return None
        (value,) = self.in_words(node, ctype)
        if ctype is BOOL:
            return self.result(node, self.build.negate(value))
        promoted = self.promoted(value)
        return self.result(node, self.build.convert(ctype, Unary(self.span, promoted.type, "~", promoted)))

    def do_cnot(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or node.words[1:-1]:
            return None
        (value,) = self.in_words(node, ctype)
        is_zero = self.build.binary(value, "==", self.build.number(value.type, 0))
        return self.result(node, self.build.convert(ctype, is_zero))

    def do_shl(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None or node.words[1:-1]:
            return None
        value, count = self.value(node.operands[1], ctype), self.value(node.operands[2], UINT)
        return self.result(node, self.shifted(value, "<<" if node.words[0] == "shl" else ">>", count))

    do_shr = do_shl

    def shifted(self, value: Expr, op: Literal["<<", ">>"], count: Expr) -> Expr:
        """Shift; a count of the width or more leaves nothing but the sign."""
        given = value.type
        assert isinstance(given, Scalar)
        if given.size >= 4:
            return self.build.binary(value, op, count)
        wide = self.build.convert(INT if given.signed else UINT, value)
        return self.build.convert(given, self.build.binary(wide, op, count))

    def do_shf(self, node: Instruction) -> list[Stmt] | None:
        names = {("l", "wrap"): "l", ("l", "clamp"): "lc", ("r", "wrap"): "r", ("r", "clamp"): "rc"}
        name = names.get(tuple(node.words[1:-1]))  # type: ignore[arg-type]
        if name is None or self.operand_type(node, 4) != UINT:
            return None
        return self.result(node, self.call(f"__funnelshift_{name}", *self.in_words(node, UINT)))

    def low_bits(self, ctype: Scalar, count: Expr) -> Expr:
        """Return a mask of so many ones, all of them from the width on."""
        b = self.build
        return b.binary(b.binary(b.number(ctype, 1), "<<", count), "-", b.number(ctype, 1))

    def byte_of(self, operand: str) -> Expr:
        return self.build.binary(self.value(operand, UINT), "&", self.build.number(UINT, 255))

    def do_bfe(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype is None or ctype.size < 4 or node.words[1:-1] or is_float(ctype):
            return None
        b = self.build
        value = self.value(node.operands[1], ctype)
        moved = b.binary(value, ">>", self.byte_of(node.operands[2]))
        count = self.byte_of(node.operands[3])
        if not ctype.signed:
            return self.result(node, b.binary(moved, "&", self.low_bits(ctype, count)))
        width = b.number(UINT, ctype.bits)
        free = b.binary(width, "-", self.call("min", count, b.number(UINT, ctype.bits)))
        upward = b.binary(b.convert(UNSIGNED[ctype.size], moved), "<<", free)
        extended = b.binary(b.convert(ctype, upward), ">>", copied(free))
        none = b.binary(self.byte_of(node.operands[3]), "==", b.number(UINT, 0))
        return self.result(node, b.choose(none, b.number(ctype, 0), extended))

    def do_bfi(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 5)
        if ctype not in (UINT, ULONGLONG) or node.words[1:-1]:
            return None
        b = self.build
        field, whole = (self.value(operand, ctype) for operand in node.operands[1:3])
        mask = b.binary(self.low_bits(ctype, self.byte_of(node.operands[4])), "<<", self.byte_of(node.operands[3]))
        put = b.binary(b.binary(field, "<<", self.byte_of(node.operands[3])), "&", mask)
        kept = b.binary(whole, "&", Unary(self.span, ctype, "~", copied(mask)))
        return self.result(node, b.binary(kept, "|", put))

    def do_bmsk(self, node: Instruction) -> list[Stmt] | None:
        """`bmsk.clamp.b32 d, a, b;`: b ones from bit a on. With `.wrap`, of a and b the low five bits count."""
        if node.words[1:] not in (("clamp", "b32"), ("wrap", "b32")) or len(node.operands) != 3:
            return None
        b, wraps = self.build, node.words[1] == "wrap"
        first, count = self.in_words(node, UINT)
        if wraps:
            first, count = (b.binary(one, "&", b.number(UINT, 31)) for one in (first, count))
        ones = b.binary(b.number(ULONGLONG, 1), "<<", count)
        moved = b.binary(b.binary(ones, "-", b.number(ULONGLONG, 1)), "<<", first)
        return self.result(node, b.convert(UINT, moved))

    def do_bfind(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or ctype.size < 4 or is_float(ctype) or self.modifiers(node, "shiftamt") is None:
            return None
        b = self.build
        (value,) = self.in_words(node, ctype)
        if ctype.signed:  # the highest bit that is not the sign
            value = b.binary(value, "^", b.binary(copied(value), ">>", b.number(UINT, ctype.bits - 1)))
        zeros = self.call("__clz" if ctype.size == 4 else "__clzll", b.convert(SIGNED[ctype.size], value))
        if "shiftamt" in node.words:
            none = b.binary(copied(zeros), "==", b.number(INT, ctype.bits))
            return self.result(node, b.convert(UINT, b.choose(none, b.number(INT, -1), zeros)))
        return self.result(node, b.convert(UINT, b.binary(b.number(INT, ctype.bits - 1), "-", zeros)))

    def do_popc(self, node: Instruction) -> list[Stmt] | None:
        names = {"popc": ("__popc", "__popcll"), "clz": ("__clz", "__clzll"), "brev": ("__brev", "__brevll")}
        ctype = self.operand_type(node, 2)
        if ctype not in (UINT, ULONGLONG) or node.words[1:-1]:
            return None
        name = names[node.words[0]][ctype == ULONGLONG]
        (value,) = self.in_words(node, ctype)
        made = self.call(name, self.build.convert(builtin(name).params[0], value))
        return self.result(node, made if node.words[0] == "brev" else self.build.convert(UINT, made))

    do_clz = do_brev = do_popc

    def do_prmt(self, node: Instruction) -> list[Stmt] | None:
        """`prmt`: nibbles of the selector choose bytes; those above 7 choose the sign of one, eight times."""
        if node.words[1:2] == ("b32",) and node.words[2:] and node.words[2] in _PERMUTATIONS:
            return self.permuted(node, _PERMUTATIONS[node.words[2]])
        if self.operand_type(node, 4) != UINT or node.words[1:-1]:
            return None
        b = self.build
        left, right, selector = self.in_words(node, UINT)
        nibbles = b.binary(selector, "&", b.number(UINT, 0x7777))
        bytes_ = self.call("__byte_perm", left, right, nibbles)
        if isinstance(selector, Constant) and not int(selector.value) & 0x8888:
            return self.result(node, bytes_)

        def spread(value: Expr, shift: int) -> Expr:
            """Return nibble `shift` of the selector's signs as a byte of ones."""
            bit = b.binary(b.binary(value, ">>", b.number(INT, 4 * shift + 3)), "&", b.number(UINT, 1))
            return b.binary(bit, "*", b.number(UINT, 0xFF << 8 * shift))

        chosen = spread(copied(selector), 0)
        for shift in range(1, 4):
            chosen = b.binary(chosen, "|", spread(copied(selector), shift))
        signs = b.binary(b.binary(copied(bytes_), ">>", b.number(INT, 7)), "&", b.number(UINT, 0x01010101))
        signs = b.binary(signs, "*", b.number(UINT, 0xFF))
        kept = b.binary(bytes_, "&", Unary(self.span, UINT, "~", chosen))
        return self.result(node, b.binary(kept, "|", b.binary(signs, "&", copied(chosen))))

    def permuted(self, node: Instruction, selectors: int) -> list[Stmt] | None:
        """`prmt.b32.rc8`: the last operand chooses one of four selectors, of 16 bits each."""
        if len(node.words) != 3 or len(node.operands) != 4:
            return None
        b, (left, right, mode) = self.build, self.in_words(node, UINT)
        by = b.binary(b.binary(mode, "&", b.number(UINT, 3)), "*", b.number(UINT, 16))
        selector = b.convert(UINT, b.binary(b.number(ULONGLONG, selectors), ">>", by))
        return self.result(node, self.call("__byte_perm", left, right, b.binary(selector, "&", b.number(UINT, 0x7777))))

    def do_lop3(self, node: Instruction) -> list[Stmt] | None:
        if self.operand_type(node, 5) != UINT or node.words[1:-1]:
            return None
        b, table = self.build, self.constant(node.operands[4]) & 255
        made: Expr | None = None
        for row in (row for row in range(8) if table >> row & 1):
            parts = [self.value(operand, UINT) for operand in node.operands[1:4]]
            on = [row >> 2 & 1, row >> 1 & 1, row & 1]
            a, c, d = (v if bit else Unary(self.span, UINT, "~", v) for v, bit in zip(parts, on, strict=True))
            term = b.binary(b.binary(a, "&", c), "&", d)
            made = term if made is None else b.binary(made, "|", term)
        return self.result(node, made if made is not None else b.number(UINT, 0))

    def do_dp4a(self, node: Instruction) -> list[Stmt] | None:
        return self.dot_product(node, parts=4, of_left=8, first=0) if len(node.words) == 3 else None

    def do_dp2a(self, node: Instruction) -> list[Stmt] | None:
        if len(node.words) != 4 or node.words[1] not in ("lo", "hi"):
            return None
        return self.dot_product(node, parts=2, of_left=16, first=2 * (node.words[1] == "hi"))

    def dot_product(self, node: Instruction, *, parts: int, of_left: int, first: int) -> list[Stmt] | None:
        left_type, right_type = (TYPES.get(word) for word in node.words[-2:])
        if not {left_type, right_type} <= {INT, UINT} or len(node.operands) != 4:
            return None
        assert left_type is not None and right_type is not None
        b = self.build
        total: Expr = self.value(node.operands[3], UINT)
        for i in range(parts):
            left = self.part(node.operands[1], left_type.signed, of_left, i)
            right = self.part(node.operands[2], right_type.signed, 8, first + i)
            total = b.binary(total, "+", b.binary(b.convert(UINT, left), "*", b.convert(UINT, right)))
        return self.result(node, total)

    def part(self, operand: str, signed: bool, bits: int, index: int) -> Expr:
        b = self.build
        moved = b.binary(self.value(operand, UINT), ">>", b.number(INT, bits * index))
        return b.convert(INT, b.convert((SIGNED if signed else UNSIGNED)[bits // 8], moved))
