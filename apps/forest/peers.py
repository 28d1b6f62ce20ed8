"""What else asks the same forest: scikit-learn itself, ONNX Runtime and treelite; and who asks one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..common.app import Array, Case, Peer
from ..harness import AppError
from . import others
from .data import model_of


def model(case: Case) -> Any:
    """Return the forest of a case."""
    trees, depth, training = (int(case.parameters[name]) for name in ("trees", "depth", "training"))
    return model_of(case.input, trees, depth, training)


def _scikit_learn(case: Case, _: str, cores: int) -> Callable[[], Array]:
    asked, rows = model(case), np.array(case.arrays["rows"])

    def predict() -> Array:
        asked.n_jobs = cores
        answers: Array = asked.predict(rows)
        return answers

    return predict


def _onnx_runtime(case: Case, _: str, cores: int) -> Callable[[], Array]:
    try:
        import onnxruntime
        from skl2onnx import to_onnx
        from skl2onnx.common.data_types import FloatTensorType
    except ImportError as fault:
        raise AppError(f"ONNX Runtime needs the packages onnxruntime and skl2onnx: {fault}") from None
    rows = np.array(case.arrays["rows"])
    asked = model(case)
    types = [("rows", FloatTensorType([None, rows.shape[1]]))]
    options = {id(asked): {"zipmap": False}} if case.parameters["classes"] else None
    graph = to_onnx(asked, initial_types=types, options=options)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = cores
    session = onnxruntime.InferenceSession(graph.SerializeToString(), settings)
    output = session.get_outputs()[0].name
    return lambda: session.run([output], {"rows": rows})[0]


def _treelite(case: Case, _: str, cores: int) -> Callable[[], Array]:
    import treelite

    rows = np.array(case.arrays["rows"])
    imported = treelite.sklearn.import_model(model(case))
    return lambda: treelite.gtil.predict(imported, rows, nthread=cores)


def _answers(case: Case, found: Array) -> Array:
    """Return classes as int64, numbers as float32: a package may add up in single precision."""
    if not case.parameters["classes"]:
        return found.ravel().astype(np.float32)
    if found.ndim > 1:
        found = found.reshape(len(found), -1).argmax(axis=1)
    return found.astype(np.int64)


def _as_programs_do(case: Case, found: Array) -> Array:
    return found.astype(np.int32 if case.parameters["classes"] else np.float64)


PEERS = {
    "scikit-learn": Peer("sklearn", _scikit_learn, _as_programs_do),
    "onnxruntime": Peer("skl2onnx", _onnx_runtime, _answers),
    "treelite": Peer("treelite", _treelite, _answers),
    "lightgbm": Peer("lightgbm", others.ask_light_gbm, others.answers, others.judge_light_gbm),
    "xgboost": Peer("xgboost", others.ask_xg_boost, others.answers, others.judge_xg_boost),
}
