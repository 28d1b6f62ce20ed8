"""Textures and surfaces: what kernels read of them against a model in NumPy, and what host code may do with them.

`programs/textures.cu` has the whole of the host's side, and `programs/textures.h200.txt` what a GPU prints there; here
the interpreter and compiled code read descriptors that NumPy has written.
"""

from __future__ import annotations

import base64
import itertools
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import messages

from simt2simd.command import cli
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source

pytestmark = pytest.mark.unoptimised

Array = np.ndarray[Any, np.dtype[Any]]

# As s2s_texture_types.h has them.
DESCRIPTOR = np.dtype(
    {
        "names": ["data", "size", "row", "layer", "bytes", "channels", "channel", "linear", "normalized", "address",
                  "border", "most"],
        "formats": ["u8", "3i4", "i4", "i4", "i4", "i4", "i4", "i4", "i4", "3i4", "4f4", "f4"],
        "offsets": [0, 8, 20, 24, 28, 32, 36, 40, 44, 48, 60, 76],
        "itemsize": 80,
    }
)  # fmt: skip
CHANNELS = {"i1": 0, "i2": 1, "i4": 2, "u1": 3, "u2": 4, "u4": 5, "f2": 6, "f4": 7}
TO_1 = {"i1": 8, "i2": 9, "u1": 10, "u2": 11}
WRAP, CLAMP, MIRROR, BORDER = range(4)

KERNELS = """
__global__ void fetch_1(const void *, const void *, cudaTextureObject_t t, const float *at, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1D<float>(t, at[3 * i]);
}
__global__ void fetch_2(const void *, const void *, cudaTextureObject_t t, const float *at, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 5 != 3) out[i] = tex2D<float>(t, at[3 * i], at[3 * i + 1]);
}
__global__ void fetch_3(const void *, const void *, cudaTextureObject_t t, const float *at, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3D<float>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}
__global__ void number(const void *, const void *, cudaTextureObject_t t, const float *at, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(t, (int)at[3 * i]);
}
__global__ void pair(const void *, const void *, cudaTextureObject_t t, const float *at, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) { short2 v = tex2D<short2>(t, at[3 * i], at[3 * i + 1]); out[i] = v.x + 65536.f * v.y; }
}
__global__ void next(const void *, void *, cudaSurfaceObject_t s, const float *at, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) {
        float v = surf2Dread<float>(s, (int)at[3 * i] * 4, 1, cudaBoundaryModeClamp);
        out[i] = v;
        surf2Dwrite(v + 1, s, i * 4, 0, cudaBoundaryModeZero);
    }
}
"""
COUNT = 75


@pytest.fixture(scope="module")
def both() -> tuple[Interpreter, RawModule]:
    tree = check(parse(preprocess(Source("textures.cu", KERNELS), Options(fmad=False))))
    return Interpreter(tree), RawModule(code=KERNELS, options=("-fmad=false",))


def descriptor(texels: Array, **fields: Any) -> Array:
    """Return what describes an array of texels with axes (z, y, x) or (z, y, x, channel)."""
    view = np.zeros(1, DESCRIPTOR)
    channels = texels.shape[3] if texels.ndim == 4 else 1
    depth, height, width = texels.shape[:3]
    view["data"], view["size"] = texels.ctypes.data, (width, height, depth)
    view["row"], view["layer"] = width, width * height
    view["bytes"], view["channels"] = texels.itemsize * channels, channels
    view["channel"] = CHANNELS[texels.dtype.str[1:]]
    view["most"] = 1
    for name, value in fields.items():
        view[name] = value
    return view


def run_both(both: tuple[Interpreter, RawModule], kernel: str, view: Array, texels: Array, at: Array) -> Array:
    """Run a kernel in both ways, which must agree to the bit; return what it has read."""
    interpreter, module = both
    first, second = (np.full(len(at), 7, np.float32) for _ in range(2))
    before = texels.copy()
    interpreter.launch(kernel, 3, 32, (view, texels, int(view.ctypes.data), at, first, len(at)))
    texels_after, texels[...] = texels.copy(), before
    handle = np.uint64(view.ctypes.data)
    module.get_function(kernel)((3,), (32,), (view, texels, handle, at, second, np.int32(len(at))))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(texels_after, texels)
    return first


