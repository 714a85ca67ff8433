"""Eighteen weeks of a course: which pages are read in each, and which assignments worked on.

Only what belongs to which week stands here. How long it takes is computed from the pages and from
the tasks, where it is shown.
"""

from dataclasses import dataclass

from headway.chapters import CAPSTONE, CHAPTERS, Chapter, find_chapter

# Pages by week; a chapter's page brings its assignment with it, and so does the capstone's.
PAGES = (
    ("part-1", "01-one-hot"),
    ("02-markov",),
    ("03-skip-bigrams",),
    ("tensors", "04-soft-lookup"),
    ("part-1-review", "05-tokens", "06-embeddings"),
    ("07-positions",),
    ("08-attention",),
    ("09-many-heads",),
    ("10-block",),
    ("11-language-model",),
    ("12-masked-model",),
    ("13-translator",),
    ("14-decoding",),
    ("15-kv-cache",),
    ("16-outlook",),
    ("17-answering",),
    ("18-experts",),
    ("19-cheaper", "whole-chain", "pictures", "where-to-go", "capstone"),
)


@dataclass(frozen=True)
class Week:
    """A week of the course.

    Attributes:
        number: from 1.
        pages: of the book, by name.
        assignments: those of the pages.
    """

    number: int
    pages: tuple[str, ...]
    assignments: tuple[Chapter, ...]


def weeks() -> list[Week]:
    """The weeks in order."""
    chapters = {chapter.name for chapter in CHAPTERS} | {CAPSTONE.slug}
    return [
        Week(number, pages, tuple(find_chapter(name) for name in pages if name in chapters))
        for number, pages in enumerate(PAGES, 1)
    ]
