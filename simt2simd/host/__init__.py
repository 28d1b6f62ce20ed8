"""From a program's text to C++: kernels become stubs, launches become calls.

`Source` -> C++ text.
"""
