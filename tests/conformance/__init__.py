"""Complete CUDA programs that check themselves, in the manner of public suites: `python -m tests.conformance`."""
