"""Gathers of neighbours that become one, and those that must not."""

from __future__ import annotations

import re

import numpy as np
import pytest
from test_memory_ends import at_the_edge

from simt2simd.codegen import gather_coalescing
from simt2simd.codegen.llvm_text import Function, Values
from simt2simd.codegen.pointer_differences import Distance, Doubt, distance
from simt2simd.options import Debug, Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawKernel
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512, Target

V = "<16 x i32>"
HALF = "<16 x i32> <" + ", ".join(f"i32 {i}" for i in range(16)) + ">"
MADE = {
    "%j": f"add {V} %i, splat (i32 1)",
    "%k": f"add nsw {V} %j, splat (i32 -3)",
    "%even": f"shl {V} %i, splat (i32 1)",
    "%odd": f"or disjoint {V} %even, splat (i32 1)",
    "%row.i": f"add {V} %row, %i",
    "%j.row": f"add {V} %j, %row",
    "%thrice.i": f"mul {V} %i, splat (i32 3)",
    "%thrice.j": f"mul {V} %j, splat (i32 3)",
    "%cut.i": f"tail call {V} @llvm.smin.v16i32({V} %i, {V} %last)",
    "%cut.j": f"tail call {V} @llvm.smin.v16i32({V} %j, {V} %last)",
    "%other.j": f"tail call {V} @llvm.smin.v16i32({V} %j, {V} %first)",
    "%more.j": f"tail call {V} @llvm.smax.v16i32({V} %j, {V} %last)",
    "%round.j": f"select <16 x i1> %at.end, {V} zeroinitializer, {V} %j",
    "%row.cut.i": f"add {V} %cut.i, %row",
    "%row.cut.j": f"add {V} %row, %cut.j",
    "%beyond.j": f"add {V} %row.cut.j, splat (i32 7)",
    "%wide.i": "sext <16 x i32> %i to <16 x i64>",
    "%wide.j": "sext <16 x i32> %j to <16 x i64>",
    "%bytes.i": "shl nsw <16 x i64> %wide.i, splat (i64 2)",
    "%bytes.j": "shl nsw <16 x i64> %wide.j, splat (i64 2)",
    "%p": "getelementptr i8, ptr %a, <16 x i64> %bytes.i",
    "%q": "getelementptr i8, ptr %a, <16 x i64> %bytes.j",
    "%other.q": "getelementptr i8, ptr %b, <16 x i64> %bytes.j",
    "%long.j": "add <32 x i32> %long.i, splat (i32 1)",
    "%long.cut.i": "call <32 x i32> @llvm.umin.v32i32(<32 x i32> %long.i, <32 x i32> %most)",
    "%long.cut.j": "call <32 x i32> @llvm.umin.v32i32(<32 x i32> %long.j, <32 x i32> %most)",
    "%half.i": f"shufflevector <32 x i32> %long.cut.i, <32 x i32> poison, {HALF}",
    "%half.j": f"shufflevector <32 x i32> %long.cut.j, <32 x i32> poison, {HALF}",
    "%loaded.i": f"load {V}, ptr %x, align 4",
}
VALUES = Values(MADE)


@pytest.mark.parametrize(
    ("first", "second", "offset"),
    [
        ("%i", "%j", 1),
        ("%j", "%i", -1),
        ("%i", "%k", -2),
        ("%even", "%odd", 1),
        ("%row.i", "%j.row", 1),
        ("%thrice.i", "%thrice.j", 3),
        ("%bytes.i", "%bytes.j", 4),
        ("%p", "%q", 4),
    ],
)
def test_distances_that_are_sure(first: str, second: str, offset: int) -> None:
    assert distance(VALUES, first, second) == Distance(offset)


def test_distances_that_are_likely() -> None:
    cut = Doubt(V, "%cut.i", "%cut.j", 1)
    assert distance(VALUES, "%cut.i", "%cut.j") == Distance(1, cut)
    assert distance(VALUES, "%row.cut.i", "%row.cut.j") == Distance(1, cut)
    assert distance(VALUES, "%row.cut.i", "%beyond.j") == Distance(8, cut)
    assert distance(VALUES, "%i", "%round.j") == Distance(1, Doubt(V, "%i", "%round.j", 1))
    assert distance(VALUES, "%round.j", "%i") == Distance(-1, Doubt(V, "%round.j", "%i", -1))
    part = f", <32 x i32> poison, {HALF}"
    doubt = Doubt("<32 x i32>", "%long.cut.i", "%long.cut.j", 1, part)
    assert distance(VALUES, "%half.i", "%half.j") == Distance(1, doubt)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("%cut.i", "%other.j"),
        ("%cut.i", "%more.j"),
        ("%cut.i", "%cut.i.2"),
        ("%p", "%other.q"),
        ("%i", "%row"),
        ("%loaded.i", "%i"),
        ("%half.i", "%cut.j"),
    ],
)
def test_unknown_distances(first: str, second: str) -> None:
    assert distance(VALUES, first, second) is None


