"""What the lowering made of each access, branch and call: the facts that `--remarks` prints."""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import costs
from ..analysis.shapes import Instance
from ..costs import Form
from ..tree import nodes as tree


@dataclass
class Outcomes:
    """The form that each node got in each function instance; the dearest where a node is lowered more than once."""

    forms: dict[tuple[Instance, tree.Node], Form] = field(default_factory=dict)

    def note(self, instance: Instance, node: tree.Node, form: Form) -> None:
        known = self.forms.get((instance, node))
        if known is None or form.cost_ns > known.cost_ns:
            self.forms[instance, node] = form


SCALAR_SELECT = Form("scalar choice between both values", costs.SCALAR_SELECT_NS, "scalar choice")
SELECT = Form("both values are computed, then blended", costs.SELECT_NS, "choice without a branch")
DIVERGENT_ARMS = Form("divergent: an arm is skipped if no lane chose it", costs.BRANCH_NS)
UNIFORM_BRANCH = Form("one scalar branch", costs.UNIFORM_BRANCH_NS, "scalar branch")
PREDICATED_IF = Form(
    "predicated: both arms run under masks, without a branch", costs.PREDICATED_IF_NS, "`if` without a branch"
)
DIVERGENT_IF = Form(
    "divergent: the arms run one after the other under masks, one without lanes is skipped", costs.BRANCH_NS
)
DIVERGENT_LOOP = Form("divergent: lanes leave at different times, it runs until the last one is done", costs.BRANCH_NS)


READ_BEFORE = Form("no load: read before, under the same mask or a wider one", costs.READ_BEFORE_NS, "read before")


def alone(lanes: int) -> Form:
    """A divergent loop whose last `lanes` lanes leave the gang."""
    return Form(
        f"divergent: lanes leave at different times, the last {lanes} finish one by one in scalar code", costs.ALONE_NS
    )


STACKED_CALL = Form("loop over a stack", costs.STACKED_CALL_NS, "stacked call")
SERVICE = Form("the runtime serves one lane after the other", costs.SERVICE_NS)
CALL_FOR_EACH_LANE = Form("the C library's function, called for one lane after the other", costs.CALL_FOR_EACH_LANE_NS)
UNIFORM_SWITCH = Form("one scalar jump", costs.UNIFORM_SWITCH_NS, "scalar jump")
DIVERGENT_SWITCH = Form("divergent: the chosen sections run one after the other under masks", costs.DIVERGENT_SWITCH_NS)
