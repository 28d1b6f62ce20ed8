"""What the tests of the front end share: text in, tree or messages out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.parse import Parsed, parse
from simt2simd.frontend.parse.words import Node as SyntaxNode
from simt2simd.frontend.sema.context import Sema
from simt2simd.frontend.sema.module import TopLevel, check
from simt2simd.frontend.sema.scopes import Reported
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.frontend.text.preprocessed import Preprocessed
from simt2simd.options import Options
from simt2simd.source import NOWHERE, Source
from simt2simd.tree.nodes import Block, Evaluate, Expr, Module, Node

N = TypeVar("N")

# Variables of every kind, for expressions to be checked in.
PARAMETERS = (
    "bool b, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, "
    "unsigned long ul, long long ll, unsigned long long ull, float f, double d, int *pi, const int *pci, float *pf, "
    "void *pv, int **ppi, S st, S *ps, const S *pcs"
)
PRELUDE = "struct S { int x; float *p; float a[4]; };\n"


def preprocessed(text: str, *defines: str) -> Preprocessed:
    return preprocess(Source("test.cu", text), Options(defines=defines))


def parsed(text: str) -> Parsed:
    return parse(preprocessed(text))


def module(text: str) -> Module:
    return check(parsed(text))


def body(text: str) -> Block:
    """Return the body of the last function of `text`."""
    return list(module(text).functions.values())[-1].body


def kernel(statements: str) -> Block:
    """Return the body of a kernel with the parameters above."""
    return body(f"{PRELUDE}__global__ void k({PARAMETERS}) {{ {statements} }}")


def expression(text: str) -> Expr:
    """Return `text`, checked as an expression in that kernel."""
    statement = kernel(f"{text};").statements[-1]
    assert isinstance(statement, Evaluate)
    return statement.expr


def as_a(kind: type[N], node: Node) -> N:
    """Return `node`, which is of this kind."""
    assert isinstance(node, kind), node
    return node


def messages(text: str) -> list[str]:
    """Return what is wrong with `text`, each fault as "line:column: message"."""
    try:
        module(text)
    except CompileError as error:
        return [f"{d.span.line}:{d.span.column}: {d.message}" for d in error.diagnostics]
    return []


def whole(text: str = "") -> Sema:
    """Return the checker after the declarations of `text`, for its parts to be asked."""
    top = TopLevel(parsed(text), "")
    for item in top.parsed.items:
        top.top_level(item)
    assert not top.s.diagnostics.faults
    return top.s


def syntax(s: Sema, text: str) -> SyntaxNode:
    """Return the syntax of an expression or a type that stands at file scope."""
    return s.templates.kernels.fragments.argument(text, NOWHERE)


def refusal(s: Sema, ask: Callable[[], object]) -> str:
    """Return the message of a part that refuses what it is asked."""
    with pytest.raises(Reported):
        ask()
    return s.diagnostics.faults.pop().message
