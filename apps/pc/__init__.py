"""Point correlation by recursive search of a kd-tree."""
