"""Random kernels whose threads wait at barriers and in loops, each where it likes. See README.md."""
