"""The C runtime: its properties under several configurations, its CUDA API, and the door to it from Python."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from simt2simd import runtime
from simt2simd.command import cli
from simt2simd.diag import ToolError
from simt2simd.runtime import LaunchError

TESTS = Path(__file__).parent
HERE = TESTS / "runtime"
RUNTIME = TESTS.parent / "runtime"
LIBRARIES = TESTS.parent / "simt2simd" / "include"
LOWER = TESTS.parent / "simt2simd" / "lower"
SOURCES = [str(path) for path in sorted(RUNTIME.glob("*/*.c"))]
PROPERTIES = re.findall(r"^\tPROPERTY\((\w+)\)", (HERE / "check.c").read_text(), re.MULTILINE)

# How the hthreads are used: the default, alone, more than CPUs, and teams.
CONFIGURATIONS = {
    "two": {"S2S_THREADS": "2"},
    "one": {"S2S_THREADS": "1"},
    "five": {"S2S_THREADS": "5"},
    "pairs": {"S2S_HTHREADS_PER_BLOCK": "2", "S2S_THREADS": "4"},
    "one_for_each_gang": {"S2S_HTHREADS_PER_BLOCK": "all"},
    "pthread_barrier": {"S2S_HTHREADS_PER_BLOCK": "3", "S2S_THREADS": "3", "S2S_BARRIER": "pthread"},
    "pinned": {"S2S_AFFINITY": "2"},
}

# ThreadSanitizer sees no data race in these. It holds back the signals that end a faulty launch: none of those.
WITHOUT_FAULTS = [
    "every_gang_runs_once",
    "uneven_blocks_run_once",
    "workers_wake_up",
    "blocks_that_wait_for_each_other_end",
    "threads_may_launch_at_once",
    "streams_run_beside_each_other",
    "a_thread_that_waits_leaves_no_task_behind",
    "children_are_run_once",
    "children_of_a_stream_follow_each_other",
    "parents_wait_for_children",
    "children_of_all_kinds_come_in_their_order",
    "children_that_take_long_are_shared",
    "launches_are_refused_only_if_too_many_wait",
    "configuration_may_change",
    "traversals_are_counted",
    "barriers_hold_back_all_gangs",
    "gangs_may_leave_early",
    "gangs_may_meet_at_copies_of_a_barrier",
]

CC = shutil.which("cc")
CXX = shutil.which("c++")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


def compile_c(output: Path, *args: str, compiler: str | None = CC) -> Path:
    command = [
        compiler or "cc",
        "-O1",
        "-g",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{RUNTIME}",
        f"-I{RUNTIME / 'include'}",
        f"-I{LIBRARIES}",
        *args,
        "-o",
        str(output),
        "-lpthread",
        "-ldl",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output


def run(program: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *args], env={**os.environ, **env}, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runtime")


@pytest.fixture(scope="module")
def check(folder: Path) -> Path:
    files = [str(HERE / "kernels.c"), str(HERE / "check.c"), str(runtime.native_dir() / "libs2s.a")]
    return compile_c(folder / "check", "-std=c11", *files)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("name", PROPERTIES)
def test_property(check: Path, name: str, configuration: str) -> None:
    done = run(check, name, **CONFIGURATIONS[configuration])
    assert done.returncode == 0, done.stderr


def test_hthreads_that_take_turns_on_one_cpu_agree_that_all_wait(check: Path) -> None:
    name, cpu = "blocks_that_wait_for_ever_are_an_error", min(os.sched_getaffinity(0))
    done = subprocess.run(
        [str(check), name],
        env={**os.environ, "S2S_THREADS": "2"},
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
        timeout=60,
    )
    assert done.returncode == 0


def test_properties_are_listed(check: Path) -> None:
    assert run(check).stdout.split() == PROPERTIES
    assert set(WITHOUT_FAULTS) <= set(PROPERTIES)


@pytest.fixture(scope="module")
def check_with_tsan(folder: Path) -> Path:
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    try:
        compile_c(folder / "probe", "-fsanitize=thread", str(probe))
    except AssertionError:
        pytest.skip("the compiler has no ThreadSanitizer")
    if run(folder / "probe").returncode != 0:
        pytest.skip("ThreadSanitizer does not run on this system")
    files = [*SOURCES, str(HERE / "kernels.c"), str(HERE / "check.c")]
    return compile_c(folder / "check_tsan", "-std=c11", "-fsanitize=thread", *files)


@pytest.mark.parametrize("together, barrier", [("1", "ours"), ("2", "ours"), ("2", "pthread")])
@pytest.mark.parametrize("name", WITHOUT_FAULTS)
def test_no_data_race(check_with_tsan: Path, name: str, together: str, barrier: str) -> None:
    env = {"S2S_THREADS": "3", "S2S_HTHREADS_PER_BLOCK": together, "S2S_BARRIER": barrier}
    env["TSAN_OPTIONS"] = "atexit_sleep_ms=0"
    done = run(check_with_tsan, name, **env)
    assert done.returncode == 0, done.stderr


# ---- the CUDA API


def test_cuda_runtime_in_c(folder: Path) -> None:
    files = [str(HERE / "api.c"), str(runtime.native_dir() / "libs2s.a")]
    done = run(compile_c(folder / "api_c", "-std=c11", *files))
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(CXX is None, reason="no C++ compiler")
@pytest.mark.parametrize("flags", [["-std=c++11", "-Wpedantic"], ["-std=c++20", "-D__CUDACC__"]])
def test_cuda_runtime_in_cpp(folder: Path, flags: list[str]) -> None:
    """The archive that `pip install` made links into C++ programs."""
    native = runtime.native_dir()
    kernels = compile_c(folder / "kernels.o", "-c", str(HERE / "kernels.c"))
    files = [f"-I{native / 'include'}", str(HERE / "api.cpp"), str(kernels), str(native / "libs2s.a")]
    done = run(compile_c(folder / "api_cpp", *flags, *files, compiler=CXX))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"
    null = "simt2simd: kernel 'null': illegal memory access at address 0x10"
    illegal = "simt2simd: kernel 'illegal': illegal instruction: it was compiled for a CPU that has more than this one"
    assert done.stderr.splitlines() == [null, null, illegal, illegal]


NEAR = """
#include <cstdio>
#include <sys/mman.h>
__global__ void set(char *x) { *x = 1; }
int main() {
    char *x, *other;
    size_t bytes = 32 << 20;
    mmap(0, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // the next mapping comes right below
    cudaMalloc(&other, 100);
    cudaMalloc(&x, bytes);
    printf("%p %p\\n", x, x + bytes + (8 << 20));
    fflush(stdout);
    set<<<1, 1>>>(x + bytes + (8 << 20));
}
"""


@pytest.mark.skipif(CXX is None, reason="no C++ compiler")
def test_an_illegal_address_is_told_with_the_nearest_allocation(folder: Path) -> None:
    (folder / "near.cu").write_text(NEAR)
    assert cli.main(["compile", str(folder / "near.cu"), "-o", str(folder / "near")]) == 0
    done = run(folder / "near")
    begin, address = done.stdout.split()
    where = f"{8 << 20} bytes after an allocation of {32 << 20} bytes at {begin}"
    assert (
        done.stderr
        == f"simt2simd: kernel 'set': illegal memory access in block (0, 0, 0), at address {address}: {where}\n"
    )


def test_wrong_environment_is_named(check: Path) -> None:
    done = run(check, "every_gang_runs_once", S2S_THREADS="many")
    assert done.returncode == 0
    assert done.stderr == "simt2simd: S2S_THREADS=many is ignored: expected a number from 0 to 1024\n"
    done = run(check, "every_gang_runs_once", S2S_BARRIER="fence")
    assert done.returncode == 0
    assert done.stderr == "simt2simd: S2S_BARRIER=fence is ignored: expected ours or pthread\n"


# ---- from Python


@pytest.fixture(scope="module")
def kernels(folder: Path) -> ctypes.CDLL:
    files = [str(HERE / "kernels.c"), str(HERE / "shim.c")]
    library = ctypes.CDLL(str(compile_c(folder / "kernels.so", "-std=c11", "-shared", "-fPIC", *files)))
    return library


@pytest.fixture(autouse=True)
def default_configuration() -> Iterator[None]:
    yield
    runtime.configure()
    runtime.set_stack_limit(0)


def launch(library: ctypes.CDLL, name: str, blocks: int, threads: int, array: np.ndarray | None = None) -> None:
    kernel = ctypes.addressof(ctypes.c_char.in_dll(library, f"kernel_{name}"))
    args = struct.pack("P", 0 if array is None else array.ctypes.data)
    runtime.launch(kernel, (blocks, 1, 1), (threads, 1, 1), 0, args)


@pytest.mark.parametrize("together", [1, 2, runtime.ALL_GANGS])
def test_launch_runs_every_block(kernels: ctypes.CDLL, together: int) -> None:
    runtime.configure(threads=3, hthreads_per_block=together)
    sums = np.zeros(50, np.uint32)
    launch(kernels, "sum", 50, 100, sums)
    assert (sums == 4950 + 100 * np.arange(50)).all()


@pytest.mark.parametrize(
    ("kernel", "code", "name", "text"),
    [
        ("null", 700, "cudaErrorIllegalAddress", "kernel 'null': illegal memory access at address 0x10"),
        ("recurse_gang", 719, "cudaErrorLaunchFailure", "kernel 'recurse_gang': stack overflow"),
        ("illegal", 715, "cudaErrorIllegalInstruction", "compiled for a CPU that has more"),
    ],
)
def test_failed_launch_raises(kernels: ctypes.CDLL, kernel: str, code: int, name: str, text: str) -> None:
    with pytest.raises(LaunchError, match=re.escape(text)) as caught:
        launch(kernels, kernel, 4, 64)
    assert (caught.value.code, caught.value.name) == (code, name)
    sums = np.zeros(2, np.uint32)
    launch(kernels, "sum", 2, 16, sums)
    assert sums.tolist() == [120, 136]


def test_wrong_configuration_raises(kernels: ctypes.CDLL) -> None:
    with pytest.raises(LaunchError, match=r"a block of 1056 threads: expected at most 1024") as caught:
        kernel = ctypes.addressof(ctypes.c_char.in_dll(kernels, "kernel_empty"))
        runtime.launch(kernel, (1, 1, 1), (32, 33, 1), 0, bytes(8))
    assert caught.value.name == "cudaErrorInvalidValue"
    with pytest.raises(ValueError, match="8 bytes of packed parameters expected, 3 given"):
        runtime.launch(kernel, (1, 1, 1), (1, 1, 1), 0, bytes(3))
    with pytest.raises(ValueError, match=r"a number is negative or too large in grid=\(-1, 1, 1\)"):
        runtime.launch(kernel, (-1, 1, 1), (1, 1, 1), 0, bytes(8))


def test_configure_sets_what_configuration_returns() -> None:
    runtime.configure(threads=3, hthreads_per_block=2, affinity=1)
    assert runtime.configuration() == runtime.Configuration(3, 2, 1)
    with pytest.raises(ValueError, match="at most 1024"):
        runtime.configure(threads=100000000000)
    with pytest.raises(ValueError, match="negative"):
        runtime.configure(threads=-1)
    runtime.set_stack_limit(1 << 20)
    assert runtime.stack_limit() == 1 << 20
    with pytest.raises(ValueError, match="cannot have a stack"):
        runtime.set_stack_limit(1 << 40)


def test_error_names_and_texts_are_those_of_cuda() -> None:
    assert runtime.error_name(9) == "cudaErrorInvalidConfiguration"
    assert runtime.error_text(9) == "invalid configuration argument"
    assert runtime.error_name(123456) == "unrecognized error code"


@pytest.fixture(scope="module")
def object_file(folder: Path) -> bytes:
    path = compile_c(folder / "loaded.o", "-std=c11", "-c", "-fPIC", "-fcf-protection=none", str(HERE / "loaded.c"))
    return path.read_bytes()


def test_machine_code_is_loaded(object_file: bytes) -> None:
    codes = [runtime.Code(object_file), runtime.Code(object_file)]
    for code in codes:  # each has variables of its own
        count = ctypes.CFUNCTYPE(ctypes.c_int)(code.address("count"))
        assert [count(), count()] == [41, 43]
        assert ctypes.c_int.from_address(code.address("counter")).value == 43
    code = codes[0]
    letter = ctypes.CFUNCTYPE(ctypes.c_char, ctypes.c_int, ctypes.c_int)(code.address("letter"))
    assert (letter(0, 3), letter(2, 1)) == (b"o", b"w")
    math = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.c_double)(code.address("math"))
    assert [math(which, 2.0) for which in range(6)] == [np.sin(2.0), 8, 3, pytest.approx(np.exp(2.0)), 1, -1]
    function = ctypes.CFUNCTYPE(ctypes.c_size_t)(code.address("runtime_function"))
    assert function() == runtime.symbols()["s2s_barrier_of_lanes"]


def test_all_that_generated_code_calls_is_found() -> None:
    declared = re.findall(r'declare\([^"]*"(s2s_\w+)"', "".join(path.read_text() for path in LOWER.glob("*.py")))
    assert len(set(declared)) > 10
    assert set(declared) <= runtime.symbols().keys()


def test_only_public_names_are_found(object_file: bytes) -> None:
    code = runtime.Code(object_file)
    for name in ("twice", "words", "sin", ""):
        with pytest.raises(KeyError):
            code.address(name)


def test_machine_code_cannot_be_written_to(object_file: bytes) -> None:
    code = runtime.Code(object_file)
    wanted = {code.address("count"): "r-xp", code.address("counter"): "rw-p"}
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, permissions, *_ = line.split()
        first, end = (int(address, 16) for address in addresses.split("-"))
        for address in [address for address in wanted if first <= address < end]:
            assert permissions == wanted.pop(address)
    assert not wanted


def test_what_is_no_machine_code_is_refused(folder: Path, object_file: bytes) -> None:
    for wrong in (b"", b"\x7fELF", bytes(1000), Path(sys.executable).read_bytes()[:10_000]):
        with pytest.raises(ToolError, match="no relocatable ELF file for x86-64"):
            runtime.Code(wrong)
    for bytes_left in range(64, len(object_file), 331):
        with pytest.raises(ToolError, match=r"cut short|no symbols"):
            runtime.Code(object_file[:bytes_left])
    source = folder / "unknown.c"
    source.write_text("void nowhere(void); void f(void) { nowhere(); }\n")
    with pytest.raises(ToolError, match="'nowhere' is defined nowhere"):
        runtime.Code(compile_c(folder / "unknown.o", "-c", "-fPIC", str(source)).read_bytes())


def test_other_python_threads_run_during_a_launch(folder: Path, kernels: ctypes.CDLL) -> None:
    """A block waits for a number that another Python thread writes: without the GIL's release it waits for ever."""
    program = f"""
import ctypes, struct, threading, time
import numpy as np
from simt2simd import runtime
library = ctypes.CDLL({kernels._name!r})
arrived = np.zeros(1, np.uint32)
def arrive():
    time.sleep(0.05)
    arrived[0] = 2
threading.Thread(target=arrive).start()
runtime.configure(threads=1)
kernel = ctypes.addressof(ctypes.c_char.in_dll(library, "kernel_meet"))
runtime.launch(kernel, (2, 1, 1), (32, 1, 1), 0, struct.pack("P", arrived.ctypes.data))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=TESTS.parent, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr


def test_it_loads_after_libraries_with_thread_local_variables(tmp_path: Path) -> None:
    """Those of OpenMP's library, with which scikit-learn comes, leave few hundred bytes of the static TLS block."""
    source, library = tmp_path / "greedy.c", tmp_path / "greedy.so"
    source.write_text(
        '__attribute__((tls_model("initial-exec"))) _Thread_local char kept[1200];\n'
        "char *greedy(void) { return kept; }\n"
    )
    assert CC is not None
    subprocess.run([CC, "-shared", "-fPIC", "-o", library, source], check=True)
    program = f"import ctypes; ctypes.CDLL({str(library)!r}); import simt2simd._runtime"
    subprocess.run([sys.executable, "-c", program], cwd=TESTS.parent, check=True, timeout=20)
