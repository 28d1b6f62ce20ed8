"""Warnings: what is said about valid programs, where, and when they are hidden."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from simt2simd import CompileWarning, RawKernel
from simt2simd.command.cli import main
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source


def warned(text: str) -> list[str]:
    """Return the warnings about a program, each as "line:column: message"."""
    found = compile_device(Source("test.cu", text), Options(), until="tree").warnings()
    assert all(warning.severity == "warning" for warning in found)
    return [f"{warning.span.line}:{warning.span.column}: {warning.message}" for warning in found]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if (a = b) return 1;", "2:5: '=' in a condition"),
        ("while (a = b) b--;", "2:8: '=' in a condition"),
        ("bool c; if (c = a > 1) return 1;", "2:13: '=' in a condition"),
        ("int x; return x;", "2:15: 'x' is used before it has a value"),
        ("int x; if (a) b = x + 1; x = 1; return x;", "2:19: 'x' is used before it has a value"),
        ("int x; x += a; return x;", "2:8: 'x' is used before it has a value"),
        ("int x; x++; return x;", "2:8: 'x' is used before it has a value"),
        ("int x; x = x + a; return x;", "2:12: 'x' is used before it has a value"),
        ("int x; for (int i = 0; i < a; i++) b += x;", "2:41: 'x' is used before it has a value"),
        ("int x = 1;", "2:5: 'x' is never used"),
        ("float x[4];", "2:7: 'x' is never used"),
        ("[[maybe_unused]] int x; int y __attribute__((unused)); int u;", "2:60: 'u' is never used"),
        ('printf("%d\\n");', "2:1: '%d' has no argument"),
        ('printf("%d %5.2f\\n", a);', "2:1: '%5.2f' has no argument"),
        ('printf("%f\\n", a);', "2:16: '%f' prints a float or a double, not 'int'"),
        ('printf("%d\\n", 2.5f * a);', "2:16: '%d' prints an int, not 'float'"),
        ('printf("%ld\\n", a);', "2:17: '%ld' prints a 64-bit integer, not 'int'"),
        ('printf("%d\\n", sizeof(a));', "2:16: '%d' prints an int, not 'unsigned long'"),
        ('printf("%p\\n", a);', "2:16: '%p' prints a pointer, not 'int'"),
        ('printf("%*d\\n", 2.5, a);', "2:17: '%*d' prints an int, not 'double'"),
        ('printf("all %% is well\\n", a);', "2:28: the format does not print this argument"),
    ],
)
def test_warnings(body: str, message: str) -> None:
    assert warned(f"__device__ int f(int a, int b) {{\n{body} return b; }}") == [message]


@pytest.mark.parametrize(
    "body",
    [
        "if ((a = b)) return 1; while ((a = b - 1)) b--;",
        "if (a == b || (a = b) > 1) return 1;",
        "int x; if (a) x = 1; else x = 2; return x;",
        "int x; for (int i = 0; i < a; i++) { if (i) b += x; x = i; }",
        "int x; int *p = &x; *p = 1; return x;",
        "int x[4]; x[a & 3] = 1; return x[1];",
        "int x; (void)x;",
        "const int x = 4; int y[x]; y[a & 3] = 1; return y[0];",
        "int x; switch (a) { case 1: x = 1; break; default: x = 2; } return x;",
        "int x; do { x = a; } while (x > --a); return x;",
        'printf("%d %u %c %hhd %x", a, b, (char)a, (short)b, 3u); printf("%lld %zu %lx", 3ll, sizeof(a), 4ul);',
        'printf("%f %e %*.*g", 1.0f, 2.0, a, b, 3.0); printf("%s %p %%", "text", &a); printf("nothing\\n");',
        'const char *format = a ? "%d" : "%f"; printf(format, a);',
    ],
)
def test_what_may_be_meant(body: str) -> None:
    assert warned(f"__device__ int f(int a, int b) {{ {body} return b; }}") == []


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("", True),
        ("if (a) return 1;", True),
        ("if (a) return 1; else return 2;", False),
        ("while (a) return 1;", True),
        ("for (;;) { if (a++ > 9) return a; }", False),
        ("for (;;) { if (a++ > 9) break; }", True),
        ("while (1) { while (1) { if (a++ > 9) break; } return 1; }", False),
        ("do { return 1; } while (a);", True),
        ("switch (a) { case 1: return 1; default: return 2; }", False),
        ("switch (a) { case 1: return 1; }", True),
        ("switch (a) { case 1: break; default: return 2; }", True),
        ("switch (a) { default: a++; case 1: return 2; }", False),
        ("__trap();", False),
        ("{ return 1; }", False),
    ],
)
def test_the_end_of_a_function(body: str, ends: bool) -> None:
    assert bool(warned(f"__device__ int f(int a) {{ {body} }}")) == ends


def test_macros_are_the_business_of_their_authors() -> None:
    assert warned("#define UNUSED int x;\n__global__ void k(int *a) { UNUSED *a = 1; }") == []


def test_headers_are_the_business_of_their_authors(tmp_path: Path) -> None:
    (tmp_path / "f.h").write_text("__device__ int f(int a) { int unused; }\n")
    (tmp_path / "k.cu").write_text('#include "f.h"\n__global__ void k(int *a) { *a = f(1); }\n')
    source = Source.read(str(tmp_path / "k.cu"))
    assert compile_device(source, Options(), until="tree").warnings() == ()


CODE = "__global__ void k(int *a) {\n    int unused;\n    *a = 1;\n}\n"


def test_python_warns_also_of_what_is_kept() -> None:
    for _ in range(2):
        with pytest.warns(CompileWarning, match="<code>:2:9: warning: 'unused' is never used") as found:
            RawKernel(CODE, "k")((1,), (1,), (np.zeros(1, np.int32),))
        assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", CompileWarning)
        with pytest.raises(CompileWarning):
            RawKernel(CODE, "k").compile()


def test_the_command_line_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.cu"
    file.write_text(CODE)
    command = ["compile", "-c", str(file), "-o", str(tmp_path / "k.o")]
    for _ in range(2):
        assert main(command) == 0
        assert f"{file}:2:9: warning: 'unused' is never used\n    2 |     int unused;\n" in capsys.readouterr().err
    assert main([*command, "-w"]) == 0
    assert capsys.readouterr().err == ""
    (tmp_path / "k.o").unlink()
    assert main([*command, "-Werror", "all-warnings"]) == 1
    assert "'unused' is never used" in capsys.readouterr().err
    assert not (tmp_path / "k.o").exists()
    assert main([*command, "-Werror", "reorder"]) == 0
