"""Printing the tree: the text means the same, to ourselves and to nvcc."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cxx.harness import TYPES, Table, numbers, tables, together
from front import kernel, module

from simt2simd.interp.run import Interpreter
from simt2simd.lang.ctype import Array, Pointer, Scalar, Struct, leaves
from simt2simd.source import Span
from simt2simd.tree.nodes import AddressOf, Braces, BuiltinCall, Convert, Evaluate, Module, Variable
from simt2simd.tree.show import show
from simt2simd.tree.show_expr import ExprPrinter, is_braced, show_type

TESTS = Path(__file__).parent
CORPUS = sorted((TESTS / "corpus").glob("*.cu"))
# Gaps that array designators leave print as zeros, in the order of the elements: the same values, but another tree.
KERNELS = CORPUS + [path for path in sorted((TESTS / "differential").rglob("*.cu")) if path.stem != "long_lists"]


def name(path: Path) -> str:
    return str(path.relative_to(TESTS))


def structure(value: object, variables: dict[Variable, int]) -> object:
    """Return `value` as nested tuples: without positions, variables numbered, and structs by their tags."""
    match value:
        case Variable():
            number = variables.setdefault(value, len(variables))
            return ("variable", number, value.storage, structure(value.type, variables), value.const, value.initial)
        case Struct():
            return value.tag
        case Scalar():
            return value.name
        case tuple():
            return tuple(structure(item, variables) for item in value)
        case dict():
            return tuple(structure(item, variables) for item in value.values())
        case Span():
            return None
        case Convert(operand=AddressOf(type=Pointer(target=target)) as address, type=Pointer() as wanted) if (
            target == wanted.target
        ):
            # What is bound to a reference to const is read back as an address that is converted to one of const.
            return structure(dataclasses.replace(address, type=wanted), variables)
        case BuiltinCall() if is_braced(value):  # printed as a braced list
            items = ((at, ctype, arg) for (at, ctype), arg in zip(leaves(value.type), value.args, strict=True))
            return structure(Braces(value.span, tuple(items)), variables)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [
            f.name
            for f in dataclasses.fields(value)
            if f.name not in ("span", "explicit", "shown", "name" if isinstance(value, Module) else "")
        ]
        return (type(value).__name__, *(structure(getattr(value, part), variables) for part in parts))
    return repr(value)


@pytest.mark.parametrize("path", KERNELS, ids=name)
def test_printed_text_gives_the_same_tree(path: Path) -> None:
    program = path.read_text()
    before = module(program)
    text = show(before)
    after = module(text)
    if not re.search("#include <(cuda/|cooperative_groups)", program):  # methods come back as functions of pointers
        assert structure(after, {}) == structure(before, {})
    assert show(after) == text


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)
def test_printed_cxx_gives_the_same_results(table: Table) -> None:
    """Classes, references and virtual functions are printed as structs, pointers and switches."""
    before = module(together(table))
    text = show(before)
    after = module(text)
    again = show(after)
    assert show(module(again)) == again
    a, b = numbers()
    for index, case in enumerate(table.cases):
        first, second = (np.full(96, 77, TYPES[case.gives]) for _ in range(2))
        for tree, out in ((before, first), (after, second)):
            Interpreter(tree).launch(f"kernel_{index}", 2, 48, (a, b, out, 96))
        np.testing.assert_array_equal(first, second, err_msg=case.name)


def layout_of(struct: Struct, prefix: str = "") -> Iterator[str]:
    """Yield assertions for the C++ compiler: size, alignment and offsets are those of the tree."""
    yield f"static_assert(sizeof({struct.tag}) == {max(1, struct.size)} && alignof({struct.tag}) == {struct.align});"
    for field in struct.fields or ():
        if field.name:
            yield f"static_assert(__builtin_offsetof({struct.tag}, {field.name}) == {field.offset});"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_nvcc_lays_out_printed_classes_alike(tmp_path: Path) -> None:
    parts = []
    for table in tables():
        printed = module(together(table))
        asserted = "\n".join(line for struct in printed.structs if struct.fields for line in layout_of(struct))
        parts.append(f"namespace {table.name} {{\n{show(printed)}\n{asserted}\n}}\n")
    assert_nvcc_accepts("\n".join(parts), tmp_path)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_nvcc_accepts_printed_text(tmp_path: Path) -> None:
    """All files in one translation unit, each in a namespace of its own: nvcc takes seconds to start."""
    texts = [f"namespace file_{index} {{\n{show(module(path.read_text()))}}}\n" for index, path in enumerate(CORPUS)]
    assert_nvcc_accepts("\n".join(texts), tmp_path)


def assert_nvcc_accepts(text: str, tmp_path: Path) -> None:
    unit = tmp_path / "all.cu"
    unit.write_text(text)
    result = subprocess.run(
        ["nvcc", "-w", "--ptx", str(unit), "-o", str(tmp_path / "all.ptx")], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr[:2000]


@pytest.mark.parametrize(
    "text",
    [
        "i + c - u * 2 / (i - 1) % 3", "i - (i - i) - i", "i & (1 << 3 | 2) ^ 7", "(i + 1) << (c & 3)", "-(-i)",
        "- -i", "!(b && c) || i",
        "b || (c && i)", "(b || c) && i", "f * (float)i + d", "(int)f / 2", "(double)f * d", "(char)(c + 1)",
        "i ? f : i", "b ? 1 : c ? 2 : 3",
        "(b ? pi : nullptr)[i]", "*pi++", "(*pi)++", "*++pi", "-*pi", "&pi[3]", "*(pi + 1)", "pi - 1 + i",
        "pi - ppi[0]",
        "st.a[i]", "ps->p[1]", "(&st)->x", "(*ps).x", "(*ppi)[2]", "pi == nullptr", "pi < pci", "i = u = c",
        "f += d", "c <<= 2", "pi += i",
        "i, (c, u)", "(i, c) + 1", "max(i, u)", "exp(f) + exp(d)", "fmaxf(f, i)", "(unsigned long)pi",
        "(float *)pv", "(bool)(i & 1)",
        "sizeof(int) * i", "i == 3 != b", "(i = 2) + 1", "1e10f + 1.0e-3 + 0.1f", "__int_as_float(0x7f800000) + f",
        "-2147483647 - 1 + i",
        "(short)-3 + i", "'a' + c", "~(unsigned char)1 + i", "i++ + ++i", "i - -1", "i + +2", "-i-- - --i",
        "(b = c) ? i : u", "(void)i",
    ],
)  # fmt: skip
def test_expressions_survive(text: str) -> None:
    """Few of these lose no parentheses or casts, but none changes its meaning."""
    printer = ExprPrinter(lambda variable: variable.name)
    before = kernel(f"{text};").statements[-1]
    assert isinstance(before, Evaluate)
    shown = printer.show(before.expr)
    after = kernel(f"{shown};").statements[-1]
    assert isinstance(after, Evaluate)
    assert structure(after.expr, {}) == structure(before.expr, {}), shown
    assert printer.show(after.expr) == shown


def test_parentheses_and_casts_that_are_not_needed_are_left_out() -> None:
    printer = ExprPrinter(lambda variable: variable.name)

    def shown(text: str) -> str:
        statement = kernel(f"{text};").statements[-1]
        assert isinstance(statement, Evaluate)
        return printer.show(statement.expr)

    assert shown("d = ((f) * (i)) + (c)") == "d = f * i + c"
    assert shown("((((*ps)).x) = ((st).x))") == "ps->x = st.x"
    assert shown("b = (((i)) && (!(pi)))") == "b = i && !pi"
    assert shown("f = (float)i") == "f = (float)i"
    assert shown("pf = NULL") == "pf = nullptr"


def test_a_struct_that_is_only_declared_stays_declared() -> None:
    text = show(module("struct R; __global__ void k(struct R *r, struct T *t, struct T **u) { *u = r ? t : 0; }"))
    assert text.startswith("struct R;\nstruct T;\n") and show(module(text)) == text


def test_types_read_as_declarations() -> None:
    (function,) = module(
        "__device__ void f(const float *const *a, int (*b)[3][4], char *const c, const bool d) {}"
    ).functions.values()
    shown = [show_type(p.type, p.name, const=p.const) for p in function.params]
    assert shown == ["const float *const *a", "int (*b)[3][4]", "char *const c", "const bool d"]
    assert show_type(Array(Pointer(function.params[3].type), 2), "x") == "bool *x[2]"


def test_names_that_hide_others_are_changed() -> None:
    text = show(module("""
    __device__ int count(int n) { return n; }
    __global__ void k(int *p) {
        int i = 1;
        { int i = 2; p[0] = i; }
        { int i = 3; p[1] = i; }
        for (int p = 0; p < i; p++) { int count = p; i += count; }
        p[2] = i + count(i);
    }
    """))  # fmt: skip
    assert "int i_2 = 2;" in text and "int i_2 = 3;" in text and "p[2] = i + count(i);" in text
    assert "for (int p_2 = 0; p_2 < i; p_2++) {" in text and "int count_2 = p_2;" in text


def test_a_members_offset_survives_a_nameless_struct() -> None:
    text = (
        "struct S { char a; struct { char b; double c; }; char d; }; __global__ void k(S *s) { s->b = s->d; s->c = 1; }"
    )
    before, after = module(text), module(show(module(text)))
    offsets = [{n: sum(f.offset for f in m.structs[-1].path(n)) for n in "abcd"} for m in (before, after)]
    assert offsets[0] == offsets[1] == {"a": 0, "b": 8, "c": 16, "d": 24}
