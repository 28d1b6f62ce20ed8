"""A module imports only from modules that come before it in the order in which data flows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import simt2simd

PACKAGE = Path(simt2simd.__file__).parent

# One row per idea; modules of a row that were split by length come in their own order.
ORDER = """
source
diag
target
costs
ctype
cuda overload numbers
tree
rewrite shared_memory
abi
macros condition preprocess
parse_lexer parse_items parse_words parse_decl parse_cuda parse
hosttext host
check_fold check_base check_type check_convert check_expr check_call check_init check_stmt check
show_expr show
interp_math interp_memory interp_ops interp_expr interp_python interp
storage waits preorder traverse spin inline
hoist liveness twins sweep launched outline
lattice likely exchange instance outcome access_cost strips wide versions divergence shape
irtools
prefix
fission
remarks
mask vector strided memory arith
vmath_num vmath_call vmath_x86 vmath_bits vmath_exp vmath_trig vmath_special vmath_library vmath_cuda vmath
frame signature alone gangs barrier verify operate
speculate patience atomic_word atomic_lanes atomic
resident
lower_expr fill fullmask lane_loop squeeze lower_stmt walk region entry lower
scatters codegen link
runtime
pipeline
flags arguments cache device kernel
cascade driver doctor
nvcc_flags cli
__init__ __main__
""".split()


def modules() -> list[str]:
    return sorted(path.stem for path in PACKAGE.glob("*.py"))


def imports(module: str) -> set[str]:
    """Return the modules of the package that `module` imports, type-checking imports included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simt2simd"):
            found.add((node.module or "").partition(".")[2] or "__init__")
    return {name for name in found if (PACKAGE / f"{name}.py").exists()}


def test_every_module_has_a_row() -> None:
    """A new module belongs in `ORDER`, after everything that it imports."""
    assert [name for name in modules() if name not in ORDER] == []


@pytest.mark.parametrize("module", modules())
def test_imports_come_from_above(module: str) -> None:
    below = ORDER[ORDER.index(module) :] if module in ORDER else []
    assert {name for name in imports(module) if name in below} == set()


@pytest.mark.parametrize(
    ("package", "users"),
    [
        ("pycparser", {"parse", "parse_lexer", "parse_items", "check"}),
        ("pcpp", {"preprocess"}),
        ("cffi", {"runtime"}),
        ("llvmlite", None),
    ],
)
def test_untyped_packages_stay_in_their_stage(package: str, users: set[str] | None) -> None:
    """None: the modules from `mask` to `codegen`."""
    allowed = users if users is not None else set(ORDER[ORDER.index("irtools") : ORDER.index("link")])
    found = {name for name in modules() if f"import {package}" in _text(name) or f"from {package}" in _text(name)}
    assert {name for name in found if not name.startswith(tuple(allowed))} == set()


def _text(module: str) -> str:
    return (PACKAGE / f"{module}.py").read_text()
