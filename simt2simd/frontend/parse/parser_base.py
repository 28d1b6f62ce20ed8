"""The root of our parser: its tokens and scopes, its errors, and how it recovers from them.

Every node's `coord` is a `Span`: of a declarator its name, of a statement its first word, of an expression from
its first to its last token.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn, TypeVar

from pycparser.c_parser import CParser

from ...diag import Diagnostic
from ...lang.typedefs import TYPEDEFS
from ...lang.unsupported import UNSUPPORTED_TYPES
from ...source import Span
from ..text.headers import LaterNames, Piece
from ..text.lexer import Braces, CudaLexer, Token
from ..text.top_level import HostOnly
from .cxx import Body
from .names import Kind, Known, Scope
from .words import (
    CLOSING,
    DEEPEST_NESTING,
    LITERAL_TEXT,
    NOT_SUPPORTED,
    OPENING,
    Faulty,
    Node,
    SyntaxFault,
    TokenStream,
    host_only_use,
)

if TYPE_CHECKING:
    from .declarations import Declarations
    from .qualified import Names
    from .statements import StatementParser

N = TypeVar("N")


class ParserBase(CParser):
    """Errors and recovery, and which names are types."""

    # Parts of the parser, made by `grammar`.
    names: Names
    declarations: Declarations
    statements: StatementParser

    def __init__(self) -> None:
        super().__init__(lexer=CudaLexer, dialect="c23")
        self.clex: CudaLexer
        self.host_only: dict[str, HostOnly] = {}
        self._file = Scope(None, path="")
        for name in TYPEDEFS:
            self._file.names[name] = Known("type")
        self._std = Scope(self._file, path="std")
        self._cuda = Scope(self._file, path="cuda")
        self._file.names |= {"std": Known("namespace", scope=self._std), "cuda": Known("namespace", scope=self._cuda)}
        self._scope = self._file
        self._tokens = TokenStream([])
        self._faults: list[Diagnostic] = []
        self._recover = False
        self._in_angles = False  # a `>` ends a list of template arguments

    def make_host_only(self, name: str, why: HostOnly) -> None:
        """Record that `name` of the present namespace is the host's alone, unless device code may already use it."""
        path = self._scope.namespace_path()
        self.host_only.setdefault(f"{path}::{name}" if path else name, why)
        self._scope.names.pop(name, None)
        self.names.forget_names()

    def remember_host_only(self, names: dict[str, HostOnly]) -> None:
        """Record names of the present namespace that are the host's alone."""
        path = self._scope.namespace_path()
        for name, why in names.items():
            self.host_only.setdefault(f"{path}::{name}" if path else name, why)

    def open_namespace(self, name: str | None, *, inline: bool) -> Scope:
        """Enter a namespace, perhaps not for the first time; return the enclosing scope. `name` None: it has none."""
        outside = self._scope
        path = outside.path or ""
        known = outside.names.get(name or "")
        if known is None or known.scope is None or known.kind != "namespace":
            inner = Scope(outside, path=path if name is None else f"{path}::{name}" if path else name)
            known = outside.names[name or ""] = Known("namespace", scope=inner)
            if inline or name is None:
                outside.searched.append(inner)
        assert known.scope is not None
        self._enter(known.scope)
        return outside

    def use_library(self, library: tuple[str, ...], parse_piece: Callable[[Piece], object]) -> None:
        """Know the names of these standard headers. What they declare is parsed when `check` asks for it.

        Of a namespace the parser must know what is in it: `parse_piece` parses that when its name is looked up.
        """

        def declare(piece: Piece) -> None:
            if piece.namespaces:
                parse_piece(piece)
            else:
                self._declare_standard(piece)

        names: LaterNames[Known] = LaterNames(library, declare)
        self._std.names = names

    def join_cuda_std(self) -> None:
        """Make cuda::std the same as std."""
        self._cuda.names["std"] = self._file.names["std"]

    def _declare_standard(self, piece: Piece) -> None:
        for name in piece.names:
            kind: Kind = "type" if name in piece.types else "concept" if name in piece.concepts else "value"
            self._std.names.setdefault(name, Known(kind, template=True))

    def open_std(self) -> Scope:
        """Enter namespace std; return the scope that was left."""
        outside = self._scope
        self._enter(self._std)
        return outside

    def close_namespace(self, outside: Scope) -> None:
        self._enter(outside)

    def host_only_of(self, name: str) -> HostOnly | None:
        """Return what is known about a name that is the host's alone, looked up from the present scope."""
        path = self._scope.namespace_path()
        while path:
            if found := self.host_only.get(f"{path}::{name}"):
                return found
            path = path.rpartition("::")[0]
        return self.host_only.get(name)

    def parse_item(self, tokens: list[Token], *, recover: bool) -> tuple[list[Node], list[Diagnostic]]:
        """Parse one item in the present namespace. With `recover` a faulty statement is skipped and the next parsed."""
        return self._parse_tokens(tokens, self._scope, self.declarations.parse_external_declaration, recover=recover)

    def _parse_tokens(
        self, tokens: list[Token], scope: Scope, parse: Callable[[], list[Node]], *, recover: bool
    ) -> tuple[list[Node], list[Diagnostic]]:
        """Let `parse` take all `tokens` in `scope`, whatever the parser is doing now."""
        before = self._tokens, self._faults, self._recover, self._scope, self._in_angles
        self._tokens, self._faults, self._recover, self._scope = TokenStream(tokens), [], recover, scope
        self._in_angles = False
        self.names.forget_names()
        nodes: list[Node] = []
        try:
            self._refuse_deep_nesting()
            nodes = parse()
            if (left := self._peek()) is not None:
                self._unexpected(left)
        except SyntaxFault as fault:
            self._faults.append(fault.diagnostic)
        except RecursionError:
            here = self._tokens.peek() or self._tokens.tokens[-1]
            self._faults.append(Diagnostic(here.span, "expressions or statements are nested too deeply here"))
        found = self._faults
        self._tokens, self._faults, self._recover, self._scope, self._in_angles = before
        self.names.forget_names()
        return nodes, found

    def _refuse_deep_nesting(self) -> None:
        depth = 0
        for token in self._tokens.tokens:
            if token.type in OPENING:
                depth += 1
                if depth > DEEPEST_NESTING:
                    self._unsupported(token.span, f"brackets are nested more than {DEEPEST_NESTING} deep", None)
            elif token.type in CLOSING:
                depth -= 1

    def parse_expression(self, tokens: list[Token]) -> Node:
        """Parse `tokens` as one expression. Raises `SyntaxFault`."""
        self._tokens = TokenStream(tokens)
        expression = self._parse_conditional_expression()
        if (left := self._peek()) is not None:
            self._unexpected(left)
        return expression

    def _attempt(self, parse: Callable[[], N]) -> N | SyntaxFault:
        """Run `parse`; where it meets a fault, go back to where it began and return the fault."""
        mark, scope, found, recover = self._mark(), self._scope, len(self._faults), self._recover
        in_angles = self._in_angles
        self._recover = False
        try:
            return parse()
        except SyntaxFault as fault:
            del self._faults[found:]
            self._scope, self._in_angles = scope, in_angles
            self._reset(mark)
            return fault
        finally:
            self._recover = recover

    # ----------------------------------------------------------------------------------- braces of functions

    def _lazy_body(self) -> Body:
        """Skip the braces that begin here; what is in them is parsed later, in the present scope."""
        first = self._tokens.index
        opening = self._here()
        tokens, at, depth = self._tokens.tokens, first, 0
        while at < len(tokens):
            kind = tokens[at].type
            depth += (kind == "LBRACE") - (kind == "RBRACE")
            at += 1
            if depth == 0:
                break
        self._tokens.index = at
        if depth:
            self._parse_error("At end of input", None)
        own, scope = tokens[first:at], self._scope
        skipped = own[0]
        if isinstance(skipped, Braces):
            skipped.in_body = True

        def parse() -> tuple[list[Node], list[Diagnostic]]:
            whole = self.clex.filled(own) if len(own) == 2 else own
            return self._parse_tokens(whole, scope, self._block, recover=True)

        return Body(parse, opening.span)

    def _block(self) -> list[Node]:
        return self._parse_compound_statement(new_scope=False).block_items or []

    # ------------------------------------------------------------------------------------------- errors

    def _tok_coord(self, tok: Token) -> Span:
        return tok.span

    def _parse_error(self, msg: str, coord: Span | None) -> NoReturn:
        """pycparser found a fault: name it in our words, at the token where it stopped."""
        token = self._tokens.peek()
        if msg.startswith("before:") or msg.startswith("Invalid struct reference"):
            token = self._tokens.peek(0)
        if msg == "At end of input" or token is None:
            last = self._tokens.tokens[-1].span
            raise SyntaxFault(Diagnostic(last, "unexpected end of the declaration after this"))
        if msg == "Invalid expression":
            self._fault_at(token, f"expected an expression before '{token.value}'")
        if msg.startswith("before:") or msg in ("Invalid declarator", "Invalid declaration", "Expected identifier"):
            self._fault_at(token, f"unexpected '{token.value}'")
        span = coord if isinstance(coord, Span) else token.span
        self._fault_at(token, msg[:1].lower() + msg[1:], span)

    def _fault_at(self, token: Token, message: str, span: Span | None = None) -> NoReturn:
        """Raise a syntax error at `token`, in its own words if it is something of C++ that has no place here."""
        if token.type == "BAD":
            is_open = token.value.endswith("never closed")  # such a token reaches to the end of its line
            if is_open:
                self._tokens.index = self._tokens.tokens.index(token) + 1
            raise SyntaxFault(Diagnostic(token.span, token.value), complete=is_open)
        known = NOT_SUPPORTED.get(token.value)
        if known:
            self._unsupported(token.span, *known)
        raise SyntaxFault(Diagnostic(span or token.span, message))

    def _unexpected(self, token: Token) -> NoReturn:
        self._fault_at(token, f"unexpected '{token.value}'")

    def _unsupported(self, span: Span, message: str, help: str | None) -> NoReturn:
        raise SyntaxFault(Diagnostic(span, message, help=help))

    def _expect(self, token_type: str) -> Token:
        found = self._here()
        if found.type != token_type:
            before = self._tokens.peek(0)
            wanted = LITERAL_TEXT.get(token_type, "a name" if token_type in ("ID", "TYPEID") else token_type.lower())
            quoted = wanted if wanted == "a name" else f"'{wanted}'"
            span = found.span
            message = f"expected {quoted} before '{found.value}'"
            if token_type == "SEMI" and before is not None and before.span.column:
                # The place that lacks the `;` is after the last token, perhaps lines before the next one.
                end = before.span
                span = Span(end.source, end.line, end.column + end.length)
                message = f"expected ';' after '{before.value}'"
                if found.span.line > end.line and self._recover and self._scope.in_function():
                    self._faults.append(Diagnostic(span, message))
                    return replace(found, type="SEMI", value=";", span=span)  # and the statement is whole
            self._fault_at(found, message, span)
        return self._advance()

    def _parse_block_item_list(self) -> list[Node]:
        """Parse the statements of a block; after a faulty one continue with the next."""
        items: list[Node] = []
        while self._peek_type() not in ("RBRACE", None):
            mark, scope = self._mark(), self._scope
            try:
                item = self.statements.parse_block_item()
            except SyntaxFault as fault:
                if not self._recover:
                    raise
                self._faults.append(fault.diagnostic)
                self._enter(scope)
                self._in_angles = False
                if not fault.complete:
                    self._skip_statement(mark)
                item = self._faulty(mark)
                if self._peek_type() == "ELSE" and any(
                    t.type == "IF" for t in self._tokens.tokens[mark : self._mark()]
                ):
                    self._advance()  # it belongs to what was skipped
            items.extend(item if isinstance(item, list) else [item])
        return items

    def _faulty(self, start: int) -> Faulty:
        """Return the placeholder for the tokens skipped since `start`."""
        skipped = self._tokens.tokens[start : self._tokens.index]
        names = [
            token.value
            for token, after in pairwise([*skipped, skipped[-1]])
            if token.type == "ID"
            and after.type not in ("LPAREN", "LT", "COLONCOLON")
            and not self._is_known(token.value)
        ]
        return Faulty(tuple(name for name in names if not self.host_only_of(name)), skipped[0].span)

    def _skip_statement(self, start: int) -> None:
        """Move after the statement that begins at token `start` and has a fault before the present position."""
        tokens, failed = self._tokens.tokens, self._tokens.index
        parens = braces = 0
        is_for = tokens[start].type == "FOR"
        at = start
        while at < len(tokens):
            kind = tokens[at].type
            if kind in ("LPAREN", "LBRACKET"):
                parens += 1
            elif kind in ("RPAREN", "RBRACKET"):
                parens -= 1
            elif kind == "LBRACE":
                braces += 1
            elif kind == "RBRACE":
                braces -= 1
                if braces < 0:
                    break
            at += 1
            done = kind == "SEMI" and (parens <= 0 or not is_for)
            if kind == "RBRACE" and at < len(tokens):  # `({ ... })` continues
                done = parens <= 0 or tokens[at].type != "RPAREN"
            if done and braces == 0 and at > failed - 1:
                break
        self._tokens.index = max(at, start + 1) if at < len(tokens) else len(tokens) - 1

    # -------------------------------------------------------------------------------- names that are types

    def _peek(self, k: int = 1) -> Token | None:
        """Return the `k`-th next token; whether a name is a type depends on the scope at this moment."""
        stream = self._tokens
        at, tokens = stream.index + k - 1, stream.tokens
        if not 0 <= at < len(tokens):
            return None
        token = tokens[at]
        if token.type == "ID" or token.type == "TYPEID":
            known = self._scope.find(token.value)
            token.type = "TYPEID" if known is not None and known.kind == "type" else "ID"
        return token

    def _accept(self, token_type: str) -> Token | None:
        """Consume the next token if it is of this type."""
        token = self._peek()
        if token is None or token.type != token_type:
            return None
        self._tokens.index += 1
        return token

    def _advance(self) -> Token:
        token = self._peek()
        if token is None:
            self._parse_error("At end of input", None)
        self._tokens.index += 1
        return token

    def _here(self, k: int = 1) -> Token:
        """Return the `k`-th next token where the grammar has one. Raises `SyntaxFault` at the end of the item."""
        token = self._peek(k)
        if token is None:
            self._parse_error("At end of input", None)
        return token

    def _value(self, k: int = 1) -> str:
        """Return the spelling of the `k`-th next token, "" at the end."""
        token = self._tokens.peek(k)
        return token.value if token is not None else ""

    def _accept_word(self, *words: str) -> Token | None:
        """Consume the next token if it is one of `words`."""
        return self._advance() if self._value() in words else None

    def _is_type_in_scope(self, name: str) -> bool:
        known = self._scope.find(name)
        return known is not None and known.kind == "type"

    def _push_scope(self) -> None:
        self._enter(Scope(self._scope))

    def _pop_scope(self) -> None:
        assert self._scope.parent is not None
        self._enter(self._scope.parent)

    def _enter(self, scope: Scope) -> None:
        self._scope = scope
        self.names.forget_names()

    def _declare(self, name: str, known: Known) -> None:
        """Enter a name. A declaration that says nothing new about a class keeps what is known of it."""
        before = self._scope.names.get(name)
        if before is None or before.kind != known.kind or known.template or known.scope is not None:
            self._scope.names[name] = known
            self.names.forget_names()

    def _add_identifier(self, name: str, coord: Span | None) -> None:
        """Record that `name` is no type. (That it already was one is for `check` to judge.)"""
        if name:
            self._declare(name, Known("value"))

    def _add_typedef_name(self, name: str, coord: Span | None) -> None:
        self._declare(name, Known("type"))

    def _is_known(self, name: str) -> bool:
        return self._scope.find(name) is not None

    def _unknown_type(self, token: Token) -> NoReturn:
        name = token.value
        if why := self.host_only_of(name):
            raise SyntaxFault(host_only_use(name, token.span, why))
        if name in UNSUPPORTED_TYPES:
            self._unsupported(token.span, f"'{name}' is not supported yet", UNSUPPORTED_TYPES[name])
        close = difflib.get_close_matches(
            name, [*self._scope.visible(), *("float", "double", "int", "unsigned", "char", "bool")], 1, 0.7
        )
        help = f"did you mean '{close[0]}'?" if close else None
        self._unsupported(token.span, f"unknown type name '{name}'", help)
