/* NVTX's C++ interface: ranges that end with their objects, over the functions of nvToolsExt.h. Host code, C++11. */
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_DEFINITIONS_V1_0
#pragma GCC system_header

#include "nvToolsExt.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3 {
inline namespace v1 {

namespace s2s {
template <class C> using bare = typename std::remove_cv<typename std::remove_reference<C>::type>::type;

inline nvtxDomainHandle_t create_domain(const char *name) {
	return nvtxDomainCreateA(name);
}
inline nvtxDomainHandle_t create_domain(const wchar_t *name) {
	return nvtxDomainCreateW(name);
}
} // namespace s2s

/* A domain is a type with a static member `name`. */
class domain {
  public:
	struct global {};

	domain(const domain &) = delete;
	domain &operator=(const domain &) = delete;
	domain(domain &&) = delete;
	domain &operator=(domain &&) = delete;

	template <class D = global> static const domain &get() noexcept {
		static const domain one(static_cast<D *>(nullptr));
		return one;
	}
	operator nvtxDomainHandle_t() const noexcept {
		return handle;
	}

  private:
	template <class D> explicit domain(D *) noexcept : handle(s2s::create_domain(D::name)) {
	}
	explicit domain(global *) noexcept : handle(nullptr) {
	}
	~domain() = default; /* the domain lasts to the end of the program */

	const nvtxDomainHandle_t handle;
};

struct rgb {
	using component_type = std::uint8_t;
	constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
		: red(red_), green(green_), blue(blue_) {
	}
	component_type red{}, green{}, blue{};
};

struct argb final : rgb {
	constexpr argb(component_type alpha_, component_type red_, component_type green_, component_type blue_) noexcept
		: rgb(red_, green_, blue_), alpha(alpha_) {
	}
	component_type alpha{};
};

class color {
  public:
	using value_type = std::uint32_t;
	constexpr explicit color(value_type hex) noexcept : value(hex) {
	}
	constexpr color(argb c) noexcept
		: value(value_type(c.alpha) << 24 | value_type(c.red) << 16 | value_type(c.green) << 8 | c.blue) {
	}
	constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {
	}
	color() noexcept = delete;

	constexpr value_type get_value() const noexcept {
		return value;
	}
	constexpr nvtxColorType_t get_type() const noexcept {
		return NVTX_COLOR_ARGB;
	}

  private:
	value_type value{};
};

class category {
  public:
	using id_type = std::uint32_t;
	constexpr explicit category(id_type id) noexcept : number(id) {
	}
	category() = delete;

	constexpr id_type get_id() const noexcept {
		return number;
	}

  private:
	id_type number{};
};

/* C has static members `name` and `id`. */
template <class D = domain::global> class named_category_in final : public category {
  public:
	template <class C> static const named_category_in &get() noexcept {
		static const named_category_in one(C::id, C::name);
		return one;
	}
	named_category_in(id_type id, const char *name) noexcept : category(id) {
		nvtxDomainNameCategoryA(domain::get<D>(), id, name);
	}
	named_category_in(id_type id, const wchar_t *name) noexcept : category(id) {
		nvtxDomainNameCategoryW(domain::get<D>(), id, name);
	}
};
using named_category = named_category_in<>;

/* M has a static member `message`. */
template <class D = domain::global> class registered_string_in {
  public:
	template <class M> static const registered_string_in &get() noexcept {
		static const registered_string_in one(M::message);
		return one;
	}
	explicit registered_string_in(const char *text) noexcept
		: handle(nvtxDomainRegisterStringA(domain::get<D>(), text)) {
	}
	explicit registered_string_in(const std::string &text) noexcept : registered_string_in(text.c_str()) {
	}
	explicit registered_string_in(const wchar_t *text) noexcept
		: handle(nvtxDomainRegisterStringW(domain::get<D>(), text)) {
	}
	explicit registered_string_in(const std::wstring &text) noexcept : registered_string_in(text.c_str()) {
	}
	registered_string_in() = delete;
	registered_string_in(const registered_string_in &) = delete;
	registered_string_in &operator=(const registered_string_in &) = delete;
	registered_string_in(registered_string_in &&) = delete;
	registered_string_in &operator=(registered_string_in &&) = delete;

	nvtxStringHandle_t get_handle() const noexcept {
		return handle;
	}

  private:
	const nvtxStringHandle_t handle;
};
using registered_string = registered_string_in<>;

class message {
  public:
	using value_type = nvtxMessageValue_t;
	constexpr message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII), value{text} {
	}
	message(const std::string &text) noexcept : message(text.c_str()) {
	}
	message(std::string &&) = delete; /* it would end before the event */
	message(const wchar_t *text) noexcept : type(NVTX_MESSAGE_TYPE_UNICODE) {
		value.unicode = text;
	}
	message(const std::wstring &text) noexcept : message(text.c_str()) {
	}
	message(std::wstring &&) = delete;
	template <class D> message(const registered_string_in<D> &text) noexcept : message(text.get_handle()) {
	}
	message(nvtxStringHandle_t text) noexcept : type(NVTX_MESSAGE_TYPE_REGISTERED) {
		value.registered = text;
	}

	constexpr value_type get_value() const noexcept {
		return value;
	}
	constexpr nvtxMessageType_t get_type() const noexcept {
		return type;
	}

  private:
	nvtxMessageType_t type;
	value_type value{};
};

