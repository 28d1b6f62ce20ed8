"""NVTX: there is no profiler, but the levels of ranges are what NVTX says."""

from __future__ import annotations

from pathlib import Path

from library_kernels import run_program

PROGRAM = """
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include "nvToolsExt.h"
#include <cstdio>
#include <thread>
int main() {
  nvtxEventAttributes_t range = {};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.colorType = NVTX_COLOR_ARGB;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = "first";
  printf("%d ", nvtxRangePushEx(&range));
  printf("%d ", nvtxRangePush("second"));
  std::thread([] { nvtxNameOsThread(1, "other"); printf("%d ", nvtxRangePushA("of its own")); }).join();
  nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
  range.message.registered = nvtxDomainRegisterStringA(domain, "known");
  printf("%d ", nvtxDomainRangePushEx(domain, &range));
  printf("%d ", nvtxDomainRangePop(domain));
  nvtxMark("here");
  nvtxNameCudaStream(0, "default");
  nvtxRangeEnd(nvtxRangeStart("across threads"));
  printf("%d ", nvtxRangePop());
  printf("%d ", nvtxRangePop());
  printf("%d %d\\n", nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop(domain) < 0);
}
"""


def test_ranges_nest_in_threads_and_domains(tmp_path: Path) -> None:
    assert run_program(tmp_path, PROGRAM, "-lnvToolsExt") == "0 1 0 0 0 1 0 1 1\n"


OBJECTS = r"""
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
struct mine {
  static constexpr const char *name = "mine";
};
struct wide {
  static constexpr const wchar_t *name = L"wide";
};
struct hot {
  static constexpr const char *name = "hot";
  static constexpr unsigned id = 7;
};
struct hello {
  static constexpr const char *message = "hello";
};
int level() {
  int l = nvtxRangePushA("probe");
  nvtxRangePop();
  return l;
}
template <class D> int level_in() {
  nvtx3::event_attributes e;
  int l = nvtxDomainRangePushEx(nvtx3::domain::get<D>(), e.get());
  nvtxDomainRangePop(nvtx3::domain::get<D>());
  return l;
}
int in_function() {
  NVTX3_FUNC_RANGE();
  return level();
}
int in_mine() {
  NVTX3_FUNC_RANGE_IN(mine);
  return level_in<mine>();
}
int if_so(bool b) {
  NVTX3_FUNC_RANGE_IF(b);
  return level();
}
int main() {
  printf("%d ", level());
  {
    nvtx3::scoped_range a{"a"};
    nvtx3::scoped_range b("b", nvtx3::rgb{1, 2, 3}, nvtx3::payload{5});
    printf("%d ", level());
    nvtx3::scoped_range_in<mine> c{nvtx3::registered_string_in<mine>::get<hello>(),
                                   nvtx3::named_category_in<mine>::get<hot>()};
    printf("%d %d ", level(), level_in<mine>());
    nvtx3::scoped_range_in<wide> d{L"x"};
    nvtx3::scoped_range_in<wide> none;
    printf("%d ", level_in<wide>());
  }
  printf("%d %d %d %d %d %d\n", level(), level_in<mine>(), in_function(), in_mine(), if_so(true), if_so(false));
  nvtx3::event_attributes e{nvtx3::payload{2.5}, nvtx3::message{"m"}, nvtx3::argb{4, 3, 2, 1}, nvtx3::category{9},
                            nvtx3::rgb{9, 9, 9}};
  const nvtxEventAttributes_t *v = e.get();
  printf("%g %s %08x %u %d %d %d %d\n", v->payload.dValue, v->message.ascii, v->color, v->category, v->payloadType,
         v->messageType, v->colorType, v->size == sizeof *v);
  printf("%d %d %d %d\n", nvtx3::payload{1u}.get_type(), nvtx3::payload{std::int64_t(1)}.get_type(),
         nvtx3::payload{1.f}.get_type(), nvtx3::message{L"x"}.get_type());
  nvtx3::unique_range u{"u"};
  nvtx3::unique_range w = std::move(u);
  u = nvtx3::unique_range("again");
  w = std::move(u);
  auto r = nvtx3::start_range("r", nvtx3::color{0xff00ff00});
  auto r2 = nvtx3::start_range_in<mine>(e);
  printf("%d %d %d\n", bool(r), r == r2, r != nvtx3::range_handle{});
  nvtx3::end_range(r);
  nvtx3::end_range_in<mine>(r2);
  nvtx3::mark("m");
  nvtx3::mark_in<mine>("m", nvtx3::category{3});
  std::string s = "s";
  nvtx3::mark(s);
  (void)nvtx3::registered_string{"x"}.get_handle();
  (void)nvtx3::category{3}.get_id();
  (void)nvtx3::color{3}.get_type();
}
"""


def test_ranges_are_objects(tmp_path: Path) -> None:
    assert run_program(tmp_path, OBJECTS) == ("0 2 2 1 2 0 0 1 1 1 0\n2.5 m 04030201 9 3 1 1 1\n4 2 6 2\n1 0 1\n")
