/* Before the text of a header of cuda::std, for host code: the words that device code knows without a header. Each has
 * its end in s2s_std_end.h. */
#include <cstring>
#include <cuda_runtime.h>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <s2s_std_bindings.h>
#include <utility>

#ifndef S2S_STD_BEGIN
#define S2S_STD_BEGIN
namespace s2s_std {
template <class T> void take(T) noexcept;
template <class From, class To, bool = std::is_convertible<From, To>::value && !std::is_void<To>::value>
struct nothrow_convertible : std::integral_constant<bool, std::is_void<From>::value && std::is_void<To>::value> {};
template <class From, class To>
struct nothrow_convertible<From, To, true> : std::integral_constant<bool, noexcept(take<To>(std::declval<From>()))> {};
} /* namespace s2s_std */
#endif

#pragma push_macro("__host__")
#pragma push_macro("__device__")
#undef __host__
#undef __device__
#define __host__
#define __device__
#define __is_arithmetic(T) ::std::is_arithmetic<T>::value
#define __is_array(T) ::std::is_array<T>::value
#define __is_compound(T) ::std::is_compound<T>::value
#define __is_const(T) ::std::is_const<T>::value
#define __is_destructible(T) ::std::is_destructible<T>::value
#define __is_floating_point(T) ::std::is_floating_point<T>::value
#define __is_function(T) ::std::is_function<T>::value
#define __is_fundamental(T) ::std::is_fundamental<T>::value
#define __is_integral(T) ::std::is_integral<T>::value
#define __is_lvalue_reference(T) ::std::is_lvalue_reference<T>::value
#define __is_member_function_pointer(T) ::std::is_member_function_pointer<T>::value
#define __is_member_object_pointer(T) ::std::is_member_object_pointer<T>::value
#define __is_member_pointer(T) ::std::is_member_pointer<T>::value
#define __is_nothrow_destructible(T) ::std::is_nothrow_destructible<T>::value
#define __is_object(T) ::std::is_object<T>::value
#define __is_pointer(T) ::std::is_pointer<T>::value
#define __is_reference(T) ::std::is_reference<T>::value
#define __is_rvalue_reference(T) ::std::is_rvalue_reference<T>::value
#define __is_scalar(T) ::std::is_scalar<T>::value
#define __is_signed(T) ::std::is_signed<T>::value
#define __is_trivially_destructible(T) ::std::is_trivially_destructible<T>::value
#define __is_unsigned(T) ::std::is_unsigned<T>::value
#define __is_void(T) ::std::is_void<T>::value
#define __is_volatile(T) ::std::is_volatile<T>::value
#define __is_nothrow_convertible(From, To) ::s2s_std::nothrow_convertible<From, To>::value
#define __is_convertible(From, To) ::std::is_convertible<From, To>::value
#define __popcll __builtin_popcountll
#define __clzll(x) ((x) == 0 ? 64 : __builtin_clzll(x))
#define __ffsll __builtin_ffsll
#define __trap __builtin_trap
#ifndef __cpp_concepts
#define concept inline constexpr bool
#endif
