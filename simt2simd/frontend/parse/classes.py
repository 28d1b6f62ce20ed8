"""Parsing classes, member by member. Functions that only the host can call are declared, but have no bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from ..text.declaration_scan import Member, after_attribute, read_member
from ..text.lexer import Token
from ..text.top_level import HostOnly
from .cxx import Base, Class, Definition, Friend, Template, UnionClass
from .names import Known, Scope
from .parser_part import ParserPart
from .words import HOST_ONLY, NO_UNIQUE_ADDRESS, Node, SyntaxFault

if TYPE_CHECKING:
    from .grammar import Grammar


_ACCESS = ("public", "protected", "private")


class Classes(ParserPart):
    """The part of the parser for classes and unions."""

    def __init__(self, p: Grammar) -> None:
        super().__init__(p)
        self.templated = False  # the next class is what a `template <...>` declares
        self._host_members: dict[str, HostOnly] = {}

    def parse_struct_or_union_specifier(self) -> Node:
        """Parse `struct S`, and its body if one follows. In C++ the tag is a type name by itself."""
        templated, self.templated = self.templated, False
        keyword = self.p._advance()
        attributes = self.p.specifiers.parse_attribute_specifier_sequence()
        named = None
        if self.p.names.begins_name(self.p._peek()):
            named = self._class_head(templated)
        final = self.p._value() == "final"
        if final:
            self.p._advance()
        name = named.parts[-1].name if named is not None else None
        node = self._class_node(keyword, name, named)
        node.attributes, node.final = attributes, final
        if self.p._peek_type() in ("COLON", "LBRACE") and not self._is_bit_field():
            outside = self.p._scope
            known = self._known_class(named, templated)
            members = known.scope = Scope(outside, class_name=name or " ")
            if name is not None:
                members.names[name] = Known("type", templated or (known.template and named is not None), members)
            node.bases = tuple(self._bases(members)) if self.p._accept("COLON") else ()
            self._body_of(node, members)
            self.p._enter(outside)
            if name is None and not isinstance(node, c_ast.Enum):
                outside.names.update((n, k) for n, k in members.names.items() if self._is_anonymous_member())
        elif name is None:
            self.p._parse_error("Invalid struct/union declaration", keyword.span)
        while self.p._peek_type() == "_ALIGNAS":  # `struct {...} __attribute__((aligned(16)))` is about the struct
            node.attributes = [*(node.attributes or []), self.p.specifiers.parse_alignment_specifier()]
        return node if templated else self._plain_union(node)

    def _is_anonymous_member(self) -> bool:
        return self.p._peek_type() == "SEMI"

    def _is_bit_field(self) -> bool:
        return self.p._peek_type() == "COLON" and "CONST" in str(self.p._peek_type(2)).removesuffix("CONST")

    def _class_head(self, templated: bool) -> Any:
        """Parse the name of a class; a new one is known from here on."""
        token = self.p._here()
        if self.p._peek_type(2) not in ("COLONCOLON", "LT"):
            defines = self.p._peek_type(2) in ("LBRACE", "SEMI", "COLON") or self.p._value(2) == "final"
            if defines or not self.p._is_known(token.value):
                before = self.p._scope.names.get(token.value)
                if before is None or before.kind != "type" or before.template != templated:
                    self.p._declare(token.value, Known("type", template=templated))
        elif templated and not self.p._is_known(token.value):
            self.p._declare(token.value, Known("type", template=True))
        return self.p.names.take_name()

    def _known_class(self, named: Any, templated: bool) -> Known:
        """Return what the body fills with members; those of a specialisation are its own."""
        known = named.known if named is not None else None
        if known is None or named.parts[-1].args is not None:
            has_members = known is not None and known.scope is not None
            template = templated or known is not None  # the name of a specialisation is a template's too
            return Known("type", template) if has_members or known is None else known
        found: Known = known
        return found

    def _class_node(self, keyword: Token, name: str | None, named: Any) -> Any:
        span = named.parts[-1].span if named is not None else keyword.span
        args = named.parts[-1].args if named is not None else None
        node: Any
        if keyword.type == "UNION":
            node = UnionClass(name, None, span, args=args)
        else:
            node = Class("class" if keyword.value == "class" else "struct", name, None, span, args=args)
        node.scope = named.as_name() if named is not None and len(named.parts) > 1 else None
        return node

    def _plain_union(self, node: Any) -> Node:
        """A union with nothing but data members is a union of C."""
        data = all(type(member) is c_ast.Decl and not _is_method(member) for member in node.decls or ())
        if (
            isinstance(node, UnionClass)
            and data
            and not node.host_members
            and not node.args
            and not node.scope
            and not node.final
        ):
            decls: list[Node] | None = node.decls  # type: ignore[assignment]
            return c_ast.Union(node.name, decls, node.coord, attributes=node.attributes)
        assert isinstance(node, Node)
        return node

    def _bases(self, members: Scope) -> list[Base]:
        bases = []
        while True:
            virtual = False
            self.p.specifiers.skip_attributes()
            while (word := self.p._accept_word("virtual", *_ACCESS, "typename")) is not None:
                virtual = virtual or word.value == "virtual"
            token = self.p._here()
            if token.value == "decltype":
                kind, span = self.p.specifiers.decltype(), token.span
            elif self.p.names.begins_name(token):
                if token.type == "ID" and not self.p._is_known(token.value):
                    self.p._unknown_type(token)
                named = self.p.names.take_name()
                kind, span = named.as_type(), named.span
                if named.known is not None and named.known.scope is not None:
                    members.searched.append(named.known.scope)
            else:
                self.p._unexpected(token)
            bases.append(Base(kind, virtual, span, self.p._accept("ELLIPSIS") is not None))
            if not self.p._accept("COMMA"):
                return bases

    # ------------------------------------------------------------------------------------------ members

    def _body_of(self, node: Any, members: Scope) -> None:
        """Parse the braces of a class."""
        outer = self._host_members, self.p._in_angles
        self._host_members, self.p._in_angles = node.host_members, False
        self.p._expect("LBRACE")
        self.p._enter(members)
        decls: list[Node] = []
        access = "private" if isinstance(node, Class) and node.key == "class" else "public"
        of_data: set[str] = set()
        while self.p._peek_type() not in ("RBRACE", None):
            word = self.p._here().value
            if word in _ACCESS and self.p._peek_type(2) == "COLON":
                access = word
            found = self._member(members)
            if access != "public":
                _mark(list(filter(_is_function, found)), access)
            if any(map(_is_data, found)):
                of_data.add(access)
            decls += found
        self.p._enter(members)
        self.p._expect("RBRACE")
        node.decls = decls
        node.hides_data, node.mixes_access = bool(of_data - {"public"}), len(of_data) > 1
        self._host_members, self.p._in_angles = outer

    def _member(self, members: Scope) -> list[Node]:
        """Parse one member; one that only the host can call is skipped."""
        token = self.p._here()
        if token.value in _ACCESS and self.p._peek_type(2) == "COLON":
            self.p._tokens.index += 2
            return []
        if token.type == "SEMI":
            self.p._advance()
            return []
        first = self.p._mark()
        member = read_member(self.p._tokens.tokens, first, members.class_name)
        if member.is_function and not member.device:
            found = self.p._attempt(self.one_member)
            if isinstance(found, SyntaxFault):
                self.p._enter(members)
                self._remember_host_member(member, None, members)
                found = []
            self.p._tokens.index = member.end
            return [of_host(one) for one in found]
        if not member.is_function:
            return self.one_member()
        found = self.p._attempt(self.one_member)
        if isinstance(found, SyntaxFault):
            self.p._enter(members)
            self._remember_host_member(member, found, members)
            self.p._tokens.index = member.end
            return []
        return found

    def _remember_host_member(self, member: Member, fault: SyntaxFault | None, members: Scope) -> None:
        if member.name is None:
            return
        name = member.spelled
        why = HostOnly(
            member.name.span, "a host function", "mark it `__device__`", fault.diagnostic if fault is not None else None
        )
        if not member.is_friend:
            self._host_members.setdefault(name, why)
            if member.name.type in ("ID", "TYPEID") and name != members.class_name:
                members.names.setdefault(name, Known("value", template=member.is_template))

    def one_member(self) -> list[Node]:
        """Parse a member of any kind."""
        first = self.p._mark()
        self.p.specifiers.skip_attributes()
        attributes = {token.value for token in self.p._tokens.tokens[first : self.p._mark()]}
        token = self.p._here()
        if token.value == "using":
            return self.p.declarations.using()
        if token.value == "template":
            return [self.p.templates.template()]
        if self._put_friend_first():
            return [self.p.templates.friend()]
        if token.type in ("PPPRAGMA", "_PRAGMA"):
            return [self.p._parse_pppragma_directive()]
        self._refuse_unknown_after_qualifiers_of_member()
        found = self.p.declarations.parse_declaration()
        if attributes & {NO_UNIQUE_ADDRESS, f"__{NO_UNIQUE_ADDRESS}__"}:
            _mark(list(filter(_is_data, found)), NO_UNIQUE_ADDRESS)
        return found

    def _put_friend_first(self) -> bool:
        """Put the `friend` of `__device__ friend constexpr T f()` first; False if there is none. Any order is right."""
        tokens = self.p._tokens.tokens
        first = at = self.p._mark()
        while at < len(tokens) and tokens[at].value != "friend":
            if tokens[at].type in ("ATTRIBUTE_BEGIN", "_ALIGNAS"):
                at = after_attribute(tokens, at)
            elif tokens[at].type in ("INLINE", "CONSTEXPR") or tokens[at].value == "consteval":
                at += 1
            else:
                return False
        if at == len(tokens):
            return False
        tokens.insert(first, tokens.pop(at))
        return True

    def _refuse_unknown_after_qualifiers_of_member(self) -> None:
        mark = self.p._mark()
        while self.p._peek_type() in ("INLINE", "STATIC", "CONST", "CONSTEXPR", "VOLATILE", "TYPEDEF"):
            self.p._advance()
        self.p.declarations.refuse_unknown_type()
        self.p._reset(mark)


def of_host(node: Node) -> Node:
    """Return the declaration of a function that only the host can call: it has no body here."""
    if isinstance(node, Template):
        return Template(node.params, of_host(node.declaration), node.coord, node.requires, node.specialised)
    if isinstance(node, Friend):
        return Friend(of_host(node.declaration), node.coord, node.args)
    decl = node.decl if isinstance(node, Definition) else node
    if isinstance(decl, c_ast.Decl):
        decl.funcspec = [*decl.funcspec, HOST_ONLY]
    return decl


def _mark(members: list[Node], word: str) -> None:
    """Put a word among the specifiers of members."""
    for node in members:
        decl = _declared(node)
        assert isinstance(decl, c_ast.Decl)
        decl.funcspec = [*decl.funcspec, word]


def _declared(member: Node) -> Node:
    inner = member.declaration if isinstance(member, Template) else member
    return inner.decl if isinstance(inner, Definition) else inner


def _is_function(member: Node) -> bool:
    """Whether a member is a function, and no friend."""
    decl = _declared(member)
    if not isinstance(decl, c_ast.Decl) or not isinstance(decl.type, c_ast.FuncDecl):
        return False
    return "friend" not in decl.funcspec


def _is_method(member: c_ast.Decl) -> bool:
    return isinstance(member.type, c_ast.FuncDecl) or "static" in (member.storage or ())


def _is_data(member: Node) -> bool:
    return isinstance(member, c_ast.Decl) and not _is_method(member)
