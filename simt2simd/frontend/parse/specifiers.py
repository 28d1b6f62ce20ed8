"""Parsing the words before a declarator: types, qualifiers, storage, alignment, `decltype`, enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast
from pycparser.c_parser import _FUNCTION_SPEC, _STORAGE_CLASS, _TYPE_QUALIFIER, _TYPE_SPEC_SIMPLE, _TYPEOF_SPEC, CParser

from ...source import Span
from ..text.lexer import Token
from .cxx import Auto, ConditionalExplicit, DeclType, ScopedEnum, Signature
from .names import Known, Scope
from .parser_part import ParserPart
from .words import Node

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclSpec

STORAGE_WORDS = {"mutable", "constinit", "consteval"}
FUNCTION_WORDS = {"virtual", "explicit", "friend"}
GREATEST_ALIGNMENT = 16  # of any type of x86-64's ABI: what `__attribute__((aligned))` means
TYPE_WORDS = {"typename", "decltype", "__underlying_type"}


class Specifiers(ParserPart):
    """The part of the parser for specifiers."""

    def starts_declaration(self, tok: Token | None = None) -> bool:
        token = tok or self.p._peek()
        if token is None:
            return False
        if token.type == "CPP":
            return token.value in STORAGE_WORDS or token.value in FUNCTION_WORDS or token.value in TYPE_WORDS
        if self.p.names.begins_name(token) and token is self.p._tokens.peek():
            return self.p.names.is_type_here()
        return bool(CParser._starts_declaration(self.p, token))

    def parse_specifiers(self, *, allow_storage_and_function: bool) -> tuple[_DeclSpec | None, bool, Span | None]:
        """Parse specifiers in any order. The name of a class before `(` in that class begins a constructor."""
        first = self.p._peek()
        spec: _DeclSpec | None = None
        saw_type = False
        while (token := self.p._peek()) is not None:
            if token.type == "ATTRIBUTE_BEGIN":
                self.skip_attributes()
                continue
            kind, found = self._specifier(token, saw_type, allow_storage_and_function, begun=spec is not None)
            if found is None:
                break
            spec = self.p._add_declaration_specifier(spec, found, kind)
            saw_type = saw_type or kind == "type"
        if spec is None and allow_storage_and_function and self._begins_untyped():
            spec = {"qual": [], "storage": [], "type": [], "function": [], "alignment": [], "type_attributes": []}
        return spec, saw_type, first.span if first is not None else None

    def _specifier(self, token: Token, saw_type: bool, storage: bool, *, begun: bool) -> tuple[Any, Any]:
        """Parse one specifier; return its kind and itself, None if there is none here.

        `begun`: there is one before it, so that the name of a type must follow if no type was there.
        """
        kind, value = token.type, token.value
        if kind == "_ALIGNAS":
            return "alignment", self.parse_alignment_specifier()
        if kind in _TYPE_QUALIFIER:
            return "qual", self.p._advance().value
        if kind in _TYPE_SPEC_SIMPLE:
            return "type", c_ast.IdentifierType([self.p._advance().value], token.span)
        if kind == "AUTO":
            self.p._advance()
            return "type", Auto(token.span)
        if storage and (kind in _STORAGE_CLASS or value in STORAGE_WORDS):
            return "storage", self.p._advance().value
        if storage and (kind in _FUNCTION_SPEC or value in FUNCTION_WORDS):
            return "function", self._function_word()
        if kind in _TYPEOF_SPEC:
            return "type", self.p._parse_typeof_specifier()
        if kind in ("STRUCT", "UNION"):
            return "type", self.p.classes.parse_struct_or_union_specifier()
        if kind == "ENUM":
            return "type", self.parse_enum_specifier()
        if saw_type:
            return None, None
        if value == "typename":
            self.p._advance()
            if self.p._value() == "decltype":
                return "type", self.decltype()
            return "type", self.p.names.take_name().as_type()
        if value == "decltype":
            return "type", self.decltype()
        if value == "__underlying_type":
            return "type", DeclType(self.p.primaries.trait(), False, token.span)
        if self.p.names.begins_name(token) and not self._is_constructor(token):
            named = self.p.names.name_ahead()
            unknown = begun and named.kind == "unknown" and not named.plain and not named.tail
            if named.kind == "concept" and self.p.names.type_behind(named) == "AUTO":
                constraint = self.p.names.take_name().as_name()
                return "type", Auto(self.p._advance().span, constraint)
            if unknown or self.p.names.is_type_here(parameter=True):
                return "type", self.p.names.take_name().as_type()
        return None, None

    def _function_word(self) -> str:
        word = self.p._advance()
        if word.value != "explicit" or not self.p._accept("LPAREN"):
            return word.value
        condition = self.p._parse_conditional_expression()
        self.p._expect("RPAREN")
        return ConditionalExplicit(condition)

    def _begins_untyped(self) -> bool:
        """True at what may be declared without a type: constructors, destructors, conversions."""
        token = self.p._peek()
        return token is not None and (token.value in ("~", "operator") or self.p.names.begins_name(token))

    def _is_constructor(self, token: Token) -> bool:
        """True at the name of a constructor that is being declared, inside its class or outside."""
        if self.p._peek_type(2) == "LPAREN":
            return self.p._scope.class_name == token.value and self.p._peek_type(3) not in ("TIMES", "AND")
        if self.p._peek_type(2) not in ("COLONCOLON", "LT"):
            return False
        named = self.p.names.name_ahead()
        if len(named.parts) < 2 or named.parts[-1].name != named.parts[-2].name:
            return False
        following = self.p._tokens.peek(named.end - self.p._tokens.index + 1)
        return following is not None and following.type == "LPAREN"

    def decltype(self) -> Node:
        """Parse `decltype(expr)`, and the name of a member of that class, `decltype(expr)::type`."""
        word = self.p._advance()
        self.p._expect("LPAREN")
        if self.p._accept("AUTO"):
            self.p._expect("RPAREN")
            return DeclType(None, False, word.span)
        outer, self.p._in_angles = self.p._in_angles, False
        mark = self.p._mark()
        expr = self.p._parse_expression()
        parenthesised = self._is_one_group(mark, self.p._mark())
        self.p._expect("RPAREN")
        self.p._in_angles = outer
        found = DeclType(expr, parenthesised, word.span)
        return self.p.names.member_of(found) if self.p._peek_type() == "COLONCOLON" else found

    def _is_one_group(self, first: int, end: int) -> bool:
        """True if the tokens from `first` on to before `end` are one pair of parentheses and what is in it."""
        depth = 0
        for at in range(first, end):
            kind = self.p._tokens.tokens[at].type
            depth += (kind == "LPAREN") - (kind == "RPAREN")
            if depth == 0:
                return first < at == end - 1
        return False

    def fix_decl_name_type(self, decl: Any, typename: list[Node]) -> Any:
        """Attach the base type, and a trailing result type in place of `auto`."""
        fixed = CParser._fix_decl_name_type(self.p, decl, typename)
        inner: Any = fixed.type
        while inner is not None and not isinstance(inner, c_ast.TypeDecl):
            if isinstance(inner, Signature) and (trailing := getattr(inner, "trailing", None)) is not None:
                inner.type = trailing.type
                break
            inner = getattr(inner, "type", None)
        return fixed

    def type_name_of(self, base: Node) -> c_ast.Typename:
        """Parse what follows the type `base` in the name of a type."""
        spec = self.p._add_declaration_specifier(None, base, "type")
        while self.p._peek_type() in _TYPE_QUALIFIER:
            self.p._add_declaration_specifier(spec, self.p._advance().value, "qual")
        return self.p._build_type_name(spec, self.p.declarators.parse_abstract_declarator_opt(), base.coord)

    def parse_type_name(self) -> c_ast.Typename:
        """Parse the name of a type. The result's span is that of its first word."""
        spec = self.p._parse_specifier_qualifier_list()
        first = spec["type"][0].coord if spec["type"] else None
        return self.p._build_type_name(spec, self.p.declarators.parse_abstract_declarator_opt(), first)

    # ------------------------------------------------------------------------------------ enumerations

    def parse_enum_specifier(self) -> Node:
        """Parse an enumeration. The names of its values are members of it, and those of an unscoped one also here."""
        keyword = self.p._expect("ENUM")
        scoped = self.p._accept("STRUCT") is not None
        self.skip_attributes(gnu=True)
        name = self.p._advance() if self.p._peek_type() in ("ID", "TYPEID") else None
        while name is not None and self.p._accept("COLONCOLON"):
            name = self.expect_name()
        underlying = None
        if self.p._peek_type() == "COLON" and "CONST" not in str(self.p._peek_type(2)).removesuffix("CONST"):
            underlying = self.p._parse_enum_type_specifier()
        members = Scope(self.p._scope)
        if name is not None and (scoped or underlying or self.p._peek_type() == "LBRACE" or not self._is_type(name)):
            self.p._declare(name.value, Known("type", scope=members))
        values = None
        if name is None or self.p._peek_type() == "LBRACE":
            self.p._expect("LBRACE")
            self.p._enter(members)
            empty = self.p._peek_type() == "RBRACE"
            values = c_ast.EnumeratorList([], keyword.span) if empty else self.p._parse_enumerator_list()
            self.p._enter(members.parent or members)
            self.p._expect("RBRACE")
            for value in () if scoped else members.names:
                self.p._declare(value, Known("value"))
        made = ScopedEnum if scoped else c_ast.Enum
        return made(name.value if name is not None else None, values, underlying, keyword.span, attributes=[])

    def parse_enumerator(self) -> Node:
        """Parse one value, which may have the name of a type further out."""
        name = self.expect_name()
        self.skip_attributes()
        value = self.p._parse_constant_expression() if self.p._accept("EQUALS") else None
        self.p._add_identifier(name.value, name.span)
        return c_ast.Enumerator(name.value, value, name.span)

    def _is_type(self, token: Token) -> bool:
        return self.p._is_type_in_scope(token.value)

    def expect_name(self) -> Token:
        """Consume a name, whether it is a type or not."""
        token = self.p._here()
        return self.p._expect(token.type if token.type in ("ID", "TYPEID") else "ID")

    # ------------------------------------------------------------------------------ alignment, attributes

    def parse_alignment_specifier(self) -> c_ast.Alignas:
        """`alignas(n)`, `__align__(n)`, `__launch_bounds__(...)` and `__attribute__((...))`, all as one kind of node.

        The node's `alignment` is a call of that name with the operands as arguments.
        """
        word = self.p._here()
        if word.value in ("alignas", "_Alignas"):
            return CParser._parse_alignment_specifier(self.p)
        mark = self.p._mark()
        self.p._advance()
        self.p._expect("LPAREN")
        if word.value.startswith("__attribute"):
            operands, name = self._gnu_attributes(word.value)
        else:
            name = word.value
            operands = [] if self.p._peek_type() == "RPAREN" else self.p._parse_argument_expression_list().exprs
            self.p._expect("RPAREN")
        span = self.p._tokens.span(mark)
        return c_ast.Alignas(c_ast.FuncCall(c_ast.ID(name, word.span), c_ast.ExprList(operands, span), span), span)

    def _gnu_attributes(self, name: str) -> tuple[list[Node], str]:
        """Parse `((...))` after `__attribute__`; only `aligned`, `aligned(n)` and `packed` mean something here."""
        operands: list[Node] = []
        self.p._expect("LPAREN")
        depth = 1
        while depth:
            token = self.p._advance()
            if token.value in ("aligned", "__aligned__") and self.p._peek_type() == "LPAREN":
                self.p._advance()
                operands, name = [self.p._parse_conditional_expression()], "__align__"
                self.p._expect("RPAREN")
            elif token.value in ("aligned", "__aligned__"):
                operands, name = [c_ast.Constant("int", str(GREATEST_ALIGNMENT), token.span)], "__align__"
            elif token.value in ("packed", "__packed__"):
                self.p._unsupported(token.span, "packed structs are not supported yet", None)
            depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        self.p._expect("RPAREN")
        return operands, name

    def skip_attributes(self, *, gnu: bool = False) -> None:
        """Skip `[[...]]`, and `__attribute__((...))` too if `gnu`: none of them changes what device code means."""
        while True:
            if self.p._peek_type() == "ATTRIBUTE_BEGIN":
                self._skip_standard_attributes()
            elif gnu and (self.p._value() or "").startswith("__attribute"):
                self.parse_alignment_specifier()
            else:
                return

    def _skip_standard_attributes(self) -> None:
        """Skip one `[[...]]`, whatever is in it ([dcl.attr.grammar]): `[[using gnu: hot, flatten]]` too."""
        self.p._expect("ATTRIBUTE_BEGIN")
        while self.p._peek_type() not in (None, "ATTRIBUTE_END"):
            self.p._advance()
        self.p._expect("ATTRIBUTE_END")

    def parse_attribute_specifier_sequence(self) -> list[Node]:
        """Parse the attributes after `struct`; the result is those that align."""
        groups: list[Node] = []
        while self.p._peek_type() in ("ATTRIBUTE_BEGIN", "_ALIGNAS"):
            if self.p._peek_type() == "_ALIGNAS":
                groups.append(self.parse_alignment_specifier())
            else:
                self._skip_standard_attributes()
        return groups
