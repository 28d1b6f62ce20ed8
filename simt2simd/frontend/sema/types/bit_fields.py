"""Bit-fields become words: reads are shifts, writes put bits between others, and no later stage knows of bit-fields.

s.a = x;        s.bits_0 = (x & 7) << 3 | s.bits_0 & ~(7 << 3);
y = s.a;        y = s.bits_0 >> 3 & 7;
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ....lang.ctype import BOOL, INT, INT128, LONG, UINT, UINT128, ULONG, VOID, BitField, CType, Piece, Pointer, Scalar
from ....source import Span
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import has_effects
from ....tree.nodes import Module, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_children, map_statements

_Update = tree.Assign | tree.CompoundAssign | tree.Increment


def without_bit_fields(module: Module) -> Module:
    """Return a module that accesses the words in which bit-fields lie."""
    functions = {name: replace(function, body=_block(function.body)) for name, function in module.functions.items()}
    return replace(module, functions=functions)


def _block(block: tree.Block) -> tree.Block:
    return map_statements(block, _statement)


def _statement(node: tree.Stmt) -> list[tree.Stmt]:
    accesses = _Accesses(node.span)
    changed = accesses.inside(node)
    return [*accesses.hidden, changed]


def bits_in_word(value: tree.Expr, piece: Piece) -> tree.Expr:
    """Return the bits of `value` that belong to a piece, at their place in its word, in the word's promoted type."""
    build, word = Build(value.span), _unsigned(piece.word.type)
    if isinstance(value, tree.Constant):
        return build.number(word, (int(value.value) >> piece.begin & (1 << piece.count) - 1) << piece.shift)
    most = piece.begin + piece.count
    wide = UINT128 if most > ULONG.bits else ULONG if most > UINT.bits else word
    bits = build.convert(wide, value)
    if piece.begin:
        bits = build.binary(bits, ">>", build.number(INT, piece.begin))
    bits = build.convert(word, bits)
    if piece.count < word.bits:
        bits = build.binary(bits, "&", build.number(word, (1 << piece.count) - 1))
    return build.binary(bits, "<<", build.number(INT, piece.shift)) if piece.shift else bits


def _unsigned(word: CType) -> Scalar:
    """Return the unsigned type in which a word is computed with."""
    return ULONG if word.size == ULONG.size else UINT


