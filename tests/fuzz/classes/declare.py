"""Random classes: bases, members, special members, conversions, operators, templates and their specialisations."""

from __future__ import annotations

from .members import declare_members
from .writer import Class, Writer


def declare_class(w: Writer) -> None:
    """Write a class, of which objects can be made by `C(number)`, or `C{{...}, number}` of an aggregate."""
    kind = w.choices.weighted(
        [(5, "own"), (3, "derived"), (2, "aggregate"), (2, "template"), (1, "plain"), (2, "implicit")]
    )
    if kind == "aggregate" and w.classes:
        _aggregate(w)
    elif kind == "template":
        _template(w)
    elif kind == "plain":
        name = w.name("P")
        with w.braces(f"struct {name}", ";"):
            w.line("unsigned v = 5;")
            w.line(f"{name}() = default;")
            w.line(f"__device__ {name}(unsigned v) : v(v) {{}}")
            w.line("__device__ unsigned get() const { return v; }")
        w.classes.append(Class(name, forms=[("unsigned", "{x}.get()"), ("unsigned", "{x}.v")]))
    else:
        _class(w, bases=kind == "derived" or (kind == "implicit" and w.chance(50)), implicit=kind == "implicit")


def _aggregate(w: Writer) -> None:
    of = Class(w.name("G"), aggregate=True)
    of.members = [(w.pick(w.classes), f"m{k}") for k in range(w.choices.between(1, 2))]
    of.default = all(c.default for c, _ in of.members)
    of.copies = all(c.copies for c, _ in of.members)
    many = w.chance(20) and of.members[0][0].default
    with w.braces(f"struct {of.name}", ";"):
        for member, name in of.members:
            w.line(f"{member.name} {name};")
        w.line("unsigned v = 9u;")
        if many:
            w.line(f"{of.members[0][0].name} items[2];")
            of.list_of = 2
        w.line("__device__ unsigned get() const { return v; }")
    of.forms = [("unsigned", "{x}.get()"), *((f"{m.name} &", f"{{x}}.{name}") for m, name in of.members)]
    w.classes.append(of)


def _class(w: Writer, bases: bool, template: str = "", implicit: bool = False) -> Class:
    """Write a class; those with `implicit` special members have constructors from numbers alone."""
    of = Class(template or w.name("C"))
    short = of.name.split("<")[0]
    able = [c for c in w.classes if c.default and not c.aggregate and "<" not in c.name]
    if bases and able:
        for _ in range(w.choices.between(1, 2)):
            base = w.pick(able)
            if all(not _related(base, other) for other in of.bases):
                of.bases.append(base)
    if w.classes and w.chance(35):
        member = w.pick(w.classes)
        if member.default and not member.aggregate:
            of.members.append((member, w.name("m")))
    of.virtual = w.chance(35)
    of.destroys_virtually = any(b.destroys_virtually for b in of.bases) or (of.virtual and w.chance(80))
    parents = f" : {', '.join(b.name for b in of.bases)}" if of.bases else ""
    with w.braces(f"{w.pick(['struct', 'struct'])} {short}{parents}", ";"):
        inherits = w.pick([b for b in of.bases if b.pairs] or [None]) if w.chance(70) else None
        if inherits is not None:
            w.line(f"using {inherits.name}::{inherits.name};")
            of.makers += [f"{of.name}({{p}}, {{s}})", f"{of.name}{{{{s}}, {{s}}}}"]
        w.line(f"unsigned v{' = 6u' if inherits else ''}, id{' = fresh()' if inherits else ''};")
        w.line(f"const void *self{' = this' if inherits else ''};")
        for member, name in of.members:
            w.line(f"{member.name} {name}{w.pick(['', f'{{{w.choices.upto(9)}u}}'])};")
        if of.members and w.chance(25) and of.members[0][0].default:
            w.line(f"{of.members[0][0].name} items[2];")
        _special(w, of, short, implicit)
        _methods(w, of, short)
        _operators(w, of, short)
        declare_members(w, of, short)
    if not template:
        _outside(w, of)
        w.classes.append(of)
    return of


def _related(a: Class, b: Class) -> bool:
    return a is b or any(_related(a, c) for c in b.bases) or any(_related(c, b) for c in a.bases)


