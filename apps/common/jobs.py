"""Measurements side by side, where time is short: one that is timed on the CPU, one on the GPU, and what only counts.

Each keeps physical cores of its own: two on the hardware threads of one core would both take twice as long. No two are
timed on the CPU at a time, as they would take the last-level cache from each other: programs on one core that each walk
a tree of 10 MB took three times as long, eight of them side by side. One that wants all cores runs alone.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar


@dataclass(frozen=True)
class Job:
    """Something that runs on some CPUs, and perhaps the GPU; the more urgent ones, 0 the most, begin first.

    `work` takes a function that it may call once it needs the GPU no more. What is `timed` on the CPU runs beside
    nothing else that is.
    """

    cpus: int
    gpu: bool
    urgent: int
    work: Callable[[Callable[[], None]], None]
    timed: bool = True

    @property
    def timed_on_cpu(self) -> bool:
        return self.timed and not self.gpu


J = TypeVar("J", bound=Job)


TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def physical_cores(cpus: Sequence[int]) -> list[list[int]]:
    """Return the CPUs by the core whose hardware threads they are; each is a core where Linux does not tell."""
    cores: dict[str, list[int]] = {}
    for cpu in cpus:
        try:
            core = Path(TOPOLOGY.format(cpu)).read_text(encoding="ascii").strip()
        except OSError:
            core = f"cpu {cpu}"
        cores.setdefault(core, []).append(cpu)
    return list(cores.values())


class Pool:
    """The physical cores whose CPUs this process may use, and the GPU."""

    def __init__(self, cores: Sequence[Sequence[int]], deadline: float) -> None:
        self.cores = [list(core) for core in cores]
        self.deadline = deadline  # of time.monotonic(): none begins behind it
        self._changed = threading.Condition()
        self._free = list(self.cores)
        self._gpu_is_free = True
        self._cpu_is_quiet = True  # nothing is timed on it
        self._failures: list[BaseException] = []

    def run(self, jobs: Sequence[Job]) -> list[Job]:
        """Run jobs; return those that had no time to begin. What a job raises is raised here, once all have ended.

        Of equally urgent ones those on all cores begin first, then those of the GPU, then those on many cores, which
        tend to take least.
        """
        pending = sorted(jobs, key=lambda job: (job.urgent, not self._wants_all(job), not job.gpu, -job.cpus))
        with self._changed:
            while pending and not self._failures and time.monotonic() < self.deadline:
                job = next((each for each in self._next(pending) if self._fits(each)), None)
                if job is None:
                    self._changed.wait(timeout=max(0.0, self.deadline - time.monotonic()))
                    continue
                pending.remove(job)
                self._begin(job)
            while len(self._free) < len(self.cores):
                self._changed.wait()
        if self._failures:
            raise self._failures[0]
        return pending

    def _next(self, pending: Sequence[Job]) -> Sequence[Job]:
        """Return the jobs of which one may begin: the most urgent; beside the GPU's, any, as these leave CPUs idle."""
        if any(job.gpu for job in pending):
            return pending
        return [job for job in pending if job.urgent == pending[0].urgent]

    def _wanted(self, job: Job) -> int:
        """Return how many cores a job keeps."""
        return min(job.cpus, len(self.cores))

    def _wants_all(self, job: Job) -> bool:
        return self._wanted(job) == len(self.cores)

    def _fits(self, job: Job) -> bool:
        if self._wanted(job) > len(self._free):
            return False
        return (self._gpu_is_free or not job.gpu) and (self._cpu_is_quiet or not job.timed_on_cpu)

    def _begin(self, job: Job) -> None:
        taken = [self._free.pop() for _ in range(self._wanted(job))]
        first, others = [core[0] for core in taken], [cpu for core in taken for cpu in core[1:]]
        cpus = [*first, *others][: max(job.cpus, len(taken))]
        if job.gpu:
            self._gpu_is_free = False
        if job.timed_on_cpu:
            self._cpu_is_quiet = False
        threading.Thread(target=self._work, args=(job, taken, cpus), daemon=True).start()

    def _work(self, job: Job, taken: list[list[int]], cpus: list[int]) -> None:
        failure = None
        holds_gpu = job.gpu

        def release() -> None:
            nonlocal holds_gpu
            with self._changed:
                self._gpu_is_free = self._gpu_is_free or holds_gpu
                holds_gpu = False
                self._changed.notify()

        try:
            os.sched_setaffinity(0, cpus)  # of this thread, and of the programs that it starts
            job.work(release)
        except BaseException as fault:
            failure = fault
        release()
        with self._changed:
            self._free += taken
            self._cpu_is_quiet = self._cpu_is_quiet or job.timed_on_cpu
            if failure is not None:
                self._failures.append(failure)
            self._changed.notify()
