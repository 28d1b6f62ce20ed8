"""Statements: declarations, assignments, and every way that control can flow."""

from __future__ import annotations

from collections.abc import Callable

from .expressions import (
    change,
    condition,
    divergent,
    guarded_element,
    index,
    number,
    real,
    uniform,
    value,
    wide,
    within,
    word,
)
from .keeping import keep
from .rows import along_row, neighbours
from .writer import DOUBLE, FLOAT, INT, LIMIT, LONG, NARROW, UNSIGNED, WIDE, Place, Scope, Type, Writer


def statements(w: Writer, scope: Scope, least: int, most: int, depth: int) -> None:
    w.choices.several(least, most, lambda: statement(w, scope, depth))


def block(
    w: Writer,
    scope: Scope,
    depth: int,
    *,
    loop: bool = False,
    head: str = "",
    tail: str = "",
    first: Callable[[Scope], None] = lambda _: None,
) -> None:
    with w.braces(head, tail):
        inner = scope.inner(loop=loop)
        first(inner)
        statements(w, inner, 0, 3, depth - 1)
        for place in inner.places[len(scope.places) :]:
            if w.chance(60):
                note_place(w, place)


def statement(w: Writer, scope: Scope, depth: int) -> None:
    if w.statements_left <= 0:
        return
    w.statements_left -= 1
    features = w.features
    kinds: list[tuple[int, Callable[[Writer, Scope, int], None]]] = [(5, assign), (3, declare), (1, note)]
    if depth > 0:
        kinds.append((5, branch))
        if features.loops and scope.loops < 3:
            kinds += [(3, for_), (2, while_), (1, do), (1, forever)]
            if w.function is None:
                kinds += [(1, pointer_loop), (2, along_row), (2, neighbours)]
        if features.switches:
            kinds.append((4, switch))
    if features.effects:
        kinds.append((3, evaluate))
    if features.leaves:
        kinds.append((3, leave))
    if features.atomics and w.function is None:
        kinds.append((3, count))
    if features.locks and w.function is None and scope.loops < 2:
        kinds.append((2, hold_lock))
    if features.keeps and w.function is None:
        kinds.append((8, keep_places))
    # Many values are the same in all threads, so that it is control flow that makes them differ.
    w.flat = w.chance(50)
    w.choices.weighted(kinds)(w, scope, depth)
    w.flat = False


def keep_places(w: Writer, scope: Scope, depth: int) -> None:
    """A place in memory is read and written, and what was read is used."""
    keep(w, scope, lambda inner: leave(w, inner, depth) if w.features.leaves else None)


# ---------------------------------------------------------------------------------------------- variables and values


def note_place(w: Writer, place: Place) -> None:
    """Fold what a place holds into the thread's hash `h`: it decides what comes out in the end."""
    if place.type.kind == "real":
        w.line(f"h = h * 33u + ({place.text} < 1.0f) + 2 * ({place.text} != {place.text});")
    else:
        w.line(f"h = h * 33u + (unsigned){place.text};")


def note(w: Writer, scope: Scope, _depth: int) -> None:
    if scope.places:
        note_place(w, w.pick(scope.places))


def note_all(w: Writer, scope: Scope) -> None:
    """Note most of what there is. What is not read any more is worth a try too: the compiler may reuse its place."""
    for place in scope.places:
        if place.writable and place.group != "out" and w.chance(50):
            note_place(w, place)
    for name, (ctype, last) in scope.arrays.items():
        for k in range(min(last + 1, 4)):
            note_place(w, Place(f"{name}[{k}]", ctype, name))


def variable_type(w: Writer) -> Type:
    types = [(6, INT), (3, UNSIGNED)]
    if w.features.narrow:
        types.append((5, w.pick(NARROW)))
    if w.features.wide:
        types += [(2, WIDE), (3, LONG)]
    if w.features.reals:
        types += [(3, FLOAT), (2, DOUBLE)]
    return w.choices.weighted(types)


def declare(w: Writer, scope: Scope, _depth: int) -> None:
    makers: list[tuple[int, Callable[[Writer, Scope], None]]] = [(4, _variable)]
    if w.features.arrays:
        makers.append((4, own_array))
    if w.features.pointers:
        makers.append((3, _pointer))
    if w.structs:
        makers.append((3, _struct))
    w.choices.weighted(makers)(w, scope)


