"""Random expressions: numbers, conditions, and objects of a class in every value category.

Operands of most operators and arguments of calls have no order: at most one of them has side effects, and the others
are constants, numbers that nothing changes, or variables that are bound to references. Only what C++ orders may have
effects on both sides: `,`, `&&`, `||`, `?:`, `<<`, `=`, braces, and an object before the arguments of its function.
"""

from __future__ import annotations

from .writer import Class, Function, Scope, Variable, Writer

DEPTH = 3  # of expressions in expressions


def pure(w: Writer, scope: Scope) -> str:
    """Return a number that has no side effects and that no other expression changes."""
    choice = w.choices.upto(3)
    if choice == 0:
        return f"{w.choices.upto(9)}u"
    number = w.pick(scope.numbers)
    return number if choice < 3 else f"({number} {w.pick(['+', '^', '&', '*'])} {w.choices.between(1, 7)}u)"


def test(w: Writer, scope: Scope) -> str:
    """Return a condition without side effects that differs between threads."""
    number = w.pick(scope.numbers)
    forms = [f"({number} & {1 << w.choices.upto(2)}u)", f"{number} > {w.choices.upto(5)}u",
             f"{number} % 3 == {w.choices.upto(2)}u", "true"]  # fmt: skip
    return w.choices.weighted([(5, forms[0]), (4, forms[1]), (3, forms[2]), (1, forms[3])])


def condition(w: Writer, scope: Scope, depth: int = DEPTH) -> str:
    if depth <= 0 or not w.classes:
        return test(w, scope)
    match w.choices.upto(5):
        case 0 | 1:
            return test(w, scope)
        case 2:
            return f"{test(w, scope)} {w.pick(['&&', '||'])} ({number(w, scope, depth - 1)} & 1u)"
        case 3:
            return f"({number(w, scope, depth - 1)} & 1u) {w.pick(['&&', '||'])} {test(w, scope)}"
        case 4:
            return f"!({number(w, scope, depth - 1)} & 2u)"
        case _:
            return f"({number(w, scope, depth - 1)} & 1u)"


def number(w: Writer, scope: Scope, depth: int = DEPTH) -> str:
    """Return an expression of a number, often with side effects."""
    if depth <= 0 or not w.classes:
        return pure(w, scope)
    down = depth - 1
    choice = w.choices.upto(15)
    if choice <= 1:
        return pure(w, scope)
    if choice <= 7:
        return _form(w, scope, "unsigned", down) or pure(w, scope)
    if choice == 8:
        return f"({test(w, scope)} ? {number(w, scope, down)} : {number(w, scope, down)})"
    if choice == 9:
        return f"((void)({number(w, scope, down)}), {number(w, scope, down)})"
    if choice == 10:
        return f"({number(w, scope, down)} {w.pick(['+', '^', '*', '|'])} {pure(w, scope)})"
    if choice == 11:
        return f"({pure(w, scope)} {w.pick(['+', '^', '*', '|'])} {number(w, scope, down)})"
    if choice == 12 and w.overloads:
        return overloaded(w, scope, down)
    if choice == 13:
        of = w.pick(w.classes)
        return f"category({value(w, scope, of, down)})"
    if choice == 14:
        return _lambda(w, scope, down)
    return call(w, scope, None, down) or pure(w, scope)


def overloaded(w: Writer, scope: Scope, depth: int) -> str:
    name = w.pick(w.overloads)
    if w.chance(55):
        return f"{name}({value(w, scope, w.pick(w.classes), depth)})"
    literal = w.pick(["1", "2u", "'a'", "(short)3", "4ll", "1.5f", "2.5", "true", "nullptr", "0", "5ul", "E1", "F::F1",
                      "(unsigned char)3", '"s"', "(signed char)4", "&trace()"])  # fmt: skip
    return f"{name}({literal})"


def _form(w: Writer, scope: Scope, result: str, depth: int, *, places: bool = False) -> str | None:
    """Return a use of an object that gives a `result`, also as a place in the object."""
    results = {result, f"{result} &"} if places else {result}
    options = [(of, form) for of in w.classes for type_, form in of.forms if type_ in results]
    if not options:
        return None
    of, form = w.pick(options)
    return _filled(w, scope, of, form, depth)


def _filled(w: Writer, scope: Scope, of: Class, form: str, depth: int) -> str | None:
    text = form
    if "{v}" in text:
        found = variable(w, scope, of, quiet=True)
        if found is None:
            return None
        text = text.replace("{v}", found.text)
    while "{s}" in text:
        text = text.replace("{s}", number(w, scope, depth - 1), 1)
    while "{o}" in text:
        text = text.replace("{o}", value(w, scope, w.pick(w.classes), depth - 1), 1)
    while "{p}" in text:
        text = text.replace("{p}", pure(w, scope), 1)
    return text.replace("{x}", value(w, scope, of, depth)) if "{x}" in text else text


