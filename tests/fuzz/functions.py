"""Device functions: plain ones, recursive ones, and walks over a tree whose nodes lie in an array."""

from __future__ import annotations

from .expressions import divergent, number, value, within, word
from .statements import add_members, note_all, statements
from .writer import INT, LIMIT, UNSIGNED, Function, Place, Scope, Type, Writer

TREE_NODES = 15


def device_function(w: Writer, name: str) -> None:
    """Write a function that may call itself, `depth` levels deep at most, and may write through a pointer."""
    pointer = w.pick([INT, UNSIGNED]) if w.chance(50) else None
    w.function, w.recursive = Function(name, pointer), False
    w.leave = "return %s;"
    last = f", {pointer.name} *p" if pointer else ""
    qualifier = w.pick(["", "", "", "__noinline__ ", "__forceinline__ "])
    scope = Scope(places=[Place("a", INT, f"{name}.a"), Place("b", UNSIGNED, f"{name}.b")])
    scope.places.append(Place("d[1]", INT, f"{name}.d", writable=False, varying=True))
    scope.places.append(Place("d[a & 3]", INT, f"{name}.a", writable=False, varying=True))
    scope.counter("depth")
    if pointer:
        scope.places.append(Place("(*p)", pointer, f"{name}.p"))
    with w.braces(f"__device__ {qualifier}int {name}(int depth, const int *d, int a, unsigned b{last})"):
        w.line("unsigned h = b;")
        numbers = w.chance(30)  # each `return` has a number, and which one a thread reaches distinguishes the threads
        with w.expression(scope):
            w.line(f"if (depth <= 0) return {'1' if numbers else within(w, number(w, scope, 1), INT)};")
        w.recursive = w.features.recursion and w.chance(70)
        if numbers:
            w.leave = "return 3;"
            with w.expression(scope):
                w.line(f"if {divergent(w, scope, 1)} return {w.pick(['7', '0', 'depth'])};")
        statements(w, scope, 1, 3, 1)
        note_all(w, scope)
        w.line("return 2;" if numbers else f"return (int)(h % {LIMIT}u);")
    w.functions.append(w.function)
    w.function, w.recursive = None, False


def make_function(w: Writer) -> None:
    """Write `make`, which returns a struct."""
    w.maker = True
    with w.braces("__device__ S0 make(int a)"):
        w.line("S0 s = {};")
        for _, name, length in w.structs["S0"]:
            if w.chance(70):
                w.line(f"s.{name}{'[a & 3]' if length else ''} = {w.pick(['a & 63', '5', 'a & 1'])};")
        w.line(f"if (a {w.pick(['> 20', '& 1'])}) return s;")
        w.line(f"s.{w.structs['S0'][0][1]} {w.pick(['= 1', '+= 2'])};")
        w.line("return s;")


def struct_function(w: Writer) -> None:
    """Write `mix`, which takes a struct by value and one by its address."""
    w.function = Function("mix")
    w.leave = "return %s;"
    scope = Scope(places=[Place("a", INT, "mix.a")])
    scope.structs = {"s": "S0", "(*t)": "S0"}
    for prefix, group in (("s.", "mix.s"), ("t->", "mix.t")):
        add_members(w, scope, "S0", prefix, group)
    with w.braces("__device__ unsigned mix(const int *d, S0 s, S0 *t, int a)"):
        w.line("unsigned h = 1;")
        statements(w, scope, 1, 3, 1)
        note_all(w, scope)
        w.line("return h;")
    w.function, w.struct_function = None, True


def ticking_function(w: Writer, ctype: Type) -> None:
    """Write `tick`, which finds an element of the thread's own (CELL) itself."""
    w.ticking = True
    with w.braces(f"__device__ int tick({ctype.name} *cells, int by)"):
        w.line(f"CELL {w.pick(['+= 1', '+= by & 7', '= by'])};")
        w.line(f"return {w.pick(['0', 'by & 1', 'by'])};")


def tree_walk(w: Writer) -> None:
    """Write `visit`, a walk over the tree: before, between and after the calls there may be work, and in any order."""
    returns = w.chance(30)
    w.function = Function("visit")
    w.leave = "return %s;" if returns else "return;"
    by_struct = w.chance(50)
    nodes = "const Node *tree" if by_struct else "const int *tree"
    key, left, right = (
        [f"at->{member}" for member in ("key", "left", "right")]
        if by_struct
        else ["tree[3 * node]", "tree[3 * node + 1]", "tree[3 * node + 2]"]
    )
    if by_struct:
        w.line("struct Node { int key, left, right; };")
    w.tree_parameter = nodes
    passed = w.pick(["a", "a", "a + 1", f"a ^ {key}", "*p & 7"])
    scope = Scope(places=[Place("a", INT, "visit.a", writable=False), Place("(*p)", UNSIGNED, "visit.p")])
    scope.places += [Place(text, INT, "visit.tree", writable=False) for text in ("node", key, "d[1]")]

    def call(child: str) -> str:
        text = f"visit(d, tree, {child}, {passed}, p)"
        return f"h += {text};" if returns else f"{text};"

    def work() -> None:
        statements(w, scope.inner(), 0, 1, 1)

    result = "int" if returns else "void"
    with w.braces(f"__device__ {result} visit(const int *d, {nodes}, int node, int a, unsigned *p)"):
        guarded = w.chance(50)  # at the call
        if not guarded:
            w.line(f"if (node < 0) return{' 0' if returns else ''};")
        if by_struct:
            w.line("const Node *at = tree + node;")
        w.line("unsigned h = 1;")
        with w.expression(scope, scope.places[1]):
            w.line(f"*p {w.pick(['= *p * 31u +', '+=', '^=', '='])} {word(w, scope, 1)};")
        work()
        if w.chance(60):
            with w.expression(scope):
                w.line(f"if {divergent(w, scope, 1)} return{' 1' if returns else ''};")

        def visit(child: str, *, chance: int = 30) -> None:
            conditions = [f"{child} >= 0"] if guarded else []
            if w.chance(chance):
                with w.expression(scope):
                    conditions.append(divergent(w, scope, 1))
            head = f"if ({' && '.join(conditions)}) " if conditions else ""
            w.line(head + call(child))

        shape = w.pick([0, 1, 1, 2, 3])
        if shape == 0:
            visit(left)
            if w.chance(30):
                work()
            visit(right)
        elif shape == 1:
            with w.expression(scope):
                head = f"if {divergent(w, scope, 1)}"
            for first, second in ((left, right), (right, left)):
                with w.braces(head):
                    visit(first)
                    if w.chance(20):
                        work()
                    visit(second)
                head = "else"
        elif shape == 2:
            with w.braces(f"for (int side = 0; side < {w.pick(['2', '2', '1 + (a & 1)'])}; side++)"):
                visit(f"(side ? {left} : {right})")
        else:
            visit(w.pick([left, right]), chance=60)
        if w.chance(30):
            work()
        if returns:
            w.line(f"return (int)((h ^ *p) & {LIMIT});")
    w.function = None


def call_walk(w: Writer, scope: Scope) -> None:
    """In the kernel: walk over the tree, the results in a variable."""
    name = w.name("acc")
    w.line(f"unsigned {name} = {w.pick(['0', 'i', '7'])};")
    with w.expression(scope):
        w.line(f"visit({w.pick(['in', 'in + i'])}, tree, 0, {value(w, scope, INT, 1)}, &{name});")
    scope.places.append(Place(name, UNSIGNED, name))
