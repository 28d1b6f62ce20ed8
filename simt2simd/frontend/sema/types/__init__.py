"""Types: what specifiers and declarators mean, records, enumerations, the layout of bit-fields."""
