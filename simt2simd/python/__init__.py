"""`RawKernel` and `RawModule`: kernels on NumPy arrays, and the cache of machine code."""
