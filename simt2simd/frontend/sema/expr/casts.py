"""Checking what C++'s named casts allow: each of them does a part of what a cast in parentheses does."""

from __future__ import annotations

from ....lang.ctype import BOOL, VOID, CType, Pointer, Scalar, Struct, is_arithmetic, is_float, is_integer, is_nullptr_t
from ....source import Span
from ....tree.nodes import Expr
from ..context import Part
from ..types.member_types import members_of
from .conversions import is_null, is_scoped, pointer_obstacle, same_type

_POINTER_BYTES = 8


class Casts(Part):
    """The checker's part for `static_cast`, `reinterpret_cast` and `const_cast`."""

    def require_cast(self, word: str, expr: Expr, target: CType, span: Span) -> None:
        """Fail if `word` does not convert `expr` to `target`, which is no reference. A class is for others to judge."""
        source = expr.type
        if target is VOID or isinstance(source, Struct) or isinstance(target, Struct):
            return
        if isinstance(source, Pointer) and isinstance(target, Pointer) and word != "const_cast":
            self._require_qualifiers(word, source, target, span)
        help: str | None = None
        match word:
            case "static_cast":
                fits = self._is_static(expr, target)
                pointers = isinstance(source, Pointer) and isinstance(target, Pointer)
                help = "write 'reinterpret_cast', if that is meant" if pointers else None
            case "reinterpret_cast":
                fits, help = _is_reinterpreted(source, target), _help_to_reinterpret(source, target)
            case _:
                same = _without_qualifiers(source) == _without_qualifiers(target)
                fits = same and isinstance(target, Pointer)
        if not fits:
            self.fail(span, f"'{word}' cannot convert '{source}' to '{target}'", help=help)

    def _require_qualifiers(self, word: str, source: Pointer, target: Pointer, span: Span) -> None:
        for name in ("const", "volatile"):
            if getattr(source, name) and not getattr(target, name):
                help = f"write 'const_cast<{target}>(...)'" if source.target == target.target else None
                self.fail(span, f"'{word}' cannot take '{name}' away: '{source}' to '{target}'", help=help)

    def _is_static(self, expr: Expr, target: CType) -> bool:
        source = expr.type
        if is_nullptr_t(source):
            return isinstance(target, Pointer) or members_of(target) is not None or target == BOOL
        if isinstance(source, Pointer) and isinstance(target, Pointer):
            ways = ((source, target), (target, source))
            related = any(self._is_kind_of(a.target, b.target) for a, b in ways)
            return related or source.target is VOID or pointer_obstacle(_bare(source), _bare(target)) is None
        if isinstance(target, Pointer):
            return is_null(expr)
        if isinstance(source, Pointer):
            return target == BOOL
        return is_arithmetic(source) and is_arithmetic(target)

    def _is_kind_of(self, derived: CType, base: CType) -> bool:
        if not isinstance(derived, Struct) or not isinstance(base, Struct):
            return False
        return self.s.classes.members.base_path(derived, base) is not None


def _is_reinterpreted(source: CType, target: CType) -> bool:
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        return True
    if isinstance(source, Pointer):
        return is_integer(target) and target.size == _POINTER_BYTES
    if isinstance(target, Pointer):
        return is_integer(source) and not is_scoped(source)
    return same_type(source, target) and not is_float(source)


def _help_to_reinterpret(source: CType, target: CType) -> str | None:
    if isinstance(source, Pointer) and is_integer(target):
        return "cast to a 64-bit integer first"
    if isinstance(source, Scalar) and isinstance(target, Scalar):
        return "'static_cast' converts the value; for the bits, use '__int_as_float', '__float_as_int' or 'memcpy'"
    return None


def _bare(pointer: Pointer) -> Pointer:
    return Pointer(pointer.target)


def _without_qualifiers(ctype: CType) -> CType:
    return Pointer(_without_qualifiers(ctype.target)) if isinstance(ctype, Pointer) else ctype
