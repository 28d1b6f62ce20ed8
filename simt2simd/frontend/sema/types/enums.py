"""Checking enumerations: their integers, and the names of their values."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import INT, LONG, UINT, ULONG, Enumeration, Scalar, Struct, is_integer, plain
from ...parse import cxx
from ..context import Part, Sema
from ..scopes import EnumeratorName, Scope


class Enums(Part):
    """The checker's part for enumerations."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.enumerators: dict[Enumeration, Scope] = {}

    def enumeration(self, node: c_ast.Enum) -> Scalar:
        """Return the type of an enum, and enter its enumerators if the specifier has braces."""
        scoped = isinstance(node, cxx.ScopedEnum)
        if node.values is None and not (scoped or node.underlying_type is not None):
            tag = self.s.scopes.lookup_tag(node.name or "")
            if tag is None:
                self.fail(node.coord, f"unknown enum '{node.name}'")
            if isinstance(tag, Struct):
                self.fail(node.coord, f"'{node.name}' is a struct, not an enum")
            return tag
        known = self.s.scopes.stack[-1].tags.get(node.name or "")
        own = known.enum if isinstance(known, Scalar) else None
        own = own or Enumeration(f"{self.s.scopes.prefix()}{node.name}" if node.name else "enum", node.coord, scoped)
        self.s.structs.homes.setdefault(own, tuple(self.s.scopes.stack))
        fixed = self._fixed(node) if node.underlying_type is not None else INT if scoped else None
        scope = Scope(kind="class", shown=f"{own.name}::")
        if node.name:
            self.s.scopes.stack[-1].tags[node.name] = replace(fixed or INT, enum=own)
        members = self._members(node, own, fixed, scope) if node.values is not None else {}
        ctype = replace(fixed or _enum_type(list(members.values())), enum=own)
        for name, value in members.items():
            entry = EnumeratorName(scope.names[name].span, ctype, value)
            scope.names[name] = entry
            if not scoped:
                self.s.scopes.stack[-1].names[name] = entry
        if node.name:
            self.s.scopes.stack[-1].tags[node.name] = ctype
        if node.values is not None or own not in self.enumerators:
            self.enumerators[own] = scope
        return ctype

    def _fixed(self, node: c_ast.Enum) -> Scalar:
        """Return the integer type that an enum names after its `:`."""
        assert node.underlying_type is not None
        fixed = self.s.types.qualified(node.underlying_type).type
        if not isinstance(fixed, Scalar) or not is_integer(fixed):
            self.fail(node.coord, "the type of an enum must be an integer type")
        return plain(fixed)

    def _members(self, node: c_ast.Enum, own: Enumeration, fixed: Scalar | None, scope: Scope) -> dict[str, int]:
        """Enter the enumerators into `scope`, and return their values. Each may use those before it."""
        members: dict[str, int] = {}
        following = 0
        inner = scope if own.scoped else self.s.scopes.stack[-1]
        with self.s.scopes.inside(*([scope] if own.scoped else [])):
            assert node.values is not None
            for enumerator in node.values.enumerators:
                if isinstance(enumerator, c_ast.Pragma):
                    continue
                if enumerator.value is not None:
                    following = self.s.types.constant_integer(enumerator.value, "the value of an enumerator")
                members[enumerator.name] = following
                ctype = fixed or _enum_type([following])
                entry = EnumeratorName(enumerator.coord, ctype, following)
                with self.s.scopes.instead([inner]):
                    self.s.scopes.declare(enumerator.name, entry)
                scope.names[enumerator.name] = entry
                following += 1
        return members


def _enum_type(values: list[int]) -> Scalar:
    """Return the first of int, unsigned int, long, unsigned long that holds all `values`."""
    low, high = min(values, default=0), max(values, default=0)
    for ctype in (INT, UINT, LONG):
        bits = ctype.bits - ctype.signed
        if high < 1 << bits and low >= (-(1 << bits) if ctype.signed else 0):
            return ctype
    return ULONG
