"""Checking types: what a declaration's specifiers and declarators mean, and the definitions of structs and enums."""

from __future__ import annotations

from dataclasses import replace

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
    Field,
    Pointer,
    Scalar,
    Struct,
    count_leaves,
    is_integer,
    layout,
)
from ...source import Span
from ...tree.nodes import Constant, Expr
from ..words import Node, host_only_use
from .scopes import Base, EnumeratorName, Qualified, Reported, TypeName, Unusable, did_you_mean

_LARGEST_ARRAY = 1 << 40
_MOST_COPIED_SCALARS = 4096  # of a struct: each of them is a value of its own
_NO_TAG = "anonymous"

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


class Types(Base):
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
                self.fail(
                    _name_span(node), "function pointers are not supported yet", help="call the functions by name"
                )
            target = self.qualified(node.type)
            pointer = Pointer(target.type, target.const, target.volatile)
            restrict = any("restrict" in word for word in node.quals)
            return Qualified(pointer, "const" in node.quals, "volatile" in node.quals, restrict)
        if isinstance(node, c_ast.ArrayDecl):
            return self._array(node)
        if isinstance(node, c_ast.FuncDecl):
            self.fail(_name_span(node), "a function cannot be declared here")
        if isinstance(node, c_ast.TypeDecl):
            base = self.base_type(node.type)
            quals = node.quals or ()
            const = base.const or "const" in quals or "__const__" in quals or "__grid_constant__" in quals
            return Qualified(base.type, const, base.volatile or any("volatile" in word for word in quals))
        return self.base_type(node)

    def _array(self, node: c_ast.ArrayDecl) -> Qualified:
        element = self.qualified(node.type)
        span = _name_span(node)
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

    def require_complete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a struct that is declared but not defined."""
        if isinstance(ctype, Struct) and ctype.fields is None:
            note = Note(ctype.span, f"'{ctype.tag}' is declared here")
            self.fail(span, f"struct '{ctype.tag}' is declared but not defined", note)

    def require_copyable(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a struct of so many scalars that to copy it takes too much code."""
        if not isinstance(ctype, Struct) or (count := count_leaves(ctype)) <= _MOST_COPIED_SCALARS:
            return
        self.fail(
            span,
            f"struct '{ctype.tag}' is too large to be copied or passed by value: it has {count} scalars, "
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
            case c_ast.Struct() | c_ast.Enum():
                if node not in self.specifiers:  # in `struct {...} a, *b;` both declarators share the node
                    self.specifiers[node] = self._struct(node) if isinstance(node, c_ast.Struct) else self._enum(node)
                return Qualified(self.specifiers[node])
            case c_ast.Union():
                self.fail(
                    node.coord, "unions are not supported yet", help="use `__float_as_int` and its kin to reinterpret"
                )
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

    def _struct(self, node: c_ast.Struct) -> Struct:
        """Return the struct that a specifier names, and define it if the specifier has braces."""
        tag = node.name or ""
        known = self.lookup_tag(tag) if tag and node.decls is None else self.scopes[-1].tags.get(tag)
        if isinstance(known, Scalar):
            self.fail(node.coord, f"'{node.name}' is an enum, not a struct")
        if known is None:
            known = Struct(self.unique_tag(node.name or _NO_TAG), node.coord)
            if node.name:
                self._refuse_lost_tag(node)
                self.scopes[-1].tags[node.name] = known
        if node.decls is None:
            return known
        if known.fields is not None:
            self.fail(
                node.coord, f"struct '{known.tag}' is defined twice", Note(known.span, "the first definition is here")
            )
        self._define(known, node)
        return known

    def unique_tag(self, tag: str) -> str:
        """Return a tag that no struct of the module has yet: structs of different scopes may share a name."""
        count, unique = 1, tag
        while unique in self.tags:
            count += 1
            unique = f"{tag}_{count}"
        self.tags.add(unique)
        return unique

    def name_struct(self, name: str, ctype: CType) -> None:
        """Give a struct without a tag the name of its typedef."""
        if isinstance(ctype, Struct) and ctype.tag.startswith(_NO_TAG):
            ctype.tag = self.unique_tag(name)

    def _refuse_lost_tag(self, node: c_ast.Struct) -> None:
        tag = node.name or ""
        why = self.host_only.get(tag)
        if node.decls is None and why is not None:
            self.report(host_only_use(tag, node.coord, why))
            raise Reported

    def _define(self, target: Struct, node: c_ast.Struct) -> None:
        members: list[tuple[str, CType]] = []
        volatile: set[str] = set()
        inner: list[tuple[str, Struct]] = []  # (a stand-in name, struct) for members without a name
        for declaration in node.decls or ():
            if isinstance(declaration, c_ast.Pragma | c_ast.StaticAssert):
                continue
            if declaration.bitsize is not None:
                self.fail(
                    _name_span(declaration) or declaration.bitsize.coord,
                    "bit-fields are not supported",
                    help="use shifts and masks",
                )
            if isinstance(_specifier(declaration), c_ast.Union):
                help = "make its members members of the struct, or reinterpret with `__float_as_int` and its kin"
                self.fail(_specifier(declaration).coord, "unions are not supported yet", help=help)
            ctype = self.qualified(declaration.type)
            span = _name_span(declaration)
            if declaration.name is None:
                if isinstance(ctype.type, Struct) and getattr(declaration.type, "name", None) is None:
                    stand_in = f"anonymous member {len(members)}"
                    inner.append((stand_in, ctype.type))
                    members.append((stand_in, ctype.type))
                continue
            self.require_complete(ctype.type, span)
            if ctype.type is VOID:
                self.fail(span, f"member '{declaration.name}' cannot have type void")
            if declaration.name in (name for name, _ in members):
                self.fail(span, f"struct '{target.tag}' has two members named '{declaration.name}'")
            if ctype.volatile:
                volatile.add(declaration.name)
            if ctype.const:
                self.const_members.add((target, declaration.name))
            members.append((declaration.name, ctype.type))
        fields, size, align = layout(members)
        fields = tuple(replace(field, volatile=field.name in volatile) for field in fields)
        align = max(align, self.alignment(node))
        target.fields = tuple(_flatten(fields, dict(inner)))
        target.size, target.align = -(-size // align) * align if members else 1, align
        target.span = node.coord
        self.structs.append(target)

    def alignment(self, node: c_ast.Struct) -> int:
        """Return what `__align__(n)` on a struct asks for; 1 without one."""
        align = 1
        for attribute in node.attributes or ():
            if isinstance(attribute, c_ast.Alignas):
                align = max(align, self.align_operand(attribute))
        return align

    def alignment_of(self, node: c_ast.Decl) -> int:
        """Return what `__align__(n)` on a variable asks for; 0 without one."""
        attributes = (attribute for attribute in node.align or () if isinstance(attribute, c_ast.Alignas))
        asked = max(map(self.align_operand, attributes), default=1)
        return asked if asked > 1 else 0

    def align_operand(self, attribute: c_ast.Alignas) -> int:
        call = attribute.alignment
        if isinstance(call, c_ast.FuncCall):
            operands = call.args.exprs if call.args is not None else []
            if not (isinstance(call.name, c_ast.ID) and call.name.name == "__align__" and operands):
                return 1
            call = operands[0]
        if isinstance(call, c_ast.Typename):
            return self.qualified(call).type.align
        value = self.constant_integer(call, "an alignment")
        if value <= 0 or value & value - 1:
            self.fail(call.coord, f"an alignment must be a power of two, not {value}")
        return value

    def _enum(self, node: c_ast.Enum) -> Scalar:
        """Return the integer type of an enum, and enter its enumerators if the specifier has braces."""
        if node.values is None:
            tag = self.lookup_tag(node.name or "")
            if tag is None:
                self.fail(node.coord, f"unknown enum '{node.name}'")
            if isinstance(tag, Struct):
                self.fail(node.coord, f"'{node.name}' is a struct, not an enum")
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


def _flatten(fields: tuple[Field, ...], inner: dict[str, Struct]) -> list[Field]:
    """Lift the members of anonymous structs into the struct around them."""
    flat: list[Field] = []
    for member in fields:
        if member.name in inner:
            nested = inner[member.name].fields or ()
            flat += [replace(field, offset=member.offset + field.offset) for field in nested]
        else:
            flat.append(member)
    return flat


def _specifier(node: Node) -> Node:
    """Return what a declaration names as its type, below stars and brackets."""
    if isinstance(node, c_ast.Decl | c_ast.Typedef):
        node = node.type
    while isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.TypeDecl):
        node = node.type
    return node


def _name_span(node: Node) -> Span:
    """Return where the declared name stands; for an abstract declarator, where the declarator begins."""
    inner: Node | None = node
    while inner is not None and not isinstance(inner, c_ast.TypeDecl):
        inner = getattr(inner, "type", None)
    return inner.coord if inner is not None and inner.coord is not None else node.coord


def name_span(node: Node) -> Span:
    return _name_span(node)
