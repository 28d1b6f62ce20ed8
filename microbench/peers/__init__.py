"""The same problems by simt2simd and by what else runs them on a CPU; `run.py` is the harness."""
