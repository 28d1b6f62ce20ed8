"""What is to be built and measured for tables: their needs as cases of applications with commands."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ..common.app import App, Case, app_of
from ..common.plan import Cores
from ..common.prepare import Builder, Wanted
from ..common.session import naming
from ..common.steps import CaseRequest
from .table import GPU, Key, Needed

Lacking = Collection[Key] | None  # None: everything is wanted


def asked_of(needs: Iterable[Needed], builder: Builder, lacking: Lacking = None) -> list[CaseRequest]:
    """Return the cases that are needed, each once, with the commands of all who need it, the most urgent first.

    Of commands all of whose measurements are there, those that `lacking` has not, nothing is returned.
    """
    found: dict[tuple[str, ...], CaseRequest] = {}
    for needed in sorted((each for each in needs if not each.elsewhere), key=lambda needed: needed.urgent):
        app = app_of(needed.app)
        for case in _cases(app, needed):
            wanted = [each for each in _wanted(app, case, needed, builder) if _lacks(each, needed, case, lacking)]
            if wanted:
                place = (app.name, case.label, *case.arguments)
                before = found.get(place, CaseRequest(app, case, (), ()))
                orders = dict.fromkeys((*before.orders, *_orders(needed, case)))
                found[place] = replace(before, orders=tuple(orders), wanted=_merged((*before.wanted, *wanted)))
    return list(found.values())


def _cases(app: App, needed: Needed) -> list[Case]:
    """Return the cases of a need: those of its inputs that have its parameters."""
    parser = argparse.ArgumentParser()
    app.add_options(parser)
    args = parser.parse_args(needed.options)
    with naming(app):
        return [
            case
            for name in needed.inputs
            for case in app.cases(name, args)
            if all(case.parameters.get(key, value) == value for key, value in needed.parameters.items())
        ]


def _orders(needed: Needed, case: Case) -> tuple[str | None, ...]:
    return tuple(order for order in needed.asked_orders() if not case.order or order == case.order)


def _wanted(app: App, case: Case, needed: Needed, builder: Builder) -> list[Wanted]:
    made = [
        replace(builder, stats=builder.stats or name in needed.counted).on_cpu(app, case, app.variant(name))
        for name in needed.variants
    ]
    if builder.architecture is not None:
        made += [builder.on_gpu(app, case, app.variant(name)) for name in needed.on_gpu]
    orders = tuple(order for order in _orders(needed, case) if order)
    return [replace(each, on=needed.cores, orders=orders, urgent=needed.urgent) for each in made if each is not None]


def _lacks(wanted: Wanted, needed: Needed, case: Case, lacking: Lacking) -> bool:
    if lacking is None:
        return True
    on_gpu = wanted.target == "cuda"
    return any(
        (key.app, key.input, key.variant) == (needed.app, case.input, wanted.variant.name)
        and (key.on == GPU) == on_gpu
        and dict(key.parameters) == dict(needed.parameters)
        for key in lacking
    )


def _merged(wanted: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """Return each command once, for all that it is wanted for."""
    found: dict[tuple[str, str], Wanted] = {}
    for each in wanted:
        place = (each.variant.name, each.target)
        before = found.get(place)
        found[place] = each if before is None else _both(before, each)
    return tuple(found.values())


def _both(one: Wanted, other: Wanted) -> Wanted:
    all_orders = () if not one.orders or not other.orders else tuple(dict.fromkeys((*one.orders, *other.orders)))
    return replace(
        one,
        counting=one.counting or other.counting,
        on=_both_cores(one.on, other.on),
        orders=all_orders,
        urgent=min(one.urgent, other.urgent),
    )


def _both_cores(one: Cores, other: Cores) -> Cores:
    if one == other:
        return one
    return "every" if "every" in (one, other) else "ends"
