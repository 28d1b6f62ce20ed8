"""Known miscompilations of LLVM do not hit us, and what looks for their causes in code finds them."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest
from qualify.__main__ import main, wrong
from qualify.faults import FAULTS, Fault, assembly, run
from qualify.forms import wrong_in_code, wrong_in_ir

from simt2simd.codegen.llvm import simplify
from simt2simd.codegen.llvm_text import Function
from simt2simd.codegen.sign_masks import rewrite
from simt2simd.options import Options
from simt2simd.target import AVX2, AVX512, Target

KERNELS = Path(__file__).parent / "differential"


def _named(fault: Fault) -> str:
    return f"{fault.number} {fault.what}"


def _marks(fault: Fault) -> list[pytest.MarkDecorator]:
    return [pytest.mark.avx512] if fault.target == AVX512 else []


each_fault = pytest.mark.parametrize(
    "fault", [pytest.param(fault, id=_named(fault), marks=_marks(fault)) for fault in FAULTS]
)


@each_fault
@pytest.mark.parametrize("level", [0, 1, 3])
def test_llvm_compiles_what_we_hand_over(fault: Fault, level: int) -> None:
    assert run(fault, level, handed=True)


@pytest.mark.avx512
@pytest.mark.skipif(llvm.llvm_version_info[0] != 22, reason="another LLVM may have other faults")
@pytest.mark.parametrize(("number", "level"), [(215453, 3), (198197, 0)])
def test_the_faults_of_this_llvm_show(number: int, level: int) -> None:
    fault = next(fault for fault in FAULTS if fault.number == number)
    assert not run(fault, level, handed=False)


def test_kernels_have_no_form_that_llvm_goes_wrong_with() -> None:
    assert not wrong(KERNELS / "integers/signs.cu", AVX512)


@pytest.mark.slow("forms")
@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize("file", ["memory/kept.cu", "memory/narrow.cu"])
def test_more_kernels_have_no_form_that_llvm_goes_wrong_with(file: str, target: Target) -> None:
    assert not wrong(KERNELS / file, target)


def test_a_blended_load_is_found() -> None:
    fault, options = FAULTS[0], Options(target=AVX512)
    blended = llvm.parse_assembly(fault.text)
    simplify(blended, options)
    assert list(wrong_in_ir(str(blended)))
    assert list(wrong_in_ir(fault.text))
    assert not list(wrong_in_ir(fault.handed(fault.text)))


def test_masks_of_signs_are_found() -> None:
    assert list(wrong_in_code("\tvpmovb2m\t%xmm0, %k1\n"))
    assert not list(wrong_in_code("\tvpmovd2m\t%zmm0, %k1\n\tvpmovw2m\t%ymm0, %k1\n"))


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.number == 198197], ids=_named)
@pytest.mark.parametrize("level", [0, 3])
def test_no_mask_of_signs_is_left(fault: Fault, level: int) -> None:
    assert not list(wrong_in_code(assembly(fault, level)))


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("%m = icmp slt <16 x i8> %x, zeroinitializer", True),
        ("%m = icmp sgt <32 x i8> %x, splat (i8 -1)", True),
        ("%m = icmp ugt <16 x i8> %x, splat (i8 127)", True),
        ("%m = icmp slt <8 x i32> %x, zeroinitializer", True),
        ("%m = trunc <16 x i8> %x to <16 x i1>", True),
        ("%m = icmp slt <16 x i8> %x, splat (i8 5)", False),
        ("%m = icmp slt <16 x i32> %x, zeroinitializer", False),
        ("%m = icmp slt <16 x i16> %x, zeroinitializer", False),
        ("%m = trunc <16 x i32> %x to <16 x i8>", False),
    ],
)
def test_comparisons_with_signs_change_and_others_do_not(line: str, changes: bool) -> None:
    text = f"  {line}, !dbg !5"
    rewritten = rewrite(Function(text))
    assert (rewritten != text) == changes
    assert ", !dbg !5" in rewritten


def test_known_faults_are_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qualify.__main__.FAULTS", FAULTS[:3])
    monkeypatch.setattr("qualify.__main__.LEVELS", (0, 1))
    assert main(["--only", "known"]) == 0
    printed = capsys.readouterr().out
    assert "LLVM" in printed.splitlines()[0]
    assert printed.splitlines()[-1].endswith("passes")
