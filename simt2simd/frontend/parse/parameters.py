"""Parsing the parameters of functions, and what may follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from ..text.lexer import Token
from .cxx import PackExpansion, Signature
from .declarators import DeclaredName, declared_name
from .parser_part import ParserPart
from .words import Node

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclSpec

_WORDS_OF_METHODS = ("const", "volatile", "&", "&&", "noexcept", "throw", "override", "final", "->", "requires")


class Parameters(ParserPart):
    """The part of the parser for parameters."""

    def parse_function_decl(self, base_decl: Node) -> Node:
        """Parse a parameter list and what may follow it. The parameters' scope is kept for the body."""
        outer, self.p._in_angles = self.p._in_angles, False
        outside = self.p._scope
        self.p._push_scope()
        self.p._expect("LPAREN")
        args = None if self.p._peek_type() == "RPAREN" else self.parse_parameter_type_list()
        self.p._expect("RPAREN")
        node = Signature(args, None, base_decl.coord)
        self.after_parameters(node)
        node.inside = self.p._scope  # type: ignore[attr-defined]
        self.p._enter(outside)
        self.p._in_angles = outer
        return node

    def after_parameters(self, node: Signature) -> None:
        """Parse `const`, `&`, `noexcept(...)`, `-> T`, `override`, `requires ...`."""
        node.trailing, node.words = None, []  # type: ignore[attr-defined]
        while True:
            self.p.specifiers.skip_attributes(gnu=True)
            word = self.p._value()
            if word not in _WORDS_OF_METHODS:
                return
            token = self.p._advance()
            if word == "const":
                node.const = True
            elif word in ("&", "&&"):
                node.ref = "&" if word == "&" else "&&"
            elif word in ("noexcept", "throw"):
                node.noexcept = self.dynamic_or_noexcept() if self.p._peek_type() == "LPAREN" else True
            elif word == "->":
                node.trailing = self._trailing_type()  # type: ignore[attr-defined]
            elif word == "requires":
                node.requires = self.constraint()
            elif token.type == "VOLATILE":
                node.volatile = True
            else:
                node.words.append(word)  # type: ignore[attr-defined]

    def dynamic_or_noexcept(self) -> Node | bool:
        """Parse what follows `noexcept` or `throw`: a condition, or nothing, which is true."""
        self.p._advance()
        outer, self.p._in_angles = self.p._in_angles, False
        found = self.p._parse_conditional_expression() if self.p._peek_type() != "RPAREN" else True
        self.p._in_angles = outer
        self.p._expect("RPAREN")
        return found

    def _trailing_type(self) -> Node:
        if not self.p.specifiers.starts_declaration() and self.p.names.begins_name(self.p._peek()):
            if self.p.names.name_ahead().plain:
                self.p._unknown_type(self.p._here())
            return self.p.specifiers.type_name_of(self.p.names.take_name().as_type())
        return self.p.specifiers.parse_type_name()

    def parse_parameter_type_list(self) -> c_ast.ParamList:
        """Parse parameters; each one's name is visible in those after it. `f(void)` has none."""
        params: list[c_ast.Decl | c_ast.Typename | c_ast.EllipsisParam] = []
        while True:
            if (dots := self.p._accept("ELLIPSIS")) is not None:
                params.append(c_ast.EllipsisParam(dots.span))
                break
            params.append(self.parse_parameter_declaration())
            if self.p._peek_type() == "ELLIPSIS":
                continue  # `(int a ...)`
            if not self.p._accept("COMMA"):
                break
        return c_ast.ParamList(params, params[0].coord)

    def starts_parameter(self, token: Token) -> bool:
        """True if `token`, the next one, begins a parameter and no expression."""
        if token.type == "ELLIPSIS":
            return True
        if self.p.names.begins_name(token):
            return self.p.names.is_type_here()
        return self.p.specifiers.starts_declaration(token)

    def parse_parameter_declaration(self) -> c_ast.Decl | c_ast.Typename:
        """Parse a parameter, perhaps with a default argument."""
        token = self.p._here()
        self.p.specifiers.skip_attributes()
        token = self.p._here()
        if token.type == "ID" and not self.p.names.is_type_here(parameter=True) and self.p.names.name_ahead().plain:
            self.p._unknown_type(token)
        qualified = token.type in ("CONST", "VOLATILE") and self.p._peek_type(2) == "ID"
        if qualified and self.p._peek_type(3) not in ("COLONCOLON", "LT"):
            self.p._unknown_type(self.p._here(2))
        if not (self.p.specifiers.starts_declaration() or self.p.names.begins_name(token)):
            self.p._fault_at(token, f"expected a parameter before '{token.value}'")
        declaration = self._one_parameter(token)
        if self.p._accept("EQUALS"):
            default = self.p._parse_initializer()
            if isinstance(declaration, c_ast.Typename):  # a parameter without a name
                return c_ast.Decl(
                    None, declaration.quals, [], [], [], declaration.type, default, None, declaration.coord
                )
            declaration.init = default
        return declaration

    def _one_parameter(self, first: Token) -> c_ast.Decl | c_ast.Typename:
        spec = self.specifiers_of_parameter()
        declarator = self.parameter_declarator()
        name = declared_name(declarator)
        node: Any
        if name.declname is None:
            node = self.p._build_type_name(spec, declarator, first.span)
        else:
            node = self.p.declarations.build_declarations(spec=spec, decls=[{"decl": declarator}])[0]
            self.p._add_identifier(name.declname, name.coord)
        if name.pack:
            self.p.names.packs.add(name.declname or "")
            node.type = PackExpansion(node.type, name.coord or first.span)
        assert isinstance(node, c_ast.Decl | c_ast.Typename)
        return node

    def specifiers_of_parameter(self) -> _DeclSpec:
        """Parse specifiers where only a type is allowed."""
        spec, saw_type, _ = self.p._parse_declaration_specifiers(allow_no_type=True)
        if not saw_type and self.p.names.begins_name(self.p._peek()):
            spec = self.p._add_declaration_specifier(spec, self.p.names.take_name().as_type(), "type")
        return spec

    def parameter_declarator(self) -> Node:
        if self.p.declarators.starts_declarator() or self.p._peek_type() == "LBRACKET":
            return self.p.declarators.declarator("optional")
        return DeclaredName(None, None)

    def constraint(self) -> Node:
        """Parse the condition of a `requires` clause: `&&` and `||` of names, literals and parentheses."""
        left = self._conjunction()
        while (sign := self.p._accept("LOR")) is not None:
            left = c_ast.BinaryOp("||", left, self._conjunction(), sign.span)
        return left

    def _conjunction(self) -> Node:
        left = self._primary_condition()
        while (sign := self.p._accept("LAND")) is not None:
            left = c_ast.BinaryOp("&&", left, self._primary_condition(), sign.span)
        return left

    def _primary_condition(self) -> Node:
        """A name is not what begins `C<T>{}` here: the body of a function follows it."""
        if self.p.names.begins_name(self.p._peek()):
            return self.p.names.take_name().as_value()
        return self.p._parse_primary_expression()
