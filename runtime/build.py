"""Builds what is C: the PEP 517 backend that `pip install` calls, and `python runtime/build.py` for work in place.

Two things are made of the same C files:

- the extension module `simt2simd._runtime`, for Python: cffi writes its source here, setuptools compiles it
  (`setup.py`);
- `simt2simd/_native/libs2s.a` and `simt2simd/_native/include/`, for executables.

Everything else is setuptools' work: the hooks that this module does not define are setuptools' own.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from cffi import FFI
from setuptools.build_meta import *  # noqa: F403
from setuptools.build_meta import build_editable as _build_editable
from setuptools.build_meta import build_sdist as _build_sdist
from setuptools.build_meta import build_wheel as _build_wheel

RUNTIME = Path(__file__).resolve().parent
ROOT = RUNTIME.parent
NATIVE = ROOT / "simt2simd" / "_native"
EXTENSION_SOURCE = ROOT / "build" / "_runtime.c"

# What programs see.
HEADERS = RUNTIME / "include"
# Headers that the runtime and device code have in common.
COMMON = ROOT / "simt2simd" / "include"
COMMON_HEADERS = ("s2s_texture_types.h",)
INCLUDES = ("-I", str(RUNTIME), "-I", str(HEADERS), "-I", str(COMMON))
# Headers of CUDA that have nothing which is not in cuda_runtime.h.
EMPTY_HEADERS = (
    "common_functions.h", "cuda_device_runtime_api.h", "device_atomic_functions.h", "driver_functions.h",
    "math_functions.h", "sm_20_atomic_functions.h", "sm_20_intrinsics.h", "sm_30_intrinsics.h", "sm_32_intrinsics.h",
    "sm_35_intrinsics.h", "channel_descriptor.h", "cuda_surface_types.h", "cuda_texture_types.h",
    "surface_functions.h", "surface_indirect_functions.h", "surface_types.h", "texture_fetch_functions.h",
    "texture_indirect_functions.h", "texture_types.h",
)  # fmt: skip
EMPTY = """/* CUDA's {name}: everything is in cuda_runtime.h. */
#include "cuda_runtime.h"
"""
# Headers of cuda::std, which for host code have the text of those of std for device code (include/std). What a system
# header includes by such a path is a system header too.
OF_DEVICE_CODE = ("__compiler", "new")  # <new> has std::nothrow, and no more
# What host code needs before the text, for conversions to the types of std.
OF_THE_HOST = {
    "bitset": ("bitset", "string"),
    "complex": ("complex",),
    "string_view": ("ios", "string", "string_view"),
}
CUDA_STD = """#pragma once
{includes}#include "{common}/s2s_std_begin.h"
namespace cuda {{
namespace std {{
#include "{common}/std/{name}"
}} // namespace std
}} // namespace cuda
#include "{common}/s2s_std_end.h"
"""
# Those of the C library: cuda::std has these names of std.
CUDA_STD_OF_C = {
    "cassert": "", "cfloat": "", "climits": "",
    "cmath": """
        abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor
        fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf isless islessequal
        islessgreater isnan isnormal isunordered ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf
        nan nanf nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn signbit sin sinh sqrt tan
        tanh tgamma trunc float_t double_t acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf copysignf cosf
        coshf erff erfcf expf exp2f expm1f fabsf fdimf floorf fmaf fmaxf fminf fmodf frexpf hypotf ilogbf ldexpf lgammaf
        llrintf llroundf logf log10f log1pf log2f logbf lrintf lroundf modff nearbyintf nextafterf powf remainderf
        remquof rintf roundf scalblnf scalbnf sinf sinhf sqrtf tanf tanhf tgammaf truncf
    """,
    "cstdint": " ".join(
        f"{sign}int{kind}{bits}_t" for sign in ("", "u") for kind in ("", "_least", "_fast") for bits in (8, 16, 32, 64)
    ) + " intptr_t uintptr_t intmax_t uintmax_t",
    "cstdlib": "abs labs llabs div ldiv lldiv div_t ldiv_t lldiv_t malloc free calloc size_t aligned_alloc",
    "cstring": "memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr size_t",
    "ctime": "clock_t time_t tm timespec timespec_get clock time size_t",
}  # fmt: skip
CUDA_STD_AS_STD = """#pragma once
#include <{name}>
namespace cuda {{
namespace std {{
{uses}}}
}} // namespace cuda
"""
# The assembly of switch.c leaves functions by jumps: neither link-time optimisation nor a shadow stack can follow.
COMPILE_ARGS = (
    "-std=c11", "-O2", "-g1", "-fPIC", "-fno-lto", "-fcf-protection=none", "-Wall", "-Wextra",
    "-Werror=implicit-function-declaration",
)  # fmt: skip
# Programs and their shared libraries may each hold a copy of the runtime. All symbols are visible, so the dynamic
# linker makes one runtime of these. A function calls others of its own file directly all the same.
LIBRARY_ARGS = ("-fno-semantic-interposition",)
SHARED_LIBRARY = "libcudart.so.13"

# What runtime.py uses of the C files.
DECLARATIONS = """
enum { S2S_INTERRUPTED, UNWATCHED, CALLED, ... };
static uint32_t args_bytes(uintptr_t kernel);
static int launch(uintptr_t kernel, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                  uint32_t block_y, uint32_t block_z, size_t shared_bytes, const char *args, bool cooperative);
static int set_dynamic_limit(uintptr_t kernel, size_t bytes);
static size_t dynamic_limit(uintptr_t kernel);
const char *s2s_last_message(void);
void s2s_watch_interrupts(uint32_t ignored);
int s2s_configure(uint32_t threads, uint32_t hthreads_per_block, uint32_t affinity);
void s2s_configuration(uint32_t *threads, uint32_t *hthreads_per_block, uint32_t *affinity);
int s2s_set_stack_limit(size_t bytes);
size_t s2s_stack_limit(void);
const char *s2s_error_name(int code);
const char *s2s_error_text(int code);
static const char *called_name(uint32_t index);
static uintptr_t called_address(uint32_t index);
bool s2s_set_heap_limit(size_t bytes);
size_t s2s_heap_limit(void);
char *s2s_stats(bool forget);
void s2s_free_stats(char *text);
typedef struct { const char *name; uintptr_t address; } s2s_symbol;
typedef struct s2s_object s2s_object;
s2s_object *s2s_load_object(const void *file, size_t bytes, const s2s_symbol *symbols, size_t nsymbols, char *why);
uintptr_t s2s_object_symbol(const s2s_object *object, const char *name);
void s2s_unload_object(s2s_object *object);
"""

# The functions of s2s.h that generated code calls.

CALLED = tuple(re.findall(r"\bX\((\w+)\)", (RUNTIME / "cudart" / "called.h").read_text()))

EXTENSION_BODY = """
#define _GNU_SOURCE
#include <stdio.h>
#include "exec/object.h"
#include "s2s.h"
enum { UNWATCHED = -2 }; /* from launch: nothing was done; s2s_watch_interrupts is to be called */
static uint32_t args_bytes(uintptr_t kernel) { return ((const s2s_kernel *)kernel)->args_bytes; }
static int launch(uintptr_t kernel, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                  uint32_t block_y, uint32_t block_z, size_t shared_bytes, const char *args, bool cooperative)
{
    if (!s2s_interrupts_are_watched())
        return UNWATCHED;
    s2s_dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    int code = (cooperative ? s2s_launch_cooperative : s2s_launch_kernel)(
        (const s2s_kernel *)kernel, grid, block, shared_bytes, args);
    if (s2s_flush_output())
        fflush(stdout); /* Python does not use C's */
    return code;
}
static int set_dynamic_limit(uintptr_t kernel, size_t bytes)
{
    return s2s_set_dynamic_limit((const s2s_kernel *)kernel, bytes);
}
static size_t dynamic_limit(uintptr_t kernel) { return s2s_dynamic_limit((const s2s_kernel *)kernel); }
static const struct { const char *name; uintptr_t address; } called[] = {
"""
EXTENSION_BODY += "".join(f'    {{"s2s_{name}", (uintptr_t)s2s_{name}}},\n' for name in CALLED)
EXTENSION_BODY += """};
enum { CALLED = sizeof called / sizeof *called };
static const char *called_name(uint32_t index) { return called[index].name; }
static uintptr_t called_address(uint32_t index) { return called[index].address; }
"""


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, str | list[str] | None] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """PEP 517: build a wheel and return its name, with the oldest glibc that it runs with."""
    prepare()
    settings = dict(config_settings or {})
    given = settings.get("--build-option") or []
    options = [given] if isinstance(given, str) else given
    settings["--build-option"] = [*options, f"--plat-name={platform_tag(NATIVE / SHARED_LIBRARY)}"]
    return _build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(
    wheel_directory: str,
    config_settings: dict[str, str | list[str] | None] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """PEP 660: the same for `pip install -e`."""
    prepare()
    return _build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: dict[str, str | list[str] | None] | None = None) -> str:
    """PEP 517: build a source archive and return its name."""
    write_extension_source()
    return _build_sdist(sdist_directory, config_settings)


def prepare() -> None:
    """Write the extension's source, the archive and the headers. Ends the build where they cannot work."""
    if why := unsupported(platform.system(), platform.machine(), platform.libc_ver()[0]):
        sys.exit(why)
    for older in (ROOT / "simt2simd").glob("_runtime.cpython-*.so"):  # which Python would load in the new one's place
        older.unlink()
    write_extension_source()
    build_archive()


