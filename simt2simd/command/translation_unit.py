"""One input file on its way: its host part, its device part, and whether they fit each other."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import runtime
from ..abi import TREE_SECTION
from ..diag import BuildFailed, CompileError, Diagnostic
from ..host.instances import linkage_names
from ..host.part import HostPart
from ..lang.instance import AnyInstance, KernelRequests
from ..python.cache import default_cache
from ..python.machine_code import DeviceCode, code_of, device_code, headers_in
from ..python.nvrtc import image
from ..source import Source
from . import host_cache
from .cascade import independent, independent_output
from .colours import print_output
from .depends import with_device_headers
from .device_link import OF_ONE_FILE
from .host_device_check import instances_of, left_out, mismatched_variables, not_made
from .job import HOST_DUMP, IMAGES, TEXTS, Job
from .outputs import default_output
from .toolchain import CompilerFailed, Toolchain, find_cxx

if TYPE_CHECKING:
    from ..pipeline import Compiled
    from ..report.annotated import Function
    from ..report.counts import Counts
    from ..report.remarks import Remark


class Unit:
    """One input file on its way. `faults` are the messages about it, `link_inputs` what the linker gets for it.

    `compile_host` runs in another thread than the rest and touches only `host_object`, `host` and the two futures.
    """

    def __init__(
        self, file: str, folder: Path, job: Job, toolchain: Toolchain | None, counts: Counts | None = None
    ) -> None:
        self.file = file
        self.kind = job.kind(file)
        self.is_cuda = self.kind == "cu"
        self.included: tuple[str, ...] = ()  # by the device part
        self.rule = folder / "rule.d"  # of `make`, if one was asked for
        self.faults: list[str] = []
        self.device_faults: tuple[Diagnostic, ...] = ()
        self.compiled: Compiled | None = None
        self.tree: bytes | None = None  # of a file that is linked with others
        self.cuda = ""  # what `--emit cuda` makes of it
        self.image = b""  # what a program loads while it runs
        self.remarks: list[Remark] = []
        self.listing: list[Function] = []
        self.host: HostPart | None = None
        self.kernels: frozenset[str] = frozenset()  # those compiled
        self.variables: frozenset[str] = frozenset()  # those that the host part may declare
        self.made: Collection[AnyInstance] = ()  # of what host code asks for besides simple kernels
        self.host_object = folder / "host.o"
        self.device_object = folder / "device.o"
        self._job = job
        self._counts = counts
        self._toolchain = toolchain
        self._is_split, self._has_object = Future[None](), Future[None]()  # done when `host`, `host_object` can be read
        folder.mkdir()

    def compile_host(self) -> str:
        """Compile what the C++ compiler has to compile; return its warnings."""
        if self._toolchain is None or self.kind == "link":
            return ""
        if not self.is_cuda:
            path, words = Path(self.file), self._rule_words(str(self.rule))
            return self._toolchain.compile_file(path, self.host_object, self._job.flags, self.kind, words)
        try:
            if self._job.emit in TEXTS:
                self._split_host(self._preprocess(self._toolchain), Source.read(self.file))
                return ""
            return self._compile_or_find(self._toolchain)
        finally:
            for future in (self._is_split, self._has_object):
                if not future.done():
                    future.set_result(None)

    def _compile_or_find(self, toolchain: Toolchain) -> str:
        """Make the host part's object, or take it from the cache; return the C++ compiler's warnings."""
        job, cache = self._job, default_cache()
        preprocessed, source = self._preprocess(toolchain), Source.read(self.file)
        is_linked = job.options.relocatable
        key = None
        if cache.limit_bytes and not job.needs_passes:
            key = host_cache.key_of(toolchain, preprocessed, source, job.flags, linked=is_linked)
        found = None if key is None else host_cache.kept(cache, key)
        if found is not None:
            self.host = found.part
            self.host_object.write_bytes(found.object_file)
            return found.warnings
        host = self._split_host(preprocessed, source)
        warnings = self._compile_split(toolchain)
        self._has_object.set_result(None)
        # The file and the compiler may have been replaced meanwhile.
        after = Source.read(self.file)
        if key is not None and key == host_cache.key_of(toolchain, preprocessed, after, job.flags, linked=is_linked):
            made = host_cache.HostObject(replace(host, text=""), self.host_object.read_bytes(), warnings)
            host_cache.keep(cache, key, made, self.file, host.text)
        return warnings

    def _preprocess(self, toolchain: Toolchain) -> str:
        return toolchain.preprocess(self.file, self._job.flags, words=self._rule_words(str(self.rule)))

    def _split_host(self, preprocessed: str, source: Source) -> HostPart:
        """Set `host`, and return it."""
        from ..host.split import split  # which takes a while to load

        self.host = split(preprocessed, source, linked=self._job.options.relocatable)
        self._is_split.set_result(None)
        return self.host

    def _rule_words(self, rule: str) -> list[str]:
        depends = self._job.depends
        if depends is None:
            return []
        target = depends.target or self._job.output or default_output(self.file, self._job)
        return depends.words(rule, target, only=False)

    def write_rule(self) -> None:
        """Add to the rule for `make` what only the device part includes."""
        if self.rule.exists():
            self.rule.write_text(with_device_headers(self.rule.read_text(), self.included))

    def _compile_split(self, toolchain: Toolchain) -> str:
        assert self.host is not None
        return toolchain.compile_text(self.host.text, self.host_object, self._job.flags)

    def asked(self) -> KernelRequests:
        """Return what the host part asks for besides simple kernels; waits for the C++ compiler.

        If that has failed, there is nothing: its messages come with `take_host_part`, or where there is no such, it
        raises `BuildFailed` with them. Raises `ToolError` without a C++ compiler, `CompileError` for template arguments
        that device code cannot know.
        """
        if self._job.emit in TEXTS:
            self._compile_for_instances()
        else:
            self._is_split.result()
        if self.host is None or not self.host.has_instances:
            return KernelRequests()
        if self._job.emit not in TEXTS:
            self._has_object.result()
        if not self.host_object.exists():
            return KernelRequests()
        return KernelRequests(tuple(instances_of(self.host_object)), self.host.lambdas)

    def _compile_for_instances(self) -> None:
        toolchain = self._toolchain or Toolchain(find_cxx(self._job.cxx), runtime.native_dir())
        try:
            if self._toolchain is None:
                self._split_host(self._preprocess(toolchain), Source.read(self.file))
            else:
                self._is_split.result()
            if self.host is not None and self.host.has_instances:
                self._compile_split(toolchain)
        except CompilerFailed as fault:
            raise BuildFailed(fault.output.rstrip("\n")) from fault

    def compile_device(self) -> None:
        """Compile the kernels of a `.cu` file, and print the dumps and remarks that were asked for."""
        if not self.is_cuda:
            return
        job = self._job
        try:
            if job.options.relocatable:
                self._read_device()
                return
            if job.emit in ("exe", "object", "library", *IMAGES) and not job.needs_passes:
                code = device_code(Source.read(self.file), job.options, default_cache(), self.asked)
                self.device_object.write_bytes(code.object_file)
                self.kernels = frozenset(kernel.name for kernel in code.kernels)
                self.variables = frozenset(variable.name for variable in code.variables)
                self._warn(code.warnings)
                self.made = code.instances
                self.included = code.included
                self._make_image(code)
                return
            if job.emit == "cuda":
                self._emit_cuda()
                if not job.needs_passes:
                    return
            from .. import pipeline  # LLVM takes a while to load: the C++ compiler is at work meanwhile

            self.compiled = pipeline.compile_device(
                Source.read(self.file),
                job.options,
                job.dumps,
                self._dump,
                instances=self.asked,
                kept=headers_in(default_cache()),
            )
            self.kernels = frozenset(kernel.name for kernel in self.compiled.module.launched)
            self.variables = frozenset(item.qualified for item in self.compiled.module.variables if item.qualified)
            self._warn(tuple(map(str, self.compiled.warnings())))
            self.made = self.compiled.module.instances
            self.included = tuple(path for path, text in self.compiled.included.items() if text is not None)
            if job.emit in ("exe", "object", "library", *IMAGES):
                self.device_object.write_bytes(self.compiled.object_code())
                self._make_image(code_of(self.compiled))
        except CompileError as fault:
            self.device_faults = fault.diagnostics
            self.faults += map(str, fault.diagnostics)
        except BuildFailed as fault:  # where nothing but the instances needs the C++ compiler
            self.faults.append(str(fault))
        else:
            if job.remarks is not None:
                self.remarks = self.compiled.remarks()
            if job.remarks in ("text", "missed"):
                for message in self.compiled.remark_messages(self.remarks, only_missed=job.remarks == "missed"):
                    print_output(str(message))
            if job.listing is not None:
                self.listing = self.compiled.listing(self._counts)

    def _make_image(self, code: DeviceCode) -> None:
        """Make what programs load, where that is wanted: its kernels also have the names that the C++ compiler uses."""
        if self._job.emit not in IMAGES:
            return
        self._has_object.result()
        if self.host_object.exists():
            names = linkage_names(self.host_object.read_bytes())
            self.image = image(code, {name: code.instances.get(instance, "") for instance, name in names.items()})

    def _read_device(self) -> None:
        """Read the device part of a file that is linked with others: the rest is done when all are there."""
        from .. import pipeline

        job = self._job
        dumps = [name for name in job.dumps if name in OF_ONE_FILE]
        kept = headers_in(default_cache())
        compiled = pipeline.compile_device(
            Source.read(self.file), job.options, dumps, self._dump, "tree", instances=self.asked, kept=kept
        )
        module = compiled.module
        self.kernels = frozenset(kernel.title for kernel in module.launched)
        self.variables = frozenset(item.qualified for item in module.variables if item.space)
        self._warn(tuple(map(str, compiled.warnings())))
        self.made = module.instances
        self.included = tuple(path for path, text in compiled.included.items() if text is not None)
        self.tree = pipeline.relocatable(compiled)

    def _warn(self, warnings: Sequence[str]) -> None:
        if warnings and self._job.warnings == "errors":
            self.faults += [*warnings, f"{self.file}: error: -Werror makes an error of each warning"]
        elif self._job.warnings == "shown":
            print_output("\n".join(warnings))

    def _emit_cuda(self) -> None:
        from . import cuda_text

        made = cuda_text.emit(cuda_text.read(self.file), self._job.options, choose=self._job.choose)
        for warning in made.left:
            print_output(str(warning))
        self.cuda = made.text

    def take_host_part(self, host_part: Future[str]) -> None:
        """Wait for `compile_host`; print its warnings, or add what it found to the faults."""
        try:
            print_output(host_part.result())
        except CompileError as fault:
            self.faults += map(str, independent(fault.diagnostics, self.device_faults))
        except CompilerFailed as fault:
            if self.host is not None or not self.faults:  # both preprocessors report a missing header
                output = independent_output(fault.output, self.device_faults).rstrip("\n")
                self.faults += [output] if output else []
        if self.host is not None and not self.faults:
            self.faults += map(str, left_out(self.host, self.kernels))
            self.faults += map(str, mismatched_variables(self.file, self.host, self.variables))
            if self.host_object.exists():
                self.faults += map(str, not_made(self.host, self.host_object, self.made))
        if HOST_DUMP in self._job.dumps and self.host is not None:
            self._dump(HOST_DUMP, self.host.text)

    def _dump(self, stage: str, text: str) -> None:
        if len(self._job.dumps) > 1 or len(self._job.files) > 1:
            print(f"===== {stage} of {self.file}")
        print(text.rstrip("\n"))

    def link_inputs(self) -> list[str]:
        if self.kind == "link":
            return [self.file]
        return [str(self.host_object), *([str(self.device_object)] if self.device_object.exists() else [])]

    def write_tree(self, toolchain: Toolchain) -> None:
        """Make the device part of an object that is linked with others."""
        if self.tree is not None:
            toolchain.data_object({TREE_SECTION: self.tree}, self.device_object, self._job.flags)

    def keep_files(self, folder: Path) -> None:
        """Write the intermediate files of a `.cu` file into `folder`, under the file's name."""
        if not self.is_cuda:
            return
        stem = Path(self.file).stem
        if self.compiled is not None:
            (folder / f"{stem}.ll").write_text(self.compiled.dump("scatter-order"))
            (folder / f"{stem}.s").write_text(self.compiled.dump("assembly"))
        if self.host is not None:
            (folder / f"{stem}.host.ii").write_text(self.host.text, encoding="utf-8", errors="surrogateescape")
        for made in (self.host_object, self.device_object):
            if made.exists():
                shutil.copyfile(made, folder / f"{stem}.{made.name}")
