"""PTX's arithmetic: integers, carries and floating point.

Source: "Parallel Thread Execution ISA", chapter "Instruction Set".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ....lang.ctype import BOOL, DOUBLE, FLOAT, INT, LONGLONG, UINT, ULONGLONG, Scalar, is_float, is_integer
from ....tree.nodes import BinaryOp, BuiltinCall, Expr, Logical, Stmt, Unary, Variable
from ....tree.rewrite import copied
from ...parse.ptx_text import Instruction, PtxFault
from .registers import SIGNED, TYPES, UNSIGNED, Registers, builtin, canonical

_ROUNDED = ("rn",)  # the rounding mode that operators have
DIRECTIONS = {"rz": "rz", "rp": "ru", "rm": "rd"}
_DIRECTED = {"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "mad": 3, "sqrt": 1, "rcp": 1}  # with so many operands
_FLOAT_FUNCTIONS = {
    ("sqrt", FLOAT): "__fsqrt_rn", ("sqrt", DOUBLE): "__dsqrt_rn", ("rcp", FLOAT): "__frcp_rn",
    ("rcp", DOUBLE): "__drcp_rn", ("rsqrt", FLOAT): "rsqrtf", ("rsqrt", DOUBLE): "rsqrt", ("ex2", FLOAT): "exp2f",
    ("lg2", FLOAT): "__log2f", ("sin", FLOAT): "__sinf", ("cos", FLOAT): "__cosf", ("tanh", FLOAT): "__tanhf",
}  # fmt: skip
_HIGH = {INT: "__mulhi", UINT: "__umulhi", LONGLONG: "__mul64hi", ULONGLONG: "__umul64hi"}
# What rounds once, and is never fused with what comes before or after it.
_ROUNDED_ONCE = {
    ("+", FLOAT): "__fadd_rn", ("-", FLOAT): "__fsub_rn", ("*", FLOAT): "__fmul_rn", ("/", FLOAT): "__fdiv_rn",
    ("+", DOUBLE): "__dadd_rn", ("-", DOUBLE): "__dsub_rn", ("*", DOUBLE): "__dmul_rn", ("/", DOUBLE): "__ddiv_rn",
}  # fmt: skip


class Arithmetic(Registers):
    """Translates arithmetic. A method gives None for a form of its instruction that it does not take."""

    carry: Variable | None = None  # of `add.cc` and the like, in this statement
    flushes = False  # whether the present instruction takes subnormal numbers as zeros

    # ------------------------------------------------------------------------------------------------- helpers

    def result(self, node: Instruction, value: Expr) -> list[Stmt]:
        if not self.flushes or value.type != FLOAT:
            return [self.assign(node.operands[0], value)]
        found, statement = self.kept("result", value)
        return [statement, self.assign(node.operands[0], self.flushed(self.build.read(found)))]

    def value(self, operand: str, ctype: Scalar) -> Expr:
        """Return an operand; with `.ftz`, a subnormal number as a zero of its sign."""
        plain = super().value(operand, ctype)
        if not self.flushes or ctype != FLOAT:
            return plain
        return self.flushed(plain)

    def flushed(self, value: Expr) -> Expr:
        """Return a value that has no effects, or a zero of its sign where it is subnormal."""
        b = self.build
        small = b.binary(self.call("fabsf", copied(value)), "<", b.number(FLOAT, 2.0**-126))
        return b.choose(small, self.call("copysignf", b.number(FLOAT, 0.0), copied(value)), value)

    def modifiers(self, node: Instruction, *allowed: str) -> set[str] | None:
        """Return the words between the opcode's first and its type; None if one is not allowed."""
        found = set(node.words[1:-1])
        return found if found <= set(allowed) else None

    def operand_type(self, node: Instruction, count: int) -> Scalar | None:
        """Return the type at the end of the opcode; None if it is unknown or there are not so many operands."""
        return TYPES.get(node.words[-1]) if len(node.operands) == count else None

    def in_words(self, node: Instruction, ctype: Scalar) -> list[Expr]:
        """Return the operands after the result."""
        return [self.value(operand, ctype) for operand in node.operands[1:]]

    def call(self, name: str, *args: Expr) -> BuiltinCall:
        return self.build.call_builtin(builtin(name, *(arg.type for arg in args)), *args)

    def operate(self, left: Expr, op: BinaryOp, right: Expr) -> Expr:
        """Compute in unsigned integers of at least 32 bits, where overflow is defined; the bits are the same."""
        given = left.type
        assert isinstance(given, Scalar)
        if is_float(given):
            return self.build.binary(left, op, right)
        wide = UNSIGNED[max(4, given.size)]
        made = self.build.binary(self.build.convert(wide, left), op, self.build.convert(wide, right))
        return self.build.convert(given, made)

    def promoted(self, value: Expr) -> Expr:
        """Return a value that has at least 32 bits, for operators that promote."""
        given = value.type
        assert isinstance(given, Scalar)
        return self.build.convert(INT, value) if is_integer(given) and given.size < 4 else value

    def same_everywhere(self, node: Instruction, count: int, op: BinaryOp, *allowed: str) -> list[Stmt] | None:
        ctype = self.operand_type(node, count)
        if ctype is None or self.modifiers(node, *allowed) is None:
            return None
        left, right = self.in_words(node, ctype)
        once = _ROUNDED_ONCE.get((op, ctype)) if "rn" in node.words else None
        return self.result(node, self.operate(left, op, right) if once is None else self.call(once, left, right))

    def rounded(self, node: Instruction) -> list[Stmt] | None:
        """`add.rz.f32` and the like: None for what has no direction."""
        if len(node.words) != 3 or node.words[1] not in DIRECTIONS:
            return None
        name, direction, ctype = node.words[0], DIRECTIONS[node.words[1]], TYPES.get(node.words[2])
        if len(node.operands) != _DIRECTED.get(name, 0) + 1 or ctype not in (FLOAT, DOUBLE):
            return None
        fused = name in ("fma", "mad")
        prefix = ("__fmaf" if ctype == FLOAT else "__fma") if fused else f"__{'f' if ctype == FLOAT else 'd'}{name}"
        return self.result(node, self.call(f"{prefix}_{direction}", *self.in_words(node, ctype)))

    # ------------------------------------------------------------------------------------- integers and floats

    def do_add(self, node: Instruction) -> list[Stmt] | None:
        if "cc" in node.words or "sat" in node.words:
            return self.with_carry(node, "+") if "cc" in node.words else self.saturated(node, "+")
        return self.same_everywhere(node, 3, "+", *_ROUNDED)

    def do_sub(self, node: Instruction) -> list[Stmt] | None:
        if "cc" in node.words or "sat" in node.words:
            return self.with_carry(node, "-") if "cc" in node.words else self.saturated(node, "-")
        return self.same_everywhere(node, 3, "-", *_ROUNDED)

    def saturated(self, node: Instruction, op: BinaryOp) -> list[Stmt] | None:
        if node.words[1:] == ("sat", "f32"):
            left, right = self.in_words(node, FLOAT)
            return self.result(node, self.call("__saturatef", self.build.binary(left, op, right)))
        if node.words[1:] != ("sat", "s32"):
            return None
        b = self.build
        left, right = (b.convert(LONGLONG, value) for value in self.in_words(node, INT))
        least, most = b.number(LONGLONG, -(1 << 31)), b.number(LONGLONG, (1 << 31) - 1)
        limited = self.call("max", self.call("min", b.binary(left, op, right), most), least)
        return self.result(node, b.convert(INT, limited))

    def do_mul(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None:
            return None
        if is_float(ctype):
            if "sat" in node.words and ctype == FLOAT and self.modifiers(node, "rn", "sat") is not None:
                left, right = self.in_words(node, ctype)
                return self.result(node, self.call("__saturatef", self.build.binary(left, "*", right)))
            return self.same_everywhere(node, 3, "*", *_ROUNDED)
        left, right = self.in_words(node, ctype)
        product = self.product(node.words[1:-1], ctype, left, right)
        return None if product is None else self.result(node, product)

    def product(self, which: Sequence[str], ctype: Scalar, left: Expr, right: Expr) -> Expr | None:
        """Return the low or the high half of a product of integers, or all of it."""
        b = self.build
        match tuple(which):
            case ("lo",):
                return self.operate(left, "*", right)
            case ("wide",) if ctype.size in (2, 4):
                wide = (SIGNED if ctype.signed else UNSIGNED)[2 * ctype.size]
                return self.operate(b.convert(wide, left), "*", b.convert(wide, right))
            case ("hi",) if ctype.size == 2:
                wide = INT if ctype.signed else UINT
                return b.convert(
                    ctype,
                    b.binary(self.operate(b.convert(wide, left), "*", b.convert(wide, right)), ">>", b.number(INT, 16)),
                )
            case ("hi",) if ctype in _HIGH:
                return self.call(_HIGH[ctype], left, right)
        return None

    def do_mad(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype is None:
            return None
        if is_float(ctype):
            return self.do_fma(node)
        if "cc" in node.words:
            return self.multiplied_with_carry(node, takes=False)
        left, right = (self.value(operand, ctype) for operand in node.operands[1:3])
        product = self.product(node.words[1:-1], ctype, left, right)
        if product is None:
            return None
        assert isinstance(product.type, Scalar)
        return self.result(node, self.operate(product, "+", self.value(node.operands[3], product.type)))

    def do_fma(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        modifiers = self.modifiers(node, "rn", "sat")
        if ctype is None or modifiers is None or not is_float(ctype) or ("sat" in modifiers and ctype == DOUBLE):
            return None
        fused: Expr = self.call("fmaf" if ctype == FLOAT else "fma", *self.in_words(node, ctype))
        return self.result(node, self.call("__saturatef", fused) if "sat" in modifiers else fused)

    def do_mul24(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype not in (INT, UINT) or node.words[1:-1] != ("lo",):
            return None
        return self.result(node, self.call("__mul24" if ctype == INT else "__umul24", *self.in_words(node, ctype)))

    def do_mad24(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype not in (INT, UINT) or node.words[1:-1] != ("lo",):
            return None
        left, right, added = self.in_words(node, ctype)
        return self.result(
            node, self.operate(self.call("__mul24" if ctype == INT else "__umul24", left, right), "+", added)
        )

    def do_div(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None:
            return None
        left, right = self.in_words(node, ctype)
        words = self.modifiers(node, "rn", "full", "approx")
        if words is None or (not is_float(ctype) and words):
            return None
        if ctype == FLOAT and words & {"approx", "full"}:
            return self.result(node, self.call("__fdividef", left, right))
        if "rn" in words:
            return self.result(node, self.call(_ROUNDED_ONCE["/", ctype], left, right))
        quotient = self.build.binary(self.promoted(left), "/", self.promoted(right))
        return self.result(node, self.build.convert(ctype, quotient))

    def do_rem(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None or is_float(ctype) or node.words[1:-1]:
            return None
        left, right = self.in_words(node, ctype)
        return self.result(
            node, self.build.convert(ctype, self.build.binary(self.promoted(left), "%", self.promoted(right)))
        )

    def do_abs(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or node.words[1:-1] or not (is_float(ctype) or ctype.signed):
            return None
        (value,) = self.in_words(node, ctype)
        name = {FLOAT: "fabsf", DOUBLE: "fabs"}.get(ctype, "abs")
        return self.result(node, self.build.convert(ctype, self.call(name, self.promoted(value))))

    def do_neg(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        if ctype is None or node.words[1:-1]:
            return None
        (value,) = self.in_words(node, ctype)
        if is_float(ctype):
            return self.result(node, Unary(self.span, ctype, "-", value))
        return self.result(node, self.operate(self.build.number(ctype, 0), "-", value))

    def do_min(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None or node.words[1:-1]:
            return None
        name = node.words[0]
        values = [self.promoted(value) for value in self.in_words(node, ctype)]
        name = {FLOAT: f"f{name}f", DOUBLE: f"f{name}"}.get(ctype, name)
        return self.result(node, self.build.convert(ctype, self.call(name, *values)))

    do_max = do_min

    def do_sad(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype not in (INT, UINT) or node.words[1:-1]:
            return None
        left, right, added = self.in_words(node, ctype)
        name = "__sad" if ctype == INT else "__usad"
        return self.result(node, self.call(name, left, right, self.build.convert(UINT, added)))

    # ------------------------------------------------------------------------------------------------- carries

    def flag(self) -> Variable:
        if self.carry is None:
            raise PtxFault("no instruction before this one in the same 'asm' sets the carry flag")
        return self.carry

    def new_flag(self) -> list[Stmt]:
        if self.carry is not None:
            return []
        self.carry = self.variable("carry", BOOL)
        return [self.build.declare(self.carry, self.build.number(BOOL, False))]

    def with_carry(self, node: Instruction, op: Literal["+", "-"]) -> list[Stmt] | None:
        """`add.cc`, `addc`, `addc.cc`, and the same of `sub`: the flag is the carry, or what was borrowed."""
        ctype = self.operand_type(node, 3)
        if ctype is None or is_float(ctype) or ctype.size < 4 or self.modifiers(node, "cc") is None:
            return None
        left, right = self.in_words(node, canonical(ctype))
        return self.sum_with_carry(node.operands[0], left, op, right, node.words[0].endswith("c"), "cc" in node.words)

    def do_addc(self, node: Instruction) -> list[Stmt] | None:
        return self.with_carry(node, "+")

    def do_subc(self, node: Instruction) -> list[Stmt] | None:
        return self.with_carry(node, "-")

    def sum_with_carry(
        self, target: str, left: Expr, op: Literal["+", "-"], right: Expr, takes: bool, sets: bool
    ) -> list[Stmt]:
        b = self.build
        ctype = left.type
        flag = b.read(self.flag()) if takes else b.number(BOOL, False)
        first, second, part, whole, before = (
            self.variable(name, kind)
            for name, kind in (("a", ctype), ("b", ctype), ("part", ctype), ("whole", ctype), ("before", ctype))
        )
        made: list[Stmt] = [b.declare(first, left), b.declare(second, right), b.declare(before, b.convert(ctype, flag))]
        made.append(b.declare(part, b.binary(b.read(first), op, b.read(second))))
        made.append(b.declare(whole, b.binary(b.read(part), op, b.read(before))))
        if sets:
            made += self.new_flag()
            if op == "+":
                overflows = b.binary(b.read(part), "<", b.read(first)), b.binary(b.read(whole), "<", b.read(part))
            else:
                overflows = b.binary(b.read(first), "<", b.read(second)), b.binary(b.read(part), "<", b.read(before))
            made.append(b.assign(self.flag(), Logical(self.span, BOOL, "||", *overflows)))
        return [*made, self.assign(target, b.read(whole))]

    def do_madc(self, node: Instruction) -> list[Stmt] | None:
        return self.multiplied_with_carry(node, takes=True)

    def multiplied_with_carry(self, node: Instruction, *, takes: bool) -> list[Stmt] | None:
        ctype = self.operand_type(node, 4)
        if ctype is None or ctype.size < 4 or is_float(ctype) or self.modifiers(node, "lo", "hi", "cc") is None:
            return None
        left, right = (self.value(operand, ctype) for operand in node.operands[1:3])
        product = self.product([word for word in node.words[1:-1] if word != "cc"], ctype, left, right)
        if product is None:
            return None
        wide = canonical(ctype)
        added = self.value(node.operands[3], wide)
        return self.sum_with_carry(
            node.operands[0], self.build.convert(wide, product), "+", added, takes, "cc" in node.words
        )

    # ----------------------------------------------------------------------------------------- float functions

    def do_sqrt(self, node: Instruction) -> list[Stmt] | None:
        """Also `rcp`, `rsqrt`, `ex2`, `lg2`, `sin`, `cos` and `tanh`: `.approx` may be as exact as it likes."""
        ctype = self.operand_type(node, 2)
        words = self.modifiers(node, "rn", "approx")
        name = _FLOAT_FUNCTIONS.get((node.words[0], ctype)) if ctype is not None else None
        if ctype is None or name is None or words is None:
            return None
        return self.result(node, self.call(name, *self.in_words(node, ctype)))

    do_rcp = do_rsqrt = do_ex2 = do_lg2 = do_sin = do_cos = do_tanh = do_sqrt

    def do_copysign(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 3)
        if ctype is None or not is_float(ctype) or node.words[1:-1]:
            return None
        sign, value = self.in_words(node, ctype)
        return self.result(node, self.call("copysignf" if ctype == FLOAT else "copysign", value, sign))

    def do_testp(self, node: Instruction) -> list[Stmt] | None:
        ctype = self.operand_type(node, 2)
        names = {"finite": "isfinite", "infinite": "isinf", "notanumber": "isnan", "number": "isnan"}
        name = names.get(".".join(node.words[1:-1]))
        if ctype is None or name is None or not is_float(ctype):
            return None
        made: Expr = self.call(name, *self.in_words(node, ctype))
        return self.result(node, self.build.negate(made) if node.words[1] == "number" else made)
