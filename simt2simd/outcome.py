"""What the lowering made of each access, branch and call: the facts behind `--remarks`.

Costs are nanoseconds for the 16 lanes of a gang on a 3.6 GHz AVX-512 core, data in the first-level cache. They
rank remarks; they do not foretell a kernel's time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from . import tree
from .instance import FunctionShapes, Instance, access_shape, register_place
from .lattice import VARYING, Kind, Shape, affine
from .storage import Storage


@dataclass(frozen=True)
class Form:
    """A way to lower something: the instructions in words, and what they cost.

    `good` is what a summary calls it where nothing better is possible, "" elsewhere.
    """

    text: str
    cost_ns: float
    good: str = ""


@dataclass
class Outcomes:
    """The form that each node got in each function instance; the dearest where a node is lowered more than once."""

    forms: dict[tuple[Instance, tree.Node], Form] = field(default_factory=dict)

    def note(self, instance: Instance, node: tree.Node, form: Form) -> None:
        known = self.forms.get((instance, node))
        if known is None or form.cost_ns > known.cost_ns:
            self.forms[instance, node] = form


SCALAR_SELECT = Form("scalar choice between both values", 0.3, "scalar choice")
SELECT = Form("both values are computed, then blended", 0.5, "choice without a branch")
DIVERGENT_ARMS = Form("divergent: an arm is skipped if no lane chose it", 1.5)
UNIFORM_BRANCH = Form("one scalar branch", 0.3, "scalar branch")
PREDICATED_IF = Form("predicated: both arms run under masks, without a branch", 0.6, "`if` without a branch")
DIVERGENT_IF = Form("divergent: the arms run one after the other under masks, one without lanes is skipped", 1.5)
DIVERGENT_LOOP = Form("divergent: lanes leave at different times, it runs until the last one is done", 1.5)


def alone(lanes: int) -> Form:
    """A divergent loop whose last `lanes` lanes leave the gang."""
    return Form(f"divergent: lanes leave at different times, the last {lanes} finish one by one in scalar code", 1.6)


STACKED_CALL = Form("loop over a stack", 0.6, "stacked call")
UNIFORM_SWITCH = Form("one scalar jump", 0.4, "scalar jump")
DIVERGENT_SWITCH = Form("divergent: the chosen sections run one after the other under masks", 2.0)


# ------------------------------------------------------------------------------------ before lowering


TEST_NS = 0.5  # to see whether the lanes of a gang are spaced as they are likely to be
ROUNDS = 8  # how often a loop is taken to run


def access_costs(function: FunctionShapes, storage: Storage) -> float:
    """What the accesses of a function will cost, roughly, if every loop runs `ROUNDS` times."""
    costs = 0.0
    for node, loops in tree.walk_loops(function.function.body):
        if isinstance(node, tree.Load | tree.Assign | tree.CompoundAssign | tree.Increment):
            costs += access_cost(function, storage, node) * float(ROUNDS**loops)
    return costs


def access_cost(
    function: FunctionShapes, storage: Storage, node: tree.Load | tree.Assign | tree.CompoundAssign | tree.Increment
) -> float:
    """What a read, write or update of a place will cost, by the shape of its address; nothing for a register."""
    if register_place(node.place, storage) is not None:
        return 0.0
    shape = access_shape(function, node.place, storage)
    reads, writes = not isinstance(node, tree.Assign), not isinstance(node, tree.Load)
    return reads * _cost(shape, node.place.type.size, False) + writes * _cost(shape, node.place.type.size, True)


def _cost(shape: Shape, size: int, storing: bool) -> float:
    if shape.uniform:
        return 0.6
    if shape.kind == Kind.AFFINE and abs(shape.stride) <= 4 * size:
        return 1.0
    if shape.likely is not None and (shape.likely or not storing):
        return min(_cost(affine(shape.likely), size, storing) + TEST_NS, _cost(VARYING, size, storing))
    if size < 4:
        return 9.0 if storing else 2.8
    return (4.2 if storing else 2.5) * (2 if size == 8 else 1)
