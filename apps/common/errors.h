/* What ends a program: bad data, wrong usage, a wrong answer, a failure of CUDA. The texts are for the user. */
#ifndef COMMON_ERRORS_H
#define COMMON_ERRORS_H

#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>

/* Something is wrong with the data. */
struct InputError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* The command line is wrong. */
struct UsageError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* An answer is not that of brute force. */
struct WrongAnswer : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* A CUDA call failed; the text says which and why. */
struct CudaError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* Throws a `Fault` with a text made as by printf. */
template <class Fault> [[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char *format, ...)
{
	char text[1024];
	va_list values;
	va_start(values, format);
	std::vsnprintf(text, sizeof text, format, values);
	va_end(values);
	throw Fault(text);
}

#endif
