/* Matrices of warps (nvcuda::wmma), for device code: the lanes of a warp share out the elements of a fragment.
 *
 * CUDA does not say which lane has which element. Here a lane of a fragment with `columns` columns, and `held` elements
 * of it, has those of column lane % columns from row lane / columns * held on; a fragment of matrix a is kept
 * transposed. So accumulators of the same size have their elements at the same places, whatever their types. */
#ifndef S2S_MMA_H
#define S2S_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

namespace details {

constexpr unsigned all_lanes = 0xffffffffu;

__device__ inline int lane() {
	return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}

/* What an element is in a fragment and in memory. */
template <class T> struct stored {
	typedef T type;
};
template <> struct stored<precision::tf32> {
	typedef float type;
};

/* In what elements of this type are multiplied, added up and handed from lane to lane. */
template <class T> struct computed {
	typedef float type;
};
template <> struct computed<double> {
	typedef double type;
};
template <> struct computed<int> {
	typedef int type;
};
template <> struct computed<signed char> {
	typedef int type;
};
template <> struct computed<unsigned char> {
	typedef int type;
};

/* Whether there is a product of m times k by k times n elements of these types. */
template <int m, int n, int k, class T> struct is_shape {
	static constexpr bool value = k == 16 && m * n == 256 && (m == 8 || m == 16 || m == 32);
};
template <int m, int n, int k> struct is_shape<m, n, k, precision::tf32> {
	static constexpr bool value = m == 16 && n == 16 && k == 8;
};
template <int m, int n, int k> struct is_shape<m, n, k, float> {
	static constexpr bool value = m * n == 256 && (k == 16 || k == 8);
};
template <int m, int n, int k> struct is_shape<m, n, k, double> {
	static constexpr bool value = m == 8 && n == 8 && k == 4;
};

/* The sizes of a fragment as it is kept: of matrix a, those of the transposed matrix. */
template <class Use, int m, int n, int k> struct size;
template <int m, int n, int k> struct size<matrix_a, m, n, k> {
	static constexpr int rows = k, columns = m;
};
template <int m, int n, int k> struct size<matrix_b, m, n, k> {
	static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct size<accumulator, m, n, k> {
	static constexpr int rows = m, columns = n;
};

/* Whether the columns of a fragment, as it is kept, are the rows in memory or the other way round. */
template <class Use, class Layout> struct kept_by_rows;
template <> struct kept_by_rows<matrix_a, row_major> {
	static constexpr bool value = false;
};
template <> struct kept_by_rows<matrix_a, col_major> {
	static constexpr bool value = true;
};
template <> struct kept_by_rows<matrix_b, row_major> {
	static constexpr bool value = true;
};
template <> struct kept_by_rows<matrix_b, col_major> {
	static constexpr bool value = false;
};

} // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
	static_assert(details::is_shape<m, n, k, T>::value, "wmma has no product of these sizes");

  public:
	typedef typename details::stored<T>::type element_type;
	typedef element_type storage_element_type;
	static constexpr int rows = details::size<Use, m, n, k>::rows, columns = details::size<Use, m, n, k>::columns;
	static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;

	element_type x[num_elements];
};

namespace details {

/* The place in memory of the first element that this lane has, and the step from one to the next. */
template <class F> __device__ __forceinline__ size_t first_place(bool by_rows, unsigned ldm) {
	size_t row = lane() / F::columns * F::num_elements, column = lane() % F::columns;
	return by_rows ? row * ldm + column : column * ldm + row;
}

template <class F, class T> __device__ __forceinline__ void load(F &f, const T *from, unsigned ldm, bool by_rows) {
	size_t first = first_place<F>(by_rows, ldm), step = by_rows ? ldm : 1;
#pragma unroll
	for (int i = 0; i < F::num_elements; i++) {
		f.x[i] = from[first + i * step];
	}
	__syncwarp();
}

/* A sum of products as an element: an int may have to keep to its bounds. */
template <class T, class S> __device__ __forceinline__ T rounded(S sum, bool) {
	return (T)sum;
}
template <> __device__ __forceinline__ int rounded<int, long long>(long long sum, bool bounded) {
	const long long least = -2147483647 - 1, most = 2147483647;
	return (int)(!bounded ? sum : sum < least ? least : sum > most ? most : sum);
}

/* In what the products are added up. */
template <class T> struct summed {
	typedef typename computed<T>::type type;
};
template <> struct summed<int> {
	typedef long long type;
};

} // namespace details

