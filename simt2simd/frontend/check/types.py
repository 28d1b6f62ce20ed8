"""Checking types: what a declaration's specifiers and declarators mean, and the definitions of enums."""

from __future__ import annotations

from pycparser import c_ast

from ...diag import Note
from ...lang.builtins import TYPEDEFS, UNSUPPORTED_TYPES
from ...lang.ctype import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
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
    Struct,
    count_leaves,
    is_integer,
)
from ...source import Span
from ...tree.nodes import Constant, Expr
from ..words import Node, host_only_use
from .records import Records, name_span
from .scopes import EnumeratorName, Qualified, Reported, TypeName, Unusable, did_you_mean

_LARGEST_ARRAY = 1 << 40
_MOST_COPIED_SCALARS = 4096  # of a struct: each of them is a value of its own

# Each way to write a scalar type, its words sorted; `int` may be left out or added beside the sizes.
_SPECIFIERS: dict[tuple[str, ...], Scalar] = {
    ("void",): VOID, ("bool",): BOOL, ("_Bool",): BOOL,
    ("char",): CHAR, ("char", "signed"): SCHAR, ("char", "unsigned"): UCHAR,
    ("short",): SHORT, ("short", "signed"): SHORT, ("short", "unsigned"): USHORT,
    ("int",): INT, ("signed",): INT, ("int", "signed"): INT, ("unsigned",): UINT, ("int", "unsigned"): UINT,
    ("long",): LONG, ("long", "signed"): LONG, ("long", "unsigned"): ULONG,
    ("long", "long"): LONGLONG, ("long", "long", "signed"): LONGLONG, ("long", "long", "unsigned"): ULONGLONG,
    ("float",): FLOAT, ("double",): DOUBLE,
}  # fmt: skip


