"""Measurements side by side, where time is short: as many as there are CPUs for, and one on the GPU.

Each keeps CPUs of its own. One that wants all of them runs alone.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True)
class Job:
    """Something that runs on some CPUs, and perhaps the GPU; the more urgent ones, 0 the most, begin first.

    `work` takes a function that it may call once it needs the GPU no more.
    """

    cpus: int
    gpu: bool
    urgent: int
    work: Callable[[Callable[[], None]], None]


J = TypeVar("J", bound=Job)


class Pool:
    """The CPUs that this process may use, and the GPU."""

    def __init__(self, cpus: Sequence[int], deadline: float) -> None:
        self.cpus = list(cpus)
        self.deadline = deadline  # of time.monotonic(): none begins behind it
        self._changed = threading.Condition()
        self._free = list(cpus)
        self._gpu_is_free = True
        self._failures: list[BaseException] = []

    def run(self, jobs: Sequence[Job]) -> list[Job]:
        """Run jobs; return those that had no time to begin. What a job raises is raised here, once all have ended.

        Of equally urgent ones those on few CPUs begin first, in the order given: as many fit side by side, and those
        on all CPUs wait for the others.
        """
        pending = sorted(jobs, key=lambda job: (job.urgent, not job.gpu, self._wanted(job)))
        with self._changed:
            while pending and not self._failures and time.monotonic() < self.deadline:
                job = next((each for each in self._next(pending) if self._fits(each)), None)
                if job is None:
                    self._changed.wait(timeout=max(0.0, self.deadline - time.monotonic()))
                    continue
                pending.remove(job)
                self._begin(job)
            while len(self._free) < len(self.cpus):
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
        return min(job.cpus, len(self.cpus))

    def _fits(self, job: Job) -> bool:
        return self._wanted(job) <= len(self._free) and (self._gpu_is_free or not job.gpu)

    def _begin(self, job: Job) -> None:
        taken = [self._free.pop() for _ in range(self._wanted(job))]
        if job.gpu:
            self._gpu_is_free = False
        threading.Thread(target=self._work, args=(job, taken), daemon=True).start()

    def _work(self, job: Job, cpus: list[int]) -> None:
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
            self._free += cpus
            if failure is not None:
                self._failures.append(failure)
            self._changed.notify()
