"""Programs in waiting/, whose threads wait for each other: each line that they print says `ok`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from simt2simd.command import cli

WAITING = Path(__file__).parent / "waiting"


@pytest.mark.parametrize("path", sorted(WAITING.glob("*.cu")), ids=lambda path: path.stem)
def test_threads_that_wait_for_each_other_come_to_their_end(path: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    assert cli.main(["compile", str(path), "-o", str(program)]) == 0
    for hthreads in (1, 2, 4):
        env = {**os.environ, "S2S_THREADS": str(hthreads)}
        done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=120, check=False)
        wrong = [line for line in done.stdout.splitlines() if not line.endswith(" ok")]
        assert (done.returncode, wrong, done.stderr) == (0, [], ""), f"{hthreads} hthreads"


NO_ROOM = """
#include <cstdio>
__global__ void k(volatile int *f) { while (f[blockIdx.x + 1] == 0) { } f[blockIdx.x] = 1; }
int main() {
    int *f;
    cudaMallocManaged(&f, 5001 * sizeof *f);
    f[5000] = 1;
    k<<<5000, 1>>>(f);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


def test_blocks_for_which_there_is_no_room_are_named(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(NO_ROOM)
    assert cli.main(["compile", str(tmp_path / "k.cu"), "-o", str(tmp_path / "k")]) == 0
    env = {**os.environ, "S2S_THREADS": "1"}
    done = subprocess.run([tmp_path / "k"], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "cudaErrorLaunchTimeout\n"
    assert "there is no room for 904 blocks that have not begun" in done.stderr


UNLIKE = """
#include <cstdio>
__global__ void k(int *x) {
    if (threadIdx.x & 1) x[threadIdx.x] = __shfl_xor_sync(~0u, 1, 1);
    else if (threadIdx.x & 2) x[threadIdx.x] = __any_sync(~0u, 1);
    else x[threadIdx.x] = __any_sync(~0u, 0);
}
int main() {
    int *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    k<<<1, 32>>>(x);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


def test_threads_at_unlike_warp_functions_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(UNLIKE)
    assert cli.main(["compile", str(tmp_path / "k.cu"), "-o", str(tmp_path / "k")]) == 0
    done = subprocess.run([tmp_path / "k"], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "cudaErrorLaunchFailure\n" or done.stdout == "cudaErrorLaunchTimeout\n"
    assert "k.cu:4:" in done.stderr
