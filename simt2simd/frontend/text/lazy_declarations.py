"""What of included files a program uses: what its own text names, what that names in turn, and what counts unnamed.

A name is a word here, in any scope: all declarations of it are used or none. So the overloads, specialisations
and members that the checker chooses among are all there, and in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise

from .declaration_scan import RECORDS, after_template, head_of, is_guide, name_in_head, variable_names
from .lexer import Token
from .preprocessed import Preprocessed
from .top_level import Item, Split

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# A type of CUDA's, of which functions with its name inside theirs make values: `make_float2`, `__half22float2`.
_CUDA_TYPE = re.compile(r"(?:u?(?:char|short|int|long)|longlong|float|double)[1-4]|half2?|bfloat162?|dim3")
_INDEX = re.compile(r"\b(?:(threadIdx|blockIdx)|(?:blockDim|gridDim))\b(?!\s*\.\s*[xyz]\b)")  # as a whole
# The compiler calls such functions by itself, or the device versions of the standard headers do.
_UNNAMED = frozenset(("begin", "end", "get", "swap", "size", "data", "tuple_size", "tuple_element"))
_VARIABLES = frozenset(("__device__", "__constant__", "__managed__", "__shared__"))
_TYPE_WORDS = frozenset("enum class struct union typedef const signed unsigned char short int __int128 long".split())
_NAMES = ("ID", "TYPEID")


def without_unused(split: Split, pre: Preprocessed) -> tuple[Split, bool]:
    """Return `split` without what included files declare and the program does not use; and whether that is anything."""
    declarations = list(_Declarations(pre).of(split))
    if not declarations:
        return split, False
    unused = _Uses(declarations, _own_words(pre)).unused()
    return (_without(split, unused), True) if unused else (split, False)


def _without(split: Split, unused: set[int]) -> Split:
    items: list[Item] = []
    for item in split.items:
        if item.inside is not None:
            items.append(replace(item, inside=_without(item.inside, unused)))
        elif id(item.tokens) not in unused:
            items.append(item)
    return replace(split, items=items)


def _own_words(pre: Preprocessed) -> set[str]:
    """Return the words of the file itself."""
    words: set[str] = set()
    at = 0
    for begin, end in pre.ends_of_included():
        words |= _words_of(pre.text, at, begin)
        at = end
    return words | _words_of(pre.text, at, len(pre.text))


def _words_of(text: str, start: int, end: int) -> set[str]:
    """Return the words of a part of a text, and the types of CUDA's of which it has values without naming them."""
    words = set(_WORD.findall(text, start, end))
    for word in words.copy():
        words |= _cuda_types_in(word)
    words.update("uint3" if match[1] else "dim3" for match in _INDEX.finditer(text, start, end))
    return words


@cache
def _cuda_types_in(word: str) -> frozenset[str]:
    return frozenset(_CUDA_TYPE.findall(word))


@dataclass(eq=False)
class _Declaration:
    """A declaration in an included file. `names`: it is used if one of these is; None: in any case.

    `types` are those names that are types'. `is_alias`: these are other names of types.
    """

    tokens: list[Token] = field(repr=False)
    names: frozenset[str] | None
    text: str
    types: frozenset[str] = frozenset()
    is_alias: bool = False
    operands: frozenset[str] = frozenset()  # of an operator: the words of its parameters

    @cached_property
    def words(self) -> set[str]:
        first, last = self.tokens[0], self.tokens[-1]
        return _words_of(self.text, first.place, last.place + len(last.value))


