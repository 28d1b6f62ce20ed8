"""Parsing fragments of C++ in the scope of a file that has been parsed: template arguments, lambdas in host code."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from ...diag import CompileError, Diagnostic
from ...lang.instance import Lambda
from ...source import Source, Span
from ..text.lexer import Braces, Token
from ..text.preprocessed import Origin, Preprocessed
from .cuda_parser import CudaParser
from .cxx import Lambda as LambdaNode
from .names import Known, Scope
from .words import Node

_SIDES = ("__device__", "__host__")


def _is_function(tokens: list[Token]) -> bool:
    """Whether an item, of which an outline left something out, ends with the body of a function."""
    if len(tokens) < 5 or tokens[-1].type != "RBRACE" or not isinstance(tokens[-2], Braces):
        return False
    before = tokens[-4] if tokens[-3].type == "CONST" else tokens[-3]
    return before.type == "RPAREN"


def _closed(tokens: list[Token]) -> list[Token]:
    """Return the tokens of an item with the braces added that are missing at its end (which was reported)."""
    depth = sum((token.type == "LBRACE") - (token.type == "RBRACE") for token in tokens)
    last = tokens[-1]
    return tokens + [replace(last, type="RBRACE", value="}") for _ in range(depth)]


class Fragments(CudaParser):
    """The parser, which keeps the tokens of a file for what is asked of it later."""

    def __init__(self) -> None:
        super().__init__()
        self._pre: Preprocessed | None = None
        self.split_source: Source | None = None  # the main file, if a C++ compiler reads the program too

    def read(self, pre: Preprocessed) -> list[Token]:
        self._pre = pre
        return self.tokens

    def outline(self, pre: Preprocessed) -> list[Token]:
        """Return the tokens of a file, those of included files without what functions and classes hold."""
        self._pre = pre
        return self.clex.outline(pre)

    def parse_outlined(self, tokens: list[Token], *, recover: bool) -> tuple[list[Node], list[Diagnostic]]:
        """Parse one item in the present namespace; what an outline left out of a function's body is read later."""
        if _is_function(tokens):
            body = tokens[-2]
            found = self.parse_item([*self.clex.filled(tokens[:-2]), body, tokens[-1]], recover=recover)
            if isinstance(body, Braces) and body.in_body:
                return found
        return self.parse_item(_closed(self.clex.filled(tokens)), recover=recover)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens of the file."""
        return [] if self._pre is None else self.clex.tokens(self._pre)

    # -------------------------------------------------------------------------------- template arguments

    def argument(self, text: str, span: Span) -> Node:
        """Parse a template argument that is not in the file; its nodes are at `span`.

        Raises `CompileError`.
        """
        origin = Origin(span.source, span.line, span.column, max(span.length, 1))
        tokens = self.clex.tokens(Preprocessed(span.source, f"{text} >", [0], [origin]))
        return self._piece(tokens, self._file, self._one_argument)

    def _one_argument(self) -> Node:
        self._in_angles = True
        node = self.names.template_argument()
        self._expect("GT")
        return node

    def _piece(self, tokens: list[Token], scope: Scope, parse: Callable[[], Node]) -> Node:
        nodes, faults = self._parse_tokens(tokens, scope, lambda: [parse()], recover=False)
        if faults:
            raise CompileError(faults)
        return nodes[0]

    # ------------------------------------------------------------------------------------------- lambdas

    def make_class_template(self, name: str) -> None:
        """Make `name` known at file scope."""
        self._file.names[name] = Known("type", template=True)

    def find_lambda(self, wanted: Lambda) -> int | None:
        """Return the index of the `[` with which a lambda for the device begins."""
        seen = 0
        for at, token in enumerate(self.tokens):
            if token.type != "LBRACKET" or token.span.line != wanted.line:
                continue
            name = token.span.source.name
            if name != wanted.file and os.path.realpath(name) != os.path.realpath(wanted.file):
                continue
            seen += "__device__" in self._sides(at)
            if seen == wanted.nth:
                return at
        return None

    def _sides(self, opening: int) -> list[str]:
        """Return the words after the `]` of the `[` at `opening`."""
        at, words = self._closing(opening) + 1, []
        while at < len(self.tokens) and self.tokens[at].value in _SIDES:
            words.append(self.tokens[at].value)
            at += 1
        return words

    def _closing(self, opening: int) -> int:
        """Return the index of the bracket that closes the one at `opening`."""
        depth = 0
        for at in range(opening, len(self.tokens)):
            kind = self.tokens[at].type
            depth += (kind in ("LBRACKET", "LPAREN", "LBRACE")) - (kind in ("RBRACKET", "RPAREN", "RBRACE"))
            if depth == 0:
                return at
        return len(self.tokens) - 1

    def namespaces_around(self, place: int) -> list[str]:
        """Return the names of the namespaces in which token `place` is, from outside; "" for one without a name."""
        open_braces: list[list[str]] = []
        names: list[str] | None = None  # of the namespace whose brace comes next
        for token in self.tokens[:place]:
            if token.value == "namespace" and token.type == "CPP":
                names = []
            elif token.type == "LBRACE":
                open_braces.append((names or [""]) if names is not None else [])
                names = None
            elif token.type == "RBRACE" and open_braces:
                open_braces.pop()
            elif token.type in ("SEMI", "EQUALS"):
                names = None
            elif names is not None and token.type in ("ID", "TYPEID"):
                names.append(token.value)
        return [name for names in open_braces for name in names]

    def lambda_at(self, place: int, types: Collection[str], values: Collection[str]) -> LambdaNode:
        """Parse the lambda that begins at token `place`, where `types` and `values` are parameters of templates.

        Raises `CompileError`.
        """
        scope = self._file
        for name in self.namespaces_around(place):
            known = scope.names.get(name)
            scope = known.scope if known is not None and known.scope is not None else scope
        around = Scope(scope, header=True)
        around.names |= dict.fromkeys(types, Known("type")) | dict.fromkeys(values, Known("value"))
        node = self._piece(self.tokens[place : self._end_of_lambda(place)], around, self.lambdas.lambda_expression)
        assert isinstance(node, LambdaNode)
        return node

    def _end_of_lambda(self, place: int) -> int:
        at = self._closing(place) + 1
        while at < len(self.tokens) and self.tokens[at].type != "LBRACE":
            at = self._closing(at) + 1 if self.tokens[at].type in ("LPAREN", "LBRACKET") else at + 1
        return self._closing(at) + 1

    def is_pack(self, place: int, name: str) -> bool:
        """Return whether the lambda at token `place` expands `name`, a parameter of a template."""
        own: Sequence[Token] = self.tokens[place : self._end_of_lambda(place)]
        return any(token.value == name and after.type == "ELLIPSIS" for token, after in pairwise(own))