def fold(i: Array, size: int, mode: int) -> Array:
    """Return the numbers of the texels that replace others outside; -1 for the border."""
    if mode == WRAP:
        return i % size
    if mode == MIRROR:
        turned = i % (2 * size)
        return np.where(turned < size, turned, 2 * size - 1 - turned)
    if mode == BORDER:
        return np.where((i >= 0) & (i < size), i, -1)
    return np.clip(i, 0, size - 1)


def shares(weight: list[Array]) -> dict[tuple[int, ...], Array]:
    """Return the share of each corner, in 256ths: products of weights are rounded to them, that of x and z first."""
    x, y, z = weight + [np.zeros_like(weight[0])] * (3 - len(weight))
    both = (x * z + 128) >> 8
    columns = {(0, 0): 256 - x - z + both, (1, 0): x - both, (0, 1): z - both, (1, 1): both}
    found: dict[tuple[int, ...], Array] = {}
    for (i, k), column in columns.items():
        found[i, 1, k] = (column * y + 127 + i) >> 8
        found[i, 0, k] = column - found[i, 1, k]
    return found


def model(texels: Array, at: Array, axes: int, linear: bool, normalized: bool, mode: int, border: float) -> Array:
    """Return the texels at these places, in double precision, as CUDA's guide and the hardware have it."""
    sizes = texels.shape[::-1]
    places = np.zeros_like(at)
    places[:, :axes] = at[:, :axes]
    axes = max(axes, 2)  # a line is a row of an image
    first, weight = [], []
    for axis in range(axes):
        x = places[:, axis].astype(np.float64) * (sizes[axis] if normalized else 1)
        steps = np.floor((x - 0.5) * 256 + 0.5 if linear else x * 256).astype(int)
        if mode == CLAMP and linear:
            steps = np.clip(steps, 0, (sizes[axis] - 1) * 256)
        first.append(steps >> 8)
        weight.append(steps & 255 if linear else np.zeros_like(steps))
    total = np.zeros(len(at))
    for corner, share in shares(weight).items():
        numbers = [fold(i + step, size, mode) for i, step, size in zip(first, corner[:axes], sizes[:axes], strict=True)]
        outside = np.any([i < 0 for i in numbers], axis=0)
        found = texels.reshape(texels.shape[3 - axes :])[tuple(numbers[::-1])] if not corner[2] or axes == 3 else 0
        total += np.where(share > 0, share * np.where(outside, border, found), 0)
    return total / 256


def places(rng: np.random.Generator, texels: Array, normalized: bool) -> Array:
    at = (np.floor(rng.uniform(-1.6, 2.6, (COUNT, 3)) * 1024) + 0.25) / 1024
    return (at * (1 if normalized else texels.shape[::-1])).astype(np.float32)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER], ids=["wrap", "clamp", "mirror", "border"])
def test_fetches_are_those_of_the_model(
    both: tuple[Interpreter, RawModule], axes: int, linear: bool, mode: int
) -> None:
    rng = np.random.default_rng(axes * 8 + mode * 2 + linear)
    shape = [5 if axes == 3 else 1, 7 if axes > 1 else 1, 11]
    texels = rng.uniform(-1, 1, shape).astype(np.float32)
    for normalized in (False, True):
        if mode in (WRAP, MIRROR) and not normalized:
            continue
        at = places(rng, texels, normalized)
        view = descriptor(texels, linear=linear, normalized=normalized, address=mode, border=0.5)
        got = run_both(both, f"fetch_{axes}", view, texels, at)
        right = model(texels, at, axes, linear, normalized, mode, 0.5)
        if axes == 2:
            right[3::5] = 7  # lanes that are off
        np.testing.assert_allclose(got, right, atol=1e-6)