class _Declarations:
    """Finds what the declarations of included files declare."""

    def __init__(self, pre: Preprocessed) -> None:
        self._pre = pre

    def of(self, split: Split) -> Iterator[_Declaration]:
        for item in _items(split):
            if item.tokens[0].span.source is not self._pre.source:
                yield self._of_item(item.tokens)
        for tokens in split.host:
            if tokens[0].span.source is not self._pre.source:
                yield self._of_host(tokens)

    def _of_host(self, tokens: list[Token]) -> _Declaration:
        """What other files may call, or what runs before the program does, may launch kernels."""
        found = self._of_item(tokens)
        head = {token.value for token in head_of(tokens)}
        private = tokens[0].value == "template" or head & {"static", "inline", "constexpr"}
        is_function = found.names is not None and tokens[-1].type == "RBRACE"
        return found if private and is_function else replace(found, names=None)

    def _of_item(self, tokens: list[Token]) -> _Declaration:
        start = after_template(tokens, 0, len(tokens))
        own = tokens[start:]
        none = _Declaration(tokens, None, self._pre.text)
        if not own or start == 1:  # an explicit instantiation
            return none
        first, head = own[0], head_of(own)
        if first.value == "using":
            if own[1].value in ("namespace", "enum"):
                return none
            return self._alias(tokens, _before(own, "EQUALS", "SEMI"))
        if first.type == "TYPEDEF":
            names = self._all(tokens) if any(token.type == "ENUM" for token in head) else _outside_braces(own)
            return self._alias(tokens, names)
        if is_guide(own[first.value == "explicit" :]):
            return replace(none, names=frozenset(t.value for t in own[:2] if t.type in _NAMES))
        name = name_in_head(head)
        values = {token.value for token in head}
        if tokens[2:3] and tokens[2].type == "GT" and "__global__" not in values:  # `template <> int f<int>()`
            return replace(none, names=_words(head) or None)
        if name is None and values & _VARIABLES:
            return none
        if name is None and any(token.type in RECORDS for token in head):
            return self._record(tokens, own, head)
        if name is None:
            return replace(none, names=(_words(head) | _variables(own)) or None)
        return self._function(tokens, own, head, name, none)

    def _function(
        self, tokens: list[Token], own: list[Token], head: list[Token], name: Token, none: _Declaration
    ) -> _Declaration:
        values = {token.value for token in head}
        is_template = tokens[0].value == "template"
        if "__global__" in values and (not is_template or self._pre.device_only):
            return none  # launched by a name that is in no text of ours
        if tokens[-1].type != "RBRACE" and values & _VARIABLES and _has_literal(own):
            return none  # a variable: `__device__ T x(1);`
        classes = _classes_before(head, name)
        if name.value == "operator":
            return replace(none, names=frozenset(classes) or None, operands=_words(own[: len(own) - 1]))
        called = {before.value for before, token in pairwise(head) if token.type == "LPAREN" and before.type in _NAMES}
        if called & _UNNAMED:
            return none
        if tokens[-1].type == "SEMI":  # `int a(1), b = 2;`
            called |= _variables(own)
        return replace(none, names=frozenset(called | classes) or None)

    def _record(self, tokens: list[Token], own: list[Token], head: list[Token]) -> _Declaration:
        if any(token.type == "ENUM" for token in head):
            names = self._all(tokens)
        else:
            names = _words(_before_bases(head)) | _outside_braces(own[len(_until_brace(own)) :])
        if names & _UNNAMED or not names:
            return _Declaration(tokens, None, self._pre.text)
        return _Declaration(tokens, names, self._pre.text, names)

    def _alias(self, tokens: list[Token], names: frozenset[str]) -> _Declaration:
        return _Declaration(tokens, names or None, self._pre.text, names, is_alias=True)

    def _all(self, tokens: list[Token]) -> frozenset[str]:
        return frozenset(_Declaration(tokens, None, self._pre.text).words - _TYPE_WORDS)


