"""Figure: the shapes on the way through an encoder and a decoder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from headway.figures.core.interactive import Interactive

SIDES = ("encoder", "decoder")


@dataclass(frozen=True)
class Stage:
    """One station on the way.

    Attributes:
        side: "encoder" or "decoder".
        name: what is computed.
        shape: letters of the sizes, "B S C" as one text.
        code: the line that computes it.
        note: what to know about it.
    """

    side: str
    name: str
    shape: str
    code: str
    note: str

    def sizes(self, of: Mapping[str, int]) -> tuple[int, ...]:
        """The shape in numbers."""
        return tuple(of[letter] for letter in self.shape.split())


def shape_tracker(
    stages: Sequence[Stage],
    models: Mapping[str, Mapping[str, int]],
    lengths: Mapping[str, int],
    title: str,
    caption: str,
    most: Mapping[str, int],
    at: int = 0,
) -> Interactive:
    """Stages as buttons; the chosen one shows its shape for the sizes that the reader sets.

    Args:
        stages: in the order in which they are computed.
        models: name → the sizes C, H, D, M, V … of a model.
        lengths: B, S and T at first.
        title, caption: as printed.
        most: the largest B, S and T.
        at: the stage that is shown at first.

    Raises:
        ValueError: if a side is unknown, a letter of a shape has no size, or `at` does not exist.
    """
    if not stages or not models or not 0 <= at < len(stages):
        raise ValueError("the tracker needs stages, a model, and a chosen stage")
    for stage in stages:
        if stage.side not in SIDES:
            raise ValueError(f"the side of {stage.name!r} must be one of {SIDES}")
        for name, sizes in models.items():
            if unknown := set(stage.shape.split()) - {*sizes, *lengths}:
                raise ValueError(f"{stage.name!r}: {name} has no size {sorted(unknown)}")
    first = {**next(iter(models.values())), **lengths}
    return Interactive(
        script="shape_tracker",
        data={
            "stages": [
                {
                    "side": stage.side,
                    "name": stage.name,
                    "shape": stage.shape.split(),
                    "code": stage.code,
                    "note": stage.note,
                }
                for stage in stages
            ],
            "at": at,
            "models": [{"name": name, "sizes": dict(sizes)} for name, sizes in models.items()],
            "lengths": dict(lengths),
            "most": dict(most),
        },
        title=title,
        caption=caption,
        alt="The shapes on the way. "
        + " ".join(f"{stage.side}, {stage.name}: {stage.sizes(first)}." for stage in stages),
        header=["stage", "shape", "in numbers", "numbers in all"],
        rows=[
            [
                f"{stage.side}: {stage.name}",
                f"({', '.join(stage.shape.split())})",
                str(stage.sizes(first)),
                f"{prod(stage.sizes(first)):,}",
            ]
            for stage in stages
        ],
        draw=lambda ax: draw_stages(ax, stages, first),
        width=6.8,
        height=0.6 + 0.3 * max(sum(stage.side == side for stage in stages) for side in SIDES),
    )


def draw_stages(ax, stages, sizes) -> None:
    """The static picture: two columns of stages with their shapes."""
    ax.set_axis_off()
    rows = max(sum(stage.side == side for stage in stages) for side in SIDES)
    ax.set(xlim=(0, 2), ylim=(rows + 0.3, -1))
    for i, side in enumerate(SIDES):
        ax.text(i, -0.5, side, weight="bold", va="center")
        for row, stage in enumerate(stage for stage in stages if stage.side == side):
            ax.text(i, row + 0.5, f"{stage.name}  {stage.sizes(sizes)}", va="center", size=9)
