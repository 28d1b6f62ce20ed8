"""The temperature of a chip, by a stencil of five points."""
