// Explicit specialisations that device code cannot use are none that it may overlook.
#include <future>
#include <vector>
template <int I> struct N {
    static constexpr int value = 1;
};
template <class T, class U = int> struct S {
    static constexpr int value = 1;
};
template <class T> struct Holds {
    std::future<T> member; // note 5-18: 'std::future' is not there for device code
    using type = T;
};
template <> struct N<sizeof(std::future<int>)> { // note 20: this specialisation may be the one that is meant // note 28-45: 'std::future' is not there for device code
    static constexpr int value = 2;
};
template <> struct S<std::future<int>> {
    static constexpr int value = 2;
};
template <> struct S<std::future<int> *, int> {
    static constexpr int value = 2;
};
template <> struct S<Holds<int>::type, char> { // note 20: this specialisation may be the one that is meant
    static constexpr int value = 2;
};
template <class T> __host__ __device__ int fn(T) { return 1; }
template <> int fn<char>(char) { return std::async([] { return 2; }).get(); }
__device__ int number() { return N<16>::value; } // error 34: 'N<16>' cannot be used in device code
__device__ int pointer() { return S<int *>::value; }
__device__ int other() { return S<char>::value + S<char, char *>::value; }
__device__ int same() { return S<int, char>::value; } // error 32: 'S<int, char>' cannot be used in device code
__device__ int function() { return fn(1); }