def variable(w: Writer, scope: Scope, of: Class, *, changing: bool = False, quiet: bool = False) -> Variable | None:
    """Return a variable of the class, if there is one: not const if `changing`, without side effects if `quiet`."""
    found = [v for v in scope.variables if v.of is of and not (changing and v.const) and not (quiet and v.calls)]
    return w.pick(found[-4:]) if found else None


def place(w: Writer, scope: Scope, of: Class, depth: int, *, changing: bool = False) -> str | None:
    """Return an lvalue of an object that lives longer than the full expression."""
    found = variable(w, scope, of, changing=changing)
    if found is None or depth <= 0:
        return found.text if found is not None else None
    down = depth - 1
    match w.choices.upto(9):
        case 0:
            other = place(w, scope, of, down, changing=changing)
            return f"({condition(w, scope, down)} ? {found.text} : {other})"
        case 1 if not found.const and of.copies:
            return f"({found.text} = {value(w, scope, of, down)})"
        case 2:
            return f"((void)({number(w, scope, down)}), {found.text})"
        case 3:
            return f"same({found.text})"
        case 4 if of.changes and not found.const:
            return _filled(w, scope, of, w.pick(of.changes).replace("{x}", found.text), down)
        case 5:
            return f"(*&{found.text})"
        case 6:
            return f"[&]() -> {'const ' * found.const}{of.name} & {{ return {found.text}; }}()"
        case 7 if not found.const:
            return f"static_cast<{w.pick(['', 'const '])}{of.name} &>({found.text})" if not changing else found.text
        case _:
            return found.text


def no_declaration(w: Writer, text: str) -> str:
    """Return an expression such that it declares nothing, unlike `C(k)(x);` and `C y(C(x));`."""
    return f"({text})" if any(text.startswith((f"{of.name}(", f"{of.name}{{")) for of in w.classes) else text


def moved(w: Writer, scope: Scope, of: Class, depth: int) -> str | None:
    """Return an xvalue of an object that lives longer than the full expression."""
    text = place(w, scope, of, depth, changing=True)
    if text is None:
        return None
    return w.pick([f"std::move({text})", f"static_cast<{of.name} &&>({text})"])


def made(w: Writer, scope: Scope, of: Class, depth: int) -> str:
    """Return a prvalue."""
    down = depth - 1
    if of.aggregate:
        if depth <= 0 and of.default:
            return f"{of.name}{{}}"
        parts = [value(w, scope, member, down) for member, _ in of.members]
        inside = ", ".join([*parts[: w.choices.between(1, len(parts))]] if of.default else parts)
        full = of.default and inside.count(",") < len(parts) - 1
        return f"{of.name}{{{inside}}}" if full or w.chance(30) else f"{of.name}{{{inside}, {number(w, scope, down)}}}"
    if depth <= 0:
        return f"{of.name}({pure(w, scope)})"
    match w.choices.upto(11):
        case 0:
            return f"{of.name}{{{number(w, scope, down)}}}"
        case 1 if of.default:
            return f"{of.name}()"
        case 2 | 3:
            return call(w, scope, of, down) or f"{of.name}({pure(w, scope)})"
        case 4:
            return _form(w, scope, of.name, down) or f"{of.name}({pure(w, scope)})"
        case 5 if of.to:
            return f"{of.name}({number(w, scope, down)})"
        case 6:
            others = [c for c in w.classes if of.name in c.to]
            if others:
                return f"{w.pick([f'{of.name}', f'static_cast<{of.name}>'])}({value(w, scope, w.pick(others), down)})"
        case 7 if of.copies:
            return f"{of.name}({value(w, scope, of, down)})"
        case 8:
            arms = made(w, scope, of, down), made(w, scope, of, down)
            return f"({condition(w, scope, down)} ? {arms[0]} : {arms[1]})"
        case 9:
            return f"[&] {{ return {made(w, scope, of, down)}; }}()"
        case 10 if of.makers:
            return _filled(w, scope, of, w.pick(of.makers), down) or f"{of.name}({pure(w, scope)})"
        case _:
            pass
    return f"{of.name}({number(w, scope, down)})"


