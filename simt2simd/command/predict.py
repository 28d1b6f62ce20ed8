"""`simt2simd predict`: what the kernels of a program take on a CPU and on a GPU, from what a run has counted."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..diag import ToolError
from ..predict.counts import KernelCounts, WrongCounts, read
from ..predict.machines import CPUS, GPUS, Cpu, Gpu
from ..predict.times import Time, on_cpu, on_gpu

THIS = "this"
HOW = """\
Compile with --warp-stats, and run the program with S2S_STATS_FILE=FILE in its environment: FILE is what --stats-file
takes. Times are for the launches of that run, all of a kernel together; "bound" is what most of the time is spent for.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE.cu", help="the program")
    parser.add_argument("--stats-file", required=True, metavar="FILE", help="what a run under --warp-stats has counted")
    parser.add_argument("--gpu", choices=GPUS, default="h200", help="default: h200")
    parser.add_argument("--cpu", choices=(THIS, *CPUS), default=THIS, help="default: this one, which is measured first")
    parser.add_argument("--cores", type=_cores, metavar="N", help="of the CPU; default: all of them")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def _cores(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found '{text}'")
    return int(text)


@dataclass(frozen=True)
class KernelTimes:
    """A kernel with its times."""

    kernel: KernelCounts
    one_core: Time
    all_cores: Time
    gpu: Time

    @property
    def winner(self) -> str:
        """The quicker processor."""
        return "CPU" if self.all_cores.ms <= self.gpu.ms else "GPU"


def main(args: argparse.Namespace) -> int:
    """Print the table; return 0. Raises `ToolError`."""
    kernels = _kernels(args.file, args.stats_file)
    cpu = _cpu(args.cpu)
    cores = args.cores or cpu.cores
    gpu = GPUS[args.gpu]
    rows = [KernelTimes(each, on_cpu(each, cpu, 1), on_cpu(each, cpu, cores), on_gpu(each, gpu)) for each in kernels]
    rows.sort(key=lambda row: -row.all_cores.ms)
    print(as_json(rows, cpu, cores, gpu) if args.json else as_text(rows, cpu, cores, gpu))
    return 0


def _cpu(name: str) -> Cpu:
    if name != THIS:
        return CPUS[name]
    from . import calibrate

    return calibrate.measure()


def _kernels(program: str, file: str) -> list[KernelCounts]:
    """Return the kernels that ran. Raises `ToolError` if the file is not about this program."""
    if not Path(program).is_file():
        what = "is a directory" if Path(program).is_dir() else "no such file"
        raise ToolError(f"cannot read '{program}': {what}")
    try:
        kernels = read(Path(file).read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError as fault:
        raise ToolError(f"cannot read '{file}': {(fault.strerror or str(fault)).lower()}") from fault
    except WrongCounts as fault:
        how = "compile with --warp-stats, and run the program with S2S_STATS_FILE=FILE in its environment"
        raise ToolError(f"cannot read '{file}': {fault}\nhelp: {how}") from fault
    ran = [kernel for kernel in kernels if kernel.launches]
    if not ran:
        raise ToolError(f"'{file}' has no kernel that ran")
    files = sorted({kernel.file for kernel in ran})
    if Path(program).name not in {Path(each).name for each in files} and not _includes(Path(program), files):
        raise ToolError(f"'{file}' is not of '{program}': it has kernels of {', '.join(files)}")
    return ran


def _includes(program: Path, files: Sequence[str]) -> bool:
    """Whether the text of a program, or of a header beside it, names one of these files."""
    wanted = {Path(each).name for each in files}
    texts = [program, *program.parent.glob("*.h"), *program.parent.glob("*.cuh")]
    return any(f'{name}"' in text.read_text(errors="replace") for text in texts for name in wanted)


def as_json(rows: Sequence[KernelTimes], cpu: Cpu, cores: int, gpu: Gpu) -> str:
    """Return everything as JSON: times in milliseconds."""
    kernels = [
        {
            "kernel": row.kernel.name,
            "file": row.kernel.file,
            "line": row.kernel.line,
            "launches": row.kernel.launches,
            "cpu_1_core": asdict(row.one_core),
            "cpu": asdict(row.all_cores),
            "gpu": asdict(row.gpu),
            "winner": row.winner,
        }
        for row in rows
    ]
    return json.dumps({"cpu": asdict(cpu), "cores": cores, "gpu": asdict(gpu), "kernels": kernels}, indent=1)


def as_text(rows: Sequence[KernelTimes], cpu: Cpu, cores: int, gpu: Gpu) -> str:
    """Return a table, with the sum of all kernels if there are several."""
    header = ["kernel", "launches", "1 core, ms", f"{cores} cores, ms", "bound", "GPU, ms", "bound", "quicker"]
    cells = [
        [
            row.kernel.name,
            str(row.kernel.launches),
            _ms(row.one_core.ms),
            _ms(row.all_cores.ms),
            row.all_cores.bound,
            _ms(row.gpu.ms),
            row.gpu.bound,
            row.winner,
        ]
        for row in rows
    ]
    if len(rows) > 1:
        sums = [
            sum(time.ms for time in times)
            for times in zip(*((r.one_core, r.all_cores, r.gpu) for r in rows), strict=True)
        ]
        launches = str(sum(row.kernel.launches for row in rows))
        quicker = "CPU" if sums[1] <= sums[2] else "GPU"
        cells.append(["all", launches, _ms(sums[0]), _ms(sums[1]), "", _ms(sums[2]), "", quicker])
    widths = [max(len(line[i]) for line in (header, *cells)) for i in range(len(header))]
    lines = [
        "  ".join(_cell(i, text, width) for i, (text, width) in enumerate(zip(line, widths, strict=True)))
        for line in (header, *cells)
    ]
    return "\n".join([f"CPU: {cpu.text}; GPU: {gpu.text}", *(line.rstrip() for line in lines)])


def _cell(column: int, text: str, width: int) -> str:
    return text.ljust(width) if column in _WORDS else text.rjust(width)


_WORDS = (0, 4, 6, 7)  # the columns that begin at the left


def _ms(ms: float) -> str:
    return f"{ms:.4f}" if ms < 1 else f"{ms:.2f}"
