"""The card that a check shows: which cases passed and failed, and the mistake if it is known.

The card also shows the student's array and the expected one side by side. Numbers that differ are
marked by a border and a sign, not by color alone.
"""

import re
from dataclasses import dataclass
from html import escape

import numpy as np

from headway.tasks.engine.leaderboard import format_metric
from headway.tasks.engine.requirements import REQUIREMENTS
from headway.tasks.engine.verdict import Verdict

SHOWN_ROWS, SHOWN_COLUMNS = 8, 8
LONG_TEXT = 40
MOST_LINES, MOST_WIDE = 24, 200  # lines and columns in a terminal
# The points at the end of the heading, which is the first line of a card or its h4.
POINTS = re.compile(r", [\d.e+-]+ of [\d.e+-]+ (?:bonus )?points?(?=</h4>|\n|\Z)")

HEADINGS = {
    "passed": ("✓", "Passed"),
    "partial": ("◐", "Partly"),
    "failed": ("✗", "Not yet"),
    "untouched": ("○", "Not started"),
}

STYLE = """<style>
.hw-card{border:1px solid #8886;border-left:.4em solid var(--hw-tone);border-radius:4px;
padding:.6em .9em;margin:.3em 0;max-width:46em;font-family:system-ui,sans-serif;line-height:1.45}
.hw-card p{margin:.3em 0}.hw-card h4{margin:0;font-size:1.05em}
.hw-card ul{list-style:none;margin:.3em 0;padding:0;display:flex;flex-wrap:wrap;gap:.1em 1.2em}
.hw-card pre{white-space:pre-wrap;border:1px solid #8886;padding:.3em .5em;margin:.3em 0}
.hw-passed{--hw-tone:#009e73}.hw-partial{--hw-tone:#e69f00}
.hw-failed{--hw-tone:#d55e00}.hw-untouched{--hw-tone:#808080}
.hw-grids{display:flex;flex-wrap:wrap;align-items:start;gap:.4em 1.6em;margin-top:.5em;
overflow-x:auto}
.hw-card table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9em}
.hw-card caption{text-align:left;white-space:nowrap;font-weight:600}
.hw-card th{font-weight:400;opacity:.75;padding:.1em .45em;text-align:right}
.hw-card td{white-space:nowrap;padding:.1em .45em;text-align:right;border:1px solid #8884}
.hw-card td.hw-off{border:2px solid #d55e00;font-weight:700}
</style>"""


def card_text(verdict: Verdict) -> str:
    """The card for a terminal."""
    sign, heading = HEADINGS[verdict.status]
    lines = [f"{sign} {heading}: {verdict.task.title}, {_points(verdict)}"]
    if verdict.reason:
        lines.append(verdict.reason)
    if verdict.misconception:
        mistake = verdict.misconception
        lines.append(f"{_said(verdict)}, {mistake.name}. {mistake.hint}")
    if verdict.measured:
        lines.append(f"Measured: {_measured(verdict)}.")
    if len(verdict.cases) > 1 and verdict.status != "passed":
        lines += [f"  {'✓' if ok else '✗'} {label}" for label, ok in _listed(verdict)]
    return "\n".join(filter(None, [*lines, details_text(verdict)]))


def details_text(verdict: Verdict) -> str:
    """The details of the first failed case, for a terminal.

    These are the call, the student's value and the expected one side by side, and what the answer
    printed; empty if there is nothing to show. Control characters become spaces.
    """
    parts = []
    if verdict.inputs:
        parts += ["What was called:", _indented(verdict.inputs)]
    if verdict.difference:
        parts += [
            f"{table.caption}:\n{_indented(table.as_text())}"
            for table in _tables(verdict.difference.got, verdict.difference.expected)
        ]
    if verdict.printed:
        parts += ["Your code printed:", _indented(verdict.printed)]
    return "\n".join(parts)


def _said(verdict: Verdict) -> str:
    return "First" if verdict.named.is_first else "A known mistake"


