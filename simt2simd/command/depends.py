"""What a program file includes, as a rule for `make`: `-M` and the like."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..frontend.text.headers import LIBRARIES


@dataclass(frozen=True)
class Depends:
    """How to write the rule.

    `system`: with the headers of the system. `target` and `file` are the names that the user gives; `phony`: each
    header also gets a rule without prerequisites.
    """

    system: bool
    target: str | None = None
    file: str | None = None
    phony: bool = False

    def words(self, rule: str, target: str, *, only: bool) -> list[str]:
        """Return the C++ compiler's words that make it write the file `rule`; `only`: it does nothing else."""
        kind = "-M" if self.system else "-MM"
        return [kind if only else f"{kind}D", "-MF", rule, "-MT", target, *(["-MP"] if self.phony else [])]


def with_device_headers(rule: str, included: Collection[str]) -> str:
    """Return a rule with the files that only the device part includes: the C++ compiler has not seen those."""
    known = {os.path.abspath(word) for word in rule.replace("\\\n", " ").split()}
    shown = (os.path.relpath(path) for path in included if path not in known and not _is_ours(path))
    more = [(path if not path.startswith("..") else os.path.abspath(path)).replace(" ", "\\ ") for path in shown]
    target, colon, rest = rule.partition(":")
    return f"{target}{colon}{''.join(f' {path}' for path in more)}{rest}"


def _is_ours(path: str) -> bool:
    return Path(path).is_relative_to(LIBRARIES)
