"""Print how many of the wrong answers are named, and how many names are wrong."""

import sys

from tests.tasks.held_out import answers_of, chapters

WIDTHS = "{:14} {:>6} {:>6} {:>9} {:>9}"


def main(numbers: list[str]) -> None:
    """One line a chapter, or the chapters that some numbers name; `-v` lists what isn't right."""
    asked = tuple(number for number in numbers if number != "-v")
    print(WIDTHS.format("chapter", "wrong", "named", "rightly", "wrongly"))
    for chapter in chapters():
        if asked and not chapter.startswith(asked):
            continue
        wrong = named = rightly = 0
        for answer in answers_of(chapter):
            verdict = answer.verdict()
            if verdict.status == "passed":
                continue
            name = verdict.misconception and verdict.misconception.name
            wrong, named, rightly = wrong + 1, named + bool(name), rightly + (name in answer.names)
            if "-v" in numbers and name not in answer.names:
                print(f"  {answer.task}: {name}, not one of {answer.names}. {answer.thought}")
        shares = f"{rightly / wrong:.0%}", f"{(named - rightly) / wrong:.0%}"
        print(WIDTHS.format(chapter, wrong, named, *shares), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