def _indented(words: str) -> str:
    """Indent lines for a terminal; cut long lines and long texts."""
    lines = words.expandtabs(4).split("\n")
    kept = ["".join(c if c.isprintable() else " " for c in line) for line in lines[:MOST_LINES]]
    kept = [line if len(line) <= MOST_WIDE else line[: MOST_WIDE - 1] + "…" for line in kept]
    return "\n".join(f"    {line}" for line in [*kept, *["…"] * (len(lines) > MOST_LINES)])


def card_html(verdict: Verdict) -> str:
    """The card as HTML; every text that may come from a student is escaped."""
    sign, heading = HEADINGS[verdict.status]
    title = f"{sign} {heading}: {escape(verdict.task.title)}, {_points(verdict)}"
    parts = [f'<section class="hw-card hw-{verdict.status}"><h4>{title}</h4>']
    if verdict.reason:
        parts.append(f"<p>{escape(verdict.reason)}</p>")
    if verdict.misconception:
        name, hint = escape(verdict.misconception.name), escape(verdict.misconception.hint)
        parts.append(f"<p><strong>{_said(verdict)}, <em>{name}</em>.</strong> {hint}</p>")
    if verdict.measured:
        parts.append(f"<p>Measured: {escape(_measured(verdict))}.</p>")
    if len(verdict.cases) > 1 and verdict.status != "passed":
        items = (f"<li>{'✓' if ok else '✗'} {escape(text)}</li>" for text, ok in _listed(verdict))
        parts.append(f"<ul aria-label='Cases'>{''.join(items)}</ul>")
    if verdict.difference:
        parts.append(_picture(verdict.difference.got, verdict.difference.expected))
    if verdict.inputs:
        inputs = f"<pre>{escape(verdict.inputs)}</pre>"
        parts.append(f"<details><summary>What was called</summary>{inputs}</details>")
    if verdict.printed:
        parts.append(f"<p>Your code printed:</p><pre>{escape(verdict.printed)}</pre>")
    return STYLE + "".join(parts) + "</section>"


def _listed(verdict: Verdict) -> list[tuple[str, bool]]:
    """The task's own cases, and, if the answer earned points, the requirements that fail."""
    requirements = {requirement.label for requirement in REQUIREMENTS}
    return [
        (label, ok)
        for label, ok in verdict.cases
        if label not in requirements or (not ok and verdict.score)
    ]


def _measured(verdict: Verdict) -> str:
    """The metrics as text: "bits per byte 1.612, parameters 38,000"."""
    return ", ".join(f"{name} {format_metric(x)}" for name, x in verdict.measured.items())


def with_points(card: str, score: float, most: float, bonus: bool = False) -> str:
    """A text or HTML card with the points in its heading replaced, say by an instructor's."""
    return POINTS.sub(f", {_in_words(score, most, bonus)}", card, count=1)


def _points(verdict: Verdict) -> str:
    return _in_words(verdict.score, verdict.task.points, verdict.task.bonus)


def _in_words(score: float, most: float, bonus: bool) -> str:
    return f"{score:g} of {most:g} {'bonus ' if bonus else ''}{'point' if most == 1 else 'points'}"


def _picture(got, expected) -> str:
    """Both values side by side, as HTML."""
    tables = "".join(table.as_html() for table in _tables(got, expected))
    return f'<div class="hw-grids">{tables}</div>' if tables else ""


def _tables(got, expected) -> list["_Table"]:
    """Both values as tables; empty if one of them cannot be shown as a table."""
    mine, theirs = _grid(got), _grid(expected)
    if mine is None or theirs is None:
        return []
    if mine.ndim > 2 and mine.shape == theirs.shape:
        mine, theirs, note = _first_unlike_slice(mine, theirs)
    else:
        note = ""
    return [_table(f"yours{note}", mine, theirs), _table(f"expected{note}", theirs, mine)]


def _grid(value) -> np.ndarray | None:
    if not _is_drawn(value):
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # ragged
        return None
    return array if array.dtype.kind in "biufU" and array.ndim and array.size else None