def assembly(statements: str, target: Target = AVX512, debug: Debug = "") -> str:
    code = f"""
struct Part {{ float x, y; int tag; }};
__global__ void k(int *out, int *a, volatile int *v, const Part *part, const int *in, int n) {{
    int i = in[threadIdx.x], sum = 0;
    {statements}
    out[threadIdx.x] = sum;
}}"""
    dumps: list[str] = []
    options = Options(target=target, lanes=16, disabled=frozenset({"rare-versions"}), debug=debug)
    compile_device(Source("k.cu", code), options, ["assembly"], lambda _, text: dumps.append(text))
    return dumps[0]


PAIR, SINGLE = "vpgatherdq", re.compile("vp?gatherd(?:d|ps)\t")


def singles(text: str) -> int:
    return len(SINGLE.findall(text))


@pytest.mark.parametrize(
    "statements",
    [
        "sum = a[i + 1] - a[i];",
        "sum = a[2 * i] * a[2 * i + 1];",
        "sum = part[i].x * part[i].y;",
        "if (i & 1) sum = part[i].y * part[i].tag;",
        "unsigned u = i; sum = a[u] - 3 * a[u + 1u];",
    ],
)
def test_neighbours_are_read_at_once(statements: str) -> None:
    text = assembly(statements)
    assert PAIR in text and singles(text) == singles(assembly("sum = i;"))  # those of `in`, where gangs span rows


def test_neighbours_but_at_edges_are_read_in_either_way() -> None:
    text = assembly("int l = min(max(i, 0), n - 1), r = min(max(i + 1, 0), n - 1); sum = a[r] * 3 - a[l];")
    assert PAIR in text and singles(text) > singles(assembly("sum = i;"))


def test_numbers_of_lines_keep_no_gathers_apart() -> None:
    statements = (
        "int l = min(max(i, 0), n - 1), r = min(max(i + 1, 0), n - 1), row = in[threadIdx.x + 1000] * 3;"
        "sum = a[row + r] * 3 - a[row + l];"
    )
    assert assembly(statements, debug="lines").count(PAIR) == assembly(statements).count(PAIR)


@pytest.mark.parametrize(
    "statements",
    [
        "sum = a[i]; a[3 * i] = 5; sum += a[i + 1];",
        "sum = a[i]; atomicAdd(&a[i + 1], 3); sum += a[i + 1];",
        "sum = v[i] + v[i + 1];",
        "sum = a[i]; __threadfence(); sum += a[i + 1];",
        "sum = a[i] - a[i + 2];",
        "sum = a[i]; if (i > 5) sum += a[i + 1];",
        "sum = a[i] - a[(i + 1) & a[i]];",
    ],
)
def test_others_are_not(statements: str) -> None:
    assert PAIR not in assembly(statements)


def test_a_cpu_without_gathers_has_nothing_of_it() -> None:
    assert "s2s.pair" not in assembly("sum = a[i + 1] - a[i];", AVX2)


GATHER = (
    "  {name} = tail call <16 x i32> @llvm.x86.avx512.mask.gather.dpi.512(<16 x i32> zeroinitializer, ptr {base}, "
    "<16 x i32> {index}, <16 x i1> {mask}, i32 4)"
)


def rewritten(*lines: str) -> str:
    """Return what becomes of a function with these lines."""
    text = "\n".join(("define void @f() {", "entry:", *lines, "  ret void", "}", ""))
    return "".join(gather_coalescing.rewrite([Function(text)]))


def gather(name: str, index: str, base: str = "%a", mask: str = "%m") -> str:
    return GATHER.format(name=name, index=index, base=base, mask=mask)


MORE = "  %j = add <16 x i32> %i, splat (i32 1)"


