"""Rows of narrow blocks, tiles and words of bytes read and write nothing beside arrays that end where memory ends."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike

from simt2simd.mapping import tiles
from simt2simd.python.kernel import RawKernel, RawModule

Array = np.ndarray[Any, np.dtype[Any]]

KERNELS = r"""
struct Rgb { unsigned char r, g, b; };
struct Rgba { unsigned char r, g, b, a; };
template <class T> __global__ void mirror(const T *in, T *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    out[y * w + x] = in[y * w + w - 1 - x];
    if ((x + y) & 1) out[y * w + x] = in[min(y + 1, h - 1) * w + x];
}
template <class T> __global__ void turn(const T *in, T *out, int w, int h) {
    __shared__ T tile[16][17];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    int left = min(w - (int)(blockIdx.x * blockDim.x), (int)blockDim.x);
    if (x < w && y < h) out[y * w + x] = tile[threadIdx.y][left - 1 - threadIdx.x];
}
__global__ void words(const unsigned char *in, unsigned *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * w + x;
    if (x >= w || y >= h) return;
    unsigned word = 0;
    for (int k = 0; k < 4; k++) word |= (unsigned)in[4 * i + k] << (8 * k);
    out[i] = word;
}
"""
TYPES: dict[str, DTypeLike] = {
    "unsigned char": np.uint8,
    "short": np.int16,
    "float": np.float32,
    "double": np.float64,
    "Rgb": "V3",
    "Rgba": "V4",
}
BLOCKS = ((4, 4), (5, 3), (8, 8), (16, 8), (2, 16), (16, 16))


def at_the_edge(content: Array, *, ends: bool) -> Array:
    """Return an array that ends, or else begins, at a page that cannot be touched; it has the other one behind it."""
    page = mmap.PAGESIZE
    room = -(-content.nbytes // page) * page
    whole = np.frombuffer(mmap.mmap(-1, room + 2 * page), np.uint8)
    for guard in (0, page + room):
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(whole.ctypes.data + guard), ctypes.c_size_t(page), 0) == 0
    first = page + (room - content.nbytes if ends else 0)
    array = whole[first : first + content.nbytes].view(content.dtype)
    array[:] = content
    return array


@pytest.mark.parametrize("way", ["-O0", "-O0 --target=avx2"])
@pytest.mark.parametrize("ends", [True, False], ids=["at the end", "at the beginning"])
def test_nothing_beside_an_image_is_touched(way: str, ends: bool) -> None:
    forms = [f"{kernel}<{name}>" for kernel in ("mirror", "turn") for name in TYPES]
    module = RawModule(code=KERNELS, options=tuple(way.split()), name_expressions=[*forms, "words"])
    for block in BLOCKS:
        w, h = (2 * side - side // 3 for side in block)
        content = np.random.default_rng(1).integers(0, 100, 8 * w * h, np.uint8)
        x, y = np.meshgrid(np.arange(w), np.arange(h))
        for name, dtype in TYPES.items():
            size = np.dtype(dtype).itemsize
            given = at_the_edge(content[: size * w * h].view(dtype), ends=ends)
            image = given.reshape(h, w)
            mirrored = np.where((x + y) & 1, image[np.minimum(y + 1, h - 1), x], image[:, ::-1])
            column = x // block[0] * block[0]
            turned = image[y, column + np.minimum(w - column, block[0]) - 1 - (x - column)]
            for kernel, expected in (("mirror", mirrored), ("turn", turned)):
                out = at_the_edge(np.zeros(w * h, dtype), ends=ends)
                module.get_function(f"{kernel}<{name}>")((2, 2), block, (given, out, w, h))
                assert (out.reshape(h, w) == expected).all(), (kernel, name, block)
        bytes_, out = at_the_edge(content[: 4 * w * h], ends=ends), at_the_edge(np.zeros(w * h, np.uint32), ends=ends)
        module.get_function("words")((2, 2), block, (bytes_, out, w, h))
        assert (out == bytes_.view(np.uint32)).all(), block


LIFE = r"""
__global__ void life(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int alive = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (dx == 0 && dy == 0) continue;
                alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
            }
        out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
    }
}
"""


@pytest.mark.parametrize("way", ["-O0", "-O3"])
@pytest.mark.parametrize("block", [(16, 16), (8, 8), (4, 4)])
def test_rows_of_bytes_end_with_their_tile(block: tuple[int, int], way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many masks are spilled here that LLVM shows whether it may widen one."""
    monkeypatch.setattr(tiles, "pays", lambda version, shapes: True)
    w, h, launched = 27, 21, block[0]
    before = np.random.default_rng(3).integers(0, 2, (h, w), np.uint8)
    out = np.full((h, w), 7, np.uint8)
    RawKernel(LIFE, "life", (way,))((1, -(-h // block[1])), block, (before.reshape(-1), out.reshape(-1), w, h))
    moves = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    alive = sum((np.roll(before, move, (0, 1)).astype(int) for move in moves), np.zeros((h, w), int))
    expected = np.where((alive == 3) | ((alive == 2) & (before == 1)), 1, 0)
    np.testing.assert_array_equal(out[:, :launched], expected[:, :launched])
    assert (out[:, launched:] == 7).all()