class Types(Records):
    """The checker's part for types."""

    def constant_integer(self, node: Node, what: str) -> int:
        """Return the value of a constant expression; `what` names it in messages."""
        value = self.value(node)
        if not isinstance(value, Constant) or not is_integer(value.type):
            self.fail(node.coord, f"{what} must be an integer constant")
        return int(value.value)

    def value(self, node: Node) -> Expr:
        """Check an expression; defined by the part for expressions."""
        raise NotImplementedError

    def type_of(self, node: Node) -> Qualified:
        """Return the type of an expression that is not evaluated; defined by the part for expressions."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------ declarators

    def qualified(self, node: Node) -> Qualified:
        """Return the type that a chain of declarator nodes describes."""
        if isinstance(node, c_ast.Typename | c_ast.Decl | c_ast.Typedef):
            return self.qualified(node.type)
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                self.fail(name_span(node), "function pointers are not supported yet", help="call the functions by name")
            target = self.qualified(node.type)
            pointer = Pointer(target.type, target.const, target.volatile)
            restrict = any("restrict" in word for word in node.quals)
            return Qualified(pointer, "const" in node.quals, "volatile" in node.quals, restrict)
        if isinstance(node, c_ast.ArrayDecl):
            return self._array(node)
        if isinstance(node, c_ast.FuncDecl):
            self.fail(name_span(node), "a function cannot be declared here")
        if isinstance(node, c_ast.TypeDecl):
            base = self.base_type(node.type)
            quals = node.quals or ()
            const = base.const or "const" in quals or "__const__" in quals or "__grid_constant__" in quals
            return Qualified(base.type, const, base.volatile or any("volatile" in word for word in quals))
        return self.base_type(node)

    def _array(self, node: c_ast.ArrayDecl) -> Qualified:
        element = self.qualified(node.type)
        span = name_span(node)
        self.require_complete(element.type, span)
        if element.type is VOID:
            self.fail(span, "an array of void is not possible")
        if node.dim is None:
            self.fail(span, "the array has no size", help="write it between the brackets")
        value = self.value(node.dim)
        if not isinstance(value, Constant) or not is_integer(value.type):
            self.fail(
                node.dim.coord, "the size of an array must be an integer constant", help="use a macro or a `const int`"
            )
        if value.value <= 0:
            self.fail(node.dim.coord, f"the size of an array must be positive, not {int(value.value)}")
        if element.type.size * value.value > _LARGEST_ARRAY:
            self.fail(node.dim.coord, "the array is too large")
        return Qualified(Array(element.type, int(value.value)), element.const, element.volatile)

    def require_copyable(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a struct of so many scalars that to copy it takes too much code."""
        if not isinstance(ctype, Struct) or (count := count_leaves(ctype)) <= _MOST_COPIED_SCALARS:
            return
        self.fail(
            span,
            f"{ctype.keyword} '{ctype.tag}' is too large to be copied or passed by value: it has {count} scalars, "
            f"at most {_MOST_COPIED_SCALARS} are supported",
            Note(ctype.span, f"'{ctype.tag}' is declared here"),
            help="pass a pointer to it, or copy the elements of its arrays in a loop",
        )

    # ------------------------------------------------------------------------------------- specifiers

    def base_type(self, node: Node) -> Qualified:
        """Return the type that a declaration's specifiers name."""
        match node:
            case c_ast.IdentifierType():
                return self._named_type(node)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                if node not in self.specifiers:  # in `struct {...} a, *b;` both declarators share the node
                    self.specifiers[node] = self._enum(node) if isinstance(node, c_ast.Enum) else self.record(node)
                return Qualified(self.specifiers[node])
            case c_ast.InferredType():
                self.fail(node.coord, "'auto' is not supported here", help="write the type")
            case c_ast.TypeOf():
                return self.qualified(node.expr) if isinstance(node.expr, c_ast.Typename) else self.type_of(node.expr)
            case c_ast.AttributedType():
                return self.qualified(node.type)
            case _:
                self.fail(node.coord, f"this type is not supported: {type(node).__name__}")

    def _named_type(self, node: c_ast.IdentifierType) -> Qualified:
        words = tuple(sorted(node.names))
        if len(words) > 1 and "int" in words and ("long" in words or "short" in words):
            words = tuple(word for word in words if word != "int")
        if words in _SPECIFIERS:
            return Qualified(_SPECIFIERS[words])
        text = " ".join(node.names)
        if "double" in words and "long" in words:
            self.fail(node.coord, "'long double' does not exist in device code", help="use double")
        if "__int128" in words:
            self.fail(node.coord, "'__int128' is not supported", help="use two 64-bit integers")
        if len(words) > 1:
            self.fail(node.coord, f"'{text}' is not a type")
        return self.type_by_name(words[0], node.coord)

    def type_by_name(self, name: str, span: Span) -> Qualified:
        entry = self.lookup(name)
        if isinstance(entry, TypeName):
            return entry.type
        tag = self.lookup_tag(name)
        if tag is not None:
            return Qualified(tag)
        if isinstance(entry, Unusable):
            if entry.why is not None:
                self.report(host_only_use(name, span, entry.why))
            raise Reported
        if name in self.host_only:
            self.report(host_only_use(name, span, self.host_only[name]))
            raise Reported
        if name in TYPEDEFS:
            return Qualified(TYPEDEFS[name])
        if name in UNSUPPORTED_TYPES:
            self.fail(span, f"'{name}' is not supported yet", help=UNSUPPORTED_TYPES[name])
        self.fail(span, f"unknown type name '{name}'", help=did_you_mean(name, [*self.visible_names(), *TYPEDEFS]))

    def _enum(self, node: c_ast.Enum) -> Scalar:
        """Return the integer type of an enum, and enter its enumerators if the specifier has braces."""
        if node.values is None:
            tag = self.lookup_tag(node.name or "")
            if tag is None:
                self.fail(node.coord, f"unknown enum '{node.name}'")
            if isinstance(tag, Struct):
                self.fail(node.coord, f"'{node.name}' is a {tag.keyword}, not an enum")
            return tag
        members: list[tuple[c_ast.Enumerator, int]] = []
        following = 0
        for enumerator in node.values.enumerators:
            if isinstance(enumerator, c_ast.Pragma):
                continue
            if enumerator.value is not None:
                following = self.constant_integer(enumerator.value, "the value of an enumerator")
            members.append((enumerator, following))
            # Later enumerators may use this one: `enum { A = 1, B = A << 1 }`.
            self.declare(enumerator.name, EnumeratorName(enumerator.coord, _enum_type([following]), following))
            following += 1
        ctype = _enum_type([value for _, value in members])
        if node.underlying_type is not None:
            fixed = self.qualified(node.underlying_type).type
            if not isinstance(fixed, Scalar) or not is_integer(fixed):
                self.fail(node.coord, "the type of an enum must be an integer type")
            ctype = fixed
        for enumerator, value in members:
            self.scopes[-1].names[enumerator.name] = EnumeratorName(enumerator.coord, ctype, value)
        if node.name:
            self.scopes[-1].tags[node.name] = ctype
        return ctype


def _enum_type(values: list[int]) -> Scalar:
    """Return the first of int, unsigned int, long, unsigned long that holds all `values`."""
    low, high = min(values, default=0), max(values, default=0)
    for ctype in (INT, UINT, LONG):
        bits = ctype.bits - ctype.signed
        if high < 1 << bits and low >= (-(1 << bits) if ctype.signed else 0):
            return ctype
    return ULONG
