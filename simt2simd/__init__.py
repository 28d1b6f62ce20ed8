"""CUDA-C kernels on CPU vector units."""
