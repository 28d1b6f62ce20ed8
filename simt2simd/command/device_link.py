"""The link step for device code: the trees of all files become one object file (`-rdc=true`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..diag import BuildFailed, CompileError, ToolError
from ..python.cache import default_cache
from ..python.machine_code import linked_code
from .colours import print_message
from .job import HOST_DUMP, Job
from .objects import LINKED_SECTION, digests
from .toolchain import HostFlags, Toolchain

if TYPE_CHECKING:
    from ..pipeline import Compiled
    from ..report.annotated import Function
    from ..report.counts import Counts
    from ..report.remarks import Remark

OF_ONE_FILE = ("preprocess", "parse", "tree")  # stages that have run when files are linked


class DeviceLink:
    """What comes of the trees of a program's files. `objects` holds the object file, if there is anything to link."""

    def __init__(self, job: Job, counts: Counts | None) -> None:
        self.objects: list[str] = []
        self.remarks: list[Remark] = []
        self.listing: list[Function] = []
        self._job = job
        self._counts = counts
        self._dumps = [name for name in job.dumps if name not in (*OF_ONE_FILE, HOST_DUMP)]
        self._compiled: Compiled | None = None
        self._trees: list[bytes] = []

    def link(self, trees: Sequence[bytes], output: Path) -> None:
        """Compile the device code of `trees` into `output`; print dumps and remarks.

        Raises `BuildFailed` for what the files do not define, or not alike.
        """
        self._trees = list(dict.fromkeys(trees))
        if not self._trees:
            return
        try:
            if self._dumps or self._job.remarks or self._job.keep or self._job.listing:
                output.write_bytes(self._compile())
            else:
                output.write_bytes(linked_code(self._trees, default_cache()))
        except CompileError as fault:
            raise BuildFailed(str(fault)) from fault
        except ValueError as fault:
            raise ToolError(f"cannot link device code: {fault}") from fault
        self.objects = [str(output)]

    def _compile(self) -> bytes:
        from .. import pipeline

        self._compiled = pipeline.link_device(self._trees, self._dumps, self._print)
        if self._job.remarks is not None:
            self.remarks = self._compiled.remarks()
        if self._job.listing is not None:
            self.listing = self._compiled.listing(self._counts)
        if self._job.remarks in ("text", "missed"):
            missed = self._job.remarks == "missed"
            for message in self._compiled.remark_messages(self.remarks, only_missed=missed):
                print_message(str(message))
        return self._compiled.object_code()

    def _print(self, stage: str, text: str) -> None:
        if len(self._dumps) > 1:
            print(f"===== {stage}")
        print(text.rstrip("\n"))

    def write_digests(self, toolchain: Toolchain, output: Path, flags: HostFlags) -> None:
        """Make an object that holds the device code and says whose it is, so that it is not linked again."""
        note = output.with_suffix(".note.o")
        toolchain.data_object({LINKED_SECTION: digests(self._trees)}, note, flags)
        toolchain.combine([*self.objects, str(note)], output, flags)

    def keep_files(self, stem: Path) -> None:
        """Write the code of the whole as LLVM IR and as assembly."""
        if self._compiled is not None:
            stem.with_name(f"{stem.name}.ll").write_text(self._compiled.dump("scatter-order"))
            stem.with_name(f"{stem.name}.s").write_text(self._compiled.dump("assembly"))
