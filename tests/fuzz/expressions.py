"""Expressions: numbers of all types, conditions, and effects in the middle of both.

Signed arithmetic never overflows: each function returns, with the text, the largest magnitude that its value can have,
and what is assigned to a variable is brought within the limit of its type. The text can stand as an operand.
"""

from __future__ import annotations

from collections.abc import Callable

from .writer import DOUBLE, FLOAT, INT, INT_MAX, LIMIT, LONG, UNSIGNED, WIDE, Function, Place, Scope, Type, Writer

Number = tuple[str, int]

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def is_small(ctype: Type) -> bool:
    """Whether values of the type are ints, or become ints in an expression."""
    return ctype.kind != "real" and (ctype.bits < 32 or ctype == INT)


def value(w: Writer, scope: Scope, ctype: Type, depth: int = 2) -> str:
    """Return an expression to assign to a variable of the type."""
    if ctype.kind == "real":
        return real(w, scope, ctype, depth)
    if ctype == WIDE:
        return wide(w, scope, depth)
    if ctype == UNSIGNED:
        return word(w, scope, depth)
    if ctype.kind == "unsigned" and w.chance(50):
        return word(w, scope, depth)
    return within(w, long_(w, scope, depth) if ctype == LONG else number(w, scope, depth), ctype)


def within(w: Writer, number: Number, ctype: Type) -> str:
    """Return the number, made to fit a variable of a signed type; an unsigned one takes anything."""
    text, bound = number
    if ctype.kind == "unsigned" or bound <= ctype.limit:
        return text
    return f"({text} {w.pick(['%', '&'])} {ctype.limit if ctype in (INT, LONG) else ctype.limit - 1})"


# ------------------------------------------------------------------------------------------------------------- ints


def number(w: Writer, scope: Scope, depth: int) -> Number:
    if depth <= 0 or w.chance(25):
        return leaf(w, scope)
    makers: list[tuple[int, Callable[[Writer, Scope, int], Number]]] = [
        (8, _arithmetic),
        (2, _masked),
        (2, _conditional),
        (1, _truth),
        (2, _from_builtin),
        (1, _from_word),
        (2, _element),
        (2, _input),
    ]
    if w.features.reals:
        makers.append((1, _from_real))
    if w.maker and w.function is None:
        makers.append((1, _made_member))
    if w.features.calls:
        makers.append((3, _call))
    if scope.arrays:
        makers += [(3, _element), (4, guarded_element)]
    if w.free:
        makers += [(8, _effect), (3, _sequence)]
    return w.choices.part(lambda: w.choices.weighted(makers)(w, scope, depth - 1))


def leaf(w: Writer, scope: Scope) -> Number:
    if w.chance(15):
        constant = w.choices.upto(9)
        return str(constant), constant
    if w.free and w.chance(25):
        return _effect(w, scope, 0)
    places = w.readable(scope, is_small)
    if places and w.chance(75):
        place = w.pick(places)
        return place.text, max(place.type.limit, (1 << place.type.bits) - 1 if place.type.bits < 32 else LIMIT)
    if w.flat or w.function is not None:
        return (str(w.pick([1, 2, 5])), 5) if not places else (w.pick(places).text, 1 << 16)
    return w.pick(w.thread_numbers), LIMIT


def _arithmetic(w: Writer, scope: Scope, depth: int) -> Number:
    (a, la), (b, lb) = number(w, scope, depth), number(w, scope, depth)
    op = w.pick(["+", "-", "*", "^", "|", "/", "%", ">>", "<<"])
    if op in "+-" and la + lb <= INT_MAX:
        return f"({a} {op} {b})", la + lb
    if op == "*" and la * lb <= INT_MAX:
        return f"({a} * {b})", la * lb
    if op in "/%":
        return f"({a} {op} ({b} | 1))", max(la, 1)
    if op == ">>":
        return f"({a} >> {w.pick(['1', '3', f'({b} & 15)'])})", la
    if op == "<<" and la < 1 << 20:
        return f"(({a} & 255) << {w.pick(['1', '4', f'({b} & 15)'])})", 255 << 15
    if max(la, lb) < 1 << 30:
        return f"({a} {w.pick(['^', '|', '&'])} {b})", 1 << max(la, lb).bit_length()
    return f"({a} & {b})", 1 << max(la, lb).bit_length()


def _masked(w: Writer, scope: Scope, depth: int) -> Number:
    mask = w.pick([1, 3, 7, 15, 255])
    return f"({number(w, scope, depth)[0]} & {mask})", mask


