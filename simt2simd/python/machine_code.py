"""The device part of a program as machine code: from the kernel cache, or compiled and put there.

Nothing here imports the compiler before there is something to compile: kernels from the cache are ready in a few
milliseconds.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..abi import kernel_symbol, variable_symbol
from ..lang.instance import AnyInstance, KernelRequests
from ..options import Options
from ..source import Source
from .cache import Cache
from .signature import Signature, signature

if TYPE_CHECKING:
    from ..pipeline import Compiled

_COMPILER = ("llvmlite", "pycparser", "pcpp")  # packages that have a say in what becomes of a program
_ELF = b"\x7fELF"


@dataclass(frozen=True)
class GlobalVariable:
    """A `__device__`, `__constant__` or `__managed__` variable, `size` bytes long."""

    name: str
    symbol: str
    size: int


@dataclass(frozen=True)
class DeviceCode:
    """Machine code, an ELF object file, with what it holds in source order, and the warnings about the program.

    `variables` are those that hosts know.
    """

    object_file: bytes
    kernels: tuple[Signature, ...]
    variables: tuple[GlobalVariable, ...] = ()
    warnings: tuple[str, ...] = ()
    instances: Mapping[AnyInstance, str] = field(default_factory=dict)  # which kernel each form is that was asked for
    included: tuple[str, ...] = ()  # full paths of the files that the program includes, as far as we read them


@dataclass(frozen=True)
class _Entry:
    """What the cache holds: the code, and what it depends on besides the program file.

    `code` is None where the code also depends on the instances that are asked for; then it has a key of its own.
    """

    code: DeviceCode | None
    included: Mapping[str, str | None]  # path: digest of the text; None: looked for, and not there


class _Noted:
    """The instances that are asked for; `called`: that made a difference."""

    def __init__(self, instances: Callable[[], KernelRequests]) -> None:
        self._instances = instances
        self.called = False

    def __call__(self) -> KernelRequests:
        self.called = True
        return self._instances()


def device_code(
    source: Source, options: Options, cache: Cache, instances: Callable[[], KernelRequests] = KernelRequests
) -> DeviceCode:
    """Return the machine code of one program file, with the `instances` of kernels that are not simple.

    Raises what `pipeline.compile_device` raises.
    """
    asked = _Noted(functools.cache(instances))
    if cache.limit_bytes == 0:
        return code_of(_run_stages(source, options, asked))
    key = _key(source, options)
    found = _intact(cache, key)
    if found is not None and found.code is None:
        found = _intact(cache, _key_of_instances(key, asked()))
    if found is not None and found.code is not None:
        return found.code
    compiled = _run_stages(source, options, asked, headers_in(cache))
    code = code_of(compiled)
    if (obstacle := cache.obstacle()) is not None:
        warnings.warn(f"compiled kernels are not kept: {obstacle}", RuntimeWarning, stacklevel=2)
    if not any("__DATE__" in text or "__TIME__" in text for text in (source.text, *compiled.included.values()) if text):
        included = {path: _digest_of(text) for path, text in compiled.included.items()}
        if asked.called:
            cache.put(key, pickle.dumps(_Entry(None, included)))
            key = _key_of_instances(key, asked())
        cache.put(key, pickle.dumps(_Entry(code, included)))
    return code


def linked_code(trees: Sequence[bytes], cache: Cache) -> bytes:
    """Return the machine code of the trees of several files. Raises what `pipeline.link_device` raises."""
    key = hashlib.sha256(repr(compiler_version()).encode())
    for tree in trees:
        key.update(hashlib.sha256(tree).digest())
    found = _from_bytes(cache.get(key.hexdigest()))
    if found is not None and found.code is not None:
        return found.code.object_file
    from ..pipeline import link_device  # and with it LLVM

    code = link_device(trees).object_code()
    cache.put(key.hexdigest(), pickle.dumps(_Entry(DeviceCode(code, ()), {})))
    return code


def _intact(cache: Cache, key: str) -> _Entry | None:
    """Return the entry under `key`, if what it depends on has not changed."""
    found = _from_bytes(cache.get(key))
    current = found is not None and all(_digest(path) == digest for path, digest in found.included.items())
    return found if current else None


def _key_of_instances(key: str, asked: KernelRequests) -> str:
    return hashlib.sha256(repr((key, asked)).encode(errors="surrogateescape")).hexdigest()


@dataclass(frozen=True)
class KeptHeaders:
    """What this version of the compiler made of headers, in the kernel cache."""

    cache: Cache

    def get(self, key: str) -> bytes | None:
        return self.cache.get(self._key(key))

    def put(self, key: str, value: bytes) -> None:
        self.cache.put(self._key(key), value)

    def _key(self, key: str) -> str:
        return hashlib.sha256(repr((compiler_version(), key)).encode()).hexdigest()


def headers_in(cache: Cache) -> KeptHeaders | None:
    """Return the part of the cache for headers; None if nothing is kept."""
    return KeptHeaders(cache) if cache.limit_bytes > 0 else None


def _run_stages(
    source: Source, options: Options, instances: Callable[[], KernelRequests], kept: KeptHeaders | None = None
) -> Compiled:
    from ..pipeline import compile_device  # and with it LLVM

    return compile_device(source, options, instances=instances, kept=kept)


def code_of(compiled: Compiled) -> DeviceCode:
    """Return the machine code of a program that was compiled."""
    module = compiled.module
    kernels = tuple(
        signature(kernel, kernel_symbol(kernel.name, module.name, static=kernel.static)) for kernel in module.launched
    )
    variables = tuple(
        GlobalVariable(variable.qualified, variable_symbol(variable.qualified, module.name), variable.type.size)
        for variable in module.variables
        if variable.qualified
    )
    return DeviceCode(
        compiled.object_code(),
        kernels,
        variables,
        tuple(map(str, compiled.warnings())),
        module.instances,
        tuple(path for path, text in compiled.included.items() if text is not None),
    )


def _from_bytes(held: bytes | None) -> _Entry | None:
    """Return the entry that was put into the cache, None for bytes that are none."""
    if held is None:
        return None
    try:
        found = pickle.loads(held)
        return found if isinstance(found, _Entry) and _is_whole(found) else None
    except Exception:  # pickle raises whatever the bytes make it stumble over
        return None


def _is_whole(entry: _Entry) -> bool:
    code, included = entry.code, entry.included
    return (code is None or _is_code(code)) and (
        isinstance(included, dict) and all(isinstance(path, str) for path in included)
    )


def _is_code(code: DeviceCode) -> bool:
    return (
        isinstance(code, DeviceCode)
        and isinstance(code.object_file, bytes)
        and code.object_file.startswith(_ELF)
        and isinstance(code.kernels, tuple)
        and all(isinstance(kernel, Signature) for kernel in code.kernels)
        and isinstance(code.variables, tuple)
        and all(isinstance(variable, GlobalVariable) for variable in code.variables)
        and isinstance(code.warnings, tuple)
        and all(isinstance(warning, str) for warning in code.warnings)
        and isinstance(code.instances, dict)
    )


def _key(source: Source, options: Options) -> str:
    """Return a name for everything that the code depends on and that is known before the program is read.

    The folder is one of these only where it matters: a file has a full name, and names of headers may be relative.
    """
    folder = "" if source.name.startswith("<") and "include" not in source.text else os.getcwd()
    plain = repr(replace(options, disabled=frozenset()))  # sets have no order
    parts = (compiler_version(), source.name, folder, source.text, plain, sorted(options.disabled))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def compiler_version() -> list[tuple[str, int, int]]:
    """Return the name, size and time of each file of this package and of the main files of those that it uses.

    That distinguishes versions also while the compiler is being changed, and takes half a millisecond.
    """
    files = [(entry.path, entry.stat()) for entry in _modules(os.path.dirname(os.path.dirname(__file__)))]
    for package in _COMPILER:
        spec = importlib.util.find_spec(package)  # finds the package without importing it
        if spec is not None and spec.origin is not None:
            files.append((spec.origin, os.stat(spec.origin)))
    return sorted((path, status.st_size, status.st_mtime_ns) for path, status in files)


def _modules(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the Python files below a folder. (`Path.rglob` takes ten times as long.)"""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry
            elif not entry.name.startswith("_") and entry.is_dir():
                yield from _modules(entry.path)


def _digest(path: str) -> str | None:
    try:
        return _digest_of(Source.read(path).text)
    except (OSError, ValueError):  # the latter for what is no path
        return None


def _digest_of(text: str | None) -> str | None:
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()
