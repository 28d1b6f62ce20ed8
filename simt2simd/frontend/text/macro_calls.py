"""The arguments of a macro's call."""

from __future__ import annotations

from typing import Any, NamedTuple


class Call(NamedTuple):
    """The arguments of a macro's call. `closing` is the place of the `)` in the reversed list that they are in."""

    args: list[list[Any]]
    with_commas: list[list[Any]]  # each as it is, with the comma or parenthesis that ends it
    closing: int


def open_at_end(tokens: list[Any], depth: int) -> int:
    """Return how many parentheses are open after `tokens` where `depth` are open before them."""
    for token in tokens:
        if token.value == "(":
            depth += 1
        elif token.value == ")":
            depth = max(0, depth - 1)
    return depth


def closes_more(tokens: list[Any]) -> bool:
    """Whether `tokens` close a parenthesis that they do not open."""
    depth = 0
    for token in tokens:
        depth += (token.value == "(") - (token.value == ")")
        if depth < 0:
            return True
    return False


def arguments(pending: list[Any]) -> Call | None:
    """Return the arguments that begin at the end of `pending`, which is in reverse order; None if there are none."""
    at = len(pending) - 1
    while at >= 0 and not pending[at].value.strip():
        at -= 1
    if at < 0 or pending[at].value != "(":
        return None
    items: list[list[Any]] = [[]]
    depth = 0
    while at >= 0:
        token = pending[at]
        depth += (token.value == "(") - (token.value == ")")
        if depth == 0:
            items[-1].append(token)
            return Call([_stripped(item[:-1]) for item in items], items, at)
        if items != [[]] or depth > 1 or token.value != "(":
            items[-1].append(token)
        if token.value == "," and depth == 1:
            items.append([])
        at -= 1
    return None


def _stripped(tokens: list[Any]) -> list[Any]:
    first, end = 0, len(tokens)
    while first < end and not tokens[first].value.strip():
        first += 1
    while first < end and not tokens[end - 1].value.strip():
        end -= 1
    return tokens[first:end]