@pytest.mark.parametrize("element", ["i1", "i2", "u1", "u2", "f2", "f4"])
def test_channels_become_floats(both: tuple[Interpreter, RawModule], element: str) -> None:
    rng = np.random.default_rng(5)
    texels = rng.integers(-120, 120, (1, 1, 40)).astype(element)
    if element in TO_1:
        texels[0, 0, 0] = np.iinfo(element).min
    most = np.iinfo(element).max if element in TO_1 else 1
    view = descriptor(texels, address=CLAMP, channel=TO_1.get(element, CHANNELS[element]), most=most)
    at = np.zeros((40, 3), np.float32)
    at[:, 0] = np.arange(40) + 0.5
    right = np.maximum(texels.ravel().astype(np.float32) / np.float32(most), -1 if element in TO_1 else -np.inf)
    np.testing.assert_array_equal(run_both(both, "fetch_1", view, texels, at), right.astype(np.float32))


@pytest.mark.parametrize("element", sorted(TO_1))
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_integers_that_are_filtered_have_sixteen_bits(
    both: tuple[Interpreter, RawModule], element: str, axes: int
) -> None:
    rng = np.random.default_rng(axes)
    kind = np.iinfo(element)
    shape = [5 if axes == 3 else 1, 7 if axes > 1 else 1, 11]
    texels = rng.integers(kind.min, kind.max, shape, endpoint=True).astype(element)
    for mode, border in ((CLAMP, 0), (BORDER, kind.max // 3)):
        at = places(rng, texels, True)
        how = {"linear": 1, "normalized": 1, "address": mode, "border": border}
        view = descriptor(texels, channel=TO_1[element], most=kind.max, **how)
        numbers = np.maximum(texels.astype(float), -kind.max)
        total = model(numbers, at, axes, True, True, mode, border) * 256
        scaled = {"u1": total * 257, "i1": total * 258 + np.floor(total / 4096) * 32}.get(element, total)
        right = np.floor(scaled / 256 + 0.5) / (32767 if kind.min < 0 else 65535)
        if axes == 2:
            right[3::5] = 7
        np.testing.assert_array_equal(run_both(both, f"fetch_{axes}", view, texels, at), right.astype(np.float32))


@pytest.mark.parametrize("place", [np.nan, np.inf, -np.inf, 3e38, -3e38, -0.0, -1e-30])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER])
def test_no_coordinate_leads_outside(both: tuple[Interpreter, RawModule], place: float, mode: int) -> None:
    texels = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 9)
    at = np.full((4, 3), place, np.float32)
    for linear, normalized in itertools.product((0, 1), (0, 1)):
        if mode in (WRAP, MIRROR) and not normalized:
            continue
        view = descriptor(texels, linear=linear, normalized=normalized, address=mode)
        got = run_both(both, "fetch_1", view, texels, at)
        assert np.all(np.isnan(got) | ((got >= 0) & (got <= 9)))


def test_numbered_texels_outside_are_zero(both: tuple[Interpreter, RawModule]) -> None:
    texels = np.arange(1, 21, dtype=np.float32).reshape(1, 1, 20)
    at = np.zeros((27, 3), np.float32)
    at[:, 0] = np.arange(27) - 4
    right = np.zeros(27)
    right[4:24] = texels.ravel()
    np.testing.assert_array_equal(run_both(both, "number", descriptor(texels), texels, at), right)


def test_integers_of_several_channels(both: tuple[Interpreter, RawModule]) -> None:
    texels = np.arange(-30, 30, dtype=np.int16).reshape(1, 5, 6, 2)
    at = np.array([(x + 0.5, y + 0.25, 0) for y in range(5) for x in range(6)], np.float32)
    view = descriptor(texels, address=CLAMP)
    pairs = texels.reshape(-1, 2).astype(np.float32)
    np.testing.assert_array_equal(run_both(both, "pair", view, texels, at), pairs[:, 0] + 65536 * pairs[:, 1])


def test_channels_that_are_not_there_are_zero(both: tuple[Interpreter, RawModule]) -> None:
    texels = np.arange(12, dtype=np.int16).reshape(1, 3, 4)
    at = np.array([(x + 0.5, y + 0.5, 0) for y in range(3) for x in range(4)], np.float32)
    view = descriptor(texels, address=CLAMP)
    np.testing.assert_array_equal(run_both(both, "pair", view, texels, at), np.arange(12))