def _subobjects(w: Writer, of: Class, argument: str) -> str:
    """Return initialisers of some bases and members."""
    parts = [f"{b.name}({argument})" for b in of.bases if w.chance(70)]
    parts += [f"{name}({argument})" for _, name in of.members if w.chance(70)]
    return "".join(f"{part}, " for part in parts)


def _special(w: Writer, of: Class, name: str, implicit: bool) -> None:
    own = "v({v}), id(fresh()), self(this)"
    of.default = w.chance(75)
    explicit = "explicit " if w.chance(25) else ""
    default = f" = {w.pick(['3u', '8u'])}" if of.default else ""
    # Members are initialised in the order of their declaration: v, id, self, then the others.
    bases = "".join(f"{b.name}(x + {w.choices.upto(3)}u), " for b in of.bases if w.chance(70))
    members = "".join(f", {m}(x ^ {w.choices.upto(3)}u)" for _, m in of.members if w.chance(70))
    w.line(f"__device__ {explicit}{name}(unsigned x{default}) : {bases}{own.format(v='x')}{members} {{")
    w.line(f"    note({w.number()}u + id), note(v){_dynamic(w, of)};")
    w.line("}")
    if implicit:
        of.copies = all(c.copies for c in (*of.bases, *(m for m, _ in of.members)))
        return
    copy, move = w.choices.weighted([(8, "own"), (1, "= default"), (1, "= delete")]), w.choices.weighted(
        [(6, "own"), (2, ""), (1, "= default")]
    )  # fmt: skip
    of.copies = copy != "= delete"
    if copy == "= delete" and move == "":
        move = "own"
    for how, kind, parameter, given in (
        (copy, "copy", f"const {name} &o", "o"),
        (move, "move", f"{name} &&o", f"static_cast<{name} &&>(o)"),
    ):
        if how == "own":
            of.users.add(kind)
            bases = "".join(f"{b.name}({given}), " for b in of.bases if b.copies or kind == "move")
            members = "".join(f", {m}({given.replace('(o)', f'(o).{m}') if kind == 'move' else f'o.{m}'})"
                              for c, m in of.members if (c.copies and kind == "copy") or kind == "move")  # fmt: skip
            if kind == "move":
                members = "".join(f", {m}(std::move(o.{m}))" for _, m in of.members)
            w.line(f"__device__ {name}({parameter}) : {bases}{own.format(v='o.v')}{members} {{")
            w.line(f"    note({w.number()}u + id), note(o.id);")
            if kind == "move" and w.chance(70):
                w.line("    o.v = 77;")
            w.line("}")
        elif how:
            w.line(f"{name}({parameter}) {how};")
    _assignments(w, of, name, copy, move)
    if w.chance(85) or of.destroys_virtually:
        of.users.add("destroy")
        virtual = "virtual " if of.destroys_virtually else ""
        w.line(f"__device__ {virtual}~{name}() {{")
        w.line(f"    note({w.number()}u + id), note(v){_same(of)}{_dynamic(w, of)};")
        w.line("    v = 0xdead, self = nullptr;")
        w.line("}")


def _dynamic(w: Writer, of: Class) -> str:
    """A virtual call, which finds the function of the class whose constructor or destructor runs."""
    return ", note(virt(3u))" if (of.virtual or any(b.virtual for b in of.bases)) and w.chance(40) else ""


def _same(of: Class) -> str:
    """A note of whether the object is where its constructor made it; not if a copy is one of its bytes."""
    return ", note(self == this)" if {"copy", "move"} <= of.users else ""


def _assignments(w: Writer, of: Class, name: str, copy: str, move: str) -> None:
    bases = "".join(f"{b.name}::operator=(o); " for b in of.bases if w.chance(50))
    members = "".join(f"{m} = o.{m}; " for c, m in of.members if c.copies and w.chance(60))
    if copy == "= default" and move == "":
        return
    if of.copies:
        w.line(f"__device__ {name} &operator=(const {name} &o) {{")
        w.line(f"    note({w.number()}u + id), note(o.id);")
        if copy == "own":
            w.line(f"    {bases}")
            w.line(f"    {members}")
        w.line("    v = o.v;")
        w.line("    return *this;")
        w.line("}")
    if move == "own":
        w.line(f"__device__ {name} &operator=({name} &&o) {{")
        w.line(f"    note({w.number()}u + id), note(o.id);")
        w.line("    v = o.v, o.v = 55;")
        w.line("    return *this;")
        w.line("}")


