"""Checking structs and unions: which one a specifier names, and the members of a definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import VOID, CType, Scalar, Struct, is_integer
from ....lang.layout import Declared, Layout, lay_out
from ....source import Span
from ...parse import cxx
from ...parse.words import NO_UNIQUE_ADDRESS, Node, host_only_use
from ..context import Part
from ..identifiers import unique
from ..qualified import Qualified
from ..scopes import Reported, Scope
from .member_types import bytes_in_cxx

_NO_TAG = "anonymous"


class Records(Part):
    """The checker's part for structs and unions."""

    def require_complete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype`, or what it is an array of, is a struct that is declared but not defined."""
        while hasattr(ctype, "element"):
            ctype = ctype.element
        if isinstance(ctype, Struct):
            self.s.classes.complete(ctype)
        if isinstance(ctype, Struct) and ctype.fields is None:
            note = Note(ctype.span, f"'{ctype.tag}' is declared here")
            self.fail(span, f"{ctype.keyword} '{ctype.tag}' is declared but not defined", note)

    def record(self, node: c_ast.Struct | c_ast.Union) -> Struct:
        """Return the struct or union that a specifier names, and define it if the specifier has braces."""
        scope = getattr(node, "scope", None)
        if scope is not None:
            return self.s.classes.qualified_record(node, scope)
        tag, union = node.name or "", isinstance(node, c_ast.Union)
        known = self.s.scopes.lookup_tag(tag) if tag and node.decls is None else self.s.scopes.stack[-1].tags.get(tag)
        scopes = self._scopes_of_tag(node)
        if known is None and tag and node.decls is None:
            known = scopes[-1].tags.get(tag)  # the template declared it, though the definition follows
        if isinstance(known, Scalar):
            self.fail(node.coord, f"'{node.name}' is an enum, not a {'union' if union else 'struct'}")
        if known is None:
            known = Struct(self.unique_tag(node.name or _NO_TAG), node.coord, union=union)
            self.s.structs.homes[known] = scopes
            if node.name:
                self._refuse_lost_tag(node)
                scopes[-1].tags[node.name] = known
        first = Note(known.span, "the first declaration is here")
        if known.union != union:
            self.fail(node.coord, f"'{known.tag}' is a {known.keyword}, not a {'union' if union else 'struct'}", first)
        if node.decls is None:
            return known
        if known.fields is not None:
            first = Note(known.span, "the first definition is here")
            self.fail(node.coord, f"{known.keyword} '{known.tag}' is defined twice", first)
        self.define(known, node)
        return known

    def _scopes_of_tag(self, node: c_ast.Struct | c_ast.Union) -> tuple[Scope, ...]:
        """Return the scopes into the last of which a specifier declares its tag.

        In a template's text `struct X` declares X in what is around the template ([basic.scope.pdecl]/7.2).
        """
        scopes = list(self.s.scopes.stack)
        while node.decls is None and (
            scopes[-1].kind in ("template", "element")
            or (scopes[-1].kind == "namespace" and scopes[-1].parent is None and len(scopes) > 1)  # of an instance
        ):
            scopes.pop()
        return tuple(scopes)

    def unique_tag(self, tag: str) -> str:
        """Return a tag that no struct of the module has yet: structs of different scopes may share a name."""
        return unique(tag, self.s.structs.tags)

    def name_struct(self, name: str, ctype: CType) -> None:
        """Give a struct without a tag the name of its typedef."""
        if isinstance(ctype, Struct) and ctype.tag.startswith(_NO_TAG):
            ctype.tag = self.unique_tag(name)

    def _refuse_lost_tag(self, node: c_ast.Struct | c_ast.Union) -> None:
        tag = node.name or ""
        why = self.s.scopes.host_only.get(tag)
        if node.decls is None and why is not None:
            self.report(host_only_use(tag, node.coord, why))
            raise Reported

    def define(self, target: Struct, node: c_ast.Struct | c_ast.Union) -> None:
        """Check the definition of a class, a struct or a union."""
        if isinstance(node, cxx.Class | cxx.UnionClass):
            self.s.classes.define_class(target, node)
        else:
            self.define_record(target, node, node.decls or (), ())

    def define_record(
        self,
        target: Struct,
        node: c_ast.Struct | c_ast.Union,
        data: Sequence[Node],
        leading: Sequence[Declared],
    ) -> Layout:
        """Lay out the members that `data` declares, after those of `leading`."""
        members: list[Declared] = list(leading)
        names: set[str] = set()
        for declaration in data:
            if not isinstance(declaration, c_ast.Decl):
                continue
            member = self._member(target, declaration)
            if member is None:
                continue
            nested = member.type.member_names() if isinstance(member.type, Struct) and not member.name else []
            for name in [member.name] if member.name else nested:
                if name in names:
                    span = name_span(declaration)
                    self.fail(span, f"{target.keyword} '{target.tag}' has two members named '{name}'")
                names.add(name)
            members.append(member)
        if leading or any(NO_UNIQUE_ADDRESS in getattr(declaration, "funcspec", ()) for declaration in data):
            members[len(leading) :] = [
                replace(one, empties=self.s.classes.empties_of(one.type)) for one in members[len(leading) :]
            ]
        layout = lay_out(members, target.union, self.alignment(node.attributes))
        if layout.members != layout.fields:
            target.members = layout.members
            self.s.structs.has_bit_fields = True
        size = -(-layout.size // layout.align) * layout.align
        target.fields, target.size, target.align = layout.fields, max(1, size), layout.align
        target.span = node.coord
        self.s.structs.all.append(target)
        return layout

    def _member(self, target: Struct, declaration: c_ast.Decl) -> Declared | None:
        """Check the declaration of one member; None if it declares none."""
        span = name_span(declaration)
        ctype = self.s.types.qualified(declaration.type)
        self.s.types.require_size(ctype.type, span)
        least_align = self.alignment(declaration.align)
        if declaration.bitsize is not None:
            return self._bit_field(target, declaration, ctype, max(ctype.type.align, least_align))
        if declaration.name is None:
            if not isinstance(ctype.type, Struct) or getattr(declaration.type, "name", None) is not None:
                return None
            self.s.structs.all.remove(ctype.type)  # it is defined at its own place
            ctype.type.tag = f"anonymous {ctype.type.keyword}"
            return Declared("", ctype.type, max(ctype.type.align, least_align))
        self.require_complete(ctype.type, span)
        if ctype.type is VOID:
            self.fail(span, f"member '{declaration.name}' cannot have type void")
        if ctype.const:
            self.s.structs.const_members.add((target, declaration.name))
        if ctype.reference:
            return Declared(declaration.name, ctype.stored, ctype.stored.align)
        align = max(ctype.type.align, least_align)  # known now: an instance of a template is made where it is needed
        if NO_UNIQUE_ADDRESS in declaration.funcspec and isinstance(ctype.type, Struct):
            data: int | None = self.s.classes.own_bytes(ctype.type)
        else:
            size = bytes_in_cxx(ctype.type)
            data = size if size != ctype.type.size else None
        return Declared(declaration.name, ctype.type, align, volatile=ctype.volatile, data=data)

    def _bit_field(self, target: Struct, declaration: c_ast.Decl, ctype: Qualified, align: int) -> Declared:
        name, size = declaration.name or "", declaration.bitsize
        assert size is not None
        span = name_span(declaration) or size.coord
        if not is_integer(ctype.type):
            self.fail(span, f"bit-field '{name}' must have an integer type, not '{ctype.type}'")
        width = self.s.types.constant_integer(size, "the width of a bit-field")
        assert isinstance(ctype.type, Scalar)
        if width < 0 or width > ctype.type.bits or (width == 0 and name):
            most = f"of type '{ctype.type}' has 1 to {ctype.type.bits} bits, not {width}"
            self.fail(size.coord, f"a bit-field {most}")
        if ctype.const and name:
            self.s.structs.const_members.add((target, name))
        return Declared(name, ctype.type, align, ctype.volatile, width, bool(declaration.align))

    def alignment(self, attributes: Sequence[Node] | None) -> int:
        """Return what `__align__(n)` and `alignas(n)` on a struct or a member ask for; 1 without them."""
        align = 1
        for attribute in attributes or ():
            if isinstance(attribute, c_ast.Alignas):
                align = max(align, self.align_operand(attribute))
        return align

    def align_typedef(self, node: c_ast.Typedef, target: CType) -> None:
        """Give the struct without a name that `node` names the alignment that the typedef asks for.

        As in g++ its size does not change. The alignment of other types cannot differ between their names.
        """
        asked = self.alignment(node.align) if isinstance(node, cxx.AlignedTypedef) else 1
        if asked in (1, target.align):
            return
        defined = getattr(node.type, "type", None)
        unnamed = isinstance(defined, c_ast.Struct | c_ast.Union) and defined.name is None
        if not isinstance(target, Struct) or not unnamed or asked < target.align or target.size % asked:
            self.fail(
                node.coord,
                f"a typedef cannot change the alignment of '{target}' from {target.align} to {asked} yet",
                help=f"align the variables, or the struct itself: `struct __align__({asked}) {node.name} {{...}}`",
            )
        target.align = asked

    def alignment_of(self, node: c_ast.Decl) -> int:
        """Return what `__align__(n)` on a variable asks for; 0 without one."""
        asked = self.alignment(node.align)
        return asked if asked > 1 else 0

    def align_operand(self, attribute: c_ast.Alignas) -> int:
        call = attribute.alignment
        if isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID) and call.name.name.startswith("__"):
            operands = call.args.exprs if call.args is not None else []
            if call.name.name != "__align__" or not operands:
                return 1  # `__launch_bounds__(n)` and the like
            call = operands[0]
        if isinstance(call, c_ast.Typename):
            ctype = self.s.types.qualified(call).type
            self.require_complete(ctype, call.coord)
            return ctype.align
        value = self.s.types.constant_integer(call, "an alignment")
        if value <= 0 or value & value - 1:
            self.fail(call.coord, f"an alignment must be a power of two, not {value}")
        return value


def name_span(node: Node) -> Span:
    """Return where the declared name is; for an abstract declarator, where the declarator begins."""
    inner: Node | None = node
    while inner is not None and not isinstance(inner, c_ast.TypeDecl):
        inner = getattr(inner, "type", None)
    return inner.coord if inner is not None and inner.coord is not None else node.coord