def unsupported(system: str, machine: str, libc: str) -> str | None:
    """Return why simt2simd cannot work on such a platform; None if it can."""
    if system != "Linux":
        return f"simt2simd makes programs for Linux: this is {system or 'another system'}"
    if machine not in ("x86_64", "AMD64"):
        return f"simt2simd makes code for x86-64 CPUs: this is {machine or 'another'}"
    if libc != "glibc":
        return "simt2simd needs glibc, whose vector math kernels call: this is another C library, such as musl"
    return None


def platform_tag(library: Path) -> str:
    """Return the platform of a wheel whose C code needs the same of glibc as `library`: manylinux_2_34_x86_64.

    It is never below 2.22, the first with vector math.
    """
    needed = [(2, int(minor)) for minor in re.findall(rb"GLIBC_2\.(\d+)", library.read_bytes())]
    major, minor = max([(2, 22), *needed])
    return f"manylinux_{major}_{minor}_x86_64"


def write_extension_source() -> None:
    """Have cffi write the C source of `simt2simd._runtime`."""
    ffi = FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source("simt2simd._runtime", EXTENSION_BODY)
    EXTENSION_SOURCE.parent.mkdir(exist_ok=True)
    ffi.emit_c_code(str(EXTENSION_SOURCE))


def build_archive() -> None:
    """Compile every C file of the folders into libs2s.a, and put the headers beside it."""
    objects = ROOT / "build" / "native"
    for folder in (objects, NATIVE / "include"):
        folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(RUNTIME.glob("*/*.c"))
    made = [objects / f"{source.stem}.o" for source in sources]
    for source, output in zip(sources, made, strict=True):
        run([*compiler(), *COMPILE_ARGS, *LIBRARY_ARGS, *INCLUDES, "-c", str(source), "-o", str(output)])
    unfinished = objects / "libs2s.a"
    unfinished.unlink(missing_ok=True)
    run(["ar", "rcs", str(unfinished), *map(str, made)])
    unfinished.replace(NATIVE / "libs2s.a")
    shared = objects / SHARED_LIBRARY
    named = f"-Wl,-soname,{SHARED_LIBRARY}"
    # Kernels call glibc's vector math, which a program that links this library so gets with it.
    libraries = ("-Wl,--no-as-needed", "-lmvec", "-lm", "-lpthread", "-ldl")
    run([*compiler(), "-shared", named, *map(str, made), "-o", str(shared), *libraries])
    shared.replace(NATIVE / SHARED_LIBRARY)
    for header in (*HEADERS.iterdir(), *(COMMON / name for name in COMMON_HEADERS)):
        shutil.copyfile(header, NATIVE / "include" / header.name)
    for name in EMPTY_HEADERS:
        (NATIVE / "include" / name).write_text(EMPTY.format(name=name))
    (NATIVE / "include" / "cuda" / "std").mkdir(parents=True, exist_ok=True)
    write_cuda_std(NATIVE / "include" / "cuda" / "std")


