"""The extension module `simt2simd._runtime`, of all C files of runtime/. All else stands in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup


def found(pattern: str) -> list[str]:
    return sorted(str(path) for path in Path("runtime").glob(pattern))


setup(
    ext_modules=[
        Extension(
            "simt2simd._runtime",
            sources=["build/_runtime.c", *found("**/*.c")],  # the first is what runtime/build.py has cffi write
            depends=["runtime/build.py", *found("**/*.h")],
            include_dirs=["runtime", "runtime/include", "simt2simd/include"],
            py_limited_api=True,  # one wheel for all versions of Python: cffi's source keeps to that part of its API
            extra_compile_args=["-std=c11", "-O2", "-g1", "-fvisibility=hidden", "-fno-lto", "-fcf-protection=none"],
            extra_link_args=["-pthread", "-ldl"],
        )
    ]
)
