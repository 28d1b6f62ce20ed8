"""Random functions: by value, by reference, templates, and sets of overloads."""

from __future__ import annotations

from .statements import leave, statements
from .writer import Class, Function, Scope, Variable, Writer

HELPERS = """\
enum E { E0, E1 };
enum class F { F0, F1 };
template <class T> __device__ unsigned category(T &) { return note(11u), 1u; }
template <class T> __device__ unsigned category(const T &&) { return note(14u), 4u; }
template <class T> __device__ T &same(T &x) {
    note(15u);
    return x;
}
template <class T> struct List {
    T items[2];
    unsigned n;
    __device__ List(unsigned n) : items{n, n + 1u}, n(n % 3u) { note(16u + n); }
    __device__ ~List() { note(17u + n); }
    __device__ const T *begin() const { return note(18u), items; }
    __device__ const T *end() const { return note(19u), items + n; }
};
"""


def function(w: Writer) -> None:
    """A function with at most one object by value; its parameters may be those of a template."""
    result = w.pick(w.classes) if w.chance(70) else None
    parameters: list[tuple[Class | None, str]] = [(None, "")]
    for _ in range(w.choices.upto(2)):
        parameters.append((w.pick(w.classes), w.pick(["", "", "&", "const &", "const &", "&&"])))
    name = w.name("f")
    template = w.chance(25)
    heads: list[str] = []
    scope = Scope(numbers=["k"], result=result)
    made: list[tuple[Class | None, str]] = []
    types: list[str] = []
    for at, (of, how) in enumerate(parameters):
        if of is None:
            heads.append("unsigned k")
        else:
            type_ = of.name
            if template and how != "&&" and not types:
                types.append("T")
                type_ = "T"
            spelled = f"const {type_} &" if how == "const &" else f"{type_} {how}"
            heads.append(f"{spelled}y{at}")
            scope.variables.append(Variable(f"y{at}", of, how == "const &"))
        made.append((of, how))
    if types:
        w.line(f"template <class {types[0]}>")
    returned = result.name if result is not None else "unsigned"
    with w.braces(f"__device__ {w.pick(['', '', '__noinline__ '])}{returned} {name}({', '.join(heads)})"):
        statements(w, scope, 1, 4, 2)
        w.line(leave(w, scope))
    w.functions.append(Function(name, result, tuple(made)))


PLAIN = ("int", "unsigned", "long long", "double", "float", "short", "char", "bool", "const void *", "E", "F",
         "unsigned long", "const char *", "unsigned char")  # fmt: skip


def overloads(w: Writer) -> None:
    """Functions of one name, of which a call chooses by its argument."""
    name = w.name("o")
    types: list[tuple[str, str]] = [("", w.pick(PLAIN)) for _ in range(w.choices.between(1, 4))]
    for of in w.classes:
        if w.chance(60):
            how = w.pick([("&", "const &", "&&"), ("const &", "&&"), ("",), ("const &",), ("&", "&&"), ("*",)])
            types += [("", f"const {of.name} &" if one == "const &" else f"{of.name} {one}") for one in how]
    for pattern in (("T", "T"), ("T", "const T &"), ("T", "T &&"), ("T", "T *"), ("T", "const T *")):
        if w.chance(20):
            types.append(pattern)
    for pattern in {text: (template, text) for template, text in types}.values():
        template, text = pattern
        if template:
            w.line(f"template <class {template}>")
        w.line(f"__device__ unsigned {name}({text}) {{ return note({w.number()}u), {w.choices.upto(9)}u; }}")
    w.overloads.append(name)


def packs(w: Writer) -> None:
    """A function of any number of objects, which folds what they give, in order."""
    name, n = w.name("g"), w.number()
    w.line("template <class... A>")
    body = w.pick([
        f"(note(a.get() + {n}u), ...); return sizeof...(a);",
        f"unsigned r = {n}u; ((r = r * 3u + a.get()), ...); return r;",
        "return (... && (a.get() & 1u));",
        f"unsigned all[] = {{{n}u, a.get()...}}; return all[sizeof...(A)];",
        f"return [&](auto... n) {{ return (0u + ... + n); }}({n}u, sizeof(a)...);",
    ])  # fmt: skip
    how = w.pick(["A &&... a", "const A &... a", "A... a"])
    w.line(f"__device__ unsigned {name}({how}) {{ {body} }}")
    first = w.pick(w.classes)
    others: tuple[tuple[Class | None, str], ...] = ((first, ""),)
    if how != "A... a":
        others += ((w.pick(w.classes), "const &"),)
    w.functions.append(Function(name, None, others))