def _conditional(w: Writer, scope: Scope, depth: int) -> Number:
    cond = divergent(w, scope, depth)
    (a, la), (b, lb) = number(w, scope, depth), number(w, scope, depth)
    return f"({cond} ? {a} : {b})", max(la, lb)


def _truth(w: Writer, scope: Scope, depth: int) -> Number:
    return f"{w.pick(['(int)', '!'])}{divergent(w, scope, depth)}", 1


def _from_builtin(w: Writer, scope: Scope, depth: int) -> Number:
    (a, la), (b, lb) = number(w, scope, depth), number(w, scope, depth)
    name = w.pick(["min", "max", "abs", "__popc", "__clz", "__ffs", "__mulhi", "-", "~"])
    if name in ("min", "max"):
        return f"{name}({a}, {b})", max(la, lb)
    if name == "__mulhi":
        return f"__mulhi({a}, {b})", la + 1
    if name == "abs":
        return f"abs({a})", la
    if name in ("-", "~"):
        return f"({name} {a})", la + 1
    return f"{name}({a})", 32


def _from_word(w: Writer, scope: Scope, depth: int) -> Number:
    return f"(int)({word(w, scope, depth)} % {LIMIT}u)", LIMIT


def _from_real(w: Writer, scope: Scope, depth: int) -> Number:
    """Converted where the result is defined: also of a NaN, which `fmax` replaces."""
    if w.chance(50):
        return f"(int)fminf(fmaxf({real(w, scope, FLOAT, depth)}, -4000.0f), 4000.0f)", LIMIT
    return f"(int)fmin(fmax({real(w, scope, DOUBLE, depth)}, -4000.0), 4000.0)", LIMIT


def _made_member(w: Writer, scope: Scope, depth: int) -> Number:
    """A member of a struct value without a name."""
    ctype, name, length = w.pick(w.structs["S0"])
    text = f"make({number(w, scope, depth)[0]}).{name}{f'[{index(w, scope, depth, length - 1)}]' if length else ''}"
    return (f"({text} < 1)", 1) if ctype.kind == "real" else (f"((int){text} & 2047)", 2047)


def _element(w: Writer, scope: Scope, depth: int) -> Number:
    """An element of a thread's own array, at a place that varies."""
    arrays = [
        (name, ctype, last)
        for name, (ctype, last) in scope.arrays.items()
        if is_small(ctype) and w.group(Place(name, ctype, name)) not in w.reserved
    ]
    if not arrays:
        return leaf(w, scope)
    name, ctype, last = w.pick(arrays)
    return f"{name}[{index(w, scope, depth, last)}]", max(ctype.limit, 1 << 16)


def guarded_element(w: Writer, scope: Scope, depth: int) -> Number:
    """An element of a thread's own array where perhaps no thread of a gang reads it."""
    cond = f"({w.pick(w.gang_conditions)})" if w.gang_conditions and w.chance(70) else divergent(w, scope, depth)
    (a, la), (b, lb) = _element(w, scope, min(depth, 1)), number(w, scope, 0)
    if w.chance(50):
        return f"({cond} ? {a} : {b})", max(la, lb)
    return f"(int)({cond} {w.pick(['&&', '||'])} {a} {w.pick(COMPARISONS)} {b})", 1


def index(w: Writer, scope: Scope, depth: int, last: int) -> str:
    """Return an index of an array of `last` + 1 elements, a power of two."""
    shape = w.choices.upto(9)
    if shape > 7 or (shape > 4 and last == 1):
        if w.gang_conditions and w.chance(60):  # most gangs agree about such an index
            return w.pick(w.gang_conditions)
        return divergent(w, scope, min(depth, 1))
    if shape > 5:
        return str(w.choices.upto(last))
    return f"{number(w, scope, depth)[0]} & {last}"


def _input(w: Writer, scope: Scope, depth: int) -> Number:
    """An element of an input array, at a place that follows the thread index, or any."""
    if w.function is not None:
        return f"d[{number(w, scope, depth)[0]} & 7]", LIMIT
    name = w.pick([name for name, ctype in w.inputs if is_small(ctype)])
    if w.flat and not w.free:
        return f"{name}[{w.pick(['u', 'blockIdx.x'])}]", LIMIT
    shape = w.choices.upto(3)
    a = number(w, scope, depth)[0]
    if shape == 0:
        return f"{name}[{w.pick(w.index_forms)}]", LIMIT
    if shape == 1:
        return f"{name}[{w.pick(w.index_forms)} + ({a} & {w.pick([0, 1, 15])})]", LIMIT
    if shape == 2:
        return f"{name}[{a} & 63]", LIMIT
    return f"{name}[(unsigned){a} % (unsigned)n]", LIMIT