template <class Use, int m, int n, int k, class T, class Layout, class V>
__device__ __forceinline__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &value) {
#pragma unroll
	for (int i = 0; i < f.num_elements; i++) {
		f.x[i] = (typename details::stored<T>::type)value;
	}
}

/* Matrices a and b know their layout; that of accumulators is an argument. */
template <class Use, int m, int n, int k, class T, class Layout>
__device__ __forceinline__ void load_matrix_sync(
	fragment<Use, m, n, k, T, Layout> &f, const typename details::stored<T>::type *from, unsigned ldm) {
	details::load(f, from, ldm, details::kept_by_rows<Use, Layout>::value);
}

template <int m, int n, int k, class T>
__device__ __forceinline__ void load_matrix_sync(
	fragment<accumulator, m, n, k, T> &f, const T *from, unsigned ldm, layout_t layout) {
	details::load(f, from, ldm, layout == mem_row_major);
}

template <int m, int n, int k, class T>
__device__ __forceinline__ void store_matrix_sync(
	T *to, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout) {
	bool by_rows = layout == mem_row_major;
	size_t first = details::first_place<fragment<accumulator, m, n, k, T>>(by_rows, ldm), step = by_rows ? ldm : 1;
#pragma unroll
	for (int i = 0; i < f.num_elements; i++) {
		to[first + i * step] = f.x[i];
	}
	__syncwarp();
}

/* d = a * b + c: each lane has a column of b handed to it, and for each of its rows a value of a. */
template <int m, int n, int k, class TA, class LA, class TB, class LB, class TD, class TC>
__device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, TD> &d,
	const fragment<matrix_a, m, n, k, TA, LA> &a, const fragment<matrix_b, m, n, k, TB, LB> &b,
	const fragment<accumulator, m, n, k, TC> &c, bool satf = false) {
	typedef typename details::computed<TA>::type Value;
	typedef typename details::summed<TC>::type Sum;
	constexpr int held = fragment<accumulator, m, n, k, TD>::num_elements;
	constexpr int of_a = fragment<matrix_a, m, n, k, TA, LA>::num_elements;
	constexpr int of_b = fragment<matrix_b, m, n, k, TB, LB>::num_elements;
	int column = details::lane() % n, row = details::lane() / n * held;
	Value left[of_a], right[of_b];
	Sum sum[held];
#pragma unroll
	for (int i = 0; i < of_a; i++) {
		left[i] = (Value)a.x[i];
	}
#pragma unroll
	for (int i = 0; i < of_b; i++) {
		right[i] = (Value)b.x[i];
	}
#pragma unroll
	for (int i = 0; i < held; i++) {
		sum[i] = (Sum)c.x[i];
	}
#pragma unroll
	for (int j = 0; j < k; j++) {
		Value other = __shfl_sync(details::all_lanes, right[j % of_b], j / of_b * n + column);
#pragma unroll
		for (int i = 0; i < held; i++) {
			sum[i] += __shfl_sync(details::all_lanes, left[j % of_a], j / of_a * m + row + i) * other;
		}
	}
#pragma unroll
	for (int i = 0; i < held; i++) {
		d.x[i] = details::rounded<TD, Sum>(sum[i], satf);
	}
}

/* A float with the 10 bits of mantissa that tf32 has: rounded to the nearest, ties away from zero. */
__device__ __forceinline__ float __float_to_tf32(float value) {
	unsigned bits = __float_as_uint(value);
	return (bits & 0x7f800000u) == 0x7f800000u ? value : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda

#endif
