"""Parse: preprocessed text becomes pycparser trees, one per top-level item that the device may use.

`lexer` makes the tokens, `top_level` splits them into top-level items, `cuda_parser` parses one item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pycparser import c_ast

from ...diag import CompileError, Diagnostic
from ...source import Span
from ..text.declaration_scan import after_template, head_of, is_record, record_name
from ..text.headers import Piece
from ..text.host_functions import with_rival_host_functions
from ..text.lazy_declarations import without_unused
from ..text.preprocessed import Origin, Preprocessed
from ..text.top_level import HostOnly, Item, Split, split_items
from .classes import of_host
from .cuda_parser import CudaParser
from .cxx import Namespace
from .fragments import Fragments
from .words import Node, SyntaxFault


@dataclass(frozen=True)
class ParsedItem:
    """One top-level item. `tolerant`: where it cannot serve the device it is the host's alone, and no error."""

    nodes: tuple[Node, ...]
    tolerant: bool


@dataclass(frozen=True)
class Parsed:
    """The device part of a file as pycparser trees, in source order, and the names that are the host's alone.

    `faults` holds the syntax errors, which `check` reports with its own; `damaged` the names of declarations that could
    not be parsed at all. `left_out`: included files have more, which the program does not use. `fragments` parses
    more in the scope of the file.
    """

    pre: Preprocessed
    items: tuple[ParsedItem, ...]
    host_only: dict[str, HostOnly]
    library: Library
    damaged: frozenset[str] = frozenset()
    faults: tuple[Diagnostic, ...] = field(default=())
    left_out: bool = False
    fragments: Fragments = field(default_factory=Fragments, repr=False, compare=False)


def parse(pre: Preprocessed, *, whole: bool = False) -> Parsed:
    """Parse the device part of `pre`; host code is skipped, and so are unused declarations of included files.

    With `whole`, nothing of included files is left out. Syntax errors do not stop the parser: they are in `faults`, for
    `check` to raise together with what it finds itself.
    """
    parser = Fragments()
    library = Library(parser, pre.library)
    if not pre.own_cuda_std:
        parser.join_cuda_std()
    parser.split_source = None if pre.device_only else pre.source
    split, left_out = _split(parser, pre, whole)
    split = with_rival_host_functions(split, pre)
    faults = list(split.faults)
    damaged: set[str] = set()
    items = _parse_items(parser, split, faults, damaged)
    return Parsed(pre, items, parser.host_only, library, frozenset(damaged), tuple(faults), left_out, parser)


def _split(parser: Fragments, pre: Preprocessed, whole: bool) -> tuple[Split, bool]:
    """Return the items to parse, and whether others were left out."""
    if not whole and next(pre.ends_of_included(), None) is not None:
        split = split_items(parser.outline(pre), device_only=pre.device_only)
        if not split.faults:
            return without_unused(split, pre)
    return split_items(parser.read(pre), device_only=pre.device_only), False


class Library:
    """The device versions of the standard headers that a program includes: what it uses of them is parsed once."""

    def __init__(self, parser: Fragments, headers: tuple[str, ...]) -> None:
        self.headers = headers
        self._parser = parser
        self._parsed: dict[Piece, tuple[ParsedItem, ...]] = {}
        parser.use_library(headers, self.items_of)

    def items_of(self, piece: Piece) -> tuple[ParsedItem, ...]:
        """Return the declarations of a piece, for namespace std."""
        if piece not in self._parsed:
            parser = self._parser
            faults: list[Diagnostic] = []
            outside = parser.open_std()
            split = split_items(parser.clex.tokens_of(piece))
            items = _parse_items(parser, split, faults, set(), ours=True)
            parser.close_namespace(outside)
            found = [*faults, *split.host_only, *(fault for item in items for fault in _unread_members(item.nodes))]
            if found:
                raise AssertionError(f"the compiler's own {piece.source.name} is faulty: {found}")
            self._parsed[piece] = tuple(replace(item, tolerant=False) for item in items)
        return self._parsed[piece]

    @property
    def parsed_items(self) -> int:
        """The number of declarations that were parsed so far."""
        return sum(map(len, self._parsed.values()))