def _methods(w: Writer, of: Class, name: str) -> None:
    virtual = "virtual " if of.virtual else ""
    w.line(f"__device__ {virtual}unsigned get() const {{")
    calls = [f"{b.name}::get()" for b in of.bases if not b.aggregate] + [f"{m}.get()" for _, m in of.members]
    inner = f" + {w.pick(calls)}" if calls and w.chance(50) else ""
    w.line(f"    note({w.number()}u + id){_same(of)};")
    w.line(f"    return v{inner};")
    w.line("}")
    of.forms.append(("unsigned", "{x}.get()"))
    if of.virtual or any(b.virtual for b in of.bases):
        w.line(f"__device__ {virtual}unsigned virt(unsigned a) const {{ return note({w.number()}u + a), v ^ a; }}")
        of.forms.append(("unsigned", "{x}.virt({s})"))
    if w.chance(30):
        for qualifier in ("&", "const &", "&&"):
            if w.chance(80):
                w.line(f"__device__ unsigned ref() {qualifier} {{ return note({w.number()}u), v; }}")
        of.forms.append(("unsigned", "{x}.ref()"))
    if w.chance(30):
        w.line(f"__device__ {name} &set(unsigned a) {{")
        w.line(f"    note({w.number()}u), v = a;")
        w.line("    return *this;")
        w.line("}")
        of.changes.append("{x}.set({s})")
        of.forms.append((f"{of.name} &", "{x}.set({s})"))
    if w.chance(25) and of.copies:
        w.line(f"__device__ {name} twin() const {{ return *this; }}")
        of.forms.append((of.name, "{x}.twin()"))
    of.forms += [(f"{m.name} &", f"{{x}}.{member}") for m, member in of.members]


def _operators(w: Writer, of: Class, name: str) -> None:
    n, full = w.number, of.name
    menu: list[tuple[str, str, str]] = [
        ("unsigned", "bool({x})", f"__device__ explicit operator bool() const {{ return note({n()}u), v & 1; }}"),
        ("unsigned", w.pick(["unsigned({x})", "{x}.operator unsigned()"]),
         f"__device__ operator unsigned() const {{ return note({n()}u), v; }}"),
        ("unsigned", w.pick(["int({x})", "{x}.operator int()"]),
         f"__device__ explicit operator int() const {{ return note({n()}u), 7; }}"),
        (full, "({x} + {v})",
         f"__device__ {name} operator+(const {name} &o) const {{ return {name}(v + o.v + {n()}u); }}"),
        (full, "({x} - {v})",
         f"friend __device__ {name} operator-(const {name} &a, const {name} &b) {{ return {name}(a.v - b.v); }}"),
        (full, "({x} * {p})",
         f"friend __device__ {name} operator*(const {name} &a, unsigned b) {{ return note(b), {name}(a.v * b); }}"),
        (full, "({p} / {x})",
         f"friend __device__ {name} operator/(unsigned a, {name} b) {{ note(a); b.v ^= a; return b; }}"),
        ("unsigned", "({x} == {v})",
         f"__device__ bool operator==(const {name} &o) const {{ return note({n()}u + o.v), v == o.v; }}"),
        ("unsigned", "({x} < {v})",
         f"friend __device__ bool operator<(const {name} &a, const {name} &b) {{ return note({n()}u), a.v < b.v; }}"),
        ("unsigned", "{x}[{s}]",
         f"__device__ unsigned operator[](unsigned at) const {{ return note({n()}u), v ^ at; }}"),
        ("unsigned", "{x}({s})",
         f"__device__ unsigned operator()(unsigned at) const {{ return note({n()}u), v + at; }}"),
        (f"{full} &", "({x} << {s} << {s})",
         f"__device__ {name} &operator<<(unsigned a) {{ note({n()}u + a), v ^= a; return *this; }}"),
        (f"{full} &", "({x} += {s})",
         f"__device__ {name} &operator+=(unsigned a) {{ note({n()}u + a), v += a; return *this; }}"),
        (f"{full} &", "++{x}", f"__device__ {name} &operator++() {{ note({n()}u), v++; return *this; }}"),
        (full, "{x}++", f"__device__ {name} operator++(int) {{ note({n()}u); return {name}(v++); }}"),
        (full, "-{x}", f"__device__ {name} operator-() const {{ return {name}(~v); }}"),
        ("unsigned", "{x}->v", f"__device__ const {name} *operator->() const {{ return note({n()}u), this; }}"),
        ("unsigned", "({x}, {s})",
         f"friend __device__ unsigned operator,(const {name} &a, unsigned b) {{ return note(a.v), b; }}"),
    ]  # fmt: skip
    w.choices.several(0, 4, lambda: _operator(w, of, menu.pop(w.choices.upto(len(menu) - 1))))
    others = [c for c in w.classes if not c.aggregate and "<" not in c.name]
    if others and w.chance(35):
        other = w.pick(others)
        explicit = w.pick(["", "", "explicit "])
        w.line(f"__device__ {explicit}operator {other.name}() const {{ return {other.name}(v + {n()}u); }}")
        of.to.append(other.name)
    if others and w.chance(35):
        other = w.pick(others)
        explicit = w.pick(["", "", "explicit "])
        w.line(
            f"__device__ {explicit}{name}(const {other.name} &o) : v(o.v), id(fresh()), self(this) {{ note({n()}u); }}"
        )
        other.to.append(of.name)


