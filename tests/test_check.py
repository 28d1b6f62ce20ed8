"""Checking: types, conversions, constants, overloads and initialisers, as C++ and CUDA define them."""

from __future__ import annotations

import math
import re
from pathlib import Path
from random import Random

import pytest
from front import as_a, body, expression, kernel, messages, module

from simt2simd.diag import CompileError
from simt2simd.lang import builtins, device_runtime, packed_functions, short_conversions, warp_functions
from simt2simd.lang.builtins import BUILTINS, Builtin
from simt2simd.lang.ctype import BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, UINT, VOID, Pointer, Struct
from simt2simd.lang.overload import Ambiguous, resolve
from simt2simd.lang.unsupported import UNSUPPORTED_FUNCTIONS, UNSUPPORTED_TYPES
from simt2simd.tree.nodes import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Braces,
    BuiltinCall,
    Call,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Decay,
    Declare,
    Deref,
    Evaluate,
    If,
    Increment,
    Index,
    Load,
    Logical,
    Loop,
    Member,
    PointerAdd,
    PointerDiff,
    Return,
    Switch,
    Temporary,
    ThreadIndex,
    VarRef,
)
from simt2simd.tree.shared_memory import lay_out
from simt2simd.tree.show import show
from simt2simd.tree.show_expr import show_type
from simt2simd.tree.walk import walk


@pytest.mark.parametrize(
    ("text", "ctype"),
    [
        ("c + c", "int"), ("uc + us", "int"), ("b + b", "int"), ("-c", "int"), ("~us", "int"), ("+b", "int"),
        ("!f", "bool"),
        ("i + u", "unsigned int"), ("i + l", "long"), ("u + l", "long"), ("l + ul", "unsigned long"),
        ("l + ll", "long long"),
        ("ul + ll", "unsigned long long"), ("ull + i", "unsigned long long"), ("i + f", "float"), ("ll * f", "float"),
        ("f + d", "double"), ("c << l", "int"), ("u >> ull", "unsigned int"), ("c == d", "bool"), ("f && pi", "bool"),
        ("i ? c : s", "int"), ("i ? c : c", "char"), ("i ? f : i", "float"), ("i ? pi : pci", "const int *"),
        ("i ? pi : 0", "int *"),
        ("i ? nullptr : pf", "float *"), ("i ? pi : pv", "void *"), ("c = i", "char"), ("c += d", "char"),
        ("f++", "float"),
        ("pi + c", "int *"), ("c + pi", "int *"), ("pi - us", "int *"), ("pi - pci", "long"), ("&i", "int *"),
        ("&pi", "int **"),
        ("*ppi", "int *"), ("**ppi", "int"), ("ppi[1][2]", "int"), ("2[pi]", "int"), ("st.a", "float *"),
        ("&st.a", "float (*)[4]"),
        ("pcs->a", "const float *"), ("&pcs->x", "const int *"), ("sizeof(char)", "unsigned long"),
        ("sizeof pi", "unsigned long"),
        ("(i, f)", "float"), ("threadIdx.x", "unsigned int"), ("warpSize", "int"), ("'a'", "char"), ("true", "bool"),
        ("1", "int"), ("2147483648", "long"), ("0x80000000", "unsigned int"), ("1u", "unsigned int"),
        ("1l", "long"), ("1ull", "unsigned long long"),
        ("0xffffffffffffffff", "unsigned long"), ("1.0", "double"), ("1.f", "float"), ("1e3F", "float"),
        ("0x1p3", "double"),
        ("0x1p999999999", "double"),
        ("0x1p999999999f", "float"),
        ("st = *ps", "S"), ("(float)i", "float"), ("+float(i)", "float"), ("(void)i", "void"),
        ("i < u ? st : *pcs", "S"),
    ],
)  # fmt: skip
def test_types_of_expressions(text: str, ctype: str) -> None:
    assert show_type(expression(text).type) == ctype


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14), ("7 / -2", -3), ("7 % -2", 1), ("-7 % 2", -1), ("1 << 4 | 1", 17), ("~0", -1),
        ("2147483647 + 1", -2147483648),
        ("0u - 1", 4294967295), ("1 ? 2 : 3", 2), ("3 > 2 && 0", False), ("1 || 1 / 0", True), ("(char)200", -56),
        ("(unsigned char)-1", 255),
        ("(bool)0.5", True), ("(int)-2.9", -2), ("'\\n'", 10), ("'\\x41'", 65), ("'\\101'", 65), ("017", 15),
        ("'\\0'", 0), ("'\\377'", -1), ("'\\''", 39), ("'\"'", 34), ("'\\?'", 63),
        ("0b101", 5), ("1'000", 1000),
        ("0.1f", 0.10000000149011612), ("0.1f + 0.2f", 0.30000001192092896), ("1.0f / 3", 0.3333333432674408),
        ("0.1 + 0.2", 0.1 + 0.2),
        ("16777217 * 1.0f", 16777216.0), ("1e40 * 1e300", math.inf), ("sizeof(S)", 32), ("sizeof st.a", 16),
        ("sizeof(int[3])", 12), ("alignof(S)", 8),
        ("__int_as_float(0x40490fdb)", 3.1415927410125732), ("INFINITY", math.inf), ("INT_MIN", -2147483648),
        ("-(5 - 7)", 2), ("!3", False),
        ("5 >> 1", 2), ("-5 >> 1", -3), ("3 != 3.5", True), ("nullptr == nullptr", True),
        ("UINT64_MAX", 18446744073709551615), ("M_PI > 3", True),
        (f"1.000000059604644775390625{'0' * 5000}f", 1.0),
        (f"1.000000059604644775390625{'0' * 5000}1f", 1.0000001192092896),
    ],
)  # fmt: skip
def test_constants_are_computed(text: str, value: float) -> None:
    constant = expression(text)
    assert isinstance(constant, Constant) and constant.value == value and type(constant.value) is type(value)


