"""What becomes of gathers and scatters behind LLVM's own passes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from simt2simd.codegen import demanded_lanes, gather_outlining, scatter_order, scatter_to_stores
from simt2simd.codegen.llvm_text import SCATTER, Function
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512, Target


def assembly(statements: str) -> str:
    code = f"__global__ void k(int *a, const int *in, int i, int j) {{ i += in[threadIdx.x]; {statements} }}"
    dumps: list[str] = []
    options = Options(disabled=frozenset({"rare-versions"}))
    compile_device(Source("k.cu", code), options, ["assembly"], lambda _, text: dumps.append(text))
    return dumps[0]


def between(text: str) -> list[str]:
    """The vector arithmetic between the last scatter before a gather and the gather, with no label in between."""
    found = re.findall(r"vpscatterdd((?:(?!vpscatterdd)[^:])*?)vpgatherdd", text)
    assert found
    return [line for part in found for line in re.findall(r"\t(vp(?:mull|add|and|sr)\w+)\t", part)]


STEPS = "a[i & 63] = i; int k = (i * 1664525 + j) >> 16 & 63; a[threadIdx.x] = {};"


def test_arithmetic_is_done_before_the_scatter() -> None:
    assert between(assembly(STEPS.format("a[k]"))) == []


def test_what_depends_on_another_access_stays_behind() -> None:
    assert between(assembly("a[i & 63] = i; int k = in[threadIdx.x + j] * 3 + 1; a[threadIdx.x] = a[k & 63];")) != []


def reordered(*lines: str) -> str:
    return scatter_order.reorder(Function("\n".join(lines)))


def test_other_lines_are_as_they_were() -> None:
    scatter = f"  {SCATTER}i.512(ptr %a, <16 x i1> %m, <16 x i32> %i, <16 x i32> %x, i32 4)"
    arithmetic = "  %y = add <16 x i32> %i, %x"
    gather = (
        "  %z = call <16 x i32> @llvm.x86.avx512.mask.gather.dpi.512(<16 x i32> zeroinitializer, ptr %a, <16 x i32> {},"
        " <16 x i1> %m, i32 4)"
    )
    load = "  %v = load <16 x i32>, ptr %a, align 4"
    assert reordered(scatter, arithmetic, gather.format("%y")).split("\n") == [
        arithmetic,
        '  %known.2 = call <16 x i32> asm sideeffect "", "=v,0"(<16 x i32> %y)',
        scatter,
        gather.format("%known.2"),
    ]
    for lines in ((scatter, load, gather.format("%y")), (scatter, gather.format("zeroinitializer")), (load, "}")):
        assert reordered(*lines).split("\n") == list(lines)
    together = reordered(scatter, arithmetic, scatter, gather.format("%y"), gather.format("%z"))
    assert together.split("\n")[1:] == [
        '  %known.3 = call <16 x i32> asm sideeffect "", "=v,0"(<16 x i32> %y)',
        scatter,
        scatter,
        gather.format("%known.3"),
        gather.format("%z"),  # known no sooner than now
    ]


def test_a_scatter_by_one_lane_is_a_store() -> None:
    """The last gang of a block of other lengths still scatters."""
    text = assembly("int x = __shfl_down_sync(~0u, i, 1); if (threadIdx.x % 32 == 0) a[threadIdx.x / 32] = x;")
    full = re.search(r"# %then\.i\n(.*?)\n\.?LBB|# %then\.i\n(.*?)# %", text, re.S)
    assert full is not None and "scatter" not in full[0]


def stored(line: str) -> str:
    return scatter_to_stores.rewrite(Function(line))


def test_what_is_promised_of_an_argument_is_not_said_of_an_address() -> None:
    on = ["i1 true", *["i1 false"] * 15]
    call = (
        "  tail call void @llvm.x86.avx512.mask.scatter.dpi.512(ptr nonnull align 4 %p, <16 x i1> <"
        + ", ".join(on)
        + ">,"
        " <16 x i32> %i, <16 x i32> %x, i32 4)"
    )
    text = stored(call)
    assert "getelementptr i8, ptr %p, i64 %lane0.0.bytes" in text and "nonnull" not in text


def test_a_scatter_whose_mask_is_known_writes_lane_after_lane() -> None:
    call = "  tail call void @llvm.x86.avx512.mask.scatter.dps.512(ptr %p, <16 x i1> {}, {}, <16 x float> %x, i32 4) #3"
    offsets = f"<16 x i32> <{', '.join(f'i32 {lane - 3}' for lane in range(16))}>"
    on = ["i1 true" if lane in (1, 2) else "i1 false" for lane in range(16)]
    lines = stored(call.format(f"<{', '.join(on)}>", offsets) + ", !dbg !7").split("\n")
    assert [line for line in lines if "store" in line] == [
        f"  store float %lane{lane}.0.value, ptr %lane{lane}.0.place, align 1, !dbg !7" for lane in (1, 2)
    ]
    assert lines[0] == f"  %lane1.0.offset = extractelement {offsets}, i64 1"
    assert stored(call.format("zeroinitializer", offsets)) == ""
    for mask in ("%m", "splat (i1 true)", f"<{', '.join(['i1 true'] * 5 + ['i1 false'] * 11)}>"):
        assert stored(call.format(mask, offsets)) == call.format(mask, offsets)


TREE = """define void @f(<4 x float> %a) {{
  %b = shufflevector <4 x float> %a, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 {}, i32 {}>
  %c = fadd contract <4 x float> %a, %b
  %d = shufflevector <4 x float> %c, <4 x float> poison, <4 x i32> <i32 1, i32 {}, i32 {}, i32 {}>
  %e = fadd contract <4 x float> %c, %d
  %f = extractelement <4 x float> %e, i64 0
  store float %f, ptr %p, align 4
}}
"""


def narrowed(text: str) -> str:
    return demanded_lanes.narrow(Function(text))


def test_shuffles_leave_open_what_nobody_needs() -> None:
    assert narrowed(TREE.format(3, 3, 2, 3, 3)) == TREE.format(*["poison"] * 5)
    whole = TREE.format(3, 3, 2, 3, 3).replace("store float %f", "store <4 x float> %e")
    assert narrowed(whole) == whole
    some = TREE.format(3, 3, 2, 3, 3).replace("store float %f", "store <4 x float> %c")
    assert narrowed(some).count("poison>") == 1


def test_a_sum_of_a_warp_halves_its_vectors() -> None:
    text = assembly(
        "for (int by = 16; by > 0; by /= 2) i += __shfl_down_sync(~0u, i, by);"
        "if (threadIdx.x % 32 == 0) a[(int)(blockIdx.x * blockDim.x + threadIdx.x) / 32] = i;"
    )
    assert re.search(r"vextracti64x4.*\n.*vpaddd.*\n.*vextracti128.*\n.*vpaddd\t%xmm", text)


MASKED = (
    "  %x{0} = tail call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p, <16 x i1> {1},"
    " <16 x i32> zeroinitializer) #3, !dbg !7"
)


def outlined(masks: Sequence[str]) -> list[str]:
    text = "\n".join(MASKED.format(number, mask) for number, mask in enumerate(masks))
    lines = gather_outlining.rewrite([Function(text)])[0].split("\n")
    return [line.replace(f"%x{number}", "%x") for number, line in enumerate(lines)]


def test_very_many_gathers_of_a_function_are_calls() -> None:
    """Where the mask is known, LLVM makes no branches."""
    many, gather = gather_outlining.MANY, MASKED.format("", "%m")
    known = MASKED.format("", "splat (i1 true)")
    assert outlined(["%m"] * many) == [gather] * many
    assert outlined(["splat (i1 true)", *["%m"] * many]) == [known, *[gather] * many]
    called = gather.replace("llvm.masked.gather.v16i32.v16p0", "s2s.gather.v16i32")
    assert outlined(["splat (i1 true)", *["%m"] * (many + 1)]) == [known, *[called] * (many + 1)]


@pytest.mark.parametrize("of_module", [0, gather_outlining.MANY_OF_MODULE])
def test_gathers_of_many_functions_are_calls_too(of_module: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module with very many in all has calls where one function has not so many."""
    monkeypatch.setattr(gather_outlining, "MANY_OF_MODULE", of_module)
    steps = "".join(f"i += a[i & {63 + k}];" for k in range(gather_outlining.MODERATE + 1))
    code = f"__global__ void k(int *a, int i) {{ i *= a[threadIdx.x]; {steps} a[threadIdx.x] = i; }}"
    text = compile_device(Source("k.cu", code), Options(target=AVX2, check_ir=True)).dump("gather-outlining")
    assert ("@s2s.gather.v16i32(" in text) is (of_module == 0)


@pytest.mark.parametrize(("target", "level"), [(AVX2, 0), (AVX2, 3), (AVX512, 0)])
def test_many_gathers_take_little_time_to_compile(target: Target, level: int) -> None:
    """One function for each kind of access; LLVM verifies the module. CPUs with gathers keep them."""
    steps = "".join(f"d = d * 3 + a[i & {63 + k}]; b[i & {63 + k}] = d;" for k in range(gather_outlining.MANY // 2 + 1))
    code = f"__global__ void k(int *a, double *b, int i, double d) {{ i *= a[threadIdx.x]; {steps} }}"
    options = Options(target=target, check_ir=True, optimise=level)
    text = compile_device(Source("k.cu", code), options).dump("gather-outlining")
    made = set(re.findall(r"define internal .*@s2s\.((?:gather|scatter)\.v16[if]\d+)\(", text))
    assert made == (set() if target.gathers else {"gather.v16i32", "scatter.v16f64"})
