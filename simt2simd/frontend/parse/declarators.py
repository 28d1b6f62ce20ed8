"""Parsing declarators: what of a declaration belongs to one name, and the parameters of functions."""

from __future__ import annotations

from typing import Any, Literal

from pycparser import c_ast
from pycparser.c_parser import _TYPE_QUALIFIER, _TYPE_SPEC_SIMPLE, CParser

from ...source import Span
from ..text.lexer import Token
from .cxx import MemberPointer, Name, Reference
from .names import Scope
from .parser_part import ParserPart
from .words import Node, SyntaxFault

NameRule = Literal["required", "optional", "none"]


class DeclaredName(c_ast.TypeDecl):
    """The end of a declarator's chain, with what its name says: `scope` of `A::f`, `args` of `f<int>`, dots."""

    def __init__(self, name: str | None, coord: Span | None) -> None:
        super().__init__(name, None, None, None, coord=coord)
        self.scope: Name | None = None
        self.args: tuple[Node, ...] | None = None
        self.pack = False
        self.conversion: Node | None = None


def declared_name(declarator: Node) -> DeclaredName:
    """Return the end of a declarator's chain."""
    end: Any = declarator
    while not isinstance(end, DeclaredName):
        end = end.type
    return end


def is_function(declarator: Node) -> bool:
    return isinstance(declarator, c_ast.FuncDecl)