def _variable(w: Writer, scope: Scope) -> None:
    ctype, name = variable_type(w), w.name("x")
    with w.expression(scope):
        w.line(f"{ctype.name} {name} = {value(w, scope, ctype)};")
    scope.places.append(Place(name, ctype, name))


def own_array(w: Writer, scope: Scope) -> None:
    """Declare an array of the thread's own."""
    ctype, name, last = variable_type(w), w.name("a"), w.pick([1, 3, 7, 1, 15])
    if w.chance(50):
        with w.expression(scope):  # in braces, C++ wants constants to fit
            fitting = [f"({ctype.name})({text})" for text in (value(w, scope, ctype), value(w, scope, ctype, 0))]
            w.line(f"{ctype.name} {name}[{last + 1}] = {{{', '.join(fitting)}}};")
    else:
        w.line(f"{ctype.name} {name}[{last + 1}];")
        w.line(f"for (int k = 0; k <= {last}; k++) {name}[k] = {w.pick(['k', 'k * 5 & 7', '0'])};")
        with w.expression(scope):
            w.line(f"{name}[{w.choices.upto(last)}] = {value(w, scope, ctype)};")
    scope.arrays[name] = (ctype, last)
    if w.chance(60):
        with w.expression(scope):
            w.line(f"h += {guarded_element(w, scope, 1)[0]};")
    scope.places.append(Place(f"{name}[{w.choices.upto(last)}]", ctype, name))


def _pointer(w: Writer, scope: Scope) -> None:
    """A pointer to one of several variables, or into an array, which differs by thread."""
    targets = [p for p in scope.places if p.writable and not p.text.startswith("(*")]
    if not targets:
        return
    first = w.pick(targets)
    others = [p for p in targets if p.type == first.type]
    second = w.pick(others)
    text = f"&{first.text}"
    arrays = [name for name, (ctype, _) in scope.arrays.items() if ctype == first.type]
    with w.expression(scope):
        if second != first:
            text = f"{divergent(w, scope, 1)} ? &{first.text} : &{second.text}"
        elif arrays and w.chance(60):
            array = w.pick(arrays)
            second = Place("", first.type, array)
            text = f"&{array}[{index(w, scope, 1, scope.arrays[array][1])}]"
    name = w.name("p")
    w.line(f"{first.type.name} *{name} = {text};")
    scope.places.append(Place(f"(*{name})", first.type, w.join(w.group(first), w.group(second))))


def _struct(w: Writer, scope: Scope) -> None:
    struct, name = w.pick(list(w.structs)), w.name("s")
    others = [other for other, of in scope.structs.items() if of == struct]
    if struct == "S0" and w.maker and w.function is None and w.chance(40):
        with w.expression(scope):
            w.line(f"{struct} {name} = make({number(w, scope, 1)[0]});")
    elif struct == "S0" and w.function is None and w.chance(30):
        at = w.pick(["i", "i + 1", "u", "63 - (i & 63)", *([f"{number(w, scope, 1)[0]} & 63"] * 2)])
        w.line(f"{struct} {name} = items[{at}];")
    elif others and w.chance(40):
        w.line(f"{struct} {name} = {w.pick(others)};")
    else:
        with w.expression(scope):
            fields = [ctype for ctype, _, length in w.structs[struct][:2] if not length]
            members = [f"({ctype.name})({value(w, scope, ctype, 1)})" for ctype in fields]
            w.line(f"{struct} {name} = {{{', '.join(members)}}};")
    if w.chance(30):
        pointer = w.name("q")
        w.line(f"{struct} *{pointer} = &{name};")
        w.join(name, pointer)
        add_members(w, scope, struct, f"{pointer}->", name)
    scope.structs[name] = struct
    add_members(w, scope, struct, f"{name}.", name)


def add_members(w: Writer, scope: Scope, struct: str, prefix: str, group: str) -> None:
    """Let the members of a variable of a struct type be used."""
    for ctype, member, length in w.structs[struct]:
        if length:
            scope.arrays[prefix + member] = (ctype, length - 1)
            w.join(group, prefix + member)
            scope.places.append(Place(f"{prefix}{member}[{w.choices.upto(length - 1)}]", ctype, group))
        else:
            scope.places.append(Place(prefix + member, ctype, group))


