"""What `simt2simd compile` and `run` do: program files in, one output file out.

The C++ compiler works on the host part of a file in the background while this process compiles the device part.
Everything is made in a temporary folder; the output appears under its name only when it is whole.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from .. import runtime, target
from ..diag import BuildFailed, CompileError, Diagnostic, ToolError
from ..host import split
from ..host.instances import read_instances, span_of
from ..host.split import HostPart
from ..lang.instance import AnyInstance, Asked, Instance
from ..options import Options
from ..python.cache import default_cache
from ..python.machine_code import device_code
from ..source import Source, Span
from . import toolchain
from .cascade import independent, independent_output
from .colours import print_message
from .toolchain import CompilerFailed, HostFlags, Toolchain, find_cxx

if TYPE_CHECKING:
    from ..pipeline import Compiled
    from ..report.remarks import Remark

CUDA_SUFFIX = ".cu"
HOST_SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cxx", ".C"))
LINK_SUFFIXES = frozenset((".o", ".a", ".so"))
HOST_DUMP = "host"  # the one thing that --dump-ir prints and no device stage makes


@dataclass(frozen=True)
class Job:
    """One call of the compiler.

    `emit` is "exe", "object", "assembly", "llvm" or "cuda"; without `output`, the names are nvcc's, and "cuda" is
    printed. `cxx` is the C++ compiler that the user asks for. `keep` leaves the intermediate files beside the output.
    `dumps` are the names of stages. `remarks` is "text" or "json". `warnings` about kernels are "shown", "hidden" or
    "errors".
    `nvcc`: all is left to nvcc, which also gets `nvcc_args`.
    """

    files: tuple[str, ...]
    output: str | None
    emit: str
    options: Options
    flags: HostFlags
    cxx: str | None = None
    keep: bool = False
    remarks: str | None = None
    warnings: str = "shown"
    dumps: tuple[str, ...] = ()
    nvcc: bool = False
    nvcc_args: tuple[str, ...] = ()


def build(job: Job) -> None:
    """Compile the files of `job` and write its output.

    Prints warnings and remarks to stderr, dumps and JSON to stdout. Raises `BuildFailed` with everything that is wrong
    with the program, `ToolError` if a file or tool is missing; then nothing is written.
    """
    outputs = _outputs(job)
    if job.nvcc:
        _build_with_nvcc(job, outputs)
        return
    needs_host = job.emit in ("exe", "object") or HOST_DUMP in job.dumps
    toolchain = Toolchain(find_cxx(job.cxx), runtime.native_dir()) if needs_host else None
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        units = [_Unit(file, Path(folder, str(number)), job, toolchain) for number, file in enumerate(job.files)]
        background = [pool.submit(unit.compile_host) for unit in units]
        for unit in units:
            unit.compile_device()
        for unit, host_part in zip(units, background, strict=True):
            unit.take_host_part(host_part)
        faults = [message for unit in units for message in unit.faults]
        if faults:
            raise BuildFailed("\n".join(faults))
        if job.remarks == "json":
            print(json.dumps([remark.record() for unit in units for remark in unit.remarks], indent=1))
        for files, output in outputs:
            made = Path(folder, "output")
            _make(job, [unit for unit in units if unit.file in files], toolchain, made)
            _publish(made, output)
        if job.keep:
            folder_of_output = Path(outputs[0][1]).parent
            for unit in units:
                unit.keep_files(folder_of_output)


def run(job: Job, args: Sequence[str]) -> int:
    """Build `job`, run the program with `args`, and return its exit code; 128 + n if signal n ended it.

    After Ctrl-C it is never 0, whatever the program makes of that.
    """
    features = target.cpu_features()
    if not job.nvcc and not features >= job.options.target.required:
        raise ToolError(
            f"this CPU cannot run code for {job.options.target.name}\nhelp: leave out --target, or `compile`"
        )
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder:
        program = Path(folder, Path(job.files[0]).stem)
        build(replace(job, output=str(program), emit="exe"))
        return _run_program(program, args)


def _run_program(program: Path, args: Sequence[str]) -> int:
    """Run a program to its end. Signals are its to handle; the terminal's Ctrl-C reaches it without our help."""
    sys.stdout.flush()  # what we have printed comes before what the program prints
    interrupts: list[int] = []
    with _handled(signal.SIGINT, lambda number, _: interrupts.append(number)):
        process = subprocess.Popen([str(program), *args])
        with _handled(signal.SIGTERM, lambda *_: process.terminate()):
            code = process.wait()
    if code < 0:
        _print_error(f"simt2simd run: the program was ended by {_signal_name(-code)}: {signal.strsignal(-code)}")
        return 128 - code
    return 128 + signal.SIGINT if interrupts and code == 0 else code


