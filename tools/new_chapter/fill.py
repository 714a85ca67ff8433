"""Filling the templates."""

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