def assign(w: Writer, scope: Scope, _depth: int) -> None:
    places = w.writable(scope)
    arrays = list(scope.arrays)
    if arrays and w.chance(30):
        name = w.pick(arrays)
        ctype, last = scope.arrays[name]
        with w.expression(scope, Place(name, ctype, name)):
            at = index(w, scope, 2, last)
            w.line(f"{name}[{at}] = {value(w, scope, ctype)};")
    elif len(scope.structs) > 1 and w.chance(20):
        name = w.pick(list(scope.structs))
        same = [other for other, struct in scope.structs.items() if struct == scope.structs[name]]
        w.line(f"{name} = {w.pick(same)};")
    elif w.struct_function and w.function is None and w.chance(30):
        _mix(w, scope)
    elif places:
        _assign_to(w, scope, w.pick(places))


def _mix(w: Writer, scope: Scope) -> None:
    """Call the function that takes a struct by value and changes another one, or that which it got."""
    names = [name for name, struct in scope.structs.items() if struct == "S0"]
    if names:
        with w.expression(scope):
            w.free.clear()  # it might be a member of what is passed by value
            a = within(w, number(w, scope, 1), INT)
        w.line(f"h += mix(in, {w.pick(names)}, &{w.pick([n for n in names if n != 'record'])}, {a});")


def _assign_to(w: Writer, scope: Scope, place: Place) -> None:
    ctype = place.type
    with w.expression(scope, place):
        if ctype.kind == "real":
            op = w.pick(["=", "+=", "-=", "*=", "/=", "++"])
            w.line(f"{place.text}{op};" if op == "++" else f"{place.text} {op} {real(w, scope, ctype, 2)};")
        elif ctype in (UNSIGNED, WIDE):
            op = w.pick(["=", "+=", "-=", "^=", "|=", "&=", "*="])
            w.line(f"{place.text} {op} {value(w, scope, ctype)};")
        elif w.chance(30) and ctype.bits >= 32:
            op = w.pick(["+", "-", "^"])
            text, _ = number(w, scope, 2)
            w.line(f"{place.text} = ({place.text} {op} ({text} & 255)) % {LIMIT};")
        else:
            w.line(f"{place.text} = {value(w, scope, ctype)};")


def evaluate(w: Writer, scope: Scope, _depth: int) -> None:
    """An expression that stands for its effect alone."""
    with w.expression(scope):
        if not w.free:
            return
        place = w.free.pop()
        shape = w.choices.upto(5)
        cond = divergent(w, scope, 2) if shape > 2 else ""
        effect = change(w, scope, place, 2)
        if shape == 3:
            w.line(f"{cond} && ({effect} > 3);")
        elif shape == 4:
            w.line(f"{cond} || ({effect} > 3);")
        elif shape == 5 and w.free:
            w.line(f"{cond} ? (void)({effect}) : (void)({change(w, scope, w.free.pop(), 2)});")
        else:
            w.line(f"{effect};")


def count(w: Writer, scope: Scope, _depth: int) -> None:
    """An atomic operation on a place that all threads share. The order must not matter: the result is unused.

    All results of additions of 1 are known, if not whose they are: they may be added up.
    """
    name, ctype, op = w.pick(w.counters)
    with w.expression(scope):
        at = f"&{name}[{w.pick(['0', '3', f'{number(w, scope, 2)[0]} & 7'])}]"
        if op == "Loop":
            operand = f"({word(w, scope, 1)} & 7u)"
            old, seen = w.name("old"), w.name("seen")
            target = w.name("at")
            with w.braces():
                w.line(f"unsigned *{target} = {at};")
                w.line(f"unsigned {old} = *{target}, {seen}, add = {operand};")
                w.line(f"do {{ {seen} = {old}; {old} = atomicCAS({target}, {seen}, {seen} + add); }}")
                w.line(f"while ({seen} != {old});")
        elif op == "Inc":
            w.line(f"atomicInc({at}, 1000u);")
        elif op == "Ticket":
            w.line(f"atomicAdd(&{name}[7], atomicAdd(&{name}[{w.pick(['0', '1', '2'])}], 1));")
        elif ctype.kind == "real":
            w.line(f"atomicAdd({at}, ({ctype.name})({number(w, scope, 1)[0]} & 15));")
        else:
            operand = wide(w, scope, 2) if ctype == WIDE else value(w, scope, ctype)
            w.line(f"atomic{op}({at}, {operand});")


