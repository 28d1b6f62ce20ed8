"""Sorting: quicksort by kernels that launch kernels, and merge sort by launches from the host."""
