"""Parsing primary expressions: names, casts, parentheses and folds, what begins with a word, `new` and `delete`."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast
from pycparser.c_parser import _TYPE_SPEC_SIMPLE, CParser

from ...source import Span
from ..text.lexer import Token
from .cxx import (
    Arguments,
    Auto,
    Construct,
    ConversionName,
    Delete,
    DirectList,
    Fold,
    Name,
    NamedCast,
    NamePart,
    New,
    PackExpansion,
    Trait,
    grouped,
)
from .parser_part import ParserPart
from .qualified import Named
from .words import CAST_WORDS, BlockExpression, Node, SyntaxFault

_TRAITS = ("__is_", "__has_", "__builtin_is_")

# What may appear after an operand and belongs neither to it nor to a name.
_AFTER_OPERANDS = frozenset({"RPAREN", "RBRACKET", "SEMI", "COMMA", "PLUS", "MINUS", "TIMES", "DIVIDE", "MOD"})


class Primaries(ParserPart):
    """The part of the parser for primary expressions, `new` and `delete`."""

    def qualified_value(self, named: Named) -> Node:
        """Return the node of a name, and of `A::operator+` and `A::~A` with it."""
        if not named.tail or self.p._value(2) not in ("operator", "~"):
            return named.as_value()
        self.p._advance()
        token = self.p._here()
        special = self.p.declarators.special_name()
        if special.conversion is not None:
            return ConversionName(special.conversion, named.as_name(), named.span)
        part = NamePart(special.declname or "", special.args, token.span)
        return Name((*named.parts, part), named.rooted, named.span)

    def special_member(self, span: Span) -> Node:
        """Parse `operator+`, `operator T` or `~T` as the name of a member."""
        special = self.p.declarators.special_name()
        if special.conversion is not None:
            return ConversionName(special.conversion, None, span)
        return c_ast.ID(special.declname or "", span)

    # ---------------------------------------------------------------------------------- types in parentheses

    def try_parse_paren_type_name(self) -> Any:
        """Parse `(float)` of a cast; return None for `(float(1) + x)`, where the type begins an expression."""
        opening = self.p._peek()
        if opening is None or opening.type != "LPAREN":
            return None
        second = self.p._peek_type(2)
        if second == "ID" and self.p._peek_type(3) not in ("COLONCOLON", "LT"):
            return None
        mark = self.p._mark()
        outer, self.p._in_angles = self.p._in_angles, False
        try:
            self.p._advance()
            if not self.p.specifiers.starts_declaration():
                self.p._reset(mark)
                return None
            named = self.p.names.begins_name(self.p._peek())
            found = self.p._attempt(self._named_type if named else self.p.specifiers.parse_type_name)
            if isinstance(found, SyntaxFault):
                if not self.p.statements.begins_construction():
                    raise found
                self.p._reset(mark)
                return None
        finally:
            self.p._in_angles = outer
        if self.p._accept("RPAREN") is None or (_is_function_type(found) and not self._operand_follows()):
            self.p._reset(mark)
            return None
        return found, mark, opening, []

    def _operand_follows(self) -> bool:
        """Whether the next token may begin what a cast converts."""
        token = self.p._peek()
        return token is not None and self.p._starts_expression(token)

    def _named_type(self) -> c_ast.Typename:
        return self.p.specifiers.type_name_of(self.p.names.take_name().as_type())

    def parse_compound_literal(self) -> Node | None:
        result = self.try_parse_paren_type_name()
        if result is None:
            return None
        target, mark, _opening, _ = result
        if self.p._peek_type() == "LBRACE":
            braces = self.direct_list()
            return c_ast.CompoundLiteral(target, braces, [], self.p._tokens.span(mark))
        self.p._reset(mark)
        return None

    def direct_list(self) -> DirectList:
        """Parse the initialiser that begins with the current `{`."""
        braces = self.p._parse_initializer()
        assert isinstance(braces, c_ast.InitList)
        return DirectList(braces.exprs, braces.coord)

    # ---------------------------------------------------------------------------------------- primaries

    def leaf(self, after: frozenset[str] = _AFTER_OPERANDS) -> Node | None:
        """Take a name or a number that is an operand by itself, as most are: without a look at what else it may begin.

        One of the tokens `after` follows it. Return None, without having moved, for all other operands.
        """
        stream = self.p._tokens
        at = stream.index
        if at + 1 >= len(stream.tokens) or stream.tokens[at + 1].type not in after:
            return None
        token = self.p._here()
        if token.type == "ID":
            stream.index = at + 1
            return c_ast.ID(token.value, token.span)
        if token.type == "INT_CONST_DEC" and token.value.isdigit():
            stream.index = at + 1
            return c_ast.Constant("int", token.value, token.span)
        return None

    def primary(self) -> Node:
        token = self.p._peek()
        if token is None:
            self.p._parse_error("At end of input", None)
        if token.type == "LBRACKET":
            return self.p.lambdas.lambda_expression()
        if token.type == "CPP":
            return self._word(token)
        if token.type in _TYPE_SPEC_SIMPLE or token.type == "AUTO":
            return self._parse_functional_cast()
        if token.type == "COLONCOLON" and self.p._value(2) == "operator":
            self.p._advance()
            special = self.p.declarators.special_name()
            return Name((NamePart(special.declname or "", special.args, token.span),), True, token.span)
        if self.p.names.begins_name(token):
            return self._name(token)
        if token.type == "LPAREN":
            return self.parenthesised()
        if token.type in ("_GENERIC", "__BUILTIN_VA_ARG"):
            self.p._unsupported(token.span, f"'{token.value}' does not exist in CUDA", None)
        node = CParser._parse_primary_expression(self.p)
        return self._with_suffix(node) if isinstance(node, c_ast.Constant) else node

    def _with_suffix(self, literal: c_ast.Constant) -> Node:
        """Return the call that a literal such as `2.5_km` denotes ([lex.ext]); others stay what they are."""
        last, token = self.p._tokens.tokens[self.p._mark() - 1], self.p._peek()
        if token is None or token.type not in ("ID", "TYPEID", "IF") or not _touch(last.span, token.span):
            return literal
        self.p._advance()
        text, span, suffix = literal.value, literal.coord, token.value
        if text[0].isdigit() or text[0] == ".":  # the `u` of `7us` and the `f` of `1.5fs` belong to the suffix
            number = text.rstrip("uUlL") if "int" in literal.type else text.rstrip("fFlL")
            suffix, text = text[len(number) :] + suffix, number
            literal = c_ast.Constant("double" if "int" not in literal.type else "int", number, span)
        args: list[Node] = [literal]
        if literal.type == "string":
            size = c_ast.UnaryOp("sizeof", literal, span)
            args.append(c_ast.BinaryOp("-", size, c_ast.Constant("unsigned long int", "1ul", span), span))
        elif "'" not in text or text[0].isdigit():
            whole = "int" in literal.type
            type_, ending = ("unsigned long long int", "ull") if whole else ("long double", "l")
            args = [c_ast.Constant(type_, text + ending, span)]
        return c_ast.FuncCall(c_ast.ID(f'operator""{suffix}', token.span), c_ast.ExprList(args, span), span)

    def _word(self, token: Token) -> Node:
        """Parse an expression that begins with a word of C++."""
        if token.value in CAST_WORDS:
            return self._parse_named_cast()
        if token.value == "decltype" and (member := self._member_of_type()) is not None:
            return member
        if token.value in ("typename", "decltype"):
            return self._parse_functional_cast()
        if token.value == "this":
            self.p._advance()
            return c_ast.ID("this", token.span)
        if token.value == "operator":
            return _of_this(self.special_member(token.span))
        if token.value == "requires":
            return self.p.requirements.requirements()
        if token.value == "noexcept":
            self.p._advance()
            return Trait("noexcept", (self.parenthesised(),), token.span)
        return CParser._parse_primary_expression(self.p)

    def _member_of_type(self) -> Node | None:
        """Parse `decltype(x)::member`; return None, without having moved, at any other `decltype`."""
        mark = self.p._mark()
        found = self.p.specifiers.decltype()
        if isinstance(found, Name) and self.p._peek_type() != "LBRACE":
            return found
        self.p._reset(mark)
        return None

    def _name(self, token: Token) -> Node:
        if token.type == "ID" and self.p._peek_type(2) not in ("COLONCOLON", "LT"):
            if (
                self.p._peek_type(2) == "LPAREN"
                and token.value.startswith(_TRAITS)
                and not self.p._is_known(token.value)
            ):
                return self.trait()
            if self.p._peek_type(2) == "LBRACE" and not self.p._is_known(token.value):
                self.p._unknown_type(token)
            return CParser._parse_primary_expression(self.p)
        named = self.p.names.name_ahead()
        following = self.p._tokens.peek(named.end - self.p._mark() + 1)
        guessed = named.kind == "unknown" and not named.plain and following is not None and following.type == "LBRACE"
        if (named.kind == "type" and not named.tail) or guessed:
            return self._parse_functional_cast()
        return _of_this(self.qualified_value(self.p.names.take_name()))

    def trait(self) -> Node:
        name = self.p._advance()
        self.p._expect("LPAREN")
        outer, self.p._in_angles = self.p._in_angles, False
        args: list[Node] = []
        while self.p._peek_type() != "RPAREN":
            mark = self.p._mark()
            node = (
                self.p.specifiers.parse_type_name()
                if self.p.specifiers.starts_declaration()
                else self.p._parse_conditional_expression()
            )
            args.append(PackExpansion(node, self.p._tokens.span(mark)) if self.p._accept("ELLIPSIS") else node)
            if not self.p._accept("COMMA"):
                break
        self.p._expect("RPAREN")
        self.p._in_angles = outer
        return Trait(name.value, tuple(args), name.span)

    def parenthesised(self) -> Node:
        if self.p._peek_type(2) == "LBRACE":
            return self._parse_block_expression()
        third = self.p._peek_type(3)
        cast = self.p._peek_type(2) == "ID" and third == "TIMES" and self.p._peek_type(4) in ("RPAREN", "TIMES")
        if cast and not self.p._is_known(self.p._here(2).value):  # `(x * *p)` is a product
            self.p._unknown_type(self.p._here(2))
        opening = self.p._advance()
        outer, self.p._in_angles = self.p._in_angles, False
        if self.p._accept("ELLIPSIS"):
            sign = self.p._advance()
            node: Node = Fold(sign.value, self.p._parse_cast_expression(), None, True, opening.span)
        else:
            node = self.p._parse_expression()
            if self.p._peek_type() != "RPAREN" and self.p._peek_type(2) == "ELLIPSIS":
                node = self._fold(node, opening)
        self.p._expect("RPAREN")
        self.p._in_angles = outer
        if isinstance(node, c_ast.ID) and self.p._peek_type() == "LPAREN" and node.name != "this":
            return Name((NamePart(node.name, None, node.coord),), False, node.coord)
        return grouped(node)

    def _fold(self, left: Node, opening: Token) -> Node:
        """Parse the rest of `(pack op ...)` or `(a op ... op b)`, where the side that names a pack is the pack."""
        sign = self.p._advance()
        self.p._advance()
        if self.p._peek_type() == "RPAREN":
            return Fold(sign.value, left, None, False, opening.span)
        if self.p._value() != sign.value:
            self.p._unexpected(self.p._here())
        self.p._advance()
        mark = self.p._mark()
        right = self.p._parse_cast_expression()
        if any(token.value in self.p.names.packs for token in self.p._tokens.tokens[mark : self.p._mark()]):
            return Fold(sign.value, right, left, True, opening.span)
        return Fold(sign.value, left, right, False, opening.span)

    def _parse_block_expression(self) -> Node:
        opening = self.p._advance()
        outer, self.p._in_angles = self.p._in_angles, False
        block = self.p._parse_compound_statement()
        self.p._in_angles = outer
        self.p._expect("RPAREN")
        return BlockExpression(block, opening.span)

    def _parse_named_cast(self) -> Node:
        """`static_cast<T>(x)` and the like."""
        word = self.p._advance()
        self.p._expect("LT")
        outer, self.p._in_angles = self.p._in_angles, True
        target = self._cast_target()
        self.p.names.close_angle()
        self.p._in_angles = False
        self.p._expect("LPAREN")
        operand = self.p._parse_expression()
        self.p._expect("RPAREN")
        self.p._in_angles = outer
        cast = NamedCast(target, operand, word.span)
        cast.word = word.value
        return cast

    def _cast_target(self) -> c_ast.Typename:
        token = self.p._here()
        if not self.p.specifiers.starts_declaration() and self.p.names.begins_name(token):
            if self.p.names.name_ahead().plain:
                self.p._unknown_type(token)
            return self.p.specifiers.type_name_of(self.p.names.take_name().as_type())
        if token.type == "CONST" and self.p._peek_type(2) == "ID" and self.p._peek_type(3) not in ("COLONCOLON", "LT"):
            self.p._unknown_type(self.p._here(2))
        return self.p.specifiers.parse_type_name()

    def _parse_functional_cast(self) -> Node:
        """`float(x)` is `(float)x`, `int()` is 0, and `Point{1, 2}` is `(Point){1, 2}`."""
        token = self.p._here()
        kind, simple = self._type_of_cast(token)
        target = c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, kind, coord=token.span), token.span)
        if self.p._peek_type() == "LBRACE":
            return c_ast.CompoundLiteral(target, self.direct_list(), [], token.span)
        if self.p._peek_type() != "LPAREN" and isinstance(kind, Name) and kind.parts[0].type is not None:
            return kind
        if self.p._peek_type() != "LPAREN":
            self.p._fault_at(token, f"'{token.value}' is a type: an expression is expected here")
        args = self.p.declarators.argument_list()
        if not args and simple:
            return c_ast.CompoundLiteral(target, c_ast.InitList([], token.span), [], token.span)
        if len(args) == 1 and not isinstance(args[0], PackExpansion | c_ast.InitList):
            return c_ast.Cast(target, args[0], token.span)
        return Construct(target, args, token.span)

    def _type_of_cast(self, token: Token) -> tuple[Node, bool]:
        """Parse the type of a functional cast; say whether it is one of C's own."""
        if token.type == "AUTO":
            self.p._advance()
            return Auto(token.span), False
        if token.value == "decltype":
            return self.p.specifiers.decltype(), False
        if self.p._accept_word("typename") is not None or self.p.names.begins_name(token):
            is_member = self.p._value() == "decltype"
            return self.p.specifiers.decltype() if is_member else self.p.names.take_name().as_type(), False
        names = [self.p._advance().value]
        while self.p._peek_type() in _TYPE_SPEC_SIMPLE:
            names.append(self.p._advance().value)
        return c_ast.IdentifierType(names, token.span), True

    # -------------------------------------------------------------------------------------- new and delete

    def new(self) -> New:
        """`new (placement) T[count](args)`"""
        mark = self.p._mark()
        self.p._advance()
        placement: tuple[Node, ...] = ()
        if self.p._peek_type() == "LPAREN":
            placement = tuple(self.p.declarators.argument_list())
        if not self.p.specifiers.starts_declaration() and self.p.names.begins_name(self.p._peek()):
            token = self.p._here()
            if self.p.names.name_ahead().plain:
                self.p._unknown_type(token)
            spec = self.p._add_declaration_specifier(None, self.p.names.take_name().as_type(), "type")
        else:
            spec = self.p._parse_specifier_qualifier_list()
        declarator: Node | None = None
        while (star := self.p._accept("TIMES")) is not None:
            inner = declarator or c_ast.TypeDecl(None, None, None, None)
            declarator = self.p._type_modify_decl(inner, c_ast.PtrDecl([], None, star.span))
        count: Node | None = None
        outer, self.p._in_angles = self.p._in_angles, False
        counted = True
        if self.p._accept("LBRACKET"):
            counted = self.p._peek_type() != "RBRACKET"
            count = self.p._parse_expression() if counted else c_ast.Constant("int", "0", self.p._here().span)
            self.p._expect("RBRACKET")
        if count is not None and self.p._peek_type() == "LBRACKET":
            declarator = self.p.declarators.suffixes(declarator or c_ast.TypeDecl(None, None, None, None))
        self.p._in_angles = outer
        kind = self.p._build_type_name(spec, declarator, self.p._tokens.span(mark))
        init: Node | None = None
        first = self.p._mark()
        if self.p._peek_type() == "LPAREN":
            init = Arguments(self.p.declarators.argument_list(), self.p._tokens.span(first))
        elif self.p._peek_type() == "LBRACE":
            init = self.direct_list()
        if not counted and isinstance(init, c_ast.InitList):  # `new T[]{a, b}` ([expr.new]/9)
            count = c_ast.Constant("int", str(len(init.exprs)), init.coord)
        elif not counted:
            self.p._fault_at(self.p._here(), "expected '{' after '[]'")
        return New(kind, count, init, placement, self.p._tokens.span(mark))

    def delete(self) -> Delete:
        word = self.p._advance()
        array = self.p._accept("LBRACKET") is not None
        if array:
            self.p._expect("RBRACKET")
        return Delete(self.p._parse_cast_expression(), array, word.span)


def _of_this(node: Node) -> Node:
    """Return a name without an object before it: a conversion function is one of `*this`."""
    if not isinstance(node, ConversionName):
        return node
    return c_ast.StructRef(c_ast.ID("this", node.coord), "->", node, node.coord)


def _is_function_type(name: c_ast.Typename) -> bool:
    """Whether a type is that of a function: `int(C(x))` in `(int(C(x)), 3)` is none, but a value of type int."""
    return isinstance(name.type, c_ast.FuncDecl)


def _touch(first: Span, second: Span) -> bool:
    """Whether two tokens are adjacent."""
    same = first.source is second.source and first.line == second.line and first.expansion == second.expansion
    return same and first.column + first.length == second.column
