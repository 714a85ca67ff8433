"""The exception for a submission that a busy machine did not grade to its end."""

from headway.grading.intake.submitted_cells import SetAside


class NotDone(SetAside):
    """A submission is not done after the wall time that it may take; the next run tries again."""

    def __init__(self, seconds: float):
        super().__init__(
            f"It was not judged to its end in {seconds / 60:g} minutes, and for most of them it "
            "waited for a busy machine. The next run tries again."
        )
