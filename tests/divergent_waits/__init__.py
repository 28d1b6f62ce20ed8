"""Random kernels whose threads wait at barriers and in loops, under any control flow. See README.md."""