def test_lines_that_are_no_pair_stay_as_they_are() -> None:
    first = gather("%x", "%i")
    for lines in (
        (MORE, first, gather("%y", "%j", mask="%other")),
        (MORE, first, gather("%y", "%j", base="%b")),
        (MORE, first, "  store i32 0, ptr %a, align 4", gather("%y", "%j")),
        (MORE, first, "  %l = load volatile i32, ptr %b, align 4", gather("%y", "%j")),
        (MORE, first, "  call void @g()", gather("%y", "%j")),
        (MORE, first, "  br label %next", "", "next:", gather("%y", "%j")),
    ):
        text = "\n".join(("define void @f() {", "entry:", *lines, "  ret void", "}", ""))
        assert gather_coalescing.rewrite([Function(text)]) == [text]


def test_blocks_that_are_divided_are_left_from_their_ends() -> None:
    cut = "  %{0} = tail call <16 x i32> @llvm.smin.v16i32(<16 x i32> %{1}, <16 x i32> %n)"
    text = rewritten(
        "  br label %loop",
        "",
        "loop:",
        "  %i = phi <16 x i32> [ zeroinitializer, %entry ], [ %y, %loop ]",
        cut.format("low", "i"),
        gather("%x", "%low"),
        "  %twice = shl <16 x i32> %x, splat (i32 1)",
        MORE,
        cut.format("high", "j"),
        gather("%y", "%high"),
        "  br i1 %more, label %loop, label %done",
        "",
        "done:",
        "  %z = phi <16 x i32> [ %y, %loop ]",
    )
    end = re.search(r"(?m)^(s2s\.pair\.test\.\d+\.done):", text)
    assert end is not None
    assert (
        f"[ zeroinitializer, %entry ], [ %y, %{end[1]} ]" in text and f"%z = phi <16 x i32> [ %y, %{end[1]} ]" in text
    )
    lines = text.split("\n")
    place = {
        name: next(i for i, line in enumerate(lines) if line.startswith(f"  {name} = ")) for name in ("%j", "%high")
    }
    assert (
        place["%j"]
        < place["%high"]
        < text[: end.start()].count("\n")
        < lines.index("  %twice = shl <16 x i32> %x, splat (i32 1)")
    )


def test_numbers_that_llvm_names_values_by_need_not_stay_in_order() -> None:
    cut = "  %{0} = tail call <16 x i32> @llvm.smin.v16i32(<16 x i32> {1}, <16 x i32> %n)"
    text = rewritten(
        cut.format("0", "%i"),
        gather("%1", "%0"),
        "  %2 = mul <16 x i32> %1, splat (i32 33)",
        "  %3 = add <16 x i32> %i, splat (i32 1)",
        cut.format("4", "%3"),
        gather("%5", "%4"),
        "  br label %6",
        "",
        "6:",
        "  %7 = add <16 x i32> %2, %5",
    )
    assert "s2s.pair.test" in text and not re.search(r"(?m)^  %\d+ = ", text)
    assert "  br label %6" in text and "\n6:\n" in text


EDGES = """
__global__ void k(const float *a, const int *place, float *out, int n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int x = place[i];
    int l = min(max(x, 0), n - 1), r = min(max(x + 1, 0), n - 1);
    out[i] = a[l] - 3.0f * a[r];
    if (l < n - 1) out[i] += 5.0f * a[l] * a[l + 1];
}
"""


@pytest.mark.parametrize("ends", [True, False], ids=["at the end", "at the beginning"])
def test_nothing_beside_an_array_is_touched(ends: bool) -> None:
    rng = np.random.default_rng(5)
    kernel = RawKernel(EDGES, "k", ("-fmad=false",))
    for n in (1, 2, 3, 17, 1024, 1025):
        a = at_the_edge(rng.random(n, np.float32), ends=ends)
        places = rng.integers(-2, n + 2, 500).astype(np.int32)
        places[:200] = rng.integers(0, max(1, n - 1), 200)
        places[-3:] = 2**31 - 1, -(2**31), 2**31 - 2
        out = np.zeros(500, np.float32)
        kernel((4,), (128,), (a, places, out, n, 500))
        low = np.clip(places, 0, n - 1)
        high = np.clip(places + np.int32(1), 0, n - 1)  # which wraps
        expected = a[low] - np.float32(3) * a[high]
        within = low < n - 1
        expected[within] += np.float32(5) * a[low[within]] * a[low[within] + 1]
        np.testing.assert_array_equal(out, expected)