@pytest.mark.parametrize(
    "text", ["1 / 0", "1 % 0", "1 << 32", "1 >> -1", "(int)1e20", "(int)NAN", "1.0f / 0", "sqrtf(4)"]
)
def test_what_the_machine_decides_is_left_to_it(text: str) -> None:
    assert not isinstance(expression(text), Constant)


def test_conversions_are_nodes() -> None:
    match expression("d = c + f"):
        case Assign(
            type=outer, value=Convert(type=to_double, operand=Binary(left=Convert(operand=Load(type=char)), type=inner))
        ):
            assert (outer, to_double, inner, char) == (DOUBLE, DOUBLE, FLOAT, CHAR)
        case other:
            pytest.fail(str(other))
    match expression("c += d"):
        case CompoundAssign(compute=compute, value=Load()):
            assert compute is DOUBLE
        case other:
            pytest.fail(str(other))
    match expression("us <<= ll"):
        case CompoundAssign(compute=compute, value=Load()):
            assert compute is INT
        case other:
            pytest.fail(str(other))
    assert isinstance(as_a(Assign, expression("i = (int)f")).value, Convert)
    assert as_a(Convert, expression("(int)f")).explicit
    assert not as_a(Convert, as_a(Assign, expression("i = f")).value).explicit


def test_places_and_values() -> None:
    assert isinstance(expression("pi[c]"), Load)
    match expression("ps->a[i] = 1"):
        case Assign(place=Index(pointer=Decay(place=Member(base=Deref(), name="a", offset=16)), index=Load())):
            pass
        case other:
            pytest.fail(str(other))
    match expression("i[pi]"):
        case Load(place=Index(pointer=Load(), index=Load())):
            pass
        case other:
            pytest.fail(str(other))
    assert isinstance(as_a(AddressOf, expression("&st.x")).place, Member)
    assert isinstance(as_a(Load, expression("*(pi + 1)")).place, Deref)
    assert not as_a(PointerAdd, expression("pi + 1")).negative and as_a(PointerAdd, expression("pi - 1")).negative
    assert isinstance(expression("pi - pci"), PointerDiff)
    assert isinstance(expression("--*pi"), Increment) and isinstance(expression("&*pi"), Load)
    assert isinstance(expression("(i, f)"), Load) and isinstance(expression("i && f"), Logical)
    assert isinstance(expression("i ? f : d"), Conditional)
    index = expression("blockDim.z")
    assert isinstance(index, ThreadIndex) and (index.name, index.axis) == ("blockDim", 2)


