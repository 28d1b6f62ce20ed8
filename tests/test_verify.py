"""`--verify`: right programs run as before, and a wrong claim of the shape analysis is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simt2simd import LaunchError, RawKernel, runtime
from simt2simd.abi import kernel_symbol, pack_params
from simt2simd.analysis.lattice import UNIFORM, Shape
from simt2simd.codegen import llvm
from simt2simd.lang.ctype import INT, UINT, Scalar
from simt2simd.lower.module import lower
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.report.outcome import Outcomes
from simt2simd.source import Source
from simt2simd.target import native
from simt2simd.tree import nodes as tree

GOLDEN = Path(__file__).parent / "golden"

SUM = """
__global__ void sums(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, total = 0, fixed[3] = {n, 2, 3};
    for (int i = t; i < n; i += blockDim.x) total += in[i] * fixed[i % 3];
    s[t] = total;
    __syncthreads();
    for (int k = 0; k < 64; k++) total += s[k] & k;
    out[t] = total;
}
"""


def test_a_right_program_gives_the_same_answer() -> None:
    data = np.arange(1000, dtype=np.int32)
    plain, verified = np.zeros(64, np.int32), np.zeros(64, np.int32)
    RawKernel(SUM, "sums")((1,), (64,), (data, plain, 1000))
    RawKernel(SUM, "sums", options=("--verify",))((1,), (64,), (data, verified, 1000))
    assert (plain == verified).all() and plain.any()


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.cu")), ids=lambda path: path.stem)
def test_every_form_of_access_can_be_verified(path: Path) -> None:
    assert compile_device(Source.read(path), Options(verify=True)).object_code()


def test_what_lanes_that_are_off_hold_is_no_claim() -> None:
    """All lanes that are on have the same value; those that ask a lane that is off get anything."""
    code = """
__global__ void k(const int *in, int *out) {
    if (threadIdx.x % 3 == 0) out[threadIdx.x] = __shfl_xor_sync(0x49249249, in[blockIdx.x], 3) & 0;
}"""
    out = np.full(32, 5, np.int32)
    RawKernel(code, "k", options=("--verify",))((1,), (32,), (np.full(1, 7, np.int32), out))
    assert (out[::3] == 0).all()


def launch_with_claim(code: str, ctype: Scalar, claim: Shape, args: bytes) -> None:
    """Compile kernel `k` with `claim` made of all values of this type that it reads; run a block of 16 threads."""
    options = Options(target=native(), verify=True)
    compiled = compile_device(Source("wrong.cu", code), options, until="assumed-shapes")
    for shapes in compiled.shapes.instances.values():
        loads = [node for node in shapes.expressions if isinstance(node, tree.Load) and node.type == ctype]
        shapes.expressions.update(dict.fromkeys(loads, claim))
    relied_on = compiled[results.ASSUMED_SHAPES]
    module = llvm.optimise(
        lower(compiled.module, relied_on, compiled.shapes, compiled.plans, options, Outcomes()), options
    )
    loaded = runtime.Code(llvm.emit_object(module, options))
    kernel = compiled.module.functions["k"]
    assert pack_params(param.type for param in kernel.params)[0] == (0, 8)
    runtime.launch(loaded.address(kernel_symbol("k", "wrong.cu", static=False)), (1, 1, 1), (16, 1, 1), 0, args)


@pytest.mark.parametrize("claim", [UNIFORM, Shape(UNIFORM.kind.AFFINE, 2)], ids=["uniform", "affine"])
def test_a_wrong_claim_is_found(claim: Shape) -> None:
    code = "__global__ void k(const int *in, int *out) { int i = threadIdx.x; out[i] = in[i] + 1; }"
    data, out = np.array([7, 7, 7, 1] * 4, np.int32), np.zeros(16, np.int32)
    packed = data.ctypes.data.to_bytes(8, "little") + out.ctypes.data.to_bytes(8, "little")
    with pytest.raises(LaunchError, match=r"wrong\.cu:1:\d+: a value claimed '(uniform|affine \+2)' differs"):
        launch_with_claim(code, INT, claim, packed)


def test_an_index_that_wraps_is_found_where_it_was_claimed_not_to() -> None:
    code = "__global__ void k(const char *in, char *out) { unsigned i = threadIdx.x - 3; if (i != 1) out[5] = in[i]; }"
    data, out = np.zeros(16, np.int8), np.zeros(16, np.int8)
    packed = data.ctypes.data.to_bytes(8, "little") + out.ctypes.data.to_bytes(8, "little")
    with pytest.raises(LaunchError, match=r"wrong\.cu:1:\d+: an index claimed 'affine \+1' wraps"):
        launch_with_claim(code, UINT, Shape(UNIFORM.kind.AFFINE, 1), packed)
