"""Parsing names: `a::b<int>::c`, template arguments, and whether a name is a type where nothing declares it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pycparser import c_ast

from ...lang.typedefs import TYPEDEFS
from ...source import Span
from ..text.lexer import Token
from .cxx import DeclType, Name, NamePart, PackExpansion
from .names import Kind, Known, Scope
from .parser_part import ParserPart
from .words import Node, SyntaxFault

if TYPE_CHECKING:
    from .grammar import Grammar


@dataclass(frozen=True)
class Named:
    """A name ahead: its parts, what it is, and the index of the token after it.

    `known` is that of its last part. `tail`: `::` and a destructor, an operator or a star follow.
    """

    parts: tuple[NamePart, ...]
    rooted: bool
    kind: Kind
    known: Known | None
    end: int
    tail: bool
    span: Span

    @property
    def plain(self) -> bool:
        return len(self.parts) == 1 and not self.rooted and self.parts[0].args is None

    def as_name(self) -> Name:
        return Name(self.parts, self.rooted, self.span)

    def as_type(self) -> Node:
        return c_ast.IdentifierType([self.parts[0].name], self.span) if self.plain else self.as_name()

    def as_value(self) -> Node:
        return c_ast.ID(self.parts[0].name, self.span) if self.plain else self.as_name()


_NAMES = ("ID", "TYPEID")
_ALSO_BINARY = ("TIMES", "AND", "PLUS", "MINUS", "PLUSPLUS", "MINUSMINUS", "LBRACKET")
_BEFORE_CONDITION = ("IF", "CONSTEXPR", "WHILE", "SWITCH", "FOR")  # `if (a::b) c = 1;` has no cast
_AFTER_LEAF = frozenset(("COMMA", "GT"))
_AFTER_ARGUMENTS = ("LPAREN", "COLONCOLON", "LBRACE")


class Names(ParserPart):
    """The part of the parser for names."""

    def __init__(self, p: Grammar) -> None:
        super().__init__(p)
        self._ahead: dict[int, Named] = {}
        self.member_templates: set[str] = set()  # those of the classes that are parsed already
        self.packs: set[str] = set()  # names of parameter packs

    def forget_names(self) -> None:
        """Drop what was found out about the names ahead, since a name may have become something else."""
        self._ahead.clear()

    def begins_name(self, token: Token | None) -> bool:
        return token is not None and (token.type in _NAMES or token.type == "COLONCOLON")

    def name_ahead(self) -> Named:
        """Return the name that begins here, without moving."""
        mark = self.p._mark()
        if mark not in self._ahead:
            named = self._read_name(mark)
            self.p._reset(mark)
            self._ahead[mark] = named
        return self._ahead[mark]

    def take_name(self) -> Named:
        named = self.name_ahead()
        self.p._tokens.index = named.end
        return named

    def _read_name(self, mark: int) -> Named:
        rooted = self.p._accept("COLONCOLON") is not None
        parts: list[NamePart] = []
        known: Known | None = None
        qualified, tail = rooted, False
        while True:
            forced = self.p._accept_word("template") is not None
            token = self.p._tokens.peek()
            if token is None or token.type not in _NAMES:
                self.p._fault_at(token or self.p._here(), f"expected a name before '{token.value if token else ''}'")
            self.p._tokens.index += 1
            known = self._look_up(token.value, known, rooted, parts)
            args = None
            if self.p._peek_type() == "LT":
                args = self._arguments_of(token.value, known, qualified=qualified, forced=forced)
            parts.append(NamePart(token.value, args, token.span))
            if self.p._peek_type() != "COLONCOLON":
                break
            after = self.p._peek(2)
            if after is None or not (after.type in _NAMES or after.value == "template"):
                tail = after is not None and (after.value in ("operator", "*", "~"))
                break
            self.p._advance()
            qualified = True
        kind: Kind = known.kind if known is not None else "unknown"
        return Named(tuple(parts), rooted, kind, known, self.p._mark(), tail, self.p._tokens.span(mark))

    def member_of(self, of: DeclType) -> Name:
        """Parse what follows `decltype(x)`: `::member`, perhaps several times."""
        mark = self.p._mark()
        parts = [NamePart("decltype", None, of.coord, of)]
        while self.p._accept("COLONCOLON"):
            forced = self.p._accept_word("template") is not None
            token = self.p._advance()
            if token.type not in _NAMES:
                self.p._fault_at(token, f"expected a name before '{token.value}'")
            args = None
            if self.p._peek_type() == "LT":
                args = self._arguments_of(token.value, None, qualified=True, forced=forced)
            parts.append(NamePart(token.value, args, token.span))
        return Name(tuple(parts), False, self.p._tokens.span(mark))

    def _look_up(self, name: str, before: Known | None, rooted: bool, parts: Sequence[NamePart]) -> Known | None:
        """Look up the name after `parts`. `cuda::std` is `std`, which has the typedefs of the C library."""
        if not parts:
            return self.p._file.member(name) if rooted else self.p._scope.find(name)
        found = before.scope.member(name) if before is not None and before.scope is not None else None
        if found is None and self.is_of_library(parts[0].name, before):
            if name == "std" and len(parts) == 1:
                return self.p._file.member(name)
            if name in TYPEDEFS:
                return Known("type")
        return found

    def is_of_library(self, first: str, known: Known | None) -> bool:
        """Whether a namespace, `known`, whose name begins with `first`, is std or cuda or one of theirs."""
        if first in ("std", "cuda"):
            return True
        return known is not None and (known.library or known is self.p._file.member("std"))

    def _arguments_of(
        self, name: str, known: Known | None, *, qualified: bool, forced: bool
    ) -> tuple[Node, ...] | None:
        """Parse the template arguments after `name`; return None, without having moved, if `<` compares."""
        if forced or (known is not None and known.template):
            return self.template_arguments()
        if known is not None and known.kind in ("type", "value", "concept"):
            return None
        host = self.p.host_only_of(name)
        if host is not None and not qualified and not host.what.startswith("a template"):
            return None
        mark = self.p._mark()
        args = self.p._attempt(self.template_arguments)
        if isinstance(args, SyntaxFault):
            return None
        following = self.p._peek_type()
        if qualified or host is not None or following in (*_AFTER_ARGUMENTS, "ID") or self.p._in_angles:
            return args
        self.p._reset(mark)
        return None

    # ------------------------------------------------------------------------------ template arguments

    def template_arguments(self) -> tuple[Node, ...]:
        """Parse `<int, 256>`."""
        self.p._expect("LT")
        outer, self.p._in_angles = self.p._in_angles, True
        args: list[Node] = []
        if self.p._peek_type() not in ("GT", "RSHIFT", "LAUNCH"):
            args.append(self.template_argument())
            while self.p._accept("COMMA"):
                args.append(self.template_argument())
        self.close_angle()
        self.p._in_angles = outer
        return tuple(args)

    def close_angle(self) -> None:
        """Consume a `>`, which may be the first one of `>>`."""
        if self.p._peek_type() == "RSHIFT" or (self.p._peek_type() == "LAUNCH" and self.p._value() == ">>>"):
            self.p._tokens.split()
            for index in [index for index in self._ahead if index >= self.p._tokens.index]:
                del self._ahead[index]
        self.p._expect("GT")

    def _is_member_of_decltype(self) -> bool:
        """True at `decltype(expr)::m`, which may be a type or a value."""
        if self.p._value() != "decltype":
            return False
        mark = self.p._mark()
        found = self.p._attempt(self.p.specifiers.decltype)
        self.p._reset(mark)
        return isinstance(found, Name)

    def template_argument(self) -> Node:
        if (leaf := self.p.primaries.leaf(_AFTER_LEAF)) is not None:
            return leaf
        mark = self.p._mark()
        as_type = self.p.specifiers.starts_declaration() and not self._is_member_of_decltype()
        found = self.p._attempt(self._type_argument) if as_type else self.p._attempt(self.value_argument)
        if isinstance(found, SyntaxFault):
            first = found
            found = self.p._attempt(self.value_argument) if as_type else self.p._attempt(self._guessed_type_argument)
            if isinstance(found, SyntaxFault):
                raise first
        if self.p._accept("ELLIPSIS"):
            found = PackExpansion(found, self.p._tokens.span(mark))
        return found

    def _type_argument(self) -> Node:
        return self._argument_end(self.p.specifiers.parse_type_name())

    def _guessed_type_argument(self) -> Node:
        """`a::b *`, of which nothing is known, is a type."""
        if not self.begins_name(self.p._peek()):
            self.p._parse_error("Invalid expression", None)
        return self._argument_end(self.p.specifiers.type_name_of(self.take_name().as_type()))

    def value_argument(self) -> Node:
        return self._argument_end(self.p._parse_conditional_expression())

    def _argument_end(self, node: Node) -> Node:
        token = self.p._here()
        if token.type not in ("COMMA", "GT", "RSHIFT", "LAUNCH", "ELLIPSIS"):
            self.p._fault_at(token, f"expected ',' or '>' before '{token.value}'")
        return node

    # ---------------------------------------------------------------------------------- types or values

    def is_type_here(self, *, parameter: bool = False) -> bool:
        """True if the name that begins here is a type; of unknown ones with `::` or arguments, by what follows."""
        token = self.p._here()
        if token.type in _NAMES and self.p._peek_type(2) not in ("COLONCOLON", "LT", "AUTO"):
            return token.type == "TYPEID"
        found = self.p._attempt(self.name_ahead)
        if isinstance(found, SyntaxFault):
            return token.type == "TYPEID"
        if found.tail:
            return False
        if found.kind == "concept":  # `C auto x`
            return self.type_behind(found) == "AUTO"
        if found.kind != "unknown" or found.plain:
            return found.kind == "type"
        return self._looks_like_type(found, parameter=parameter)

    def type_behind(self, named: Named) -> str | None:
        """Return the type of the token after a name ahead."""
        token = self.p._tokens.peek(named.end - self.p._tokens.index + 1)
        return token.type if token is not None else None

    def _looks_like_type(self, named: Named, *, parameter: bool) -> bool:
        mark = self.p._mark()
        self.p._tokens.index = named.end
        first, second, third = self.p._peek_type(), self.p._peek_type(2), self.p._peek_type(3)
        before = self.p._tokens.tokens[mark - 1].type if mark else ""
        operand = first == "RPAREN" and (second == "LPAREN" or (self.p._starts_expression(self.p._peek(2))))
        condition = mark > 1 and self.p._tokens.tokens[mark - 2].type in _BEFORE_CONDITION
        self.p._reset(mark)
        if first in (*_NAMES, "CONST"):
            return True
        if first in ("TIMES", "AND", "LAND"):
            ends = ("EQUALS", "SEMI", "COMMA", "RPAREN", "LBRACKET", "COLON")
            if second in _NAMES:
                return third in ends and (parameter or before != "LPAREN")
            return second in ("TIMES", "CONST", "RESTRICT", "RPAREN", "COMMA")
        if operand and before == "LPAREN" and not condition and not parameter and second not in _ALSO_BINARY:
            return second != "LPAREN" or named.parts[-1].name.endswith("_t")  # `(std::size_t)(x)`
        return (
            parameter and first in ("COMMA", "RPAREN", "ELLIPSIS", "EQUALS", "GT") and named.parts[-1].args is not None
        )

    def scope_of(self, node: Node | None) -> Scope | None:
        """Return the members of the class that a type names, if they are known."""
        if isinstance(node, c_ast.IdentifierType) and len(node.names) == 1:
            known = self.p._scope.find(node.names[0])
            return known.scope if known is not None else None
        if not isinstance(node, Name):
            return None
        known = None
        for i, part in enumerate(node.parts):
            known = self._look_up(part.name, known, node.rooted, node.parts[:i])
        return known.scope if known is not None else None


_OF_CONDITIONS = ("&&", "||", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=")


def may_compare(args: Sequence[Node], *, known: bool, empty: bool) -> bool:
    """Whether `x.m<args>(y)` may compare two pairs of values. `known`: some class has a member template m.

    `empty`: nothing is between the parentheses, so that they are no operand.
    One comparison of another's result, `x.m < 2 > (y)`, has no use; two beside each other do: `x.m < a && b > (y)`,
    `f(x.m < a, b > (y))`.
    """
    if len(args) == 1:
        only = args[0]
        is_condition = isinstance(only, c_ast.BinaryOp) and only.op in _OF_CONDITIONS
        return is_condition or isinstance(only, c_ast.TernaryOp | c_ast.Assignment)
    return not known and not empty and not any(isinstance(arg, c_ast.Typename | PackExpansion) for arg in args)