def test_members_of_results_are_parts_of_temporaries() -> None:
    statements = body(
        "struct P { int x; }; __device__ P f() { P p = {1}; return p; } __global__ void k(int *o) { *o = f().x; }"
    )
    loads = [n for n in walk(statements) if isinstance(n, Member)]
    assert isinstance(loads[0].base, Temporary) and isinstance(loads[0].base.value, Call)


def test_const_variables_are_their_values() -> None:
    text = "const int n = 4; static const float x = 1.5f; "
    statements = body(text + "__global__ void k(float *p) { const int m = n * 2; float a[m]; p[m] = x; }").statements
    assert isinstance(statements[1], Declare) and str(statements[1].variable.type) == "float [8]"
    match statements[2]:
        case Evaluate(expr=Assign(place=Index(index=Constant(value=8)), value=Constant(value=1.5))):
            pass
        case other:
            pytest.fail(str(other))


def test_constant_tables_hold_their_bytes() -> None:
    text = (
        "struct P { short a; float b; }; enum { N = 2 };\n"
        "const P table[N][2] = {{{1, 2}, {3, .5}}, {{-1}}}; const int unused[] = {1, 2};\n"
        "__global__ void k(float *p, int i) { *p = table[i][1].b; }"
    )
    (table,) = module(text).constants
    assert table.storage == "constant" and table.const and table.initial is not None
    assert table.initial.hex() == "0100000000000040030000000000003fffff0000000000000000000000000000"


# ------------------------------------------------------------------------------------------ initialisers


def braces(declaration: str) -> list[tuple[int, str, object]]:
    text = "struct P { int x; float y[2]; }; struct Q { P p, q; char c; }; "
    statement = body(text + "__global__ void k(P *in, int n) { " + declaration + "; }").statements[-1]
    assert isinstance(statement, Declare) and isinstance(statement.initial, Braces)
    return [(o, str(t), v.value if isinstance(v, Constant) else None) for o, t, v in statement.initial.items]


@pytest.mark.parametrize(
    ("declaration", "items"),
    [
        ("int a[3] = {1, 2}", [(0, "int", 1), (4, "int", 2)]),
        ("float a[] = {1, n}", [(0, "float", 1.0), (4, "float", None)]),
        ("int a[2][2] = {{1}, {2, 3}}", [(0, "int", 1), (8, "int", 2), (12, "int", 3)]),
        ("int a[2][2] = {1, 2, 3}", [(0, "int", 1), (4, "int", 2), (8, "int", 3)]),
        ("int a[4] = {[2] = 5, 6, [0] = 1}", [(8, "int", 5), (12, "int", 6), (0, "int", 1)]),
        ("P p = {1, {2}}", [(0, "int", 1), (4, "float", 2.0)]),
        ("P p = {1, 2, 3}", [(0, "int", 1), (4, "float", 2.0), (8, "float", 3.0)]),
        ("P p{.y = {1, 2}, .x = 3}", [(4, "float", 1.0), (8, "float", 2.0), (0, "int", 3)]),
        ("Q q = {{1}, {2, {3}}, 'c'}", [(0, "int", 1), (12, "int", 2), (16, "float", 3.0), (24, "char", 99)]),
        ("Q q = {.q.y[1] = 4, .c = 1}", [(20, "float", 4.0), (24, "char", 1)]),
        ("Q q = {*in, {7}}", [(0, "int", None), (4, "float", None), (8, "float", None), (12, "int", 7)]),
        ("P a[2] = {in[n++], {1}}", [(0, "int", None), (4, "float", None), (8, "float", None), (12, "int", 1)]),
        ("Q q = Q{{1}}", [(0, "int", 1)]),
        ("P p = {}", []),
        ("int *a[2] = {nullptr, &n}", [(0, "int *", 0), (8, "int *", None)]),
    ],
)
def test_braces_are_flattened(declaration: str, items: list[tuple[int, str, object]]) -> None:
    assert braces(declaration) == items


