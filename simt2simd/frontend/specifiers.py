"""Parsing the words before a declarator: types, qualifiers, storage, alignment, `decltype`, enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast
from pycparser.c_parser import _FUNCTION_SPEC, _STORAGE_CLASS, _TYPE_QUALIFIER, _TYPE_SPEC_SIMPLE, _TYPEOF_SPEC

from ..source import Span
from .cxx import Auto, DeclType, ScopedEnum, Signature
from .lexer import Token
from .names import Known, Scope
from .qualified import Names
from .words import Node

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclSpec

STORAGE_WORDS = {"mutable", "constinit", "consteval"}
FUNCTION_WORDS = {"virtual", "explicit", "friend"}
TYPE_WORDS = {"typename", "decltype", "__underlying_type"}


class Specifiers(Names):
    """The part of the parser for specifiers."""

    def _starts_declaration(self, tok: Token | None = None) -> bool:
        token = tok or self._peek()
        if token is None:
            return False
        if token.type == "CPP":
            return token.value in STORAGE_WORDS or token.value in FUNCTION_WORDS or token.value in TYPE_WORDS
        if self._begins_name(token) and token is self._tokens.peek():
            return self._is_type_here()
        return bool(super()._starts_declaration(token))

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> tuple[_DeclSpec | None, bool, Span | None]:
        """Parse specifiers in any order. The name of a class before `(` in that class begins a constructor."""
        first = self._peek()
        spec: _DeclSpec | None = None
        saw_type = False
        while (token := self._peek()) is not None:
            if token.type == "ATTRIBUTE_BEGIN":
                self._skip_attributes()
                continue
            kind, found = self._specifier(token, saw_type, allow_storage_and_function, begun=spec is not None)
            if found is None:
                break
            spec = self._add_declaration_specifier(spec, found, kind)
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
            return "alignment", self._parse_alignment_specifier()
        if kind in _TYPE_QUALIFIER:
            return "qual", self._advance().value
        if kind in _TYPE_SPEC_SIMPLE:
            return "type", c_ast.IdentifierType([self._advance().value], token.span)
        if kind == "AUTO":
            self._advance()
            return "type", Auto(token.span)
        if storage and (kind in _STORAGE_CLASS or value in STORAGE_WORDS):
            return "storage", self._advance().value
        if storage and (kind in _FUNCTION_SPEC or value in FUNCTION_WORDS):
            return "function", self._function_word()
        if kind in _TYPEOF_SPEC:
            return "type", self._parse_typeof_specifier()
        if kind in ("STRUCT", "UNION"):
            return "type", self._parse_struct_or_union_specifier()
        if kind == "ENUM":
            return "type", self._parse_enum_specifier()
        if saw_type:
            return None, None
        if value == "typename":
            self._advance()
            return "type", self._take_name().as_type()
        if value == "decltype":
            return "type", self._decltype()
        if value == "__underlying_type":
            return "type", DeclType(self._trait(), False, token.span)
        if self._begins_name(token) and not self._is_constructor(token):
            named = self._name_ahead()
            unknown = begun and named.kind == "unknown" and not named.plain and not named.tail
            if named.kind == "concept" and self._type_behind(named) == "AUTO":
                constraint = self._take_name().as_name()
                return "type", Auto(self._advance().span, constraint)
            if unknown or self._is_type_here(parameter=True):
                return "type", self._take_name().as_type()
        return None, None

    def _function_word(self) -> str:
        word = self._advance()
        if word.value == "explicit" and self._accept("LPAREN"):
            self._parse_conditional_expression()
            self._expect("RPAREN")
        return word.value

    def _begins_untyped(self) -> bool:
        """True at what may be declared without a type: constructors, destructors, conversions."""
        token = self._peek()
        return token is not None and (token.value in ("~", "operator") or self._begins_name(token))

    def _is_constructor(self, token: Token) -> bool:
        """True at the name of a constructor that is being declared, inside its class or outside."""
        if self._peek_type(2) == "LPAREN":
            return self._scope.class_name == token.value and self._peek_type(3) not in ("TIMES", "AND")
        if self._peek_type(2) not in ("COLONCOLON", "LT"):
            return False
        named = self._name_ahead()
        if len(named.parts) < 2 or named.parts[-1].name != named.parts[-2].name:
            return False
        behind = self._tokens.peek(named.end - self._tokens.index + 1)
        return behind is not None and behind.type == "LPAREN"

    def _decltype(self) -> Node:
        word = self._advance()
        self._expect("LPAREN")
        if self._accept("AUTO"):
            self._expect("RPAREN")
            return DeclType(None, False, word.span)
        outer, self._in_angles = self._in_angles, False
        mark = self._mark()
        expr = self._parse_expression()
        parenthesised = self._is_one_group(mark, self._mark())
        self._expect("RPAREN")
        self._in_angles = outer
        if self._peek_type() == "COLONCOLON":
            self._unsupported(word.span, "'decltype(...)::' is not supported yet", "give the type a name with `using`")
        return DeclType(expr, parenthesised, word.span)

    def _is_one_group(self, first: int, end: int) -> bool:
        """True if the tokens from `first` on to before `end` are one pair of parentheses and what is in it."""
        depth = 0
        for at in range(first, end):
            kind = self._tokens.tokens[at].type
            depth += (kind == "LPAREN") - (kind == "RPAREN")
            if depth == 0:
                return first < at == end - 1
        return False

    def _fix_decl_name_type(self, decl: Any, typename: list[Node]) -> Any:
        """Attach the base type, and a trailing result type in place of `auto`."""
        fixed = super()._fix_decl_name_type(decl, typename)
        inner: Any = fixed.type
        while inner is not None and not isinstance(inner, c_ast.TypeDecl):
            if isinstance(inner, Signature) and (trailing := getattr(inner, "trailing", None)) is not None:
                inner.type = trailing.type
                break
            inner = getattr(inner, "type", None)
        return fixed

    def _type_name_of(self, base: Node) -> c_ast.Typename:
        """Parse what follows the type `base` in the name of a type."""
        spec = self._add_declaration_specifier(None, base, "type")
        while self._peek_type() in _TYPE_QUALIFIER:
            self._add_declaration_specifier(spec, self._advance().value, "qual")
        return self._build_type_name(spec, self._parse_abstract_declarator_opt(), base.coord)

    def _parse_type_name(self) -> c_ast.Typename:
        """Parse the name of a type. The result's span is that of its first word."""
        spec = self._parse_specifier_qualifier_list()
        first = spec["type"][0].coord if spec["type"] else None
        return self._build_type_name(spec, self._parse_abstract_declarator_opt(), first)

    # ------------------------------------------------------------------------------------ enumerations

    def _parse_enum_specifier(self) -> Node:
        """Parse an enumeration. The names of its values are members of it, and those of an unscoped one also here."""
        keyword = self._expect("ENUM")
        scoped = self._accept("STRUCT") is not None
        self._skip_attributes()
        name = self._advance() if self._peek_type() in ("ID", "TYPEID") else None
        while name is not None and self._accept("COLONCOLON"):
            name = self._expect_name()
        underlying = None
        if self._peek_type() == "COLON" and "CONST" not in str(self._peek_type(2)).removesuffix("CONST"):
            underlying = self._parse_enum_type_specifier()
        members = Scope(self._scope)
        if name is not None and (scoped or underlying or self._peek_type() == "LBRACE" or not self._is_type(name)):
            self._declare(name.value, Known("type", scope=members))
        values = None
        if name is None or self._peek_type() == "LBRACE":
            self._expect("LBRACE")
            self._enter(members)
            empty = self._peek_type() == "RBRACE"
            values = c_ast.EnumeratorList([], keyword.span) if empty else self._parse_enumerator_list()
            self._enter(members.parent or members)
            self._expect("RBRACE")
            for value in () if scoped else members.names:
                self._declare(value, Known("value"))
        made = ScopedEnum if scoped else c_ast.Enum
        return made(name.value if name is not None else None, values, underlying, keyword.span, attributes=[])

    def _parse_enumerator(self) -> Node:
        """Parse one value, which may have the name of a type further out."""
        name = self._expect_name()
        self._skip_attributes()
        value = self._parse_constant_expression() if self._accept("EQUALS") else None
        self._add_identifier(name.value, name.span)
        return c_ast.Enumerator(name.value, value, name.span)

    def _is_type(self, token: Token) -> bool:
        return self._is_type_in_scope(token.value)

    def _expect_name(self) -> Token:
        """Consume a name, whether it is a type or not."""
        token = self._here()
        return self._expect(token.type if token.type in ("ID", "TYPEID") else "ID")

    # ------------------------------------------------------------------------------ alignment, attributes

    def _parse_alignment_specifier(self) -> c_ast.Alignas:
        """`alignas(n)`, `__align__(n)`, `__launch_bounds__(...)` and `__attribute__((...))`, all as one kind of node.

        The node's `alignment` is a call of that name with the operands as arguments.
        """
        word = self._here()
        if word.value in ("alignas", "_Alignas"):
            return super()._parse_alignment_specifier()
        mark = self._mark()
        self._advance()
        self._expect("LPAREN")
        if word.value.startswith("__attribute"):
            operands, name = self._gnu_attributes(word.value)
        else:
            name = word.value
            operands = [] if self._peek_type() == "RPAREN" else self._parse_argument_expression_list().exprs
            self._expect("RPAREN")
        span = self._tokens.span(mark)
        return c_ast.Alignas(c_ast.FuncCall(c_ast.ID(name, word.span), c_ast.ExprList(operands, span), span), span)

    def _gnu_attributes(self, name: str) -> tuple[list[Node], str]:
        """Parse `((...))` after `__attribute__`; only `aligned(n)` and `packed` mean something here."""
        operands: list[Node] = []
        self._expect("LPAREN")
        depth = 1
        while depth:
            token = self._advance()
            if token.value in ("aligned", "__aligned__") and self._peek_type() == "LPAREN":
                self._advance()
                operands, name = [self._parse_conditional_expression()], "__align__"
                self._expect("RPAREN")
            elif token.value in ("packed", "__packed__"):
                self._unsupported(token.span, "packed structs are not supported yet", None)
            depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        self._expect("RPAREN")
        return operands, name

    def _skip_attributes(self, *, gnu: bool = False) -> None:
        """Skip `[[...]]`, and `__attribute__((...))` too if `gnu`: none of them changes what device code means."""
        while True:
            if self._peek_type() == "ATTRIBUTE_BEGIN":
                super()._parse_attribute_specifier_sequence()
            elif gnu and (self._value() or "").startswith("__attribute"):
                self._parse_alignment_specifier()
            else:
                return

    def _parse_attribute_specifier_sequence(self) -> list[Node]:
        groups: list[Node] = super()._parse_attribute_specifier_sequence()
        while self._tokens.peek() is not None and self._peek_type() == "_ALIGNAS":
            groups.append(self._parse_alignment_specifier())
        return groups
