"""Checking `asm` statements: operands become registers, PTX becomes the statements that it means.

asm("add.u32 %0, %1, 1;" : "=r"(y) : "r"(x));    ->    { unsigned in = x; unsigned out; out = in + 1u; y = out; }
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TypeVar, cast

from ....lang.ctype import DOUBLE, FLOAT, UINT, ULONGLONG, USHORT, CType, Pointer, Scalar, is_integer
from ....source import Span
from ....tree.effects import has_effects
from ....tree.nodes import Block, Constant, Expr, Load, Node, Place, Stmt, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_children
from ...parse import ptx_text as ptx
from ...parse.asm_statement import AsmOperand, AsmStatement
from ...parse.ptx_text import Instruction, Label, PtxFault, Registers, Scope
from ..constexpr.fold import fold
from ..context import Part
from ..expr.strings import BadString, decode
from .instructions import Instructions
from .jumps import Item, Jump, Name, Target, named, structured

# The letters of constraints, and the registers that they denote.
_REGISTERS: dict[str, Scalar] = {"h": USHORT, "r": UINT, "l": ULONGLONG, "f": FLOAT, "d": DOUBLE}


class Assembly(Part):
    """The checker's part for `asm`."""

    def asm(self, node: AsmStatement) -> Stmt:
        span = node.template.coord
        try:
            template = decode(node.template.value).decode(errors="replace")
        except BadString as bad:
            self.fail(span, str(bad))
        made = Instructions(span)
        made.in_kernel = self.s.current.body.function.kind == "kernel"
        operands = (*node.outputs, *node.inputs)
        names = {operand.name: i for i, operand in enumerate(operands) if operand.name is not None}
        before: list[Stmt] = []
        outputs: list[tuple[Variable, Place]] = []
        constants: dict[int, int] = {}
        for number, operand in enumerate(operands):
            ctype = self.register_type(operand, output=number < len(node.outputs))
            if operand.constraint == "n":
                constants[number] = self.constant(operand)
                continue
            if number < len(node.outputs):
                variable, place, first = self.output(operand, made, ctype)
                outputs.append((variable, place))
            else:
                variable, first = self.input(operand, made, ctype)
            before.append(made.build.declare(variable, first))
            made.scopes[0][ptx.operand_name(number)] = variable
        try:
            body = _translated(made, ptx.with_operands(template, names, len(operands), constants))
        except PtxFault as fault:
            where = span if fault.place is None else _within(span, *fault.place)
            self.fail(where, str(fault), help=fault.help or "write it in CUDA-C")
        body = [_folded(statement) for statement in body]
        after = [
            made.build.assign(place, self.s.expr.conversions.cast(made.build.read(v), place.type, span))
            for v, place in outputs
        ]
        return Block(node.coord, (*before, *body, *after))

    def register_type(self, operand: AsmOperand, *, output: bool) -> Scalar:
        """Return the type of the register for an operand; "n" is a constant of 64 bits."""
        letters = operand.constraint.lstrip("=+&")
        if letters == "n" and not output:
            return ULONGLONG
        signs = operand.constraint[: len(operand.constraint) - len(letters)].replace("&", "")
        if letters not in _REGISTERS or signs not in (("=", "+") if output else ("",)):
            self.fail(
                operand.value.coord,
                f'the constraint "{operand.constraint}" is not supported',
                help='inputs are "h", "r", "l", "f", "d" or "n", outputs have a \'=\' or \'+\' before the letter',
            )
        return _REGISTERS[letters]

    def output(self, operand: AsmOperand, made: Instructions, ctype: Scalar) -> tuple[Variable, Place, Expr | None]:
        place = self.s.expr.writable(operand.value, "write to")
        self.require_fit(place.type, ctype, operand)
        first: Expr | None = None
        if operand.constraint.startswith("+"):
            if has_effects(place):
                self.fail(operand.value.coord, "an operand that is read and written must have no effects of its own")
            first = self.s.expr.conversions.cast(
                Load(operand.value.coord, place.type, copied(place)), ctype, operand.value.coord
            )
        return made.variable("out", ctype), place, first

    def constant(self, operand: AsmOperand) -> int:
        value = self.s.expr.value(operand.value)
        if not isinstance(value, Constant) or not is_integer(value.type):
            self.fail(operand.value.coord, 'the constraint "n" needs an integer constant')
        return int(value.value)

    def input(self, operand: AsmOperand, made: Instructions, ctype: Scalar) -> tuple[Variable, Expr]:
        value = self.s.expr.value(operand.value)
        self.require_fit(value.type, ctype, operand)
        return made.variable("in", ctype), self.s.expr.conversions.cast(value, ctype, operand.value.coord)

    def require_fit(self, ctype: CType, register: Scalar, operand: AsmOperand) -> None:
        if register in (FLOAT, DOUBLE):
            fits = ctype == register
        elif isinstance(ctype, Pointer):
            fits = register == ULONGLONG
        else:
            fits = is_integer(ctype) and ctype.size <= register.size
        if not fits:
            self.fail(operand.value.coord, f"a '{ctype}' does not fit the constraint \"{operand.constraint}\"")


