/* CUDA's vector types, with CUDA's sizes and alignments, and dim3. */
#ifndef S2S_VECTOR_TYPES_H
#define S2S_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#define S2S_VECTOR(name, bytes, ...)                                                                                   \
	struct __attribute__((aligned(bytes))) name {                                                                      \
		__VA_ARGS__;                                                                                                   \
	};                                                                                                                 \
	typedef struct name name;

/* Two and four elements are aligned as a whole, to 16 bytes at most. */
#define S2S_VECTORS(base, type, bytes, bytes2, bytes4)                                                                 \
	S2S_VECTOR(base##1, bytes, type x)                                                                                 \
	S2S_VECTOR(base##2, bytes2, type x, y)                                                                             \
	S2S_VECTOR(base##3, bytes, type x, y, z)                                                                           \
	S2S_VECTOR(base##4, bytes4, type x, y, z, w)

/* Of types with 64 bits: four elements with the alignment that the name says. */
#define S2S_WIDE_VECTORS(base, type)                                                                                   \
	S2S_VECTORS(base, type, 8, 16, 16)                                                                                 \
	S2S_VECTOR(base##4_16a, 16, type x, y, z, w)                                                                       \
	S2S_VECTOR(base##4_32a, 32, type x, y, z, w)

S2S_VECTORS(char, signed char, 1, 2, 4)
S2S_VECTORS(uchar, unsigned char, 1, 2, 4)
S2S_VECTORS(short, short, 2, 4, 8)
S2S_VECTORS(ushort, unsigned short, 2, 4, 8)
S2S_VECTORS(int, int, 4, 8, 16)
S2S_VECTORS(uint, unsigned int, 4, 8, 16)
S2S_VECTORS(float, float, 4, 8, 16)
S2S_WIDE_VECTORS(long, long int)
S2S_WIDE_VECTORS(ulong, unsigned long int)
S2S_WIDE_VECTORS(longlong, long long int)
S2S_WIDE_VECTORS(ulonglong, unsigned long long int)
S2S_WIDE_VECTORS(double, double)

#undef S2S_WIDE_VECTORS
#undef S2S_VECTORS
#undef S2S_VECTOR

struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	constexpr dim3(unsigned int __x_ = 1, unsigned int __y_ = 1, unsigned int __z_ = 1) : x(__x_), y(__y_), z(__z_) {
	}
	constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {
	}
	constexpr operator uint3() const {
		return uint3{x, y, z};
	}
#endif
};
typedef struct dim3 dim3;

#endif
