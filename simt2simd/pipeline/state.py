"""The state of the pipeline: the results of the passes on one program file so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from ..analysis.shapes import Shapes
from ..frontend.text.include_cache import Store
from ..lang.instance import KernelRequests
from ..mapping.plans import Plans
from ..options import Options
from ..report.outcome import Outcomes
from ..source import Source
from ..tree.nodes import Module
from . import results
from .results import Result

T = TypeVar("T")

# Called when the program turns out to have kernels that are not simple (`lang/instance`): the requested forms.
Instances = Callable[[], KernelRequests]


def no_requests() -> KernelRequests:
    """Return that no such kernel is requested."""
    return KernelRequests()


@dataclass(frozen=True)
class PipelineState:
    """One program file and the results of the passes that have run, by the name of the pass."""

    source: Source
    options: Options
    instances: Instances = no_requests
    kept: Store | None = None  # what came of headers in other compilations
    results: dict[str, object] = field(default_factory=dict, repr=False)  # `[key]` gives one with its type
    outcomes: Outcomes = field(default_factory=Outcomes, repr=False)  # filled in by the pass `llvm`

    @property
    def module(self) -> Module:
        """The tree as the last pass that makes one left it."""
        return next(result for result in reversed(self.results.values()) if isinstance(result, Module))

    def __getitem__(self, result: Result[T]) -> T:
        """Return the result of a pass. Assumes that it has run."""
        return cast(T, self.results[result.name])

    @property
    def shapes(self) -> Shapes:
        """The shapes of the versions of kernels that are kept."""
        return self[results.KEEP_VERSIONS]

    @property
    def plans(self) -> Plans:
        """All decisions, for the lowering to look up."""
        return self[results.PLANS]

    @property
    def included(self) -> Mapping[str, str | None]:
        """The headers that were looked for: the text of each by its full path, None if it is not there."""
        return self[results.PREPROCESS].included
