"""Which functions a text at file scope cannot name as rewritten code does, and why.

In the tree, `geo::near`, `near<Node>`, `Tree::near` and the second `near` have the names `geo_near`, `near_Node`,
`Tree_near` and `near_2`. The program declares none of these, so what is printed can neither replace nor call them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..pipeline import Compiled, results
from ..tree.nodes import Function, Module

_SCOPE = re.compile(r"(?P<scope>.*)::(?=[^<>]*(<.*>)?\Z)")


def why_unnamed(module: Module, function: Function) -> str | None:
    """Return what keeps the text from naming a function: "is in the namespace 'geo'"; None if nothing does."""
    if function.name == function.title:
        return None
    return " and ".join(_reasons(module, function)) or "has no name in the program's text"


def _reasons(module: Module, function: Function) -> Iterator[str]:
    title = function.title
    if title.startswith("lambda "):
        yield "is a lambda"
        return
    if title.startswith("virtual "):
        yield "is a virtual function"
        return
    found = _SCOPE.match(title)
    own = title[found.end() :] if found else title
    if own.endswith(">") and not own.startswith("operator"):
        yield "is a template"
    if found:
        scope = found["scope"]
        is_method = scope in {struct.shown or struct.tag for struct in module.structs} or _has_object(function)
        yield f"is a method of '{scope}'" if is_method else f"is in the namespace '{scope}'"
    elif own.isidentifier():
        yield "is overloaded"


def _has_object(function: Function) -> bool:
    return bool(function.params) and function.params[0].name == "self"


def unnamed_in(compiled: Compiled, texts: Iterable[str]) -> str | None:
    """Return the obstacle that rewritten code names a function that the text cannot; None if there is none."""
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    module = compiled[results.TREE]
    for function in module.functions.values():
        why = why_unnamed(module, function)
        if why is not None and function.name in words:
            return f"it reaches '{function.title}', which {why}"
    return None
