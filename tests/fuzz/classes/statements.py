"""Random statements: objects in blocks, loops, switches, arrays, memory of their own, and jumps that leave them."""

from __future__ import annotations

from . import topics
from .expressions import DEPTH, bound, condition, made, moved, no_declaration, number, place, pure, test, value
from .writer import Class, Scope, Variable, Writer


def statements(w: Writer, scope: Scope, least: int, most: int, depth: int) -> None:
    w.choices.several(least, most, lambda: _statement(w, scope, depth))


def _statement(w: Writer, scope: Scope, depth: int) -> None:
    w.statements_left -= 1
    if w.statements_left < 0:
        depth = 0
    simple = [(9, _declaration), (3, _reference), (5, _use), (4, _assignment)]
    if scope.loops or scope.result is not None or scope.label or scope.breaks:
        simple.append((3, _leave))
    weight = sum(weight for weight, _ in simple)
    if depth > 0 and w.choices.upto(weight + COMPOUND_WEIGHT - 1) >= weight:
        w.choices.weighted(COMPOUND)(w, scope, depth)
    else:
        w.choices.weighted(simple)(w, scope)


def leave(w: Writer, scope: Scope) -> str:
    """Return a statement that ends the function."""
    if scope.in_kernel:
        return "return;"
    if scope.result is None:
        return f"return {number(w, scope, 2)};"
    own = [v for v in scope.variables if v.of is scope.result and "*" not in v.text and "[" not in v.text]
    if own and w.chance(50):
        return f"return {w.pick(own).text};"
    return f"return {value(w, scope, scope.result, 2)};"


def _leave(w: Writer, scope: Scope) -> None:
    options = [leave(w, scope)]
    if scope.loops:
        options += ["continue;", "break;"]
    elif scope.breaks:
        options.append("break;")
    if scope.label:
        options.append(f"goto {scope.label};")
    w.line(f"if ({test(w, scope)}) {w.pick(options)}")


def _declaration(w: Writer, scope: Scope) -> None:
    of, name = w.pick(w.classes), w.name("x")
    match w.choices.upto(7):
        case 0 | 1:
            w.line(f"{of.name} {name} = {value(w, scope, of)};")
        case 2:
            w.line(f"{of.name} {name}({no_declaration(w, value(w, scope, of))});")
        case 3:
            w.line(f"auto {name} = {value(w, scope, of)};")
        case 4:
            w.line(f"{of.name} {name}{{{value(w, scope, of)}}};")
        case 5 if of.default:
            w.line(f"{of.name} {name};")
        case 6 if not of.aggregate:
            w.line(f"{of.name} {name} = {w.pick([pure(w, scope), '{' + number(w, scope, 2) + '}'])};")
        case _:
            w.line(f"{of.name} {name} = {made(w, scope, of, DEPTH)};")
    const = w.chance(15)
    if const:
        w.lines[-1] = w.lines[-1].replace(w.lines[-1].lstrip(), f"const {w.lines[-1].lstrip()}")
    scope.variables.append(Variable(name, of, const))


def _reference(w: Writer, scope: Scope) -> None:
    of, name = w.pick(w.classes), w.name("r")
    match w.choices.upto(4):
        case 0:
            text = place(w, scope, of, 2, changing=True)
            if text is not None:
                w.line(f"{of.name} &{name} = {text};")
                scope.variables.append(Variable(name, of))
        case 1:
            w.line(f"{of.name} &&{name} = {moved(w, scope, of, 2) or made(w, scope, of, DEPTH)};")
            scope.variables.append(Variable(name, of))
        case 2:
            w.line(f"auto &&{name} = {bound(w, scope, of)};")
            scope.variables.append(Variable(name, of, True))
        case _:
            w.line(f"const {of.name} &{name} = {bound(w, scope, of)};")
            scope.variables.append(Variable(name, of, True))


def _use(w: Writer, scope: Scope) -> None:
    match w.choices.upto(4):
        case 0:
            w.line(f"{no_declaration(w, value(w, scope, w.pick(w.classes)))};")
        case 1:
            w.line(f"note({condition(w, scope)});")
        case 2:
            w.line(f"{no_declaration(w, number(w, scope))}, note({number(w, scope)});")
        case _:
            w.line(f"note({number(w, scope)});")


def _assignment(w: Writer, scope: Scope) -> None:
    of = w.pick(w.classes)
    text = place(w, scope, of, 0 if of.aggregate else 1, changing=True)
    if text is None:
        return _use(w, scope)
    if w.chance(25) and not of.aggregate:
        return w.line(f"{text} = {w.pick([pure(w, scope), '{' + number(w, scope, 2) + '}'])};")
    w.line(f"{text} = {value(w, scope, of)};")
    return None


def _inside(w: Writer, scope: Scope, depth: int) -> None:
    statements(w, scope, 1, 3, depth - 1)


