"""What a table or a figure of a paper is: which measurements it needs, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..common.app import app_of
from ..common.plan import GPU_CORES, Cores, chosen_cores
from ..common.tables import Table

if TYPE_CHECKING:
    from .measured import Measured

GPU = GPU_CORES  # a GPU as a number of cores


@dataclass(frozen=True)
class Key:
    """One measurement: what solved which problem of an application, on how many cores, `GPU` of them on a GPU.

    `input` is what the user calls the input. `parameters` are those of the record that distinguish problems of one
    input, such as k.
    """

    app: str
    input: str
    variant: str
    on: int
    order: str | None = None
    parameters: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Needed:
    """Problems of an application that a table needs, and what is to solve them.

    `variants` run on a CPU, on the numbers of cores `cores`; `on_gpu` on a GPU. Without `orders`, all are needed that
    the application has. `options` are words of the application's command line; what they set and records have, such
    as k, stands in `parameters`, too. With `counted`, these variants are also run by a program that counts what
    traversals do; as counts are the same on any machine, such needs are built for another one only if that is asked
    for. With --quick, `quick_inputs` take the place of `inputs` in their order; those without one are left
    out. What is more `urgent`, 0 the most, is measured first where time is short. If another command makes the records,
    `elsewhere` names it, and nothing is built or measured here.
    """

    app: str
    inputs: tuple[str, ...]
    variants: tuple[str, ...] = ()
    on_gpu: tuple[str, ...] = ()
    cores: Cores = "ends"
    orders: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    counted: tuple[str, ...] = ()
    quick_inputs: tuple[str, ...] = ()
    urgent: int = 1
    elsewhere: str = ""

    def quick(self) -> Needed:
        """Return the same for small inputs."""
        return replace(self, inputs=self.quick_inputs[: len(self.inputs)])

    def asked_orders(self) -> tuple[str | None, ...]:
        """Return the orders that are needed; None stands for an application without queries."""
        return self.orders or tuple(app_of(self.app).orders) or (None,)

    def key(self, input: str, variant: str, on: int, order: str | None = None) -> Key:
        """Return the key of one of the measurements."""
        return Key(self.app, input, variant, on, order, tuple(sorted(self.parameters.items())))

    def cpu_keys(self, cores: Sequence[int]) -> Iterator[Key]:
        """Yield what is needed of a CPU, of which those numbers of cores are measured."""
        app = app_of(self.app)
        for input in self.inputs:
            for order in self.asked_orders():
                for name in self.variants:
                    for on in chosen_cores(self.cores, cores) if app.variant(name).parallel else (1,):
                        yield self.key(input, name, on, order)

    def gpu_keys(self) -> Iterator[Key]:
        """Yield what is needed of a GPU."""
        for input in self.inputs:
            for order in self.asked_orders():
                for name in self.on_gpu:
                    yield self.key(input, name, GPU, order)


@dataclass(frozen=True)
class PaperTable:
    """A table or a figure of a paper.

    `name` is what the user calls it, "goldfarb-1"; `number` what the paper does, "table 1". `rows(measured)` makes
    tables of the records, and `draw(measured)` a figure, if there is one to draw. `said` is what the paper says, with
    its numbers, in Markdown; `found(measured)` what the records say about that, in sentences. `origin` says where the
    numbers are from if they are not of records.
    """

    name: str
    paper: str
    number: str
    title: str
    needs: tuple[Needed, ...]
    rows: Callable[[Measured], Sequence[Table]]
    said: str
    found: Callable[[Measured], str]
    draw: Callable[[Measured], Any] | None = None
    origin: str = ""