class Declarators(ParserPart):
    """The part of the parser for declarators."""

    def parse_declarator(self) -> Node:
        return self.declarator("required")

    def parse_id_declarator(self) -> Node:
        return self.declarator("required")

    def parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> tuple[Node | None, bool]:
        declarator = self.declarator("optional" if allow_abstract else "required")
        return declarator, declared_name(declarator).declname is not None

    def parse_abstract_declarator_opt(self) -> Node | None:
        if self.p._peek_type() in ("TIMES", "AND", "LAND", "LPAREN", "LBRACKET"):
            return self.declarator("none")
        if self.p.names.begins_name(self.p._peek()) and self._is_pointer_to_member():
            return self.declarator("none")
        return None

    def starts_declarator(self, id_only: bool = False) -> bool:
        token = self.p._peek()
        if token is None:
            return False
        if token.type in ("TIMES", "AND", "LAND", "LPAREN", "ID", "TYPEID", "COLONCOLON", "ELLIPSIS", "NOT"):
            return True
        return token.value == "operator"

    def declarator(self, name: NameRule) -> Node:
        """Parse a declarator; the chain of nodes that it becomes ends in a `DeclaredName`."""
        token = self.p._here()
        mark = self.p._mark()
        if token.type == "TIMES":
            self.p._advance()
            quals: list[str] = []
            while self.p._peek_type() in _TYPE_QUALIFIER:
                quals.append(self.p._advance().value)
            return self._modified(name, c_ast.PtrDecl(quals, None, token.span))
        if token.type in ("AND", "LAND"):
            self.p._advance()
            self.p.specifiers.skip_attributes()
            while self.p._peek_type() in _TYPE_QUALIFIER:  # `& __restrict__`
                self.p._advance()
            return self._modified(name, Reference(None, token.type == "LAND", token.span))
        if self.p.names.begins_name(token) and self._is_pointer_to_member():
            owner = self.p.names.take_name().as_type()
            self.p._tokens.index += 2
            quals = []
            while self.p._peek_type() in _TYPE_QUALIFIER:
                quals.append(self.p._advance().value)
            return self._modified(name, MemberPointer(owner, None, quals, self.p._tokens.span(mark)))
        return self._direct_declarator(name)

    def _modified(self, name: NameRule, modifier: Any) -> Node:
        return self.p._type_modify_decl(self.declarator(name), modifier) if self.p._peek() else self._end_of_input()

    def _end_of_input(self) -> Node:
        self.p._parse_error("At end of input", None)

    def _is_pointer_to_member(self) -> bool:
        if self.p._peek_type(2) not in ("COLONCOLON", "LT"):
            return False
        named = self.p._attempt(self.p.names.name_ahead)
        if isinstance(named, SyntaxFault) or not named.tail:
            return False
        following = self.p._tokens.peek(named.end - self.p._tokens.index + 2)
        return following is not None and following.type == "TIMES"

    def _is_pointer_behind(self) -> bool:
        """True if `(Owner::*` begins here."""
        if not self.p.names.begins_name(self.p._peek(2)):
            return False
        mark = self.p._mark()
        self.p._advance()
        found = self._is_pointer_to_member()
        self.p._reset(mark)
        return found

    def _direct_declarator(self, name: NameRule) -> Node:
        pack = name != "none" and self.p._accept("ELLIPSIS") is not None
        token = self.p._peek()
        decl: Node
        if token is not None and token.type == "LPAREN" and self._is_nested(name):
            self.p._advance()
            inner = self.declarator(name)
            self.p._expect("RPAREN")
            return self.suffixes(inner, name)
        if (
            name != "none"
            and token is not None
            and (self.p.names.begins_name(token) or token.value in ("operator", "~"))
        ):
            decl = self._declarator_id()
        elif name == "required":
            self.p._fault_at(self.p._here(), f"unexpected '{self.p._here().value}'")
        else:
            decl = DeclaredName(None, token.span if token is not None else None)
        declared_name(decl).pack = pack
        return self.suffixes(decl, name)

    def _is_nested(self, name: NameRule) -> bool:
        """True if the `(` here encloses a declarator: it does not begin the parameters of a nameless one."""
        second, third = self.p._peek_type(2), self.p._peek_type(3)
        if second in ("TIMES", "AND", "LAND") or self._is_pointer_behind():
            return True
        if name == "required":
            return True
        if second == "LPAREN":
            return third in ("TIMES", "AND", "LAND", "LPAREN")
        return name == "optional" and second == "ID" and third in ("RPAREN", "LBRACKET", "LPAREN")

    # -------------------------------------------------------------------------------------------- names

    def _declarator_id(self) -> DeclaredName:
        """Parse the name that is declared; from here on the names of its class are visible."""
        token = self.p._here()
        if token.value in ("operator", "~"):
            return self.special_name()
        if self.p._peek_type(2) not in ("COLONCOLON", "LT"):
            self.p._advance()
            declared = DeclaredName(token.value, token.span)
            self.p.specifiers.skip_attributes()
            return declared
        named = self.p.names.take_name()
        parts = named.parts
        if named.tail:
            self.p._expect("COLONCOLON")
            self._enter_class(Name(parts, named.rooted, named.span))
            declared = self.special_name()
        else:
            last, parts = parts[-1], parts[:-1]
            declared = DeclaredName(last.name, last.span)
            if last.args is not None and self.p._scope.in_function():  # only a namespace specialises
                self.p._fault_at(token, f"expected a name without arguments before '{last.name}'")
            declared.args = last.args
            if parts:
                self._enter_class(Name(parts, named.rooted, named.span))
        if parts:
            declared.scope = Name(parts, named.rooted, named.span)
        return declared

    def _enter_class(self, name: Name) -> None:
        members = self.p.names.scope_of(name)
        inside = Scope(self.p._scope, header=True)
        if members is not None:
            inside.searched.append(members)
            if members.path is not None:
                inside.path = members.path
        self.p._enter(inside)

    def special_name(self) -> DeclaredName:
        """`~T`, `operator+`, `operator()`, `operator new[]`, or a conversion such as `operator float`."""
        word = self.p._advance()
        if word.value == "~":
            return DeclaredName("~" + self.p.specifiers.expect_name().value, word.span)
        token = self.p._advance()
        if token.type == "STRING_LITERAL":
            suffix = self.p._accept("IF") or self.p.specifiers.expect_name()  # `if` is the suffix of <complex>
            return DeclaredName(f'operator""{suffix.value}', word.span)
        if token.type in ("LPAREN", "LBRACKET"):
            self.p._expect("RPAREN" if token.type == "LPAREN" else "RBRACKET")
            name = "operator()" if token.type == "LPAREN" else "operator[]"
        elif token.value in ("new", "delete"):
            name = f"operator {token.value}"
            if self.p._peek_type() == "LBRACKET":
                self.p._advance()
                self.p._expect("RBRACKET")
                name += "[]"
        elif token.type in _OPERATORS:
            name = "operator" + token.value
        else:
            self.p._tokens.index -= 1
            return self._conversion_name(word)
        declared = DeclaredName(name, word.span)
        if self.p._peek_type() == "LT" and token.type not in ("LT", "LSHIFT"):
            declared.args = self.p.names.template_arguments()
        return declared

    def _conversion_name(self, word: Token) -> DeclaredName:
        """Parse the type after `operator`; it is the type of the function's result."""
        spec = self.p._parse_specifier_qualifier_list()
        chain: list[Any] = []
        while (token := self.p._accept("TIMES") or self.p._accept("AND") or self.p._accept("LAND")) is not None:
            pointer = token.type == "TIMES"
            reference = Reference(None, token.type == "LAND", token.span)
            chain.append(c_ast.PtrDecl([], None, token.span) if pointer else reference)
            while self.p._peek_type() in _TYPE_QUALIFIER:
                self.p._advance()
        inner: Node = c_ast.TypeDecl(None, None, None, None, coord=word.span)
        for modifier in chain:
            modifier.type, inner = inner, modifier
        declared = DeclaredName("operator type", word.span)
        declared.conversion = self.p._build_type_name(spec, inner, word.span)
        return declared

    # ----------------------------------------------------------------------------------------- suffixes

    def suffixes(self, decl: Node, name: NameRule = "required") -> Node:
        """The sizes of an array and the parameters of a function; what else is in parentheses is an initialiser."""
        while True:
            if self.p._peek_type() == "LBRACKET":
                suffix: Node | None = self.p._parse_array_decl(decl)
            elif self.p._peek_type() == "LPAREN":
                suffix = self._parameters_or_value(decl, name)
            else:
                return decl
            if suffix is None:
                return decl
            decl = self.p._type_modify_decl(decl, suffix)

    def parse_array_decl_common(self, base_type: Node | None, coord: Span | None = None) -> Node:
        outer, self.p._in_angles = self.p._in_angles, False
        node = CParser._parse_array_decl_common(self.p, base_type, coord)
        self.p._in_angles = outer
        return node

    def _parameters_or_value(self, decl: Node, name: NameRule) -> Node | None:
        """Parse a parameter list; return None, without having moved, at the value of `int x(3)`, `int x(int(3))`."""
        following = self.p._peek(2)
        if name != "required" or following is None or following.type == "RPAREN":
            return self.p.parameters.parse_function_decl(decl)
        mark = self.p._mark()
        self.p._advance()
        is_parameter = self.p.parameters.starts_parameter(following)
        unsure = not self.p._scope.in_function() and self.p.names.begins_name(following) and self._is_unknown()
        is_parameter = is_parameter or (unsure and self.p.names.is_type_here(parameter=True) and self._is_new_name())
        self.p._reset(mark)
        if unsure and not is_parameter:
            is_parameter = self._is_followed_by_body(decl)
        if not is_parameter:
            unknown = following.type == "ID" and not self.p._is_known(following.value)
            if unknown and not self.p._scope.in_function() and self.p._peek_type(3) in ("ID", "TIMES", "AND", "COMMA"):
                self._unknown_type_after(1)
            braces = following.type == "LBRACE" and self.p._scope.in_function()
            if braces or self.p._starts_expression(following) or following.type in ("COLONCOLON", "TYPEID"):
                return None
            self.p._fault_at(following, f"expected a parameter or ')' before '{following.value}'")
        found = self.p._attempt(lambda: self.p.parameters.parse_function_decl(decl))
        if isinstance(found, SyntaxFault):
            if not self._is_conversion(mark + 1) and not (self.p._scope.in_function() and self._is_argument_list(mark)):
                raise found
            return None
        return found

    def _is_unknown(self) -> bool:
        """Whether nothing says if the qualified name here is a type ([dcl.ambig.res])."""
        named = self.p._attempt(self.p.names.name_ahead)
        return not isinstance(named, SyntaxFault) and named.kind == "unknown" and not named.plain and not named.tail

    def _is_new_name(self) -> bool:
        """Whether `a::b * c` declares c: it is no name of a value that it may multiply."""
        at = self.p.names.name_ahead().end
        tokens = self.p._tokens.tokens
        while at < len(tokens) and tokens[at].type in ("TIMES", "AND", "LAND"):
            at += 1
        known = self.p._scope.find(tokens[at].value) if at < len(tokens) and tokens[at].type == "ID" else None
        return known is None or known.kind != "value"

    def _is_followed_by_body(self, decl: Node) -> bool:
        """True if the parentheses here are the parameters of a function that is defined, defaulted or deleted."""
        mark = self.p._mark()
        found = self.p._attempt(lambda: self.p.parameters.parse_function_decl(decl))
        body = not isinstance(found, SyntaxFault) and self.p._peek_type() in ("LBRACE", "COLON", "EQUALS")
        self.p._reset(mark)
        return body

    def _unknown_type_after(self, count: int) -> None:
        self.p._tokens.index += count
        self.p._unknown_type(self.p._here())

    def _is_argument_list(self, mark: int) -> bool:
        """True if the parentheses here hold expressions; in a block `T x(T(a), 3)` is a variable."""
        found = self.p._attempt(self.argument_list)
        self.p._reset(mark)
        return not isinstance(found, SyntaxFault)

    def argument_list(self) -> list[Node]:
        """Parse `(a, b)`, perhaps with packs."""
        self.p._expect("LPAREN")
        outer, self.p._in_angles = self.p._in_angles, False
        exprs = [] if self.p._peek_type() == "RPAREN" else self.p._parse_argument_expression_list().exprs
        self.p._expect("RPAREN")
        self.p._in_angles = outer
        return list(exprs)

    def _is_conversion(self, at: int) -> bool:
        """True if the tokens from `at` on begin `float(x)` or `Point{1, 2}`."""
        tokens = self.p._tokens.tokens
        start = at
        if at < len(tokens) and self.p.names.begins_name(tokens[at]):
            mark = self.p._mark()
            self.p._reset(at)
            named = self.p._attempt(self.p.names.name_ahead)
            self.p._reset(mark)
            if not isinstance(named, SyntaxFault) and named.kind == "type":
                at = named.end
        while at < len(tokens) and (tokens[at].type in _TYPE_SPEC_SIMPLE or tokens[at].type == "TYPEID"):
            at += 1
        return start < at < len(tokens) and tokens[at].type in ("LPAREN", "LBRACE")


_OPERATORS = frozenset(
    """
    PLUS MINUS TIMES DIVIDE MOD XOR AND OR NOT LNOT EQUALS LT GT PLUSEQUAL MINUSEQUAL TIMESEQUAL DIVEQUAL MODEQUAL
    XOREQUAL ANDEQUAL OREQUAL LSHIFT RSHIFT LSHIFTEQUAL RSHIFTEQUAL EQ NE LE GE LAND LOR PLUSPLUS MINUSMINUS COMMA
    ARROW
    """.split()
)
