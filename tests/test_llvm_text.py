"""LLVM's text as the passes after LLVM's read it."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from simt2simd.codegen import llvm_text
from simt2simd.codegen.llvm import target_machine
from simt2simd.codegen.llvm_text import Call, Function, Gather, Instruction, Scatter
from simt2simd.codegen.module import OptimisedModule
from simt2simd.options import Options

V = "<16 x i32>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add nsw <16 x i32> %i, splat (i32 1)", ("add", "nsw", (f"{V} %i", "splat (i32 1)"), "")),
        ("add i32 %a, %b, !dbg !7", ("add", "", ("i32 %a", "%b"), ", !dbg !7")),
        ("fneg float %x", ("fneg", "", ("float %x",), "")),
        ("fadd contract float %x, 0.0", ("fadd", "contract", ("float %x", "0.0"), "")),
        ("icmp samesign ult <8 x i32> %x, %y", ("icmp", "samesign ult", ("<8 x i32> %x", "%y"), "")),
        (
            "getelementptr nuw i8, ptr %p, i64 4",
            ("getelementptr", "nuw", ("i8", "ptr %p", "i64 4"), ""),
        ),
        ("load i32, ptr %p, align 4, !tbaa !3", ("load", "", ("i32", "ptr %p"), ", align 4, !tbaa !3")),
        ("zext nneg <2 x i32> %x to <2 x i64>", ("zext", "nneg", ("<2 x i32> %x to <2 x i64>",), "")),
        ("ptrtoint ptr %p to i64", ("ptrtoint", "", ("ptr %p to i64",), "")),
        (
            "shufflevector <2 x i32> %x, <2 x i32> poison, <2 x i32> <i32 1, i32 0>",
            ("shufflevector", "", ("<2 x i32> %x", "<2 x i32> poison", "<2 x i32> <i32 1, i32 0>"), ""),
        ),
    ],
)
def test_instructions(text: str, expected: tuple[str, str, tuple[str, ...], str]) -> None:
    assert llvm_text.instruction(text) == Instruction(*expected)


def test_calls() -> None:
    text = "tail call noundef i32 @llvm.smin.i32(i32 %a, i32 add (i32 1, i32 2)) #3, !dbg !7"
    given = ("i32 %a", "i32 add (i32 1, i32 2)")
    assert llvm_text.call(text) == Call("noundef i32", "llvm.smin.i32", given, ", !dbg !7")
    assert llvm_text.opcode(text) == "call" and llvm_text.callee(text) == "llvm.smin.i32"
    for other in ("add i32 %a, %b", "call i32 %f(ptr @g)", 'call i32 asm "", "=r"()'):
        assert llvm_text.call(other) is None and llvm_text.callee(other) == ""


def test_gathers_and_scatters() -> None:
    near = (
        "tail call <16 x float> @llvm.x86.avx512.mask.gather.dps.512(<16 x float> zeroinitializer, "
        "ptr nonnull align 4 %p, <16 x i32> %i, <16 x i1> %m, i32 4) #5, !dbg !7"
    )
    expected = Gather("float", "zeroinitializer", "%m", "%p", "%i", 4, "", ", !dbg !7")
    assert llvm_text.gather(near) == expected
    assert llvm_text.gather(near.replace("%p", "getelementptr (i8, ptr @a, i64 4)")) is None
    assert llvm_text.gather(near.replace("dps", "dpd").replace("16 x float", "8 x double")) is None
    far = (
        "call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p, <16 x i1> splat (i1 true), "
        "<16 x i32> poison)"
    )
    assert llvm_text.gather(far) == Gather("i32", "poison", "splat (i1 true)", "", "", 1, "%p", "")
    scatter = (
        "  tail call void @llvm.x86.avx512.mask.scatter.dpi.512(ptr @a, <16 x i1> %m, <16 x i32> %i, <16 x i32> %x, "
        "i32 2)"
    )
    assert llvm_text.scatter(scatter) == Scatter("@a", "%m", f"{V} %i", f"{V} %x", 2, "")
    assert llvm_text.scatter("  ret void") is None


MODULE = """source_filename = "m"

define i32 @f(i32 %0) {
  %2 = add i32 %0, 1
  br label %next

next:
  %x.5 = mul i32 %2, 3
  ret i32 %x.5
}

declare void @g()

define i32 @h() {
  ret i32 7
}

!llvm.ident = !{!0}
!0 = !{!"m"}
"""


def test_functions_are_told_apart() -> None:
    parts = list(llvm_text.functions(MODULE))
    assert [part.text.split("\n")[0] for part in parts] == [
        'source_filename = "m"',
        "define i32 @f(i32 %0) {",
        "define i32 @h() {",
    ]
    assert "".join(part.text for part in parts) == MODULE
    assert parts[1].values["%x.5"] == Instruction("mul", "", ("i32 %2", "3"), "") and parts[1].values["%0"] is None
    assert llvm_text.next_metadata(parts[-1].text) == 1 and llvm_text.next_metadata("}\n") == 0


def test_numbers_become_names() -> None:
    named = llvm_text.with_named_values(list(llvm_text.functions(MODULE))[1], "v.")
    assert "  %v.2n = add i32 %0, 1\n" in named.text and "  %x.5 = mul i32 %v.2n, 3\n" in named.text


def test_a_module_is_read_again_only_if_its_text_changes() -> None:
    target_machine(Options())
    read = llvm.parse_assembly(MODULE)
    module = OptimisedModule(read)
    assert module.rewritten(lambda function: function.text, Options()) is module and module.ref is read
    changed = module.rewritten(lambda function: function.text.replace("i32 7", "i32 8"), Options())
    assert [one is other for one, other in zip(module.functions, changed.functions, strict=True)] == [
        one.text == other.text for one, other in zip(module.functions, changed.functions, strict=True)
    ]
    assert "ret i32 8" in str(changed.ref) and "ret i32 7" in str(module.ref)


def test_a_module_that_is_checked_is_verified_at_once() -> None:
    target_machine(Options())
    module = OptimisedModule(llvm.parse_assembly(MODULE))

    def damaged(function: Function) -> str:
        return function.text.replace("i32 7", "i64 7")

    module.rewritten(damaged, Options(check_ir=False))
    with pytest.raises(RuntimeError):
        module.rewritten(damaged, Options(check_ir=True))