def test_surfaces_are_read_and_written(both: tuple[Interpreter, RawModule]) -> None:
    texels = np.arange(40, dtype=np.float32).reshape(1, 2, 20)
    at = np.zeros((24, 3), np.float32)
    at[:, 0] = np.arange(24) - 2
    got = run_both(both, "next", descriptor(texels), texels, at)
    right = 20 + np.clip(np.arange(24) - 2, 0, 19)
    np.testing.assert_array_equal(got, right)
    np.testing.assert_array_equal(texels[0, 0], right[:20] + 1)


# ------------------------------------------------------------------------------------------------- the GPU

PROGRAM = Path(__file__).parent / "programs" / "textures.cu"


def sections_of_gpu() -> dict[str, Array]:
    found: dict[str, Array] = {}
    for line in PROGRAM.with_suffix(".h200.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, _, numbers = line.partition(": ")
        same = numbers.removeprefix("= ")
        if same != numbers:
            found[name] = found[same]
        else:
            found[name] = np.frombuffer(zlib.decompress(base64.b64decode(numbers)), "<f4")
    return found


def sections_printed(text: str) -> dict[str, Array]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if heading := re.match(r"(\S.*?): (ok|\d+ of)", line):
            name = heading[1]
            found[name] = []
        elif line.startswith("  "):
            found[name] += line.split()
    return {name: np.array(numbers, dtype=np.float32) for name, numbers in found.items()}


def test_a_gpu_reads_the_same_numbers(tmp_path: Path) -> None:
    program = tmp_path / "textures"
    assert cli.main(["compile", str(PROGRAM), "-o", str(program)]) == 0
    printed = subprocess.run([program, "-v"], capture_output=True, text=True, timeout=60, check=True).stdout
    ours, right = sections_printed(printed), sections_of_gpu()
    assert ours.keys() == right.keys()
    for name in right:
        np.testing.assert_array_equal(ours[name], right[name], err_msg=name)


# ------------------------------------------------------------------------------------------------- host code

REFERENCES = """
#include <cstdio>
texture<float, 1, cudaReadModeElementType> line;
static texture<float, cudaTextureType2D> rows, wrapped(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
namespace deep { texture<int, 3> volume; }
surface<void, 2> sheet;
template <class T> __device__ T at(texture<T, 2, cudaReadModeElementType> t, float x, float y) {
    return tex2D(t, x, y);
}
__global__ void k(float *out) {
    int i = threadIdx.x;
    out[i] = tex1Dfetch(line, i) + at(rows, i + 0.5f, 1.5f) + tex2D(wrapped, (i + 0.5f) / 8 + 3, 0.25f);
    float4 c = tex2D(colours, i, 0);
    out[i] += c.x * 255 + c.w * 255 + tex3D(deep::volume, i, 1, 1);
    surf2Dwrite(out[i], sheet, i * 4, 1);
}
#define CHECK(x) do { cudaError_t e = (x); \\
    if (e != cudaSuccess) printf("%d: %s\\n", __LINE__, cudaGetErrorName(e)); } while (0)
int main() {
    float h[32], *d, *out;
    unsigned char bytes[8 * 4];
    int cells[8 * 2 * 2];
    for (int i = 0; i < 32; i++) h[i] = i, bytes[i] = 3 * i, cells[i] = 1000 * i;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMalloc(&out, 32));
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(nullptr, line, d + 8, 8 * sizeof(float)));
    CHECK(cudaBindTexture2D(nullptr, &rows, d, &rows.channelDesc, 8, 2, 64));
    cudaArray *array, *image, *box, *target;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&array, &floats, 8, 2));
    CHECK(cudaMemcpyToArray(array, 0, 0, h, 64, cudaMemcpyHostToDevice));
    CHECK(cudaBindTextureToArray(wrapped, array));
    CHECK(cudaMallocArray(&image, &four, 8, 1));
    CHECK(cudaMemcpyToArray(image, 0, 0, bytes, 32, cudaMemcpyHostToDevice));
    CHECK(cudaBindTextureToArray(colours, image, four));
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    CHECK(cudaMalloc3DArray(&box, &ints, make_cudaExtent(8, 2, 2)));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(cells, 8 * 4, 8, 2);
    copy.dstArray = box;
    copy.extent = make_cudaExtent(8, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    CHECK(cudaBindTextureToArray(deep::volume, box));
    CHECK(cudaMallocArray(&target, &floats, 8, 2, cudaArraySurfaceLoadStore));
    CHECK(cudaBindSurfaceToArray(sheet, target));
    k<<<1, 8>>>(out);
    CHECK(cudaDeviceSynchronize());
    float got[8], stored[8];
    CHECK(cudaMemcpy(got, out, 32, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DFromArray(stored, 32, target, 0, 1, 32, 1, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++) printf("%g %d%s", got[i], got[i] == stored[i], i < 7 ? ", " : "\\n");
    CHECK(cudaUnbindTexture(rows));
    size_t offset = 7;
    printf("%s ", cudaGetErrorName(cudaGetTextureAlignmentOffset(&offset, &rows)));
    CHECK(cudaGetTextureAlignmentOffset(&offset, line));
    printf("%zu\\n", offset);
}
"""


def program_prints(tmp_path: Path, text: str) -> str:
    source, program = tmp_path / "t.cu", tmp_path / "program"
    source.write_text(text)
    assert cli.main(["compile", str(source), "-o", str(program)]) == 0
    return subprocess.run([program], capture_output=True, text=True, timeout=60, check=False).stdout


def test_references(tmp_path: Path) -> None:
    i = np.arange(8)
    row = 16 + i  # of the second line of the pitched memory
    wrapped = i  # the middle of the first line of the array
    colours = 3 * (4 * i) + 3 * (4 * i + 3)
    volume = 1000 * (16 + 8 + i)
    expected = (8 + i) + row + wrapped + colours + volume
    printed = program_prints(tmp_path, REFERENCES).splitlines()
    assert printed[0] == ", ".join(f"{value} 1" for value in expected)
    assert printed[1] == "cudaErrorInvalidTextureBinding 0"


FAULTS = """
#include <cstdio>
texture<float, 2> image;
__global__ void k(float *out) { out[0] = tex2D(image, 0, 0); }
__global__ void outside(cudaSurfaceObject_t s) { surf1Dwrite(1.f, s, -4); }
static void show(cudaError_t code) { printf("%s\\n", cudaGetErrorName(code)); }
int main() {
    cudaArray_t array;
    cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    show(cudaMallocArray(&array, &odd, 4));
    show(cudaMallocArray(&array, &ints, 0));
    show(cudaMallocArray(&array, &ints, 1 << 20, 1 << 20));
    show(cudaMallocArray(&array, &ints, 8, 4));
    int values[40] = {};
    show(cudaMemcpy2DToArray(array, 4, 0, values, 32, 32, 4, cudaMemcpyHostToDevice));
    show(cudaMemcpyToArray(array, 0, 1, values, 100, cudaMemcpyHostToDevice));
    show(cudaMemcpyToArray(array, 0, 1, values, 96, cudaMemcpyDeviceToHost));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc texture = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    texture.filterMode = cudaFilterModeLinear;
    show(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
    texture.readMode = cudaReadModeNormalizedFloat;
    show(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
    show(cudaCreateSurfaceObject(&s, &resource));
    show(cudaDestroyTextureObject(12345));
    show(cudaBindTextureToArray(image, array));
    show(cudaFreeArray(array));
    show(cudaFreeArray(array));
    cudaMallocArray(&resource.res.array.array, &ints, 8, 0, cudaArraySurfaceLoadStore);
    show(cudaCreateSurfaceObject(&s, &resource));
    outside<<<1, 1>>>(s);
    show(cudaDeviceSynchronize());
}
"""


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    assert program_prints(tmp_path, FAULTS).split() == [
        "cudaErrorInvalidChannelDescriptor",
        "cudaErrorInvalidValue",
        "cudaErrorMemoryAllocation",
        "cudaSuccess",
        "cudaErrorInvalidValue",
        "cudaErrorInvalidValue",
        "cudaErrorInvalidMemcpyDirection",
        "cudaErrorInvalidFilterSetting",
        "cudaErrorInvalidNormSetting",
        "cudaErrorInvalidValue",
        "cudaErrorInvalidValue",
        "cudaSuccess",
        "cudaSuccess",
        "cudaErrorInvalidResourceHandle",
        "cudaSuccess",
        "cudaErrorLaunchFailure",
    ]


IN_HEADER = """
texture<float, 2, cudaReadModeElementType> in_header;
__device__ float look(float x) { return tex2D(in_header, x, 0.5f); }
"""
OBJECTS = """
#include "t.h"
#include <cstdio>
typedef texture<float, 1> Line;
template <class T> struct Reader {
    cudaTextureObject_t t;
    __device__ T operator()(int i) const { return tex1Dfetch<T>(t, i); }
};
__global__ void k(float *out, Reader<float> r, cudaTextureObject_t *many) {
    int i = threadIdx.x;
    out[i] = look(i + 0.5f) + r(i) + tex1Dfetch<float>(many[i & 1], i);
}
int main() {
    float *d, *out, h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaMalloc(&d, 32), cudaMalloc(&out, 32);
    cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);
    cudaBindTexture2D(0, in_header, d, 4, 2, 16);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32;
    cudaTextureDesc texture = {};
    cudaTextureObject_t many[2], *device_many;
    cudaCreateTextureObject(&many[0], &resource, &texture, 0);
    resource.res.linear.devPtr = d + 4;
    resource.res.linear.sizeInBytes = 16;
    cudaCreateTextureObject(&many[1], &resource, &texture, 0);
    cudaMalloc(&device_many, 16);
    cudaMemcpy(device_many, many, 16, cudaMemcpyHostToDevice);
    k<<<1, 8>>>(out, Reader<float>{many[0]}, device_many);
    cudaMemcpy(h, out, 32, cudaMemcpyDeviceToHost);
    for (float x : h) printf("%g ", x);
}
"""


def test_textures_in_headers_in_classes_and_different_ones_in_each_lane(tmp_path: Path) -> None:
    (tmp_path / "t.h").write_text(IN_HEADER)
    assert program_prints(tmp_path, OBJECTS).split() == "3 10 9 16 14 10 18 12".split()


def test_files_share_a_reference(tmp_path: Path) -> None:
    main = """
    #include <cstdio>
    texture<float, 1> line;
    void launch(float *out);
    int main() {
        float *d, *out, h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        cudaMalloc(&d, 32), cudaMalloc(&out, 32);
        cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);
        cudaBindTexture(0, line, d, 32);
        launch(out);
        cudaMemcpy(h, out, 32, cudaMemcpyDeviceToHost);
        printf("%g %g", h[0], h[7]);
    }
    """
    other = """
    extern texture<float, 1> line;
    __global__ void k(float *out) { out[threadIdx.x] = 2 * tex1Dfetch(line, threadIdx.x); }
    void launch(float *out) { k<<<1, 8>>>(out); }
    """
    (tmp_path / "a.cu").write_text(main)
    (tmp_path / "b.cu").write_text(other)
    program = tmp_path / "program"
    assert cli.main(["compile", "-rdc=true", *(str(tmp_path / f"{name}.cu") for name in "ab"), "-o", str(program)]) == 0
    assert subprocess.run([program], capture_output=True, text=True, check=False).stdout == "2 16"


def test_texels_that_cannot_be_are_refused() -> None:
    text = "__global__ void k(float *o, cudaTextureObject_t t) { o[0] = tex2D<double>(t, 1, 2); }"
    (fault,) = messages(text)
    assert fault.endswith('"texels have 1, 2 or 4 channels, integers of 8, 16 or 32 bits or floats"')


def test_the_names_of_references_are_free_where_no_reference_is(tmp_path: Path) -> None:
    text = """
    #include <cstdio>
    struct texture { float scale; __host__ __device__ float at(float x) const { return scale * x; } };
    enum surface { smooth, rough };
    __global__ void k(float *out, texture t, cudaTextureObject_t o) { *out = t.at(2) + tex1Dfetch<float>(o, 0); }
    int main() {
        float *out, got, one = 1;
        cudaMalloc(&out, 4);
        cudaMemcpy(out, &one, 4, cudaMemcpyHostToDevice);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = out;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = 4;
        cudaTextureDesc how = {};
        cudaTextureObject_t object;
        cudaCreateTextureObject(&object, &resource, &how, nullptr);
        k<<<1, 1>>>(out, texture{3}, object);
        cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
        printf("%g %d", got, rough);
    }
    """
    assert program_prints(tmp_path, text) == "7 1"
