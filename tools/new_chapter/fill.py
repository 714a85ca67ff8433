"""Filling the templates."""

import json
from pathlib import Path
from string import Template

from tools.new_chapter.chapter import NewChapter, NewTask

TEMPLATES = Path(__file__).resolve().parent / "templates"


class PercentTemplate(Template):
    """A template with `%{names}`: pages need `$` for formulas, and Python needs braces."""

    delimiter = "%"


def filled(template: str, chapter: NewChapter, task: NewTask | None = None, **more: str) -> str:
    """A template with the names of a chapter, and of one of its tasks, put in."""
    names = {
        "number": chapter.number,
        "NN": f"{chapter.number:02d}",
        "slug": chapter.slug,
        "name": chapter.name,
        "package": chapter.package,
        "title": chapter.title,
        "quoted_title": _quoted(chapter.title),
        "quoted_entry": _quoted(f"{chapter.number} · {chapter.title}"),
    }
    if task:
        plural = "s" if task.points > 1 else ""
        bonus = "up to {} bonus point{}" if task.kind == "stretch" else "{} point{}"
        names |= {
            "id": task.id,
            "answer": task.answer,
            "variable": task.variable,
            "kind": task.kind,
            "Kind": task.kind.capitalize(),
            "points": task.points,
            "worth": bonus.format(task.points, plural),
        }
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    return PercentTemplate(text).substitute(names | more)


def _quoted(text: str) -> str:
    """A text as Python and YAML have it."""
    return json.dumps(text, ensure_ascii=False)
