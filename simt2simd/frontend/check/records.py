"""Checking structs: which one a specifier names, and how the members of a definition are laid out."""

from __future__ import annotations

from pycparser import c_ast

from ...diag import Note
from ...lang.ctype import VOID, CType, Field, Scalar, Struct, layout
from ...source import Span
from ..words import Node, host_only_use
from .scopes import Base, Qualified, Reported

_NO_TAG = "anonymous"


class Records(Base):
    """The checker's part for structs."""

    def qualified(self, node: Node) -> Qualified:
        """Return the type of a declarator; defined by the part for types."""
        raise NotImplementedError

    def constant_integer(self, node: Node, what: str) -> int:
        """Return the value of a constant expression; defined by the part for types."""
        raise NotImplementedError

    def require_complete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a struct that is declared but not defined."""
        if isinstance(ctype, Struct) and ctype.fields is None:
            note = Note(ctype.span, f"'{ctype.tag}' is declared here")
            self.fail(span, f"struct '{ctype.tag}' is declared but not defined", note)

    def record(self, node: c_ast.Struct) -> Struct:
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
        inner: list[tuple[str, Struct]] = []  # (a stand-in name, struct) for members without a name
        for declaration in node.decls or ():
            if isinstance(declaration, c_ast.Pragma | c_ast.StaticAssert):
                continue
            if declaration.bitsize is not None:
                self.fail(
                    name_span(declaration) or declaration.bitsize.coord,
                    "bit-fields are not supported",
                    help="use shifts and masks",
                )
            if isinstance(_specifier(declaration), c_ast.Union):
                help = "make its members members of the struct, or reinterpret with `__float_as_int` and its kin"
                self.fail(_specifier(declaration).coord, "unions are not supported yet", help=help)
            ctype = self.qualified(declaration.type)
            span = name_span(declaration)
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
                self.fail(span, "volatile members are not supported yet", help="leave out 'volatile'")
            if ctype.const:
                self.const_members.add((target, declaration.name))
            members.append((declaration.name, ctype.type))
        fields, size, align = layout(members)
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


def _flatten(fields: tuple[Field, ...], inner: dict[str, Struct]) -> list[Field]:
    """Lift the members of anonymous structs into the struct around them."""
    flat: list[Field] = []
    for member in fields:
        if member.name in inner:
            nested = inner[member.name].fields or ()
            flat += [Field(field.name, field.type, member.offset + field.offset) for field in nested]
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


def name_span(node: Node) -> Span:
    """Return where the declared name stands; for an abstract declarator, where the declarator begins."""
    inner: Node | None = node
    while inner is not None and not isinstance(inner, c_ast.TypeDecl):
        inner = getattr(inner, "type", None)
    return inner.coord if inner is not None and inner.coord is not None else node.coord