def hold_lock(w: Writer, scope: Scope, _depth: int) -> None:
    """Take a lock, change what it guards, give it back."""
    at = w.name("lock")
    with w.braces():
        with w.expression(scope):
            w.line(f"int {at} = {w.pick(['0', 'i & 1', f'{number(w, scope, 1)[0]} & 3'])};")
        with w.expression(scope):
            work = f"totals[{at}] {w.lock_operator} {word(w, scope, 2)};"
        if w.choices.upto(1):
            done = w.name("done")
            w.line(f"bool {done} = false;")
            with w.braces(f"while (!{done})"), w.braces(f"if (atomicCAS(&locks[{at}], 0, 1) == 0)"):
                w.line(work)
                w.line("__threadfence();")
                w.line(f"atomicExch(&locks[{at}], 0);")
                w.line(f"{done} = true;")
        else:
            w.line(f"while (atomicCAS(&locks[{at}], 0, 1) != 0);")
            w.line(work)
            w.line("__threadfence();")
            w.line(f"atomicExch(&locks[{at}], 0);")


# ------------------------------------------------------------------------------------------------------ control flow


def leave(w: Writer, scope: Scope, _depth: int) -> None:
    """break, continue or return, mostly under a condition."""
    choices = [w.leave]
    if scope.loops or scope.in_switch:
        choices += ["break;"] * 4
    if scope.loops:
        choices += ["continue;"] * 4
    choice = w.pick(choices)
    if "%s" in choice:
        choice = choice.replace("%s", within(w, number(w, scope, 1), INT))
    if scope.in_switch and w.chance(10):
        w.line(choice)
        return
    with w.expression(scope):
        w.line(f"if {divergent(w, scope, 2)}")
    w.line(f"    {choice}")


def branch(w: Writer, scope: Scope, depth: int) -> None:
    with w.expression(scope):
        head = f"if {divergent(w, scope, 2)}"
    if w.chance(30):
        _same_in_both(w, scope, depth, head)
        return
    block(w, scope, depth, head=head)
    if w.chance(20):
        with w.expression(scope):
            head = f"else if {divergent(w, scope, 2)}"
        block(w, scope, depth, head=head)
    if w.chance(50):
        block(w, scope, depth, head="else")


def _same_in_both(w: Writer, scope: Scope, depth: int, head: str) -> None:
    """One arm changes what the other one reads: the lanes that wait must still have the old value.

    It may be a variable that all threads agree on, and that is not read after the arms.
    """
    name = w.name("x")
    place = Place(name, INT, name)
    places = w.writable(scope)
    if places and w.chance(50):
        place = w.pick(places)
    else:
        w.line(f"int {name} = {w.pick(['u', '7', 'in[u]'] if w.function is None else ['5', '7', 'd[0]'])};")

    def change_it(inner: Scope) -> None:
        if place.text == name:
            w.line(f"{name} {w.pick(['+= 5', '= u * 3' if w.function is None else '= 3', '-= 2', '= 77'])};")
        else:
            _assign_to(w, inner, place)
        note_place(w, place)

    arms = [change_it, lambda _: note_place(w, place)]
    if w.chance(30):
        arms.reverse()
    block(w, scope, depth, head=head, first=arms[0])
    block(w, scope, depth, head="else", first=arms[1])


def for_(w: Writer, scope: Scope, depth: int) -> None:
    """The bound is fixed before the loop: what the body assigns cannot prolong it."""
    counter, bound = w.name("k"), w.name("m")
    with w.expression(scope):
        limit = w.pick([str(w.choices.between(1, 5)), f"{number(w, scope, 1)[0]} & 7", f"{number(w, scope, 1)[0]} & 3"])
        w.line(f"const int {bound} = {limit};")
    inner = scope.inner()
    head = f"int {counter} = 0"
    if w.chance(30):
        w.line(f"int {counter};")
        scope.counter(counter)
        head = f"{counter} = 0"
    inner.counter(counter)
    inner.counter(bound)
    step = w.pick([f"{counter}++", f"++{counter}", f"{counter} += 2"])
    with w.expression(scope):
        if w.free and w.chance(50):
            step += f", {change(w, scope, w.free.pop(), 1)}"
        test = f"{counter} < {bound}"
        if w.free and w.chance(50):
            test += f" && {condition(w, scope, 1)}"
    block(w, inner, depth, loop=True, head=f"for ({head}; {test}; {step})")


