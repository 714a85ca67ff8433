"""The instructor's settings for the time and memory of one submission.

In a course folder's `nbgrader_config.py`:

    c.Allowance.task_seconds = 20
    c.Allowance.memory_mb = 4096
"""

from traitlets import Bool, Float, Integer
from traitlets.config import Configurable

from headway.grading.sandbox.limits import Limits

MB = 1 << 20
MOST_STOPPED = 10  # cells and answers of one notebook that may be stopped or end their session
# Wall time, as a multiple of the limit on a notebook's seconds, since the machine may be busy.
WALL_TIME_FACTOR = 12


class Allowance(Configurable):
    """Limits of time and memory; `headway.grading.sandbox.limits.Limits` explains memory,
    processes and space.

    Seconds are those that a submission computes or sleeps (`headway.grading.sandbox.clock`).
    """

    cell_seconds = Float(120, min=1, help="A cell that takes longer is stopped.").tag(config=True)
    task_seconds = Float(
        60, min=1, help="Putting one answer to use on all of a task's cases may take so long."
    ).tag(config=True)
    submission_seconds = Float(
        300,
        min=1,
        help="For a whole notebook, without what was stopped. One that takes longer is set aside.",
    ).tag(config=True)
    memory_mb = Integer(1600, min=512, help="Of all processes of a submission.").tag(config=True)
    processes = Integer(64, min=4, help="At a time, threads included.").tag(config=True)
    space_mb = Integer(
        128, min=1, help="Of files in the home folder, /tmp and /dev/shm, each."
    ).tag(config=True)
    gpu = Bool(False, help="Let submissions use this machine's GPUs.").tag(config=True)
    trust_submissions = Bool(
        False, help="Run submissions without a sandbox, with your rights on this machine."
    ).tag(config=True)

    def plain(self) -> dict:
        """The settings as JSON data; `Allowance(**plain)` restores them."""
        return {name: getattr(self, name) for name in sorted(self.trait_names(config=True))}

    @property
    def wall_seconds(self) -> float:
        """Wall time after which a submission is set aside, whatever it waited for."""
        return WALL_TIME_FACTOR * self.submission_seconds

    @property
    def most_seconds(self) -> float:
        """Processor time that a notebook's cells and answers can use, stopped ones included."""
        longest = max(self.cell_seconds, self.task_seconds)
        return self.submission_seconds + (1 + MOST_STOPPED) * longest

    def limits(self, wall_seconds: float, cpu_seconds: float) -> Limits:
        """The sandbox's limits for a session."""
        return Limits(
            wall_seconds=wall_seconds,
            cpu_seconds=cpu_seconds,
            memory_bytes=self.memory_mb * MB,
            processes=self.processes,
            space_bytes=self.space_mb * MB,
        )