def write_cuda_std(folder: Path) -> None:
    """Write the headers of cuda::std for host code into `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for header in sorted((COMMON / "std").iterdir()):
        if header.name in OF_DEVICE_CODE or (COMMON / "cuda" / "std" / header.name).exists():
            continue
        needed = ["cstdint", *re.findall(r"^#include <(\w+)>$", header.read_text(), re.MULTILINE)]
        of_host = OF_THE_HOST.get(header.name, ())
        includes = "".join(f"#include <{name}>\n" for name in (*of_host, *(f"cuda/std/{one}" for one in needed)))
        text = CUDA_STD.format(name=header.name, includes=includes, common="../../../../include")
        (folder / header.name).write_text(text)
    for name, names in CUDA_STD_OF_C.items():
        # Functions of float are ::acosf: older versions of libstdc++ have few of them in std.
        given = names.split()
        owners = {one: "" if one.endswith("f") and one[:-1] in given else "::std" for one in given}
        uses = "".join(f"using {owner}::{one};\n" for one, owner in owners.items())
        (folder / name).write_text(CUDA_STD_AS_STD.format(name=name, uses=uses))


def compiler() -> list[str]:
    """Return the command of the C compiler: $CC, the one Python was built with, or `cc`."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc"):
        if command and shutil.which(shlex.split(command)[0]):
            return shlex.split(command)
    sys.exit("simt2simd's runtime is C, and there is no C compiler: install gcc or clang, or set CC")


def run(command: list[str]) -> None:
    """Run a command and end the build with its messages if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.stdout:
        print(done.stdout, file=sys.stderr)
    if done.returncode != 0:
        sys.exit(f"failed: {shlex.join(command)}")


def build_in_place() -> None:
    """Make everything inside the source tree, as `pip install -e .` would."""
    prepare()
    include = [*INCLUDES, "-I", sysconfig.get_paths()["include"]]
    output = ROOT / "simt2simd" / "_runtime.abi3.so"
    sources = [str(EXTENSION_SOURCE), *map(str, sorted(RUNTIME.glob("*/*.c")))]
    unfinished = ROOT / "build" / output.name  # a Python that runs keeps the file it has loaded
    args = [*COMPILE_ARGS, "-fvisibility=hidden", "-w", "-shared", *include]
    run([*compiler(), *args, *sources, "-o", str(unfinished), "-lpthread", "-ldl"])
    unfinished.replace(output)


if __name__ == "__main__":
    build_in_place()
