"""Reading and writing values of any type at an address, and what such an access becomes, for the remarks."""

from __future__ import annotations

from dataclasses import replace

from llvmlite import ir

from ..access import Spread, Verb, form, plan
from ..costs import Form
from ..lang.ctype import CType, Pointer, Scalar, Struct, leaves
from ..simd.address import Address, member
from ..simd.mask import Mask
from ..simd.records import load_record, store_record, words_of
from ..simd.values import Value
from ..tree import nodes as tree
from ..tree.effects import is_volatile
from .frame import Frame, Parts


def load_at(f: Frame, where: Address, ctype: CType, mask: Mask) -> Value | Parts:
    """Read a value of any type in the lanes that are on."""
    if isinstance(ctype, Struct):
        return f.memory.unless_wrapped(where, lambda way: _load_struct(f, way, ctype, mask))
    assert isinstance(ctype, Scalar | Pointer)
    return f.memory.load(where, ctype, mask)


def _load_struct(f: Frame, where: Address, ctype: Struct, mask: Mask) -> Parts:
    scalars = list(leaves(ctype))
    record = load_record(f.memory, where, ctype.size, ctype.align, scalars, mask)
    if record is not None:
        return record
    return tuple(f.memory.load(member(f.b, where, offset, ctype.size), leaf, mask) for offset, leaf in scalars)


def store_at(f: Frame, where: Address, ctype: CType, value: Value | Parts, mask: Mask) -> None:
    """Write a value of any type from the lanes that are on."""
    if isinstance(value, tuple):
        f.memory.unless_wrapped(where, lambda way: _store_struct(f, way, ctype, value, mask))
    else:
        f.memory.store(where, value, mask)


def _store_struct(f: Frame, where: Address, ctype: CType, value: Parts, mask: Mask) -> Parts:
    """Write a struct; there are no values to return."""
    parts = [(offset, part) for (offset, _), part in zip(leaves(ctype), value, strict=True)]
    whole = isinstance(ctype, Struct) and not ctype.lends_padding
    if not whole or not store_record(f.memory, where, ctype.size, ctype.align, parts, mask):
        for offset, part in parts:
            f.memory.store(member(f.b, where, offset, ctype.size), part, mask)
    return ()


def keep_volatile(f: Frame, place: tree.Place) -> None:
    """Emit a fence, before a read or after a write: if `place` is volatile, LLVM must not move, merge or drop it."""
    if is_volatile(place):
        f.b.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], True)


def access_form(f: Frame, where: Address, ctype: CType, verb: Verb) -> Form:
    """Return what an access becomes, for the remarks; a struct is accessed by its scalars or by words."""
    size = ctype.size if isinstance(ctype, Struct) and not (verb == "store" and ctype.lends_padding) else 0
    pieces = [(offset, leaf.size) for offset, leaf in leaves(ctype)]
    word = words_of(f.memory, where, size, ctype.align, (piece for _, piece in pieces), verb) if size else None
    if word is not None:
        pieces = [(offset, word.size) for offset in sorted({offset // word.size * word.size for offset, _ in pieces})]
    forms = [f.memory.form(member(f.b, where, offset, size), piece, verb) for offset, piece in pieces]
    worst = max(forms, key=lambda form: form.cost_ns, default=Form("nothing", 0.0))
    text = worst.text if len(forms) < 2 else f"{len(forms)} times {worst.text}"
    good = worst.good if all(form.good for form in forms) else ""
    uneven = worst.uneven if where.wrap is None else _wrapped(f, ctype, verb)
    if uneven is not None:
        uneven = replace(uneven, cost_ns=uneven.cost_ns * len(forms))
    return Form(text, sum(form.cost_ns for form in forms), good, worst.kind, uneven)


def _wrapped(f: Frame, ctype: CType, verb: Verb) -> Form:
    """Return what an access to a scalar becomes in a gang in which an index wraps around."""
    size = min(ctype.size, 8)
    target = f.program.options.target
    return form(plan(Spread(None, wide=True, scale=size), size, verb, target), size, verb, target)
