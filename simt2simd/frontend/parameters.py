"""Parsing the parameters of functions, and what may follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from .cxx import PackExpansion, Signature
from .declarators import Declarators, DeclaredName, declared_name
from .lexer import Token
from .words import Node

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclSpec

_WORDS_OF_METHODS = ("const", "volatile", "&", "&&", "noexcept", "throw", "override", "final", "->", "requires")


class Parameters(Declarators):
    """The part of the parser for parameters."""

    def _parse_function_decl(self, base_decl: Node) -> Node:
        """Parse a parameter list and what may follow it. The parameters' scope is kept for the body."""
        outer, self._in_angles = self._in_angles, False
        outside = self._scope
        self._push_scope()
        self._expect("LPAREN")
        args = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
        self._expect("RPAREN")
        node = Signature(args, None, base_decl.coord)
        self._after_parameters(node)
        node.inside = self._scope  # type: ignore[attr-defined]
        self._enter(outside)
        self._in_angles = outer
        return node

    def _after_parameters(self, node: Signature) -> None:
        """Parse `const`, `&`, `noexcept(...)`, `-> T`, `override`, `requires ...`."""
        node.trailing, node.words = None, []  # type: ignore[attr-defined]
        while True:
            self._skip_attributes(gnu=True)
            word = self._value()
            if word not in _WORDS_OF_METHODS:
                return
            token = self._advance()
            if word == "const":
                node.const = True
            elif word in ("&", "&&"):
                node.ref = "&" if word == "&" else "&&"
            elif word in ("noexcept", "throw"):
                if self._peek_type() == "LPAREN":
                    self._dynamic_or_noexcept()
            elif word == "->":
                node.trailing = self._trailing_type()  # type: ignore[attr-defined]
            elif word == "requires":
                node.requires = self._constraint()
            elif token.type != "VOLATILE":
                node.words.append(word)  # type: ignore[attr-defined]

    def _dynamic_or_noexcept(self) -> None:
        self._advance()
        if self._peek_type() != "RPAREN":
            self._parse_conditional_expression()
        self._expect("RPAREN")

    def _trailing_type(self) -> Node:
        if not self._starts_declaration() and self._begins_name(self._peek()):
            if self._name_ahead().plain:
                self._unknown_type(self._here())
            return self._type_name_of(self._take_name().as_type())
        return self._parse_type_name()

    def _parse_parameter_type_list(self) -> c_ast.ParamList:
        """Parse parameters; each one's name is visible in those after it. `f(void)` has none."""
        params: list[c_ast.Decl | c_ast.Typename | c_ast.EllipsisParam] = []
        while True:
            if (dots := self._accept("ELLIPSIS")) is not None:
                params.append(c_ast.EllipsisParam(dots.span))
                break
            params.append(self._parse_parameter_declaration())
            if self._peek_type() == "ELLIPSIS":
                continue  # `(int a ...)`
            if not self._accept("COMMA"):
                break
        return c_ast.ParamList(params, params[0].coord)

    def _starts_parameter(self, token: Token) -> bool:
        """True if `token`, the next one, begins a parameter and no expression."""
        if token.type == "ELLIPSIS":
            return True
        if self._begins_name(token):
            return self._is_type_here()
        return self._starts_declaration(token)

    def _parse_parameter_declaration(self) -> c_ast.Decl | c_ast.Typename:
        """Parse a parameter, perhaps with a default argument."""
        token = self._here()
        self._skip_attributes()
        token = self._here()
        if token.type == "ID" and not self._is_type_here(parameter=True) and self._name_ahead().plain:
            self._unknown_type(token)
        qualified = token.type in ("CONST", "VOLATILE") and self._peek_type(2) == "ID"
        if qualified and self._peek_type(3) not in ("COLONCOLON", "LT"):
            self._unknown_type(self._here(2))
        if not (self._starts_declaration() or self._begins_name(token)):
            self._fault_at(token, f"expected a parameter before '{token.value}'")
        declaration = self._one_parameter(token)
        if self._accept("EQUALS"):
            default = self._parse_initializer()
            if isinstance(declaration, c_ast.Typename):  # a parameter without a name
                return c_ast.Decl(
                    None, declaration.quals, [], [], [], declaration.type, default, None, declaration.coord
                )
            declaration.init = default
        return declaration

    def _one_parameter(self, first: Token) -> c_ast.Decl | c_ast.Typename:
        spec = self._specifiers_of_parameter()
        declarator = self._parameter_declarator()
        name = declared_name(declarator)
        node: Any
        if name.declname is None:
            node = self._build_type_name(spec, declarator, first.span)
        else:
            node = self._build_declarations(spec=spec, decls=[{"decl": declarator}])[0]
            self._add_identifier(name.declname, name.coord)
        if name.pack:
            self._packs.add(name.declname or "")
            node.type = PackExpansion(node.type, name.coord or first.span)
        assert isinstance(node, c_ast.Decl | c_ast.Typename)
        return node

    def _specifiers_of_parameter(self) -> _DeclSpec:
        """Parse specifiers where nothing but a type can stand."""
        spec, saw_type, _ = self._parse_declaration_specifiers(allow_no_type=True)
        if not saw_type and self._begins_name(self._peek()):
            spec = self._add_declaration_specifier(spec, self._take_name().as_type(), "type")
        return spec

    def _parameter_declarator(self) -> Node:
        if self._starts_declarator() or self._peek_type() == "LBRACKET":
            return self._declarator("optional")
        return DeclaredName(None, None)

    def _constraint(self) -> Node:
        """Parse the condition of a `requires` clause: `&&` and `||` of names, literals and parentheses."""
        left = self._conjunction()
        while (sign := self._accept("LOR")) is not None:
            left = c_ast.BinaryOp("||", left, self._conjunction(), sign.span)
        return left

    def _conjunction(self) -> Node:
        left = self._primary_condition()
        while (sign := self._accept("LAND")) is not None:
            left = c_ast.BinaryOp("&&", left, self._primary_condition(), sign.span)
        return left

    def _primary_condition(self) -> Node:
        """A name is not what begins `C<T>{}` here: the body of a function follows it."""
        if self._begins_name(self._peek()):
            return self._take_name().as_value()
        return self._parse_primary_expression()
