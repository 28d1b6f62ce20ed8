"""The host API as a whole: nothing of CUDA 13's is forgotten, and what the headers declare is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd import LaunchError, RawKernel, runtime
from simt2simd.command import cli
from simt2simd.lang.device_runtime import RUNTIME_CONSTANTS

RUNTIME = Path(__file__).parent.parent / "runtime"
HEADERS = RUNTIME / "include"
COMMON = Path(__file__).parent.parent / "simt2simd" / "include"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# Functions of the driver API that our headers do not declare, and why. A program that calls one does not compile.
MISSING_DRIVER = {
    r"cu(Tex|Surf)Ref\w+|cuModuleGet(Tex|Surf)Ref": "texture references of modules, which cuda_arrays.h refuses",
    r"cuMem(Address|Create|Map|Unmap|Release|SetAccess|GetAccess|Export|Import|Retain|GetAllocation|GetHandle)\w*": (
        "memory that is mapped by hand"
    ),
    r"cu(Graphics|External|Import|Destroy|Signal|Wait|VDPAU|GL|EGL)\w+": "graphics and other APIs",
    r"cuMulticast\w+|cuTensorMap\w+|cuGreenCtx\w+|cuDevResource\w+|cuDeviceGetDevResource|cuCtx\w*DevResource"
    r"|cuCtxFromGreenCtx|cuStreamGetGreenCtx|cuDeviceGetExec\w+": "hardware of newer GPUs",
    r"cuCheckpoint\w+|cuCoredump\w+|cuLogs\w+|cuGetExportTable|cuUserObject\w+": "tools; the runtime API has some",
    r"cuMipmapped\w+|cuArrayGet(Sparse|Memory|Plane)\w*": "arrays that the device has not",
    r"cuLink\w+": "images are not linked at run time; cuLinkCreate says so",
    r"cuStream(Wait|Write|BatchMem)\w+|cuFlushGPUDirect\w+": "operations on memory in streams",
    r"cuGraph\w+": "graphs: the runtime API has all of it, and the handles are the same",
    r"cuMem(cpy|set|Pool|Prefetch|Discard|Range|Batch|GetMem|GetDefault|SetMem)\w+": "the runtime API has it",
    r"cuOccupancy\w+|cuKernel\w+|cuLibrary\w+|cuFunc\w+|cuModule\w+": "the runtime API has it",
    r"cuLaunch(Grid\w*|CooperativeKernelMultiDevice)?|cuParam\w+": "launches as they were before CUDA 4",
    r"cuTexObjectGet\w+|cuPointerSetAttribute|cuDevSm\w+": "what the device has not",
    r"cuDevice\w+|cuCtx\w+": "what the device has not",
    r"cuStream\w+|cuThread\w+": "the runtime API has it",
}


def declared(folder: Path, pattern: str) -> set[str]:
    """Return the functions whose names match that are declared in the headers of `folder`."""
    names: set[str] = set()
    for header in folder.glob("cu*.h"):
        text = _COMMENT.sub("", header.read_text(errors="replace"))
        names.update(re.findall(rf"\b({pattern})\(", text))
    return names


def cuda_headers() -> Path | None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return None
    command = [nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r'INCLUDES="-I(\S+?)"', done.stderr)
    return Path(found[1]).resolve() if found else None


def names_in(header: Path, qualifier: str, prefix: str) -> set[str]:
    text = _COMMENT.sub("", header.read_text(errors="replace"))
    return set(re.findall(rf"\b{qualifier}\s+({prefix}[A-Z]\w*)\(", text))


@pytest.mark.skipif(cuda_headers() is None, reason="needs nvcc's headers")
def test_nothing_of_the_runtime_api_is_forgotten() -> None:
    headers = cuda_headers()
    assert headers is not None
    all_names = names_in(headers / "cuda_runtime_api.h", "CUDARTAPI", "cuda")
    all_names |= names_in(headers / "cuda_profiler_api.h", "CUDARTAPI", "cuda")
    assert len(all_names) > 250
    plain = {re.sub(r"_(ptsz|ptds|v\d+)$", "", name) for name in all_names}
    assert sorted(plain - declared(HEADERS, r"cuda[A-Z]\w*")) == []


@pytest.mark.skipif(cuda_headers() is None, reason="needs nvcc's headers")
def test_nothing_of_the_driver_api_is_forgotten() -> None:
    headers = cuda_headers()
    assert headers is not None
    all_names = names_in(headers / "cuda.h", "CUDAAPI", "cu")
    assert len(all_names) > 400
    plain = {re.sub(r"_(ptsz|ptds|v\d+)+$", "", name) for name in all_names}
    left = plain - declared(HEADERS, r"cu[A-Z]\w*")
    assert sorted(name for name in left if not any(re.fullmatch(rule, name) for rule in MISSING_DRIVER)) == []


def test_the_library_has_what_the_headers_declare() -> None:
    """Each prototype at the start of a line; templates and static functions are indented or say so."""
    wanted: set[str] = set()
    for header in HEADERS.glob("cu*.h"):
        text = _COMMENT.sub("", header.read_text())
        wanted.update(re.findall(r"^(?:cudaError_t|CUresult) (cu\w+)\([^;{]*\);", text, re.MULTILINE))
    assert len(wanted) > 350
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(runtime.native_dir() / "libcudart.so.13")],
        capture_output=True,
        text=True,
        check=True,
    )
    there = {line.split()[-1] for line in listed.stdout.splitlines()}
    assert sorted(wanted - there) == []


def test_functions_of_the_driver_api_are_found_by_name() -> None:
    text = (RUNTIME / "driver" / "driver_entry_points.c").read_text()
    found = set(re.findall(r"\bF\((cu\w+)\)", text))
    wanted: set[str] = set()
    for name in ("cuda.h", "cuda_arrays.h"):
        header = _COMMENT.sub("", (HEADERS / name).read_text())
        wanted.update(re.findall(r"^CUresult (cu\w+)\(", header, re.MULTILINE))
    assert found == wanted


ENUMERATORS = Path(__file__).parent / "cuda_enumerators.txt"  # name and number of those of CUDA 13.0's headers
INCLUDES = "#include <cuda.h>\n#include <cuda_runtime_api.h>\n#include <library_types.h>\n"


def enumerators() -> dict[str, int]:
    rows = [line.split() for line in ENUMERATORS.read_text().splitlines()]
    return {name: int(value) for name, value in rows}


def numbers_that_differ(language: str, *folders: Path) -> list[str]:
    """Return what a compiler says of the headers in `folders` that lack enumerators, or have others in their places."""
    rows = [f'_Static_assert({name} == {value}, "{name}");' for name, value in enumerators().items()]
    text = INCLUDES + "\n".join(rows).replace(
        "_Static_assert", "static_assert" if language == "c++" else "_Static_assert"
    )
    command = ["gcc", "-x", language, "-fsyntax-only", "-w", *(f"-I{folder}" for folder in folders), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if "error" in line]


@pytest.mark.parametrize("language", ["c", "c++"])
def test_enumerators_have_cudas_names_and_numbers(language: str) -> None:
    assert len(enumerators()) > 1500
    assert numbers_that_differ(language, HEADERS, COMMON) == []


@pytest.mark.skipif(cuda_headers() is None, reason="needs nvcc's headers")
def test_the_enumerators_are_those_of_nvccs_headers() -> None:
    headers = cuda_headers()
    assert headers is not None
    assert numbers_that_differ("c", headers) == []
    command = ["gcc", "-x", "c", "-E", "-P", f"-I{headers}", "-"]
    done = subprocess.run(command, input=INCLUDES, capture_output=True, text=True, check=True)
    bodies = re.findall(r"\benum\b[^{;]*\{([^}]*)\}", done.stdout)
    names = {part.split("=")[0].strip() for body in bodies for part in body.split(",")} - {""}
    assert sorted(name for name in names - enumerators().keys() if name.startswith(("cuda", "CU"))) == []


def test_device_code_has_the_same_numbers() -> None:
    numbers = enumerators()
    assert {name: numbers[name] for name in RUNTIME_CONSTANTS if name in numbers} == {
        name: value for name, (_, value) in RUNTIME_CONSTANTS.items() if name in numbers
    }
    errors = {name for name in numbers if re.match(r"cuda(Success|Error|DevAttr|Limit)", name)}
    assert sorted(errors - RUNTIME_CONSTANTS.keys()) == []


def test_every_error_has_a_name_and_a_text(tmp_path: Path) -> None:
    errors = {name: value for name, value in enumerators().items() if re.match(r"cuda(Success$|Error)", name)}
    rows = "".join(f'    check({name}, "{name}");\n' for name in errors)
    text = (
        "#include <cstdio>\n#include <cstring>\n"
        "static void check(cudaError_t e, const char *name) {\n"
        '    if (strcmp(cudaGetErrorName(e), name) || strstr(cudaGetErrorString(e), "unrecognized")) puts(name);\n}\n'
        f'int main() {{\n{rows}    puts("ok");\n}}\n'
    )
    assert output_of(tmp_path, text) == ["ok"]


def test_attributes_that_the_device_has_not_are_zero(tmp_path: Path) -> None:
    text = """
