/* Writes NumPy's files. */
#ifndef COMMON_NPY_H
#define COMMON_NPY_H

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include "errors.h"

/* Writes a .npy file, version 1. `descr` and `shape` are Python's text of them: "'<i4'", "(5,)". */
inline void write_npy(const std::string &name, const std::string &descr, const std::string &shape, const void *data,
					  size_t bytes)
{
	std::string header = "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
	header.append(63 - (10 + header.size()) % 64, ' ');
	header.push_back('\n');
	std::string start = std::string("\x93NUMPY\x01\0", 8);
	start.push_back(static_cast<char>(header.size() & 255));
	start.push_back(static_cast<char>(header.size() >> 8));
	start += header;
	FILE *file = std::fopen(name.c_str(), "wb");
	bool written = file && std::fwrite(start.data(), 1, start.size(), file) == start.size() &&
				   std::fwrite(data, 1, bytes, file) == bytes;
	if (file && std::fclose(file) != 0)
		written = false;
	if (!written)
		fail<InputError>("%s: cannot be written: %s", name.c_str(), std::strerror(errno));
}

#endif