def element(w: Writer, scope: Scope, ctype: Type, depth: int) -> str | None:
    """Return an element of an input array or of a thread's own one, of just this type; None if there is none."""
    own = [
        f"{name}[{index(w, scope, depth, last)}]"
        for name, (of, last) in scope.arrays.items()
        if of == ctype and w.group(Place(name, ctype, name)) not in w.reserved
    ]
    inputs = [name for name, of in w.inputs if of == ctype]
    if own and w.chance(50):
        return w.pick(own)
    if inputs and not w.flat and w.function is None:
        at = w.pick([*w.index_forms, f"{number(w, scope, depth)[0]} & 63"])
        return f"{w.pick(inputs)}[{at}]"
    return None


def _call(w: Writer, scope: Scope, depth: int) -> Number:
    """A call of a function without effects, or of the function itself, one level down."""
    targets = [f for f in w.functions if f.pointer is None] if scope.loops < 2 else []
    if w.recursive and not scope.loops and w.function is not None and w.function.pointer is None:
        targets.append(w.function)
    if not targets:
        return leaf(w, scope)
    return call(w, scope, depth, w.pick(targets), ""), LIMIT


def call(w: Writer, scope: Scope, depth: int, target: Function, pointer: str) -> str:
    level = "depth - 1" if target == w.function else _level(w)
    a = within(w, number(w, scope, depth), INT)
    d = "d" if w.function is not None else w.pick(["in", "in + i", "in + 4 * i"])
    return f"{target.name}({level}, {d}, {a}, {word(w, scope, depth)}{pointer})"


def _level(w: Writer) -> str:
    if w.function is not None:
        return "1"
    return w.pick(["1", "2", "3", "(i & 1) + 1", "(u & 3)"])


# ---------------------------------------------------------------------------------------------------------- effects


def index_effect(w: Writer, scope: Scope) -> str:
    """Return a short expression with an effect if there may be one, else any: something to add to an index."""
    return _effect(w, scope, 0)[0] if w.free and w.chance(70) else number(w, scope, 2)[0]


def _effect(w: Writer, scope: Scope, depth: int) -> Number:
    """Change one of the places that are set aside for it; the value is that of the change."""
    place = w.free.pop()
    text = change(w, scope, place, depth)
    if place.type == INT:
        return text, LIMIT * 4
    if is_small(place.type):
        return text, 1 << 16
    return f"(int)({text} & 2047)", 2047


def change(w: Writer, scope: Scope, place: Place, depth: int) -> str:
    """Return an expression that changes `place`, of an integer type."""
    text, ctype = place.text, place.type
    kinds = ["=", "op="]
    if ctype.bits > 1:
        kinds += ["++", "--", "++", "p++"]
    targets = [f for f in w.functions if f.pointer == ctype] if scope.loops < 2 else []
    if w.function is not None and w.function.pointer == ctype and w.recursive and not scope.loops:
        targets.append(w.function)
    if targets:
        kinds += ["call"] * 4
    if place.group == "out" and w.features.atomics:
        kinds += ["atomic"] * 9
    if place.group == "out" and w.ticking and w.function is None:
        kinds += ["tick"] * 6
    kind = w.pick(kinds)
    if kind == "tick":
        return f"tick(out, {within(w, number(w, scope, depth), INT)})"
    if kind in ("++", "--"):
        return f"{text}{kind}"
    if kind == "p++":
        return f"{w.pick(['++', '--'])}{text}"
    if kind == "call":
        return call(w, scope, depth, w.pick(targets), f", &{text}")
    if kind == "atomic":
        op = w.pick(["Add", "Add", "Exch", "Min", "Max", "And", "Or", "Xor", "CAS", *(["Sub"] * (ctype.bits == 32))])
        first = f"{number(w, scope, 0)[0]}, " if op == "CAS" else ""
        added = number(w, scope, depth)
        operand = f"({added[0]} & 1)" if w.chance(40) else within(w, added, INT)
        return f"atomic{op}(&{text}, {first}{operand})"
    if kind == "=":
        return f"({text} = {value(w, scope, ctype, depth)})"
    if ctype.kind == "unsigned":
        op = w.pick(["+=", "-=", "^=", "|=", "&=", "*="] if ctype.bits >= 32 else ["+=", "-=", "^=", "&="])
        return f"({text} {op} {value(w, scope, ctype, depth)})"
    op = w.pick(["+=", "-=", "^=", "&=", "|="])
    return f"({text} {op} ({number(w, scope, depth)[0]} & {63 if ctype.bits == 8 else 1023}))"