def test_a_struct_inside_braces_is_evaluated_once() -> None:
    text = "struct P { int x, y; }; __global__ void k(P *in, int n) { P a[2] = {in[n++], {1}}; P b[1] = {in[n]}; }"
    hidden, first, second = body(text).statements
    assert isinstance(hidden, Declare) and isinstance(first, Declare) and isinstance(second, Declare)
    assert len([node for node in walk(first) if isinstance(node, Increment)]) == 1
    assert not [node for node in walk(second) if isinstance(node, Assign)]


def test_braced_values_fill_a_hidden_variable() -> None:
    statements = body("struct P { int x, y; }; __global__ void k(P *p) { if (p) *p = P{3}; *p = {4, 5}; }").statements
    assert isinstance(statements[0], If)
    hidden, store = statements[0].then.statements
    assert isinstance(hidden, Declare) and hidden.initial is None and isinstance(hidden.variable.type, Struct)
    assert isinstance(store, Evaluate)
    assigned = [n.value.value for n in walk(store) if isinstance(n, Assign) and isinstance(n.value, Constant)]
    assert assigned == [3, 0]  # the rest is zero


# -------------------------------------------------------------------------------------------- statements


def test_switch_is_cut_into_sections() -> None:
    (switch,) = kernel(
        "switch (c) { case 'a': case 2: i = 1; f = 2; break; default: i = 2; case -1: { i = 3; } }"
    ).statements
    assert isinstance(switch, Switch) and switch.value.type is INT
    assert [section.labels for section in switch.sections] == [(97, 2), (None,), (-1,)]
    assert [len(section.body.statements) for section in switch.sections] == [3, 1, 1]


def test_switch_labels_are_converted_to_the_operand() -> None:
    (switch,) = kernel("switch (u) { case -1: i = 1; }").statements
    assert isinstance(switch, Switch) and switch.sections[0].labels == (4294967295,)


def test_variables_declared_before_the_first_label_are_visible() -> None:
    (block,) = kernel("switch (i) { int x; case 1: x = 1; i = x; }").statements
    assert (
        isinstance(block, Block)
        and isinstance(block.statements[0], Declare)
        and isinstance(block.statements[1], Switch)
    )


def test_loops_keep_their_parts() -> None:
    first, second, third = kernel(
        "for (int k = 0, *q = pi; k < 3; k++, q++) i += *q; while (pi) i--; do i++; while (f);"
    ).statements
    assert isinstance(first, Loop) and len(first.init) == 2 and len(first.step) == 2 and first.test_first
    assert isinstance(second, Loop) and second.init == () and second.step == () and second.cond is not None
    assert second.cond.type is BOOL
    assert isinstance(third, Loop) and not third.test_first
    (forever,) = kernel("for (;;) {}").statements
    assert isinstance(forever, Loop) and forever.cond is None


def test_shadowing_makes_new_variables() -> None:
    outer, inner, last = kernel("int x = 1; { float x = 2; x = 3; } x = 4;").statements
    assert isinstance(outer, Declare) and isinstance(inner, Block) and isinstance(last, Evaluate)
    declared, assigned = inner.statements
    assert isinstance(declared, Declare) and isinstance(assigned, Evaluate)
    assert as_a(VarRef, as_a(Assign, assigned.expr).place).variable is declared.variable
    assert as_a(VarRef, as_a(Assign, last.expr).place).variable is outer.variable


def test_shared_variables() -> None:
    statements = kernel("__shared__ float tile[4][5]; __shared__ int total; tile[1][2] = total;").statements
    assert [s.variable.storage for s in statements if isinstance(s, Declare)] == ["shared", "shared"]


def test_shared_variables_of_the_file_are_one_for_all_functions() -> None:
    text = "__shared__ int a[4]; static __shared__ float b; __device__ int f() { return a[1]; }"
    whole = module(text + "__global__ void k(int *p) { *p = a[0] + f(); } __global__ void l(int *p) { *p = 1; }")
    assert [variable.name for variable in whole.shared] == ["a", "b"]
    assert lay_out(whole).bytes == {"k": 16, "l": 0}


def test_a_kernel_pays_only_for_the_shared_memory_that_it_uses() -> None:
    text = "__device__ int f(int i) { __shared__ int s[8192]; s[i] = 1; return s[i + 1]; }"
    kernel = "__global__ void {}(int *p) {{ __shared__ int own[{}], unused[9999]; own[1] = *p; *p = own[2] + {}; }}"
    assert messages(text + kernel.format("k", 12288, 0) + kernel.format("l", 4096, "f(3)")) == []
    message = "kernel 'l' uses 49156 bytes of shared memory: a block has 49152"
    assert messages(f"{text}\n{kernel.format('l', 4097, 'f(3)')}") == [f"1:42: {message}"]