def _if(w: Writer, scope: Scope, depth: int) -> None:
    inner = scope.inner()
    of, name = w.pick(w.classes), w.name("x")
    match w.choices.upto(4):
        case 0:
            head = f"if ({of.name} {name} = {value(w, scope, of, 2)}; {name}.get() & 1u)"
            inner.variables.append(Variable(name, of))
        case 1 if any("bool" in form for _, form in of.forms):
            head = f"if ({of.name} {name} = {value(w, scope, of, 2)})"
            inner.variables.append(Variable(name, of))
        case _:
            head = f"if ({condition(w, scope)})"
    with w.braces(head):
        _inside(w, inner, depth)
    if w.chance(40):
        with w.braces("else"):
            _inside(w, inner.inner(), depth)


def _loop(w: Writer, scope: Scope, depth: int) -> None:
    inner = scope.inner(loop=True)
    of, name, counter = w.pick(w.classes), w.name("x"), w.name("j")
    most = w.pick(["2u", "3u", "(k & 3u)"])
    match w.choices.upto(3):
        case 0:
            head = f"for (unsigned {counter} = 0; {counter} < {most}; {counter}++)"
        case 1:
            begin = f"struct {{ {of.name} x; unsigned j; }} {name} = {{{value(w, scope, of, 1)}, 0u}}"
            head = f"for ({begin}; {name}.j < {most}; {name}.j++)"
            inner.variables.append(Variable(f"{name}.x", of))
            counter = f"{name}.j"
        case 2:
            w.line(f"unsigned {counter} = 0;")
            head = f"while ({counter}++ < {most} && ({condition(w, scope, 2)}))"
        case _:
            w.line(f"unsigned {counter} = 0;")
            with w.braces("do", f" while (++{counter} < {most} && ({condition(w, scope, 2)}));"):
                _inside(w, inner, depth)
            return
    inner.numbers.append(counter)
    with w.braces(head):
        _inside(w, inner, depth)


def _switch(w: Writer, scope: Scope, depth: int) -> None:
    inner = scope.inner(switch=True)
    of, name = w.pick(w.classes), w.name("x")
    head = f"switch ({number(w, scope, 2)} % 4u)"
    if w.chance(30):
        head = f"switch ({of.name} {name} = {value(w, scope, of, 2)}; {name}.get() % 4u)"
        inner.variables.append(Variable(name, of))
    with w.braces(head):
        for label in ("case 0:", "case 1: case 2:", "default:")[: w.choices.between(1, 3)]:
            with w.braces(label):
                _inside(w, inner.inner(), depth)
            if w.chance(60):
                w.line("break;")


def _block(w: Writer, scope: Scope, depth: int) -> None:
    """A block that jumps may leave for its end."""
    inner = scope.inner()
    inner.label = w.name("out")
    with w.braces():
        _inside(w, inner, depth)
        if w.chance(70):
            w.line(f"if ({test(w, inner)}) goto {inner.label};")
        _inside(w, inner, depth)
    w.line(f"{inner.label}:;")


def _backwards(w: Writer, scope: Scope, depth: int) -> None:
    """A jump back over objects, which are destroyed."""
    label, counter = w.name("again"), w.name("j")
    w.line(f"unsigned {counter} = 0;")
    w.line(f"{label}:")
    with w.braces():
        inner = scope.inner()
        _inside(w, inner, depth)
        w.line(f"if ({counter}++ < (k & 1u)) goto {label};")


def _array(w: Writer, scope: Scope, depth: int) -> None:
    of, name = w.pick(w.classes), w.name("a")
    length = w.choices.between(2, 3)
    given = [value(w, scope, of, 2) for _ in range(length if not of.default else w.choices.upto(length))]
    size = str(length) if w.chance(70) or len(given) < length else ""
    w.line(f"{of.name} {name}[{size}]{w.pick([' = ', ''])}{{{', '.join(given)}}};")
    scope.variables.append(Variable(f"{name}[{w.pick(['k & 1u', '0', '1'])}]", of))
    if w.chance(60):
        element = w.name("e")
        inner = scope.inner(loop=True)
        inner.variables.append(Variable(element, of, False))
        with w.braces(f"for ({w.pick([of.name + ' &', 'auto &', of.name + ' ', 'auto &&'])}{element} : {name})"):
            _inside(w, inner, depth)


def _memory(w: Writer, scope: Scope, depth: int) -> None:
    """Objects in memory of their own; nothing jumps over their destruction."""
    of, name = w.pick(w.classes), w.name("p")
    inner = scope.inner()
    inner.loops, inner.breaks, inner.label = 0, False, ""
    match w.choices.upto(3):
        case 0 if of.default:
            w.line(f"{of.name} *{name} = new {of.name}[2]{w.pick(['', '', '{' + value(w, scope, of, 2) + '}'])};")
            element, end = f"{name}[{w.pick(['k & 1u', '1'])}]", f"delete[] {name};"
        case 1:
            w.line(f"alignas({of.name}) unsigned char b{name}[sizeof({of.name})];")
            w.line(f"{of.name} *{name} = new (b{name}) {of.name}({value(w, scope, of, 2)});")
            plain = of.name if "<" not in of.name and not of.name.startswith("G") else ""
            element, end = f"(*{name})", f"{name}->~{plain}();" if plain else f"note({name}->get());"
        case _:
            w.line(f"{of.name} *{name} = new {of.name}({value(w, scope, of, 2)});")
            element, end = f"(*{name})", f"delete {name};"
    inner.variables.append(Variable(element, of))
    uses = w.choices.between(1, 2)
    for _ in range(uses):
        w.choices.weighted([(2, _use), (1, _assignment)])(w, inner)
    w.line(end)