def while_(w: Writer, scope: Scope, depth: int) -> None:
    fuel = w.name("fuel")
    with w.expression(scope):
        w.line(f"int {fuel} = {w.pick(['5', f'{number(w, scope, 1)[0]} & 7'])};")
    with w.expression(scope):
        head = f"while ({fuel}-- > 0 && {divergent(w, scope, 2)})"
    block(w, scope, depth, loop=True, head=head)
    scope.counter(fuel)


def forever(w: Writer, scope: Scope, depth: int) -> None:
    """A loop that ends in its middle."""
    fuel = w.name("fuel")
    w.line(f"int {fuel} = {w.choices.between(1, 5)};")
    with w.braces(w.pick(["for (;;)", "while (true)"])):
        inner = scope.inner(loop=True)
        inner.counter(fuel)
        first = inner.inner()
        first.loops, first.in_switch = 0, False  # no `continue`, which would leave out the count
        statements(w, first, 0, 1, depth - 1)
        with w.expression(inner):
            cond = f"--{fuel} <= 0 || {divergent(w, inner, 1)}"
            w.line(f"if ({cond}) {w.pick(['break;', 'break;', w.leave.replace('%s', '0')])}")
        statements(w, inner, 0, 1, depth - 1)


def pointer_loop(w: Writer, scope: Scope, depth: int) -> None:
    """A loop whose counter is a pointer."""
    at, start = w.name("at"), w.name("start")
    with w.expression(scope):
        w.line(f"const int *{start} = in + ({number(w, scope, 1)[0]} & 15);")
    inner = scope.inner()
    inner.places.append(Place(f"(*{at})", INT, at, writable=False))
    inner.places.append(Place(f"(int)({at} - {start})", INT, at, writable=False))
    step = w.pick([f"{at}++", f"++{at}", f"{at} += 3", f"{at} += 1 + (i & 3)"])
    end = w.pick([f"{at} < in + 20", f"{at} != {start} + 3" if "3" not in step else f"{at} < {start} + 9"])
    block(w, inner, depth, loop=True, head=f"for (const int *{at} = {start}; {end}; {step})")


def do(w: Writer, scope: Scope, depth: int) -> None:
    fuel = w.name("fuel")
    w.line(f"int {fuel} = {w.choices.between(1, 5)};")
    with w.expression(scope):
        tail = f" while (--{fuel} > 0 && {divergent(w, scope, 2)});"
    block(w, scope, depth, loop=True, head="do", tail=tail)
    scope.counter(fuel)


def switch(w: Writer, scope: Scope, depth: int) -> None:
    """Several labels a section, sections that fall through, `default` anywhere, `break` under a condition."""
    values: tuple[int, ...] = w.pick([(0, 1, 2, 3), (1, 3, 7, 2, 0)])
    with w.expression(scope):
        kind = w.choices.upto(5)
        if kind >= 3 and scope.uniform:
            selector = uniform(w, scope)
        elif kind == 1:
            selector = f"{word(w, scope, 1)} & 3u"
        elif kind == 2:
            selector, values = number(w, scope, 2)[0], (-5, 2, 77, 3, 1, 0)
        else:
            selector = f"{number(w, scope, 1)[0]} & 7"
    labels = [f"case {k}:" for k in values]
    if w.chance(70):
        labels.insert(w.choices.upto(len(labels)), "default:")
    with w.braces(f"switch ({selector})"):
        while labels:
            taken = min(len(labels), w.pick([1, 1, 2, 3]))
            for label in labels[:taken]:
                w.line(label)
            del labels[:taken]
            w.choices.part(lambda: _section(w, scope, depth))


def _section(w: Writer, scope: Scope, depth: int) -> None:
    inner = scope.inner(switch=True)
    with w.braces():
        statements(w, inner, 0, 2, depth - 1)
        end = w.choices.upto(4)
        if end == 1:
            with w.expression(inner):
                w.line(f"if {divergent(w, inner, 1)}")
            w.line("    break;")
        elif end == 2 and inner.loops:
            w.line("continue;")
        elif end >= 2:
            w.line("break;")