#include <cstdio>
int main() {
    int width = 0, cluster = -1, bad = 0;
    bad += cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DWidth, 0) != cudaSuccess;
    bad += cudaDeviceGetAttribute(&cluster, cudaDevAttrClusterLaunch, 0) != cudaSuccess;
    bad += cudaDeviceGetAttribute(&bad, cudaDevAttrMax, 0) != cudaErrorInvalidValue;
    printf("%d %d %d\\n", width, cluster, bad);
}
"""
    assert output_of(tmp_path, text) == ["131072 0 0"]


def test_a_context_may_be_made_as_in_cuda_13(tmp_path: Path) -> None:
    text = """
#include <cuda.h>
#include <stdio.h>
#ifndef __cuda_cuda_h__
#error "no guard"
#endif
__global__ void k() {}
int main() {
    CUcontext context;
    CUctxCreateParams params = {};
    CUexecAffinityParam affinity = {CU_EXEC_AFFINITY_TYPE_SM_COUNT, {{1}}};
    CUmemAllocationProp memory = {CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                  {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    int bad = cuInit(0) || cuCtxCreate(&context, &params, 0, 0);
    params.execAffinityParams = &affinity;
    params.numExecAffinityParams = 1;
    bad += cuCtxCreate(&context, &params, 0, 0) != CUDA_ERROR_NOT_SUPPORTED;
    printf("%d %d\\n", bad, memory.location.type);
}
"""
    assert output_of(tmp_path, text, "-lcuda") == ["0 1"]


def output_of(folder: Path, text: str, *options: str) -> list[str]:
    source, program = folder / "t.cu", folder / "program"
    source.write_text(text)
    assert cli.main(["nvcc", *options, str(source), "-o", str(program)]) == 0
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


PER_THREAD = r"""
#include <cstdio>
#include <thread>
__global__ void wait_for(volatile int *flag, int *out) {
    while (*flag == 0) ;
    *out = 7;
}
__global__ void set(volatile int *flag) { *flag = 1; }
int main() {
    int *flag;
    cudaMallocHost(&flag, 8);
    flag[0] = flag[1] = 0;
    wait_for<<<1, 1>>>(flag, flag + 1);
    printf("%s\n", cudaGetErrorName(cudaStreamQuery(0)));
    std::thread other([=] { set<<<1, 1>>>(flag); });
    other.join();
    cudaError_t code = cudaStreamSynchronize(0);
    printf("%s %d\n", cudaGetErrorName(code), flag[1]);
}
"""


def test_each_thread_may_have_a_default_stream(tmp_path: Path) -> None:
    assert output_of(tmp_path, PER_THREAD, "--default-stream", "per-thread") == ["cudaErrorNotReady", "cudaSuccess 7"]


UNBOUND = r"""
#include <cstdio>
texture<int, 1> line;
texture<float4, 2> colours;
__global__ void read(int *out) {
    out[threadIdx.x] += tex1Dfetch(line, threadIdx.x) + (int)tex2D(colours, 1.0f, threadIdx.x).w;
}
int main() {
    int *out, *bytes;
    cudaMallocManaged(&out, 128);
    cudaMalloc(&bytes, 128);
    cudaMemset(bytes, 1, 128);
    out[3] = 5;
    read<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%s %d\n", cudaGetErrorName(cudaGetLastError()), out[3]);
    cudaBindTexture(0, line, bytes, 128);
    read<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%s %d\n", cudaGetErrorName(cudaGetLastError()), out[3]);
}
"""


def test_a_texture_reference_to_which_nothing_is_bound_reads_0(tmp_path: Path) -> None:
    assert output_of(tmp_path, UNBOUND) == ["cudaSuccess 5", "cudaSuccess 16843014"]


DRIVER = r"""
#include <cstdio>
#include <cuda.h>
#define MUST(call) if (CUresult r_ = (call)) printf("line %d: %d\n", __LINE__, (int)r_)
__global__ void read(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}
int main() {
    CUdevice device;
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    CUdevResource all;
    int processors;
    MUST(cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    MUST(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    if (all.type != CU_DEV_RESOURCE_TYPE_SM || (int)all.sm.smCount != processors) return 3;
    if (cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_INVALID) != CUDA_ERROR_INVALID_VALUE) return 4;
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    float host[4][8], back[4][8] = {};
    for (int i = 0; i < 32; i++) host[i / 8][i % 8] = i;
    CUDA_ARRAY_DESCRIPTOR format = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    CUarray array;
    MUST(cuArrayCreate(&array, &format));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = host, copy.srcPitch = 32;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
    copy.WidthInBytes = 32, copy.Height = 4;
    MUST(cuMemcpy2D(&copy));
    CUDA_MEMCPY3D part = {};
    part.srcMemoryType = CU_MEMORYTYPE_ARRAY, part.srcArray = array, part.srcXInBytes = 8, part.srcY = 1;
    part.dstMemoryType = CU_MEMORYTYPE_HOST, part.dstHost = back, part.dstPitch = 32;
    part.WidthInBytes = 16, part.Height = 2, part.Depth = 1;
    MUST(cuMemcpy3D(&part));
    printf("%g %g %g\n", back[0][0], back[1][3], back[2][0]);
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how = {};
    CUtexObject texture;
    MUST(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CUdeviceptr out;
    MUST(cuMemAlloc(&out, 128));
    MUST(cuMemsetD32(out, 7, 32));
    CUfunction function;
    MUST((CUresult)cudaGetFuncBySymbol(&function, (const void *)read));
    void *args[] = {&texture, &out};
    MUST(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, 0, args, nullptr));
    MUST(cuMemcpyDtoH(host, out, 128));
    printf("%g %g\n", host[0][0], host[0][7]);
    void *found;
    CUdriverProcAddressQueryResult result;
    MUST(cuGetProcAddress("cuMemAlloc", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    printf("%d %d\n", found == (void *)cuMemAlloc, (int)result);
    CUmipmappedArray none = nullptr;
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, resource.res.mipmap.hMipmappedArray = none;
    printf("%d\n", (int)cuTexObjectCreate(&texture, &resource, &how, nullptr));
}
"""


def test_arrays_and_textures_of_the_driver_api(tmp_path: Path) -> None:
    assert output_of(tmp_path, DRIVER) == ["10 21 0", "8 15", "1 0", "801"]


NODES_AND_POOLS = r"""
#include <cstdio>
#include <cuda.h>
#define MUST(call) if (CUresult r_ = (call)) printf("line %d: %d\n", __LINE__, (int)r_)
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
int main() {
    CUcontext context;
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUdeviceptr data[2];
    CUfunction function;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemAlloc(&data[0], 32));
    MUST(cuMemAlloc(&data[1], 32));
    MUST(cuMemsetD32(data[0], 5, 8));
    MUST((CUresult)cudaGetFuncBySymbol(&function, (const void *)add));
    MUST(cuFuncLoad(function));
    int n = 3, host[8];
    void *args[] = {&data[0], &n};
    CUDA_KERNEL_NODE_PARAMS params = {};
    params.func = function, params.kernelParams = args;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
    params.blockDimX = 8;
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    CUkernelNodeAttrValue value = {}, kept = {};
    value.cooperative = 1;
    MUST(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    MUST(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &kept));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    MUST(cuGraphLaunch(exec, nullptr));
    params.func = nullptr, params.kern = (CUkernel)function;
    MUST(cuGraphAddKernelNode(&node, graph, &node, 1, &params));
    params.kern = nullptr;
    printf("%d %d\n", kept.cooperative, (int)cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    size_t bytes = 32, first = 0;
    CUmemcpyAttributes attributes = {};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CUstream stream;
    MUST(cuStreamCreate(&stream, 0));
    MUST(cuMemcpyBatchAsync(&data[1], &data[0], &bytes, 1, &attributes, &first, 1, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH(host, data[1], 32));
    printf("%d %d\n", host[0], host[7]);
    CUmemoryPool pool, other;
    CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAccessDesc access = {location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags;
    MUST(cuMemGetDefaultMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
    MUST(cuDeviceGetDefaultMemPool(&other, 0));
    MUST(cuMemPoolSetAccess(pool, &access, 1));
    MUST(cuMemPoolGetAccess(&flags, pool, &location));
    printf("%d %d\n", pool == other, (int)flags);
    CUlibrary library;
    printf("%d\n", (int)cuKernelGetLibrary(&library, (CUkernel)function));
    CUdevResource all;
    CUdevResourceDesc description;
    MUST(cuCtxGetDevResource(context, &all, CU_DEV_RESOURCE_TYPE_SM));
    printf("%d %d\n", (int)cuDevResourceGenerateDesc(&description, &all, 1), (int)cuGreenCtxDestroy(nullptr));
    void *found;
    MUST(cuGetProcAddress("cuGreenCtxCreate", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
}
"""


def test_kernel_nodes_pools_and_green_contexts_of_the_driver_api(tmp_path: Path) -> None:
    assert output_of(tmp_path, NODES_AND_POOLS) == ["1 400", "8 8", "1 3", "801", "801 1"]


def test_texture_references_of_modules_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "t.cu"
    source.write_text(
        "#include <cuda.h>\nint main() { CUtexref t; CUmodule m = 0; return cuModuleGetTexRef(&t, m, 0); }\n"
    )
    assert cli.main(["nvcc", str(source), "-o", str(tmp_path / "program")]) != 0
    assert "texture references of modules are not supported" in capfd.readouterr().err


CODES = r"""
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda.h>
__global__ void k(int *o) { if (o) *o = 1; }
__global__ void __launch_bounds__(64) bounded(int *o) { if (o) *o = 1; }
static void show(const char *how, cudaError_t code) {
    printf("%s %s %s\n", how, cudaGetErrorName(code), cudaGetErrorName(cudaGetLastError()));
}
int main() {
    int *o = nullptr;
    void *args[] = {&o};
    const dim3 grids[] = {0, dim3(1, 0), 1, dim3(1, 65536), dim3(1, 1, 65536), 1, 1, 1};
    const dim3 blocks[] = {32, 32, 0, 1, 1, 2048, dim3(1, 1, 65), dim3(32, 33)};
    CUfunction function;
    CUcontext context;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cudaGetFuncBySymbol(&function, (const void *)k);
    for (int i = 0; i < 8; i++) {
        dim3 g = grids[i], b = blocks[i];
        k<<<g, b>>>(o);
        show("<<<>>>", cudaPeekAtLastError());
        show("cudaLaunchKernel", cudaLaunchKernel((const void *)k, g, b, args, 0, 0));
        show("cudaLaunchCooperativeKernel", cudaLaunchCooperativeKernel((const void *)k, g, b, args, 0, 0));
        cudaLaunchConfig_t config = {};
        config.gridDim = g, config.blockDim = b;
        show("cudaLaunchKernelEx", cudaLaunchKernelEx(&config, k, o));
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        k<<<g, b, 0, stream>>>(o);
        show("stream", cudaPeekAtLastError());
        cudaStreamDestroy(stream);
        printf("cuLaunchKernel %d\n", cuLaunchKernel(function, g.x, g.y, g.z, b.x, b.y, b.z, 0, 0, args, 0));
        printf("cuLaunchCooperativeKernel %d\n",
            cuLaunchCooperativeKernel(function, g.x, g.y, g.z, b.x, b.y, b.z, 0, 0, args));
    }
    bounded<<<1, 65>>>(o);
    show("<<<>>>", cudaPeekAtLastError());
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


def test_launches_that_cannot_be_have_the_codes_of_an_h200(tmp_path: Path) -> None:
    """Each prints cudaErrorInvalidValue, or 1, and leaves the device as it was."""
    lines = output_of(tmp_path, CODES)
    assert len(lines) == 8 * 7 + 2 and lines[-1] == "cudaSuccess"
    for line in lines[:-1]:
        code = "1" if line.startswith("cuLaunch") else "cudaErrorInvalidValue cudaErrorInvalidValue"
        assert line.endswith(f" {code}")


@pytest.mark.parametrize(("grid", "block"), [((1, 65536), (1,)), ((1,), (2048,)), ((1,), (1, 1, 65))])
def test_launches_that_cannot_be_raise_invalid_value(grid: tuple[int, ...], block: tuple[int, ...]) -> None:
    with pytest.raises(LaunchError, match=r"kernel .k.: a (grid|block) of") as fault:
        RawKernel('extern "C" __global__ void k() {}', "k")(grid, block, ())
    assert fault.value.name == "cudaErrorInvalidValue"


# Names that programs define as macros and nvcc's headers survive: no field of CUDA's structs has one of them.
_WORDS = """
    AA BB DA HD ND rows cols near TYPE SIZE COUNT LEN LOW HIGH up hi lo tmp idx len num SCALE DIM BLOCK THREADS WIDTH
    HEIGHT TILE REAL bits raw first second left right code symbol image library found total grid callback least
"""
MACROS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"abcdeghijklmnopqrstuv", *_WORDS.split()]


def test_programs_may_define_the_names_of_parameters_as_macros(tmp_path: Path) -> None:
    """Template parameters, parameters and variables of our headers have reserved names ([lex.name])."""
    includes = (
        "assert.h limits.h math.h stdio.h stdlib.h string.h time.h stdint.h stddef.h cmath cstdlib functional new"
    )
    text = "".join(f"#include <{name}>\n" for name in [*includes.split(), "string", "typeinfo", "utility"])
    text += "".join(f"#define {name} 64\n" for name in MACROS)
    for header in ("cuda.h", "nvrtc.h", "cuda_fp16.h", "cuda_bf16.h", "math_constants.h", "cuda_profiler_api.h"):
        text += f"#include <{header}>\n"
    command = ["g++", "-x", "c++", "-fsyntax-only", "-w", "-D__CUDACC__", f"-I{HEADERS}", f"-I{COMMON}", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_options_may_define_the_names_of_parameters(tmp_path: Path) -> None:
    text = """
#include <cuda_fp16.h>
#include <cstdio>
__global__ void k(int *out, __half half_one) { out[threadIdx.x] = N + (int)__half2float(half_one); }
int main() {
    int *out;
    cudaMallocManaged(&out, 4 * N);
    k<<<1, N>>>(out, __float2half(1.f));
    printf("%d %d %d\\n", cudaDeviceSynchronize(), out[0], out[N - 1]);
}
"""
    macros = [*"ABDGHJKLMNQRSUVW", "rows", "cols", "TYPE", "SIZE"]
    assert output_of(tmp_path, text, *(f"-D{name}=64" for name in macros)) == ["0 65 65"]