def _is_drawn(value) -> bool:
    """Whether a value has no long text, which would make every element of an array as long."""
    if isinstance(value, list):
        return all(map(_is_drawn, value))
    return not isinstance(value, str) or len(value) <= LONG_TEXT


def _first_unlike_slice(mine: np.ndarray, theirs: np.ndarray):
    """The first matrix, along the leading axes, in which the arrays differ."""
    for index in np.ndindex(mine.shape[:-2]):
        if not np.array_equal(mine[index], theirs[index], equal_nan=mine.dtype.kind == "f"):
            break
    return mine[index], theirs[index], f"[{', '.join(map(str, index))}]"


@dataclass(frozen=True)
class _Table:
    """A part of a matrix.

    Attributes:
        caption: a title.
        columns: numbers of the columns that are shown; empty if all are.
        rows: for each row its number, or "" if all rows are shown, and its cells, each with
            whether it differs.
    """

    caption: str
    columns: list[int]
    rows: list[tuple[str, list[tuple[str, bool]]]]

    def as_html(self) -> str:
        body, numbered = [], any(number for number, _ in self.rows)
        if self.columns:
            heads = "".join(f'<th scope="col">{j}</th>' for j in self.columns)
            body.append(f"<tr>{'<td></td>' if numbered else ''}{heads}</tr>")
        for number, cells in self.rows:
            head = f'<th scope="row">{number}</th>' if numbered else ""
            marked = "".join(
                f'<td class="hw-off">≠ {escape(text)}</td>' if off else f"<td>{escape(text)}</td>"
                for text, off in cells
            )
            body.append(f"<tr>{head}{marked}</tr>")
        return f"<table><caption>{escape(self.caption)}</caption>{''.join(body)}</table>"

    def as_text(self) -> str:
        numbered = any(number for number, _ in self.rows)
        lines = [[number, *(f"{'≠ ' * off}{text}" for text, off in cells)]
                 for number, cells in self.rows]  # fmt: skip
        if self.columns:
            lines.insert(0, ["", *map(str, self.columns)])
        lines = [line if numbered else line[1:] for line in lines]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        )


def _table(caption: str, array: np.ndarray, other: np.ndarray) -> _Table:
    comparable = array.shape == other.shape
    caption = f"{caption}, shape {array.shape}"
    rows = array.reshape(-1, array.shape[-1])
    others = other.reshape(rows.shape) if comparable else rows
    off = _unlike(rows, others)
    shown_rows = _shown(off.any(1), SHOWN_ROWS)
    shown_columns = _shown(off[shown_rows].any(0), SHOWN_COLUMNS)
    numbered = len(shown_rows) < len(rows), len(shown_columns) < rows.shape[1]
    if any(numbered):
        caption += f", {len(shown_rows)} of {len(rows)} rows"
        caption += f", {len(shown_columns)} of {rows.shape[1]} columns" if numbered[1] else ""
    return _Table(
        caption,
        shown_columns if numbered[1] else [],
        [
            (
                str(i) if numbered[0] else "",
                [(_cell(rows[i, j]), bool(off[i, j])) for j in shown_columns],
            )
            for i in shown_rows
        ],
    )


def _shown(off: np.ndarray, most: int) -> list[int]:
    """Which indices of an axis to show: first those that differ, then others from the start."""
    places = [*np.flatnonzero(off), *np.flatnonzero(~off)][:most]
    return sorted(int(place) for place in places)


def _cell(x) -> str:
    if isinstance(x, str) or x.dtype.kind != "f":
        return str(x)
    return f"{x:,.0f}" if 10_000 <= abs(x) < 1e15 else f"{x:.4g}"


def _unlike(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    texts = mine.dtype.kind == "U", theirs.dtype.kind == "U"
    if any(texts):
        return mine != theirs if all(texts) else np.ones(mine.shape, bool)
    return ~np.isclose(mine, theirs, equal_nan=True)
