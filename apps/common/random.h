/* Random numbers, the same for the same seed everywhere. */
#ifndef COMMON_RANDOM_H
#define COMMON_RANDOM_H

#include <cstdint>

/* SplitMix64 (Steele, Lea and Flood, 2014). */
class Random
{
public:
	explicit Random(uint64_t seed) : state(seed)
	{
	}

	uint64_t next()
	{
		uint64_t z = state += 0x9e3779b97f4a7c15;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
		return z ^ (z >> 31);
	}

	/* A multiple of 2^-24 in [0, 1). */
	float uniform()
	{
		return static_cast<float>(next() >> 40) * 0x1p-24f;
	}

private:
	uint64_t state;
};

#endif
