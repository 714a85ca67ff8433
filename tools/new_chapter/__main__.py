"""The command line of `tools/new-chapter`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.new_chapter.chapter import LAST, POINTS, LayoutError, new_chapter
from tools.new_chapter.layout import lay_out

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Lay a chapter out as the command line asks; the exit code."""
    parser = argparse.ArgumentParser("tools/new-chapter", description="Lay out a new chapter.")
    parser.add_argument("number", metavar="NN", help=f"its number, 1 to {LAST}")
    parser.add_argument("slug", help="its short name in the field's words: skip-bigrams")
    parser.add_argument("--title", help="as printed above the page")
    for kind, points in POINTS.items():
        parser.add_argument(
            f"--{kind}",
            metavar="NAME",
            nargs="+",
            help=f"names of its {kind} tasks, which share {points} points",
        )
    given = vars(parser.parse_args(arguments))
    names = {kind: given[kind] for kind in POINTS if given[kind]}
    try:
        chapter = new_chapter(given["number"], given["slug"], given["title"], names)
        written = lay_out(root, chapter)
    except LayoutError as error:
        print(error, file=sys.stderr)
        return 2
    print(*written, sep="\n")
    print(f"\nNext: `headway release {chapter.number:02d}`, then the steps in CONTRIBUTING.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