def _sequence(w: Writer, scope: Scope, depth: int) -> Number:
    """Change a place and read it behind the change: `,`, `&&`, `||` and `?:` have an order."""
    place = w.free.pop()
    effect = change(w, scope, place, depth)
    comparison = f"({effect} {w.pick(COMPARISONS)} {w.pick(['0', '5', '100'])})"
    shape = w.choices.upto(3)
    with w.released(place):
        if shape == 0:
            a, la = number(w, scope, depth)
            return f"({effect}, {a})", la
        if shape == 1:
            (a, la), (b, lb) = number(w, scope, depth), number(w, scope, depth)
            return f"({comparison} ? {a} : {b})", max(la, lb)
        other = divergent(w, scope, depth)
    a, la = number(w, scope, depth)  # stands beside the change
    return f"(({comparison} {w.pick(['&&', '||'])} {other}) + {a})", la + 1


# -------------------------------------------------------------------------------------------------- longer and real


def word(w: Writer, scope: Scope, depth: int) -> str:
    """Return an unsigned expression."""
    if depth <= 0 or w.chance(30):
        places = w.readable(scope, lambda t: t == UNSIGNED)
        if places and w.chance(60):
            return w.pick(places).text
        return w.pick([f"(unsigned){leaf(w, scope)[0]}", "7u", "0x9e3779b9u"])

    if w.chance(15) and (read := element(w, scope, UNSIGNED, depth - 1)) is not None:
        return read
    if w.chance(25) and (read := _joined_bytes(w)) is not None:
        return read

    def make() -> str:
        a, b = word(w, scope, depth - 1), word(w, scope, depth - 1)
        kind = w.choices.upto(6)
        if kind == 1:
            count = w.pick([str(w.choices.upto(31)), f"({b} & 31u)"])
            return f"({a} {w.pick(['<<', '>>'])} {count})"
        if kind == 2:
            return f"({divergent(w, scope, depth - 1)} ? {a} : {b})"
        if kind == 3:
            name = w.pick(["__popc", "__brev", "__clz", "__umulhi", "min", "max"])
            if name in ("__popc", "__clz"):
                return f"(unsigned){name}({a})"
            return f"__brev({a})" if name == "__brev" else f"{name}({a}, {b})"
        if kind == 4:
            return f"({a} {w.pick(['/', '%'])} ({b} | 1u))"
        return f"({a} {w.pick(['+', '-', '*', '&', '|', '^'])} {b})"

    return w.choices.part(make)


def _joined_bytes(w: Writer) -> str | None:
    """Return bytes of an input array that are put together: neighbours, in either order, or others."""
    names = [name for name, ctype in w.inputs if ctype.name == "unsigned char"]
    if w.flat or w.function is not None or not names:
        return None
    count, at, op = w.pick([2, 4, 4]), w.pick(w.index_forms), w.pick(["|", "|", "+", "^"])
    first, step = w.pick([(0, 1), (0, 1), (count - 1, -1), (0, 2), (1, 0)])
    bytes_ = [f"((unsigned){names[0]}[{at} + {first + step * k}] << {8 * k})" for k in range(count)]
    return f"({f' {op} '.join(bytes_)})"


def wide(w: Writer, scope: Scope, depth: int) -> str:
    """Return an unsigned long long expression."""
    if depth <= 0 or w.chance(30):
        places = w.readable(scope, lambda t: t == WIDE)
        if places and w.chance(60):
            return w.pick(places).text
        return w.pick([f"(unsigned long long){word(w, scope, 0)}", "0x100000001b3ull"])
    if w.chance(15) and (read := element(w, scope, WIDE, depth - 1)) is not None:
        return read
    a, b = wide(w, scope, depth - 1), wide(w, scope, depth - 1)
    kind = w.choices.upto(5)
    if kind == 1:
        return f"({a} {w.pick(['<<', '>>'])} {w.choices.upto(63)})"
    if kind == 2:
        return f"({divergent(w, scope, depth - 1)} ? {a} : {b})"
    if kind == 3:
        return f"({a} {w.pick(['/', '%'])} ({b} | 1ull))"
    return f"({a} {w.pick(['+', '-', '*', '&', '|', '^'])} {b})"