def _signal_name(number: int) -> str:
    """Return "SIGSEGV" for 11; of the real-time signals, only the first and the last have names."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def _handled(number: int, handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle a signal, unless it is ignored. An exception in its place would break into a wait and lose its result."""
    previous = signal.getsignal(number)
    if previous == signal.SIG_IGN:
        yield
        return
    signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, previous)


# ---------------------------------------------------------------------------------------------- one file


class _Unit:
    """One input file on its way. `faults` are the messages about it, `link_inputs` what the linker gets for it.

    `compile_host` runs in another thread than the rest and touches only `host_object`, `host` and the two futures.
    """

    def __init__(self, file: str, folder: Path, job: Job, toolchain: Toolchain | None) -> None:
        self.file = file
        self.is_cuda = Path(file).suffix == CUDA_SUFFIX
        self.faults: list[str] = []
        self.device_faults: tuple[Diagnostic, ...] = ()
        self.compiled: Compiled | None = None
        self.cuda = ""  # what `--emit cuda` makes of it
        self.remarks: list[Remark] = []
        self.host: HostPart | None = None
        self.kernels: frozenset[str] = frozenset()  # those compiled
        self.variables: frozenset[str] = frozenset()  # those that the host part may declare
        self.made: Collection[AnyInstance] = ()  # of what host code asks for besides simple kernels
        self.host_object = folder / "host.o"
        self.device_object = folder / "device.o"
        self._job = job
        self._toolchain = toolchain
        self._is_split, self._has_object = Future[None](), Future[None]()  # done when `host`, `host_object` can be read
        folder.mkdir()

    def compile_host(self) -> str:
        """Compile what the C++ compiler has to compile; return its warnings."""
        if self._toolchain is None or Path(self.file).suffix in LINK_SUFFIXES:
            return ""
        if not self.is_cuda:
            return self._toolchain.compile_file(Path(self.file), self.host_object, self._job.flags)
        try:
            self._split_host(self._toolchain)
            return "" if self._job.emit in TEXTS else self._compile_split(self._toolchain)
        finally:
            if not self._is_split.done():
                self._is_split.set_result(None)
            self._has_object.set_result(None)

    def _split_host(self, toolchain: Toolchain) -> None:
        preprocessed = toolchain.preprocess(self.file, self._job.flags)
        self.host = split.split(preprocessed, Source.read(self.file))
        self._is_split.set_result(None)

    def _compile_split(self, toolchain: Toolchain) -> str:
        assert self.host is not None
        return toolchain.compile_text(self.host.text, self.host_object, self._job.flags)

    def asked(self) -> Asked:
        """Return what the host part asks for besides simple kernels; waits for the C++ compiler to tell.

        If that has failed, there is nothing: its messages come with `take_host_part`. Raises `ToolError` without a
        C++ compiler, `CompileError` for template arguments that device code cannot know.
        """
        if self._toolchain is None:
            toolchain = Toolchain(find_cxx(self._job.cxx), runtime.native_dir())
            self._split_host(toolchain)
        else:
            toolchain = self._toolchain
            self._is_split.result()
        if self.host is None or not self.host.has_instances:
            return Asked()
        if self._job.emit in TEXTS:
            self._compile_split(toolchain)
        else:
            self._has_object.result()
        if not self.host_object.exists():
            return Asked()
        return Asked(tuple(_instances_of(self.host_object)), self.host.lambdas)

    def compile_device(self) -> None:
        """Compile the kernels of a `.cu` file, and print the dumps and remarks that were asked for."""
        if not self.is_cuda:
            return
        job = self._job
        try:
            if job.emit in ("exe", "object") and not (job.dumps or job.remarks or job.keep):
                code = device_code(Source.read(self.file), job.options, default_cache(), self.asked)
                self.device_object.write_bytes(code.object_file)
                self.kernels = frozenset(kernel.name for kernel in code.kernels)
                self.variables = frozenset(variable.name for variable in code.variables)
                self._warn(code.warnings)
                self.made = code.instances
                return
            if job.emit == "cuda":
                self._emit_cuda()
                if not (job.dumps or job.remarks or job.keep):
                    return
            from .. import pipeline  # LLVM takes a while to load: the C++ compiler is at work meanwhile

            self.compiled = pipeline.compile_device(
                Source.read(self.file), job.options, job.dumps, self._dump, instances=self.asked
            )
            self.kernels = frozenset(kernel.name for kernel in self.compiled.module.launched)
            self.variables = frozenset(item.qualified for item in self.compiled.module.variables if item.qualified)
            self._warn(tuple(map(str, self.compiled.warnings())))
            self.made = self.compiled.module.instances
            if job.emit in ("exe", "object"):
                self.device_object.write_bytes(self.compiled.object_code())
        except CompileError as fault:
            self.device_faults = fault.diagnostics
            self.faults += map(str, fault.diagnostics)
        except CompilerFailed as fault:  # where nothing but the instances needs the C++ compiler
            self.faults.append(fault.output.rstrip("\n"))
        else:
            if job.remarks is not None:
                self.remarks = self.compiled.remarks()
            if job.remarks == "text":
                from ..report.remarks import messages

                for message in messages(self.remarks):
                    _print_error(str(message))

    def _warn(self, warnings: Sequence[str]) -> None:
        if warnings and self._job.warnings == "errors":
            self.faults += [*warnings, f"{self.file}: error: -Werror makes an error of each warning"]
        elif self._job.warnings == "shown":
            _print_error("\n".join(warnings))

    def _emit_cuda(self) -> None:
        from . import cuda_text

        made = cuda_text.emit(cuda_text.read(self.file), self._job.options)
        for warning in made.left:
            _print_error(str(warning))
        self.cuda = made.text

    def take_host_part(self, host_part: Future[str]) -> None:
        """Wait for `compile_host`; print its warnings, or add what it found to the faults."""
        try:
            _print_error(host_part.result())
        except CompileError as fault:
            self.faults += map(str, independent(fault.diagnostics, self.device_faults))
        except CompilerFailed as fault:
            if self.host is not None or not self.faults:  # both preprocessors report a missing header
                output = independent_output(fault.output, self.device_faults).rstrip("\n")
                self.faults += [output] if output else []
        if self.host is not None and not self.faults:
            self.faults += map(str, _left_out(self.host, self.kernels))
            self.faults += map(str, _variables_apart(self.file, self.host, self.variables))
            if self.host_object.exists():
                self.faults += map(str, _not_made(self.host, self.host_object, self.made))
        if HOST_DUMP in self._job.dumps and self.host is not None:
            self._dump(HOST_DUMP, self.host.text)

    def _dump(self, stage: str, text: str) -> None:
        if len(self._job.dumps) > 1 or len(self._job.files) > 1:
            print(f"===== {stage} of {self.file}")
        print(text.rstrip("\n"))

    def link_inputs(self) -> list[str]:
        if Path(self.file).suffix in LINK_SUFFIXES:
            return [self.file]
        return [str(self.host_object), *([str(self.device_object)] if self.is_cuda else [])]

    def keep_files(self, folder: Path) -> None:
        """Write the intermediate files of a `.cu` file into `folder`, under the file's name."""
        if self.compiled is None:
            return
        stem = Path(self.file).stem
        (folder / f"{stem}.ll").write_text(self.compiled.dump("scatter-order"))
        (folder / f"{stem}.s").write_text(self.compiled.dump("assembly"))
        if self.host is not None:
            (folder / f"{stem}.host.ii").write_text(self.host.text, encoding="utf-8", errors="surrogateescape")
        for made in (self.host_object, self.device_object):
            if made.exists():
                shutil.copyfile(made, folder / f"{stem}.{made.name}")