def test_declarators_of_one_specifier_share_its_type() -> None:
    assert kernel("struct { int x; } v[4], *p; p = v; p->x = 1; struct Q { int y; } q, *r = &q; Q *t = r;")
    assert kernel("enum { A, B } x = B, *y = &x; i = *y; enum E { C = 7 } e = C, *g = &e;")
    assert body(
        "typedef struct { int x; } T, *P; struct U { struct { int y; } a, *b; };"
        + ("__global__ void k(P p, U *u) { T t; p = &t; u->b = &u->a; }")
    )


def test_results_are_converted() -> None:
    (result,) = body("__device__ double f(int a) { return a; }").statements
    assert isinstance(result, Return) and isinstance(result.value, Convert) and result.value.type is DOUBLE


# ----------------------------------------------------------------------------------------------- calls


def test_arguments_are_converted_to_the_parameters() -> None:
    text = "__device__ void f(double a, const int *p, bool b) {} __global__ void k(int *p, int i) { f(i, p, p); }"
    (statement,) = body(text).statements
    assert isinstance(statement, Evaluate) and isinstance(statement.expr, Call)
    assert [show_type(arg.type) for arg in statement.expr.args] == ["double", "const int *", "bool"]


@pytest.mark.parametrize(
    ("call", "params"),
    [
        ("exp(f)", "float"), ("exp(d)", "double"), ("exp(i)", "double"), ("sqrt(c)", "double"),
        ("sqrtf(d)", "float"), ("abs(i)", "int"),
        ("abs(s)", "int"), ("abs(l)", "long"), ("abs(f)", "float"), ("fabs(i)", "double"), ("floor(u)", "double"),
        ("rsqrt(f)", "float"),
        ("isnan(i)", "double"), ("pow(f, f)", "float float"), ("pow(f, i)", "double double"),
        ("pow(f, d)", "double double"),
        ("pow(i, i)", "double double"), ("fmax(f, i)", "double double"), ("atan2(f, f)", "float float"),
        ("fma(f, f, d)", "double double double"),
        ("max(i, i)", "int int"), ("max(i, u)", "unsigned int unsigned int"), ("max(c, s)", "int int"),
        ("max(l, ul)", "unsigned long unsigned long"),
        ("max(f, d)", "double double"), ("min(f, f)", "float float"),
        ("min(ull, ll)", "unsigned long long unsigned long long"),
        ("__popc(i)", "unsigned int"), ("__popcll(i)", "unsigned long long"), ("__clz(u)", "int"),
        ("ldexp(f, i)", "float int"), ("frexp(f, pi)", "float int *"),
        ("__fdividef(d, i)", "float float"), ("umax(i, 3)", "unsigned int unsigned int"),
        ("__mulhi(u, u)", "int int"), ("rhypot(f, f)", "double double"),
    ],
)  # fmt: skip
def test_overloads_of_built_ins(call: str, params: str) -> None:
    found = expression(call)
    assert isinstance(found, BuiltinCall)
    assert " ".join(show_type(param) for param in found.builtin.params) == params
    assert [arg.type for arg in found.args] == list(found.builtin.params)


@pytest.mark.parametrize(
    "call", ["max(i, f)", "max(i, l)", "min(u, ul)", "abs(u)", "abs(ull)", "rsqrt(i)", "sinpi(i)", "exp10(c)"]
)
def test_calls_that_nvcc_finds_ambiguous(call: str) -> None:
    (message,) = messages(
        "__global__ void k(int i, unsigned u, long l, unsigned long ul, unsigned long long ull, float f, char c) { "
        + call
        + "; }"
    )
    assert "is ambiguous" in message


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_every_row_is_reached_by_its_own_types(name: str) -> None:
    for row in BUILTINS[name]:
        assert resolve(name, row.params) == row