def long_(w: Writer, scope: Scope, depth: int) -> Number:
    """Return a long long expression."""
    if depth <= 0 or w.chance(30):
        places = w.readable(scope, lambda t: t == LONG)
        if places and w.chance(60):
            return w.pick(places).text, LONG.limit * 4
        return f"(long long){leaf(w, scope)[0]}", 1 << 16
    if w.chance(15) and (read := element(w, scope, LONG, depth - 1)) is not None:
        return read, LONG.limit * 4
    (a, la), (b, lb) = long_(w, scope, depth - 1), number(w, scope, depth - 1)
    kind = w.choices.upto(4)
    if kind == 1 and la * lb < 1 << 62:
        return f"({a} * {b})", la * lb
    if kind == 2:
        return f"({divergent(w, scope, depth - 1)} ? {a} : {b})", max(la, lb)
    if kind == 3:
        return f"({a} {w.pick(['/', '%'])} ({b} | 1))", la
    if kind == 4:
        return f"({a} >> {w.choices.upto(40)})", la
    return (f"({a} {w.pick(['+', '-'])} {b})", la + lb) if la + lb < 1 << 62 else (a, la)


def real(w: Writer, scope: Scope, ctype: Type, depth: int) -> str:
    """Return a float or double expression: operations that IEEE 754 rounds in one way only."""
    suffix = "f" if ctype == FLOAT else ""
    if depth <= 0 or w.chance(30):
        places = w.readable(scope, lambda t: t == ctype)
        if places and w.chance(60):
            return w.pick(places).text
        return w.pick([f"({ctype.name}){leaf(w, scope)[0]}", f"0.5{suffix}", f"3.0{suffix}"])
    if w.chance(20) and (read := element(w, scope, ctype, depth - 1)) is not None:
        return read
    a, b = real(w, scope, ctype, depth - 1), real(w, scope, ctype, depth - 1)
    kind = w.choices.upto(6)
    if kind == 1:
        return f"({divergent(w, scope, depth - 1)} ? {a} : {b})"
    if kind == 2:
        return f"{w.pick(['fabs', 'floor', 'sqrt', 'ceil', 'trunc'])}{suffix}({a})"
    if kind == 3:
        other = DOUBLE if ctype == FLOAT else FLOAT
        return f"({ctype.name}){real(w, scope, other, depth - 1)}"
    if kind == 4:
        return f"({ctype.name}){word(w, scope, depth - 1)}"
    return f"({a} {w.pick(['+', '-', '*', '/'])} {b})"


# ------------------------------------------------------------------------------------------------------- conditions


def divergent(w: Writer, scope: Scope, depth: int) -> str:
    """Return a condition in brackets, mostly one on which threads disagree."""
    flat, w.flat = w.flat, w.chance(20)
    text = w.choices.part(lambda: condition(w, scope, depth))
    w.flat = flat
    return text


def condition(w: Writer, scope: Scope, depth: int) -> str:
    makers: list[tuple[int, Callable[[Writer, Scope, int], str]]] = [(4, _comparison), (3, _bit)]
    if w.function is None:
        makers.append((2, _of_whole_gangs))
    if depth > 0:
        makers += [(4, _logical), (1, _negated), (1, _unsigned_comparison)]
        if w.features.reals:
            makers.append((1, _real_comparison))
    return w.choices.weighted(makers)(w, scope, depth)


def _comparison(w: Writer, scope: Scope, depth: int) -> str:
    return f"({number(w, scope, min(depth, 1))[0]} {w.pick(COMPARISONS)} {number(w, scope, depth - 1)[0]})"


def _bit(w: Writer, scope: Scope, depth: int) -> str:
    return f"(({number(w, scope, min(depth, 1))[0]} & {w.pick([1, 2, 4, 6])}) != 0)"


def _of_whole_gangs(w: Writer, _scope: Scope, _depth: int) -> str:
    """A condition that holds for no thread of many gangs, or for none at all."""
    return f"({w.pick(w.gang_conditions)})"


def _logical(w: Writer, scope: Scope, depth: int) -> str:
    left, right = divergent(w, scope, depth - 1), divergent(w, scope, depth - 1)
    return f"({left} {w.pick(['&&', '||'])} {right})"


def _negated(w: Writer, scope: Scope, depth: int) -> str:
    return f"(!{condition(w, scope, depth - 1)})"


def _unsigned_comparison(w: Writer, scope: Scope, depth: int) -> str:
    return f"({word(w, scope, 1)} {w.pick(COMPARISONS)} {word(w, scope, depth - 1)})"


def _real_comparison(w: Writer, scope: Scope, depth: int) -> str:
    ctype = w.pick([FLOAT, DOUBLE])
    return f"({real(w, scope, ctype, 1)} {w.pick(COMPARISONS)} {real(w, scope, ctype, depth - 1)})"


def uniform(w: Writer, scope: Scope) -> str:
    """Return a small int that is the same in all threads of the block, not negative."""
    name = w.pick(scope.uniform)
    return w.pick([name, f"({name} & 3)", f"({name} + 1)", f"({name} * 5 % 7)"])