def _polymorphic(w: Writer, scope: Scope, depth: int) -> None:
    """A derived object by a pointer or a reference to a base."""
    pairs = [(b, d) for d in w.classes for b in _bases(d) if b.virtual and b.copies]
    if not pairs:
        return _declaration(w, scope)
    base, derived = w.pick(pairs)
    name = w.name("p")
    if w.chance(50) and base.destroys_virtually:
        other = f"new {base.name}({pure(w, scope)})"
        if w.chance(60):
            w.line(f"{base.name} *{name} = {test(w, scope)} ? new {derived.name}({pure(w, scope)}) : {other};")
        else:
            w.line(f"{base.name} *{name} = new {derived.name}({number(w, scope, 2)});")
        w.line(f"note({name}->virt({number(w, scope, 2)}));")
        w.line(f"delete {name};")
        return None
    text = place(w, scope, derived, 2)
    if text is None:
        w.line(f"const {base.name} &{name} = {made(w, scope, derived, 2)};")
    else:
        w.line(f"const {base.name} &{name} = {text};")
    w.line(f"note({name}.virt({pure(w, scope)}) + {name}.v);")
    scope.variables.append(Variable(name, base, True))
    return None


def _bases(of: Class) -> list[Class]:
    return [*of.bases, *(b for base in of.bases for b in _bases(base))]


def _range(w: Writer, scope: Scope, depth: int) -> None:
    of, element = w.pick(w.classes), w.name("e")
    inner = scope.inner(loop=True)
    lists = [c for c in w.classes if c.list_of]
    if lists and w.chance(50):
        holder = w.pick(lists)
        of, text = holder.members[0][0], f"{made(w, scope, holder, 2)}.items"
    else:
        if not of.copies or not of.default or of.aggregate:
            return _declaration(w, scope)
        text = f"List<{of.name}>({number(w, scope, 2)})"
    inner.variables.append(Variable(element, of, True))
    with w.braces(f"for ({w.pick(['const auto &', 'auto &&', of.name + ' ', 'auto '])}{element} : {text})"):
        _inside(w, inner, depth)
    return None


def _lambda(w: Writer, scope: Scope, depth: int) -> None:
    name, of = w.name("f"), w.pick(w.classes)
    known = [v for v in scope.variables if v.text.isalnum()][-3:]
    captured: list[str] = ["k"]
    inner = Scope(numbers=["k", "n"], result=of)
    for variable in known:
        how = w.choices.upto(3)
        if how < 3:
            fresh = w.name("c")
            captured.append([variable.text, f"&{variable.text}", f"{fresh} = {variable.text}"][how])
            inner.variables.append(Variable(variable.text if how < 2 else fresh, variable.of, variable.const))
    if w.chance(30):
        fresh = w.name("c")
        captured.append(f"{fresh} = {made(w, scope, of, 2)}")
        inner.variables.append(Variable(fresh, of))
    parameter = w.pick(["unsigned n", "auto n", "const auto &n"])
    with w.braces(f"auto {name} = [{', '.join(captured)}]({parameter}) mutable -> {of.name}", ";"):
        _inside(w, inner, depth)
        w.line(leave(w, inner))
    for _ in range(w.choices.between(1, 2)):
        w.line(f"note({name}({number(w, scope, 2)}).get());")
    if w.chance(40):
        w.line(f"auto c{name} = {w.pick([name, f'std::move({name})'])};")
        w.line(f"{of.name} {w.name('x')} = c{name}({pure(w, scope)});")


def _bindings(w: Writer, scope: Scope, depth: int) -> None:
    holders = [c for c in w.classes if c.aggregate and not c.list_of]
    if not holders:
        return _declaration(w, scope)
    holder = w.pick(holders)
    names = [w.name("s") for _ in range(len(holder.members) + 1)]
    head = w.pick(["auto ", "const auto &", "auto &&"])
    given = made(w, scope, holder, 2) if head == "const auto &" else bound(w, scope, holder, 2)
    w.line(f"{head}[{', '.join(names)}] = {given};")
    for name, (member, _) in zip(names, holder.members, strict=False):
        scope.variables.append(Variable(name, member, head != "auto "))
    return None


def _topic(w: Writer, scope: Scope, depth: int) -> None:
    if not w.topics:
        return _declaration(w, scope)
    return topics.statement(w, scope, depth, _inside)


COMPOUND = ((4, _if), (3, _loop), (2, _switch), (2, _block), (2, _array), (2, _memory), (2, _range), (2, _lambda),
            (1, _bindings), (1, _backwards), (2, _polymorphic), (9, _topic))  # fmt: skip
COMPOUND_WEIGHT = sum(weight for weight, _ in COMPOUND)