class _Uses:
    """Finds what is used, from the words of the file itself on, in time linear in the length of the declarations.

    A program has values of an operator's operands only if it names the type of one. A word of an operand may denote
    that type by an alias.
    """

    def __init__(self, declarations: list[_Declaration], words: set[str]) -> None:
        self._declarations = declarations
        self._words = words
        self._denoted_by: dict[str, set[str]] = {}  # a type to the aliases whose declarations have that word
        self._types = {name for one in declarations for name in one.types}
        for one in declarations:
            for alias in one.types if one.is_alias else ():
                self._note(alias, one.words)
            for operand in one.operands:
                self._note(operand, _cuda_types_in(operand))
        self._by_name: dict[str, list[_Declaration]] = {}
        self._by_operand: dict[str, list[_Declaration]] = {}
        self._todo: list[_Declaration] = []
        have_types = set(self._that_may_denote(self._types, set()))
        for one in declarations:
            operands = one.operands & have_types
            if not operands and one.names is None:
                self._todo.append(one)
            for name in one.names or ():
                self._by_name.setdefault(name, []).append(one)
            for operand in operands:
                self._by_operand.setdefault(operand, []).append(one)
        self._denoted: set[str] = set()

    def unused(self) -> set[int]:
        """Return the ids of the token lists of the declarations that are not used."""
        used: set[int] = set()
        self._mention(self._words)
        while self._todo:
            one = self._todo.pop()
            if id(one.tokens) not in used:
                used.add(id(one.tokens))
                self._mention(one.words)
        return {id(one.tokens) for one in self._declarations} - used

    def _note(self, word: str, denoted: Iterable[str]) -> None:
        for name in denoted:
            self._denoted_by.setdefault(name, set()).add(word)
            self._types |= _cuda_types_in(name)

    def _mention(self, words: set[str]) -> None:
        for word in words:
            self._todo += self._by_name.pop(word, ())
        for word in self._that_may_denote(words & self._types, self._denoted):
            self._todo += self._by_operand.pop(word, ())

    def _that_may_denote(self, types: Iterable[str], seen: set[str]) -> list[str]:
        """Return `types` and the words that denote one of them, without those in `seen`, and add them there."""
        found = [name for name in types if name not in seen]
        seen.update(found)
        for name in found:
            more = self._denoted_by.get(name, set()) - seen
            seen |= more
            found += more
        return found


def _items(split: Split) -> Iterator[Item]:
    """Yield the items with those of namespaces; what is in namespace std counts unnamed.

    Functions of the host are among `split.host`.
    """
    for item in split.items:
        if item.kind == "host":
            continue
        if item.inside is None:
            yield item
        elif item.tokens[0].value != "std":
            yield from _items(item.inside)


def _words(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.value for token in tokens if token.type in _NAMES)


def _variables(tokens: list[Token]) -> frozenset[str]:
    return frozenset(name.value for name in variable_names(tokens))


def _before(tokens: list[Token], *kinds: str) -> frozenset[str]:
    """Return the last name before a token of one of these kinds."""
    end = next((i for i, token in enumerate(tokens) if token.type in kinds), len(tokens))
    return frozenset([name.value for name in tokens[:end] if name.type in _NAMES][-1:])


def _until_brace(tokens: list[Token]) -> list[Token]:
    end = next((i for i, token in enumerate(tokens) if token.type == "LBRACE"), len(tokens))
    return tokens[:end]


def _before_bases(head: list[Token]) -> list[Token]:
    end = next((i for i, token in enumerate(head) if token.type == "COLON"), len(head))
    return head[:end]


def _outside_braces(tokens: list[Token]) -> frozenset[str]:
    names: set[str] = set()
    depth = 0
    for token in tokens:
        depth += (token.type == "LBRACE") - (token.type == "RBRACE")
        if depth == 0 and token.type in _NAMES:
            names.add(token.value)
    return frozenset(names)


def _has_literal(tokens: list[Token]) -> bool:
    """True if what is in parentheses begins as no parameter does."""
    at = next((i for i, token in enumerate(tokens) if token.type == "LPAREN"), len(tokens))
    return any("CONST_" in token.type or "LITERAL" in token.type for token in tokens[at + 1 : at + 3])


def _classes_before(head: list[Token], name: Token) -> set[str]:
    """Return `A` and `B` of a function's name `A::B<T>::f`."""
    at = next(i for i, token in enumerate(head) if token is name) - 1
    classes: set[str] = set()
    while at > 0 and head[at].type == "COLONCOLON":
        at -= 1
        depth = 0
        while at > 0 and (head[at].type in ("GT", "RSHIFT") or depth > 0):
            depth += {"GT": 1, "RSHIFT": 2, "LT": -1}.get(head[at].type, 0)
            at -= 1
        classes.add(head[at].value)
        at -= 1
    return classes