def test_a_search_for_a_name_finds_its_row() -> None:
    modules = (builtins, device_runtime, packed_functions, short_conversions, warp_functions)
    tables = "".join(Path(str(module.__file__)).read_text() for module in modules)
    starts = {line.split(" ")[0] for line in tables.splitlines()}
    named = {name: rows[0] for name, rows in BUILTINS.items() if not rows[0].of_matrices}  # what only PTX reaches
    listed = {name for name, row in named.items() if row.op not in ("make", "grid_barrier")}
    directions = re.compile(r"_(rz|ru|rd)$")  # one row for the three: `__fadd_M`
    assert {name for name in listed if not {name, directions.sub("_M", name)} & starts} == set()


def test_a_row_has_one_overload_for_each_of_its_types() -> None:
    assert [(row.params, row.result) for row in BUILTINS["ldexp"]] == [((DOUBLE, INT), DOUBLE), ((FLOAT, INT), FLOAT)]
    assert BUILTINS["atomicAdd_block"][3] == Builtin(
        "atomicAdd_block", "atomic_add", (Pointer(FLOAT), FLOAT), FLOAT, pure=False
    )
    assert BUILTINS["__syncthreads"] == (Builtin("__syncthreads", "barrier", (), VOID, pure=False, synchronises=True),)


def test_tables_of_names_do_not_overlap() -> None:
    assert not set(BUILTINS) & set(UNSUPPORTED_FUNCTIONS)
    assert not set(BUILTINS) & set(UNSUPPORTED_TYPES)


def test_resolve_says_what_fits_equally() -> None:
    with pytest.raises(Ambiguous) as caught:
        resolve("max", [INT, FLOAT])
    assert all(isinstance(row, Builtin) for row in caught.value.rows) and len(caught.value.rows) > 1
    assert resolve("sqrtf", [Pointer(INT)]) is None
    assert resolve("max", [LONG, INT, UINT]) is None


def test_recursion_and_prototypes() -> None:
    text = "__device__ int a(int); __device__ int b(int n) { return n ? a(n - 1) : 0; } "
    functions = module(text + "__device__ int a(int m) { return b(m); }").functions
    assert list(functions) == ["b", "a"] and functions["a"].params[0].name == "m"


def test_independent_faults_come_together_and_dependent_ones_do_not() -> None:
    text = (
        "__device__ int f(int a) { int x = a + y; x = z; return x + w.v; }\n__global__ void k(T t) { undefined(t); }\n"
    )
    text += "__global__ void k2(int *p) { Unknown u = 3; u.x = 1; p[u] = u + q; int r = s; r = 1; }"
    assert messages(text) == [
        "1:39: 'y' is not declared",
        "1:46: 'z' is not declared",
        "1:60: 'w' is not declared",
        "2:19: unknown type name 'T'",
        "3:30: unknown type name 'Unknown'",
        "3:65: 'q' is not declared",
        "3:76: 's' is not declared",
    ]


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "corpus").glob("*.cu")), ids=lambda path: path.stem)
def test_damaged_programs_give_messages_and_no_tracebacks(path: Path) -> None:
    """Whatever a text is, it is either a module, and then prints as one, or a list of faults in it."""
    random = Random(path.stem)
    tokens = re.findall(r"\s+|\w+|.", path.read_text())
    for _ in range(12):
        damaged = list(tokens)
        for _ in range(random.choice((1, 1, 3))):
            at = random.randrange(len(damaged))
            damaged[at : at + random.choice((0, 1, 1))] = random.choice(([], [random.choice(tokens)], ["{"], [")"]))
        try:
            text = show(module("".join(damaged)))
        except CompileError as error:
            assert error.diagnostics and str(error)
        else:
            assert show(module(text)) == text


def test_pointers_convert_as_in_cpp() -> None:
    assert kernel(
        "pci = pi; pv = pi; const void *cv = pci; pf = 0; pf = NULL; const int *const *p = ppi; pi = (int *)pci;"
    )
    assert messages("__global__ void k(int **p, const int *c, void *v) { const int **q = p; int *r = c; r = v; }") == [
        "1:69: cannot convert 'int **' to 'const int **' in the initialiser of 'q'",
        "1:81: cannot convert 'const int *' to 'int *' in the initialiser of 'r'",
        "1:88: cannot convert 'void *' to 'int *' in an assignment",
    ]
