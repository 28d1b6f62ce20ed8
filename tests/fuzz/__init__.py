"""Random kernels that aim at each pass of the compiler, run in several ways and compared: `python -m tests.fuzz`."""