class payload {
  public:
	using value_type = nvtxEventAttributes_t::payload_t;
	explicit payload(std::int64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT64) {
		value.llValue = number;
	}
	explicit payload(std::int32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT32) {
		value.iValue = number;
	}
	explicit payload(std::uint64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
		value.ullValue = number;
	}
	explicit payload(std::uint32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
		value.uiValue = number;
	}
	explicit payload(float number) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT) {
		value.fValue = number;
	}
	explicit payload(double number) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE) {
		value.dValue = number;
	}

	value_type get_value() const noexcept {
		return value;
	}
	nvtxPayloadType_t get_type() const noexcept {
		return type;
	}

  private:
	nvtxPayloadType_t type;
	value_type value{};
};

/* What an event says of itself, in any order; of two colors, say, the first counts. */
class event_attributes {
  public:
	using value_type = nvtxEventAttributes_t;
	event_attributes() noexcept : value() {
		value.version = NVTX_VERSION;
		value.size = sizeof(value_type);
	}
	template <class... Args>
	explicit event_attributes(const category &c, const Args &...args) noexcept : event_attributes(args...) {
		value.category = c.get_id();
	}
	template <class... Args>
	explicit event_attributes(const color &c, const Args &...args) noexcept : event_attributes(args...) {
		value.color = c.get_value();
		value.colorType = c.get_type();
	}
	template <class... Args>
	explicit event_attributes(const payload &p, const Args &...args) noexcept : event_attributes(args...) {
		value.payload = p.get_value();
		value.payloadType = p.get_type();
	}
	template <class... Args>
	explicit event_attributes(const message &m, const Args &...args) noexcept : event_attributes(args...) {
		value.message = m.get_value();
		value.messageType = m.get_type();
	}

	constexpr const value_type *get() const noexcept {
		return &value;
	}

  private:
	value_type value;
};

/* A range of the thread, from the declaration to the end of the block. */
template <class D = domain::global> class scoped_range_in {
  public:
	explicit scoped_range_in(const event_attributes &attributes) noexcept {
		nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
	}
	template <class... Args>
	explicit scoped_range_in(const Args &...args) noexcept : scoped_range_in(event_attributes(args...)) {
	}
	scoped_range_in() noexcept : scoped_range_in(event_attributes()) {
	}
	void *operator new(std::size_t) = delete;
	scoped_range_in(const scoped_range_in &) = delete;
	scoped_range_in &operator=(const scoped_range_in &) = delete;
	scoped_range_in(scoped_range_in &&) = delete;
	scoped_range_in &operator=(scoped_range_in &&) = delete;
	~scoped_range_in() noexcept {
		nvtxDomainRangePop(domain::get<D>());
	}
};
using scoped_range = scoped_range_in<>;

