"""PTX's arithmetic of numbers of 16 bits and of pairs of them: `f16`, `bf16`, `f16x2` and `bf16x2`.

Each number is computed with as `float` and rounded once (`sema/half`). Source: "Parallel Thread Execution ISA", "Half
Precision Floating Point Instructions".
"""

from __future__ import annotations

from ....lang.ctype import DOUBLE, FLOAT, HALF, INT, UINT, ULONGLONG, USHORT, Scalar
from ....tree.nodes import BinaryOp, Expr, Stmt, Variable
from ....tree.rewrite import copied
from ...parse.ptx_text import Instruction
from .conversions import FROM_BITS, SHORT, Conversions

# Each with the words that it may have, one set for each form, and with how many operands.
_FORMS: dict[str, tuple[tuple[tuple[str, ...], ...], int]] = {
    **dict.fromkeys(("add", "sub", "mul"), (((), ("rn",)), 2)),
    "fma": ((("rn",), ("rn", "relu")), 3),
    "min": (((), ("NaN",)), 2), "max": (((), ("NaN",)), 2),
    "neg": (((),), 1), "abs": (((),), 1),
    "ex2": ((("approx",), ("approx", "ftz")), 1), "tanh": ((("approx",),), 1),
}  # fmt: skip
_FUNCTIONS = {
    "add": "__fadd_rn", "sub": "__fsub_rn", "mul": "__fmul_rn", "min": "fminf", "max": "fmaxf", "ex2": "exp2f",
    "tanh": "tanhf",
}  # fmt: skip


class ShortArithmetic(Conversions):
    """Translates arithmetic of short floats."""

    def of_shorts(self, node: Instruction) -> list[Stmt] | None:
        """Return what an instruction on short floats does; None for others."""
        kind = node.words[-1]
        ctype = SHORT.get(kind.removesuffix("x2"))
        forms, count = _FORMS.get(node.words[0], ((), 0))
        if ctype is None or node.words[1:-1] not in forms or len(node.operands) != count + 1:
            return None
        if ("ftz" in node.words) != (node.words[0] == "ex2" and ctype != HALF):
            return None
        word = UINT if kind.endswith("x2") else USHORT
        kept = [self.kept("word", self.value(operand, word)) for operand in node.operands[1:]]
        made, results = [statement for _, statement in kept], list[Expr]()
        for part in range(word.size // 2):
            pieces = [self.piece(self.build.read(variable), part) for variable, _ in kept]
            found, statements = self.computed(node, ctype, pieces)
            made += statements
            results.append(found)
        joined = results[0] if word is USHORT else self.joined(results[1], results[0], UINT, 16)
        return [*made, self.assign(node.operands[0], joined)]

    def piece(self, word: Expr, part: int) -> Expr:
        b = self.build
        return b.convert(USHORT, b.binary(b.convert(UINT, word), ">>", b.number(INT, 16 * part)))

    def computed(self, node: Instruction, ctype: Scalar, pieces: list[Expr]) -> tuple[Expr, list[Stmt]]:
        """Return the bits of one result, and what comes before it."""
        b, name = self.build, node.words[0]
        if name in ("neg", "abs"):
            op: BinaryOp = "^" if name == "neg" else "&"
            bits = b.binary(b.convert(UINT, pieces[0]), op, b.number(UINT, 0x8000 if name == "neg" else 0x7FFF))
            return b.convert(USHORT, bits), []
        wide = DOUBLE if name == "fma" else FLOAT
        kept = [self.kept("number", b.convert(wide, self.call(FROM_BITS[ctype], piece))) for piece in pieces]
        made = [statement for _, statement in kept]
        numbers: list[Expr] = [b.read(variable) for variable, _ in kept]
        if name == "fma":
            total, statements = self.fused(numbers)
            made += statements
            if "relu" in node.words:
                negative = b.binary(b.read(total), "<=", b.number(DOUBLE, 0.0))
                return self.shortened(b.choose(negative, b.number(DOUBLE, 0.0), b.read(total)), ctype), made
            return self.shortened(b.read(total), ctype), made
        value: Expr = self.call(_FUNCTIONS[name], *numbers)
        if "NaN" in node.words:
            for variable, _ in kept:
                none = self.call("isnan", b.read(variable))
                value = b.choose(none, b.read(variable), value)
        if "ftz" in node.words:
            value = self.flushed(value)
        return self.shortened(value, ctype), made

    def fused(self, numbers: list[Expr]) -> tuple[Variable, list[Stmt]]:
        """Return a * b + c, of which the last bit is set where others are lost: rounded again, that is right.

        The product is exact as double. Of the nearest numbers below and above the sum, one is odd.
        """
        b, (left, right, addend) = self.build, numbers
        product, first = self.kept("product", b.binary(left, "*", right))
        below, second = self.kept("below", self.call("__dadd_rd", b.read(product), addend))
        above, third = self.kept("above", self.call("__dadd_ru", b.read(product), copied(addend)))
        is_odd = b.binary(self.bits(b.read(below)), "&", b.number(ULONGLONG, 1))
        odd = b.choose(b.binary(is_odd, "!=", b.number(ULONGLONG, 0)), b.read(below), b.read(above))
        total, fourth = self.kept("total", odd)
        return total, [first, second, third, fourth]
