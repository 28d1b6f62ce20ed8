"""Kernels as Python callables on NumPy arrays, with CuPy's names and calling convention.

    module = RawModule(code=code)
    saxpy = module.get_function("saxpy")          # or RawKernel(code, "saxpy")
    saxpy((blocks,), (256,), (np.float32(2), x, y, n))

The call returns when the kernel has ended; arrays are used in place, without copies.
"""

from __future__ import annotations

import operator
import re
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import runtime
from ..diag import CompileWarning
from ..lang.instance import KernelRequests, NamedInstance
from ..source import Source
from . import arguments, flags
from .cache import default_cache
from .machine_code import device_code
from .signature import Signature


class RawModule:
    """Device code: kernels and the functions that they call.

    `code` is CUDA-C; `options` are nvcc's flags for device code, such as "-DN=3", "-I/my/headers", "--use_fast_math",
    "-fmad=false". `name_expressions` are the forms of kernel templates that are to be compiled, such as "scan<float>",
    and names that `get_function` finds kernels in namespaces by. `backend` is there for CuPy's sake and ignored.

    The code is compiled when a kernel is first needed, by one thread, and stays in memory as long as this object or
    one of its kernels. The machine code is also kept on disk: a program that was compiled before, with the same options
    and headers, is only loaded (see `cache`).
    """

    def __init__(
        self,
        *,
        code: str,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        name_expressions: Sequence[str] | None = None,
        enable_cooperative_groups: bool = False,
    ) -> None:
        del backend
        if not isinstance(code, str):
            raise TypeError(f"code: expected the text of a CUDA-C program, got {type(code).__name__}")
        self.code = code
        self._words = tuple(options)
        self._options = flags.device_options(options)
        self._names = _names(name_expressions)
        self.cooperative = enable_cooperative_groups
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def __getstate__(self) -> tuple[str, tuple[str, ...], tuple[str, ...], bool]:
        """Return what a copy in another process needs: it compiles, for the CPU that it finds there."""
        return self.code, self._words, self._names, self.cooperative

    def __setstate__(self, state: tuple[str, tuple[str, ...], tuple[str, ...], bool]) -> None:
        code, words, names, cooperative = state
        self.__init__(  # type: ignore[misc]
            code=code, options=words, name_expressions=names, enable_cooperative_groups=cooperative
        )

    def compile(self) -> None:
        """Compile now instead of at the first call. Raises `CompileError` with what is wrong in the code."""
        self._load()

    def get_function(self, name: str) -> RawKernel:
        """Return kernel `name`, which may be one of the `name_expressions`.

        Raises `CompileError`, or `ValueError` if the code has no such kernel.
        """
        kernel = RawKernel.__new__(RawKernel)
        kernel._module, kernel.name = self, name
        kernel.compile()
        return kernel

    def get_global(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the bytes of a `__device__`, `__constant__` or `__managed__` variable, to be read and written.

        They are an array of uint8, which lives as long as the array and changes as kernels write it. What they are to
        the program, `numpy.ndarray(shape, dtype, module.get_global(name))` says, as for CuPy. Raises `CompileError`, or
        `ValueError` if the code has no such variable.
        """
        return self._load().variable(name)

    def _load(self) -> _Loaded:
        if self._loaded is not None:
            return self._loaded
        with self._lock:
            if self._loaded is None:
                asked = KernelRequests(tuple(NamedInstance(_without_spaces(name)) for name in self._names))
                code = device_code(Source("<code>", self.code), self._options, default_cache(), lambda: asked)
                for warning in code.warnings:
                    warnings.warn(warning, CompileWarning, stacklevel=3)
                loaded = runtime.Code(code.object_file)
                kernels = {kernel.name: (kernel, loaded.address(kernel.symbol)) for kernel in code.kernels}
                for instance, name in code.instances.items():
                    kernels[_without_spaces(instance.shown)] = kernels[name]
                variables = {item.name: (loaded.address(item.symbol), item.size) for item in code.variables}
                self._loaded = _Loaded(kernels, variables, loaded)
            return self._loaded


class RawKernel:
    """One kernel of some device code. See `RawModule` for the arguments."""

    def __init__(
        self,
        code: str,
        name: str,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        *,
        enable_cooperative_groups: bool = False,
    ) -> None:
        self._module = RawModule(
            code=code, options=options, backend=backend, enable_cooperative_groups=enable_cooperative_groups
        )
        self.name = name

    def compile(self) -> None:
        """Compile now instead of at the first call.

        Raises `CompileError` with what is wrong in the code, or `ValueError` if it has no kernel of this name.
        """
        self._module._load().find(self.name)

    def __call__(
        self, grid: Sequence[int], block: Sequence[int], args: Sequence[object], *, shared_mem: int = 0
    ) -> None:
        """Run the kernel on `grid` blocks of `block` threads, each a tuple of one to three numbers, and wait for it.

        A 0 in `grid` or `block` means 1, as in CuPy.

        `args` holds one value per parameter. For a pointer: a NumPy array whose dtype is the pointee's (for `void *`
        and `char *` any, for a struct a structured dtype of the same size, or numbers that fill whole structs), or
        None; it is written if the kernel writes through the pointer. It must be contiguous: the kernel sees the
        elements as they lie in memory, those of a Fortran-ordered array column by column. For a number: a NumPy number
        that casts safely, or a Python number in range. For a struct: a structured NumPy scalar, or bytes. `shared_mem`
        is in bytes.

        Raises `TypeError`, `ValueError` or `OverflowError` for an argument that does not fit its parameter,
        `CompileError` for faults in the code, `LaunchError` if the launch or the kernel fails. After a kernel that
        failed, or that Ctrl-C ended, its arrays hold what it wrote until then, and all kernels can be launched as
        before; on a GPU, every later call of CuPy would raise the same error.
        """
        kernel, address = self._module._load().find(self.name)
        grid3, block3 = _dim3("grid", grid), _dim3("block", block)
        packed = arguments.pack(kernel, args)
        runtime.launch(address, grid3, block3, shared_mem, packed, cooperative=self._module.cooperative)

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """How much dynamic shared memory a launch may give to a block; it can be raised up to 227 KiB, static included.

        Raises `LaunchError` if it is set to more.
        """
        return runtime.dynamic_limit(self._module._load().find(self.name)[1])

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, bytes: int) -> None:
        runtime.set_dynamic_limit(self._module._load().find(self.name)[1], operator.index(bytes))

    def __repr__(self) -> str:
        return f"<simt2simd.RawKernel {self.name}>"


@dataclass(frozen=True)
class _Loaded:
    """Compiled device code in memory: each kernel and the address of its `s2s_kernel`, by name.

    `variables`: the address and size of each variable, by name.
    """

    kernels: dict[str, tuple[Signature, int]]
    variables: dict[str, tuple[int, int]]
    code: runtime.Code

    def find(self, name: str) -> tuple[Signature, int]:
        """Return a kernel and the address of its `s2s_kernel`."""
        kernel = self.kernels.get(name) or self.kernels.get(_without_spaces(name))
        if kernel is None:
            names = ", ".join(f"'{known}'" for known in self.kernels) or "none"
            raise ValueError(f"the code has no kernel '{name}'; its kernels: {names}")
        return kernel

    def variable(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the bytes of a variable, in place."""
        if name not in self.variables:
            names = ", ".join(f"'{known}'" for known in self.variables) or "none"
            raise ValueError(f"the code has no variable '{name}'; its variables: {names}")
        address, size = self.variables[name]
        memory = _Bytes(self.code, address, size)
        return np.asarray(memory)


class _Bytes:
    """Memory of loaded code, as NumPy takes it: the code stays as long as an array over it."""

    def __init__(self, code: runtime.Code, address: int, size: int) -> None:
        self.code = code
        self.__array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, False), "version": 3}


def _names(name_expressions: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(name_expressions or ())
    if isinstance(name_expressions, str) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"name_expressions: expected a list of names such as 'k<float>', got {name_expressions!r}")
    return names


def _without_spaces(name: str) -> str:
    """Return a name expression with spaces only where words would grow together."""
    return re.sub(r"(?<!\w) | (?!\w)", "", " ".join(name.split()))


def _dim3(what: str, value: Sequence[int]) -> tuple[int, int, int]:
    if not isinstance(value, (tuple, list)) or not 1 <= len(value) <= 3:
        raise TypeError(f"{what}: expected a tuple of one to three numbers, got {value!r}")
    numbers = [operator.index(number) for number in value]
    x, y, z = [*numbers, 1, 1][:3]
    for number in numbers:
        if not 0 <= number < 1 << 32:
            raise ValueError(f"{what}: {number} is not the size of a {what}")
    return x or 1, y or 1, z or 1
