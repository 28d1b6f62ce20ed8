"""Reads of neighbours: a thread goes along elements that lie side by side, or reads two of them, perhaps at an edge.

Inputs have four elements for each thread, and 64 more.
"""

from __future__ import annotations

from .expressions import value
from .writer import INT, Place, Scope, Type, Writer


def along_row(w: Writer, scope: Scope, _depth: int) -> None:
    """Write a loop over elements of an input, from a place of the thread's own on."""
    array, ctype = w.pick(w.inputs)
    first, length, k = w.name("first"), w.name("length"), w.name("k")
    with w.expression(scope):
        w.line(f"const int {first} = 4 * i + ({value(w, scope, INT)} & 31);")
        w.line(f"int {length} = {value(w, scope, INT)} & {w.pick([1, 7, 15, 31, 31])};")
    shape = w.choices.upto(2)
    head = (f"for (int {k} = 0; {k} < {length}; {k}++)", f"{first} + {k}")
    if shape == 1:
        head = (f"for (int {k} = {first}; {k} < {first} + {length}; ++{k})", k)
    elif shape == 2:
        head = (f"for (unsigned {k} = 0; {k} < {length}; {k} += 1)", f"(unsigned){first} + {k}")
    with w.braces(head[0]):
        element = _element(array, ctype, head[1])
        if w.chance(25):
            with w.expression(scope):
                w.line(f"if (({value(w, scope, INT)} & 7) == 3) {w.pick(['break', 'continue', f'{length}--'])};")
        if w.chance(40):
            with w.braces(f"if ({element.text} > 1)"):
                _note(w, element)
        else:
            _note(w, element)
        writable = [place for place in scope.places if place.writable]
        if writable and w.chance(40):
            target = w.pick(writable)
            with w.expression(scope, target):
                w.line(f"{target.text} = {value(w, scope, target.type)};")


def neighbours(w: Writer, scope: Scope, _depth: int) -> None:
    """Read two elements side by side, or one twice where they meet an edge."""
    array, ctype = w.pick(w.inputs)
    at = w.name("at")
    with w.expression(scope):
        w.line(f"const int {at} = ({value(w, scope, INT)} & 63) - 8;")
    step = w.pick([0, 1, 1, -1])
    last = w.pick([0, 1, 40, 67])
    forms = {
        "cut": (f"min(max({at}, 0), {last})", f"min(max({at} + {step}, 0), {last})"),
        "beside": (f"4 * i + ({at} & 31)", f"4 * i + ({at} & 31) + 1"),
        "round": (f"{at} & 31", f"(({at} & 31) == 31 ? 0 : ({at} & 31) + 1)"),
    }
    both = [_element(array, ctype, place) for place in forms[w.pick(list(forms))]]
    if w.chance(30):
        both.reverse()
    for element in both:
        _note(w, element)


def _element(array: str, ctype: Type, place: str) -> Place:
    return Place(f"{array}[{place}]", ctype, array, writable=False, varying=True)


def _note(w: Writer, element: Place) -> None:
    """Fold an element into the thread's hash."""
    if element.type.kind == "real":
        w.line(f"h = h * 33u + ({element.text} < 1.0f);")
    else:
        w.line(f"h = h * 33u + (unsigned){element.text};")