def value(w: Writer, scope: Scope, of: Class, depth: int = DEPTH) -> str:
    """Return an expression of an object, in any value category."""
    down = depth - 1
    if depth <= 0:
        found = place(w, scope, of, 0)
        return found if found is not None and w.chance(60) else made(w, scope, of, 0)
    match w.choices.upto(9):
        case 0 | 1 | 2:
            return place(w, scope, of, depth) or made(w, scope, of, depth)
        case 3:
            return moved(w, scope, of, depth) or made(w, scope, of, depth)
        case 4 if of.copies:
            return f"({condition(w, scope, down)} ? {value(w, scope, of, down)} : {value(w, scope, of, down)})"
        case 5:
            return _form(w, scope, of.name, down, places=True) or made(w, scope, of, depth)
        case 6:
            return _member(w, scope, of, down) or made(w, scope, of, depth)
        case _:
            return made(w, scope, of, depth)


def _member(w: Writer, scope: Scope, of: Class, depth: int) -> str | None:
    """Return a member or a base of an object in any value category."""
    holders = [c for c in w.classes if any(m is of for m, _ in c.members)]
    derived = [c for c in w.classes if of in c.bases]
    if holders and (not derived or w.chance(60)):
        holder = w.pick(holders)
        name = w.pick([name for member, name in holder.members if member is of])
        return f"{value(w, scope, holder, depth)}.{name}"
    if derived:
        other = place(w, scope, w.pick(derived), depth)
        return f"static_cast<const {of.name} &>({other})" if other is not None else None
    return None


def bound(w: Writer, scope: Scope, of: Class, depth: int = DEPTH) -> str:
    """Return what a reference may be bound to that lives as long as its block, an object that it extends included."""
    match w.choices.upto(5):
        case 0:
            return place(w, scope, of, depth) or made(w, scope, of, depth)
        case 1:
            holders = [c for c in w.classes if any(m is of for m, _ in c.members)]
            if holders:
                holder = w.pick(holders)
                name = w.pick([name for member, name in holder.members if member is of])
                return f"{made(w, scope, holder, depth)}.{name}"
        case 2:
            derived = [c for c in w.classes if of in c.bases]
            if derived:
                return made(w, scope, w.pick(derived), depth)
        case 3 if of.copies:
            other = place(w, scope, of, depth - 1)
            if other is not None:
                return f"({condition(w, scope, depth - 1)} ? {made(w, scope, of, depth - 1)} : {other})"
        case _:
            pass
    return made(w, scope, of, depth)


def _lambda(w: Writer, scope: Scope, depth: int) -> str:
    capture = w.pick(["&", "=", "&, q = 3u"])
    if capture == "=":
        capture = "k"
    inner = Scope(numbers=["p", "k"])
    if scope.variables and capture.startswith("&"):
        inner.variables = list(scope.variables)
    parameter = w.pick(["unsigned", "auto", "const auto &"])
    return f"[{capture}]({parameter} p) {{ return {number(w, inner, depth - 1)}; }}({number(w, scope, depth - 1)})"


def call(w: Writer, scope: Scope, result: Class | None, depth: int) -> str | None:
    """Return a call of a function that returns a `result`; one argument may have side effects."""
    fits = [f for f in w.functions if f.result is result and not f.reference]
    if not fits:
        return None
    function = w.pick(fits)
    arguments = arguments_of(w, scope, function, depth)
    return f"{function.name}({', '.join(arguments)})" if arguments is not None else None


def arguments_of(w: Writer, scope: Scope, function: Function, depth: int) -> list[str] | None:
    """Return arguments, of which one may have side effects."""
    result: list[str] = []
    effects = False
    for of, how in function.parameters:
        if of is None:
            if effects or w.chance(60):
                result.append(pure(w, scope))
            else:
                result.append(number(w, scope, depth - 1))
                effects = True
            continue
        alone = sum(other is not None for other, _ in function.parameters) == 1
        before = effects
        found: str | None
        if how == "&":
            found = place(w, scope, of, 0 if effects else depth - 1, changing=True)
            effects = True
        elif effects and how == "const &":
            known = variable(w, scope, of, quiet=True)
            found = known.text if known is not None else None
        elif effects:
            return None
        elif how == "const &":
            found, effects = value(w, scope, of, depth - 1), True
        elif how == "&&":
            found = moved(w, scope, of, depth - 1) if w.chance(50) else made(w, scope, of, depth - 1)
            effects = True
        else:
            found, effects = value(w, scope, of, depth - 1), True
        if found is None:
            return None
        if alone and not before and of.aggregate is False and how in ("", "const &") and w.chance(12):
            found = w.pick([f"{{{pure(w, scope)}}}", pure(w, scope)])
        result.append(found)
    return result
