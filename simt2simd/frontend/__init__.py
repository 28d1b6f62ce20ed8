"""From text to the typed tree: `text` cuts it into tokens, `parse` makes pycparser's tree, `sema` the `Module`."""