struct range_handle {
	using value_type = nvtxRangeId_t;
	constexpr explicit range_handle(value_type number) noexcept : value(number) {
	}
	constexpr range_handle() noexcept = default;
	constexpr range_handle(std::nullptr_t) noexcept {
	}
	constexpr explicit operator bool() const noexcept {
		return value != 0;
	}
	constexpr value_type get_value() const noexcept {
		return value;
	}

  private:
	value_type value{};
};
inline bool operator==(range_handle a, range_handle b) noexcept {
	return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) noexcept {
	return !(a == b);
}

/* Ranges that may begin and end in different threads. */
template <class D = domain::global> range_handle start_range_in(const event_attributes &attributes) noexcept {
	return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), attributes.get()));
}
template <class D = domain::global, class... Args> range_handle start_range_in(const Args &...args) noexcept {
	return start_range_in<D>(event_attributes(args...));
}
inline range_handle start_range(const event_attributes &attributes) noexcept {
	return start_range_in<domain::global>(attributes);
}
template <class... Args> range_handle start_range(const Args &...args) noexcept {
	return start_range_in<domain::global>(args...);
}
template <class D = domain::global> void end_range_in(range_handle range) noexcept {
	nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
	end_range_in<domain::global>(range);
}

/* A range from the object's construction to the end of the object that owns it then. */
template <class D = domain::global> class unique_range_in {
  public:
	explicit unique_range_in(const event_attributes &attributes) noexcept : range(start_range_in<D>(attributes)) {
	}
	template <class... Args>
	explicit unique_range_in(const Args &...args) noexcept : unique_range_in(event_attributes(args...)) {
	}
	unique_range_in() noexcept : unique_range_in(event_attributes()) {
	}
	unique_range_in(unique_range_in &&other) noexcept : range(other.range) {
		other.range = nullptr;
	}
	unique_range_in &operator=(unique_range_in &&other) noexcept {
		std::swap(range, other.range);
		unique_range_in ends(std::move(other));
		return *this;
	}
	unique_range_in(const unique_range_in &) = delete;
	unique_range_in &operator=(const unique_range_in &) = delete;
	~unique_range_in() noexcept {
		if (range)
			end_range_in<D>(range);
	}

  private:
	range_handle range;
};
using unique_range = unique_range_in<>;

template <class D = domain::global> void mark_in(const event_attributes &attributes) noexcept {
	nvtxDomainMarkEx(domain::get<D>(), attributes.get());
}
template <class D = domain::global, class... Args> void mark_in(const Args &...args) noexcept {
	mark_in<D>(event_attributes(args...));
}
inline void mark(const event_attributes &attributes) noexcept {
	mark_in<domain::global>(attributes);
}
template <class... Args> void mark(const Args &...args) noexcept {
	mark_in<domain::global>(args...);
}

namespace s2s {
/* A range that may not have begun. */
template <class D> class optional_range {
  public:
	optional_range() = default;
	optional_range(const optional_range &) = delete;
	optional_range &operator=(const optional_range &) = delete;
	void begin(const event_attributes &attributes) noexcept {
		began = true;
		nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
	}
	~optional_range() noexcept {
		if (began)
			nvtxDomainRangePop(domain::get<D>());
	}

  private:
	bool began = false;
};
} // namespace s2s

} // namespace v1
} // namespace nvtx3

/* The range of a function: each names the function that it is in. */
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                                      \
	static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};                                     \
	static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{nvtx3_func_name__};                                   \
	const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__{nvtx3_func_attr__};
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, condition)                                                                        \
	::nvtx3::v1::s2s::optional_range<D> nvtx3_range__;                                                                 \
	if (condition) {                                                                                                   \
		static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};                                 \
		static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{nvtx3_func_name__};                               \
		nvtx3_range__.begin(nvtx3_func_attr__);                                                                        \
	}
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, condition)
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF

#endif
