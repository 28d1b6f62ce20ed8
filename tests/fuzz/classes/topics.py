"""What some programs have besides plain classes: templates that own, choose or wrap objects, and statements with them.

A topic is a few declarations and a statement that uses them. A program draws some, so that each is short.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .expressions import condition, made, moved, no_declaration, number, place, pure, test, value
from .writer import Class, Scope, Variable, Writer

Inside = Callable[[Writer, Scope, int], None]  # writes the statements of a block


@dataclass(frozen=True)
class Topic:
    """`declarations` come before the program's classes; `write` writes a statement."""

    declarations: str
    write: Callable[[Writer, Scope, int, Inside], None]


def statement(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    w.pick(w.topics).write(w, scope, depth, inside)


def _copied(w: Writer) -> Class:
    """Return a class with copy constructor, or any if there is none."""
    return w.pick([c for c in w.classes if c.copies] or w.classes)


def _result_of_get(w: Writer, scope: Scope) -> str:
    return w.pick(["{x}.get()", "(k & 1u ? {x}.get() : 4u)", "note({x}.get()), 2u"])


# --------------------------------------------------------------------------------------------------- what ends a scope

GUARD = """\
template <class F> struct Guard {
    F f;
    __device__ Guard(F f) : f(f) {}
    Guard(const Guard &) = delete;
    __device__ ~Guard() { f(); }
};
"""


def _guard(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    inner = scope.inner()
    text = f"[&] {{ note({number(w, scope, 2)}); }}"
    w.line(
        f"{w.pick(['Guard', 'const Guard'])} {w.name('g')}{w.pick([f'{{{text}}}', f'({text})', f' = Guard({text})'])};"
    )
    if depth > 0 and w.chance(50):
        with w.braces():
            w.line(f"Guard {w.name('g')}{{[&, n = {pure(w, scope)}] {{ note(n); }}}};")
            inside(w, inner, depth)


STEP = """\
struct Step {
    unsigned n;
    __device__ Step(unsigned n) : n(n) { note(21u + n); }
    __device__ ~Step() { note(23u + n); }
    __device__ explicit operator bool() const { return note(25u), n < 3u; }
    __device__ operator unsigned() const { return note(27u), n; }
};
"""


def _step(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    """Objects that a condition declares: each test of it makes one and destroys it."""
    name, counter = w.name("s"), w.name("j")
    start = w.pick(["0", "1", "(k & 3u)"])
    inner = scope.inner(loop=True)
    inner.numbers.append(f"{name}.n")
    match w.choices.upto(3):
        case 0:
            head = f"for (unsigned {counter} = {start}; Step {name}{{{counter}}}; {counter}++)"
        case 1:
            w.line(f"unsigned {counter} = {start};")
            head = f"while (Step {name} = {counter}++)"
        case 2:
            head = f"for (Step {counter} = {start}; Step {name} = {counter}.n++; {counter}.n += 0u)"
        case _:
            inner = scope.inner(switch=True)
            inner.numbers.append(f"{name}.n")
            with w.braces(f"switch (Step {name} = {start})"):
                with w.braces("case 0:"):
                    inside(w, inner.inner(), depth)
                if w.chance(50):
                    w.line("break;")
                with w.braces(w.pick(["case 2:", "default:"])):
                    inside(w, inner.inner(), depth)
            return
    with w.braces(head):
        inside(w, inner, depth)


# ----------------------------------------------------------------------------------------------------------- ownership

OWN = """\
template <class T> class Own {
    T *p;
public:
    __device__ explicit Own(T *p = nullptr) : p(p) {}
    __device__ Own(Own &&o) : p(std::exchange(o.p, nullptr)) { note(31u); }
    template <class U> __device__ Own(Own<U> &&o) : p(o.release()) { note(32u); }
    __device__ Own &operator=(Own &&o) {
        note(33u);
        std::swap(p, o.p);
        return *this;
    }
    __device__ ~Own() {
        note(34u);
        delete p;
    }
    __device__ T *release() { return std::exchange(p, nullptr); }
    __device__ T &operator*() const { return note(35u), *p; }
    __device__ T *operator->() const { return note(36u), p; }
    __device__ explicit operator bool() const { return p; }
};
template <class T, class... A> __device__ Own<T> own(A &&...a) {
    return Own<T>(new T(std::forward<A>(a)...));
}
"""


def _own(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    pairs = [(b, d) for d in w.classes for b in d.bases if b.destroys_virtually]
    name, other = w.name("p"), w.name("p")
    if pairs and w.chance(60):
        base, derived = w.pick(pairs)
        w.line(f"Own<{base.name}> {name} = own<{derived.name}>({number(w, scope, 2)});")
    else:
        base = w.pick([c for c in w.classes if not c.aggregate] or w.classes)
        if base.aggregate:
            return
        w.line(f"auto {name} = own<{base.name}>({w.pick([number(w, scope, 2), value(w, scope, base, 2)])});")
    inner = scope.inner()
    inner.variables.append(Variable(f"(*{name})", base, calls=True))
    if depth > 0:
        with w.braces():
            inside(w, inner, depth)
    w.line(f"if ({test(w, scope)}) {name} = own<{base.name}>({pure(w, scope)});")
    w.line(f"note({name}->get());")
    if w.chance(60):
        w.line(f"Own<{base.name}> {other} = {w.pick([f'std::move({name})', f'Own<{base.name}>(std::move({name}))'])};")
        w.line(f"note({name} ? 1u : {other}->get());")


EITHER = """\
template <class A, class B> class Either {
    union {
        A a;
        B b;
    };
    bool left;
public:
    __device__ Either(const A &x, E) : a(x), left(true) {}
    __device__ Either(B &&x, F) : b(std::move(x)), left(false) {}
    __device__ Either(const Either &o) : left(o.left) {
        if (left)
            new (&a) A(o.a);
        else
            new (&b) B(o.b);
    }
    __device__ Either &operator=(const Either &o) {
        if (this != &o) {
            this->~Either();
            new (this) Either(o);
        }
        return *this;
    }
    __device__ ~Either() {
        if (left)
            a.~A();
        else
            b.~B();
    }
    template <class F> __device__ auto visit(F &&f) const { return left ? f(a) : f(b); }
};
"""


def _either(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    a, b, name = _copied(w), _copied(w), w.name("e")
    type_ = f"Either<{a.name}, {b.name}>"

    def left() -> str:
        return f"{type_}({value(w, scope, a, 2)}, E0)"

    def right() -> str:
        return f"{type_}({made(w, scope, b, 2)}, F::F0)"

    w.line(f"{type_} {name} = {w.pick([f'{test(w, scope)} ? {left()} : {right()}', left(), right()])};")
    for _ in range(w.choices.between(1, 2)):
        w.line(f"note({name}.visit([&](const auto &x) {{ return {_result_of_get(w, scope).format(x='x')}; }}));")
        if w.chance(60):
            w.line(f"if ({test(w, scope)}) {name} = {w.pick([left(), right(), name])};")


# ----------------------------------------------------------------------------------------------- deduced and forwarded

WRAP = """\
template <class T> struct Wrap {
    T item;
    unsigned n;
    __device__ Wrap(T x, unsigned n = 2u) : item(std::move(x)), n(n) { note(41u + n); }
    __device__ unsigned get() const { return item.get() + n; }
    template <class U> __device__ Wrap<U> as() const { return Wrap<U>(U(item.get()), n + 1u); }
};
template <class T> Wrap(T *) -> Wrap<T>;
template <class T> struct Braced {
    T item;
    unsigned n = 7u;
    __device__ unsigned get() const { return item.get() ^ n; }
};
template <class T> Braced(T) -> Braced<T>;
template <class T> Braced(T, unsigned) -> Braced<T>;
"""


def _wrap(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    of, name = _copied(w), w.name("w")
    match w.choices.upto(4):
        case 0:
            w.line(f"Wrap {name}({no_declaration(w, value(w, scope, of, 2))});")
        case 1:
            w.line(f"Wrap {name}{{{value(w, scope, of, 2)}, {number(w, scope, 2)}}};")
        case 2:
            w.line(f"auto {name} = Wrap({value(w, scope, of, 2)});")
        case 3:
            w.line(f"Braced {name}{{{value(w, scope, of, 2)}}};")
        case _:
            w.line(f"Braced {name} = {{{value(w, scope, of, 2)}, {number(w, scope, 2)}}};")
    w.line(f"note({name}.get());")
    scope.variables.append(Variable(f"{name}.item", of))
    other = w.name("w")
    match w.choices.upto(4):
        case 0:
            w.line(f"Wrap {other}({name});")
            w.line(f"note({other}.get());")
        case 1:
            w.line(f"auto {other} = Wrap(Wrap({name}), {pure(w, scope)});")
            w.line(f"note({other}.get());")
        case 2:
            w.line(f"auto {w.pick(['', '&', '&&'])}[{other}, n{other}] = {name};")
            w.line(f"note({other}.get() + n{other});")
            scope.variables.append(Variable(other, of))
        case 3:
            w.line(f"note({name}.template as<{w.pick(w.classes).name}>().get());")
        case _:
            w.line(f"note(Braced{{{name}}}.get());")


FORWARD = """\
template <class T, class... A> __device__ T make(A &&...a) {
    return T(std::forward<A>(a)...);
}
template <class F, class... A> __device__ decltype(auto) apply(F &&f, A &&...a) {
    return std::forward<F>(f)(std::forward<A>(a)...);
}
template <class... F> struct All : F... {
    using F::operator()...;
};
template <class... F> All(F...) -> All<F...>;
template <class T> __device__ unsigned kind(T &&x) {
    using U = std::remove_cv_t<std::remove_reference_t<T>>;
    if constexpr (std::is_lvalue_reference_v<T>)
        return note(51u), x.get();
    else if constexpr (std::is_copy_constructible_v<U>) {
        U copy(static_cast<const U &>(x));
        return note(52u), copy.get() + sizeof(U);
    } else
        return note(53u), sizeof(T);
}
"""


def _forward(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    of, other, name = w.pick(w.classes), w.pick(w.classes), w.name("x")
    given = value(w, scope, of, 2)
    match w.choices.upto(5):
        case 0:
            w.line(f"{of.name} {name} = make<{of.name}>({given});")
        case 1:
            w.line(f"auto {name} = make<{other.name}>({given});")
            of = other
        case 2:
            w.line(f"auto &&{name} = apply([&](auto &&x) -> decltype(auto) {{ return std::forward<decltype(x)>(x); }}, "
                   f"{place(w, scope, of, 1) or made(w, scope, of, 0)}).get();")  # fmt: skip
            scope.numbers.append(name)
            return
        case 3:
            w.line(f"note(apply([&](const auto &x, auto... n) {{ return {_result_of_get(w, scope).format(x='x')}; }}, "
                   f"{given}, {pure(w, scope)}));")  # fmt: skip
            return
        case 4:
            parameter = w.pick([f"const {other.name} &", "unsigned", "const auto &"])
            w.line(f"All {name}{{[&](const {of.name} &x) {{ return note({w.number()}u), x.get(); }}, "
                   f"[&]({parameter}) {{ return note({w.number()}u), 5u; }}}};")  # fmt: skip
            w.line(f"note({name}({given}));")
            w.line(f"note({name}({value(w, scope, other, 2)}));")
            return
        case _:
            w.line(f"note(kind({given}));")
            return
    scope.variables.append(Variable(name, of))


# --------------------------------------------------------------------------------------------------- chosen at run time

SHAPE = """\
struct Shape {
    unsigned n = fresh();
    virtual __device__ unsigned area(unsigned) const = 0;
    virtual __device__ const Shape *self() const { return this; }
    __device__ unsigned twice(unsigned a) const { return area(a) * 2u; }
    virtual __device__ ~Shape() { note(61u + n); }
};
struct Other {
    unsigned o = 3u;
    virtual __device__ unsigned other(unsigned a) { return note(62u + a), o += a; }
    virtual __device__ ~Other() { note(63u + o); }
};
struct Square : Shape {
    unsigned side;
    __device__ Square(unsigned side) : side(side) { note(64u + twice(2u)); }
    __device__ unsigned area(unsigned a) const override { return note(65u), side * a; }
};
struct Both final : Other, Shape {
    unsigned b;
    using Other::Other;
    __device__ Both(unsigned b) : b(b) { note(66u + Shape::twice(b)); }
    __device__ unsigned area(unsigned a) const override { return note(67u), b ^ a ^ o; }
    __device__ const Both *self() const override { return note(68u), this; }
    __device__ unsigned other(unsigned a) override { return Other::other(a) + b; }
    __device__ ~Both() { note(69u + b); }
};
"""


def _shape(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    name = w.name("p")

    def new() -> str:
        return w.pick([f"(Shape *)new Square({pure(w, scope)})", f"(Shape *)new Both({pure(w, scope)})"])

    if w.chance(50):
        w.line(f"Shape *{name} = {test(w, scope)} ? {new()} : {new()};")
        w.line(f"note({name}->{w.pick(['area', 'twice', 'self()->area', 'self()->twice'])}({number(w, scope, 2)}));")
        w.line(f"delete {name};")
        return
    n = w.choices.between(2, 3)
    w.line(f"Square q{name}({pure(w, scope)});")
    w.line(f"Both b{name}({no_declaration(w, number(w, scope, 2))});")
    places = [f"{w.pick(['q', 'b'])}{name}" for _ in range(n)]
    w.line(f"{w.pick(['Shape *', 'const Shape *const '])}{name}[] = {{{', '.join(f'&{p}' for p in places)}}};")
    w.line(f"note({name}[k % {n}u]->area({pure(w, scope)}));")
    with w.braces(f"for ({w.pick(['auto *', 'const Shape *'])}each : {name})"):
        w.line(f"note(each->twice({pure(w, scope)}));")
        w.line(f"if ({test(w, scope)}) {w.pick(['continue', 'break'])};")
        w.line(f"note(static_cast<Other &>(b{name}).other({pure(w, scope)}));")


def _member_pointer(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    of = w.pick([c for c in w.classes if not c.aggregate] or w.classes)
    if of.aggregate:
        return
    name, x = w.name("m"), value(w, scope, of, 2)
    if w.chance(40):
        w.line(f"unsigned {of.name}::*{name} = {test(w, scope)} ? &{of.name}::v : &{of.name}::{w.pick(['v', 'id'])};")
        w.line(f"note({w.pick([f'({x}).*{name}', f'(&static_cast<const {of.name} &>({x}))->*{name}'])});")
        target = place(w, scope, of, 1, changing=True)
        if target is not None:
            w.line(f"{target}.*{name} {w.pick(['=', '+=', '^='])} {pure(w, scope)};")
        return
    source = w.pick([of, *of.bases])
    virtual = of.virtual or any(b.virtual for b in of.bases)
    if virtual and w.chance(60):
        w.line(f"unsigned ({of.name}::*{name})(unsigned) const = &{source.name}::virt;")
        w.line(f"note((({x}).*{name})({pure(w, scope)}));")
        return
    w.line(f"unsigned ({of.name}::*{name}[2])() const = {{&{of.name}::get, &{source.name}::get}};")
    w.line(f"note((({x}).*{name}[{w.pick(['k & 1u', '0', '1'])}])());")


# ---------------------------------------------------------------------------------------------------- ranges and pairs

SERIES = """\
template <class T> struct Series {
    unsigned n;
    struct Iterator {
        unsigned at;
        __device__ T operator*() const { return T(at); }
        __device__ Iterator &operator++() { return note(71u + at), ++at, *this; }
        __device__ bool operator!=(const Iterator &o) const { return note(72u), at != o.at; }
        __device__ ~Iterator() { note(73u + at); }
    };
    __device__ Iterator begin() const { return {0u}; }
    __device__ Iterator end() const { return {n}; }
    __device__ ~Series() { note(74u + n); }
};
"""


def _series(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    of, element = w.pick([c for c in w.classes if not c.aggregate] or w.classes), w.name("e")
    if of.aggregate:
        return
    inner = scope.inner(loop=True)
    inner.variables.append(Variable(element, of, True))
    head = w.pick(["const auto &", "auto &&", f"{of.name} ", "auto "])
    with w.braces(f"for ({head}{element} : Series<{of.name}>{{{w.pick(['2u', '(k & 3u)', '1u'])}}})"):
        inside(w, inner, depth)


def _pair(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    a, b, name = _copied(w), _copied(w), w.name("q")
    type_ = f"std::pair<{a.name}, {b.name}>"
    head, made_of = w.pick([type_, "auto", "std::pair"]), w.pick([type_, "std::pair"])
    w.line(f"{head} {name} = {made_of}{{{value(w, scope, a, 2)}, {value(w, scope, b, 1)}}};")
    scope.variables.append(Variable(f"{name}.first", a))
    scope.variables.append(Variable(f"{name}.second", b))
    match w.choices.upto(3):
        case 0 if a is b:
            w.line(f"std::swap({name}.first, {name}.second);")
        case 1:
            one, two = w.name("s"), w.name("s")
            w.line(f"auto {w.pick(['', '&', '&&'])}[{one}, {two}] = {w.pick([name, f'std::move({name})'])};")
            scope.variables += (Variable(one, a), Variable(two, b))
        case 2:
            w.line(f"{name} = {w.pick([type_, ''])}{{{value(w, scope, a, 1)}, {value(w, scope, b, 1)}}};")
        case _:
            w.line(f"{name}.first = std::exchange({name}.first, {value(w, scope, a, 2)});")


def _grid(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    """An array of arrays of objects."""
    of, name = w.pick(w.classes), w.name("a")
    rows = w.choices.between(1, 2)
    given = ", ".join(f"{{{', '.join(value(w, scope, of, 1) for _ in range(2))}}}" for _ in range(rows))
    w.line(f"{of.name} {name}[{w.pick(['', str(rows)])}][2] = {{{given}}};")
    scope.variables.append(Variable(f"{name}[{rows - 1}][{w.pick(['k & 1u', '1'])}]", of))
    element, row = w.name("e"), w.name("row")
    inner = scope.inner(loop=True).inner(loop=True)
    inner.variables.append(Variable(element, of))
    with (
        w.braces(f"for (auto &{row} : {name})"),
        w.braces(f"for ({w.pick(['auto &', of.name + ' '])}{element} : {row})"),
    ):
        inside(w, inner, depth)


TABLE = """\
template <class T> struct Table {
    static constexpr unsigned rows[3] = {4u, 5u, 7u};
    static const unsigned size = 3;
    static __device__ unsigned at(unsigned k) {
        static constexpr unsigned local[] = {9u, 8u, size};
        return rows[k % size] + local[k % 3u];
    }
    using type = T;
    enum { FIRST = 2, LAST = FIRST + 3 };
};
"""


def _table(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    of, name = w.pick(w.classes), w.name("n")
    if of.aggregate:
        return
    w.line(
        f"typename Table<{of.name}>::type {w.name('x')} = {w.pick(['Table<int>::at(k)', 'Table<int>::rows[k % 3u]'])};"
    )
    w.line(f"const unsigned {name} = Table<{of.name}>::at({number(w, scope, 2)}) + Table<{of.name}>::LAST;")
    scope.numbers.append(name)


def _assign_chosen(w: Writer, scope: Scope, depth: int, inside: Inside) -> None:
    """Lvalues that a condition or a comma gives, and what a switch with a scope of its own does."""
    of = _copied(w)
    a, b = place(w, scope, of, 1, changing=True), place(w, scope, of, 1, changing=True)
    if a is None or b is None:
        return
    match w.choices.upto(2):
        case 0:
            w.line(f"({condition(w, scope, 2)} ? {a} : {b}) = {value(w, scope, of, 2)};")
        case 1:
            w.line(f"((void)({number(w, scope, 2)}), {a}) = ({condition(w, scope, 1)} ? {b} : {a});")
        case _:
            w.line(f"{a} = {b} = {moved(w, scope, of, 1) or made(w, scope, of, 1)};")


TOPICS = (
    Topic(GUARD, _guard),
    Topic(STEP, _step),
    Topic(OWN, _own),
    Topic(EITHER, _either),
    Topic(WRAP, _wrap),
    Topic(FORWARD, _forward),
    Topic(SHAPE, _shape),
    Topic("", _member_pointer),
    Topic(SERIES, _series),
    Topic("", _pair),
    Topic("", _grid),
    Topic(TABLE, _table),
    Topic("", _assign_chosen),
)