def _parse_items(
    parser: Fragments, split: Split, faults: list[Diagnostic], damaged: set[str], *, ours: bool = False
) -> tuple[ParsedItem, ...]:
    """Parse the items of a file or of a namespace, whose scope is open in `parser`.

    In `ours`, the compiler's own text, nothing is left to the host because it cannot be parsed.
    """
    parser.remember_host_only(split.host_only)
    items: list[ParsedItem] = []
    for item in split.items:
        if item.inside is not None:
            items.append(ParsedItem((_namespace(parser, item, item.inside, faults, damaged, ours=ours),), False))
            continue
        if item.kind == "host":
            items += _host_function(parser, item)
            continue
        tolerant = item.kind == "shared" and not ours
        nodes, found = parser.parse_outlined(item.tokens, recover=not tolerant)
        names = _declared(nodes) or _guess_names(item)
        if found and (tolerant or (not nodes and not ours and _is_of_both_sides(item))):
            cause = found[0]
            for name in names:
                parser.make_host_only(name, HostOnly(name_span(item, name), "a C++ declaration", cause=cause))
        else:
            faults += found
            damaged.update(names if not nodes else ())
            items.append(ParsedItem(tuple(nodes), tolerant))
    return tuple(items)


def _host_function(parser: Fragments, item: Item) -> list[ParsedItem]:
    """Parse a function that only the host can call; what has types that device code cannot have is left out."""
    nodes, found = parser.parse_outlined(item.tokens, recover=False)
    return [] if found else [ParsedItem(tuple(map(of_host, nodes)), True)]


def _is_of_both_sides(item: Item) -> bool:
    """Whether a function is declared for both sides: it may be one that only the host can call."""
    return any(token.value == "__host__" for token in head_of(item.tokens))


def _unread_members(nodes: Iterable[object]) -> Iterator[object]:
    """Yield why members of classes could not be parsed, to any depth. Bodies of functions are parsed later."""
    for node in nodes:
        if isinstance(node, Namespace):
            for item in node.items:
                yield from _unread_members(item.nodes if isinstance(item, ParsedItem) else ())
        members: dict[str, HostOnly] = getattr(node, "host_members", {})
        yield from (why.cause for why in members.values() if why.cause is not None)
        if not isinstance(node, c_ast.Compound):
            yield from _unread_members(child for _, child in getattr(node, "children", tuple)())


def _namespace(
    parser: Fragments, item: Item, inside: Split, faults: list[Diagnostic], damaged: set[str], *, ours: bool
) -> Namespace:
    first = item.tokens[0]
    name = None if first.value == "namespace" else first.value
    outside = parser.open_namespace(name, inline=item.inline)
    items = _parse_items(parser, inside, faults, damaged, ours=ours)
    parser.close_namespace(outside)
    return Namespace(name, item.inline, items, first.span)


def parse_constant(text: str, span: Span) -> Node:
    """Parse the operand of `#pragma unroll`: an expression. Raises `CompileError`."""
    pre = Preprocessed(span.source, text, [0], [Origin(span.source, span.line, span.column)])
    parser = CudaParser()
    tokens = parser.clex.tokens(pre)
    try:
        return parser.parse_expression(tokens)
    except SyntaxFault as fault:
        raise CompileError([fault.diagnostic]) from None


def _declared(nodes: Sequence[Node]) -> list[str]:
    names = [node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None) for node in nodes]
    return [name for name in names if name]


def _guess_names(item: Item) -> list[str]:
    """Return the names that an item which cannot be parsed most likely declares."""
    tokens = item.tokens[after_template(item.tokens, 0, len(item.tokens)) :]
    head = head_of(tokens)
    record = record_name(head)
    if record is not None and head[0].type != "TYPEDEF" and is_record(head):
        return [record.value]
    names: list[str] = []
    depth = 0
    for before, token in pairwise(tokens):
        if before.type in ("LBRACE", "LPAREN", "LBRACKET"):
            depth += 1
        elif before.type in ("RBRACE", "RPAREN", "RBRACKET"):
            depth -= 1
        named = before.type in ("ID", "TYPEID") and token.type in (
            ("EQUALS", "LBRACKET", "COMMA", "SEMI", "LPAREN", "LBRACE", "COLON") if depth == 0 else ()
        )
        if named:
            names.append(before.value)
            if token.type == "LPAREN":
                break
    return names


def name_span(item: Item, name: str) -> Span:
    return next((token.span for token in item.tokens if token.value == name), item.tokens[0].span)