def _instances_of(host_object: Path) -> list[Instance]:
    try:
        return read_instances(host_object.read_bytes())
    except ValueError as fault:
        raise ToolError(
            f"cannot tell which kernels the host part asks for: what the C++ compiler made is {fault}\n"
            "help: leave out -flto"
        ) from fault


def _left_out(host_part: HostPart, compiled: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a fault for each kernel that the host part can launch and that was not compiled."""
    for name, span in host_part.kernels.items():
        if name not in compiled:
            yield Diagnostic(span, f"the kernel '{name}' is in the host part only: no device code was made of it")


def _variables_apart(file: str, host_part: HostPart, defined: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a fault for each variable that the host part and the device part do not share, as they should."""
    for name, span in host_part.variables.items():
        if name not in defined:
            yield Diagnostic(span, f"the variable '{name}' is in the host part only: no device code defines it")
    for name in sorted(set(defined) - host_part.variables.keys()):
        yield Diagnostic(
            Span(Source.read(file), 0, 0, 0),
            f"the declaration of the variable '{name}' cannot be understood in the host part",
            help="declare it by itself, as `__device__ T name = value;`",
        )


def _not_made(host_part: HostPart, host_object: Path, made: Collection[AnyInstance]) -> Iterator[Diagnostic]:
    """Yield a fault for each form of a kernel that the host part asks for and that was not compiled."""
    if not host_part.has_instances:
        return
    for instance in _instances_of(host_object):
        if instance not in made:
            yield Diagnostic(
                span_of(instance.place),
                f"the kernel '{instance.shown}' is in the host part only: no device code was made of it",
            )


def _build_with_nvcc(job: Job, outputs: list[tuple[tuple[str, ...], str]]) -> None:
    with tempfile.TemporaryDirectory(prefix="simt2simd-") as folder:
        for files, output in outputs:
            made = Path(folder, "output")
            try:
                printed = toolchain.nvcc(
                    files, made, job.flags, job.options, job.nvcc_args, object_only=job.emit == "object"
                )
            except CompilerFailed as fault:
                raise BuildFailed(fault.output.rstrip("\n")) from fault
            _print_error(printed)
            _publish(made, output)


def _make(job: Job, units: Sequence[_Unit], toolchain: Toolchain | None, made: Path) -> None:
    """Make the output for `units` as the file `made`."""
    if job.emit == "cuda":
        (unit,) = units
        made.write_text(unit.cuda, encoding="utf-8", errors="surrogateescape")
        return
    if job.emit in TEXTS:
        (unit,) = units
        assert unit.compiled is not None
        made.write_text(unit.compiled.dump("assembly" if job.emit == "assembly" else "scatter-order"))
        return
    assert toolchain is not None
    inputs = [name for unit in units for name in unit.link_inputs()]
    try:
        if job.emit == "exe":
            _print_error(toolchain.link(inputs, made, job.flags))
        else:
            toolchain.combine(inputs, made, job.flags)
    except CompilerFailed as fault:
        raise BuildFailed(fault.output.rstrip("\n")) from fault


# ------------------------------------------------------------------------------------------------- files


STDOUT = "-"  # as an output's name
TEXTS = ("assembly", "llvm", "cuda")  # what can be printed


def _outputs(job: Job) -> list[tuple[tuple[str, ...], str]]:
    """Return (input files, output name) for each output. Raises `ToolError` for what cannot be read or written."""
    for file in job.files:
        _check_input(file, job)
    if job.emit == "exe":
        outputs = [(job.files, job.output or "a.out")]
    elif job.output is not None and len(job.files) > 1:
        raise ToolError(f"-o names one file, but {len(job.files)} would be written, one for each input: leave out -o")
    else:
        outputs = [((file,), job.output or _default_output(file, job.emit)) for file in job.files]
    made_of: dict[str, tuple[str, ...]] = {}
    for files, output in outputs:
        _check_output(output, job)
        if output in made_of:
            raise ToolError(
                f"'{made_of[output][0]}' and '{files[0]}' would both become '{output}': compile one at a time"
            )
        made_of[output] = files
    return outputs


def _default_output(file: str, emit: str) -> str:
    if emit == "cuda":
        return STDOUT
    return Path(file).stem + {"object": ".o", "assembly": ".s", "llvm": ".ll"}[emit]


def _check_input(file: str, job: Job) -> None:
    suffix = Path(file).suffix
    known = {CUDA_SUFFIX} | (HOST_SUFFIXES if job.emit in ("exe", "object") else set())
    known |= LINK_SUFFIXES if job.emit == "exe" else set()
    if suffix not in known:
        expected = ", ".join(sorted(known, key=lambda name: (name != CUDA_SUFFIX, name)))
        raise ToolError(
            f"cannot compile '{file}' to an {job.emit} file: expected {expected}".replace("exe file", "executable")
        )
    try:
        with open(file, "rb"):
            pass
    except OSError as fault:
        raise ToolError(f"cannot read '{file}': {_reason(fault)}") from fault


def _check_output(output: str, job: Job) -> None:
    if output == STDOUT:
        if job.emit not in TEXTS:
            raise ToolError("'-o -' prints text: it goes with --emit assembly, llvm and cuda")
        return
    path = Path(output)
    if path.is_dir():
        raise ToolError(f"cannot write '{output}': it is a directory")
    if not path.parent.is_dir():
        raise ToolError(f"cannot write '{output}': there is no directory '{path.parent}'")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ToolError(f"cannot write '{output}': permission denied")
    for file in job.files:
        if path.exists() and os.path.samefile(path, file):
            raise ToolError(f"the output '{output}' would overwrite the input")


def _publish(made: Path, output: str) -> None:
    """Give the finished file `made` its name in one step, so that nobody ever sees half of it."""
    if output == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(made.read_bytes())
        return
    try:
        if os.path.exists(output) and not os.path.isfile(output):  # /dev/null, a pipe: not to be replaced
            with open(made, "rb") as source, open(output, "wb") as sink:
                shutil.copyfileobj(source, sink)
            return
        folder, name = os.path.split(os.path.realpath(output))
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        os.close(handle)
        try:
            shutil.copyfile(made, temporary)
            shutil.copymode(made, temporary)
            os.replace(temporary, os.path.join(folder, name))
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as fault:
        raise ToolError(f"cannot write '{output}': {_reason(fault)}") from fault


def _reason(fault: OSError) -> str:
    return (fault.strerror or str(fault)).lower()


def _print_error(text: str) -> None:
    if text:
        print_message(text.rstrip("\n"))
