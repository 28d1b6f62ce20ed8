"""A thread reads a place of its own in memory, writes it, and then uses what it has read, under conditions.

    if (held < kept[i]) {
        float old = kept[i];
        kept[i] = held;
        held = old;
    }

Compilers move loads, and the store is what they may not be moved across. The place has several names, lies in a row
with those of other threads or not, and may be one that depends on an index.
"""

from __future__ import annotations

from collections.abc import Callable

from .expressions import divergent, number, value
from .writer import DOUBLE, FLOAT, INT, LONG, NARROW, UNSIGNED, Place, Scope, Type, Writer

ROWS = 4  # places of a thread
TYPES = (INT, FLOAT, UNSIGNED, DOUBLE, LONG, *NARROW)
FORMS = (  # of the elements of a thread
    "%s * threads + i", "%s * threads + i", f"{ROWS} * i + %s", "%s * threads + (threads - 1 - i)",
)  # fmt: skip

Leave = Callable[[Scope], None]  # writes a jump


def declare_kept(w: Writer) -> None:
    """Write a second name of the array, of type `w.kept_type`, that threads have places in."""
    w.line(f"{w.kept_type.name} *again = kept;")


def keep(w: Writer, scope: Scope, leave: Leave) -> None:
    """Write statements that read, write and use such places."""
    makers: list[tuple[int, Callable[[Writer, Scope, Leave], None]]] = [
        (5, _put), (3, _exchange), (4, _later), (3, _along), (3, _either),
    ]  # fmt: skip
    w.choices.weighted(makers)(w, scope, leave)


def _element(w: Writer, row: str) -> str:
    return f"{w.pick(['kept', 'kept', 'again'])}[{w.kept_form.replace('%s', row)}]"


def _places(w: Writer, scope: Scope) -> Callable[[], str]:
    """Return what gives one of the names of a place; perhaps write the computation of its row first."""
    row = str(w.choices.upto(ROWS - 1))
    if w.chance(25):
        row = w.name("row")
        with w.expression(scope):
            w.line(f"const int {row} = {number(w, scope, 1)[0]} & {ROWS - 1};")
    return lambda: _element(w, row)


def _given(w: Writer, scope: Scope) -> str:
    with w.expression(scope):
        return value(w, scope, w.kept_type, 1)


def _if(w: Writer, scope: Scope) -> str:
    with w.expression(scope):
        return f"if {divergent(w, scope, 1)}"


def _new(w: Writer, scope: Scope, letter: str) -> str:
    """Declare a variable of the places' type."""
    name, ctype = w.name(letter), w.kept_type
    w.line(f"{ctype.name} {name} = {_given(w, scope)};")
    return name


def _note(w: Writer, scope: Scope, name: str) -> None:
    """Let what has become of a variable decide what comes out."""
    ctype: Type = w.kept_type
    scope.places.append(Place(name, ctype, name))
    if w.chance(70):
        w.line(f"h = h * 33u + {f'({name} < 1)' if ctype.kind == 'real' else f'(unsigned){name}'};")


def _swap(w: Writer, scope: Scope, place: Callable[[], str], held: str, leave: Leave) -> None:
    """Write the exchange of a variable and a place."""
    old, ctype = w.name("old"), w.kept_type
    w.line(f"{ctype.name} {old} = {place()};")
    if w.chance(20):
        leave(scope)
    if w.chance(25):
        w.line(f"{_if(w, scope)} {place()} = {_given(w, scope)};")
    w.line(f"{place()} = {held if w.chance(70) else _given(w, scope)};")
    if w.chance(15):
        leave(scope)
    w.line(f"{held} = {old};")


def _put(w: Writer, scope: Scope, leave: Leave) -> None:
    place, held = _places(w, scope), _new(w, scope, "held")
    with w.braces(f"if ({held} {w.pick(['<', '>', '<='])} {place()})"):
        _swap(w, scope.inner(), place, held, leave)
    _note(w, scope, held)


def _exchange(w: Writer, scope: Scope, leave: Leave) -> None:
    """Write the exchange of two places, which may be one."""
    one, other, ctype = _places(w, scope), _places(w, scope), w.kept_type.name
    first, second = w.name("old"), w.name("old")
    with w.braces(f"if ({one()} > {other()})" if w.chance(60) else _if(w, scope)):
        w.line(f"{ctype} {first} = {one()}, {second} = {other()};")
        w.line(f"{one()} = {second};")
        if w.chance(20):
            leave(scope.inner())
        w.line(f"{other()} = {first};")
        _note(w, scope.inner(), w.pick([first, second]))


def _later(w: Writer, scope: Scope, leave: Leave) -> None:
    """Write a read under one condition, writes under others, and a use behind them."""
    place, seen, ctype = _places(w, scope), _new(w, scope, "seen"), w.kept_type.name
    with w.braces(_if(w, scope)):
        inner = scope.inner()
        old = w.name("old")
        w.line(f"{ctype} {old} = {place()};")
        head = _if(w, inner)
        with w.braces(head):
            w.line(f"{place()} = {_given(w, inner)};")
            if w.chance(30):
                w.line(f"{seen} = {old};")
                leave(inner.inner())
        if w.chance(30):
            with w.braces("else"):
                w.line(f"{place()} = {w.pick([old, seen])};")
        w.line(f"{seen} = {old};")
    _note(w, scope, seen)


def _along(w: Writer, scope: Scope, leave: Leave) -> None:
    """Write a loop in which a variable goes along the places, as in insertion sort."""
    held, k = _new(w, scope, "held"), w.name("k")
    count = w.name("m")
    with w.expression(scope):
        w.line(f"const int {count} = {w.pick([str(ROWS), f'{number(w, scope, 1)[0]} & 3'])};")
    inner = scope.inner(loop=True)
    inner.counter(k)
    with w.braces(f"for (int {k} = 0; {k} < {count}; {k}++)"):
        if w.chance(25):
            leave(inner)
        element = _element(w, k)
        with w.braces(f"if ({held} {w.pick(['<', '>'])} {element})"):
            _swap(w, inner.inner(), lambda: _element(w, k), held, leave)
    _note(w, scope, held)


def _either(w: Writer, scope: Scope, _leave: Leave) -> None:
    """Write both arms of an `if` that read and write one place."""
    place, seen, ctype = _places(w, scope), _new(w, scope, "seen"), w.kept_type.name
    for head in (_if(w, scope), "else"):
        with w.braces(head):
            old = w.name("old")
            w.line(f"{ctype} {old} = {place()};")
            w.line(f"{place()} = {w.pick([seen, _given(w, scope)])};")
            w.line(f"{seen} = {old};")
    _note(w, scope, seen)
