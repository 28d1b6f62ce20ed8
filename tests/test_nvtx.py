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