def _operator(w: Writer, of: Class, row: tuple[str, str, str]) -> None:
    result, form, text = row
    w.line(text)
    of.forms.append((result, form))


def _outside(w: Writer, of: Class) -> None:
    if w.chance(25):
        w.line(
            f"__device__ {of.name} operator|(const {of.name} &a, const {of.name} &b) {{ return {of.name}(a.v | b.v); }}"
        )
        of.forms.append((of.name, "({x} | {v})"))
    if w.chance(20):
        w.line(
            f"__device__ {of.name} &operator^=({of.name} &a, unsigned b) {{ note({w.number()}u), a.v ^= b; return a; }}"
        )
        of.changes.append("({x} ^= {s})")


def _template(w: Writer) -> None:
    """A class template, perhaps with specialisations; its instances are classes of the program."""
    name = w.name("B")
    plain = [c.name for c in w.classes if not c.aggregate] or ["int"]
    w.line(w.pick(["template <class T, unsigned N = 4>", "template <typename T, unsigned N>"]))
    general = _class(w, bases=False, template=f"{name}<T, N>")
    instances = [f"{name}<{w.pick(plain)}, {w.pick(['2', '4u', '1 + 1'])}>", f"{name}<int, 7>"]
    specialised: list[Class] = []
    if w.chance(40):
        pattern = w.pick(
            [
                ("class T", "T *, 4"),
                ("unsigned N", "int, N"),
                ("class T", "T, 7"),
                ("class T, unsigned N", "const T, N"),
            ]
        )
        w.line(f"template <{pattern[0]}>")
        specialised.append(_specialisation(w, name, pattern[1]))
    if w.chance(30):
        w.line("template <>")
        specialised.append(_specialisation(w, name, "int, 7"))
    if specialised:
        instances += [f"{name}<int *, 4>", f"{name}<const int, 3>"]
    for instance in instances[: w.choices.between(1, len(instances))]:
        if w.class_named(instance) is None:
            of = Class(instance, default=general.default, copies=general.copies, users=set(general.users))
            forms = general.forms if not specialised else [("unsigned", "{x}.get()")]
            of.forms = [(result.replace(general.name, instance), form) for result, form in forms]
            of.changes = list(general.changes) if not specialised else []
            of.makers = [m.replace(general.name, instance) for m in general.makers] if not specialised else []
            w.classes.append(of)


def _specialisation(w: Writer, name: str, arguments: str) -> Class:
    start = len(w.lines)
    of = _class(w, bases=False, template=f"{name}<{arguments}>")
    w.lines[start] = w.lines[start].replace(f"struct {name}", f"struct {name}<{arguments}>", 1)
    return of
