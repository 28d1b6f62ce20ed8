/* The keys that are sorted: random ones, or those of a .npy file. */
#ifndef SORT_KEYS_H
#define SORT_KEYS_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../common/errors.h"
#include "../common/npy.h"
#include "../common/points.h"
#include "../common/random.h"

const long long MOST_KEYS = 1 << 30; /* kernels count them by int */

/* Kernels sort unsigned numbers; int32 becomes these by a flip of the sign. */
struct Keys {
	std::vector<unsigned> values;
	bool is_signed = false;

	int count() const
	{
		return static_cast<int>(values.size());
	}

	void flip_signs()
	{
		if (is_signed)
			for (unsigned &value : values)
				value ^= 0x80000000u;
	}
};

inline void check_count(const char *name, long long count)
{
	if (count < 1)
		fail<InputError>("%s: sorting needs at least 1 key, found %lld", name, count);
	if (count > MOST_KEYS)
		fail<InputError>("%s: %lld keys are too many; at most 2^30 are supported", name, count);
}

/* A .npy file of uint32 or int32, of one dimension. */
inline Keys read_npy_keys(const char *name)
{
	InputFile file(name);
	const std::string header = read_npy_header(file);
	const char *type = npy_field(file, header, "'descr'");
	Keys keys;
	keys.is_signed = std::strncmp(type, "'<i4'", 5) == 0;
	if (!keys.is_signed && std::strncmp(type, "'<u4'", 5) != 0)
		fail<InputError>("%s: numbers of type %.*s; uint32 ('<u4') and int32 ('<i4') are supported", name,
						 static_cast<int>(std::strcspn(type, ",}")), type);
	long long count, columns;
	read_npy_shape(file, header, count, columns);
	if (columns != 1)
		fail<InputError>("%s: rows of %lld numbers; one is expected, a key", name, columns);
	check_count(name, count);
	keys.values.resize(count);
	if (!file.read(keys.values.data(), count * sizeof(unsigned)))
		fail<InputError>("%s: the file ends before key %lld", name, count - 1);
	keys.flip_signs();
	return keys;
}

/* `input` is random:N or the name of a .npy file. */
inline Keys read_keys(const std::string &input, uint64_t seed)
{
	const char *name = input.c_str();
	if (input.compare(0, 7, "random:") != 0)
		return read_npy_keys(name);
	long long count;
	int used = 0;
	if (std::sscanf(name, "random:%lld%n", &count, &used) < 1 || static_cast<size_t>(used) != input.size())
		fail<UsageError>("%s: expected random:N, for example random:1000000", name);
	check_count(name, count);
	Keys keys;
	keys.values.resize(count);
	Random random(seed);
	for (unsigned &value : keys.values)
		value = static_cast<unsigned>(random.next() >> 32);
	return keys;
}

inline void write_keys(const std::string &name, Keys keys)
{
	keys.flip_signs();
	write_npy(name, keys.is_signed ? "'<i4'" : "'<u4'", "(" + std::to_string(keys.count()) + ",)", keys.values.data(),
			  keys.values.size() * sizeof(unsigned));
}

#endif
