"""Applications: each folder holds a CUDA program, a `run.py` that checks and measures it, and a README."""
