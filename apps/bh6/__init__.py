"""Barnes-Hut in six kernels a time step, as Burtscher and Pingali wrote it."""
