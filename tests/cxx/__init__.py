"""One construct of C++ a test: texts of device code, and the three ways to run them."""
