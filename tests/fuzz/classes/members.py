"""Members that some classes have besides those of all: other constructors, static and nested ones, references."""

from __future__ import annotations

from collections.abc import Callable

from .writer import Class, Writer


def declare_members(w: Writer, of: Class, name: str) -> None:
    """Write a few members of the class that is called `name` in its own scope."""
    menu = list(MENU)
    w.choices.several(0, 3, lambda: menu.pop(w.choices.upto(len(menu) - 1))(w, of, name))


def _static(w: Writer, of: Class, name: str) -> None:
    w.line(f"static constexpr unsigned K = {w.choices.upto(9)}u, L = K + 1u;")
    w.line("static __device__ unsigned count(unsigned a) { return note(a + K), a * L; }")
    w.line(f"static __device__ {name} of(unsigned a) {{ return {name}(a ^ L); }}")
    of.forms += [("unsigned", "{x}.K"), ("unsigned", "{x}.count({p})"), ("unsigned", "{x}.of({p}).get()")]
    of.makers.append(f"{of.name}::of({{s}})")


def _delegates(w: Writer, of: Class, name: str) -> None:
    w.line(f"__device__ {name}(unsigned a, unsigned b) : {name}(a * 8u + b) {{ note({w.number()}u + id), v++; }}")
    of.makers += [f"{of.name}({{p}}, {{s}})", f"{of.name}{{{{s}}, {{s}}}}"]
    of.pairs = True


def _list(w: Writer, of: Class, name: str) -> None:
    with w.braces(f"__device__ {name}(std::initializer_list<unsigned> l) : v(l.size()), id(fresh()), self(this)"):
        w.line("for (unsigned each : l) v = v * 3u + each;")
        w.line(f"note({w.number()}u + v);")
    of.makers += [f"{of.name}{{{{s}}, {{s}}, {{p}}}}", f"{of.name}({{{{s}}}})"]


def _template(w: Writer, of: Class, name: str) -> None:
    w.line(f"template <class U> __device__ {name}(U &&x, const int *) : v(sizeof(U)), id(fresh()), self(this) {{")
    w.line(f"    note({w.number()}u + category(std::forward<U>(x)));")
    w.line("}")
    of.makers += [f"{of.name}({{o}}, nullptr)", f"{of.name}{{{{o}}, nullptr}}"]
    w.line(
        f"template <class U> __device__ unsigned other(const U &x) const {{ return note({w.number()}u), x.get() ^ v; }}"
    )
    of.forms.append(("unsigned", "{x}.other({v})"))


def _bits(w: Writer, of: Class, name: str) -> None:
    a, b = w.choices.between(1, 9), w.choices.between(1, 20)
    w.line(f"mutable struct {{ unsigned low : {a}; int high : {b}; bool on : 1; }} bits = {{1u, -1, true}};")
    w.line("__device__ unsigned mix(unsigned a) const {")
    w.line("    bits.low += a, bits.high ^= (int)(a & 1u), bits.on = !bits.on;")
    w.line("    return bits.low * 4u + (unsigned)bits.high + bits.on;")
    w.line("}")
    of.forms.append(("unsigned", "{x}.mix({s})"))


def _captures_this(w: Writer, of: Class, name: str) -> None:
    capture = w.pick(["this", "*this", "=", "&", "this, &a"] if of.copies else ["this", "&"])
    w.line("__device__ unsigned lam(unsigned a) const {")
    w.line(f"    auto f = [{capture}](auto b) mutable {{ return note({w.number()}u + b), v ^ get(); }};")
    w.line("    unsigned r = f(a);")
    w.line("    return r + f(2u);")
    w.line("}")
    of.forms.append(("unsigned", "{x}.lam({s})"))


def _to_reference(w: Writer, of: Class, name: str) -> None:
    """A conversion to a reference to a member or to itself as a number."""
    if of.members and w.chance(60):
        member, text = of.members[0]
        w.line(f"__device__ operator const {member.name} &() const {{ return note({w.number()}u), {text}; }}")
        of.forms.append((f"{member.name} &", f"static_cast<const {member.name} &>({{x}})"))
        of.to.append(member.name)
    else:
        w.line(f"__device__ operator const unsigned &() const {{ return note({w.number()}u), v; }}")
        of.forms.append(("unsigned", "static_cast<const unsigned &>({x})"))


