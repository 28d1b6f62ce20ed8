"""Random programs of C++ classes: what happens to objects, in which order, in threads that diverge."""