N = TypeVar("N", bound=Node)


def _folded(node: N) -> N:
    """Return a tree in which what is constant is a constant, as in what the checker makes of CUDA-C."""
    made = map_children(node, _folded)
    return cast("N", fold(made)) if isinstance(made, Expr) else made


def _translated(made: Instructions, text: str) -> list[Stmt]:
    """Return what PTX does. Raises `PtxFault`."""
    registers, items = list[Stmt](), list[Item]()
    seen: Counter[str] = Counter()
    lines = ptx.read(text)
    for line, labels in zip(lines, named(lines), strict=True):
        match line:
            case Registers():
                registers += [made.declare(name, line.type) for name in line.names]
            case Scope(brace="{"):
                made.scopes.append({})
            case Scope():
                if len(made.scopes) == 1:
                    raise PtxFault("a '}' without '{' in PTX")
                made.scopes.pop()
            case Label():
                items.append(Target(labels[line.name]))
            case Instruction():
                place = line.opcode, seen[line.opcode]
                try:
                    items += _jump(made, line, labels, place) or made.statements(line)
                except PtxFault as fault:
                    fault.place = place
                    raise
                seen[line.opcode] += 1
    if len(made.scopes) > 1:
        raise PtxFault("a '{' in PTX is never closed")
    return [*registers, *structured(items, made.span)]


def _jump(made: Instructions, line: Instruction, labels: Mapping[str, Name], place: tuple[str, int]) -> list[Jump]:
    """Return the jump that an instruction is, if it is one."""
    if line.words not in (("bra",), ("bra", "uni")) or len(line.operands) != 1:
        return []
    (name,) = line.operands
    if name not in labels:
        raise PtxFault(f"there is no label '{name}' in this 'asm'")
    return [Jump(labels[name], made.guarding(line), place)]


_LITERAL = re.compile(r'\s*"(?P<text>(?:[^"\\\n]|\\.)*)"')


def _within(span: Span, opcode: str, number: int) -> Span:
    """Return where in the literals from `span` on an opcode is written, after `number` others of its kind.

    `span` itself if the text is not all there, as in a macro.
    """
    if span.expansion is not None:
        return span
    lines = span.source.lines
    text = "\n".join([lines[span.line - 1][span.column - 1 :], *lines[span.line : span.line + 200]])
    word, at, left = re.compile(rf"(?<![\w.]){re.escape(opcode)}(?![\w.:])"), 0, number
    while (literal := _LITERAL.match(text, at)) is not None:
        for found in word.finditer(text, literal.start("text"), literal.end("text")):
            if left == 0:
                before = text[: found.start()]
                down = before.count("\n")
                column = len(before) - before.rfind("\n") if down else span.column + len(before)
                return Span(span.source, span.line + down, column, len(opcode))
            left -= 1
        at = literal.end()
    return span
