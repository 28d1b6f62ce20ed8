"""`#pragma dp consolidate(...)`: how the launches of one place in a kernel become few."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from ..source import Span

Level = Literal["warp", "block", "grid", "auto"]
LEVELS: tuple[Level, ...] = get_args(Level)

POOL_BYTES = 64 << 20  # of the buffers of a file, if no pragma says something else


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a pragma says. `level`: whose launches become one.

    `buffer`: bytes of the pool from which the buffers are. `size`: how many items a buffer holds, a number or the name
    of a parameter of the kernel. `work`: the variables in the arguments that differ between items. `concurrency`: how
    many child grids are to run at once (KC); 0: as many blocks (or threads, for children of one thread) as items.
    `blocks` and `threads`: of the consolidated launch. None where the pragma does not say it.
    """

    level: Level
    buffer: int | None = None
    size: int | str | None = None
    work: tuple[str, ...] | None = None
    concurrency: int | None = None
    blocks: int | None = None
    threads: int | None = None
    chosen: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """The pragma as it is written."""
        words = [f"consolidate({self.level})"]
        for name, value in (
            ("buffer", self.buffer),
            ("size", self.size),
            ("work", None if self.work is None else ", ".join(self.work)),
            ("kc", "items" if self.concurrency == 0 else self.concurrency),
            ("blocks", self.blocks),
            ("threads", self.threads),
        ):
            if value is not None:
                words.append(f"{name}({value})")
        return f"#pragma dp {' '.join(words)}"
