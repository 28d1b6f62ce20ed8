"""Preprocessing: what comes out, and that every token keeps the place that it had."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from front import preprocessed

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.cuda_parser import CudaParser
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.host_macros import host_macros
from simt2simd.frontend.text.line_groups import without_comments
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.frontend.text.preprocessed import Preprocessed
from simt2simd.options import Options
from simt2simd.source import Source


def place(pre: Preprocessed, token: str) -> tuple[str, int, int]:
    """Return file, line and column of the first occurrence of `token` in the output."""
    span = pre.span(pre.text.index(token), len(token))
    return span.source.name, span.line, span.column


def test_lines_and_columns_survive_comments_directives_and_tabs() -> None:
    text = "/* two\n   lines */ int first;\n#define X 3\n\n// comment\n\tint second; /* c */ int third;\n"
    pre = preprocessed(text)
    assert place(pre, "first") == ("test.cu", 2, 17)
    assert place(pre, "second") == ("test.cu", 6, 6)
    assert place(pre, "third") == ("test.cu", 6, 26)


def test_a_macros_expansion_stands_at_its_name() -> None:
    pre = preprocessed("#define ADD(a, b) ((a) + (b) + more)\nint x =\n  ADD(one,\n      two); int after;")
    assert place(pre, "more") == ("test.cu", 3, 3)
    span = pre.span(pre.text.index("more"), 4)
    assert span.length == 3 and span.expansion is not None
    assert (span.expansion.macro, span.expansion.span.line, span.expansion.span.column) == ("ADD", 1, 32)
    assert place(pre, "one") == ("test.cu", 3, 7)
    assert place(pre, "two") == ("test.cu", 4, 7)
    assert place(pre, "after") == ("test.cu", 4, 17)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("#define NEG -1\nx = 2 -NEG -NEG;", "x = 2 - -1 - -1;"),
        ("#define E\nx = 2 -E-1;", "x = 2 - -1;"),
        ("#define N(a) -a\nN(-1) N(N(-1))", "- -1 - - -1"),
        ("#define SHIFT(a) a>>>2\nSHIFT(k<<<1)", "k<<<1>>>2"),
        ("#define ID x\nID y; IDy ID1", "x y; IDy ID1"),
        ("#define CAT(a, b) a ## b\nCAT(x, 1) CAT(CA, T)(y, 2) CAT(>, >)", "x1 CAT(y, 2) >>"),
        ('#define S(a) #a\nS(b "c"  d)', '"b \\"c\\" d"'),
        ("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2) V(g) V(g, (1, 2))", "g(1, 2) g() g((1, 2))"),
        ("#define L(f, ...) f(0, ##__VA_ARGS__)\nL(g) L(g, 1)", "g(0) g(0,1)"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define F(x) x F\nF(1)(2)(3)", "1 F(2)(3)"),
        ("#define f(x) x + f(x)\nf(f(1))", "1 + f(1) + f(1 + f(1))"),
        ("#define G(x) x\nG G (1) G\n(2)", "G 1 2"),
        ("#define LINE __LINE__\nLINE\nLINE __COUNTER__ __COUNTER__", "2\n3 0 1"),
        ("#define OPEN (\n#define H(x) [x]\n#define J H OPEN 3 )\nJ H(1, 2", "H ( 3 ) H(1, 2"),
        ("#define ZERO() 0\nZERO() ZERO( )", "0 0"),
    ],
)
def test_macros(text: str, out: str) -> None:
    assert preprocessed(text).text.split() == out.split()


MIXED = r"""
#define F(a, b) a + b
#define G F
#define E
int plain1; // a comment with F(1 \
   that goes on (
/* two
 lines */ #define LATE 3 /* three
 lines */
int x = F(1, /* in
 arguments */
   2);
int y = G

(
 3, LATE) E; int same_line;
#if 0
int unused = F(1
#endif
__device__ const char *s = "F(1, // no comment \
   joined"; int joi\
ned;
int F
#ifdef E
(1, 2) + __LINE__; int z = F(__LINE__,
  __LINE__);
#endif
/* only
 comments */  // here
int plain2; /**/ char c = '"'; int plain3;
ID) + F(1,
 2) LATE
"""


def everything(text: str) -> list[tuple[str, str, object]]:
    """Return the tokens of a text after preprocessing, and their original places."""
    tokens = CudaParser().clex.tokens(preprocessed(text))
    return [(token.type, token.value, (token.span, token.span.expansion)) for token in tokens]


@pytest.mark.parametrize(
    "text",
    [
        MIXED,
        f"#define OPEN(x) F(x,\n{MIXED}int a = OPEN(1)\n2);\nint b;\n",
        f"#define SWAP ) F (\n{MIXED}int a = (1 SWAP 3,\n4);\nint b;\n",
        "#if 1\nint a;\n#else\nint b;\n" + "int c;\n" * 20 + "#endif\nint d;",
    ],
)
def test_lines_that_pass_as_they_are_give_the_tokens_that_they_have(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = everything(text)
    monkeypatch.setattr("simt2simd.frontend.text.preprocess.without_comments", lambda text: None)
    assert found == everything(text)


@pytest.mark.parametrize("text", ["auto x = 1'000;", 'auto s = R"(/*)";', "int a; /*", "int c = '", "auto w = L'x';"])
def test_text_that_is_hard_to_read_goes_to_the_lexer(text: str) -> None:
    assert without_comments(text) is None


def test_macros_that_double_and_double_end() -> None:
    text = "#define A0 1 + 1\n" + "".join(f"#define A{n} A{n - 1} + A{n - 1}\n" for n in range(1, 40)) + "A39\n"
    with pytest.raises(CompileError, match="macros expand to too much text"):
        preprocessed(text)


def test_many_macros_may_expand_to_much_text() -> None:
    text = "#define ROW " + "x + " * 1000 + "x\n" + "ROW\n" * 200
    assert preprocessed(text).text.count("x") == 200 * 1001


def test_a_continued_line_keeps_its_second_line() -> None:
    assert place(preprocessed("int \\\n  far;"), "far") == ("test.cu", 2, 3)


@pytest.mark.parametrize(
    "condition",
    ["1 && \\\n  !defined(NONE)", "SUM \\\n  (1, \\\n  0) && defined \\\n  (SUM)", "LONG", "\\\n  1 \\\n"],
)
def test_a_condition_goes_on_behind_a_backslash(condition: str) -> None:
    macros = "#define SUM(a, b) a + b\n#define LONG 1 && \\\n  1\n"
    assert preprocessed(f"{macros}#if {condition}\nint yes;\n#else\nint no;\n#endif\n").text.split() == ["int", "yes;"]


def test_files_are_included_first(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("#define N 3\nint first;\n")
    made = preprocess(Source("main.cu", "int a = N;\nint b;"), Options(pre_includes=(str(tmp_path / "first.h"),)))
    assert made.text.split("\n")[-3:-1] == ["int a = 3;", "int b;"] and "int first;" in made.text
    assert place(made, "b;") == ("main.cu", 2, 5)
    with pytest.raises(CompileError, match=r"file 'none\.h' not found"):
        preprocess(Source("main.cu", "int a;"), Options(pre_includes=("none.h",)))


def test_macros_can_be_undefined() -> None:
    text = "#if defined(A) || defined(__linux__)\nint no;\n#endif\nint B;"
    made = preprocess(Source("main.cu", text), Options(defines=("A", "B=yes"), undefines=("A", "__linux__")))
    assert made.text.split() == ["int", "yes;"]


def test_system_folders_come_last(tmp_path: Path) -> None:
    for name in ("system", "user"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "which.h").write_text(f"int {name};\n")
    options = Options(include_dirs=(str(tmp_path / "user"),), system_dirs=(str(tmp_path / "system"),))
    assert "int user;" in preprocess(Source("main.cu", "#include <which.h>"), options).text
    only = Options(system_dirs=(str(tmp_path / "system"),))
    assert "int system;" in preprocess(Source("main.cu", "#include <which.h>"), only).text


def test_carriage_returns_and_form_feeds_count_no_lines() -> None:
    assert place(preprocessed("int a;\r\n\fint b;\r\nint c;"), "c;") == ("test.cu", 3, 5)


def test_a_line_comment_goes_on_after_a_backslash() -> None:
    pre = preprocessed("// one \\\n two \\\n three\nint after;")
    assert "two" not in pre.text and "three" not in pre.text
    assert place(pre, "after") == ("test.cu", 4, 5)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    main = tmp_path / "main.cu"
    main.write_bytes(b"\xef\xbb\xbf#ifdef FOO\n#endif\nint a;\n")
    for source in (Source.read(main), Source("code", main.read_text(encoding="utf-8"))):
        assert preprocess(source, Options()).text.strip().endswith("int a;")


@pytest.mark.parametrize(
    "text", ["int a; /* never\nint b;", "int a; /*/", "int a; /* *", "#if 0\nint a; /* /* */ /*\n#endif"]
)
def test_a_comment_that_is_never_closed(text: str) -> None:
    with pytest.raises(CompileError, match="this comment is never closed") as caught:
        preprocessed(text)
    place = caught.value.diagnostics[0].span
    assert (place.line, place.column, place.length) == ((2, 17, 2) if "#if" in text else (1, 8, 2))


def test_constants_of_a_width() -> None:
    assert "x = 0xffffUL + 1U + -7L;" in preprocessed("x = UINT64_C(0xffff) + UINT32_C(1) + -INT64_C(7);").text


@pytest.mark.parametrize("literal", ["1.f", ".5f", "1e-5f", "1'000'000", "0x1.8p3f", "10ULL", r"'\''", "u8'a'"])
def test_literals_are_one_token(literal: str) -> None:
    """A macro named `f` or `e5` must not break into a number."""
    pre = preprocessed(f"#define f BROKEN\n#define e BROKEN\n#define ULL BROKEN\nauto x = {literal};")
    assert f"= {literal};" in pre.text


def test_raw_strings_hide_what_is_in_them() -> None:
    assert "#define" in preprocessed('#define X Y\nauto s = R"(a\n#define X "(")";').text


def test_conditions_and_definitions() -> None:
    text = "#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700 && N == 4\nyes;\n#else\nno;\n#endif\n"
    text += "#ifdef __SIMT2SIMD__\nours;\n#endif\n"
    out = preprocessed(text, "N=4", "FLAG").text
    assert "yes" in out and "no;" not in out and "ours" in out
    assert "1;" in preprocessed("FLAG;", "FLAG").text


def test_pragma_operands_are_expanded() -> None:
    assert "#pragma unroll 8" in preprocessed("#define N 8\n#pragma unroll N\n").text


def test_local_headers_are_found_beside_the_includer_then_with_i(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "dirs").mkdir()
    (tmp_path / "sub" / "a.h").write_text('#pragma once\n#include "b.h"\nint from_a;\n')
    (tmp_path / "sub" / "b.h").write_text("int from_b;\n")
    (tmp_path / "dirs" / "c.h").write_text("int from_c;\n")
    main = tmp_path / "main.cu"
    main.write_text('#include "sub/a.h"\n#include "sub/a.h"\n#include <c.h>\n#include <stdio.h>\nint from_main;\n')
    pre = preprocess(Source.read(main), Options(include_dirs=(str(tmp_path / "dirs"),)))
    assert pre.text.count("from_a") == 1
    assert place(pre, "from_a")[0].endswith("sub/a.h") and place(pre, "from_a")[1:] == (3, 5)
    assert place(pre, "from_b")[0].endswith("sub/b.h")
    assert place(pre, "from_c")[0].endswith("dirs/c.h")
    assert place(pre, "from_main") == (str(main), 5, 5)


def test_nvidias_headers_are_not_read(tmp_path: Path) -> None:
    for name in ("cuda_runtime.h", "driver_types.h", "cufft.h"):
        (tmp_path / name).write_text("int nvidias;\n")
    text = '#include <cuda_runtime.h>\n#include "driver_types.h"\n#include <cufft.h>\n#include "cufft.h"\nint a;\n'
    assert "nvidias" not in preprocess(Source("t.cu", text), Options(include_dirs=(str(tmp_path),))).text


def test_faults_in_a_header_name_the_header(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("__device__ int f() {\n  return missing;\n}\n")
    main = tmp_path / "main.cu"
    main.write_text('#include "a.h"\n__global__ void k() { missing_too; }\n__global__ void j() { f(); }\n')
    with pytest.raises(CompileError) as caught:
        check(parse(preprocess(Source.read(main), Options())))
    places = [(Path(d.span.source.name).name, d.span.line, d.span.column) for d in caught.value.diagnostics]
    assert places == [("a.h", 2, 10), ("main.cu", 2, 23)]


def test_a_header_that_includes_itself_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "loop.h").write_text('#include "loop.h"\nint a;\n')
    main = tmp_path / "main.cu"
    main.write_text('#include "loop.h"\n')
    with pytest.raises(CompileError, match="included too deeply"):
        preprocess(Source.read(main), Options())


def test_the_text_alone_leads_a_reader_to_the_lines() -> None:
    out = preprocessed("int a;\n" + "#define X\n" * 20 + "int b;\n").text
    assert out == 'int a;\n# 22 "test.cu"\nint b;\n'


def test_tokens_go_on_in_the_next_line() -> None:
    pre = preprocessed('in\\\nt al\\\npha\\\nbet = 3; char *s = "a\\\nb"; int after; char *r = R"(c\\\nd)";')
    assert "int alphabet = 3;" in " ".join(pre.text.split()) and '"ab"' in pre.text and 'R"(c\\\nd)"' in pre.text
    assert place(pre, "alphabet")[:2] == ("test.cu", 2)
    assert place(pre, "after") == ("test.cu", 5, 9)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('__has_include("there.h")', True),
        ("__has_include ( <there.h> )", True),
        ('__has_include("missing.h")', False),
        ("__has_include(<cmath>)", True),
        ("__has_include(<cuda_runtime.h>) && __has_include(<cuda/std/cmath>)", True),
        ("__has_include(<cub/cub.cuh>)", True),
        ("__has_include(<cuda/std/ranges>) || __has_include(<cuda/std/no_such>)", False),
        ("__has_include(<strstream>)", True),
        ("__has_include(<no_such_library/core.h>) || !defined(__has_include)", False),
        ("__has_include(NAMED)", True),
        ("__has_cpp_attribute(no_unique_address) == 201803L && __has_cpp_attribute(__nodiscard__) >= 201603", True),
        ("__has_attribute(packed) && __has_cpp_attribute(gnu :: always_inline)", True),
        ("__has_cpp_attribute(clang::lifetimebound) || __has_attribute(enable_if)", False),
    ],
)
def test_questions_have_the_answers_of_gcc(condition: str, holds: bool, tmp_path: Path) -> None:
    (tmp_path / "there.h").write_text("")
    (tmp_path / "sub").mkdir()
    options = Options(include_dirs=(str(tmp_path),))
    text = f'#define NAMED "there.h"\n#ifdef __has_include\n#if {condition}\nint yes;\n#else\nint no;\n#endif\n#endif\n'
    out = preprocess(Source(str(tmp_path / "sub" / "a.cu"), text), options).text
    assert ("yes" in out, "no" in out) == (holds, not holds)


def test_has_include_looks_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "beside.h").write_text("")
    text = '#if __has_include("beside.h") && !__has_include(<beside.h>)\nint yes;\n#endif\n'
    assert "yes" in preprocess(Source(str(tmp_path / "a.cu"), text), Options()).text


@pytest.mark.parametrize("condition", ["__has_include", "__has_include()", "__has_include(<a.h)", "__has_include(3)"])
def test_has_include_needs_a_file(condition: str) -> None:
    with pytest.raises(CompileError, match="'__has_include' needs"):
        preprocessed(f"#if {condition}\n#endif\n")


def test_has_include_next_is_refused() -> None:
    with pytest.raises(CompileError, match="'__has_include_next' is not there yet"):
        preprocessed("#if __has_include_next(<a.h>)\n#endif\n")


def gcc_macros(standard: str, *words: str) -> dict[str, str]:
    command = ["g++", f"-std={standard}", *words, "-x", "c++", "-dM", "-E", "-"]
    printed = subprocess.run(command, input="", capture_output=True, text=True, check=True).stdout
    found = (line.removeprefix("#define ") for line in printed.splitlines())
    return {name: text for name, _, text in (line.partition(" ") for line in found)}


def is_gcc_12() -> bool:
    return shutil.which("g++") is not None and gcc_macros("c++17").get("__GNUC__") == "12"


@pytest.mark.skipif(not is_gcc_12(), reason="needs g++ 12")
@pytest.mark.parametrize("standard", ["c++17", "gnu++17", "c++20", "gnu++20"])
def test_device_code_sees_the_macros_of_the_host_compiler(standard: str) -> None:
    theirs = gcc_macros(standard, "-include", "cstddef")
    ours = host_macros(standard, split=True)
    versions = ("__GLIBC_MINOR__", "__VERSION__", "__GLIBCXX__")  # they differ from system to system
    plain = {name: text for name, text in ours.items() if "(" not in name and name not in versions}
    assert {name: text for name, text in plain.items() if theirs.get(name) != text} == {}


def test_the_standard_decides_on_macros() -> None:
    text = "#if __cplusplus >= 202002L && defined __cpp_concepts\nint twenty;\n#else\nint older;\n#endif\n"
    for standard, name in ((None, "older"), ("c++17", "older"), ("c++20", "twenty"), ("gnu++2a", "twenty")):
        assert name in preprocess(Source("t.cu", text), Options(standard=standard)).text


def test_macros_that_tell_compilers_and_libraries_apart_are_defined() -> None:
    names = "_GLIBCXX_USE_CXX11_ABI __GXX_ABI_VERSION __GNUG__ __CHAR_BIT__ __x86_64__ _GNU_SOURCE __GLIBC__".split()
    test = " && ".join(f"defined({name})" for name in names)
    assert "int all;" in preprocessed(f"#if {test}\nint all;\n#endif\n").text


def test_headers_of_the_program_may_declare_cuda_std(tmp_path: Path) -> None:
    (tmp_path / "own" / "cuda" / "std").mkdir(parents=True)
    (tmp_path / "own" / "cuda" / "std" / "thing").write_text("int thing;\n")
    options = Options(include_dirs=(str(tmp_path / "own"), str(tmp_path)))
    assert preprocess(Source("t.cu", "#include <cuda/std/thing>\n"), options).own_cuda_std
    assert not preprocess(Source("t.cu", "#include <cuda/std/span>\n"), options).own_cuda_std
