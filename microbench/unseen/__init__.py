"""Measures a folder of CUDA programs that nobody of this project wrote."""