@dataclass
class _Accesses:
    """Rewrites the expressions of one statement; `hidden` are the variables that they need, declared before it."""

    span: Span
    hidden: list[tree.Declare] = field(default_factory=list)

    def inside(self, node: Any) -> Any:
        """Return `node` with accesses of words in it."""
        match node:
            case tree.Block():
                return _block(node)
            case tree.Evaluate():
                return replace(node, expr=self.effect(node.expr))
            case tree.Loop():
                step = tuple(map(self.effect, node.step))
                return replace(map_children(replace(node, step=()), self.inside), step=step)
            case tree.Comma():
                return replace(node, left=self.effect(node.left), right=self.inside(node.right))
            case tree.Convert(type=ctype) if ctype == VOID:
                return replace(node, operand=self.effect(node.operand))
            case tree.Load(place=tree.Member(bits=BitField() as bits, base=base)):
                return self.read(self.inside(base), bits, node.span)
            case tree.Assign() | tree.CompoundAssign() | tree.Increment() if _bits_of(node) is not None:
                return self.update(node, used=True)
        return map_children(node, self.inside)

    def effect(self, node: tree.Expr) -> tree.Expr:
        """Return an expression whose value is discarded."""
        if isinstance(node, _Update) and _bits_of(node) is not None:
            return self.update(node, used=False)
        changed: tree.Expr = self.inside(node)
        return changed

    # ------------------------------------------------------------------------------------------ reads

    def read(self, base: tree.Place, bits: BitField, span: Span) -> tree.Expr:
        """Return the value of a bit-field of the struct at `base`."""
        build = Build(span)
        wide = bits.width > UINT.bits or any(piece.word.type.size == ULONG.size for piece in bits.pieces)
        whole = UINT128 if bits.width > ULONG.bits else ULONG if wide else UINT
        value: tree.Expr | None = None
        for piece in bits.pieces:
            word = build.convert(whole, _load(build, copied(base), piece))
            down = piece.shift - piece.begin
            if down:
                word = build.binary(word, ">>" if down > 0 else "<<", build.number(INT, abs(down)))
            if piece.count < 8 * piece.word.type.size or len(bits.pieces) > 1:
                mask = ((1 << piece.count) - 1) << piece.begin
                word = build.binary(word, "&", build.number(whole, mask))
            value = word if value is None else build.binary(value, "|", word)
        assert value is not None
        return _as_type(build, value, bits, whole)

    # ----------------------------------------------------------------------------------------- writes

    def update(self, node: _Update, used: bool) -> tree.Expr:
        """Return an assignment to a bit-field; its value, if that is `used`, is what the bit-field then holds."""
        build, bits = Build(node.span), _bits_of(node)
        assert bits is not None and isinstance(node.place, tree.Member)
        base: tree.Place = self.inside(node.place.base)
        given = None if isinstance(node, tree.Increment) else self.inside(node.value)
        before: list[tree.Expr] = []
        if given is not None and (len(bits.pieces) > 1 or has_effects(given) or has_effects(base)):
            given = self.kept(given, before)
        if has_effects(base):
            pointer = self.kept(tree.AddressOf(node.span, Pointer(base.type), base), before)
            base = tree.Deref(node.span, base.type, pointer)
        result: tree.Expr | None = None
        if isinstance(node, tree.Increment) and used and not node.prefix:
            result = self.kept(self.read(copied(base), bits, node.span), before)
        new = self.new_value(node, base, given, bits)
        if len(bits.pieces) > 1 and not isinstance(node, tree.Assign):
            new = self.kept(new, before)
        for piece in bits.pieces:
            before.append(_put(build, copied(base), copied(new), piece))
        if used:
            before.append(result or self.read(copied(base), bits, node.span))
        whole = before.pop()
        for part in reversed(before):
            whole = tree.Comma(node.span, whole.type, part, whole)
        return whole

    def new_value(self, node: _Update, base: tree.Place, given: tree.Expr | None, bits: BitField) -> tree.Expr:
        build = Build(node.span)
        match node:
            case tree.Assign():
                assert given is not None
                return given
            case tree.CompoundAssign():
                assert given is not None
                old = build.convert(node.compute, self.read(copied(base), bits, node.span))
                return build.convert(bits.type, build.binary(old, node.op, given))
            case tree.Increment():
                wide = {LONG.size: LONG, INT128.size: INT128}.get(bits.type.size, INT)
                old = build.convert(wide, self.read(copied(base), bits, node.span))
                return build.convert(bits.type, build.binary(old, "+", build.number(wide, node.delta)))

    def kept(self, value: tree.Expr, before: list[tree.Expr]) -> tree.Expr:
        """Compute a value once, before what follows; return what reads it."""
        variable = Variable("kept", value.type, value.span, "local")
        build = Build(value.span)
        self.hidden.append(build.declare(variable))
        before.append(tree.Assign(value.span, value.type, build.place(variable), value))
        return build.read(variable)


def _bits_of(node: _Update) -> BitField | None:
    return node.place.bits if isinstance(node.place, tree.Member) else None


def _load(build: Build, base: tree.Place, piece: Piece) -> tree.Expr:
    return tree.Load(build.span, piece.word.type, build.member(base, piece.word))


def _put(build: Build, base: tree.Place, value: tree.Expr, piece: Piece) -> tree.Expr:
    """Return the assignment that puts the bits of a value into a word. The value is evaluated before the word."""
    word = _unsigned(piece.word.type)
    new = bits_in_word(value, piece)
    others = ((1 << 8 * piece.word.type.size) - 1) & ~(((1 << piece.count) - 1) << piece.shift)
    if others:
        old = build.convert(word, _load(build, copied(base), piece))
        new = build.binary(new, "|", build.binary(old, "&", build.number(word, others)))
    place = build.member(base, piece.word)
    return tree.Assign(build.span, place.type, place, build.convert(piece.word.type, new))


def _as_type(build: Build, value: tree.Expr, bits: BitField, whole: Scalar) -> tree.Expr:
    """Return the unsigned number of a bit-field as a value of its type."""
    if bits.type == BOOL or not bits.type.signed or bits.width == bits.type.bits:
        return build.convert(bits.type, value)
    up = build.number(INT, whole.bits - bits.width)
    signed = build.convert({ULONG: LONG, UINT128: INT128}.get(whole, INT), build.binary(value, "<<", up))
    return build.convert(bits.type, build.binary(signed, ">>", copied(up)))