def _qualified(w: Writer, of: Class, name: str) -> None:
    w.line(f"__device__ unsigned &at() {{ return note({w.number()}u), v; }}")
    w.line(f"__device__ const unsigned &at() const {{ return note({w.number()}u), id; }}")
    w.line(f"__device__ const {name} *operator->() const {{ return note({w.number()}u), this; }}")
    w.line(f"__device__ {name} *operator->() {{ return note({w.number()}u), this; }}")
    of.forms += [("unsigned", "{x}.at()"), ("unsigned", "++{x}.at()"), ("unsigned", "{x}->at()")]


def _nested(w: Writer, of: Class, name: str) -> None:
    with w.braces("struct In", ";"):
        w.line(f"{name} *outer;")
        w.line("unsigned n;")
        w.line("__device__ unsigned get() const { return outer->v + n; }")
        w.line(f"__device__ ~In() {{ note({w.number()}u + outer->v), outer->v += n; }}")
    w.line("__device__ In in(unsigned n) { return {this, n}; }")
    of.forms.append(("unsigned", "{x}.in({s}).get()"))


def _initialised(w: Writer, of: Class, name: str) -> None:
    w.line(f"unsigned first = v + 1u, second = first * {w.choices.upto(5)}u;")
    w.line("unsigned table[3] = {first, id};")
    w.line("static __device__ unsigned two(bool a, bool b) { return a * 2u + b; }")
    of.forms += [("unsigned", "{x}.second"), ("unsigned", "{x}.table[{p} % 3u]")]
    of.forms.append(("unsigned", f"{of.name}::two({{x}}.first < {{p}}, {{p}} > ({{p}}))"))


def _converts_virtually(w: Writer, of: Class, name: str) -> None:
    """A conversion function that derived classes may override."""
    w.line(f"virtual __device__ operator long() const {{ return note({w.number()}u), v ^ {w.choices.upto(9)}u; }}")
    of.forms += [("unsigned", f"unsigned(static_cast<const {of.name} &>({{x}}).operator long())")]
    of.forms += [("unsigned", "unsigned(static_cast<long>({x}))")]


def _asks(w: Writer, of: Class, name: str) -> None:
    """Functions without bodies, of which unevaluated operands ask for the type."""
    w.line("template <class U> static char (&asks(decltype(std::declval<U>().virt(1u)) *))[2];")
    w.line("template <class U> static char (&asks(...))[3];")
    w.line(f"char (&taken({name} &, ...))[4]; long taken(...) const;")
    others = w.pick([c.name for c in w.classes] or [of.name])
    of.forms += [("unsigned", f"unsigned(sizeof({of.name}::asks<{others}>(nullptr)))")]
    of.forms += [("unsigned", "unsigned(sizeof({x}.taken({v}, 3)))")]


def _packs(w: Writer, of: Class, name: str) -> None:
    """A class with a parameter pack whose member templates have packs of their own."""
    with w.braces("template <class... A> struct Pack", ";"):
        w.line("template <class... B> static __device__ unsigned sum(A... a, B... b) {")
        w.line(f"    return note({w.number()}u + (0u + ... + a)), (1u * ... * b) + sizeof...(A);")
        w.line("}")
        w.line("template <class F, class... B>")
        w.line("static __device__ auto call(F f, A... a, const B &...b) -> decltype(f(a..., b...)) {")
        w.line("    return f(a..., b...);")
        w.line("}")
    pack = f"{of.name}::Pack"
    of.forms += [
        ("unsigned", f"{pack}<unsigned, int>::sum({{s}}, 2, {{p}}, 3u)"),
        ("unsigned", f"{pack}<>::sum({{s}})"),
        ("unsigned", f"{pack}<>::call([&] {{ return {{p}}; }})"),
        ("unsigned", f"{pack}<unsigned>::call([&](auto... n) {{ return (0u + ... + n); }}, {{s}}, {{p}})"),
    ]


MENU: tuple[Callable[[Writer, Class, str], None], ...] = (
    _static, _delegates, _list, _template, _bits, _captures_this, _to_reference, _qualified, _nested, _initialised,
    _converts_virtually, _asks, _packs,
)  # fmt: skip
