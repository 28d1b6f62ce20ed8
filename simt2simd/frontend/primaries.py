"""Parsing primary expressions: names, casts, parentheses and folds, what begins with a word, `new` and `delete`."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast
from pycparser.c_parser import _TYPE_SPEC_SIMPLE

from ..source import Span
from .cxx import Arguments, Auto, Construct, Delete, Fold, Name, NamedCast, NamePart, New, PackExpansion, Trait
from .lexer import Token
from .qualified import Named
from .requirements import Requirements
from .words import CAST_WORDS, BlockExpression, Node, SyntaxFault

_TRAITS = ("__is_", "__has_", "__builtin_is_")


class Primaries(Requirements):
    """The part of the parser for primary expressions, `new` and `delete`."""

    def _qualified_value(self, named: Named) -> Node:
        """Return the node of a name, and of `A::operator+` and `A::~A` with it."""
        if not named.tail or self._value(2) not in ("operator", "~"):
            return named.as_value()
        self._advance()
        token = self._here()
        special = self._special_name()
        part = NamePart(special.declname or "", special.args, token.span)
        return Name((*named.parts, part), named.rooted, named.span)

    # ---------------------------------------------------------------------------------- types in parentheses

    def _try_parse_paren_type_name(self) -> Any:
        """Parse `(float)` of a cast; return None for `(float(1) + x)`, where the type begins an expression."""
        opening = self._peek()
        if opening is None or opening.type != "LPAREN":
            return None
        second = self._peek_type(2)
        if second == "ID" and self._peek_type(3) not in ("COLONCOLON", "LT"):
            return None
        mark = self._mark()
        outer, self._in_angles = self._in_angles, False
        try:
            self._advance()
            if not self._starts_declaration():
                self._reset(mark)
                return None
            named = self._begins_name(self._peek())
            found = self._attempt(self._named_type if named else self._parse_type_name)
            if isinstance(found, SyntaxFault):
                if not self._begins_construction():
                    raise found
                self._reset(mark)
                return None
        finally:
            self._in_angles = outer
        if self._accept("RPAREN") is None:
            self._reset(mark)
            return None
        return found, mark, opening, []

    def _named_type(self) -> c_ast.Typename:
        return self._type_name_of(self._take_name().as_type())

    def _parse_compound_literal(self) -> Node | None:
        result = self._try_parse_paren_type_name()
        if result is None:
            return None
        target, mark, _opening, _ = result
        if self._peek_type() == "LBRACE":
            braces = self._braces()
            return c_ast.CompoundLiteral(target, braces, [], self._tokens.span(mark))
        self._reset(mark)
        return None

    def _braces(self) -> c_ast.InitList:
        """Parse the initialiser that begins with the `{` at hand."""
        braces = self._parse_initializer()
        assert isinstance(braces, c_ast.InitList)
        return braces

    # ---------------------------------------------------------------------------------------- primaries

    def _primary(self) -> Node:
        token = self._peek()
        if token is None:
            self._parse_error("At end of input", None)
        if token.type == "LBRACKET":
            return self._lambda()
        if token.type == "CPP":
            return self._word(token)
        if token.type in _TYPE_SPEC_SIMPLE or token.type == "AUTO":
            return self._parse_functional_cast()
        if self._begins_name(token):
            return self._name(token)
        if token.type == "LPAREN":
            return self._parenthesised()
        if token.type in ("_GENERIC", "__BUILTIN_VA_ARG"):
            self._unsupported(token.span, f"'{token.value}' does not exist in CUDA", None)
        node = super()._parse_primary_expression()
        return self._with_suffix(node) if isinstance(node, c_ast.Constant) else node

    def _with_suffix(self, literal: c_ast.Constant) -> Node:
        """Return the call that a literal such as `2.5_km` stands for ([lex.ext]); others stay what they are."""
        last, token = self._tokens.tokens[self._mark() - 1], self._peek()
        if token is None or token.type not in ("ID", "TYPEID") or not _touch(last.span, token.span):
            return literal
        self._advance()
        args: list[Node] = [literal]
        text, span = literal.value, literal.coord
        if literal.type == "string":
            size = c_ast.UnaryOp("sizeof", literal, span)
            args.append(c_ast.BinaryOp("-", size, c_ast.Constant("unsigned long int", "1ul", span), span))
        elif "'" not in text or text[0].isdigit():
            whole = "int" in literal.type
            args = [c_ast.Constant("unsigned long long int", f"{text}ull", span) if whole else literal]
        return c_ast.FuncCall(c_ast.ID(f'operator""{token.value}', token.span), c_ast.ExprList(args, span), span)

    def _word(self, token: Token) -> Node:
        """Parse an expression that begins with a word of C++."""
        if token.value in CAST_WORDS:
            return self._parse_named_cast()
        if token.value in ("typename", "decltype"):
            return self._parse_functional_cast()
        if token.value == "this":
            self._advance()
            return c_ast.ID("this", token.span)
        if token.value == "operator":
            return c_ast.ID(self._special_name().declname or "", token.span)
        if token.value == "requires":
            return self._requirements()
        if token.value == "noexcept":
            self._advance()
            return Trait("noexcept", tuple(self._argument_list()), token.span)
        return super()._parse_primary_expression()

    def _name(self, token: Token) -> Node:
        if token.type == "ID" and self._peek_type(2) not in ("COLONCOLON", "LT"):
            if self._peek_type(2) == "LPAREN" and token.value.startswith(_TRAITS) and not self._is_known(token.value):
                return self._trait()
            if self._peek_type(2) == "LBRACE" and not self._is_known(token.value):
                self._unknown_type(token)
            return super()._parse_primary_expression()
        named = self._name_ahead()
        behind = self._tokens.peek(named.end - self._mark() + 1)
        guessed = named.kind == "unknown" and not named.plain and behind is not None and behind.type == "LBRACE"
        if (named.kind == "type" and not named.tail) or guessed:
            return self._parse_functional_cast()
        return self._qualified_value(self._take_name())

    def _trait(self) -> Node:
        name = self._advance()
        self._expect("LPAREN")
        outer, self._in_angles = self._in_angles, False
        args: list[Node] = []
        while self._peek_type() != "RPAREN":
            mark = self._mark()
            node = self._parse_type_name() if self._starts_declaration() else self._parse_conditional_expression()
            args.append(PackExpansion(node, self._tokens.span(mark)) if self._accept("ELLIPSIS") else node)
            if not self._accept("COMMA"):
                break
        self._expect("RPAREN")
        self._in_angles = outer
        return Trait(name.value, tuple(args), name.span)

    def _parenthesised(self) -> Node:
        if self._peek_type(2) == "LBRACE":
            return self._parse_block_expression()
        third = self._peek_type(3)
        cast = self._peek_type(2) == "ID" and third == "TIMES" and self._peek_type(4) in ("RPAREN", "TIMES")
        if cast and not self._is_known(self._here(2).value):  # `(x * *p)` is a product
            self._unknown_type(self._here(2))
        opening = self._advance()
        outer, self._in_angles = self._in_angles, False
        if self._accept("ELLIPSIS"):
            sign = self._advance()
            node: Node = Fold(sign.value, self._parse_cast_expression(), None, True, opening.span)
        else:
            node = self._parse_expression()
            if self._peek_type() != "RPAREN" and self._peek_type(2) == "ELLIPSIS":
                node = self._fold(node, opening)
        self._expect("RPAREN")
        self._in_angles = outer
        return node

    def _fold(self, left: Node, opening: Token) -> Node:
        """Parse the rest of `(pack op ...)` or `(a op ... op b)`, where the side that names a pack is the pack."""
        sign = self._advance()
        self._advance()
        if self._peek_type() == "RPAREN":
            return Fold(sign.value, left, None, False, opening.span)
        if self._value() != sign.value:
            self._unexpected(self._here())
        self._advance()
        mark = self._mark()
        right = self._parse_cast_expression()
        if any(token.value in self._packs for token in self._tokens.tokens[mark : self._mark()]):
            return Fold(sign.value, right, left, True, opening.span)
        return Fold(sign.value, left, right, False, opening.span)

    def _parse_block_expression(self) -> Node:
        opening = self._advance()
        outer, self._in_angles = self._in_angles, False
        block = self._parse_compound_statement()
        self._in_angles = outer
        self._expect("RPAREN")
        return BlockExpression(block, opening.span)

    def _parse_named_cast(self) -> Node:
        """`static_cast<T>(x)` and its kin."""
        word = self._advance()
        self._expect("LT")
        outer, self._in_angles = self._in_angles, True
        target = self._cast_target()
        self._close_angle()
        self._in_angles = False
        self._expect("LPAREN")
        operand = self._parse_expression()
        self._expect("RPAREN")
        self._in_angles = outer
        cast = NamedCast(target, operand, word.span)
        cast.word = word.value
        return cast

    def _cast_target(self) -> c_ast.Typename:
        token = self._here()
        if not self._starts_declaration() and self._begins_name(token):
            if self._name_ahead().plain:
                self._unknown_type(token)
            return self._type_name_of(self._take_name().as_type())
        if token.type == "CONST" and self._peek_type(2) == "ID" and self._peek_type(3) not in ("COLONCOLON", "LT"):
            self._unknown_type(self._here(2))
        return self._parse_type_name()

    def _parse_functional_cast(self) -> Node:
        """`float(x)` is `(float)x`, `int()` is 0, and `Point{1, 2}` is `(Point){1, 2}`."""
        token = self._here()
        kind, simple = self._type_of_cast(token)
        target = c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, kind, coord=token.span), token.span)
        if self._peek_type() == "LBRACE":
            return c_ast.CompoundLiteral(target, self._braces(), [], token.span)
        if self._peek_type() != "LPAREN":
            self._fault_at(token, f"'{token.value}' is a type: an expression is expected here")
        args = self._argument_list()
        if not args and simple:
            return c_ast.CompoundLiteral(target, c_ast.InitList([], token.span), [], token.span)
        if len(args) == 1 and not isinstance(args[0], PackExpansion | c_ast.InitList):
            return c_ast.Cast(target, args[0], token.span)
        return Construct(target, args, token.span)

    def _type_of_cast(self, token: Token) -> tuple[Node, bool]:
        """Parse the type of a functional cast; say whether it is one of C's own."""
        if token.type == "AUTO":
            self._advance()
            return Auto(token.span), False
        if token.value == "decltype":
            return self._decltype(), False
        if self._accept_word("typename") or self._begins_name(token):
            return self._take_name().as_type(), False
        names = [self._advance().value]
        while self._peek_type() in _TYPE_SPEC_SIMPLE:
            names.append(self._advance().value)
        return c_ast.IdentifierType(names, token.span), True

    # -------------------------------------------------------------------------------------- new and delete

    def _new(self) -> Node:
        """`new (placement) T[count](args)`"""
        mark = self._mark()
        self._advance()
        placement: tuple[Node, ...] = ()
        if self._peek_type() == "LPAREN":
            placement = tuple(self._argument_list())
        if not self._starts_declaration() and self._begins_name(self._peek()):
            token = self._here()
            if self._name_ahead().plain:
                self._unknown_type(token)
            spec = self._add_declaration_specifier(None, self._take_name().as_type(), "type")
        else:
            spec = self._parse_specifier_qualifier_list()
        declarator: Node | None = None
        while (star := self._accept("TIMES")) is not None:
            inner = declarator or c_ast.TypeDecl(None, None, None, None)
            declarator = self._type_modify_decl(inner, c_ast.PtrDecl([], None, star.span))
        count: Node | None = None
        outer, self._in_angles = self._in_angles, False
        if self._accept("LBRACKET"):
            count = self._parse_expression()
            self._expect("RBRACKET")
        if count is not None and self._peek_type() == "LBRACKET":
            declarator = self._suffixes(declarator or c_ast.TypeDecl(None, None, None, None))
        self._in_angles = outer
        kind = self._build_type_name(spec, declarator, self._tokens.span(mark))
        init: Node | None = None
        first = self._mark()
        if self._peek_type() == "LPAREN":
            init = Arguments(self._argument_list(), self._tokens.span(first))
        elif self._peek_type() == "LBRACE":
            init = self._parse_initializer()
        return New(kind, count, init, placement, self._tokens.span(mark))

    def _delete(self) -> Node:
        word = self._advance()
        array = self._accept("LBRACKET") is not None
        if array:
            self._expect("RBRACKET")
        return Delete(self._parse_cast_expression(), array, word.span)


def _touch(first: Span, second: Span) -> bool:
    """Whether nothing stands between two tokens."""
    same = first.source is second.source and first.line == second.line and first.expansion == second.expansion
    return same and first.column + first.length == second.column
