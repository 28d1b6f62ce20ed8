"""How long kernels take on a CPU and on a GPU, foretold from what a run under `--warp-stats` has counted."""
